// torch._C._dynamo: how torch._dynamo, in Python, reaches the frame hook, the trace and the guards' tensor check.

#include "engine/dynamo/State.h"

#include "engine/eager/Autograd.h"
#include "engine/support/Error.h"
#include "engine/support/Launcher.h"

#include <algorithm>
#include <vector>

namespace strata::dynamo {

namespace {

using python::Ref;
using trace::Json;

// set_convert_frame(f): f(config, code, locals, globals, builtins, closure, earlier, function) -> (guard, code,
// record), None to skip the code for good, or False for this call only.
PyObject* setConvertFrame(PyObject*, PyObject* callable) {
    Py_INCREF(callable);
    Py_XDECREF(std::exchange(state().convertFrame, callable));
    Py_RETURN_NONE;
}

// The compiler's Python part is loaded with the first compiled call; it registers itself.
void ensureConvertFrame() {
    if (state().convertFrame) return;
    const Ref module = Ref::steal(PyImport_ImportModule("torch._dynamo.convert_frame"));
    if (!module) throw python::PythonError{};
}

/// Puts a compile configuration in force for a scope.
class ConfigScope {
public:
    explicit ConfigScope(PyObject* config) : m_before(setCurrentConfig(config)) {}
    ~ConfigScope() { setCurrentConfig(m_before); }
    ConfigScope(const ConfigScope&) = delete;
    ConfigScope& operator=(const ConfigScope&) = delete;

private:
    PyObject* m_before;
};

// run(config, f, args, kwargs): calls f with its frames compiled; with config None nothing inside it is
// (torch.compiler.disable). In eager while compiling is off.
PyObject* run(PyObject*, PyObject* args) {
    return python::guarded([&]() -> PyObject* {
        PyObject *config = nullptr, *f = nullptr, *positional = nullptr, *keywords = nullptr;
        if (!PyArg_ParseTuple(args, "OOO!O!", &config, &f, &PyTuple_Type, &positional, &PyDict_Type, &keywords))
            return nullptr;
        if (config == Py_None) {
            const ConfigScope scope(nullptr);
            return PyObject_Call(f, positional, keywords);
        }
        const bool enabled = state().enabled;
        const support::RegionScope region("forward", enabled ? support::Mode::Compiled : support::Mode::Eager);
        if (!enabled) return PyObject_Call(f, positional, keywords);
        ensureConvertFrame();
        const ConfigScope scope(config);
        const HookScope hook;
        return PyObject_Call(f, positional, keywords);
    });
}

PyObject* setEnabledMethod(PyObject*, PyObject* enabled) {
    setEnabled(enabled == Py_True);
    Py_RETURN_NONE;
}

PyObject* defaultBackend(PyObject*, PyObject*) {
    return Py_BuildValue("(si)", state().defaultBackend.c_str(), static_cast<int>(state().forced));
}

PyObject* listening(PyObject*, PyObject*) {
    const int level = !state().sink ? 0 : state().sink->wantsSteps() ? 2 : 1;
    return PyLong_FromLong(level);
}

// emit(json text): one record with family and kind.
PyObject* emit(PyObject*, PyObject* text) {
    return python::guarded([&]() -> PyObject* {
        const char* json = PyUnicode_AsUTF8(text);
        if (!json) return nullptr;
        if (state().sink) state().sink->write(Json::parse(json));
        Py_RETURN_NONE;
    });
}

bool sameInts(const symbolic::SymInts& have, PyObject* want) {
    if (static_cast<Py_ssize_t>(have.size()) != PyTuple_GET_SIZE(want)) return false;
    for (std::size_t i = 0; i < have.size(); ++i) {
        PyObject* w = PyTuple_GET_ITEM(want, static_cast<Py_ssize_t>(i));
        if (w != Py_None && have[i].maybeInt(-1) != PyLong_AsLongLong(w)) return false;
    }
    return true;
}

// check_tensor(object, type, dtype, device, requires_grad, sizes, strides): sizes and strides are tuples in which None
// stands for a symbolic one. TENSOR_MATCH.
PyObject* checkTensor(PyObject*, PyObject* const* a, Py_ssize_t count) {
    if (count != 7) return PyErr_Format(PyExc_TypeError, "check_tensor takes 7 arguments"), nullptr;
    bool same = reinterpret_cast<PyObject*>(Py_TYPE(a[0])) == a[1] && python::isTensor(a[0]);
    if (same) {
        const ops::Tensor& t = python::tensorOf(a[0]);
        same = t.dtype() == python::dtypeOf(a[2]) && t.device() == python::deviceOf(a[3]) &&
               eager::requiresGrad(t) == (a[4] == Py_True) && sameInts(t.sizes(), a[5]) && sameInts(t.strides(), a[6]);
    }
    return PyBool_FromLong(same);
}

PyObject* resetAll(PyObject*, PyObject*) {
    reset();
    Py_RETURN_NONE;
}

} // namespace

void reset() {
    ++state().generation;
    const Ref module = Ref::steal(PyImport_ImportModule("torch._dynamo.convert_frame"));
    const Ref done = module ? Ref::steal(PyObject_CallMethod(module.get(), "forget", nullptr)) : Ref();
    if (!done) PyErr_Clear(); // nothing was compiled yet
}

void initialize() {
    static PyMethodDef own[] = {{"set_convert_frame", setConvertFrame, METH_O, "set_convert_frame(f)"},
                                {"run", run, METH_VARARGS, "run(config, f, args, kwargs)"},
                                {"set_enabled", setEnabledMethod, METH_O, "set_enabled(bool)"},
                                {"default_backend", defaultBackend, METH_NOARGS, "default_backend() -> (name, forced)"},
                                {"listening", listening, METH_NOARGS, "0 nobody, 1 artifacts, 2 steps too"},
                                {"emit", emit, METH_O, "emit(json)"},
                                {"check_tensor",
                                 reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(checkTensor)),
                                 METH_FASTCALL, "TENSOR_MATCH"},
                                {"reset", resetAll, METH_NOARGS, "reset()"},
                                {nullptr, nullptr, 0, nullptr}};
    static PyModuleDef definition = {
        PyModuleDef_HEAD_INIT, "torch._C._dynamo", "Dynamo's C++ side.", -1, own, nullptr, nullptr, nullptr, nullptr};
    PyObject* module = PyModule_Create(&definition);
    if (!module || PyModule_AddFunctions(module, graphMethods()) != 0)
        throw support::Error("torch._C._dynamo could not be made");
    python::addModule("torch._C._dynamo", module);
}

} // namespace strata::dynamo
