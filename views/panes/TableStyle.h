#pragma once
// How tables look in panes.

#include "views/canvas/Theme.h"

class QTableView;

namespace strata::panes {

/// Once: rows, headers, selection behaviour.
void prepareTable(QTableView* table);
/// At every change of theme.
void paintTable(QTableView* table, const canvas::Theme& theme);

} // namespace strata::panes
