// Views: ops that launch nothing. Their meta says where the result lies in the argument's storage; the gradient goes
// back through the view's transpose, so that it differentiates again. The *_scatter ops are the views' inverses: what
// functionalization writes instead of an in-place change through a view.
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <algorithm>
#include <numeric>

namespace strata::ops {

namespace {

using support::Error;
using support::ErrorKind;

std::int64_t dimOf(const Value& value) {
    return symbolic::toInt(value.toInt());
}

std::vector<TensorMeta> viewOf(const Tensor& x, SymInts sizes, SymInts strides, SymInt offset) {
    return {{std::move(sizes), std::move(strides), x.dtype(), x.device(), offset, 0}};
}

std::vector<TensorMeta> viewOf(const Tensor& x, SymInts sizes, SymInts strides) {
    return viewOf(x, std::move(sizes), std::move(strides), x->offset);
}

SymInts sizesOf(const Saved& saved, std::size_t position = 0) {
    return saved.argSizes.at(position);
}

std::vector<Values> samplesOf(const std::vector<Values>& rests) {
    std::vector<Values> out;
    for (const Values& rest : rests) {
        Values args{samples::tensor({2, 3, 4}, -2, 2)};
        args.insert(args.end(), rest.begin(), rest.end());
        out.push_back(std::move(args));
    }
    return out;
}

// ---- shape ----------------------------------------------------------------------------------------------------------

std::vector<TensorMeta> viewMeta(const Values& args) {
    const Tensor& x = args[0].tensor();
    const SymInts to = shape::inferSize(args[1].ints(), x.numel());
    const auto strides = shape::viewStrides(x.sizes(), x.strides(), to);
    if (!strides)
        throw Error(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead.");
    return viewOf(x, to, *strides);
}

// The row-major position of an index, taken apart again by other sizes.
SymInts reindex(const SymInts& index, const SymInts& from, const SymInts& to) {
    SymInt flat = 0;
    for (std::size_t d = 0; d < from.size(); ++d) flat = flat * from[d] + index[d];
    SymInts out(to.size());
    for (std::size_t d = to.size(); d-- > 0;) {
        out[d] = d == 0 ? flat : symbolic::mod(flat, to[d]);
        flat = symbolic::floorDiv(flat, to[d]);
    }
    return out;
}

SymInts viewIndex(const Values& args, const SymInts& index) {
    const Tensor& x = args[0].tensor();
    return reindex(index, shape::inferSize(args[1].ints(), x.numel()), x.sizes());
}

Values reshapeRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const SymInts to = shape::inferSize(args[1].ints(), x.numel());
    if (shape::viewStrides(x.sizes(), x.strides(), to)) return {f::view(x, to)};
    return call(get("aten._unsafe_view.default"), {f::clone(f::contiguous(x)), to});
}

Values flattenRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    if (x.dim() == 0) return {f::reshape(x, {1})};
    const std::int64_t start = shape::wrapDim(dimOf(args[1]), x.dim()), end = shape::wrapDim(dimOf(args[2]), x.dim());
    if (start > end) throw Error("flatten() has invalid args: start_dim cannot come after end_dim");
    if (start == end) return {x};
    SymInts to;
    SymInt merged = 1;
    for (std::int64_t d = 0; d < x.dim(); ++d) {
        if (d < start || d > end) to.push_back(x.size(d));
        if (d >= start && d <= end) merged = merged * x.size(d);
        if (d == end) to.push_back(merged);
    }
    return {f::reshape(x, to)};
}

Values unflattenRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const std::int64_t dim = shape::wrapDim(dimOf(args[1]), x.dim());
    SymInts to(x.sizes().begin(), x.sizes().begin() + dim);
    for (const SymInt s : shape::inferSize(args[2].ints(), x.size(dim))) to.push_back(s);
    to.insert(to.end(), x.sizes().begin() + dim + 1, x.sizes().end());
    return {f::view(x, to)};
}

// ---- order of dims --------------------------------------------------------------------------------------------------

std::vector<std::int64_t> permutation(const Values& args) {
    const Tensor& x = args[0].tensor();
    const SymInts& given = args[1].ints();
    if (static_cast<std::int64_t>(given.size()) != x.dim())
        throw Error("permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
                    "desired ordering "
                    "of dimensions i.e. input.dim() = " +
                    std::to_string(x.dim()) + " is not equal to len(dims) = " + std::to_string(given.size()));
    return shape::wrapDims(given, x.dim());
}

std::vector<TensorMeta> permuteMeta(const Values& args) {
    const Tensor& x = args[0].tensor();
    SymInts sizes, strides;
    for (const std::int64_t d : permutation(args)) {
        sizes.push_back(x.size(d));
        strides.push_back(x.stride(d));
    }
    return viewOf(x, sizes, strides);
}

