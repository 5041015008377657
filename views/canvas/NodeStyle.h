#pragma once
// Measures of a graph's nodes, shared by what measures them and what paints them. Pixels at zoom 1.

#include "views/canvas/Theme.h"

namespace strata::canvas {

struct NodeStyle {
    static constexpr double paddingX = 13, paddingY = 7, lineGap = 1;
    static constexpr double badgeGap = 8, badgePadding = 5;
    static constexpr double leastWidth = 64, mostWidth = 300;
    static constexpr double radius = 7, strip = 4;

    static QFont titleFont() { return Theme::font(-0.5, QFont::DemiBold); }
    static QFont detailFont() { return Theme::mono(-2); }
    static QFont badgeFont() { return Theme::font(-2.5, QFont::DemiBold); }
    static QFont groupFont() { return Theme::font(-0.5, QFont::DemiBold); }
};

} // namespace strata::canvas
