#pragma once
// The byte form of a trace: each record is a CBOR map behind its length, 4 bytes little endian.

#include "engine/trace/Record.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace strata::trace {

/// Writes records to a file descriptor, numbering and timing them. Thread safe. Starts with the `trace` record.
class StreamWriter : public Sink {
public:
    /// Does not own `fd`. `steps`: whether family step is wanted.
    explicit StreamWriter(int fd, bool steps = true);
    ~StreamWriter() override;
    /// Buffers; large or urgent records are flushed at once. A closed pipe is remembered and further records dropped.
    void write(Record record) override;
    bool wantsSteps() const override { return m_steps; }
    void flush();

private:
    void flushLocked();

    int m_fd;
    bool m_steps;
    bool m_broken = false;
    std::uint64_t m_seq = 0;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    std::mutex m_mutex;
    std::vector<std::uint8_t> m_buffer;
};

/// Cuts a growing byte stream into records. Feed it bytes as they come; take records until there is none.
class StreamReader {
public:
    void feed(const char* data, std::size_t size);
    /// The next whole record, or nothing yet. After damage it returns nothing for ever and `damage()` says where.
    std::optional<Record> next();
    /// Empty while all is well; else what is wrong and at which byte offset.
    const std::string& damage() const { return m_damage; }
    /// Call at the end of the input: bytes of an unfinished record count as damage.
    void finish();
    std::uint64_t offset() const { return m_offset; }

private:
    std::string m_buffer;
    std::size_t m_position = 0;
    std::uint64_t m_offset = 0;
    std::string m_damage;
};

} // namespace strata::trace
