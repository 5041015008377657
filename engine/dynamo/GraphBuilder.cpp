// The part of torch._C._dynamo that makes graphs: torch._dynamo, in Python, decides; nodes, fake tensors, shape
// environments and compiled callables live here.

#include "engine/dynamo/State.h"

#include "engine/eager/Autograd.h"
#include "engine/fx/Printer.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <structmember.h>

namespace strata::dynamo {

namespace {

using python::Ref;
using symbolic::SymInt;
using symbolic::SymInts;

/// A graph under construction, owned by a capsule.
struct Building {
    std::shared_ptr<fx::Graph> graph;
    std::vector<fx::Node*> nodes; // by number
    std::shared_ptr<symbolic::ShapeEnv> env = std::make_shared<symbolic::ShapeEnv>();
};

constexpr const char* capsuleName = "torch._C._dynamo.graph";

Building& building(PyObject* capsule) {
    auto* b = static_cast<Building*>(PyCapsule_GetPointer(capsule, capsuleName));
    if (!b) throw python::PythonError{};
    return *b;
}

[[noreturn]] void raise(PyObject* type, const std::string& message) {
    PyErr_SetString(type, message.c_str());
    throw python::PythonError{};
}

Ref attribute(PyObject* object, const char* name) {
    Ref value = Ref::steal(PyObject_GetAttrString(object, name));
    if (!value) throw python::PythonError{};
    return value;
}

std::string textOf(PyObject* object) {
    const char* text = PyUnicode_AsUTF8(object);
    if (!text) throw python::PythonError{};
    return text;
}

/// A reference to a node is the Python object NodeRef, which has the node's number.
bool isNodeRef(PyObject* object) {
    return std::string_view(Py_TYPE(object)->tp_name) == "NodeRef";
}

fx::Arg toArg(Building& b, PyObject* object);

fx::ArgList toArgs(Building& b, PyObject* sequence) {
    fx::ArgList out;
    const Ref fast = Ref::steal(PySequence_Fast(sequence, "a sequence of arguments"));
    if (!fast) throw python::PythonError{};
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i)
        out.push_back(toArg(b, PySequence_Fast_GET_ITEM(fast.get(), i)));
    return out;
}

fx::ArgDict toDict(Building& b, PyObject* dict) {
    fx::ArgDict out;
    PyObject *key = nullptr, *value = nullptr;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &value)) out.emplace_back(textOf(key), toArg(b, value));
    return out;
}

fx::Arg toArg(Building& b, PyObject* object) {
    if (isNodeRef(object)) return b.nodes.at(PyLong_AsSize_t(attribute(object, "index").get()));
    if (object == Py_None) return fx::None{};
    if (object == Py_Ellipsis) return fx::Ellipsis{};
    if (PyBool_Check(object)) return object == Py_True;
    if (PyLong_Check(object) || python::isSymInt(object)) return python::symIntOf(object);
    if (PyFloat_Check(object)) return PyFloat_AS_DOUBLE(object);
    if (PyUnicode_Check(object)) return textOf(object);
    if (python::isDType(object)) return python::dtypeOf(object);
    if (python::isDevice(object)) return python::deviceOf(object);
    if (PyTuple_Check(object)) return fx::Tuple{toArgs(b, object), PyTuple_CheckExact(object) ? "" : "torch.Size"};
    if (PyList_Check(object)) return fx::List{toArgs(b, object)};
    if (PyDict_Check(object)) return fx::Dict{toDict(b, object)};
    if (PySlice_Check(object)) {
        auto* s = reinterpret_cast<PySliceObject*>(object);
        return fx::Slice{
            std::make_shared<fx::ArgList>(fx::ArgList{toArg(b, s->start), toArg(b, s->stop), toArg(b, s->step)})};
    }
    raise(PyExc_TypeError, std::string("a ") + Py_TYPE(object)->tp_name + " cannot stand in a graph");
}

SymInts intsOf(PyObject* sequence) {
    SymInts out;
    const Ref fast = Ref::steal(PySequence_Fast(sequence, "a sequence of ints"));
    if (!fast) throw python::PythonError{};
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i)
        out.push_back(python::symIntOf(PySequence_Fast_GET_ITEM(fast.get(), i)));
    return out;
}

