// The catalogue of graph breaks, skipped frames and refusals: what happened, and what the user can do about it.

#include "views/model/Words.h"

#include <QCoreApplication>

namespace strata::model {

namespace {

struct Entry {
    const char* code;
    const char* what;
    const char* hint;
};

constexpr Entry catalogue[] = {
    {"print", QT_TRANSLATE_NOOP("Words", "print writes to the outside world, which a graph cannot."),
     QT_TRANSLATE_NOOP("Words", "Print outside the compiled function, or after it has run.")},
    {"data_dependent_jump",
     QT_TRANSLATE_NOOP("Words", "A branch depends on the value of a tensor, which is not known while tracing."),
     QT_TRANSLATE_NOOP("Words",
                       "Use torch.where to compute both sides, or take the branch out of the compiled function.")},
    {"data_dependent_value",
     QT_TRANSLATE_NOOP("Words", "%op needs the value of a tensor, which is not known while tracing."),
     QT_TRANSLATE_NOOP("Words", "Keep the value in a tensor, or read it outside the compiled function.")},
    {"call_unknown", QT_TRANSLATE_NOOP("Words", "Dynamo does not know how to trace a call of %function."),
     QT_TRANSLATE_NOOP("Words", "Call it outside the compiled function, or write it with tensor operations.")},
    {"inductor_not_an_aten_op", QT_TRANSLATE_NOOP("Words", "Inductor has no lowering for %target."), ""},
};

const Entry* entryOf(const QString& code) {
    for (const Entry& entry : catalogue)
        if (code == QLatin1String(entry.code)) return &entry;
    return nullptr;
}

} // namespace

QString Words::graphBreak(const QString& code, const Values& values) {
    const Entry* entry = entryOf(code);
    return entry ? fill(QCoreApplication::translate("Words", entry->what), values) : code;
}

QString Words::graphBreakHint(const QString& code) {
    const Entry* entry = entryOf(code);
    return entry && *entry->hint ? QCoreApplication::translate("Words", entry->hint) : QString();
}

} // namespace strata::model
