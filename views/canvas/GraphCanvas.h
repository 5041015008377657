#pragma once
// The one widget that shows graphs. It holds a scene, a camera and a spatial index; zooms with the wheel, pans by
// dragging, fits with F or a double click beside the nodes, walks along edges with the arrow keys.

#include "views/canvas/Camera.h"
#include "views/canvas/GraphPainter.h"
#include "views/canvas/Scene.h"

#include <QVariantAnimation>
#include <QWidget>

#include <functional>

namespace strata::canvas {

class GraphCanvas : public QWidget {
    Q_OBJECT

public:
    explicit GraphCanvas(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Another graph: the camera goes back to showing it all, when words stay readable.
    void setScene(Scene scene);
    /// The same graph with other words or colours; layout and camera stay.
    void restyle(Scene scene);
    /// Other places for the same nodes; they move there within `ms`, at once for 0.
    void moveTo(layout::GraphLayout layout, int ms = 0);
    void setFrame(SceneFrame frame);
    void setLit(std::vector<model::Lit> nodes, std::vector<model::Lit> groups = {});
    /// Words for the tool tip of a node.
    void setToolTips(std::function<QString(int node)> words) { m_toolTips = std::move(words); }
    /// Brings a node into sight, unless the user has moved the camera.
    void follow(int node);

    const Scene& scene() const { return m_scene; }
    const SceneFrame& frame() const { return m_frame; }
    const Camera& camera() const { return m_camera; }
    const std::vector<model::Lit>& lit() const { return m_lit; }

    // Geometry in widget coordinates.
    int nodeAt(const QPointF& place) const;
    int groupAt(const QPointF& place) const; // by its title's strip or its border's inside
    QRectF nodeRect(int node) const;
    /// The node that an arrow key leads to from `node`; `node` itself when there is none.
    int neighbour(int node, Qt::Key key) const;

public Q_SLOTS:
    void fitAll();
    void zoomIn();
    void zoomOut();

Q_SIGNALS:
    void nodeClicked(int node);
    void groupClicked(int group);
    void backgroundClicked();
    void nodeHovered(int node);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void reindex();
    void showLit();
    void home();
    void zoomAround(double factor, const QPointF& anchor);
    void setHovered(int node);
    QRectF miniature() const;
    GraphPainter::Input input() const;

    Theme m_theme;
    Scene m_scene;
    SceneFrame m_frame;
    Camera m_camera;
    layout::SpatialIndex m_index;
    std::vector<std::vector<int>> m_out, m_in; // neighbours along edges
    std::vector<model::Lit> m_lit, m_groupLit;
    std::function<QString(int)> m_toolTips;
    QVariantAnimation m_morph;
    layout::GraphLayout m_morphFrom, m_morphTo;
    bool m_userMoved = false; // the camera is the user's until the next scene
    int m_hovered = -1, m_focused = -1;
    QPointF m_pressed, m_dragged;
    bool m_dragging = false;
};

/// `a` on its way to `b`, t in 0..1; where the two don't match, `b`.
layout::GraphLayout between(const layout::GraphLayout& a, const layout::GraphLayout& b, double t);

} // namespace strata::canvas
