#include "engine/python/Conversion.h"

#include "engine/eager/Autograd.h"
#include "engine/support/Error.h"

namespace strata::python {

namespace {

using ops::Param;
using ops::Scalar;
using ops::TypeName;
using ops::Value;
using symbolic::SymInt;
using symbolic::SymInts;

// A 0-dim tensor that needs no gradient stands for its number: its value is read.
bool numberOfTensor(PyObject* object, Scalar& number) {
    if (!isTensor(object)) return false;
    const tensor::Tensor& tensor = tensorOf(object);
    if (tensor.dim() != 0 || eager::requiresGrad(tensor)) return false;
    static const ops::OpDef& item = ops::get("aten._local_scalar_dense.default");
    number = callOp(item, {tensor}).at(0).scalar();
    return true;
}

bool toInteger(PyObject* object, SymInt& value) {
    if (toSymInt(object, value)) return true;
    if (!isTensor(object) || !tensor::isIntegral(tensorOf(object).dtype(), false)) return false;
    Scalar number;
    if (!numberOfTensor(object, number)) return false;
    value = std::get<SymInt>(number);
    return true;
}

class Converter {
public:
    Converter(const Signature::Parameter& parameter, PyObject* object, Value& value)
        : m_parameter(parameter), m_param(*parameter.param), m_object(object), m_value(value) {}

    Py_ssize_t badItem = -1; // of a list: which item does not fit

    bool convert() {
        if (m_object == Py_None && (m_param.optional || (m_param.hasDefault && m_param.defaultValue.isNone()))) {
            m_value = {};
            return true;
        }
        switch (m_param.type) {
        case TypeName::Tensor:
            return tensor();
        case TypeName::Tensors:
            return tensors();
        case TypeName::Int:
            return integer();
        case TypeName::Ints:
            return integers();
        case TypeName::Float:
            return floating();
        case TypeName::Bool:
            return boolean();
        case TypeName::Scalar:
            return scalar();
        case TypeName::DType:
            return dtype();
        case TypeName::Device:
            return device();
        case TypeName::String:
            return string();
        case TypeName::Bools:
            return booleans();
        case TypeName::Floats:
            return floats();
        }
        return false;
    }

private:
    bool tensor() {
        if (isTensor(m_object)) {
            m_value = tensorOf(m_object);
            return true;
        }
        return m_parameter.takesNumbers && number();
    }
    bool number() {
        Scalar number;
        if (!toNumber(m_object, number)) return false;
        m_value = number;
        return true;
    }
    bool scalar() {
        Scalar number;
        if (!toNumber(m_object, number) && !numberOfTensor(m_object, number)) return false;
        m_value = number;
        return true;
    }
    bool tensors() {
        if (!isSequence(m_object)) return false;
        ops::Tensors list;
        PyObject** items = PySequence_Fast_ITEMS(m_object);
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(m_object); ++i) {
            if (!isTensor(items[i]) && !(items[i] == Py_None && m_param.name == "indices")) {
                badItem = i;
                return false;
            }
            list.push_back(items[i] == Py_None ? tensor::Tensor() : tensorOf(items[i]));
        }
        m_value = std::move(list);
        return true;
    }
    bool integer() {
        SymInt value;
        if (!toInteger(m_object, value)) return false;
        m_value = value;
        return true;
    }
    bool integers() {
        SymInts values;
        SymInt one;
        if (isSequence(m_object)) {
            if (!convertInts(PySequence_Fast_ITEMS(m_object), PySequence_Fast_GET_SIZE(m_object), values, badItem))
                return false;
        } else if (m_param.fixedLength > 0 && toInteger(m_object, one)) {
            values.assign(static_cast<std::size_t>(m_param.fixedLength), one);
        } else {
            return false;
        }
        m_value = std::move(values);
        return true;
    }
    bool floating() {
        Scalar number;
        if (!toNumber(m_object, number) && !numberOfTensor(m_object, number)) return false;
        m_value = ops::toDouble(number);
        return true;
    }
    bool boolean() {
        if (!PyBool_Check(m_object)) return false;
        m_value = m_object == Py_True;
        return true;
    }
    bool dtype() {
        tensor::DType dtype;
        if (!toDType(m_object, dtype)) return false;
        m_value = dtype;
        return true;
    }
    bool device() {
        tensor::Device device;
        if (!toDevice(m_object, device)) return false;
        m_value = device;
        return true;
    }
    bool string() {
        if (const char* format = formatName(m_object))
            m_value = std::string(format);
        else if (PyUnicode_Check(m_object))
            m_value = text(m_object);
        else
            return false;
        return true;
    }
    bool booleans() {
        if (!isSequence(m_object)) return false;
        std::vector<bool> values;
        PyObject** items = PySequence_Fast_ITEMS(m_object);
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(m_object); ++i) {
            if (!PyBool_Check(items[i])) return false;
            values.push_back(items[i] == Py_True);
        }
        m_value = std::move(values);
        return true;
    }
    bool floats() {
        if (!isSequence(m_object)) return false;
        std::vector<double> values;
        PyObject** items = PySequence_Fast_ITEMS(m_object);
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(m_object); ++i) {
            Scalar number;
            if (!toNumber(items[i], number)) return false;
            values.push_back(ops::toDouble(number));
        }
        m_value = std::move(values);
        return true;
    }

    const Signature::Parameter& m_parameter;
    const Param& m_param;
    PyObject* m_object;
    Value& m_value;
};

} // namespace

bool convertInts(PyObject* const* items, Py_ssize_t count, SymInts& values, Py_ssize_t& badItem) {
    values.reserve(static_cast<std::size_t>(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
        SymInt value;
        if (!toInteger(items[i], value)) {
            badItem = i;
            return false;
        }
        values.push_back(value);
    }
    return true;
}

bool convertArgument(const Signature::Parameter& parameter, PyObject* object, Value& value, Py_ssize_t& badItem) {
    Converter converter(parameter, object, value);
    const bool fits = converter.convert();
    badItem = converter.badItem;
    return fits;
}

} // namespace strata::python
