#pragma once
// The embedded interpreter and the C side of `torch`. Include Python.h through this header only.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "engine/fx/Graph.h"
#include "engine/ops/Value.h"
#include "engine/trace/Record.h"

#include <memory>
#include <string>
#include <utility>
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

/// torch.SymInt, torch.Size, torch.dtype, torch.device, and the type of tape nodes seen from Python (grad_fn).
PyTypeObject* symIntType();
PyTypeObject* sizeType();
PyTypeObject* dtypeType();
PyTypeObject* deviceType();
PyObject* wrapSize(const symbolic::SymInts& sizes); // torch.Size
/// What an argument of a captured call is to an op: None, bool, int, float, str, Tensor, dtype, device, torch.SymInt,
/// and lists or tuples of ints, floats, bools or tensors. False (no exception set) for anything else.
bool toValue(PyObject* object, ops::Value& value);

/// The module `torch._C`, borrowed; imports torch at the first call. Throws PythonError.
PyObject* torchC();
/// Puts a C module under its full name into sys.modules and, as an attribute, into its parent ("torch._C._dynamo").
/// Takes the reference. Throws PythonError.
void addModule(const std::string& fullName, PyObject* module);

/// co_filename of the engine's own Python files starts with this.
inline constexpr const char* packagePrefix = "<strata>/";
/// The innermost Python frame outside the engine's own files: what a dispatched op is put down to. False without one.
/// Walks frames: call it only while somebody records. The interpreter lock must be held.
bool userPlace(std::string& file, int& line);

/// {strata, torch, python, clang}: what run_started tells.
trace::Json versions();

/// Runs f; a C++ exception becomes the Python exception of its kind and the result null.
template <class F> PyObject* guarded(F&& f) noexcept;
/// Sets the Python error for the C++ exception in flight.
void setPythonErrorFromCurrentException() noexcept;

/// The Python torch.fx.GraphModule of a captured graph: graph.nodes, code, forward, __call__.
PyObject* graphModule(const std::shared_ptr<fx::Graph>& graph);

/// How a program ended. Exit codes as the python command's: 0, 1 for an exception, 130 when stopped, else the program's
/// own.
struct RunResult {
    int exitCode = 0;
    std::string status; // ok, exception, stopped, out_of_memory, exit
};
/// Runs a program as __main__ (sys.argv[0] is `path`, sys.path[0] its folder) and streams stdout, stderr and the
/// exception to `sink`; with a null sink its output is dropped. Text goes out by the line, so that it stands in order
/// with other records. The same text and path give the same code objects again. SIGINT is KeyboardInterrupt inside.
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
