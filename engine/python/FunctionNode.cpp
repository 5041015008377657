// torch.autograd.Function: a tape node whose derivative is Python. torch/autograd/function.py runs the forward and
// calls _attach_function with the context, whose _run_backward(grads) gives a gradient for every input.
#include "engine/eager/TapeNodes.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using tensor::Tensor;

class FunctionNode : public eager::Node {
public:
    FunctionNode(const std::string& nodeName, PyObject* context) : Node(nodeName), m_context(Ref::borrow(context)) {}

    void addInput(const Tensor& tensor, Py_ssize_t position) {
        next.push_back(eager::gradEdge(tensor));
        m_positions.push_back(position);
    }
    void save(const Tensor& tensor, int output) { m_saved.emplace_back(tensor, output); }

    eager::Tensors apply(eager::Tensors grads) override {
        if (m_released)
            throw Error("Trying to backward through the graph a second time (or directly access saved tensors after "
                        "they have already been "
                        "freed). Saved intermediate values of the graph are freed when you call .backward() or "
                        "autograd.grad(). Specify "
                        "retain_graph=True if you need to backward through the graph a second time or if you need to "
                        "access saved tensors "
                        "after calling backward.");
        eager::Tensors saved;
        for (const eager::SavedTensor& each : m_saved) saved.push_back(each.unpack(shared_from_this()));
        grads.resize(static_cast<std::size_t>(outputs));
        const Ref given = Ref::steal(check(wrap(ops::Value(std::move(grads)))));
        const Ref kept = Ref::steal(check(wrap(ops::Value(std::move(saved)))));
        const Ref results =
            Ref::steal(check(PyObject_CallMethod(m_context.get(), "_run_backward", "OO", given.get(), kept.get())));
        eager::Tensors gradients;
        for (const Py_ssize_t position : m_positions)
            gradients.push_back(gradient(PyTuple_GetItem(results.get(), position)));
        return gradients;
    }
    void release() override {
        m_released = !m_saved.empty();
        m_saved.clear();
    }
    std::vector<std::string> savedText() const override {
        std::vector<std::string> texts;
        for (const eager::SavedTensor& each : m_saved) texts.push_back(each.text());
        return texts;
    }

private:
    static Tensor gradient(PyObject* object) {
        if (!object) throw PythonError{};
        if (object == Py_None) return {};
        if (!isTensor(object)) throw Error(ErrorKind::Type, "expected Variable or None (got " + typeName(object) + ")");
        return tensorOf(object);
    }

    Ref m_context;
    std::vector<Py_ssize_t> m_positions; // of each edge's input among the arguments
    std::vector<eager::SavedTensor> m_saved;
    bool m_released = false;
};

// The number of `tensor` among the outputs, -1 for none.
int outputNumber(PyObject* outputs, PyObject* tensor) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(outputs); ++i)
        if (PyTuple_GET_ITEM(outputs, i) == tensor) return static_cast<int>(i);
    return -1;
}

// _attach_function(name, context, inputs, outputs, saved): outputs are tensors, or None where no gradient can come
// from.
PyObject* attachFunction(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        const char* name = nullptr;
        PyObject *context = nullptr, *inputs = nullptr, *outputs = nullptr, *saved = nullptr;
        if (!PyArg_ParseTuple(args, "sOO!O!O!:_attach_function", &name, &context, &PyTuple_Type, &inputs, &PyTuple_Type,
                              &outputs, &PyTuple_Type, &saved))
            return nullptr;
        const auto node = std::make_shared<FunctionNode>(name, context);
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(inputs); ++i) {
            PyObject* input = PyTuple_GET_ITEM(inputs, i);
            if (isTensor(input) && eager::requiresGrad(tensorOf(input))) node->addInput(tensorOf(input), i);
        }
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(saved); ++i) {
            PyObject* tensor = PyTuple_GET_ITEM(saved, i);
            if (tensor != Py_None && !isTensor(tensor))
                throw Error(ErrorKind::Type, "save_for_backward can only save variables, but argument " +
                                                 std::to_string(i) + " is of type " + typeName(tensor));
            node->save(tensor == Py_None ? Tensor() : tensorOf(tensor), outputNumber(outputs, tensor));
        }
        node->outputs = static_cast<int>(PyTuple_GET_SIZE(outputs));
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(outputs); ++i) {
            PyObject* output = PyTuple_GET_ITEM(outputs, i);
            const bool real = isTensor(output);
            node->outputSizes.push_back(real ? tensorOf(output).sizes() : ops::SymInts{});
            node->outputDTypes.push_back(real ? tensorOf(output).dtype() : tensor::DType::Float32);
            if (real) eager::setHistory(tensorOf(output), node, static_cast<int>(i));
        }
        eager::announce(*node);
        Py_RETURN_NONE;
    });
}

} // namespace

void addFunctionNodes(PyObject* module) {
    static PyMethodDef functions[] = {{"_attach_function", attachFunction, METH_VARARGS, nullptr},
                                      {nullptr, nullptr, 0, nullptr}};
    addFunctions(module, functions);
}

} // namespace strata::python
