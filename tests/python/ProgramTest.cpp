// Runs programs/*.py as the engine runs a user's program and compares what they print with their `# expect:` lines. The
// expected lines are what PyTorch 2.11 prints for the same text.
#include "engine/python/Binding.h"
#include "tests/python/Run.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace strata;

namespace {

std::string readFile(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string> expectations(const std::string& program) {
    std::vector<std::string> lines;
    std::istringstream in(program);
    const std::string mark = "# expect:";
    for (std::string line; std::getline(in, line);)
        if (line.rfind(mark, 0) == 0) lines.push_back(line.size() > mark.size() ? line.substr(mark.size() + 1) : "");
    return lines;
}

// Lines without trailing blanks, which an expectation cannot show.
std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(line);
    }
    return lines;
}

} // namespace

TEST_CASE("programs print what PyTorch prints") {
    std::vector<std::filesystem::path> programs;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(STRATA_TESTS_DIR) / "python/programs"))
        if (entry.path().extension() == ".py") programs.push_back(entry.path());
    std::sort(programs.begin(), programs.end());
    REQUIRE_FALSE(programs.empty());
    for (const auto& path : programs) {
        DYNAMIC_SECTION(path.stem().string()) {
            const std::string text = readFile(path);
            const std::vector<std::string> expected = expectations(text);
            REQUIRE_FALSE(expected.empty());
            const test::Run run = test::run(text, path.filename().string());
            INFO(run.traceback);
            const std::vector<std::string> printed = linesOf(run.out);
            for (std::size_t i = 0; i < std::min(printed.size(), expected.size()); ++i) {
                INFO("line " << i + 1);
                REQUIRE(printed[i] == expected[i]);
            }
            CHECK(printed.size() == expected.size());
            CHECK(run.result.status == "ok");
        }
    }
}
