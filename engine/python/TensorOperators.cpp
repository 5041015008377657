// +, -, [], ==, bool() and the like of torch.Tensor. An operand that no overload takes gives NotImplemented, so that
// Python tries the other side, and says what PyTorch says when neither works.
#include "engine/eager/Dispatcher.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using tensor::Tensor;

PyObject* orNotImplemented(PyObject* result) {
    if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return result;
    PyErr_Clear();
    Py_RETURN_NOTIMPLEMENTED;
}

// A group by name, looked up at the first use of each call site.
#define STRATA_GROUP(name)                                                                                             \
    []() -> const OpGroup& {                                                                                           \
        static const OpGroup& group = groupOf(name);                                                                   \
        return group;                                                                                                  \
    }()

PyObject* method(const OpGroup& group, PyObject* self, PyObject* other) {
    return orNotImplemented(invoke(group, self, &other, 1, nullptr));
}
PyObject* function(const OpGroup& group, PyObject* a, PyObject* b) {
    PyObject* const args[] = {a, b};
    return orNotImplemented(invoke(group, nullptr, args, 2, nullptr));
}
PyObject* unary(const OpGroup& group, PyObject* self) {
    return invoke(group, self, nullptr, 0, nullptr);
}

// self op other, and other op self where only the right side is a tensor.
#define STRATA_BINARY(slot, name, reflected)                                                                           \
    PyObject* slot(PyObject* a, PyObject* b) {                                                                         \
        return guarded([&]() -> PyObject* {                                                                            \
            if (isTensor(a)) return method(STRATA_GROUP(name), a, b);                                                  \
            return reflected;                                                                                          \
        });                                                                                                            \
    }
STRATA_BINARY(add, "add", method(STRATA_GROUP("add"), b, a))
STRATA_BINARY(subtract, "sub", method(STRATA_GROUP("rsub"), b, a))
STRATA_BINARY(multiply, "mul", method(STRATA_GROUP("mul"), b, a))
STRATA_BINARY(floorDivide, "floor_divide", function(STRATA_GROUP("floor_divide"), a, b))
STRATA_BINARY(remainder, "remainder", function(STRATA_GROUP("remainder"), a, b))
STRATA_BINARY(matrixMultiply, "matmul", function(STRATA_GROUP("matmul"), a, b))
STRATA_BINARY(bitAnd, "bitwise_and", method(STRATA_GROUP("bitwise_and"), b, a))
STRATA_BINARY(bitOr, "bitwise_or", method(STRATA_GROUP("bitwise_or"), b, a))
STRATA_BINARY(bitXor, "bitwise_xor", method(STRATA_GROUP("bitwise_xor"), b, a))
STRATA_BINARY(leftShift, "bitwise_left_shift", function(STRATA_GROUP("bitwise_left_shift"), a, b))
STRATA_BINARY(rightShift, "bitwise_right_shift", function(STRATA_GROUP("bitwise_right_shift"), a, b))
#undef STRATA_BINARY

// other / self is self.reciprocal() * other.
PyObject* trueDivide(PyObject* a, PyObject* b) {
    return guarded([&]() -> PyObject* {
        if (isTensor(a)) return method(STRATA_GROUP("div"), a, b);
        ops::Scalar number;
        if (!toNumber(a, number)) Py_RETURN_NOTIMPLEMENTED;
        const Ref reciprocal = Ref::steal(check(unary(STRATA_GROUP("reciprocal"), b)));
        return method(STRATA_GROUP("mul"), reciprocal.get(), a);
    });
}

PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
    return guarded([&]() -> PyObject* {
        if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
        return isTensor(a) ? method(STRATA_GROUP("pow"), a, b) : function(STRATA_GROUP("pow"), a, b);
    });
}

#define STRATA_IN_PLACE(slot, name)                                                                                    \
    PyObject* slot(PyObject* a, PyObject* b) {                                                                         \
        return guarded([&]() -> PyObject* { return method(STRATA_GROUP(name), a, b); });                               \
    }
