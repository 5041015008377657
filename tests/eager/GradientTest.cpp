// Every differentiable op against central finite differences, in float64, on the samples of its declaration; then the
// gradient of that gradient. Truth comes from the kernels' values alone.
#include "Numbers.h"

#include "engine/ops/Strided.h"

#include <catch2/catch.hpp>

using namespace strata;
using namespace strata::eager;
using namespace strata::eager::testing;

namespace {

// A call with own copies of its float64 tensors, strides kept, which are its variables.
struct Call {
    const ops::OpDef* op;
    Values args;
    Tensors variables;

    Call(const ops::OpDef& definition, const Values& sample) : op(&definition) {
        for (const Value& arg : sample) {
            if (const auto* tensor = arg.as<Tensor>(); tensor && tensor->defined())
                args.push_back(own(*tensor));
            else if (const auto* list = arg.as<Tensors>()) {
                Tensors copies;
                for (const Tensor& each : *list) copies.push_back(own(each));
                args.push_back(copies);
            } else {
                args.push_back(arg);
            }
        }
    }

    Tensor own(const Tensor& tensor) {
        Tensor copy = Tensor::emptyStrided(tensor.sizes(), tensor.strides(), tensor.dtype());
        ops::copyTensor(copy, tensor);
        if (tensor.dtype() == DType::Float64) variables.push_back(copy);
        return copy;
    }

    // The float results.
    Tensors run() const {
        Tensors results;
        const auto add = [&](const Tensor& tensor) {
            if (tensor.defined() && tensor::isFloating(tensor.dtype())) results.push_back(tensor);
        };
        for (const Value& value : ops::call(*op, args)) {
            if (const auto* tensor = value.as<Tensor>())
                add(*tensor);
            else if (const auto* list = value.as<Tensors>())
                for (const Tensor& each : *list) add(each);
        }
        return results;
    }
};

// Fixed weights that turn results into one number.
Tensors weightsFor(const Tensors& tensors) {
    Tensors weights;
    unsigned seed = 7;
    for (const Tensor& tensor : tensors) {
        std::vector<std::int64_t> sizes;
        for (const auto size : tensor.sizes()) sizes.push_back(size.asInt());
        weights.push_back(ops::samples::tensor(sizes, 0.5, 1.5, seed++));
    }
    return weights;
}

double weighted(const Tensors& tensors, const Tensors& weights) {
    double sum = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i].defined()) continue;
        const auto x = values(tensors[i]), w = values(weights[i]);
        for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * w[k];
    }
    return sum;
}

// Gradients of the weighted results; undefined where a variable is not reached.
Tensors analytic(const Call& call, const Tensors& weights, bool createGraph) {
    for (const Tensor& variable : call.variables) setRequiresGrad(variable, true);
    Tensors roots, rootWeights;
    const Tensors results = call.run();
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!requiresGrad(results[i])) continue;
        roots.push_back(results[i]);
        rootWeights.push_back(ops::f::to(weights[i], results[i].dtype()));
    }
    if (roots.empty()) return Tensors(call.variables.size());
    return backward(roots, rootWeights, call.variables, {createGraph, createGraph});
}

// d f / d element by central differences.
double slope(double* element, const std::function<double()>& f) {
    constexpr double step = 1e-5;
    const double at = *element;
    *element = at + step;
    const double up = f();
    *element = at - step;
    const double down = f();
    *element = at;
    return (up - down) / (2 * step);
}

void compare(const Call& call, const Tensors& gradients, const std::function<double()>& f, double tolerance) {
    for (std::size_t v = 0; v < call.variables.size(); ++v) {
        const Tensor& variable = call.variables[v];
        const std::vector<double> got = gradients[v].defined()
                                            ? values(gradients[v])
                                            : std::vector<double>(static_cast<std::size_t>(variable.numel().asInt()));
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double want = slope(element(variable, static_cast<std::int64_t>(i)), f);
            INFO("variable " << v << " element " << i << " analytic " << got[i] << " numeric " << want);
            CHECK(std::abs(got[i] - want) <= tolerance * std::max(1.0, std::abs(want)));
        }
    }
}

bool isTested(const ops::OpDef& op) {
    return op.samples && op.differentiable && !op.inPlace && op.kind != ops::Kind::Random &&
           (op.derivative || op.composite);
}

// A float32 result moves in steps that are coarser than the differences.
bool isDouble(const Tensors& results) {
    for (const Tensor& result : results)
        if (result.dtype() != DType::Float64) return false;
    return true;
}

// Runs `check` on every sample of every differentiable op; what one throws is that op's failure and not the end.
void forEachSample(const std::function<void(const ops::OpDef&, const Values&)>& check) {
    Dispatcher::instance();
    for (const ops::OpDef* op : ops::all()) {
        if (!isTested(*op)) continue;
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

} // namespace

TEST_CASE("derivatives agree with finite differences") {
    forEachSample([](const ops::OpDef& op, const Values& sample) {
        const Call call(op, sample);
        if (!isDouble(call.run())) return;
        const Tensors weights = weightsFor(call.run());
        const Tensors gradients = analytic(call, weights, false);
        for (const Tensor& variable : call.variables) setRequiresGrad(variable, false);
        compare(call, gradients, [&] { return weighted(call.run(), weights); }, 2e-6);
    });
}

TEST_CASE("derivatives of derivatives agree with finite differences") {
    forEachSample([](const ops::OpDef& op, const Values& sample) {
        const Call call(op, sample);
        if (!isDouble(call.run())) return;
        const Tensors weights = weightsFor(call.run());
        const Tensors first = analytic(call, weights, true);
        const Tensors outer = weightsFor(call.variables);
        Tensors roots, rootWeights;
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (!first[i].defined() || !requiresGrad(first[i])) continue;
            roots.push_back(first[i]);
            rootWeights.push_back(outer[i]);
        }
        const Tensors second =
            roots.empty() ? Tensors(call.variables.size()) : backward(roots, rootWeights, call.variables, {});
        compare(call, second, [&] { return weighted(analytic(call, weights, false), outer); }, 2e-5);
    });
}
