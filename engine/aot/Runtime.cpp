#include "engine/aot/Runtime.h"

#include "engine/aot/CompiledBackward.h"
#include "engine/ops/Functional.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"

#include <algorithm>

namespace strata::aot {

namespace {

using ops::SymInt;
using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;

std::map<std::string, SymInt> bindSymbols(const std::vector<Input>& inputs, const Values& given) {
    std::map<std::string, SymInt> symbols;
    const auto bind = [&](SymInt size, SymInt actual) {
        if (size.isSymbolic() && size.expr()->kind == symbolic::ExprKind::Symbol) symbols[size.expr()->name] = actual;
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (const auto* size = inputs[i].example.as<SymInt>())
            bind(*size, given[i].toInt());
        else
            for (std::size_t d = 0; d < inputs[i].example.tensor().sizes().size(); ++d)
                bind(inputs[i].example.tensor().sizes()[d], given[i].tensor().sizes().at(d));
    }
    return symbols;
}

/// First and last byte + 1 that a tensor's elements lie in.
std::pair<std::int64_t, std::int64_t> extent(const Tensor& tensor) {
    std::int64_t first = tensor->offset.asInt(), last = first;
    for (std::size_t d = 0; d < tensor.sizes().size(); ++d) {
        if (tensor.sizes()[d].asInt() == 0) return {first, first};
        last += (tensor.sizes()[d].asInt() - 1) * tensor.strides()[d].asInt();
    }
    return {first, last + 1};
}

bool overlap(const Tensor& a, const Tensor& b) {
    if (!a.sharesStorage(b)) return false;
    const auto [aFirst, aEnd] = extent(a);
    const auto [bFirst, bEnd] = extent(b);
    return aFirst < bEnd && bFirst < aEnd;
}

bool isSameView(const Tensor& a, const Tensor& b) {
    return a.is(b) || (a.sharesStorage(b) && a->offset.sameAs(b->offset) && symbolic::sameAs(a.sizes(), b.sizes()) &&
                       symbolic::sameAs(a.strides(), b.strides()));
}

class Call {
public:
    Call(const std::shared_ptr<Program>& program, const Values& inputs)
        : m_program(program), m_plan(program->plan), m_inputs(inputs) {}

    Values run() {
        const Program& program = *m_program;
        if (m_inputs.size() != program.inputs.size())
            throw support::Error("the compiled function takes " + std::to_string(program.inputs.size()) + " inputs");
        if (!fits()) return program.function(m_inputs);
        {
            const eager::GradModeScope noGrad(false);
            m_results = program.forward(m_inputs);
        }
        if (m_plan.joint && eager::gradEnabled()) attachBackward();
        writeInputs();
        return outputs();
    }

private:
    // What the graph took for granted and the caller's guards need not check. When it does not hold, the captured
    // function runs in eager.
    bool fits() const {
        if (m_plan.usesStorageOffset)
            for (std::size_t i = 0; i < m_inputs.size(); ++i) {
                const auto* example = m_program->inputs[i].example.as<Tensor>();
                if (example && !(*example)->offset.sameAs(m_inputs[i].tensor()->offset)) return false;
            }
        for (const Mutation& mutation : m_plan.mutations) {
            const Tensor& written = m_inputs[static_cast<std::size_t>(mutation.input)].tensor();
            for (std::size_t j = 0; j < m_inputs.size(); ++j) {
                const auto* other = m_inputs[j].as<Tensor>();
                if (other && other->defined() && static_cast<int>(j) != mutation.input && overlap(written, *other))
                    return false;
            }
        }
        return true;
    }

    const Tensor& result(int number) const { return m_results.at(static_cast<std::size_t>(number)).tensor(); }

    bool isWritten(const Tensor& tensor) const {
        return std::any_of(m_plan.mutations.begin(), m_plan.mutations.end(), [&](const Mutation& mutation) {
            return m_inputs[static_cast<std::size_t>(mutation.input)].tensor().sharesStorage(tensor);
        });
    }

