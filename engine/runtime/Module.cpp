#include "engine/runtime/Module.h"

#include "engine/runtime/DiskCache.h"
#include "engine/runtime/Host.h"
#include "engine/runtime/Ir.h"
#include "engine/runtime/Linker.h"
#include "engine/runtime/Listings.h"
#include "engine/runtime/ObjectCode.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace strata::runtime {
namespace {

/// Runs `stage()` and adds its wall time to `ms`.
template <class Stage> auto timed(double& ms, Stage&& stage) {
    const auto start = std::chrono::steady_clock::now();
    struct Stop {
        double& ms;
        std::chrono::steady_clock::time_point start;
        ~Stop() { ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(); }
    } const stop{ms, start};
    return stage();
}

std::unique_ptr<Ir> optimisedIr(const std::string& cppText, const CompileOptions& options, StageTimes& times) {
    std::unique_ptr<Ir> ir = timed(times.frontendMs, [&] { return parseCpp(cppText, options); });
    timed(times.optimiseMs, [&] {
        optimise(*ir, options);
        creditStatements(*ir);
    });
    return ir;
}

} // namespace

struct Module::Impl {
    std::string source;
    CompileOptions options;
    StageTimes times;
    bool fromCache = false;
    std::vector<char> object;
    std::vector<ObjectFunction> functions;
    std::unique_ptr<LinkedObject> linked;

    std::mutex lock; // guards what follows, which is made on demand
    std::unique_ptr<Ir> ir;
    std::optional<Listing> llvm;
    std::optional<Listing> assembly;

    /// The module that the loaded object was generated from. Call with the lock held.
    Ir& sourceIr() {
        if (ir) return *ir;
        onLargeStack([&] {
            StageTimes ignored;
            auto again = optimisedIr(source, options, ignored);
            if (generate(*again, Output::Object, options) != object)
                throw support::Error("the kernel from the disk cache is not what its C++ text compiles to");
            ir = std::move(again);
        });
        return *ir;
    }

    void linkObject() {
        functions = functionsOf(object);
        std::vector<std::string> exported;
        for (const ObjectFunction& f : functions)
            if (f.exported) exported.push_back(f.name);
        linked = link(object, exported);
    }

    /// Local functions have no name to look up; they lie where they lay in their section, beside exported ones.
    const std::uint8_t* addressOf(const ObjectFunction& function) const {
        for (const ObjectFunction& f : functions) {
            if (!f.exported || f.section != function.section) continue;
            const auto* base = static_cast<const std::uint8_t*>(linked->symbols().at(f.name));
            return base + static_cast<std::ptrdiff_t>(function.offset - f.offset);
        }
        throw support::Error("nothing exported lies beside the function " + function.name);
    }
};

Module::Module(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Module::~Module() = default;

void* Module::symbol(const std::string& name) const {
    const auto& symbols = m_impl->linked->symbols();
    const auto found = symbols.find(name);
    if (found == symbols.end()) throw support::Error("the compiled unit defines no function " + name);
    return found->second;
}

const std::string& Module::source() const {
    return m_impl->source;
}
const StageTimes& Module::times() const {
    return m_impl->times;
}
bool Module::fromCache() const {
    return m_impl->fromCache;
}

const Listing& Module::llvm() {
    const std::lock_guard guard(m_impl->lock);
    if (!m_impl->llvm) m_impl->llvm = printIr(m_impl->sourceIr());
    return *m_impl->llvm;
}

const Listing& Module::assembly() {
    const std::lock_guard guard(m_impl->lock);
    if (!m_impl->assembly) {
        Ir& ir = m_impl->sourceIr();
        onLargeStack([&] {
            const std::vector<char> text = generate(ir, Output::Assembly, m_impl->options);
            m_impl->assembly = readAssembly({text.begin(), text.end()});
        });
    }
    return *m_impl->assembly;
}

const std::vector<Remark>& Module::remarks() {
    const std::lock_guard guard(m_impl->lock);
    return m_impl->sourceIr().remarks();
}

std::vector<std::string> Module::functions() const {
    std::vector<std::string> out;
    for (const ObjectFunction& f : m_impl->functions) out.push_back(f.name);
    return out;
}

MachineCode Module::machineCode(const std::string& symbol) const {
    for (const ObjectFunction& f : m_impl->functions) {
        if (f.name != symbol) continue;
        const std::uint8_t* begin = m_impl->addressOf(f);
        return {symbol, reinterpret_cast<std::uintptr_t>(begin), {begin, begin + f.bytes.size()}, f.relocated};
    }
    throw support::Error("the compiled unit defines no function " + symbol);
}

std::shared_ptr<Module> compile(const std::string& cppText, const CompileOptions& options) {
    auto impl = std::make_unique<Module::Impl>();
    impl->source = cppText;
    impl->options = options;
    const DiskCache disk(options.cacheDirectory);
    std::string key;
    if (!options.cacheDirectory.empty()) {
        key = DiskCache::key(codeIdentity(options) + "\n\n" + cppText);
        if (auto object = disk.load(key)) {
            impl->object = std::move(*object);
            impl->fromCache = true;
        }
    }
    if (!impl->fromCache) {
        onLargeStack([&] {
            impl->ir = optimisedIr(cppText, options, impl->times);
            impl->object = timed(impl->times.codegenMs, [&] { return generate(*impl->ir, Output::Object, options); });
        });
    }
    timed(impl->times.linkMs, [&] { impl->linkObject(); });
    if (!key.empty() && !impl->fromCache) disk.store(key, impl->object);
    return std::make_shared<Module>(std::move(impl));
}

std::vector<std::shared_ptr<Module>> compileAll(const std::vector<std::string>& cppTexts, const CompileOptions& options,
                                                unsigned threads) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    threads = std::min<unsigned>(threads, static_cast<unsigned>(cppTexts.size()));
    std::vector<std::shared_ptr<Module>> out(cppTexts.size());
    std::vector<std::exception_ptr> errors(cppTexts.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next.fetch_add(1); i < cppTexts.size(); i = next.fetch_add(1)) {
            try {
                out[i] = compile(cppTexts[i], options);
            } catch (...) {
                errors[i] = std::current_exception();
            }
        }
    };
    std::vector<std::jthread> workers;
    for (unsigned i = 1; i < threads; ++i) workers.emplace_back(work);
    work();
    workers.clear(); // waits for them
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
    return out;
}

void warmUp() {
    static std::once_flag once;
    std::call_once(once, [] {
        compile("static void kernel(const float* in, float* out, long n) {\n"
                "#pragma omp parallel for simd\n"
                "    for (long i = 0; i < n; ++i) out[i] = __builtin_tanhf(in[i]) + 1.0f;\n"
                "}\n"
                "extern \"C\" void launch_kernel(void* const* buffers, const long* sizes) {\n"
                "    kernel(static_cast<const float*>(buffers[0]), static_cast<float*>(buffers[1]), sizes[0]);\n"
                "}\n");
    });
}

} // namespace strata::runtime
