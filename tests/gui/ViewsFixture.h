#pragma once
// A model, selection, timeline and themes with a trace in them, and a pane on show.

#include "views/canvas/Palette.h"
#include "views/layout/DotLayout.h"
#include "views/panes/GraphPane.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTest>

namespace strata::tests {

struct Stage {
    model::TraceModel model;
    model::Selection selection{&model};
    model::Timeline timeline{&model};
    canvas::ThemeProvider themes;
    panes::PaneContext context{&model, &selection, &timeline, &themes};

    explicit Stage(std::vector<trace::Record> records = {}) { model.append(std::move(records)); }

    /// Shows a pane at a size and lets it settle: its events run and dot's answer is waited for.
    void show(panes::Pane& pane, QSize size = {1280, 800}) {
        pane.setPalette(canvas::paletteOf(themes.theme()));
        pane.resize(size);
        pane.show();
        settle(pane);
    }
    static void settle(panes::Pane& pane) {
        QElapsedTimer clock;
        clock.start();
        const auto* graph = qobject_cast<panes::GraphPane*>(&pane);
        do QTest::qWait(20);
        while (graph && graph->dot()->isRunning() && clock.elapsed() < 5000);
        if (graph) QTest::qWait(300); // nodes move to dot's places
    }
    /// The index of the step that a record kind closes (the last such, or the first).
    int step(const char* kind, bool first = false) const {
        int found = -1;
        for (int i = 0; i < timeline.stepCount(); ++i)
            if (timeline.steps()[static_cast<std::size_t>(i)].kind == QLatin1String(kind) && (found < 0 || !first))
                found = i;
        return found;
    }
};

} // namespace strata::tests
