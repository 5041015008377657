#include "views/panes/MapPane.h"

#include "views/panes/MapView.h"

#include <QHash>
#include <QVBoxLayout>

namespace strata::panes {

QString paneOf(MapBox box) {
    switch (box) {
    case MapBox::Python:
    case MapBox::Call:
        return QStringLiteral("source");
    case MapBox::Dispatcher:
    case MapBox::Kernels:
    case MapBox::Tape:
        return QStringLiteral("eager");
    case MapBox::Dynamo:
    case MapBox::Breaks:
        return QStringLiteral("bytecode");
    case MapBox::Fx:
        return QStringLiteral("fx");
    case MapBox::Aot:
        return QStringLiteral("joint");
    case MapBox::Prims:
        return QStringLiteral("prims");
    case MapBox::Inductor:
        return QStringLiteral("loops");
    case MapBox::Codegen:
        return QStringLiteral("kernels");
    case MapBox::Cache:
    case MapBox::Guards:
        return QStringLiteral("guards");
    case MapBox::Comparison:
    case MapBox::Launches:
        return QStringLiteral("launches");
    }
    return {};
}

std::optional<MapBox> boxOfItem(const QString& kind) {
    if (kind == QLatin1String("tape")) return MapBox::Tape;
    switch (model::stageOfArtifact(kind)) {
    case model::Stage::Source:
        return MapBox::Python;
    case model::Stage::Dynamo:
        return MapBox::Dynamo;
    case model::Stage::Guards:
        return MapBox::Guards;
    case model::Stage::Fx:
        return MapBox::Fx;
    case model::Stage::Aot:
        return MapBox::Aot;
    case model::Stage::Prims:
        return MapBox::Prims;
    case model::Stage::Inductor:
        return MapBox::Inductor;
    case model::Stage::Codegen:
        return MapBox::Codegen;
    default:
        return std::nullopt;
    }
}

MapPane::MapPane(const PaneContext& context, QWidget* parent)
    : Pane(QStringLiteral("map"), context, parent), m_view(new MapView(body())) {
    auto* column = new QVBoxLayout(body());
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    connect(m_view, &MapView::boxActivated, this, [this](MapBox box) { Q_EMIT openPane(paneOf(box)); });
    setFilled(); // the diagram is there before any run, without figures
}

QString MapPane::title() const {
    return tr("Map");
}

const MapFigures& MapPane::figures() const {
    return m_view->figures();
}

const MapLayout& MapPane::mapLayout() const {
    return m_view->mapLayout();
}

void MapPane::showAt(const model::Moment& moment) {
    MapActivity activity;
    if (moment.step >= 0) activity = activityOf(timeline().steps()[static_cast<std::size_t>(moment.step)]);
    m_view->setState(MapCounter::count(model(), moment), std::move(activity), moment.phase);
}

void MapPane::relight() {
    std::array<model::Lit, mapBoxCount> lit{};
    const auto mark = [&](const std::vector<model::ItemId>& items, model::Lit state) {
        for (const model::ItemId id : items)
            if (const auto box = boxOfItem(model().item(id).kind)) lit[static_cast<std::size_t>(*box)] = state;
    };
    mark(selection().related().upstream, model::Lit::Upstream);
    mark(selection().related().downstream, model::Lit::Downstream);
    mark(selection().selected(), model::Lit::Selected);
    m_view->setLit(lit);
}

void MapPane::applyTheme(const canvas::Theme& theme) {
    m_view->setTheme(theme);
}

void MapPane::retranslate() {
    m_view->setAccessibleName(title());
    m_view->update();
}

} // namespace strata::panes
