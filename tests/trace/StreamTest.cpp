#include "engine/trace/Stream.h"

#include <catch2/catch.hpp>

#include <array>
#include <csignal>
#include <string>
#include <unistd.h>

using namespace strata::trace;

namespace {
// The bytes of a stream that holds the header and `count` records.
std::string streamOf(int count) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    {
        StreamWriter writer(ends[1]);
        for (int i = 0; i < count; ++i) writer.write(make("run", "stdout", {{"text", "line " + std::to_string(i)}}));
    }
    close(ends[1]);
    std::string bytes;
    std::array<char, 4096> chunk{};
    for (ssize_t n = 0; (n = read(ends[0], chunk.data(), chunk.size())) > 0;)
        bytes.append(chunk.data(), static_cast<std::size_t>(n));
    close(ends[0]);
    return bytes;
}

std::vector<Record> readAll(const std::string& bytes, std::size_t step, std::string* damage = nullptr) {
    StreamReader reader;
    std::vector<Record> records;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        reader.feed(bytes.data() + at, std::min(step, bytes.size() - at));
        while (auto record = reader.next()) records.push_back(std::move(*record));
    }
    reader.finish();
    if (damage) *damage = reader.damage();
    return records;
}
} // namespace

TEST_CASE("records come back numbered, whatever the cuts between reads") {
    const std::string bytes = streamOf(20);
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
        std::string damage;
        const auto records = readAll(bytes, step, &damage);
        REQUIRE(damage.empty());
        REQUIRE(records.size() == 21);
        REQUIRE(records[0]["kind"] == "trace");
        REQUIRE(records[0]["version"] == version);
        for (std::size_t i = 0; i < records.size(); ++i) REQUIRE(records[i]["seq"] == i);
        REQUIRE(records[20]["text"] == "line 19");
    }
}

TEST_CASE("a truncated stream opens up to the damage and says where") {
    const std::string bytes = streamOf(5);
    std::string damage;
    const auto records = readAll(bytes.substr(0, bytes.size() - 3), 100, &damage);
    REQUIRE(records.size() == 5);
    REQUIRE(damage.find("middle of a record") != std::string::npos);
}

TEST_CASE("a corrupt record stops the reader for good") {
    std::string bytes = streamOf(5);
    const std::size_t middle = bytes.size() / 2;
    for (std::size_t i = 0; i < 12; ++i) bytes[middle + i] = '\xff';
    std::string damage;
    const auto records = readAll(bytes, bytes.size(), &damage);
    REQUIRE(records.size() < 6);
    REQUIRE_FALSE(records.empty());
    REQUIRE_FALSE(damage.empty());
}

TEST_CASE("a reader that went away does not stop the program") {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    StreamWriter writer(ends[1]);
    for (int i = 0; i < 3; ++i) writer.write(make("run", "stdout", {{"text", "x"}}));
    writer.flush();
    close(ends[1]);
}
