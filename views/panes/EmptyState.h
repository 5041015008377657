#pragma once
// What a pane shows when it has nothing to show: what would be here, and why it is empty.

#include "views/canvas/Theme.h"
#include "views/model/Stages.h"

#include <QWidget>

namespace strata::panes {

class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);
    void setWords(const QString& heading, const QString& why);
    void setTheme(const canvas::Theme& theme, model::Stage stage);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_heading, m_why;
    canvas::Theme m_theme;
    model::Stage m_stage = model::Stage::Other;
};

} // namespace strata::panes
