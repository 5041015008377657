#include "engine/aot/MaxFlow.h"

#include <algorithm>

namespace strata::aot {

void FlowNetwork::addEdge(int from, int to, double capacity) {
    auto& out = m_edges[static_cast<std::size_t>(from)];
    auto& in = m_edges[static_cast<std::size_t>(to)];
    out.push_back({to, static_cast<int>(in.size()), capacity});
    in.push_back({from, static_cast<int>(out.size()) - 1, 0});
}

bool FlowNetwork::makeLevels(int source, int sink) {
    m_level.assign(m_edges.size(), -1);
    m_level[static_cast<std::size_t>(source)] = 0;
    std::vector<int> queue{source};
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (const Edge& edge : m_edges[static_cast<std::size_t>(queue[i])]) {
            int& level = m_level[static_cast<std::size_t>(edge.to)];
            if (edge.left <= 0 || level >= 0) continue;
            level = m_level[static_cast<std::size_t>(queue[i])] + 1;
            queue.push_back(edge.to);
        }
    return m_level[static_cast<std::size_t>(sink)] >= 0;
}

double FlowNetwork::push(int vertex, int sink, double limit) {
    if (vertex == sink) return limit;
    const auto at = static_cast<std::size_t>(vertex);
    for (; m_next[at] < m_edges[at].size(); ++m_next[at]) {
        Edge& edge = m_edges[at][m_next[at]];
        if (edge.left <= 0 || m_level[static_cast<std::size_t>(edge.to)] != m_level[at] + 1) continue;
        const double pushed = push(edge.to, sink, std::min(limit, edge.left));
        if (pushed <= 0) continue;
        if (pushed == infinite) return pushed; // the cut is unbounded: no need to go on
        edge.left -= pushed;
        m_edges[static_cast<std::size_t>(edge.to)][static_cast<std::size_t>(edge.reverse)].left += pushed;
        return pushed;
    }
    return 0;
}

double FlowNetwork::maximize(int source, int sink) {
    double total = 0;
    while (makeLevels(source, sink)) {
        m_next.assign(m_edges.size(), 0);
        while (const double pushed = push(source, sink, infinite)) {
            if (pushed == infinite) return infinite;
            total += pushed;
        }
    }
    return total;
}

std::vector<bool> FlowNetwork::reachesSink(int sink) const {
    std::vector<bool> reaches(m_edges.size(), false);
    reaches[static_cast<std::size_t>(sink)] = true;
    std::vector<int> queue{sink};
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (const Edge& back : m_edges[static_cast<std::size_t>(queue[i])]) {
            const Edge& forward = m_edges[static_cast<std::size_t>(back.to)][static_cast<std::size_t>(back.reverse)];
            if (forward.left <= 0 || reaches[static_cast<std::size_t>(back.to)]) continue;
            reaches[static_cast<std::size_t>(back.to)] = true;
            queue.push_back(back.to);
        }
    return reaches;
}

} // namespace strata::aot
