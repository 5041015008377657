#include "engine/aot/Capture.h"

#include "engine/aot/Cse.h"

#include "engine/eager/TapeNodes.h"
#include "engine/fx/Printer.h"
#include "engine/ops/Functional.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <map>
#include <set>

namespace strata::aot {

namespace {

using ops::SymInt;
using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;
using support::Refusal;

bool needsGrad(const Tensor& tensor) {
    return eager::requiresGrad(tensor) && tensor::isFloating(tensor.dtype());
}

/// Puts the tape's listener and what tracing changes on this thread back.
class TracingScope {
public:
    TracingScope(Tracer& tracer, symbolic::ShapeEnv* env)
        : m_mode(tracer), m_env(env), m_grad(eager::gradEnabled()), m_listener(eager::tapeListener()) {
        eager::setTapeListener(&tracer.listener());
    }
    TracingScope(const TracingScope&) = delete;
    TracingScope& operator=(const TracingScope&) = delete;
    ~TracingScope() {
        eager::setTapeListener(m_listener);
        setCurrentOrigin(nullptr);
    }

private:
    eager::ModeScope m_mode;
    symbolic::ShapeEnvScope m_env;
    eager::GradModeScope m_grad;
    eager::TapeListener* m_listener;
};

class Capture {
public:
    Capture(const FlatFunction& function, const std::vector<Input>& inputs, const Options& options)
        : m_function(function), m_inputs(inputs), m_options(options), m_graph(std::make_shared<fx::Graph>("forward")),
          m_tracer(*m_graph, options.decompose) {}

    Captured run() {
        eager::Dispatcher::instance(); // ops are called through it
        const TracingScope scope(m_tracer, m_options.shapeEnv ? m_options.shapeEnv : symbolic::ShapeEnv::current());
        const bool mayDiffer =
            eager::gradEnabled() && std::any_of(m_inputs.begin(), m_inputs.end(), [](const Input& input) {
                const auto* tensor = input.example.as<Tensor>();
                return tensor && eager::requiresGrad(*tensor);
            });
        makeInputs(mayDiffer);
        m_results = m_function(m_arguments);
        setCurrentOrigin(nullptr);
        planMutations();
        planOutputs();
        planBases();
        m_out.forwardOutputs = static_cast<int>(m_outputs.size());
        if (mayDiffer) differentiate();
        finish();
        return std::move(m_out);
    }

private:
    // Inputs that share storage may be given to the trace as strangers only as long as nothing writes to them.
    void makeInputs(bool mayDiffer) {
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const Input& input = m_inputs[i];
            const std::string name = mayDiffer ? "primals_" + std::to_string(i + 1) : "arg" + std::to_string(i) + "_1";
            if (const auto* size = input.example.as<SymInt>()) {
                m_placeholders.push_back(m_tracer.size(name, *size));
                m_arguments.emplace_back(*size);
                m_primals.emplace_back();
            } else if (const auto* tensor = input.example.as<Tensor>(); tensor && tensor->defined()) {
                const Tensor primal = m_tracer.input(name, *tensor, input.role);
                m_placeholders.push_back(m_tracer.nodeOf(primal));
                m_primals.push_back(primal);
                if (eager::requiresGrad(*tensor)) eager::setRequiresGrad(primal, true);
                m_arguments.emplace_back(primal);
            } else {
                throw Refusal("aot_input_kind", {{"input", input.name}});
            }
            m_placeholders.back()->from = input.from;
        }
        for (std::size_t i = 0; i < m_primals.size(); ++i)
            if (m_primals[i].defined()) enterInput(i, mayDiffer);
    }

    // A leaf that needs gradients may not be written in place; the function gets a copy of it, so that the trace of one
    // that it does write (of a non-leaf, or under no_grad) is right. PyTorch's joint graphs have the copies of inputs
    // that are written, too; those of others go when the graph is done.
    void enterInput(std::size_t i, bool mayDiffer) {
        Tensor seen = m_primals[i];
        if (mayDiffer && eager::requiresGrad(seen)) {
            const Tensor copy = ops::f::clone(seen);
            if (symbolic::sameAs(copy.strides(), seen.strides())) {
                copy->offset = seen->offset;
                m_copies.emplace_back(i, m_tracer.nodeOf(copy));
                seen = copy;
            }
        }
        m_arguments[i] = seen;
        m_tracer.aliases().find(seen)->group->input = static_cast<int>(i);
    }

    StorageGroup& groupOf(const Tensor& tensor) {
        m_tracer.nodeOf(tensor); // also makes known a constant that is returned as it is
        return *m_tracer.aliases().find(tensor)->group;
    }

    void planMutations() {
        for (std::size_t i = 0; i < m_primals.size(); ++i) {
            if (!m_primals[i].defined()) continue;
            const Tensor seen = m_arguments[i].tensor();
            const StorageGroup& group = groupOf(seen);
            if (!group.changed()) continue;
            refuseSharedInput(i);
            m_out.mutations.push_back({static_cast<int>(i), static_cast<int>(m_outputs.size()), group.changedWithGrad});
            addOutput(m_tracer.nodeOf(seen), group.changedWithGrad ? seen : Tensor());
        }
    }

