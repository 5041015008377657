// The life of torch.Tensor objects. One object an impl: the impl knows its object, so that wrapping it again gives the
// same one, with its attributes and its class.
#include "engine/python/TensorType.h"

#include "engine/eager/Autograd.h"
#include "engine/support/Error.h"

#include <cstddef>
#include <new>
#include <structmember.h>

namespace strata::python {

namespace {

PyTypeObject* theTensorType = nullptr;

TensorObject* object(PyObject* self) {
    return reinterpret_cast<TensorObject*>(self);
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (object(self)->weakrefs) PyObject_ClearWeakRefs(self);
    Py_CLEAR(object(self)->dict);
    if (object(self)->tensor.defined() && object(self)->tensor->pyObject == self)
        object(self)->tensor->pyObject = nullptr;
    object(self)->tensor.~Tensor();
    type->tp_free(self);
    Py_DECREF(type);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(object(self)->dict);
    return 0;
}

int clear(PyObject* self) {
    Py_CLEAR(object(self)->dict);
    return 0;
}

// As in PyTorch: hash(tensor) == id(tensor).
Py_hash_t hash(PyObject* self) {
    return static_cast<Py_hash_t>(reinterpret_cast<std::uintptr_t>(self));
}

// torch.Tensor(): empty; torch.Tensor(2, 3): uninitialised of that size; torch.Tensor(sequence): float32 data.
PyObject* newTensor(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        if (kwargs && PyDict_GET_SIZE(kwargs) > 0)
            throw support::Error(support::ErrorKind::Type, "new() takes no keyword arguments");
        const Py_ssize_t count = PyTuple_GET_SIZE(args);
        symbolic::SymInts sizes;
        for (Py_ssize_t i = 0; i < count; ++i) {
            symbolic::SymInt size;
            if (toSymInt(PyTuple_GET_ITEM(args, i), size)) sizes.push_back(size);
        }
        if (static_cast<Py_ssize_t>(sizes.size()) == count) {
            if (count == 0) sizes.push_back(0);
            return newTensorObject(type, tensor::Tensor::empty(sizes, tensor::DType::Float32));
        }
        PyObject* data = PyTuple_GET_ITEM(args, 0);
        if (count > 1)
            throw support::Error(support::ErrorKind::Type, "new() received an invalid combination of arguments");
        if (isTensor(data)) return newTensorObject(type, eager::detach(tensorOf(data)));
        if (!PySequence_Check(data))
            throw support::Error(support::ErrorKind::Type,
                                 "new(): data must be a sequence (got " + typeName(data) + ")");
        const tensor::DType dtype = tensor::DType::Float32;
        return newTensorObject(type, tensorFromData(data, &dtype));
    });
}

// The tables of both files in one, which lives as long as the type.
PyMethodDef* allMethods() {
    static auto* const all = new std::vector<PyMethodDef>;
    for (const PyMethodDef* table : {tensorMethods(), tensorConversions()})
        for (; table->ml_name; ++table) all->push_back(*table);
    all->push_back({nullptr, nullptr, 0, nullptr});
    return all->data();
}

PyMemberDef members[] = {{"__dictoffset__", T_PYSSIZET, offsetof(TensorObject, dict), READONLY, nullptr},
                         {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weakrefs), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};

} // namespace

PyTypeObject* tensorType() {
    return theTensorType;
}
bool isTensor(PyObject* candidate) {
    return PyObject_TypeCheck(candidate, theTensorType);
}
const tensor::Tensor& tensorOf(PyObject* candidate) {
    return object(candidate)->tensor;
}

PyObject* newTensorObject(PyTypeObject* type, tensor::Tensor tensor) {
    PyObject* self = type->tp_alloc(type, 0);
    if (!self) return nullptr;
    tensor->pyObject = self;
    new (&object(self)->tensor) tensor::Tensor(std::move(tensor));
    return self;
}

PyObject* wrap(const tensor::Tensor& tensor) {
    if (!tensor.defined()) Py_RETURN_NONE;
    if (tensor->pyObject) return Py_NewRef(static_cast<PyObject*>(tensor->pyObject));
    return newTensorObject(theTensorType, tensor);
}

void replaceData(const tensor::Tensor& self, const tensor::Tensor& data) {
    tensor::TensorImpl& to = *self.impl();
    const tensor::TensorImpl& from = *data.impl();
    to.storage = from.storage;
    to.sizes = from.sizes;
    to.strides = from.strides;
    to.offset = from.offset;
    to.dtype = from.dtype;
    to.device = from.device;
    to.fake = from.fake;
}

void addTensor(PyObject* module) {
    std::vector<PyType_Slot> slots = tensorOperators();
    const auto add = [&](int slot, void* function) { slots.push_back({slot, function}); };
    add(Py_tp_new, reinterpret_cast<void*>(newTensor));
    add(Py_tp_dealloc, reinterpret_cast<void*>(dealloc));
    add(Py_tp_traverse, reinterpret_cast<void*>(traverse));
    add(Py_tp_clear, reinterpret_cast<void*>(clear));
    add(Py_tp_hash, reinterpret_cast<void*>(hash));
    add(Py_tp_members, members);
    add(Py_tp_getset, tensorProperties());
    add(Py_tp_methods, allMethods());
    add(0, nullptr);
    PyType_Spec spec = {"torch.Tensor", sizeof(TensorObject), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots.data()};
    theTensorType = addType(module, &spec);
    theTensorType->tp_name = "Tensor"; // how messages name an operand, as of a Python class
}

} // namespace strata::python
