#include "views/panes/MapFigures.h"

#include "views/model/Fields.h"
#include "views/model/Words.h"

namespace strata::panes {

namespace fields = model::fields;
using model::Moment;
using model::Stage;
using model::TraceModel;
using model::Words;

namespace {

std::size_t at(MapBox b) {
    return static_cast<std::size_t>(b);
}

// Counts what has happened, box by box.
class Counting {
    Q_DECLARE_TR_FUNCTIONS(MapCounter)

public:
    Counting(const TraceModel& model, const Moment& moment) : m_model(model), m_moment(moment) {}

    MapFigures run() {
        eager();
        calls();
        capture();
        lowering();
        generation();
        comparison();
        edges();
        return std::move(m_out);
    }

private:
    template <class Table> int happened(const Table& table) const {
        return TraceModel::prefix(table, m_moment.position);
    }

    void set(MapBox box, const QString& value, const QString& unit, const QString& more = {}) {
        m_out.boxes[at(box)] = {value, unit, more};
        m_out.reached[at(box)] = true;
    }
    void set(MapBox box, qint64 value, const QString& unit, const QString& more = {}) {
        set(box, QString::number(value), unit, more);
    }

    bool shown(int record) const { return record < m_moment.position || record < m_moment.begin; }

    void eager() {
        int lines = 0;
        for (const int index : m_model.artifactsOf(QStringLiteral("source"))) {
            const model::Artifact& source = m_model.artifacts()[static_cast<std::size_t>(index)];
            if (shown(source.record)) lines += static_cast<int>(source.items.size());
        }
        if (lines > 0) set(MapBox::Python, lines, lines == 1 ? tr("line of code") : tr("lines of code"));
        const int dispatched = happened(m_model.dispatches());
        if (dispatched > 0) set(MapBox::Dispatcher, dispatched, tr("dispatched"));
        int launches = 0;
        double us = 0;
        for (int i = 0; i < happened(m_model.launches()); ++i) {
            const model::Launch& launch = m_model.launches()[static_cast<std::size_t>(i)];
            if (launch.compiled) continue;
            ++launches;
            us += launch.durationUs;
        }
        if (launches > 0) {
            set(MapBox::Kernels, launches, launches == 1 ? tr("launch") : tr("launches"),
                tr("%1 in kernels").arg(Words::microseconds(us)));
        } else if (dispatched > 0) { // launches are sent at the end; the dispatcher has counted them
            for (int i = 0; i < dispatched; ++i) launches += m_model.dispatches()[static_cast<std::size_t>(i)].launches;
            if (launches > 0) set(MapBox::Kernels, launches, launches == 1 ? tr("launch") : tr("launches"));
        }
        const int nodes = happened(m_model.tapeNodes()), ran = happened(m_model.tapeRuns());
        if (nodes > 0)
            set(MapBox::Tape, nodes, nodes == 1 ? tr("node") : tr("nodes"),
                ran > 0 ? tr("%1 run by backward").arg(ran) : QString());
    }

    void calls() {
        int calls = 0, hits = 0, misses = 0, recompiles = 0, limits = 0;
        for (int i = 0; i < happened(m_model.cacheEvents()); ++i) {
            const QString& event = m_model.cacheEvents()[static_cast<std::size_t>(i)].event;
            hits += event == QLatin1String("hit");
            misses += event == QLatin1String("miss");
            recompiles += event == QLatin1String("recompile");
            limits += event == QLatin1String("limit");
        }
        calls = hits + misses + recompiles + limits;
        m_hits = hits;
        m_compilesAsked = misses + recompiles;
        if (calls > 0) {
            set(MapBox::Call, calls, calls == 1 ? tr("frame entered") : tr("frames entered"));
            QStringList rest;
            if (misses > 0) rest.append(misses == 1 ? tr("1 miss") : tr("%1 misses").arg(misses));
            if (recompiles > 0) rest.append(recompiles == 1 ? tr("1 recompile") : tr("%1 recompiles").arg(recompiles));
            if (limits > 0) rest.append(tr("limit reached"));
            set(MapBox::Cache, hits, hits == 1 ? tr("hit") : tr("hits"), rest.join(QStringLiteral(" · ")));
        } else if (happened(m_model.compiles()) > 0) {
            m_out.reached[at(MapBox::Call)] = m_out.reached[at(MapBox::Cache)] = true;
        }
    }