template <class F> PyObject* method(F&& f) {
    return python::guarded(std::forward<F>(f));
}

PyObject* newGraph(PyObject*, PyObject* title) {
    return method([&] {
        auto* b = new Building{std::make_shared<fx::Graph>(textOf(title))};
        return PyCapsule_New(b, capsuleName, [](PyObject* capsule) {
            delete static_cast<Building*>(PyCapsule_GetPointer(capsule, capsuleName));
        });
    });
}

PyObject* numberOf(Building& b, fx::Node* node) {
    b.nodes.push_back(node);
    return PyLong_FromSize_t(b.nodes.size() - 1);
}

void setFrom(fx::Node& node, PyObject* from) {
    const Ref fast = Ref::steal(PySequence_Fast(from, "a sequence of ids"));
    for (Py_ssize_t i = 0; fast && i < PySequence_Fast_GET_SIZE(fast.get()); ++i)
        node.from.push_back(textOf(PySequence_Fast_GET_ITEM(fast.get(), i)));
}

// placeholder(graph, name, role, value, from): before all calls, after the other placeholders.
PyObject* placeholder(PyObject*, PyObject* args) {
    return method([&]() -> PyObject* {
        PyObject *capsule = nullptr, *value = nullptr, *from = nullptr;
        const char *name = nullptr, *role = nullptr;
        if (!PyArg_ParseTuple(args, "OssOO", &capsule, &name, &role, &value, &from)) return nullptr;
        Building& b = building(capsule);
        fx::Node* firstCall = nullptr;
        for (const auto& node : b.graph->nodes())
            if (node->op != fx::Opcode::Placeholder) {
                firstCall = node.get();
                break;
            }
        b.graph->insertBefore(firstCall);
        fx::Node* node = b.graph->placeholder(name);
        b.graph->insertBefore(nullptr);
        const std::string_view kind(role);
        node->role = kind == "parameter" ? fx::Role::Parameter
                     : kind == "buffer"  ? fx::Role::Buffer
                     : kind == "size"    ? fx::Role::Size
                                         : fx::Role::Input;
        if (python::isTensor(value)) {
            node->value = python::tensorOf(value);
        } else {
            node->isInt = true;
            node->intValue = python::symIntOf(value);
        }
        setFrom(*node, from);
        return numberOf(b, node);
    });
}

// call(graph, op, target, callable, args, kwargs, file, line, from, module)
PyObject* addCall(PyObject*, PyObject* arguments) {
    return method([&]() -> PyObject* {
        PyObject *capsule = nullptr, *callable = nullptr, *args = nullptr, *kwargs = nullptr, *from = nullptr;
        const char *op = nullptr, *target = nullptr, *file = nullptr, *module = nullptr;
        int line = 0;
        if (!PyArg_ParseTuple(arguments, "OssOOOsiOs", &capsule, &op, &target, &callable, &args, &kwargs, &file, &line,
                              &from, &module))
            return nullptr;
        Building& b = building(capsule);
        const fx::Opcode opcode =
            std::string_view(op) == "call_method" ? fx::Opcode::CallMethod : fx::Opcode::CallFunction;
        fx::Node* node = b.graph->call(opcode, target, toArgs(b, args), toDict(b, kwargs));
        if (callable != Py_None) {
            Py_INCREF(callable);
            node->callable = std::shared_ptr<void>(callable, [](void* p) {
                const PyGILState_STATE gil = PyGILState_Ensure();
                Py_DECREF(static_cast<PyObject*>(p));
                PyGILState_Release(gil);
            });
        }
        node->file = file;
        node->line = line;
        node->module = module;
        setFrom(*node, from);
        return numberOf(b, node);
    });
}

