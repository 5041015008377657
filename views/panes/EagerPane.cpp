#include "views/panes/EagerPane.h"

#include "views/layout/LayeredLayout.h"
#include "views/model/Words.h"
#include "views/panes/DispatchTable.h"
#include "views/panes/EmptyState.h"
#include "views/panes/Legend.h"
#include "views/panes/PaneBar.h"
#include "views/panes/TableStyle.h"

#include <QComboBox>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace strata::panes {

using canvas::GraphCanvas;
using model::Moment;
using model::TraceModel;

namespace {

constexpr int sideBySideWidth = 1000;

} // namespace

EagerPane::EagerPane(const PaneContext& context, QWidget* parent)
    : Pane(QStringLiteral("eager"), context, parent), m_bar(new PaneBar(body())),
      m_table(new DispatchTable(context.model, context.selection, this)), m_log(new QTableView),
      m_canvas(new GraphCanvas), m_noTape(new EmptyState), m_tapeSide(new QWidget), m_legend(new Legend) {
    m_log->setModel(m_table);
    prepareTable(m_log);
    m_log->horizontalHeader()->setStretchLastSection(false);
    m_log->horizontalHeader()->setMinimumSectionSize(44);
    m_log->horizontalHeader()->setSectionResizeMode(DispatchTable::Arguments, QHeaderView::Stretch);
    connect(m_log, &QTableView::clicked, this, [this](const QModelIndex& at) {
        selection().select(model().dispatches()[static_cast<std::size_t>(at.row())].source);
    });
    connect(m_bar->addButton(QStringLiteral("minus")), &QToolButton::clicked, m_canvas, &GraphCanvas::zoomOut);
    connect(m_bar->addButton(QStringLiteral("plus")), &QToolButton::clicked, m_canvas, &GraphCanvas::zoomIn);
    connect(m_bar->addButton(QStringLiteral("fit")), &QToolButton::clicked, m_canvas, &GraphCanvas::fitAll);
    connect(m_bar->chooser(), &QComboBox::activated, this, [this](int row) {
        m_pinned = row - 1;
        showAt(timeline().moment());
        relight();
    });
    connect(m_canvas, &GraphCanvas::nodeClicked, this,
            [this](int node) { selection().select(m_graph.scene().nodes[static_cast<std::size_t>(node)].item); });
    connect(m_canvas, &GraphCanvas::backgroundClicked, &selection(), &model::Selection::clear);
    m_canvas->setToolTips([this](int node) { return toolTip(node); });
    connect(&model(), &TraceModel::cleared, this, [this] {
        m_tapes.clear();
        m_graph = {};
        m_tape = m_pinned = m_tapeNodes = m_records = -1;
        m_canvas->setScene({});
    });

    auto* side = new QVBoxLayout(m_tapeSide);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(0);
    side->addWidget(m_canvas, 1);
    side->addWidget(m_noTape, 1);
    side->addWidget(m_legend);
    auto* splitter = m_splitter = new QSplitter(Qt::Vertical, body());
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_log);
    splitter->addWidget(m_tapeSide);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({280, 420});
    auto* column = new QVBoxLayout(body());
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(splitter, 1);
}

QString EagerPane::title() const {
    return tr("Eager");
}

void EagerPane::showAt(const Moment& moment) {
    const bool anything = TraceModel::prefix(model().dispatches(), moment.shown) > 0 ||
                          TraceModel::prefix(model().tapeNodes(), moment.shown) > 0;
    if (!anything) {
        const QString heading = tr("Every operation, one after another");
        if (model().recordCount() == 0)
            setEmpty(heading, tr("Run a program to see what the dispatcher is asked for, and the autograd tape that is "
                                 "left behind."));
        else if (moment.shown < model().recordCount())
            setEmpty(heading, tr("The run has not come this far yet."));
        else
            setEmpty(heading, tr("No operation went through the dispatcher in this run."));
        return;
    }
    setFilled();
    showLog(moment);
    showTape(moment);
    m_bar->setInfo(info(moment));
}

void EagerPane::showLog(const Moment& moment) {
    const QScrollBar* bar = m_log->verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum() - 4;
    m_table->show(moment.position);
    if (atEnd) m_log->scrollToBottom();
    if (m_adjusted || m_table->rowCount() == 0) return;
    m_adjusted = true;
    m_log->resizeColumnsToContents();
    for (int column = 0; column < DispatchTable::ColumnCount; ++column)
        m_log->setColumnWidth(column, std::clamp(m_log->columnWidth(column) + 6, 48, 320));
}

void EagerPane::showTape(const Moment& moment) {
    if (m_records != model().recordCount()) {
        m_records = model().recordCount();
        m_tapes = tapesOf(model());
        fillChooser();
    }
    int wanted = -1;
    for (std::size_t i = 0; i < m_tapes.size(); ++i)
        if (model().tapeNodes()[static_cast<std::size_t>(m_tapes[i].firstNode)].record < moment.shown)
            wanted = static_cast<int>(i);
    if (m_pinned >= 0 && m_pinned <= wanted) wanted = m_pinned;
    m_canvas->setVisible(wanted >= 0);
    m_legend->setVisible(wanted >= 0);
    m_noTape->setVisible(wanted < 0);
    if (wanted < 0) {
        m_noTape->setWords(tr("The autograd tape"),
                           tr("Nothing is recorded: no operation so far has an input that requires a gradient."));
        m_tape = -1;
        return;
    }
    const Tape& tape = m_tapes[static_cast<std::size_t>(wanted)];
    if (wanted != m_tape || m_tapeNodes != tape.lastNode) {
        m_tape = wanted;
        m_tapeNodes = tape.lastNode;
        m_graph = TapeGraph(model(), tape, theme());
        canvas::Scene scene = m_graph.scene();
        scene.layout = layout::layered(scene.input());
        m_canvas->setScene(std::move(scene));
    }
    m_canvas->setFrame(m_graph.frameAt(model(), moment));
}

