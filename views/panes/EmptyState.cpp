#include "views/panes/EmptyState.h"

#include <QPainter>

#include <algorithm>

namespace strata::panes {

EmptyState::EmptyState(QWidget* parent) : QWidget(parent) {}

void EmptyState::setWords(const QString& heading, const QString& why) {
    if (heading == m_heading && why == m_why) return;
    m_heading = heading;
    m_why = why;
    setAccessibleName(heading);
    setAccessibleDescription(why);
    update();
}

void EmptyState::setTheme(const canvas::Theme& theme, model::Stage stage) {
    m_theme = theme;
    m_stage = stage;
    update();
}

void EmptyState::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), m_theme.surface);
    constexpr int wordFlags = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
    const QFont headingFont = canvas::Theme::font(2, QFont::DemiBold), whyFont = canvas::Theme::font(0);
    const int width = std::max(40, std::min(380, this->width() - 32));
    const QRect heading = QFontMetrics(headingFont).boundingRect(QRect(0, 0, width, 10000), wordFlags, m_heading);
    const QRect why = QFontMetrics(whyFont).boundingRect(QRect(0, 0, width, 10000), wordFlags, m_why);
    const int left = (this->width() - width) / 2;
    const bool roomForMark = height() > heading.height() + why.height() + 90;
    int top = std::max(8, (height() - heading.height() - why.height() - 8 - (roomForMark ? 52 : 0)) / 2);
    if (roomForMark) { // three layers, in the stage's colour
        const QPointF centre(this->width() / 2.0, top + 16);
        for (int layer = 2; layer >= 0; --layer) {
            const double y = centre.y() + layer * 7 - 7;
            const QPolygonF rhomb(
                {{centre.x() - 22, y}, {centre.x(), y - 9}, {centre.x() + 22, y}, {centre.x(), y + 9}});
            painter.setPen(QPen(canvas::mix(m_theme.surface, m_theme.stage(m_stage), 0.75), 1.5));
            painter.setBrush(canvas::mix(m_theme.surface, m_theme.stage(m_stage), 0.10 + 0.10 * (2 - layer)));
            painter.drawPolygon(rhomb);
        }
        top += 52;
    }
    painter.setFont(headingFont);
    painter.setPen(m_theme.text);
    painter.drawText(QRect(left, top, width, heading.height() + 4), wordFlags, m_heading);
    painter.setFont(whyFont);
    painter.setPen(m_theme.muted);
    painter.drawText(QRect(left, top + heading.height() + 8, width, why.height() + 4), wordFlags, m_why);
}

} // namespace strata::panes
