// Runs a program as the python command would: as __main__, with its arguments and its folder on sys.path, and with what
// happens at the end of a program.
#include "engine/python/Binding.h"
#include "engine/python/Streams.h"
#include "engine/python/Types.h"

#include <filesystem>
#include <frameobject.h>
#include <map>

namespace strata::python {

namespace {

using trace::Json;

// Python's part: what is plain there and long in C.
constexpr const char* programText = R"PYTHON(
import linecache
import signal
import sys
import threading
import traceback
import atexit


def enter(path, folder, text):
    """Returns the globals of a fresh __main__."""
    main = type(sys)("__main__")
    main.__file__ = path
    main.__builtins__ = __builtins__
    main.__loader__ = main.__spec__ = None
    sys.modules["__main__"] = main
    if sys.argv:
        sys.argv[0] = path
    else:
        sys.argv = [path]
    sys.path.insert(0, folder)
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    try:
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
    except ValueError:  # not the main thread
        before = None
    return main.__dict__, before


def finish():
    """What the interpreter does when the last line has run."""
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()


def leave(folder, before):
    if folder in sys.path:
        sys.path.remove(folder)
    if before is not None:
        signal.signal(signal.SIGINT, before)


def describe(error):
    """The traceback as Python prints it, and its frames, outermost first."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        place = list(code.co_positions())[trace.tb_lasti // 2] if trace.tb_lasti >= 0 else (None,) * 4
        columns = [character(code.co_filename, line, column) for line, column in zip(place[:2], place[2:])]
        frames.append((code.co_filename, trace.tb_lineno, place[1], *columns, code.co_name))
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename is not None and error.lineno is not None:
        column = error.offset - 1 if error.offset else None
        end = error.end_offset - 1 if error.end_offset and error.end_offset > 0 else None
        frames.append((error.filename, error.lineno, error.end_lineno, column, end, ""))
    return "".join(traceback.format_exception(error)), frames, type(error).__qualname__, message(error)


def character(file, line, column):
    """Code objects count columns in bytes of UTF-8; the trace counts characters."""
    if line is None or column is None:
        return None
    return len(linecache.getline(file, line).encode()[:column].decode(errors="replace"))


def message(error):
    try:
        return str(error)
    except Exception:
        return "<exception str() failed>"
)PYTHON";

PyObject* programFunction(const char* name) {
    static PyObject* globals = nullptr;
    if (!globals) {
        const Ref made = Ref::steal(check(PyDict_New()));
        const Ref module = Ref::steal(check(PyUnicode_FromString("_strata_program")));
        check(PyDict_SetItemString(made.get(), "__builtins__", PyEval_GetBuiltins()));
        check(PyDict_SetItemString(made.get(), "__name__", module.get()));
        const Ref code = Ref::steal(check(Py_CompileString(programText, "<strata>/program.py", Py_file_input)));
        Ref::steal(check(PyEval_EvalCode(code.get(), made.get(), made.get())));
        globals = Ref(made).release();
    }
    return PyDict_GetItemString(globals, name);
}

// One code object a program: what was compiled for it is found again when it runs again.
Ref compiled(const std::string& text, const std::string& path) {
    static auto* const codes = new std::map<std::pair<std::string, std::string>, PyObject*>;
    PyObject*& code = (*codes)[{path, text}];
    if (!code) code = Py_CompileStringExFlags(text.c_str(), path.c_str(), Py_file_input, nullptr, -1);
    if (!code) throw PythonError{};
    return Ref::borrow(code);
}

std::string folderOf(const std::string& path) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const std::filesystem::path full = std::filesystem::absolute(folder.empty() ? "." : folder, ignored);
    return ignored ? folder.string() : full.lexically_normal().string();
}

Json number(PyObject* object) {
    return PyLong_Check(object) ? Json(PyLong_AsLong(object)) : Json(-1);
}

Json frameRecord(PyObject* frame) {
    const auto at = [&](Py_ssize_t i) { return PyTuple_GET_ITEM(frame, i); };
    Json line = number(at(1)), endLine = number(at(2));
    if (endLine == -1) endLine = line;
    return {{"file", text(at(0))},     {"line", std::move(line)},     {"end_line", std::move(endLine)},
            {"column", number(at(3))}, {"end_column", number(at(4))}, {"function", text(at(5))}};
}

void sendException(PyObject* error, trace::Sink* sink) {
    const Ref description = Ref::steal(check(PyObject_CallOneArg(programFunction("describe"), error)));
    const auto at = [&](Py_ssize_t i) { return PyTuple_GET_ITEM(description.get(), i); };
    Json frames = Json::array();
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(at(1)); ++i) frames.push_back(frameRecord(PyList_GET_ITEM(at(1), i)));
    sink->write(trace::make(
        "run", "exception",
        {{"type", text(at(2))}, {"message", text(at(3))}, {"traceback", text(at(0))}, {"frames", std::move(frames)}}));
}

// sys.exit(): its argument is a number, or a text for stderr.
RunResult exitResult(PyObject* error) {
    const Ref code = Ref::steal(check(PyObject_GetAttrString(error, "code")));
    if (code.get() == Py_None) return {0, "exit"};
    if (PyLong_Check(code.get())) return {static_cast<int>(PyLong_AsLong(code.get()) & 0xFF), "exit"};
    const Ref shown = Ref::steal(check(PyObject_Str(code.get())));
    writeError(text(shown.get()) + "\n");
    return {1, "exit"};
}

Ref takeException() {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace && value) PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return Ref::steal(value);
}

// The exception that is set, as the program's end.
RunResult ended(trace::Sink* sink) {
    const Ref error = takeException();
    flushStreams();
    if (PyErr_GivenExceptionMatches(error.get(), PyExc_SystemExit)) return exitResult(error.get());
    if (PyErr_GivenExceptionMatches(error.get(), PyExc_KeyboardInterrupt)) return {130, "stopped"};
    if (sink) sendException(error.get(), sink);
    return {1, PyErr_GivenExceptionMatches(error.get(), PyExc_MemoryError) ? "out_of_memory" : "exception"};
}

RunResult execute(PyObject* globals, const std::string& text, const std::string& path, trace::Sink* sink) {
    RunResult result{0, "ok"};
    try {
        const Ref code = compiled(text, path);
        Ref::steal(check(PyEval_EvalCode(code.get(), globals, globals)));
    } catch (const PythonError&) {
        result = ended(sink);
    }
    if (!Ref::steal(PyObject_CallNoArgs(programFunction("finish")))) {
        const RunResult late = ended(sink);
        if (result.status == "ok") result = late;
    }
    return result;
}

} // namespace

RunResult runProgram(const std::string& text, const std::string& path, trace::Sink* sink) {
    RunResult result;
    try {
        const std::string folder = folderOf(path);
        connectStreams(sink);
        const Ref entered =
            Ref::steal(check(PyObject_CallFunction(programFunction("enter"), "sss#", path.c_str(), folder.c_str(),
                                                   text.data(), static_cast<Py_ssize_t>(text.size()))));
        result = execute(PyTuple_GET_ITEM(entered.get(), 0), text, path, sink);
        Ref::steal(check(
            PyObject_CallFunction(programFunction("leave"), "sO", folder.c_str(), PyTuple_GET_ITEM(entered.get(), 1))));
        flushStreams();
        connectStreams(nullptr);
    } catch (const PythonError&) {
        // A second interrupt, or a fault in what this file itself runs, outside of the program.
        result = ended(sink);
    }
    return result;
}

} // namespace strata::python
