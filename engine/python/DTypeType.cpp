// torch.dtype, torch.layout, torch.memory_format: singletons.
#include "engine/python/Types.h"

#include <array>
#include <cstring>

namespace strata::python {

namespace {

using tensor::DType;

constexpr int dtypeCount = static_cast<int>(DType::Float64) + 1;

struct DTypeObject {
    PyObject_HEAD DType dtype;
};

struct FormatObject {
    PyObject_HEAD const char* name;
};

PyTypeObject* theDTypeType = nullptr;
PyTypeObject* layoutType = nullptr;
PyTypeObject* memoryFormatType = nullptr;
std::array<PyObject*, dtypeCount> dtypeObjects{};

DType own(PyObject* self) {
    return reinterpret_cast<DTypeObject*>(self)->dtype;
}

PyObject* dtypeRepr(PyObject* self) {
    return PyUnicode_FromString(dtypeText(own(self)).c_str());
}
// Pickle and copy take a text as the name of a global of the object's module.
PyObject* dtypeReduce(PyObject* self, PyObject*) {
    return PyUnicode_FromString(std::string(tensor::name(own(self))).c_str());
}
PyObject* isFloatingPoint(PyObject* self, void*) {
    return PyBool_FromLong(tensor::isFloating(own(self)));
}
PyObject* isComplex(PyObject*, void*) {
    Py_RETURN_FALSE;
}
PyObject* isSigned(PyObject* self, void*) {
    return PyBool_FromLong(own(self) != DType::Bool && own(self) != DType::UInt8);
}
PyObject* itemSizeOf(PyObject* self, void*) {
    return PyLong_FromSize_t(tensor::itemSize(own(self)));
}

PyGetSetDef dtypeGetSet[] = {{"is_floating_point", isFloatingPoint, nullptr, nullptr, nullptr},
                             {"is_complex", isComplex, nullptr, nullptr, nullptr},
                             {"is_signed", isSigned, nullptr, nullptr, nullptr},
                             {"itemsize", itemSizeOf, nullptr, nullptr, nullptr},
                             {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef dtypeMethods[] = {{"__reduce__", dtypeReduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyType_Slot dtypeSlots[] = {{Py_tp_repr, reinterpret_cast<void*>(dtypeRepr)},
                            {Py_tp_getset, dtypeGetSet},
                            {Py_tp_methods, dtypeMethods},
                            {0, nullptr}};
PyType_Spec dtypeSpec = {"torch.dtype", sizeof(DTypeObject), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE, dtypeSlots};

const char* nameOf(PyObject* self) {
    return reinterpret_cast<FormatObject*>(self)->name;
}
PyObject* formatRepr(PyObject* self) {
    return PyUnicode_FromFormat("torch.%s", nameOf(self));
}
PyObject* formatReduce(PyObject* self, PyObject*) {
    return PyUnicode_FromString(nameOf(self));
}
PyMethodDef formatMethods[] = {{"__reduce__", formatReduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyType_Slot formatSlots[] = {
    {Py_tp_repr, reinterpret_cast<void*>(formatRepr)}, {Py_tp_methods, formatMethods}, {0, nullptr}};
constexpr unsigned formatFlags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE;
PyType_Spec layoutSpec = {"torch.layout", sizeof(FormatObject), 0, formatFlags, formatSlots};
PyType_Spec memoryFormatSpec = {"torch.memory_format", sizeof(FormatObject), 0, formatFlags, formatSlots};

void addDType(PyObject* module, DType dtype, std::initializer_list<const char*> names) {
    PyObject* object = check(theDTypeType->tp_alloc(theDTypeType, 0));
    reinterpret_cast<DTypeObject*>(object)->dtype = dtype;
    dtypeObjects[static_cast<std::size_t>(dtype)] = object;
    for (const char* name : names) check(PyModule_AddObjectRef(module, name, object));
}

void addFormat(PyObject* module, PyTypeObject* type, const char* name) {
    const Ref object = Ref::steal(check(type->tp_alloc(type, 0)));
    reinterpret_cast<FormatObject*>(object.get())->name = name;
    check(PyModule_AddObjectRef(module, name, object.get()));
}

} // namespace

PyTypeObject* dtypeType() {
    return theDTypeType;
}
bool isDType(PyObject* object) {
    return Py_IS_TYPE(object, theDTypeType);
}
DType dtypeOf(PyObject* object) {
    return own(object);
}
PyObject* wrap(DType dtype) {
    return Py_NewRef(dtypeObjects[static_cast<std::size_t>(dtype)]);
}
std::string dtypeText(DType dtype) {
    return "torch." + std::string(tensor::name(dtype));
}

bool toDType(PyObject* object, DType& dtype) {
    if (isDType(object))
        dtype = own(object);
    else if (object == reinterpret_cast<PyObject*>(&PyFloat_Type))
        dtype = DType::Float64;
    else if (object == reinterpret_cast<PyObject*>(&PyLong_Type))
        dtype = DType::Int64;
    else if (object == reinterpret_cast<PyObject*>(&PyBool_Type))
        dtype = DType::Bool;
    else
        return false;
    return true;
}

const char* formatName(PyObject* object) {
    return Py_IS_TYPE(object, layoutType) || Py_IS_TYPE(object, memoryFormatType) ? nameOf(object) : nullptr;
}

void addDTypes(PyObject* module) {
    theDTypeType = addType(module, &dtypeSpec);
    addDType(module, DType::Bool, {"bool"});
    addDType(module, DType::UInt8, {"uint8"});
    addDType(module, DType::Int8, {"int8"});
    addDType(module, DType::Int16, {"int16", "short"});
    addDType(module, DType::Int32, {"int32", "int"});
    addDType(module, DType::Int64, {"int64", "long"});
    addDType(module, DType::Float16, {"float16", "half"});
    addDType(module, DType::BFloat16, {"bfloat16"});
    addDType(module, DType::Float32, {"float32", "float"});
    addDType(module, DType::Float64, {"float64", "double"});
    layoutType = addType(module, &layoutSpec);
    addFormat(module, layoutType, "strided");
    memoryFormatType = addType(module, &memoryFormatSpec);
    addFormat(module, memoryFormatType, "contiguous_format");
    addFormat(module, memoryFormatType, "preserve_format");
}

} // namespace strata::python
