#pragma once
// Binds the arguments of one Python call to the parameters of one overload.

#include "engine/python/Signature.h"

namespace strata::python {

/// What a vectorcall was given.
struct CallSite {
    PyObject* self = nullptr; // of a method; counts as the first argument
    PyObject* const* args = nullptr;
    Py_ssize_t nargs = 0;
    PyObject* keywords = nullptr; // tuple of names; their values stand behind args
    Py_ssize_t keywordCount() const { return keywords ? PyTuple_GET_SIZE(keywords) : 0; }
};

/// Why an overload does not take the arguments.
struct Mismatch {
    std::string message;
    std::vector<bool> invalid; // of each positional argument, then each keyword: has the wrong type
    bool badType = false;      // only types are wrong: the count and the names fit
};

class Arguments {
public:
    ops::Values values; // in the order of the schema
    bool requiresGrad = false;
    ops::Generator* generator = nullptr; // of a random op, where one is given

    /// Fills `values`. False when the overload does not take them; then `why`, unless null, says so. Throws PythonError
    /// or support::Error for an argument that fits but is out of range.
    bool take(const Signature& signature, const CallSite& site, Mismatch* why);
};

/// "add(): argument 'other' (position 1) must be Tensor, not str". `at` is the parameter's number, `from` the
/// argument's, `badItem` that of a list's item or -1.
std::string wrongType(const Signature& signature, const CallSite& site, std::size_t at, PyObject* object,
                      Py_ssize_t from, Py_ssize_t badItem);
/// Throws the TypeError for a call that no overload takes.
[[noreturn]] void refuse(const OpGroup& group, const CallSite& site);

} // namespace strata::python
