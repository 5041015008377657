#include "views/panes/MapPainter.h"

#include "views/model/Words.h"
#include "views/panes/MapWords.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace strata::panes {

using canvas::mix;
using canvas::withAlpha;
using model::Stage;

model::Stage stageOf(MapBox box) {
    switch (box) {
    case MapBox::Python:
        return Stage::Source;
    case MapBox::Dispatcher:
        return Stage::Dispatcher;
    case MapBox::Kernels:
        return Stage::Kernels;
    case MapBox::Tape:
        return Stage::Tape;
    case MapBox::Call:
        return Stage::Source;
    case MapBox::Dynamo:
    case MapBox::Breaks:
        return Stage::Dynamo;
    case MapBox::Fx:
        return Stage::Fx;
    case MapBox::Aot:
        return Stage::Aot;
    case MapBox::Prims:
        return Stage::Prims;
    case MapBox::Inductor:
        return Stage::Inductor;
    case MapBox::Codegen:
        return Stage::Codegen;
    case MapBox::Cache:
        return Stage::Cache;
    case MapBox::Guards:
        return Stage::Guards;
    case MapBox::Comparison:
    case MapBox::Launches:
        return Stage::Launches;
    }
    return Stage::Other;
}

QFont MapPainter::font(double points, QFont::Weight weight) const {
    QFont font = canvas::Theme::font(0, weight);
    font.setPointSizeF(std::max(1.0, points * m_in.layout.scale));
    return font;
}

bool MapPainter::active(MapBox box) const {
    const auto& boxes = m_in.activity.boxes;
    return m_in.phase < 1 && std::find(boxes.begin(), boxes.end(), box) != boxes.end();
}

double MapPainter::line(const QRectF& place, const QString& words, const QFont& font, const QColor& colour,
                        Qt::Alignment align) {
    const QFontMetricsF metrics(font);
    m_painter.setFont(font);
    m_painter.setPen(colour);
    m_painter.drawText(QRectF(place.left(), place.top(), place.width(), metrics.height()),
                       static_cast<int>(align | Qt::AlignVCenter) | Qt::TextSingleLine,
                       metrics.elidedText(words, Qt::ElideRight, place.width() + 1));
    return metrics.height();
}

void MapPainter::paint() {
    m_painter.setRenderHint(QPainter::Antialiasing);
    const MapLayout& l = m_in.layout;
    paintPanel(l.eager, m_in.theme.eager, MapWords::eagerTitle(), MapWords::eagerSubtitle());
    paintPanel(l.compiled, m_in.theme.compiled, MapWords::compiledTitle(), MapWords::compiledSubtitle());
    paintWords(l.eagerWords, MapWords::eagerStrengths(), MapWords::eagerCosts());
    paintWords(l.compiledWords, MapWords::compiledStrengths(), MapWords::compiledCosts());
    for (const bool travelled : {false, true})
        for (int e = 0; e < mapEdgeCount; ++e)
            if (m_in.figures.travelled[static_cast<std::size_t>(e)] == travelled) paintEdge(static_cast<MapEdge>(e));
    for (int e = 0; e < mapEdgeCount; ++e) paintLabel(static_cast<MapEdge>(e));
    for (int b = 0; b < mapBoxCount; ++b)
        if (static_cast<MapBox>(b) != MapBox::Comparison) paintBox(static_cast<MapBox>(b));
    paintComparison();
    for (const MapEdge edge : m_in.activity.edges) paintPulses(edge);
}

void MapPainter::paintPanel(const QRectF& panel, const QColor& colour, const QString& title, const QString& subtitle) {
    m_painter.setPen(QPen(mix(m_in.theme.border, colour, 0.25), 1));
    m_painter.setBrush(mix(m_in.theme.surface, colour, m_in.theme.dark ? 0.045 : 0.03));
    m_painter.drawRoundedRect(panel, px(14), px(14));
    const QFont big = font(13, QFont::DemiBold);
    const QFontMetricsF metrics(big);
    const QRectF place(panel.left() + px(20), panel.top() + px(12), panel.width() - px(40), metrics.height());
    line(place, title, big, mix(colour, m_in.theme.text, 0.15));
    const double used = metrics.horizontalAdvance(title) + px(12);
    const QFont small = font(9.5);
    line(place.adjusted(used, metrics.ascent() - QFontMetricsF(small).ascent(), 0, 0), subtitle, small,
         m_in.theme.muted);
}

