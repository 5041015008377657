#include "views/canvas/Theme.h"

#include <QFontDatabase>
#include <QGuiApplication>

namespace strata::canvas {

namespace {

QColor rgb(unsigned value) {
    return QColor::fromRgb(value);
}

// The first of these families that is installed; the system's otherwise.
QString firstInstalled(const QStringList& wanted, QFontDatabase::SystemFont otherwise) {
    const QStringList installed = QFontDatabase::families();
    for (const QString& family : wanted)
        if (installed.contains(family)) return family;
    return QFontDatabase::systemFont(otherwise).family();
}

// Latin first, then a family that has Chinese: Qt looks for missing glyphs in this order.
const QStringList& textFamilies() {
    static const QStringList families{
        firstInstalled({"Inter", "Noto Sans", "DejaVu Sans"}, QFontDatabase::GeneralFont),
        firstInstalled({"Noto Sans CJK SC", "WenQuanYi Micro Hei"}, QFontDatabase::GeneralFont)};
    return families;
}

const QStringList& monoFamilies() {
    static const QStringList families{
        firstInstalled({"JetBrains Mono", "DejaVu Sans Mono"}, QFontDatabase::FixedFont),
        firstInstalled({"Noto Sans Mono CJK SC", "WenQuanYi Micro Hei Mono"}, QFontDatabase::FixedFont)};
    return families;
}

constexpr double basePoints = 10;

} // namespace

QColor mix(const QColor& a, const QColor& b, double t) {
    const auto at = [t](double x, double y) { return static_cast<float>(x + (y - x) * t); };
    return QColor::fromRgbF(at(a.redF(), b.redF()), at(a.greenF(), b.greenF()), at(a.blueF(), b.blueF()),
                            at(a.alphaF(), b.alphaF()));
}

QColor withAlpha(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

QColor Theme::soft(const QColor& colour) const {
    return mix(raised, colour, dark ? 0.22 : 0.12);
}

Theme Theme::light() {
    Theme t;
    t.window = rgb(0xeef0f4);
    t.surface = rgb(0xfbfbfd);
    t.raised = rgb(0xffffff);
    t.sunken = rgb(0xf1f3f7);
    t.border = rgb(0xd5d9e2);
    t.text = rgb(0x1a1f2b);
    t.muted = rgb(0x5a6375);
    t.faint = rgb(0x98a0b0);
    t.accent = rgb(0x2f5fd0);
    t.onAccent = rgb(0xffffff);
    t.selected = rgb(0xd9480f);
    t.upstream = rgb(0x1c7ed6);
    t.downstream = rgb(0x2b8a3e);
    t.ok = rgb(0x2b8a3e);
    t.warning = rgb(0xb35c00);
    t.error = rgb(0xc92a2a);
    t.saved = rgb(0xae3ec9);
    t.eager = rgb(0xc2571a);
    t.compiled = rgb(0x3b5bdb);
    t.stages = {rgb(0x4a5568), rgb(0xb8560f), rgb(0xc9760a), rgb(0xa8324e), rgb(0x3563c9),
                rgb(0x0b7285), rgb(0x2272b9), rgb(0x7048c8), rgb(0x9c36b5), rgb(0x087f5b),
                rgb(0x4c7a10), rgb(0x8a6d00), rgb(0x364fc7), rgb(0x697386)};
    return t;
}

Theme Theme::darkTheme() {
    Theme t;
    t.dark = true;
    t.window = rgb(0x12151c);
    t.surface = rgb(0x181c25);
    t.raised = rgb(0x212733);
    t.sunken = rgb(0x141821);
    t.border = rgb(0x363e4f);
    t.text = rgb(0xe6e9f0);
    t.muted = rgb(0xa0a9bb);
    t.faint = rgb(0x6a7488);
    t.accent = rgb(0x6c9bff);
    t.onAccent = rgb(0x0e1320);
    t.selected = rgb(0xffa94d);
    t.upstream = rgb(0x74c0fc);
    t.downstream = rgb(0x8ce99a);
    t.ok = rgb(0x69db7c);
    t.warning = rgb(0xffc078);
    t.error = rgb(0xff8787);
    t.saved = rgb(0xe599f7);
    t.eager = rgb(0xffa06b);
    t.compiled = rgb(0x8aa8ff);
    t.stages = {rgb(0xa7b0c2), rgb(0xf59f60), rgb(0xf2b84b), rgb(0xf0798f), rgb(0x7ea6ff),
                rgb(0x4fc3d5), rgb(0x6bb8f0), rgb(0xb197fc), rgb(0xdd8aef), rgb(0x4ccfa0),
                rgb(0xa3cf5a), rgb(0xe0c04a), rgb(0x91a7ff), rgb(0x8f99ad)};
    return t;
}

QFont Theme::font(double delta, QFont::Weight weight) {
    QFont font;
    font.setFamilies(textFamilies());
    font.setPointSizeF(basePoints + delta);
    font.setWeight(weight);
    return font;
}

QFont Theme::mono(double delta) {
    QFont font;
    font.setFamilies(monoFamilies());
    font.setPointSizeF(basePoints + delta);
    font.setFixedPitch(true);
    return font;
}

ThemeProvider::ThemeProvider(QObject* parent) : QObject(parent), m_theme(Theme::light()) {}

void ThemeProvider::setDark(bool dark) {
    if (dark == m_theme.dark) return;
    m_theme = dark ? Theme::darkTheme() : Theme::light();
    Q_EMIT changed();
}

} // namespace strata::canvas
