#include "views/panes/MapLayout.h"

#include <algorithm>

namespace strata::panes {

namespace {

using layout::Route;

// The design is drawn for this size and stretched to the pane's.
constexpr double designWidth = 1180, designHeight = 740;
constexpr double margin = 16, between = 42, padding = 20, header = 46, footer = 68;
constexpr int rows = 7;

constexpr std::array<MapEnds, mapEdgeCount> ends{{
    {MapBox::Python, MapBox::Dispatcher},
    {MapBox::Dispatcher, MapBox::Kernels},
    {MapBox::Kernels, MapBox::Tape},
    {MapBox::Python, MapBox::Call},
    {MapBox::Call, MapBox::Cache},
    {MapBox::Cache, MapBox::Dynamo},
    {MapBox::Cache, MapBox::Launches},
    {MapBox::Dynamo, MapBox::Guards},
    {MapBox::Guards, MapBox::Cache},
    {MapBox::Dynamo, MapBox::Breaks},
    {MapBox::Breaks, MapBox::Python},
    {MapBox::Dynamo, MapBox::Fx},
    {MapBox::Fx, MapBox::Aot},
    {MapBox::Aot, MapBox::Prims},
    {MapBox::Prims, MapBox::Inductor},
    {MapBox::Inductor, MapBox::Codegen},
    {MapBox::Codegen, MapBox::Launches},
}};

// A line of straight pieces with round corners.
Route rounded(const std::vector<QPointF>& points, double radius) {
    const auto straight = [](Route& line, const QPointF& to) {
        const QPointF from = line.back();
        line.push_back(from + (to - from) / 3);
        line.push_back(from + (to - from) * 2 / 3);
        line.push_back(to);
    };
    const auto towards = [](const QPointF& from, const QPointF& to, double by) {
        const QPointF d = to - from;
        const double length = std::hypot(d.x(), d.y());
        return length <= 0 ? from : from + d * std::min(0.5, by / length);
    };
    Route line{points.front()};
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        straight(line, towards(points[i], points[i - 1], radius));
        const QPointF end = towards(points[i], points[i + 1], radius);
        line.push_back(line.back() + (points[i] - line.back()) * 0.6);
        line.push_back(end + (points[i] - end) * 0.6);
        line.push_back(end);
    }
    straight(line, points.back());
    return line;
}

class Drawing {
public:
    explicit Drawing(const QSizeF& size) {
        m.scale = std::clamp(std::min(size.width() / designWidth, size.height() / designHeight), 0.3, 1.7);
        m_width = std::max(size.width(), 200.0);
        m_height = std::max(size.height(), 160.0);
    }

    MapLayout run() {
        panels();
        boxes();
        eagerEdges();
        compiledEdges();
        return std::move(m);
    }

private:
    double px(double units) const { return units * m.scale; }
    QRectF& box(MapBox b) { return m.boxes[static_cast<std::size_t>(b)]; }
    Route& edge(MapEdge e) { return m.edges[static_cast<std::size_t>(e)]; }
    QPointF& label(MapEdge e) { return m.labels[static_cast<std::size_t>(e)]; }

    void panels() {
        const double inner = m_width - 2 * px(margin) - px(between);
        const double left = inner * 0.29;
        m.eager = {px(margin), px(margin), left, m_height - 2 * px(margin)};
        m.compiled = {m.eager.right() + px(between), px(margin), inner - left, m.eager.height()};
        const auto words = [this](const QRectF& panel) {
            return QRectF(panel.left() + px(padding), panel.bottom() - px(footer - 14), panel.width() - 2 * px(padding),
                          px(footer - 18));
        };
        m.eagerWords = words(m.eager);
        m.compiledWords = words(m.compiled);
    }

    // The box of a row; `share` of the row's height.
    QRectF cell(double left, double width, double row, double span = 1) const {
        const double top = m.compiled.top() + px(header), room = m.compiled.height() - px(header + footer);
        const double gap = px(27), height = (room - (rows - 1) * gap) / rows;
        return {left, top + row * (height + gap), width, span * height + (span - 1) * gap};
    }

    void boxes() {
        const double eagerLeft = m.eager.left() + px(padding), eagerWidth = m.eager.width() - 2 * px(padding);
        const std::array column{MapBox::Python, MapBox::Dispatcher, MapBox::Kernels, MapBox::Tape};
        for (std::size_t i = 0; i < column.size(); ++i)
            box(column[i]) = cell(eagerLeft, eagerWidth, 2.0 * static_cast<double>(i));

        const double loop = px(56); // room for the short cut at the right
        const double left = m.compiled.left() + px(padding + 8), right = m.compiled.right() - px(padding) - loop;
        const double gap = px(64), width = (right - left - gap) / 2;
        const std::array pipeline{MapBox::Call,  MapBox::Dynamo,   MapBox::Fx,     MapBox::Aot,
                                  MapBox::Prims, MapBox::Inductor, MapBox::Codegen};
        for (std::size_t i = 0; i < pipeline.size(); ++i) box(pipeline[i]) = cell(left, width, static_cast<double>(i));
        const double side = left + width + gap;
        box(MapBox::Cache) = cell(side, width, 0);
        box(MapBox::Guards) = cell(side, width, 1);
        box(MapBox::Breaks) = cell(side, width, 2);
        box(MapBox::Comparison) = cell(side, width, 3, 3);
        box(MapBox::Launches) = cell(side, width, 6);
    }

