// The graph panes and the map on a sample trace: what they show at a moment, in both themes, at several sizes; links;
// empty states.

#include "tests/gui/SampleTrace.h"
#include "tests/gui/ViewsFixture.h"
#include "views/panes/CodeView.h"
#include "views/panes/EagerPane.h"
#include "views/panes/FusionTable.h"
#include "views/panes/FxPane.h"
#include "views/panes/JointPane.h"
#include "views/panes/LoopsPane.h"
#include "views/panes/MapPane.h"
#include "views/panes/PrimsPane.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTableView>

#include <catch2/catch.hpp>

using namespace strata;
using model::Lit;
using panes::MapBox;

namespace {

std::vector<std::unique_ptr<panes::Pane>> allPanes(const panes::PaneContext& context) {
    std::vector<std::unique_ptr<panes::Pane>> out;
    out.push_back(std::make_unique<panes::MapPane>(context));
    out.push_back(std::make_unique<panes::FxPane>(context));
    out.push_back(std::make_unique<panes::JointPane>(context));
    out.push_back(std::make_unique<panes::PrimsPane>(context));
    out.push_back(std::make_unique<panes::LoopsPane>(context));
    out.push_back(std::make_unique<panes::EagerPane>(context));
    return out;
}

int nodeNamed(const canvas::GraphCanvas& canvas, const QString& title) {
    const auto& nodes = canvas.scene().nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].title == title) return static_cast<int>(i);
    return -1;
}

// The share of pixels that are not the background: something is painted.
double inked(const QImage& image) {
    const QRgb background = image.pixel(image.width() - 2, image.height() / 2);
    int other = 0, all = 0;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3, ++all) other += image.pixel(x, y) != background;
    return static_cast<double>(other) / all;
}

} // namespace

TEST_CASE("every pane shows the sample, in both themes and at several sizes") {
    tests::Stage stage(tests::sampleTrace());
    for (const bool dark : {false, true}) {
        stage.themes.setDark(dark);
        for (const auto& pane : allPanes(stage.context))
            for (const QSize size : {QSize(1280, 800), QSize(640, 420), QSize(320, 240)}) {
                INFO(pane->key().toStdString() << " " << size.width() << (dark ? " dark" : " light"));
                stage.show(*pane, size);
                CHECK(pane->isFilled());
                CHECK_FALSE(pane->title().isEmpty());
                CHECK(inked(pane->grab().toImage()) > 0.01);
            }
    }
}

TEST_CASE("every pane says why it is empty") {
    tests::Stage stage;
    for (const auto& pane : allPanes(stage.context)) {
        INFO(pane->key().toStdString());
        stage.show(*pane, {500, 400});
        CHECK(pane->isFilled() == (pane->key() == "map")); // the map needs no run
        CHECK(inked(pane->grab().toImage()) > 0.002);
    }
    stage.model.append(tests::sampleTrace());
    stage.timeline.seek(0);
    panes::LoopsPane loops(stage.context);
    stage.show(loops);
    CHECK_FALSE(loops.isFilled()); // the run has not come this far
    stage.timeline.toEnd();
    tests::Stage::settle(loops);
    CHECK(loops.isFilled());
    stage.model.clear();
    tests::Stage::settle(loops);
    CHECK_FALSE(loops.isFilled());
}

TEST_CASE("no words of a graph are cut") {
    tests::Stage stage(tests::sampleTrace());
    for (const auto& pane : allPanes(stage.context)) {
        const auto* graph = qobject_cast<panes::GraphPane*>(pane.get());
        if (!graph) continue;
        stage.show(*pane);
        const canvas::Scene& scene = graph->canvas()->scene();
        REQUIRE_FALSE(scene.isEmpty());
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            INFO(pane->key().toStdString() << " " << scene.nodes[i].title.toStdString());
            const QSizeF needed = canvas::sizeOf(scene.nodes[i]);
            CHECK(scene.layout.boxes[i].width() >= needed.width() - 0.5);
            CHECK(scene.layout.boxes[i].height() >= needed.height() - 0.5);
        }
    }
}

TEST_CASE("the FX pane follows the run and lets the user choose") {
    tests::Stage stage(tests::sampleTrace());
    panes::FxPane pane(stage.context);
    stage.timeline.seek(stage.step("fx", true), 0.5);
    stage.show(pane);
    CHECK(stage.model.artifacts()[static_cast<std::size_t>(pane.artifact())].compile == "0/0");
    CHECK(pane.canvas()->frame().nodeAt(0) == 1);
    CHECK(pane.canvas()->frame().nodeAt(10) == 0);
    stage.timeline.toEnd();
    CHECK(stage.model.artifacts()[static_cast<std::size_t>(pane.artifact())].compile == "0/1");
    CHECK(pane.canvas()->frame() == canvas::SceneFrame{});
    auto* chooser = pane.findChild<QComboBox*>();
    REQUIRE(chooser);
    REQUIRE(chooser->count() == 3);
    Q_EMIT chooser->activated(1);
    CHECK(stage.model.artifacts()[static_cast<std::size_t>(pane.artifact())].compile == "0/0");
}

