// torch.ops.aten: overloads by their full name.
#include "engine/eager/Dispatcher.h"
#include "engine/python/Arguments.h"
#include "engine/support/Error.h"

#include <map>

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;

const OpGroup& overload(const std::string& qualified) {
    static auto* const groups = new std::map<std::string, OpGroup*>;
    OpGroup*& group = (*groups)[qualified];
    if (!group) {
        const ops::OpDef& op = ops::get(qualified);
        group = new OpGroup{op.schema.name, {signatureOf(op, true)}};
    }
    return *group;
}

// _call_overload("aten.add.Tensor", ...)
PyObject* callOverload(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        if (nargs < 1) throw Error(ErrorKind::Type, "_call_overload() takes the name of an overload");
        return invoke(overload(text(args[0])), nullptr, args + 1, nargs - 1, keywords);
    });
}

// _overloads("add") -> ["Tensor", "Scalar"]
PyObject* overloadNames(PyObject*, PyObject* name) {
    return guarded([&]() -> PyObject* {
        const Ref list = Ref::steal(check(PyList_New(0)));
        for (const ops::OpDef* op : ops::overloads(text(name))) {
            const Ref item = Ref::steal(
                check(PyUnicode_FromString(op->schema.overload.empty() ? "default" : op->schema.overload.c_str())));
            check(PyList_Append(list.get(), item.get()));
        }
        return Ref(list).release();
    });
}

PyObject* schemaText(PyObject*, PyObject* qualified) {
    return guarded([&]() -> PyObject* { return PyUnicode_FromString(ops::get(text(qualified)).schema.text.c_str()); });
}

} // namespace

void addOverloads(PyObject* module) {
    static PyMethodDef functions[] = {{"_call_overload",
                                       reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(callOverload)),
                                       METH_FASTCALL | METH_KEYWORDS, nullptr},
                                      {"_overloads", overloadNames, METH_O, nullptr},
                                      {"_schema", schemaText, METH_O, nullptr},
                                      {nullptr, nullptr, 0, nullptr}};
    addFunctions(module, functions);
}

} // namespace strata::python
