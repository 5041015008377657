#include "views/model/Timeline.h"

#include <algorithm>
#include <cmath>

namespace strata::model {

namespace {

// What a record does to the cut into steps.
enum class Role { Neutral, Joins, Closes };

Role roleOf(const TraceModel::Head& head) {
    if (head.family == QLatin1String("artifact") && head.stage != Stage::Other) return Role::Closes;
    if (head.kind == QLatin1String("graph_break") || head.kind == QLatin1String("exception") ||
        head.kind == QLatin1String("run_started"))
        return Role::Closes;
    if (head.family == QLatin1String("step") || head.family == QLatin1String("eager") ||
        head.kind == QLatin1String("compile_started") || head.kind == QLatin1String("cache") ||
        head.kind == QLatin1String("launch"))
        return head.stage == Stage::Other ? Role::Neutral : Role::Joins;
    return Role::Neutral;
}

// An op walks the dispatcher and leaves its tape node in one go: one stage for the transport.
Stage stepStage(const TraceModel::Head& head) {
    return head.kind == QLatin1String("tape_node") ? Stage::Dispatcher : head.stage;
}

// Groups that may be long are cut, so that the transport can stop inside; the later the coarser, to keep steps few.
int largest(const Step& step, std::size_t steps) {
    const bool capped = step.stage == Stage::Dispatcher || step.stage == Stage::Kernels || step.stage == Stage::Tape ||
                        step.stage == Stage::Launches || step.stage == Stage::Cache;
    if (!capped) return 1 << 30;
    return 48 << std::min<std::size_t>(steps / 40, 20);
}

} // namespace

Timeline::Timeline(TraceModel* model, QObject* parent) : QObject(parent), m_model(model) {
    qRegisterMetaType<Moment>();
    connect(model, &TraceModel::appended, this, &Timeline::take);
    connect(model, &TraceModel::cleared, this, [this] {
        m_steps.clear();
        m_open = false;
        m_clock = 0;
        setPlaying(false);
        Q_EMIT stepsChanged();
        update(-1, 1);
    });
    if (model->recordCount() > 0) take(0, model->recordCount());
}

void Timeline::take(int first, int last) {
    const bool wasAtEnd = atEnd();
    const std::size_t before = m_steps.size();
    for (int i = first; i < last; ++i) takeOne(i);
    if (m_steps.size() != before || m_steps.empty()) Q_EMIT stepsChanged();
    // A step that grew after it was over stays over; playback that waited at the end goes on by advance().
    if (!m_playing && wasAtEnd && before == 0)
        toEnd();
    else
        update(m_moment.step, m_moment.phase);
}

void Timeline::takeOne(int record) {
    const TraceModel::Head& head = m_model->head(record);
    const Role role = roleOf(head);
    if (role == Role::Neutral) {
        if (m_steps.empty()) openStep(record, Stage::Other);
        m_steps.back().end = record + 1;
        return;
    }
    Stage stage = stepStage(head);
    // Launches between dispatches are part of the same eager work.
    const auto eager = [](Stage s) { return s == Stage::Dispatcher || s == Stage::Kernels; };
    if (m_open && eager(stage) && eager(m_steps.back().stage) && stage != m_steps.back().stage)
        stage = m_steps.back().stage = Stage::Dispatcher;
    if (m_open && m_steps.back().stage == Stage::Other) m_steps.back().stage = stage; // what led up to the first stage
    const bool sameCompile = m_open && (m_steps.back().compile == head.compile || head.compile.isEmpty());
    if (m_open && (m_steps.back().stage != stage || !sameCompile ||
                   m_steps.back().end - m_steps.back().begin >= largest(m_steps.back(), m_steps.size())))
        m_open = false;
    if (!m_open) openStep(record, stage);
    Step& step = m_steps.back();
    step.end = record + 1;
    step.kind = head.kind;
    if (!head.compile.isEmpty()) step.compile = head.compile;
    if (!head.region.isEmpty()) step.region = head.region;
    if (role == Role::Closes) m_open = false;
}

void Timeline::openStep(int record, Stage stage) {
    m_steps.push_back({record, record + 1, stage, m_model->head(record).kind, m_model->head(record).compile,
                       m_model->head(record).region});
    m_open = true;
}

bool Timeline::atEnd() const {
    return m_moment.step == stepCount() - 1 && m_moment.phase >= 1;
}

void Timeline::update(int step, double phase) {
    Moment next;
    next.step = std::clamp(step, -1, stepCount() - 1);
    next.phase = next.step < 0 ? 1 : std::clamp(phase, 0.0, 1.0);
    if (next.step >= 0) {
        const Step& at = m_steps[static_cast<std::size_t>(next.step)];
        next.shown = at.end;
        next.begin = next.phase >= 1 ? at.end : at.begin;
        next.position = at.begin + static_cast<int>(std::floor(next.phase * (at.end - at.begin)));
    }
    if (next == m_moment) return;
    m_moment = next;
    Q_EMIT moved(m_moment);
}

void Timeline::setPlaying(bool on) {
    if (m_playing == on) return;
    m_playing = on;
    Q_EMIT playingChanged(on);
}

void Timeline::play() {
    if (atEnd() && !m_following && stepCount() > 0) update(0, 0);
    setPlaying(true);
}

void Timeline::pause() {
    m_following = false;
    setPlaying(false);
}

void Timeline::stepForward() {
    pause();
    if (m_moment.phase < 1)
        update(m_moment.step, 1);
    else
        update(m_moment.step + 1, 1);
}

void Timeline::stepBack() {
    pause();
    update(m_moment.step - 1, 1);
}

void Timeline::toStart() {
    pause();
    update(-1, 1);
}

void Timeline::toEnd() {
    pause();
    update(stepCount() - 1, 1);
}

void Timeline::seek(int step, double phase) {
    m_following = false;
    update(step, phase);
}

void Timeline::seekRecord(int position) {
    m_following = false;
    const auto at = std::upper_bound(m_steps.begin(), m_steps.end(), position,
                                     [](int record, const Step& step) { return record < step.end; });
    if (at == m_steps.end()) return update(stepCount() - 1, 1);
    update(static_cast<int>(at - m_steps.begin()), double(position - at->begin) / std::max(1, at->end - at->begin));
}

void Timeline::setSpeed(double factor) {
    factor = std::clamp(factor, 0.1, 16.0);
    if (factor == m_speed) return;
    m_speed = factor;
    Q_EMIT speedChanged(factor);
}

void Timeline::setFollowing(bool on) {
    m_following = on;
    if (on) setPlaying(true);
}

double Timeline::duration(int step) const {
    if (step < 0 || step >= stepCount()) return 0;
    const Step& at = m_steps[static_cast<std::size_t>(step)];
    if (at.stage == Stage::Other || at.stage == Stage::Source) return 0.5;
    // Long steps take longer, but a thousand decisions do not take a thousand times as long.
    return 0.8 + 0.2 * std::log2(1.0 + at.end - at.begin);
}

void Timeline::advance(double seconds) {
    if (!m_playing || seconds <= 0) return;
    m_clock += seconds;
    const int waiting = stepCount() - 1 - m_moment.step;
    double left = seconds * m_speed * (m_following ? std::max(1.0, waiting / 6.0) : 1.0);
    int step = m_moment.step;
    double phase = m_moment.phase;
    while (left > 0) {
        if (phase >= 1) {
            if (step + 1 >= stepCount()) break;
            ++step;
            phase = 0;
        }
        const double need = (1 - phase) * duration(step);
        if (left < need) {
            phase += left / duration(step);
            left = 0;
        } else {
            left -= need;
            phase = 1;
        }
    }
    update(step, phase);
    if (atEnd() && !m_following) setPlaying(false);
}

} // namespace strata::model
