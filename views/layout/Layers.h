#pragma once
// The inner steps of the layered layout, for a graph without groups. LayeredLayout.h tells the method.

#include "views/layout/Geometry.h"

#include <vector>

namespace strata::layout {

/// A graph whose edges all lead one layer down: nodes first, then bends of long edges.
class Layers {
public:
    explicit Layers(const GraphInput& input);
    void order();
    void place();
    GraphLayout result();

private:
    struct Vertex {
        double width = 0, height = 0;
        double x = 0; // centre
        int layer = 0;
        int position = 0; // in its layer
        bool bend = false;
        std::vector<int> above, below; // neighbours
    };
    struct Chain {
        std::vector<int> vertices; // from the upper end to the lower, both included
        bool turned = false;       // the edge leads upwards
        bool loop = false;
    };

    struct Band { // where a layer lies
        double top = 0, height = 0;
        double middle() const { return top + height / 2; }
    };

    void openCycles();
    void assignLayers();
    void sinkSources();
    void addBends();
    void connect(int above, int below);
    void initialOrder();
    void sweep(bool down);
    long long crossings() const;
    void renumber(int layer);
    void settle(int layer, bool useAbove, bool useBelow);
    void measure();
    Route route(const Chain& chain, double startX, double endX) const;

    Vertex& at(int v) { return m_vertices[static_cast<std::size_t>(v)]; }
    const Vertex& at(int v) const { return m_vertices[static_cast<std::size_t>(v)]; }

    const Band& band(const Vertex& v) const { return m_bands[static_cast<std::size_t>(v.layer)]; }

    const GraphInput& m_input;
    std::vector<Vertex> m_vertices;
    std::vector<Chain> m_chains;             // one an edge; no vertices for an edge between unknown nodes
    std::vector<std::pair<int, int>> m_down; // edges as upper and lower node
    std::vector<std::vector<int>> m_layers;
    std::vector<Band> m_bands;
};

} // namespace strata::layout
