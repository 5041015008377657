#include "views/model/Stages.h"

#include <QHash>

namespace strata::model {

namespace {

const QHash<QString, Stage>& kinds() {
    static const QHash<QString, Stage> table{
        {"source", Stage::Source},
        {"bytecode", Stage::Dynamo},
        {"transformed_bytecode", Stage::Dynamo},
        {"guards", Stage::Guards},
        {"fx", Stage::Fx},
        {"joint", Stage::Aot},
        {"forward", Stage::Aot},
        {"backward", Stage::Aot},
        {"prims", Stage::Prims},
        {"loops", Stage::Inductor},
        {"fused_loops", Stage::Inductor},
        {"memory_plan", Stage::Inductor},
        {"wrapper", Stage::Codegen},
        {"cpp", Stage::Codegen},
        {"llvm", Stage::Codegen},
        {"asm", Stage::Codegen},
        {"cuda", Stage::Codegen},
        {"ptx", Stage::Codegen},
        {"triton", Stage::Codegen},
        {"run_started", Stage::Source},
        {"compile_started", Stage::Dynamo},
        {"dynamo_step", Stage::Dynamo},
        {"inlined", Stage::Dynamo},
        {"graph_break", Stage::Dynamo},
        {"guard_added", Stage::Dynamo},
        {"functionalized", Stage::Aot},
        {"decomposed", Stage::Aot},
        {"saved", Stage::Aot},
        {"recomputed", Stage::Aot},
        {"fusion", Stage::Inductor},
        {"buffer_reused", Stage::Inductor},
        {"cache", Stage::Cache},
        {"dispatch", Stage::Dispatcher},
        {"tape_node", Stage::Tape},
        {"tape_run", Stage::Tape},
        {"guard_check", Stage::Cache},
        {"measured", Stage::Launches},
    };
    return table;
}

} // namespace

Stage stageOfArtifact(const QString& kind) {
    return kinds().value(kind, Stage::Other);
}

Stage stageOfRecord(const QString& family, const QString& kind, const QString& mode) {
    if (family == QLatin1String("measure") && (kind == QLatin1String("launch") || kind == QLatin1String("call")))
        return mode == QLatin1String("compiled") ? Stage::Launches : Stage::Kernels;
    return kinds().value(kind, Stage::Other);
}

} // namespace strata::model
