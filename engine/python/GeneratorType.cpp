// torch.Generator.
#include "engine/ops/Generator.h"

#include "engine/python/Types.h"
#include "engine/support/Error.h"

#include <random>

namespace strata::python {

namespace {

struct GeneratorObject {
    PyObject_HEAD ops::Generator* generator;
    bool owned;
};

PyTypeObject* theGeneratorType = nullptr;

ops::Generator& own(PyObject* self) {
    return *reinterpret_cast<GeneratorObject*>(self)->generator;
}

PyObject* make(ops::Generator* generator, bool owned) {
    PyObject* self = theGeneratorType->tp_alloc(theGeneratorType, 0);
    if (!self && owned) delete generator;
    check(self);
    reinterpret_cast<GeneratorObject*>(self)->generator = generator;
    reinterpret_cast<GeneratorObject*>(self)->owned = owned;
    return self;
}

PyObject* newGenerator(PyTypeObject*, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        static const char* names[] = {"device", nullptr};
        PyObject* device = nullptr;
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Generator", const_cast<char**>(names), &device))
            return nullptr;
        tensor::Device parsed;
        if (device && (!toDevice(device, parsed) || parsed.type != tensor::Device::Type::CPU))
            throw support::Error("Torch not compiled with CUDA enabled");
        return make(new ops::Generator, true);
    });
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    if (reinterpret_cast<GeneratorObject*>(self)->owned) delete reinterpret_cast<GeneratorObject*>(self)->generator;
    type->tp_free(self);
    Py_DECREF(type);
}

// Seeds from -2^63 to 2^64 - 1, negative ones as their two's complement.
PyObject* manualSeed(PyObject* self, PyObject* value) {
    return guarded([&]() -> PyObject* {
        const Ref number = Ref::steal(check(PyNumber_Index(value)));
        std::uint64_t seed = PyLong_AsUnsignedLongLong(number.get());
        if (seed == static_cast<std::uint64_t>(-1) && PyErr_Occurred()) {
            PyErr_Clear();
            seed = static_cast<std::uint64_t>(PyLong_AsLongLong(number.get()));
            if (PyErr_Occurred()) {
                PyErr_Clear();
                throw support::Error("Overflow when unpacking long long");
            }
        }
        own(self).setSeed(seed);
        return Py_NewRef(self);
    });
}
PyObject* seedAtRandom(PyObject* self, PyObject*) {
    std::random_device device;
    own(self).setSeed(static_cast<std::uint64_t>(device()) << 32 | device());
    return PyLong_FromUnsignedLongLong(own(self).seed());
}
PyObject* initialSeed(PyObject* self, PyObject*) {
    return PyLong_FromUnsignedLongLong(own(self).seed());
}
// The state as a generator of its own, opaque to programs.
PyObject* getState(PyObject* self, PyObject*) {
    return guarded([&] { return make(new ops::Generator(own(self)), true); });
}
PyObject* setState(PyObject* self, PyObject* state) {
    return guarded([&]() -> PyObject* {
        if (!Py_IS_TYPE(state, theGeneratorType))
            throw support::Error(support::ErrorKind::Type,
                                 "expected what get_state() gave, but got " + typeName(state));
        own(self) = own(state);
        return Py_NewRef(self);
    });
}
PyObject* deviceGetter(PyObject*, void*) {
    return wrap(tensor::Device{});
}

PyMethodDef methods[] = {
    {"manual_seed", manualSeed, METH_O, "Starts the stream of numbers again from this seed."},
    {"seed", seedAtRandom, METH_NOARGS, "Seeds from the system's randomness, and returns the seed."},
    {"initial_seed", initialSeed, METH_NOARGS, "The seed that the stream started from."},
    {"get_state", getState, METH_NOARGS, nullptr},
    {"clone_state", getState, METH_NOARGS, nullptr},
    {"set_state", setState, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef getSet[] = {{"device", deviceGetter, nullptr, nullptr, nullptr},
                        {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(newGenerator)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, getSet},
                       {0, nullptr}};
PyType_Spec spec = {"torch._C.Generator", sizeof(GeneratorObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                    slots};

} // namespace

ops::Generator* generatorOf(PyObject* object) {
    return Py_IS_TYPE(object, theGeneratorType) ? &own(object) : nullptr;
}

void addGenerator(PyObject* module) {
    theGeneratorType = addType(module, &spec);
    const Ref standard = Ref::steal(check(make(&ops::Generator::standard(), false)));
    check(PyModule_AddObjectRef(module, "default_generator", standard.get()));
}

} // namespace strata::python