STRATA_IN_PLACE(addInPlace, "add_")
STRATA_IN_PLACE(subtractInPlace, "sub_")
STRATA_IN_PLACE(multiplyInPlace, "mul_")
STRATA_IN_PLACE(divideInPlace, "div_")
STRATA_IN_PLACE(floorDivideInPlace, "floor_divide_")
STRATA_IN_PLACE(remainderInPlace, "remainder_")
STRATA_IN_PLACE(andInPlace, "bitwise_and_")
STRATA_IN_PLACE(orInPlace, "bitwise_or_")
STRATA_IN_PLACE(xorInPlace, "bitwise_xor_")
#undef STRATA_IN_PLACE

PyObject* powerInPlace(PyObject* a, PyObject* b, PyObject*) {
    return guarded([&]() -> PyObject* { return method(STRATA_GROUP("pow_"), a, b); });
}

PyObject* negative(PyObject* self) {
    return guarded([&]() -> PyObject* { return unary(STRATA_GROUP("neg"), self); });
}
PyObject* positive(PyObject* self) {
    return Py_NewRef(self);
}
PyObject* absolute(PyObject* self) {
    return guarded([&]() -> PyObject* { return unary(STRATA_GROUP("abs"), self); });
}
PyObject* invert(PyObject* self) {
    return guarded([&]() -> PyObject* {
        if (tensor::isFloating(tensorOf(self).dtype()))
            throw Error(ErrorKind::Type, "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
        return unary(STRATA_GROUP("bitwise_not"), self);
    });
}

PyObject* compare(PyObject* a, PyObject* b, int op) {
    return guarded([&]() -> PyObject* {
        switch (op) {
        case Py_EQ:
            return method(STRATA_GROUP("eq"), a, b);
        case Py_NE:
            return method(STRATA_GROUP("ne"), a, b);
        case Py_LT:
            return method(STRATA_GROUP("lt"), a, b);
        case Py_LE:
            return method(STRATA_GROUP("le"), a, b);
        case Py_GT:
            return method(STRATA_GROUP("gt"), a, b);
        default:
            return method(STRATA_GROUP("ge"), a, b);
        }
    });
}

int truth(PyObject* self) {
    const Ref item = Ref::steal(guarded([&]() -> PyObject* {
        const symbolic::SymInt count = tensorOf(self).numel();
        if (symbolic::equal(count, 0)) throw Error("Boolean value of Tensor with no values is ambiguous");
        if (!symbolic::equal(count, 1)) throw Error("Boolean value of Tensor with more than one value is ambiguous");
        return itemOf(tensorOf(self));
    }));
    return item ? PyObject_IsTrue(item.get()) : -1;
}

PyObject* single(PyObject* self) {
    if (!symbolic::equal(tensorOf(self).numel(), 1))
        throw Error(ErrorKind::Value, "only one element tensors can be converted to Python scalars");
    return itemOf(tensorOf(self));
}
PyObject* asLong(PyObject* self) {
    return guarded([&]() -> PyObject* {
        const Ref item = Ref::steal(check(single(self)));
        return PyNumber_Long(item.get());
    });
}
PyObject* asFloat(PyObject* self) {
    return guarded([&]() -> PyObject* {
        const Ref item = Ref::steal(check(single(self)));
        return PyNumber_Float(item.get());
    });
}
PyObject* asIndex(PyObject* self) {
    return guarded([&]() -> PyObject* {
        const Tensor& tensor = tensorOf(self);
        if (!tensor::isIntegral(tensor.dtype(), true) || !symbolic::equal(tensor.numel(), 1))
            throw Error(ErrorKind::Type, "only integer tensors of a single element can be converted to an index");
        const Ref item = Ref::steal(check(itemOf(tensor)));
        return PyNumber_Long(item.get());
    });
}

Py_ssize_t length(PyObject* self) {
    const Ref size = Ref::steal(guarded([&]() -> PyObject* {
        const Tensor& tensor = tensorOf(self);
        if (tensor.dim() == 0) throw Error(ErrorKind::Type, "len() of a 0-d tensor");
        return PyLong_FromLongLong(symbolic::toInt(tensor.sizes()[0]));
    }));
    return size ? PyLong_AsSsize_t(size.get()) : -1;
}

PyObject* iterate(PyObject* self) {
    return guarded([&]() -> PyObject* {
        if (tensorOf(self).dim() == 0) throw Error(ErrorKind::Type, "iteration over a 0-d tensor");
        const Ref parts = Ref::steal(check(unary(STRATA_GROUP("unbind"), self)));
        return PyObject_GetIter(parts.get());
    });
}

// (element == self).any()
int contains(PyObject* self, PyObject* element) {
    ops::Scalar number;
    const Ref found = Ref::steal(guarded([&]() -> PyObject* {
        if (!isTensor(element) && !toNumber(element, number))
            throw Error("Tensor.__contains__ only supports Tensor or scalar, but you passed in a " + typeName(element) +
                        ".");
        const Ref equal = Ref::steal(check(PyObject_RichCompare(self, element, Py_EQ)));
        const Ref any = Ref::steal(check(unary(STRATA_GROUP("any"), equal.get())));
        return itemOf(tensorOf(any.get()));
    }));
    return found ? PyObject_IsTrue(found.get()) : -1;
}

template <class F> PyType_Slot slot(int id, F* function) {
    return {id, reinterpret_cast<void*>(function)};
}

} // namespace

