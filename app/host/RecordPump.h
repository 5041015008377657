#pragma once
// Reads a pipe on a thread of its own and cuts it into records, so that the GUI thread only ever appends what is ready.
// A writer that is faster than the reader of take() waits in its write(): records are never lost, memory stays bounded.

#include "engine/trace/Stream.h"

#include <QObject>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace strata::host {

class RecordPump : public QObject {
    Q_OBJECT

public:
    /// Owns `fd`, the reading end of a pipe.
    explicit RecordPump(int fd, QObject* parent = nullptr);
    ~RecordPump() override;

    /// At most `limit` records, oldest first; empty when none is ready.
    std::vector<trace::Record> take(std::size_t limit);
    /// The writer is gone. What is in the pipe is still read; then the pump ends, even when some other process (a child
    /// that the program left behind) keeps the writing end open.
    void drain();
    /// The pipe was read to its end and everything was taken.
    bool isOver() const;

Q_SIGNALS:
    /// Something can be taken, or the pump is over. Sent once; again after a take() that left nothing.
    void ready();

private:
    void work();
    bool readSome();
    void announce();

    int m_fd, m_wake; // m_wake: an eventfd that interrupts the wait
    trace::StreamReader m_reader;
    mutable std::mutex m_mutex;
    std::condition_variable m_room;
    std::deque<trace::Record> m_records;
    bool m_announced = false, m_ended = false;
    std::atomic<bool> m_draining = false, m_quit = false;
    std::thread m_thread; // last: it uses all of the above
};

} // namespace strata::host
