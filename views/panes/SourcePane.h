#pragma once
// The program: an editor. Lines light up with the selection; a line where an exception came from, or where a graph
// broke, carries the words.

#include "views/panes/CodeView.h"
#include "views/panes/Pane.h"

namespace strata::panes {

class SourcePane : public Pane {
    Q_OBJECT

public:
    explicit SourcePane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override { return tr("Source"); }
    model::Stage stage() const override { return model::Stage::Source; }

    QString text() const { return m_editor->text(); }
    /// Replaces the program. `path` is what the trace calls the file.
    void setProgram(const QString& text, const QString& path);
    QString path() const { return m_path; }
    bool isModified() const { return m_editor->isModified(); }
    void setModified(bool modified) { m_editor->setModified(modified); }
    void goTo(int line);

Q_SIGNALS:
    void modificationChanged(bool modified);

protected:
    void showAt(const model::Moment& moment) override;
    void relight() override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;

private:
    void annotate(int shown);

    CodeView* m_editor;
    QString m_path;
    int m_shown = -1;
};

} // namespace strata::panes
