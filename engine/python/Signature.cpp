#include "engine/python/Signature.h"

#include "engine/eager/Autograd.h"
#include "engine/eager/Dispatcher.h"
#include "engine/ops/Generator.h"
#include "engine/python/Arguments.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <structmember.h>

namespace strata::python {

namespace {

using ops::OpDef;
using ops::TypeName;
using support::Error;
using support::ErrorKind;

// Ops whose Tensor arguments may be Python numbers (should_allow_numbers_as_tensors of PyTorch).
bool allowsNumbersAsTensors(std::string name) {
    if (name.ends_with("_")) name.pop_back();
    static const std::set<std::string> names = {"add",      "div",         "divide",       "mul",  "multiply", "sub",
                                                "subtract", "true_divide", "floor_divide", "copy", "_to_copy", "rsub"};
    return names.count(name) > 0;
}

PyObject* interned(const char* name) {
    return check(PyUnicode_InternFromString(name));
}

// PyTorch's bindings leave these out: the Tensor overload takes the number.
bool isCoveredByTensorOverload(const OpDef& op) {
    return allowsNumbersAsTensors(op.schema.name) && op.schema.overload.starts_with("Scalar") &&
           ops::find("aten." + op.schema.name + ".Tensor" + op.schema.overload.substr(6));
}

// The names in "-> (Tensor values, Tensor indices)"; empty unless every result has one.
std::vector<std::string> resultNames(const std::string& schema) {
    const std::size_t arrow = schema.rfind("->");
    const std::size_t open = arrow == std::string::npos ? arrow : schema.find('(', arrow);
    if (open == std::string::npos || schema.back() != ')') return {};
    std::vector<std::string> names;
    std::string part;
    for (const char c : schema.substr(open + 1)) {
        if (c != ',' && c != ')') {
            part += c;
            continue;
        }
        const std::size_t begin = part.find_first_not_of(' ');
        const std::size_t space = begin == std::string::npos ? begin : part.find(' ', begin);
        if (space == std::string::npos) return {};
        names.push_back(part.substr(space + 1));
        part.clear();
    }
    return names;
}

// Each field on a line of its own, as PyTorch prints them.
PyObject* resultRepr(PyObject* self) {
    return guarded([&]() -> PyObject* {
        std::string result = std::string(Py_TYPE(self)->tp_name) + "(";
        const PyMemberDef* field = Py_TYPE(self)->tp_members;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) {
            const Ref item = Ref::steal(check(PyObject_Repr(PyTuple_GET_ITEM(self, i))));
            result += (i ? ",\n" : "\n") + std::string(field[i].name) + "=" + text(item.get());
        }
        return PyUnicode_FromString((result + ")").c_str());
    });
}

// One type a name of op: torch.return_types.max.
PyTypeObject* resultType(const OpDef& op) {
    static auto* const types = new std::map<std::string, PyTypeObject*>;
    static auto* const texts = new std::vector<std::unique_ptr<std::string>>; // structseq keeps pointers to names
    const std::vector<std::string> names = resultNames(op.schema.text);
    if (names.empty()) return nullptr;
    if (const auto it = types->find(op.schema.name); it != types->end()) return it->second;
    const auto keep = [](const std::string& text) {
        return texts->emplace_back(std::make_unique<std::string>(text))->c_str();
    };
    auto* const fields = new std::vector<PyStructSequence_Field>;
    for (const std::string& name : names) fields->push_back({keep(name), nullptr});
    fields->push_back({nullptr, nullptr});
    PyStructSequence_Desc description = {keep("torch.return_types." + op.schema.name), nullptr, fields->data(),
                                         static_cast<int>(names.size())};
    PyTypeObject* type = PyStructSequence_NewType(&description);
    if (!type) throw PythonError{};
    type->tp_repr = resultRepr;
    return (*types)[op.schema.name] = type;
}

// Overloads with Tensor parameters come before those with numbers: a 0-dim tensor would pass for a number.
int numberParameters(const Signature& signature) {
    int count = 0;
    for (Py_ssize_t i = 0; i < signature.positional; ++i)
        count += signature.params[static_cast<std::size_t>(i)].param->type == TypeName::Scalar ? 1 : 0;
    return count;
}

PyObject* namedResult(const Signature& signature, const ops::Values& values) {
    const Ref result = Ref::steal(check(PyStructSequence_New(signature.result)));
    for (std::size_t i = 0; i < values.size(); ++i)
        PyStructSequence_SET_ITEM(result.get(), static_cast<Py_ssize_t>(i), check(wrap(values[i])));
    return Ref(result).release();
}

PyObject* call(const Signature& signature, Arguments& arguments) {
    std::optional<ops::GeneratorScope> scope;
    if (arguments.generator) scope.emplace(*arguments.generator);
    ops::Values results = eager::Dispatcher::instance().call(*signature.op, std::move(arguments.values));
    if (arguments.requiresGrad) eager::setRequiresGrad(results.at(0).tensor(), true);
    return signature.result && results.size() > 1 ? namedResult(signature, results) : wrap(results);
}

} // namespace

