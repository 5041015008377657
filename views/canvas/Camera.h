#pragma once
// Where the eye stands over a scene: world coordinates (pixels at zoom 1) to those of the widget and back.

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace strata::canvas {

struct Camera {
    double zoom = 1;
    QPointF offset; // of the world's origin, in the widget

    static constexpr double leastZoom = 0.02, mostZoom = 4;
    /// Words are readable from here on.
    static constexpr double readableZoom = 0.52;

    QPointF toView(const QPointF& world) const { return world * zoom + offset; }
    QRectF toView(const QRectF& world) const { return {toView(world.topLeft()), world.size() * zoom}; }
    QPointF toWorld(const QPointF& view) const { return (view - offset) / zoom; }
    QRectF toWorld(const QRectF& view) const { return {toWorld(view.topLeft()), view.size() / zoom}; }

    /// All of a world of `size` in a view of `view`, centred, never larger than life (1.1).
    void fit(const QSizeF& size, const QSizeF& view, double margin = 24);
    /// As fit(), but when words would become unreadable, at a readable zoom with `first` (where reading starts) in
    /// sight, at the top.
    void fitReadable(const QSizeF& size, const QSizeF& view, const QRectF& first = {}, double margin = 24);
    /// Zooms by `factor` with the world's point under `anchor` staying there.
    void zoomBy(double factor, const QPointF& anchor);
    /// Moves as little as needed to bring a world rectangle into the view.
    void reveal(const QRectF& world, const QSizeF& view, double margin = 40);
    /// Keeps a part of the world in the view.
    void clamp(const QSizeF& size, const QSizeF& view);
};

} // namespace strata::canvas
