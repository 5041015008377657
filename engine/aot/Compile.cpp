#include "engine/aot/Aot.h"
#include "engine/aot/Cse.h"
#include "engine/aot/Partitioner.h"
#include "engine/aot/Records.h"
#include "engine/aot/Runtime.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace strata::aot {

namespace {

using std::chrono::steady_clock;
using Names = std::set<std::string>;

bool needsGrad(const Input& input) {
    const auto* tensor = input.example.as<ops::Tensor>();
    return tensor && tensor->defined() && eager::requiresGrad(*tensor);
}

// Outputs that the backend may store right into an input: the caller's tape takes no part in the write, and nothing
// that is kept reads the old value.
void allowWrites(fx::Graph& graph, const Program& program, const Names& kept) {
    const auto placeholders = graph.placeholders();
    for (const Mutation& mutation : program.plan.mutations) {
        const fx::Node* placeholder = placeholders.at(static_cast<std::size_t>(mutation.input));
        const bool tracked = mutation.withGrad && (program.plan.joint ||
                                                   needsGrad(program.inputs[static_cast<std::size_t>(mutation.input)]));
        if (!tracked && !kept.contains(placeholder->name)) graph.writes.emplace_back(mutation.output, mutation.input);
    }
}

/// Inputs whose memory a saved value lies in: the value is the input or a view of it.
Names inputsBehind(const fx::Graph& graph, const std::vector<std::string>& saved) {
    const Names wanted(saved.begin(), saved.end());
    std::map<const fx::Node*, const fx::Node*> root;
    Names out;
    for (const auto& node : graph.nodes()) {
        const ops::OpDef* op = ops::find(node->target);
        const bool view = op && op->kind == ops::Kind::View;
        const auto* source = view && !node->args.empty() ? node->args[0].as<fx::Node*>() : nullptr;
        root[node.get()] = source && root.contains(*source) ? root[*source] : node.get();
        if (wanted.contains(node->name) && root[node.get()]->op == fx::Opcode::Placeholder)
            out.insert(root[node.get()]->name);
    }
    return out;
}

// Nodes of the forward and backward graphs come from the joint graph's, and merged ones too.
void linkToJoint(fx::Graph& graph, const std::string& compile,
                 const std::map<std::string, std::vector<std::string>>& merged) {
    for (const auto& node : graph.nodes()) {
        node->from = {"joint:" + compile + ":" + node->name};
        if (const auto it = merged.find(node->name); it != merged.end())
            for (const std::string& name : it->second) node->from.push_back("joint:" + compile + ":" + name);
    }
}

std::function<std::int64_t(symbolic::SymInt)> hints(const Options& options) {
    return [env = options.shapeEnv ? options.shapeEnv
                                   : symbolic::ShapeEnv::current()](symbolic::SymInt size) -> std::int64_t {
        if (!size.isSymbolic()) return size.asInt();
        return env ? env->hint(size) : 4096; // PyTorch's guess for a size without a hint
    };
}

void compileInference(Program& program, std::shared_ptr<fx::Graph> graph) {
    sendGraph(program.options, *graph, "forward", "inference");
    sendSteps(program.options, program.plan.steps, *graph, "forward", "inference");
    allowWrites(*graph, program, {});
    program.forward = program.compiler(std::move(graph), "inference");
}

void compileJoint(Program& program, fx::Graph& joint) {
    const auto start = steady_clock::now();
    const Options& options = program.options;
    const std::unique_ptr<fx::Graph> whole = joint.clone(); // as captured, before equal nodes are merged
    const auto merged = eliminateCommonSubexpressions(joint);
    const Partition parts = partition(joint, program.plan.forwardOutputs, hints(options), options.recompute);
    sendStage(options, "", "partition", start);
    sendGraph(options, *whole, "joint", "", &parts);
    sendSteps(options, program.plan.steps, *whole, "joint", "");
    sendDecisions(options, parts);
    linkToJoint(*parts.forward, options.compile, merged);
    linkToJoint(*parts.backward, options.compile, merged);
    sendGraph(options, *parts.forward, "forward", "forward");

    program.savedValues = static_cast<int>(parts.saved.size());
    program.savedSizes = static_cast<int>(parts.sizes.size());
    program.freeSymbols = parts.freeSymbols;
    program.backwardGraph = parts.backward;
    const auto placeholders = parts.forward->placeholders();
    for (const std::string& name : parts.saved) {
        const auto it =
            std::find_if(placeholders.begin(), placeholders.end(), [&](const fx::Node* p) { return p->name == name; });
        program.savedInput.push_back(it == placeholders.end() ? -1 : static_cast<int>(it - placeholders.begin()));
    }
    const auto& gradients = joint.outputNode()->args.at(0).as<fx::Tuple>()->items;
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
        if (!gradients.at(static_cast<std::size_t>(program.plan.forwardOutputs) + i).as<fx::None>())
            program.gradientInputs.push_back(static_cast<int>(i));
    allowWrites(*parts.forward, program, inputsBehind(*parts.forward, parts.saved));
    program.forward = program.compiler(parts.forward, "forward");
}

} // namespace

CompiledFunction compile(const FlatFunction& function, std::vector<Input> inputs, const GraphCompiler& compiler,
                         Options options) {
    auto program = std::make_shared<Program>();
    program->function = function;
    program->inputs = std::move(inputs);
    program->options = options;
    program->compiler = compiler;
    const auto start = steady_clock::now();
    try {
        program->plan = capture(function, program->inputs, options);
    } catch (const support::Error& error) { // the function's own error: eager raises it where it belongs
        throw support::Refusal("aot_trace_failed", {{"message", error.what()}});
    }
    sendStage(options, "", "joint", start);
    const std::shared_ptr<fx::Graph> graph = std::move(program->plan.graph);
    if (program->plan.joint)
        compileJoint(*program, *graph);
    else
        compileInference(*program, graph);
    return makeCallable(std::move(program));
}

} // namespace strata::aot
