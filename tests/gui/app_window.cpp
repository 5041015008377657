// The window itself, offscreen: it opens in both languages and themes, runs a program, and shows what the trace says.
#include "app/shell/MainWindow.h"
#include "views/panes/SourcePane.h"

#include <catch2/catch.hpp>

#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>

using namespace strata;

namespace {

void settle(int ms) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < ms) QApplication::processEvents(QEventLoop::AllEvents, 20);
}

} // namespace

TEST_CASE("every pane fits the window in both sizes, languages and themes") {
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
        for (const char* language : {"en", "zh_CN"})
            for (const bool dark : {false, true}) {
                shell::MainWindow window(false);
                window.setLanguage(language);
                window.setDark(dark);
                window.resize(size);
                window.show();
                window.applyWorkspace("overview");
                settle(30);
                INFO(size.width() << " " << language << " " << dark);
                REQUIRE(window.size() == size);
                for (const QString& key : window.paneKeys()) {
                    window.raisePane(key);
                    settle(5);
                    const panes::Pane* pane = window.pane(key);
                    INFO(key.toStdString());
                    REQUIRE(pane->isVisible());
                    REQUIRE(window.rect().contains(QRect(pane->mapTo(&window, QPoint(0, 0)), pane->size())));
                    REQUIRE_FALSE(pane->title().isEmpty());
                }
                window.setLanguage("en");
                window.setDark(false);
            }
}

TEST_CASE("the language changes live") {
    shell::MainWindow window(false);
    window.show();
    const QString english = window.pane("source")->title();
    window.setLanguage("zh_CN");
    settle(20);
    REQUIRE(window.pane("source")->title() != english);
    window.setLanguage("en");
    settle(20);
    REQUIRE(window.pane("source")->title() == english);
}

TEST_CASE("every text has a Chinese translation that keeps its placeholders") {
    QFile file(STRATA_TESTS_DIR "/../resources/translations/strata_zh_CN.ts");
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    REQUIRE_FALSE(text.contains("type=\"unfinished\""));
    const QRegularExpression message("<source>(.*?)</source>.*?<translation>(.*?)</translation>",
                                     QRegularExpression::DotMatchesEverythingOption);
    const QRegularExpression placeholder("%(\\d|[a-z]+)");
    int count = 0;
    for (auto it = message.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        ++count;
        for (auto p = placeholder.globalMatch(match.captured(1)); p.hasNext();) {
            const QString mark = p.next().captured(0);
            INFO(match.captured(1).toStdString());
            REQUIRE(match.captured(2).contains(mark));
        }
    }
    REQUIRE(count > 300);
}

TEST_CASE("a program runs in the window, and a selected line lights up what became of it") {
    qputenv("STRATA_ENGINE", STRATA_BIN_DIR "/strata-engine");
    shell::MainWindow window(false);
    window.show();
    bool over = false;
    QObject::connect(&window, &shell::MainWindow::runFinished, &window, [&] { over = true; });
    REQUIRE(window.open(":/programs/fusion.py"));
    window.run();
    QElapsedTimer timer;
    timer.start();
    while (!over && timer.elapsed() < 60'000) QApplication::processEvents(QEventLoop::AllEvents, 20);
    REQUIRE(over);
    model::TraceModel& model = *window.model();
    REQUIRE(model.run().status == "ok");
    REQUIRE(model.measured().size() == 2);
    REQUIRE(model.measured()[1].launches < model.measured()[0].launches);
    // Line 6 is a = torch.sin(x) * y + 1.0.
    const model::ItemId line = model.sourceLine("fusion.py", 6);
    REQUIRE(line != model::noItem);
    QStringList kinds;
    for (const model::ItemId id : model.related(line).downstream)
        if (!kinds.contains(model.item(id).kind)) kinds << model.item(id).kind;
    for (const char* kind : {"bytecode", "fx", "forward", "loops", "fused_loops", "cpp", "asm"}) {
        INFO(kind);
        REQUIRE(kinds.contains(QString::fromLatin1(kind)));
    }
}
