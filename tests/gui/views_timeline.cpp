// The transport: cutting a run into steps, stepping, playing by hand, following a run.

#include "tests/gui/SampleTrace.h"
#include "views/model/Timeline.h"

#include <QSignalSpy>
#include <catch2/catch.hpp>

using namespace strata;
using model::Moment;
using model::Stage;
using model::Timeline;
using model::TraceModel;

namespace {

struct Run {
    TraceModel model;
    Timeline timeline{&model};
    explicit Run(std::vector<trace::Record> records = tests::sampleTrace()) { model.append(std::move(records)); }
};

} // namespace

TEST_CASE("steps cover all records once, in order") {
    Run run;
    int at = 0;
    for (const model::Step& step : run.timeline.steps()) {
        CHECK(step.begin == at);
        CHECK(step.end > step.begin);
        at = step.end;
    }
    CHECK(at == run.model.recordCount());
}

TEST_CASE("an artifact and the decisions before it are one step") {
    Run run;
    const auto& steps = run.timeline.steps();
    const auto fused =
        std::find_if(steps.begin(), steps.end(), [](const model::Step& s) { return s.kind == "fused_loops"; });
    REQUIRE(fused != steps.end());
    CHECK(fused->stage == Stage::Inductor);
    CHECK(fused->compile == "0/0");
    CHECK(run.model.head(fused->begin).kind == "fusion");
    const auto isBreak = [](const model::Step& s) { return s.kind == "graph_break"; };
    CHECK(std::count_if(steps.begin(), steps.end(), isBreak) == 1);
}

TEST_CASE("the moment is a function of step and phase") {
    Run run;
    run.timeline.seek(3, 0.5);
    const Moment moment = run.timeline.moment();
    const model::Step step = run.timeline.steps()[3];
    CHECK(moment.begin == step.begin);
    CHECK(moment.shown == step.end);
    CHECK(moment.reveal(step.begin - 1) == 1);
    CHECK(moment.reveal(step.begin) == 0.5);
    CHECK(moment.reveal(step.end) == 0);
    run.timeline.seek(7);
    run.timeline.seek(3, 0.5);
    CHECK(run.timeline.moment() == moment);
    run.timeline.seek(3, 7.0);
    CHECK(run.timeline.moment().phase == 1);
    CHECK(run.timeline.moment().position == step.end);
    run.timeline.seek(-5);
    CHECK(run.timeline.moment().step == -1);
    CHECK(run.timeline.moment().shown == 0);
}

TEST_CASE("records of a step arrive one after another") {
    Moment moment;
    moment.begin = 10;
    moment.shown = 14;
    moment.phase = 0.375; // one and a half of four
    CHECK(moment.arrived(9) == 1);
    CHECK(moment.arrived(10) == 1);
    CHECK(moment.arrived(11) == 0.5);
    CHECK(moment.arrived(12) == 0);
    CHECK(moment.arrived(14) == 0);
}

TEST_CASE("stepping forward and back") {
    Run run;
    run.timeline.toStart();
    run.timeline.stepForward();
    CHECK(run.timeline.moment().step == 0);
    run.timeline.seek(4, 0.3);
    run.timeline.stepForward(); // finishes the step under way
    CHECK(run.timeline.moment().step == 4);
    CHECK(run.timeline.moment().phase == 1);
    run.timeline.stepForward();
    CHECK(run.timeline.moment().step == 5);
    run.timeline.stepBack();
    CHECK(run.timeline.moment().step == 4);
    run.timeline.toEnd();
    run.timeline.stepForward();
    CHECK(run.timeline.atEnd());
    run.timeline.toStart();
    run.timeline.stepBack();
    CHECK(run.timeline.moment().step == -1);
}

TEST_CASE("playing by hand passes through every step and stops") {
    Run run;
    run.timeline.toStart();
    QSignalSpy playing(&run.timeline, &Timeline::playingChanged);
    run.timeline.advance(1);
    CHECK(run.timeline.moment().step == -1); // not playing yet
    run.timeline.play();
    std::vector<bool> seen(run.timeline.steps().size(), false);
    for (int i = 0; i < 100000 && run.timeline.isPlaying(); ++i) {
        run.timeline.advance(0.05);
        seen[static_cast<std::size_t>(run.timeline.moment().step)] = true;
    }
    CHECK(run.timeline.atEnd());
    CHECK(std::all_of(seen.begin(), seen.end(), [](bool s) { return s; }));
    CHECK(playing.count() == 2);
    run.timeline.play(); // again from the start
    run.timeline.advance(0.01);
    CHECK(run.timeline.moment().step == 0);
}

TEST_CASE("speed scales time") {
    Run run;
    run.timeline.seek(0, 0);
    run.timeline.setSpeed(2);
    run.timeline.play();
    run.timeline.advance(run.timeline.duration(0) / 4);
    CHECK(run.timeline.moment().phase == Approx(0.5));
    run.timeline.setSpeed(1000);
    CHECK(run.timeline.speed() == 16);
}

TEST_CASE("following a run that is still sending") {
    TraceModel model;
    Timeline timeline(&model);
    timeline.setFollowing(true);
    std::vector<trace::Record> records = tests::sampleTrace();
    const std::size_t half = records.size() / 2;
    model.append(std::vector<trace::Record>(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(half)));
    for (int i = 0; i < 2000 && !timeline.atEnd(); ++i) timeline.advance(0.05);
    CHECK(timeline.atEnd());
    CHECK(timeline.isPlaying()); // waits for more
    const int before = timeline.moment().step;
    model.append(std::vector<trace::Record>(records.begin() + static_cast<std::ptrdiff_t>(half), records.end()));
    CHECK(timeline.moment().step == before);
    timeline.setFollowing(false);
    for (int i = 0; i < 2000 && timeline.isPlaying(); ++i) timeline.advance(0.05);
    CHECK(timeline.atEnd());
    CHECK_FALSE(timeline.isPlaying());
    CHECK(timeline.moment().shown == model.recordCount());
}

TEST_CASE("a loaded trace stands at its end, and clearing empties the transport") {
    Run run;
    CHECK(run.timeline.atEnd());
    CHECK(run.timeline.moment().shown == run.model.recordCount());
    run.timeline.seekRecord(run.model.recordCount() / 2);
    CHECK(run.timeline.moment().position <= run.model.recordCount() / 2);
    CHECK(run.timeline.moment().shown > run.model.recordCount() / 2);
    run.model.clear();
    CHECK(run.timeline.stepCount() == 0);
    CHECK(run.timeline.moment().step == -1);
    run.timeline.play();
    run.timeline.advance(1);
    run.timeline.stepForward();
    CHECK(run.timeline.moment().step == -1);
}

TEST_CASE("a long eager run has few steps") {
    Run run(tests::longEagerTrace(50000));
    CHECK(run.timeline.stepCount() < 1000);
}