SymInts permuteIndex(const Values& args, const SymInts& index) {
    const auto dims = permutation(args);
    SymInts out(index.size());
    for (std::size_t d = 0; d < dims.size(); ++d) out[static_cast<std::size_t>(dims[d])] = index[d];
    return out;
}

SymInts inverse(const SymInts& dims) {
    const auto rank = static_cast<std::int64_t>(dims.size());
    SymInts out(dims.size());
    for (std::size_t d = 0; d < dims.size(); ++d)
        out[static_cast<std::size_t>((dims[d].asInt() + rank) % rank)] = static_cast<std::int64_t>(d);
    return out;
}

SymInts swapped(std::int64_t rank, std::int64_t a, std::int64_t b) {
    SymInts dims;
    for (std::int64_t d = 0; d < rank; ++d) dims.push_back(d == a ? b : d == b ? a : d);
    return dims;
}

SymInts transposeDims(const Values& args) {
    const std::int64_t rank = args[0].tensor().dim();
    return swapped(rank, shape::wrapDim(dimOf(args[1]), rank), shape::wrapDim(dimOf(args[2]), rank));
}

SymInts tDims(const Values& args) {
    const std::int64_t rank = args[0].tensor().dim();
    if (rank > 2) throw Error("t() expects a tensor with <= 2 dimensions, but self is " + std::to_string(rank) + "D");
    return rank == 2 ? SymInts{1, 0} : SymInts(static_cast<std::size_t>(rank), 0);
}

Values movedimRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const auto from = shape::wrapDims(args[1].ints(), x.dim()), to = shape::wrapDims(args[2].ints(), x.dim());
    if (from.size() != to.size())
        throw Error("movedim: Invalid source or destination dims: source and destination must have the same length");
    SymInts dims(static_cast<std::size_t>(x.dim()), SymInt(-1));
    for (std::size_t i = 0; i < from.size(); ++i) dims[static_cast<std::size_t>(to[i])] = from[i];
    std::int64_t next = 0;
    for (SymInt& d : dims) {
        if (!d.sameAs(-1)) continue;
        while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
        d = next++;
    }
    return {f::permute(x, dims)};
}

// ---- dims of size 1 -------------------------------------------------------------------------------------------------

SymInts expandedSizes(const Values& args) {
    const Tensor& x = args[0].tensor();
    SymInts to = args[1].ints();
    const std::int64_t shift = static_cast<std::int64_t>(to.size()) - x.dim();
    if (shift < 0)
        throw Error("expand(" + shape::text(x.sizes()) + ", size=" + shape::text(to) +
                    "): the number of sizes provided (" + std::to_string(to.size()) +
                    ") must be greater or equal to the number of dimensions in the tensor (" + std::to_string(x.dim()) +
                    ")");
    for (std::size_t d = 0; d < to.size(); ++d) {
        const std::int64_t own = static_cast<std::int64_t>(d) - shift;
        if (!to[d].sameAs(-1)) continue;
        if (own < 0)
            throw Error(
                "expand: the expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension " +
                std::to_string(d));
        to[d] = x.size(own);
    }
    return to;
}

std::vector<TensorMeta> expandMeta(const Values& args) {
    const Tensor& x = args[0].tensor();
    const SymInts to = expandedSizes(args);
    const std::size_t shift = to.size() - static_cast<std::size_t>(x.dim());
    SymInts strides(to.size(), SymInt(0));
    for (std::size_t d = shift; d < to.size(); ++d) {
        const auto own = static_cast<std::int64_t>(d - shift);
        if (symbolic::equal(x.size(own), to[d])) {
            strides[d] = x.stride(own);
        } else if (!symbolic::equal(x.size(own), 1)) {
            throw Error("The expanded size of the tensor (" + to[d].str() + ") must match the existing size (" +
                        x.size(own).str() + ") at non-singleton dimension " + std::to_string(d) +
                        ".  Target sizes: " + shape::text(to) + ".  Tensor sizes: " + shape::text(x.sizes()));
        }
    }
    return viewOf(x, to, strides);
}

SymInts expandIndex(const Values& args, const SymInts& index) {
    const Tensor& x = args[0].tensor();
    SymInts out(index.end() - x.dim(), index.end());
    for (std::int64_t d = 0; d < x.dim(); ++d)
        if (x.size(d).sameAs(1)) out[static_cast<std::size_t>(d)] = 0;
    return out;
}

