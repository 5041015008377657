#include "app/host/EngineProcess.h"

#include "app/host/RecordPump.h"

#include <QCoreApplication>
#include <QDir>

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace strata::host {

namespace {

constexpr int stopPatienceMs = 500;
constexpr int sliceMs = 8;            // of appending before the event loop gets its turn
constexpr std::size_t batch = 2'000;  // records appended at once
constexpr int childFd = 3;            // where the child finds the trace
constexpr int outsideLimit = 1 << 20; // bytes of output outside of the trace that are passed on

} // namespace

QString signalName(int number) {
    switch (number) {
    case SIGABRT: return QStringLiteral("SIGABRT");
    case SIGSEGV: return QStringLiteral("SIGSEGV");
    case SIGBUS: return QStringLiteral("SIGBUS");
    case SIGFPE: return QStringLiteral("SIGFPE");
    case SIGILL: return QStringLiteral("SIGILL");
    case SIGKILL: return QStringLiteral("SIGKILL");
    case SIGTERM: return QStringLiteral("SIGTERM");
    case SIGINT: return QStringLiteral("SIGINT");
    case SIGXCPU: return QStringLiteral("SIGXCPU");
    default: return QStringLiteral("signal %1").arg(number);
    }
}

/// A child, what reads from it, and how it ended.
struct EngineProcess::Child {
    QProcess process;
    std::unique_ptr<RecordPump> pump;
    Ending ending;
    bool sawEnd = false; // run_finished
    bool ended = false;  // the process; its pipe may hold records still
    int kept = 0, outside = 0;
    pid_t group = 0;

    ~Child() {
        process.disconnect();
        if (process.state() != QProcess::NotRunning) {
            killGroup();
            process.waitForFinished(1000);
        }
    }

    // The program's own children go with it.
    void killGroup() const {
        if (group > 0) ::kill(-group, SIGKILL);
    }
};

EngineProcess::EngineProcess(model::TraceModel* model, QObject* parent) : QObject(parent), m_model(model) {
    m_killTimer.setSingleShot(true);
    m_killTimer.setInterval(stopPatienceMs);
    connect(&m_killTimer, &QTimer::timeout, this, [this] {
        if (m_running) m_running->killGroup();
    });
    m_again.setSingleShot(true);
    m_again.setInterval(0);
    connect(&m_again, &QTimer::timeout, this, &EngineProcess::takeRecords);
}

EngineProcess::~EngineProcess() = default;

QString EngineProcess::binary() {
    const QString given = qEnvironmentVariable("STRATA_ENGINE");
    return given.isEmpty() ? QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("strata-engine"))
                           : given;
}

std::unique_ptr<EngineProcess::Child> EngineProcess::launch() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
    auto child = std::make_unique<Child>();
    child->process.setProgram(binary());
    child->process.setArguments(
        {QStringLiteral("serve"), QStringLiteral("--trace-fd"), QString::number(childFd)});
    child->process.setProcessChannelMode(QProcess::MergedChannels);
    const int writeEnd = ends[1];
    child->process.setChildProcessModifier([writeEnd] {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL); // no engine outlives the window
        if (writeEnd == childFd)
            fcntl(writeEnd, F_SETFD, 0);
        else
            dup2(writeEnd, childFd);
    });
    child->process.start();
    const bool up = child->process.waitForStarted(3000);
    close(writeEnd);
    child->pump = std::make_unique<RecordPump>(ends[0]);
    if (!up) return nullptr;
    child->group = static_cast<pid_t>(child->process.processId());
    return child;
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
        Ending ending;
        ending.kind = Ending::Kind::NotStarted;
        ending.engine = binary();
        Q_EMIT finished(ending);
        return;
    }
    m_running = std::move(m_ready);
    Child* child = m_running.get();
    connect(child->pump.get(), &RecordPump::ready, this, &EngineProcess::takeRecords);
    connect(&child->process, &QProcess::finished, this, &EngineProcess::childEnded);
    connect(&child->process, &QProcess::readyReadStandardOutput, this, [this, child] {
        const QByteArray bytes = child->process.readAllStandardOutput();
        child->outside += static_cast<int>(bytes.size());
        if (child->outside <= outsideLimit) Q_EMIT wrote(QString::fromUtf8(bytes));
    });
    const trace::Json request{{"path", job.path.toStdString()},       {"program", job.program.toStdString()},
                              {"backend", job.backend.toStdString()}, {"steps", true},
                              {"measure", job.measure},               {"memory_limit_mb", job.memoryLimitMb}};
    child->process.write(QByteArray::fromStdString(request.dump(-1, ' ', true) + "\n"));
    child->process.closeWriteChannel();
    Q_EMIT started();
    m_again.start(); // what the child said while it was waiting for its job
}

void EngineProcess::stop() {
    if (!m_running || m_stopping || m_running->ended) return;
    m_stopping = true;
    m_stopClock.start();
    ::kill(m_running->group, SIGINT);
    m_killTimer.start();
}

// Appends for a slice of time, so that a flood of records leaves the window alive.
void EngineProcess::takeRecords() {
    if (!m_running) return;
    Child& child = *m_running;
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < sliceMs) {
        std::vector<trace::Record> records = child.pump->take(batch);
        if (records.empty()) {
            if (child.ended && child.pump->isOver()) finish();
            return;
        }
        std::erase_if(records, [&](const trace::Record& record) {
            const auto family = record.find("family");
            const bool run = family != record.end() && *family == "run";
            if (run && record["kind"] == "run_finished") {
                child.sawEnd = true;
                child.ending.status = QString::fromStdString(record.value("status", std::string()));
            }
            if (run || child.kept < m_recordLimit) {
                ++child.kept;
                return false;
            }
            ++child.ending.leftOut;
            return true;
        });
        m_model->append(std::move(records));
        if (m_running.get() != &child) return; // whoever listens to the model may have started another run
    }
    m_again.start();
}

void EngineProcess::childEnded(int exitCode, QProcess::ExitStatus status) {
    if (!m_running) return;
    m_killTimer.stop();
    Child& child = *m_running;
    child.ended = true;
    child.ending.exitCode = exitCode;
    if (m_stopping) child.ending.stoppedMs = static_cast<int>(m_stopClock.elapsed());
    using Kind = Ending::Kind;
    if (status == QProcess::CrashExit) {
        child.ending.signal = signalName(exitCode);
        // A child that was still warming up has no handler for the interrupt yet.
        child.ending.kind = !m_stopping ? Kind::Crashed : exitCode == SIGINT ? Kind::Stopped : Kind::Killed;
    } else if (m_stopping) {
        child.ending.kind = Kind::Stopped;
    }
    prepare();
    child.pump->drain();
    m_again.start();
}

void EngineProcess::finish() {
    Child* child = m_running.release();
    m_stopping = false;
    Ending ending = child->ending;
    if (ending.kind == Ending::Kind::Finished && !child->sawEnd) ending.kind = Ending::Kind::Crashed;
    child->killGroup();     // what the program left running
    child->process.disconnect();
    child->pump->disconnect();
    QTimer::singleShot(0, this, [child] { delete child; }); // this may be called from the pump's own signal
    Q_EMIT finished(ending);
}

} // namespace strata::host
