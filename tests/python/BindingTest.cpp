// The C++ side of the binding: identity, conversions, places, errors, graphs.
#include "tests/python/Run.h"

#include "engine/eager/Autograd.h"
#include "engine/eager/Dispatcher.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <catch2/catch.hpp>

using namespace strata;
using python::Ref;

namespace {

/// Evaluates an expression with the objects that a test gives it.
Ref evaluate(const std::string& expression, std::initializer_list<std::pair<const char*, PyObject*>> names) {
    python::initialize({"program.py"});
    const Ref globals = Ref::steal(PyDict_New());
    PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
    const Ref torch = Ref::steal(PyImport_ImportModule("torch"));
    PyDict_SetItemString(globals.get(), "torch", torch.get());
    for (const auto& [name, object] : names) PyDict_SetItemString(globals.get(), name, object);
    return Ref::steal(PyRun_String(expression.c_str(), Py_eval_input, globals.get(), globals.get()));
}

std::string shown(const std::string& expression, std::initializer_list<std::pair<const char*, PyObject*>> names) {
    const Ref value = evaluate(expression, names);
    if (!value) {
        PyObject *type = nullptr, *error = nullptr, *trace = nullptr;
        PyErr_Fetch(&type, &error, &trace);
        const Ref text = Ref::steal(error ? PyObject_Str(error) : PyUnicode_FromString("?"));
        Py_XDECREF(type);
        Py_XDECREF(error);
        Py_XDECREF(trace);
        return std::string("! ") + PyUnicode_AsUTF8(text.get());
    }
    const Ref text = Ref::steal(PyObject_Repr(value.get()));
    return PyUnicode_AsUTF8(text.get());
}

tensor::Tensor fake(std::vector<symbolic::SymInt> sizes) {
    return tensor::Tensor::fake(sizes, symbolic::contiguousStrides(sizes), tensor::DType::Float32);
}

} // namespace

TEST_CASE("one object an impl, while it lives") {
    python::initialize({"program.py"});
    const tensor::Tensor tensor = tensor::Tensor::scalar(1, tensor::DType::Float32);
    const Ref a = Ref::steal(python::wrap(tensor)), b = Ref::steal(python::wrap(tensor));
    CHECK(a.get() == b.get());
    CHECK(python::tensorOf(a.get()).is(tensor));
    CHECK(tensor->pyObject == a.get());
    const Ref none = Ref::steal(python::wrap(tensor::Tensor()));
    CHECK(none.get() == Py_None);
}

TEST_CASE("an impl outlives its object") {
    python::initialize({"program.py"});
    const tensor::Tensor tensor = tensor::Tensor::scalar(1, tensor::DType::Float32);
    Ref::steal(python::wrap(tensor));
    CHECK(tensor->pyObject == nullptr);
    CHECK(tensor.itemDouble() == 1.0);
}

TEST_CASE("attributes, weak references and subclasses") {
    const auto ran = test::run(
        "import torch, weakref, gc\nx = torch.ones(1)\nx.note = 'kept'\nr = weakref.ref(x)\n"
        "holder = [x]\nprint(x.note, r() is x, x.__dict__)\ndel x, holder\nprint(r())\n"
        "class T(torch.Tensor):\n    def twice(self): return self + self\n"
        "t = T([1.0, 2.0])\nprint(type(t).__name__, t.twice(), isinstance(t, torch.Tensor))\n"
        "p = torch.nn.Parameter(torch.ones(2))\n(p * 2).sum().backward()\nprint(type(p).__name__, p.grad, p.is_leaf)\n"
        "c = torch.ones(1)\nc.me = c\nw = weakref.ref(c)\ndel c\ngc.collect()\nprint(w())\n");
    CHECK(ran.traceback.empty());
    CHECK(ran.out ==
          "kept True {'note': 'kept'}\nNone\nT tensor([2., 4.]) True\nParameter tensor([2., 2.]) True\nNone\n");
}

