// Meta functions and derivative formulas on fake tensors of symbolic sizes: for every op, what the fake call says is
// what the real call gives once the symbols have the samples' sizes. Equal sizes share a symbol, as in tracing.
#include "Numbers.h"

#include "engine/symbolic/ShapeEnv.h"

#include <catch2/catch.hpp>

using namespace strata;
using namespace strata::eager;
using namespace strata::eager::testing;

namespace {

class SymbolicCall {
public:
    Value fake(const Value& real) {
        if (const auto* tensor = real.as<Tensor>(); tensor && tensor->defined()) return fake(*tensor);
        if (const auto* list = real.as<Tensors>()) {
            Tensors result;
            for (const Tensor& tensor : *list) result.push_back(fake(tensor));
            return result;
        }
        return real;
    }

    Tensor fake(const Tensor& real) {
        SymInts sizes;
        for (const auto size : real.sizes()) sizes.push_back(symbolOf(size.asInt()));
        // Strides of a dense layout in the same order of dims.
        SymInts strides(sizes.size(), 1);
        std::vector<std::size_t> order;
        for (std::size_t d = 0; d < sizes.size(); ++d) order.push_back(d);
        std::stable_sort(order.begin(), order.end(),
                         [&](auto a, auto b) { return real.strides()[a].asInt() > real.strides()[b].asInt(); });
        symbolic::SymInt running = 1;
        for (std::size_t k = order.size(); k-- > 0;) {
            strides[order[k]] = running;
            if (!sizes[order[k]].sameAs(0)) running = running * sizes[order[k]];
        }
        Tensor result = Tensor::fake(sizes, strides, real.dtype());
        return result;
    }

    SymInts evaluated(const SymInts& sizes) const {
        SymInts result;
        for (const auto size : sizes) result.push_back(size.isSymbolic() ? symbolic::SymInt(env.hint(size)) : size);
        return result;
    }

    mutable symbolic::ShapeEnv env;

private:
    symbolic::SymInt symbolOf(std::int64_t size) {
        const auto [it, added] = m_symbols.try_emplace(size);
        if (added) it->second = env.create(size, {});
        return it->second;
    }
    std::map<std::int64_t, symbolic::SymInt> m_symbols;
};

Tensors flattened(const Values& results) {
    Tensors tensors;
    for (const Value& value : results) {
        if (const auto* tensor = value.as<Tensor>())
            tensors.push_back(*tensor);
        else if (const auto* list = value.as<Tensors>())
            tensors.insert(tensors.end(), list->begin(), list->end());
    }
    return tensors;
}

Tensors variablesOf(const Values& args) {
    Tensors variables;
    for (const Tensor& tensor : flattened(args))
        if (tensor.defined() && tensor::isFloating(tensor.dtype())) variables.push_back(tensor);
    return variables;
}

bool reads(const ops::OpDef& op) {
    for (const ops::TypeName type : op.schema.returns)
        if (type != ops::TypeName::Tensor && type != ops::TypeName::Tensors) return true;
    return false;
}

bool dataDependent(const ops::OpDef& op) {
    return op.qualified == "aten.nonzero.default" || op.qualified == "aten.masked_select.default";
}

void check(const ops::OpDef& op, const Values& sample) {
    SymbolicCall call;
    const symbolic::ShapeEnvScope scope(&call.env);
    const Tensors real = flattened(ops::call(op, sample));
    Values args;
    for (const Value& arg : sample) args.push_back(call.fake(arg));
    const Tensors variables = variablesOf(args);
    if (variables.empty()) return;
    for (const Tensor& variable : variables) setRequiresGrad(variable, true);
    const Tensors fake = flattened(ops::call(op, args));
    REQUIRE(fake.size() == real.size());
    Tensors roots, gradients;
    for (std::size_t i = 0; i < fake.size(); ++i) {
        if (!fake[i].defined()) continue;
        CHECK(symbolic::str(call.evaluated(fake[i].sizes())) == symbolic::str(real[i].sizes()));
        CHECK(fake[i].dtype() == real[i].dtype());
        CHECK(fake[i].isFake());
        if (!requiresGrad(fake[i])) continue;
        roots.push_back(fake[i]);
        gradients.push_back(
            Tensor::fake(fake[i].sizes(), symbolic::contiguousStrides(fake[i].sizes()), fake[i].dtype()));
    }
    if (roots.empty()) return;
    const Tensors grads = backward(roots, gradients, variables, {});
    for (std::size_t i = 0; i < grads.size(); ++i) {
        if (!grads[i].defined()) continue;
        CHECK(symbolic::str(call.evaluated(grads[i].sizes())) == symbolic::str(call.evaluated(variables[i].sizes())));
        CHECK(grads[i].isFake());
    }
}

} // namespace

TEST_CASE("every op and its derivative work on symbolic sizes") {
    Dispatcher::instance();
    for (const ops::OpDef* op : ops::all()) {
        if (!op->samples || op->inPlace || reads(*op) || dataDependent(*op)) continue;
        int number = 0;
        for (const Values& sample : op->samples()) {
            INFO(op->qualified << " sample " << number++);
            try {
                check(*op, sample);
            } catch (const std::exception& error) {
                FAIL_CHECK(error.what());
            }
        }
    }
}

TEST_CASE("pointwise ops guard nothing but equal sizes") {
    Dispatcher::instance();
    symbolic::ShapeEnv env;
    const symbolic::SymInt s = env.create(6, {}), t = env.create(5, {});
    const symbolic::ShapeEnvScope scope(&env);
    const Tensor x = Tensor::fake({s, t}, {t, 1}, DType::Float32),
                 swapped = Tensor::fake({s, t}, {1, s}, DType::Float32);
    const Tensor bias = Tensor::fake({t}, {1}, DType::Float32), scale = Tensor::fake({s, 1}, {1, 1}, DType::Float32);
    for (const Tensor& variable : {x, bias, scale}) setRequiresGrad(variable, true);
    const Tensor y = ops::f::relu(ops::f::mul(ops::f::add(x, bias), scale));
    const Tensor z = ops::f::tanh(ops::f::exp(swapped));
    CHECK(symbolic::str(z.strides()) == "[1, s0]");
    const Tensors grads = backward({y}, {Tensor::fake({s, t}, {t, 1}, DType::Float32)}, {x, bias, scale}, {});
    CHECK(tensor::describe(grads[2]) == "f32[s0, 1]");
    for (const auto& guard : env.guards()) UNSCOPED_INFO(guard.str());
    CHECK(env.guards().empty());
}
