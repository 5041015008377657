#include "views/canvas/Camera.h"

#include <algorithm>

namespace strata::canvas {

void Camera::fit(const QSizeF& size, const QSizeF& view, double margin) {
    const double width = std::max(1.0, size.width()), height = std::max(1.0, size.height());
    const double across = std::max(1.0, view.width() - 2 * margin), down = std::max(1.0, view.height() - 2 * margin);
    zoom = std::clamp(std::min(across / width, down / height), leastZoom, 1.1);
    offset = {(view.width() - width * zoom) / 2, (view.height() - height * zoom) / 2};
}

void Camera::fitReadable(const QSizeF& size, const QSizeF& view, const QRectF& first, double margin) {
    fit(size, view, margin);
    if (zoom >= readableZoom) return;
    const double across = (view.width() - 2 * margin) / std::max(1.0, size.width());
    zoom = std::clamp(across, readableZoom, 0.9);
    offset = {(view.width() - size.width() * zoom) / 2, margin};
    if (!first.isNull()) reveal(first, view, margin);
}

void Camera::zoomBy(double factor, const QPointF& anchor) {
    const QPointF world = toWorld(anchor);
    zoom = std::clamp(zoom * factor, leastZoom, mostZoom);
    offset = anchor - world * zoom;
}

void Camera::reveal(const QRectF& world, const QSizeF& view, double margin) {
    const QRectF box = toView(world);
    const auto shift = [margin](double low, double high, double extent) {
        const double room = std::min(margin, std::max(0.0, (extent - (high - low)) / 2));
        if (low < room) return room - low;
        if (high > extent - room) return std::max(extent - room - high, room - low);
        return 0.0;
    };
    offset += {shift(box.left(), box.right(), view.width()), shift(box.top(), box.bottom(), view.height())};
}

void Camera::clamp(const QSizeF& size, const QSizeF& view) {
    constexpr double least = 60; // pixels of the world that stay in sight
    const double width = size.width() * zoom, height = size.height() * zoom;
    offset.setX(std::clamp(offset.x(), least - width, std::max(least - width, view.width() - least)));
    offset.setY(std::clamp(offset.y(), least - height, std::max(least - height, view.height() - least)));
}

} // namespace strata::canvas
