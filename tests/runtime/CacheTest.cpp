#include "engine/runtime/DiskCache.h"
#include "engine/runtime/KernelCache.h"
#include "engine/runtime/Verify.h"
#include "engine/support/Error.h"
#include "tests/runtime/Kernels.h"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace strata::runtime;
using namespace strata::runtime::tests;
namespace fs = std::filesystem;

namespace {

/// A directory that is gone afterwards.
struct Directory {
    Directory() {
        std::string name = (fs::temp_directory_path() / "strata-cache-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name + "/kernels";
        root = name;
    }
    ~Directory() { fs::remove_all(root); }
    std::vector<fs::path> files() const {
        std::vector<fs::path> out;
        if (fs::exists(path))
            for (const auto& entry : fs::directory_iterator(path)) out.push_back(entry.path());
        return out;
    }
    std::string path, root;
};

CompileOptions kept(const Directory& directory) {
    CompileOptions options;
    options.cacheDirectory = directory.path;
    return options;
}

std::vector<char> bytes(std::size_t size, char value) {
    return std::vector<char>(size, value);
}

} // namespace

TEST_CASE("one text is compiled once") {
    KernelCache cache;
    const auto first = cache.get(unit(tanhLoop));
    const auto second = cache.get(unit(tanhLoop));
    CHECK(first == second);
    cache.get(unit(parallelLoop));
    CompileOptions other;
    other.optimisation = 1;
    CHECK(cache.get(unit(tanhLoop), other) != first);
    CHECK(cache.counters().hits == 1);
    CHECK(cache.counters().misses == 3);
    CHECK(cache.counters().compiled == 3);
    CHECK(cache.size() == 3);
    cache.clear();
    CHECK(cache.size() == 0);
    CHECK(run(*first, {0.0f}, {0.0f}) == std::vector<float>{0.0f}); // lives on
    CHECK(cache.get(unit(tanhLoop)) != first);
}

TEST_CASE("a failed compile is not remembered") {
    KernelCache cache;
    CHECK_THROWS_AS(cache.get("int f( {\n"), strata::support::Error);
    CHECK_THROWS_AS(cache.get("int f( {\n"), strata::support::Error);
    CHECK(cache.counters().misses == 2);
    CHECK(cache.counters().compiled == 0);
    CHECK(cache.size() == 0);
}

TEST_CASE("threads that want one text share one compile") {
    KernelCache cache;
    std::vector<std::shared_ptr<Module>> got(4);
    {
        std::vector<std::jthread> threads;
        for (auto& module : got) threads.emplace_back([&] { module = cache.get(unit(tanhLoop)); });
    }
    for (const auto& module : got) CHECK(module == got[0]);
    CHECK(cache.counters().compiled == 1);
    CHECK(cache.counters().hits == 3);
}

TEST_CASE("an object from disk runs, and its texts are those of the code that runs") {
    const Directory directory;
    const auto fresh = compile(unit(tanhLoop), kept(directory));
    CHECK_FALSE(fresh->fromCache());
    CHECK(directory.files().size() == 1);
    const auto cached = compile(unit(tanhLoop), kept(directory));
    CHECK(cached->fromCache());
    CHECK(cached->times().frontendMs == 0);
    CHECK(cached->times().codegenMs == 0);
    CHECK(run(*cached, {1.0f, 2.0f}, {0.5f, 0.5f}) == run(*fresh, {1.0f, 2.0f}, {0.5f, 0.5f}));
    CHECK(differences(*cached, *fresh).empty());
    CHECK(differences(cached->assembly().text, *cached).empty());
    CHECK(cached->assembly().text == fresh->assembly().text);
    CHECK(cached->llvm().text == fresh->llvm().text);
    CHECK_FALSE(cached->remarks().empty());

    KernelCache cache;
    cache.get(unit(tanhLoop), kept(directory));
    CHECK(cache.counters().fromDisk == 1);
    CHECK(cache.counters().compiled == 0);
}

TEST_CASE("nothing is written unless asked, and options are told apart") {
    const Directory directory;
    compile(unit(tanhLoop));
    CHECK(directory.files().empty());
    compile(unit(tanhLoop), kept(directory));
    CompileOptions other = kept(directory);
    other.optimisation = 1;
    CHECK_FALSE(compile(unit(tanhLoop), other)->fromCache());
    CHECK(directory.files().size() == 2);
}

TEST_CASE("a damaged entry is compiled again and mended") {
    const Directory directory;
    const std::string text = unit(tanhLoop);
    compile(text, kept(directory));
    const fs::path file = directory.files().at(0);
    const auto size = fs::file_size(file);
    SECTION("cut") {
        fs::resize_file(file, size / 2);
    }
    SECTION("empty") {
        fs::resize_file(file, 0);
    }
    SECTION("a flipped bit") {
        std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
        stream.seekg(static_cast<std::streamoff>(size / 2));
        const char byte = static_cast<char>(stream.get() ^ 1);
        stream.seekp(static_cast<std::streamoff>(size / 2));
        stream.put(byte);
    }
    SECTION("other contents") {
        std::ofstream(file) << "not a kernel at all, but longer than any header would be .........";
    }
    const auto module = compile(text, kept(directory));
    CHECK_FALSE(module->fromCache());
    CHECK(run(*module, {0.0f}, {0.0f}) == std::vector<float>{0.0f});
    CHECK(compile(text, kept(directory))->fromCache());
}

TEST_CASE("an object that is not what the text compiles to has no texts to show") {
    const Directory directory;
    compile(unit(tanhLoop), kept(directory));
    const fs::path tanh = directory.files().at(0);
    const fs::path aside = fs::path(directory.root) / "aside";
    fs::rename(tanh, aside);
    compile(unit(parallelLoop), kept(directory));
    fs::rename(directory.files().at(0), tanh); // well-formed, but another kernel's
    const auto module = compile(unit(tanhLoop), kept(directory));
    REQUIRE(module->fromCache());
    CHECK_THROWS_AS(module->assembly(), strata::support::Error);
}

TEST_CASE("the directory is its owner's alone") {
    const Directory directory;
    compile(unit(tanhLoop), kept(directory));
    struct stat info{};
    REQUIRE(stat(directory.path.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);
    CHECK(compile(unit(tanhLoop), kept(directory))->fromCache());
    fs::permissions(directory.path, fs::perms::all);
    CHECK_FALSE(compile(unit(tanhLoop), kept(directory))->fromCache());
}

TEST_CASE("a directory that cannot be made is no error") {
    CompileOptions options;
    options.cacheDirectory = "/proc/nothing/here";
    CHECK_FALSE(compile(unit(tanhLoop), options)->fromCache());
}

TEST_CASE("the longest unused entries go when the cache is full") {
    const Directory directory;
    const DiskCache cache(directory.path, 3500);
    const auto age = [&](const std::string& key, int seconds) {
        fs::last_write_time(directory.path + "/" + key + ".kernel",
                            fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
    };
    cache.store("a", bytes(1000, 'a'));
    age("a", 300);
    cache.store("b", bytes(1000, 'b'));
    age("b", 200);
    cache.store("c", bytes(1000, 'c'));
    age("c", 100);
    CHECK(cache.load("a") == bytes(1000, 'a')); // used just now
    cache.store("d", bytes(1000, 'd'));
    CHECK(cache.load("a").has_value());
    CHECK_FALSE(cache.load("b").has_value());
    CHECK(cache.load("c").has_value());
    CHECK(cache.load("d").has_value());
    cache.store("e", bytes(9000, 'e')); // alone beyond the limit
    CHECK(directory.files().empty());
}

TEST_CASE("writers and readers at once see whole entries or none") {
    const Directory directory;
    const DiskCache cache(directory.path, 20000);
    std::atomic<int> torn{0}, seen{0};
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 100; ++i) {
                    const std::string key = std::to_string(i % 7);
                    if (t % 2 == 0) cache.store(key, bytes(5000, static_cast<char>('0' + i % 7)));
                    const auto object = cache.load(key);
                    if (!object) continue;
                    ++seen;
                    if (*object != bytes(5000, static_cast<char>('0' + i % 7))) ++torn;
                }
            });
    }
    CHECK(torn == 0);
    CHECK(seen > 0);
    for (const fs::path& file : directory.files()) CHECK(file.extension() == ".kernel");
}

TEST_CASE("keys are hashes, and the default directory follows the environment") {
    CHECK(DiskCache::key("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string saved = before == nullptr ? "" : before;
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    CHECK(DiskCache::defaultDirectory() == "/somewhere/strata/kernels");
    if (before == nullptr)
        unsetenv("XDG_CACHE_HOME");
    else
        setenv("XDG_CACHE_HOME", saved.c_str(), 1);
}
