#include "views/canvas/Scene.h"

#include "views/canvas/NodeStyle.h"

#include <QFontMetricsF>

#include <algorithm>

namespace strata::canvas {

QSizeF sizeOf(const SceneNode& node) {
    const QFontMetricsF title(NodeStyle::titleFont()), detail(NodeStyle::detailFont()), badge(NodeStyle::badgeFont());
    double top = title.horizontalAdvance(node.title);
    if (!node.badge.isEmpty())
        top += NodeStyle::badgeGap + badge.horizontalAdvance(node.badge) + 2 * NodeStyle::badgePadding;
    const double words = std::max(top, detail.horizontalAdvance(node.detail));
    const double height = title.height() + (node.detail.isEmpty() ? 0 : detail.height() + NodeStyle::lineGap);
    // A pixel to spare: scaled fonts round their widths.
    return {
        std::clamp(std::ceil(words * 1.03) + 2 * NodeStyle::paddingX + 2, NodeStyle::leastWidth, NodeStyle::mostWidth),
        std::ceil(height) + 2 * NodeStyle::paddingY};
}

double titleWidth(const SceneGroup& group) {
    const QFontMetricsF title(NodeStyle::groupFont()), detail(NodeStyle::detailFont());
    const double gap = group.detail.isEmpty() ? 0 : 12;
    return title.horizontalAdvance(group.title) * 1.03 + gap + detail.horizontalAdvance(group.detail) * 1.03 + 24;
}

layout::GraphInput Scene::input() const {
    layout::GraphInput input;
    for (const SceneNode& node : nodes) {
        const QSizeF size = sizeOf(node);
        layout::InputNode entry;
        entry.width = size.width();
        entry.height = size.height();
        entry.group = node.group;
        input.nodes.push_back(entry);
    }
    for (const SceneGroup& group : groups) input.groupWidths.push_back(titleWidth(group));
    for (const SceneEdge& edge : edges) input.edges.push_back({edge.from, edge.to});
    return input;
}

SceneFrame appearing(const Scene& scene, double phase) {
    SceneFrame frame;
    if (phase >= 1) return frame;
    const double count = static_cast<double>(scene.nodes.size());
    // Each takes a share of the time that overlaps with its neighbours', so that many nodes still come one by one.
    const double share = std::max(0.12, std::min(1.0, 2.5 / std::max(1.0, count)));
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const double start = count > 1 ? static_cast<double>(i) / (count - 1) * (1 - share) : 0;
        const double t = std::clamp((phase - start) / share, 0.0, 1.0);
        frame.reveal.push_back(static_cast<float>(std::min(1.0, t * 1.6)));
        frame.glow.push_back(static_cast<float>(t > 0 ? 1 - t : 0));
    }
    for (const SceneEdge& edge : scene.edges) {
        const float t = frame.reveal[static_cast<std::size_t>(edge.to)];
        frame.flow.push_back(t > 0 && t < 1 ? t : -1);
    }
    return frame;
}

} // namespace strata::canvas
