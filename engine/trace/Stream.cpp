#include "engine/trace/Stream.h"

#include <cerrno>
#include <unistd.h>

namespace strata::trace {

namespace {
constexpr std::size_t flushBytes = std::size_t{64} << 10;
// A record longer than this is taken for damage: the largest real one, an assembly listing, is a few megabytes.
constexpr std::uint32_t maxRecordBytes = std::uint32_t{256} << 20;
} // namespace

StreamWriter::StreamWriter(int fd, bool steps) : m_fd(fd), m_steps(steps) {
    write(make("run", "trace", {{"version", version}}));
}

StreamWriter::~StreamWriter() {
    flush();
}

void StreamWriter::write(Record record) {
    const std::lock_guard lock(m_mutex);
    if (m_broken) return;
    record["seq"] = m_seq++;
    record["t"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    const std::size_t at = m_buffer.size();
    m_buffer.resize(at + 4);
    Json::to_cbor(record, m_buffer);
    const auto length = static_cast<std::uint32_t>(m_buffer.size() - at - 4);
    for (int i = 0; i < 4; ++i)
        m_buffer[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(length >> (8 * i));
    const std::string& family = record["family"].get_ref<const std::string&>();
    if (m_buffer.size() >= flushBytes || family == "run" || family == "compile") flushLocked();
}

void StreamWriter::flush() {
    const std::lock_guard lock(m_mutex);
    flushLocked();
}

void StreamWriter::flushLocked() {
    std::size_t done = 0;
    while (done < m_buffer.size() && !m_broken) {
        const ssize_t n = ::write(m_fd, m_buffer.data() + done, m_buffer.size() - done);
        if (n > 0)
            done += static_cast<std::size_t>(n);
        else if (errno != EINTR)
            m_broken = true;
    }
    m_buffer.clear();
}

void StreamReader::feed(const char* data, std::size_t size) {
    if (m_position > (std::size_t{1} << 20)) {
        m_buffer.erase(0, m_position);
        m_position = 0;
    }
    m_buffer.append(data, size);
}

std::optional<Record> StreamReader::next() {
    if (!m_damage.empty() || m_buffer.size() - m_position < 4) return std::nullopt;
    std::uint32_t length = 0;
    for (int i = 3; i >= 0; --i)
        length = length << 8 | static_cast<std::uint8_t>(m_buffer[m_position + static_cast<std::size_t>(i)]);
    if (length > maxRecordBytes) {
        m_damage = "a record of impossible length at byte " + std::to_string(m_offset);
        return std::nullopt;
    }
    if (m_buffer.size() - m_position < 4 + std::size_t{length}) return std::nullopt;
    const char* begin = m_buffer.data() + m_position + 4;
    Json record = Json::from_cbor(begin, begin + length, true, false);
    if (record.is_discarded() || !record.is_object() || !record.contains("kind") || !record["kind"].is_string()) {
        m_damage = "a corrupt record at byte " + std::to_string(m_offset);
        return std::nullopt;
    }
    m_position += 4 + length;
    m_offset += 4 + length;
    return record;
}

void StreamReader::finish() {
    if (m_damage.empty() && m_buffer.size() > m_position)
        m_damage = "the stream ends in the middle of a record at byte " + std::to_string(m_offset);
}

} // namespace strata::trace
