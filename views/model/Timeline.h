#pragma once
// The transport: where in a run the panes stand. A run is cut into steps, one for what a stage left behind together
// with the decisions that led to it; within a step a phase runs from 0 to 1 and drives the panes' animations. What a
// pane shows is a function of model, Moment and selection alone, so that any frame can be asked for.
//
// The timeline has no timer: the window calls advance(seconds) as time passes, a test calls it as it likes.

#include "views/model/TraceModel.h"

#include <QObject>

#include <algorithm>
#include <vector>

namespace strata::model {

/// Records [begin, end) of one stage.
struct Step {
    int begin = 0, end = 0;
    Stage stage = Stage::Other;
    QString kind;            // the record that closes it: an artifact's kind, "graph_break", "call", ..
    QString compile, region; // may be empty
};

/// A point of a run.
struct Moment {
    int step = -1;    // index of the step under way; -1 before the first
    double phase = 1; // 0..1 within it
    int begin = 0;    // records [0, begin) belong to steps that are over
    int shown = 0;    // records [0, shown) are on screen: all of the step under way, so that its artifact can animate
    int position = 0; // records [0, position) have happened, by phase: for logs, counts and decisions one by one
    bool operator==(const Moment&) const = default;

    /// How much of what `record` left is visible: 1 when its step is over, the phase within it, 0 before.
    double reveal(int record) const { return record < begin ? 1 : record < shown ? phase : 0; }
    /// The same when the records of a step come one after another, each in its share of the phase.
    double arrived(int record) const {
        if (record < begin || record >= shown) return record < begin ? 1 : 0;
        return std::clamp(phase * (shown - begin) - (record - begin), 0.0, 1.0);
    }
};

class Timeline : public QObject {
    Q_OBJECT

public:
    explicit Timeline(TraceModel* model, QObject* parent = nullptr);

    const std::vector<Step>& steps() const { return m_steps; }
    int stepCount() const { return static_cast<int>(m_steps.size()); }
    const Moment& moment() const { return m_moment; }
    bool isPlaying() const { return m_playing; }
    bool atEnd() const;
    double speed() const { return m_speed; }
    /// Seconds that this timeline has played, for motion that never ends (pulses along edges).
    double clock() const { return m_clock; }

    void play(); // from the start when at the end
    void pause();
    /// Finishes the step under way, or enters the next.
    void stepForward();
    /// To the end of the step before.
    void stepBack();
    void toStart();
    void toEnd();
    /// Clamped; `phase` in 0..1.
    void seek(int step, double phase = 1);
    /// To the step that holds record `position`, at its share of the step.
    void seekRecord(int position);
    void setSpeed(double factor); // 0.1 .. 16
    /// Following plays on as steps arrive, hurries when it falls behind and waits at the end; seek and pause end it.
    /// Turn it off when the run is over: playback then stops at the end.
    void setFollowing(bool on);
    bool isFollowing() const { return m_following; }
    /// Time passes: nothing unless playing.
    void advance(double seconds);

    /// Seconds that the step takes at speed 1.
    double duration(int step) const;

Q_SIGNALS:
    void moved(const strata::model::Moment& moment);
    void stepsChanged();
    void playingChanged(bool playing);
    void speedChanged(double factor);

private:
    void take(int first, int last);
    void takeOne(int record);
    void openStep(int record, Stage stage);
    void update(int step, double phase);
    void setPlaying(bool on);

    TraceModel* m_model;
    std::vector<Step> m_steps;
    bool m_open = false; // the last step still grows
    Moment m_moment;
    bool m_playing = false, m_following = false;
    double m_speed = 1, m_clock = 0;
};

} // namespace strata::model

Q_DECLARE_METATYPE(strata::model::Moment)
