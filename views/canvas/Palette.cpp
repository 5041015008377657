#include "views/canvas/Palette.h"

namespace strata::canvas {

QPalette paletteOf(const Theme& theme) {
    QPalette p;
    p.setColor(QPalette::Window, theme.window);
    p.setColor(QPalette::WindowText, theme.text);
    p.setColor(QPalette::Base, theme.surface);
    p.setColor(QPalette::AlternateBase, theme.sunken);
    p.setColor(QPalette::Text, theme.text);
    p.setColor(QPalette::PlaceholderText, theme.faint);
    p.setColor(QPalette::Button, theme.raised);
    p.setColor(QPalette::ButtonText, theme.text);
    p.setColor(QPalette::BrightText, theme.error);
    p.setColor(QPalette::ToolTipBase, theme.raised);
    p.setColor(QPalette::ToolTipText, theme.text);
    p.setColor(QPalette::Highlight, theme.accent);
    p.setColor(QPalette::HighlightedText, theme.onAccent);
    p.setColor(QPalette::Link, theme.accent);
    p.setColor(QPalette::Light, mix(theme.raised, theme.text, 0.04));
    p.setColor(QPalette::Midlight, mix(theme.raised, theme.border, 0.4));
    p.setColor(QPalette::Mid, theme.border);
    p.setColor(QPalette::Dark, mix(theme.border, theme.muted, 0.4));
    p.setColor(QPalette::Shadow, mix(theme.border, QColor(Qt::black), 0.5));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, theme.faint);
    return p;
}

} // namespace strata::canvas