TEST_CASE("a selection lights every graph pane, and clicking a node selects") {
    tests::Stage stage(tests::sampleTrace());
    panes::FxPane fx(stage.context);
    panes::JointPane joint(stage.context);
    panes::LoopsPane loops(stage.context);
    panes::MapPane map(stage.context);
    for (panes::Pane* pane : std::initializer_list<panes::Pane*>{&fx, &joint, &loops, &map})
        stage.show(*pane, {900, 700});
    stage.selection.select(stage.model.sourceLine("train.py", 6));
    // The second capture has nothing of this line: the pane goes to the one that has.
    CHECK(stage.model.artifacts()[static_cast<std::size_t>(fx.artifact())].compile == "0/0");
    CHECK(fx.canvas()->lit()[static_cast<std::size_t>(nodeNamed(*fx.canvas(), "p"))] == Lit::Downstream);
    CHECK(fx.canvas()->lit()[static_cast<std::size_t>(nodeNamed(*fx.canvas(), "matmul"))] == Lit::None);
    CHECK(joint.canvas()->lit()[static_cast<std::size_t>(nodeNamed(*joint.canvas(), "exp"))] == Lit::Downstream);
    CHECK(loops.canvas()->lit()[static_cast<std::size_t>(nodeNamed(*loops.canvas(), "buf2"))] == Lit::Downstream);
    const int matmul = nodeNamed(*fx.canvas(), "matmul");
    QTest::mouseClick(fx.canvas(), Qt::LeftButton, {}, fx.canvas()->nodeRect(matmul).center().toPoint());
    CHECK(stage.selection.selected() == std::vector<model::ItemId>{stage.model.find("fx:0/0:matmul")});
    CHECK(joint.canvas()->lit()[static_cast<std::size_t>(nodeNamed(*joint.canvas(), "mm"))] == Lit::Downstream);
    stage.selection.clear();
    CHECK(fx.canvas()->lit().empty());
}

TEST_CASE("the joint pane marks what is saved and what is computed again, as it is decided") {
    tests::Stage stage(tests::sampleTrace());
    panes::JointPane pane(stage.context);
    stage.timeline.seek(stage.step("joint"));
    stage.show(pane);
    const auto node = [&](const char* name) {
        return pane.canvas()->scene().nodes[static_cast<std::size_t>(nodeNamed(*pane.canvas(), name))];
    };
    CHECK_FALSE(node("mm").strong);
    stage.timeline.seek(stage.step("forward"));
    CHECK(node("mm").strong);
    CHECK(node("erf").dashed);
    CHECK_FALSE(node("add").strong);
    CHECK_FALSE(node("add").dashed);
}

TEST_CASE("prims of one operation stand in a box with its name") {
    tests::Stage stage(tests::sampleTrace());
    panes::PrimsPane pane(stage.context);
    stage.show(pane);
    const canvas::Scene& scene = pane.canvas()->scene();
    REQUIRE(scene.groups.size() == 2);
    CHECK(scene.groups[0].title == "aten.add.Tensor");
    CHECK(scene.layout.groups[0].contains(
        scene.layout.boxes[static_cast<std::size_t>(nodeNamed(*pane.canvas(), "broadcast_in_dim"))]));
    CHECK_FALSE(scene.layout.groups[0].contains(
        scene.layout.boxes[static_cast<std::size_t>(nodeNamed(*pane.canvas(), "mul"))]));
}

TEST_CASE("groups that depend on one another in a circle are given up") {
    canvas::Scene scene;
    scene.nodes.resize(4);
    scene.nodes[0].group = scene.nodes[2].group = 0;
    scene.nodes[1].group = scene.nodes[3].group = 1;
    scene.groups.resize(2);
    scene.edges = {{0, 1, {}}};
    CHECK(panes::groupsAreAcyclic(scene));
    scene.edges.push_back({1, 2, {}});
    CHECK_FALSE(panes::groupsAreAcyclic(scene));
}

