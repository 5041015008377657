#pragma once
// Runs the open program, waits for its end, and saves a picture of the window and of every pane.

#include <QString>

namespace strata::shell {

class MainWindow;

/// Prints a line a stage: items and milliseconds. 0 when the run ended and all pictures were written.
int takeScreenshots(MainWindow& window, const QString& folder);

} // namespace strata::shell
