#include "views/panes/TapeGraph.h"

#include <algorithm>

namespace strata::panes {

using canvas::Scene;
using canvas::SceneFrame;
using canvas::SceneNode;
using model::Moment;
using model::TraceModel;

std::vector<Tape> tapesOf(const TraceModel& model) {
    const auto& nodes = model.tapeNodes();
    const auto& runs = model.tapeRuns();
    std::vector<Tape> out;
    std::size_t node = 0, run = 0;
    while (node < nodes.size() || run < runs.size()) {
        Tape tape;
        tape.firstNode = static_cast<int>(node);
        tape.firstRun = static_cast<int>(run);
        while (node < nodes.size() && (run >= runs.size() || nodes[node].record < runs[run].record)) ++node;
        while (run < runs.size() && (node >= nodes.size() || runs[run].record < nodes[node].record)) ++run;
        tape.lastNode = static_cast<int>(node);
        tape.lastRun = static_cast<int>(run);
        if (tape.lastNode > tape.firstNode)
            out.push_back(tape);
        else if (!out.empty())
            out.back().lastRun = tape.lastRun;
    }
    return out;
}

TapeGraph::TapeGraph(const TraceModel& model, const Tape& tape, const canvas::Theme& theme) : m_tape(tape) {
    const auto& rows = model.tapeNodes();
    const int first = std::max(tape.firstNode, tape.lastNode - mostTapeNodes);
    m_omitted = first - tape.firstNode;
    const QColor colour = theme.stage(model::Stage::Tape);
    for (int i = first; i < tape.lastNode; ++i) {
        const model::TapeNode& row = rows[static_cast<std::size_t>(i)];
        if (m_nodeOf.contains(row.item)) continue;
        SceneNode node;
        node.item = row.item;
        node.title = row.name;
        node.detail = row.op;
        if (row.line > 0)
            node.detail += (row.op.isEmpty() ? QStringLiteral(":%1") : QStringLiteral("  :%1")).arg(row.line);
        node.colour = colour;
        m_nodeOf.insert(row.item, static_cast<int>(m_scene.nodes.size()));
        m_records.push_back(row.record);
        m_scene.nodes.push_back(std::move(node));
    }
    QHash<QString, int> leaves;
    for (int i = first; i < tape.lastNode; ++i) {
        const model::TapeNode& row = rows[static_cast<std::size_t>(i)];
        const int from = m_nodeOf.value(row.item, -1);
        for (const QString& input : row.inputs) {
            if (input == QLatin1String("none")) continue;
            int to = m_nodeOf.value(model.find(input), -1);
            if (to < 0 && input.startsWith(QLatin1String("leaf:"))) {
                auto leaf = leaves.constFind(input);
                if (leaf == leaves.constEnd()) {
                    SceneNode node;
                    const QString name = input.mid(5);
                    node.title = QStringLiteral("AccumulateGrad");
                    node.detail = QStringLiteral("leaf ") + name;
                    node.item = model.find(name);
                    node.shape = canvas::Shape::Pill;
                    node.colour = theme.warning;
                    leaf = leaves.insert(input, static_cast<int>(m_scene.nodes.size()));
                    if (node.item >= 0) m_nodeOf.insert(node.item, *leaf);
                    m_records.push_back(row.record);
                    m_scene.nodes.push_back(std::move(node));
                }
                to = *leaf;
            }
            if (to >= 0 && to != from) m_scene.edges.push_back({from, to, {}});
        }
    }
}

SceneFrame TapeGraph::frameAt(const TraceModel& model, const Moment& moment) const {
    SceneFrame frame;
    frame.reveal.assign(m_scene.nodes.size(), 1);
    frame.glow.assign(m_scene.nodes.size(), 0);
    frame.flow.assign(m_scene.edges.size(), -1);
    for (std::size_t i = 0; i < m_records.size(); ++i) {
        const double arrived = moment.arrived(m_records[i]);
        frame.reveal[i] = static_cast<float>(arrived);
        if (arrived > 0 && moment.phase < 1 && m_records[i] >= moment.begin) {
            const double since = moment.phase * (moment.shown - moment.begin) - (m_records[i] - moment.begin);
            frame.glow[i] = static_cast<float>(std::max(0.0, 1 - since / 3));
        }
    }
    // Backward: each node glows as it runs and passes its gradient on; afterwards it stays warm.
    const auto& runs = model.tapeRuns();
    std::vector<double> running(m_scene.nodes.size(), -1);
    for (int i = m_tape.firstRun; i < m_tape.lastRun; ++i) {
        const model::TapeRun& run = runs[static_cast<std::size_t>(i)];
        const int node = m_nodeOf.value(run.item, -1);
        const double arrived = moment.arrived(run.record);
        if (node < 0 || arrived <= 0) continue;
        running[static_cast<std::size_t>(node)] = arrived;
        frame.glow[static_cast<std::size_t>(node)] = arrived < 1 ? 1.0F : 0.45F;
    }
    for (std::size_t e = 0; e < m_scene.edges.size(); ++e) {
        const double share = running[static_cast<std::size_t>(m_scene.edges[e].from)];
        if (share > 0 && share < 1) frame.flow[e] = static_cast<float>(share);
    }
    return frame;
}

} // namespace strata::panes
