#include "views/panes/TablePanes.h"

#include "views/model/Words.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace strata::panes {

using model::TraceModel;
using model::Words;

namespace {

constexpr int itemRole = Qt::UserRole, lineRole = Qt::UserRole + 1, fileRole = Qt::UserRole + 2;

QTreeWidget* makeTree(QWidget* body) {
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* tree = new QTreeWidget;
    tree->setFrameShape(QFrame::NoFrame);
    tree->setUniformRowHeights(true);
    tree->setAlternatingRowColors(false);
    tree->setSelectionMode(QAbstractItemView::SingleSelection);
    tree->setTextElideMode(Qt::ElideMiddle);
    tree->header()->setStretchLastSection(true);
    layout->addWidget(tree);
    return tree;
}

void paintTree(QTreeWidget* tree, const canvas::Theme& theme) {
    QPalette palette = tree->palette();
    palette.setColor(QPalette::Base, theme.surface);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::Highlight, theme.soft(theme.selected));
    palette.setColor(QPalette::HighlightedText, theme.text);
    tree->setPalette(palette);
    tree->setStyleSheet(QStringLiteral("QTreeView::item { padding: 3px 4px; } QHeaderView::section { background: %1; "
                                       "color: %2; border: 0; padding: 5px 8px; }")
                            .arg(theme.raised.name(), theme.muted.name()));
}

QString placeText(const QString& file, int line) {
    return line > 0 ? QFileInfo(file).fileName() + QLatin1Char(':') + QString::number(line) : QString();
}

} // namespace

// ---- guards
// ----------------------------------------------------------------------------------------------------------

GuardsPane::GuardsPane(const PaneContext& context, QWidget* parent)
    : Pane(QStringLiteral("guards"), context, parent), m_tree(makeTree(body())) {
    m_tree->setColumnCount(4);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(2, QHeaderView::Stretch);
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, [this] {
        const auto chosen = m_tree->selectedItems();
        if (m_lighting || chosen.isEmpty() || !chosen.front()->data(0, itemRole).isValid()) return;
        selection().select(chosen.front()->data(0, itemRole).toInt());
    });
}

QString GuardsPane::summary(const QString& compile, int shown) const {
    int passed = 0, failed = 0;
    std::vector<double> ns;
    for (int i = 0, n = TraceModel::prefix(model().guardChecks(), shown); i < n; ++i) {
        const model::GuardCheck& check = model().guardChecks()[static_cast<std::size_t>(i)];
        if (check.compile != compile) continue;
        (check.passed ? passed : failed) += 1;
        ns.push_back(check.ns);
    }
    if (ns.empty()) return tr("not checked yet");
    std::nth_element(ns.begin(), ns.begin() + static_cast<std::ptrdiff_t>(ns.size() / 2), ns.end());
    return tr("checked %1×: %2 hit, %3 failed; median %4")
        .arg(ns.size())
        .arg(passed)
        .arg(failed)
        .arg(Words::nanoseconds(ns[ns.size() / 2]));
}

void GuardsPane::showAt(const model::Moment& moment) {
    if (m_shown == moment.position) return;
    m_shown = moment.position;
    fill(moment.position);
}

