#pragma once
// Compiles generated C++ in process: Clang's frontend, LLVM's O3 pipeline, code generation for this very processor, and
// ORC to link the object into the process. The last stage of a compile; what it compiles is what the window shows.
//
// Displayed is executed: the object, the IR text and the assembly text all come from clones of one optimised module;
// Listings.h and Verify.h say how texts are mapped to lines and checked against the bytes in memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strata::runtime {

struct CompileOptions {
    bool openmp = true;
    int optimisation = 3;       // 0 to 3
    std::string cacheDirectory; // of object files on disk (DiskCache.h); empty: none
};

/// Wall time of each stage in milliseconds; 0 for a stage that a cached object spared.
struct StageTimes {
    double frontendMs = 0; // C++ text to LLVM IR
    double optimiseMs = 0;
    double codegenMs = 0; // IR to an object file
    double linkMs = 0;
};

/// A text and, for each of its lines, the line of the C++ text that it came from (from 1; 0: the compiler's own).
struct Listing {
    std::string text;
    std::vector<int> cppLine;
};

/// What the vectoriser says of a loop.
struct Remark {
    int cppLine = 0;
    bool vectorised = false;
    std::string text; // LLVM's: "vectorized loop (vectorization width: 16, interleaved count: 4)", or why not
};

/// A function's instructions as they lie in memory.
struct MachineCode {
    std::string symbol;
    std::uintptr_t address = 0;
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> relocated; // one a byte, 1 where the linker wrote
};

/// One translation unit, compiled and linked. Its code stays in memory while the module lives. Thread safe.
class Module {
public:
    struct Impl;
    explicit Module(std::unique_ptr<Impl> impl);
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    ~Module();

    /// The address of an extern "C" function. Throws support::Error when the unit defines none of that name.
    void* symbol(const std::string& name) const;
    /// The C++ text that was compiled.
    const std::string& source() const;
    const StageTimes& times() const;
    /// Whether the object came from the disk cache.
    bool fromCache() const;

    /// The optimised LLVM IR. Made on demand, kept. A unit from the disk cache is compiled again for it, and
    /// support::Error says so should that not give the very object that is loaded.
    const Listing& llvm();
    /// The assembly, without unwind tables and debug sections (Listings.h).
    const Listing& assembly();

    /// The vectoriser's remarks, as they came. On demand for a unit from the disk cache, like the texts.
    const std::vector<Remark>& remarks();

    /// Every function of the unit, also the ones that OpenMP outlined, in order of address.
    std::vector<std::string> functions() const;
    /// The bytes in memory of one of functions(). Throws support::Error for another name.
    MachineCode machineCode(const std::string& symbol) const;

private:
    std::unique_ptr<Impl> m_impl;
};

/// Compiles a unit without includes whose kernels are extern "C". Throws support::Error with Clang's diagnostics, each
/// `line:column: error: text`. Thread safe.
std::shared_ptr<Module> compile(const std::string& cppText, const CompileOptions& options = {});

/// Compiles several units at once, at most `threads` at a time (0: as many as processors). Results in the order of
/// `cppTexts`; the first error, in that order, is thrown after all have ended.
std::vector<std::shared_ptr<Module>> compileAll(const std::vector<std::string>& cppTexts,
                                                const CompileOptions& options = {}, unsigned threads = 0);

/// Compiles a small kernel with OpenMP and vector mathematics, so that the first kernel of a program finds everything
/// paged in. Later calls return at once.
void warmUp();

/// What the code is generated for.
struct Target {
    std::string triple;
    std::string cpu;                 // as LLVM names it
    std::string clangVersion;        // 19.1.x
    int vectorBits = 0;              // widest vectors that the code generator prefers
    std::size_t vectorFunctions = 0; // functions of libmvec that loops may call
};
const Target& target();

} // namespace strata::runtime
