#include "engine/python/Binding.h"

#include "engine/support/Error.h"

#include <new>

namespace strata::python {

namespace {

PyObject* exceptionOf(support::ErrorKind kind) {
    switch (kind) {
    case support::ErrorKind::Runtime:
        return PyExc_RuntimeError;
    case support::ErrorKind::Type:
        return PyExc_TypeError;
    case support::ErrorKind::Value:
        return PyExc_ValueError;
    case support::ErrorKind::Index:
        return PyExc_IndexError;
    case support::ErrorKind::Attribute:
        return PyExc_AttributeError;
    case support::ErrorKind::NotImplemented:
        return PyExc_NotImplementedError;
    case support::ErrorKind::Overflow:
        return PyExc_OverflowError;
    case support::ErrorKind::ZeroDivision:
        return PyExc_ZeroDivisionError;
    case support::ErrorKind::Memory:
        return PyExc_MemoryError;
    case support::ErrorKind::Key:
        return PyExc_KeyError;
    }
    return PyExc_RuntimeError;
}

} // namespace

void setPythonErrorFromCurrentException() noexcept {
    try {
        throw;
    } catch (const PythonError&) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "an engine call failed without saying why");
    } catch (const support::Error& error) {
        PyErr_SetString(exceptionOf(error.kind()), error.what());
    } catch (const support::Refusal& refusal) {
        // Reaches Python only where nobody falls back: in a program that runs on fake tensors itself.
        PyErr_SetString(PyExc_RuntimeError, refusal.what());
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    } catch (...) {
        PyErr_SetString(PyExc_SystemError, "an unknown C++ exception");
    }
}

} // namespace strata::python
