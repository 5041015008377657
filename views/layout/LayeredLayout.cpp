#include "views/layout/LayeredLayout.h"

#include "views/layout/Layers.h"

#include <algorithm>

namespace strata::layout {

namespace {

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

GraphLayout flat(const GraphInput& input) {
    Layers layers(input);
    layers.order();
    layers.place();
    return layers.result();
}

// A group as a graph of its own.
struct Inner {
    GraphInput input;
    std::vector<int> nodes; // of the whole graph
    std::vector<int> edges;
    GraphLayout layout;
};

class Nested {
public:
    explicit Nested(const GraphInput& input) : m_input(input), m_inner(index(input.groupCount())) {}

    GraphLayout run() {
        collect();
        const GraphLayout outer = flat(m_outer);
        GraphLayout out;
        out.boxes.resize(m_input.nodes.size());
        out.routes.resize(m_input.edges.size());
        out.groups.resize(m_inner.size());
        out.size = outer.size;
        putBoxes(outer, out);
        putRoutes(outer, out);
        return out;
    }

private:
    void collect() {
        m_place.assign(m_input.nodes.size(), 0);
        m_outer.nodeGap = m_input.nodeGap;
        m_outer.layerGap = m_input.layerGap;
        for (std::size_t i = 0; i < m_input.nodes.size(); ++i) {
            const int group = m_input.nodes[i].group;
            if (group < 0) continue;
            m_place[i] = static_cast<int>(m_inner[index(group)].nodes.size());
            m_inner[index(group)].nodes.push_back(static_cast<int>(i));
            InputNode node = m_input.nodes[i];
            node.group = -1;
            m_inner[index(group)].input.nodes.push_back(node);
        }
        for (std::size_t e = 0; e < m_input.edges.size(); ++e) {
            const auto [from, to] = m_input.edges[e];
            if (!valid(from) || !valid(to) || !sameGroup(from, to)) continue;
            Inner& inner = m_inner[index(m_input.nodes[index(from)].group)];
            inner.input.edges.push_back({m_place[index(from)], m_place[index(to)]});
            inner.edges.push_back(static_cast<int>(e));
        }
        // Groups come into the outer graph where their first node stands.
        std::vector<int> outerOfGroup(m_inner.size(), -1);
        m_outerOf.assign(m_input.nodes.size(), -1);
        for (std::size_t i = 0; i < m_input.nodes.size(); ++i) {
            const int group = m_input.nodes[i].group;
            int& outer = group < 0 ? m_outerOf[i] : outerOfGroup[index(group)];
            if (outer < 0) outer = addOuter(static_cast<int>(i), group);
            m_outerOf[i] = outer;
        }
        for (const auto& [from, to] : m_input.edges) {
            const bool inside = valid(from) && valid(to) && sameGroup(from, to);
            const bool known = valid(from) && valid(to) && !inside;
            m_outer.edges.push_back(known ? InputEdge{m_outerOf[index(from)], m_outerOf[index(to)]}
                                          : InputEdge{-1, -1});
        }
    }

    int addOuter(int node, int group) {
        InputNode outer = m_input.nodes[index(node)];
        outer.group = -1;
        if (group >= 0) {
            Inner& inner = m_inner[index(group)];
            inner.input.nodeGap = m_input.nodeGap * 0.7;
            inner.input.layerGap = m_input.layerGap * 0.7;
            inner.layout = flat(inner.input);
            outer.width = inner.layout.size.width() + 2 * m_input.groupPadding;
            if (index(group) < m_input.groupWidths.size())
                outer.width = std::max(outer.width, m_input.groupWidths[index(group)]);
            outer.height = inner.layout.size.height() + 2 * m_input.groupPadding + m_input.groupTitle;
        }
        m_outer.nodes.push_back(outer);
        return static_cast<int>(m_outer.nodes.size()) - 1;
    }

    void putBoxes(const GraphLayout& outer, GraphLayout& out) const {
        for (std::size_t i = 0; i < m_input.nodes.size(); ++i)
            if (m_input.nodes[i].group < 0) out.boxes[i] = outer.boxes[index(m_outerOf[i])];
        for (std::size_t g = 0; g < m_inner.size(); ++g) {
            const Inner& inner = m_inner[g];
            if (inner.nodes.empty()) continue;
            const QRectF box = outer.boxes[index(m_outerOf[index(inner.nodes.front())])];
            const QPointF corner = box.topLeft() + QPointF((box.width() - inner.layout.size.width()) / 2,
                                                           m_input.groupPadding + m_input.groupTitle);
            out.groups[g] = box;
            for (std::size_t k = 0; k < inner.nodes.size(); ++k)
                out.boxes[index(inner.nodes[k])] = inner.layout.boxes[k].translated(corner);
            for (std::size_t k = 0; k < inner.edges.size(); ++k) {
                Route line = inner.layout.routes[k];
                for (QPointF& p : line) p += corner;
                out.routes[index(inner.edges[k])] = std::move(line);
            }
        }
    }

    // An edge that enters or leaves a group does so in one curve between its node and the next bend outside.
    void putRoutes(const GraphLayout& outer, GraphLayout& out) const {
        for (std::size_t e = 0; e < m_input.edges.size(); ++e) {
            const auto [from, to] = m_input.edges[e];
            Route line = outer.routes[e];
            if (line.size() < 4) continue;
            const bool down = line.front().y() <= line.back().y();
            const auto bend = [&line](std::size_t first) {
                const QPointF half(0, (line[first + 3].y() - line[first].y()) / 2);
                line[first + 1] = line[first] + half;
                line[first + 2] = line[first + 3] - half;
            };
            if (m_input.nodes[index(from)].group >= 0) {
                const QRectF start = out.boxes[index(from)];
                line.front() = {start.center().x(), down ? start.bottom() : start.top()};
                bend(0);
            }
            if (m_input.nodes[index(to)].group >= 0) {
                const QRectF end = out.boxes[index(to)];
                line.back() = {end.center().x(), down ? end.top() : end.bottom()};
                bend(line.size() - 4);
            }
            out.routes[e] = std::move(line);
        }
    }

    bool valid(int node) const { return node >= 0 && node < static_cast<int>(m_input.nodes.size()); }
    bool sameGroup(int a, int b) const {
        return m_input.nodes[index(a)].group >= 0 && m_input.nodes[index(a)].group == m_input.nodes[index(b)].group;
    }

    const GraphInput& m_input;
    std::vector<Inner> m_inner;
    GraphInput m_outer;         // the same edges in the same order; those inside a group lead nowhere
    std::vector<int> m_outerOf; // the outer node of a node
    std::vector<int> m_place;   // its place in its group
};

} // namespace

QPointF pointAt(const Route& route, double t) {
    if (route.empty()) return {};
    const int segments = static_cast<int>((route.size() - 1) / 3);
    if (segments == 0) return route.front();
    const double along = std::clamp(t, 0.0, 1.0) * segments;
    const int segment = std::min(static_cast<int>(along), segments - 1);
    const double u = along - segment, v = 1 - u;
    const QPointF* p = &route[index(segment * 3)];
    return p[0] * (v * v * v) + p[1] * (3 * v * v * u) + p[2] * (3 * v * u * u) + p[3] * (u * u * u);
}

GraphLayout layered(const GraphInput& input) {
    return input.groupCount() == 0 ? flat(input) : Nested(input).run();
}

} // namespace strata::layout