    void refuseSharedInput(std::size_t written) const {
        const Tensor& example = m_inputs[written].example.tensor();
        for (std::size_t j = 0; j < m_inputs.size(); ++j) {
            const auto* other = m_inputs[j].example.as<Tensor>();
            if (j != written && other && other->defined() && other->sharesStorage(example))
                throw Refusal("aot_written_input_is_aliased",
                              {{"input", m_inputs[written].name}, {"other", m_inputs[j].name}});
        }
    }

    void addOutput(fx::Arg value, const Tensor& tracked) {
        m_outputs.push_back(std::move(value));
        m_tracked.push_back(tracked);
    }

    void planOutputs() {
        m_firstResult = m_outputs.size();
        for (const Value& result : m_results) {
            OutputPlan plan;
            if (const auto* size = result.as<SymInt>(); size && size->isSymbolic()) {
                addOutput(m_tracer.computedSize(*size), Tensor());
            } else if (const auto* tensor = result.as<Tensor>(); tensor && tensor->defined()) {
                plan = planTensor(*tensor);
                const bool own = plan.kind == OutputPlan::Kind::Graph;
                addOutput(m_tracer.nodeOf(*tensor), own ? *tensor : Tensor());
            } else if (result.as<Tensors>()) {
                throw Refusal("aot_output_kind");
            } else {
                plan.kind = OutputPlan::Kind::Constant;
                plan.constant = result.as<Tensor>() ? Value() : result;
                addOutput(fx::None{}, Tensor());
            }
            if (plan.kind == OutputPlan::Kind::Graph) plan.from = static_cast<int>(m_outputs.size()) - 1;
            m_out.outputs.push_back(std::move(plan));
        }
    }

    OutputPlan planTensor(const Tensor& tensor) {
        OutputPlan plan;
        const StorageGroup& group = groupOf(tensor);
        if (group.input >= 0) {
            plan.from = group.input;
            plan.chain = m_tracer.aliases().find(tensor)->chain;
            const bool itself = tensor.is(m_arguments[static_cast<std::size_t>(group.input)].tensor());
            plan.kind = itself ? OutputPlan::Kind::Input : OutputPlan::Kind::InputView;
            if (!itself) checkHistory(plan, tensor, m_arguments[static_cast<std::size_t>(group.input)].tensor());
            return plan;
        }
        for (std::size_t j = 0; j < m_out.outputs.size(); ++j) {
            const auto* earlier = m_results[j].as<Tensor>();
            if (!earlier || !earlier->defined() || !earlier->is(tensor)) continue;
            plan.kind = OutputPlan::Kind::Same;
            plan.from = static_cast<int>(j);
            return plan;
        }
        return plan;
    }

    // Made anew, the view takes part in gradients as its base does, unless something cuts them. A history that only the
    // view has (it was detached and then written with gradients) cannot be made so.
    static void checkHistory(OutputPlan& plan, const Tensor& view, const Tensor& base) {
        const bool cut = std::any_of(plan.chain.begin(), plan.chain.end(),
                                     [](const View& v) { return v.op->schema.name == "detach"; });
        plan.differentiable = eager::requiresGrad(view);
        if (plan.differentiable && (cut || !eager::requiresGrad(base))) throw Refusal("aot_history_of_alias");
    }

    // Outputs on one storage: where gradients are needed (or the base is returned as well) they are made anew as views
    // of the base, so that the caller's tape and later in-place ops see the aliasing. Pieces of one split are left
    // alone, as in PyTorch.
    void planBases() {
        std::vector<const StorageGroup*> order;
        std::map<const StorageGroup*, std::vector<std::size_t>> members;
        for (std::size_t j = 0; j < m_out.outputs.size(); ++j) {
            if (m_out.outputs[j].kind != OutputPlan::Kind::Graph || !m_results[j].as<Tensor>()) continue;
            const StorageGroup* group = &groupOf(m_results[j].tensor());
            if (members[group].empty()) order.push_back(group);
            members[group].push_back(j);
        }
        for (const StorageGroup* group : order) {
            const auto& outputs = members.at(group);
            if (outputs.size() < 2) continue;
            const auto aliasOf = [&](std::size_t j) -> const Alias& {
                return *m_tracer.aliases().find(m_results[j].tensor());
            };
            const auto whole = std::count_if(outputs.begin(), outputs.end(), [&](std::size_t j) {
                return aliasOf(j).chain.empty() || !aliasOf(j).chain.back().several;
            });
            const auto base =
                std::find_if(outputs.begin(), outputs.end(), [&](std::size_t j) { return aliasOf(j).chain.empty(); });
            const bool differ = std::any_of(outputs.begin(), outputs.end(),
                                            [&](std::size_t j) { return needsGrad(m_results[j].tensor()); });
            if (whole <= 1 || (base == outputs.end() && !differ)) continue;
            int from = base == outputs.end() ? -1 : m_out.outputs[*base].from;
            if (from < 0) {
                from = static_cast<int>(m_outputs.size());
                addOutput(m_tracer.nodeOf(group->base), group->base);
            }
            for (const std::size_t j : outputs) {
                OutputPlan& plan = m_out.outputs[j];
                if (plan.from == from) continue;
                m_tracked[static_cast<std::size_t>(plan.from)] = Tensor();
                plan = {OutputPlan::Kind::BaseView, from, aliasOf(j).chain, true, {}};
                checkHistory(plan, m_results[j].tensor(), group->base);
            }
        }
    }

