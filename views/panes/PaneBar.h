#pragma once
// The strip at the top of a pane: what is shown, a few words about it, and the pane's own buttons.

#include "views/canvas/Theme.h"
#include "views/model/Stages.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace strata::panes {

class PaneBar : public QWidget {
    Q_OBJECT

public:
    explicit PaneBar(QWidget* parent = nullptr);
    void setTheme(const canvas::Theme& theme, model::Stage stage);

    QComboBox* chooser() const { return m_chooser; }
    /// Elided at the end when there is no room; the tool tip has it all.
    void setInfo(const QString& words);
    QString info() const { return m_words; }
    /// A button at the right. `glyph` is drawn by the bar, `name` names the glyph: "minus", "plus", "fit", "text".
    QToolButton* addButton(const QString& glyph);
    /// A widget before the buttons.
    void addWidget(QWidget* widget);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void elide();
    void drawGlyphs();

    QHBoxLayout* m_row;
    QComboBox* m_chooser;
    QLabel* m_info;
    QString m_words;
    canvas::Theme m_theme;
    model::Stage m_stage = model::Stage::Other;
};

} // namespace strata::panes
