#include "engine/runtime/VectorMath.h"

#include <dlfcn.h>

#include <array>
#include <map>
#include <mutex>

namespace strata::runtime {
namespace {

struct Name {
    const char* text;
    int arguments;
};

constexpr std::array names{
    Name{"acos", 1},  Name{"acosh", 1}, Name{"asin", 1}, Name{"asinh", 1}, Name{"atan", 1},  Name{"atan2", 2},
    Name{"atanh", 1}, Name{"cbrt", 1},  Name{"cos", 1},  Name{"cosh", 1},  Name{"erf", 1},   Name{"erfc", 1},
    Name{"exp", 1},   Name{"exp10", 1}, Name{"exp2", 1}, Name{"expm1", 1}, Name{"hypot", 2}, Name{"log", 1},
    Name{"log10", 1}, Name{"log1p", 1}, Name{"log2", 1}, Name{"pow", 2},   Name{"sin", 1},   Name{"sinh", 1},
    Name{"tan", 1},   Name{"tanh", 1},
};

struct Isa {
    char letter;
    int bits;
};

#if defined(__x86_64__)
constexpr std::array isas{Isa{'e', 512}, Isa{'d', 256}, Isa{'b', 128}}; // AVX-512, AVX2, SSE4
#elif defined(__aarch64__)
constexpr std::array isas{Isa{'n', 128}};
#else
constexpr std::array<Isa, 0> isas{};
#endif

void add(const Name& name, const Isa& isa, bool isFloat, std::vector<VectorFunction>& out) {
    const int lanes = isa.bits / (isFloat ? 32 : 64);
    const std::string scalar = std::string(name.text) + (isFloat ? "f" : "");
    const std::string prefix =
        std::string("_ZGV") + isa.letter + "N" + std::to_string(lanes) + (name.arguments == 2 ? "vv" : "v");
    const std::string vector = prefix + "_" + scalar;
    if (dlsym(vectorLibrary(), vector.c_str()) == nullptr) return;
    out.push_back({scalar, vector, lanes, prefix});
    out.push_back({std::string("llvm.") + name.text + (isFloat ? ".f32" : ".f64"), vector, lanes, prefix});
}

} // namespace

void* vectorLibrary() {
    static void* library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    return library;
}

const std::vector<VectorFunction>& vectorFunctions(int vectorBits) {
    static std::mutex lock;
    static auto* lists = new std::map<int, std::vector<VectorFunction>>; // LLVM keeps references to the texts
    const std::lock_guard guard(lock);
    const auto [it, isNew] = lists->try_emplace(vectorBits);
    if (!isNew || vectorLibrary() == nullptr) return it->second;
    for (const Isa& isa : isas) {
        if (isa.bits > vectorBits) continue;
        for (const Name& name : names) {
            add(name, isa, true, it->second);
            add(name, isa, false, it->second);
        }
    }
    return it->second;
}

} // namespace strata::runtime
