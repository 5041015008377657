#pragma once
// Colours by role, light and dark, and the fonts of the views. A stage of the compile stack has one colour everywhere.

#include "views/model/Stages.h"

#include <QColor>
#include <QFont>
#include <QObject>

#include <array>

namespace strata::canvas {

struct Theme {
    bool dark = false;

    QColor window;   // behind everything
    QColor surface;  // panes, editors, canvases
    QColor raised;   // boxes, headers, tool tips
    QColor sunken;   // groups, gutters, alternate rows
    QColor border;   // thin lines
    QColor text;     // words that matter
    QColor muted;    // captions
    QColor faint;    // line numbers, disabled
    QColor accent;   // focus, the primary button
    QColor onAccent; // text on it

    QColor selected;   // what is selected
    QColor upstream;   // what it came from
    QColor downstream; // what became of it
    QColor ok, warning, error;
    QColor saved;           // values kept for backward
    QColor eager, compiled; // the two sides of every comparison

    std::array<QColor, model::stageCount> stages;

    /// The stage's colour: strokes, titles, charts.
    QColor stage(model::Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
    /// The same, quiet enough to lie behind text.
    QColor soft(const QColor& colour) const;
    QColor stageSoft(model::Stage s) const { return soft(stage(s)); }

    static Theme light();
    static Theme darkTheme();

    /// The application's font in points relative to its own size; `weight` as in QFont.
    static QFont font(double delta = 0, QFont::Weight weight = QFont::Normal);
    /// A fixed-width font of the same size.
    static QFont mono(double delta = 0);
};

/// `a` moved towards `b` by `t` in 0..1.
QColor mix(const QColor& a, const QColor& b, double t);
QColor withAlpha(QColor colour, double alpha);

/// Holds the theme in use; the application's settings choose it.
class ThemeProvider : public QObject {
    Q_OBJECT

public:
    explicit ThemeProvider(QObject* parent = nullptr);
    const Theme& theme() const { return m_theme; }
    bool isDark() const { return m_theme.dark; }
    void setDark(bool dark);

Q_SIGNALS:
    void changed();

private:
    Theme m_theme;
};

} // namespace strata::canvas