// Dims that a squeeze takes away: of size 1, and among those asked for.
std::vector<bool> squeezed(const Values& args) {
    const Tensor& x = args[0].tensor();
    std::vector<bool> out(static_cast<std::size_t>(x.dim()), args.size() < 2);
    if (args.size() > 1 && x.dim() > 0) {
        const SymInts dims = args[1].as<SymInts>() ? args[1].ints() : SymInts{args[1].toInt()};
        for (const std::int64_t d : shape::wrapDims(dims, x.dim())) out[static_cast<std::size_t>(d)] = true;
    }
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = out[d] && symbolic::equal(x.sizes()[d], 1);
    return out;
}

std::vector<TensorMeta> squeezeMeta(const Values& args) {
    const Tensor& x = args[0].tensor();
    const auto gone = squeezed(args);
    SymInts sizes, strides;
    for (std::size_t d = 0; d < gone.size(); ++d) {
        if (gone[d]) continue;
        sizes.push_back(x.sizes()[d]);
        strides.push_back(x.strides()[d]);
    }
    return viewOf(x, sizes, strides);
}

SymInts squeezeIndex(const Values& args, const SymInts& index) {
    SymInts out;
    std::size_t next = 0;
    for (const bool gone : squeezed(args)) out.push_back(gone ? SymInt(0) : index[next++]);
    return out;
}

Values squeezeDecomposition(const Values& args) {
    SymInts dims;
    const auto gone = squeezed(args);
    for (std::size_t d = 0; d < gone.size(); ++d)
        if (gone[d]) dims.push_back(static_cast<std::int64_t>(d));
    return call(get("aten.squeeze.dims"), {args[0], dims});
}

std::vector<TensorMeta> unsqueezeMeta(const Values& args) {
    const Tensor& x = args[0].tensor();
    const std::int64_t dim = shape::wrapDim(dimOf(args[1]), x.dim() + 1);
    SymInts sizes = x.sizes(), strides = x.strides();
    strides.insert(strides.begin() + dim, dim < x.dim() ? x.size(dim) * x.stride(dim) : SymInt(1));
    sizes.insert(sizes.begin() + dim, 1);
    return viewOf(x, sizes, strides);
}

SymInts unsqueezeIndex(const Values& args, const SymInts& index) {
    SymInts out = index;
    out.erase(out.begin() + shape::wrapDim(dimOf(args[1]), args[0].tensor().dim() + 1));
    return out;
}

// ---- parts ----------------------------------------------------------------------------------------------------------

struct Part {
    std::int64_t dim = 0;
    SymInt start = 0, end = 0, step = 1;
    SymInt length() const { return symbolic::floorDiv(end - start + step - 1, step); }
};

// A negative position counts from the end; outside positions are cut to the ends, as in Python.
SymInt clipped(SymInt position, SymInt size) {
    if (symbolic::less(position, 0)) position = position + size;
    if (symbolic::less(position, 0)) return 0;
    return symbolic::less(size, position) ? size : position;
}

Part sliceOf(const Values& args, std::size_t first = 1) {
    const Tensor& x = args[0].tensor();
    if (x.dim() == 0) throw Error("slice() cannot be applied to a 0-dim tensor.");
    Part part;
    part.dim = shape::wrapDim(dimOf(args[first]), x.dim());
    const SymInt size = x.size(part.dim);
    part.step = args[first + 3].toInt();
    if (!symbolic::less(0, part.step)) throw Error("slice step must be positive");
    part.start = args[first + 1].isNone() ? SymInt(0) : clipped(args[first + 1].toInt(), size);
    const Value& end = args[first + 2];
    // The largest integer stands for "to the end", whatever the size.
    const bool open = end.isNone() || (!end.toInt().isSymbolic() && end.toInt().asInt() > (std::int64_t{1} << 60));
    part.end = open ? size : clipped(end.toInt(), size);
    if (symbolic::less(part.end, part.start)) part.end = part.start;
    return part;
}

std::vector<TensorMeta> sliceMeta(const Values& args) {
    const Tensor& x = args[0].tensor();
    const Part part = sliceOf(args);
    SymInts sizes = x.sizes(), strides = x.strides();
    const auto d = static_cast<std::size_t>(part.dim);
    const SymInt offset = x->offset + part.start * strides[d];
    sizes[d] = part.length();
    strides[d] = strides[d] * part.step;
    return viewOf(x, sizes, strides, offset);
}

SymInts sliceIndex(const Values& args, const SymInts& index) {
    const Part part = sliceOf(args);
    SymInts out = index;
    const auto d = static_cast<std::size_t>(part.dim);
    out[d] = part.start + out[d] * part.step;
    return out;
}

struct Selected {
    std::int64_t dim;
    SymInt index;
};

