#pragma once
// The theme for standard widgets.

#include "views/canvas/Theme.h"

#include <QPalette>

namespace strata::canvas {

QPalette paletteOf(const Theme& theme);

} // namespace strata::canvas
