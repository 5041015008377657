#include "views/canvas/GraphCanvas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace strata::canvas {

namespace {

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

QPointF between(const QPointF& a, const QPointF& b, double t) {
    return a + (b - a) * t;
}

QRectF between(const QRectF& a, const QRectF& b, double t) {
    return {between(a.topLeft(), b.topLeft(), t), a.size() + (b.size() - a.size()) * t};
}

} // namespace

layout::GraphLayout between(const layout::GraphLayout& a, const layout::GraphLayout& b, double t) {
    layout::GraphLayout out = b;
    if (a.boxes.size() != b.boxes.size() || t >= 1) return out;
    for (std::size_t i = 0; i < b.boxes.size(); ++i) out.boxes[i] = between(a.boxes[i], b.boxes[i], t);
    for (std::size_t e = 0; e < b.routes.size() && e < a.routes.size(); ++e) {
        if (a.routes[e].size() < 4 || b.routes[e].size() < 4) continue;
        // Routes with other numbers of bends meet as curves of one segment, and take their bends at the end.
        const layout::Route& from = a.routes[e];
        const layout::Route& to = b.routes[e];
        if (from.size() == to.size()) {
            for (std::size_t k = 0; k < to.size(); ++k) out.routes[e][k] = between(from[k], to[k], t);
            continue;
        }
        const QPointF start = between(from.front(), to.front(), t), end = between(from.back(), to.back(), t);
        const QPointF half(0, (end.y() - start.y()) / 2);
        out.routes[e] = {start, start + half, end - half, end};
    }
    for (std::size_t g = 0; g < b.groups.size() && g < a.groups.size(); ++g)
        if (!a.groups[g].isNull() && !b.groups[g].isNull()) out.groups[g] = between(a.groups[g], b.groups[g], t);
    out.size = a.size + (b.size - a.size) * t;
    return out;
}

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(120, 80);
    connect(&m_morph, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        m_scene.layout = canvas::between(m_morphFrom, m_morphTo, value.toDouble());
        reindex();
        home();
    });
    m_morph.setStartValue(0.0);
    m_morph.setEndValue(1.0);
    m_morph.setEasingCurve(QEasingCurve::InOutCubic);
}

void GraphCanvas::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void GraphCanvas::setScene(Scene scene) {
    m_morph.stop();
    m_scene = std::move(scene);
    m_frame = {};
    m_lit.clear();
    m_groupLit.clear();
    m_userMoved = false;
    m_hovered = m_focused = -1;
    m_out.assign(m_scene.nodes.size(), {});
    m_in.assign(m_scene.nodes.size(), {});
    for (const SceneEdge& edge : m_scene.edges) {
        m_out[index(edge.from)].push_back(edge.to);
        m_in[index(edge.to)].push_back(edge.from);
    }
    reindex();
    home();
}

void GraphCanvas::restyle(Scene scene) {
    if (scene.nodes.size() != m_scene.nodes.size()) return setScene(std::move(scene));
    scene.layout = std::move(m_scene.layout);
    m_scene = std::move(scene);
    update();
}

void GraphCanvas::moveTo(layout::GraphLayout layout, int ms) {
    if (layout.boxes.size() != m_scene.nodes.size()) return;
    m_morph.stop();
    if (ms <= 0) {
        m_scene.layout = std::move(layout);
        reindex();
        home();
        return;
    }
    m_morphFrom = m_scene.layout;
    m_morphTo = std::move(layout);
    m_morph.setDuration(ms);
    m_morph.start();
}

void GraphCanvas::setFrame(SceneFrame frame) {
    if (frame == m_frame) return;
    m_frame = std::move(frame);
    update();
}

void GraphCanvas::setLit(std::vector<model::Lit> nodes, std::vector<model::Lit> groups) {
    if (nodes == m_lit && groups == m_groupLit) return;
    m_lit = std::move(nodes);
    m_groupLit = std::move(groups);
    showLit();
    update();
}

// What lights up from elsewhere comes into sight, when nothing of it is: the selected before the related.
void GraphCanvas::showLit() {
    int wanted = -1;
    for (int i = 0; i < static_cast<int>(std::min(m_lit.size(), m_scene.layout.boxes.size())); ++i) {
        const model::Lit lit = m_lit[index(i)];
        if (lit == model::Lit::None) continue;
        if (QRectF(rect()).intersects(nodeRect(i))) return;
        if (wanted < 0 || (lit == model::Lit::Selected && m_lit[index(wanted)] != model::Lit::Selected)) wanted = i;
    }
    if (wanted >= 0) m_camera.reveal(m_scene.layout.boxes[index(wanted)], size(), 80);
}

void GraphCanvas::reindex() {
    m_index = layout::SpatialIndex(m_scene.layout.boxes);
    update();
}

void GraphCanvas::home() {
    if (m_userMoved) return;
    m_camera.fitReadable(m_scene.layout.size, size(), m_scene.layout.isEmpty() ? QRectF() : m_scene.layout.boxes[0]);
    update();
}

void GraphCanvas::follow(int node) {
    if (m_userMoved || node < 0 || node >= static_cast<int>(m_scene.layout.boxes.size())) return;
    const QPointF before = m_camera.offset;
    m_camera.reveal(m_scene.layout.boxes[index(node)], size());
    if (m_camera.offset != before) update();
}

int GraphCanvas::nodeAt(const QPointF& place) const {
    const int node = m_index.at(m_camera.toWorld(place));
    return node >= 0 && m_frame.nodeAt(index(node)) > 0 ? node : -1;
}

int GraphCanvas::groupAt(const QPointF& place) const {
    const QPointF world = m_camera.toWorld(place);
    for (int g = static_cast<int>(m_scene.layout.groups.size()) - 1; g >= 0; --g)
        if (m_scene.layout.groups[index(g)].contains(world) && m_frame.groupAt(index(g)) > 0) return g;
    return -1;
}

