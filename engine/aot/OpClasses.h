#pragma once
// What the partitioner holds of ops: PyTorch's lists (get_default_op_list of torch/_functorch/partitioners.py).

#include "engine/fx/Graph.h"

namespace strata::aot {

bool isView(const fx::Node& node);             // free to make again
bool isRecomputable(const fx::Node& node);     // cheap enough to make again
bool isComputeIntensive(const fx::Node& node); // products, convolutions, attention
/// Whether a producer and its reader would share a kernel. Anything fuses into cat.
bool fuses(const fx::Node& producer, const fx::Node& reader);

} // namespace strata::aot
