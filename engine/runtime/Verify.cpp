#include "engine/runtime/Verify.h"

#include "engine/runtime/Host.h"
#include "engine/runtime/ObjectCode.h"
#include "engine/support/Error.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>

namespace strata::runtime {
namespace {

void keepDiagnostic(const llvm::SMDiagnostic& diagnostic, void* text) {
    auto& out = *static_cast<std::string*>(text);
    out += "\n" + std::to_string(diagnostic.getLineNo()) + ": " + diagnostic.getMessage().str();
}

std::vector<char> assemble(const std::string& assembly) {
    const auto machine = createMachine(3);
    const llvm::Target& target = machine->getTarget();
    const llvm::Triple& triple = machine->getTargetTriple();
    const llvm::MCTargetOptions options;
    std::string problems;
    llvm::SourceMgr sources;
    sources.setDiagHandler(keepDiagnostic, &problems);
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(assembly, "kernel.s"), llvm::SMLoc());

    llvm::MCContext context(triple, machine->getMCAsmInfo(), machine->getMCRegisterInfo(),
                            machine->getMCSubtargetInfo(), &sources, &options);
    const std::unique_ptr<llvm::MCObjectFileInfo> info(target.createMCObjectFileInfo(context, true));
    context.setObjectFileInfo(info.get());

    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    const llvm::MCSubtargetInfo& subtarget = *machine->getMCSubtargetInfo();
    std::unique_ptr<llvm::MCAsmBackend> backend(
        target.createMCAsmBackend(subtarget, *machine->getMCRegisterInfo(), options));
    std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
    std::unique_ptr<llvm::MCCodeEmitter> emitter(target.createMCCodeEmitter(*machine->getMCInstrInfo(), context));
    const std::unique_ptr<llvm::MCStreamer> streamer(target.createMCObjectStreamer(
        triple, context, std::move(backend), std::move(writer), std::move(emitter), subtarget, false, false, false));
    const std::unique_ptr<llvm::MCAsmParser> parser(
        llvm::createMCAsmParser(sources, context, *streamer, *machine->getMCAsmInfo()));
    const std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
        target.createMCAsmParser(subtarget, *parser, *machine->getMCInstrInfo(), options));
    parser->setTargetParser(*targetParser);
    if (parser->Run(false)) throw support::Error("the assembly text does not assemble:" + problems);
    return {bytes.begin(), bytes.end()};
}

struct Code {
    const std::string& symbol;
    const std::vector<std::uint8_t>& bytes;
    const std::vector<std::uint8_t>& relocated;
};

std::string difference(const Code& one, const Code& other) {
    if (one.bytes.size() != other.bytes.size())
        return one.symbol + ": " + std::to_string(one.bytes.size()) + " bytes against " +
               std::to_string(other.bytes.size());
    for (std::size_t i = 0; i < one.bytes.size(); ++i) {
        if (one.relocated[i] != other.relocated[i])
            return one.symbol + ": the byte at " + std::to_string(i) + " is the linker's on one side only";
        if (one.relocated[i] == 0 && one.bytes[i] != other.bytes[i])
            return one.symbol + ": the byte at " + std::to_string(i) + " differs";
    }
    return {};
}

void add(std::string text, std::vector<std::string>& out) {
    if (!text.empty()) out.push_back(std::move(text));
}

} // namespace

std::vector<std::string> differences(const std::string& assembly, const Module& running) {
    std::vector<std::string> out;
    const std::vector<ObjectFunction> shown = functionsOf(assemble(assembly));
    std::vector<std::string> names = running.functions();
    for (const ObjectFunction& f : shown) {
        const auto found = std::find(names.begin(), names.end(), f.name);
        if (found == names.end()) {
            out.push_back(f.name + ": shown, but not in memory");
            continue;
        }
        names.erase(found);
        const MachineCode code = running.machineCode(f.name);
        add(difference({f.name, f.bytes, f.relocated}, {code.symbol, code.bytes, code.relocated}), out);
    }
    for (const std::string& name : names) out.push_back(name + ": in memory, but not shown");
    return out;
}

std::vector<std::string> differences(const Module& one, const Module& other) {
    std::vector<std::string> out;
    if (one.functions() != other.functions()) out.emplace_back("they do not define the same functions");
    for (const std::string& name : one.functions()) {
        const auto names = other.functions();
        if (std::find(names.begin(), names.end(), name) == names.end()) continue;
        const MachineCode a = one.machineCode(name), b = other.machineCode(name);
        add(difference({a.symbol, a.bytes, a.relocated}, {b.symbol, b.bytes, b.relocated}), out);
    }
    return out;
}

} // namespace strata::runtime
