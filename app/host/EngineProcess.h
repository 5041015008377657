#pragma once
// The engine as a child process, one a run, the next one started ahead. Records come over a pipe of their own. Whatever
// happens to the child - an exception, a crash, a kill - costs that run and nothing else.

#include "engine/trace/Stream.h"
#include "views/model/TraceModel.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <memory>

class QSocketNotifier;

namespace strata::host {

struct Job {
    QString path;    // what the trace calls the file
    QString program; // its text
    QString backend = QStringLiteral("default");
    bool measure = false;
    int memoryLimitMb = 8192; // beyond what the engine itself has; 0: none
};

/// How a run ended, for words on screen.
struct Ending {
    enum class Kind { Finished, Stopped, Killed, Crashed, NotStarted } kind = Kind::Finished;
    QString status; // of run_finished: ok, exception, ..
    int exitCode = 0;
    QString signal;  // "SIGABRT" when crashed
    QString stderr_; // the last lines that the child wrote outside of the trace
};

class EngineProcess : public QObject {
    Q_OBJECT

public:
    /// Records go to `model`, which outlives this.
    explicit EngineProcess(model::TraceModel* model, QObject* parent = nullptr);
    ~EngineProcess() override;

    /// The engine's binary: $STRATA_ENGINE, else beside the application.
    static QString binary();
    /// Starts the next child, so that run() does not wait for it. Does nothing when one is ready.
    void prepare();
    /// Clears the model and runs. A run under way is killed first.
    void run(const Job& job);
    /// SIGINT, which the program sees as KeyboardInterrupt; half a second later SIGKILL.
    void stop();
    bool isRunning() const { return m_running != nullptr; }

Q_SIGNALS:
    void started();
    void finished(const strata::host::Ending& ending);

private:
    struct Child;

    std::unique_ptr<Child> launch();
    void readAvailable();
    void childEnded(int exitCode, QProcess::ExitStatus status);

    model::TraceModel* m_model;
    std::unique_ptr<Child> m_ready, m_running;
    QTimer m_killTimer;
    bool m_stopping = false;
};

/// "SIGSEGV" for 11.
QString signalName(int number);

} // namespace strata::host
