#pragma once
// The graph that Dynamo captured. Nodes appear in the order of capture.

#include "views/panes/GraphPane.h"

namespace strata::panes {

class FxPane : public GraphPane {
    Q_OBJECT

public:
    explicit FxPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override;
    model::Stage stage() const override { return model::Stage::Fx; }

protected:
    QStringList kinds() const override { return {QStringLiteral("fx")}; }
    canvas::Scene build(int artifact, const model::Moment& moment) const override;
    QString info(int artifact, const model::Moment& moment) const override;
    QString toolTip(model::ItemId item) const override;
    std::pair<QString, QString> emptyWords(const model::Moment& moment) const override;
};

} // namespace strata::panes
