#pragma once
// Shape arithmetic of meta functions, on symbolic sizes: comparisons go through symbolic::equal and the ShapeEnv in
// force. Errors are PyTorch's messages.

#include "engine/ops/OpDef.h"

namespace strata::ops::shape {

/// A dim counted from the end when negative. support::Error (Index) with PyTorch's words when out of range.
std::int64_t wrapDim(std::int64_t dim, std::int64_t rank);
/// Several dims, each wrapped; support::Error (Runtime) when one appears twice. Order is kept.
std::vector<std::int64_t> wrapDims(const SymInts& dims, std::int64_t rank);

/// The common shape of two or more; support::Error when they do not broadcast.
SymInts broadcast(const SymInts& a, const SymInts& b);
SymInts broadcast(std::span<const SymInts> shapes);
bool isExpandableTo(const SymInts& from, const SymInts& to);

/// Sizes after reducing `dims` (all when empty). wrapDims was applied.
SymInts reduced(const SymInts& sizes, const std::vector<std::int64_t>& dims, bool keepdim);

/// Strides of a fresh elementwise output of shape `sizes`: dims keep the inputs' stride order, dense, like
/// TensorIterator's. Undefined tensors are passed over.
SymInts outputStrides(const SymInts& sizes, std::span<const Tensor> inputs);
/// Strides that torch.empty_like(self) gives with preserve_format: self's own when dense, else its dims' order.
SymInts likeStrides(const Tensor& self);

/// Strides of a view of shape `to` on a tensor of `sizes` and `strides`, without a copy; nullopt when there is none.
std::optional<SymInts> viewStrides(const SymInts& sizes, const SymInts& strides, const SymInts& to);
/// Replaces one -1 so that the product is `numel`; support::Error with PyTorch's words.
SymInts inferSize(const SymInts& sizes, SymInt numel);

/// A TensorMeta of a fresh contiguous result.
TensorMeta contiguous(SymInts sizes, DType dtype, Device device);
/// The tensor arguments of a call, in order, lists flattened, numbers passed over.
Tensors tensorsOf(const Values& args);
/// The first tensor argument's device (CPU without one).
Device deviceOf(const Values& args);
/// Whether strides describe each element once without gaps, in some order of dims.
bool isNonOverlappingAndDense(const SymInts& sizes, const SymInts& strides);

/// Whether two indices may reach the same element (as strides say; a layout with interleaved dims counts as
/// overlapping).
bool mayOverlap(const SymInts& sizes, const SymInts& strides);

/// "[2, 3]" as PyTorch puts shapes in messages.
std::string text(const SymInts& sizes);

} // namespace strata::ops::shape
