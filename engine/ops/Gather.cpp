// Ops that read or write at computed positions.
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <algorithm>

namespace strata::ops {

namespace {

using support::Error;
using support::ErrorKind;

std::int64_t dimOf(const Value& value) {
    return symbolic::toInt(value.toInt());
}
std::int64_t wrapped(const Tensor& x, const Value& dim) {
    return shape::wrapDim(dimOf(dim), std::max<std::int64_t>(x.dim(), 1));
}

/// A dense [outer, size, inner] look at a dim.
struct Along {
    std::int64_t outer = 1, size = 1, inner = 1;
};

Along along(const Tensor& dense, std::int64_t dim) {
    Along out;
    for (std::int64_t d = 0; d < dense.dim(); ++d)
        (d < dim ? out.outer : d > dim ? out.inner : out.size) *= dense.size(d).asInt();
    return out;
}

std::int64_t checkedIndex(std::int64_t i, std::int64_t size) {
    if (i < -size || i >= size)
        throw Error(ErrorKind::Index, "index " + std::to_string(i) + " is out of bounds for dimension 0 with size " +
                                          std::to_string(size));
    return i < 0 ? i + size : i;
}

void requireIndexType(const Tensor& index, const char* op) {
    if (index.dtype() != DType::Int64) throw Error(std::string(op) + "(): Expected dtype int64 for index");
}

// ---- cat ------------------------------------------------------------------------------------------------------------

// A 1-D tensor without elements fits anywhere, as it always has in PyTorch.
bool isLegacyEmpty(const Tensor& t) {
    return t.dim() == 1 && t.size(0).sameAs(0);
}

std::vector<TensorMeta> catMeta(const Values& args) {
    const Tensors& parts = args[0].tensors();
    if (parts.empty()) throw Error("torch.cat(): expected a non-empty list of Tensors");
    Promotion promotion;
    const Tensor* first = nullptr;
    for (const Tensor& t : parts) {
        if (t.dim() == 0) throw Error("zero-dimensional tensor (at position 0) cannot be concatenated");
        promotion.add(t);
        if (!first && !isLegacyEmpty(t)) first = &t;
    }
    if (!first) return {shape::contiguous({0}, promotion.result(), parts[0].device())};
    const std::int64_t dim = shape::wrapDim(dimOf(args[1]), first->dim());
    SymInts sizes = first->sizes();
    SymInt total = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Tensor& t = parts[i];
        if (isLegacyEmpty(t)) continue;
        if (t.dim() != first->dim())
            throw Error("Tensors must have same number of dimensions: got " + std::to_string(first->dim()) + " and " +
                        std::to_string(t.dim()));
        for (std::int64_t d = 0; d < t.dim(); ++d)
            if (d != dim && !symbolic::equal(t.size(d), first->size(d)))
                throw Error("Sizes of tensors must match except in dimension " + std::to_string(dim) +
                            ". Expected size " + first->size(d).str() + " but got size " + t.size(d).str() +
                            " for tensor number " + std::to_string(i) + " in the list.");
        total = total + t.size(dim);
    }
    sizes[static_cast<std::size_t>(dim)] = total;
    return {shape::contiguous(sizes, promotion.result(), first->device())};
}

void catKernel(const Values& args, std::span<Tensor> out) {
    const std::int64_t dim = wrapped(out[0], args[1]);
    SymInt start = 0;
    for (const Tensor& t : args[0].tensors()) {
        if (isLegacyEmpty(t)) continue;
        SymInts sizes = out[0].sizes();
        sizes[static_cast<std::size_t>(dim)] = t.size(dim);
        copyTensor(out[0].alias(sizes, out[0].strides(), out[0]->offset + start * out[0].stride(dim)), t);
        start = start + t.size(dim);
    }
}

Tensors catGradients(const Saved& saved, const Tensors& grads) {
    // argSizes holds one entry a part, in order: they come first in the schema.
    const std::size_t parts = saved.args[0].tensors().size();
    Tensors out;
    SymInt start = 0;
    const std::int64_t dim = shape::wrapDim(dimOf(saved.args[1]), grads[0].dim());
    for (std::size_t i = 0; i < parts; ++i) {
        const SymInts& sizes = saved.argSizes[i];
        if (sizes.size() == 1 && sizes[0].sameAs(0)) {
            out.push_back(f::zeros(sizes, grads[0].dtype(), grads[0].device()));
            continue;
        }
        const SymInt size = sizes[static_cast<std::size_t>(dim)];
        out.push_back(f::slice(grads[0], dim, start, start + size));
        start = start + size;
    }
    return out;
}

Values stackRule(const Values& args) {
    const Tensors& parts = args[0].tensors();
    if (parts.empty()) throw Error("stack expects a non-empty TensorList");
    const std::int64_t dim = shape::wrapDim(dimOf(args[1]), parts[0].dim() + 1);
    Tensors wide;
    for (const Tensor& t : parts) {
        if (!symbolic::equal(t.sizes(), parts[0].sizes()))
            throw Error("stack expects each tensor to be equal size, but got " + shape::text(parts[0].sizes()) +
                        " at entry 0 and " + shape::text(t.sizes()) + " at entry " + std::to_string(wide.size()));
        wide.push_back(f::unsqueeze(t, dim));
    }
    return {f::cat(wide, dim)};
}

// ---- one index a result element
// ----------------------------------------------------------------------------------------

std::vector<TensorMeta> gatherMeta(const Values& args) {
    const Tensor &x = args[0].tensor(), &index = args[2].tensor();
    requireIndexType(index, "gather");
    if (x.dim() != index.dim()) throw Error("Index tensor must have the same number of dimensions as input tensor");
    const std::int64_t dim = wrapped(x, args[1]);
    for (std::int64_t d = 0; d < x.dim(); ++d)
        if (d != dim && symbolic::less(x.size(d), index.size(d)))
            throw Error("Size does not match at dimension " + std::to_string(d) + " expected index " +
                        shape::text(index.sizes()) + " to be no larger than self " + shape::text(x.sizes()) +
                        " apart from dimension " + std::to_string(dim));
    return {shape::contiguous(index.sizes(), x.dtype(), x.device())};
}

/// Calls f(element of a tensor with x's strides that (n, index) names, n) for every element n of a dense index tensor.
template <class F> void forEachIndexed(const Tensor& x, std::int64_t dim, const Tensor& index, F f) {
    const std::int64_t count = index.numel().asInt(), rank = index.dim();
    const std::int64_t* positions = index.data<std::int64_t>();
    std::vector<std::int64_t> at(static_cast<std::size_t>(rank), 0);
    for (std::int64_t n = 0; n < count; ++n) {
        std::int64_t offset = 0;
        for (std::int64_t d = 0; d < rank; ++d) {
            const std::int64_t i =
                d == dim ? checkedIndex(positions[n], x.size(d).asInt()) : at[static_cast<std::size_t>(d)];
            offset += i * x.stride(d).asInt();
        }
        f(offset, n);
        for (std::int64_t d = rank; d-- > 0;) {
            if (++at[static_cast<std::size_t>(d)] < index.size(d).asInt()) break;
            at[static_cast<std::size_t>(d)] = 0;
        }
    }
}

void gatherKernel(const Values& args, std::span<Tensor> out) {
    const Tensor& x = args[0].tensor();
    const Tensor index = denseContiguous(args[2].tensor());
    tensor::visit(x.dtype(), "gather", [&]<class T>() {
        const T* from = x.data<T>();
        T* to = out[0].data<T>();
        forEachIndexed(x, wrapped(x, args[1]), index,
                       [&](std::int64_t offset, std::int64_t n) { to[n] = from[offset]; });
    });
}

std::vector<TensorMeta> likeSelf(const Values& args) {
    const Tensor& x = args[0].tensor();
    requireIndexType(args[2].tensor(), "scatter");
    return {shape::contiguous(x.sizes(), x.dtype(), x.device())};
}

template <class T> T addedUp(T a, T b) {
    if constexpr (std::is_same_v<T, bool>)
        return a || b;
    else
        return static_cast<T>(a + b);
}

template <bool Add> Kernel scatterKernel() {
    return [](const Values& args, std::span<Tensor> out) {
        copyTensor(out[0], args[0].tensor());
        const Tensor index = denseContiguous(args[2].tensor());
        const auto* source = args[3].as<Tensor>();
        tensor::visit(out[0].dtype(), "scatter", [&]<class T>() {
            T* to = out[0].data<T>();
            Tensor values; // of the index's shape, from the source's corner
            if (source) values = denseContiguous(source->alias(index.sizes(), source->strides(), (*source)->offset));
            const T* from = source ? values.data<T>() : nullptr;
            const T number = source ? T() : static_cast<T>(toDouble(args[3].scalar()));
            forEachIndexed(out[0], wrapped(out[0], args[1]), index, [&](std::int64_t offset, std::int64_t n) {
                const T v = from ? from[n] : number;
                to[offset] = Add ? addedUp(to[offset], v) : v;
            });
        });
    };
}

// ---- rows
// --------------------------------------------------------------------------------------------------------------

std::vector<TensorMeta> indexSelectMeta(const Values& args) {
    const Tensor &x = args[0].tensor(), &index = args[2].tensor();
    requireIndexType(index, "index_select");
    if (index.dim() > 1) throw Error(ErrorKind::Index, "index_select(): Index is supposed to be a vector");
    SymInts sizes = x.sizes();
    sizes[static_cast<std::size_t>(wrapped(x, args[1]))] = index.dim() ? index.size(0) : SymInt(1);
    return {shape::contiguous(sizes, x.dtype(), x.device())};
}

void copyRows(const Tensor& x, std::int64_t dim, const Tensor& index, Tensor& out) {
    const Tensor from = denseContiguous(x), positions = denseContiguous(index);
    const Along a = along(from, dim);
    const std::int64_t count = positions.numel().asInt();
    const auto rowBytes = static_cast<std::size_t>(a.inner) * tensor::itemSize(x.dtype());
    const auto* source = static_cast<const char*>(from.data());
    auto* to = static_cast<char*>(out.data());
    const std::int64_t* at = positions.data<std::int64_t>();
    for (std::int64_t o = 0; o < a.outer; ++o)
        for (std::int64_t n = 0; n < count; ++n) {
            const std::int64_t row = checkedIndex(at[n], a.size);
            std::copy_n(source + static_cast<std::size_t>(o * a.size + row) * rowBytes, rowBytes,
                        to + static_cast<std::size_t>(o * count + n) * rowBytes);
        }
}

std::vector<TensorMeta> embeddingMeta(const Values& args) {
    const Tensor &weight = args[0].tensor(), &indices = args[1].tensor();
    if (weight.dim() != 2) throw Error("'weight' must be 2-D");
    if (indices.dtype() != DType::Int64)
        throw Error(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got " +
            std::string(scalarTypeName(indices.dtype())) + " instead (while checking arguments for embedding)");
    SymInts sizes = indices.sizes();
    sizes.push_back(weight.size(1));
    return {shape::contiguous(sizes, weight.dtype(), weight.device())};
}

void embeddingBackwardKernel(const Values& args, std::span<Tensor> out) {
    const Tensor g = denseContiguous(args[0].tensor()), index = denseContiguous(args[1].tensor());
    const std::int64_t padding = symbolic::toInt(args[3].toInt()), width = out[0].size(1).asInt();
    fillTensor(out[0], SymInt(0));
    tensor::visit(g.dtype(), "embedding_backward", [&]<class T>() {
        const T* from = g.data<T>();
        T* to = out[0].data<T>();
        const std::int64_t* rows = index.data<std::int64_t>();
        for (std::int64_t n = 0, count = index.numel().asInt(); n < count; ++n) {
            if (rows[n] == padding) continue;
            for (std::int64_t c = 0; c < width; ++c)
                to[rows[n] * width + c] = addedUp(to[rows[n] * width + c], from[n * width + c]);
        }
    });
}

// ---- copies in another order
// --------------------------------------------------------------------------------------------

void flipKernel(const Values& args, std::span<Tensor> out) {
    const Tensor& x = args[0].tensor();
    SymInts strides = out[0].strides();
    SymInt offset = out[0]->offset;
    for (const std::int64_t d : shape::wrapDims(args[1].ints(), x.dim())) {
        offset = offset + (x.size(d) - 1) * strides[static_cast<std::size_t>(d)];
        strides[static_cast<std::size_t>(d)] = -strides[static_cast<std::size_t>(d)];
    }
    if (x.numel().asInt() > 0) copyTensor(out[0].alias(out[0].sizes(), strides, offset), x);
}

SymInts repeatedSizes(const Tensor& x, const SymInts& times) {
    if (static_cast<std::int64_t>(times.size()) < x.dim())
        throw Error("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
    SymInts sizes(times.size());
    for (std::size_t d = 0; d < times.size(); ++d) {
        const std::int64_t own = static_cast<std::int64_t>(d) - static_cast<std::int64_t>(times.size()) + x.dim();
        sizes[d] = own < 0 ? times[d] : times[d] * x.size(own);
    }
    return sizes;
}

// x[.., d, ..] -> expand to [.., times, d, ..] -> flatten
Values repeatRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const SymInts& times = args[1].ints();
    const SymInts sizes = repeatedSizes(x, times);
    Tensor wide = x;
    while (wide.dim() < static_cast<std::int64_t>(times.size())) wide = f::unsqueeze(wide, 0);
    SymInts expanded;
    for (std::size_t d = 0; d < times.size(); ++d) {
        expanded.push_back(times[d]);
        expanded.push_back(wide.size(static_cast<std::int64_t>(d)));
    }
    for (std::size_t d = 0; d < times.size(); ++d) wide = f::unsqueeze(wide, static_cast<std::int64_t>(2 * d));
    return {f::reshape(f::clone(f::expand(wide, expanded)), sizes)};
}

void addIndexed(std::vector<OpDef>& out) {
    const auto indexSamples = [] {
        return std::vector<Values>{{samples::tensor({3, 4}, -1, 1), 1, samples::ints({3, 2}, 0, 3)},
                                   {samples::tensor({3, 4}, -1, 1), 0, samples::ints({2, 4}, 0, 2)}};
    };
    out.push_back({.schema = "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
                   .doc = "out[i][j] = self[index[i][j]][j] for dim 0, and so on",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta = gatherMeta,
                   .kernel = gatherKernel,
                   .derivative = derivative({2}, {},
                                            [](const Tensor& g, const Saved& s) {
                                                return f::scatterAdd(f::zeros(s.argSizes[0], g.dtype(), g.device()),
                                                                     dimOf(s.args[1]), savedArg(s, 2), g);
                                            }),
                   .samples = indexSamples});
    out.push_back(
        {.schema = "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
         .doc = "self with value at the positions that index names",
         .kind = Kind::Gather,
         .dtype = DTypeRule::Same,
         .meta = likeSelf,
         .kernel = scatterKernel<false>(),
         .derivative = derivative({2}, {},
                                  [](const Tensor& g, const Saved& s) {
                                      return f::scatterValue(g, dimOf(s.args[1]), savedArg(s, 2), SymInt(0));
                                  }),
         .samples =
             [] { return std::vector<Values>{{samples::tensor({3, 4}, -1, 1), 1, samples::ints({3, 2}, 0, 3), 2.0}}; },
         .inPlaceVariant = true});
    out.push_back({.schema = "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                   .doc = "self with src's elements at the positions that index names",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta = likeSelf,
                   .kernel = scatterKernel<false>(),
                   .derivative = derivative({2}, {},
                                            [](const Tensor& g, const Saved& s) {
                                                const std::int64_t dim = dimOf(s.args[1]);
                                                return Tensors{f::scatterValue(g, dim, savedArg(s, 2), SymInt(0)),
                                                               {},
                                                               f::gather(g, dim, savedArg(s, 2))};
                                            }),
                   .samples =
                       [] {
                           return std::vector<Values>{{samples::tensor({3, 4}, -1, 1), 1,
                                                       samples::of({2, 2}, {0, 1, 2, 3}),
                                                       samples::tensor({2, 2}, -1, 1, 3)}};
                       },
                   .inPlaceVariant = true});
    out.back().samples = [] {
        Tensor index = Tensor::empty({2, 2}, DType::Int64);
        const std::int64_t positions[] = {0, 1, 2, 3};
        std::copy_n(positions, 4, index.data<std::int64_t>());
        return std::vector<Values>{{samples::tensor({3, 4}, -1, 1), 1, index, samples::tensor({2, 2}, -1, 1, 3)}};
    };
    out.push_back({.schema = "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                   .doc = "self with src's elements added at the positions that index names",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta = likeSelf,
                   .kernel = scatterKernel<true>(),
                   .derivative = derivative({2}, {},
                                            [](const Tensor& g, const Saved& s) {
                                                return Tensors{
                                                    g, {}, {}, f::gather(g, dimOf(s.args[1]), savedArg(s, 2))};
                                            }),
                   .samples =
                       [] {
                           return std::vector<Values>{{samples::tensor({3, 4}, -1, 1), 1, samples::ints({3, 2}, 0, 3),
                                                       samples::tensor({3, 2}, -1, 1, 3)}};
                       },
                   .inPlaceVariant = true});
    // The gradient of src stands at src's place.
    out[out.size() - 2].derivative = derivative({2}, {}, [](const Tensor& g, const Saved& s) {
        const std::int64_t dim = dimOf(s.args[1]);
        return Tensors{f::scatterValue(g, dim, savedArg(s, 2), SymInt(0)), {}, {}, f::gather(g, dim, savedArg(s, 2))};
    });
}

} // namespace

