#pragma once
// One op, one declaration. Everything else about an op is derived from its OpDef: the Python binding and argument
// checks (schema), the fake-tensor evaluation (meta), the eager kernel and the loop lowering (body), the derivative,
// the decomposition, the documentation that a pane shows, and its rows in the tests (samples).
// Declarations stand in the family files of this folder and reach the rest through Registry.h.

#include "engine/loop/Expr.h"
#include "engine/ops/Value.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strata::ops {

enum class Kind : std::uint8_t {
    Pointwise, // body over broadcast elements
    Reduction, // body + combine over dims
    View,      // no kernel: meta gives sizes, strides and offset on the first argument's storage
    Creation,  // no tensor input; body over the index, or a kernel
    Gather,    // reads or writes at computed positions: cat, gather, index_select, embedding, scatter
    Random,
    Extern,    // library call: mm, addmm, bmm
    Composite, // decomposes above autograd (CompositeImplicit): linear, cross_entropy_loss, softmax.int, matmul
};

enum class TypeName : std::uint8_t {
    Tensor,
    Tensors,
    Int,
    Ints,
    Float,
    Bool,
    Scalar,
    DType,
    Device,
    String,
    Bools,
    Floats
};

/// An argument of a schema, parsed from ATen's notation.
struct Param {
    TypeName type;
    std::string name;
    bool optional = false;    // Tensor?
    bool keywordOnly = false; // after *
    bool written = false;     // Tensor(a!)
    bool hasDefault = false;
    Value defaultValue;
    int fixedLength = 0; // int[2]: a single int stands for all
};

struct Schema {
    std::string name;     // "add"
    std::string overload; // "Tensor" ("" prints as default)
    std::vector<Param> params;
    std::vector<TypeName> returns;
    std::string text; // as declared

    Schema() = default;
    Schema(const char* declared); // parses; throws support::Error with the column on a mistake
};

/// Shape and type of a result. With `aliases` >= 0 it is a view of that argument (offset is absolute).
struct TensorMeta {
    SymInts sizes, strides;
    DType dtype;
    Device device;
    SymInt offset = 0;
    int aliases = -1;
};

using Meta = std::function<std::vector<TensorMeta>(const Values& args)>;
/// CPU kernel: outputs are allocated as meta says. An op without meta for non-tensor results returns Values instead.
using Kernel = std::function<void(const Values& args, std::span<Tensor> outputs)>;

/// What a derivative may read. Positions here and in Derivative are those of the schema's parameters, where a Tensor[]
/// parameter counts as many places as it has tensors: (Tensor[2], int) is 0, 1, 2. Tensors that are not in `savesArgs`
/// are undefined in `args`, but their sizes and dtypes are kept.
struct Saved {
    Values args;                   // by parameter, defaults filled in; numbers and lists as they were given
    Tensors outputs;               // by number; undefined when not in savesOutputs
    std::vector<SymInts> argSizes; // by position
    std::vector<SymInts> argStrides;
    SymInts argOffsets;
    std::vector<DType> argDTypes;
    std::vector<bool> needs; // by position: does this tensor argument need a gradient
};

struct Derivative {
    /// Positions of tensor arguments, and of outputs (by number), that `formula` reads.
    std::vector<int> savesArgs, savesOutputs;
    /// Gradients of the outputs -> a gradient a schema argument (undefined, or left off at the end, where there is
    /// none). Written with the functions of Functional.h, so that it differentiates again and traces.
    std::function<Tensors(const Saved& saved, const Tensors& grads)> formula;
    /// Parallel to savesArgs, when given: the argument is only saved when one of the arguments in this mask (bit i:
    /// position i) needs a gradient. mul saves `other` for self's gradient alone.
    std::vector<unsigned> savedFor = {};
};

/// Rewrites a call into core ATen ops, for AOTAutograd. Written with Functional.h.
using Decomposition = std::function<Values(const Values& args)>;

/// Loop body of one element. operands: one a Tensor parameter of the schema that was given, in order, promoted to the
/// compute dtype (Element.h: computeDType); a Tensor parameter given as a Python number is a constant operand.
/// Element.h: lowerElement() does those conversions and is what lowerings call.
using Body = std::function<loop::Value(std::span<const loop::Value> operands, const Values& args)>;

/// The forms of a pointwise op, made from one generic callable by Element.h: scalar loops a dtype, and the Body.
struct Element;

enum class ReductionKind : std::uint8_t { Sum, Prod, Max, Min, Any, All, ArgMax, ArgMin };

/// How an element index of a view or gather maps to an index of its input: out index -> in index.
using IndexMap = std::function<SymInts(const Values& args, const SymInts& outputIndex)>;

enum class DTypeRule : std::uint8_t {
    Promote,    // PyTorch's promotion of all tensor and scalar arguments
    IntToFloat, // Promote, and integers become the default float
    ToBool,     // computed in the promoted dtype, result bool
    SumLike,    // integers and bool become int64
    Same,       // of the first tensor argument
    Given,      // by a dtype argument or the op's meta
};

struct OpDef {
    // Declared.
    Schema schema = {};
    std::string doc = {}; // one sentence or formula
    Kind kind = Kind::Pointwise;
    DTypeRule dtype = DTypeRule::Promote;
    std::shared_ptr<const Element> element = {}; // Pointwise: gives body, kernel and meta
    Meta meta = {};
    Kernel kernel = {};
    Body body = {}; // Pointwise, Creation; element transform before combining for Reduction
    std::optional<ReductionKind> reduction = {};
    IndexMap index = {}; // View, Gather
    std::optional<Derivative> derivative = {};
    Decomposition decomposition = {}; // null: a core op, stays in AOT graphs
    /// What the loop compiler lowers instead, when the op is core but is loops over simpler ones (softmax, norms,
    /// mean).
    Decomposition loweringDecomposition = {};
    Decomposition composite = {};                      // Kind::Composite: runs above autograd
    std::function<std::vector<Values>()> samples = {}; // argument lists for tests: small, float64 tensors
    bool differentiable = true;                        // false: outputs never require grad (comparisons, argmax)
    bool inPlaceVariant = false; // also declare name_ (self written and returned), derived from this op
    int launches = 1; // kernels of one eager call: 1, the dispatcher counts it; 0, none; else the kernel counts

    // Derived by the registry.
    int id = -1;
    const OpDef* functional = nullptr;  // of an in-place op: what it computes
    const OpDef* inPlaceForm = nullptr; // the derived name_, when there is one
    bool inPlace = false;               // writes its first argument and returns it
    std::string qualified = {};         // "aten.add.Tensor", "aten.relu.default"
    std::string nodeName = {};          // of its tape nodes: "MulBackward0"; overloads with a derivative are numbered
    const std::string& qualifiedName() const { return qualified; }
    std::string baseName() const { return schema.name; }
    /// Schema parameters of type Tensor or Tensor[], by position.
    std::vector<int> tensorParams = {};
};

} // namespace strata::ops
