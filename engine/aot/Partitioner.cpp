#include "engine/aot/Partitioner.h"

#include "engine/aot/Cse.h"
#include "engine/aot/MaxFlow.h"
#include "engine/aot/OpClasses.h"
#include "engine/aot/Split.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>

namespace strata::aot {

namespace {

using fx::Node;
using fx::Opcode;

constexpr int farAway = 1000000000;

class Partitioner {
public:
    Partitioner(fx::Graph& joint, int forwardOutputs, const std::function<std::int64_t(symbolic::SymInt)>& hint,
                bool recompute)
        : m_joint(joint), m_hint(hint), m_recompute(recompute) {
        fx::ArgList outputs = joint.outputNode()->args.at(0).as<fx::Tuple>()->items;
        const auto middle = outputs.begin() + forwardOutputs;
        m_forwardOutputs.assign(outputs.begin(), middle);
        m_backwardOutputs.assign(middle, outputs.end());
        for (const auto& node : joint.nodes()) {
            if (node->op == Opcode::Output) continue;
            m_index[node.get()] = static_cast<int>(m_nodes.size());
            m_nodes.push_back(node.get());
        }
        m_users.resize(m_nodes.size());
        for (Node* node : m_nodes)
            for (const Node* input : node->inputs()) m_users[at(input)].push_back(node);
    }

    Partition run() {
        classify();
        measureDistances();
        for (Node* node : m_nodes) consider(node);
        banUsedFarApart();
        banLongChains();
        const std::vector<Node*> saved = minimumCut();
        Partition out = split(m_joint, m_forwardOutputs, m_backwardOutputs, saved);
        explain(out);
        return out;
    }

private:
    std::size_t at(const Node* node) const { return static_cast<std::size_t>(m_index.at(node)); }
    bool inForward(const Node* node) const { return m_forwardOrder[at(node)] >= 0; }
    bool inBackward(const Node* node) const { return m_inBackward[at(node)]; }
    int order(const Node* node) const { return m_forwardOrder[at(node)]; }
    static bool isPrimal(const Node* node) {
        return node->op == Opcode::Placeholder && node->role != fx::Role::Tangent;
    }

    // Forward: what the first outputs need. Backward: what depends on a tangent, and the gradients. A node may be
    // neither: made while differentiating, from saved values alone.
    void classify() {
        m_inBackward.assign(m_nodes.size(), false);
        m_forwardOrder.assign(m_nodes.size(), -1);
        for (const Node* node : m_nodes) {
            if (node->op == Opcode::Placeholder && node->role == fx::Role::Tangent) m_inBackward[at(node)] = true;
            for (const Node* input : node->inputs())
                if (inBackward(input)) m_inBackward[at(node)] = true;
        }
        for (const fx::Arg& output : m_backwardOutputs)
            if (const auto* node = output.as<Node*>()) m_inBackward[at(*node)] = true;
        std::vector<bool> wanted(m_nodes.size(), false);
        for (const fx::Arg& output : m_forwardOutputs)
            fx::forEachNode(output, [&](Node* node) { wanted[at(node)] = true; });
        for (std::size_t i = m_nodes.size(); i-- > 0;) {
            if (isPrimal(m_nodes[i]) || (isRandom(*m_nodes[i]) && !m_nodes[i]->isBackward)) wanted[i] = true;
            if (wanted[i])
                for (const Node* input : m_nodes[i]->inputs()) wanted[at(input)] = true;
        }
        int next = 0;
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            if (wanted[i]) m_forwardOrder[i] = next++;
    }

    void measureDistances() {
        m_distance.assign(m_nodes.size(), 0);
        for (std::size_t i = m_nodes.size(); i-- > 0;) {
            if (m_forwardOrder[i] < 0) continue;
            m_distance[i] = farAway;
            for (const Node* user : m_users[i]) m_distance[i] = std::min(m_distance[i], m_distance[at(user)] + 1);
        }
    }

    std::int64_t bytes(const Node* node) const {
        if (node->isInt) return 1;
        if (!node->value.defined()) return 0;
        return m_hint(node->value.numel()) * static_cast<std::int64_t>(tensor::itemSize(node->value.dtype()));
    }

