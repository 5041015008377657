#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <QApplication>

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Settings and caches of the tests stay apart from the user's.
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("strata-tests");
    QCoreApplication::setApplicationName("strata-tests");
    return Catch::Session().run(argc, argv);
}