    void capture() {
        int frames = 0, guards = 0;
        double ms = 0;
        for (int i = 0; i < happened(m_model.compiles()); ++i) {
            const model::Compile& compile = m_model.compiles()[static_cast<std::size_t>(i)];
            ++frames;
            ms += stageMs(compile, {"dynamo", "guards"});
        }
        for (const int index : m_model.artifactsOf(QStringLiteral("guards"))) {
            const model::Artifact& artifact = m_model.artifacts()[static_cast<std::size_t>(index)];
            if (shown(artifact.record)) guards += static_cast<int>(artifact.items.size());
        }
        if (frames > 0)
            set(MapBox::Dynamo, frames, frames == 1 ? tr("frame traced") : tr("frames traced"),
                ms > 0 ? Words::milliseconds(ms) : QString());
        for (int i = 0; i < happened(m_model.guardChecks()); ++i) {
            const model::GuardCheck& check = m_model.guardChecks()[static_cast<std::size_t>(i)];
            if (check.passed) m_out.guardCheckNs = check.ns;
        }
        if (guards > 0)
            set(MapBox::Guards, guards, guards == 1 ? tr("guard") : tr("guards"),
                m_out.guardCheckNs ? tr("checked in %1").arg(Words::nanoseconds(*m_out.guardCheckNs)) : QString());
        if (const int breaks = happened(m_model.graphBreaks()); breaks > 0) {
            const model::GraphBreak& last = m_model.graphBreaks()[static_cast<std::size_t>(breaks - 1)];
            set(MapBox::Breaks, breaks, breaks == 1 ? tr("break") : tr("breaks"),
                last.line > 0 ? tr("the last at line %1").arg(last.line) : QString());
        } else if (guards > 0) {
            set(MapBox::Breaks, QStringLiteral("0"), tr("breaks"));
            m_out.reached[at(MapBox::Breaks)] = false;
        }
        const int operations = countNodes({"fx"});
        if (operations > 0)
            set(MapBox::Fx, operations, operations == 1 ? tr("operation") : tr("operations"), graphs({"fx"}));
    }

    void lowering() {
        const int joint = countNodes({"joint"}), forward = countNodes({"forward"});
        int saved = 0;
        for (int i = 0; i < happened(m_model.saveDecisions()); ++i)
            saved += !m_model.saveDecisions()[static_cast<std::size_t>(i)].recomputed;
        const int aot = joint > 0 ? joint : forward;
        if (aot > 0)
            set(MapBox::Aot, aot, aot == 1 ? tr("ATen node") : tr("ATen nodes"),
                saved > 0 ? tr("%1 saved for backward").arg(saved) : QString());
        const int prims = countNodes({"prims"});
        if (prims > 0) set(MapBox::Prims, prims, prims == 1 ? tr("primitive") : tr("primitives"));
        const int loops = countNodes({"loops"}), kernels = countNodes({"fused_loops"});
        double ms = 0;
        for (int i = 0; i < happened(m_model.compiles()); ++i)
            ms += stageMs(m_model.compiles()[static_cast<std::size_t>(i)], {"lowering", "scheduling"});
        const QString time = ms > 0 ? Words::milliseconds(ms) : QString();
        if (kernels > 0)
            set(MapBox::Inductor, QStringLiteral("%1 → %2").arg(loops).arg(kernels), tr("loops → kernels"), time);
        else if (loops > 0)
            set(MapBox::Inductor, loops, tr("loops"), time);
    }

    void generation() {
        int lines = 0;
        double ms = 0;
        for (const int index : m_model.artifactsOf(QStringLiteral("cpp"))) {
            const model::Artifact& artifact = m_model.artifacts()[static_cast<std::size_t>(index)];
            if (shown(artifact.record)) lines += static_cast<int>(artifact.text.count(QLatin1Char('\n')));
        }
        for (int i = 0; i < happened(m_model.compiles()); ++i)
            ms += stageMs(m_model.compiles()[static_cast<std::size_t>(i)], {"codegen", "clang", "llvm", "link"});
        if (lines > 0)
            set(MapBox::Codegen, lines, lines == 1 ? tr("line of C++") : tr("lines of C++"),
                ms > 0 ? tr("compiled in %1").arg(Words::milliseconds(ms)) : QString());
        int launches = 0;
        double us = 0;
        for (int i = 0; i < happened(m_model.launches()); ++i) {
            const model::Launch& launch = m_model.launches()[static_cast<std::size_t>(i)];
            if (!launch.compiled) continue;
            ++launches;
            us += launch.durationUs;
        }
        if (launches == 0) return;
        set(MapBox::Launches, launches, launches == 1 ? tr("launch") : tr("launches"),
            tr("%1 in kernels").arg(Words::microseconds(us)));
    }

