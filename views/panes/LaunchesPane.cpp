#include "views/panes/LaunchesPane.h"

#include "views/model/Words.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QStackedBarSeries>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>

namespace strata::panes {

using model::TraceModel;
using model::Words;

namespace {
constexpr int maxRows = 2000; // of the table; the charts count all
}

LaunchesPane::LaunchesPane(const PaneContext& context, QWidget* parent)
    : Pane(QStringLiteral("launches"), context, parent), m_table(new QTreeWidget), m_charts(new QWidget) {
    auto* layout = new QVBoxLayout(body());
    layout->setContentsMargins(0, 0, 0, 0);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setHandleWidth(1);
    splitter->addWidget(m_charts);
    splitter->addWidget(m_table);
    splitter->setSizes({320, 260});
    layout->addWidget(splitter);
    auto* row = new QHBoxLayout(m_charts);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    m_charts->setMinimumHeight(220);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setColumnCount(6);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    connect(m_table, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        const int id = item->data(0, Qt::UserRole).toInt();
        if (id != model::noItem) selection().select(id);
    });
}

void LaunchesPane::makeCharts() {
    if (m_counts) return;
    for (QChartView** view : {&m_counts, &m_times}) {
        auto* chart = new QChart;
        chart->setMargins({4, 4, 4, 4});
        chart->setBackgroundRoundness(6);
        chart->legend()->setVisible(false);
        *view = new QChartView(chart);
        (*view)->setRenderHint(QPainter::Antialiasing);
        (*view)->setFrameShape(QFrame::NoFrame);
        m_charts->layout()->addWidget(*view);
    }
}

namespace {

struct Bar {
    double value = 0;
    bool known = false;
    QString words;
};

void draw(QChartView* view, const QString& title, const QString& eagerName, const QString& compiledName,
          const Bar& eager, const Bar& compiled, const canvas::Theme& theme) {
    QChart* chart = view->chart();
    chart->removeAllSeries();
    for (QAbstractAxis* axis : chart->axes()) {
        chart->removeAxis(axis);
        delete axis;
    }
    chart->setTitle(title);
    chart->setTitleFont(canvas::Theme::font(0, QFont::DemiBold));
    chart->setTitleBrush(theme.text);
    chart->setBackgroundBrush(theme.raised);
    auto* series = new QStackedBarSeries;
    QStringList names;
    // One set a bar, so that each has its colour.
    const auto add = [&](const QString& name, const Bar& bar, const QColor& colour, int place) {
        auto* set = new QBarSet(name);
        set->setColor(colour);
        set->setBorderColor(colour);
        for (int i = 0; i < 2; ++i) set->append(i == place && bar.known ? bar.value : 0);
        series->append(set);
        names << (bar.known ? name + QStringLiteral("\n") + bar.words : name);
    };
    add(eagerName, eager, theme.eager, 0);
    add(compiledName, compiled, theme.compiled, 1);
    series->setBarWidth(0.45);
    chart->addSeries(series);
    auto* across = new QBarCategoryAxis;
    across->append(names);
    across->setLabelsColor(theme.text);
    across->setLabelsFont(canvas::Theme::font());
    across->setGridLineVisible(false);
    across->setLinePenColor(theme.border);
    chart->addAxis(across, Qt::AlignBottom);
    series->attachAxis(across);
    auto* up = new QValueAxis;
    up->setRange(0, qMax(1e-9, qMax(eager.value, compiled.value) * 1.1));
    up->setLabelsVisible(false);
    up->setGridLineColor(theme.border);
    up->setLineVisible(false);
    chart->addAxis(up, Qt::AlignLeft);
    series->attachAxis(up);
}

} // namespace