void GuardsPane::fill(int shown) {
    m_tree->clear();
    QMap<model::ItemId, int> failures;
    for (int i = 0, n = TraceModel::prefix(model().guardChecks(), shown); i < n; ++i) {
        const model::GuardCheck& check = model().guardChecks()[static_cast<std::size_t>(i)];
        if (!check.passed) ++failures[check.failed];
    }
    for (const int a : model().artifactsOf(QStringLiteral("guards"))) {
        const model::Artifact& artifact = model().artifacts()[static_cast<std::size_t>(a)];
        if (artifact.record >= shown) break;
        auto* entry = new QTreeWidgetItem(m_tree, {artifact.graph + QStringLiteral("  ") + artifact.compile, QString(),
                                                   summary(artifact.compile, shown)});
        QFont bold = canvas::Theme::font(0, QFont::DemiBold);
        entry->setFont(0, bold);
        entry->setForeground(2, theme().muted);
        for (const model::ItemId id : artifact.items) {
            const trace::Json& fields = model().fields(id);
            const auto text = [&](const char* name) {
                return QString::fromStdString(fields.value(name, std::string()));
            };
            auto* row =
                new QTreeWidgetItem(entry, {text("guard_kind"), text("source"), text("expression"),
                                            failures.contains(id) ? tr("failed %1×").arg(failures[id]) : QString()});
            row->setData(0, itemRole, id);
            row->setToolTip(0, Words::guardKind(text("guard_kind")));
            row->setToolTip(2, text("expression"));
            row->setFont(1, canvas::Theme::mono(-0.5));
            row->setFont(2, canvas::Theme::mono(-0.5));
            if (failures.contains(id))
                for (int c = 0; c < 4; ++c) {
                    row->setForeground(c, theme().error);
                    row->setBackground(c, theme().soft(theme().error));
                }
        }
        entry->setExpanded(true);
    }
    if (m_tree->topLevelItemCount() == 0) {
        setEmpty(tr("What each compiled graph relies on"),
                 tr("Nothing has been compiled, so there is nothing to guard."));
        return;
    }
    setFilled();
    for (const int column : {0, 1, 3}) m_tree->resizeColumnToContents(column);
    m_tree->setColumnWidth(0, qMin(m_tree->columnWidth(0), 280));
    m_tree->setColumnWidth(1, qMin(m_tree->columnWidth(1), 340));
    relight();
}

void GuardsPane::relight() {
    m_lighting = true;
    m_tree->clearSelection();
    for (int t = 0; t < m_tree->topLevelItemCount(); ++t)
        for (int r = 0; r < m_tree->topLevelItem(t)->childCount(); ++r) {
            QTreeWidgetItem* row = m_tree->topLevelItem(t)->child(r);
            const model::Lit lit = selection().lit(row->data(0, itemRole).toInt());
            const bool failed = !row->text(3).isEmpty();
            QBrush brush = failed ? QBrush(theme().soft(theme().error)) : QBrush(Qt::NoBrush);
            if (lit == model::Lit::Selected) brush = theme().soft(theme().selected);
            if (lit == model::Lit::Upstream) brush = theme().soft(theme().upstream);
            if (lit == model::Lit::Downstream) brush = theme().soft(theme().downstream);
            for (int c = 0; c < 4; ++c) row->setBackground(c, brush);
        }
    m_lighting = false;
}

void GuardsPane::applyTheme(const canvas::Theme& theme) {
    paintTree(m_tree, theme);
    m_shown = -1;
    refresh();
}

void GuardsPane::retranslate() {
    m_tree->setHeaderLabels({tr("Guard"), tr("On"), tr("Check"), tr("Outcome")});
    m_shown = -1;
    refresh();
}

// ---- console
// ---------------------------------------------------------------------------------------------------------

ConsolePane::ConsolePane(const PaneContext& context, QWidget* parent)
    : Pane(QStringLiteral("console"), context, parent), m_text(new QPlainTextEdit) {
    auto* layout = new QVBoxLayout(body());
    layout->setContentsMargins(0, 0, 0, 0);
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setMaximumBlockCount(20000);
    layout->addWidget(m_text);
    connect(&model(), &TraceModel::cleared, this, [this] {
        m_said.clear();
        m_shown = -1;
    });
}

void ConsolePane::say(const QString& words) {
    m_said += words + QLatin1Char('\n');
    m_shown = -1;
    refresh();
}

void ConsolePane::showAt(const model::Moment& moment) {
    if (m_shown == moment.position) return;
    m_shown = moment.position;
    QString text;
    const int outputs = TraceModel::prefix(model().output(), moment.position);
    for (int i = 0; i < outputs; ++i) text += model().output()[static_cast<std::size_t>(i)].text;
    for (int i = 0, n = TraceModel::prefix(model().exceptions(), moment.position); i < n; ++i)
        text += model().exceptions()[static_cast<std::size_t>(i)].traceback;
    text += m_said;
    if (text.isEmpty()) {
        setEmpty(tr("What the program prints"), model().recordCount() == 0
                                                    ? tr("Nothing has run yet.")
                                                    : tr("The program has printed nothing so far."));
        return;
    }
    setFilled();
    if (text == m_text->toPlainText()) return;
    m_text->setPlainText(text);
    m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->maximum());
}

