#pragma once
// The small types of `torch`: dtype, device, Size, SymInt, layout, memory_format, and how each is made.

#include "engine/python/Binding.h"

namespace strata::ops {
class Generator;
}

namespace strata::python {

/// Throws PythonError when `object` is null.
inline PyObject* check(PyObject* object) {
    if (!object) throw PythonError{};
    return object;
}
inline void check(int result) {
    if (result < 0) throw PythonError{};
}

/// Make the types and add them to the module `torch._C`. Each throws PythonError.
void addDTypes(PyObject* module);
void addDevice(PyObject* module);
void addSize(PyObject* module);
void addSymInt(PyObject* module);
void addTensor(PyObject* module);
void addGradNodes(PyObject* module);
void addOps(PyObject* module);
void addAutograd(PyObject* module);
void addCreation(PyObject* module);
void addOverloads(PyObject* module);
void addGenerator(PyObject* module);
void addFunctionNodes(PyObject* module);

/// A heap type from a spec, added to the module under the last part of its name.
PyTypeObject* addType(PyObject* module, PyType_Spec* spec, PyObject* bases = nullptr);
/// The type's attributes appear in `__module__` as this ("torch").
void setModule(PyTypeObject* type, const char* module);
void addFunctions(PyObject* module, PyMethodDef* functions);

/// torch.layout and torch.memory_format objects are names to the ops: "strided", "contiguous_format". Null: none.
const char* formatName(PyObject* object);

/// A dtype argument: torch.dtype, or the Python types float, int, bool. False (no exception) for anything else.
bool toDType(PyObject* object, tensor::DType& dtype);
/// A device argument: torch.device or text. Throws support::Error for text that names none; false for other objects.
bool toDevice(PyObject* object, tensor::Device& device);
/// "torch.float32"
std::string dtypeText(tensor::DType dtype);

/// Plain int, torch.SymInt, or an object with __index__ that is not bool. False (no exception) for anything else.
/// Throws support::Error (Overflow) for what does not fit.
bool toSymInt(PyObject* object, symbolic::SymInt& value);
/// bool, int, float or torch.SymInt.
bool toNumber(PyObject* object, ops::Scalar& value);
PyObject* wrap(const ops::Scalar& scalar);
PyObject* wrapTuple(const symbolic::SymInts& values); // a plain tuple
/// Null for anything but a torch.Generator.
ops::Generator* generatorOf(PyObject* object);
/// A str as UTF-8; throws PythonError.
std::string text(PyObject* object);
/// "Tensor", "int", "list": as PyTorch's messages name an argument's type.
std::string typeName(PyObject* object);

} // namespace strata::python