TEST_CASE("SymInts compute as expressions and compare through the ShapeEnv") {
    symbolic::ShapeEnv env;
    const symbolic::ShapeEnvScope scope(&env);
    const symbolic::SymInt s = env.create(6, {symbolic::SymbolSource::Kind::Size, "L['x']", 0});
    python::initialize({"program.py"});
    const Ref n = Ref::steal(python::wrapSymInt(s));
    CHECK(python::isSymInt(n.get()));
    CHECK(python::symIntOf(n.get()).sameAs(s));
    CHECK(shown("n + 1", {{"n", n.get()}}) == (s + 1).str());
    CHECK(shown("2 * n - n", {{"n", n.get()}}) == s.str());
    CHECK(shown("(n * n) // n, n % 2, 7 - n, type(n - n), type(n * 2)", {{"n", n.get()}})
              .find("<class 'int'>, <class 'torch.SymInt'>") != std::string::npos);
    CHECK(env.guards().empty());
    CHECK(shown("n > 3, n == 6, bool(n)", {{"n", n.get()}}) == "(True, True, True)");
    CHECK(env.guards().size() >= 1);
    CHECK(shown("int(n), [0] * n, n / 4", {{"n", n.get()}}) == "(6, [0, 0, 0, 0, 0, 0], 1.5)");
}

TEST_CASE("package functions run on fake tensors with symbolic sizes") {
    symbolic::ShapeEnv env;
    const symbolic::ShapeEnvScope scope(&env);
    const symbolic::SymInt s = env.create(6, {symbolic::SymbolSource::Kind::Size, "L['x']", 0});
    python::initialize({"program.py"});
    const Ref x = Ref::steal(python::wrap(fake({s, 4})));
    const std::string size = s.str();
    CHECK(shown("x.shape, x.size(0), x.dim(), x.numel()", {{"x", x.get()}}) ==
          "(torch.Size([" + size + ", 4]), " + size + ", 2, " + (s * 4).str() + ")");
    CHECK(shown("torch.nn.functional.relu(x).shape", {{"x", x.get()}}) == "torch.Size([" + size + ", 4])");
    CHECK(shown("torch.nn.functional.softmax(x, -1).shape", {{"x", x.get()}}) == "torch.Size([" + size + ", 4])");
    CHECK(shown("x[1:, None, 2].shape", {{"x", x.get()}}) == "torch.Size([" + (s - 1).str() + ", 1])");
    CHECK(shown("x.view(x.shape[0] * 2, -1).shape", {{"x", x.get()}}) == "torch.Size([" + (s * 2).str() + ", 2])");
    CHECK(shown("x", {{"x", x.get()}}) == "FakeTensor(..., size=(" + size + ", 4))");
    CHECK(shown("bool(x[0, 0] > 0)", {{"x", x.get()}}).rfind("! ", 0) == 0);
    CHECK(shown("x.tolist()", {{"x", x.get()}}).rfind("! ", 0) == 0);
}

TEST_CASE("values of captured calls convert") {
    python::initialize({"program.py"});
    const auto kindOf = [](const std::string& expression) -> std::size_t {
        ops::Value value;
        const Ref object = evaluate(expression, {});
        REQUIRE(object);
        return python::toValue(object.get(), value) ? value.variant().index() : 99;
    };
    CHECK(kindOf("None") == 0);
    CHECK(kindOf("True") == 1);
    CHECK(kindOf("3") == 2);
    CHECK(kindOf("2.5") == 3);
    CHECK(kindOf("torch.ones(1)") == 4);
    CHECK(kindOf("(1, 2)") == 5);
    CHECK(kindOf("[torch.ones(1)]") == 6);
    CHECK(kindOf("[1, 2.5]") == 7);
    CHECK(kindOf("[True]") == 8);
    CHECK(kindOf("torch.float64") == 9);
    CHECK(kindOf("torch.device('cpu')") == 10);
    CHECK(kindOf("'text'") == 11);
    CHECK(kindOf("torch.preserve_format") == 11);
    CHECK(kindOf("object()") == 99);
    CHECK(kindOf("['a']") == 99);
    CHECK(kindOf("{}") == 99);
}

TEST_CASE("an op is put down to the user's line") {
    python::initialize({"program.py"});
    std::vector<std::string> places;
    eager::Dispatcher::instance().setListener([&](const eager::DispatchEvent& event) {
        std::string file;
        int line = 0;
        if (python::userPlace(file, line))
            places.push_back(event.op->qualifiedName() + " " + file + ":" + std::to_string(line));
    });
    const auto ran = test::run(
        "import torch\nx = torch.zeros(2)\n\ny = torch.nn.functional.relu(x)\nz = (x +\n     y)\n", "user.py");
    eager::Dispatcher::instance().setListener(nullptr);
    CHECK(ran.result.status == "ok");
    CHECK(places == std::vector<std::string>{"aten.zeros.default user.py:2", "aten.relu.default user.py:4",
                                             "aten.add.Tensor user.py:5"});
}

