#include "engine/python/Types.h"

#include "engine/support/Error.h"

#include <cstring>

namespace strata::python {

PyTypeObject* addType(PyObject* module, PyType_Spec* spec, PyObject* bases) {
    PyObject* type = check(PyType_FromModuleAndSpec(module, spec, bases));
    const char* dot = std::strrchr(spec->name, '.');
    check(PyModule_AddObjectRef(module, dot ? dot + 1 : spec->name, type));
    return reinterpret_cast<PyTypeObject*>(type); // kept for the life of the process
}

void setModule(PyTypeObject* type, const char* module) {
    const Ref name = Ref::steal(check(PyUnicode_FromString(module)));
    check(PyObject_SetAttrString(reinterpret_cast<PyObject*>(type), "__module__", name.get()));
}

void addFunctions(PyObject* module, PyMethodDef* functions) {
    check(PyModule_AddFunctions(module, functions));
}

bool toSymInt(PyObject* object, symbolic::SymInt& value) {
    if (isSymInt(object)) {
        value = symIntOf(object);
        return true;
    }
    if (PyBool_Check(object)) return false;
    Ref held;
    if (!PyLong_Check(object)) {
        // Tensors have __index__ too; the callers decide about them.
        if (isTensor(object) || !PyIndex_Check(object)) return false;
        held = Ref::steal(check(PyNumber_Index(object)));
        object = held.get();
    }
    int overflow = 0;
    const long long plain = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (plain == -1 && !overflow && PyErr_Occurred()) throw PythonError{};
    if (overflow || symbolic::SymInt(plain).isSymbolic())
        throw support::Error(support::ErrorKind::Overflow, "Overflow when unpacking long long");
    value = plain;
    return true;
}

bool toNumber(PyObject* object, ops::Scalar& value) {
    if (PyFloat_Check(object)) {
        value = PyFloat_AS_DOUBLE(object);
        return true;
    }
    if (PyBool_Check(object)) {
        value = object == Py_True;
        return true;
    }
    symbolic::SymInt integer;
    if (!PyLong_Check(object) && !isSymInt(object)) return false;
    if (!toSymInt(object, integer)) return false;
    value = integer;
    return true;
}

PyObject* wrap(const ops::Scalar& scalar) {
    if (const auto* d = std::get_if<double>(&scalar)) return PyFloat_FromDouble(*d);
    if (const auto* b = std::get_if<bool>(&scalar)) return PyBool_FromLong(*b);
    return wrapSymInt(std::get<symbolic::SymInt>(scalar));
}

PyObject* wrapTuple(const symbolic::SymInts& values) {
    const Ref tuple = Ref::steal(check(PyTuple_New(static_cast<Py_ssize_t>(values.size()))));
    for (std::size_t i = 0; i < values.size(); ++i)
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), check(wrapSymInt(values[i])));
    return Ref(tuple).release();
}

std::string text(PyObject* object) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(object, &size);
    if (!data) throw PythonError{};
    return {data, static_cast<std::size_t>(size)};
}

std::string typeName(PyObject* object) {
    const char* name = Py_TYPE(object)->tp_name;
    const char* dot = std::strrchr(name, '.');
    const std::string last = dot ? dot + 1 : name;
    if (isDType(object) || isDevice(object)) return "torch." + last;
    return last;
}

