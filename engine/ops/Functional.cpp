#include "engine/ops/Functional.h"

#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Shape.h"
#include "engine/symbolic/ShapeEnv.h"

namespace strata::ops::f {

namespace {

bool isTensor(const Value& value) {
    return value.as<Tensor>() != nullptr;
}

Value ints(const SymInts& values) {
    return values;
}
Value none() {
    return {};
}

} // namespace

// An op looked up once, at the first call.
#define STRATA_OP(name)                                                                                                \
    [&]() -> const OpDef& {                                                                                            \
        static const OpDef& op = get("aten." name);                                                                    \
        return op;                                                                                                     \
    }()

Tensor add(const Value& a, const Value& b, const Scalar& alpha) {
    return callTensor(STRATA_OP("add.Tensor"), {a, b, alpha});
}
Tensor sub(const Value& a, const Value& b, const Scalar& alpha) {
    return callTensor(STRATA_OP("sub.Tensor"), {a, b, alpha});
}
Tensor mul(const Value& a, const Value& b) {
    return callTensor(STRATA_OP("mul.Tensor"), {a, b});
}
Tensor div(const Value& a, const Value& b) {
    return callTensor(STRATA_OP("div.Tensor"), {a, b});
}
Tensor addScalar(const Tensor& a, const Scalar& b) {
    return callTensor(STRATA_OP("add.Scalar"), {a, b});
}
Tensor subScalar(const Tensor& a, const Scalar& b) {
    return callTensor(STRATA_OP("sub.Scalar"), {a, b});
}
Tensor mulScalar(const Tensor& a, const Scalar& b) {
    return callTensor(STRATA_OP("mul.Scalar"), {a, b});
}
Tensor divScalar(const Tensor& a, const Scalar& b) {
    return callTensor(STRATA_OP("div.Scalar"), {a, b});
}
Tensor divMode(const Value& a, const Value& b, const char* roundingMode) {
    return callTensor(STRATA_OP("div.Tensor_mode"), {a, b, roundingMode});
}
Tensor rsub(const Tensor& self, const Scalar& other) {
    return callTensor(STRATA_OP("rsub.Scalar"), {self, other});
}
Tensor pow(const Value& self, const Value& exponent) {
    if (!isTensor(self)) return callTensor(STRATA_OP("pow.Scalar"), {self, exponent});
    return isTensor(exponent) ? callTensor(STRATA_OP("pow.Tensor_Tensor"), {self, exponent})
                              : callTensor(STRATA_OP("pow.Tensor_Scalar"), {self, exponent});
}
Tensor maximum(const Value& a, const Value& b) {
    return callTensor(STRATA_OP("maximum.default"), {a, b});
}
Tensor minimum(const Value& a, const Value& b) {
    return callTensor(STRATA_OP("minimum.default"), {a, b});
}
Tensor atan2(const Value& a, const Value& b) {
    return callTensor(STRATA_OP("atan2.default"), {a, b});
}
Tensor fmod(const Value& a, const Value& b) {
    return isTensor(b) ? callTensor(STRATA_OP("fmod.Tensor"), {a, b}) : callTensor(STRATA_OP("fmod.Scalar"), {a, b});
}
Tensor remainder(const Value& a, const Value& b) {
    return isTensor(b) ? callTensor(STRATA_OP("remainder.Tensor"), {a, b})
                       : callTensor(STRATA_OP("remainder.Scalar"), {a, b});
}
Tensor where(const Tensor& condition, const Value& self, const Value& other) {
    return callTensor(STRATA_OP("where.self"), {condition, self, other});
}
Tensor maskedFill(const Tensor& self, const Tensor& mask, const Value& value) {
    return isTensor(value) ? callTensor(STRATA_OP("masked_fill.Tensor"), {self, mask, value})
                           : callTensor(STRATA_OP("masked_fill.Scalar"), {self, mask, value});
}
Tensor clamp(const Tensor& self, const Value& low, const Value& high) {
    return isTensor(low) || isTensor(high) ? callTensor(STRATA_OP("clamp.Tensor"), {self, low, high})
                                           : callTensor(STRATA_OP("clamp.default"), {self, low, high});
}
Tensor lerp(const Tensor& self, const Tensor& end, const Value& weight) {
    return isTensor(weight) ? callTensor(STRATA_OP("lerp.Tensor"), {self, end, weight})
                            : callTensor(STRATA_OP("lerp.Scalar"), {self, end, weight});
}
Tensor addcmul(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
    return callTensor(STRATA_OP("addcmul.default"), {self, a, b, value});
}
Tensor addcdiv(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
    return callTensor(STRATA_OP("addcdiv.default"), {self, a, b, value});
}

#define STRATA_COMPARISON(name)                                                                                        \
    Tensor name(const Tensor& a, const Value& b) {                                                                     \
        return isTensor(b) ? callTensor(STRATA_OP(#name ".Tensor"), {a, b})                                            \
                           : callTensor(STRATA_OP(#name ".Scalar"), {a, b});                                           \
    }
STRATA_COMPARISON(eq)
STRATA_COMPARISON(ne)
STRATA_COMPARISON(lt)
STRATA_COMPARISON(le)
STRATA_COMPARISON(gt)
STRATA_COMPARISON(ge)
#undef STRATA_COMPARISON
Tensor logicalAnd(const Tensor& a, const Tensor& b) {
    return callTensor(STRATA_OP("logical_and.default"), {a, b});
}
Tensor logicalOr(const Tensor& a, const Tensor& b) {
    return callTensor(STRATA_OP("logical_or.default"), {a, b});
}
Tensor logicalNot(const Tensor& a) {
    return callTensor(STRATA_OP("logical_not.default"), {a});
}
Tensor isnan(const Tensor& a) {
    return callTensor(STRATA_OP("isnan.default"), {a});
}

#define X(name)                                                                                                        \
    Tensor name(const Tensor& self) {                                                                                  \
        return callTensor(STRATA_OP(#name ".default"), {self});                                                        \
    }
STRATA_UNARY(X)
#undef X
Tensor gelu(const Tensor& self, const char* approximate) {
    return callTensor(STRATA_OP("gelu.default"), {self, approximate});
}

Tensor sigmoidBackward(const Tensor& grad, const Tensor& output) {
    return callTensor(STRATA_OP("sigmoid_backward.default"), {grad, output});
}
Tensor tanhBackward(const Tensor& grad, const Tensor& output) {
    return callTensor(STRATA_OP("tanh_backward.default"), {grad, output});
}
Tensor thresholdBackward(const Tensor& grad, const Tensor& self, const Scalar& threshold) {
    return callTensor(STRATA_OP("threshold_backward.default"), {grad, self, threshold});
}
Tensor geluBackward(const Tensor& grad, const Tensor& self, const char* approximate) {
    return callTensor(STRATA_OP("gelu_backward.default"), {grad, self, approximate});
}
Tensor siluBackward(const Tensor& grad, const Tensor& self) {
    return callTensor(STRATA_OP("silu_backward.default"), {grad, self});
}

Tensor clone(const Tensor& self) {
    return callTensor(STRATA_OP("clone.default"), {self});
}
Tensor contiguous(const Tensor& self) {
    return self.isContiguous() ? self : callTensor(STRATA_OP("clone.default"), {self, "contiguous_format"});
}
Tensor toCopy(const Tensor& self, DType dtype) {
    return callTensor(STRATA_OP("_to_copy.default"), {self, dtype});
}
Tensor to(const Tensor& self, DType dtype) {
    return self.dtype() == dtype ? self : toCopy(self, dtype);
}
void copyInto(const Tensor& self, const Tensor& source) {
    call(STRATA_OP("copy_.default"), {self, source});
}

Tensor sum(const Tensor& self) {
    return callTensor(STRATA_OP("sum.default"), {self});
}
Tensor sum(const Tensor& self, const SymInts& dims, bool keepdim) {
    return callTensor(STRATA_OP("sum.dim_IntList"), {self, ints(dims), keepdim});
}
Tensor mean(const Tensor& self) {
    return callTensor(STRATA_OP("mean.default"), {self});
}
Tensor mean(const Tensor& self, const SymInts& dims, bool keepdim) {
    return callTensor(STRATA_OP("mean.dim"), {self, ints(dims), keepdim});
}
Tensor amax(const Tensor& self, const SymInts& dims, bool keepdim) {
    return callTensor(STRATA_OP("amax.default"), {self, ints(dims), keepdim});
}
Tensor amin(const Tensor& self, const SymInts& dims, bool keepdim) {
    return callTensor(STRATA_OP("amin.default"), {self, ints(dims), keepdim});
}
Tensor prod(const Tensor& self) {
    return callTensor(STRATA_OP("prod.default"), {self});
}
Tensor any(const Tensor& self) {
    return callTensor(STRATA_OP("any.default"), {self});
}
Tensor all(const Tensor& self) {
    return callTensor(STRATA_OP("all.default"), {self});
}
Tensor softmax(const Tensor& self, std::int64_t dim) {
    return callTensor(STRATA_OP("_softmax.default"), {self, dim, false});
}
Tensor logSoftmax(const Tensor& self, std::int64_t dim) {
    return callTensor(STRATA_OP("_log_softmax.default"), {self, dim, false});
}
Tensor softmaxBackward(const Tensor& grad, const Tensor& output, std::int64_t dim, DType inputDType) {
    return callTensor(STRATA_OP("_softmax_backward_data.default"), {grad, output, dim, inputDType});
}
Tensor logSoftmaxBackward(const Tensor& grad, const Tensor& output, std::int64_t dim, DType inputDType) {
    return callTensor(STRATA_OP("_log_softmax_backward_data.default"), {grad, output, dim, inputDType});
}

Tensor sumTo(const Tensor& grad, const SymInts& sizes) {
    if (symbolic::sameAs(grad.sizes(), sizes)) return grad;
    const std::size_t lead = grad.sizes().size() - sizes.size();
    SymInts dims;
    for (std::size_t d = 0; d < grad.sizes().size(); ++d) {
        const bool stretched = d >= lead && sizes[d - lead].sameAs(1) && !grad.sizes()[d].sameAs(1) &&
                               !symbolic::equal(grad.sizes()[d], 1);
        if (d < lead || stretched) dims.push_back(static_cast<std::int64_t>(d));
    }
    Tensor result = dims.empty() ? grad : sum(grad, dims, true);
    return lead > 0 ? view(result, sizes) : result;
}

Tensor expand(const Tensor& self, const SymInts& sizes) {
    return callTensor(STRATA_OP("expand.default"), {self, ints(sizes)});
}
Tensor view(const Tensor& self, const SymInts& sizes) {
    return callTensor(STRATA_OP("view.default"), {self, ints(sizes)});
}
Tensor reshape(const Tensor& self, const SymInts& sizes) {
    return callTensor(STRATA_OP("reshape.default"), {self, ints(sizes)});
}
Tensor permute(const Tensor& self, const SymInts& dims) {
    return callTensor(STRATA_OP("permute.default"), {self, ints(dims)});
}
Tensor transpose(const Tensor& self, std::int64_t dim0, std::int64_t dim1) {
    return callTensor(STRATA_OP("transpose.int"), {self, dim0, dim1});
}
Tensor squeeze(const Tensor& self, std::int64_t dim) {
    return callTensor(STRATA_OP("squeeze.dim"), {self, dim});
}
Tensor unsqueeze(const Tensor& self, std::int64_t dim) {
    return callTensor(STRATA_OP("unsqueeze.default"), {self, dim});
}
Tensor select(const Tensor& self, std::int64_t dim, SymInt index) {
    return callTensor(STRATA_OP("select.int"), {self, dim, index});
}
Tensor slice(const Tensor& self, std::int64_t dim, SymInt start, SymInt end, SymInt step) {
    return callTensor(STRATA_OP("slice.Tensor"), {self, dim, start, end, step});
}
Tensor asStrided(const Tensor& self, const SymInts& sizes, const SymInts& strides, SymInt offset) {
    return callTensor(STRATA_OP("as_strided.default"), {self, ints(sizes), ints(strides), offset});
}

// Factories take (.., dtype, layout, device, pin_memory).
Tensor zeros(const SymInts& sizes, DType dtype, Device device) {
    return callTensor(STRATA_OP("zeros.default"), {ints(sizes), dtype, none(), device});
}
Tensor ones(const SymInts& sizes, DType dtype, Device device) {
    return callTensor(STRATA_OP("ones.default"), {ints(sizes), dtype, none(), device});
}
Tensor full(const SymInts& sizes, const Scalar& value, DType dtype, Device device) {
    return callTensor(STRATA_OP("full.default"), {ints(sizes), value, dtype, none(), device});
}
Tensor scalarTensor(const Scalar& value, DType dtype, Device device) {
    return callTensor(STRATA_OP("scalar_tensor.default"), {value, dtype, none(), device});
}
Tensor zerosLike(const Tensor& self) {
    return callTensor(STRATA_OP("zeros_like.default"), {self});
}
Tensor onesLike(const Tensor& self) {
    return callTensor(STRATA_OP("ones_like.default"), {self});
}
Tensor fullLike(const Tensor& self, const Scalar& value) {
    return callTensor(STRATA_OP("full_like.default"), {self, value});
}
Tensor arange(SymInt end, DType dtype, Device device) {
    return callTensor(STRATA_OP("arange.default"), {end, dtype, none(), device});
}

Tensor cat(const Tensors& tensors, std::int64_t dim) {
    return callTensor(STRATA_OP("cat.default"), {tensors, dim});
}
Tensor gather(const Tensor& self, std::int64_t dim, const Tensor& index) {
    return callTensor(STRATA_OP("gather.default"), {self, dim, index});
}
Tensor scatterValue(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value) {
    return callTensor(STRATA_OP("scatter.value"), {self, dim, index, value});
}
Tensor scatterAdd(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source) {
    return callTensor(STRATA_OP("scatter_add.default"), {self, dim, index, source});
}
Tensor indexSelect(const Tensor& self, std::int64_t dim, const Tensor& index) {
    return callTensor(STRATA_OP("index_select.default"), {self, dim, index});
}

Tensor mm(const Tensor& a, const Tensor& b) {
    return callTensor(STRATA_OP("mm.default"), {a, b});
}
Tensor bmm(const Tensor& a, const Tensor& b) {
    return callTensor(STRATA_OP("bmm.default"), {a, b});
}
Tensor addmm(const Tensor& bias, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
    return callTensor(STRATA_OP("addmm.default"), {bias, a, b, beta, alpha});
}

} // namespace strata::ops::f
