#include "app/host/RecordPump.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace strata::host {

namespace {

constexpr std::size_t chunkBytes = std::size_t{256} << 10; // read at once
constexpr std::size_t queueLimit = 20'000;                 // records that wait for take()

} // namespace

RecordPump::RecordPump(int fd, QObject* parent) : QObject(parent), m_fd(fd), m_wake(eventfd(0, EFD_CLOEXEC)) {
    fcntl(m_fd, F_SETFL, fcntl(m_fd, F_GETFL) | O_NONBLOCK);
    m_thread = std::thread([this] { work(); });
}

RecordPump::~RecordPump() {
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_room.notify_all();
    eventfd_write(m_wake, 1);
    m_thread.join();
    close(m_fd);
    close(m_wake);
}

std::vector<trace::Record> RecordPump::take(std::size_t limit) {
    const std::lock_guard lock(m_mutex);
    const auto count = static_cast<std::ptrdiff_t>(std::min(limit, m_records.size()));
    std::vector<trace::Record> out(std::make_move_iterator(m_records.begin()),
                                   std::make_move_iterator(m_records.begin() + count));
    m_records.erase(m_records.begin(), m_records.begin() + count);
    if (m_records.empty()) m_announced = m_ended;
    m_room.notify_one();
    return out;
}

bool RecordPump::isOver() const {
    const std::lock_guard lock(m_mutex);
    return m_ended && m_records.empty();
}

void RecordPump::drain() {
    m_draining = true;
    eventfd_write(m_wake, 1);
}

// With m_mutex held.
void RecordPump::announce() {
    if (m_announced) return;
    m_announced = true;
    QMetaObject::invokeMethod(this, &RecordPump::ready, Qt::QueuedConnection);
}

// False at the end of the pipe.
bool RecordPump::readSome() {
    thread_local std::vector<char> chunk(chunkBytes);
    const ssize_t n = read(m_fd, chunk.data(), chunk.size());
    if (n < 0) return errno == EINTR || (errno == EAGAIN && !m_draining);
    if (n == 0) return false;
    m_reader.feed(chunk.data(), static_cast<std::size_t>(n));
    std::vector<trace::Record> cut;
    while (auto record = m_reader.next()) cut.push_back(std::move(*record));
    if (cut.empty()) return true;
    std::unique_lock lock(m_mutex);
    m_room.wait(lock, [this] { return m_quit || m_records.size() < queueLimit; });
    std::move(cut.begin(), cut.end(), std::back_inserter(m_records));
    announce();
    return true;
}

void RecordPump::work() {
    while (!m_quit) {
        std::array<pollfd, 2> waits{{{m_fd, POLLIN, 0}, {m_wake, POLLIN, 0}}};
        if (poll(waits.data(), waits.size(), m_draining ? 0 : -1) < 0 && errno != EINTR) break;
        if (!readSome()) break;
    }
    const std::lock_guard lock(m_mutex);
    m_ended = true;
    m_announced = false;
    announce();
}

} // namespace strata::host