std::vector<OpDef> gatherOps() {
    std::vector<OpDef> out;
    out.push_back(
        {.schema = "cat(Tensor[] tensors, int dim=0) -> Tensor",
         .doc = "tensors one after another along a dim",
         .kind = Kind::Gather,
         .dtype = DTypeRule::Given,
         .meta = catMeta,
         .kernel = catKernel,
         .derivative = Derivative{{}, {}, catGradients},
         .samples = [] {
             return std::vector<Values>{
                 {Tensors{samples::tensor({2, 3}, -1, 1), samples::tensor({2, 1}, -1, 1, 2)}, 1},
                 {Tensors{samples::tensor({2, 3}, -1, 1), samples::transposed(samples::tensor({3, 1}, -1, 1, 2))}, 0}};
         }});
    out.push_back({.schema = "stack(Tensor[] tensors, int dim=0) -> Tensor",
                   .doc = "tensors side by side along a new dim",
                   .kind = Kind::Composite,
                   .composite = stackRule,
                   .samples = [] {
                       return std::vector<Values>{
                           {Tensors{samples::tensor({2, 3}, -1, 1), samples::tensor({2, 3}, -1, 1, 2)}, 1}};
                   }});
    addIndexed(out);
    out.push_back(
        {.schema = "index_select(Tensor self, int dim, Tensor index) -> Tensor",
         .doc = "positions of a dim picked by a vector of indices",
         .kind = Kind::Gather,
         .dtype = DTypeRule::Same,
         .meta = indexSelectMeta,
         .kernel =
             [](const Values& args, std::span<Tensor> o) {
                 copyRows(args[0].tensor(), wrapped(args[0].tensor(), args[1]), args[2].tensor(), o[0]);
             },
         .derivative = derivative({2}, {},
                                  [](const Tensor& g, const Saved& s) {
                                      const std::int64_t dim = shape::wrapDim(dimOf(s.args[1]), g.dim());
                                      SymInts wide(static_cast<std::size_t>(g.dim()), SymInt(1));
                                      wide[static_cast<std::size_t>(dim)] = g.size(dim);
                                      const Tensor index = f::expand(f::view(savedArg(s, 2), wide), g.sizes());
                                      return f::scatterAdd(f::zeros(s.argSizes[0], g.dtype(), g.device()), dim, index,
                                                           g);
                                  }),
         .samples = [] { return std::vector<Values>{{samples::tensor({3, 4}, -1, 1), 1, samples::ints({5}, 0, 3)}}; }});
    out.push_back({.schema = "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool "
                             "scale_grad_by_freq=False, bool sparse=False) -> Tensor",
                   .doc = "rows of a table",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta = embeddingMeta,
                   .kernel = [](const Values& args,
                                std::span<Tensor> o) { copyRows(args[0].tensor(), 0, args[1].tensor(), o[0]); },
                   .derivative = derivative({1}, {},
                                            [](const Tensor& g, const Saved& s) {
                                                return callTensor(
                                                    get("aten.embedding_dense_backward.default"),
                                                    {g, savedArg(s, 1), s.argSizes[0][0], s.args[2], s.args[3]});
                                            }),
                   .samples =
                       [] {
                           return std::vector<Values>{
                               {samples::tensor({5, 3}, -1, 1), samples::ints({2, 2}, 0, 4), -1, false, false}};
                       }});
    out.push_back({.schema = "embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt "
                             "padding_idx, bool scale_grad_by_freq) -> Tensor",
                   .doc = "the gradient of embedding: rows added up where they were read",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta =
                       [](const Values& args) {
                           const Tensor& g = args[0].tensor();
                           return std::vector<TensorMeta>{
                               shape::contiguous({args[2].toInt(), g.size(-1)}, g.dtype(), g.device())};
                       },
                   .kernel = embeddingBackwardKernel,
                   .derivative = derivative({1}, {},
                                            [](const Tensor& g, const Saved& s) {
                                                return callTensor(get("aten.embedding.default"),
                                                                  {g, savedArg(s, 1), s.args[3], false, false});
                                            }),
                   .samples =
                       [] {
                           return std::vector<Values>{
                               {samples::tensor({2, 2, 3}, -1, 1), samples::ints({2, 2}, 0, 4), 5, -1, false}};
                       }});
    out.push_back({.schema = "flip(Tensor self, int[] dims) -> Tensor",
                   .doc = "dims in reverse",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta =
                       [](const Values& args) {
                           const Tensor& x = args[0].tensor();
                           shape::wrapDims(args[1].ints(), x.dim());
                           return std::vector<TensorMeta>{shape::contiguous(x.sizes(), x.dtype(), x.device())};
                       },
                   .kernel = flipKernel,
                   .derivative = derivative({}, {},
                                            [](const Tensor& g, const Saved& s) {
                                                return callTensor(get("aten.flip.default"), {g, s.args[1]});
                                            }),
                   .samples = [] { return std::vector<Values>{{samples::tensor({2, 3, 4}, -1, 1), SymInts{0, -1}}}; }});
    out.push_back({.schema = "repeat(Tensor self, SymInt[] repeats) -> Tensor",
                   .doc = "copies side by side",
                   .kind = Kind::Composite,
                   .composite = repeatRule,
                   .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -1, 1), SymInts{2, 1, 2}}}; }});
    return out;
}

} // namespace strata::ops
