// Methods of torch.Tensor that are no ops: what reads or sets the tensor itself, conversions with many forms, and what
// torch/_tensor.py builds on. Methods of ops are made from the registry (OpBinding.cpp).
#include "engine/eager/Autograd.h"
#include "engine/eager/Dispatcher.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"

#include <array>

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using symbolic::SymInt;
using tensor::Device;
using tensor::DType;
using tensor::Tensor;

PyObject* none() { Py_RETURN_NONE; }

std::size_t wrapDim(const Tensor& tensor, SymInt dim) {
    const std::int64_t count = std::max<std::int64_t>(tensor.dim(), 1), plain = dim.asInt();
    if (plain < -count || plain >= count)
        throw Error(ErrorKind::Index, "Dimension out of range (expected to be in range of [" + std::to_string(-count) + ", " +
                                          std::to_string(count - 1) + "], but got " + std::to_string(plain) + ")");
    if (tensor.dim() == 0) throw Error(ErrorKind::Index, "Dimension specified as " + std::to_string(plain) + " but tensor has no dimensions");
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
    return dimsOrOne("stride", self, args, kwargs, [](const Tensor& t) { return wrapTuple(t.strides()); }, &Tensor::strides);
}

PyObject* dim(PyObject* self, PyObject*) { return PyLong_FromLongLong(tensorOf(self).dim()); }
PyObject* numel(PyObject* self, PyObject*) {
    return guarded([&] { return wrapSymInt(tensorOf(self).numel()); });
}
PyObject* elementSize(PyObject* self, PyObject*) { return PyLong_FromSize_t(tensor::itemSize(tensorOf(self).dtype())); }
PyObject* storageOffset(PyObject* self, PyObject*) {
    return guarded([&] { return wrapSymInt(tensorOf(self)->offset); });
}
PyObject* isFloatingPoint(PyObject* self, PyObject*) { return PyBool_FromLong(tensor::isFloating(tensorOf(self).dtype())); }
PyObject* isComplex(PyObject*, PyObject*) { Py_RETURN_FALSE; }
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
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|p:requires_grad_", const_cast<char**>(names), &value)) return nullptr;
        if (value != 0 && !tensor::isFloating(tensorOf(self).dtype())) throw Error("only Tensors of floating point dtype can require gradients");
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
            throw Error("Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, "
                        "and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be "
                        "called on these gradients.");
        tensor->autograd = nullptr;
        return Py_NewRef(self);
    });
}

// A hook gets the gradient and may return another.
PyObject* registerHook(PyObject* self, PyObject* hook) {
    return guarded([&]() -> PyObject* {
        if (!eager::requiresGrad(tensorOf(self))) throw Error("cannot register a hook on a tensor that doesn't require gradient");
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

// Where and as what a tensor is wanted.
struct Target {
    DType dtype;
    Device device;
    bool copy = false, nonBlocking = false;
};

PyObject* moved(PyObject* self, const Target& target) {
    const Tensor& tensor = tensorOf(self);
    if (target.device.type != tensor.device().type) throw Error("Torch not compiled with CUDA enabled");
    if (tensor.dtype() == target.dtype && !target.copy) return Py_NewRef(self);
    static const ops::OpDef& op = ops::get("aten.to.dtype");
    return wrap(callOp(op, {tensor, target.dtype, target.nonBlocking, target.copy, ops::Value()}));
}

bool flag(PyObject* value, const char* name) {
    if (PyBool_Check(value)) return value == Py_True;
    throw Error(ErrorKind::Type, std::string("to(): argument '") + name + "' must be bool, not " + typeName(value));
}

// to(dtype), to(device), to(device, dtype), to(other), each with non_blocking and copy.
PyObject* to(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        Target target{tensorOf(self).dtype(), tensorOf(self).device()};
        bool known = false;
        int flags = 0;
        for (Py_ssize_t i = 0; i < nargs; ++i) {
            PyObject* arg = args[i];
            if (i < 2 && flags == 0 && (toDType(arg, target.dtype) || toDevice(arg, target.device))) known = true;
            else if (i == 0 && isTensor(arg)) {
                target.dtype = tensorOf(arg).dtype();
                target.device = tensorOf(arg).device();
                known = true;
            } else if (i > 0 && PyBool_Check(arg) && flags < 2) (flags++ == 0 ? target.nonBlocking : target.copy) = arg == Py_True;
            else if (!(arg == Py_None && i < 2)) throw Error(ErrorKind::Type, "to() received an invalid combination of arguments - got (" + typeName(arg) + ")");
        }
        for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
            const std::string name = text(PyTuple_GET_ITEM(keywords, k));
            PyObject* value = args[nargs + k];
            if (name == "copy") target.copy = flag(value, "copy");
            else if (name == "non_blocking") target.nonBlocking = flag(value, "non_blocking");
            else if (name == "dtype" && (value == Py_None || toDType(value, target.dtype))) known = true;
            else if (name == "device" && (value == Py_None || toDevice(value, target.device))) known = true;
            else if (name == "other" && isTensor(value)) target.dtype = tensorOf(value).dtype(), known = true;
            else if (name != "memory_format") throw Error(ErrorKind::Type, "to() got an unexpected argument '" + name + "'");
        }
        if (!known && !target.copy && nargs == 0) throw Error(ErrorKind::Type, "to() received an invalid combination of arguments - got ()");
        return moved(self, target);
    });
}

