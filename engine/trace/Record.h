#pragma once
// A trace record and the interface that stages write them to. See README.md beside this file for every kind.

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace strata::trace {

using Json = nlohmann::json;

inline constexpr int version = 1;

/// One record: a JSON object that has at least `kind` and `family`. `seq` and `t` are set by the writer.
using Record = Json;

/// Where stages send records. A stage is handed a pointer; null means that nobody listens, and then it must not
/// build records at all.
class Sink {
public:
    Sink() = default;
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;
    virtual ~Sink() = default;
    virtual void write(Record record) = 0;
    /// Whether single decisions (family step) are wanted, not only artifacts and measurements.
    virtual bool wantsSteps() const { return true; }
};

/// Keeps records in memory: for tests and for `record`.
class MemorySink : public Sink {
public:
    void write(Record record) override { records.push_back(std::move(record)); }
    std::vector<Record> records;
};

/// `record` with `family` and `kind` set.
inline Record make(std::string_view family, std::string_view kind, Json fields = Json::object()) {
    fields["family"] = family;
    fields["kind"] = kind;
    return fields;
}

} // namespace strata::trace