// set_value(graph, number, value): what the node gives: a tensor, an int, or a sequence of tensors.
PyObject* setValue(PyObject*, PyObject* args) {
    return method([&]() -> PyObject* {
        PyObject *capsule = nullptr, *value = nullptr;
        Py_ssize_t number = 0;
        if (!PyArg_ParseTuple(args, "OnO", &capsule, &number, &value)) return nullptr;
        fx::Node* node = building(capsule).nodes.at(static_cast<std::size_t>(number));
        if (python::isTensor(value)) {
            node->value = python::tensorOf(value);
        } else if (PyLong_Check(value) || python::isSymInt(value)) {
            node->isInt = true;
            node->intValue = python::symIntOf(value);
        }
        Py_RETURN_NONE;
    });
}

PyObject* erase(PyObject*, PyObject* args) {
    return method([&]() -> PyObject* {
        PyObject* capsule = nullptr;
        Py_ssize_t number = 0;
        if (!PyArg_ParseTuple(args, "On", &capsule, &number)) return nullptr;
        Building& b = building(capsule);
        b.graph->erase(b.nodes.at(static_cast<std::size_t>(number)));
        b.nodes[static_cast<std::size_t>(number)] = nullptr;
        Py_RETURN_NONE;
    });
}

// output(graph, values): ends the graph; calls that nothing uses and that write nothing go. Returns the number of calls
// left.
PyObject* output(PyObject*, PyObject* args) {
    return method([&]() -> PyObject* {
        PyObject *capsule = nullptr, *values = nullptr;
        if (!PyArg_ParseTuple(args, "OO", &capsule, &values)) return nullptr;
        Building& b = building(capsule);
        b.graph->output(fx::Tuple{toArgs(b, values), ""});
        b.graph->eliminateDeadCode([](const fx::Node& node) {
            const bool method =
                node.op == fx::Opcode::CallMethod && node.target.back() == '_' && node.target.rfind("__", 0) != 0;
            return method || node.target == "setitem" ||
                   (node.target.size() > 3 && node.target[0] == 'i' && node.op == fx::Opcode::CallFunction);
        });
        fx::verify(*b.graph);
        return PyLong_FromSize_t(b.graph->callCount());
    });
}

// fake(tensor, sizes, strides): a tensor without data, with the real one's dtype, device and requires_grad.
PyObject* fake(PyObject*, PyObject* args) {
    return method([&]() -> PyObject* {
        PyObject *real = nullptr, *sizes = nullptr, *strides = nullptr;
        if (!PyArg_ParseTuple(args, "OOO", &real, &sizes, &strides)) return nullptr;
        const ops::Tensor& from = python::tensorOf(real);
        const ops::Tensor made = ops::Tensor::fake(intsOf(sizes), intsOf(strides), from.dtype(), from.device());
        if (eager::requiresGrad(from)) eager::setRequiresGrad(made, true);
        return python::wrap(made);
    });
}

// symbol(graph, hint, kind, source, dim): a SymInt, or the int itself for 0 and 1.
PyObject* symbol(PyObject*, PyObject* args) {
    return method([&]() -> PyObject* {
        PyObject* capsule = nullptr;
        long long hint = 0;
        const char *kind = nullptr, *source = nullptr;
        int dim = 0;
        if (!PyArg_ParseTuple(args, "OLssi", &capsule, &hint, &kind, &source, &dim)) return nullptr;
        using Kind = symbolic::SymbolSource::Kind;
        const Kind which = std::string_view(kind) == "int"      ? Kind::Int
                           : std::string_view(kind) == "stride" ? Kind::Stride
                                                                : Kind::Size;
        return python::wrapSymInt(building(capsule).env->create(hint, {which, source, dim}));
    });
}

// Evaluates f() with the graph's shape environment in force, and the hook off.
PyObject* inEnvironment(PyObject*, PyObject* args) {
    return method([&]() -> PyObject* {
        PyObject *capsule = nullptr, *callable = nullptr, *file = nullptr;
        int line = 0;
        if (!PyArg_ParseTuple(args, "OOUi", &capsule, &callable, &file, &line)) return nullptr;
        Building& b = building(capsule);
        b.env->setPlace(textOf(file), line);
        const symbolic::ShapeEnvScope scope(b.env.get());
        return PyObject_CallNoArgs(callable);
    });
}

