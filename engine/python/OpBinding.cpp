// Every op of the registry as a Python callable: a method of torch.Tensor, a function of torch (through
// torch._C._VariableFunctions, as in PyTorch) or of torch._C._nn. They are genuine built-ins: CPython gives a
// built-in's code no closure, so there is one small C function a number, and a table from numbers to ops.
#include "engine/python/Signature.h"
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"

#include <array>
#include <deque>
#include <set>
#include <string_view>
#include <utility>

namespace strata::python {

namespace {

constexpr std::size_t maxGroups = 1024;
std::array<const OpGroup*, maxGroups> groups{};

template <std::size_t I>
PyObject* callFunction(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* keywords) {
    return invoke(*groups[I], nullptr, args, nargs, keywords);
}
template <std::size_t I>
PyObject* callMethod(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* keywords) {
    return invoke(*groups[I], self, args, nargs, keywords);
}

using Thunk = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
template <std::size_t... I> constexpr std::array<Thunk, sizeof...(I)> functionThunks(std::index_sequence<I...>) {
    return {callFunction<I>...};
}
template <std::size_t... I> constexpr std::array<Thunk, sizeof...(I)> methodThunks(std::index_sequence<I...>) {
    return {callMethod<I>...};
}
constexpr auto functions = functionThunks(std::make_index_sequence<maxGroups>());
constexpr auto methods = methodThunks(std::make_index_sequence<maxGroups>());

/// Where PyTorch has a name. What is in none of these sets is both a function of torch and a method.
using Names = std::set<std::string_view>;
const Names functionsOnly = {"_log_softmax",
                             "_softmax",
                             "addmv_out",
                             "arange",
                             "bartlett_window",
                             "batch_norm",
                             "binary_cross_entropy_with_logits",
                             "block_diag",
                             "bucketize",
                             "cartesian_prod",
                             "cat",
                             "column_stack",
                             "concat",
                             "concatenate",
                             "conv1d",
                             "conv2d",
                             "convolution",
                             "dropout",
                             "dropout_",
                             "embedding",
                             "empty",
                             "empty_like",
                             "empty_strided",
                             "eye",
                             "full",
                             "full_like",
                             "group_norm",
                             "hstack",
                             "instance_norm",
                             "layer_norm",
                             "linspace",
                             "logspace",
                             "meshgrid",
                             "native_batch_norm",
                             "native_dropout",
                             "native_layer_norm",
                             "ones",
                             "ones_like",
                             "rand",
                             "rand_like",
                             "randint",
                             "randint_like",
                             "randn",
                             "randn_like",
                             "randperm",
                             "range",
                             "relu6",
                             "rms_norm",
                             "rsub",
                             "scalar_tensor",
                             "selu",
                             "selu_",
                             "celu",
                             "celu_",
                             "rrelu",
                             "rrelu_",
                             "stack",
                             "threshold",
                             "threshold_",
                             "tril_indices",
                             "triu_indices",
                             "vstack",
                             "zeros",
                             "zeros_like",
                             "bilinear",
                             "pixel_shuffle",
                             "cosine_similarity",
                             "kl_div",
                             "normal",
                             "poisson",
                             "feature_dropout",
                             "alpha_dropout",
                             "max_pool2d",
                             "avg_pool1d",
                             "adaptive_avg_pool1d",
                             "max_pool1d",
                             "dsmm",
                             "chain_matmul",
                             "einsum",
                             "tensordot",
                             "is_same"};
const Names nnFunctions = {"elu",
                           "elu_",
                           "gelu",
                           "gelu_",
                           "hardtanh",
                           "hardtanh_",
                           "leaky_relu",
                           "leaky_relu_",
                           "linear",
                           "silu",
                           "silu_",
                           "softplus",
                           "mse_loss",
                           "l1_loss",
                           "smooth_l1_loss",
                           "huber_loss",
                           "cross_entropy_loss",
                           "nll_loss",
                           "nll_loss_nd",
                           "nll_loss2d",
                           "binary_cross_entropy",
                           "one_hot",
                           "pad",
                           "scaled_dot_product_attention",
                           "hardsigmoid",
                           "hardsigmoid_",
                           "hardswish",
                           "hardswish_",
                           "mish",
                           "mish_",
                           "log_sigmoid",
                           "softshrink",
                           "hardshrink",
                           "glu",
                           "avg_pool2d",
                           "adaptive_avg_pool2d",
                           "relu6_",
                           "soft_margin_loss",
                           "multi_margin_loss",
                           "upsample_nearest2d",
                           "unfold",
                           "fold"};
// Called by formulas and traces under their ATen names only.
const Names hidden = {"_local_scalar_dense",
                      "_to_copy",
                      "_unsafe_view",
                      "alias",
                      "copy",
                      "fill_diagonal",
                      "lift",
                      "lift_fresh",
                      "lift_fresh_copy",
                      "linalg_vector_norm",
                      "nll_loss_forward",
                      "nll_loss_backward",
                      "slice",
                      "zero",
                      "new_empty_strided",
                      "nll_loss2d_forward",
                      "nll_loss2d_backward",
                      "_native_batch_norm_legit_functional"};
// In-place names with a function form beside the method.
const Names inPlaceFunctions = {
    "abs_",       "acos_",       "acosh_", "asin_",      "asinh_",   "atan_",       "atanh_",  "ceil_",      "clamp_",
    "clamp_max_", "clamp_min_",  "cos_",   "cosh_",      "deg2rad_", "detach_",     "erf_",    "erfc_",      "exp_",
    "exp2_",      "expm1_",      "fill_",  "floor_",     "frac_",    "log_",        "log10_",  "log1p_",     "log2_",
    "logit_",     "nan_to_num_", "neg_",   "negative_",  "rad2deg_", "reciprocal_", "relu_",   "resize_as_", "round_",
    "rsqrt_",     "sigmoid_",    "sin_",   "sinc_",      "sinh_",    "sqrt_",       "square_", "tan_",       "tanh_",
    "trunc_",     "xlogy_",      "zero_",  "index_put_", "arctan_",  "arcsin_"};
const Names methodsOnly = {"contiguous",   "expand",     "expand_as",       "index",      "item",      "to",
                           "type_as",      "view",       "view_as",         "repeat",     "new_empty", "new_full",
                           "new_ones",     "new_zeros",  "masked_scatter_", "normal_",    "uniform_",  "random_",
                           "exponential_", "bernoulli_", "unfold",          "reshape_as", "is_set_to", "sum_to_size"};

struct Place {
    bool function = true, method = true, nn = false;
};

bool isBackward(std::string_view name) {
    return name.ends_with("_backward") || name.ends_with("_backward_data") || name.ends_with("_scatter_");
}

Place placeOf(const std::string& name) {
    if (hidden.count(name) || isBackward(name)) return {false, false, false};
    if (nnFunctions.count(name)) return {false, false, true};
    if (functionsOnly.count(name) || name.starts_with("_")) return {true, false, false};
    if (methodsOnly.count(name)) return {false, true, false};
    if (name.ends_with("_")) return {inPlaceFunctions.count(name) > 0, true, false};
    return {};
}

bool takesSelf(const OpGroup& group) {
    for (const Signature& signature : group.signatures)
        if (!signature.op->schema.params.empty() && signature.op->schema.params[0].name == "self" &&
            signature.op->schema.params[0].type == ops::TypeName::Tensor)
            return true;
    return false;
}

PyMethodDef* definition(const OpGroup& group, Thunk thunk) {
    static auto* const definitions = new std::deque<PyMethodDef>;
    static auto* const texts = new std::deque<std::string>;
    std::string doc;
    for (const Signature& signature : group.signatures) doc += signature.op->schema.text + "\n";
    doc += "\n" + group.signatures[0].op->doc;
    const char* text = texts->emplace_back(std::move(doc)).c_str();
    return &definitions->emplace_back(PyMethodDef{group.name.c_str(),
                                                  reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(thunk)),
                                                  METH_FASTCALL | METH_KEYWORDS, text});
}

void addFunction(PyObject* to, const OpGroup& group, std::size_t number, PyObject* module) {
    const Ref function = Ref::steal(check(PyCFunction_NewEx(definition(group, functions[number]), nullptr, module)));
    check(PyModule_AddObjectRef(to, group.name.c_str(), function.get()));
}

void addMethod(const OpGroup& group, std::size_t number) {
    auto* type = reinterpret_cast<PyObject*>(tensorType());
    if (PyObject_HasAttrString(type, group.name.c_str())) return; // one of TensorMethods.cpp
    const Ref method = Ref::steal(check(PyDescr_NewMethod(tensorType(), definition(group, methods[number]))));
    check(PyObject_SetAttrString(type, group.name.c_str(), method.get()));
}

PyObject* newModule(PyObject* parent, const char* name, const char* last) {
    const Ref module = Ref::steal(check(PyModule_New(name)));
    check(PyModule_AddObjectRef(parent, last, module.get()));
    return module.get(); // the parent keeps it
}

} // namespace

void addOps(PyObject* module) {
    PyObject* variableFunctions = newModule(module, "torch._C._VariableFunctions", "_VariableFunctions");
    PyObject* nn = newModule(module, "torch._C._nn", "_nn");
    const Ref torchName = Ref::steal(check(PyUnicode_FromString("torch")));
    const Ref nnName = Ref::steal(check(PyUnicode_FromString("torch._C._nn")));
    std::set<std::string> seen;
    std::size_t number = 0;
    for (const ops::OpDef* op : ops::all()) {
        if (!seen.insert(op->schema.name).second) continue;
        if (number == maxGroups) throw support::Error("more ops than the binding has functions for");
        const OpGroup& group = groupOf(op->schema.name);
        groups[number] = &group;
        const Place place = placeOf(group.name);
        if (place.nn) addFunction(nn, group, number, nnName.get());
        if (place.function) addFunction(variableFunctions, group, number, torchName.get());
        if (place.method && takesSelf(group)) addMethod(group, number);
        ++number;
    }
}

} // namespace strata::python