void MapPainter::paintWords(const QRectF& place, const QString& strengths, const QString& costs) {
    double y = place.top() + px(4);
    const QFont small = font(9);
    for (const bool good : {true, false}) {
        const double height = QFontMetricsF(small).height();
        const QPointF centre(place.left() + px(6), y + height / 2);
        const QColor colour = good ? m_in.theme.ok : m_in.theme.warning;
        m_painter.setPen(QPen(colour, std::max(1.0, px(1.8)), Qt::SolidLine, Qt::RoundCap));
        m_painter.drawLine(centre - QPointF(px(4), 0), centre + QPointF(px(4), 0));
        if (good) m_painter.drawLine(centre - QPointF(0, px(4)), centre + QPointF(0, px(4)));
        line({place.left() + px(20), y, place.width() - px(20), height}, good ? strengths : costs, small,
             m_in.theme.muted);
        y += height + px(5);
    }
}

void MapPainter::paintEdge(MapEdge edge) {
    const layout::Route& route = m_in.layout.edge(edge);
    const bool travelled = m_in.figures.travelled[static_cast<std::size_t>(edge)];
    const MapBox to = endsOf(edge).to;
    const bool isBack = edge == MapEdge::BreaksPython || edge == MapEdge::GuardsCache || edge == MapEdge::DynamoBreaks;
    QColor colour = mix(m_in.theme.border, m_in.theme.faint, 0.6);
    if (travelled)
        colour = edge == MapEdge::CacheLaunches ? m_in.theme.ok
                                                : colourOf(edge == MapEdge::BreaksPython ? MapBox::Breaks : to);
    QPainterPath path(route.front());
    for (std::size_t i = 1; i + 2 < route.size(); i += 3) path.cubicTo(route[i], route[i + 1], route[i + 2]);
    QPen pen(colour, std::max(1.0, px(travelled ? 2.2 : 1.5)), isBack ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap,
             Qt::RoundJoin);
    if (isBack) pen.setDashPattern({4, 3});
    m_painter.setPen(pen);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPath(path);
    const QPointF tip = route.back();
    QPointF along = tip - route[route.size() - 4];
    const double length = std::hypot(along.x(), along.y());
    if (length <= 0) return;
    along /= length;
    const QPointF across(-along.y(), along.x());
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(colour);
    m_painter.drawPolygon(
        QPolygonF({tip, tip - along * px(10) + across * px(4.6), tip - along * px(10) - across * px(4.6)}));
}

void MapPainter::paintPulses(MapEdge edge) {
    if (m_in.phase >= 1) return;
    const bool shortCut = edge == MapEdge::CacheLaunches;
    if (shortCut && !m_in.figures.travelled[static_cast<std::size_t>(edge)]) return; // no hit, nothing flows there
    const layout::Route& route = m_in.layout.edge(edge);
    const QColor colour = shortCut ? m_in.theme.ok : colourOf(endsOf(edge).to);
    double length = 0;
    for (std::size_t i = 3; i < route.size(); i += 3)
        length += std::hypot(route[i].x() - route[i - 3].x(), route[i].y() - route[i - 3].y());
    // As many as have room: on a long way several are under way at once.
    const int pulses = std::clamp(static_cast<int>(length / px(70)), 1, 6);
    constexpr int tail = 5;
    const double spacing = std::min(0.12, px(5) / std::max(1.0, length));
    for (int k = 0; k < pulses; ++k) {
        const double head = std::fmod(m_in.phase * 2 + static_cast<double>(k) / pulses, 1.0);
        for (int i = tail; i >= 0; --i) {
            const double t = head - i * spacing;
            if (t < 0) continue;
            const double radius = px((length < px(40) ? 4.0 : 5.2) - i * 0.6);
            m_painter.setPen(Qt::NoPen);
            if (i == 0) {
                m_painter.setBrush(withAlpha(colour, 0.25));
                m_painter.drawEllipse(layout::pointAt(route, t), radius * 1.9, radius * 1.9);
            }
            m_painter.setBrush(withAlpha(i == 0 ? mix(colour, m_in.theme.raised, 0.15) : colour, 1 - i * 0.16));
            m_painter.drawEllipse(layout::pointAt(route, t), radius, radius);
        }
    }
}

void MapPainter::paintLabel(MapEdge edge) {
    const QString words = MapWords::edge(edge);
    if (words.isEmpty()) return;
    const QFont small = font(8.5, QFont::Medium);
    const QFontMetricsF metrics(small);
    const QSizeF size(metrics.horizontalAdvance(words) + px(14), metrics.height() + px(4));
    const bool upright = edge == MapEdge::CacheDynamo;
    const bool travelled = m_in.figures.travelled[static_cast<std::size_t>(edge)];
    const MapBox owner = edge == MapEdge::BreaksPython ? MapBox::Breaks : endsOf(edge).to;
    const QColor colour = !travelled                       ? m_in.theme.faint
                          : edge == MapEdge::CacheLaunches ? m_in.theme.ok
                                                           : colourOf(owner);
    m_painter.save();
    m_painter.translate(m_in.layout.labels[static_cast<std::size_t>(edge)]);
    if (!upright) m_painter.rotate(edge == MapEdge::CacheLaunches ? 90 : -90);
    const QRectF box(-size.width() / 2, -size.height() / 2, size.width(), size.height());
    m_painter.setPen(QPen(mix(m_in.theme.surface, colour, 0.5), 1));
    m_painter.setBrush(m_in.theme.surface);
    m_painter.drawRoundedRect(box, size.height() / 2, size.height() / 2);
    m_painter.setFont(small);
    m_painter.setPen(travelled ? mix(colour, m_in.theme.text, 0.2) : m_in.theme.muted);
    m_painter.drawText(box, Qt::AlignCenter, words);
    m_painter.restore();
}

