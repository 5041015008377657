#include "engine/python/Arguments.h"

#include "engine/eager/Autograd.h"
#include "engine/support/Error.h"

#include <array>

namespace strata::python {

namespace {

using ops::Param;
using ops::Scalar;
using ops::TypeName;
using ops::Value;
using support::Error;
using support::ErrorKind;
using symbolic::SymInt;
using symbolic::SymInts;

constexpr std::size_t maxParameters = 24;

const char* typeText(TypeName type) {
    switch (type) {
    case TypeName::Tensor: return "Tensor";
    case TypeName::Tensors: return "tuple of Tensors";
    case TypeName::Int: return "int";
    case TypeName::Ints: return "tuple of ints";
    case TypeName::Float: return "float";
    case TypeName::Bool: return "bool";
    case TypeName::Scalar: return "Number";
    case TypeName::DType: return "torch.dtype";
    case TypeName::Device: return "torch.device";
    case TypeName::String: return "str";
    case TypeName::Bools: return "tuple of bools";
    case TypeName::Floats: return "tuple of floats";
    }
    return "";
}

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

// A failed item leaves its position in `badItem`.
bool toIntegers(PyObject* const* items, Py_ssize_t count, SymInts& values, Py_ssize_t& badItem) {
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

bool isSequence(PyObject* object) { return PyTuple_Check(object) || PyList_Check(object); }

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
        case TypeName::Tensor: return tensor();
        case TypeName::Tensors: return tensors();
        case TypeName::Int: return integer();
        case TypeName::Ints: return integers();
        case TypeName::Float: return floating();
        case TypeName::Bool: return boolean();
        case TypeName::Scalar: return scalar();
        case TypeName::DType: return dtype();
        case TypeName::Device: return device();
        case TypeName::String: return string();
        case TypeName::Bools: return booleans();
        case TypeName::Floats: return floats();
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
            if (!toIntegers(PySequence_Fast_ITEMS(m_object), PySequence_Fast_GET_SIZE(m_object), values, badItem)) return false;
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
        if (const char* format = formatName(m_object)) m_value = std::string(format);
        else if (PyUnicode_Check(m_object)) m_value = text(m_object);
        else return false;
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

/// Which argument each parameter gets, before any conversion.
class Binder {
public:
    Binder(const Signature& signature, const CallSite& site, Mismatch* why) : m_signature(signature), m_site(site), m_why(why) {}

    std::array<PyObject*, maxParameters> bound{};
    std::array<Py_ssize_t, maxParameters> from{}; // position among the arguments and keywords; -1 self
    PyObject* requiresGrad = nullptr;
    bool spread = false; // f(2, 3) for f((2, 3)): the ints stand one by one

    bool bind() { return m_signature.params.size() <= maxParameters && positional() && keywords() && complete(); }

private:
    Py_ssize_t offset() const { return m_site.self ? 1 : 0; }
    const std::string& name() const { return m_signature.op->schema.name; }

    bool positional() {
        if (m_site.self) {
            bound[0] = m_site.self;
            from[0] = -1;
        }
        const Py_ssize_t room = m_signature.positional - offset();
        if (takesSpread(room)) {
            spread = true;
            bound[static_cast<std::size_t>(offset())] = m_site.args[0];
            from[static_cast<std::size_t>(offset())] = 0;
            return true;
        }
        if (m_site.nargs > room) {
            if (m_why) m_why->message = tooMany(room);
            return false;
        }
        for (Py_ssize_t i = 0; i < m_site.nargs; ++i) {
            const auto at = static_cast<std::size_t>(i + offset());
            bound[at] = m_site.args[i];
            from[at] = i;
        }
        return true;
    }
    // Only where the one positional parameter is an int[] without a stated length.
    bool takesSpread(Py_ssize_t room) const {
        if (room != 1 || m_site.nargs == 0) return false;
        const Param& param = *m_signature.params[static_cast<std::size_t>(offset())].param;
        return param.type == TypeName::Ints && !isSequence(m_site.args[0]) && m_site.args[0] != Py_None &&
               (PyIndex_Check(m_site.args[0]) || isSymInt(m_site.args[0]));
    }
    std::string tooMany(Py_ssize_t room) const {
        const Py_ssize_t takes = room;
        if (m_site.self && m_signature.params.size() == 1)
            return "Tensor." + name() + "() takes no arguments (" + std::to_string(m_site.nargs) + " given)";
        return name() + "() takes " + std::to_string(takes) + " positional argument" + (takes == 1 ? "" : "s") + " but " +
               std::to_string(m_site.nargs) + (m_site.nargs == 1 ? " was given" : " were given");
    }

    bool keywords() {
        for (Py_ssize_t k = 0; k < m_site.keywordCount(); ++k) {
            PyObject* keyword = PyTuple_GET_ITEM(m_site.keywords, k);
            PyObject* value = m_site.args[m_site.nargs + k];
            const std::size_t at = find(keyword);
            if (at == maxParameters) {
                if (m_signature.factory && PyUnicode_CompareWithASCIIString(keyword, "requires_grad") == 0 && PyBool_Check(value)) {
                    requiresGrad = value;
                    continue;
                }
                if (m_why) m_why->message = name() + "() got an unexpected keyword argument '" + text(keyword) + "'";
                return false;
            }
            if (bound[at]) {
                if (m_why) m_why->message = name() + "() got multiple values for argument '" + text(keyword) + "'";
                return false;
            }
            bound[at] = value;
            from[at] = m_site.nargs + k;
        }
        return true;
    }
    std::size_t find(PyObject* keyword) const {
        const auto& params = m_signature.params;
        for (std::size_t i = 0; i < params.size(); ++i)
            if (params[i].name == keyword) return i;
        for (std::size_t i = 0; i < params.size(); ++i) {
            if (PyUnicode_Compare(params[i].name, keyword) == 0) return i;
            for (PyObject* alias : params[i].aliases)
                if (PyUnicode_Compare(alias, keyword) == 0) return i;
        }
        return maxParameters;
    }

    bool complete() {
        std::string missing;
        int count = 0;
        for (std::size_t i = 0; i < m_signature.params.size(); ++i) {
            if (bound[i] || m_signature.params[i].param->hasDefault) continue;
            if (!m_why) return false;
            missing += (count++ ? ", \"" : "\"") + text(m_signature.params[i].name) + "\"";
        }
        if (count == 0) return true;
        m_why->message = name() + "() missing " + std::to_string(count) + " required positional arguments: " + missing;
        return false;
    }

    const Signature& m_signature;
    const CallSite& m_site;
    Mismatch* m_why;
};

std::string wrongType(const Signature& signature, const CallSite& site, std::size_t at, PyObject* object, Py_ssize_t from,
                      Py_ssize_t badItem) {
    const Signature::Parameter& parameter = signature.params[at];
    std::string message = signature.op->schema.name + "(): argument '" + text(parameter.name) + "'";
    if (badItem >= 0) {
        PyObject* item = isSequence(object) ? PySequence_Fast_ITEMS(object)[badItem] : site.args[badItem];
        if (parameter.param->type == TypeName::Tensors && badItem > 0)
            return "expected Tensor as element " + std::to_string(badItem) + " in argument " + std::to_string(at) + ", but got " + typeName(item);
        if (parameter.param->type == TypeName::Tensors)
            return message + " must be tuple of Tensors, but found element of type " + typeName(item) + " at pos " + std::to_string(badItem);
        return message + " failed to unpack the object at pos " + std::to_string(badItem + 1) +
               " with error \"type must be tuple of ints,but got " + typeName(item) + "\"";
    }
    if (from >= 0 && from < site.nargs) message += " (position " + std::to_string(from + 1) + ")";
    return message + " must be " + typeText(parameter.param->type) + ", not " + typeName(object);
}

std::string defaultText(const Param& param) {
    const Value& value = param.defaultValue;
    if (value.isNone()) return "None";
    if (const auto* b = value.as<bool>()) return *b ? "True" : "False";
    if (const auto* s = value.as<std::string>()) return *s;
    const Ref object = Ref::steal(check(wrap(value)));
    const Ref shown = Ref::steal(check(PyObject_Repr(object.get())));
    return text(shown.get());
}

// "(Tensor input, Tensor other, *, Number alpha = 1)"
std::string signatureText(const Signature& signature, bool method) {
    std::string result = "(";
    bool star = false;
    for (std::size_t i = method ? 1 : 0; i < signature.params.size(); ++i) {
        const Param& param = *signature.params[i].param;
        if (result.size() > 1) result += ", ";
        if (param.keywordOnly && !star) {
            result += "*, ";
            star = true;
        }
        result += std::string(typeText(param.type)) + " " + text(signature.params[i].name);
        if (param.hasDefault) result += " = " + defaultText(param);
    }
    if (signature.factory) result += ", bool requires_grad = False";
    return result + ")";
}

std::string argumentsText(const CallSite& site, const std::vector<bool>& invalid) {
    std::string result = "(";
    const Py_ssize_t count = site.nargs + site.keywordCount();
    for (Py_ssize_t i = 0; i < count; ++i) {
        if (i) result += ", ";
        if (i >= site.nargs) result += text(PyTuple_GET_ITEM(site.keywords, i - site.nargs)) + "=";
        const bool wrong = !invalid.empty() && invalid[static_cast<std::size_t>(i)];
        result += (wrong ? "!" : "") + typeName(site.args[i]) + (wrong ? "!" : "");
    }
    return result + ")";
}

// Could the count of arguments be right for this overload?
bool plausible(const Signature& signature, const CallSite& site) {
    const Py_ssize_t given = site.nargs + site.keywordCount() + (site.self ? 1 : 0);
    Py_ssize_t least = 0;
    for (const Signature::Parameter& parameter : signature.params) least += parameter.param->hasDefault ? 0 : 1;
    const bool spread = signature.positional - (site.self ? 1 : 0) == 1 &&
                        signature.params[static_cast<std::size_t>(signature.positional - 1)].param->type == TypeName::Ints;
    return given >= least && (spread || given <= static_cast<Py_ssize_t>(signature.params.size()));
}

} // namespace

bool Arguments::take(const Signature& signature, const CallSite& site, Mismatch* why) {
    Binder binder(signature, site, why);
    if (!binder.bind()) return false;
    const std::size_t count = signature.params.size();
    values.resize(count);
    bool fits = true;
    for (std::size_t i = 0; i < count; ++i) {
        const Signature::Parameter& parameter = signature.params[i];
        if (!binder.bound[i]) {
            values[i] = parameter.param->defaultValue;
            continue;
        }
        Converter converter(parameter, binder.bound[i], values[i]);
        bool converted = false;
        if (binder.spread && static_cast<Py_ssize_t>(i) == (site.self ? 1 : 0)) {
            SymInts ints;
            converted = toIntegers(site.args, site.nargs, ints, converter.badItem);
            values[i] = std::move(ints);
        } else {
            converted = converter.convert();
        }
        if (converted) continue;
        if (!why) return false;
        if (fits) why->message = wrongType(signature, site, i, binder.bound[i], binder.from[i], converter.badItem);
        fits = false;
        why->badType = true;
        why->invalid.resize(static_cast<std::size_t>(site.nargs + site.keywordCount()));
        if (binder.from[i] >= 0) why->invalid[static_cast<std::size_t>(binder.from[i])] = true;
    }
    requiresGrad = binder.requiresGrad == Py_True;
    return fits;
}

void refuse(const OpGroup& group, const CallSite& site) {
    std::vector<const Signature*> candidates;
    for (const Signature& signature : group.signatures)
        if (plausible(signature, site)) candidates.push_back(&signature);
    if (group.signatures.size() == 1) candidates = {&group.signatures[0]};
    if (candidates.size() == 1) {
        Mismatch why;
        Arguments ignored;
        ignored.take(*candidates[0], site, &why);
        throw Error(ErrorKind::Type, why.message);
    }
    std::string message = group.name + "() received an invalid combination of arguments - got " + argumentsText(site, {}) + ", but expected one of:\n";
    for (const Signature& signature : group.signatures) {
        message += " * " + signatureText(signature, site.self != nullptr) + "\n";
        Mismatch why;
        Arguments ignored;
        if (!ignored.take(signature, site, &why) && why.badType)
            message += "      didn't match because some of the arguments have invalid types: " + argumentsText(site, why.invalid) + "\n";
    }
    throw Error(ErrorKind::Type, message);
}

} // namespace strata::python
