#include "app/host/EngineProcess.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSocketNotifier>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace strata::host {

namespace {

constexpr int stopPatienceMs = 500;
constexpr int chunkBytes = 256 * 1024; // read at once
constexpr int sliceMs = 12;            // of work before the event loop gets its turn
constexpr int childFd = 3;             // where the child finds the trace

} // namespace

QString signalName(int number) {
    switch (number) {
    case SIGABRT:
        return QStringLiteral("SIGABRT");
    case SIGSEGV:
        return QStringLiteral("SIGSEGV");
    case SIGBUS:
        return QStringLiteral("SIGBUS");
    case SIGFPE:
        return QStringLiteral("SIGFPE");
    case SIGILL:
        return QStringLiteral("SIGILL");
    case SIGKILL:
        return QStringLiteral("SIGKILL");
    case SIGTERM:
        return QStringLiteral("SIGTERM");
    case SIGINT:
        return QStringLiteral("SIGINT");
    default:
        return QStringLiteral("signal %1").arg(number);
    }
}

/// A child and what was read from it.
struct EngineProcess::Child {
    QProcess process;
    int traceFd = -1;
    std::unique_ptr<QSocketNotifier> notifier;
    trace::StreamReader reader;
    bool jobSent = false;
    bool sawEnd = false; // run_finished
    QString status;

    ~Child() {
        notifier.reset();
        process.disconnect();
        if (process.state() != QProcess::NotRunning) {
            process.kill();
            process.waitForFinished(1000);
        }
        if (traceFd >= 0) close(traceFd);
    }
};

EngineProcess::EngineProcess(model::TraceModel* model, QObject* parent) : QObject(parent), m_model(model) {
    m_killTimer.setSingleShot(true);
    m_killTimer.setInterval(stopPatienceMs);
    connect(&m_killTimer, &QTimer::timeout, this, [this] {
        if (m_running) m_running->process.kill();
    });
}

EngineProcess::~EngineProcess() = default;

QString EngineProcess::binary() {
    const QString given = qEnvironmentVariable("STRATA_ENGINE");
    return given.isEmpty() ? QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("strata-engine"))
                           : given;
}

std::unique_ptr<EngineProcess::Child> EngineProcess::launch() {
    auto child = std::make_unique<Child>();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    child->traceFd = ends[0];
    child->process.setProgram(binary());
    child->process.setArguments({QStringLiteral("serve"), QStringLiteral("--trace-fd"), QString::number(childFd)});
    const int writeEnd = ends[1];
    child->process.setChildProcessModifier([writeEnd] {
        if (writeEnd == childFd)
            fcntl(writeEnd, F_SETFD, 0);
        else
            dup2(writeEnd, childFd);
    });
    child->process.start();
    const bool up = child->process.waitForStarted(3000);
    close(writeEnd);
    return up ? std::move(child) : nullptr;
}

void EngineProcess::prepare() {
    if (!m_ready || m_ready->process.state() == QProcess::NotRunning) m_ready = launch();
}

void EngineProcess::run(const Job& job) {
    m_killTimer.stop();
    m_stopping = false;
    m_running.reset();
    m_model->clear();
    prepare();
    if (!m_ready) {
        Q_EMIT finished({Ending::Kind::NotStarted, {}, 0, {}, binary()});
        return;
    }
    m_running = std::move(m_ready);
    Child* child = m_running.get();
    child->notifier = std::make_unique<QSocketNotifier>(child->traceFd, QSocketNotifier::Read);
    connect(child->notifier.get(), &QSocketNotifier::activated, this, &EngineProcess::readAvailable);
    connect(&child->process, &QProcess::finished, this, &EngineProcess::childEnded);
    const trace::Json request{{"path", job.path.toStdString()},
                              {"program", job.program.toStdString()},
                              {"backend", job.backend.toStdString()},
                              {"steps", true},
                              {"measure", job.measure},
                              {"memory_limit_mb", job.memoryLimitMb}};
    child->process.write(QByteArray::fromStdString(request.dump(-1, ' ', true) + "\n"));
    child->process.closeWriteChannel();
    Q_EMIT started();
    QTimer::singleShot(0, this, &EngineProcess::prepare);
}

void EngineProcess::stop() {
    if (!m_running || m_stopping) return;
    m_stopping = true;
    kill(static_cast<pid_t>(m_running->process.processId()), SIGINT);
    m_killTimer.start();
}

// Reads for a slice of time, so that a flood of records leaves the window alive.
void EngineProcess::readAvailable() {
    Child& child = *m_running;
    QElapsedTimer timer;
    timer.start();
    std::vector<trace::Record> batch;
    std::vector<char> chunk(chunkBytes);
    while (timer.elapsed() < sliceMs) {
        const ssize_t n = read(child.traceFd, chunk.data(), chunk.size());
        if (n <= 0) {
            if (n == 0) child.notifier->setEnabled(false);
            break;
        }
        child.reader.feed(chunk.data(), static_cast<std::size_t>(n));
        while (auto record = child.reader.next()) {
            if ((*record)["kind"] == "run_finished") {
                child.sawEnd = true;
                child.status = QString::fromStdString(record->value("status", std::string()));
            }
            batch.push_back(std::move(*record));
        }
    }
    if (!batch.empty()) m_model->append(std::move(batch));
}

void EngineProcess::childEnded(int exitCode, QProcess::ExitStatus status) {
    if (!m_running) return;
    m_killTimer.stop();
    // What is still in the pipe belongs to the run.
    while (m_running->notifier->isEnabled()) {
        const int before = m_model->recordCount();
        readAvailable();
        if (m_model->recordCount() == before) break;
    }
    Ending ending;
    ending.exitCode = exitCode;
    ending.status = m_running->status;
    ending.stderr_ = QString::fromUtf8(m_running->process.readAllStandardError()).right(2000);
    if (status == QProcess::CrashExit) {
        ending.kind = m_stopping ? Ending::Kind::Killed : Ending::Kind::Crashed;
        ending.signal = signalName(exitCode);
    } else if (m_stopping) {
        ending.kind = Ending::Kind::Stopped;
    } else if (!m_running->sawEnd) {
        ending.kind = Ending::Kind::Crashed;
    }
    // The child is deleted later: this is called from its own signal.
    m_running->notifier->setEnabled(false);
    auto* old = m_running.release();
    QTimer::singleShot(0, this, [old] { delete old; });
    m_stopping = false;
    prepare();
    Q_EMIT finished(ending);
}

} // namespace strata::host