    bool isMaterialized(const Node* node) const {
        if (node->op == Opcode::Placeholder) return true;
        const auto& users = m_users[at(node)];
        return !std::all_of(users.begin(), users.end(), [&](const Node* user) { return fuses(*node, *user); });
    }

    double weight(const Node* node) const {
        if (node->isInt) return 1;
        if (!node->value.defined()) return FlowNetwork::infinite; // a tuple of results: its parts are saved
        if (node->role == fx::Role::Parameter || node->role == fx::Role::Buffer) return 0;
        const int distance = std::max(std::min(m_distance[at(node)], 100), 1);
        const double scaled = std::trunc(static_cast<double>(bytes(node)) * std::pow(1.1, distance));
        return isMaterialized(node) ? scaled : 2 * scaled;
    }

    // Whether an op of the backward that cannot fuse with it reads the value, maybe through views.
    bool isMaterializedBackwards(const Node* node) const {
        if (isView(*node)) return false;
        std::vector<const Node*> work{node};
        std::set<const Node*> seen;
        while (!work.empty()) {
            const Node* current = work.back();
            work.pop_back();
            for (const Node* user : m_users[at(current)]) {
                if (!inForward(user) && !fuses(*current, *user)) return true;
                if (isView(*user) && seen.insert(user).second) work.push_back(user);
            }
        }
        return false;
    }

    void ban(const Node* node, const char* why) {
        if (!isView(*node)) m_banned.emplace(node, why);
    }

    void consider(const Node* node) {
        if (inBackward(node) && !isPrimal(node)) return;
        if (isPrimal(node)) return ban(node, "input");
        if (!m_recompute && inForward(node)) return ban(node, "not_recomputable");
        if (!inForward(node) || node->op != Opcode::CallFunction || node->target == "getitem" || isView(*node)) return;
        if (isRandom(*node)) return ban(node, "random");
        if (isComputeIntensive(*node)) return ban(node, "compute_intensive");
        if (!isRecomputable(*node)) return ban(node, "not_recomputable");
        if (isMaterializedBackwards(node)) return ban(node, "materialized_backward");
        std::int64_t inputs = 0;
        for (const fx::Arg& arg : node->args)
            if (const auto* input = arg.as<Node*>()) inputs += bytes(*input);
        if (bytes(node) * 4 < inputs) ban(node, "reduction");
    }

    struct ByOrder {
        const Partitioner* owner;
        bool operator()(const std::pair<const Node*, bool>& a, const std::pair<const Node*, bool>& b) const {
            return owner->order(a.first) > owner->order(b.first);
        }
    };

    int firstUnfusible(const std::vector<const Node*>& starts, int last) const {
        std::priority_queue<std::pair<const Node*, bool>, std::vector<std::pair<const Node*, bool>>, ByOrder> work(
            ByOrder{this});
        std::set<std::pair<const Node*, bool>> seen;
        for (const Node* node : starts)
            if (seen.insert({node, true}).second) work.push({node, true});
        while (!work.empty()) {
            const auto [node, fusible] = work.top();
            work.pop();
            if (!fusible) return order(node);
            for (const Node* user : m_users[at(node)]) {
                if (!inForward(user) || order(user) > last) continue;
                const std::pair<const Node*, bool> entry{user, fuses(*node, *user)};
                if (seen.insert(entry).second) work.push(entry);
            }
        }
        return last;
    }

    // A value used both near and far: past an op that does not fuse, its readers could not share a kernel, so they are
    // not recomputed.
    void banUsedFarApart() {
        for (const Node* node : m_nodes) {
            if (!inForward(node)) continue;
            std::vector<const Node*> users;
            for (const Node* user : m_users[at(node)])
                if (inForward(user)) users.push_back(user);
            if (users.empty()) continue;
            int last = 0;
            for (const Node* user : users) last = std::max(last, order(user));
            const int limit = firstUnfusible(users, last);
            for (const Node* user : users)
                if (order(user) > limit && fuses(*node, *user)) ban(user, "far_apart");
        }
    }

