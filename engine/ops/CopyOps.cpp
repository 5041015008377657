// Copies, conversions, fills, and the views that share everything: clone, _to_copy, copy, fill, zero, alias, detach.
#include "engine/ops/Element.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"

namespace strata::ops {

using namespace scalar;

namespace {

const auto itself = [](auto x) { return x; };

// clone and _to_copy: the last argument is the memory format.
TensorMeta copyMeta(const Tensor& self, DType dtype, Device device, const Value& format) {
    TensorMeta meta = shape::contiguous(self.sizes(), dtype, device);
    const bool preserve = format.isNone() || format.string() == "preserve_format";
    if (preserve) meta.strides = shape::likeStrides(self);
    return meta;
}

std::vector<Values> anyStrides(const Values& rest) {
    return samples::unary(-2, 2, rest);
}

std::vector<TensorMeta> sameTensor(const Values& args) {
    const Tensor& self = args[0].tensor();
    return {{self.sizes(), self.strides(), self.dtype(), self.device(), self->offset, 0}};
}

OpDef aliasOp(const char* schema, const char* doc, bool differentiable) {
    OpDef op{.schema = schema,
             .doc = doc,
             .kind = Kind::View,
             .dtype = DTypeRule::Same,
             .meta = sameTensor,
             .index = [](const Values&, const SymInts& outputIndex) { return outputIndex; },
             .samples = [] { return anyStrides({}); },
             .differentiable = differentiable};
    if (differentiable) op.derivative = derivative({}, {}, [](const Tensor& g) { return g; });
    return op;
}

std::vector<OpDef> copies() {
    return {
        {.schema = "clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
         .doc = "a copy, its dims in memory as self's",
         .dtype = DTypeRule::Same,
         .element = element<1>(AllTypes{}, itself),
         .meta =
             [](const Values& args) {
                 return std::vector<TensorMeta>{
                     copyMeta(args[0].tensor(), args[0].tensor().dtype(), args[0].tensor().device(), args[1])};
             },
         .kernel = [](const Values& args, std::span<Tensor> outputs) { copyTensor(outputs[0], args[0].tensor()); },
         .derivative = derivative({}, {}, [](const Tensor& g) { return g; }),
         .samples = [] { return anyStrides({Value()}); }},
        {.schema = "_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
                   "pin_memory=None, "
                   "bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
         .doc = "a copy of another dtype or on another device",
         .dtype = DTypeRule::Given,
         .element = element<1>(AllTypes{}, itself),
         .meta =
             [](const Values& args) {
                 const Tensor& self = args[0].tensor();
                 const Device* device = args[3].as<Device>();
                 return std::vector<TensorMeta>{copyMeta(self, args[1].isNone() ? self.dtype() : args[1].dtype(),
                                                         device ? *device : self.device(), args[6])};
             },
         .kernel = [](const Values& args, std::span<Tensor> outputs) { copyTensor(outputs[0], args[0].tensor()); },
         .derivative = derivative({}, {}, [](const Tensor& g, const Saved& s) { return f::to(g, s.argDTypes.at(0)); }),
         .samples =
             [] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), DType::Float64},
                                            {samples::ints({3}, -2, 2), DType::Float32}};
             }},
        {.schema = "copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor",
         .doc = "src in the shape and dtype of self",
         .dtype = DTypeRule::Same,
         .element = element<2>(AllTypes{}, [](auto, auto source) { return source; }),
         .kernel = [](const Values& args, std::span<Tensor> outputs) { copyTensor(outputs[0], args[1].tensor()); },
         .derivative = derivative({}, {}, [](const Tensor& g, const Saved&) -> Tensors { return {Tensor(), g}; }),
         .samples =
             [] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -3, 3, 2)},
                                            {samples::tensor({2, 3}, -2, 2), samples::tensor({3}, -3, 3, 2)}};
             },
         .inPlaceVariant = true},
    };
}

