// Layout geometry without a pixel: overlaps, directions, groups, hints, time, dot and its limits.

#include "tests/gui/SampleTrace.h"
#include "views/layout/DotLayout.h"
#include "views/layout/LayeredLayout.h"
#include "views/layout/SpatialIndex.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <catch2/catch.hpp>

using namespace strata::layout;

namespace {

GraphInput graph(int nodes, const std::vector<std::pair<int, int>>& edges, double width = 80, double height = 30) {
    GraphInput input;
    for (int i = 0; i < nodes; ++i) {
        InputNode node;
        node.width = width;
        node.height = height;
        input.nodes.push_back(node);
    }
    for (const auto& [from, to] : edges) input.edges.push_back({from, to});
    return input;
}

// `width` strands of nodes with edges across, like a large captured graph.
GraphInput strands(int nodes, int width) {
    std::vector<std::pair<int, int>> edges;
    for (int i = width; i < nodes; ++i) {
        edges.push_back({i - width, i});
        if (i % 5 == 0) edges.push_back({std::max(0, i - width - 3), i});
        if (i % 97 == 0) edges.push_back({i % 13, i}); // far
    }
    return graph(nodes, edges);
}

void checkNoOverlap(const GraphLayout& layout) {
    const SpatialIndex index(layout.boxes);
    int overlaps = 0;
    for (std::size_t i = 0; i < layout.boxes.size(); ++i)
        overlaps += static_cast<int>(index.in(layout.boxes[i].adjusted(0.5, 0.5, -0.5, -0.5)).size()) - 1;
    CHECK(overlaps == 0);
}

void checkInside(const GraphLayout& layout) {
    const QRectF area(QPointF(-0.5, -0.5), layout.size + QSizeF(1, 1));
    for (const QRectF& box : layout.boxes) REQUIRE(area.contains(box));
}

} // namespace

TEST_CASE("edges lead down and join their boxes") {
    const GraphInput input = graph(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {0, 4}});
    const GraphLayout layout = layered(input);
    checkNoOverlap(layout);
    checkInside(layout);
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        const QRectF &from = layout.boxes[static_cast<std::size_t>(input.edges[e].from)],
                     &to = layout.boxes[static_cast<std::size_t>(input.edges[e].to)];
        const Route& route = layout.routes[e];
        REQUIRE(route.size() % 3 == 1);
        CHECK(to.top() >= from.bottom());
        CHECK(route.front().y() == Approx(from.bottom()));
        CHECK(route.back().y() == Approx(to.top()));
        CHECK(from.adjusted(-1, 0, 1, 0).left() <= route.front().x());
        CHECK(route.back().x() <= to.right() + 1);
        for (std::size_t i = 3; i < route.size(); i += 3) CHECK(route[i].y() >= route[i - 3].y() - 1e-6);
    }
}

TEST_CASE("an edge that passes a layer goes round its boxes") {
    // 0 -> 1 -> 2 and 0 -> 2: the long edge must not run through box 1.
    const GraphLayout layout = layered(graph(3, {{0, 1}, {1, 2}, {0, 2}}));
    for (int i = 0; i <= 50; ++i) CHECK_FALSE(layout.boxes[1].contains(pointAt(layout.routes[2], i / 50.0)));
}

TEST_CASE("sources stand just above their first user") {
    const GraphLayout layout = layered(graph(5, {{0, 1}, {1, 2}, {2, 3}, {4, 3}}));
    CHECK(layout.boxes[4].top() == Approx(layout.boxes[2].top()));
}

TEST_CASE("cycles, loops, edges to nowhere, and nothing at all") {
    const GraphInput input = graph(3, {{0, 1}, {1, 2}, {2, 0}, {1, 1}, {0, 7}, {-1, 2}});
    const GraphLayout layout = layered(input);
    checkNoOverlap(layout);
    REQUIRE(layout.routes.size() == 6);
    CHECK(layout.routes[2].front().y() > layout.routes[2].back().y()); // the edge that closes the cycle leads up
    CHECK(layout.routes[3].empty());
    CHECK(layout.routes[4].empty());
    CHECK(layout.routes[5].empty());
    CHECK(layered(GraphInput{}).isEmpty());
    CHECK(layered(graph(1, {})).boxes.size() == 1);
}

TEST_CASE("the layout is deterministic") {
    const GraphInput input = strands(200, 7);
    const GraphLayout a = layered(input), b = layered(input);
    CHECK(a.boxes == b.boxes);
    CHECK(a.routes == b.routes);
}

TEST_CASE("nodes keep their sides between two states of a graph") {
    GraphInput input = graph(5, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}});
    const std::vector<double> wanted{0, 300, 100, 200, 150};
    for (std::size_t i = 0; i < wanted.size(); ++i) input.nodes[i].hintX = wanted[i];
    const GraphLayout layout = layered(input);
    CHECK(layout.boxes[2].center().x() < layout.boxes[3].center().x());
    CHECK(layout.boxes[3].center().x() < layout.boxes[1].center().x());
}

TEST_CASE("groups hold their nodes and nothing else") {
    GraphInput input = graph(7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {2, 5}, {5, 6}});
    for (const int i : {1, 2, 3}) input.nodes[static_cast<std::size_t>(i)].group = 0;
    for (const int i : {4, 5}) input.nodes[static_cast<std::size_t>(i)].group = 1;
    input.groupWidths = {10, 400};
    const GraphLayout layout = layered(input);
    checkNoOverlap(layout);
    checkInside(layout);
    REQUIRE(layout.groups.size() == 2);
    CHECK_FALSE(layout.groups[0].intersects(layout.groups[1]));
    CHECK(layout.groups[1].width() >= 400);
    for (std::size_t i = 0; i < 7; ++i)
        for (std::size_t g = 0; g < 2; ++g)
            CHECK(layout.groups[g].contains(layout.boxes[i]) == (input.nodes[i].group == static_cast<int>(g)));
    CHECK(layout.boxes[1].top() - layout.groups[0].top() >= input.groupTitle);
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        CHECK(layout.routes[e].front().y() ==
              Approx(layout.boxes[static_cast<std::size_t>(input.edges[e].from)].bottom()));
        CHECK(layout.routes[e].back().y() == Approx(layout.boxes[static_cast<std::size_t>(input.edges[e].to)].top()));
    }
}

