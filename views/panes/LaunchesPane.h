#pragma once
// Eager against compiled: how many kernels were launched and how long the calls took, measured; and every launch.

#include "views/panes/Pane.h"

class QChartView;
class QTreeWidget;

namespace strata::panes {

class LaunchesPane : public Pane {
    Q_OBJECT

public:
    explicit LaunchesPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override { return tr("Launches"); }
    model::Stage stage() const override { return model::Stage::Launches; }
    QSize sizeHint() const override { return {760, 520}; }

protected:
    void showAt(const model::Moment& moment) override;
    void relight() override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;

private:
    void makeCharts();
    void fillCharts(int shown);
    void fillTable(int shown);

    QChartView *m_counts = nullptr, *m_times = nullptr; // made when the pane is first shown: Qt Charts loads slowly
    QTreeWidget* m_table;
    QWidget* m_charts;
    int m_shown = -1;
};

} // namespace strata::panes
