// How each view op is replayed and undone.
#include "engine/aot/Aliases.h"
#include "engine/ops/Functional.h"
#include "engine/ops/Shape.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <set>

namespace strata::aot {

namespace {

using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;
namespace f = ops::f;

Value substituted(const Value& value, const std::map<std::string, SymInt>& symbols) {
    if (const auto* one = value.as<SymInt>()) return symbolic::substitute(*one, symbols);
    if (const auto* many = value.as<SymInts>()) {
        SymInts out;
        for (const SymInt each : *many) out.push_back(symbolic::substitute(each, symbols));
        return out;
    }
    return value;
}

Tensor callOrRefuse(const char* name, Values args, const View& view) {
    const ops::OpDef* op = ops::find(name);
    if (!op) throw support::Refusal("aot_write_through_view", {{"view", view.op->qualifiedName()}});
    return ops::callTensor(*op, std::move(args));
}

Tensor unpermuted(const View& view, const Tensor& base, const Tensor& part) {
    SymInts dims(static_cast<std::size_t>(base.dim()));
    const SymInts& order = view.args.at(1).ints();
    for (std::size_t i = 0; i < order.size(); ++i)
        dims[static_cast<std::size_t>(ops::shape::wrapDim(order[i].asInt(), base.dim()))] =
            static_cast<std::int64_t>(i);
    return f::permute(part, dims);
}

// squeeze drops dims of size 1, by number (one or several) or all of them.
Tensor unsqueezed(const View& view, const Tensor& base, Tensor part) {
    std::set<std::int64_t> named;
    const bool all = view.args.size() < 2;
    if (!all) {
        if (const auto* many = view.args[1].as<SymInts>())
            for (const SymInt d : *many) named.insert(ops::shape::wrapDim(d.asInt(), base.dim()));
        else
            named.insert(ops::shape::wrapDim(view.args[1].toInt().asInt(), base.dim()));
    }
    for (std::int64_t d = 0; d < base.dim(); ++d)
        if ((all || named.contains(d)) && base.size(d).sameAs(1)) part = f::unsqueeze(part, d);
    return part;
}

// The piece number `output` of a split along `dim`, whose pieces before it have `before` elements in all.
Tensor unsplit(const View& view, const Tensor& base, const Tensor& part) {
    const bool sized = view.op->schema.name == "split_with_sizes";
    const std::int64_t dim = ops::shape::wrapDim(view.args.size() > 2 ? view.args[2].toInt().asInt() : 0, base.dim());
    SymInt before = 0;
    for (int i = 0; i < view.output; ++i)
        before = before + (sized ? view.args.at(1).ints().at(static_cast<std::size_t>(i)) : view.args.at(1).toInt());
    return callOrRefuse("aten.slice_scatter.default", {base, part, dim, before, before + part.size(dim), 1}, view);
}

} // namespace

bool isIdentityView(const ops::OpDef& op) {
    const std::string& name = op.schema.name;
    return name == "alias" || name == "detach" || name == "lift_fresh";
}

Tensor applyView(const View& view, const Tensor& base, const std::map<std::string, SymInt>& symbols) {
    Values args = view.args;
    args.at(0) = base;
    if (!symbols.empty())
        for (std::size_t i = 1; i < args.size(); ++i) args[i] = substituted(args[i], symbols);
    const Values results = ops::call(*view.op, std::move(args));
    if (const auto* list = results.at(0).as<Tensors>()) return list->at(static_cast<std::size_t>(view.output));
    return results.at(static_cast<std::size_t>(view.output)).tensor();
}

Tensor undoView(const View& view, const Tensor& base, const Tensor& part) {
    const std::string& name = view.op->schema.name;
    const auto scatter = [&](const char* op) {
        Values args = view.args;
        args.at(0) = base;
        args.insert(args.begin() + 1, Value(part));
        return callOrRefuse(op, std::move(args), view);
    };
    if (name == "select") return scatter("aten.select_scatter.default");
    if (name == "slice") return scatter("aten.slice_scatter.default");
    if (name == "diagonal") return scatter("aten.diagonal_scatter.default");
    if (name == "as_strided") return scatter("aten.as_strided_scatter.default");
    if (name == "permute") return unpermuted(view, base, part);
    if (name == "t") return f::permute(part, base.dim() == 2 ? SymInts{1, 0} : SymInts{0});
    if (name == "transpose")
        return f::transpose(part, view.args.at(1).toInt().asInt(), view.args.at(2).toInt().asInt());
    if (name == "view" || name == "_unsafe_view" || name == "_reshape_alias") return f::reshape(part, base.sizes());
    if (name == "squeeze") return unsqueezed(view, base, part);
    if (name == "unsqueeze")
        return f::squeeze(part, ops::shape::wrapDim(view.args.at(1).toInt().asInt(), base.dim() + 1));
    if (name == "split" || name == "split_with_sizes") return unsplit(view, base, part);
    if (name == "unbind")
        return callOrRefuse("aten.select_scatter.default",
                            {base, part, view.args.size() > 1 ? view.args[1] : Value(0), view.output}, view);
    throw support::Refusal("aot_write_through_view", {{"view", view.op->qualifiedName()}});
}

} // namespace strata::aot