    void comparison() {
        for (int i = 0; i < happened(m_model.measured()); ++i) {
            const model::Measured& measured = m_model.measured()[static_cast<std::size_t>(i)];
            (measured.compiled ? m_out.compiled : m_out.eager) = MapSide{measured.launches, measured.medianUs};
        }
        for (int i = 0; i < happened(m_model.calls()); ++i) {
            const model::Call& call = m_model.calls()[static_cast<std::size_t>(i)];
            if (call.compiled && call.region != QLatin1String("backward")) m_out.lastCall = call;
        }
        double first = 0;
        for (int i = 0; i < happened(m_model.compiles()); ++i) {
            const model::Compile& compile = m_model.compiles()[static_cast<std::size_t>(i)];
            if (compile.finishedRecord >= 0 && shown(compile.finishedRecord) &&
                compile.reason != QLatin1String("guard_failed"))
                first += compile.ms;
        }
        if (first > 0) m_out.firstCallMs = first;
    }

    void edges() {
        const auto reached = [this](MapBox b) { return m_out.reached[at(b)]; };
        for (int e = 0; e < mapEdgeCount; ++e) {
            const auto [from, to] = endsOf(static_cast<MapEdge>(e));
            m_out.travelled[static_cast<std::size_t>(e)] = reached(from) && reached(to);
        }
        m_out.travelled[static_cast<std::size_t>(MapEdge::CacheLaunches)] = m_hits > 0;
    }

    double stageMs(const model::Compile& compile, std::initializer_list<const char*> stages) const {
        double ms = 0;
        for (const model::StageTime& time : compile.stages)
            for (const char* stage : stages)
                if (time.stage == QLatin1String(stage) && shown(time.record)) ms += time.ms;
        return ms;
    }

    int countNodes(std::initializer_list<const char*> kinds) const {
        int count = 0;
        for (const char* kind : kinds)
            for (const int index : m_model.artifactsOf(QString::fromLatin1(kind))) {
                const model::Artifact& artifact = m_model.artifacts()[static_cast<std::size_t>(index)];
                if (!shown(artifact.record)) continue;
                for (const model::ItemId id : artifact.items) {
                    const std::string op = fields::string(m_model.fields(id), "op");
                    count +=
                        op != "placeholder" && op != "output" && op != "get_attr" && op != "input" && op != "constant";
                }
            }
        return count;
    }

    QString graphs(std::initializer_list<const char*> kinds) const {
        int count = 0;
        for (const char* kind : kinds)
            for (const int index : m_model.artifactsOf(QString::fromLatin1(kind)))
                count += shown(m_model.artifacts()[static_cast<std::size_t>(index)].record);
        return count == 1 ? tr("in 1 graph") : tr("in %1 graphs").arg(count);
    }

    const TraceModel& m_model;
    const Moment& m_moment;
    MapFigures m_out;
    int m_hits = 0, m_compilesAsked = 0;
};

} // namespace

MapFigures MapCounter::count(const TraceModel& model, const Moment& moment) {
    return Counting(model, moment).run();
}

MapActivity activityOf(const model::Step& step) {
    using B = MapBox;
    using E = MapEdge;
    switch (step.stage) {
    case Stage::Source:
        return {{B::Python}, {}};
    case Stage::Dispatcher:
        return {{B::Dispatcher, B::Kernels}, {E::PythonDispatcher, E::DispatcherKernels, E::KernelsTape}};
    case Stage::Kernels:
        return {{B::Kernels}, {E::DispatcherKernels}};
    case Stage::Tape:
        return {{B::Tape}, {E::KernelsTape}};
    case Stage::Dynamo:
        if (step.kind == QLatin1String("graph_break")) return {{B::Breaks}, {E::DynamoBreaks, E::BreaksPython}};
        if (step.kind == QLatin1String("bytecode"))
            return {{B::Call, B::Dynamo}, {E::PythonCall, E::CallCache, E::CacheDynamo}};
        return {{B::Dynamo}, {E::CacheDynamo}};
    case Stage::Guards:
        return {{B::Guards}, {E::DynamoGuards, E::GuardsCache}};
    case Stage::Fx:
        return {{B::Fx}, {E::DynamoFx}};
    case Stage::Aot:
        return {{B::Aot}, {E::FxAot}};
    case Stage::Prims:
        return {{B::Prims}, {E::AotPrims}};
    case Stage::Inductor:
        return {{B::Inductor}, {E::PrimsInductor}};
    case Stage::Codegen:
        return {{B::Codegen}, {E::InductorCodegen}};
    case Stage::Cache:
        return {{B::Cache}, {E::PythonCall, E::CallCache, E::CacheLaunches}};
    case Stage::Launches:
        return {{B::Launches}, {E::CodegenLaunches, E::CacheLaunches}};
    case Stage::Other:
        break;
    }
    return {};
}

} // namespace strata::panes