Selected selected(const Tensor& x, const Value& dim, const Value& index) {
    if (x.dim() == 0) throw Error(ErrorKind::Index, "select() cannot be applied to a 0-dim tensor.");
    const std::int64_t d = shape::wrapDim(dimOf(dim), x.dim());
    SymInt i = index.toInt();
    if (symbolic::less(i, -x.size(d)) || symbolic::lessEqual(x.size(d), i))
        throw Error(ErrorKind::Index, "select(): index " + i.str() + " out of range for tensor of size " +
                                          shape::text(x.sizes()) + " at dimension " + std::to_string(d));
    if (symbolic::less(i, 0)) i = i + x.size(d);
    return {d, i};
}

std::vector<TensorMeta> selectMeta(const Values& args) {
    const Tensor& x = args[0].tensor();
    const Selected s = selected(x, args[1], args[2]);
    SymInts sizes = x.sizes(), strides = x.strides();
    const SymInt offset = x->offset + s.index * strides[static_cast<std::size_t>(s.dim)];
    sizes.erase(sizes.begin() + s.dim);
    strides.erase(strides.begin() + s.dim);
    return viewOf(x, sizes, strides, offset);
}

SymInts selectIndex(const Values& args, const SymInts& index) {
    const Selected s = selected(args[0].tensor(), args[1], args[2]);
    SymInts out = index;
    out.insert(out.begin() + s.dim, s.index);
    return out;
}

Values splitRule(const Tensor& x, const SymInts& sizes, std::int64_t dim) {
    Tensors out;
    SymInt start = 0;
    for (const SymInt size : sizes) {
        out.push_back(f::slice(x, dim, start, start + size));
        start = start + size;
    }
    return {out};
}

SymInts equalParts(SymInt size, SymInt each) {
    SymInts parts;
    std::int64_t left = symbolic::toInt(size);
    const std::int64_t step = symbolic::toInt(each);
    if (step <= 0 && left > 0)
        throw Error("split expects split_size be non-negative, but got split_size=" + std::to_string(step));
    do {
        parts.emplace_back(std::min(step, left));
        left -= step;
    } while (left > 0);
    return parts;
}

Values splitTensorRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const std::int64_t dim = shape::wrapDim(dimOf(args[2]), x.dim());
    return splitRule(x, equalParts(x.size(dim), args[1].toInt()), dim);
}

Values splitSizesRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const std::int64_t dim = shape::wrapDim(dimOf(args[2]), x.dim());
    SymInt sum = 0;
    for (const SymInt s : args[1].ints()) sum = sum + s;
    if (!symbolic::equal(sum, x.size(dim)))
        throw Error("split_with_sizes expects split_sizes to sum exactly to " + x.size(dim).str() +
                    " (input tensor's size at dimension " + std::to_string(dim) +
                    "), but got split_sizes=" + shape::text(args[1].ints()));
    return splitRule(x, args[1].ints(), dim);
}

Values chunkRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const std::int64_t dim = shape::wrapDim(dimOf(args[2]), x.dim()), chunks = dimOf(args[1]);
    if (chunks <= 0) throw Error("chunk expects `chunks` to be greater than 0, got: " + std::to_string(chunks));
    return splitRule(x, equalParts(x.size(dim), symbolic::floorDiv(x.size(dim) + SymInt(chunks - 1), chunks)), dim);
}

Values unbindRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const std::int64_t dim = shape::wrapDim(dimOf(args[1]), x.dim());
    Tensors out;
    for (std::int64_t i = 0, n = symbolic::toInt(x.size(dim)); i < n; ++i) out.push_back(f::select(x, dim, i));
    return {out};
}

Values narrowRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const std::int64_t dim = shape::wrapDim(dimOf(args[1]), x.dim());
    const SymInt start = args[2].toInt(), length = args[3].toInt();
    if (symbolic::less(x.size(dim), start + length))
        throw Error("start (" + start.str() + ") + length (" + length.str() + ") exceeds dimension size (" +
                    x.size(dim).str() + ").");
    return {f::slice(x, dim, start, start + length)};
}

std::vector<TensorMeta> asStridedMeta(const Values& args) {
    const Tensor& x = args[0].tensor();
    return viewOf(x, args[1].ints(), args[2].ints(), args[3].isNone() ? x->offset : args[3].toInt());
}

struct Diagonal {
    std::int64_t dim1, dim2;
    SymInt offset, length;
};

