#pragma once
// .strata files: the stream as it came.

#include "views/model/TraceModel.h"

#include <QString>

namespace strata::host {

/// Replaces the model's content by a file's. Returns words on what is wrong (a file that cannot be read, damage and
/// where); what stands before the damage is in the model. Empty: all is well.
QString openTrace(const QString& path, model::TraceModel* model);
/// Empty, or why the file could not be written.
QString saveTrace(const QString& path, const model::TraceModel& model);

} // namespace strata::host