    // backward() with inputs takes it that a node's edges lead to nodes made before it. A view that is read again after
    // its base was changed gets its new history later than the node that reads it: such a tape would lose gradients.
    static void refuseLateHistories(const Tensors& roots) {
        std::set<const eager::Node*> seen;
        std::vector<const eager::Node*> work;
        for (const Tensor& root : roots) work.push_back(eager::gradFn(root).get());
        while (!work.empty()) {
            const eager::Node* node = work.back();
            work.pop_back();
            if (!node || !seen.insert(node).second) continue;
            for (const eager::Edge& edge : node->next) {
                if (!edge || edge.node->accumulates) continue;
                if (edge.node->sequence > node->sequence)
                    throw Refusal("aot_late_history", {{"node", edge.node->name}});
                work.push_back(edge.node.get());
            }
        }
    }

    void differentiate() {
        Tensors roots, tangents, leaves;
        m_out.differentiable.assign(m_outputs.size(), false);
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            if (!m_tracked[i].defined() || !needsGrad(m_tracked[i])) continue;
            m_out.differentiable[i] = true;
            m_out.tangents.push_back(static_cast<int>(i));
            roots.push_back(m_tracked[i]);
        }
        if (roots.empty()) return; // nothing to differentiate: an inference graph
        m_out.joint = true;
        refuseLateHistories(roots);
        fx::Node* firstCall = nullptr;
        for (const auto& node : m_graph->nodes())
            if (!firstCall && node->op != fx::Opcode::Placeholder) firstCall = node.get();
        fx::Node* before = m_graph->insertBefore(firstCall);
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const Tensor like = Tensor::fake(roots[i].sizes(), symbolic::contiguousStrides(roots[i].sizes()),
                                             roots[i].dtype(), roots[i].device());
            tangents.push_back(m_tracer.input("tangents_" + std::to_string(i + 1), like, fx::Role::Tangent));
        }
        m_graph->insertBefore(before);
        for (const Tensor& primal : m_primals)
            if (primal.defined() && eager::requiresGrad(primal)) leaves.push_back(primal);
        m_tracer.beginBackward();
        const Tensors gradients = eager::backward(roots, tangents, leaves, {});
        std::size_t next = 0;
        for (const Tensor& primal : m_primals) {
            const bool leaf = primal.defined() && eager::requiresGrad(primal);
            const Tensor gradient = leaf ? gradients.at(next++) : Tensor();
            m_outputs.emplace_back(gradient.defined() ? fx::Arg(m_tracer.nodeOf(gradient)) : fx::Arg(fx::None{}));
        }
    }

    void finish() {
        m_graph->output(fx::Tuple{m_outputs, ""});
        for (const auto& [input, copy] : m_copies) {
            if (m_out.joint && groupOf(m_arguments[input].tensor()).changed()) continue;
            m_graph->replaceAllUses(copy, *copy->args.at(0).as<fx::Node*>());
            m_graph->erase(copy);
        }
        m_graph->eliminateDeadCode([](const fx::Node& node) { return isRandom(node); });
        if (!m_out.joint)
            nameInferenceInputs();
        else
            m_graph->title = "joint_fn";
        fx::verify(*m_graph);
        m_out.graph = m_graph;
        m_out.steps = m_tracer.steps();
        m_out.usesStorageOffset = m_tracer.usesStorageOffset();
    }

    void nameInferenceInputs() {
        for (std::size_t i = 0; i < m_placeholders.size(); ++i)
            m_placeholders[i]->name = m_placeholders[i]->target = "arg" + std::to_string(i) + "_1";
    }

    const FlatFunction& m_function;
    const std::vector<Input>& m_inputs;
    const Options& m_options;
    std::shared_ptr<fx::Graph> m_graph;
    Tracer m_tracer;
    Captured m_out;
    std::vector<fx::Node*> m_placeholders;
    std::vector<std::pair<std::size_t, fx::Node*>> m_copies; // by input
    Tensors m_primals;                                       // by input; undefined for sizes
    Values m_arguments;                                      // what the function gets
    Values m_results;
    fx::ArgList m_outputs; // of the graph
    Tensors m_tracked;     // parallel: the tensor whose gradient the output takes part in, or undefined
    std::size_t m_firstResult = 0;
};

} // namespace

Captured capture(const FlatFunction& function, const std::vector<Input>& inputs, const Options& options) {
    return Capture(function, inputs, options).run();
}

} // namespace strata::aot
