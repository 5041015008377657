#pragma once
// One Python argument as the value that a schema's parameter takes.

#include "engine/python/Signature.h"

namespace strata::python {

/// A list or tuple, whose items PySequence_Fast_ITEMS gives as they are.
inline bool isSequence(PyObject* object) {
    return PyTuple_Check(object) || PyList_Check(object);
}

/// Fills `value`; false (no exception set) when `object` does not fit. `badItem` is then the item of a list that does
/// not fit, or -1. Throws support::Error for what fits but is out of range. Reads the value of a 0-dim tensor that
/// stands for a number.
bool convertArgument(const Signature::Parameter& parameter, PyObject* object, ops::Value& value, Py_ssize_t& badItem);
/// Ints that stand one by one, f(2, 3).
bool convertInts(PyObject* const* items, Py_ssize_t count, symbolic::SymInts& values, Py_ssize_t& badItem);

} // namespace strata::python