// [(text, file, line)] of what tracing relied on; symbols() gives [(name, kind, source, dim)].
PyObject* shapeGuards(PyObject*, PyObject* capsule) {
    return method([&]() -> PyObject* {
        Ref out = Ref::steal(PyList_New(0));
        for (const symbolic::ShapeGuard& guard : building(capsule).env->guards()) {
            const Ref item = Ref::steal(Py_BuildValue("(ssi)", guard.str().c_str(), guard.file.c_str(), guard.line));
            PyList_Append(out.get(), item.get());
        }
        return out.release();
    });
}

PyObject* symbols(PyObject*, PyObject* capsule) {
    return method([&]() -> PyObject* {
        static constexpr const char* kinds[] = {"size", "stride", "offset", "int"};
        Ref out = Ref::steal(PyList_New(0));
        for (const auto& [name, source] : building(capsule).env->symbols()) {
            const Ref item = Ref::steal(Py_BuildValue("(sssi)", name.c_str(), kinds[static_cast<int>(source.kind)],
                                                      source.source.c_str(), source.dim));
            PyList_Append(out.get(), item.get());
        }
        return out.release();
    });
}

PyObject* graphText(PyObject*, PyObject* capsule) {
    return method([&] { return PyUnicode_FromString(fx::print(*building(capsule).graph).c_str()); });
}

PyObject* graphModule(PyObject*, PyObject* capsule) {
    return method([&] { return python::graphModule(building(capsule).graph); });
}

PyObject* emitGraph(PyObject*, PyObject* args) {
    return method([&]() -> PyObject* {
        PyObject* capsule = nullptr;
        const char* compile = nullptr;
        if (!PyArg_ParseTuple(args, "Os", &capsule, &compile)) return nullptr;
        if (state().sink) state().sink->write(fx::artifact(*building(capsule).graph, "fx", compile, ""));
        Py_RETURN_NONE;
    });
}

// ---- running a captured graph
// ----------------------------------------------------------------------------------------

Ref toPython(const fx::Arg& arg, const std::map<const fx::Node*, Ref>& values);

Ref toPythonTuple(const fx::ArgList& items, const std::map<const fx::Node*, Ref>& values) {
    Ref out = Ref::steal(PyTuple_New(static_cast<Py_ssize_t>(items.size())));
    for (std::size_t i = 0; i < items.size(); ++i)
        PyTuple_SET_ITEM(out.get(), static_cast<Py_ssize_t>(i), toPython(items[i], values).release());
    return out;
}

Ref toPythonDict(const fx::ArgDict& items, const std::map<const fx::Node*, Ref>& values) {
    Ref out = Ref::steal(PyDict_New());
    for (const auto& [key, item] : items) PyDict_SetItemString(out.get(), key.c_str(), toPython(item, values).get());
    return out;
}

Ref toPython(const fx::Arg& arg, const std::map<const fx::Node*, Ref>& values) {
    if (const auto* node = arg.as<fx::Node*>()) return values.at(*node);
    if (arg.as<fx::None>()) return Ref::borrow(Py_None);
    if (arg.as<fx::Ellipsis>()) return Ref::borrow(Py_Ellipsis);
    if (const auto* v = arg.as<bool>()) return Ref::borrow(*v ? Py_True : Py_False);
    if (const auto* v = arg.as<SymInt>()) return Ref::steal(python::wrapSymInt(*v));
    if (const auto* v = arg.as<double>()) return Ref::steal(PyFloat_FromDouble(*v));
    if (const auto* v = arg.as<std::string>()) return Ref::steal(PyUnicode_FromString(v->c_str()));
    if (const auto* v = arg.as<tensor::DType>()) return Ref::steal(python::wrap(*v));
    if (const auto* v = arg.as<tensor::Device>()) return Ref::steal(python::wrap(*v));
    if (const auto* v = arg.as<fx::Tuple>()) return toPythonTuple(v->items, values);
    if (const auto* v = arg.as<fx::List>()) return Ref::steal(PySequence_List(toPythonTuple(v->items, values).get()));
    if (const auto* v = arg.as<fx::Dict>()) return toPythonDict(v->items, values);
    const Ref parts = toPythonTuple(*arg.as<fx::Slice>()->parts, values);
    return Ref::steal(PySlice_New(PyTuple_GET_ITEM(parts.get(), 0), PyTuple_GET_ITEM(parts.get(), 1),
                                  PyTuple_GET_ITEM(parts.get(), 2)));
}