TEST_CASE("the loops pane: before, deciding, after") {
    tests::Stage stage(tests::sampleTrace());
    panes::LoopsPane pane(stage.context);
    stage.timeline.seek(stage.step("loops"));
    stage.show(pane);
    CHECK(pane.canvas()->scene().groups.empty());
    const int fused = stage.step("fused_loops");
    stage.timeline.seek(fused, 0.2);
    CHECK(pane.decisions()->model()->rowCount() > 0);
    CHECK(pane.decisions()->model()->rowCount() < 6);
    stage.timeline.seek(fused, 0.5);
    const auto& glow = pane.canvas()->frame().glow;
    CHECK(std::count(glow.begin(), glow.end(), 1.0F) == 2); // the pair under consideration
    stage.timeline.seek(fused);
    const canvas::Scene& scene = pane.canvas()->scene();
    REQUIRE(scene.groups.size() == 3);
    CHECK(pane.decisions()->model()->rowCount() == 6);
    const auto box = [&](const char* name) {
        return scene.layout.boxes[static_cast<std::size_t>(nodeNamed(*pane.canvas(), name))];
    };
    CHECK(scene.layout.groups[1].contains(box("buf3")));
    CHECK_FALSE(scene.layout.groups[1].contains(box("buf6")));
    const auto text = [&](int row, int column) {
        return pane.decisions()->model()->index(row, column).data().toString();
    };
    CHECK(text(0, panes::FusionTable::Outcome) == "kept apart");
    CHECK(text(0, panes::FusionTable::Why) == "mm is a library call; nothing is fused into it.");
    CHECK(text(1, panes::FusionTable::Outcome) == "fused");
    pane.setState(panes::LoopsPane::State::Before);
    CHECK(pane.canvas()->frame().groupAt(1) == 0);
    pane.setState(panes::LoopsPane::State::After);
    CHECK(pane.canvas()->frame().groupAt(1) == 1);
}

TEST_CASE("the eager pane logs dispatches and grows the tape") {
    tests::Stage stage(tests::sampleTrace());
    panes::EagerPane pane(stage.context);
    stage.timeline.seek(stage.step("tape_node"), 0.6);
    stage.show(pane);
    const int rows = pane.log()->model()->rowCount();
    CHECK(rows > 4);
    CHECK(rows < 10);
    CHECK(pane.tape()->frame().nodeAt(0) == 1);
    CHECK(pane.tape()->frame().nodeAt(5) == 0);
    stage.timeline.toEnd();
    CHECK(pane.log()->model()->rowCount() == 10);
    CHECK(pane.log()->model()->index(4, 1).data().toString() == "aten::mm");
    CHECK(pane.tape()->scene().nodes.size() == 8); // six nodes and two leaves
    CHECK(pane.tape()->frame().nodeAt(7) == 1);
    stage.selection.select(stage.model.sourceLine("train.py", 5));
    CHECK(pane.log()->model()->index(4, 1).data(Qt::BackgroundRole).isValid());
    CHECK_FALSE(pane.log()->model()->index(9, 1).data(Qt::BackgroundRole).isValid());
    CHECK(pane.tape()->lit()[0] == Lit::Downstream);
}

TEST_CASE("a tape begins anew after each backward") {
    tests::Stage stage;
    const auto node = [&](int n) {
        stage.model.append(trace::make(
            "eager", "tape_node",
            {{"id", "tape:" + std::to_string(n)}, {"name", "MulBackward0"}, {"inputs", trace::Json::array()}}));
    };
    const auto run = [&](int n) {
        stage.model.append(trace::make("eager", "tape_run",
                                       {{"id", "tape:" + std::to_string(n)}, {"order", 0}, {"duration_us", 1.0}}));
    };
    node(0), node(1), run(1), run(0), node(2), run(2), node(3);
    const std::vector<panes::Tape> tapes = panes::tapesOf(stage.model);
    REQUIRE(tapes.size() == 3);
    CHECK(tapes[0].lastNode == 2);
    CHECK(tapes[0].lastRun == 2);
    CHECK(tapes[1].firstNode == 2);
    CHECK(tapes[1].lastRun == 3);
    CHECK(tapes[2].firstRun == tapes[2].lastRun);
}

TEST_CASE("the map's figures are the trace's counts, and none before a run") {
    tests::Stage stage;
    panes::MapPane map(stage.context);
    stage.show(map);
    for (const panes::MapFigure& figure : map.figures().boxes) CHECK(figure.value.isEmpty());
    stage.model.append(tests::sampleTrace());
    stage.timeline.toEnd();
    tests::Stage::settle(map);
    const panes::MapFigures& f = map.figures();
    CHECK(f.box(MapBox::Dispatcher).value == "10");
    CHECK(f.box(MapBox::Kernels).value == "6");
    CHECK(f.box(MapBox::Launches).value == "6");
    CHECK(f.box(MapBox::Cache).value == "1");
    CHECK(f.box(MapBox::Guards).value == "5");
    CHECK(f.box(MapBox::Breaks).value == "1");
    CHECK(f.box(MapBox::Inductor).value == "7 → 3");
    REQUIRE((f.eager && f.compiled));
    CHECK(f.eager->launches == 6);
    CHECK(f.compiled->launches == 3);
    CHECK(f.guardCheckNs.value() == 640);
    CHECK(f.travelled[static_cast<std::size_t>(panes::MapEdge::CacheLaunches)]); // there was a hit
    stage.timeline.seek(stage.step("fx", true));
    CHECK(map.figures().box(MapBox::Launches).value.isEmpty());
    CHECK(map.figures().box(MapBox::Fx).value == "6");
    CHECK_FALSE(map.figures().travelled[static_cast<std::size_t>(panes::MapEdge::CacheLaunches)]);
}

