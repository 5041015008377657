#include "views/canvas/GraphPainter.h"

#include "views/canvas/NodeStyle.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace strata::canvas {

namespace {

using model::Lit;

constexpr double dimmed = 0.32;
constexpr double zoomForHeads = 0.3; // arrow heads and curves
constexpr double leastTextPixels = 5.5;

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

QPainterPath pathOf(const layout::Route& route) {
    QPainterPath path(route.front());
    for (std::size_t i = 1; i + 2 < route.size(); i += 3) path.cubicTo(route[i], route[i + 1], route[i + 2]);
    return path;
}

} // namespace

GraphPainter::GraphPainter(QPainter& painter, const Input& input) : m_painter(painter), m_in(input) {
    const auto any = [](const std::vector<Lit>& lit) {
        return std::any_of(lit.begin(), lit.end(), [](Lit l) { return l != Lit::None; });
    };
    m_dim = any(input.lit) || any(input.groupLit);
    m_titleFont = scaled(NodeStyle::titleFont());
    m_detailFont = scaled(NodeStyle::detailFont());
    m_badgeFont = scaled(NodeStyle::badgeFont());
    m_groupFont = scaled(NodeStyle::groupFont());
}

QFont GraphPainter::scaled(QFont font) const {
    font.setPointSizeF(std::max(0.5, font.pointSizeF() * m_in.camera.zoom));
    font.setHintingPreference(QFont::PreferNoHinting); // widths grow with the zoom, without steps
    return font;
}

Lit GraphPainter::litOf(int node) const {
    return index(node) < m_in.lit.size() ? m_in.lit[index(node)] : Lit::None;
}

QColor GraphPainter::litColour(Lit lit) const {
    switch (lit) {
    case Lit::Selected:
        return m_in.theme.selected;
    case Lit::Upstream:
        return m_in.theme.upstream;
    case Lit::Downstream:
        return m_in.theme.downstream;
    case Lit::None:
        break;
    }
    return m_in.theme.border;
}

void GraphPainter::paint() {
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setRenderHint(QPainter::TextAntialiasing);
    paintGroups();
    paintEdges();
    paintGroupTitles();
    const QRectF sight = m_in.camera.toWorld(m_in.view).adjusted(-8, -8, 8, 8);
    for (const int node : m_in.index.in(sight)) paintNode(node);
    m_painter.setOpacity(1);
    for (std::size_t e = 0; e < m_in.scene.edges.size(); ++e) paintPulse(e);
}

void GraphPainter::paintGroups() {
    const Scene& scene = m_in.scene;
    for (std::size_t g = 0; g < scene.layout.groups.size() && g < scene.groups.size(); ++g) {
        const QRectF box = m_in.camera.toView(scene.layout.groups[g]);
        const double reveal = m_in.frame.groupAt(g);
        if (scene.layout.groups[g].isNull() || reveal <= 0 || !box.intersects(m_in.view)) continue;
        const Lit lit = g < m_in.groupLit.size() ? m_in.groupLit[g] : Lit::None;
        const QColor colour = scene.groups[g].colour;
        m_painter.setOpacity(reveal * (m_dim && lit == Lit::None ? 0.6 : 1));
        m_painter.setBrush(groupFill(scene.groups[g]));
        m_painter.setPen(QPen(lit == Lit::None ? mix(m_in.theme.surface, colour, 0.55) : litColour(lit),
                              lit == Lit::None ? 1.2 : 2.2));
        const double radius = 12 * std::min(1.0, m_in.camera.zoom);
        m_painter.drawRoundedRect(box, radius, radius);
    }
    m_painter.setOpacity(1);
}

