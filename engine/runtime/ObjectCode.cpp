#include "engine/runtime/ObjectCode.h"

#include "engine/support/Error.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace strata::runtime {
namespace {

using llvm::object::ELFObjectFileBase;

template <class T> T checked(llvm::Expected<T> value) {
    if (!value) throw support::Error("the object file is damaged: " + llvm::toString(value.takeError()));
    return std::move(*value);
}

/// Bytes before and after a relocation's offset that a linker may write. A load through the global offset table may be
/// relaxed into an address computation, which changes the opcode (and its prefix) as well.
std::pair<std::uint64_t, std::uint64_t> reach(std::uint64_t type, unsigned machine) {
    if (machine != llvm::ELF::EM_X86_64) return {0, 4};
    switch (type) {
    case llvm::ELF::R_X86_64_GOTPCREL:
    case llvm::ELF::R_X86_64_GOTPCRELX:
        return {2, 4};
    case llvm::ELF::R_X86_64_REX_GOTPCRELX:
        return {3, 4};
    case llvm::ELF::R_X86_64_64:
        return {0, 8};
    default:
        return {0, 4};
    }
}

void markRelocations(const ELFObjectFileBase& file, std::vector<ObjectFunction>& functions) {
    for (const llvm::object::SectionRef& section : file.sections()) {
        const auto target = checked(section.getRelocatedSection());
        if (target == file.section_end() || !target->isText()) continue;
        for (const llvm::object::RelocationRef& relocation : section.relocations()) {
            const auto [before, after] = reach(relocation.getType(), file.getEMachine());
            for (ObjectFunction& f : functions) {
                if (f.section != target->getIndex()) continue;
                const std::uint64_t begin = std::max(relocation.getOffset() - before, f.offset);
                const std::uint64_t end = std::min(relocation.getOffset() + after, f.offset + f.bytes.size());
                for (std::uint64_t at = begin; at < end; ++at) f.relocated[at - f.offset] = 1;
            }
        }
    }
}

} // namespace

std::vector<ObjectFunction> functionsOf(const std::vector<char>& object) {
    const llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()), "kernel.o");
    const auto opened = checked(llvm::object::ObjectFile::createELFObjectFile(buffer));
    const auto& file = llvm::cast<ELFObjectFileBase>(*opened);
    std::vector<ObjectFunction> out;
    for (const llvm::object::ELFSymbolRef symbol : file.symbols()) {
        if (symbol.getELFType() != llvm::ELF::STT_FUNC) continue;
        const auto section = checked(symbol.getSection());
        if (section == file.section_end()) continue;
        ObjectFunction f;
        f.name = checked(symbol.getName()).str();
        f.exported = symbol.getBinding() != llvm::ELF::STB_LOCAL;
        f.section = section->getIndex();
        f.offset = checked(symbol.getValue());
        const llvm::StringRef contents = checked(section->getContents());
        if (f.offset + symbol.getSize() > contents.size()) throw support::Error("the object file is damaged");
        const llvm::StringRef bytes = contents.substr(f.offset, symbol.getSize());
        f.bytes.assign(bytes.bytes_begin(), bytes.bytes_end());
        f.relocated.assign(f.bytes.size(), 0);
        out.push_back(std::move(f));
    }
    std::sort(out.begin(), out.end(), [](const ObjectFunction& a, const ObjectFunction& b) {
        return std::tie(a.section, a.offset, a.name) < std::tie(b.section, b.offset, b.name);
    });
    markRelocations(file, out);
    return out;
}

} // namespace strata::runtime
