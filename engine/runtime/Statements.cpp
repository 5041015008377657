// Which line an instruction is credited to once inlining has piled locations up.
//
// Generated units hold three kinds of functions: helpers (inline or templates: math::tanh), kernels (static), and
// extern "C" entries that call one kernel. After inlining, an instruction's location is a chain, say "tanh's line,
// inlined at the kernel's line, inlined at the entry's line". The kernel's line is the one that came from the loop IR;
// so each chain is cut to its innermost frame in a static function, or, where there is none, to its outermost frame.

#include "engine/runtime/Ir.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace strata::runtime {
namespace {

const llvm::DILocation* statementOf(const llvm::DILocation* place) {
    for (;; place = place->getInlinedAt()) {
        const llvm::DISubprogram* function = place->getScope()->getSubprogram();
        if ((function != nullptr && function->isLocalToUnit()) || place->getInlinedAt() == nullptr) return place;
    }
}

} // namespace

void creditStatements(Ir& ir) {
    for (llvm::Function& function : ir.module())
        for (llvm::BasicBlock& block : function)
            for (llvm::Instruction& instruction : block) {
                const llvm::DILocation* place = instruction.getDebugLoc();
                if (place == nullptr || place->getInlinedAt() == nullptr) continue;
                const llvm::DILocation* statement = statementOf(place);
                instruction.setDebugLoc(llvm::DILocation::get(ir.context(), statement->getLine(),
                                                              statement->getColumn(), statement->getScope(),
                                                              statement->getInlinedAt()));
            }
}

} // namespace strata::runtime
