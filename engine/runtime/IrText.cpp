// The text of a module, and the C++ line of each of its lines.

#include "engine/runtime/Ir.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FormattedStream.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <string_view>

namespace strata::runtime {
namespace {

using Lines = llvm::DenseMap<const llvm::Instruction*, int>;

// A line of its own before each instruction, which readMarks takes out again. No IR line starts so.
constexpr std::string_view mark = ";@";

class Marker : public llvm::AssemblyAnnotationWriter {
public:
    explicit Marker(const Lines& lines) : m_lines(lines) {}
    void emitInstructionAnnot(const llvm::Instruction* instruction, llvm::formatted_raw_ostream& out) override {
        out << mark.data() << m_lines.lookup(instruction) << '\n';
    }

private:
    const Lines& m_lines;
};

Listing readMarks(std::string_view text) {
    Listing out;
    int next = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        if (line.substr(0, mark.size()) == mark) {
            next = std::stoi(std::string(line.substr(mark.size())));
            continue;
        }
        out.text.append(line).push_back('\n');
        // The cases of a switch follow on lines of their own; they keep its line up to the bracket that ends it.
        out.cppLine.push_back(next);
        const bool goesOn = line.ends_with('[') || line.starts_with("    ");
        if (!goesOn) next = 0;
    }
    return out;
}

} // namespace

Listing printIr(Ir& ir) {
    const std::unique_ptr<llvm::Module> clone = llvm::CloneModule(ir.module());
    Lines lines;
    for (const llvm::Function& function : *clone)
        for (const llvm::BasicBlock& block : function)
            for (const llvm::Instruction& instruction : block)
                if (const llvm::DebugLoc& place = instruction.getDebugLoc())
                    lines[&instruction] = static_cast<int>(place.getLine());
    llvm::StripDebugInfo(*clone);
    std::string text;
    llvm::raw_string_ostream stream(text);
    Marker marker(lines);
    clone->print(stream, &marker);
    return readMarks(stream.str());
}

} // namespace strata::runtime
