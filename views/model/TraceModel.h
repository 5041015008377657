#pragma once
// What the views know of a run: the trace's records, indexed. It grows by appending and is emptied as a whole. Panes
// ask it, never the engine. Ids are interned; provenance is two adjacency lists.

#include "views/model/Stages.h"
#include "views/model/Tables.h"

#include <QByteArray>
#include <QHash>
#include <QObject>

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace strata::model {

/// The items that an item came from, and those it became, transitively; neither holds the item itself. Ascending.
struct Related {
    std::vector<ItemId> upstream, downstream;
};

class TraceModel : public QObject {
    Q_OBJECT

public:
    explicit TraceModel(QObject* parent = nullptr);
    ~TraceModel() override;

    /// Records in any order and of any kind: unknown kinds and fields are kept but not indexed, a field of an
    /// unexpected type counts as missing.
    void append(trace::Record record);
    /// Several at once: signals come once, after the last.
    void append(std::vector<trace::Record> records);
    void clear();

    int recordCount() const { return static_cast<int>(m_recordEnds.size()); }
    /// Record `index`, decoded; kept as CBOR, a few hundred bytes a record.
    trace::Record record(int index) const;
    /// The whole stream as a .strata file holds it.
    QByteArray bytes() const;
    /// Family, kind, seconds and stage without decoding.
    struct Head {
        QString family, kind, compile, region;
        Stage stage = Stage::Other;
        double t = 0;
    };
    const Head& head(int index) const { return m_heads[static_cast<std::size_t>(index)]; }

    // Artifacts and items.
    const std::deque<Artifact>& artifacts() const { return m_artifacts; }
    /// Indices of the artifacts of a kind, in order.
    const std::vector<int>& artifactsOf(const QString& kind) const;
    /// The artifact of this kind, compile and region (an empty region matches any); -1 when there is none among
    /// records [0, shown). The last wins.
    int findArtifact(const QString& kind, const QString& compile, const QString& region = {}, int shown = -1) const;
    int itemCount() const { return static_cast<int>(m_items.size()); }
    const Item& item(ItemId id) const { return m_items[static_cast<std::size_t>(id)]; }
    /// noItem when the id was never mentioned.
    ItemId find(const QString& id) const;
    /// "source:<file>:<line>", or noItem.
    ItemId sourceLine(const QString& file, int line) const;
    /// The item's own fields; an empty object when it has none.
    const trace::Json& fields(ItemId id) const;
    /// Items of the artifact that cover a line of its text; innermost first. Empty when none does.
    std::vector<ItemId> itemsAtLine(int artifact, int line) const;

    // Provenance.
    const std::vector<ItemId>& from(ItemId id) const { return m_from[static_cast<std::size_t>(id)]; }
    const std::vector<ItemId>& into(ItemId id) const { return m_into[static_cast<std::size_t>(id)]; }
    Related related(ItemId id) const;
    Related related(const std::vector<ItemId>& ids) const;

    // Tables, each in the order of records.
    const Run& run() const { return m_run; }
    const std::vector<Compile>& compiles() const { return m_compiles; }
    const Compile* compile(const QString& id) const;
    const std::vector<CacheEvent>& cacheEvents() const { return m_cacheEvents; }
    const std::vector<GuardCheck>& guardChecks() const { return m_guardChecks; }
    const std::vector<DynamoStep>& dynamoSteps() const { return m_dynamoSteps; }
    const std::vector<GuardAdded>& guardsAdded() const { return m_guardsAdded; }
    const std::vector<GraphBreak>& graphBreaks() const { return m_graphBreaks; }
    const std::vector<Inlined>& inlined() const { return m_inlined; }
    const std::vector<Rewrite>& rewrites() const { return m_rewrites; }
    const std::vector<SaveDecision>& saveDecisions() const { return m_saveDecisions; }
    const std::vector<Fusion>& fusions() const { return m_fusions; }
    const std::vector<BufferReuse>& bufferReuses() const { return m_bufferReuses; }
    const std::vector<Dispatch>& dispatches() const { return m_dispatches; }
    const std::vector<TapeNode>& tapeNodes() const { return m_tapeNodes; }
    const std::vector<TapeRun>& tapeRuns() const { return m_tapeRuns; }
    const std::vector<Launch>& launches() const { return m_launches; }
    const std::vector<Call>& calls() const { return m_calls; }
    const std::vector<Measured>& measured() const { return m_measured; }
    const std::vector<Memory>& memory() const { return m_memory; }
    const std::vector<Output>& output() const { return m_output; }
    const std::vector<Exception>& exceptions() const { return m_exceptions; }

    /// How many rows of a table belong to records [0, position).
    template <class Table> static int prefix(const Table& table, int position) {
        int low = 0, high = static_cast<int>(table.size());
        while (low < high) {
            const int middle = (low + high) / 2;
            if (table[static_cast<std::size_t>(middle)].record < position)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

Q_SIGNALS:
    /// Records [first, last) were appended.
    void appended(int first, int last);
    /// Artifact `index` is new. Comes before `appended`.
    void artifactAppended(int index);
    void cleared();

private:
    friend class RecordReader;

    ItemId intern(const std::string& id);
    QString text(const std::string& value);
    void link(ItemId id, ItemId from);
    void store(trace::Record record);

    std::string m_bytes;                   // the stream, each record behind its length
    std::vector<std::size_t> m_recordEnds; // offsets into m_bytes
    std::vector<Head> m_heads;
    std::deque<Artifact> m_artifacts;
    QHash<QString, std::vector<int>> m_artifactsOf;
    std::vector<Item> m_items;
    std::unordered_map<std::string, ItemId> m_ids;
    std::unordered_map<std::string, QString> m_texts; // names that come again and again are kept once
    std::vector<std::vector<ItemId>> m_from, m_into;

    Run m_run;
    std::vector<Compile> m_compiles;
    QHash<QString, int> m_compileOf;
    std::vector<CacheEvent> m_cacheEvents;
    std::vector<GuardCheck> m_guardChecks;
    std::vector<DynamoStep> m_dynamoSteps;
    std::vector<GuardAdded> m_guardsAdded;
    std::vector<GraphBreak> m_graphBreaks;
    std::vector<Inlined> m_inlined;
    std::vector<Rewrite> m_rewrites;
    std::vector<SaveDecision> m_saveDecisions;
    std::vector<Fusion> m_fusions;
    std::vector<BufferReuse> m_bufferReuses;
    std::vector<Dispatch> m_dispatches;
    std::vector<TapeNode> m_tapeNodes;
    std::vector<TapeRun> m_tapeRuns;
    std::vector<Launch> m_launches;
    std::vector<Call> m_calls;
    std::vector<Measured> m_measured;
    std::vector<Memory> m_memory;
    std::vector<Output> m_output;
    std::vector<Exception> m_exceptions;
};

} // namespace strata::model