template <DType dtype> PyObject* as(PyObject* self, PyObject*, PyObject*) {
    return guarded([&] { return moved(self, {dtype, tensorOf(self).device()}); });
}
PyObject* cpu(PyObject* self, PyObject*, PyObject*) {
    return guarded([&] { return moved(self, {tensorOf(self).dtype(), Device{}}); });
}
PyObject* cuda(PyObject*, PyObject*, PyObject*) {
    return guarded([&]() -> PyObject* { throw Error("Torch not compiled with CUDA enabled"); });
}
PyObject* numpy(PyObject* self, PyObject*, PyObject*) {
    return guarded([&]() -> PyObject* {
        if (eager::requiresGrad(tensorOf(self)))
            throw Error("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.");
        throw Error("Numpy is not available");
    });
}

// "torch.FloatTensor" of a dtype, and back.
constexpr std::array<std::pair<const char*, DType>, 8> legacyTypes{{{"Float", DType::Float32},
                                                                    {"Double", DType::Float64},
                                                                    {"Long", DType::Int64},
                                                                    {"Int", DType::Int32},
                                                                    {"Short", DType::Int16},
                                                                    {"Byte", DType::UInt8},
                                                                    {"Char", DType::Int8},
                                                                    {"Bool", DType::Bool}}};

PyObject* type(PyObject* self, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"dtype", "non_blocking", nullptr};
        PyObject* wanted = Py_None;
        int nonBlocking = 0;
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|Op:type", const_cast<char**>(names), &wanted, &nonBlocking)) return nullptr;
        Target target{tensorOf(self).dtype(), tensorOf(self).device(), false, nonBlocking != 0};
        for (const auto& [name, dtype] : legacyTypes) {
            const std::string full = "torch." + std::string(name) + "Tensor";
            if (wanted == Py_None && dtype == target.dtype) return PyUnicode_FromString(full.c_str());
            if (PyUnicode_Check(wanted) && text(wanted) == full) {
                target.dtype = dtype;
                return moved(self, target);
            }
        }
        if (wanted == Py_None) return PyUnicode_FromString(dtypeText(target.dtype).c_str());
        if (!toDType(wanted, target.dtype)) throw Error(ErrorKind::Type, "dtype must be a type, str, or dtype object");
        return moved(self, target);
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
        if (!isTensor(data)) throw Error(ErrorKind::Type, "_make_subclass(): argument 'data' must be Tensor, not " + typeName(data));
        const Tensor own = eager::detach(tensorOf(data));
        own->pyObject = nullptr;
        const Ref result = Ref::steal(check(newTensorObject(reinterpret_cast<PyTypeObject*>(cls), own)));
        if (requiresGrad) eager::setRequiresGrad(own, true);
        return Ref(result).release();
    });
}

PyObject* isFake(PyObject* self, PyObject*) { return PyBool_FromLong(tensorOf(self).isFake()); }
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
                                    entry("to", to, METH_FASTCALL | METH_KEYWORDS),
                                    entry("float", as<DType::Float32>, keywords),
                                    entry("double", as<DType::Float64>, keywords),
                                    entry("half", as<DType::Float16>, keywords),
                                    entry("bfloat16", as<DType::BFloat16>, keywords),
                                    entry("long", as<DType::Int64>, keywords),
                                    entry("int", as<DType::Int32>, keywords),
                                    entry("short", as<DType::Int16>, keywords),
                                    entry("char", as<DType::Int8>, keywords),
                                    entry("byte", as<DType::UInt8>, keywords),
                                    entry("bool", as<DType::Bool>, keywords),
                                    entry("cpu", cpu, keywords),
                                    entry("cuda", cuda, keywords),
                                    entry("numpy", numpy, keywords),
                                    entry("type", type, keywords),
                                    entry("_is_fake", isFake, METH_NOARGS),
                                    entry("_shares_storage", sharesStorage, METH_O),
                                    entry("_make_subclass", makeSubclass, METH_VARARGS | METH_STATIC),
                                    {nullptr, nullptr, 0, nullptr}};
    return methods;
}

} // namespace strata::python
