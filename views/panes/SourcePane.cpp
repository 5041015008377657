#include "views/panes/SourcePane.h"

#include "views/model/Words.h"

#include <QVBoxLayout>

namespace strata::panes {

SourcePane::SourcePane(const PaneContext& context, QWidget* parent)
    : Pane(QStringLiteral("source"), context, parent), m_editor(new CodeView(CodeView::Language::Python)) {
    auto* layout = new QVBoxLayout(body());
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_editor);
    setFilled();
    connect(m_editor, &QsciScintilla::modificationChanged, this, &SourcePane::modificationChanged);
    // The marks belong to the text that ran.
    connect(m_editor, &QsciScintilla::textChanged, this, [this] {
        if (m_editor->isModified()) m_editor->clearAnnotations();
    });
    connect(m_editor, &CodeView::lineActivated, this, [this](int line) {
        const model::ItemId id = model().sourceLine(m_path, line);
        if (id != model::noItem) selection().select(id);
    });
}

void SourcePane::setProgram(const QString& text, const QString& path) {
    m_path = path;
    m_editor->clearAnnotations();
    m_editor->showText(text);
    m_editor->setModified(false);
    m_shown = -1;
}

void SourcePane::goTo(int line) {
    m_editor->setCursorPosition(line - 1, 0);
    m_editor->ensureLineVisible(line - 1);
    m_editor->setFocus();
}

void SourcePane::showAt(const model::Moment& moment) {
    if (moment.position == m_shown) return;
    m_shown = moment.position;
    annotate(moment.position);
    relight();
}

void SourcePane::annotate(int shown) {
    m_editor->clearAnnotations();
    if (m_editor->isModified()) return;
    QMap<int, QString> words;
    for (int i = 0, n = model::TraceModel::prefix(model().graphBreaks(), shown); i < n; ++i) {
        const model::GraphBreak& b = model().graphBreaks()[static_cast<std::size_t>(i)];
        if (b.file == m_path) words[b.line] = tr("Graph break: %1").arg(model::Words::graphBreak(b.code, b.values));
    }
    for (const model::Compile& c : model().compiles())
        if (c.finishedRecord >= 0 && c.finishedRecord < shown && c.status == QLatin1String("skipped") &&
            c.codeFile == m_path)
            words[c.codeLine] = tr("Not compiled: %1").arg(model::Words::graphBreak(c.code, c.hintValues));
    for (auto it = words.cbegin(); it != words.cend(); ++it) m_editor->annotate(it.key(), it.value(), false);
    for (int i = 0, n = model::TraceModel::prefix(model().exceptions(), shown); i < n; ++i) {
        const model::Exception& e = model().exceptions()[static_cast<std::size_t>(i)];
        for (auto frame = e.frames.rbegin(); frame != e.frames.rend(); ++frame) {
            if (frame->file != m_path) continue;
            m_editor->annotate(frame->line, e.type + ": " + e.message, true);
            break;
        }
    }
}

void SourcePane::relight() {
    const std::vector<int>& sources = model().artifactsOf(QStringLiteral("source"));
    m_editor->light(model(), selection(), sources.empty() || m_editor->isModified() ? -1 : sources.front());
}

void SourcePane::applyTheme(const canvas::Theme& theme) {
    m_editor->applyTheme(theme);
    relight();
}

void SourcePane::retranslate() {
    m_shown = -1;
    refresh();
}

} // namespace strata::panes
