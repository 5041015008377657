// Methods of torch.Tensor that are no ops: what reads or sets the tensor itself, conversions with many forms, and what
// torch/_tensor.py builds on. Methods of ops are made from the registry (OpBinding.cpp).
#include "engine/eager/Autograd.h"
#include "engine/eager/Dispatcher.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using symbolic::SymInt;
using tensor::Device;
using tensor::DType;
using tensor::Tensor;

PyObject* none() {
    Py_RETURN_NONE;
}

std::size_t wrapDim(const Tensor& tensor, SymInt dim) {
    const std::int64_t count = std::max<std::int64_t>(tensor.dim(), 1), plain = dim.asInt();
    if (plain < -count || plain >= count)
        throw Error(ErrorKind::Index, "Dimension out of range (expected to be in range of [" + std::to_string(-count) +
                                          ", " + std::to_string(count - 1) + "], but got " + std::to_string(plain) +
                                          ")");
    if (tensor.dim() == 0)
        throw Error(ErrorKind::Index,
                    "Dimension specified as " + std::to_string(plain) + " but tensor has no dimensions");
    return static_cast<std::size_t>(plain < 0 ? plain + count : plain);
}

// size(), size(dim), stride(), stride(dim)
PyObject* dimsOrOne(const char* name, PyObject* self, PyObject* args, PyObject* kwargs, PyObject* (*all)(const Tensor&),
                    const symbolic::SymInts& (Tensor::*values)() const) {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"dim", nullptr};
        PyObject* dim = Py_None;
        const std::string format = std::string("|O:") + name;
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, format.c_str(), const_cast<char**>(names), &dim)) return nullptr;
        const Tensor& tensor = tensorOf(self);
        if (dim == Py_None) return all(tensor);
        SymInt which;
        if (!toSymInt(dim, which))
            throw Error(ErrorKind::Type, std::string(name) + "(): argument 'dim' must be int, not " + typeName(dim));
        return wrapSymInt((tensor.*values)()[wrapDim(tensor, which)]);
    });
}
PyObject* size(PyObject* self, PyObject* args, PyObject* kwargs) {
    return dimsOrOne("size", self, args, kwargs, [](const Tensor& t) { return wrapSize(t.sizes()); }, &Tensor::sizes);
}
PyObject* stride(PyObject* self, PyObject* args, PyObject* kwargs) {
    return dimsOrOne(
        "stride", self, args, kwargs, [](const Tensor& t) { return wrapTuple(t.strides()); }, &Tensor::strides);
}

PyObject* dim(PyObject* self, PyObject*) {
    return PyLong_FromLongLong(tensorOf(self).dim());
}
PyObject* numel(PyObject* self, PyObject*) {
    return guarded([&] { return wrapSymInt(tensorOf(self).numel()); });
}
PyObject* elementSize(PyObject* self, PyObject*) {
    return PyLong_FromSize_t(tensor::itemSize(tensorOf(self).dtype()));
}
PyObject* storageOffset(PyObject* self, PyObject*) {
    return guarded([&] { return wrapSymInt(tensorOf(self)->offset); });
}
PyObject* isFloatingPoint(PyObject* self, PyObject*) {
    return PyBool_FromLong(tensor::isFloating(tensorOf(self).dtype()));
}
PyObject* isComplex(PyObject*, PyObject*) {
    Py_RETURN_FALSE;
}
PyObject* isContiguous(PyObject* self, PyObject*, PyObject*) {
    return guarded([&] { return PyBool_FromLong(tensorOf(self).isContiguous()); });
}
PyObject* dataPtr(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        const Tensor& tensor = tensorOf(self);
        if (tensor.numel().sameAs(0)) return PyLong_FromLong(0);
        return PyLong_FromVoidPtr(tensor.data());
    });
}
PyObject* item(PyObject* self, PyObject*) {
    return guarded([&] { return itemOf(tensorOf(self)); });
}
PyObject* toList(PyObject* self, PyObject*) {
    return guarded([&] { return nestedList(tensorOf(self)); });
}
PyObject* edges(PyObject* self, PyObject* count) {
    return guarded([&]() -> PyObject* { return nestedList(tensorOf(self), PyLong_AsLongLong(count)); });
}

PyObject* setRequiresGrad(PyObject* self, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"requires_grad", nullptr};
        int value = 1;
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|p:requires_grad_", const_cast<char**>(names), &value))
            return nullptr;
        if (value != 0 && !tensor::isFloating(tensorOf(self).dtype()))
            throw Error("only Tensors of floating point dtype can require gradients");
        eager::setRequiresGrad(tensorOf(self), value != 0);
        return Py_NewRef(self);
    });
}
PyObject* retainGrad(PyObject* self, PyObject*) {
    return guarded([&] {
        eager::retainGrad(tensorOf(self));
        return none();
    });
}
// The tensor itself leaves the graph.
PyObject* detachInPlace(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        const Tensor& tensor = tensorOf(self);
        const auto* meta = static_cast<const eager::AutogradMeta*>(tensor->autograd.get());
        if (meta && meta->base.defined())
            throw Error("Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
                        "(DDP) for training, "
                        "and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
                        "detach_() cannot be "
                        "called on these gradients.");
        tensor->autograd = nullptr;
        return Py_NewRef(self);
    });
}

