#pragma once
// The figures on the map: counts and times of records up to a moment, and nothing else. A box without records has none.

#include "views/model/Timeline.h"
#include "views/model/TraceModel.h"
#include "views/panes/MapLayout.h"

#include <QCoreApplication>
#include <QString>

#include <array>
#include <optional>

namespace strata::panes {

/// A figure of a box: a number and what it counts, and perhaps a second, smaller statement.
struct MapFigure {
    QString value; // "14"; empty: the box has no figure
    QString unit;  // "dispatched"
    QString more;  // "215 µs in all"
};

/// One side of the comparison: the program as it was measured, with only launches recorded.
struct MapSide {
    int launches = 0;
    double medianUs = 0;
};

struct MapFigures {
    std::array<MapFigure, mapBoxCount> boxes;
    std::array<bool, mapBoxCount> reached{};
    std::array<bool, mapEdgeCount> travelled{};
    std::optional<MapSide> eager, compiled;
    std::optional<model::Call> lastCall; // of compiled code, backward left out
    std::optional<double> firstCallMs;   // the compiles before the first compiled launch
    std::optional<double> guardCheckNs;  // the last that passed

    const MapFigure& box(MapBox b) const { return boxes[static_cast<std::size_t>(b)]; }
};

class MapCounter {
    Q_DECLARE_TR_FUNCTIONS(MapCounter)

public:
    /// The figures of the records that have happened at `moment`.
    static MapFigures count(const model::TraceModel& model, const model::Moment& moment);
};

/// What lights up while a step of this stage is under way: boxes, and edges with data on them.
struct MapActivity {
    std::vector<MapBox> boxes;
    std::vector<MapEdge> edges;
};
MapActivity activityOf(const model::Step& step);

} // namespace strata::panes
