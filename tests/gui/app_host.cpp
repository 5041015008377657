// The engine as a child process: whatever a program does, the run ends, says how, and the next run works.
#include "app/host/EngineProcess.h"
#include "app/host/TraceFile.h"

#include <catch2/catch.hpp>

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

using namespace strata;
using host::EngineProcess;
using Kind = host::Ending::Kind;

namespace {

struct Runner {
    model::TraceModel model;
    EngineProcess engine{&model};
    host::Ending ending;
    bool over = false;

    Runner() {
        qputenv("STRATA_ENGINE", STRATA_BIN_DIR "/strata-engine");
        QObject::connect(&engine, &EngineProcess::finished, &engine, [this](const host::Ending& e) {
            ending = e;
            over = true;
        });
    }

    void start(const char* program, int memoryMb = 4096) {
        over = false;
        host::Job job;
        job.path = QStringLiteral("program.py");
        job.program = QString::fromUtf8(program);
        job.memoryLimitMb = memoryMb;
        engine.run(job);
    }

    // Lets events run until the run is over or the time is.
    bool wait(int ms) {
        QElapsedTimer timer;
        timer.start();
        while (!over && timer.elapsed() < ms) QApplication::processEvents(QEventLoop::AllEvents, 20);
        return over;
    }

    bool waitFor(const char* text, int ms) {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < ms) {
            QApplication::processEvents(QEventLoop::AllEvents, 20);
            for (const model::Output& out : model.output())
                if (out.text.contains(QLatin1String(text))) return true;
        }
        return false;
    }

    void requireWorks() {
        start("print('hello')");
        REQUIRE(wait(60'000));
        REQUIRE(ending.kind == Kind::Finished);
        REQUIRE(model.run().status == "ok");
    }
};

} // namespace

TEST_CASE("a program runs to its end and its trace arrives whole") {
    Runner r;
    r.start("import torch\n@torch.compile\ndef f(x):\n    return x.sin() + 1\nprint(f(torch.ones(3)))\n");
    REQUIRE(r.wait(60'000));
    REQUIRE(r.ending.kind == Kind::Finished);
    REQUIRE(r.model.run().status == "ok");
    REQUIRE(r.model.artifactsOf("cpp").size() == 1);
    REQUIRE(r.model.run().counters["compiled_launches"] == 1);
}

TEST_CASE("syntax errors and exceptions end the run with their place") {
    Runner r;
    r.start("x = = 1\n");
    REQUIRE(r.wait(60'000));
    REQUIRE(r.model.run().status == "exception");
    REQUIRE(r.model.exceptions().at(0).type == "SyntaxError");
    r.start("def f():\n    raise ValueError('no')\n\nf()\n");
    REQUIRE(r.wait(60'000));
    REQUIRE(r.model.exceptions().at(0).frames.back().line == 2);
    r.requireWorks();
}

TEST_CASE("a program that never ends is stopped within a second") {
    Runner r;
    r.start("print('going', flush=True)\nwhile True:\n    pass\n");
    REQUIRE(r.waitFor("going", 60'000));
    QElapsedTimer timer;
    timer.start();
    r.engine.stop();
    REQUIRE(r.wait(5'000));
    REQUIRE(timer.elapsed() < 1000);
    REQUIRE(r.ending.kind == Kind::Stopped);
    REQUIRE(r.model.run().status == "stopped");
    r.requireWorks();
}

TEST_CASE("a program that ignores the interrupt is killed within a second") {
    Runner r;
    r.start("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('going', flush=True)\nwhile True:\n    "
            "pass\n");
    REQUIRE(r.waitFor("going", 60'000));
    QElapsedTimer timer;
    timer.start();
    r.engine.stop();
    REQUIRE(r.wait(5'000));
    REQUIRE(timer.elapsed() < 1000);
    REQUIRE(r.ending.kind == Kind::Killed);
    r.requireWorks();
}

TEST_CASE("a program that aborts costs that run only") {
    Runner r;
    r.start("import os\nprint('before', flush=True)\nos.abort()\n");
    REQUIRE(r.wait(60'000));
    REQUIRE(r.ending.kind == Kind::Crashed);
    REQUIRE(r.ending.signal == "SIGABRT");
    r.requireWorks();
}

TEST_CASE("a program that eats all memory gets a MemoryError") {
    Runner r;
    r.start("kept = []\nwhile True:\n    kept.append(bytearray(1 << 24))\n", 512);
    REQUIRE(r.wait(60'000));
    REQUIRE(r.model.run().status == "out_of_memory");
    r.requireWorks();
}

TEST_CASE("a trace that is saved opens again; a damaged one opens up to the damage") {
    Runner r;
    r.start("print('kept')");
    REQUIRE(r.wait(60'000));
    QTemporaryDir folder;
    const QString path = folder.filePath("run.strata");
    REQUIRE(host::saveTrace(path, r.model).isEmpty());
    model::TraceModel again;
    REQUIRE(host::openTrace(path, &again).isEmpty());
    REQUIRE(again.recordCount() == r.model.recordCount());
    REQUIRE(again.bytes() == r.model.bytes());
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadWrite));
    REQUIRE(file.resize(file.size() - 5));
    file.close();
    REQUIRE(host::openTrace(path, &again).contains("damaged"));
    REQUIRE(again.recordCount() == r.model.recordCount() - 1);
    QFile noise(folder.filePath("noise.strata"));
    REQUIRE(noise.open(QIODevice::WriteOnly));
    noise.write("this is no trace");
    noise.close();
    REQUIRE(host::openTrace(noise.fileName(), &again).contains("no trace"));
}
