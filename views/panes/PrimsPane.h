#pragma once
// The graph in primitive operations. Primitives that come from one ATen operation stand in a box with its name.

#include "views/panes/GraphPane.h"

namespace strata::panes {

class PrimsPane : public GraphPane {
    Q_OBJECT

public:
    explicit PrimsPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override;
    model::Stage stage() const override { return model::Stage::Prims; }

protected:
    QStringList kinds() const override { return {QStringLiteral("prims")}; }
    canvas::Scene build(int artifact, const model::Moment& moment) const override;
    canvas::SceneFrame frameAt(int artifact, const model::Moment& moment) const override;
    void arrange(canvas::Scene& scene) override;
    QString info(int artifact, const model::Moment& moment) const override;
    QString toolTip(model::ItemId item) const override;
    std::pair<QString, QString> emptyWords(const model::Moment& moment) const override;
};

/// Whether the groups of a scene, each taken as one node, form no cycle.
bool groupsAreAcyclic(const canvas::Scene& scene);

} // namespace strata::panes