void ConsolePane::applyTheme(const canvas::Theme& theme) {
    m_text->setFont(canvas::Theme::mono());
    m_text->setStyleSheet(QStringLiteral("QPlainTextEdit { background: %1; color: %2; padding: 8px; }")
                              .arg(theme.surface.name(), theme.text.name()));
}

void ConsolePane::retranslate() {
    m_shown = -1;
    refresh();
}

// ---- problems
// --------------------------------------------------------------------------------------------------------

ProblemsPane::ProblemsPane(const PaneContext& context, QWidget* parent)
    : Pane(QStringLiteral("problems"), context, parent), m_tree(makeTree(body())) {
    m_tree->setColumnCount(3);
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(false);
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* row) {
        Q_EMIT placeActivated(row->data(0, fileRole).toString(), row->data(0, lineRole).toInt());
    });
    connect(m_tree, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* row) {
        Q_EMIT placeActivated(row->data(0, fileRole).toString(), row->data(0, lineRole).toInt());
    });
}

void ProblemsPane::add(const QColor& colour, const QString& what, const QString& why, const QString& hint,
                       const QString& file, int line) {
    auto* row = new QTreeWidgetItem(
        m_tree, {what, placeText(file, line), hint.isEmpty() ? why : why + QStringLiteral("\n") + hint});
    row->setForeground(0, colour);
    row->setFont(0, canvas::Theme::font(0, QFont::DemiBold));
    row->setForeground(1, theme().muted);
    row->setToolTip(2, row->text(2));
    row->setData(0, fileRole, file);
    row->setData(0, lineRole, line);
}

void ProblemsPane::showAt(const model::Moment& moment) {
    if (m_shown == moment.position) return;
    m_shown = moment.position;
    m_tree->clear();
    for (int i = 0, n = TraceModel::prefix(model().graphBreaks(), moment.position); i < n; ++i) {
        const model::GraphBreak& b = model().graphBreaks()[static_cast<std::size_t>(i)];
        add(theme().warning, tr("Graph break"), Words::graphBreak(b.code, b.values), Words::graphBreakHint(b.code),
            b.file, b.line);
    }
    for (const model::Compile& c : model().compiles()) {
        if (c.finishedRecord < 0 || c.finishedRecord >= moment.position || c.status == QLatin1String("ok") ||
            c.status == QLatin1String("graph_break"))
            continue;
        add(theme().warning, Words::compileStatus(c.status), Words::graphBreak(c.code, c.hintValues),
            Words::graphBreakHint(c.code), c.codeFile.isEmpty() ? c.file : c.codeFile, c.codeLine);
    }
    for (int i = 0, n = TraceModel::prefix(model().cacheEvents(), moment.position); i < n; ++i) {
        const model::CacheEvent& e = model().cacheEvents()[static_cast<std::size_t>(i)];
        const model::Compile* c = model().compile(e.compile);
        if (e.event == QLatin1String("recompile") || e.event == QLatin1String("limit"))
            add(theme().muted, Words::cacheEvent(e.event), e.function + QStringLiteral(" ") + e.guardText, {},
                c ? c->file : QString(), c ? c->line : 0);
    }
    for (int i = 0, n = TraceModel::prefix(model().exceptions(), moment.position); i < n; ++i) {
        const model::Exception& e = model().exceptions()[static_cast<std::size_t>(i)];
        const model::Frame last = e.frames.empty() ? model::Frame() : e.frames.back();
        add(theme().error, e.type, e.message, {}, last.file, last.line);
    }
    if (m_tree->topLevelItemCount() == 0) {
        setEmpty(tr("Graph breaks, frames that stay in eager, exceptions"),
                 model().recordCount() == 0 ? tr("Nothing has run yet.") : tr("None so far."));
        return;
    }
    setFilled();
    m_tree->resizeColumnToContents(0);
    m_tree->resizeColumnToContents(1);
}

void ProblemsPane::applyTheme(const canvas::Theme& theme) {
    paintTree(m_tree, theme);
    m_shown = -1;
    refresh();
}

void ProblemsPane::retranslate() {
    m_tree->setHeaderLabels({tr("What"), tr("Where"), tr("Why")});
    m_shown = -1;
    refresh();
}

} // namespace strata::panes