TEST_CASE("printing a tensor runs no op") {
    python::initialize({"program.py"});
    test::run("import torch\nx = torch.arange(3000.0)");
    int events = 0;
    eager::Dispatcher::instance().setListener([&](const eager::DispatchEvent&) { ++events; });
    const auto ran =
        test::run("import torch\nx = torch.tensor([[1.0, 2.0]])\nprint(x, x.tolist(), x.shape, x.is_contiguous())\n");
    eager::Dispatcher::instance().setListener(nullptr);
    CHECK(ran.result.status == "ok");
    CHECK(events <= 1); // torch.tensor's lift_fresh
}

TEST_CASE("C++ errors become Python's of their kind") {
    python::initialize({"program.py"});
    using support::ErrorKind;
    const auto raised = [](auto thrown) -> PyObject* {
        CHECK(python::guarded([&]() -> PyObject* { throw thrown; }) == nullptr);
        PyObject* type = PyErr_Occurred();
        PyErr_Clear();
        return type;
    };
    CHECK(raised(support::Error(ErrorKind::Index, "i")) == PyExc_IndexError);
    CHECK(raised(support::Error(ErrorKind::Type, "t")) == PyExc_TypeError);
    CHECK(raised(support::Error("r")) == PyExc_RuntimeError);
    CHECK(raised(std::bad_alloc()) == PyExc_MemoryError);
    CHECK(raised(support::Refusal("code")) == PyExc_RuntimeError);
    CHECK(raised(std::runtime_error("x")) == PyExc_RuntimeError);
    CHECK(raised(python::PythonError{}) == PyExc_SystemError); // none was set
}

TEST_CASE("a captured graph is a GraphModule") {
    python::initialize({"program.py"});
    const auto graph = std::make_shared<fx::Graph>();
    fx::Node* x = graph->placeholder("x");
    x->target = "x";
    x->value = fake({4, 4});
    fx::Node* sin = graph->callFunction("sin", {x});
    sin->callable = std::shared_ptr<void>(evaluate("torch.sin", {}).release(),
                                          [](void* p) { Py_DECREF(static_cast<PyObject*>(p)); });
    fx::Node* view = graph->call(fx::Opcode::CallMethod, "view", {sin, fx::Arg(2), fx::Arg(-1)});
    fx::Node* add = graph->callFunction("aten.add.Tensor", {view, fx::Arg(1.5)}, {{"alpha", fx::Arg(2)}});
    graph->output(fx::Arg(fx::Tuple{{add}, ""}));
    const Ref module = Ref::steal(python::graphModule(graph));
    REQUIRE(module);
    CHECK(shown("[(n.op, n.name, str(n.target) if isinstance(n.target, str) else n.target.__name__) for n in "
                "g.graph.nodes]",
                {{"g", module.get()}}) == "[('placeholder', 'x', 'x'), ('call_function', 'sin', 'sin'), "
                                          "('call_method', 'view', 'view'), ('call_function', 'add', 'add.Tensor'), "
                                          "('output', 'output', 'output')]");
    CHECK(shown("g.code", {{"g", module.get()}}) ==
          "'def forward(self, x):\\n    sin = torch.sin(x);  x = None\\n    view = sin.view(2, -1);  sin = None\\n"
          "    add = torch.ops.aten.add.Tensor(view, 1.5, alpha = 2);  view = None\\n    return (add,)\\n'");
    CHECK(shown("g(torch.zeros(2, 2))[0]", {{"g", module.get()}}) == "tensor([[3., 3.],\n        [3., 3.]])");
    CHECK(shown("g.forward.__self__ is g, list(g.graph.nodes)[1].users, list(g.graph.nodes)[3].all_input_nodes",
                {{"g", module.get()}}) == "(True, {view: None}, [view])");
    CHECK(shown("g.print_readable(False)", {{"g", module.get()}}).find("x: \"f32[4, 4]\"") != std::string::npos);
}
