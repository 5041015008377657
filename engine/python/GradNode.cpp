#include "engine/python/GradNode.h"

#include <map>
#include <new>
#include <unordered_map>

namespace strata::python {

namespace {

struct NodeObject {
    PyObject_HEAD std::shared_ptr<eager::Node> node;
};

PyTypeObject* baseType = nullptr;

// Objects that live, by node; borrowed.
std::unordered_map<const eager::Node*, PyObject*>& objects() {
    static auto* const map = new std::unordered_map<const eager::Node*, PyObject*>;
    return *map;
}

const std::shared_ptr<eager::Node>& own(PyObject* self) {
    return reinterpret_cast<NodeObject*>(self)->node;
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    objects().erase(own(self).get());
    own(self).~shared_ptr();
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* repr(PyObject* self) {
    return PyUnicode_FromFormat("<%s object at %p>", Py_TYPE(self)->tp_name, self);
}

// A leaf's accumulation node goes by its C++ name, as in PyTorch.
PyObject* name(PyObject* self, PyObject*) {
    const std::string& name = own(self)->name;
    return PyUnicode_FromString(name == "AccumulateGrad" ? "torch::autograd::AccumulateGrad" : name.c_str());
}

PyObject* nextFunctions(PyObject* self, void*) {
    return guarded([&]() -> PyObject* {
        const auto& next = own(self)->next;
        const Ref tuple = Ref::steal(check(PyTuple_New(static_cast<Py_ssize_t>(next.size()))));
        for (std::size_t i = 0; i < next.size(); ++i) {
            const Ref node = Ref::steal(check(wrapNode(next[i].node)));
            PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                             check(Py_BuildValue("(Oi)", node.get(), next[i].output)));
        }
        return Ref(tuple).release();
    });
}

PyObject* sequenceNumber(PyObject* self, PyObject*) {
    return PyLong_FromUnsignedLongLong(own(self)->sequence);
}

PyMethodDef methods[] = {{"name", name, METH_NOARGS, "The name of the node."},
                         {"_sequence_nr", sequenceNumber, METH_NOARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyGetSetDef getSet[] = {
    {"next_functions", nextFunctions, nullptr, "The nodes that gradients flow to, with their output numbers.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot baseSlots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                           {Py_tp_repr, reinterpret_cast<void*>(repr)},
                           {Py_tp_methods, methods},
                           {Py_tp_getset, getSet},
                           {0, nullptr}};
constexpr unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION;
PyType_Spec baseSpec = {"torch._C._FunctionBase", sizeof(NodeObject), 0, flags, baseSlots};

PyTypeObject* typeOf(const std::string& name) {
    static auto* const types = new std::map<std::string, PyTypeObject*>;
    const auto [it, added] = types->try_emplace(name, nullptr);
    if (!added) return it->second;
    PyType_Slot slots[] = {{Py_tp_repr, reinterpret_cast<void*>(repr)}, {0, nullptr}};
    const std::string full = "builtins." + name; // PyTorch's are in no module either
    PyType_Spec spec = {full.c_str(), sizeof(NodeObject), 0, flags, slots};
    const Ref bases = Ref::steal(check(PyTuple_Pack(1, reinterpret_cast<PyObject*>(baseType))));
    it->second = reinterpret_cast<PyTypeObject*>(check(PyType_FromSpecWithBases(&spec, bases.get())));
    it->second->tp_name = it->first.c_str();
    return it->second;
}

} // namespace

PyObject* wrapNode(const std::shared_ptr<eager::Node>& node) {
    if (!node) Py_RETURN_NONE;
    if (const auto it = objects().find(node.get()); it != objects().end()) return Py_NewRef(it->second);
    PyTypeObject* type = typeOf(node->name);
    PyObject* self = check(type->tp_alloc(type, 0));
    new (&reinterpret_cast<NodeObject*>(self)->node) std::shared_ptr<eager::Node>(node);
    objects()[node.get()] = self;
    return self;
}

void addGradNodes(PyObject* module) {
    baseType = addType(module, &baseSpec);
}

} // namespace strata::python
