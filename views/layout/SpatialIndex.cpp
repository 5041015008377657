#include "views/layout/SpatialIndex.h"

#include <algorithm>
#include <cmath>

namespace strata::layout {

namespace {

constexpr int mostCellsASide = 512;

} // namespace

SpatialIndex::SpatialIndex(std::vector<QRectF> boxes) : m_boxes(std::move(boxes)) {
    if (m_boxes.empty()) return;
    double extent = 0;
    for (const QRectF& box : m_boxes) {
        m_bounds |= box;
        extent += box.width() + box.height();
    }
    m_cell = std::max({1.0, extent / static_cast<double>(m_boxes.size()), m_bounds.width() / mostCellsASide,
                       m_bounds.height() / mostCellsASide});
    m_columns = static_cast<int>(m_bounds.width() / m_cell) + 1;
    m_rows = static_cast<int>(m_bounds.height() / m_cell) + 1;
    m_cells.resize(static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows));
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        const Cells c = cellsOf(m_boxes[i]);
        for (int y = c.top; y <= c.bottom; ++y)
            for (int x = c.left; x <= c.right; ++x)
                m_cells[static_cast<std::size_t>(y * m_columns + x)].push_back(static_cast<int>(i));
    }
}

SpatialIndex::Cells SpatialIndex::cellsOf(const QRectF& area) const {
    const auto cell = [this](double offset, int count) {
        return static_cast<int>(std::clamp(std::floor(offset / m_cell), 0.0, double(count - 1)));
    };
    return {cell(area.left() - m_bounds.left(), m_columns), cell(area.top() - m_bounds.top(), m_rows),
            cell(area.right() - m_bounds.left(), m_columns), cell(area.bottom() - m_bounds.top(), m_rows)};
}

int SpatialIndex::at(const QPointF& point) const {
    if (m_boxes.empty() || !m_bounds.contains(point)) return -1;
    const Cells c = cellsOf({point, QSizeF(0, 0)});
    int found = -1;
    for (const int i : m_cells[static_cast<std::size_t>(c.top * m_columns + c.left)])
        if (m_boxes[static_cast<std::size_t>(i)].contains(point)) found = std::max(found, i);
    return found;
}

std::vector<int> SpatialIndex::in(const QRectF& area) const {
    std::vector<int> out;
    if (m_boxes.empty() || !m_bounds.intersects(area)) return out;
    const Cells c = cellsOf(area);
    for (int y = c.top; y <= c.bottom; ++y)
        for (int x = c.left; x <= c.right; ++x)
            for (const int i : m_cells[static_cast<std::size_t>(y * m_columns + x)])
                if (m_boxes[static_cast<std::size_t>(i)].intersects(area)) out.push_back(i);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

} // namespace strata::layout
