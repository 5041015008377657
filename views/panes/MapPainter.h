#pragma once
// Paints the map: panels, boxes with their figures, edges with data on its way. A pure function of its input.

#include "views/canvas/Theme.h"
#include "views/model/Selection.h"
#include "views/panes/MapFigures.h"
#include "views/panes/MapLayout.h"

#include <QPainter>

#include <array>
#include <optional>

namespace strata::panes {

/// The stage whose colour a box has.
model::Stage stageOf(MapBox box);

class MapPainter {
public:
    struct Input {
        const MapLayout& layout;
        const MapFigures& figures;
        const canvas::Theme& theme;
        MapActivity activity;
        double phase = 1; // of the step under way
        std::array<model::Lit, mapBoxCount> lit{};
        std::optional<MapBox> hovered, focused;
    };

    MapPainter(QPainter& painter, const Input& input) : m_painter(painter), m_in(input) {}
    void paint();

private:
    void paintPanel(const QRectF& panel, const QColor& colour, const QString& title, const QString& subtitle);
    void paintWords(const QRectF& place, const QString& strengths, const QString& costs);
    void paintEdge(MapEdge edge);
    void paintPulses(MapEdge edge);
    void paintLabel(MapEdge edge);
    void paintBox(MapBox box);
    void paintBoxWords(MapBox box, const QRectF& rect);
    void paintComparison();
    double paintBars(const QRectF& place, const QString& name, double eager, double compiled, const QString& eagerText,
                     const QString& compiledText);
    QColor colourOf(MapBox box) const { return m_in.theme.stage(stageOf(box)); }
    bool active(MapBox box) const;
    double px(double units) const { return units * m_in.layout.scale; }
    QFont font(double points, QFont::Weight weight = QFont::Normal) const;
    /// One line, elided; gives its height.
    double line(const QRectF& place, const QString& words, const QFont& font, const QColor& colour,
                Qt::Alignment align = Qt::AlignLeft);

    QPainter& m_painter;
    const Input& m_in;
};

} // namespace strata::panes
