#include "engine/python/Streams.h"

#include "engine/python/Types.h"

#include <array>

namespace strata::python {

namespace {

trace::Sink* currentSink = nullptr;
std::array<std::string, 2> pending; // the start of a UTF-8 character whose end is still to come: stdout, stderr

// How many bytes at the end belong to an unfinished character.
std::size_t unfinished(std::string_view text) {
    for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if ((byte & 0xC0U) == 0x80U) continue;
        const std::size_t length = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
        return length > back ? back : 0;
    }
    return 0;
}

void send(bool error, std::string text) {
    if (!currentSink || text.empty()) return;
    // Bytes that are no UTF-8 (sys.stdout.buffer takes any) show as the replacement character.
    const Ref decoded =
        Ref::steal(check(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace")));
    text = python::text(decoded.get());
    currentSink->write(
        trace::make("run", "stdout", {{"text", std::move(text)}, {"stream", error ? "stderr" : "stdout"}}));
}

// _write(is_error, bytes) -> count
PyObject* write(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        int error = 0;
        Py_buffer bytes;
        if (!PyArg_ParseTuple(args, "py*:write", &error, &bytes)) return nullptr;
        const Py_ssize_t count = bytes.len;
        std::string& held = pending[error ? 1 : 0];
        std::string text =
            std::move(held) + std::string(static_cast<const char*>(bytes.buf), static_cast<std::size_t>(count));
        PyBuffer_Release(&bytes);
        const std::size_t rest = unfinished(text);
        held = text.substr(text.size() - rest);
        text.resize(text.size() - rest);
        send(error != 0, std::move(text));
        return PyLong_FromSsize_t(count);
    });
}

// Real text files over a raw one, so that encoding, buffering by the line and sys.stdout.buffer are Python's own.
constexpr const char* streamsText = R"PYTHON(
import io
import sys


class TraceStream(io.RawIOBase):
    def __init__(self, error):
        self._error = error
        self.name = "<stderr>" if error else "<stdout>"
        self.mode = "wb"

    def writable(self):
        return True

    def write(self, data):
        return _write(self._error, data)


def make(error):
    raw = io.BufferedWriter(TraceStream(error), 4096)
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace" if error else "strict", line_buffering=True)


def connect():
    sys.stdout = sys.__stdout__ = make(False)
    sys.stderr = sys.__stderr__ = make(True)


def flush():
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except Exception:
            pass
)PYTHON";

PyObject* streamFunctions() {
    static PyObject* globals = nullptr;
    if (globals) return globals;
    static PyMethodDef definition = {"_write", write, METH_VARARGS, nullptr};
    const Ref made = Ref::steal(check(PyDict_New()));
    const Ref name = Ref::steal(check(PyUnicode_FromString("_strata_streams")));
    const Ref function = Ref::steal(check(PyCFunction_New(&definition, nullptr)));
    check(PyDict_SetItemString(made.get(), "__builtins__", PyEval_GetBuiltins()));
    check(PyDict_SetItemString(made.get(), "__name__", name.get()));
    check(PyDict_SetItemString(made.get(), "_write", function.get()));
    const Ref code = Ref::steal(check(Py_CompileString(streamsText, "<strata>/streams.py", Py_file_input)));
    Ref::steal(check(PyEval_EvalCode(code.get(), made.get(), made.get())));
    return globals = Ref(made).release();
}

} // namespace

void connectStreams(trace::Sink* sink) {
    Ref::steal(check(PyObject_CallNoArgs(PyDict_GetItemString(streamFunctions(), "connect"))));
    pending = {};
    currentSink = sink;
}

void flushStreams() noexcept {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    if (!Ref::steal(PyObject_CallNoArgs(PyDict_GetItemString(streamFunctions(), "flush")))) PyErr_Clear();
    PyErr_Restore(type, value, trace);
}

void writeError(const std::string& text) {
    flushStreams();
    send(true, text);
}

} // namespace strata::python
