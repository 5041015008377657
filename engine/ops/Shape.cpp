#include "engine/ops/Shape.h"

#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <algorithm>
#include <numeric>

namespace strata::ops::shape {

namespace {

using support::Error;
using support::ErrorKind;
using symbolic::equal;

[[noreturn]] void doNotBroadcast(const SymInts& a, const SymInts& b, std::size_t fromEnd) {
    const std::size_t rank = std::max(a.size(), b.size());
    throw Error("The size of tensor a (" + a[a.size() - fromEnd].str() + ") must match the size of tensor b (" +
                b[b.size() - fromEnd].str() + ") at non-singleton dimension " + std::to_string(rank - fromEnd));
}

bool zero(SymInt v) {
    return v.sameAs(0);
}

// How two dims compare as loops: 1 when a should be outside of b, -1 inside, 0 undecided. Strides of 0 (broadcast) say
// nothing; equal strides are decided by the sizes. The rule is that of PyTorch's TensorIterator::reorder_dimensions.
int compareDims(std::size_t a, std::size_t b, const SymInts& sizes, const std::vector<SymInts>& strides) {
    for (const SymInts& s : strides) {
        if (zero(s[a]) || zero(s[b])) continue;
        if (!s[a].sameAs(s[b])) {
            if (symbolic::less(s[a], s[b])) return -1;
            if (symbolic::less(s[b], s[a])) return 1;
        }
        if (!sizes[a].sameAs(sizes[b]) && symbolic::less(sizes[b], sizes[a])) return 1;
    }
    return 0;
}

// Dims from innermost to outermost.
std::vector<std::size_t> loopOrder(const SymInts& sizes, const std::vector<SymInts>& strides) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    for (std::size_t i = 1; i < order.size(); ++i) {
        std::size_t moving = i;
        for (std::size_t j = i; j-- > 0;) {
            const int comparison = compareDims(order[j], order[moving], sizes, strides);
            if (comparison < 0) break;
            if (comparison == 0) continue;
            std::swap(order[j], order[moving]);
            moving = j;
        }
    }
    return order;
}

SymInts stridesInOrder(const SymInts& sizes, const std::vector<std::size_t>& order) {
    SymInts strides(sizes.size());
    SymInt next = 1;
    for (const std::size_t d : order) {
        strides[d] = next;
        next = next * (zero(sizes[d]) ? SymInt(1) : sizes[d]);
    }
    return strides;
}

// Strides of `tensor` seen in the broadcast shape.
SymInts broadcastStrides(const Tensor& tensor, const SymInts& sizes) {
    SymInts strides(sizes.size(), 0);
    const std::size_t lead = sizes.size() - tensor.sizes().size();
    for (std::size_t d = 0; d < tensor.sizes().size(); ++d) {
        const bool stretched = tensor.sizes()[d].sameAs(1) && !sizes[lead + d].sameAs(1);
        strides[lead + d] = stretched ? SymInt(0) : tensor.strides()[d];
    }
    return strides;
}

} // namespace

std::int64_t wrapDim(std::int64_t dim, std::int64_t rank) {
    const std::int64_t range = std::max<std::int64_t>(rank, 1);
    if (dim < -range || dim >= range)
        throw Error(ErrorKind::Index, "Dimension out of range (expected to be in range of [" + std::to_string(-range) +
                                          ", " + std::to_string(range - 1) + "], but got " + std::to_string(dim) + ")");
    return dim < 0 ? dim + range : dim;
}

std::vector<std::int64_t> wrapDims(const SymInts& dims, std::int64_t rank) {
    std::vector<std::int64_t> result;
    for (const SymInt dim : dims) {
        const std::int64_t wrapped = wrapDim(dim.asInt(), rank);
        if (std::find(result.begin(), result.end(), wrapped) != result.end())
            throw Error("dim " + std::to_string(wrapped) + " appears multiple times in the list of dims");
        result.push_back(wrapped);
    }
    return result;
}

SymInts broadcast(const SymInts& a, const SymInts& b) {
    if (symbolic::sameAs(a, b)) return a;
    SymInts result(std::max(a.size(), b.size()));
    for (std::size_t k = 1; k <= result.size(); ++k) {
        SymInt& out = result[result.size() - k];
        if (k > a.size())
            out = b[b.size() - k];
        else if (k > b.size())
            out = a[a.size() - k];
        else {
            const SymInt x = a[a.size() - k], y = b[b.size() - k];
            if (x.sameAs(y) || equal(y, 1))
                out = x;
            else if (equal(x, 1))
                out = y;
            else if (equal(x, y))
                out = x.isSymbolic() && !y.isSymbolic() ? y : x; // a plain size is the simpler name
            else
                doNotBroadcast(a, b, k);
        }
    }
    return result;
}

SymInts broadcast(std::span<const SymInts> shapes) {
    SymInts result;
    for (const SymInts& shape : shapes) result = broadcast(result, shape);
    return result;
}

bool isExpandableTo(const SymInts& from, const SymInts& to) {
    if (from.size() > to.size()) return false;
    for (std::size_t k = 1; k <= from.size(); ++k) {
        const SymInt x = from[from.size() - k], y = to[to.size() - k];
        if (!x.sameAs(y) && !equal(x, 1) && !equal(x, y)) return false;
    }
    return true;
}

SymInts reduced(const SymInts& sizes, const std::vector<std::int64_t>& dims, bool keepdim) {
    SymInts result;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        const bool gone =
            dims.empty() || std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) != dims.end();
        if (!gone)
            result.push_back(sizes[d]);
        else if (keepdim)
            result.push_back(1);
    }
    return result;
}

