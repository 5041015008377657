#pragma once
// The stages that a program passes through, as panes and the transport tell them apart. Every stage has one colour
// everywhere (canvas/Theme.h) and one name (Words::stage).

#include <QString>

#include <array>
#include <cstdint>

namespace strata::model {

enum class Stage : std::uint8_t {
    Source,     // the program and its lines
    Dispatcher, // eager: an op walks its dispatch keys
    Kernels,    // eager: one kernel an op
    Tape,       // eager: the autograd graph, and its run
    Dynamo,     // bytecode, symbolic evaluation, graph breaks, the rewritten frame
    Guards,     // what a compiled graph relies on
    Fx,         // the captured graph
    Aot,        // joint graph, partition into forward and backward
    Prims,      // primitive operations
    Inductor,   // loop IR, fusion, memory plan
    Codegen,    // wrapper, C++, LLVM IR, assembly, CUDA, Triton
    Cache,      // hit, miss, recompile
    Launches,   // compiled kernels running, and what was measured
    Other,      // start and end of a run, output, kinds that this reader does not know
};

inline constexpr int stageCount = static_cast<int>(Stage::Other) + 1;

/// The stage that leaves artifacts of this kind ("fx" -> Stage::Fx); Other for an unknown kind.
Stage stageOfArtifact(const QString& kind);
/// The stage of a record by its `family` and `kind`; `mode` and `region` are those of launch and call records.
Stage stageOfRecord(const QString& family, const QString& kind, const QString& mode = {});

} // namespace strata::model