void MapPainter::paintBox(MapBox box) {
    const QRectF rect = m_in.layout.box(box);
    const QColor colour = colourOf(box);
    const canvas::Theme& t = m_in.theme;
    const bool reached = m_in.figures.reached[static_cast<std::size_t>(box)];
    const model::Lit lit = m_in.lit[static_cast<std::size_t>(box)];
    const double radius = px(10);
    if (active(box)) { // breathes once a step
        const double strength = std::sin(m_in.phase * std::numbers::pi);
        for (int ring = 3; ring >= 1; --ring) {
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(withAlpha(colour, 0.07 + 0.07 * strength));
            const double out = px(3.5 * ring);
            m_painter.drawRoundedRect(rect.adjusted(-out, -out, out, out), radius + out, radius + out);
        }
    } else { // lies a little above the panel
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(withAlpha(QColor(Qt::black), t.dark ? 0.22 : 0.05));
        m_painter.drawRoundedRect(rect.translated(0, px(2)), radius, radius);
    }
    QColor fill = mix(t.raised, colour, reached ? (t.dark ? 0.17 : 0.09) : (t.dark ? 0.05 : 0.025));
    if (active(box)) fill = mix(fill, colour, 0.16);
    QPen pen(reached ? mix(t.border, colour, 0.75) : t.border, std::max(1.0, px(reached ? 1.4 : 1.1)));
    if (m_in.hovered == box) pen = QPen(colour, px(2));
    if (lit == model::Lit::Selected) pen = QPen(t.selected, px(2.6));
    if (lit == model::Lit::Upstream) pen = QPen(t.upstream, px(2.4));
    if (lit == model::Lit::Downstream) pen = QPen(t.downstream, px(2.4));
    m_painter.setPen(pen);
    m_painter.setBrush(fill);
    m_painter.drawRoundedRect(rect, radius, radius);
    QPainterPath clip;
    clip.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    m_painter.save();
    m_painter.setClipPath(clip);
    m_painter.fillRect(QRectF(rect.left(), rect.top(), px(6), rect.height()),
                       reached ? colour : mix(t.raised, colour, 0.55));
    m_painter.restore();
    if (m_in.focused == box) {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(t.accent, 1.4, Qt::DotLine));
        m_painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), radius + 4, radius + 4);
    }
    paintBoxWords(box, rect);
}

void MapPainter::paintBoxWords(MapBox box, const QRectF& rect) {
    const canvas::Theme& t = m_in.theme;
    const MapFigure& figure = m_in.figures.box(box);
    const QFont titleFont = font(11.5, QFont::DemiBold), small = font(9), value = font(17, QFont::Bold),
                unit = font(8.5);
    const QFontMetricsF titleMetrics(titleFont), smallMetrics(small), valueMetrics(value), unitMetrics(unit);
    QRectF words = rect.adjusted(px(18), px(3), -px(14), -px(3));
    if (!figure.value.isEmpty()) {
        const double width =
            std::max(valueMetrics.horizontalAdvance(figure.value), unitMetrics.horizontalAdvance(figure.unit)) + 2;
        const double height = valueMetrics.height() + unitMetrics.height() - px(5);
        const QRectF place(words.right() - width, rect.center().y() - height / 2, width, height);
        const QColor ink = mix(colourOf(box), t.text, t.dark ? 0.1 : 0.15);
        line(place, figure.value, value, ink, Qt::AlignRight);
        line(place.adjusted(0, valueMetrics.height() - px(5), 0, 0), figure.unit, unit, t.muted, Qt::AlignRight);
        words.setRight(place.left() - px(10));
    }
    const bool third =
        !figure.more.isEmpty() && titleMetrics.height() + 2 * smallMetrics.height() <= words.height() + 1;
    const double block = titleMetrics.height() + smallMetrics.height() * (third ? 2 : 1);
    double y = rect.center().y() - block / 2;
    y += line({words.left(), y, words.width(), 0}, MapWords::title(box), titleFont,
              m_in.figures.reached[static_cast<std::size_t>(box)] ? t.text : mix(t.text, t.muted, 0.35));
    const QString caption = MapWords::caption(box);
    y += line({words.left(), y, words.width(), 0}, !third && !figure.more.isEmpty() ? figure.more : caption, small,
              t.muted);
    if (third) line({words.left(), y, words.width(), 0}, figure.more, small, mix(colourOf(box), t.text, 0.3));
}

