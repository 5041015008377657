// torch.tensor and its kin: tensors from Python data; and facts about dtypes and threads.
#include "engine/eager/Autograd.h"
#include "engine/ops/DTypePromotion.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"

#include <limits>
#include <omp.h>

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using tensor::DType;
using tensor::Tensor;

void refuseCuda(PyObject* device) {
    tensor::Device parsed;
    if (device == Py_None) return;
    if (!toDevice(device, parsed))
        throw Error(ErrorKind::Type, "device must be a torch.device or str, not " + typeName(device));
    if (parsed.type == tensor::Device::Type::CUDA) throw Error("Torch not compiled with CUDA enabled");
}

// A literal enters the program: the dispatcher is told, so that tracing sees it.
Tensor lifted(const Tensor& tensor) {
    static const ops::OpDef& op = ops::get("aten.lift_fresh.default");
    return callOp(op, {tensor}).at(0).tensor();
}

Tensor converted(const Tensor& tensor, DType dtype) {
    static const ops::OpDef& op = ops::get("aten.to.dtype");
    return callOp(op, {tensor, dtype}).at(0).tensor();
}

// tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False)
PyObject* makeTensor(PyObject*, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"data", "dtype", "device", "requires_grad", "pin_memory", nullptr};
        PyObject *data = nullptr, *dtypeArg = Py_None, *device = Py_None;
        int requiresGrad = 0, pin = 0;
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OOpp:tensor", const_cast<char**>(names), &data, &dtypeArg,
                                         &device, &requiresGrad, &pin))
            return nullptr;
        DType dtype;
        const bool given = dtypeArg != Py_None;
        if (given && !toDType(dtypeArg, dtype))
            throw Error(ErrorKind::Type, "tensor(): argument 'dtype' must be torch.dtype, not " + typeName(dtypeArg));
        refuseCuda(device);
        Tensor result;
        if (isTensor(data)) {
            static const ops::OpDef& clone = ops::get("aten.clone.default");
            static const ops::OpDef& detach = ops::get("aten.detach.default");
            result = callOp(detach, {callOp(clone, {tensorOf(data)}).at(0)}).at(0).tensor();
            if (given) result = converted(result, dtype);
        } else {
            result = lifted(tensorFromData(data, given ? &dtype : nullptr));
        }
        if (requiresGrad) eager::setRequiresGrad(result, true);
        return wrap(result);
    });
}

// as_tensor(data, dtype=None, device=None): no copy where the data is such a tensor already.
PyObject* asTensor(PyObject*, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"data", "dtype", "device", nullptr};
        PyObject *data = nullptr, *dtypeArg = Py_None, *device = Py_None;
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO:as_tensor", const_cast<char**>(names), &data, &dtypeArg,
                                         &device))
            return nullptr;
        DType dtype;
        const bool given = dtypeArg != Py_None;
        if (given && !toDType(dtypeArg, dtype))
            throw Error(ErrorKind::Type,
                        "as_tensor(): argument 'dtype' must be torch.dtype, not " + typeName(dtypeArg));
        refuseCuda(device);
        if (!isTensor(data)) return wrap(lifted(tensorFromData(data, given ? &dtype : nullptr)));
        if (!given || tensorOf(data).dtype() == dtype) return Py_NewRef(data);
        return wrap(converted(tensorOf(data), dtype));
    });
}

PyObject* getDefaultDType(PyObject*, PyObject*) {
    return wrap(ops::defaultDType());
}
PyObject* setDefaultDType(PyObject*, PyObject* object) {
    return guarded([&]() -> PyObject* {
        DType dtype;
        if (!toDType(object, dtype))
            throw Error(ErrorKind::Type,
                        "invalid dtype object: only floating-point types are supported as the default type");
        if (dtype != DType::Float32 && dtype != DType::Float64)
            throw Error(ErrorKind::Type, "only floating-point types are supported as the default type");
        ops::setDefaultDType(dtype);
        Py_RETURN_NONE;
    });
}

PyObject* promoteTypes(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject *a = nullptr, *b = nullptr;
        if (!PyArg_ParseTuple(args, "OO:promote_types", &a, &b)) return nullptr;
        DType x, y;
        if (!toDType(a, x) || !toDType(b, y)) throw Error(ErrorKind::Type, "promote_types() takes two torch.dtype");
        return wrap(tensor::promote(x, y));
    });
}
PyObject* resultType(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject* operands[2] = {nullptr, nullptr};
        if (!PyArg_ParseTuple(args, "OO:result_type", &operands[0], &operands[1])) return nullptr;
        ops::Promotion promotion;
        for (PyObject* operand : operands) {
            ops::Value value;
            if (!toValue(operand, value))
                throw Error(ErrorKind::Type, "result_type(): expected a Tensor or Number, not " + typeName(operand));
            promotion.add(value);
        }
        return wrap(promotion.result());
    });
}
PyObject* canCast(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject *from = nullptr, *to = nullptr;
        if (!PyArg_ParseTuple(args, "OO:can_cast", &from, &to)) return nullptr;
        DType x, y;
        if (!toDType(from, x) || !toDType(to, y)) throw Error(ErrorKind::Type, "can_cast() takes two torch.dtype");
        return PyBool_FromLong(ops::canCast(x, y));
    });
}

PyObject* setThreads(PyObject*, PyObject* count) {
    return guarded([&]() -> PyObject* {
        const long threads = PyLong_AsLong(count);
        if (threads == -1 && PyErr_Occurred()) return nullptr;
        if (threads < 1) throw Error("set_num_threads expects a positive integer");
        omp_set_num_threads(static_cast<int>(threads));
        Py_RETURN_NONE;
    });
}
PyObject* getThreads(PyObject*, PyObject*) {
    return PyLong_FromLong(omp_get_max_threads());
}

template <class F> PyMethodDef entry(const char* name, F* function, int flags) {
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), flags, nullptr};
}

} // namespace

void addCreation(PyObject* module) {
    static PyMethodDef functions[] = {entry("tensor", makeTensor, METH_VARARGS | METH_KEYWORDS),
                                      entry("as_tensor", asTensor, METH_VARARGS | METH_KEYWORDS),
                                      entry("get_default_dtype", getDefaultDType, METH_NOARGS),
                                      entry("set_default_dtype", setDefaultDType, METH_O),
                                      entry("promote_types", promoteTypes, METH_VARARGS),
                                      entry("result_type", resultType, METH_VARARGS),
                                      entry("can_cast", canCast, METH_VARARGS),
                                      entry("set_num_threads", setThreads, METH_O),
                                      entry("get_num_threads", getThreads, METH_NOARGS),
                                      {nullptr, nullptr, 0, nullptr}};
    addFunctions(module, functions);
}

} // namespace strata::python
