#include "app/host/TraceFile.h"

#include "engine/trace/Stream.h"

#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>

namespace strata::host {

QString openTrace(const QString& path, model::TraceModel* model) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return QCoreApplication::translate("TraceFile", "%1 cannot be read: %2").arg(path, file.errorString());
    const QByteArray bytes = file.readAll();
    trace::StreamReader reader;
    reader.feed(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    std::vector<trace::Record> records;
    while (auto record = reader.next()) records.push_back(std::move(*record));
    reader.finish();
    const bool isTrace = !records.empty() && records.front().value("kind", std::string()) == "trace";
    if (!isTrace) return QCoreApplication::translate("TraceFile", "%1 is no trace of Strata.").arg(path);
    if (records.front().value("version", 0) > trace::version)
        return QCoreApplication::translate("TraceFile", "%1 was written by a newer Strata (trace version %2).")
            .arg(path)
            .arg(records.front().value("version", 0));
    model->clear();
    model->append(std::move(records));
    if (reader.damage().empty()) return {};
    return QCoreApplication::translate("TraceFile", "%1 is damaged at byte %2; what stands before is shown.")
        .arg(path)
        .arg(reader.offset());
}

QString saveTrace(const QString& path, const model::TraceModel& model) {
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(model.bytes()) >= 0 && file.commit()) return {};
    return QCoreApplication::translate("TraceFile", "%1 cannot be written: %2").arg(path, file.errorString());
}

} // namespace strata::host
