#pragma once
// Finds boxes by place: a uniform grid whose cells are about as large as the boxes.

#include <QPointF>
#include <QRectF>

#include <vector>

namespace strata::layout {

class SpatialIndex {
public:
    SpatialIndex() = default;
    explicit SpatialIndex(std::vector<QRectF> boxes);

    /// The box at a point; the last when several overlap; -1 when there is none.
    int at(const QPointF& point) const;
    /// The boxes that touch a rectangle, ascending.
    std::vector<int> in(const QRectF& area) const;

private:
    struct Cells {
        int left, top, right, bottom;
    };
    Cells cellsOf(const QRectF& area) const;

    std::vector<QRectF> m_boxes;
    QRectF m_bounds;
    double m_cell = 1;
    int m_columns = 0, m_rows = 0;
    std::vector<std::vector<int>> m_cells;
};

} // namespace strata::layout
