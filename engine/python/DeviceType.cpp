// torch.device.
#include "engine/python/Types.h"

#include "engine/support/Error.h"

#include <charconv>

namespace strata::python {

namespace {

using support::Error;
using tensor::Device;

struct DeviceObject {
    PyObject_HEAD Device device;
};

PyTypeObject* theDeviceType = nullptr;

const Device& own(PyObject* self) {
    return reinterpret_cast<DeviceObject*>(self)->device;
}
const char* typeText(const Device& device) {
    return device.type == Device::Type::CUDA ? "cuda" : "cpu";
}

Device parse(const std::string& name) {
    const std::size_t colon = name.find(':');
    const std::string type = name.substr(0, colon);
    Device device;
    if (type == "cuda")
        device.type = Device::Type::CUDA;
    else if (type != "cpu")
        throw Error("Expected one of cpu, cuda device type at start of device string: " + name);
    if (colon == std::string::npos) return device;
    int index = -1;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + colon + 1, end, index);
    if (error != std::errc() || stop != end || index < 0 || index > 127)
        throw Error("Invalid device string: '" + name + "'");
    device.index = static_cast<std::int8_t>(index);
    return device;
}

PyObject* newDevice(PyTypeObject*, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"type", "index", nullptr};
        PyObject* type = nullptr;
        int index = -1;
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|i:device", const_cast<char**>(names), &type, &index))
            return nullptr;
        if (isDevice(type)) return Py_NewRef(type);
        if (!PyUnicode_Check(type))
            throw Error(support::ErrorKind::Type,
                        "device(): argument 'type' (position 1) must be str, not " + typeName(type));
        Device device = parse(text(type));
        if (index >= 0) {
            if (device.index >= 0)
                throw Error("type (string) must not include an index because index was passed explicitly: " +
                            text(type));
            device.index = static_cast<std::int8_t>(index);
        }
        return wrap(device);
    });
}

PyObject* deviceRepr(PyObject* self) {
    const Device& device = own(self);
    if (device.index < 0) return PyUnicode_FromFormat("device(type='%s')", typeText(device));
    return PyUnicode_FromFormat("device(type='%s', index=%d)", typeText(device), device.index);
}
PyObject* deviceStr(PyObject* self) {
    return PyUnicode_FromString(own(self).str().c_str());
}
Py_hash_t deviceHash(PyObject* self) {
    return static_cast<int>(own(self).type) * 256 + own(self).index + 1;
}
PyObject* deviceCompare(PyObject* a, PyObject* b, int op) {
    if ((op != Py_EQ && op != Py_NE) || !isDevice(a) || !isDevice(b)) Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong((own(a) == own(b)) == (op == Py_EQ));
}
PyObject* typeGetter(PyObject* self, void*) {
    return PyUnicode_FromString(typeText(own(self)));
}
PyObject* indexGetter(PyObject* self, void*) {
    if (own(self).index < 0) Py_RETURN_NONE;
    return PyLong_FromLong(own(self).index);
}
PyObject* deviceReduce(PyObject* self, PyObject*) {
    return Py_BuildValue("O(s)", reinterpret_cast<PyObject*>(theDeviceType), own(self).str().c_str());
}

PyGetSetDef deviceGetSet[] = {{"type", typeGetter, nullptr, nullptr, nullptr},
                              {"index", indexGetter, nullptr, nullptr, nullptr},
                              {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef deviceMethods[] = {{"__reduce__", deviceReduce, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyType_Slot deviceSlots[] = {{Py_tp_new, reinterpret_cast<void*>(newDevice)},
                             {Py_tp_repr, reinterpret_cast<void*>(deviceRepr)},
                             {Py_tp_str, reinterpret_cast<void*>(deviceStr)},
                             {Py_tp_hash, reinterpret_cast<void*>(deviceHash)},
                             {Py_tp_richcompare, reinterpret_cast<void*>(deviceCompare)},
                             {Py_tp_getset, deviceGetSet},
                             {Py_tp_methods, deviceMethods},
                             {0, nullptr}};
PyType_Spec deviceSpec = {"torch.device", sizeof(DeviceObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                          deviceSlots};

} // namespace

PyTypeObject* deviceType() {
    return theDeviceType;
}
bool isDevice(PyObject* object) {
    return Py_IS_TYPE(object, theDeviceType);
}
Device deviceOf(PyObject* object) {
    return own(object);
}
PyObject* wrap(const Device& device) {
    PyObject* object = theDeviceType->tp_alloc(theDeviceType, 0);
    if (object) reinterpret_cast<DeviceObject*>(object)->device = device;
    return object;
}

bool toDevice(PyObject* object, Device& device) {
    if (isDevice(object))
        device = own(object);
    else if (PyUnicode_Check(object))
        device = parse(text(object));
    else
        return false;
    return true;
}

void addDevice(PyObject* module) {
    theDeviceType = addType(module, &deviceSpec);
}

} // namespace strata::python
