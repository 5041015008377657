#include "views/model/TraceModel.h"

#include "views/model/Fields.h"
#include "views/model/RecordReader.h"

#include <algorithm>
#include <utility>

namespace strata::model {

namespace {

constexpr std::size_t lengthBytes = 4;

// Collects what is reachable along `edges`, without the roots.
std::vector<ItemId> reach(const std::vector<ItemId>& roots, const std::vector<std::vector<ItemId>>& edges) {
    std::vector<bool> seen(edges.size(), false);
    std::vector<ItemId> stack = roots, out;
    for (const ItemId root : roots) seen[static_cast<std::size_t>(root)] = true;
    while (!stack.empty()) {
        const ItemId at = stack.back();
        stack.pop_back();
        for (const ItemId next : edges[static_cast<std::size_t>(at)]) {
            if (seen[static_cast<std::size_t>(next)]) continue;
            seen[static_cast<std::size_t>(next)] = true;
            out.push_back(next);
            stack.push_back(next);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

TraceModel::TraceModel(QObject* parent) : QObject(parent) {}
TraceModel::~TraceModel() = default;

void TraceModel::append(trace::Record record) {
    std::vector<trace::Record> one;
    one.push_back(std::move(record));
    append(std::move(one));
}

void TraceModel::append(std::vector<trace::Record> records) {
    if (records.empty()) return;
    const int first = recordCount();
    const int firstArtifact = static_cast<int>(m_artifacts.size());
    for (trace::Record& record : records) store(std::move(record));
    for (int i = firstArtifact; i < static_cast<int>(m_artifacts.size()); ++i) Q_EMIT artifactAppended(i);
    Q_EMIT appended(first, recordCount());
}

void TraceModel::store(trace::Record record) {
    const std::size_t start = m_bytes.size();
    m_bytes.append(lengthBytes, '\0');
    trace::Json::to_cbor(record, m_bytes);
    const std::size_t length = m_bytes.size() - start - lengthBytes;
    for (std::size_t i = 0; i < lengthBytes; ++i) m_bytes[start + i] = static_cast<char>((length >> (8 * i)) & 0xff);
    m_recordEnds.push_back(m_bytes.size());

    const QString family = text(fields::string(record, "family")), kind = text(fields::string(record, "kind"));
    Stage stage = stageOfRecord(family, kind, fields::text(record, "mode"));
    if (kind == QLatin1String("decomposed")) { // below the cut, decomposing is how prims come about
        const std::vector<std::string> into = fields::strings(record, "into");
        if (!into.empty() && into.front().rfind("prims:", 0) == 0) stage = Stage::Prims;
    }
    m_heads.push_back({family, kind, text(fields::string(record, "compile")), text(fields::string(record, "region")),
                       stage, fields::number(record, "t")});
    RecordReader(*this, recordCount() - 1).read(std::move(record), family, kind);
}

void TraceModel::clear() {
    m_bytes.clear();
    m_recordEnds.clear();
    m_heads.clear();
    m_artifacts.clear();
    m_artifactsOf.clear();
    m_items.clear();
    m_ids.clear();
    m_texts.clear();
    m_from.clear();
    m_into.clear();
    m_run = {};
    m_compiles.clear();
    m_compileOf.clear();
    m_cacheEvents.clear();
    m_guardChecks.clear();
    m_dynamoSteps.clear();
    m_guardsAdded.clear();
    m_graphBreaks.clear();
    m_inlined.clear();
    m_rewrites.clear();
    m_saveDecisions.clear();
    m_fusions.clear();
    m_bufferReuses.clear();
    m_dispatches.clear();
    m_tapeNodes.clear();
    m_tapeRuns.clear();
    m_launches.clear();
    m_calls.clear();
    m_measured.clear();
    m_memory.clear();
    m_output.clear();
    m_exceptions.clear();
    Q_EMIT cleared();
}

trace::Record TraceModel::record(int index) const {
    const std::size_t i = static_cast<std::size_t>(index);
    const std::size_t start = (i == 0 ? 0 : m_recordEnds[i - 1]) + lengthBytes;
    return trace::Json::from_cbor(m_bytes.begin() + static_cast<std::ptrdiff_t>(start),
                                  m_bytes.begin() + static_cast<std::ptrdiff_t>(m_recordEnds[i]));
}

QByteArray TraceModel::bytes() const {
    return QByteArray(m_bytes.data(), static_cast<qsizetype>(m_bytes.size()));
}

const std::vector<int>& TraceModel::artifactsOf(const QString& kind) const {
    static const std::vector<int> none;
    const auto found = m_artifactsOf.constFind(kind);
    return found == m_artifactsOf.constEnd() ? none : *found;
}

int TraceModel::findArtifact(const QString& kind, const QString& compile, const QString& region, int shown) const {
    const std::vector<int>& all = artifactsOf(kind);
    for (auto at = all.rbegin(); at != all.rend(); ++at) {
        const Artifact& artifact = m_artifacts[static_cast<std::size_t>(*at)];
        if (shown >= 0 && artifact.record >= shown) continue;
        if (artifact.compile == compile && (region.isEmpty() || artifact.region == region)) return *at;
    }
    return -1;
}

ItemId TraceModel::intern(const std::string& id) {
    const auto [at, fresh] = m_ids.try_emplace(id, itemCount());
    if (fresh) {
        Item item;
        item.id = QString::fromStdString(id);
        item.kind = text(id.substr(0, id.find(':')));
        m_items.push_back(std::move(item));
        m_from.emplace_back();
        m_into.emplace_back();
    }
    return at->second;
}

QString TraceModel::text(const std::string& value) {
    const auto [at, fresh] = m_texts.try_emplace(value);
    if (fresh) at->second = QString::fromStdString(value);
    return at->second;
}

void TraceModel::link(ItemId id, ItemId from) {
    if (id == from) return;
    std::vector<ItemId>& sources = m_from[static_cast<std::size_t>(id)];
    if (std::find(sources.begin(), sources.end(), from) != sources.end()) return;
    sources.push_back(from);
    m_into[static_cast<std::size_t>(from)].push_back(id);
}

ItemId TraceModel::find(const QString& id) const {
    const auto found = m_ids.find(id.toStdString());
    return found == m_ids.end() ? noItem : found->second;
}

ItemId TraceModel::sourceLine(const QString& file, int line) const {
    return find(QStringLiteral("source:%1:%2").arg(file).arg(line));
}

const trace::Json& TraceModel::fields(ItemId id) const {
    static const trace::Json none = trace::Json::object();
    if (id < 0 || id >= itemCount()) return none;
    const Item& at = item(id);
    if (at.artifact < 0) return none;
    return m_artifacts[static_cast<std::size_t>(at.artifact)].fields["items"][static_cast<std::size_t>(at.index)];
}

std::vector<ItemId> TraceModel::itemsAtLine(int artifact, int line) const {
    std::vector<ItemId> out;
    if (artifact < 0 || artifact >= static_cast<int>(m_artifacts.size())) return out;
    for (const ItemId id : m_artifacts[static_cast<std::size_t>(artifact)].items)
        if (item(id).line > 0 && item(id).line <= line && line <= item(id).endLine) out.push_back(id);
    std::stable_sort(out.begin(), out.end(), [this](ItemId a, ItemId b) {
        return item(a).endLine - item(a).line < item(b).endLine - item(b).line;
    });
    return out;
}

Related TraceModel::related(ItemId id) const {
    return related(std::vector<ItemId>{id});
}

Related TraceModel::related(const std::vector<ItemId>& ids) const {
    std::vector<ItemId> known;
    for (const ItemId id : ids)
        if (id >= 0 && id < itemCount()) known.push_back(id);
    return {reach(known, m_from), reach(known, m_into)};
}

const Compile* TraceModel::compile(const QString& id) const {
    const auto found = m_compileOf.constFind(id);
    return found == m_compileOf.constEnd() ? nullptr : &m_compiles[static_cast<std::size_t>(*found)];
}

} // namespace strata::model
