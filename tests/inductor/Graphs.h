#pragma once
// Graphs for the loop compiler's tests, built op by op with the ops' own metadata, and what they give in eager.

#include "engine/fx/Graph.h"
#include "engine/inductor/Inductor.h"
#include "engine/ops/Value.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strata::test {

/// Builds a graph of ATen ops; every node gets the fake tensor that its op's meta says.
class GraphBuilder {
public:
    fx::Node* input(const std::string& name, ops::SymInts sizes, tensor::DType dtype = tensor::DType::Float32,
                    ops::SymInts strides = {});
    fx::Node* call(const std::string& op, fx::ArgList args, fx::ArgDict kwargs = {});
    std::shared_ptr<fx::Graph> finish(std::vector<fx::Node*> outputs);
    std::shared_ptr<fx::Graph> graph = std::make_shared<fx::Graph>("forward");
};

/// Runs the graph op by op through the dispatcher.
ops::Values runEager(const fx::Graph& graph, const ops::Values& inputs);
/// A tensor with a wave in it: element n is sin(step * n), integers count modulo 7, bools alternate.
ops::Tensor wave(const ops::SymInts& sizes, tensor::DType dtype, double step, const ops::SymInts& strides = {});
/// Elements in row-major order of the tensor's sizes, as doubles.
std::vector<double> elements(const ops::Tensor& tensor);
/// Empty when the tensors agree in dtype, sizes and, within the tolerance, elements; else what differs first.
std::string difference(const ops::Tensor& a, const ops::Tensor& b, double tolerance = 2e-5);

/// Options that compile in process.
inductor::Options compiled(trace::Sink* sink = nullptr);

} // namespace strata::test
