#include "views/panes/MapView.h"

#include "views/panes/MapWords.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <limits>

namespace strata::panes {

MapView::MapView(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void MapView::setTheme(const canvas::Theme& theme) {
    m_theme = theme;
    update();
}

void MapView::setState(MapFigures figures, MapActivity activity, double phase) {
    m_figures = std::move(figures);
    m_activity = std::move(activity);
    m_phase = phase;
    update();
}

void MapView::setLit(const std::array<model::Lit, mapBoxCount>& lit) {
    if (lit == m_lit) return;
    m_lit = lit;
    update();
}

std::optional<MapBox> MapView::boxAt(const QPointF& place) const {
    for (int b = 0; b < mapBoxCount; ++b)
        if (m_layout.boxes[static_cast<std::size_t>(b)].contains(place)) return static_cast<MapBox>(b);
    return std::nullopt;
}

void MapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.window);
    MapPainter(painter, {m_layout, m_figures, m_theme, m_activity, m_phase, m_lit, m_hovered,
                         hasFocus() ? m_focused : std::nullopt})
        .paint();
}

void MapView::resizeEvent(QResizeEvent*) {
    m_layout = panes::mapLayout(size());
}

void MapView::mouseMoveEvent(QMouseEvent* event) {
    const std::optional<MapBox> box = boxAt(event->position());
    if (box == m_hovered) return;
    m_hovered = box;
    setCursor(box ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void MapView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_focused = boxAt(event->position());
    if (m_focused) Q_EMIT boxActivated(*m_focused);
    update();
}

void MapView::leaveEvent(QEvent*) {
    m_hovered.reset();
    update();
}

void MapView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        moveFocus(static_cast<Qt::Key>(event->key()));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_focused) Q_EMIT boxActivated(*m_focused);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

// To the nearest box in the arrow's direction.
void MapView::moveFocus(Qt::Key key) {
    const QPointF from = m_focused ? m_layout.box(*m_focused).center() : QPointF(0, 0);
    double nearest = std::numeric_limits<double>::max();
    std::optional<MapBox> best = m_focused;
    for (int b = 0; b < mapBoxCount; ++b) {
        const QPointF d = m_layout.boxes[static_cast<std::size_t>(b)].center() - from;
        const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
        const double sign = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
        const double along = sign * (across ? d.x() : d.y()), beside = std::abs(across ? d.y() : d.x());
        if (along <= 1 || along + 3 * beside >= nearest) continue;
        nearest = along + 3 * beside;
        best = static_cast<MapBox>(b);
    }
    m_focused = best;
    update();
}

bool MapView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::optional<MapBox> box = boxAt(help->pos());
    if (!box) {
        QToolTip::hideText();
        return true;
    }
    QString html = QStringLiteral("<p><b>%1</b></p><p>%2</p>")
                       .arg(MapWords::title(*box).toHtmlEscaped(), MapWords::explanation(*box).toHtmlEscaped());
    const MapFigure& figure = m_figures.box(*box);
    if (!figure.value.isEmpty()) {
        html += QStringLiteral("<p>%1 %2").arg(figure.value.toHtmlEscaped(), figure.unit.toHtmlEscaped());
        if (!figure.more.isEmpty()) html += QStringLiteral(" · ") + figure.more.toHtmlEscaped();
        html += QStringLiteral("</p>");
    }
    QToolTip::showText(help->globalPos(), html, this, m_layout.box(*box).toAlignedRect());
    return true;
}

} // namespace strata::panes
