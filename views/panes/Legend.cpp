#include "views/panes/Legend.h"

#include <QFontMetrics>
#include <QPainter>

namespace strata::panes {

namespace {

constexpr int swatch = 18, gap = 7, between = 20, margin = 12, rowHeight = 20;

QFont wordFont() {
    return canvas::Theme::font(-1);
}

} // namespace

Legend::Legend(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void Legend::set(const canvas::Theme& theme, std::vector<Entry> entries) {
    m_theme = theme;
    m_entries = std::move(entries);
    updateGeometry();
    update();
}

std::vector<QPoint> Legend::places(int width, int* height) const {
    const QFontMetrics metrics(wordFont());
    std::vector<QPoint> out;
    int x = margin, y = 5;
    for (const Entry& entry : m_entries) {
        const int extent = swatch + gap + metrics.horizontalAdvance(entry.words);
        if (x > margin && x + extent > width - margin) {
            x = margin;
            y += rowHeight;
        }
        out.push_back({x, y});
        x += extent + between;
    }
    *height = m_entries.empty() ? 0 : y + rowHeight + 4;
    return out;
}

int Legend::heightForWidth(int width) const {
    int height = 0;
    places(width, &height);
    return height;
}

QSize Legend::sizeHint() const {
    return {300, heightForWidth(width() > 0 ? width() : 600)};
}

void Legend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), m_theme.raised);
    painter.fillRect(QRect(0, 0, width(), 1), m_theme.border);
    painter.setFont(wordFont());
    int height = 0;
    const std::vector<QPoint> corners = places(width(), &height);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const Entry& entry = m_entries[i];
        const QRectF box(corners[i].x(), corners[i].y() + 4, swatch, rowHeight - 8);
        painter.setPen(QPen(entry.colour, 1.5, entry.dashed ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(canvas::mix(m_theme.raised, entry.colour, entry.filled ? 0.45 : 0.12));
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(m_theme.muted);
        painter.drawText(QRectF(box.right() + gap, corners[i].y(), width(), rowHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.words);
    }
}

} // namespace strata::panes
