#pragma once
// AOTAutograd's graphs: the joint graph of forward and backward, which values the cut between them saves and which are
// computed again, and the two graphs that it leaves.

#include "views/panes/GraphPane.h"

namespace strata::panes {

class Legend;

class JointPane : public GraphPane {
    Q_OBJECT

public:
    explicit JointPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override;
    model::Stage stage() const override { return model::Stage::Aot; }

protected:
    QStringList kinds() const override;
    /// The joint graph, or the forward graph where there is no backward.
    bool follows(const model::Artifact& artifact) const override;
    canvas::Scene build(int artifact, const model::Moment& moment) const override;
    int style(int artifact, const model::Moment& moment) const override;
    canvas::SceneFrame frameAt(int artifact, const model::Moment& moment) const override;
    QString info(int artifact, const model::Moment& moment) const override;
    QString toolTip(model::ItemId item) const override;
    std::pair<QString, QString> emptyWords(const model::Moment& moment) const override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;

private:
    struct Fate {
        const model::SaveDecision* decision = nullptr;
        bool saved = false, recomputed = false;
    };
    /// What the partitioner decided on a joint node by this moment.
    Fate fateOf(model::ItemId item, const model::Moment& moment) const;
    void fillLegend();

    Legend* m_legend;
};

} // namespace strata::panes