    void banLongChains() {
        std::set<const Node*> visited;
        for (const Node* start : m_nodes) {
            if (!inForward(start)) continue;
            std::priority_queue<std::pair<const Node*, bool>, std::vector<std::pair<const Node*, bool>>, ByOrder> chain(
                ByOrder{this});
            chain.push({start, true});
            while (!chain.empty()) {
                const Node* node = chain.top().first;
                chain.pop();
                if (!visited.insert(node).second) continue;
                if (order(node) > order(start) + 100 && chain.empty()) {
                    ban(node, "long_chain");
                    break;
                }
                for (const Node* user : m_users[at(node)])
                    if (inForward(user) && fuses(*node, *user) && !m_banned.contains(user)) chain.push({user, true});
            }
        }
    }

    std::vector<Node*> minimumCut() const {
        const int count = static_cast<int>(m_nodes.size()), source = 2 * count, sink = source + 1;
        FlowNetwork network(2 * count + 2);
        for (int i = 0; i < count; ++i) {
            const Node* node = m_nodes[static_cast<std::size_t>(i)];
            if (inBackward(node)) {
                if (!isPrimal(node)) {
                    network.addEdge(2 * i, sink, FlowNetwork::infinite);
                    continue;
                }
                network.addEdge(2 * i + 1, sink, FlowNetwork::infinite);
            }
            if (m_banned.contains(node)) network.addEdge(source, 2 * i, FlowNetwork::infinite);
            network.addEdge(2 * i, 2 * i + 1, weight(node));
            for (const Node* user : m_users[static_cast<std::size_t>(i)])
                network.addEdge(2 * i + 1, 2 * m_index.at(user), FlowNetwork::infinite);
        }
        if (network.maximize(source, sink) == FlowNetwork::infinite) throw support::Refusal("aot_partition_unbounded");
        const std::vector<bool> reaches = network.reachesSink(sink);
        std::vector<Node*> saved;
        for (int i = 0; i < count; ++i)
            if (!reaches[static_cast<std::size_t>(2 * i)] && reaches[static_cast<std::size_t>(2 * i + 1)])
                saved.push_back(m_nodes[static_cast<std::size_t>(i)]);
        return saved;
    }

    void explain(Partition& out) const {
        std::set<std::string> saved(out.saved.begin(), out.saved.end()), backward, forward;
        for (const auto& node : out.backward->nodes())
            if (node->op == Opcode::CallFunction) backward.insert(node->name);
        for (const auto& node : out.forward->nodes()) forward.insert(node->name);
        for (const Node* node : m_nodes) {
            const bool keeps = saved.contains(node->name);
            const bool again = inForward(node) && forward.contains(node->name) && backward.contains(node->name);
            if (!keeps && !again) continue;
            SavingDecision decision{node->name, keeps, bytes(node), 0, ""};
            if (const double cost = weight(node); std::isfinite(cost)) decision.cost = cost;
            const auto why = m_banned.find(node);
            if (keeps)
                decision.code = why == m_banned.end() ? "cut" : why->second;
            else
                decision.code = isView(*node) ? "view" : "fusible";
            out.decisions.push_back(std::move(decision));
        }
    }

    fx::Graph& m_joint;
    const std::function<std::int64_t(symbolic::SymInt)>& m_hint;
    fx::ArgList m_forwardOutputs, m_backwardOutputs;
    std::vector<Node*> m_nodes;
    std::map<const Node*, int> m_index;
    std::vector<std::vector<Node*>> m_users;
    bool m_recompute;
    std::vector<bool> m_inBackward;
    std::vector<int> m_forwardOrder; // -1: not needed by the forward outputs
    std::vector<int> m_distance;     // edges to the nearest node outside of the forward
    std::map<const Node*, const char*> m_banned;
};

} // namespace

Partition partition(fx::Graph& joint, int forwardOutputs, const std::function<std::int64_t(symbolic::SymInt)>& hint,
                    bool recompute) {
    eliminateCommonSubexpressions(joint);
    return Partitioner(joint, forwardOutputs, hint, recompute).run();
}

} // namespace strata::aot
