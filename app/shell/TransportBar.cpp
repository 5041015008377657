#include "app/shell/TransportBar.h"

#include "views/model/Words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <QToolTip>

#include <cmath>

namespace strata::shell {

namespace {

enum class Glyph { Start, Back, Play, Pause, Forward, End };

// Drawn, so that the buttons look the same everywhere and follow the theme.
QIcon glyph(Glyph which, const QColor& colour) {
    QPixmap pixmap(40, 40);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter p(&pixmap);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    const auto triangle = [&](double x, double width) {
        QPainterPath path;
        path.moveTo(x, 4);
        path.lineTo(x + width, 10);
        path.lineTo(x, 16);
        path.closeSubpath();
        p.drawPath(path);
    };
    switch (which) {
    case Glyph::Play:
        triangle(6, 10);
        break;
    case Glyph::Pause:
        p.drawRoundedRect(QRectF(5, 4, 3.5, 12), 1, 1);
        p.drawRoundedRect(QRectF(11.5, 4, 3.5, 12), 1, 1);
        break;
    case Glyph::Forward:
        triangle(4, 8);
        p.drawRect(QRectF(13, 4, 2.5, 12));
        break;
    case Glyph::Back:
        triangle(16, -8);
        p.drawRect(QRectF(4.5, 4, 2.5, 12));
        break;
    case Glyph::Start:
        triangle(11, -7);
        triangle(17, -7);
        p.drawRect(QRectF(2.5, 4, 2, 12));
        break;
    case Glyph::End:
        triangle(3, 7);
        triangle(9, 7);
        p.drawRect(QRectF(16, 4, 2, 12));
        break;
    }
    return QIcon(pixmap);
}

} // namespace

/// The steps of the run as a strip, each in its stage's colour; the mouse scrubs.
class StepTrack : public QWidget {
public:
    StepTrack(model::Timeline* timeline, canvas::ThemeProvider* themes, QWidget* parent)
        : QWidget(parent), m_timeline(timeline), m_themes(themes) {
        setMinimumWidth(160);
        setFixedHeight(28);
        setMouseTracking(true);
        setFocusPolicy(Qt::StrongFocus);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        const canvas::Theme& theme = m_themes->theme();
        const QRectF strip(1, 9, width() - 2, 10);
        p.setPen(Qt::NoPen);
        p.setBrush(theme.sunken);
        p.drawRoundedRect(strip, 5, 5);
        const int count = m_timeline->stepCount();
        if (count == 0) return;
        p.save();
        QPainterPath clip;
        clip.addRoundedRect(strip, 5, 5);
        p.setClipPath(clip);
        const double each = strip.width() / count, now = place();
        for (int s = 0; s < count; ++s) {
            const QRectF part(strip.left() + s * each, strip.top(), each + 0.5, strip.height());
            const QColor colour = theme.stage(m_timeline->steps()[static_cast<std::size_t>(s)].stage);
            p.fillRect(part, s < now ? colour : canvas::withAlpha(colour, 0.25));
        }
        p.restore();
        const double x = strip.left() + now * each;
        p.setBrush(theme.text);
        p.drawRoundedRect(QRectF(x - 1.5, 4, 3, 20), 1.5, 1.5);
    }

    void mousePressEvent(QMouseEvent* event) override { scrub(event->position().x()); }
    void mouseMoveEvent(QMouseEvent* event) override {
        if (event->buttons() & Qt::LeftButton) return scrub(event->position().x());
        const int step = static_cast<int>(at(event->position().x()));
        if (step < 0 || step >= m_timeline->stepCount()) return;
        const model::Step& s = m_timeline->steps()[static_cast<std::size_t>(step)];
        QToolTip::showText(
            event->globalPosition().toPoint(),
            model::Words::stage(s.stage) + (s.compile.isEmpty() ? QString() : QStringLiteral("  ") + s.compile), this);
    }

private:
    double at(double x) const { return (x - 1) / qMax(1, width() - 2) * m_timeline->stepCount(); }
    double place() const {
        return m_timeline->moment().step < 0 ? 0 : m_timeline->moment().step + m_timeline->moment().phase;
    }
    void scrub(double x) {
        if (m_timeline->stepCount() == 0) return;
        const double where = qBound(0.0, at(x), m_timeline->stepCount() - 1e-6);
        m_timeline->pause();
        m_timeline->seek(static_cast<int>(where), where - std::floor(where));
    }

