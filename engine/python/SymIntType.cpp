// torch.SymInt: an integer that tracing keeps as an expression. Arithmetic gives SymInts (plain where the expression
// folds); a comparison asks the ShapeEnv in force, which answers for the traced size and keeps a guard; what needs the
// very number (int(), indexing, hash) specialises.
#include "engine/python/Types.h"

#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <cmath>

namespace strata::python {

namespace {

using symbolic::SymInt;

struct SymIntObject {
    PyObject_HEAD SymInt value;
};

PyTypeObject* theSymIntType = nullptr;

SymInt own(PyObject* self) {
    return reinterpret_cast<SymIntObject*>(self)->value;
}

// An operand of integer arithmetic; bool counts as 0 or 1, as in Python.
bool operand(PyObject* object, SymInt& value) {
    if (PyBool_Check(object)) {
        value = object == Py_True ? 1 : 0;
        return true;
    }
    return toSymInt(object, value);
}

// With a float beside it the result is a float: of the specialised value.
double asDouble(PyObject* object) {
    if (PyFloat_Check(object)) return PyFloat_AS_DOUBLE(object);
    SymInt value;
    operand(object, value);
    return static_cast<double>(symbolic::toInt(value));
}

template <class Exact, class Floating> PyObject* binary(PyObject* a, PyObject* b, Exact exact, Floating floating) {
    return guarded([&]() -> PyObject* {
        SymInt x, y;
        if (operand(a, x) && operand(b, y)) return exact(x, y);
        if (PyFloat_Check(a) || PyFloat_Check(b)) return floating(asDouble(a), asDouble(b));
        Py_RETURN_NOTIMPLEMENTED;
    });
}

PyObject* pythonBinary(PyObject* (*f)(PyObject*, PyObject*), double a, double b) {
    const Ref x = Ref::steal(check(PyFloat_FromDouble(a))), y = Ref::steal(check(PyFloat_FromDouble(b)));
    return f(x.get(), y.get());
}

PyObject* add(PyObject* a, PyObject* b) {
    return binary(
        a, b, [](SymInt x, SymInt y) { return wrapSymInt(x + y); },
        [](double x, double y) { return PyFloat_FromDouble(x + y); });
}
PyObject* subtract(PyObject* a, PyObject* b) {
    return binary(
        a, b, [](SymInt x, SymInt y) { return wrapSymInt(x - y); },
        [](double x, double y) { return PyFloat_FromDouble(x - y); });
}
PyObject* multiply(PyObject* a, PyObject* b) {
    return binary(
        a, b, [](SymInt x, SymInt y) { return wrapSymInt(x * y); },
        [](double x, double y) { return PyFloat_FromDouble(x * y); });
}
PyObject* floorDivide(PyObject* a, PyObject* b) {
    return binary(
        a, b, [](SymInt x, SymInt y) { return wrapSymInt(symbolic::floorDiv(x, y)); },
        [](double x, double y) { return pythonBinary(PyNumber_FloorDivide, x, y); });
}
PyObject* remainder(PyObject* a, PyObject* b) {
    return binary(
        a, b, [](SymInt x, SymInt y) { return wrapSymInt(symbolic::mod(x, y)); },
        [](double x, double y) { return pythonBinary(PyNumber_Remainder, x, y); });
}
PyObject* trueDivide(PyObject* a, PyObject* b) {
    const auto divide = [](double x, double y) { return pythonBinary(PyNumber_TrueDivide, x, y); };
    return binary(
        a, b,
        [&](SymInt x, SymInt y) {
            return divide(static_cast<double>(symbolic::toInt(x)), static_cast<double>(symbolic::toInt(y)));
        },
        divide);
}
PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
    if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
    const auto plain = [](SymInt x, SymInt y) -> PyObject* {
        const std::int64_t exponent = symbolic::toInt(y);
        if (x.isSymbolic() && exponent >= 0 && exponent <= 16) {
            SymInt result = 1;
            for (std::int64_t i = 0; i < exponent; ++i) result = result * x;
            return wrapSymInt(result);
        }
        const Ref base = Ref::steal(check(PyLong_FromLongLong(symbolic::toInt(x))));
        const Ref to = Ref::steal(check(PyLong_FromLongLong(exponent)));
        return PyNumber_Power(base.get(), to.get(), Py_None);
    };
    return binary(a, b, plain, [](double x, double y) { return PyFloat_FromDouble(std::pow(x, y)); });
}
PyObject* divmodPair(PyObject* a, PyObject* b) {
    const Ref quotient = Ref::steal(floorDivide(a, b));
    if (!quotient || quotient.get() == Py_NotImplemented) return Ref(quotient).release();
    const Ref rest = Ref::steal(remainder(a, b));
    return rest ? PyTuple_Pack(2, quotient.get(), rest.get()) : nullptr;
}
PyObject* negative(PyObject* self) {
    return guarded([&] { return wrapSymInt(-own(self)); });
}
PyObject* positive(PyObject* self) {
    return Py_NewRef(self);
}
PyObject* absolute(PyObject* self) {
    return guarded([&] { return wrapSymInt(symbolic::less(own(self), 0) ? -own(self) : own(self)); });
}
int truth(PyObject* self) {
    try {
        return symbolic::equal(own(self), 0) ? 0 : 1;
    } catch (...) {
        setPythonErrorFromCurrentException();
        return -1;
    }
}
PyObject* asLong(PyObject* self) {
    return guarded([&] { return PyLong_FromLongLong(symbolic::toInt(own(self))); });
}
PyObject* asFloat(PyObject* self) {
    return guarded([&] { return PyFloat_FromDouble(static_cast<double>(symbolic::toInt(own(self)))); });
}

PyObject* compare(PyObject* a, PyObject* b, int op) {
    const auto exact = [op](SymInt x, SymInt y) -> PyObject* {
        switch (op) {
        case Py_EQ:
            return PyBool_FromLong(symbolic::equal(x, y));
        case Py_NE:
            return PyBool_FromLong(!symbolic::equal(x, y));
        case Py_LT:
            return PyBool_FromLong(symbolic::less(x, y));
        case Py_LE:
            return PyBool_FromLong(symbolic::lessEqual(x, y));
        case Py_GT:
            return PyBool_FromLong(symbolic::less(y, x));
        default:
            return PyBool_FromLong(symbolic::lessEqual(y, x));
        }
    };
    const auto floating = [op](double x, double y) -> PyObject* {
        const Ref left = Ref::steal(check(PyFloat_FromDouble(x))), right = Ref::steal(check(PyFloat_FromDouble(y)));
        return PyObject_RichCompare(left.get(), right.get(), op);
    };
    return binary(a, b, exact, floating);
}

Py_hash_t hash(PyObject* self) {
    const Ref value = Ref::steal(asLong(self));
    return value ? PyObject_Hash(value.get()) : -1;
}
PyObject* str(PyObject* self) {
    return PyUnicode_FromString(own(self).str().c_str());
}

PyType_Slot symIntSlots[] = {{Py_nb_add, reinterpret_cast<void*>(add)},
                             {Py_nb_subtract, reinterpret_cast<void*>(subtract)},
                             {Py_nb_multiply, reinterpret_cast<void*>(multiply)},
                             {Py_nb_floor_divide, reinterpret_cast<void*>(floorDivide)},
                             {Py_nb_remainder, reinterpret_cast<void*>(remainder)},
                             {Py_nb_true_divide, reinterpret_cast<void*>(trueDivide)},
                             {Py_nb_divmod, reinterpret_cast<void*>(divmodPair)},
                             {Py_nb_power, reinterpret_cast<void*>(power)},
                             {Py_nb_negative, reinterpret_cast<void*>(negative)},
                             {Py_nb_positive, reinterpret_cast<void*>(positive)},
                             {Py_nb_absolute, reinterpret_cast<void*>(absolute)},
                             {Py_nb_bool, reinterpret_cast<void*>(truth)},
                             {Py_nb_int, reinterpret_cast<void*>(asLong)},
                             {Py_nb_index, reinterpret_cast<void*>(asLong)},
                             {Py_nb_float, reinterpret_cast<void*>(asFloat)},
                             {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
                             {Py_tp_hash, reinterpret_cast<void*>(hash)},
                             {Py_tp_repr, reinterpret_cast<void*>(str)},
                             {Py_tp_str, reinterpret_cast<void*>(str)},
                             {0, nullptr}};
PyType_Spec symIntSpec = {"torch.SymInt", sizeof(SymIntObject), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                          symIntSlots};

} // namespace

PyTypeObject* symIntType() {
    return theSymIntType;
}
bool isSymInt(PyObject* object) {
    return Py_IS_TYPE(object, theSymIntType);
}
SymInt symIntOf(PyObject* object) {
    if (isSymInt(object)) return own(object);
    SymInt value;
    if (operand(object, value)) return value;
    throw support::Error(support::ErrorKind::Type, "expected an int, have " + typeName(object));
}
PyObject* wrapSymInt(SymInt value) {
    if (!value.isSymbolic()) return PyLong_FromLongLong(value.asInt());
    PyObject* object = theSymIntType->tp_alloc(theSymIntType, 0);
    if (object) reinterpret_cast<SymIntObject*>(object)->value = value;
    return object;
}

void addSymInt(PyObject* module) {
    theSymIntType = addType(module, &symIntSpec);
}

} // namespace strata::python
