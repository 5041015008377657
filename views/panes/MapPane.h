#pragma once
// The map of the two ways that a program can take, eager and compiled: a live diagram of the whole run. Figures come
// from the trace alone; while a step is under way, data runs along the edges that it uses. A box opens its pane.

#include "views/panes/MapFigures.h"
#include "views/panes/MapLayout.h"
#include "views/panes/Pane.h"

#include <optional>

namespace strata::panes {

class MapView;

class MapPane : public Pane {
    Q_OBJECT

public:
    explicit MapPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override;
    model::Stage stage() const override { return model::Stage::Source; }
    QSize sizeHint() const override { return {900, 620}; }

    const MapFigures& figures() const;
    const MapLayout& mapLayout() const;

protected:
    void showAt(const model::Moment& moment) override;
    void relight() override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;

private:
    MapView* m_view;
};

/// The key of the pane that a box opens.
QString paneOf(MapBox box);
/// The box that an item of this kind belongs to.
std::optional<MapBox> boxOfItem(const QString& kind);

} // namespace strata::panes