PyObject* wrap(const ops::Value& value) {
    struct Visitor {
        PyObject* operator()(std::monostate) const { Py_RETURN_NONE; }
        PyObject* operator()(bool v) const { return PyBool_FromLong(v); }
        PyObject* operator()(symbolic::SymInt v) const { return wrapSymInt(v); }
        PyObject* operator()(double v) const { return PyFloat_FromDouble(v); }
        PyObject* operator()(const tensor::Tensor& v) const { return wrap(v); }
        PyObject* operator()(const symbolic::SymInts& v) const {
            const Ref list = Ref::steal(check(PyList_New(static_cast<Py_ssize_t>(v.size()))));
            for (std::size_t i = 0; i < v.size(); ++i)
                PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), check(wrapSymInt(v[i])));
            return Ref(list).release();
        }
        PyObject* operator()(const ops::Tensors& v) const {
            const Ref tuple = Ref::steal(check(PyTuple_New(static_cast<Py_ssize_t>(v.size()))));
            for (std::size_t i = 0; i < v.size(); ++i)
                PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), check(wrap(v[i])));
            return Ref(tuple).release();
        }
        PyObject* operator()(const std::vector<double>& v) const {
            const Ref list = Ref::steal(check(PyList_New(static_cast<Py_ssize_t>(v.size()))));
            for (std::size_t i = 0; i < v.size(); ++i)
                PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), check(PyFloat_FromDouble(v[i])));
            return Ref(list).release();
        }
        PyObject* operator()(const std::vector<bool>& v) const {
            const Ref list = Ref::steal(check(PyList_New(static_cast<Py_ssize_t>(v.size()))));
            for (std::size_t i = 0; i < v.size(); ++i)
                PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), PyBool_FromLong(v[i]));
            return Ref(list).release();
        }
        PyObject* operator()(tensor::DType v) const { return wrap(v); }
        PyObject* operator()(const tensor::Device& v) const { return wrap(v); }
        PyObject* operator()(const std::string& v) const {
            return PyUnicode_FromStringAndSize(v.data(), static_cast<Py_ssize_t>(v.size()));
        }
    };
    return std::visit(Visitor{}, value.variant());
}

PyObject* wrap(const ops::Values& values) {
    if (values.empty()) Py_RETURN_NONE;
    if (values.size() == 1) return wrap(values[0]);
    const Ref tuple = Ref::steal(check(PyTuple_New(static_cast<Py_ssize_t>(values.size()))));
    for (std::size_t i = 0; i < values.size(); ++i)
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), check(wrap(values[i])));
    return Ref(tuple).release();
}

namespace {

// A list or tuple: all tensors (or None), all ints, all bools, or all numbers.
bool toListValue(PyObject* object, ops::Value& value) {
    const Ref items = Ref::steal(check(PySequence_Fast(object, "")));
    const auto count = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(items.get()));
    PyObject** item = PySequence_Fast_ITEMS(items.get());
    ops::Tensors tensors;
    symbolic::SymInts ints;
    std::vector<bool> bools;
    std::vector<double> doubles;
    for (std::size_t i = 0; i < count; ++i) {
        ops::Scalar number;
        symbolic::SymInt integer;
        if (isTensor(item[i]))
            tensors.push_back(tensorOf(item[i]));
        else if (item[i] == Py_None)
            tensors.emplace_back();
        else if (PyBool_Check(item[i]))
            bools.push_back(item[i] == Py_True);
        else if (toSymInt(item[i], integer))
            ints.push_back(integer);
        else if (toNumber(item[i], number))
            doubles.push_back(ops::toDouble(number));
        else
            return false;
    }
    if (!doubles.empty() && doubles.size() + ints.size() == count) {
        doubles.clear();
        for (std::size_t i = 0; i < count; ++i) {
            ops::Scalar number;
            toNumber(item[i], number);
            doubles.push_back(ops::toDouble(number));
        }
        value = std::move(doubles);
    } else if (ints.size() == count)
        value = std::move(ints);
    else if (tensors.size() == count)
        value = std::move(tensors);
    else if (bools.size() == count)
        value = std::move(bools);
    else
        return false;
    return true;
}

} // namespace

bool toValue(PyObject* object, ops::Value& value) {
    ops::Scalar number;
    if (object == Py_None)
        value = {};
    else if (isTensor(object))
        value = tensorOf(object);
    else if (toNumber(object, number))
        value = number;
    else if (isDType(object))
        value = dtypeOf(object);
    else if (isDevice(object))
        value = deviceOf(object);
    else if (PyUnicode_Check(object))
        value = text(object);
    else if (const char* format = formatName(object))
        value = std::string(format);
    else if (PyList_Check(object) || PyTuple_Check(object))
        return toListValue(object, value);
    else
        return false;
    return true;
}

} // namespace strata::python
