// Views as prims.
#include "engine/aot/PrimLowering.h"
#include "engine/ops/Shape.h"

#include <algorithm>
#include <set>

namespace strata::aot {

using fx::ArgList;
using fx::Node;
using ops::OpDef;
using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Values;

Node* PrimLowering::lowerView(const OpDef& op, const Values& args, const Tensor& result) {
    const Tensor& self = args.at(0).tensor();
    Node* source = nodeOf(self);
    const std::string& name = op.schema.name;
    const SymInts& to = result.sizes();
    const auto emit = [&](const char* target, ArgList list) {
        return m_build.emit(target, std::move(list), {}, to, result.dtype());
    };
    if (name == "alias" || name == "detach" || name == "lift_fresh") return emit("prims.view_of", {source});
    if (name == "permute" || name == "t" || name == "transpose")
        return emit("prims.transpose", {source, PrimBuilder::numbers(order(name, args, self.dim()))});
    if (name == "expand") return m_build.broadcast(source, to);
    if (name == "view" || name == "_unsafe_view" || name == "_reshape_alias")
        return emit("prims.reshape", {source, m_build.sizes(to)});
    if (name == "unsqueeze") {
        const std::int64_t at = ops::shape::wrapDim(args.at(1).toInt().asInt(), result.dim());
        std::vector<std::int64_t> dims;
        for (std::int64_t d = 0; d < result.dim(); ++d)
            if (d != at) dims.push_back(d);
        return m_build.broadcast(source, to, dims);
    }
    if (name == "squeeze") return emit("prims.squeeze", {source, PrimBuilder::numbers(squeezed(args, self))});
    if (name == "select") return select(args, self, source, result);
    if (name == "slice") return slice(args, self, source, result);
    if (name == "as_strided")
        return emit("prims.as_strided", {source, m_build.sizes(to), m_build.sizes(result.strides()),
                                         m_build.size(result->offset - self->offset)});
    return nullptr;
}

std::vector<std::int64_t> PrimLowering::order(const std::string& name, const Values& args, std::int64_t rank) {
    std::vector<std::int64_t> dims;
    if (name == "permute") {
        for (const SymInt dim : args.at(1).ints()) dims.push_back(ops::shape::wrapDim(dim.asInt(), rank));
        return dims;
    }
    for (std::int64_t d = 0; d < rank; ++d) dims.push_back(d);
    if (rank < 2) return dims;
    if (name == "t")
        std::swap(dims[0], dims[1]);
    else
        std::swap(dims[static_cast<std::size_t>(ops::shape::wrapDim(args.at(1).toInt().asInt(), rank))],
                  dims[static_cast<std::size_t>(ops::shape::wrapDim(args.at(2).toInt().asInt(), rank))]);
    return dims;
}

std::vector<std::int64_t> PrimLowering::squeezed(const Values& args, const Tensor& self) {
    std::set<std::int64_t> named;
    const bool all = args.size() < 2;
    if (!all) {
        if (const auto* many = args[1].as<SymInts>())
            for (const SymInt d : *many) named.insert(ops::shape::wrapDim(d.asInt(), self.dim()));
        else
            named.insert(ops::shape::wrapDim(args[1].toInt().asInt(), self.dim()));
    }
    std::vector<std::int64_t> dims;
    for (std::int64_t d = 0; d < self.dim(); ++d)
        if ((all || named.contains(d)) && self.size(d).sameAs(1)) dims.push_back(d);
    return dims;
}

// prims.slice(a, starts, limits, steps) over all dims.
Node* PrimLowering::cut(Node* source, const Tensor& self, std::int64_t dim, SymInt start, SymInt count, SymInt step) {
    SymInts starts(self.sizes().size(), 0), limits = self.sizes(), steps(self.sizes().size(), 1), sizes = self.sizes();
    const auto at = static_cast<std::size_t>(dim);
    starts[at] = start;
    limits[at] = count.sameAs(0) ? start : start + (count - 1) * step + 1;
    steps[at] = step;
    sizes[at] = count;
    return m_build.emit("prims.slice", {source, m_build.sizes(starts), m_build.sizes(limits), m_build.sizes(steps)}, {},
                        sizes, self.dtype());
}

Node* PrimLowering::select(const Values& args, const Tensor& self, Node* source, const Tensor& result) {
    const std::int64_t dim = ops::shape::wrapDim(args.at(1).toInt().asInt(), self.dim());
    SymInt index = args.at(2).toInt();
    if (!index.isSymbolic() && index.asInt() < 0) index = index + self.size(dim);
    Node* piece = cut(source, self, dim, index, 1, 1);
    return m_build.emit("prims.squeeze", {piece, PrimBuilder::numbers({dim})}, {}, result.sizes(), result.dtype());
}

Node* PrimLowering::slice(const Values& args, const Tensor& self, Node* source, const Tensor& result) {
    const std::int64_t dim = ops::shape::wrapDim(args.at(1).toInt().asInt(), self.dim());
    const SymInt size = self.size(dim);
    SymInt start = args.at(2).isNone() ? SymInt(0) : args.at(2).toInt();
    if (!start.isSymbolic()) {
        if (start.asInt() < 0) start = start + size;
        if (!start.isSymbolic() && !size.isSymbolic()) start = std::clamp<std::int64_t>(start.asInt(), 0, size.asInt());
    }
    return cut(source, self, dim, start, result.size(dim), args.at(4).toInt());
}

} // namespace strata::aot
