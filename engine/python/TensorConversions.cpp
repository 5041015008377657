// Methods of torch.Tensor that convert it: to() in its many forms, float() and its kin, type().
#include "engine/eager/Autograd.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"

#include <array>

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using tensor::Device;
using tensor::DType;
using tensor::Tensor;

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
            if (i < 2 && flags == 0 && (toDType(arg, target.dtype) || toDevice(arg, target.device)))
                known = true;
            else if (i == 0 && isTensor(arg)) {
                target.dtype = tensorOf(arg).dtype();
                target.device = tensorOf(arg).device();
                known = true;
            } else if (i > 0 && PyBool_Check(arg) && flags < 2)
                (flags++ == 0 ? target.nonBlocking : target.copy) = arg == Py_True;
            else if (!(arg == Py_None && i < 2))
                throw Error(ErrorKind::Type,
                            "to() received an invalid combination of arguments - got (" + typeName(arg) + ")");
        }
        for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
            const std::string name = text(PyTuple_GET_ITEM(keywords, k));
            PyObject* value = args[nargs + k];
            if (name == "copy")
                target.copy = flag(value, "copy");
            else if (name == "non_blocking")
                target.nonBlocking = flag(value, "non_blocking");
            else if (name == "dtype" && (value == Py_None || toDType(value, target.dtype)))
                known = true;
            else if (name == "device" && (value == Py_None || toDevice(value, target.device)))
                known = true;
            else if (name == "other" && isTensor(value))
                target.dtype = tensorOf(value).dtype(), known = true;
            else if (name != "memory_format")
                throw Error(ErrorKind::Type, "to() got an unexpected argument '" + name + "'");
        }
        if (!known && !target.copy && nargs == 0)
            throw Error(ErrorKind::Type, "to() received an invalid combination of arguments - got ()");
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
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|Op:type", const_cast<char**>(names), &wanted, &nonBlocking))
            return nullptr;
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

template <class F> PyMethodDef entry(const char* name, F* function, int flags, const char* doc = nullptr) {
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), flags, doc};
}
constexpr int keywords = METH_VARARGS | METH_KEYWORDS;

} // namespace

PyMethodDef* tensorConversions() {
    static PyMethodDef methods[] = {entry("to", to, METH_FASTCALL | METH_KEYWORDS),
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
                                    {nullptr, nullptr, 0, nullptr}};
    return methods;
}

} // namespace strata::python
