#pragma once
// A trace in the form of engine/trace/README.md, made up for tests of the views: a training step of a small layer, run
// in eager, compiled, called again, compiled again for other sizes, and a second function with a graph break.

#include "engine/trace/Record.h"

#include <vector>

namespace strata::tests {

std::vector<trace::Record> sampleTrace();

/// `count` dispatches and launches of one op after another, for tests of size.
std::vector<trace::Record> longEagerTrace(int count);

/// A captured graph of `nodes` nodes in `width` strands with some edges across, as records of a whole compile.
std::vector<trace::Record> largeGraphTrace(int nodes, int width = 12);

} // namespace strata::tests
