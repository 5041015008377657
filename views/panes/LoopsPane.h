#pragma once
// Inductor's loops before and after fusion: which loops went into which kernel, and every decision of the scheduler
// with its reason. While the scheduler works, pairs light up one after another; then loops move into their kernels.

#include "views/panes/GraphPane.h"

class QButtonGroup;
class QTableView;

namespace strata::panes {

class FusionTable;
class Legend;

class LoopsPane : public GraphPane {
    Q_OBJECT

public:
    explicit LoopsPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override;
    model::Stage stage() const override { return model::Stage::Inductor; }

    /// Which state is shown; Follow goes with the run.
    enum class State { Follow, Before, After };
    void setState(State state);
    QTableView* decisions() const { return m_view; }

protected:
    QStringList kinds() const override { return {QStringLiteral("loops")}; }
    canvas::Scene build(int artifact, const model::Moment& moment) const override;
    int style(int artifact, const model::Moment& moment) const override;
    canvas::SceneFrame frameAt(int artifact, const model::Moment& moment) const override;
    void arrange(canvas::Scene& scene) override;
    void settled(const layout::GraphLayout& layout) override;
    void place(const model::Moment& moment) override;
    bool textIsPython() const override { return false; }
    int textArtifact(int artifact, const model::Moment& moment) const override;
    QString info(int artifact, const model::Moment& moment) const override;
    QString toolTip(model::ItemId item) const override;
    std::pair<QString, QString> emptyWords(const model::Moment& moment) const override;
    void showAt(const model::Moment& moment) override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;

private:
    /// The fused_loops artifact that belongs to a loops artifact; -1 while there is none.
    int fusedOf(int artifact, const model::Moment& moment) const;
    /// How far the loops have moved into their kernels, 0..1.
    double fusedShare(const model::Moment& moment) const;
    void addGroups(int artifact, int fused, canvas::Scene& scene) const;
    void fillLegend();

    QButtonGroup* m_states;
    FusionTable* m_table;
    QTableView* m_view;
    Legend* m_legend;
    State m_state = State::Follow;
    layout::GraphLayout m_before, m_after;
    double m_share = 0;
    bool m_adjusted = false;
};

} // namespace strata::panes
