#include "app/shell/Screenshots.h"

#include "app/shell/MainWindow.h"
#include "views/model/Words.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QPixmap>

#include <cstdio>

namespace strata::shell {

namespace {

constexpr int runLimitMs = 120'000;
constexpr int settleMs = 400; // for graph layouts, which come from a child process

void settle(int ms) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < ms) QApplication::processEvents(QEventLoop::AllEvents, 20);
}

void printSummary(const model::TraceModel& model) {
    for (const model::Compile& compile : model.compiles()) {
        std::printf("%s %s: %s, %d ops, %d guards, %.1f ms\n", qUtf8Printable(compile.function),
                    qUtf8Printable(compile.id), qUtf8Printable(compile.status), compile.ops, compile.guards,
                    compile.ms);
        for (const model::StageTime& stage : compile.stages)
            std::printf("    %-10s %-10s %8.2f ms\n", qUtf8Printable(stage.stage), qUtf8Printable(stage.region),
                        stage.ms);
    }
    std::printf("%-22s %9s %9s\n", "artifact", "number", "items");
    for (const char* kind :
         {"source", "bytecode", "guards", "fx", "transformed_bytecode", "joint", "forward", "backward", "prims",
          "loops", "fused_loops", "memory_plan", "wrapper", "cpp", "llvm", "asm"}) {
        std::size_t items = 0;
        const auto& all = model.artifactsOf(QString::fromLatin1(kind));
        for (const int a : all) items += model.artifacts()[static_cast<std::size_t>(a)].items.size();
        std::printf("%-22s %9zu %9zu\n", kind, all.size(), items);
    }
    for (const model::Measured& m : model.measured())
        std::printf("%s: %d launches in %d calls, median %.1f us a call\n", m.compiled ? "compiled" : "eager",
                    m.launches, m.runs, m.medianUs);
}

} // namespace

int takeScreenshots(MainWindow& window, const QString& folder) {
    QDir().mkpath(folder);
    if (window.model()->recordCount() == 0) {
        bool over = false;
        QObject::connect(&window, &MainWindow::runFinished, &window, [&] { over = true; });
        window.run();
        QElapsedTimer timer;
        timer.start();
        while (!over && timer.elapsed() < runLimitMs)
            QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
        if (!over) {
            std::fprintf(stderr, "strata: the program ran longer than %d seconds\n", runLimitMs / 1000);
            return 1;
        }
    }
    window.timeline()->toEnd();
    settle(settleMs);
    bool written = window.grab().save(QDir(folder).filePath(QStringLiteral("window.png")));
    for (const QString& key : window.paneKeys()) {
        window.raisePane(key);
        settle(settleMs);
        written &= window.pane(key)->grab().save(QDir(folder).filePath(key + QStringLiteral(".png")));
    }
    printSummary(*window.model());
    if (!written) std::fprintf(stderr, "strata: pictures could not be written to %s\n", qUtf8Printable(folder));
    return written && window.model()->run().status == QLatin1String("ok") ? 0 : 1;
}

} // namespace strata::shell