// Log and tape stand side by side where there is room: the tape is taller than wide.
void EagerPane::resizeEvent(QResizeEvent* event) {
    Pane::resizeEvent(event);
    const Qt::Orientation wanted = width() >= sideBySideWidth ? Qt::Horizontal : Qt::Vertical;
    if (wanted == m_splitter->orientation()) return;
    m_splitter->setOrientation(wanted);
    const int extent = wanted == Qt::Horizontal ? width() : height();
    const int log = wanted == Qt::Horizontal ? extent * 5 / 8 : extent * 2 / 5;
    m_splitter->setSizes({log, extent - log});
}

void EagerPane::fillChooser() {
    const QSignalBlocker quiet(m_bar->chooser());
    m_bar->chooser()->clear();
    m_bar->chooser()->addItem(tr("Follow the run"));
    for (std::size_t i = 0; i < m_tapes.size(); ++i) m_bar->chooser()->addItem(tr("Tape %1").arg(i + 1));
    m_bar->chooser()->setCurrentIndex(m_pinned + 1);
}

QString EagerPane::info(const Moment& moment) const {
    const int dispatches = m_table->rowCount();
    qint64 launches = 0;
    for (int i = 0; i < dispatches; ++i) launches += model().dispatches()[static_cast<std::size_t>(i)].launches;
    const int nodes = TraceModel::prefix(model().tapeNodes(), moment.position);
    QStringList words{tr("%1 dispatched").arg(dispatches), tr("%1 kernels launched").arg(launches)};
    if (nodes > 0) words.append(tr("%1 nodes on the tape").arg(nodes));
    if (m_tape >= 0 && m_graph.omitted() > 0)
        words.append(tr("the first %1 nodes of this tape are left out").arg(m_graph.omitted()));
    return words.join(QStringLiteral(" · "));
}

QString EagerPane::toolTip(int node) const {
    const canvas::SceneNode& shown = m_graph.scene().nodes[static_cast<std::size_t>(node)];
    QString html = QStringLiteral("<p style='white-space:pre'><b>%1</b></p>").arg(shown.title.toHtmlEscaped());
    for (const model::TapeNode& row : model().tapeNodes()) {
        if (row.item != shown.item) continue;
        if (!row.saved.isEmpty())
            html += QStringLiteral("<p>%1<br>%2</p>")
                        .arg(tr("Keeps for backward:").toHtmlEscaped(),
                             row.saved.join(QLatin1Char('\n'))
                                 .toHtmlEscaped()
                                 .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
        if (row.line > 0)
            html += QStringLiteral("<p>%1</p>")
                        .arg(tr("Recorded at %1:%2")
                                 .arg(row.file.section(QLatin1Char('/'), -1))
                                 .arg(row.line)
                                 .toHtmlEscaped());
        break;
    }
    for (const model::TapeRun& run : model().tapeRuns())
        if (run.item == shown.item && shown.item >= 0) {
            html += QStringLiteral("<p>%1</p>")
                        .arg(tr("Ran as number %1 of backward, in %2.")
                                 .arg(run.order + 1)
                                 .arg(model::Words::microseconds(run.durationUs))
                                 .toHtmlEscaped());
            break;
        }
    return html;
}

void EagerPane::relight() {
    m_table->restyle();
    std::vector<model::Lit> lit;
    if (!selection().isEmpty())
        for (const canvas::SceneNode& node : m_canvas->scene().nodes) lit.push_back(selection().lit(node.item));
    m_canvas->setLit(std::move(lit));
}

void EagerPane::applyTheme(const canvas::Theme& theme) {
    m_bar->setTheme(theme, stage());
    m_table->setTheme(theme);
    paintTable(m_log, theme);
    m_canvas->setTheme(theme);
    m_noTape->setTheme(theme, model::Stage::Tape);
    if (m_tape >= 0) {
        m_graph = TapeGraph(model(), m_tapes[static_cast<std::size_t>(m_tape)], theme);
        m_canvas->restyle(m_graph.scene());
    }
    fillLegend();
}

void EagerPane::retranslate() {
    fillChooser();
    m_bar->chooser()->setToolTip(tr("Which graph of the tape to show"));
    m_log->setAccessibleName(tr("Dispatch log"));
    m_canvas->setAccessibleName(tr("Autograd tape"));
    m_table->restyle();
    m_adjusted = false;
    fillLegend();
}

void EagerPane::fillLegend() {
    m_legend->set(theme(), {{theme().stage(model::Stage::Tape), tr("recorded by forward")},
                            {theme().stage(model::Stage::Tape), tr("run by backward"), false, true},
                            {theme().warning, tr("gradient of a leaf")}});
}

} // namespace strata::panes
