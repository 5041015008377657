#pragma once
// The engine as a child process, one a run, the next one started ahead. Records come over a pipe of their own. Whatever
// happens to the child - an exception, a crash, a kill - costs that run and nothing else.

#include "views/model/TraceModel.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <memory>

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
    QString signal;   // "SIGABRT" when crashed
    QString engine;   // path of the binary, when it could not be started
    int leftOut = 0;  // records beyond what a run may have
    int stoppedMs = 0; // from stop() to the end
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
    /// Clears the model and runs. A run under way is killed first, without a word of its end.
    void run(const Job& job);
    /// SIGINT, which the program sees as KeyboardInterrupt; half a second later SIGKILL for it and its children.
    void stop();
    bool isRunning() const { return m_running != nullptr; }
    /// Of dispatches, launches and the like beyond this many records a run shows no more: a program that loops for ever
    /// must not eat the window's memory. Output, exceptions and the end of the run are always kept.
    void setRecordLimit(int records) { m_recordLimit = records; }

Q_SIGNALS:
    void started();
    /// What the child wrote to its standard output and error outside of the trace: a library's message, a child
    /// process of the program's.
    void wrote(const QString& text);
    void finished(const strata::host::Ending& ending);

private:
    struct Child;

    std::unique_ptr<Child> launch();
    void takeRecords();
    void childEnded(int exitCode, QProcess::ExitStatus status);
    void finish();

    model::TraceModel* m_model;
    std::unique_ptr<Child> m_ready, m_running;
    QTimer m_killTimer, m_again;
    QElapsedTimer m_stopClock;
    bool m_stopping = false;
    int m_recordLimit = 2'000'000;
};

/// "SIGSEGV" for 11.
QString signalName(int number);

} // namespace strata::host
