#pragma once
// A text of the trace, or the program, with its lines' marks: what is selected, what it came from, what it became, and
// where something went wrong. A click on a line tells which.

#include "views/canvas/Theme.h"
#include "views/model/Selection.h"

#include <Qsci/qsciscintilla.h>

namespace strata::panes {

class CodeView : public QsciScintilla {
    Q_OBJECT

public:
    enum class Language { Plain, Python, Cpp };

    explicit CodeView(Language language, QWidget* parent = nullptr);
    void applyTheme(const canvas::Theme& theme);
    /// Replaces the text, keeping the scroll position where the text is the same.
    void showText(const QString& text);
    /// Marks the lines of the artifact's items, and scrolls to the first selected or lit one that is out of sight.
    void light(const model::TraceModel& model, const model::Selection& selection, int artifact);
    /// A mark in the margin and the words under the line (from 1).
    void annotate(int line, const QString& words, bool error);
    void clearAnnotations();

Q_SIGNALS:
    /// The user clicked a line, counted from 1.
    void lineActivated(int line);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void setFonts(const canvas::Theme& theme);

    Language m_language;
};

} // namespace strata::panes
