#include "engine/python/Commands.h"

#include "engine/python/Binding.h"
#include "engine/support/Error.h"

#include <map>

namespace strata::python {

namespace {

std::map<std::string, Command>& commands() {
    static std::map<std::string, Command> all;
    return all;
}

PyObject* runCommand(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        const char *name = nullptr, *text = nullptr;
        if (!PyArg_ParseTuple(args, "ss", &name, &text)) return nullptr;
        const auto it = commands().find(name);
        if (it == commands().end())
            throw support::Error(support::ErrorKind::Key, "the engine has no command " + std::string(name));
        const std::string result = it->second(trace::Json::parse(text)).dump();
        return PyUnicode_FromStringAndSize(result.data(), static_cast<Py_ssize_t>(result.size()));
    });
}

PyObject* initModule() {
    static PyMethodDef methods[] = {{"command", runCommand, METH_VARARGS, "command(name, json) -> json"},
                                    {nullptr, nullptr, 0, nullptr}};
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                     "_strata",
                                     "The engine, asked by its own Python text.",
                                     -1,
                                     methods,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr};
    return PyModule_Create(&definition);
}

} // namespace

void registerCommand(const std::string& name, Command command) {
    if (commands().empty()) PyImport_AppendInittab("_strata", initModule);
    commands()[name] = std::move(command);
}

} // namespace strata::python