    static QPointF top(const QRectF& b, double share = 0.5) { return {b.left() + b.width() * share, b.top()}; }
    static QPointF bottom(const QRectF& b, double share = 0.5) { return {b.left() + b.width() * share, b.bottom()}; }
    static QPointF left(const QRectF& b, double share = 0.5) { return {b.left(), b.top() + b.height() * share}; }
    static QPointF right(const QRectF& b, double share = 0.5) { return {b.right(), b.top() + b.height() * share}; }

    void down(MapEdge e) {
        const auto [from, to] = endsOf(e);
        edge(e) = rounded({bottom(box(from)), top(box(to))}, px(8));
    }

    void eagerEdges() {
        for (const MapEdge e : {MapEdge::PythonDispatcher, MapEdge::DispatcherKernels, MapEdge::KernelsTape}) down(e);
    }

    void compiledEdges() {
        for (const MapEdge e :
             {MapEdge::DynamoFx, MapEdge::FxAot, MapEdge::AotPrims, MapEdge::PrimsInductor, MapEdge::InductorCodegen})
            down(e);
        edge(MapEdge::PythonCall) = rounded({right(box(MapBox::Python)), left(box(MapBox::Call))}, px(8));
        label(MapEdge::PythonCall) = {(m.eager.right() + m.compiled.left()) / 2,
                                      box(MapBox::Call).center().y() - px(12)};
        edge(MapEdge::CallCache) = rounded({right(box(MapBox::Call)), left(box(MapBox::Cache))}, px(8));

        // A miss goes back to Dynamo, between the two rows.
        const QRectF &cache = box(MapBox::Cache), &dynamo = box(MapBox::Dynamo), &guards = box(MapBox::Guards);
        const double lane = (cache.bottom() + dynamo.top()) / 2;
        const QPointF missFrom = bottom(cache, 0.22), missTo = top(dynamo, 0.62);
        edge(MapEdge::CacheDynamo) = rounded({missFrom, {missFrom.x(), lane}, {missTo.x(), lane}, missTo}, px(9));
        label(MapEdge::CacheDynamo) = {(dynamo.right() + cache.left()) / 2, lane};
        edge(MapEdge::DynamoGuards) = rounded({right(dynamo, 0.38), left(guards, 0.38)}, px(8));
        edge(MapEdge::GuardsCache) = rounded({top(guards, 0.5), bottom(cache, 0.5)}, px(8));

        // A break leaves Dynamo for the interpreter, on the left.
        const QRectF &breaks = box(MapBox::Breaks), &fx = box(MapBox::Fx), &python = box(MapBox::Python);
        const double gutter = (dynamo.right() + guards.left()) / 2 - px(4);
        edge(MapEdge::DynamoBreaks) = rounded({right(dynamo, 0.72),
                                               {gutter, right(dynamo, 0.72).y()},
                                               {gutter, left(breaks, 0.36).y()},
                                               left(breaks, 0.36)},
                                              px(9));
        const double under = (dynamo.bottom() + fx.top()) / 2;
        const double back = (m.eager.right() + m.compiled.left()) / 2;
        const QPointF breakFrom = top(breaks, 0.22), breakTo = right(python, 0.78);
        edge(MapEdge::BreaksPython) =
            rounded({breakFrom, {breakFrom.x(), under}, {back, under}, {back, breakTo.y()}, breakTo}, px(10));
        label(MapEdge::BreaksPython) = {back, (under + breakTo.y()) / 2};

        // The short cut of a hit runs down the right side.
        const QRectF& launches = box(MapBox::Launches);
        const double far = m.compiled.right() - px(padding + 6);
        edge(MapEdge::CacheLaunches) =
            rounded({right(cache), {far, right(cache).y()}, {far, right(launches).y()}, right(launches)}, px(16));
        label(MapEdge::CacheLaunches) = {far, (cache.bottom() + launches.top()) / 2};
        edge(MapEdge::CodegenLaunches) = rounded({right(box(MapBox::Codegen)), left(launches)}, px(8));
    }

    MapLayout m;
    double m_width, m_height;
};

} // namespace

MapEnds endsOf(MapEdge edge) {
    return ends[static_cast<std::size_t>(edge)];
}

MapLayout mapLayout(const QSizeF& size) {
    return Drawing(size).run();
}

} // namespace strata::panes
