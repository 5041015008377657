#pragma once
// From a Python call to an op: overloads are tried in order, as torch's PythonArgParser does it, and the first whose
// parameters take the arguments is called. Errors are PyTorch's TypeErrors.

#include "engine/ops/Registry.h"
#include "engine/python/Types.h"

#include <string>
#include <vector>

namespace strata::python {

/// One overload as Python sees it. Interned names, so that keywords compare by address.
struct Signature {
    struct Parameter {
        const ops::Param* param = nullptr;
        PyObject* name = nullptr;
        std::vector<PyObject*> aliases; // NumPy's names: axis, keepdims, x
        bool takesNumbers = false;      // a Tensor parameter that takes a Python number
    };
    const ops::OpDef* op = nullptr;
    std::vector<Parameter> params;
    Py_ssize_t positional = 0;      // parameters before the keyword-only ones, self among them
    bool factory = false;           // makes a tensor: takes requires_grad as well
    PyTypeObject* result = nullptr; // torch.return_types.max and its kin, else null
};

/// The overloads of one name.
struct OpGroup {
    std::string name;
    std::vector<Signature> signatures;
};

/// The group of a base name ("add"); null when there is no such op. Groups are made once and live for ever.
const OpGroup* findGroup(const std::string& name);
/// findGroup() that throws support::Error (NotImplemented) naming the op.
const OpGroup& groupOf(const std::string& name);
/// The Python form of an overload.
/// `aten`: the first argument goes by ATen's name, self, and not by input.
Signature signatureOf(const ops::OpDef& op, bool aten = false);

/// Calls the group with the arguments of a vectorcall; `self` is the first argument of a method call, or null. Gives a
/// new reference; null with an exception set.
PyObject* invoke(const OpGroup& group, PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                 PyObject* keywords) noexcept;

/// Calls an op with values that fit its schema.
ops::Values callOp(const ops::OpDef& op, ops::Values args);

} // namespace strata::python