Diagonal diagonalOf(const Tensor& x, const Values& args, std::size_t first) {
    const SymInt offset = args[first].toInt();
    const std::int64_t a = shape::wrapDim(dimOf(args[first + 1]), x.dim()),
                       b = shape::wrapDim(dimOf(args[first + 2]), x.dim());
    if (a == b) throw Error("diagonal dimensions cannot be identical " + std::to_string(a) + ", " + std::to_string(b));
    const bool above = !symbolic::less(offset, 0);
    const SymInt rows = above ? x.size(a) : x.size(a) + offset, columns = above ? x.size(b) - offset : x.size(b);
    const SymInt length = symbolic::less(rows, columns) ? rows : columns;
    return {a, b, offset, symbolic::less(length, 0) ? SymInt(0) : length};
}

std::vector<TensorMeta> diagonalMeta(const Values& args) {
    const Tensor& x = args[0].tensor();
    const Diagonal diagonal = diagonalOf(x, args, 1);
    SymInts sizes, strides;
    for (std::int64_t d = 0; d < x.dim(); ++d) {
        if (d == diagonal.dim1 || d == diagonal.dim2) continue;
        sizes.push_back(x.size(d));
        strides.push_back(x.stride(d));
    }
    sizes.push_back(diagonal.length);
    strides.push_back(x.stride(diagonal.dim1) + x.stride(diagonal.dim2));
    const bool above = !symbolic::less(diagonal.offset, 0);
    const SymInt shift = above ? diagonal.offset * x.stride(diagonal.dim2) : -diagonal.offset * x.stride(diagonal.dim1);
    return viewOf(x, sizes, strides, x->offset + shift);
}

// ---- inverses -------------------------------------------------------------------------------------------------------

std::vector<TensorMeta> likeSelf(const Values& args) {
    const Tensor& x = args[0].tensor();
    return {{x.sizes(), shape::likeStrides(x), x.dtype(), x.device()}};
}

// out = self, then `view` of it = src.
Kernel scatterThrough(Meta view, std::size_t firstViewArgument) {
    return [view, firstViewArgument](const Values& args, std::span<Tensor> out) {
        copyTensor(out[0], args[0].tensor());
        Values viewArgs{out[0]};
        viewArgs.insert(viewArgs.end(), args.begin() + static_cast<std::ptrdiff_t>(firstViewArgument), args.end());
        const TensorMeta meta = view(viewArgs)[0];
        copyTensor(out[0].alias(meta.sizes, meta.strides, meta.offset), args[1].tensor());
    };
}

// grad of self: grad with the view zeroed; grad of src: the view of grad.
Derivative scatterDerivative(const char* scatter, const char* view) {
    return {{}, {}, [scatter, view](const Saved& saved, const Tensors& grads) -> Tensors {
                Values viewArgs{grads[0]};
                viewArgs.insert(viewArgs.end(), saved.args.begin() + 2, saved.args.end());
                const Tensor part = callTensor(get(view), viewArgs);
                Values scatterArgs{grads[0], f::zerosLike(part)};
                scatterArgs.insert(scatterArgs.end(), saved.args.begin() + 2, saved.args.end());
                return {ifNeeded(saved, 0, [&] { return callTensor(get(scatter), scatterArgs); }), part};
            }};
}

OpDef scatterOp(const char* schema, const char* doc, Meta view, const char* scatterName, const char* viewName,
                std::vector<Values> rests, std::vector<std::vector<std::int64_t>> partSizes) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Gather,
            .dtype = DTypeRule::Same,
            .meta = likeSelf,
            .kernel = scatterThrough(std::move(view), 2),
            .derivative = scatterDerivative(scatterName, viewName),
            .samples = [rests, partSizes] {
                std::vector<Values> out;
                for (std::size_t i = 0; i < rests.size(); ++i) {
                    Values args{samples::tensor({2, 3, 4}, -2, 2), samples::tensor(partSizes[i], -1, 1, 5)};
                    args.insert(args.end(), rests[i].begin(), rests[i].end());
                    out.push_back(args);
                }
                return out;
            }};
}

// grad scattered into zeros of the input's shape.
Values selectBackwardRule(const Values& args) {
    const Tensor& g = args[0].tensor();
    return call(get("aten.select_scatter.default"),
                {f::zeros(args[1].ints(), g.dtype(), g.device()), g, args[2], args[3]});
}

Values sliceBackwardRule(const Values& args) {
    const Tensor& g = args[0].tensor();
    return call(get("aten.slice_scatter.default"),
                {f::zeros(args[1].ints(), g.dtype(), g.device()), g, args[2], args[3], args[4], args[5]});
}

std::vector<TensorMeta> backwardMeta(const Values& args) {
    const Tensor& g = args[0].tensor();
    return {shape::contiguous(args[1].ints(), g.dtype(), g.device())};
}

Kernel backwardKernel(Meta view) {
    return [view](const Values& args, std::span<Tensor> out) {
        fillTensor(out[0], SymInt(0));
        Values viewArgs{out[0]};
        viewArgs.insert(viewArgs.end(), args.begin() + 2, args.end());
        const TensorMeta meta = view(viewArgs)[0];
        copyTensor(out[0].alias(meta.sizes, meta.strides, meta.offset), args[0].tensor());
    };
}

