#pragma once
// The autograd tape as graphs. A run may record many: each backward ends one, and the next node begins another.

#include "views/canvas/Scene.h"
#include "views/model/Timeline.h"
#include "views/model/TraceModel.h"

#include <QHash>

#include <vector>

namespace strata::panes {

/// The nodes of one graph of the tape and the runs of its backward: ranges of TraceModel's tables.
struct Tape {
    int firstNode = 0, lastNode = 0; // [first, last)
    int firstRun = 0, lastRun = 0;
};

/// Cuts the tape into its graphs.
std::vector<Tape> tapesOf(const model::TraceModel& model);

/// One graph of the tape, from its roots down to the leaves, in the direction in which gradients flow. At most
/// `mostTapeNodes` nodes of it: the last recorded.
class TapeGraph {
public:
    static constexpr int mostTapeNodes = 1500;

    TapeGraph() = default;
    TapeGraph(const model::TraceModel& model, const Tape& tape, const canvas::Theme& theme);

    const canvas::Scene& scene() const { return m_scene; }
    /// Nodes appear as they are recorded, and light up when backward runs them.
    canvas::SceneFrame frameAt(const model::TraceModel& model, const model::Moment& moment) const;
    int omitted() const { return m_omitted; }

private:
    Tape m_tape;
    canvas::Scene m_scene;
    std::vector<int> m_records; // of each node of the scene; a leaf's is that of its first user
    QHash<model::ItemId, int> m_nodeOf;
    int m_omitted = 0;
};

} // namespace strata::panes
