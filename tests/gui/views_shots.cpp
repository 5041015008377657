// Photographs of the panes, for people to look at: strata_tests_gui "[shots]" with STRATA_SHOTS naming a folder.

#include "engine/trace/Stream.h"
#include "tests/gui/SampleTrace.h"
#include "tests/gui/ViewsFixture.h"
#include "views/panes/EagerPane.h"
#include "views/panes/FxPane.h"
#include "views/panes/JointPane.h"
#include "views/panes/LoopsPane.h"
#include "views/panes/MapPane.h"
#include "views/panes/PrimsPane.h"

#include <QDir>
#include <QFile>
#include <QTranslator>
#include <catch2/catch.hpp>

#include <functional>

using namespace strata;

namespace {

using Make = std::function<std::unique_ptr<panes::Pane>(const panes::PaneContext&)>;

template <class P> Make make() {
    return [](const panes::PaneContext& context) { return std::make_unique<P>(context); };
}

// The sample, or the trace file that STRATA_SHOTS_TRACE names.
std::vector<trace::Record> records() {
    QFile file(qEnvironmentVariable("STRATA_SHOTS_TRACE"));
    if (!file.open(QIODevice::ReadOnly)) return tests::sampleTrace();
    trace::StreamReader reader;
    const QByteArray bytes = file.readAll();
    reader.feed(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    std::vector<trace::Record> out;
    while (auto record = reader.next()) out.push_back(std::move(*record));
    return out;
}

void photograph(const QString& name, const Make& maker, QSize size, const std::function<void(tests::Stage&)>& prepare) {
    const QString folder = qEnvironmentVariable("STRATA_SHOTS");
    if (!name.startsWith(qEnvironmentVariable("STRATA_SHOTS_ONLY"))) return;
    QDir().mkpath(folder);
    for (const bool dark : {false, true}) {
        tests::Stage stage(records());
        stage.themes.setDark(dark);
        stage.timeline.toEnd();
        if (prepare) prepare(stage);
        const auto pane = maker(stage.context);
        stage.show(*pane, size);
        REQUIRE(pane->grab().save(folder + "/" + name + (dark ? "-dark.png" : "-light.png")));
    }
}

} // namespace

// STRATA_SHOTS_ONLY: the first letters of the names to take.
TEST_CASE("photographs", "[.shots]") {
    QApplication::setStyle("Fusion");
    QApplication::setFont(canvas::Theme::font());
    QTranslator translator; // STRATA_SHOTS_LANGUAGE names a .qm file
    if (translator.load(qEnvironmentVariable("STRATA_SHOTS_LANGUAGE")))
        QCoreApplication::installTranslator(&translator);
    photograph("fx", make<panes::FxPane>(), {1280, 800}, {});
    photograph("fx-half", make<panes::FxPane>(), {900, 800},
               [](tests::Stage& s) { s.timeline.seek(s.step("fx", true), 0.55); });
    photograph("fx-lit", make<panes::FxPane>(), {900, 800}, [](tests::Stage& s) {
        s.timeline.seek(s.step("joint"));
        s.selection.select(s.model.find("fx:0/0:h"));
    });
    photograph("fx-empty", make<panes::FxPane>(), {600, 400}, [](tests::Stage& s) { s.timeline.seek(0); });
    photograph("joint", make<panes::JointPane>(), {1280, 800}, {});
    photograph("joint-cut", make<panes::JointPane>(), {1280, 800},
               [](tests::Stage& s) { s.timeline.seek(s.step("forward"), 0.5); });
    photograph("joint-lit", make<panes::JointPane>(), {1280, 800},
               [](tests::Stage& s) { s.selection.select(s.model.find("fx:0/0:p")); });
    photograph("prims", make<panes::PrimsPane>(), {1280, 800}, {});
    photograph("loops", make<panes::LoopsPane>(), {1280, 800}, {});
    photograph("loops-deciding", make<panes::LoopsPane>(), {1280, 800},
               [](tests::Stage& s) { s.timeline.seek(s.step("fused_loops"), 0.3); });
    photograph("loops-moving", make<panes::LoopsPane>(), {1280, 800},
               [](tests::Stage& s) { s.timeline.seek(s.step("fused_loops"), 0.8); });
    photograph("eager", make<panes::EagerPane>(), {1280, 800}, {});
    photograph("eager-recording", make<panes::EagerPane>(), {900, 800},
               [](tests::Stage& s) { s.timeline.seek(s.step("tape_node", true), 0.6); });
    photograph("eager-backward", make<panes::EagerPane>(), {900, 800},
               [](tests::Stage& s) { s.timeline.seek(s.step("tape_run", true), 0.5); });
    photograph("map", make<panes::MapPane>(), {1280, 800}, {});
    photograph("map-empty", make<panes::MapPane>(), {1280, 800}, [](tests::Stage& s) { s.timeline.toStart(); });
    photograph("map-inductor", make<panes::MapPane>(), {1280, 800},
               [](tests::Stage& s) { s.timeline.seek(s.step("fused_loops"), 0.4); });
    photograph("map-eager", make<panes::MapPane>(), {1280, 800},
               [](tests::Stage& s) { s.timeline.seek(s.step("tape_node"), 0.4); });
    photograph("map-small", make<panes::MapPane>(), {700, 460}, {});
    photograph("map-large", make<panes::MapPane>(), {1920, 1080}, [](tests::Stage& s) {
        s.timeline.seek(s.step("launch"), 0.4);
        s.selection.select(s.model.find("fx:0/0:p"));
    });
}
