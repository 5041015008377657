#pragma once
// Where the boxes and edges of the map lie: two columns of ways that a program can take, eager on the left, compiled on
// the right, with the cache's short cut past the whole compiler. Plain geometry.

#include "views/layout/Geometry.h"

#include <QRectF>

#include <array>
#include <vector>

namespace strata::panes {

enum class MapBox : std::uint8_t {
    Python,
    Dispatcher,
    Kernels,
    Tape, // eager
    Call,
    Dynamo,
    Fx,
    Aot,
    Prims,
    Inductor,
    Codegen, // compiled, downwards
    Cache,
    Guards,
    Breaks,
    Comparison,
    Launches, // beside it
};
inline constexpr int mapBoxCount = static_cast<int>(MapBox::Launches) + 1;

enum class MapEdge : std::uint8_t {
    PythonDispatcher,
    DispatcherKernels,
    KernelsTape,
    PythonCall,
    CallCache,
    CacheDynamo,
    CacheLaunches, // miss and hit
    DynamoGuards,
    GuardsCache,
    DynamoBreaks,
    BreaksPython,
    DynamoFx,
    FxAot,
    AotPrims,
    PrimsInductor,
    InductorCodegen,
    CodegenLaunches,
};
inline constexpr int mapEdgeCount = static_cast<int>(MapEdge::CodegenLaunches) + 1;

struct MapEnds {
    MapBox from, to;
};
/// The boxes that an edge joins.
MapEnds endsOf(MapEdge edge);

struct MapLayout {
    double scale = 1; // pixels a unit of the design; fonts grow with it
    std::array<QRectF, mapBoxCount> boxes;
    std::array<layout::Route, mapEdgeCount> edges;
    std::array<QPointF, mapEdgeCount> labels; // centre of an edge's words, where it has any
    QRectF eager, compiled;                   // the two panels
    QRectF eagerWords, compiledWords;         // what each way is good for

    const QRectF& box(MapBox b) const { return boxes[static_cast<std::size_t>(b)]; }
    const layout::Route& edge(MapEdge e) const { return edges[static_cast<std::size_t>(e)]; }
};

/// Fills `size`.
MapLayout mapLayout(const QSizeF& size);

} // namespace strata::panes
