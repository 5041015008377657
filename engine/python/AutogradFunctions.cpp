// Autograd and grad mode as functions of torch._C.
#include "engine/eager/Autograd.h"
#include "engine/eager/Dispatcher.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"
#include "engine/support/Launcher.h"

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using tensor::Tensor;

ops::Tensors tensorsOf(PyObject* sequence, const char* what) {
    const Ref items = Ref::steal(check(PySequence_Fast(sequence, what)));
    ops::Tensors tensors;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
        PyObject* item = PySequence_Fast_GET_ITEM(items.get(), i);
        if (item != Py_None && !isTensor(item))
            throw Error(ErrorKind::Type, std::string(what) + " must be tensors or None, but item " + std::to_string(i) +
                                             " is a " + typeName(item));
        tensors.push_back(item == Py_None ? Tensor() : tensorOf(item));
    }
    return tensors;
}

// _run_backward(tensors, grad_tensors, retain_graph, create_graph, inputs): a gradient an input, or () for leaves.
PyObject* runBackward(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject *roots = nullptr, *gradients = nullptr, *inputs = nullptr;
        int retain = 0, create = 0;
        if (!PyArg_ParseTuple(args, "OOppO:_run_backward", &roots, &gradients, &retain, &create, &inputs))
            return nullptr;
        const ops::Tensors results =
            eager::backward(tensorsOf(roots, "roots"), tensorsOf(gradients, "gradients"), tensorsOf(inputs, "inputs"),
                            {.retainGraph = retain != 0, .createGraph = create != 0});
        return wrap(ops::Value(results));
    });
}

PyObject* setGradEnabled(PyObject*, PyObject* value) {
    if (!PyBool_Check(value)) {
        PyErr_Format(PyExc_TypeError, "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not %s",
                     Py_TYPE(value)->tp_name);
        return nullptr;
    }
    eager::setGradEnabled(value == Py_True);
    Py_RETURN_NONE;
}
PyObject* isGradEnabled(PyObject*, PyObject*) {
    return PyBool_FromLong(eager::gradEnabled());
}

// _backward_region(f): f() as one region of launches, the gradients of the roots included.
PyObject* backwardRegion(PyObject*, PyObject* f) {
    const support::RegionScope region("backward", support::Launcher::currentMode());
    return PyObject_CallNoArgs(f);
}

PyMethodDef functions[] = {{"_backward_region", backwardRegion, METH_O, nullptr},
                           {"_run_backward", runBackward, METH_VARARGS, nullptr},
                           {"_set_grad_enabled", setGradEnabled, METH_O, nullptr},
                           {"is_grad_enabled", isGradEnabled, METH_NOARGS, "Whether ops are recorded for backward."},
                           {nullptr, nullptr, 0, nullptr}};

} // namespace

void addAutograd(PyObject* module) {
    addFunctions(module, functions);
}

} // namespace strata::python
