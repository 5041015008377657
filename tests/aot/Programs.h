#pragma once
// What the tests of AOTAutograd share: a function over tensors is run in eager and compiled, and everything that a
// caller could see is compared.

#include "engine/aot/Aot.h"
#include "engine/eager/Autograd.h"
#include "engine/ops/Functional.h"

#include <string>
#include <vector>

namespace strata::aot::tests {

/// The graphs that a compiler was given, by region, in order.
struct Compiled {
    CompiledFunction function;
    std::shared_ptr<std::vector<std::pair<std::string, std::shared_ptr<const fx::Graph>>>> graphs;
    const fx::Graph& graph(const std::string& region) const;
};

/// float32 values spread over [low, high].
ops::Tensor floats(const std::vector<std::int64_t>& sizes, double low = -1, double high = 1, unsigned seed = 1);
ops::Tensor needingGrad(const ops::Tensor& tensor);
/// A copy of the data, with requires_grad as the tensor's; a leaf.
ops::Tensor copyOf(const ops::Tensor& tensor);
/// A fake tensor as Dynamo would give it for a real one.
ops::Value exampleOf(const ops::Value& value);

/// Compiles for these inputs, with the graph interpreter as the backend.
Compiled compileFor(const FlatFunction& function, const ops::Values& inputs, Options options = {});

/// Targets of a graph's calls, "aten." left off, in order, joined by blanks. Aliases are left out.
std::string targets(const fx::Graph& graph);
/// The same, sorted: to compare as multisets.
std::string sortedTargets(const fx::Graph& graph);
std::string sorted(const std::string& words);
int outputCount(const fx::Graph& graph);

bool sameData(const ops::Tensor& a, const ops::Tensor& b, double tolerance = 1e-5);
/// Runs the function in eager and compiled, each on its own copies of the inputs; checks outputs (values, dtypes,
/// shapes, requires_grad), inputs afterwards, and the gradients that the sum of the squares of the differentiable
/// outputs gives the inputs. Uses Catch's CHECK.
Compiled checkAgainstEager(const FlatFunction& function, const ops::Values& inputs);

} // namespace strata::aot::tests