Ref callNode(const fx::Node& node, const std::map<const fx::Node*, Ref>& values) {
    Ref args = toPythonTuple(node.args, values);
    const Ref kwargs = toPythonDict(node.kwargs, values);
    if (node.op == fx::Opcode::CallMethod) {
        const Ref bound = attribute(PyTuple_GET_ITEM(args.get(), 0), node.target.c_str());
        args = Ref::steal(PyTuple_GetSlice(args.get(), 1, PyTuple_GET_SIZE(args.get())));
        return Ref::steal(PyObject_Call(bound.get(), args.get(), kwargs.get()));
    }
    return Ref::steal(PyObject_Call(static_cast<PyObject*>(node.callable.get()), args.get(), kwargs.get()));
}

ops::Value fromPython(PyObject* object) {
    if (object == Py_None) return {};
    ops::Value value;
    if (!python::toValue(object, value))
        raise(PyExc_TypeError, std::string("a captured graph gave a ") + Py_TYPE(object)->tp_name);
    return value;
}

ops::Values runGraph(const fx::Graph& graph, const ops::Values& inputs,
                     const std::function<void(const fx::Node*)>& around) {
    const PyGILState_STATE gil = PyGILState_Ensure();
    struct Release {
        PyGILState_STATE gil;
        ~Release() { PyGILState_Release(gil); }
    } release{gil};
    const QuietScope quiet;
    std::map<const fx::Node*, Ref> values;
    std::size_t next = 0;
    for (const auto& node : graph.nodes()) {
        if (node->op == fx::Opcode::Placeholder) {
            values[node.get()] = Ref::steal(python::wrap(inputs.at(next++)));
            continue;
        }
        if (node->op == fx::Opcode::Output) {
            const Ref all = toPython(node->args[0], values);
            ops::Values out;
            for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(all.get()); ++i)
                out.push_back(fromPython(PyTuple_GET_ITEM(all.get(), i)));
            return out;
        }
        if (around) around(node.get());
        Ref value = callNode(*node, values);
        if (!value) throw python::PythonError{};
        values[node.get()] = std::move(value);
    }
    return {};
}

// ---- compiled functions
// ----------------------------------------------------------------------------------------------

/// A callable over tensors and sizes that returns a tuple of the graph's outputs.
struct CompiledObject {
    PyObject_HEAD vectorcallfunc call;
    CompiledFn* function;
};

PyObject* callCompiled(PyObject* self, PyObject* const* args, size_t flags, PyObject*) {
    return method([&]() -> PyObject* {
        const auto count = static_cast<std::size_t>(PyVectorcall_NARGS(flags));
        ops::Values inputs;
        inputs.reserve(count);
        for (std::size_t i = 0; i < count; ++i) inputs.push_back(fromPython(args[i]));
        const ops::Values outputs = (*reinterpret_cast<CompiledObject*>(self)->function)(inputs);
        Ref tuple = Ref::steal(PyTuple_New(static_cast<Py_ssize_t>(outputs.size())));
        for (std::size_t i = 0; i < outputs.size(); ++i)
            PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), python::wrap(outputs[i]));
        return tuple.release();
    });
}

void freeCompiled(PyObject* self) {
    delete reinterpret_cast<CompiledObject*>(self)->function;
    Py_TYPE(self)->tp_free(self);
}

PyTypeObject* compiledType() {
    static PyTypeObject type = [] {
        PyTypeObject t = {PyVarObject_HEAD_INIT(nullptr, 0)};
        t.tp_name = "torch._C._dynamo.CompiledFunction";
        t.tp_basicsize = sizeof(CompiledObject);
        t.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
        t.tp_vectorcall_offset = offsetof(CompiledObject, call);
        t.tp_call = PyVectorcall_Call;
        t.tp_dealloc = freeCompiled;
        t.tp_doc = "A compiled graph: tensors and sizes in, a tuple of its outputs out.";
        return t;
    }();
    static const bool ready = PyType_Ready(&type) == 0;
    if (!ready) throw python::PythonError{};
    return &type;
}

