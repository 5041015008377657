// backward(): runs the tape. Nodes run when all their gradients have come in, later-made nodes first and leaves at
// once, the order of PyTorch's engine.
#include "engine/eager/TapeNodes.h"
#include "engine/ops/Functional.h"
#include "engine/ops/Shape.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <algorithm>
#include <chrono>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace strata::eager {

namespace {

using support::Error;

struct LaterFirst {
    bool operator()(const Node* a, const Node* b) const { return a->sequence < b->sequence; }
};

// What one backward call knows of a node.
struct Pending {
    int dependencies = 0;
    Tensors grads;
    bool needed = true; // leads to one of `inputs`
};

class BackwardRun {
public:
    BackwardRun(const Tensors& inputs, BackwardOptions options) : m_options(options) {
        m_captured.resize(inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Edge edge = gradEdge(inputs[i]);
            if (!edge) throw Error("One of the differentiated Tensors does not require grad");
            m_captures[edge.node.get()].push_back({edge.output, i});
            m_keep.push_back(edge.node);
        }
        m_capturing = !inputs.empty();
    }

    void addRoot(const Edge& edge, Tensor gradient) {
        m_keep.push_back(edge.node);
        m_roots.push_back({edge, std::move(gradient)});
    }

    Tensors run() {
        for (const auto& [edge, gradient] : m_roots) discover(edge.node.get());
        if (m_capturing) markNeeded();
        for (auto& [edge, gradient] : m_roots) receive(edge, std::move(gradient));
        for (const auto& [edge, gradient] : m_roots) {
            Node* node = edge.node.get();
            if (m_pending.at(node).dependencies == 0 && m_queued.insert(node).second) m_ready.push(node);
        }
        while (!m_ready.empty()) {
            Node* node = m_ready.top();
            m_ready.pop();
            runNode(*node);
        }
        return std::move(m_captured);
    }

private:
    // Counts, for every node that the root reaches, the edges into it.
    void discover(Node* root) {
        std::vector<Node*> work;
        if (m_pending.try_emplace(root).second) work.push_back(root);
        while (!work.empty()) {
            Node* node = work.back();
            work.pop_back();
            m_order.push_back(node);
            for (const Edge& edge : node->next) {
                if (!edge) continue;
                const auto [it, added] = m_pending.try_emplace(edge.node.get());
                ++it->second.dependencies;
                if (added) work.push_back(edge.node.get());
            }
        }
    }

    // With inputs given, only nodes on the way to one of them run.
    void markNeeded() {
        for (auto& [node, pending] : m_pending) pending.needed = false;
        // Edges mostly lead to earlier nodes (or to leaves), so one sweep from the earliest does nearly all; the
        // history of a view that was made anew after a change in place is younger than who reads it.
        std::vector<Node*> byAge = m_order;
        std::sort(byAge.begin(), byAge.end(), [](const Node* a, const Node* b) {
            if (a->accumulates != b->accumulates) return a->accumulates;
            return a->sequence < b->sequence;
        });
        for (bool changed = true; changed;) {
            changed = false;
            for (Node* node : byAge) {
                bool needed = m_captures.contains(node);
                for (const Edge& edge : node->next) needed = needed || (edge && m_pending.at(edge.node.get()).needed);
                changed |= m_pending.at(node).needed != needed;
                m_pending.at(node).needed = needed;
            }
        }
    }

    // Adds a gradient to the sum that waits at an edge's end.
    void receive(const Edge& edge, Tensor gradient) {
        Pending& pending = m_pending.at(edge.node.get());
        if (pending.grads.empty()) pending.grads.resize(static_cast<std::size_t>(edge.node->outputs));
        Tensor& sum = pending.grads.at(static_cast<std::size_t>(edge.output));
        if (!gradient.defined()) return;
        if (!sum.defined()) {
            sum = std::move(gradient);
            return;
        }
        const bool owned = !gradEnabled() && !sum.isFake() && sum.impl()->references.load() == 1 &&
                           sum->storage.use_count() == 1 &&
                           ops::shape::isNonOverlappingAndDense(sum.sizes(), sum.strides());
        if (owned)
            ops::call(ops::get("aten.add_.Tensor"), {sum, gradient});
        else
            sum = ops::f::add(sum, gradient);
    }

    void runHooks(Node& node, Tensors& grads) {
        for (const bool retaining : {false, true}) {
            for (std::size_t h = 0; h < node.preHooks.size(); ++h) { // a hook may remove itself
                const NodeHook hook = node.preHooks[h];
                if (hook.retains != retaining) continue;
                applyHook(hook.hook, grads.at(static_cast<std::size_t>(hook.output)));
            }
        }
        const auto* leaf = dynamic_cast<const AccumulateGrad*>(&node);
        if (!leaf) return;
        const auto hooks = autogradMeta(leaf->variable).hooks;
        for (const auto& [id, hook] : hooks) applyHook(hook, grads.at(0));
    }

    static void applyHook(const Hook& hook, Tensor& grad) {
        if (!grad.defined()) return;
        Tensor replaced = hook(grad);
        if (replaced.defined()) grad = std::move(replaced);
    }

