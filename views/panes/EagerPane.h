#pragma once
// What eager does: the log of every operation that the dispatcher saw, and the autograd tape that it leaves.

#include "views/canvas/GraphCanvas.h"
#include "views/panes/Pane.h"
#include "views/panes/TapeGraph.h"

class QSplitter;
class QTableView;

namespace strata::panes {

class DispatchTable;
class EmptyState;
class Legend;
class PaneBar;

class EagerPane : public Pane {
    Q_OBJECT

public:
    explicit EagerPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override;
    model::Stage stage() const override { return model::Stage::Dispatcher; }

    QTableView* log() const { return m_log; }
    canvas::GraphCanvas* tape() const { return m_canvas; }

protected:
    void showAt(const model::Moment& moment) override;
    void relight() override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showLog(const model::Moment& moment);
    void showTape(const model::Moment& moment);
    void fillChooser();
    QString toolTip(int node) const;
    QString info(const model::Moment& moment) const;
    void fillLegend();

    PaneBar* m_bar;
    DispatchTable* m_table;
    QTableView* m_log;
    canvas::GraphCanvas* m_canvas;
    EmptyState* m_noTape;
    QWidget* m_tapeSide;
    QSplitter* m_splitter = nullptr;
    Legend* m_legend;
    std::vector<Tape> m_tapes;
    TapeGraph m_graph;
    int m_tape = -1, m_pinned = -1; // indices into m_tapes
    int m_tapeNodes = -1;           // how many nodes the shown graph was built of
    int m_records = -1;             // when m_tapes was cut
    bool m_adjusted = false;
};

} // namespace strata::panes
