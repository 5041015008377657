#include "views/model/RecordReader.h"

#include "views/model/Fields.h"
#include "views/model/Words.h"

namespace strata::model {

using trace::Json;

void RecordReader::read(trace::Record record, const QString& family, const QString& kind) {
    if (family == QLatin1String("artifact"))
        readArtifact(std::move(record), kind);
    else if (family == QLatin1String("run"))
        readRun(record, kind);
    else if (family == QLatin1String("compile"))
        readCompile(record, kind);
    else if (family == QLatin1String("step"))
        readStep(record, kind);
    else if (family == QLatin1String("eager"))
        readEager(record, kind);
    else if (family == QLatin1String("measure"))
        readMeasure(record, kind);
}

QString RecordReader::name(const Json& r, const char* field) {
    return m_model.text(fields::string(r, field));
}

ItemId RecordReader::id(const Json& r, const char* field) {
    const std::vector<std::string> all = fields::strings(r, field);
    return all.empty() || all.front().empty() ? noItem : m_model.intern(all.front());
}

std::vector<ItemId> RecordReader::ids(const Json& r, const char* field) {
    std::vector<ItemId> out;
    for (const std::string& text : fields::strings(r, field))
        if (!text.empty()) out.push_back(m_model.intern(text));
    return out;
}

ItemId RecordReader::source(const QString& file, int line) {
    if (file.isEmpty() || line <= 0) return noItem;
    return m_model.intern("source:" + file.toStdString() + ":" + std::to_string(line));
}

void RecordReader::readRun(const Json& r, const QString& kind) {
    Run& run = m_model.m_run;
    if (kind == QLatin1String("run_started")) {
        run.startedRecord = m_record;
        run.path = fields::text(r, "path");
        run.program = fields::text(r, "program");
        run.backend = fields::text(r, "backend");
        run.device = fields::text(r, "device");
        run.versions = fields::values(r, "versions");
    } else if (kind == QLatin1String("stdout")) {
        m_model.m_output.push_back(
            {m_record, fields::text(r, "stream") == QLatin1String("stderr"), fields::text(r, "text")});
    } else if (kind == QLatin1String("exception")) {
        readException(r);
    } else if (kind == QLatin1String("run_finished")) {
        run.finishedRecord = m_record;
        run.status = fields::text(r, "status");
        run.exitCode = fields::small(r, "exit_code");
        run.seconds = fields::number(r, "seconds");
        if (const Json* counters = fields::find(r, "counters"); counters && counters->is_object())
            for (const auto& [key, value] : counters->items())
                if (value.is_number_integer()) run.counters.insert(QString::fromStdString(key), value.get<qint64>());
    }
}

void RecordReader::readException(const Json& r) {
    Exception exception{
        m_record, fields::text(r, "type"), fields::text(r, "message"), fields::text(r, "traceback"), {}};
    if (const Json* frames = fields::find(r, "frames"); frames && frames->is_array())
        for (const Json& f : *frames)
            exception.frames.push_back({fields::text(f, "file"), fields::text(f, "function"), fields::small(f, "line"),
                                        fields::small(f, "end_line"), fields::small(f, "column", -1),
                                        fields::small(f, "end_column", -1)});
    m_model.m_exceptions.push_back(std::move(exception));
}

void RecordReader::readCompile(const Json& r, const QString& kind) {
    if (kind == QLatin1String("cache")) {
        m_model.m_cacheEvents.push_back({m_record, name(r, "event"), name(r, "compile"), name(r, "function"),
                                         id(r, "guard"), fields::text(r, "guard_text"), fields::shown(r, "observed")});
        return;
    }
    const QString compileId = name(r, "compile");
    auto found = m_model.m_compileOf.constFind(compileId);
    if (kind == QLatin1String("compile_started") || found == m_model.m_compileOf.constEnd()) {
        // A finish without a start comes from a damaged or filtered stream: the compile is known from there on.
        Compile started;
        started.record = m_record;
        started.id = compileId;
        found = m_model.m_compileOf.insert(compileId, static_cast<int>(m_model.m_compiles.size()));
        m_model.m_compiles.push_back(std::move(started));
    }
    Compile& compile = m_model.m_compiles[static_cast<std::size_t>(*found)];
    if (kind == QLatin1String("compile_started")) {
        compile.function = name(r, "function");
        compile.file = name(r, "file");
        compile.line = fields::small(r, "line");
        compile.reason = name(r, "reason");
    } else if (kind == QLatin1String("stage_finished")) {
        compile.stages.push_back({m_record, name(r, "region"), name(r, "stage"), fields::number(r, "ms")});
    } else if (kind == QLatin1String("compile_finished")) {
        compile.finishedRecord = m_record;
        compile.status = name(r, "status");
        compile.code = name(r, "code");
        compile.codeFile = name(r, "file");
        compile.codeLine = fields::small(r, "line");
        compile.hintValues = fields::values(r, "hint_values");
        compile.ms = fields::number(r, "ms");
        compile.ops = fields::small(r, "ops");
        compile.guards = fields::small(r, "guards");
    }
}

void RecordReader::define(const Json& entry, Artifact& artifact, int index, int position) {
    const std::string text = fields::string(entry, "id");
    if (text.empty()) return;
    const ItemId id = m_model.intern(text);
    Item& item = m_model.m_items[static_cast<std::size_t>(id)];
    item.artifact = index;
    item.index = position;
    item.line = fields::small(entry, "line");
    item.endLine = std::max(item.line, fields::small(entry, "end_line"));
    item.label = fields::text(entry, "label");
    artifact.items.push_back(id);
    for (const ItemId from : ids(entry, "from")) m_model.link(id, from);
}

void RecordReader::readArtifact(Json r, const QString& kind) {
    const int index = static_cast<int>(m_model.m_artifacts.size());
    Artifact& artifact = m_model.m_artifacts.emplace_back();
    artifact.record = m_record;
    artifact.kind = kind;
    artifact.compile = name(r, "compile");
    artifact.region = name(r, "region");
    artifact.graph = fields::text(r, "graph");
    artifact.file = fields::text(r, "file");
    artifact.text = fields::text(r, "text");
    r.erase("text"); // kept once
    artifact.fields = std::move(r);
    m_model.m_artifactsOf[kind].push_back(index);
    // Positions index into `fields["items"]`, so that entries without an id leave their place empty.
    const Json* items = fields::find(artifact.fields, "items");
    if (!items || !items->is_array()) return;
    int position = 0;
    for (const Json& entry : *items) define(entry, artifact, index, position++);
}

void RecordReader::readStep(const Json& r, const QString& kind) {
    const QString compile = name(r, "compile"), region = name(r, "region");
    if (kind == QLatin1String("dynamo_step")) {
        m_model.m_dynamoSteps.push_back({m_record, compile, id(r, "from"), name(r, "code"), fields::small(r, "depth")});
    } else if (kind == QLatin1String("guard_added")) {
        m_model.m_guardsAdded.push_back({m_record, compile, id(r, "id"), ids(r, "from")});
        for (const ItemId from : m_model.m_guardsAdded.back().from)
            if (m_model.m_guardsAdded.back().guard != noItem) m_model.link(m_model.m_guardsAdded.back().guard, from);
    } else if (kind == QLatin1String("graph_break")) {
        m_model.m_graphBreaks.push_back({m_record, compile, name(r, "code"), fields::values(r, "values"),
                                         name(r, "file"), fields::small(r, "line"), ids(r, "from")});
    } else if (kind == QLatin1String("inlined")) {
        m_model.m_inlined.push_back({m_record, compile, name(r, "function"), name(r, "file"), fields::small(r, "line"),
                                     fields::small(r, "depth")});
    } else if (kind == QLatin1String("functionalized") || kind == QLatin1String("decomposed")) {
        m_model.m_rewrites.push_back({m_record, kind == QLatin1String("decomposed"), compile, region, name(r, "op"),
                                      ids(r, "from"), ids(r, "into")});
    } else if (kind == QLatin1String("saved") || kind == QLatin1String("recomputed")) {
        m_model.m_saveDecisions.push_back({m_record, kind == QLatin1String("recomputed"), compile, id(r, "id"),
                                           fields::integer(r, "bytes"), fields::number(r, "cost"), name(r, "code")});
    } else if (kind == QLatin1String("fusion")) {
        m_model.m_fusions.push_back({m_record, compile, region, id(r, "a"), id(r, "b"), fields::flag(r, "fused"),
                                     name(r, "rule"), fields::integer(r, "score"), fields::values(r, "values")});
    } else if (kind == QLatin1String("buffer_reused")) {
        m_model.m_bufferReuses.push_back({m_record, compile, region, id(r, "a"), id(r, "b")});
    }
}

void RecordReader::readEager(const Json& r, const QString& kind) {
    if (kind == QLatin1String("dispatch")) {
        Dispatch row;
        row.record = m_record;
        row.op = name(r, "op");
        for (const QString& key : fields::texts(r, "keys")) row.keys.append(m_model.text(key.toStdString()));
        const QStringList shapes = fields::texts(r, "shapes"), dtypes = fields::texts(r, "dtypes");
        QStringList arguments;
        for (qsizetype i = 0; i < shapes.size(); ++i) arguments.append(Words::dtype(dtypes.value(i)) + shapes[i]);
        row.arguments = m_model.text(arguments.join(QStringLiteral(", ")).toStdString());
        row.file = name(r, "file");
        row.line = fields::small(r, "line");
        row.launches = fields::small(r, "launches");
        row.inRegion = fields::flag(r, "in_region");
        row.source = source(row.file, row.line);
        m_model.m_dispatches.push_back(std::move(row));
    } else if (kind == QLatin1String("tape_node")) {
        TapeNode row{m_record,
                     id(r, "id"),
                     name(r, "name"),
                     name(r, "op"),
                     fields::texts(r, "inputs"),
                     fields::texts(r, "saved"),
                     name(r, "file"),
                     fields::small(r, "line")};
        if (row.item == noItem) return;
        Item& item = m_model.m_items[static_cast<std::size_t>(row.item)];
        if (item.label.isEmpty()) item.label = row.name;
        for (const ItemId from : ids(r, "from")) m_model.link(row.item, from);
        if (const ItemId line = source(row.file, row.line); line != noItem) m_model.link(row.item, line);
        m_model.m_tapeNodes.push_back(std::move(row));
    } else if (kind == QLatin1String("tape_run")) {
        m_model.m_tapeRuns.push_back(
            {m_record, id(r, "id"), fields::small(r, "order"), fields::number(r, "duration_us")});
    }
}

void RecordReader::readMeasure(const Json& r, const QString& kind) {
    const bool compiled = fields::string(r, "mode") == "compiled";
    if (kind == QLatin1String("launch")) {
        m_model.m_launches.push_back({m_record, name(r, "kernel"), name(r, "op"), name(r, "region"), name(r, "device"),
                                      compiled, fields::number(r, "start_us"), fields::number(r, "duration_us"),
                                      fields::integer(r, "bytes"), id(r, "from"), fields::small(r, "call")});
    } else if (kind == QLatin1String("call")) {
        m_model.m_calls.push_back({m_record, compiled, name(r, "region"), fields::small(r, "call"),
                                   fields::number(r, "duration_us"), fields::small(r, "launches")});
    } else if (kind == QLatin1String("guard_check")) {
        m_model.m_guardChecks.push_back({m_record, name(r, "compile"), name(r, "function"), fields::flag(r, "passed"),
                                         id(r, "failed"), fields::number(r, "ns")});
    } else if (kind == QLatin1String("measured")) {
        m_model.m_measured.push_back({m_record, compiled, fields::small(r, "runs"), fields::number(r, "median_us"),
                                      fields::small(r, "launches")});
    } else if (kind == QLatin1String("memory")) {
        m_model.m_memory.push_back(
            {m_record, name(r, "mode"), fields::integer(r, "peak_bytes"), fields::integer(r, "allocations")});
    }
}

} // namespace strata::model