OpDef composite(const char* schema, const char* doc, Decomposition rule, std::vector<Values> rests) {
    return {.schema = schema, .doc = doc, .kind = Kind::Composite, .composite = std::move(rule), .samples = [rests] {
                return samplesOf(rests);
            }};
}

OpDef view(const char* schema, const char* doc, Meta meta, IndexMap index, Derivative rule, std::vector<Values> rests,
           Decomposition decomposition = {}) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::View,
            .dtype = DTypeRule::Same,
            .meta = std::move(meta),
            .index = std::move(index),
            .derivative = std::move(rule),
            .decomposition = std::move(decomposition),
            .samples = [rests] { return samplesOf(rests); }};
}

const Derivative backToShape =
    derivative({}, {}, [](const Tensor& g, const Saved& s) { return f::reshape(g, sizesOf(s)); });

constexpr std::int64_t toTheEnd = std::numeric_limits<std::int64_t>::max() / 2;

void addShapeOps(std::vector<OpDef>& out) {
    out.push_back(view("view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
                       "the same elements in another shape, without a copy", viewMeta, viewIndex, backToShape,
                       {{SymInts{6, 4}}, {SymInts{-1}}}));
    out.push_back(view("_unsafe_view(Tensor self, SymInt[] size) -> Tensor",
                       "view of a tensor that nothing else refers to", viewMeta, viewIndex, backToShape,
                       {{SymInts{6, 4}}}, [](const Values& a) { return Values{f::view(a[0].tensor(), a[1].ints())}; }));
    out.push_back(composite("reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)",
                            "a view where the strides allow it, else a copy", reshapeRule,
                            {{SymInts{6, 4}}, {SymInts{3, -1}}}));
    out.push_back(composite("flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
                            "dims start_dim to end_dim as one", flattenRule, {{0, -1}, {1, 2}}));
    out.push_back(composite("unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", "one dim as several",
                            unflattenRule, {{2, SymInts{2, -1}}}));
    out.push_back(composite("view_as(Tensor(a) self, Tensor other) -> Tensor(a)", "a view in the other tensor's shape",
                            [](const Values& a) { return Values{f::view(a[0].tensor(), a[1].tensor().sizes())}; },
                            {{samples::tensor({6, 4}, 0, 1)}}));
}

void addOrderOps(std::vector<OpDef>& out) {
    out.push_back(view(
        "permute(Tensor(a) self, int[] dims) -> Tensor(a)", "dims in another order", permuteMeta, permuteIndex,
        derivative({}, {}, [](const Tensor& g, const Saved& s) { return f::permute(g, inverse(s.args[1].ints())); }),
        {{SymInts{2, 0, 1}}, {SymInts{0, -1, 1}}}));
    out.push_back(view(
        "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", "two dims exchanged",
        [](const Values& a) { return permuteMeta({a[0], transposeDims(a)}); },
        [](const Values& a, const SymInts& i) { return permuteIndex({a[0], transposeDims(a)}, i); },
        derivative({}, {},
                   [](const Tensor& g, const Saved& s) { return f::transpose(g, dimOf(s.args[1]), dimOf(s.args[2])); }),
        {{0, 1}, {-1, 0}}, [](const Values& a) { return Values{f::permute(a[0].tensor(), transposeDims(a))}; }));
    out.push_back(
        {.schema = "t(Tensor(a) self) -> Tensor(a)",
         .doc = "the matrix transposed",
         .kind = Kind::View,
         .dtype = DTypeRule::Same,
         .meta = [](const Values& a) { return permuteMeta({a[0], tDims(a)}); },
         .index = [](const Values& a, const SymInts& i) { return permuteIndex({a[0], tDims(a)}, i); },
         .derivative = derivative({}, {}, [](const Tensor& g) { return f::t(g); }),
         .decomposition = [](const Values& a) { return Values{f::permute(a[0].tensor(), tDims(a))}; },
         .samples =
             [] { return std::vector<Values>{{samples::tensor({2, 3}, -1, 1)}, {samples::tensor({4}, -1, 1)}}; }});
    out.push_back(composite("movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
                            "dims moved, the others in order", movedimRule, {{SymInts{0}, SymInts{2}}}));
    out.push_back(composite(
        "swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", "transpose",
        [](const Values& a) { return Values{f::transpose(a[0].tensor(), dimOf(a[1]), dimOf(a[2]))}; }, {{0, 2}}));
}

