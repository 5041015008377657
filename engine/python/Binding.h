#pragma once
// The embedded interpreter and the C side of `torch`. Include Python.h through this header only.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engine/fx/Graph.h"
#include "engine/ops/Value.h"
#include "engine/trace/Record.h"

#include <memory>
#include <string>
#include <vector>

namespace strata::python {

/// An owned reference.
class Ref {
public:
    Ref() = default;
    static Ref steal(PyObject* object) { return Ref(object); }
    static Ref borrow(PyObject* object) {
        Py_XINCREF(object);
        return Ref(object);
    }
    Ref(const Ref& other) : m_object(other.m_object) { Py_XINCREF(m_object); }
    Ref(Ref&& other) noexcept : m_object(other.m_object) { other.m_object = nullptr; }
    Ref& operator=(Ref other) noexcept {
        std::swap(m_object, other.m_object);
        return *this;
    }
    ~Ref() { Py_XDECREF(m_object); }
    PyObject* get() const { return m_object; }
    PyObject* release() {
        PyObject* object = m_object;
        m_object = nullptr;
        return object;
    }
    explicit operator bool() const { return m_object != nullptr; }

private:
    explicit Ref(PyObject* object) : m_object(object) {}
    PyObject* m_object = nullptr;
};

/// A Python exception is set; thrown by C++ code that called Python, turned back at the next boundary.
struct PythonError {};

/// Starts the isolated interpreter with this engine's `torch` importable. Checks that the library is the
/// distribution's CPython 3.11; throws support::Error with what was found.
void initialize(const std::vector<std::string>& argv);
void finalize();

/// The torch.Tensor type and conversions. wrap gives the same object for the same impl while it lives (identity).
PyTypeObject* tensorType();
bool isTensor(PyObject* object);               // torch.Tensor or a subclass (nn.Parameter)
const ops::Tensor& tensorOf(PyObject* object); // isTensor must hold
PyObject* wrap(const ops::Tensor& tensor);     // new reference; None when undefined
PyObject* wrap(const ops::Value& value);       // new reference
PyObject* wrap(const ops::Values& values);     // one value alone, several as a tuple
PyObject* wrapSymInt(symbolic::SymInt value);  // an int, or a torch.SymInt
bool isSymInt(PyObject* object);
symbolic::SymInt symIntOf(PyObject* object); // int or torch.SymInt
/// torch.dtype objects.
bool isDType(PyObject* object);
tensor::DType dtypeOf(PyObject* object);
PyObject* wrap(tensor::DType dtype);
bool isDevice(PyObject* object);
tensor::Device deviceOf(PyObject* object);
PyObject* wrap(const tensor::Device& device);

/// Runs f; a C++ exception becomes the Python exception of its kind and the result null.
template <class F> PyObject* guarded(F&& f) noexcept;
/// Sets the Python error for the C++ exception in flight.
void setPythonErrorFromCurrentException() noexcept;

/// The Python torch.fx.GraphModule of a captured graph: graph.nodes, code, forward, __call__.
PyObject* graphModule(const std::shared_ptr<fx::Graph>& graph);

/// Runs a program as __main__ and streams stdout, stderr, exceptions to `sink`. Returns the exit status (0 ok, 1
/// exception).
struct RunResult {
    int exitCode = 0;
    std::string status; // ok, exception, stopped, out_of_memory, exit
};
RunResult runProgram(const std::string& text, const std::string& path, trace::Sink* sink);

template <class F> PyObject* guarded(F&& f) noexcept {
    try {
        return f();
    } catch (...) {
        setPythonErrorFromCurrentException();
        return nullptr;
    }
}

} // namespace strata::python
