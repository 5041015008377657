#pragma once
// The widget inside the map pane.

#include "views/panes/MapPainter.h"

#include <QWidget>

#include <array>
#include <optional>

namespace strata::panes {

class MapView : public QWidget {
    Q_OBJECT

public:
    explicit MapView(QWidget* parent = nullptr);
    void setTheme(const canvas::Theme& theme);
    void setState(MapFigures figures, MapActivity activity, double phase);
    void setLit(const std::array<model::Lit, mapBoxCount>& lit);
    const MapFigures& figures() const { return m_figures; }
    const MapLayout& mapLayout() const { return m_layout; }
    std::optional<MapBox> boxAt(const QPointF& place) const;

Q_SIGNALS:
    void boxActivated(strata::panes::MapBox box);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void moveFocus(Qt::Key key);

    canvas::Theme m_theme;
    MapLayout m_layout;
    MapFigures m_figures;
    MapActivity m_activity;
    double m_phase = 1;
    std::array<model::Lit, mapBoxCount> m_lit{};
    std::optional<MapBox> m_hovered, m_focused;
};

} // namespace strata::panes