void addSingletonOps(std::vector<OpDef>& out) {
    out.push_back(
        {.schema = "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
         .doc = "dims of size 1 repeated without a copy",
         .kind = Kind::View,
         .dtype = DTypeRule::Same,
         .meta = expandMeta,
         .index = expandIndex,
         .derivative = derivative({}, {}, [](const Tensor& g, const Saved& s) { return f::sumTo(g, sizesOf(s)); }),
         .samples = [] {
             return std::vector<Values>{{samples::tensor({3, 1}, -1, 1), SymInts{2, 3, 4}},
                                        {samples::tensor({1, 4}, -1, 1), SymInts{3, -1}}};
         }});
    out.push_back(composite("expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                            "expand to the other tensor's shape",
                            [](const Values& a) { return Values{f::expand(a[0].tensor(), a[1].tensor().sizes())}; },
                            {{samples::tensor({5, 2, 3, 4}, 0, 1)}}));
    const auto samplesOfOnes = [](std::vector<Values> rests) {
        return [rests] {
            std::vector<Values> all;
            for (const Values& rest : rests) {
                Values args{samples::tensor({1, 3, 1}, -1, 1)};
                args.insert(args.end(), rest.begin(), rest.end());
                all.push_back(args);
            }
            return all;
        };
    };
    for (const char* schema :
         {"squeeze(Tensor(a) self) -> Tensor(a)", "squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)",
          "squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)"}) {
        const bool plain = std::string_view(schema).find("dim") == std::string_view::npos;
        const bool many = std::string_view(schema).find("dims") != std::string_view::npos;
        out.push_back({.schema = schema,
                       .doc = "dims of size 1 taken away",
                       .kind = Kind::View,
                       .dtype = DTypeRule::Same,
                       .meta = squeezeMeta,
                       .index = squeezeIndex,
                       .derivative = backToShape,
                       .decomposition = many ? Decomposition{} : Decomposition(squeezeDecomposition),
                       .samples = samplesOfOnes(plain  ? std::vector<Values>{{}}
                                                : many ? std::vector<Values>{{SymInts{0, 2}}}
                                                       : std::vector<Values>{{0}, {1}})});
    }
    out.push_back(
        view("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", "a dim of size 1 put in", unsqueezeMeta, unsqueezeIndex,
             derivative({}, {}, [](const Tensor& g, const Saved& s) { return f::squeeze(g, dimOf(s.args[1])); }),
             {{0}, {-1}, {2}}));
}

// grad in the places that the view showed, zeros elsewhere, in self's own layout.
Tensor asStridedGradient(const Tensor& g, const Saved& s) {
    if (shape::mayOverlap(s.args[1].ints(), s.args[2].ints()) || shape::mayOverlap(s.argSizes[0], s.argStrides[0]))
        throw Error(ErrorKind::NotImplemented, "as_strided: the gradient of overlapping elements is not implemented");
    const SymInt offset = s.args[3].isNone() ? s.argOffsets[0] : s.args[3].toInt();
    const Tensor whole = callTensor(get("aten.new_empty_strided.default"), {g, s.argSizes[0], s.argStrides[0]});
    call(get("aten.zero_.default"), {whole});
    f::copyInto(f::asStrided(whole, s.args[1].ints(), s.args[2].ints(), offset - s.argOffsets[0]), g);
    return whole;
}

