#pragma once
// Kernels in the form that the compiler prints, and how tests call them.

#include "engine/runtime/Module.h"

#include <string>
#include <vector>

namespace strata::runtime::tests {

using Entry = void (*)(void* const* buffers, const long* sizes);

// Code made at run time carries no type for the function sanitizer to read before it.
#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
inline void
call(const Module& module, const std::string& name, const std::vector<void*>& buffers, const std::vector<long>& sizes) {
    reinterpret_cast<Entry>(module.symbol(name))(buffers.data(), sizes.data());
}

/// A unit with one kernel over floats, `loop` its body: x and y are read, out is written, n is the length.
inline std::string unit(const std::string& loop, const std::string& helpers = {}) {
    return helpers +
           "static void kernel(const float* __restrict x, const float* __restrict y, float* __restrict out, long n) "
           "{\n" +
           loop +
           "}\n"
           "extern \"C\" void launch_kernel(void* const* buffers, const long* sizes) {\n"
           "    kernel(static_cast<const float*>(buffers[0]), static_cast<const float*>(buffers[1]), "
           "static_cast<float*>(buffers[2]), sizes[0]);\n"
           "}\n";
}

inline std::vector<float> run(const Module& module, std::vector<float> x, std::vector<float> y,
                              std::size_t outputs = 0) {
    std::vector<float> out(outputs == 0 ? x.size() : outputs);
    call(module, "launch_kernel", {x.data(), y.data(), out.data()}, {static_cast<long>(x.size())});
    return out;
}

inline std::vector<float> run(const std::string& loop, const std::vector<float>& x, const std::vector<float>& y = {}) {
    return run(*compile(unit(loop)), x, y);
}

/// The first line of `listing` that holds `text`, from 1; 0 for none.
inline int lineOf(const std::string& listing, const std::string& text) {
    const std::size_t at = listing.find(text);
    if (at == std::string::npos) return 0;
    int line = 1;
    for (std::size_t i = 0; i < at; ++i) line += listing[i] == '\n' ? 1 : 0;
    return line;
}

inline constexpr const char* tanhLoop = "    #pragma omp simd\n"
                                        "    for (long i = 0; i < n; ++i)\n"
                                        "        out[i] = __builtin_tanhf(x[i] + y[i]);\n";

inline constexpr const char* parallelLoop = "    #pragma omp parallel for simd if(parallel : n > 1000)\n"
                                            "    for (long i = 0; i < n; ++i)\n"
                                            "        out[i] = x[i] * y[i] + 1.0f;\n";

} // namespace strata::runtime::tests
