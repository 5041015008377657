// TraceModel and Selection: indexing, provenance both ways, records that are wrong, size.

#include "engine/trace/Stream.h"
#include "tests/gui/SampleTrace.h"
#include "views/model/Fields.h"
#include "views/model/Selection.h"
#include "views/model/Words.h"

#include <QElapsedTimer>
#include <QSignalSpy>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace strata;
using model::ItemId;
using model::Lit;
using model::TraceModel;
using trace::Json;

namespace {

bool has(const std::vector<ItemId>& items, ItemId id) {
    return std::find(items.begin(), items.end(), id) != items.end();
}

Json artifact(const char* kind, Json items) {
    return trace::make(
        "artifact", kind,
        {{"compile", "0/0"}, {"region", ""}, {"graph", ""}, {"text", "a\nb\nc\n"}, {"items", std::move(items)}});
}

} // namespace

TEST_CASE("the model indexes a trace") {
    TraceModel model;
    QSignalSpy appended(&model, &TraceModel::appended), artifacts(&model, &TraceModel::artifactAppended);
    model.append(tests::sampleTrace());
    CHECK(appended.count() == 1);
    CHECK(artifacts.count() == static_cast<int>(model.artifacts().size()));
    CHECK(model.run().path == "train.py");
    CHECK(model.run().status == "ok");
    CHECK(model.run().counters.value("compiled_launches") == 6);
    REQUIRE(model.compile("0/0"));
    CHECK(model.compile("0/0")->function == "layer");
    CHECK(model.compile("0/0")->status == "ok");
    CHECK(model.compile("0/0")->stages.size() == 9);
    CHECK(model.compiles().size() == 3);
    CHECK(model.dispatches().size() == 10);
    CHECK(model.tapeNodes().size() == 6);
    CHECK(model.tapeRuns().size() == 6);
    CHECK(model.fusions().size() == 6);
    CHECK(model.graphBreaks().size() == 1);
    CHECK(model.dispatches()[4].keys == QStringList{"AutogradCPU", "CPU"});
    CHECK(model.dispatches()[4].arguments == "f32[64, 128], f32[128, 256]");
    CHECK(model.dispatches()[4].source == model.sourceLine("train.py", 5));
    CHECK(model.findArtifact("fx", "0/1") > model.findArtifact("fx", "0/0"));
    CHECK(model.findArtifact("prims", "0/0", "backward") == -1);
    CHECK(model.findArtifact("fx", "0/0", {}, 3) == -1); // not among the first records
}