void addPartOps(std::vector<OpDef>& out) {
    out.push_back(view(
        "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)",
        "every step-th element of a dim, from start up to end", sliceMeta, sliceIndex,
        derivative({}, {},
                   [](const Tensor& g, const Saved& s) {
                       // None means the ends; the backward op takes numbers.
                       const Value start = s.args[2].isNone() ? Value(SymInt(0)) : s.args[2];
                       const Value end = s.args[3].isNone() ? Value(SymInt(toTheEnd)) : s.args[3];
                       return callTensor(get("aten.slice_backward.default"),
                                         {g, sizesOf(s), s.args[1], start, end, s.args[4]});
                   }),
        {{1, 1, 3, 1}, {2, Value(), Value(), 2}, {0, -1, 5, 1}}));
    out.push_back(view("select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", "one position of a dim",
                       selectMeta, selectIndex,
                       derivative({}, {},
                                  [](const Tensor& g, const Saved& s) {
                                      return callTensor(get("aten.select_backward.default"),
                                                        {g, sizesOf(s), s.args[1], s.args[2]});
                                  }),
                       {{0, 1}, {-1, -2}}));
    out.push_back(composite("split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
                            "parts of one size along a dim", splitTensorRule, {{2, 1}, {3, 2}}));
    out.push_back(composite("split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
                            "parts of given sizes along a dim", splitSizesRule, {{SymInts{1, 2}, 1}}));
    out.push_back(composite("chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
                            "a number of equal parts along a dim", chunkRule, {{2, 2}}));
    out.push_back(composite("unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", "every position of a dim",
                            unbindRule, {{1}}));
    out.push_back(composite("narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)",
                            "length elements of a dim from start", narrowRule, {{2, 1, 2}}));
    out.push_back(
        {.schema =
             "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)",
         .doc = "any view of the storage",
         .kind = Kind::View,
         .dtype = DTypeRule::Same,
         .meta = asStridedMeta,
         .derivative = derivative({}, {}, asStridedGradient),
         .samples = [] {
             return std::vector<Values>{{samples::tensor({2, 3}, -1, 1), SymInts{3, 2}, SymInts{1, 3}, Value()}};
         }});
    out.push_back({.schema = "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
                   .doc = "the diagonal of two dims, as the last dim",
                   .kind = Kind::View,
                   .dtype = DTypeRule::Same,
                   .meta = diagonalMeta,
                   .derivative = derivative({}, {},
                                            [](const Tensor& g, const Saved& s) {
                                                const Tensor zeros = f::zeros(sizesOf(s), g.dtype(), g.device());
                                                return callTensor(get("aten.diagonal_scatter.default"),
                                                                  {zeros, g, s.args[1], s.args[2], s.args[3]});
                                            }),
                   .samples = [] { return samplesOf({{0, 0, 1}, {1, 1, 2}, {-1, 2, 1}}); }});
}

void addInverses(std::vector<OpDef>& out) {
    out.push_back(scatterOp("select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
                            "self with one position of a dim replaced", selectMeta, "aten.select_scatter.default",
                            "aten.select.int", {{1, 2}, {-1, 0}}, {{2, 4}, {2, 3}}));
    out.push_back(scatterOp("slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
                            "SymInt step=1) -> Tensor",
                            "self with a slice replaced", sliceMeta, "aten.slice_scatter.default", "aten.slice.Tensor",
                            {{2, 1, 3, 1}, {1, Value(), Value(), 2}}, {{2, 3, 2}, {2, 2, 4}}));
    out.push_back(scatterOp("diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
                            "self with a diagonal replaced", diagonalMeta, "aten.diagonal_scatter.default",
                            "aten.diagonal.default", {{0, 0, 1}}, {{4, 2}}));
    out.push_back({.schema = "as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
                             "storage_offset=None) -> Tensor",
                   .doc = "self with any view of it replaced",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta =
                       [](const Values& a) {
                           const Tensor& x = a[0].tensor();
                           return std::vector<TensorMeta>{{x.sizes(), x.strides(), x.dtype(), x.device()}};
                       },
                   .kernel = scatterThrough(asStridedMeta, 2),
                   .samples =
                       [] {
                           return std::vector<Values>{{samples::tensor({2, 3}, -1, 1), samples::tensor({3}, 0, 1),
                                                       SymInts{3}, SymInts{1}, Value()}};
                       },
                   .differentiable = false});
    out.push_back(
        {.schema = "select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor",
         .doc = "the gradient of select.int: zeros but for one position",
         .kind = Kind::Gather,
         .dtype = DTypeRule::Same,
         .meta = backwardMeta,
         .kernel = backwardKernel(selectMeta),
         .derivative = derivative(
             {}, {}, [](const Tensor& g, const Saved& s) { return f::select(g, dimOf(s.args[2]), s.args[3].toInt()); }),
         .decomposition = selectBackwardRule,
         .samples = [] { return std::vector<Values>{{samples::tensor({2, 4}, -1, 1), SymInts{2, 3, 4}, 1, 2}}; }});
    out.push_back({.schema = "slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt "
                             "end, SymInt step) -> Tensor",
                   .doc = "the gradient of slice.Tensor: zeros but for the slice",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta = backwardMeta,
                   .kernel = backwardKernel(sliceMeta),
                   .derivative = derivative({}, {},
                                            [](const Tensor& g, const Saved& s) {
                                                return f::slice(g, dimOf(s.args[2]), s.args[3].toInt(),
                                                                s.args[4].toInt(), s.args[5].toInt());
                                            }),
                   .decomposition = sliceBackwardRule,
                   .samples = [] {
                       return std::vector<Values>{{samples::tensor({2, 3, 2}, -1, 1), SymInts{2, 3, 4}, 2, 1, 3, 1}};
                   }});
}

} // namespace

std::vector<OpDef> viewOps() {
    std::vector<OpDef> out;
    addShapeOps(out);
    addOrderOps(out);
    addSingletonOps(out);
    addPartOps(out);
    addInverses(out);
    return out;
}

} // namespace strata::ops
