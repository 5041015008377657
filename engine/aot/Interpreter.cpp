// The graph interpreter: one op call a node, through the dispatcher. What the aot_eager backend runs.
#include "engine/aot/Aot.h"
#include "engine/eager/Dispatcher.h"
#include "engine/ops/NodeArgs.h"
#include "engine/ops/Registry.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace strata::aot {

namespace {

using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;

class Interpreter {
public:
    explicit Interpreter(std::shared_ptr<const fx::Graph> graph) : m_graph(std::move(graph)) {
        std::unordered_map<const fx::Node*, std::size_t> lastUse;
        for (const auto& node : m_graph->nodes()) {
            const std::size_t step = m_steps.size();
            m_slot[node.get()] = static_cast<int>(step);
            m_steps.push_back(prepare(*node));
            for (const fx::Node* input : node->inputs()) lastUse[input] = step;
        }
        for (const auto& [node, step] : lastUse)
            if (m_steps[step].node->op != fx::Opcode::Output) m_steps[step].frees.push_back(m_slot.at(node));
        for (Step& step : m_steps) std::sort(step.frees.begin(), step.frees.end());
    }

    Values run(const Values& inputs) const {
        Frame frame{std::vector<Values>(m_steps.size()), {}};
        std::size_t next = 0;
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            const Step& step = m_steps[i];
            switch (step.node->op) {
            case fx::Opcode::Placeholder:
                frame.values[i] = {inputs.at(next++)};
                bindSymbols(*step.node, frame.values[i][0], frame);
                break;
            case fx::Opcode::Output:
                return outputs(*step.node, frame);
            case fx::Opcode::GetAttr:
                frame.values[i] = {step.node->value};
                break;
            default:
                frame.values[i] = execute(step, frame);
            }
            for (const int slot : step.frees) frame.values[static_cast<std::size_t>(slot)].clear();
        }
        throw support::Error("the graph '" + m_graph->title + "' has no output");
    }

private:
    struct Step {
        const fx::Node* node = nullptr;
        const ops::OpDef* op = nullptr; // null: getitem, integer arithmetic, placeholders
        bool strided = false;
        std::vector<int> frees;
    };
    struct Frame {
        std::vector<Values> values; // results by step; a call with several results has several
        std::map<std::string, SymInt> symbols;
    };

    static Step prepare(const fx::Node& node) {
        Step step{&node, nullptr, false, {}};
        if (node.op == fx::Opcode::CallFunction && !node.isInt && node.target != "getitem") {
            step.op = ops::find(node.target);
            if (!step.op) throw support::Refusal("aot_not_an_aten_op", {{"target", node.target}}, node.file, node.line);
            step.strided = step.op->schema.name.rfind("as_strided", 0) == 0;
        } else if (node.op == fx::Opcode::CallMethod || node.op == fx::Opcode::CallModule) {
            throw support::Refusal("aot_not_an_aten_op", {{"target", node.target}}, node.file, node.line);
        }
        return step;
    }

    static void bindSymbols(const fx::Node& node, const Value& given, Frame& frame) {
        const auto bind = [&](SymInt size, SymInt actual) {
            if (size.isSymbolic() && size.expr()->kind == symbolic::ExprKind::Symbol)
                frame.symbols[size.expr()->name] = actual;
        };
        if (node.isInt) return bind(node.intValue, given.toInt());
        const Tensor& tensor = given.tensor();
        for (std::size_t d = 0; d < node.value.sizes().size(); ++d) bind(node.value.sizes()[d], tensor.sizes().at(d));
    }

    Value valueOf(const fx::Node* node, const Frame& frame) const {
        return frame.values[static_cast<std::size_t>(m_slot.at(node))].at(0);
    }

    static void substitute(Values& args, const Frame& frame) {
        for (Value& arg : args) {
            if (const auto* size = arg.as<SymInt>(); size && size->isSymbolic())
                arg = symbolic::substitute(*size, frame.symbols);
            const auto* sizes = arg.as<SymInts>();
            if (!sizes || std::none_of(sizes->begin(), sizes->end(), [](SymInt s) { return s.isSymbolic(); })) continue;
            SymInts plain;
            for (const SymInt size : *sizes) plain.push_back(symbolic::substitute(size, frame.symbols));
            arg = std::move(plain);
        }
    }

    Values execute(const Step& step, const Frame& frame) const {
        const fx::Node& node = *step.node;
        if (node.isInt) return {symbolic::substitute(node.intValue, frame.symbols)};
        if (!step.op) {
            const fx::Node* source = *node.args.at(0).as<fx::Node*>();
            const auto number = static_cast<std::size_t>(node.args.at(1).as<SymInt>()->asInt());
            const Values& results = frame.values[static_cast<std::size_t>(m_slot.at(source))];
            if (const auto* list = results.at(0).as<Tensors>()) return {list->at(number)};
            return {results.at(number)};
        }
        Values args = ops::argumentsOf(node, *step.op, [&](const fx::Node* input) { return valueOf(input, frame); });
        if (!frame.symbols.empty()) substitute(args, frame);
        if (step.strided) { // offsets count from where the traced tensor began
            const fx::Node* base = *node.args.at(0).as<fx::Node*>();
            args.back() = args.back().toInt() +
                          (args.at(0).tensor()->offset - symbolic::substitute(base->value->offset, frame.symbols));
        }
        return eager::Dispatcher::instance().call(*step.op, std::move(args));
    }

    Values outputs(const fx::Node& node, const Frame& frame) const {
        Values results;
        const fx::Arg& all = node.args.at(0);
        const auto* tuple = all.as<fx::Tuple>();
        const auto* list = all.as<fx::List>();
        for (const fx::Arg& item : tuple ? tuple->items : list ? list->items : fx::ArgList{all}) {
            if (const auto* source = item.as<fx::Node*>())
                results.push_back(valueOf(*source, frame));
            else if (const auto* size = item.as<SymInt>())
                results.emplace_back(symbolic::substitute(*size, frame.symbols));
            else
                results.emplace_back();
        }
        return results;
    }

    std::shared_ptr<const fx::Graph> m_graph;
    std::vector<Step> m_steps;
    std::unordered_map<const fx::Node*, int> m_slot;
};

} // namespace

Executor interpret(std::shared_ptr<const fx::Graph> graph) {
    eager::Dispatcher::instance();
    auto interpreter = std::make_shared<const Interpreter>(std::move(graph));
    return [interpreter](const Values& inputs) { return interpreter->run(inputs); };
}

} // namespace strata::aot
