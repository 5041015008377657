#pragma once
// Typed functions over ops::call, for derivative formulas, decompositions and composites: what they compute goes
// through the dispatcher, so that it is recorded, traced and differentiated again.
//
// A parameter of type Value takes a Tensor or a number (Scalar, double, int, SymInt), as the schema's Tensor argument
// may hold a Python number; the overload (.Tensor, .Scalar) is chosen as PyTorch's binding does.

#include "engine/ops/Registry.h"

namespace strata::ops::f {

// Pointwise.
Tensor add(const Value& a, const Value& b, const Scalar& alpha = SymInt(1)); // a + alpha * b
Tensor sub(const Value& a, const Value& b, const Scalar& alpha = SymInt(1));
Tensor mul(const Value& a, const Value& b);
Tensor div(const Value& a, const Value& b);
// With a number, as C++ operators on at::Tensor dispatch: the .Scalar overloads. For derivative formulas;
// decompositions are Python in PyTorch and use the functions above.
Tensor addScalar(const Tensor& a, const Scalar& b);
Tensor subScalar(const Tensor& a, const Scalar& b);
Tensor mulScalar(const Tensor& a, const Scalar& b);
Tensor divScalar(const Tensor& a, const Scalar& b);
Tensor divMode(const Value& a, const Value& b, const char* roundingMode); // "floor", "trunc"
Tensor rsub(const Tensor& self, const Scalar& other);                     // other - self
Tensor pow(const Value& self, const Value& exponent);
Tensor maximum(const Value& a, const Value& b);
Tensor minimum(const Value& a, const Value& b);
Tensor atan2(const Value& a, const Value& b);
Tensor fmod(const Value& a, const Value& b);
Tensor remainder(const Value& a, const Value& b);
Tensor where(const Tensor& condition, const Value& self, const Value& other);
Tensor maskedFill(const Tensor& self, const Tensor& mask, const Value& value);
Tensor clamp(const Tensor& self, const Value& low, const Value& high); // None: no bound
Tensor lerp(const Tensor& self, const Tensor& end, const Value& weight);
Tensor addcmul(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value = SymInt(1));
Tensor addcdiv(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value = SymInt(1));

// Comparisons and logic.
Tensor eq(const Tensor& a, const Value& b);
Tensor ne(const Tensor& a, const Value& b);
Tensor lt(const Tensor& a, const Value& b);
Tensor le(const Tensor& a, const Value& b);
Tensor gt(const Tensor& a, const Value& b);
Tensor ge(const Tensor& a, const Value& b);
Tensor logicalAnd(const Tensor& a, const Tensor& b);
Tensor logicalOr(const Tensor& a, const Tensor& b);
Tensor logicalNot(const Tensor& a);
Tensor isnan(const Tensor& a);

// Unary.
// clang-format off
#define STRATA_UNARY(X) \
    X(neg) X(abs) X(sign) X(exp) X(exp2) X(expm1) X(log) X(log1p) X(log2) X(log10) X(sqrt) X(rsqrt) \
    X(reciprocal) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(sigmoid) \
    X(erf) X(erfc) X(relu) X(silu) X(floor) X(ceil) X(round) X(trunc) X(square) X(t) X(detach) \
    X(alias)
// clang-format on
#define X(name) Tensor name(const Tensor& self);
STRATA_UNARY(X)
#undef X
Tensor gelu(const Tensor& self, const char* approximate = "none");

// Backward ops of activations, in PyTorch's argument order.
Tensor sigmoidBackward(const Tensor& grad, const Tensor& output);
Tensor tanhBackward(const Tensor& grad, const Tensor& output);
Tensor thresholdBackward(const Tensor& grad, const Tensor& self, const Scalar& threshold);
Tensor geluBackward(const Tensor& grad, const Tensor& self, const char* approximate);
Tensor siluBackward(const Tensor& grad, const Tensor& self);

// Copies and conversions.
Tensor clone(const Tensor& self);
Tensor contiguous(const Tensor& self);                   // self when contiguous already, else clone
Tensor toCopy(const Tensor& self, DType dtype);          // aten._to_copy
Tensor to(const Tensor& self, DType dtype);              // self when it has the dtype already
void copyInto(const Tensor& self, const Tensor& source); // self.copy_(source)

// Reductions. `dims` empty: over all.
Tensor sum(const Tensor& self);                                            // aten.sum.default
Tensor sum(const Tensor& self, const SymInts& dims, bool keepdim = false); // aten.sum.dim_IntList
Tensor mean(const Tensor& self);
Tensor mean(const Tensor& self, const SymInts& dims, bool keepdim = false);
Tensor amax(const Tensor& self, const SymInts& dims, bool keepdim = false);
Tensor amin(const Tensor& self, const SymInts& dims, bool keepdim = false);
Tensor prod(const Tensor& self);
Tensor any(const Tensor& self);
Tensor all(const Tensor& self);
Tensor softmax(const Tensor& self, std::int64_t dim);    // aten._softmax, float result as self
Tensor logSoftmax(const Tensor& self, std::int64_t dim); // aten._log_softmax
Tensor softmaxBackward(const Tensor& grad, const Tensor& output, std::int64_t dim, DType inputDType);
Tensor logSoftmaxBackward(const Tensor& grad, const Tensor& output, std::int64_t dim, DType inputDType);
/// `grad` summed to `sizes`, which broadcast to grad's: aten.sum.dim_IntList with keepdim over the broadcast dims, then
/// aten.view when leading dims go. grad itself when the sizes are equal.
Tensor sumTo(const Tensor& grad, const SymInts& sizes);

// Views.
Tensor expand(const Tensor& self, const SymInts& sizes);
Tensor view(const Tensor& self, const SymInts& sizes);
Tensor reshape(const Tensor& self, const SymInts& sizes); // view where possible, else clone and view
Tensor permute(const Tensor& self, const SymInts& dims);
Tensor transpose(const Tensor& self, std::int64_t dim0, std::int64_t dim1);
Tensor squeeze(const Tensor& self, std::int64_t dim);
Tensor unsqueeze(const Tensor& self, std::int64_t dim);
Tensor select(const Tensor& self, std::int64_t dim, SymInt index);
Tensor slice(const Tensor& self, std::int64_t dim, SymInt start, SymInt end, SymInt step = 1);
Tensor asStrided(const Tensor& self, const SymInts& sizes, const SymInts& strides, SymInt offset);

// Creation, with the device of `like` where given.
Tensor zeros(const SymInts& sizes, DType dtype, Device device = {});
Tensor ones(const SymInts& sizes, DType dtype, Device device = {});
Tensor full(const SymInts& sizes, const Scalar& value, DType dtype, Device device = {});
Tensor scalarTensor(const Scalar& value, DType dtype, Device device = {}); // aten.scalar_tensor
Tensor zerosLike(const Tensor& self);
Tensor onesLike(const Tensor& self);
Tensor fullLike(const Tensor& self, const Scalar& value);
Tensor arange(SymInt end, DType dtype, Device device = {});

// Gather.
Tensor cat(const Tensors& tensors, std::int64_t dim);
Tensor gather(const Tensor& self, std::int64_t dim, const Tensor& index);
Tensor scatterValue(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value);
Tensor scatterAdd(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source);
Tensor indexSelect(const Tensor& self, std::int64_t dim, const Tensor& index);

// Products.
Tensor mm(const Tensor& a, const Tensor& b);
Tensor bmm(const Tensor& a, const Tensor& b);
Tensor addmm(const Tensor& bias, const Tensor& a, const Tensor& b, const Scalar& beta = SymInt(1),
             const Scalar& alpha = SymInt(1));

} // namespace strata::ops::f
