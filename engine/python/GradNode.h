#pragma once
// Tape nodes as Python objects: tensor.grad_fn, next_functions. Each kind has a type of its own, named as PyTorch's
// ("MulBackward0"), so that it prints as <MulBackward0 object at 0x..>.

#include "engine/eager/Autograd.h"
#include "engine/python/Types.h"

#include <memory>

namespace strata::python {

/// New reference; None for null. The same node gives the same object while that lives.
PyObject* wrapNode(const std::shared_ptr<eager::Node>& node);

} // namespace strata::python
