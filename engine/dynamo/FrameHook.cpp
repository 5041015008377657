// The PEP 523 frame hook. A code object carries its cache entries in its extra slot: for each, a guard (a Python
// callable over the frame's locals and globals that returns the number of the first guard that fails, or -1) and the
// code to run instead. Generators, frames that have started, and the engine's own files run as they are.

#include "engine/dynamo/State.h"

#include "engine/support/Launcher.h"

#define Py_BUILD_CORE 1
#undef HAVE_STD_ATOMIC
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#undef Py_BUILD_CORE

#include <chrono>
#include <cstring>
#include <vector>

namespace strata::dynamo {

namespace {

using python::Ref;

/// One compiled version of a code object.
struct Entry {
    Ref config; // of torch.compile
    Ref guard;  // guard(f_locals, f_globals) -> first failing number or -1
    Ref code;   // what runs instead
    Ref record; // Python's own notes: compile id, guard texts
    std::uint64_t generation = 0;
};

struct CodeState {
    std::vector<Entry> entries;
    std::vector<std::pair<Ref, std::uint64_t>> skipped; // configs under which this code is never compiled
    bool made = false;                                  // the code is an entry's: it runs as it is
};

thread_local int hookDepth = 0;
thread_local int quiet = 0;
thread_local PyObject* config = nullptr;
Py_ssize_t extraIndex = -1;

void freeCodeState(void* pointer) {
    delete static_cast<CodeState*>(pointer);
}

CodeState& codeState(PyCodeObject* code) {
    if (extraIndex < 0) extraIndex = _PyEval_RequestCodeExtraIndex(freeCodeState);
    void* extra = nullptr;
    _PyCode_GetExtra(reinterpret_cast<PyObject*>(code), extraIndex, &extra);
    if (!extra) {
        extra = new CodeState;
        _PyCode_SetExtra(reinterpret_cast<PyObject*>(code), extraIndex, extra);
    }
    return *static_cast<CodeState*>(extra);
}

bool isOwnFile(PyCodeObject* code) {
    const char* file = PyUnicode_AsUTF8(code->co_filename);
    // The frame that stands in for a module of torch.nn, which has none of the user's.
    if (file && std::strcmp(file, "<strata>/torch/_dynamo/external_utils.py") == 0) return false;
    return !file || std::strncmp(file, python::packagePrefix, std::strlen(python::packagePrefix)) == 0 ||
           std::strncmp(file, "<frozen", 7) == 0 || std::strncmp(file, "/usr/lib/python3", 16) == 0;
}

int argumentCount(const PyCodeObject* code) {
    return code->co_argcount + code->co_kwonlyargcount + ((code->co_flags & CO_VARARGS) != 0) +
           ((code->co_flags & CO_VARKEYWORDS) != 0);
}

bool isFresh(const _PyInterpreterFrame* frame) {
    return frame->prev_instr == _PyCode_CODE(frame->f_code) - 1;
}

// The arguments by name, and what the free variables hold. Cells are not made yet, so arguments are plain values.
Ref localsOf(_PyInterpreterFrame* frame) {
    PyCodeObject* code = frame->f_code;
    Ref locals = Ref::steal(PyDict_New());
    for (int i = 0; i < argumentCount(code); ++i)
        if (PyObject* value = frame->localsplus[i])
            PyDict_SetItem(locals.get(), PyTuple_GET_ITEM(code->co_localsplusnames, i), value);
    PyObject* closure = frame->f_func->func_closure;
    for (int i = 0; closure && i < code->co_nfreevars; ++i) {
        PyObject* value = PyCell_GET(PyTuple_GET_ITEM(closure, i));
        PyObject* name = PyTuple_GET_ITEM(code->co_localsplusnames, code->co_nlocalsplus - code->co_nfreevars + i);
        if (value) PyDict_SetItem(locals.get(), name, value);
    }
    return locals;
}

// Runs other code in place of the frame's, on the frame's arguments. The code takes all of them as positional ones.
PyObject* runInstead(_PyInterpreterFrame* frame, PyObject* code) {
    Ref function = Ref::steal(PyFunction_New(code, frame->f_globals));
    if (!function) return nullptr;
    if (frame->f_func->func_closure && reinterpret_cast<PyCodeObject*>(code)->co_nfreevars > 0) {
        Py_INCREF(frame->f_func->func_closure);
        reinterpret_cast<PyFunctionObject*>(function.get())->func_closure = frame->f_func->func_closure;
    }
    const int count = argumentCount(frame->f_code);
    std::vector<PyObject*> arguments(frame->localsplus, frame->localsplus + count);
    return PyObject_Vectorcall(function.get(), arguments.data(), static_cast<size_t>(count), nullptr);
}

/// Calls Python without the hook and remembers an exception that was there before.
Ref callQuietly(PyObject* callable, std::initializer_list<PyObject*> arguments) {
    const QuietScope scope;
    std::vector<PyObject*> all(arguments);
    return Ref::steal(PyObject_Vectorcall(callable, all.data(), all.size(), nullptr));
}

void traceCheck(const Entry& entry, long failed, std::int64_t ns) {
    PyObject* traced = PyObject_GetAttrString(entry.record.get(), "checked");
    if (!traced) return PyErr_Clear();
    Ref f = Ref::steal(traced), a = Ref::steal(PyLong_FromLong(failed)), b = Ref::steal(PyLong_FromLongLong(ns));
    if (!callQuietly(f.get(), {a.get(), b.get()})) PyErr_WriteUnraisable(nullptr);
}

// The number of the first failing guard, -1 for none; -2 with a Python error set.
long check(const Entry& entry, PyObject* locals, PyObject* globals) {
    const auto start = std::chrono::steady_clock::now();
    const Ref result = callQuietly(entry.guard.get(), {locals, globals});
    if (!result) return -2;
    const long failed = PyLong_AsLong(result.get());
    if (state().sink) traceCheck(entry, failed, (std::chrono::steady_clock::now() - start).count());
    return failed;
}

PyObject* compileAndRun(_PyInterpreterFrame* frame, CodeState& cache, PyObject* locals, int failedEntries,
                        bool& handled) {
    handled = true;
    PyObject* code = reinterpret_cast<PyObject*>(frame->f_code);
    PyObject* closure = frame->f_func->func_closure ? frame->f_func->func_closure : Py_None;
    const Ref earlier = Ref::steal(PyLong_FromLong(failedEntries));
    Ref function = Ref::borrow(reinterpret_cast<PyObject*>(frame->f_func));
    const Ref made = callQuietly(state().convertFrame, {config, code, locals, frame->f_globals, frame->f_builtins,
                                                        closure, earlier.get(), function.get()});
    if (!made) return nullptr;
    if (!PyTuple_Check(made.get())) { // None: never again; anything else: not this time
        if (made.get() == Py_None) cache.skipped.emplace_back(Ref::borrow(config), state().generation);
        handled = false;
        return nullptr;
    }
    Entry entry{Ref::borrow(config), Ref::borrow(PyTuple_GET_ITEM(made.get(), 0)),
                Ref::borrow(PyTuple_GET_ITEM(made.get(), 1)), Ref::borrow(PyTuple_GET_ITEM(made.get(), 2)),
                state().generation};
    codeState(reinterpret_cast<PyCodeObject*>(entry.code.get())).made = true;
    cache.entries.insert(cache.entries.begin(), entry); // the newest is tried first, as in PyTorch
    return runInstead(frame, entry.code.get());
}

PyObject* evaluate(PyThreadState* thread, _PyInterpreterFrame* frame, int throwing) {
    PyCodeObject* code = frame->f_code;
    const bool traceable = quiet == 0 && config && !throwing && frame->owner == FRAME_OWNED_BY_THREAD &&
                           isFresh(frame) && !(code->co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)) &&
                           (code->co_flags & CO_OPTIMIZED);
    if (!traceable || isOwnFile(code)) return _PyEval_EvalFrameDefault(thread, frame, throwing);
    CodeState& cache = codeState(code);
    if (cache.made) return _PyEval_EvalFrameDefault(thread, frame, throwing);
    for (const auto& [skippedConfig, generation] : cache.skipped)
        if (skippedConfig.get() == config && generation == state().generation)
            return _PyEval_EvalFrameDefault(thread, frame, throwing);
    const Ref locals = localsOf(frame);
    int failed = 0;
    for (std::size_t i = 0; i < cache.entries.size(); ++i) {
        if (cache.entries[i].config.get() != config || cache.entries[i].generation != state().generation) continue;
        const Entry entry = cache.entries[i]; // a copy: the guard may run Python code
        const long first = check(entry, locals.get(), frame->f_globals);
        if (first == -2) return nullptr;
        if (first < 0) return runInstead(frame, entry.code.get());
        ++failed;
    }
    bool handled = false;
    PyObject* result = compileAndRun(frame, cache, locals.get(), failed, handled);
    return handled ? result : _PyEval_EvalFrameDefault(thread, frame, throwing);
}

} // namespace

HookScope::HookScope() {
    if (hookDepth++ == 0) _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), evaluate);
}

HookScope::~HookScope() {
    if (--hookDepth == 0) _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), _PyEval_EvalFrameDefault);
}

QuietScope::QuietScope() {
    ++quiet;
}
QuietScope::~QuietScope() {
    --quiet;
}

PyObject* currentConfig() {
    return config;
}
PyObject* setCurrentConfig(PyObject* next) {
    return std::exchange(config, next);
}

} // namespace strata::dynamo