// After the edges, on a ground of its own, so that no edge runs through the words.
void GraphPainter::paintGroupTitles() {
    const Scene& scene = m_in.scene;
    const QFontMetricsF metrics(m_groupFont), small(m_detailFont);
    if (metrics.height() < leastTextPixels * 1.6) return;
    for (std::size_t g = 0; g < scene.layout.groups.size() && g < scene.groups.size(); ++g) {
        const QRectF box = m_in.camera.toView(scene.layout.groups[g]);
        const double reveal = m_in.frame.groupAt(g);
        if (scene.layout.groups[g].isNull() || reveal <= 0 || !box.intersects(m_in.view)) continue;
        const SceneGroup& group = scene.groups[g];
        const Lit lit = g < m_in.groupLit.size() ? m_in.groupLit[g] : Lit::None;
        m_painter.setOpacity(reveal * (m_dim && lit == Lit::None ? 0.6 : 1));
        const double pad = 12 * m_in.camera.zoom;
        const QRectF line(box.left() + pad, box.top() + pad * 0.55, box.width() - 2 * pad, metrics.height());
        const double detailWidth = small.horizontalAdvance(group.detail);
        const double room = line.width() - (detailWidth > 0 ? detailWidth + pad : 0);
        const QString title = metrics.elidedText(group.title, Qt::ElideMiddle, std::max(room, line.width() * 0.4));
        const QColor ground = groupFill(group);
        const auto words = [&](const QString& text, const QRectF& place, const QFont& font, const QColor& colour) {
            m_painter.fillRect(place.adjusted(-2, 0, 2, 0), ground);
            m_painter.setFont(font);
            m_painter.setPen(colour);
            m_painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
        };
        words(title, {line.topLeft(), QSizeF(metrics.horizontalAdvance(title) + 1, line.height())}, m_groupFont,
              mix(group.colour, m_in.theme.text, 0.25));
        if (detailWidth > 0 && room > line.width() * 0.4)
            words(group.detail, {line.right() - detailWidth - 1, line.top(), detailWidth + 1, line.height()},
                  m_detailFont, m_in.theme.muted);
    }
    m_painter.setOpacity(1);
}

QColor GraphPainter::groupFill(const SceneGroup& group) const {
    return mix(m_in.theme.surface, group.colour, m_in.theme.dark ? 0.13 : 0.07);
}

void GraphPainter::paintEdges() {
    // Quiet edges first, lit ones above them.
    for (const bool lit : {false, true})
        for (std::size_t e = 0; e < m_in.scene.edges.size(); ++e) {
            const SceneEdge& edge = m_in.scene.edges[e];
            const bool isLit = litOf(edge.from) != Lit::None && litOf(edge.to) != Lit::None;
            if (isLit == lit) paintEdge(e);
        }
    m_painter.setOpacity(1);
    m_painter.setRenderHint(QPainter::Antialiasing);
}

void GraphPainter::paintEdge(std::size_t e) {
    if (e >= m_in.scene.layout.routes.size()) return;
    const layout::Route& route = m_in.scene.layout.routes[e];
    const SceneEdge& edge = m_in.scene.edges[e];
    if (route.size() < 4) return;
    const double reveal = std::min(m_in.frame.nodeAt(index(edge.from)), m_in.frame.nodeAt(index(edge.to)));
    if (reveal <= 0) return;
    QRectF bounds(route.front(), QSizeF(1, 1));
    for (const QPointF& p : route) bounds |= QRectF(p, QSizeF(1, 1));
    if (!m_in.camera.toView(bounds).intersects(m_in.view)) return;

    const Lit a = litOf(edge.from), b = litOf(edge.to);
    const bool lit = a != Lit::None && b != Lit::None;
    const Lit state = a == Lit::Selected ? b : b == Lit::Selected ? a : b;
    QColor colour = edge.colour.isValid() ? edge.colour : mix(m_in.theme.border, m_in.theme.muted, 0.55);
    if (lit) colour = litColour(state);
    m_painter.setOpacity(reveal * (m_dim && !lit ? dimmed : 1));
    const double width = lit ? 2.0 : 1.3;
    m_painter.setPen(QPen(colour, std::max(0.6, width * std::min(1.0, m_in.camera.zoom)), Qt::SolidLine, Qt::RoundCap));
    m_painter.setBrush(Qt::NoBrush);
    if (m_in.camera.zoom < zoomForHeads) {
        m_painter.setRenderHint(QPainter::Antialiasing, m_in.scene.edges.size() < 2000);
        m_painter.drawLine(m_in.camera.toView(route.front()), m_in.camera.toView(route.back()));
        return;
    }
    layout::Route onScreen = route;
    for (QPointF& p : onScreen) p = m_in.camera.toView(p);
    m_painter.drawPath(pathOf(onScreen));
    arrowHead(onScreen, colour);
}

