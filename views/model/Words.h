#pragma once
// The words of every code that a trace carries, in the application's language. Sentences hold %name placeholders that
// the record's `values` fill. A code that is not known is shown as itself.

#include "views/model/Stages.h"
#include "views/model/Tables.h"

#include <QString>

namespace strata::model {

class Words {
public:
    static QString stage(Stage stage);              // "Dynamo", "AOTAutograd", ..
    static QString artifact(const QString& kind);   // "FX graph", "loops before fusion", ..
    static QString region(const QString& region);   // "forward", "backward", "inference"
    static QString stageTime(const QString& stage); // dynamo, guards, joint, .. of stage_finished
    static QString graphBreak(const QString& code, const Values& values = {});
    static QString graphBreakHint(const QString& code); // what to do about it; empty when there is nothing to say
    static QString fusion(const QString& rule, const Values& values = {});
    static QString saveReason(const QString& code);
    static QString guardKind(const QString& kind);
    static QString compileReason(const QString& reason);
    static QString compileStatus(const QString& status);
    static QString cacheEvent(const QString& event);
    static QString runStatus(const QString& status);

    /// "float32" -> "f32", as PyTorch prints graphs; an unknown name stays.
    static QString dtype(const QString& name);

    // Quantities, in the language's way.
    static QString bytes(double bytes);     // "12 B", "1.5 KiB"
    static QString microseconds(double us); // "830 ns", "12.4 µs", "3.1 ms", "2.0 s"
    static QString milliseconds(double ms) { return microseconds(ms * 1e3); }
    static QString nanoseconds(double ns) { return microseconds(ns / 1e3); }

    /// `sentence` with every %name replaced by its value; names without a value stay as they are.
    static QString fill(const QString& sentence, const Values& values);
};

} // namespace strata::model