SymInts outputStrides(const SymInts& sizes, std::span<const Tensor> inputs) {
    bool plain = true;
    for (const Tensor& input : inputs)
        if (input.defined() && input.dim() > 0) plain = plain && input.isContiguous();
    if (plain || sizes.size() < 2) return symbolic::contiguousStrides(sizes);
    std::vector<SymInts> strides;
    for (const Tensor& input : inputs)
        if (input.defined()) strides.push_back(broadcastStrides(input, sizes));
    return stridesInOrder(sizes, loopOrder(sizes, strides));
}

SymInts likeStrides(const Tensor& self) {
    if (self.isContiguous()) return symbolic::contiguousStrides(self.sizes());
    if (isNonOverlappingAndDense(self.sizes(), self.strides())) return self.strides();
    const Tensor inputs[] = {self};
    return outputStrides(self.sizes(), inputs);
}

// A view keeps, for each run of input dims that lie in memory as one, the product of the output dims that cover it: the
// algorithm of PyTorch's computeStride, from the last dim to the first.
std::optional<SymInts> viewStrides(const SymInts& sizes, const SymInts& strides, const SymInts& to) {
    const SymInt numel = symbolic::product(sizes);
    if (zero(numel) || sizes.empty())
        return sizes.size() == to.size() && symbolic::sameAs(sizes, to) ? strides : symbolic::contiguousStrides(to);
    SymInts result(to.size());
    std::size_t view = to.size();
    SymInt chunkStride = strides.back(), tensorSize = 1, viewSize = 1;
    for (std::size_t d = sizes.size(); d-- > 0;) {
        tensorSize = tensorSize * sizes[d];
        const bool chunkEnds = d == 0 || (!equal(sizes[d - 1], 1) && !equal(strides[d - 1], tensorSize * chunkStride));
        if (!chunkEnds) continue;
        while (view > 0 &&
               (!equal(viewSize, tensorSize) ? symbolic::less(viewSize, tensorSize) : equal(to[view - 1], 1))) {
            result[view - 1] = viewSize * chunkStride;
            viewSize = viewSize * to[view - 1];
            --view;
        }
        if (!equal(viewSize, tensorSize)) return std::nullopt;
        if (d > 0) {
            chunkStride = strides[d - 1];
            tensorSize = viewSize = 1;
        }
    }
    if (view != 0) return std::nullopt;
    return result;
}

SymInts inferSize(const SymInts& sizes, SymInt numel) {
    const auto fail = [&] { throw Error("shape '" + text(sizes) + "' is invalid for input of size " + numel.str()); };
    SymInts result = sizes;
    SymInt known = 1;
    std::optional<std::size_t> unknown;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        if (sizes[d].sameAs(-1)) {
            if (unknown) throw Error("only one dimension can be inferred");
            unknown = d;
        } else {
            if (!sizes[d].isSymbolic() && sizes[d].asInt() < 0)
                throw Error("invalid shape dimension " + sizes[d].str());
            known = known * sizes[d];
        }
    }
    if (!unknown) {
        if (!equal(known, numel)) fail();
        return result;
    }
    if (zero(known))
        throw Error("cannot reshape tensor of 0 elements into shape " + text(sizes) +
                    " because the unspecified dimension size -1 can be any value and is ambiguous");
    if (!equal(symbolic::mod(numel, known), 0)) fail();
    result[*unknown] = symbolic::floorDiv(numel, known);
    return result;
}

TensorMeta contiguous(SymInts sizes, DType dtype, Device device) {
    SymInts strides = symbolic::contiguousStrides(sizes);
    return {std::move(sizes), std::move(strides), dtype, device};
}

Tensors tensorsOf(const Values& args) {
    Tensors result;
    for (const Value& arg : args) {
        if (const auto* tensor = arg.as<Tensor>(); tensor && tensor->defined())
            result.push_back(*tensor);
        else if (const auto* list = arg.as<Tensors>())
            result.insert(result.end(), list->begin(), list->end());
    }
    return result;
}

Device deviceOf(const Values& args) {
    for (const Value& arg : args) {
        if (const auto* tensor = arg.as<Tensor>(); tensor && tensor->defined()) return tensor->device();
        if (const auto* list = arg.as<Tensors>(); list && !list->empty()) return list->front().device();
    }
    return {};
}

bool isNonOverlappingAndDense(const SymInts& sizes, const SymInts& strides) {
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        if (zero(sizes[d])) return true;
        if (!sizes[d].sameAs(1)) dims.push_back(d);
    }
    std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
        return !strides[a].sameAs(strides[b]) && symbolic::less(strides[a], strides[b]);
    });
    SymInt expected = 1;
    for (const std::size_t d : dims) {
        if (!equal(strides[d], expected)) return false;
        expected = expected * sizes[d];
    }
    return true;
}

bool mayOverlap(const SymInts& sizes, const SymInts& strides) {
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        if (zero(sizes[d])) return false;
        if (!sizes[d].sameAs(1)) dims.push_back(d);
    }
    std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) {
        return !strides[a].sameAs(strides[b]) && symbolic::less(strides[a], strides[b]);
    });
    SymInt reach = 0; // the largest distance that the dims so far cover
    for (const std::size_t d : dims) {
        if (symbolic::lessEqual(strides[d], reach)) return true;
        reach = reach + (sizes[d] - 1) * strides[d];
    }
    return false;
}

std::string text(const SymInts& sizes) {
    return symbolic::str(sizes);
}

} // namespace strata::ops::shape
