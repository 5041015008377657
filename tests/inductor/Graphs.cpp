#include "tests/inductor/Graphs.h"

#include "engine/eager/Dispatcher.h"
#include "engine/ops/NodeArgs.h"
#include "engine/ops/Registry.h"
#include "engine/runtime/KernelCache.h"

#include <cmath>
#include <map>

namespace strata::test {

using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Value;
using ops::Values;
using tensor::DType;

fx::Node* GraphBuilder::input(const std::string& name, SymInts sizes, DType dtype, SymInts strides) {
    fx::Node* node = graph->placeholder(name);
    if (strides.empty()) strides = symbolic::contiguousStrides(sizes);
    node->value = Tensor::fake(sizes, strides, dtype);
    return node;
}

fx::Node* GraphBuilder::call(const std::string& op, fx::ArgList args, fx::ArgDict kwargs) {
    fx::Node* node = graph->callFunction(op, std::move(args), std::move(kwargs));
    const ops::OpDef& def = ops::get(op);
    const Values values = ops::argumentsOf(
        *node, def, [](const fx::Node* n) -> Value { return n->isInt ? Value(n->intValue) : Value(n->value); });
    for (const ops::TensorMeta& meta : def.meta(values)) {
        Tensor result = Tensor::fake(meta.sizes, meta.strides, meta.dtype, meta.device);
        result->offset = meta.offset;
        node->values.push_back(result);
    }
    node->value = node->values.at(0);
    if (node->values.size() == 1) node->values.clear();
    return node;
}

std::shared_ptr<fx::Graph> GraphBuilder::finish(std::vector<fx::Node*> outputs) {
    fx::Tuple tuple;
    for (fx::Node* node : outputs) tuple.items.emplace_back(node);
    graph->output(tuple);
    return graph;
}

Values runEager(const fx::Graph& graph, const Values& inputs) {
    eager::Dispatcher& dispatcher = eager::Dispatcher::instance();
    std::map<const fx::Node*, Values> values;
    std::size_t next = 0;
    for (const auto& node : graph.nodes()) {
        if (node->op == fx::Opcode::Placeholder) {
            values[node.get()] = {inputs.at(next++)};
        } else if (node->op == fx::Opcode::Output) {
            Values out;
            for (const fx::Arg& item : node->args[0].as<fx::Tuple>()->items)
                out.push_back(values.at(*item.as<fx::Node*>())[0]);
            return out;
        } else {
            const ops::OpDef& op = ops::get(node->target);
            values[node.get()] =
                dispatcher.call(op, ops::argumentsOf(*node, op, [&](const fx::Node* n) { return values.at(n).at(0); }));
        }
    }
    return {};
}

namespace {
template <class F> void forEachOffset(const Tensor& t, const F& f) {
    const auto rank = static_cast<std::size_t>(t.dim());
    std::vector<std::int64_t> at(rank, 0);
    for (std::int64_t n = 0, count = t.numel().asInt(); n < count; ++n) {
        std::int64_t offset = 0;
        for (std::size_t d = 0; d < rank; ++d) offset += at[d] * t.strides()[d].asInt();
        f(n, offset);
        for (std::size_t d = rank; d-- > 0;) {
            if (++at[d] < t.sizes()[d].asInt()) break;
            at[d] = 0;
        }
    }
}
} // namespace

Tensor wave(const SymInts& sizes, DType dtype, double step, const SymInts& strides) {
    Tensor t = strides.empty() ? Tensor::empty(sizes, dtype) : Tensor::emptyStrided(sizes, strides, dtype);
    tensor::visit(dtype, "wave", [&]<class T>() {
        forEachOffset(t, [&](std::int64_t n, std::int64_t offset) {
            const double value = dtype == DType::Int64  ? static_cast<double>(n % 7)
                                 : dtype == DType::Bool ? static_cast<double>(n % 2)
                                                        : std::sin(step * static_cast<double>(n));
            t.data<T>()[offset] = static_cast<T>(value);
        });
    });
    return t;
}

std::vector<double> elements(const Tensor& t) {
    std::vector<double> out;
    tensor::visit(t.dtype(), "elements", [&]<class T>() {
        forEachOffset(
            t, [&](std::int64_t, std::int64_t offset) { out.push_back(static_cast<double>(t.data<T>()[offset])); });
    });
    return out;
}

std::string difference(const Tensor& a, const Tensor& b, double tolerance) {
    if (a.dtype() != b.dtype())
        return "dtypes " + std::string(tensor::name(a.dtype())) + " and " + std::string(tensor::name(b.dtype()));
    if (!symbolic::sameAs(a.sizes(), b.sizes()))
        return "sizes " + symbolic::str(a.sizes()) + " and " + symbolic::str(b.sizes());
    const auto x = elements(a), y = elements(b);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool same = x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])) ||
                          std::abs(x[i] - y[i]) <= tolerance * (1 + std::abs(y[i]));
        if (!same) return "element " + std::to_string(i) + ": " + std::to_string(x[i]) + " and " + std::to_string(y[i]);
    }
    return "";
}

inductor::Options compiled(trace::Sink* sink) {
    eager::Dispatcher::instance(); // library calls go through it
    inductor::Options options;
    options.sink = sink;
    options.compile = "0/0";
    options.region = "inference";
    options.link = [](const std::string& text) {
        const auto module = runtime::KernelCache::instance().get(text);
        return [module](const std::string& symbol) { return module->symbol(symbol); };
    };
    return options;
}

} // namespace strata::test
