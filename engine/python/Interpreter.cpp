// Starts CPython inside this process, shut off from the user's own Python: its own prefix, no site packages, no
// environment variables, no bytecode files.
#include "engine/python/Package.h"
#include "engine/python/Types.h"
#include "engine/support/Error.h"

#include <cstring>
#include <dlfcn.h>
#include <frameobject.h>
#include <string_view>

namespace strata::python {

namespace {

using support::Error;

constexpr const char* torchVersion = "2.11.0+strata";
constexpr const char* strataVersion = "0.1.0";

// Another library of the same SONAME may come first on the loader's path; its standard library would not fit.
void checkLibrary() {
    Dl_info info{};
    const char* version = Py_GetVersion();
    const bool found = dladdr(reinterpret_cast<void*>(&Py_GetVersion), &info) != 0 && info.dli_fname;
    const std::string library = found ? info.dli_fname : "an unknown library";
    if (std::strncmp(version, "3.11.", 5) != 0 ||
        (found && library.rfind("/usr/lib/", 0) != 0 && library.rfind("/lib/", 0) != 0))
        throw Error("Strata needs the distribution's CPython 3.11 (libpython3.11), but found " + std::string(version) +
                    " in " + library);
}

void checkStatus(const PyStatus& status) {
    if (PyStatus_Exception(status))
        throw Error(std::string("CPython did not start: ") + (status.err_msg ? status.err_msg : "no reason given"));
}

class Config {
public:
    Config() { PyConfig_InitIsolatedConfig(&m_config); }
    ~Config() { PyConfig_Clear(&m_config); }
    Config(const Config&) = delete;
    Config& operator=(const Config&) = delete;

    void start(const std::vector<std::string>& argv) {
        m_config.site_import = 0;
        m_config.write_bytecode = 0;
        m_config.install_signal_handlers = 0;
        m_config.parse_argv = 0;
        m_config.use_hash_seed = 1; // sets of texts iterate alike in every run
        m_config.hash_seed = 0;
        checkStatus(PyConfig_SetBytesString(&m_config, &m_config.home, "/usr"));
        checkStatus(PyConfig_SetBytesString(&m_config, &m_config.program_name, "/usr/bin/python3.11"));
        std::vector<char*> texts;
        for (const std::string& arg : argv) texts.push_back(const_cast<char*>(arg.c_str()));
        if (!texts.empty())
            checkStatus(PyConfig_SetBytesArgv(&m_config, static_cast<Py_ssize_t>(texts.size()), texts.data()));
        checkStatus(Py_InitializeFromConfig(&m_config));
    }

private:
    PyConfig m_config{};
};

PyObject* initTorchC() {
    static PyModuleDef definition = {
        PyModuleDef_HEAD_INIT, "torch._C", "The engine.", -1, nullptr, nullptr, nullptr, nullptr, nullptr};
    return guarded([&]() -> PyObject* {
        const Ref module = Ref::steal(check(PyModule_Create(&definition)));
        for (const auto add : {addDTypes, addDevice, addSize, addSymInt, addTensor, addGradNodes, addOps, addAutograd,
                               addCreation, addOverloads, addGenerator, addFunctionNodes})
            add(module.get());
        return Ref(module).release();
    });
}

// The Python exception in flight as a C++ error, for failures of the engine's own start.
[[noreturn]] void throwStartError() {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    const Ref held = Ref::steal(value), heldType = Ref::steal(type), heldTrace = Ref::steal(trace);
    std::string message = "no exception";
    if (value)
        if (const Ref shown = Ref::steal(PyObject_Repr(value))) message = PyUnicode_AsUTF8(shown.get());
    throw Error("the Python part of the engine did not start: " + message);
}

} // namespace

void initialize(const std::vector<std::string>& argv) {
    if (Py_IsInitialized()) return;
    checkLibrary();
    if (PyImport_AppendInittab("torch._C", initTorchC) < 0) throw Error("CPython did not take the module torch._C");
    Config().start(argv);
    try {
        installImporter();
        torchC();
    } catch (const PythonError&) {
        throwStartError();
    }
}

void finalize() {
    if (Py_IsInitialized()) Py_FinalizeEx();
}

PyObject* torchC() {
    static PyObject* module = nullptr;
    if (!module) {
        Ref::steal(check(PyImport_ImportModule("torch")));
        module = check(PyImport_ImportModule("torch._C"));
    }
    return module;
}

void addModule(const std::string& fullName, PyObject* module) {
    const Ref held = Ref::steal(check(module));
    check(PyDict_SetItemString(PyImport_GetModuleDict(), fullName.c_str(), module));
    const std::size_t dot = fullName.rfind('.');
    if (dot == std::string::npos) return;
    const Ref parent = Ref::steal(check(PyImport_ImportModule(fullName.substr(0, dot).c_str())));
    check(PyObject_SetAttrString(parent.get(), fullName.substr(dot + 1).c_str(), module));
}

namespace {

// The package, what fx generates from graphs, and CPython's own frozen modules.
bool isOurs(std::string_view file) {
    return file.starts_with(packagePrefix) || file.starts_with("<eval_with_key>") || file.starts_with("<frozen ");
}

} // namespace

bool userPlace(std::string& file, int& line) {
    Ref frame = Ref::steal(reinterpret_cast<PyObject*>(PyThreadState_GetFrame(PyThreadState_Get())));
    while (frame) {
        auto* const current = reinterpret_cast<PyFrameObject*>(frame.get());
        const Ref code = Ref::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(current)));
        const char* name = PyUnicode_AsUTF8(reinterpret_cast<PyCodeObject*>(code.get())->co_filename);
        if (name && !isOurs(name)) {
            file = name;
            line = PyFrame_GetLineNumber(current);
            return true;
        }
        frame = Ref::steal(reinterpret_cast<PyObject*>(PyFrame_GetBack(current)));
    }
    return false;
}

trace::Json versions() {
    const std::string python = Py_GetVersion();
    return {{"strata", strataVersion},
            {"torch", torchVersion},
            {"python", python.substr(0, python.find(' '))},
            {"clang", __clang_version__}};
}

} // namespace strata::python
