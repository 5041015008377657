#include "views/panes/CodeView.h"

#include <QMouseEvent>
#include <QScrollBar>
#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>

namespace strata::panes {

namespace {

enum Marker { SelectedLine = 1, UpstreamLine, DownstreamLine, ErrorMark, WarningMark };
enum Style { ErrorWords = 60, WarningWords };

} // namespace

CodeView::CodeView(Language language, QWidget* parent) : QsciScintilla(parent), m_language(language) {
    setUtf8(true);
    setFrameShape(QFrame::NoFrame);
    setMarginType(0, NumberMargin);
    setMarginType(1, SymbolMargin);
    setMarginWidth(1, 14);
    setMarginMarkerMask(1, 1 << ErrorMark | 1 << WarningMark);
    setFolding(NoFoldStyle);
    setWrapMode(WrapNone);
    setTabWidth(4);
    setIndentationsUseTabs(false);
    setAutoIndent(true);
    setCaretLineVisible(false);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setAnnotationDisplay(AnnotationIndented);
    setExtraAscent(2);
    setExtraDescent(2);
    markerDefine(Background, SelectedLine);
    markerDefine(Background, UpstreamLine);
    markerDefine(Background, DownstreamLine);
    markerDefine(Circle, ErrorMark);
    markerDefine(RightTriangle, WarningMark);
    if (language == Language::Python) setLexer(new QsciLexerPython(this));
    if (language == Language::Cpp) setLexer(new QsciLexerCPP(this));
}

void CodeView::setFonts(const canvas::Theme& theme) {
    const QFont font = canvas::Theme::mono();
    QsciLexer* own = lexer();
    if (!own) {
        setFont(font);
        setColor(theme.text);
        setPaper(theme.surface);
        return;
    }
    own->setDefaultFont(font);
    own->setDefaultPaper(theme.surface);
    own->setDefaultColor(theme.text);
    own->setFont(font, -1);
    own->setPaper(theme.surface, -1);
    own->setColor(theme.text, -1);
    const QColor keyword = theme.stage(model::Stage::Dynamo), number = theme.stage(model::Stage::Inductor);
    const QColor string = theme.ok, comment = theme.muted, name = theme.stage(model::Stage::Fx);
    if (m_language == Language::Python) {
        using L = QsciLexerPython;
        for (const int style : {L::Keyword, L::Decorator}) own->setColor(keyword, style);
        for (const int style :
             {L::SingleQuotedString, L::DoubleQuotedString, L::TripleSingleQuotedString, L::TripleDoubleQuotedString})
            own->setColor(string, style);
        for (const int style : {L::Comment, L::CommentBlock}) own->setColor(comment, style);
        for (const int style : {L::ClassName, L::FunctionMethodName}) own->setColor(name, style);
        own->setColor(number, L::Number);
    } else {
        using L = QsciLexerCPP;
        for (const int style : {L::Keyword, L::KeywordSet2}) own->setColor(keyword, style);
        for (const int style : {L::DoubleQuotedString, L::SingleQuotedString}) own->setColor(string, style);
        for (const int style : {L::Comment, L::CommentLine, L::CommentDoc}) own->setColor(comment, style);
        own->setColor(theme.stage(model::Stage::Codegen), L::PreProcessor);
        own->setColor(number, L::Number);
    }
}

void CodeView::applyTheme(const canvas::Theme& theme) {
    setFonts(theme);
    setMarginsFont(canvas::Theme::mono(-1));
    setMarginsBackgroundColor(theme.sunken);
    setMarginsForegroundColor(theme.faint);
    setCaretForegroundColor(theme.text);
    setSelectionBackgroundColor(canvas::mix(theme.surface, theme.accent, 0.35));
    resetSelectionForegroundColor();
    setMarkerBackgroundColor(theme.soft(theme.selected), SelectedLine);
    setMarkerBackgroundColor(theme.soft(theme.upstream), UpstreamLine);
    setMarkerBackgroundColor(theme.soft(theme.downstream), DownstreamLine);
    for (const auto& [mark, colour] : {std::pair(ErrorMark, theme.error), std::pair(WarningMark, theme.warning)}) {
        setMarkerBackgroundColor(colour, mark);
        setMarkerForegroundColor(colour, mark);
    }
    const QFont words = canvas::Theme::font(-0.5);
    const auto style = [&](int number, const QColor& colour) {
        SendScintilla(SCI_STYLESETFORE, static_cast<unsigned long>(number), colour);
        SendScintilla(SCI_STYLESETBACK, static_cast<unsigned long>(number), theme.soft(colour));
        SendScintilla(SCI_STYLESETFONT, static_cast<unsigned long>(number), words.family().toUtf8().constData());
        SendScintilla(SCI_STYLESETSIZE, static_cast<unsigned long>(number), static_cast<long>(words.pointSizeF()));
    };
    style(ErrorWords, theme.error);
    style(WarningWords, theme.warning);
}

void CodeView::showText(const QString& text) {
    if (text == this->text()) return;
    setText(text);
    setMarginWidth(0, QString(qMax(3, QString::number(lines()).size() + 1), QLatin1Char('0')));
    setScrollWidth(1);
    SendScintilla(SCI_SETXOFFSET, 0);
}

void CodeView::light(const model::TraceModel& model, const model::Selection& selection, int artifact) {
    for (const int mark : {SelectedLine, UpstreamLine, DownstreamLine}) markerDeleteAll(mark);
    if (artifact < 0 || selection.isEmpty()) return;
    int first = -1;
    for (const model::ItemId id : model.artifacts()[static_cast<std::size_t>(artifact)].items) {
        const model::Lit lit = selection.lit(id);
        const model::Item& item = model.item(id);
        if (lit == model::Lit::None || item.line <= 0) continue;
        const int mark = lit == model::Lit::Selected   ? SelectedLine
                         : lit == model::Lit::Upstream ? UpstreamLine
                                                       : DownstreamLine;
        // What spans many lines (a whole kernel) would drown the lines that matter.
        const int last = item.endLine - item.line > 12 ? item.line : item.endLine;
        for (int line = item.line; line <= last; ++line) markerAdd(line - 1, static_cast<int>(mark));
        if (first < 0 || lit == model::Lit::Selected) first = item.line - 1;
    }
    const int top = firstVisibleLine(), shown = static_cast<int>(SendScintilla(SCI_LINESONSCREEN));
    if (first >= 0 && (first < top || first >= top + shown)) setFirstVisibleLine(qMax(0, first - shown / 3));
}

void CodeView::annotate(int line, const QString& words, bool error) {
    if (line < 1 || line > lines()) return;
    markerAdd(line - 1, error ? ErrorMark : WarningMark);
    QsciScintilla::annotate(line - 1, words, error ? ErrorWords : WarningWords);
}

void CodeView::clearAnnotations() {
    QsciScintilla::clearAnnotations();
    markerDeleteAll(ErrorMark);
    markerDeleteAll(WarningMark);
}

void CodeView::mouseReleaseEvent(QMouseEvent* event) {
    QsciScintilla::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton || hasSelectedText()) return;
    int line = 0, column = 0;
    getCursorPosition(&line, &column);
    Q_EMIT lineActivated(line + 1);
}

} // namespace strata::panes
