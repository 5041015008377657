#pragma once
// Rows that TraceModel derives from records. Every row knows the index of its record, and rows of a table are in the
// order of their records: what is on screen at a moment is a prefix of each table (TraceModel::prefix).

#include "engine/trace/Record.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace strata::model {

/// An item of an artifact, a tape node or a source line: its interned id. Ids count from 0 in the order of first
/// mention.
using ItemId = int;
inline constexpr ItemId noItem = -1;

/// The values that fill the placeholders of a code's sentence.
using Values = QMap<QString, QString>;

/// One artifact. `fields` is the record without its text; `items` are in its order.
struct Artifact {
    int record = 0;
    QString kind;    // "fx", "loops", ..
    QString compile; // "0/0"; empty for source
    QString region;  // "inference", "forward", "backward" or empty
    QString graph;   // a name for titles
    QString file;    // of a source
    QString text;
    std::vector<ItemId> items;
    trace::Json fields;
};

/// What is known of an item. An id that was only mentioned (in a `from`) has no artifact yet.
struct Item {
    QString id;
    QString kind;      // what stands before the first colon of the id
    int artifact = -1; // index into TraceModel::artifacts(); -1: none (a tape node, or only mentioned)
    int index = -1;    // position in the artifact's items
    int line = 0;      // 1-based lines of the artifact's text; 0: none
    int endLine = 0;
    QString label;
};

struct StageTime {
    int record = 0;
    QString region;
    QString stage; // dynamo, guards, joint, ..
    double ms = 0;
};

struct Compile {
    int record = 0;          // compile_started
    int finishedRecord = -1; // compile_finished; -1 while it runs
    QString id;              // "0/0"
    QString function, file;
    int line = 0;
    QString reason;   // first_call, guard_failed, resume
    QString status;   // ok, graph_break, skipped, fallback, error; empty while it runs
    QString code;     // why not ok
    QString codeFile; // where
    int codeLine = 0;
    Values hintValues;
    double ms = 0;
    int ops = 0, guards = 0;
    std::vector<StageTime> stages;
};

struct CacheEvent {
    int record = 0;
    QString event; // hit, miss, recompile, limit
    QString compile, function;
    ItemId guard = noItem; // first guard that failed
    QString guardText, observed;
};

struct GuardCheck {
    int record = 0;
    QString compile, function;
    bool passed = true;
    ItemId failed = noItem;
    double ns = 0;
};

struct DynamoStep {
    int record = 0; // stack and locals: TraceModel::record(record)
    QString compile;
    ItemId from = noItem; // bytecode instruction
    QString code;         // name of the code object
    int depth = 0;
};

struct GuardAdded {
    int record = 0;
    QString compile;
    ItemId guard = noItem;
    std::vector<ItemId> from;
};

struct GraphBreak {
    int record = 0;
    QString compile, code;
    Values values;
    QString file;
    int line = 0;
    std::vector<ItemId> from;
};

struct Inlined {
    int record = 0;
    QString compile, function, file;
    int line = 0;
    int depth = 0;
};

/// functionalized and decomposed: one node became several.
struct Rewrite {
    int record = 0;
    bool decomposed = false; // else functionalized
    QString compile, region, op;
    std::vector<ItemId> from, into;
};

struct SaveDecision {
    int record = 0;
    bool recomputed = false; // else saved
    QString compile;
    ItemId item = noItem; // joint node
    qint64 bytes = 0;
    double cost = 0;
    QString code;
};

struct Fusion {
    int record = 0;
    QString compile, region;
    ItemId a = noItem, b = noItem; // loops
    bool fused = false;
    QString rule;
    qint64 score = 0; // bytes of traffic saved
    Values values;
};

struct BufferReuse {
    int record = 0;
    QString compile, region;
    ItemId a = noItem, b = noItem;
};

struct Dispatch {
    int record = 0;
    QString op;
    QStringList keys;
    QString arguments; // "f32[4, 8], f32[8]"
    QString file;
    int line = 0;
    int launches = 0;
    bool inRegion = false;  // inside a call of compiled code or of backward
    ItemId source = noItem; // the user's line
};

struct TapeNode {
    int record = 0;
    ItemId item = noItem;
    QString name, op;
    QStringList inputs; // "tape:<n>", "leaf:<name>", "none"
    QStringList saved;
    QString file;
    int line = 0;
};

struct TapeRun {
    int record = 0;
    ItemId item = noItem;
    int order = 0;
    double durationUs = 0;
};

struct Launch {
    int record = 0;
    QString kernel, op, region, device;
    bool compiled = false;
    double startUs = 0, durationUs = 0;
    qint64 bytes = 0;
    ItemId from = noItem; // fused_loops
    int call = 0;
};

struct Call {
    int record = 0;
    bool compiled = false;
    QString region;
    int call = 0;
    double durationUs = 0;
    int launches = 0;
};

struct Measured {
    int record = 0;
    bool compiled = false;
    int runs = 0;
    double medianUs = 0;
    int launches = 0;
};

struct Memory {
    int record = 0;
    QString mode;
    qint64 peakBytes = 0, allocations = 0;
};

struct Output {
    int record = 0;
    bool error = false; // stderr
    QString text;
};

struct Frame {
    QString file, function;
    int line = 0, endLine = 0, column = -1, endColumn = -1;
};

struct Exception {
    int record = 0;
    QString type, message, traceback;
    std::vector<Frame> frames; // outermost first
};

struct Run {
    int startedRecord = -1, finishedRecord = -1; // -1: not yet
    QString path, program, backend, device;
    Values versions;
    QString status; // ok, exception, stopped, out_of_memory, exit
    int exitCode = 0;
    double seconds = 0;
    QMap<QString, qint64> counters;
};

} // namespace strata::model
