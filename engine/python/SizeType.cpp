// torch.Size: a tuple of ints whose slices and sums are torch.Size again.
#include "engine/python/Types.h"

#include "engine/support/Error.h"

namespace strata::python {

namespace {

PyTypeObject* theSizeType = nullptr;

// Takes a tuple; gives a Size with its items. An exception that is set passes.
PyObject* asSize(PyObject* tuple) {
    const Ref held = Ref::steal(tuple);
    if (!tuple || !PyTuple_Check(tuple)) return Ref(held).release();
    const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    PyObject* size = theSizeType->tp_alloc(theSizeType, count);
    if (!size) return nullptr;
    for (Py_ssize_t i = 0; i < count; ++i) PyTuple_SET_ITEM(size, i, Py_NewRef(PyTuple_GET_ITEM(tuple, i)));
    return size;
}

PyObject* newSize(PyTypeObject*, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        PyObject* items = nullptr;
        static const char* names[] = {"", nullptr};
        if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Size", const_cast<char**>(names), &items)) return nullptr;
        if (!items) return asSize(PyTuple_New(0));
        const Ref tuple = Ref::steal(check(PySequence_Tuple(items)));
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple.get()); ++i) {
            symbolic::SymInt ignored;
            PyObject* item = PyTuple_GET_ITEM(tuple.get(), i);
            if (!toSymInt(item, ignored))
                throw support::Error(support::ErrorKind::Type, "torch.Size() takes an iterable of 'int' (item " +
                                                                   std::to_string(i) + " is '" + typeName(item) + "')");
        }
        return asSize(Ref(tuple).release());
    });
}

PyObject* sizeRepr(PyObject* self) {
    std::string text = "torch.Size([";
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) {
        const Ref item = Ref::steal(PyObject_Repr(PyTuple_GET_ITEM(self, i)));
        const char* data = item ? PyUnicode_AsUTF8(item.get()) : nullptr;
        if (!data) return nullptr;
        text += (i ? ", " : "") + std::string(data);
    }
    return PyUnicode_FromString((text + "])").c_str());
}

PyObject* sizeSubscript(PyObject* self, PyObject* key) {
    return asSize(PyTuple_Type.tp_as_mapping->mp_subscript(self, key));
}
PyObject* sizeConcat(PyObject* a, PyObject* b) {
    return asSize(PyTuple_Type.tp_as_sequence->sq_concat(a, b));
}
PyObject* sizeRepeat(PyObject* self, Py_ssize_t count) {
    return asSize(PyTuple_Type.tp_as_sequence->sq_repeat(self, count));
}

PyObject* numel(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        symbolic::SymInt product = 1;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) {
            symbolic::SymInt item;
            if (toSymInt(PyTuple_GET_ITEM(self, i), item)) product = product * item;
        }
        return wrapSymInt(product);
    });
}

PyObject* sizeReduce(PyObject* self, PyObject*) {
    const Ref items = Ref::steal(PySequence_List(self));
    if (!items) return nullptr;
    return Py_BuildValue("O(N)", reinterpret_cast<PyObject*>(theSizeType), PyList_AsTuple(items.get()));
}

PyMethodDef sizeMethods[] = {{"numel", numel, METH_NOARGS, "The product of the sizes."},
                             {"__reduce__", sizeReduce, METH_NOARGS, nullptr},
                             {nullptr, nullptr, 0, nullptr}};
PyType_Slot sizeSlots[] = {{Py_tp_new, reinterpret_cast<void*>(newSize)},
                           {Py_tp_repr, reinterpret_cast<void*>(sizeRepr)},
                           {Py_mp_subscript, reinterpret_cast<void*>(sizeSubscript)},
                           {Py_sq_concat, reinterpret_cast<void*>(sizeConcat)},
                           {Py_sq_repeat, reinterpret_cast<void*>(sizeRepeat)},
                           {Py_tp_methods, sizeMethods},
                           {0, nullptr}};
PyType_Spec sizeSpec = {"torch.Size", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, sizeSlots};

} // namespace

PyTypeObject* sizeType() {
    return theSizeType;
}

PyObject* wrapSize(const symbolic::SymInts& sizes) {
    const auto count = static_cast<Py_ssize_t>(sizes.size());
    const Ref size = Ref::steal(check(theSizeType->tp_alloc(theSizeType, count)));
    for (Py_ssize_t i = 0; i < count; ++i)
        PyTuple_SET_ITEM(size.get(), i, check(wrapSymInt(sizes[static_cast<std::size_t>(i)])));
    return Ref(size).release();
}

void addSize(PyObject* module) {
    const Ref bases = Ref::steal(check(PyTuple_Pack(1, reinterpret_cast<PyObject*>(&PyTuple_Type))));
    theSizeType = addType(module, &sizeSpec, bases.get());
}

} // namespace strata::python