PyObject* makeCompiled(CompiledFn function) {
    auto* object = PyObject_New(CompiledObject, compiledType());
    if (!object) throw python::PythonError{};
    object->call = callCompiled;
    object->function = new CompiledFn(std::move(function));
    return reinterpret_cast<PyObject*>(object);
}

Captured captured(Building& b, const std::string& compile, PyObject* examples) {
    Captured out;
    out.graph = b.graph;
    out.compile = compile;
    const Ref fast = Ref::steal(PySequence_Fast(examples, "examples"));
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i)
        out.examples.push_back(fromPython(PySequence_Fast_GET_ITEM(fast.get(), i)));
    out.shapeEnv = b.env.get();
    out.run = [graph = b.graph](const ops::Values& inputs, const std::function<void(const fx::Node*)>& around) {
        return runGraph(*graph, inputs, around);
    };
    return out;
}

// compile(graph, backend, compile id, examples) -> callable. A refusal of the backend is the Python exception
// NotImplementedError whose text is the code and its values; the caller then runs the graph in eager.
PyObject* compileGraph(PyObject*, PyObject* args) {
    return method([&]() -> PyObject* {
        PyObject *capsule = nullptr, *examples = nullptr;
        const char *name = nullptr, *compile = nullptr;
        if (!PyArg_ParseTuple(args, "OssO", &capsule, &name, &compile, &examples)) return nullptr;
        Building& b = building(capsule);
        const auto backend = state().backends.find(name);
        if (backend == state().backends.end())
            raise(PyExc_RuntimeError,
                  "Invalid backend: '" + std::string(name) + "'; there are eager, aot_eager and inductor");
        const symbolic::ShapeEnvScope scope(b.env.get());
        try {
            CompiledFn function = backend->second(captured(b, compile, examples));
            return makeCompiled([function, env = b.env](const ops::Values& inputs) { return function(inputs); });
        } catch (const support::Refusal& refusal) {
            raise(PyExc_NotImplementedError, refusal.what());
        }
    });
}

// Runs the captured graph as it is: what a refused graph falls back to.
PyObject* eagerGraph(PyObject*, PyObject* capsule) {
    return method([&] {
        return makeCompiled(
            [graph = building(capsule).graph](const ops::Values& inputs) { return runGraph(*graph, inputs, nullptr); });
    });
}

} // namespace

PyMethodDef* graphMethods() {
    static PyMethodDef methods[] = {
        {"new_graph", newGraph, METH_O, "new_graph(title)"},
        {"placeholder", placeholder, METH_VARARGS, "placeholder(graph, name, role, value, from) -> number"},
        {"call", addCall, METH_VARARGS,
         "call(graph, op, target, callable, args, kwargs, file, line, from, module) -> number"},
        {"set_value", setValue, METH_VARARGS, "set_value(graph, number, value)"},
        {"erase", erase, METH_VARARGS, "erase(graph, number)"},
        {"output", output, METH_VARARGS, "output(graph, values) -> calls"},
        {"fake", fake, METH_VARARGS, "fake(tensor, sizes, strides)"},
        {"symbol", symbol, METH_VARARGS, "symbol(graph, hint, kind, source, dim)"},
        {"in_environment", inEnvironment, METH_VARARGS, "in_environment(graph, f, file, line) -> f()"},
        {"shape_guards", shapeGuards, METH_O, "shape_guards(graph)"},
        {"symbols", symbols, METH_O, "symbols(graph)"},
        {"graph_text", graphText, METH_O, "graph_text(graph)"},
        {"graph_module", graphModule, METH_O, "graph_module(graph)"},
        {"emit_graph", emitGraph, METH_VARARGS, "emit_graph(graph, compile)"},
        {"compile", compileGraph, METH_VARARGS, "compile(graph, backend, compile, examples)"},
        {"eager", eagerGraph, METH_O, "eager(graph)"},
        {nullptr, nullptr, 0, nullptr}};
    return methods;
}

} // namespace strata::dynamo
