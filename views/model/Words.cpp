#include "views/model/Words.h"

#include <QCoreApplication>
#include <QHash>

#include <cmath>
#include <span>

namespace strata::model {

namespace {

struct Word {
    const char* code;
    const char* text; // in English; the translation is looked up when asked for
};

constexpr Word artifacts[] = {
    {"source", QT_TRANSLATE_NOOP("Words", "source")},
    {"bytecode", QT_TRANSLATE_NOOP("Words", "bytecode")},
    {"transformed_bytecode", QT_TRANSLATE_NOOP("Words", "transformed bytecode")},
    {"guards", QT_TRANSLATE_NOOP("Words", "guards")},
    {"fx", QT_TRANSLATE_NOOP("Words", "FX graph")},
    {"joint", QT_TRANSLATE_NOOP("Words", "joint graph")},
    {"forward", QT_TRANSLATE_NOOP("Words", "forward graph")},
    {"backward", QT_TRANSLATE_NOOP("Words", "backward graph")},
    {"prims", QT_TRANSLATE_NOOP("Words", "prims graph")},
    {"loops", QT_TRANSLATE_NOOP("Words", "loops before fusion")},
    {"fused_loops", QT_TRANSLATE_NOOP("Words", "loops after fusion")},
    {"memory_plan", QT_TRANSLATE_NOOP("Words", "memory plan")},
    {"wrapper", QT_TRANSLATE_NOOP("Words", "wrapper")},
    {"cpp", QT_TRANSLATE_NOOP("Words", "C++")},
    {"llvm", QT_TRANSLATE_NOOP("Words", "LLVM IR")},
    {"asm", QT_TRANSLATE_NOOP("Words", "assembly")},
    {"cuda", QT_TRANSLATE_NOOP("Words", "CUDA")},
    {"ptx", QT_TRANSLATE_NOOP("Words", "PTX")},
    {"triton", QT_TRANSLATE_NOOP("Words", "Triton")},
    {"tape", QT_TRANSLATE_NOOP("Words", "autograd tape")},
};

constexpr Word stageTimes[] = {
    {"dynamo", QT_TRANSLATE_NOOP("Words", "Dynamo capture")},
    {"guards", QT_TRANSLATE_NOOP("Words", "building guards")},
    {"joint", QT_TRANSLATE_NOOP("Words", "joint graph")},
    {"partition", QT_TRANSLATE_NOOP("Words", "partition")},
    {"prims", QT_TRANSLATE_NOOP("Words", "prims")},
    {"lowering", QT_TRANSLATE_NOOP("Words", "lowering to loops")},
    {"scheduling", QT_TRANSLATE_NOOP("Words", "fusion and scheduling")},
    {"codegen", QT_TRANSLATE_NOOP("Words", "code generation")},
    {"clang", QT_TRANSLATE_NOOP("Words", "Clang")},
    {"llvm", QT_TRANSLATE_NOOP("Words", "LLVM optimiser")},
    {"link", QT_TRANSLATE_NOOP("Words", "linking")},
};

// Why a fusion was done or refused, in the words of the scheduler's own checks.
constexpr Word fusions[] = {
    {"producer_consumer", QT_TRANSLATE_NOOP("Words", "The second reads what the first has just computed.")},
    {"shared_read", QT_TRANSLATE_NOOP("Words", "Both read the same buffer: together they read it once.")},
    {"reduction_epilogue",
     QT_TRANSLATE_NOOP("Words", "The result of the reduction is used at once, in the same kernel.")},
    {"reduction_prologue", QT_TRANSLATE_NOOP("Words", "The values are computed while they are being reduced.")},
    {"library_call", QT_TRANSLATE_NOOP("Words", "%op is a library call; nothing is fused into it.")},
    {"different_ranges", QT_TRANSLATE_NOOP("Words", "The loops run over different ranges: %a and %b.")},
    {"reads_other_positions",
     QT_TRANSLATE_NOOP("Words", "%buffer is read at other positions than the same iteration writes.")},
    {"would_make_a_cycle",
     QT_TRANSLATE_NOOP("Words", "A third kernel stands between them: fusing would make a cycle.")},
};

constexpr Word saves[] = {
    {"cut", QT_TRANSLATE_NOOP("Words", "on the cheapest cut between forward and backward")},
    {"input", QT_TRANSLATE_NOOP("Words", "an input, which is kept anyway")},
    {"output", QT_TRANSLATE_NOOP("Words", "an output, which is kept anyway")},
    {"cheap", QT_TRANSLATE_NOOP("Words", "cheap to compute again in backward")},
    {"fusible", QT_TRANSLATE_NOOP("Words", "fuses into the backward kernel that needs it")},
    {"must_save", QT_TRANSLATE_NOOP("Words", "must not be computed again")},
    {"random", QT_TRANSLATE_NOOP("Words", "random: computing it again would give other numbers")},
    {"view", QT_TRANSLATE_NOOP("Words", "a view, which costs nothing")},
    {"size", QT_TRANSLATE_NOOP("Words", "a size")},
    {"not_recomputable", QT_TRANSLATE_NOOP("Words", "an operation that is not done twice")},
    {"materialized_backward", QT_TRANSLATE_NOOP("Words", "backward needs it in memory anyway")},
    {"compute_intensive", QT_TRANSLATE_NOOP("Words", "too much work to do twice")},
    {"reduction", QT_TRANSLATE_NOOP("Words", "a reduction, too much work to do twice")},
};

constexpr Word guards[] = {
    {"TENSOR_MATCH",
     QT_TRANSLATE_NOOP("Words", "the tensor's type, dtype, device, sizes, strides and requires_grad are as traced")},
    {"TYPE_MATCH", QT_TRANSLATE_NOOP("Words", "the value has the traced type")},
    {"ID_MATCH", QT_TRANSLATE_NOOP("Words", "it is the very same object")},
    {"NO_TENSOR_ALIASING", QT_TRANSLATE_NOOP("Words", "inputs that were different objects still are")},
    {"CLASS_MATCH", QT_TRANSLATE_NOOP("Words", "it is the same class")},
    {"FUNCTION_MATCH", QT_TRANSLATE_NOOP("Words", "it is the same function")},
    {"CLOSURE_MATCH", QT_TRANSLATE_NOOP("Words", "the function has the traced code")},
    {"MODULE_MATCH", QT_TRANSLATE_NOOP("Words", "it is the same module")},
    {"NN_MODULE", QT_TRANSLATE_NOOP("Words", "it is the same nn.Module, in the same mode")},
    {"BUILTIN_MATCH", QT_TRANSLATE_NOOP("Words", "it is the same built-in")},
    {"CONSTANT_MATCH", QT_TRANSLATE_NOOP("Words", "the constant is the traced one")},
    {"EQUALS_MATCH", QT_TRANSLATE_NOOP("Words", "the value equals the traced one")},
    {"BOOL_MATCH", QT_TRANSLATE_NOOP("Words", "the flag is as traced")},
    {"NONE_MATCH", QT_TRANSLATE_NOOP("Words", "it is None")},
    {"NOT_NONE_MATCH", QT_TRANSLATE_NOOP("Words", "it is not None")},
    {"SEQUENCE_LENGTH", QT_TRANSLATE_NOOP("Words", "the sequence has the traced length")},
    {"TUPLE_ITERATOR_LEN", QT_TRANSLATE_NOOP("Words", "the iterator has the traced length left")},
    {"RANGE_ITERATOR_MATCH", QT_TRANSLATE_NOOP("Words", "the range iterator stands where it stood")},
    {"DICT_KEYS_MATCH", QT_TRANSLATE_NOOP("Words", "the dict has the traced keys, in order")},
    {"DICT_KEYS", QT_TRANSLATE_NOOP("Words", "the dict has the traced keys, in order")},
    {"DICT_CONST_KEYS", QT_TRANSLATE_NOOP("Words", "the dict has the traced keys, in order")},
    {"DICT_VERSION", QT_TRANSLATE_NOOP("Words", "the dict was not changed")},
    {"DICT_CONTAINS", QT_TRANSLATE_NOOP("Words", "the dict has, or lacks, the key as traced")},
    {"DICT_NOT_CONTAINS", QT_TRANSLATE_NOOP("Words", "the dict lacks the key, as traced")},
    {"SET_CONTAINS", QT_TRANSLATE_NOOP("Words", "the set has, or lacks, the element as traced")},
    {"MAPPING_KEYS_CHECK", QT_TRANSLATE_NOOP("Words", "the mapping has the traced keys")},
    {"HASATTR", QT_TRANSLATE_NOOP("Words", "the attribute is there, or missing, as traced")},
    {"NOT_PRESENT_IN_GENERIC_DICT", QT_TRANSLATE_NOOP("Words", "no instance attribute hides the class's")},
    {"WEAKREF_ALIVE", QT_TRANSLATE_NOOP("Words", "the object is still alive")},
    {"DUPLICATE_INPUT", QT_TRANSLATE_NOOP("Words", "two inputs are the same tensor, as traced")},
    {"STORAGE_OVERLAPPING", QT_TRANSLATE_NOOP("Words", "inputs share memory as traced")},
    {"SHAPE_ENV", QT_TRANSLATE_NOOP("Words", "the symbolic sizes satisfy what tracing relied on")},
    {"GRAD_MODE", QT_TRANSLATE_NOOP("Words", "gradients are recorded, or not, as traced")},
    {"DETERMINISTIC_ALGORITHMS", QT_TRANSLATE_NOOP("Words", "the deterministic-algorithms switch is as traced")},
    {"TORCH_FUNCTION_STATE", QT_TRANSLATE_NOOP("Words", "torch function overrides are as traced")},
    {"FSDP_TRAINING_STATE", QT_TRANSLATE_NOOP("Words", "the training state is as traced")},
    {"DEFAULT_DEVICE", QT_TRANSLATE_NOOP("Words", "the default device is as traced")},
    {"GLOBAL_STATE", QT_TRANSLATE_NOOP("Words", "grad mode, autocast and other global switches are as traced")},
    {"BACKEND_MATCH", QT_TRANSLATE_NOOP("Words", "the backend is the one compiled for")},
    {"EMPTY_NN_MODULE_HOOKS_DICT", QT_TRANSLATE_NOOP("Words", "the module still has no hooks")},
    {"DATA_PTR_MATCH", QT_TRANSLATE_NOOP("Words", "the tensor's memory is at the traced place")},
};

constexpr Word compileReasons[] = {
    {"first_call", QT_TRANSLATE_NOOP("Words", "first call")},
    {"guard_failed", QT_TRANSLATE_NOOP("Words", "a guard failed")},
    {"resume", QT_TRANSLATE_NOOP("Words", "resumed after a graph break")},
};

constexpr Word compileStatuses[] = {
    {"ok", QT_TRANSLATE_NOOP("Words", "compiled")},
    {"graph_break", QT_TRANSLATE_NOOP("Words", "ended by a graph break")},
    {"skipped", QT_TRANSLATE_NOOP("Words", "skipped: this frame runs in the interpreter")},
    {"fallback", QT_TRANSLATE_NOOP("Words", "captured, but runs in eager")},
    {"error", QT_TRANSLATE_NOOP("Words", "failed")},
};

constexpr Word cacheEvents[] = {
    {"hit", QT_TRANSLATE_NOOP("Words", "hit: compiled code reused")},
    {"miss", QT_TRANSLATE_NOOP("Words", "miss: nothing compiled yet")},
    {"recompile", QT_TRANSLATE_NOOP("Words", "recompile: a guard failed")},
    {"limit", QT_TRANSLATE_NOOP("Words", "limit reached: runs in eager from now on")},
};

constexpr Word runStatuses[] = {
    {"ok", QT_TRANSLATE_NOOP("Words", "finished")},
    {"exception", QT_TRANSLATE_NOOP("Words", "ended by an exception")},
    {"stopped", QT_TRANSLATE_NOOP("Words", "stopped")},
    {"out_of_memory", QT_TRANSLATE_NOOP("Words", "ran out of memory")},
    {"exit", QT_TRANSLATE_NOOP("Words", "left by itself")},
};

constexpr Word regions[] = {
    {"inference", QT_TRANSLATE_NOOP("Words", "inference")},
    {"forward", QT_TRANSLATE_NOOP("Words", "forward")},
    {"backward", QT_TRANSLATE_NOOP("Words", "backward")},
};

QString translated(const char* text) {
    return QCoreApplication::translate("Words", text);
}

QString look(std::span<const Word> table, const QString& code) {
    for (const Word& word : table)
        if (code == QLatin1String(word.code)) return translated(word.text);
    return code;
}

// Three digits that matter: 1.23, 12.3, 123.
QString significant(double value) {
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    QString text = QString::number(value, 'f', decimals);
    if (decimals > 0) {
        while (text.endsWith(QLatin1Char('0'))) text.chop(1);
        if (text.endsWith(QLatin1Char('.'))) text.chop(1);
    }
    return text;
}

} // namespace

QString Words::stage(Stage stage) {
    switch (stage) {
    case Stage::Source:
        return translated(QT_TRANSLATE_NOOP("Words", "Python"));
    case Stage::Dispatcher:
        return translated(QT_TRANSLATE_NOOP("Words", "Dispatcher"));
    case Stage::Kernels:
        return translated(QT_TRANSLATE_NOOP("Words", "Eager kernels"));
    case Stage::Tape:
        return translated(QT_TRANSLATE_NOOP("Words", "Autograd tape"));
    case Stage::Dynamo:
        return translated(QT_TRANSLATE_NOOP("Words", "TorchDynamo"));
    case Stage::Guards:
        return translated(QT_TRANSLATE_NOOP("Words", "Guards"));
    case Stage::Fx:
        return translated(QT_TRANSLATE_NOOP("Words", "FX graph"));
    case Stage::Aot:
        return translated(QT_TRANSLATE_NOOP("Words", "AOTAutograd"));
    case Stage::Prims:
        return translated(QT_TRANSLATE_NOOP("Words", "Prims"));
    case Stage::Inductor:
        return translated(QT_TRANSLATE_NOOP("Words", "TorchInductor"));
    case Stage::Codegen:
        return translated(QT_TRANSLATE_NOOP("Words", "Code generation"));
    case Stage::Cache:
        return translated(QT_TRANSLATE_NOOP("Words", "Cache"));
    case Stage::Launches:
        return translated(QT_TRANSLATE_NOOP("Words", "Compiled kernels"));
    case Stage::Other:
        break;
    }
    return translated(QT_TRANSLATE_NOOP("Words", "Run"));
}

QString Words::artifact(const QString& kind) {
    return look(artifacts, kind);
}
QString Words::region(const QString& region) {
    return look(regions, region);
}
QString Words::stageTime(const QString& stage) {
    return look(stageTimes, stage);
}
QString Words::fusion(const QString& rule, const Values& values) {
    return fill(look(fusions, rule), values);
}
QString Words::saveReason(const QString& code) {
    return look(saves, code);
}
QString Words::guardKind(const QString& kind) {
    return look(guards, kind);
}
QString Words::compileReason(const QString& reason) {
    return look(compileReasons, reason);
}
QString Words::compileStatus(const QString& status) {
    return look(compileStatuses, status);
}
QString Words::cacheEvent(const QString& event) {
    return look(cacheEvents, event);
}
QString Words::runStatus(const QString& status) {
    return look(runStatuses, status);
}

QString Words::dtype(const QString& name) {
    static const QHash<QString, QString> names{{"float32", "f32"},   {"float64", "f64"},  {"float16", "f16"},
                                               {"bfloat16", "bf16"}, {"int64", "i64"},    {"int32", "i32"},
                                               {"int16", "i16"},     {"int8", "i8"},      {"uint8", "u8"},
                                               {"bool", "b8"},       {"complex64", "c64"}};
    return names.value(name, name);
}

QString Words::bytes(double bytes) {
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        ++unit;
    }
    return significant(bytes) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString Words::microseconds(double us) {
    if (us < 1) return QStringLiteral("%1 ns").arg(std::lround(us * 1e3));
    if (us < 1e3) return significant(us) + QStringLiteral(" \u00b5s");
    if (us < 1e6) return significant(us / 1e3) + QStringLiteral(" ms");
    return significant(us / 1e6) + QStringLiteral(" s");
}

QString Words::fill(const QString& sentence, const Values& values) {
    QString out;
    for (qsizetype i = 0; i < sentence.size();) {
        QString name; // the longest that stands here
        if (sentence[i] == QLatin1Char('%'))
            for (auto value = values.cbegin(); value != values.cend(); ++value)
                if (value.key().size() > name.size() && QStringView(sentence).mid(i + 1).startsWith(value.key()))
                    name = value.key();
        out += name.isEmpty() ? QString(sentence[i]) : values.value(name);
        i += 1 + name.size();
    }
    return out;
}

} // namespace strata::model
