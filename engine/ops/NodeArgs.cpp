#include "engine/ops/NodeArgs.h"

#include "engine/support/Error.h"

#include <algorithm>

namespace strata::ops {

namespace {

using ValueOf = std::function<Value(const fx::Node*)>;

Value convertList(const fx::ArgList& items, TypeName type, const ValueOf& valueOf);

Value convert(const fx::Arg& arg, TypeName type, const ValueOf& valueOf) {
    if (const auto* node = arg.as<fx::Node*>()) return valueOf(*node);
    if (const auto* v = arg.as<bool>()) return *v;
    if (const auto* v = arg.as<SymInt>()) return *v;
    if (const auto* v = arg.as<double>()) return *v;
    if (const auto* v = arg.as<std::string>()) return *v;
    if (const auto* v = arg.as<DType>()) return *v;
    if (const auto* v = arg.as<Device>()) return *v;
    if (const auto* v = arg.as<fx::List>()) return convertList(v->items, type, valueOf);
    if (const auto* v = arg.as<fx::Tuple>()) return convertList(v->items, type, valueOf);
    if (arg.as<fx::None>()) return {};
    throw support::Error(support::ErrorKind::Type,
                         "an argument of this kind is no op argument: " + std::to_string(arg.value.index()));
}

Value convertList(const fx::ArgList& items, TypeName type, const ValueOf& valueOf) {
    if (type == TypeName::Tensors) {
        Tensors out;
        for (const fx::Arg& item : items) out.push_back(convert(item, TypeName::Tensor, valueOf).tensor());
        return out;
    }
    if (type == TypeName::Floats) {
        std::vector<double> out;
        for (const fx::Arg& item : items) out.push_back(convert(item, TypeName::Float, valueOf).toDouble());
        return out;
    }
    if (type == TypeName::Bools) {
        std::vector<bool> out;
        for (const fx::Arg& item : items) out.push_back(convert(item, TypeName::Bool, valueOf).toBool());
        return out;
    }
    SymInts out;
    for (const fx::Arg& item : items) out.push_back(convert(item, TypeName::Int, valueOf).toInt());
    return out;
}

} // namespace

Values argumentsOf(const fx::Node& node, const OpDef& op, const ValueOf& valueOf) {
    const auto& params = op.schema.params;
    if (node.args.size() > params.size())
        throw support::Error(support::ErrorKind::Type,
                             op.qualifiedName() + " takes " + std::to_string(params.size()) + " arguments");
    Values out(params.size());
    for (std::size_t i = 0; i < params.size(); ++i)
        out[i] = i < node.args.size() ? convert(node.args[i], params[i].type, valueOf) : params[i].defaultValue;
    for (const auto& [name, arg] : node.kwargs) {
        const auto it =
            std::find_if(params.begin(), params.end(), [&, key = name](const Param& p) { return p.name == key; });
        if (it == params.end())
            throw support::Error(support::ErrorKind::Type, op.qualifiedName() + " has no argument " + name);
        out[static_cast<std::size_t>(it - params.begin())] = convert(arg, it->type, valueOf);
    }
    return out;
}

} // namespace strata::ops
