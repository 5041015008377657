#include "views/panes/TextPanes.h"

#include "views/model/Words.h"

#include <QComboBox>
#include <QSplitter>
#include <QVBoxLayout>

namespace strata::panes {

using model::Words;

ColumnsPane::ColumnsPane(const QString& key, std::vector<Column> columns, const PaneContext& context, QWidget* parent)
    : Pane(key, context, parent), m_columns(std::move(columns)), m_bar(new PaneBar) {
    auto* layout = new QVBoxLayout(body());
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    layout->addWidget(splitter, 1);
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        auto* holder = new QWidget;
        auto* column = new QVBoxLayout(holder);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        View view{new QLabel, new CodeView(m_columns[c].language), -1};
        view.title->setContentsMargins(12, 5, 12, 5);
        view.text->setReadOnly(true);
        column->addWidget(view.title);
        column->addWidget(view.text, 1);
        splitter->addWidget(holder);
        m_views.push_back(view);
        connect(view.text, &CodeView::lineActivated, this, [this, c](int line) {
            if (m_views[c].artifact >= 0) selection().select(model().itemsAtLine(m_views[c].artifact, line));
        });
    }
    connect(m_bar->chooser(), &QComboBox::activated, this, [this] { showChoice(); });
}

void ColumnsPane::fillChooser(int shown) {
    std::vector<std::pair<QString, QString>> choices;
    for (const int a : model().artifactsOf(m_columns[0].kind)) {
        const model::Artifact& artifact = model().artifacts()[static_cast<std::size_t>(a)];
        if (artifact.record < shown) choices.emplace_back(artifact.compile, artifact.region);
    }
    if (choices == m_choices) return;
    m_choices = choices;
    QComboBox* chooser = m_bar->chooser();
    chooser->clear();
    for (const auto& [compile, region] : m_choices) {
        const model::Compile* c = model().compile(compile);
        QString words = (c ? c->function + "  " : QString()) + compile;
        if (!region.isEmpty()) words += "  " + Words::region(region);
        chooser->addItem(words);
    }
    chooser->setCurrentIndex(chooser->count() - 1);
}

void ColumnsPane::showAt(const model::Moment& moment) {
    if (m_shown == moment.shown && !m_choices.empty()) return;
    m_shown = moment.shown;
    fillChooser(moment.shown);
    if (m_choices.empty()) {
        const auto [heading, why] = emptyWords();
        setEmpty(heading, why);
        return;
    }
    setFilled();
    showChoice();
}

void ColumnsPane::showChoice() {
    const int index = m_bar->chooser()->currentIndex();
    if (index < 0) return;
    const auto& [compile, region] = m_choices[static_cast<std::size_t>(index)];
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        View& view = m_views[c];
        view.artifact = model().findArtifact(m_columns[c].kind, compile, region, m_shown);
        view.text->showText(view.artifact < 0 ? QString()
                                              : model().artifacts()[static_cast<std::size_t>(view.artifact)].text);
        view.title->setText(Words::artifact(m_columns[c].kind));
    }
    m_bar->setInfo(info(compile, region));
    relight();
}

void ColumnsPane::relight() {
    // A selection in another compile brings that one up.
    for (std::size_t i = 0; i < m_choices.size() && !selection().isEmpty(); ++i) {
        const int current = m_bar->chooser()->currentIndex();
        const auto touched = [&](std::size_t n) {
            const int artifact =
                model().findArtifact(m_columns[0].kind, m_choices[n].first, m_choices[n].second, m_shown);
            return artifact >= 0 && selection().touches(artifact);
        };
        if (current >= 0 && touched(static_cast<std::size_t>(current))) break;
        if (!touched(i)) continue;
        m_bar->chooser()->setCurrentIndex(static_cast<int>(i));
        showChoice();
        return;
    }
    for (const View& view : m_views) view.text->light(model(), selection(), view.artifact);
}

void ColumnsPane::applyTheme(const canvas::Theme& theme) {
    m_bar->setTheme(theme, stage());
    for (const View& view : m_views) {
        view.text->applyTheme(theme);
        view.title->setFont(canvas::Theme::font(-0.5, QFont::DemiBold));
        view.title->setStyleSheet(
            QStringLiteral("color: %1; background: %2;").arg(theme.muted.name(), theme.raised.name()));
    }
    relight();
}

void ColumnsPane::retranslate() {
    m_choices.clear();
    m_shown = -1;
    refresh();
}

// ---- bytecode
// --------------------------------------------------------------------------------------------------------

BytecodePane::BytecodePane(const PaneContext& context, QWidget* parent)
    : ColumnsPane(QStringLiteral("bytecode"), {{QStringLiteral("bytecode")}, {QStringLiteral("transformed_bytecode")}},
                  context, parent) {}

std::pair<QString, QString> BytecodePane::emptyWords() const {
    return {tr("The bytecode of each compiled frame"),
            tr("No frame has been compiled. Call a function that went through torch.compile.")};
}

QString BytecodePane::info(const QString& compile, const QString&) const {
    const model::Compile* c = model().compile(compile);
    if (!c) return {};
    QString words = Words::compileReason(c->reason);
    if (!c->status.isEmpty()) words += QStringLiteral("  ·  ") + Words::compileStatus(c->status);
    if (!c->code.isEmpty()) words += QStringLiteral(": ") + Words::graphBreak(c->code, c->hintValues);
    return words;
}

// ---- kernels
// ---------------------------------------------------------------------------------------------------------

KernelsPane::KernelsPane(const PaneContext& context, QWidget* parent)
    : ColumnsPane(QStringLiteral("kernels"),
                  {{QStringLiteral("cpp"), CodeView::Language::Cpp}, {QStringLiteral("llvm")}, {QStringLiteral("asm")}},
                  context, parent) {}

std::pair<QString, QString> KernelsPane::emptyWords() const {
    return {tr("The generated code: C++, LLVM IR, assembly"),
            tr("No kernel has been generated. The backend inductor makes them; eager and aot_eager do not.")};
}

QString KernelsPane::info(const QString& compile, const QString& region) const {
    const model::Compile* c = model().compile(compile);
    if (!c) return {};
    QStringList parts;
    for (const model::StageTime& time : c->stages)
        if (time.region == region &&
            (time.stage == "codegen" || time.stage == "clang" || time.stage == "llvm" || time.stage == "link"))
            parts << Words::stageTime(time.stage) + " " + Words::milliseconds(time.ms);
    return parts.join(QStringLiteral("  ·  "));
}

} // namespace strata::panes
