// Attributes of torch.Tensor.
#include "engine/eager/Autograd.h"
#include "engine/eager/Dispatcher.h"
#include "engine/python/GradNode.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"

#include <algorithm>

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using tensor::Tensor;

// A property is a plain function of the tensor.
template <PyObject* (*get)(const Tensor&)> PyObject* getter(PyObject* self, void*) {
    return guarded([&] { return get(tensorOf(self)); });
}
template <void (*set)(const Tensor&, PyObject*)> int setter(PyObject* self, PyObject* value, void*) {
    const Ref done = Ref::steal(guarded([&]() -> PyObject* {
        set(tensorOf(self), value);
        return Py_NewRef(Py_None);
    }));
    return done ? 0 : -1;
}

PyObject* shape(const Tensor& t) {
    return wrapSize(t.sizes());
}
PyObject* ndim(const Tensor& t) {
    return PyLong_FromLongLong(t.dim());
}
PyObject* dtype(const Tensor& t) {
    return wrap(t.dtype());
}
PyObject* device(const Tensor& t) {
    return wrap(t.device());
}
PyObject* layout(const Tensor&) {
    return PyObject_GetAttrString(torchC(), "strided");
}
PyObject* isLeafOf(const Tensor& t) {
    return PyBool_FromLong(eager::isLeaf(t));
}
PyObject* requiresGradOf(const Tensor& t) {
    return PyBool_FromLong(eager::requiresGrad(t));
}
PyObject* gradOf(const Tensor& t) {
    return wrap(eager::grad(t));
}
PyObject* gradFnOf(const Tensor& t) {
    return wrapNode(eager::gradFn(t));
}
PyObject* outputNumber(const Tensor& t) {
    return PyLong_FromLong(eager::gradFn(t) ? eager::gradEdge(t).output : 0);
}
PyObject* versionOf(const Tensor& t) {
    return PyLong_FromUnsignedLong(t.version());
}
PyObject* itemSizeOf(const Tensor& t) {
    return PyLong_FromSize_t(tensor::itemSize(t.dtype()));
}
PyObject* bytesOf(const Tensor& t) {
    return wrapSymInt(t.numel() * static_cast<std::int64_t>(tensor::itemSize(t.dtype())));
}
PyObject* isCuda(const Tensor& t) {
    return PyBool_FromLong(t.device().type == tensor::Device::Type::CUDA);
}
PyObject* isCpu(const Tensor& t) {
    return PyBool_FromLong(t.device().type == tensor::Device::Type::CPU);
}
PyObject* never(const Tensor&) {
    Py_RETURN_FALSE;
}
PyObject* retainsGradOf(const Tensor& t) {
    const auto* meta = static_cast<const eager::AutogradMeta*>(t->autograd.get());
    return PyBool_FromLong(meta && meta->retainsGrad && !eager::isLeaf(t));
}
PyObject* baseOf(const Tensor& t) {
    const auto* meta = static_cast<const eager::AutogradMeta*>(t->autograd.get());
    return wrap(meta ? meta->base : Tensor());
}

// The same storage without history; unlike detach(), changes of it are not seen by saved tensors.
PyObject* data(const Tensor& t) {
    Tensor alias = eager::detach(t);
    alias->version = std::make_shared<tensor::VersionCounter>();
    return wrap(alias);
}
void setData(const Tensor& t, PyObject* value) {
    if (!value || !isTensor(value))
        throw Error(ErrorKind::Type,
                    "Variable data has to be a tensor, but got " + (value ? typeName(value) : "nothing"));
    replaceData(t, tensorOf(value));
}

void setRequiresGradOf(const Tensor& t, PyObject* value) {
    if (!value || !PyBool_Check(value)) throw Error(ErrorKind::Runtime, "requires_grad must be a bool");
    eager::setRequiresGrad(t, value == Py_True);
}

void setGradOf(const Tensor& t, PyObject* value) {
    if (!value || value == Py_None) {
        eager::setGrad(t, Tensor());
        return;
    }
    if (!isTensor(value))
        throw Error(ErrorKind::Type,
                    "assigned grad expected to be a Tensor or None but got grad of type " + typeName(value));
    const Tensor& grad = tensorOf(value);
    if (grad.is(t)) throw Error("can't assign Variable as its own grad");
    if (grad.dtype() != t.dtype())
        throw Error("attempting to assign a gradient with dtype '" + std::string(tensor::name(grad.dtype())) +
                    "' to a tensor with grad dtype '" + std::string(tensor::name(t.dtype())) +
                    "'. The gradient must match the tensor's dtype.");
    if (!symbolic::sameAs(grad.sizes(), t.sizes())) throw Error("assigned grad has data of a different size");
    eager::setGrad(t, grad);
}

Tensor permuted(const Tensor& t, symbolic::SymInts dims) {
    static const ops::OpDef& op = ops::get("aten.permute.default");
    return callOp(op, {t, std::move(dims)}).at(0).tensor();
}
PyObject* transposed(const Tensor& t) {
    symbolic::SymInts dims;
    for (std::int64_t d = t.dim() - 1; d >= 0; --d) dims.push_back(d);
    return wrap(permuted(t, std::move(dims)));
}
// The last two dims swapped.
PyObject* matrixTransposed(const Tensor& t) {
    if (t.dim() < 2)
        throw Error("tensor.mT is only supported on matrices or batches of matrices. Got " + std::to_string(t.dim()) +
                    "-D tensor.");
    static const ops::OpDef& op = ops::get("aten.transpose.int");
    return wrap(callOp(op, {t, symbolic::SymInt(-2), symbolic::SymInt(-1)}).at(0).tensor());
}

PyGetSetDef read(const char* name, ::getter get, const char* doc = nullptr) {
    return {name, get, nullptr, doc, nullptr};
}

} // namespace

PyGetSetDef* tensorProperties() {
    static PyGetSetDef properties[] = {
        {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
        read("shape", getter<shape>),
        read("ndim", getter<ndim>),
        read("dtype", getter<dtype>),
        read("device", getter<device>),
        read("layout", getter<layout>),
        read("is_leaf", getter<isLeafOf>),
        {"requires_grad", getter<requiresGradOf>, setter<setRequiresGradOf>, nullptr, nullptr},
        {"grad", getter<gradOf>, setter<setGradOf>, nullptr, nullptr},
        read("grad_fn", getter<gradFnOf>),
        read("output_nr", getter<outputNumber>),
        read("_version", getter<versionOf>),
        read("itemsize", getter<itemSizeOf>),
        read("nbytes", getter<bytesOf>),
        read("is_cuda", getter<isCuda>),
        read("is_cpu", getter<isCpu>),
        read("is_sparse", getter<never>),
        read("is_quantized", getter<never>),
        read("is_meta", getter<never>),
        read("is_nested", getter<never>),
        read("retains_grad", getter<retainsGradOf>),
        read("_base", getter<baseOf>),
        {"data", getter<data>, setter<setData>, nullptr, nullptr},
        read("T", getter<transposed>, "The tensor with its dims reversed."),
        read("mT", getter<matrixTransposed>, "The tensor with its last two dims swapped."),
        {nullptr, nullptr, nullptr, nullptr, nullptr}};
    return properties;
}

} // namespace strata::python
