#pragma once
// What goes into a graph layout and what comes out: plain numbers, in pixels at zoom 1, y growing downwards.

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace strata::layout {

struct InputNode {
    double width = 0, height = 0;
    int group = -1; // nodes of one group stay together inside a box of their own; -1: none
    /// Where the node's centre stood in the state before, to keep neighbours on their sides; NaN: unknown.
    double hintX = std::numeric_limits<double>::quiet_NaN();
};

struct InputEdge {
    int from = 0, to = 0; // indices of nodes
};

struct GraphInput {
    std::vector<InputNode> nodes;
    std::vector<InputEdge> edges;
    std::vector<double> groupWidths; // least width of each group's box; may be shorter than the groups
    double nodeGap = 26;             // least distance between neighbours of a layer
    double layerGap = 44;            // between layers
    double groupPadding = 14;        // between a group's box and its nodes
    double groupTitle = 26;          // room above the nodes of a group

    int groupCount() const {
        int count = 0;
        for (const InputNode& node : nodes) count = std::max(count, node.group + 1);
        return count;
    }
};

/// A smooth line: a first point, then three points a cubic Bezier segment.
using Route = std::vector<QPointF>;

struct GraphLayout {
    std::vector<QRectF> boxes;  // one a node
    std::vector<Route> routes;  // one an edge, from the source's border to the target's
    std::vector<QRectF> groups; // one a group; null when it has no nodes
    QSizeF size;                // everything lies in (0, 0) .. size

    bool isEmpty() const { return boxes.empty(); }
};

/// The point of a route at `t` in 0..1, by segments of equal share.
QPointF pointAt(const Route& route, double t);

} // namespace strata::layout
