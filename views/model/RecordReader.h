#pragma once
// Turns one record into rows of a TraceModel. One function a family; an unknown kind leaves nothing behind.

#include "views/model/TraceModel.h"

namespace strata::model {

class RecordReader {
public:
    /// `record` is the model's record of index `index`, already stored.
    RecordReader(TraceModel& model, int index) : m_model(model), m_record(index) {}
    void read(trace::Record record, const QString& family, const QString& kind);

private:
    using Json = trace::Json;

    void readRun(const Json& r, const QString& kind);
    void readException(const Json& r);
    void readCompile(const Json& r, const QString& kind);
    void readArtifact(Json r, const QString& kind);
    void readStep(const Json& r, const QString& kind);
    void readEager(const Json& r, const QString& kind);
    void readMeasure(const Json& r, const QString& kind);

    QString name(const Json& r, const char* field);
    ItemId id(const Json& r, const char* field);
    std::vector<ItemId> ids(const Json& r, const char* field);
    ItemId source(const QString& file, int line);
    void define(const Json& entry, Artifact& artifact, int index, int position);

    TraceModel& m_model;
    int m_record;
};

} // namespace strata::model