TEST_CASE("three thousand nodes are laid out in no time") {
    const GraphInput input = strands(3000, 12);
    QElapsedTimer clock;
    clock.start();
    const GraphLayout layout = layered(input);
    const qint64 ms = clock.elapsed();
    INFO("took " << ms << " ms");
    CHECK(ms < 1000);
    checkNoOverlap(layout);
    checkInside(layout);
}

TEST_CASE("a deep graph needs no deep stack") {
    std::vector<std::pair<int, int>> chain;
    for (int i = 1; i < 20000; ++i) chain.push_back({i - 1, i});
    CHECK(layered(graph(20000, chain)).boxes.back().top() > 19999 * 30.0);
}

TEST_CASE("the spatial index finds what a search of all boxes finds") {
    std::vector<QRectF> boxes;
    for (int i = 0; i < 400; ++i) boxes.emplace_back((i * 37) % 1000, (i * 91) % 700, 20 + i % 50, 10 + i % 30);
    const SpatialIndex index(boxes);
    for (int i = 0; i < 500; ++i) {
        const QPointF point((i * 53) % 1100, (i * 29) % 800);
        int expected = -1;
        for (std::size_t b = 0; b < boxes.size(); ++b)
            if (boxes[b].contains(point)) expected = static_cast<int>(b);
        REQUIRE(index.at(point) == expected);
    }
    const QRectF area(200, 100, 150, 90);
    std::vector<int> expected;
    for (std::size_t b = 0; b < boxes.size(); ++b)
        if (boxes[b].intersects(area)) expected.push_back(static_cast<int>(b));
    CHECK(index.in(area) == expected);
    CHECK(SpatialIndex().at({0, 0}) == -1);
    CHECK(SpatialIndex().in(area).empty());
}

TEST_CASE("dot lays out a graph without being waited for") {
    const GraphInput input = graph(6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 4}});
    DotLayout dot;
    QSignalSpy finished(&dot, &DotLayout::finished), failed(&dot, &DotLayout::failed);
    const int job = dot.start(input);
    CHECK(finished.count() == 0);
    REQUIRE(finished.wait(10000));
    CHECK(failed.count() == 0);
    CHECK(finished[0][0].toInt() == job);
    const auto layout = finished[0][1].value<GraphLayout>();
    REQUIRE(layout.boxes.size() == 6);
    checkNoOverlap(layout);
    checkInside(layout);
    for (std::size_t e = 0; e < input.edges.size(); ++e) { // double edges too
        REQUIRE(layout.routes[e].size() >= 4);
        CHECK(layout.routes[e].front().y() ==
              Approx(layout.boxes[static_cast<std::size_t>(input.edges[e].from)].bottom()).margin(3));
        CHECK(layout.routes[e].back().y() ==
              Approx(layout.boxes[static_cast<std::size_t>(input.edges[e].to)].top()).margin(3));
    }
}

TEST_CASE("dot is ended at its time limit") {
    DotLayout dot;
    dot.setProgram("sh", {"-c", "sleep 60"});
    dot.setTimeLimit(80);
    QSignalSpy finished(&dot, &DotLayout::finished), failed(&dot, &DotLayout::failed);
    dot.start(graph(2, {{0, 1}}));
    REQUIRE(failed.wait(5000));
    CHECK(failed[0][1].toString() == "time_limit");
    CHECK_FALSE(dot.isRunning());
    QTest::qWait(50);
    CHECK(failed.count() == 1);
    CHECK(finished.count() == 0);
}

TEST_CASE("a missing dot, one that fails, one that talks nonsense, a graph too large") {
    DotLayout dot;
    QSignalSpy failed(&dot, &DotLayout::failed);
    const auto reason = [&](const GraphInput& input) {
        failed.clear();
        dot.start(input);
        REQUIRE(failed.wait(5000));
        return failed[0][1].toString();
    };
    dot.setProgram("no-such-program");
    CHECK(reason(graph(2, {{0, 1}})) == "missing");
    dot.setProgram("sh", {"-c", "exit 3"});
    CHECK(reason(graph(2, {{0, 1}})) == "crashed");
    dot.setProgram("sh", {"-c", "cat > /dev/null; echo graph 1 1 1; echo node n0 0 0 x"});
    CHECK(reason(graph(2, {{0, 1}})) == "unreadable");
    CHECK(reason(strands(DotLayout::mostNodes + 1, 4)) == "too_large");
}

TEST_CASE("a result that a newer request has overtaken is dropped") {
    DotLayout dot;
    QSignalSpy finished(&dot, &DotLayout::finished), failed(&dot, &DotLayout::failed);
    dot.start(graph(3, {{0, 1}, {1, 2}}));
    const int second = dot.start(graph(2, {{0, 1}}));
    REQUIRE(finished.wait(10000));
    QTest::qWait(100);
    REQUIRE(finished.count() == 1);
    CHECK(finished[0][0].toInt() == second);
    CHECK(finished[0][1].value<GraphLayout>().boxes.size() == 2);
    dot.start(graph(2, {{0, 1}}));
    dot.cancel();
    QTest::qWait(300);
    CHECK(finished.count() == 1);
    CHECK(failed.count() == 0);
}