PyObject* itemOf(const Tensor& tensor) {
    static const ops::OpDef& op = ops::get("aten._local_scalar_dense.default");
    return wrap(callOp(op, {tensor}));
}

std::vector<PyType_Slot> tensorOperators() {
    return {slot(Py_nb_add, add),
            slot(Py_nb_subtract, subtract),
            slot(Py_nb_multiply, multiply),
            slot(Py_nb_true_divide, trueDivide),
            slot(Py_nb_floor_divide, floorDivide),
            slot(Py_nb_remainder, remainder),
            slot(Py_nb_power, power),
            slot(Py_nb_matrix_multiply, matrixMultiply),
            slot(Py_nb_and, bitAnd),
            slot(Py_nb_or, bitOr),
            slot(Py_nb_xor, bitXor),
            slot(Py_nb_lshift, leftShift),
            slot(Py_nb_rshift, rightShift),
            slot(Py_nb_inplace_add, addInPlace),
            slot(Py_nb_inplace_subtract, subtractInPlace),
            slot(Py_nb_inplace_multiply, multiplyInPlace),
            slot(Py_nb_inplace_true_divide, divideInPlace),
            slot(Py_nb_inplace_floor_divide, floorDivideInPlace),
            slot(Py_nb_inplace_remainder, remainderInPlace),
            slot(Py_nb_inplace_power, powerInPlace),
            slot(Py_nb_inplace_and, andInPlace),
            slot(Py_nb_inplace_or, orInPlace),
            slot(Py_nb_inplace_xor, xorInPlace),
            slot(Py_nb_negative, negative),
            slot(Py_nb_positive, positive),
            slot(Py_nb_absolute, absolute),
            slot(Py_nb_invert, invert),
            slot(Py_nb_bool, truth),
            slot(Py_nb_int, asLong),
            slot(Py_nb_float, asFloat),
            slot(Py_nb_index, asIndex),
            slot(Py_tp_richcompare, compare),
            slot(Py_tp_iter, iterate),
            slot(Py_sq_contains, contains),
            slot(Py_mp_length, length),
            slot(Py_mp_subscript, getItem),
            slot(Py_mp_ass_subscript, setItem)};
}

} // namespace strata::python
