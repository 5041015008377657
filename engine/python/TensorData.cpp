// Between Python's nested sequences and tensors: torch.tensor(data), tolist(), and the elements that printing shows.
// Neither way dispatches an op.
#include "engine/ops/DTypePromotion.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"

#include <bit>
#include <cstring>

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using symbolic::SymInt;
using symbolic::SymInts;
using tensor::DType;
using tensor::Tensor;

float halfToFloat(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16, exponent = bits >> 10 & 0x1FU,
                        mantissa = bits & 0x3FFU;
    if (exponent == 0) { // zero or subnormal: mantissa * 2^-24
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
        return sign ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 0xFFU : exponent + 112;
    return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

template <class T> T read(const void* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

PyObject* element(const void* at, DType dtype) {
    switch (dtype) {
    case DType::Bool:
        return PyBool_FromLong(read<std::uint8_t>(at));
    case DType::UInt8:
        return PyLong_FromLong(read<std::uint8_t>(at));
    case DType::Int8:
        return PyLong_FromLong(read<std::int8_t>(at));
    case DType::Int16:
        return PyLong_FromLong(read<std::int16_t>(at));
    case DType::Int32:
        return PyLong_FromLong(read<std::int32_t>(at));
    case DType::Int64:
        return PyLong_FromLongLong(read<std::int64_t>(at));
    case DType::Float16:
        return PyFloat_FromDouble(halfToFloat(read<std::uint16_t>(at)));
    case DType::BFloat16:
        return PyFloat_FromDouble(std::bit_cast<float>(static_cast<std::uint32_t>(read<std::uint16_t>(at)) << 16));
    case DType::Float32:
        return PyFloat_FromDouble(read<float>(at));
    case DType::Float64:
        return PyFloat_FromDouble(read<double>(at));
    }
    return nullptr;
}

class Lister {
public:
    Lister(const Tensor& tensor, std::int64_t edge) : m_tensor(tensor), m_edge(edge) {}
    PyObject* list() { return level(0, static_cast<const char*>(m_tensor.data())); }

private:
    PyObject* level(std::size_t dim, const char* at) {
        if (dim == m_tensor.sizes().size()) return element(at, m_tensor.dtype());
        const std::int64_t size = m_tensor.sizes()[dim].asInt();
        const std::int64_t step =
            m_tensor.strides()[dim].asInt() * static_cast<std::int64_t>(tensor::itemSize(m_tensor.dtype()));
        const bool cut = m_edge >= 0 && size > 2 * m_edge;
        const std::int64_t count = cut ? 2 * m_edge : size;
        const Ref list = Ref::steal(check(PyList_New(count)));
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t index = cut && i >= m_edge ? size - count + i : i;
            PyList_SET_ITEM(list.get(), i, check(level(dim + 1, at + index * step)));
        }
        return Ref(list).release();
    }
    const Tensor& m_tensor;
    std::int64_t m_edge;
};

bool isSequence(PyObject* object) {
    return !PyUnicode_Check(object) && !isTensor(object) && PySequence_Check(object);
}

/// Reads nested sequences: sizes first, from the first item of each level, then the dtype, then the elements.
class Reader {
public:
    explicit Reader(PyObject* data) : m_data(data) {}

    Tensor tensor(const DType* dtype) {
        measure();
        DType chosen = DType::Bool;
        if (dtype)
            chosen = *dtype;
        else if (!infer(m_data, chosen))
            chosen = ops::defaultDType();
        Tensor result = Tensor::empty(m_sizes, chosen);
        m_at = static_cast<char*>(result.data());
        m_dtype = chosen;
        fill(m_data, 0);
        return result;
    }

private:
    void measure() {
        Ref level = Ref::borrow(m_data);
        while (true) {
            if (isTensor(level.get())) {
                for (const SymInt size : tensorOf(level.get()).sizes()) m_sizes.push_back(size);
                return;
            }
            if (!isSequence(level.get())) return;
            const Py_ssize_t length = PySequence_Size(level.get());
            check(static_cast<int>(length < 0 ? -1 : 0));
            m_sizes.push_back(length);
            if (m_sizes.size() > 128)
                throw Error(ErrorKind::Value, "too many dimensions '" + typeName(level.get()) + "'");
            if (length == 0) return;
            level = Ref::steal(check(PySequence_GetItem(level.get(), 0)));
        }
    }

    // The widest category among the elements; false for none at all.
    bool infer(PyObject* object, DType& dtype) {
        if (isTensor(object)) {
            dtype = tensorOf(object).dtype();
            return true;
        }
        if (PyFloat_Check(object))
            dtype = ops::defaultDType();
        else if (PyBool_Check(object))
            dtype = DType::Bool;
        else if (PyLong_Check(object) || isSymInt(object))
            dtype = DType::Int64;
        else if (PyUnicode_Check(object))
            throw Error(ErrorKind::Type, "new(): invalid data type '" + typeName(object) + "'");
        else if (PySequence_Check(object))
            return inferItems(object, dtype);
        else if (PyIndex_Check(object))
            dtype = DType::Int64;
        else
            throw Error("Could not infer dtype of " + typeName(object));
        return true;
    }
    bool inferItems(PyObject* object, DType& dtype) {
        const Ref items = Ref::steal(check(PySequence_Fast(object, "not a sequence")));
        bool any = false;
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
            DType each = DType::Bool;
            if (!infer(PySequence_Fast_GET_ITEM(items.get(), i), each)) continue;
            dtype = any ? tensor::promote(dtype, each) : each;
            any = true;
        }
        return any;
    }

    void fill(PyObject* object, std::size_t dim) {
        if (dim == m_sizes.size()) {
            store(object);
            return;
        }
        if (isTensor(object)) {
            const Ref list = Ref::steal(check(nestedList(tensorOf(object))));
            fill(list.get(), dim);
            return;
        }
        const Ref items = Ref::steal(PySequence_Fast(object, ""));
        if (!items) {
            PyErr_Clear();
            throw Error(ErrorKind::Type, "'" + typeName(object) + "' object is not a sequence");
        }
        const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
        if (count != m_sizes[dim].asInt())
            throw Error(ErrorKind::Value, "expected sequence of length " + m_sizes[dim].str() + " at dim " +
                                              std::to_string(dim) + " (got " + std::to_string(count) + ")");
        for (Py_ssize_t i = 0; i < count; ++i) fill(PySequence_Fast_GET_ITEM(items.get(), i), dim + 1);
    }

    template <class T> void put(T value) {
        std::memcpy(m_at, &value, sizeof value);
        m_at += sizeof value;
    }
    void store(PyObject* object) {
        Ref number = Ref::borrow(object);
        if (isTensor(object)) number = Ref::steal(check(itemOf(tensorOf(object))));
        if (tensor::isFloating(m_dtype)) {
            const double value = PyFloat_AsDouble(number.get());
            if (value == -1.0 && PyErr_Occurred()) throw PythonError{};
            if (m_dtype == DType::Float64)
                put(value);
            else if (m_dtype == DType::Float32)
                put(static_cast<float>(value));
            else
                tensor::throwNotImplemented("tensor", m_dtype);
            return;
        }
        if (m_dtype == DType::Bool) {
            const int value = PyObject_IsTrue(number.get());
            check(value);
            put(static_cast<std::uint8_t>(value));
            return;
        }
        storeInteger(number.get());
    }
    void storeInteger(PyObject* number) {
        // A float given where a dtype asks for integers is cut off, as in PyTorch.
        const Ref whole = Ref::steal(check(PyFloat_Check(number) ? PyNumber_Long(number) : PyNumber_Index(number)));
        const long long value = PyLong_AsLongLong(whole.get());
        if (value == -1 && PyErr_Occurred()) throw PythonError{};
        switch (m_dtype) {
        case DType::Int64:
            return put(static_cast<std::int64_t>(value));
        case DType::Int32:
            return put(static_cast<std::int32_t>(value));
        case DType::Int16:
            return put(static_cast<std::int16_t>(value));
        case DType::Int8:
            return put(static_cast<std::int8_t>(value));
        default:
            return put(static_cast<std::uint8_t>(value));
        }
    }

    PyObject* m_data;
    SymInts m_sizes;
    DType m_dtype = DType::Float32;
    char* m_at = nullptr;
};

} // namespace

PyObject* nestedList(const Tensor& tensor, std::int64_t edge) {
    return Lister(tensor, edge).list();
}

Tensor tensorFromData(PyObject* data, const DType* dtype) {
    return Reader(data).tensor(dtype);
}

} // namespace strata::python
