#include "app/shell/MainWindow.h"
#include "app/shell/Screenshots.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QTimer>

#include <cstdio>

int main(int argc, char** argv) {
    QElapsedTimer sinceStart;
    sinceStart.start();
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
        qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Strata"));
    QApplication::setOrganizationName(QStringLiteral("Strata"));
    QApplication::setStyle(QStringLiteral("Fusion"));

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Shows every layer of the PyTorch compile stack at work."));
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("A program (.py) or a trace (.strata)."));
    parser.addOptions(
        {{QStringLiteral("run"), QStringLiteral("Run the program at once.")},
         {QStringLiteral("language"), QStringLiteral("en or zh_CN."), QStringLiteral("language")},
         {QStringLiteral("theme"), QStringLiteral("light or dark."), QStringLiteral("theme")},
         {QStringLiteral("size"), QStringLiteral("Window size, as 1280x800."), QStringLiteral("size")},
         {QStringLiteral("backend"), QStringLiteral("default, eager, aot_eager or inductor."),
          QStringLiteral("backend")},
         {QStringLiteral("screenshots"),
          QStringLiteral("Run, save a picture of every pane into this folder, print a summary, and quit."),
          QStringLiteral("folder")},
         {QStringLiteral("startup-time"),
          QStringLiteral("Print the milliseconds until the window is painted, and quit.")}});
    parser.process(app);

    const bool pictures = parser.isSet(QStringLiteral("screenshots"));
    strata::shell::MainWindow window(!pictures);
    if (parser.isSet(QStringLiteral("language"))) window.setLanguage(parser.value(QStringLiteral("language")));
    if (parser.isSet(QStringLiteral("theme")))
        window.setDark(parser.value(QStringLiteral("theme")) == QLatin1String("dark"));
    if (parser.isSet(QStringLiteral("backend"))) window.setBackend(parser.value(QStringLiteral("backend")));
    const QStringList size = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
    if (size.size() == 2) {
        window.resize(size[0].toInt(), size[1].toInt());
        window.applyWorkspace(QStringLiteral("overview"));
    }
    window.show();
    if (!parser.positionalArguments().isEmpty() && !window.open(parser.positionalArguments().front()) && pictures)
        return 1;

    if (parser.isSet(QStringLiteral("startup-time"))) {
        QTimer::singleShot(0, &app, [&] {
            window.grab();
            std::printf("%lld ms\n", static_cast<long long>(sinceStart.elapsed()));
            QApplication::quit();
        });
        return QApplication::exec();
    }
    if (pictures) return strata::shell::takeScreenshots(window, parser.value(QStringLiteral("screenshots")));
    if (parser.isSet(QStringLiteral("run"))) QTimer::singleShot(0, &window, &strata::shell::MainWindow::run);
    return QApplication::exec();
}
