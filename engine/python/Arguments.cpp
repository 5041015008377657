#include "engine/python/Arguments.h"

#include "engine/python/Conversion.h"

#include <array>

namespace strata::python {

namespace {

using ops::Param;
using ops::TypeName;
using symbolic::SymInts;

constexpr std::size_t maxParameters = 24;

/// Which argument each parameter gets, before any conversion.
class Binder {
public:
    Binder(const Signature& signature, const CallSite& site, Mismatch* why)
        : m_signature(signature), m_site(site), m_why(why) {}

    std::array<PyObject*, maxParameters> bound{};
    std::array<Py_ssize_t, maxParameters> from{}; // position among the arguments and keywords; -1 self
    PyObject* requiresGrad = nullptr;
    ops::Generator* generator = nullptr;
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
        return name() + "() takes " + std::to_string(takes) + " positional argument" + (takes == 1 ? "" : "s") +
               " but " + std::to_string(m_site.nargs) + (m_site.nargs == 1 ? " was given" : " were given");
    }

    bool keywords() {
        for (Py_ssize_t k = 0; k < m_site.keywordCount(); ++k) {
            PyObject* keyword = PyTuple_GET_ITEM(m_site.keywords, k);
            PyObject* value = m_site.args[m_site.nargs + k];
            const std::size_t at = find(keyword);
            if (at == maxParameters) {
                if (takesOption(keyword, value)) continue;
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
    // What stands in no schema: requires_grad of factories, generator of random ops.
    bool takesOption(PyObject* keyword, PyObject* value) {
        if (m_signature.factory && PyUnicode_CompareWithASCIIString(keyword, "requires_grad") == 0 &&
            PyBool_Check(value)) {
            requiresGrad = value;
            return true;
        }
        if (m_signature.op->kind != ops::Kind::Random || PyUnicode_CompareWithASCIIString(keyword, "generator") != 0)
            return false;
        generator = generatorOf(value);
        return generator || value == Py_None;
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
        Py_ssize_t badItem = -1;
        bool converted = false;
        if (binder.spread && static_cast<Py_ssize_t>(i) == (site.self ? 1 : 0)) {
            SymInts ints;
            converted = convertInts(site.args, site.nargs, ints, badItem);
            values[i] = std::move(ints);
        } else {
            converted = convertArgument(parameter, binder.bound[i], values[i], badItem);
        }
        if (converted) continue;
        if (!why) return false;
        if (fits) why->message = wrongType(signature, site, i, binder.bound[i], binder.from[i], badItem);
        fits = false;
        why->badType = true;
        why->invalid.resize(static_cast<std::size_t>(site.nargs + site.keywordCount()));
        if (binder.from[i] >= 0) why->invalid[static_cast<std::size_t>(binder.from[i])] = true;
    }
    requiresGrad = binder.requiresGrad == Py_True;
    generator = binder.generator;
    return fits;
}

} // namespace strata::python
