// The words of PyTorch's TypeErrors.
#include "engine/python/Arguments.h"
#include "engine/python/Conversion.h"
#include "engine/support/Error.h"

namespace strata::python {

namespace {

using ops::Param;
using ops::TypeName;
using ops::Value;
using support::Error;
using support::ErrorKind;

const char* typeText(TypeName type) {
    switch (type) {
    case TypeName::Tensor:
        return "Tensor";
    case TypeName::Tensors:
        return "tuple of Tensors";
    case TypeName::Int:
        return "int";
    case TypeName::Ints:
        return "tuple of ints";
    case TypeName::Float:
        return "float";
    case TypeName::Bool:
        return "bool";
    case TypeName::Scalar:
        return "Number";
    case TypeName::DType:
        return "torch.dtype";
    case TypeName::Device:
        return "torch.device";
    case TypeName::String:
        return "str";
    case TypeName::Bools:
        return "tuple of bools";
    case TypeName::Floats:
        return "tuple of floats";
    }
    return "";
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
    const bool spread =
        signature.positional - (site.self ? 1 : 0) == 1 &&
        signature.params[static_cast<std::size_t>(signature.positional - 1)].param->type == TypeName::Ints;
    return given >= least && (spread || given <= static_cast<Py_ssize_t>(signature.params.size()));
}

} // namespace

std::string wrongType(const Signature& signature, const CallSite& site, std::size_t at, PyObject* object,
                      Py_ssize_t from, Py_ssize_t badItem) {
    const Signature::Parameter& parameter = signature.params[at];
    std::string message = signature.op->schema.name + "(): argument '" + text(parameter.name) + "'";
    if (badItem >= 0) {
        PyObject* item = isSequence(object) ? PySequence_Fast_ITEMS(object)[badItem] : site.args[badItem];
        if (parameter.param->type == TypeName::Tensors && badItem > 0)
            return "expected Tensor as element " + std::to_string(badItem) + " in argument " + std::to_string(at) +
                   ", but got " + typeName(item);
        if (parameter.param->type == TypeName::Tensors)
            return message + " must be tuple of Tensors, but found element of type " + typeName(item) + " at pos " +
                   std::to_string(badItem);
        return message + " failed to unpack the object at pos " + std::to_string(badItem + 1) +
               " with error \"type must be tuple of ints,but got " + typeName(item) + "\"";
    }
    if (from >= 0 && from < site.nargs) message += " (position " + std::to_string(from + 1) + ")";
    return message + " must be " + typeText(parameter.param->type) + ", not " + typeName(object);
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
    std::string message = group.name + "() received an invalid combination of arguments - got " +
                          argumentsText(site, {}) + ", but expected one of:\n";
    for (const Signature& signature : group.signatures) {
        message += " * " + signatureText(signature, site.self != nullptr) + "\n";
        Mismatch why;
        Arguments ignored;
        if (!ignored.take(signature, site, &why) && why.badType)
            message += "      didn't match because some of the arguments have invalid types: " +
                       argumentsText(site, why.invalid) + "\n";
    }
    throw Error(ErrorKind::Type, message);
}

} // namespace strata::python
