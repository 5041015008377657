#include "engine/aot/CompiledBackward.h"

#include "engine/aot/Records.h"
#include "engine/ops/Functional.h"
#include "engine/support/Error.h"

namespace strata::aot {

namespace {

using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;
using support::Error;

/// History of gradients computed by compiled code: there is no graph of their derivative.
class DoubleBackward : public eager::Node {
public:
    DoubleBackward() : Node("CompiledFunctionBackwardBackward") {}
    Tensors apply(Tensors) override {
        throw Error("torch.compile with aot_autograd does not currently support double backward");
    }
};

void compileBackward(Program& program) {
    if (program.backward) return;
    sendGraph(program.options, *program.backwardGraph, "backward", "backward");
    program.backward = program.compiler(program.backwardGraph, "backward");
}

} // namespace

CompiledBackward::CompiledBackward(std::shared_ptr<Program> program)
    : Node("CompiledFunctionBackward"), m_program(std::move(program)) {}

// The backward graph was traced for contiguous gradients.
Tensor CompiledBackward::tangent(const Tensor& grad, std::size_t number) const {
    if (!grad.defined()) return ops::f::zeros(outputSizes[number], outputDTypes[number]);
    const ops::SymInts strides = symbolic::contiguousStrides(grad.sizes());
    if (symbolic::sameAs(grad.strides(), strides)) return grad;
    if (grad.isContiguous()) return grad.alias(grad.sizes(), strides, grad->offset); // strides of dims of size 1 differ
    return ops::f::contiguous(grad);
}

Tensors CompiledBackward::apply(Tensors grads) {
    if (m_released)
        throw Error("Trying to backward through the graph a second time (or directly access saved tensors after they "
                    "have already been "
                    "freed). Saved intermediate values of the graph are freed when you call .backward() or "
                    "autograd.grad(). Specify "
                    "retain_graph=True if you need to backward through the graph a second time or if you need to "
                    "access saved tensors "
                    "after calling backward.");
    Values inputs(m_sizes.begin(), m_sizes.end());
    for (const eager::SavedTensor& saved : m_saved) inputs.emplace_back(saved.unpack(shared_from_this()));
    const bool connect = eager::gradEnabled();
    Tensors results(next.size());
    {
        const eager::GradModeScope noGrad(false);
        for (std::size_t k = 0; k < static_cast<std::size_t>(outputs); ++k)
            inputs.emplace_back(tangent(grads.at(k), k));
        compileBackward(*m_program);
        const Values gradients = m_program->backward(inputs);
        for (std::size_t i = 0; i < next.size(); ++i)
            results[i] = gradients.at(static_cast<std::size_t>(m_program->gradientInputs[i])).tensor();
    }
    if (connect) {
        for (std::size_t k = 0; k < static_cast<std::size_t>(outputs); ++k) inputs.emplace_back(grads[k]);
        refuseDoubleBackward(inputs, results);
    }
    return results;
}

void CompiledBackward::refuseDoubleBackward(const Values& inputs, const Tensors& results) {
    auto node = std::make_shared<DoubleBackward>();
    for (const Value& input : inputs)
        if (const auto* tensor = input.as<Tensor>(); tensor && tensor->defined() && eager::requiresGrad(*tensor))
            node->next.push_back(eager::gradEdge(*tensor));
    if (node->next.empty()) return;
    node->outputs = static_cast<int>(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        node->outputSizes.push_back(results[i].defined() ? results[i].sizes() : ops::SymInts{});
        node->outputDTypes.push_back(results[i].defined() ? results[i].dtype() : tensor::DType::Float32);
    }
    // A result may be a saved tensor or a given gradient itself: its own history stays.
    for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i].defined() && eager::gradFn(results[i]) == nullptr && !eager::requiresGrad(results[i]))
            eager::setHistory(results[i], node, static_cast<int>(i));
}

void CompiledBackward::release() {
    m_released = true;
    m_saved.clear();
    m_sizes.clear();
}

std::vector<std::string> CompiledBackward::savedText() const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < m_saved.size(); ++i)
        if (m_saved[i].defined()) texts.push_back("saved" + std::to_string(i) + ": " + m_saved[i].text());
    return texts;
}

} // namespace strata::aot
