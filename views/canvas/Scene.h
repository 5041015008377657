#pragma once
// What a graph canvas paints: a laid out graph and how its parts look. Plain data; the painter and tests read it.

#include "views/canvas/Theme.h"
#include "views/layout/Geometry.h"
#include "views/model/Selection.h"

#include <QColor>
#include <QString>

#include <vector>

namespace strata::canvas {

enum class Shape : std::uint8_t {
    Box,     // an operation
    Pill,    // an input or an output
    Library, // a call of a library: a box with doubled sides
};

struct SceneNode {
    model::ItemId item = model::noItem;
    QString title;  // one line
    QString detail; // a second line, smaller; may be empty
    QString badge;  // a few letters at the right of the title; may be empty
    QColor colour;  // of its stage or role
    QColor badgeColour;
    Shape shape = Shape::Box;
    int group = -1;      // index into the scene's groups
    bool dashed = false; // drawn with a dashed border
    bool strong = false; // filled and bordered in its colour: what the eye should find
};

struct SceneEdge {
    int from = 0, to = 0;
    QColor colour; // invalid: the theme's
};

struct SceneGroup {
    model::ItemId item = model::noItem;
    QString title, detail;
    QColor colour;
};

struct Scene {
    layout::GraphLayout layout;
    std::vector<SceneNode> nodes;
    std::vector<SceneEdge> edges;
    std::vector<SceneGroup> groups;

    bool isEmpty() const { return nodes.empty(); }
    /// The input of a layout: sizes as the painter needs them.
    layout::GraphInput input() const;
};

/// How much of a scene is there at a moment of its animation. Empty lists: all of it.
struct SceneFrame {
    std::vector<float> reveal;      // one a node, 0 absent .. 1 there
    std::vector<float> glow;        // one a node, 0 .. 1: just made, or under way
    std::vector<float> groupReveal; // one a group
    std::vector<float> flow;        // one an edge: where on it a pulse is, 0..1; negative: nowhere
    bool operator==(const SceneFrame&) const = default;

    float nodeAt(std::size_t i) const { return i < reveal.size() ? reveal[i] : 1; }
    float glowAt(std::size_t i) const { return i < glow.size() ? glow[i] : 0; }
    float groupAt(std::size_t i) const { return i < groupReveal.size() ? groupReveal[i] : 1; }
    float flowAt(std::size_t i) const { return i < flow.size() ? flow[i] : -1; }
};

/// Width and height that a node's words need.
QSizeF sizeOf(const SceneNode& node);
/// Width that a group's title needs.
double titleWidth(const SceneGroup& group);

/// The frame in which nodes appear one after another in their order: at `phase` 1 all are there.
SceneFrame appearing(const Scene& scene, double phase);

} // namespace strata::canvas
