#include "views/panes/PaneBar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>

namespace strata::panes {

namespace {

QIcon glyphIcon(const QString& glyph, const QColor& colour) {
    constexpr int side = 16, scale = 2; // sharp on dense screens
    QPixmap pixmap(side * scale, side * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (glyph == QLatin1String("text")) {
        for (const double y : {4.0, 7.0, 10.0, 13.0})
            painter.drawLine(QPointF(3, y), QPointF(y == 7 || y == 13 ? 9.5 : 13, y));
    } else if (glyph != QLatin1String("fit")) {
        painter.drawLine(QPointF(3.5, 8), QPointF(12.5, 8));
        if (glyph == QLatin1String("plus")) painter.drawLine(QPointF(8, 3.5), QPointF(8, 12.5));
    } else {
        for (const double x : {3.0, 13.0})
            for (const double y : {3.0, 13.0}) {
                const double dx = x < 8 ? 3.5 : -3.5, dy = y < 8 ? 3.5 : -3.5;
                painter.drawPolyline(QPolygonF({{x + dx, y}, {x, y}, {x, y + dy}}));
            }
    }
    return QIcon(pixmap);
}

} // namespace

PaneBar::PaneBar(QWidget* parent)
    : QWidget(parent), m_row(new QHBoxLayout(this)), m_chooser(new QComboBox(this)), m_info(new QLabel(this)) {
    m_row->setContentsMargins(12, 4, 8, 5);
    m_row->setSpacing(8);
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_chooser->setMaximumWidth(320);
    m_info->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_info->setTextInteractionFlags(Qt::NoTextInteraction);
    m_row->addWidget(m_chooser);
    m_row->addWidget(m_info, 1);
}

void PaneBar::setTheme(const canvas::Theme& theme, model::Stage stage) {
    m_theme = theme;
    m_stage = stage;
    QPalette quiet = m_info->palette();
    quiet.setColor(QPalette::WindowText, theme.muted);
    m_info->setPalette(quiet);
    m_info->setFont(canvas::Theme::font(-0.5));
    m_info->setFont(canvas::Theme::font(-0.5));
    m_chooser->setFont(canvas::Theme::font(-0.5));
    drawGlyphs();
    elide();
    update();
}

void PaneBar::drawGlyphs() {
    const QList<QToolButton*> buttons = findChildren<QToolButton*>(Qt::FindDirectChildrenOnly);
    for (QToolButton* button : buttons)
        if (!button->property("glyph").isNull())
            button->setIcon(glyphIcon(button->property("glyph").toString(), m_theme.muted));
}

void PaneBar::setInfo(const QString& words) {
    if (words == m_words) return;
    m_words = words;
    elide();
}

void PaneBar::elide() {
    const QString shown = m_info->fontMetrics().elidedText(m_words, Qt::ElideRight, m_info->width());
    m_info->setText(shown);
    m_info->setToolTip(shown == m_words ? QString() : m_words);
}

QToolButton* PaneBar::addButton(const QString& glyph) {
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setProperty("glyph", glyph);
    button->setFocusPolicy(Qt::TabFocus);
    m_row->addWidget(button);
    return button;
}

void PaneBar::addWidget(QWidget* widget) {
    m_row->addWidget(widget);
}

void PaneBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.raised);
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.border);
    painter.fillRect(QRect(0, 0, 3, height() - 1), m_theme.stage(m_stage));
}

void PaneBar::resizeEvent(QResizeEvent*) {
    elide();
}

} // namespace strata::panes