void GraphPainter::arrowHead(const layout::Route& route, const QColor& colour) {
    const QPointF tip = route.back();
    QPointF along = tip - route[route.size() - 2];
    double length = std::hypot(along.x(), along.y());
    if (length < 0.01) {
        along = tip - route.front();
        length = std::hypot(along.x(), along.y());
    }
    if (length < 0.01) return;
    along /= length;
    const QPointF across(-along.y(), along.x());
    const double size = 6.5 * std::min(1.2, m_in.camera.zoom);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(colour);
    m_painter.drawPolygon(
        QPolygonF({tip, tip - along * size + across * size * 0.45, tip - along * size - across * size * 0.45}));
}

void GraphPainter::paintPulse(std::size_t e) {
    const double at = m_in.frame.flowAt(e);
    if (at < 0 || e >= m_in.scene.layout.routes.size() || m_in.scene.layout.routes[e].size() < 4) return;
    const SceneEdge& edge = m_in.scene.edges[e];
    const QColor colour = m_in.scene.nodes[index(edge.to)].colour;
    for (int tail = 3; tail >= 0; --tail) {
        const double t = at - tail * 0.07;
        if (t < 0) continue;
        const QPointF p = m_in.camera.toView(layout::pointAt(m_in.scene.layout.routes[e], t));
        const double radius = (4.2 - tail * 0.8) * std::clamp(m_in.camera.zoom, 0.4, 1.2);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(withAlpha(colour, 1 - tail * 0.26));
        m_painter.drawEllipse(p, radius, radius);
    }
}

void GraphPainter::paintNode(int node) {
    const SceneNode& n = m_in.scene.nodes[index(node)];
    const double reveal = m_in.frame.nodeAt(index(node)), glow = m_in.frame.glowAt(index(node));
    if (reveal <= 0) return;
    QRectF box = m_in.camera.toView(m_in.scene.layout.boxes[index(node)]);
    if (reveal < 1) { // grows into its place
        const double shrink = (1 - reveal) * 0.12;
        box.adjust(box.width() * shrink, box.height() * shrink, -box.width() * shrink, -box.height() * shrink);
    }
    const Lit lit = litOf(node);
    m_painter.setOpacity(reveal * (m_dim && lit == Lit::None ? dimmed : 1));
    const Theme& theme = m_in.theme;
    const double zoom = m_in.camera.zoom;
    QColor fill = n.strong ? mix(theme.raised, n.colour, theme.dark ? 0.34 : 0.20)
                           : mix(theme.raised, n.colour, theme.dark ? 0.16 : 0.08);
    if (n.shape == Shape::Pill && !n.strong) fill = mix(theme.raised, n.colour, theme.dark ? 0.10 : 0.05);
    if (glow > 0) fill = mix(fill, n.colour, 0.45 * glow);
    if (box.height() < 5) { // a speck: its colour says all
        m_painter.fillRect(box, mix(fill, lit == Lit::None ? n.colour : litColour(lit), 0.6));
        return;
    }
    if (glow > 0) {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(withAlpha(n.colour, 0.22 * glow));
        const double halo = 7 * zoom;
        m_painter.drawRoundedRect(box.adjusted(-halo, -halo, halo, halo), halo * 1.8, halo * 1.8);
    }
    QPen pen(n.strong ? n.colour : mix(theme.border, n.colour, 0.5), n.strong ? 1.6 : 1.1);
    if (lit != Lit::None) pen = QPen(litColour(lit), lit == Lit::Selected ? 2.6 : 2.0);
    if (node == m_in.hovered && lit == Lit::None) pen = QPen(n.colour, 1.8);
    if (n.dashed) pen.setStyle(Qt::DashLine);
    const double radius = n.shape == Shape::Pill ? box.height() / 2 : NodeStyle::radius * zoom;
    m_painter.setPen(pen);
    m_painter.setBrush(fill);
    m_painter.drawRoundedRect(box, radius, radius);
    if (n.shape == Shape::Library && zoom > 0.4) {
        m_painter.setPen(QPen(pen.color(), 1));
        const double inset = 4.5 * zoom;
        m_painter.drawLine(box.topLeft() + QPointF(inset, 0), box.bottomLeft() + QPointF(inset, 0));
        m_painter.drawLine(box.topRight() - QPointF(inset, 0), box.bottomRight() - QPointF(inset, 0));
    } else if (n.shape == Shape::Box) {
        QPainterPath clip;
        clip.addRoundedRect(box, radius, radius);
        m_painter.save();
        m_painter.setClipPath(clip, Qt::IntersectClip);
        m_painter.fillRect(QRectF(box.left(), box.top(), NodeStyle::strip * zoom, box.height()), n.colour);
        m_painter.restore();
    }
    if (node == m_in.focused) {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(theme.accent, 1.4, Qt::DotLine));
        m_painter.drawRoundedRect(box.adjusted(-4, -4, 4, 4), radius + 4, radius + 4);
    }
    paintWords(node, box);
}

