#pragma once
// Paints a scene through a camera. Only what is in sight is painted, and the smaller it is the less of it: words, then
// arrow heads, then round corners are left out. No object a node: a frame is a pure function of what it is given.

#include "views/canvas/Camera.h"
#include "views/canvas/Scene.h"
#include "views/layout/SpatialIndex.h"

#include <QPainter>

#include <vector>

namespace strata::canvas {

class GraphPainter {
public:
    struct Input {
        const Scene& scene;
        const SceneFrame& frame;
        const Theme& theme;
        const layout::SpatialIndex& index;       // of the layout's boxes
        const std::vector<model::Lit>& lit;      // one a node
        const std::vector<model::Lit>& groupLit; // one a group
        Camera camera;
        QRectF view;
        int hovered = -1;
        int focused = -1; // the node that the keyboard stands on; -1: none
    };

    GraphPainter(QPainter& painter, const Input& input);
    void paint();
    /// The whole scene, small, in a corner; the part in sight is framed.
    static void paintMiniature(QPainter& painter, const Input& input, const QRectF& corner);

private:
    void paintGroups();
    void paintGroupTitles();
    QColor groupFill(const SceneGroup& group) const;
    void paintEdges();
    void paintEdge(std::size_t edge);
    void paintPulse(std::size_t edge);
    void paintNode(int node);
    void paintWords(int node, const QRectF& box);
    void arrowHead(const layout::Route& route, const QColor& colour);
    model::Lit litOf(int node) const;
    QColor litColour(model::Lit lit) const;
    QFont scaled(QFont font) const;

    QPainter& m_painter;
    const Input& m_in;
    bool m_dim = false; // something is lit: the rest steps back
    QFont m_titleFont, m_detailFont, m_badgeFont, m_groupFont;
};

} // namespace strata::canvas