// The comparison that was asked for runs the program again both ways; without it, this run's own launches are counted.
void LaunchesPane::fillCharts(int shown) {
    Bar eagerCount, compiledCount, eagerTime, compiledTime;
    for (int i = 0, n = TraceModel::prefix(model().measured(), shown); i < n; ++i) {
        const model::Measured& m = model().measured()[static_cast<std::size_t>(i)];
        Bar& count = m.compiled ? compiledCount : eagerCount;
        Bar& time = m.compiled ? compiledTime : eagerTime;
        count = {static_cast<double>(m.launches), true, QString::number(m.launches)};
        time = {m.medianUs, true, Words::microseconds(m.medianUs)};
    }
    const bool compared = eagerCount.known || compiledCount.known;
    if (!compared)
        for (int i = 0, n = TraceModel::prefix(model().launches(), shown); i < n; ++i) {
            const model::Launch& launch = model().launches()[static_cast<std::size_t>(i)];
            Bar& count = launch.compiled ? compiledCount : eagerCount;
            Bar& time = launch.compiled ? compiledTime : eagerTime;
            count = {count.value + 1, true, QString::number(static_cast<int>(count.value + 1))};
            time = {time.value + launch.durationUs, true, Words::microseconds(time.value + launch.durationUs)};
        }
    makeCharts();
    draw(m_counts, compared ? tr("Kernel launches of the whole program") : tr("Kernel launches of this run"),
         tr("eager"), tr("compiled"), eagerCount, compiledCount, theme());
    draw(m_times, compared ? tr("Median time of a compiled function's call") : tr("Time in kernels of this run"),
         tr("eager"), tr("compiled"), eagerTime, compiledTime, theme());
}

void LaunchesPane::fillTable(int shown) {
    m_table->clear();
    const int count = TraceModel::prefix(model().launches(), shown);
    QList<QTreeWidgetItem*> rows;
    for (int i = std::max(0, count - maxRows); i < count; ++i) {
        const model::Launch& launch = model().launches()[static_cast<std::size_t>(i)];
        auto* row = new QTreeWidgetItem({launch.kernel, launch.compiled ? tr("compiled") : tr("eager"),
                                         Words::region(launch.region), Words::microseconds(launch.startUs),
                                         Words::microseconds(launch.durationUs),
                                         Words::bytes(static_cast<double>(launch.bytes))});
        row->setData(0, Qt::UserRole, launch.from);
        row->setFont(0, canvas::Theme::mono(-0.5));
        row->setForeground(1, launch.compiled ? theme().compiled : theme().eager);
        for (const int column : {3, 4, 5}) row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        rows << row;
    }
    m_table->addTopLevelItems(rows);
    for (int column = 1; column < 6; ++column) m_table->resizeColumnToContents(column);
}

void LaunchesPane::showAt(const model::Moment& moment) {
    if (m_shown == moment.position) return;
    m_shown = moment.position;
    if (TraceModel::prefix(model().launches(), moment.position) == 0) {
        setEmpty(tr("Kernel launches, eager against compiled"),
                 model().recordCount() == 0 ? tr("Nothing has run yet.") : tr("No kernel has been launched so far."));
        return;
    }
    setFilled();
    fillCharts(moment.position);
    fillTable(moment.position);
    relight();
}

void LaunchesPane::relight() {
    for (int r = 0; r < m_table->topLevelItemCount(); ++r) {
        QTreeWidgetItem* row = m_table->topLevelItem(r);
        const int id = row->data(0, Qt::UserRole).toInt();
        const bool lit = id != model::noItem && selection().lit(id) != model::Lit::None;
        for (int c = 0; c < 6; ++c)
            row->setBackground(c, lit ? QBrush(theme().soft(theme().downstream)) : QBrush(Qt::NoBrush));
    }
}

void LaunchesPane::applyTheme(const canvas::Theme& theme) {
    QPalette palette = m_table->palette();
    palette.setColor(QPalette::Base, theme.surface);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::Highlight, theme.soft(theme.selected));
    palette.setColor(QPalette::HighlightedText, theme.text);
    m_table->setPalette(palette);
    m_table->setStyleSheet(
        QStringLiteral("QHeaderView::section { background: %1; color: %2; border: 0; padding: 5px 8px; }")
            .arg(theme.raised.name(), theme.muted.name()));
    m_charts->setStyleSheet(QStringLiteral("background: %1;").arg(theme.surface.name()));
    m_shown = -1;
    refresh();
}

void LaunchesPane::retranslate() {
    m_table->setHeaderLabels({tr("Kernel"), tr("Mode"), tr("Region"), tr("Start"), tr("Duration"), tr("Bytes")});
    m_shown = -1;
    refresh();
}

} // namespace strata::panes
