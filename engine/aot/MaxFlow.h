#pragma once
// Maximum flow and minimum cut by Dinic's algorithm (E. A. Dinic, 1970): breadth-first levels, then a blocking flow by
// depth-first search along them, until the sink is out of reach.

#include <cstdint>
#include <limits>
#include <vector>

namespace strata::aot {

class FlowNetwork {
public:
    static constexpr double infinite = std::numeric_limits<double>::infinity();

    explicit FlowNetwork(int vertices) : m_edges(static_cast<std::size_t>(vertices)) {}
    void addEdge(int from, int to, double capacity);
    /// Pushes as much as can flow; infinite when a path of infinite edges leads from source to sink.
    double maximize(int source, int sink);
    /// After maximize(): whether what is left of the capacities still leads from a vertex to the sink. Those vertices
    /// are the sink's side of the minimum cut that is nearest to the sink.
    std::vector<bool> reachesSink(int sink) const;

private:
    struct Edge {
        int to;
        int reverse; // number of the reverse edge at `to`
        double left; // capacity not used
    };
    bool makeLevels(int source, int sink);
    double push(int vertex, int sink, double limit);

    std::vector<std::vector<Edge>> m_edges;
    std::vector<int> m_level;
    std::vector<std::size_t> m_next;
};

} // namespace strata::aot
