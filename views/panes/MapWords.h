#pragma once
// The words on the map.

#include "views/panes/MapLayout.h"

#include <QCoreApplication>
#include <QString>

namespace strata::panes {

class MapWords {
    Q_DECLARE_TR_FUNCTIONS(MapWords)

public:
    static QString title(MapBox box);
    static QString caption(MapBox box);
    /// Several sentences, for the tool tip.
    static QString explanation(MapBox box);
    /// Empty for an edge that needs no words.
    static QString edge(MapEdge edge);

    static QString eagerTitle();
    static QString eagerSubtitle();
    static QString eagerStrengths();
    static QString eagerCosts();
    static QString compiledTitle();
    static QString compiledSubtitle();
    static QString compiledStrengths();
    static QString compiledCosts();

    static QString comparisonEmpty();
    static QString launches();
    static QString time();
    static QString lastCall(const QString& time, int launches);
    static QString eager();
    static QString compiled();
    static QString firstCall(const QString& time);
    static QString guardCheck(const QString& time);
    static QString faster(const QString& factor);
    static QString slower(const QString& factor);
};

} // namespace strata::panes