TEST_CASE("the map's boxes neither overlap nor leave the pane, and open their panes") {
    tests::Stage stage;
    for (const QSizeF size :
         {QSizeF(1280, 800), QSizeF(1920, 1080), QSizeF(640, 400), QSizeF(500, 900), QSizeF(1600, 500)}) {
        const panes::MapLayout layout = panes::mapLayout(size);
        for (int a = 0; a < panes::mapBoxCount; ++a) {
            const QRectF box = layout.boxes[static_cast<std::size_t>(a)];
            CHECK(QRectF(QPointF(0, 0), size).contains(box));
            CHECK((layout.eager.contains(box) || layout.compiled.contains(box)));
            CHECK_FALSE(box.intersects(layout.eagerWords));
            CHECK_FALSE(box.intersects(layout.compiledWords));
            for (int b = 0; b < a; ++b) CHECK_FALSE(box.intersects(layout.boxes[static_cast<std::size_t>(b)]));
        }
        for (int e = 0; e < panes::mapEdgeCount; ++e) { // an edge runs through no third box
            const auto [from, to] = panes::endsOf(static_cast<panes::MapEdge>(e));
            for (int i = 0; i <= 60; ++i) {
                const QPointF p = layout::pointAt(layout.edges[static_cast<std::size_t>(e)], i / 60.0);
                for (int b = 0; b < panes::mapBoxCount; ++b)
                    if (static_cast<MapBox>(b) != from && static_cast<MapBox>(b) != to)
                        REQUIRE_FALSE(layout.boxes[static_cast<std::size_t>(b)].contains(p));
            }
        }
    }
    panes::MapPane map(stage.context);
    stage.show(map);
    QSignalSpy opened(&map, &panes::Pane::openPane);
    const QPoint place = map.mapLayout().box(MapBox::Inductor).center().toPoint();
    QTest::mouseClick(map.childAt(place), Qt::LeftButton, {}, place);
    REQUIRE(opened.count() == 1);
    CHECK(opened[0][0].toString() == "loops");
}

TEST_CASE("a large graph is shown at once, and its time line plays") {
    tests::Stage stage(tests::largeGraphTrace(3000));
    panes::FxPane pane(stage.context);
    stage.show(pane, {1000, 700});
    CHECK(pane.canvas()->scene().nodes.size() == 3000);
    CHECK(pane.canvas()->scene().layout.boxes.size() == 3000);
    stage.timeline.toStart();
    stage.timeline.play();
    for (int i = 0; i < 60 && stage.timeline.isPlaying(); ++i) {
        stage.timeline.advance(0.1);
        pane.grab();
    }
    CHECK(stage.timeline.atEnd());
}

TEST_CASE("the text beside a graph comes with room or when asked for, and its lines select") {
    tests::Stage stage(tests::sampleTrace());
    panes::FxPane pane(stage.context);
    stage.show(pane, {600, 500});
    CHECK_FALSE(pane.text());
    pane.resize(1200, 700);
    tests::Stage::settle(pane);
    REQUIRE(pane.text());
    CHECK(pane.text()->isVisible());
    pane.showText(false);
    CHECK_FALSE(pane.text()->isVisible());
    pane.resize(1300, 700); // the user's choice stays
    tests::Stage::settle(pane);
    CHECK_FALSE(pane.text()->isVisible());
    pane.showText(true);
    CHECK(pane.text()->text() == stage.model.artifacts()[static_cast<std::size_t>(pane.artifact())].text);
    Q_EMIT pane.text()->lineActivated(5);
    CHECK(stage.selection.selected() == std::vector<model::ItemId>{stage.model.find("fx:0/1:matmul")});
}

TEST_CASE("the loops' text is that of the state on show") {
    tests::Stage stage(tests::sampleTrace());
    panes::LoopsPane pane(stage.context);
    stage.show(pane, {1280, 800});
    REQUIRE(pane.text());
    CHECK(pane.text()->text() == "mm:\n");
    pane.setState(panes::LoopsPane::State::Before);
    CHECK(pane.text()->text() == "buf0 = extern mm\n");
}