    model::Timeline* m_timeline;
    canvas::ThemeProvider* m_themes;
};

TransportBar::TransportBar(model::Timeline* timeline, canvas::ThemeProvider* themes, QWidget* parent)
    : QWidget(parent), m_timeline(timeline), m_themes(themes), m_track(new StepTrack(timeline, themes, this)),
      m_label(new QLabel), m_speed(new QComboBox) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(2);
    for (QToolButton** button : {&m_start, &m_back, &m_play, &m_forward, &m_end}) {
        *button = new QToolButton;
        (*button)->setAutoRaise(true);
        (*button)->setIconSize({20, 20});
        row->addWidget(*button);
    }
    row->addSpacing(6);
    row->addWidget(m_track, 1);
    row->addSpacing(6);
    m_label->setMinimumWidth(210);
    row->addWidget(m_label);
    for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0, 8.0})
        m_speed->addItem(QStringLiteral("%1×").arg(speed), speed);
    m_speed->setCurrentIndex(2);
    row->addWidget(m_speed);
    connect(m_start, &QToolButton::clicked, timeline, &model::Timeline::toStart);
    connect(m_back, &QToolButton::clicked, timeline, &model::Timeline::stepBack);
    connect(m_play, &QToolButton::clicked, this,
            [this] { m_timeline->isPlaying() ? m_timeline->pause() : m_timeline->play(); });
    connect(m_forward, &QToolButton::clicked, timeline, &model::Timeline::stepForward);
    connect(m_end, &QToolButton::clicked, timeline, &model::Timeline::toEnd);
    connect(m_speed, &QComboBox::activated, this, [this] { m_timeline->setSpeed(m_speed->currentData().toDouble()); });
    connect(timeline, &model::Timeline::moved, this, &TransportBar::update);
    connect(timeline, &model::Timeline::stepsChanged, this, &TransportBar::update);
    connect(timeline, &model::Timeline::playingChanged, this, &TransportBar::applyTheme);
    connect(themes, &canvas::ThemeProvider::changed, this, &TransportBar::applyTheme);
    applyTheme();
    retranslate();
}

void TransportBar::applyTheme() {
    const QColor colour = m_themes->theme().text;
    m_start->setIcon(glyph(Glyph::Start, colour));
    m_back->setIcon(glyph(Glyph::Back, colour));
    m_play->setIcon(glyph(m_timeline->isPlaying() ? Glyph::Pause : Glyph::Play, m_themes->theme().accent));
    m_forward->setIcon(glyph(Glyph::Forward, colour));
    m_end->setIcon(glyph(Glyph::End, colour));
    update();
}

void TransportBar::retranslate() {
    m_start->setToolTip(tr("To the start"));
    m_back->setToolTip(tr("One step back"));
    m_play->setToolTip(tr("Play or pause"));
    m_forward->setToolTip(tr("One step forward"));
    m_end->setToolTip(tr("To the end"));
    m_speed->setToolTip(tr("Speed"));
    update();
}

void TransportBar::update() {
    const int count = m_timeline->stepCount(), step = m_timeline->moment().step;
    QString words;
    if (count > 0 && step >= 0) {
        const model::Step& s = m_timeline->steps()[static_cast<std::size_t>(qMin(step, count - 1))];
        words = tr("%1 of %2").arg(step + 1).arg(count) + QStringLiteral("   ") + model::Words::stage(s.stage);
        if (!s.compile.isEmpty()) words += QStringLiteral("  ") + s.compile;
    }
    m_label->setText(words);
    for (QToolButton* button : {m_start, m_back, m_play, m_forward, m_end}) button->setEnabled(count > 0);
    m_track->update();
}

} // namespace strata::shell