TEST_CASE("records come back as they went in") {
    TraceModel model;
    const std::vector<trace::Record> records = tests::sampleTrace();
    model.append(records);
    REQUIRE(model.recordCount() == static_cast<int>(records.size()));
    for (int i = 0; i < model.recordCount(); ++i) REQUIRE(model.record(i) == records[static_cast<std::size_t>(i)]);
    trace::StreamReader reader;
    const QByteArray bytes = model.bytes();
    reader.feed(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    int count = 0;
    while (const auto record = reader.next()) CHECK(*record == records[static_cast<std::size_t>(count++)]);
    reader.finish();
    CHECK(count == model.recordCount());
    CHECK(reader.damage().empty());
}

TEST_CASE("provenance leads both ways through every stage") {
    TraceModel model;
    model.append(tests::sampleTrace());
    const ItemId gelu = model.find("fx:0/0:h");
    REQUIRE(gelu != model::noItem);
    const model::Related related = model.related(gelu);
    CHECK(has(related.upstream, model.sourceLine("train.py", 5)));
    CHECK(has(related.upstream, model.find("bytecode:0/0:36")));
    CHECK(has(related.downstream, model.find("joint:0/0:erf")));
    CHECK(has(related.downstream, model.find("loops:0/0:forward:buf1")));
    CHECK(has(related.downstream, model.find("asm:0/0:forward:2")));
    CHECK_FALSE(has(related.upstream, gelu));
    CHECK_FALSE(has(related.downstream, model.find("fx:0/0:matmul"))); // another operation of the same line
    const model::Related line = model.related(model.find("asm:0/0:forward:2"));
    CHECK(has(line.upstream, gelu));
    CHECK(line.downstream.empty());
}

TEST_CASE("an id may be mentioned before it is defined") {
    TraceModel model;
    model.append(artifact("joint", {{{"id", "joint:0/0:a"}, {"from", {"fx:0/0:a"}}, {"line", 1}, {"label", "a"}}}));
    const ItemId early = model.find("fx:0/0:a");
    REQUIRE(early != model::noItem);
    CHECK(model.item(early).artifact == -1);
    CHECK(model.fields(early).empty());
    model.append(artifact("fx", {{{"id", "fx:0/0:a"}, {"from", {"source:f.py:1"}}, {"line", 2}, {"label", "a"}}}));
    CHECK(model.find("fx:0/0:a") == early);
    CHECK(model.item(early).artifact == 1);
    CHECK(has(model.related(model.find("joint:0/0:a")).upstream, model.find("source:f.py:1")));
}

TEST_CASE("provenance with a cycle ends") {
    TraceModel model;
    model.append(artifact("fx", {{{"id", "x"}, {"from", {"y", "x"}}}, {{"id", "y"}, {"from", {"x"}}}}));
    const model::Related related = model.related(model.find("x"));
    CHECK(related.upstream == std::vector<ItemId>{model.find("y")});
}

TEST_CASE("unknown and broken records leave the rest alone") {
    TraceModel model;
    model.append(trace::make("weather", "rain", {{"mm", 3}}));
    model.append(Json(nullptr));
    model.append(Json::array({1, 2}));
    model.append(trace::make("artifact", "hologram", {{"items", {{{"id", "hologram:1"}}}}}));
    model.append(trace::make("artifact", "fx", {{"items", 7}, {"text", false}}));
    model.append(artifact("fx", {{{"id", 12}},
                                 5,
                                 "word",
                                 {{"label", "no id"}},
                                 {{"id", "fx:0/0:good"}, {"line", "three"}, {"from", 9}, {"shape", "[2"}}}));
    model.append(trace::make("measure", "launch", {{"duration_us", "fast"}, {"bytes", 1e300}, {"from", {1, 2}}}));
    model.append(trace::make("compile", "compile_finished", {{"compile", "9/9"}, {"ms", 2.5}}));
    model.append(trace::make("eager", "tape_node", {{"name", "without id"}}));
    CHECK(model.recordCount() == 9);
    CHECK(model.artifactsOf("hologram").size() == 1);
    CHECK(model.tapeNodes().empty());
    REQUIRE(model.find("fx:0/0:good") != model::noItem);
    const ItemId good = model.find("fx:0/0:good");
    CHECK(model.item(good).line == 0);
    CHECK(model::fields::shown(model.fields(good), "shape") ==
          "[2"); // its own fields, though entries before it have no id
    REQUIRE(model.launches().size() == 1);
    CHECK(model.launches()[0].bytes == 0);
    REQUIRE(model.compile("9/9"));
    CHECK(model.compile("9/9")->ms == 2.5);
}

TEST_CASE("lines of an artifact's text find their items, innermost first") {
    TraceModel model;
    model.append(artifact(
        "cpp", {{{"id", "outer"}, {"line", 1}, {"end_line", 3}}, {{"id", "inner"}, {"line", 2}, {"end_line", 2}}}));
    CHECK(model.itemsAtLine(0, 2) == std::vector<ItemId>{model.find("inner"), model.find("outer")});
    CHECK(model.itemsAtLine(0, 3) == std::vector<ItemId>{model.find("outer")});
    CHECK(model.itemsAtLine(0, 9).empty());
    CHECK(model.itemsAtLine(4, 1).empty());
}

TEST_CASE("clear leaves an empty model") {
    TraceModel model;
    model.append(tests::sampleTrace());
    QSignalSpy cleared(&model, &TraceModel::cleared);
    model.clear();
    CHECK(cleared.count() == 1);
    CHECK(model.recordCount() == 0);
    CHECK(model.itemCount() == 0);
    CHECK(model.artifactsOf("fx").empty());
    CHECK(model.bytes().isEmpty());
    model.append(tests::sampleTrace());
    CHECK(model.compiles().size() == 3);
}

TEST_CASE("hundreds of thousands of records are taken in") {
    TraceModel model;
    std::vector<trace::Record> records = tests::longEagerTrace(100000);
    QElapsedTimer clock;
    clock.start();
    model.append(std::move(records));
    CHECK(model.dispatches().size() == 100000);
    CHECK(TraceModel::prefix(model.dispatches(), model.recordCount() / 2) == Approx(50000).margin(2));
    CHECK(clock.elapsed() < 20000); // an unoptimised build on a busy machine
}

TEST_CASE("the selection lights what it came from and what became of it") {
    TraceModel model;
    model.append(tests::sampleTrace());
    model::Selection selection(&model);
    QSignalSpy changed(&selection, &model::Selection::changed);
    selection.select(model.find("fx:0/0:h"));
    CHECK(changed.count() == 1);
    CHECK(selection.lit(model.find("fx:0/0:h")) == Lit::Selected);
    CHECK(selection.lit(model.sourceLine("train.py", 5)) == Lit::Upstream);
    CHECK(selection.lit(model.find("joint:0/0:erf")) == Lit::Downstream);
    CHECK(selection.lit(model.find("fx:0/0:matmul")) == Lit::None);
    CHECK(selection.touches(model.findArtifact("joint", "0/0")));
    CHECK_FALSE(selection.touches(model.findArtifact("fx", "0/1")));
    selection.select(model.find("fx:0/0:h"));
    CHECK(changed.count() == 1); // the same again is no change
    selection.select(std::vector<ItemId>{-1, 1 << 20});
    CHECK(selection.isEmpty());
    CHECK(changed.count() == 2);
    model.append(trace::make("run", "stdout", {{"text", "x"}}));
    CHECK(changed.count() == 2);
    selection.select(model.find("fx:0/0:h"));
    model.append(artifact("triton", {{{"id", "triton:1"}, {"from", {"fx:0/0:h"}}}}));
    CHECK(changed.count() == 4); // light reaches what arrives later
    CHECK(selection.lit(model.find("triton:1")) == Lit::Downstream);
    model.clear();
    CHECK(selection.isEmpty());
    CHECK(selection.lit(3) == Lit::None);
}

TEST_CASE("words fill their placeholders, and unknown codes stand for themselves") {
    using model::Words;
    CHECK(Words::fusion("library_call", {{"op", "mm"}}) == "mm is a library call; nothing is fused into it.");
    CHECK(Words::fusion("brand_new_rule") == "brand_new_rule");
    CHECK(Words::graphBreak("brand_new_code", {{"x", "1"}}) == "brand_new_code");
    CHECK(Words::graphBreakHint("brand_new_code").isEmpty());
    CHECK(Words::fill("%op and %opname", {{"op", "A"}, {"opname", "B"}}).toStdString() == "A and B");
    CHECK(Words::fill("%a %missing", {{"a", "%b"}, {"b", "no"}}).toStdString() ==
          "%b %missing"); // a value is not filled again
    CHECK(Words::bytes(1536) == "1.5 KiB");
    CHECK(Words::microseconds(0.64) == "640 ns");
    CHECK(Words::microseconds(12.44) == "12.4 µs");
    CHECK(Words::milliseconds(31.7) == "31.7 ms");
    CHECK(Words::milliseconds(2500) == "2.5 s");
    CHECK(Words::graphBreak("tensor_method", {{"name", "tolist"}}) ==
          "Dynamo does not trace the tensor method tolist.");
    CHECK_FALSE(Words::graphBreakHint("print").isEmpty());
    // A reason inside a reason, with the values of either.
    CHECK(Words::graphBreak("break_at_instruction", {{"opcode", "CALL"}, {"reason", "call_unknown"}, {"function", "f"}})
              .endsWith("Dynamo does not know how to trace a call of f."));
    CHECK(Words::graphBreak("backend_refused", {{"reason", "aot_unknown_tensor tensor=float32 [2, 3]"}})
              .endsWith("has not seen is used: float32 [2, 3]."));
    CHECK(Words::graphBreak("backend_refused", {{"reason", "something else"}}).endsWith(": something else"));
}