double MapPainter::paintBars(const QRectF& place, const QString& name, double eager, double compiled,
                             const QString& eagerText, const QString& compiledText) {
    const canvas::Theme& t = m_in.theme;
    const QFont small = font(9), strong = font(9, QFont::DemiBold);
    double y = place.top();
    y += line({place.left(), y, place.width(), 0}, name, small, t.muted) + px(3);
    const double most = std::max({eager, compiled, 1e-12}), height = px(13), textWidth = px(74);
    for (const bool isEager : {true, false}) {
        const double share = (isEager ? eager : compiled) / most;
        const QColor colour = isEager ? t.eager : t.compiled;
        const QRectF track(place.left() + px(62), y, place.width() - px(62) - textWidth, height);
        line({place.left(), y - (QFontMetricsF(small).height() - height) / 2, px(60), 0},
             isEager ? MapWords::eager() : MapWords::compiled(), small, t.text);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(mix(t.raised, colour, 0.10));
        m_painter.drawRoundedRect(track, px(3), px(3));
        m_painter.setBrush(colour);
        m_painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(px(3), track.width() * share), height)),
                                  px(3), px(3));
        line({track.right() + px(6), y - (QFontMetricsF(strong).height() - height) / 2, textWidth - px(6), 0},
             isEager ? eagerText : compiledText, strong, t.text, Qt::AlignRight);
        y += height + px(4);
    }
    return y - place.top();
}

void MapPainter::paintComparison() {
    const QRectF rect = m_in.layout.box(MapBox::Comparison);
    const canvas::Theme& t = m_in.theme;
    m_painter.setPen(QPen(m_in.hovered == MapBox::Comparison ? t.accent : t.border, px(1.1)));
    m_painter.setBrush(mix(t.raised, t.surface, 0.3));
    m_painter.drawRoundedRect(rect, px(10), px(10));
    if (m_in.focused == MapBox::Comparison) {
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(t.accent, 1.4, Qt::DotLine));
        m_painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), px(14), px(14));
    }
    const QRectF inside = rect.adjusted(px(18), px(12), -px(18), -px(12));
    const QFont titleFont = font(11.5, QFont::DemiBold), small = font(9);
    double y = inside.top() + line(inside, MapWords::title(MapBox::Comparison), titleFont, t.text) + px(8);
    const auto& [eager, compiled] = std::pair(m_in.figures.eager, m_in.figures.compiled);
    const auto rest = [&] { return QRectF(inside.left(), y, inside.width(), inside.bottom() - y); };
    if (eager && compiled) {
        y += paintBars(rest(), MapWords::launches(), eager->launches, compiled->launches,
                       QString::number(eager->launches), QString::number(compiled->launches)) +
             px(9);
        const double ratio = eager->medianUs / std::max(1e-9, compiled->medianUs);
        const QString factor = QString::number(ratio >= 1 ? ratio : 1 / ratio, 'f', 1);
        const QString name = MapWords::time() + QStringLiteral(" · ") +
                             (ratio >= 1 ? MapWords::faster(factor) : MapWords::slower(factor));
        y += paintBars(rest(), name, eager->medianUs, compiled->medianUs, model::Words::microseconds(eager->medianUs),
                       model::Words::microseconds(compiled->medianUs)) +
             px(9);
    }
    QStringList costs;
    const MapFigures& f = m_in.figures;
    if (f.firstCallMs) costs.append(MapWords::firstCall(model::Words::milliseconds(*f.firstCallMs)));
    if (f.lastCall)
        costs.append(MapWords::lastCall(model::Words::microseconds(f.lastCall->durationUs), f.lastCall->launches));
    if (f.guardCheckNs) costs.append(MapWords::guardCheck(model::Words::nanoseconds(*f.guardCheckNs)));
    if (costs.isEmpty() && !eager && !compiled) costs.append(MapWords::comparisonEmpty());
    m_painter.setFont(small);
    m_painter.setPen(t.muted);
    for (const QString& cost : costs) {
        const QRectF needed =
            QFontMetricsF(small).boundingRect(rest(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, cost);
        if (y + needed.height() > inside.bottom() + 2) break;
        m_painter.drawText(rest(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, cost);
        y += needed.height() + px(4);
    }
}

} // namespace strata::panes
