#include "engine/aot/OpClasses.h"

#include "engine/aot/Cse.h"
#include "engine/ops/Registry.h"

#include <set>
#include <string>

namespace strata::aot {

namespace {

using Names = std::set<std::string, std::less<>>;

const Names& viewNames() {
    static const Names names{"squeeze", "unsqueeze",  "alias",   "view",   "slice", "t",
                             "expand",  "as_strided", "permute", "select", "split"};
    return names;
}

// Besides views and pointwise ops.
const Names& recomputableNames() {
    static const Names names{"getitem",       "sum",
                             "mean",          "amax",
                             "_to_copy",      "clone",
                             "full_like",     "var",
                             "std",           "var_mean",
                             "_unsafe_view",  "reshape",
                             "scalar_tensor", "ones",
                             "new_zeros",     "lift_fresh_copy",
                             "arange",        "triu",
                             "any",           "full",
                             "zeros",         "empty",
                             "empty_like",    "argmax",
                             "index",         "gather",
                             "zeros_like",    "max",
                             "min",           "to",
                             "type_as",       "broadcast_tensors",
                             "gelu_backward", "threshold_backward"};
    return names;
}

// Elementwise here, but not tagged pointwise in ATen.
const Names& notPointwiseNames() {
    static const Names names{"copy", "fill", "zero", "index_put", "masked_scatter"};
    return names;
}

std::string baseName(const fx::Node& node) {
    const ops::OpDef* op = ops::find(node.target);
    return op ? op->schema.name : node.target;
}

} // namespace

bool isView(const fx::Node& node) {
    return node.op == fx::Opcode::CallFunction && viewNames().contains(baseName(node));
}

bool isRecomputable(const fx::Node& node) {
    if (node.op != fx::Opcode::CallFunction) return false;
    if (node.isInt || isView(node)) return true;
    const std::string name = baseName(node);
    if (recomputableNames().contains(name)) return true;
    const ops::OpDef* op = ops::find(node.target);
    return op && op->kind == ops::Kind::Pointwise && !notPointwiseNames().contains(name);
}

bool isComputeIntensive(const fx::Node& node) {
    static const Names names{
        "mm", "addmm", "bmm", "baddbmm", "convolution", "convolution_backward", "_scaled_dot_product_flash_attention"};
    return node.op == fx::Opcode::CallFunction && names.contains(baseName(node));
}

bool fuses(const fx::Node& producer, const fx::Node& reader) {
    if (baseName(reader) == "cat") return true;
    const auto fusible = [](const fx::Node& node) { return isRecomputable(node) || isRandom(node); };
    return fusible(producer) && fusible(reader);
}

} // namespace strata::aot