// A hook gets the gradient and may return another.
PyObject* registerHook(PyObject* self, PyObject* hook) {
    return guarded([&]() -> PyObject* {
        if (!eager::requiresGrad(tensorOf(self)))
            throw Error("cannot register a hook on a tensor that doesn't require gradient");
        const auto call = [held = Ref::borrow(hook)](const Tensor& grad) -> Tensor {
            const Ref argument = Ref::steal(check(wrap(grad)));
            const Ref result = Ref::steal(check(PyObject_CallOneArg(held.get(), argument.get())));
            if (result.get() == Py_None) return {};
            if (!isTensor(result.get()))
                throw Error(ErrorKind::Type, "hook must return None or a Tensor, but got " + typeName(result.get()));
            return tensorOf(result.get());
        };
        return PyLong_FromLong(eager::addHook(tensorOf(self), call));
    });
}
PyObject* removeHook(PyObject* self, PyObject* id) {
    return guarded([&] {
        eager::removeHook(tensorOf(self), static_cast<int>(PyLong_AsLong(id)));
        return none();
    });
}

// Tensor._make_subclass(cls, data, requires_grad): the data as a tensor of a subclass.
PyObject* makeSubclass(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject *cls = nullptr, *data = nullptr;
        int requiresGrad = 0;
        if (!PyArg_ParseTuple(args, "OO|p:_make_subclass", &cls, &data, &requiresGrad)) return nullptr;
        if (!PyType_Check(cls) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls), tensorType()))
            throw Error(ErrorKind::Type, "cls must be a type derived from Tensor (got " + typeName(cls) + ")");
        if (!isTensor(data))
            throw Error(ErrorKind::Type, "_make_subclass(): argument 'data' must be Tensor, not " + typeName(data));
        const Tensor own = eager::detach(tensorOf(data));
        own->pyObject = nullptr;
        const Ref result = Ref::steal(check(newTensorObject(reinterpret_cast<PyTypeObject*>(cls), own)));
        if (requiresGrad) eager::setRequiresGrad(own, true);
        return Ref(result).release();
    });
}

PyObject* isFake(PyObject* self, PyObject*) {
    return PyBool_FromLong(tensorOf(self).isFake());
}
PyObject* sharesStorage(PyObject* self, PyObject* other) {
    return guarded([&]() -> PyObject* {
        if (!isTensor(other)) throw Error(ErrorKind::Type, "expected a Tensor, have " + typeName(other));
        return PyBool_FromLong(tensorOf(self).sharesStorage(tensorOf(other)));
    });
}

template <class F> PyMethodDef entry(const char* name, F* function, int flags, const char* doc = nullptr) {
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), flags, doc};
}
constexpr int keywords = METH_VARARGS | METH_KEYWORDS;

} // namespace

PyMethodDef* tensorMethods() {
    static PyMethodDef methods[] = {entry("size", size, keywords, "The sizes, or one of them."),
                                    entry("stride", stride, keywords, "The strides in elements, or one of them."),
                                    entry("dim", dim, METH_NOARGS),
                                    entry("ndimension", dim, METH_NOARGS),
                                    entry("numel", numel, METH_NOARGS),
                                    entry("nelement", numel, METH_NOARGS),
                                    entry("element_size", elementSize, METH_NOARGS),
                                    entry("storage_offset", storageOffset, METH_NOARGS),
                                    entry("is_floating_point", isFloatingPoint, METH_NOARGS),
                                    entry("is_complex", isComplex, METH_NOARGS),
                                    entry("is_contiguous", isContiguous, keywords),
                                    entry("data_ptr", dataPtr, METH_NOARGS),
                                    entry("item", item, METH_NOARGS, "The one element as a Python number."),
                                    entry("tolist", toList, METH_NOARGS, "The elements as nested lists."),
                                    entry("_edges", edges, METH_O),
                                    entry("requires_grad_", setRequiresGrad, keywords),
                                    entry("retain_grad", retainGrad, METH_NOARGS),
                                    entry("detach_", detachInPlace, METH_NOARGS),
                                    entry("_register_hook", registerHook, METH_O),
                                    entry("_remove_hook", removeHook, METH_O),
                                    entry("_is_fake", isFake, METH_NOARGS),
                                    entry("_shares_storage", sharesStorage, METH_O),
                                    entry("_make_subclass", makeSubclass, METH_VARARGS | METH_STATIC),
                                    {nullptr, nullptr, 0, nullptr}};
    return methods;
}

} // namespace strata::python