    void runNode(Node& node) {
        Pending& pending = m_pending.at(&node);
        Tensors grads = std::move(pending.grads);
        grads.resize(static_cast<std::size_t>(node.outputs));
        if (pending.needed) runHooks(node, grads);
        bool captured = false;
        if (const auto it = m_captures.find(&node); it != m_captures.end()) {
            for (const auto& [output, slot] : it->second) m_captured[slot] = grads.at(static_cast<std::size_t>(output));
            captured = true;
        }
        const bool leads = std::any_of(node.next.begin(), node.next.end(),
                                       [&](const Edge& e) { return e && m_pending.at(e.node.get()).needed; });
        const bool runs = m_capturing ? leads && !node.accumulates : pending.needed;
        Tensors results;
        const bool anyGradient = std::any_of(grads.begin(), grads.end(), [](const Tensor& g) { return g.defined(); });
        (void)captured;
        if (runs && anyGradient) results = apply(node, std::move(grads));
        results.resize(node.next.size());
        for (std::size_t i = 0; i < node.next.size(); ++i) {
            const Edge& edge = node.next[i];
            if (!edge) continue;
            Pending& following = m_pending.at(edge.node.get());
            if (following.needed && results[i].defined()) receive(edge, conform(node, i, std::move(results[i])));
            if (--following.dependencies == 0 && m_queued.insert(edge.node.get()).second) m_ready.push(edge.node.get());
        }
    }

    Tensors apply(Node& node, Tensors grads) {
        TapeListener* listener = tapeListener();
        const auto before = std::chrono::steady_clock::now();
        Tensors results = node.apply(std::move(grads));
        if (listener && listener->ran) {
            const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - before;
            listener->ran(node, m_ran, took.count());
        }
        ++m_ran;
        if (!m_options.retainGraph) node.release();
        return results;
    }

    // A gradient gets its tensor's shape (summed over broadcast dims) and dtype.
    static Tensor conform(const Node& node, std::size_t index, Tensor gradient) {
        const Edge& edge = node.next[index];
        const auto slot = static_cast<std::size_t>(edge.output);
        if (slot >= edge.node->outputSizes.size()) return gradient;
        const ops::SymInts& sizes = edge.node->outputSizes[slot];
        if (!symbolic::sameAs(gradient.sizes(), sizes)) {
            if (!ops::shape::isExpandableTo(sizes, gradient.sizes()))
                throw Error("Function " + node.name + " returned an invalid gradient at index " +
                            std::to_string(index) + " - got " + ops::shape::text(gradient.sizes()) +
                            " but expected shape compatible with " + ops::shape::text(sizes));
            gradient = ops::f::sumTo(gradient, sizes);
        }
        return ops::f::to(gradient, edge.node->outputDTypes[slot]);
    }

    BackwardOptions m_options;
    std::vector<std::pair<Edge, Tensor>> m_roots;
    std::vector<std::shared_ptr<Node>> m_keep;
    std::unordered_map<Node*, Pending> m_pending;
    std::vector<Node*> m_order;
    std::unordered_set<Node*> m_queued;
    std::priority_queue<Node*, std::vector<Node*>, LaterFirst> m_ready;
    std::unordered_map<Node*, std::vector<std::pair<int, std::size_t>>> m_captures; // output, slot of `inputs`
    Tensors m_captured;
    bool m_capturing = false;
    int m_ran = 0;
};

Tensor rootGradient(const Tensor& root, const Tensor& given, std::size_t index) {
    if (!given.defined()) {
        if (!root.numel().sameAs(1)) throw Error("grad can be implicitly created only for scalar outputs");
        return ops::f::onesLike(root);
    }
    if (!symbolic::sameAs(given.sizes(), root.sizes()) && !symbolic::equal(given.sizes(), root.sizes()))
        throw Error("Mismatch in shape: grad_output[" + std::to_string(index) + "] has a shape of torch.Size(" +
                    ops::shape::text(given.sizes()) + ") and output[" + std::to_string(index) +
                    "] has a shape of torch.Size(" + ops::shape::text(root.sizes()) + ").");
    return given;
}

} // namespace

Tensors backward(const Tensors& roots, const Tensors& gradients, const Tensors& inputs, BackwardOptions options) {
    options.retainGraph = options.retainGraph || options.createGraph;
    BackwardRun run(inputs, options);
    for (std::size_t i = 0; i < roots.size(); ++i) {
        const Edge edge = gradEdge(roots[i]);
        if (!edge)
            throw Error("element " + std::to_string(i) +
                        " of tensors does not require grad and does not have a grad_fn");
        Tensor gradient;
        {
            const GradModeScope mode(options.createGraph && gradEnabled());
            gradient = rootGradient(roots[i], i < gradients.size() ? gradients[i] : Tensor(), i);
        }
        run.addRoot(edge, std::move(gradient));
    }
    const GradModeScope mode(options.createGraph);
    return run.run();
}

} // namespace strata::eager
