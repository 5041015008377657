// A captured graph as the Python torch.fx.GraphModule that a backend of the user gets.
#include "engine/python/Signature.h"
#include "engine/python/Types.h"

#include <map>

namespace strata::python {

namespace {

class Builder {
public:
    Builder() {
        const Ref module = Ref::steal(check(PyImport_ImportModule("torch.fx")));
        m_fx = module;
        m_graph = Ref::steal(check(PyObject_CallMethod(module.get(), "Graph", nullptr)));
    }

    PyObject* build(const fx::Graph& graph) {
        for (const auto& node : graph.nodes()) m_nodes[node.get()] = add(*node);
        const Ref root = Ref::steal(check(PyDict_New()));
        return PyObject_CallMethod(m_fx.get(), "GraphModule", "OO", root.get(), m_graph.get());
    }

private:
    Ref add(const fx::Node& node) {
        const Ref args = tuple(node.args);
        const Ref kwargs = dict(node.kwargs);
        const Ref target = targetOf(node);
        const Ref made = Ref::steal(
            check(PyObject_CallMethod(m_graph.get(), "create_node", "sOOOs", std::string(fx::name(node.op)).c_str(),
                                      target.get(), args.get(), kwargs.get(), node.name.c_str())));
        const Ref meta = Ref::steal(check(PyObject_GetAttrString(made.get(), "meta")));
        if (node.value.defined() || node.isInt) {
            const Ref value = Ref::steal(check(node.isInt ? wrapSymInt(node.intValue) : wrap(node.value)));
            check(PyDict_SetItemString(meta.get(), "example_value", value.get()));
        }
        if (!node.file.empty()) {
            const Ref place =
                Ref::steal(check(PyUnicode_FromFormat("  File \"%s\", line %d", node.file.c_str(), node.line)));
            check(PyDict_SetItemString(meta.get(), "stack_trace", place.get()));
        }
        return made;
    }

    Ref targetOf(const fx::Node& node) {
        if (node.op == fx::Opcode::CallFunction && node.callable)
            return Ref::borrow(static_cast<PyObject*>(node.callable.get()));
        if (node.op == fx::Opcode::CallFunction)
            return Ref::steal(check(PyObject_CallMethod(m_fx.get(), "_function_named", "s", node.target.c_str())));
        const std::string& target = node.target.empty() ? node.name : node.target;
        return Ref::steal(check(PyUnicode_FromStringAndSize(target.data(), static_cast<Py_ssize_t>(target.size()))));
    }

    Ref tuple(const fx::ArgList& items) {
        const Ref result = Ref::steal(check(PyTuple_New(static_cast<Py_ssize_t>(items.size()))));
        for (std::size_t i = 0; i < items.size(); ++i)
            PyTuple_SET_ITEM(result.get(), static_cast<Py_ssize_t>(i), value(items[i]).release());
        return result;
    }
    Ref dict(const fx::ArgDict& items) {
        const Ref result = Ref::steal(check(PyDict_New()));
        for (const auto& [key, item] : items) check(PyDict_SetItemString(result.get(), key.c_str(), value(item).get()));
        return result;
    }
    Ref value(const fx::Arg& arg) {
        return std::visit([this](const auto& v) { return Ref::steal(check(object(v))); }, arg.value);
    }

    PyObject* object(fx::None) { Py_RETURN_NONE; }
    PyObject* object(fx::Ellipsis) { return Py_NewRef(Py_Ellipsis); }
    PyObject* object(bool v) { return PyBool_FromLong(v); }
    PyObject* object(symbolic::SymInt v) { return wrapSymInt(v); }
    PyObject* object(double v) { return PyFloat_FromDouble(v); }
    PyObject* object(const std::string& v) {
        return PyUnicode_FromStringAndSize(v.data(), static_cast<Py_ssize_t>(v.size()));
    }
    PyObject* object(tensor::DType v) { return wrap(v); }
    PyObject* object(const tensor::Device& v) { return wrap(v); }
    PyObject* object(fx::Node* node) { return Ref(m_nodes.at(node)).release(); }
    PyObject* object(const fx::Tuple& v) { return tuple(v.items).release(); }
    PyObject* object(const fx::List& v) { return PySequence_List(tuple(v.items).get()); }
    PyObject* object(const fx::Dict& v) { return dict(v.items).release(); }
    PyObject* object(const fx::Slice& v) {
        const Ref parts = tuple(*v.parts);
        const auto at = [&](Py_ssize_t i) {
            return i < PyTuple_GET_SIZE(parts.get()) ? PyTuple_GET_ITEM(parts.get(), i) : nullptr;
        };
        return PySlice_New(at(0), at(1), at(2));
    }

    Ref m_fx, m_graph;
    std::map<const fx::Node*, Ref> m_nodes;
};

} // namespace

PyObject* graphModule(const std::shared_ptr<fx::Graph>& graph) {
    return guarded([&] { return Builder().build(*graph); });
}

} // namespace strata::python
