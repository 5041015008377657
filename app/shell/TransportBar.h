#pragma once
// Plays, pauses, steps and scrubs through the stages of a run.

#include "views/canvas/Theme.h"
#include "views/model/Timeline.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace strata::shell {

class StepTrack;

class TransportBar : public QWidget {
    Q_OBJECT

public:
    TransportBar(model::Timeline* timeline, canvas::ThemeProvider* themes, QWidget* parent = nullptr);
    void retranslate();

private:
    void applyTheme();
    void update();

    model::Timeline* m_timeline;
    canvas::ThemeProvider* m_themes;
    QToolButton *m_start, *m_back, *m_play, *m_forward, *m_end;
    StepTrack* m_track;
    QLabel* m_label;
    QComboBox* m_speed;
};

} // namespace strata::shell