QRectF GraphCanvas::nodeRect(int node) const {
    return m_camera.toView(m_scene.layout.boxes[index(node)]);
}

int GraphCanvas::neighbour(int node, Qt::Key key) const {
    if (node < 0) return m_scene.nodes.empty() ? -1 : 0;
    const QPointF from = m_scene.layout.boxes[index(node)].center();
    int best = node;
    double nearest = std::numeric_limits<double>::max();
    const auto consider = [&](int other, double cost) {
        if (other == node || cost >= nearest) return;
        nearest = cost;
        best = other;
    };
    const auto distance = [&](int other) {
        const QPointF to = m_scene.layout.boxes[index(other)].center() - from;
        return std::hypot(to.x(), to.y());
    };
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        for (const int other : key == Qt::Key_Down ? m_out[index(node)] : m_in[index(node)])
            consider(other, distance(other));
        return best;
    }
    for (int other = 0; other < static_cast<int>(m_scene.nodes.size()); ++other) {
        const QPointF to = m_scene.layout.boxes[index(other)].center() - from;
        const double along = key == Qt::Key_Right ? to.x() : -to.x();
        if (along > 1) consider(other, along + 4 * std::abs(to.y()));
    }
    return best;
}

void GraphCanvas::fitAll() {
    m_userMoved = false;
    m_camera.fit(m_scene.layout.size, size());
    update();
}

void GraphCanvas::zoomAround(double factor, const QPointF& anchor) {
    m_userMoved = true;
    m_camera.zoomBy(factor, anchor);
    m_camera.clamp(m_scene.layout.size, size());
    update();
}

void GraphCanvas::zoomIn() {
    zoomAround(1.25, rect().center());
}

void GraphCanvas::zoomOut() {
    zoomAround(0.8, rect().center());
}

QRectF GraphCanvas::miniature() const {
    const QRectF world = m_camera.toView(QRectF(QPointF(0, 0), m_scene.layout.size));
    if (m_scene.isEmpty() || width() < 320 || height() < 220 || QRectF(rect()).adjusted(-4, -4, 4, 4).contains(world))
        return {};
    const double most = 150, aspect = m_scene.layout.size.width() / std::max(1.0, m_scene.layout.size.height());
    const QSizeF size(std::clamp(most * std::min(1.0, aspect), 46.0, most),
                      std::clamp(most / std::max(1.0, aspect), 46.0, most));
    return {QPointF(10, height() - size.height() - 10), size};
}

GraphPainter::Input GraphCanvas::input() const {
    return {m_scene,    m_frame,  m_theme,        m_index,   m_lit,
            m_groupLit, m_camera, QRectF(rect()), m_hovered, hasFocus() ? m_focused : -1};
}

void GraphCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.surface);
    if (m_scene.isEmpty()) return;
    const GraphPainter::Input in = input();
    GraphPainter(painter, in).paint();
    if (const QRectF corner = miniature(); !corner.isNull()) GraphPainter::paintMiniature(painter, in, corner);
}

void GraphCanvas::resizeEvent(QResizeEvent*) {
    home();
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ShiftModifier) {
        m_userMoved = true;
        m_camera.offset += QPointF(event->angleDelta().y(), 0) * 0.5;
        m_camera.clamp(m_scene.layout.size, size());
        update();
    } else {
        zoomAround(std::pow(1.0015, event->angleDelta().y()), event->position());
    }
    event->accept();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    m_pressed = m_dragged = event->position();
    m_dragging = false;
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton))) {
        setHovered(nodeAt(event->position()));
        return;
    }
    constexpr double slack = 4; // a click may tremble
    if (!m_dragging && (event->position() - m_pressed).manhattanLength() < slack) return;
    m_dragging = m_userMoved = true;
    setCursor(Qt::ClosedHandCursor);
    m_camera.offset += event->position() - m_dragged;
    m_dragged = event->position();
    m_camera.clamp(m_scene.layout.size, size());
    update();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
    setCursor(Qt::ArrowCursor);
    if (m_dragging || event->button() != Qt::LeftButton) return;
    const int node = nodeAt(event->position());
    if (node >= 0) {
        m_focused = node;
        Q_EMIT nodeClicked(node);
    } else if (const int group = groupAt(event->position()); group >= 0) {
        Q_EMIT groupClicked(group);
    } else {
        Q_EMIT backgroundClicked();
    }
    update();
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (nodeAt(event->position()) < 0) fitAll();
}

void GraphCanvas::leaveEvent(QEvent*) {
    setHovered(-1);
}

void GraphCanvas::setHovered(int node) {
    if (node == m_hovered) return;
    m_hovered = node;
    setCursor(node >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    Q_EMIT nodeHovered(node);
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    case Qt::Key_F:
    case Qt::Key_0:
        fitAll();
        return;
    case Qt::Key_Escape:
        m_focused = -1;
        Q_EMIT backgroundClicked();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_focused >= 0) Q_EMIT nodeClicked(m_focused);
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int next = neighbour(m_focused, static_cast<Qt::Key>(event->key()));
        if (next < 0) return;
        m_focused = next;
        m_camera.reveal(m_scene.layout.boxes[index(next)], size());
        update();
        Q_EMIT nodeClicked(next);
        return;
    }
    default:
        QWidget::keyPressEvent(event);
    }
}

bool GraphCanvas::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int node = nodeAt(help->pos());
    const QString words = node >= 0 && m_toolTips ? m_toolTips(node) : QString();
    if (words.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), words, this, nodeRect(node).toAlignedRect());
    return true;
}

} // namespace strata::canvas
