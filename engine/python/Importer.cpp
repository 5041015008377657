// The finder and loader of the embedded package: Python classes around one C function that looks a module up.
#include "engine/python/Package.h"

#include "engine/python/Types.h"

#include <algorithm>

namespace strata::python {

namespace {

constexpr const char* importerText = R"PYTHON(
import marshal
import sys
from _frozen_importlib import ModuleSpec
from _imp import create_builtin, is_builtin, exec_builtin


class EmbeddedLoader:
    """Loads a module from the executable."""

    def __init__(self, entry):
        self.is_pkg, self.path, self.source, self.code = entry

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.get_code(), module.__dict__)

    def get_code(self, name=None):
        if self.code is None:
            return compile(self.source, self.path, "exec", dont_inherit=True)
        return marshal.loads(self.code)

    def get_source(self, name=None):
        return self.source.decode()

    def is_package(self, name=None):
        return self.is_pkg

    def get_filename(self, name=None):
        return self.path


class BuiltinLoader:
    """Modules of C inside the package torch: torch._C."""

    @staticmethod
    def create_module(spec):
        return create_builtin(spec)

    @staticmethod
    def exec_module(module):
        exec_builtin(module)


class EmbeddedFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        entry = _lookup(name)
        if entry is None:
            if name.startswith("torch.") and is_builtin(name):
                return ModuleSpec(name, BuiltinLoader, origin="built-in")
            return None
        loader = EmbeddedLoader(entry)
        spec = ModuleSpec(name, loader, origin=loader.path, is_package=loader.is_pkg)
        spec.has_location = True
        if loader.is_pkg:
            spec.submodule_search_locations = [loader.path.rpartition("/")[0]]
        return spec


sys.meta_path.insert(0, EmbeddedFinder)
)PYTHON";

// _lookup(name) -> (is_package, path, source, code or None), or None
PyObject* lookup(PyObject*, PyObject* name) {
    return guarded([&]() -> PyObject* {
        const std::string wanted = text(name);
        const auto files = packageFiles();
        const auto file =
            std::find_if(files.begin(), files.end(), [&](const PackageFile& f) { return wanted == f.name; });
        if (file == files.end()) Py_RETURN_NONE;
        long magic = 0; // two bytes little endian, then \r\n
        for (int i = 1; i >= 0; --i)
            magic = magic * 256 + static_cast<unsigned char>(packageMagic()[static_cast<std::size_t>(i)]);
        const bool fits = (PyImport_GetMagicNumber() & 0xFFFF) == magic;
        return Py_BuildValue("(Osy#y#)", file->package ? Py_True : Py_False, file->path, file->source.data(),
                             static_cast<Py_ssize_t>(file->source.size()), fits ? file->code.data() : nullptr,
                             static_cast<Py_ssize_t>(file->code.size())); // y# of null gives None
    });
}

} // namespace

void installImporter() {
    static PyMethodDef definition = {"_lookup", lookup, METH_O, nullptr};
    const Ref globals = Ref::steal(check(PyDict_New()));
    const Ref name = Ref::steal(check(PyUnicode_FromString("_strata_importer")));
    const Ref function = Ref::steal(check(PyCFunction_New(&definition, nullptr)));
    check(PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins()));
    check(PyDict_SetItemString(globals.get(), "__name__", name.get()));
    check(PyDict_SetItemString(globals.get(), "_lookup", function.get()));
    const Ref code = Ref::steal(check(Py_CompileString(importerText, "<strata>/importer.py", Py_file_input)));
    Ref::steal(check(PyEval_EvalCode(code.get(), globals.get(), globals.get())));
}

} // namespace strata::python
