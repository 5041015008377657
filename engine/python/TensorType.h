#pragma once
// torch.Tensor: the parts that TensorType.cpp puts together into the type.

#include "engine/python/Signature.h"

#include <vector>

namespace strata::python {

struct TensorObject {
    PyObject_HEAD tensor::Tensor tensor;
    PyObject* dict; // attributes that the program sets
    PyObject* weakrefs;
};

/// A new object of this type (torch.Tensor or a subclass) for a tensor that has no object yet.
PyObject* newTensorObject(PyTypeObject* type, tensor::Tensor tensor);
/// Makes `self` stand for what `data` is: storage, sizes, dtype; its autograd record stays (tensor.data = ..).
void replaceData(const tensor::Tensor& self, const tensor::Tensor& data);

PyGetSetDef* tensorProperties();
PyMethodDef* tensorMethods();
PyMethodDef* tensorConversions();
/// Number, mapping and comparison slots.
std::vector<PyType_Slot> tensorOperators();
PyObject* getItem(PyObject* self, PyObject* key);
int setItem(PyObject* self, PyObject* key, PyObject* value);

/// The one element as a Python number, through aten._local_scalar_dense.
PyObject* itemOf(const tensor::Tensor& tensor);
/// Nested lists of the elements, without dispatching anything; with `edge` >= 0 dims longer than 2 * edge give only
/// that many from each end.
PyObject* nestedList(const tensor::Tensor& tensor, std::int64_t edge = -1);
/// torch.tensor's reading of nested sequences and numbers; dtype inferred when null. Throws PyTorch's errors.
tensor::Tensor tensorFromData(PyObject* data, const tensor::DType* dtype);

} // namespace strata::python