    void attachBackward() {
        auto node = std::make_shared<CompiledBackward>(m_program);
        for (const int input : m_program->gradientInputs) {
            const Tensor& tensor = m_inputs[static_cast<std::size_t>(input)].tensor();
            node->next.push_back(eager::requiresGrad(tensor) ? eager::gradEdge(tensor) : eager::Edge());
        }
        node->outputs = static_cast<int>(m_plan.tangents.size());
        for (const int output : m_plan.tangents) {
            node->outputSizes.push_back(result(output).sizes());
            node->outputDTypes.push_back(result(output).dtype());
        }
        saveValues(*node);
        for (std::size_t k = 0; k < m_plan.tangents.size(); ++k)
            eager::setHistory(result(m_plan.tangents[k]), node, static_cast<int>(k));
        node->announceSelf();
    }

    void saveValues(CompiledBackward& node) {
        const auto symbols =
            m_program->freeSymbols.empty() ? std::map<std::string, SymInt>() : bindSymbols(m_program->inputs, m_inputs);
        for (const std::string& symbol : m_program->freeSymbols) node.saveSize(symbols.at(symbol));
        const std::size_t first = static_cast<std::size_t>(m_plan.forwardOutputs),
                          values = static_cast<std::size_t>(m_program->savedValues);
        for (std::size_t i = 0; i < static_cast<std::size_t>(m_program->savedSizes); ++i)
            node.saveSize(m_results.at(first + values + i).toInt());
        for (std::size_t i = 0; i < values; ++i) {
            const int input = m_program->savedInput[i];
            Tensor saved =
                input >= 0 ? m_inputs[static_cast<std::size_t>(input)].tensor() : result(static_cast<int>(first + i));
            // The backward wants the input as it was: what is written below would change it.
            if (isWritten(saved)) {
                const eager::GradModeScope noGrad(false);
                saved = copyOf(saved);
            }
            int output = -1;
            for (std::size_t k = 0; k < m_plan.tangents.size(); ++k)
                if (result(m_plan.tangents[k]).is(saved)) output = static_cast<int>(k);
            node.saveTensor(saved, output);
        }
    }

    // With the strides that the backward graph was compiled for.
    static Tensor copyOf(const Tensor& tensor) {
        Tensor copy = Tensor::emptyStrided(tensor.sizes(), tensor.strides(), tensor.dtype(), tensor.device());
        ops::copyTensor(copy, tensor);
        return copy;
    }

    void writeInputs() {
        for (const Mutation& mutation : m_plan.mutations) {
            const Tensor& input = m_inputs[static_cast<std::size_t>(mutation.input)].tensor();
            const Tensor& value = result(mutation.output);
            if (isSameView(input, value)) { // the backend stored it there
                input.bumpVersion();
                continue;
            }
            const eager::GradModeScope mode(mutation.withGrad && eager::gradEnabled());
            ops::f::copyInto(input, value);
        }
    }

    Tensor throughChain(const OutputPlan& plan, Tensor base) {
        const eager::GradModeScope mode(plan.differentiable && eager::gradEnabled());
        if (plan.chain.empty()) return ops::f::alias(base);
        if (!m_symbolsBound) m_symbols = bindSymbols(m_program->inputs, m_inputs);
        m_symbolsBound = true;
        for (const View& view : plan.chain) base = applyView(view, base, m_symbols);
        return base;
    }

    Values outputs() {
        Values out;
        for (const OutputPlan& plan : m_plan.outputs) {
            const auto from = static_cast<std::size_t>(plan.from);
            switch (plan.kind) {
            case OutputPlan::Kind::Constant:
                out.push_back(plan.constant);
                break;
            case OutputPlan::Kind::Graph:
                out.push_back(m_results.at(from));
                break;
            case OutputPlan::Kind::Input:
                out.push_back(m_inputs.at(from));
                break;
            case OutputPlan::Kind::Same:
                out.push_back(out.at(from));
                break;
            case OutputPlan::Kind::InputView:
                out.emplace_back(throughChain(plan, m_inputs.at(from).tensor()));
                break;
            case OutputPlan::Kind::BaseView:
                out.emplace_back(throughChain(plan, result(plan.from)));
                break;
            }
        }
        return out;
    }

    const std::shared_ptr<Program>& m_program;
    const Captured& m_plan;
    const Values& m_inputs;
    Values m_results;
    std::map<std::string, SymInt> m_symbols;
    bool m_symbolsBound = false;
};

} // namespace

CompiledFunction makeCallable(std::shared_ptr<Program> program) {
    return [program = std::move(program)](const Values& inputs) { return Call(program, inputs).run(); };
}

} // namespace strata::aot