Signature signatureOf(const OpDef& op, bool aten) {
    Signature signature;
    signature.op = &op;
    const bool numbers = allowsNumbersAsTensors(op.schema.name);
    bool makesTensor = false;
    for (const ops::Param& param : op.schema.params) {
        Signature::Parameter& added = signature.params.emplace_back();
        const bool isSelf = param.name == "self";
        added.param = &param;
        added.name = interned(isSelf && !aten ? "input" : param.name.c_str());
        if (isSelf) added.aliases = {interned("x"), interned("a"), interned("x1")};
        if (param.name == "other") added.aliases = {interned("x2")};
        if (param.name == "dim") added.aliases = {interned("axis")};
        if (param.name == "keepdim") added.aliases = {interned("keepdims")};
        added.takesNumbers = numbers && param.type == TypeName::Tensor;
        if (!param.keywordOnly) ++signature.positional;
        makesTensor = makesTensor || (param.keywordOnly && param.name == "pin_memory");
    }
    signature.factory = makesTensor && op.schema.name != "_to_copy";
    signature.result = resultType(op);
    return signature;
}

const OpGroup* findGroup(const std::string& name) {
    static auto* const groups = new std::map<std::string, OpGroup*>;
    if (const auto it = groups->find(name); it != groups->end()) return it->second;
    const std::vector<const OpDef*> overloads = ops::overloads(name);
    if (overloads.empty()) return nullptr;
    auto* group = new OpGroup{name, {}};
    for (const OpDef* op : overloads)
        if (!isCoveredByTensorOverload(*op)) group->signatures.push_back(signatureOf(*op));
    std::stable_sort(group->signatures.begin(), group->signatures.end(),
                     [](const Signature& a, const Signature& b) { return numberParameters(a) < numberParameters(b); });
    return (*groups)[name] = group;
}

const OpGroup& groupOf(const std::string& name) {
    if (const OpGroup* group = findGroup(name)) return *group;
    throw Error(ErrorKind::NotImplemented, "There is no operator aten." + name);
}

ops::Values callOp(const OpDef& op, ops::Values args) {
    for (std::size_t i = args.size(); i < op.schema.params.size(); ++i)
        args.push_back(op.schema.params[i].defaultValue);
    return eager::Dispatcher::instance().call(op, std::move(args));
}

PyObject* invoke(const OpGroup& group, PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                 PyObject* keywords) noexcept {
    return guarded([&]() -> PyObject* {
        const CallSite site{self, args, nargs, keywords};
        for (const Signature& signature : group.signatures) {
            Arguments arguments;
            if (arguments.take(signature, site, nullptr)) return call(signature, arguments);
        }
        refuse(group, site);
    });
}

} // namespace strata::python