void GraphPainter::paintWords(int node, const QRectF& box) {
    const SceneNode& n = m_in.scene.nodes[index(node)];
    const QFontMetricsF title(m_titleFont), detail(m_detailFont), badge(m_badgeFont);
    if (title.ascent() < leastTextPixels) return;
    const double zoom = m_in.camera.zoom, pad = NodeStyle::paddingX * zoom;
    QRectF line(box.left() + pad, box.top() + NodeStyle::paddingY * zoom, box.width() - 2 * pad, title.height());
    if (n.detail.isEmpty()) line.moveTop(box.center().y() - title.height() / 2);
    if (!n.badge.isEmpty()) {
        const double width = badge.horizontalAdvance(n.badge) + 2 * NodeStyle::badgePadding * zoom;
        const double height = badge.height() + 1 * zoom;
        const QRectF tag(line.right() - width, line.center().y() - height / 2, width, height);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(n.badgeColour.isValid() ? n.badgeColour : n.colour);
        m_painter.drawRoundedRect(tag, height / 2, height / 2);
        m_painter.setFont(m_badgeFont);
        m_painter.setPen(m_in.theme.raised);
        m_painter.drawText(tag, Qt::AlignCenter, n.badge);
        line.setRight(tag.left() - 4 * zoom);
    }
    m_painter.setFont(m_titleFont);
    m_painter.setPen(m_in.theme.text);
    m_painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                       title.elidedText(n.title, Qt::ElideRight, line.width() + 1));
    if (n.detail.isEmpty() || detail.ascent() < leastTextPixels - 0.7) return;
    const QRectF second(box.left() + pad,
                        box.top() + (NodeStyle::paddingY + NodeStyle::lineGap) * zoom + title.height(),
                        box.width() - 2 * pad, detail.height());
    m_painter.setFont(m_detailFont);
    m_painter.setPen(m_in.theme.muted);
    m_painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                       detail.elidedText(n.detail, Qt::ElideRight, second.width() + 1));
}

void GraphPainter::paintMiniature(QPainter& painter, const Input& in, const QRectF& corner) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(1);
    painter.setPen(QPen(in.theme.border, 1));
    painter.setBrush(withAlpha(in.theme.raised, 0.94));
    painter.drawRoundedRect(corner, 6, 6);
    Camera camera;
    camera.fit(in.scene.layout.size, corner.size(), 6);
    camera.offset += corner.topLeft();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t i = 0; i < in.scene.layout.boxes.size(); ++i) {
        if (in.frame.nodeAt(i) <= 0) continue;
        QRectF box = camera.toView(in.scene.layout.boxes[i]);
        box.setSize({std::max(1.5, box.width()), std::max(1.5, box.height())});
        const Lit lit = i < in.lit.size() ? in.lit[i] : Lit::None;
        const QColor colour = lit == Lit::Selected     ? in.theme.selected
                              : lit == Lit::Upstream   ? in.theme.upstream
                              : lit == Lit::Downstream ? in.theme.downstream
                                                       : in.scene.nodes[i].colour;
        painter.fillRect(box, withAlpha(colour, 0.75));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(in.theme.accent, 1.2));
    painter.setBrush(withAlpha(in.theme.accent, 0.08));
    painter.drawRect(camera.toView(in.camera.toWorld(in.view)).intersected(corner.adjusted(2, 2, -2, -2)));
}

} // namespace strata::canvas