std::vector<OpDef> fills() {
    return {
        {.schema = "fill.Scalar(Tensor self, Scalar value) -> Tensor",
         .doc = "value everywhere, in the shape and dtype of self",
         .dtype = DTypeRule::Same,
         .element = element<1, 1>(AllTypes{}, [](auto, auto value) { return value; }),
         .kernel = [](const Values& args, std::span<Tensor> outputs) { fillTensor(outputs[0], args[1].scalar()); },
         .derivative = derivative({}, {}, [](const Tensor&) { return Tensor(); }),
         .decomposition = [](const Values& args) { return Values{f::fullLike(args[0].tensor(), args[1].scalar())}; },
         .samples = [] { return anyStrides({1.5}); },
         .inPlaceVariant = true},
        {.schema = "fill.Tensor(Tensor self, Tensor value) -> Tensor",
         .doc = "the 0-dim value everywhere, in the shape and dtype of self",
         .dtype = DTypeRule::Same,
         .element = elementOf(
             [](const Values& args) {
                 if (const auto* value = args.at(1).as<Tensor>(); value && value->dim() != 0)
                     throw support::Error("fill_ only supports 0-dimension value tensor but got tensor with " +
                                          std::to_string(value->dim()) + " dimensions.");
                 return 0;
             },
             {elementForm<2>(AllTypes{}, [](auto, auto value) { return value; })}),
         .derivative = derivative({}, {},
                                  [](const Tensor& g, const Saved& s) -> Tensors {
                                      return {Tensor(), ifNeeded(s, 1, [&] { return f::sum(g); })};
                                  }),
         .decomposition = [](const Values& args) { return call(get("aten.copy.default"), {args[0], args[1]}); },
         .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({}, 1, 2)}}; },
         .inPlaceVariant = true},
        {.schema = "zero(Tensor self) -> Tensor",
         .doc = "0 everywhere, in the shape and dtype of self",
         .dtype = DTypeRule::Same,
         .element = element<1>(AllTypes{}, [](auto x) { return number(x, 0); }),
         .kernel = [](const Values&, std::span<Tensor> outputs) { fillTensor(outputs[0], SymInt(0)); },
         .derivative = derivative({}, {}, [](const Tensor&) { return Tensor(); }),
         .decomposition = [](const Values& args) { return Values{f::zerosLike(args[0].tensor())}; },
         .samples = [] { return anyStrides({}); },
         .inPlaceVariant = true},
    };
}

// to(dtype): self when nothing changes, else _to_copy.
Values toDType(const Values& args) {
    const Tensor& self = args[0].tensor();
    const bool copy = args[3].toBool();
    if (self.dtype() == args[1].dtype() && !copy) return {self};
    return {f::toCopy(self, args[1].dtype())};
}

std::vector<OpDef> composites() {
    return {
        {.schema = "to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? "
                   "memory_format=None) -> Tensor(a)",
         .doc = "self as another dtype",
         .kind = Kind::Composite,
         .composite = toDType,
         .samples =
             [] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), DType::Float32},
                                            {samples::tensor({2, 3}, -2, 2), DType::Float64}};
             }},
        {.schema = "contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)",
         .doc = "self when contiguous, else a contiguous copy",
         .kind = Kind::Composite,
         .composite = [](const Values& args) { return Values{f::contiguous(args[0].tensor())}; },
         .samples = [] { return anyStrides({}); }},
        {.schema = "type_as(Tensor self, Tensor other) -> Tensor",
         .doc = "self as other's dtype",
         .kind = Kind::Composite,
         .composite = [](const Values& args) { return Values{f::to(args[0].tensor(), args[1].tensor().dtype())}; },
         .samples = [] { return std::vector<Values>{{samples::ints({3}, 0, 3), samples::tensor({2}, 0, 1)}}; }},
        {.schema = "item(Tensor self) -> Scalar",
         .doc = "the one element as a Python number",
         .kind = Kind::Composite,
         .composite = [](const Values& args) { return call(get("aten._local_scalar_dense.default"), {args[0]}); },
         .samples = [] { return std::vector<Values>{{samples::tensor({1, 1}, 1, 2)}}; }},
    };
}

} // namespace

std::vector<OpDef> copyOps() {
    std::vector<OpDef> all;
    for (auto part : {copies(), fills(), composites()})
        for (OpDef& op : part) all.push_back(std::move(op));
    for (OpDef& op : all)
        if (op.schema.name == "copy") op.nodeName = "CopyBackwards"; // the one tape node that PyTorch writes by hand
    all.push_back(aliasOp("alias(Tensor(a) self) -> Tensor(a)", "self, as another tensor on the same storage", true));
    all.push_back(aliasOp("lift_fresh(Tensor(a) self) -> Tensor(a)", "a tensor literal enters the program", true));
    all.push_back(aliasOp("detach(Tensor(a) self) -> Tensor(a)", "self without its history", false));
    all.push_back(
        {.schema = "new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? "
                   "layout=None, "
                   "Device? device=None, bool? pin_memory=None) -> Tensor",
         .doc = "a tensor of a given layout, elements not set",
         .kind = Kind::Creation,
         .dtype = DTypeRule::Given,
         .meta =
             [](const Values& args) {
                 const Tensor& self = args[0].tensor();
                 const DType dtype = args[3].isNone() ? self.dtype() : args[3].dtype();
                 return std::vector<TensorMeta>{{args[1].ints(), args[2].ints(), dtype, self.device()}};
             },
         .kernel = [](const Values&, std::span<Tensor>) {},
         .samples = [] { return std::vector<Values>{{samples::tensor({2}, 0, 1), SymInts{2, 3}, SymInts{1, 2}}}; },
         .differentiable = false,
         .launches = 0});
    all.push_back(
        {.schema = "_local_scalar_dense(Tensor self) -> Scalar",
         .doc = "reads the one element back: no kernel, the program waits for the value",
         .kind = Kind::Extern,
         .dtype = DTypeRule::Same,
         .samples = [] { return std::vector<Values>{{samples::tensor({}, 1, 2)}, {samples::ints({1}, 3, 4)}}; },
         .differentiable = false,
         .launches = 0});
    return all;
}

} // namespace strata::ops
