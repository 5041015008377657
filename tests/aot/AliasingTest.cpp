// Programs made at random that write through views of inputs and of intermediates, and return views: compiled against
// eager. A program that eager refuses (a leaf written in place, a saved value changed) must not pass silently either.
#include "tests/aot/Programs.h"

#include "engine/eager/Dispatcher.h"
#include "engine/ops/Registry.h"
#include "engine/support/Error.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <random>

using namespace strata;
using namespace strata::aot;
using namespace strata::aot::tests;
using ops::Tensor;
using ops::Value;
using ops::Values;
namespace f = ops::f;

namespace {

// Values are of shape (4, 4), rows of shape (4).
FlatFunction aliasingProgram(unsigned seed, int length) {
    return [seed, length](const Values& in) -> Values {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        const auto call = [](const char* name, Values args) {
            return ops::callTensor(ops::get(name), std::move(args));
        };
        std::vector<Tensor> values, rows;
        for (const Value& input : in) values.push_back(input.tensor());
        rows.push_back(f::select(values.back(), 0, 1));
        for (int i = 0; i < length; ++i) {
            const Tensor a = values[below(values.size())], b = values[below(values.size())];
            const Tensor p = rows[below(rows.size())], q = rows[below(rows.size())];
            switch (below(18)) {
            case 0:
                values.push_back(f::mul(a, b));
                break;
            case 1:
                values.push_back(f::sin(a));
                break;
            case 2:
                values.push_back(f::permute(a, {1, 0}));
                break;
            case 3:
                values.push_back(f::view(f::view(f::contiguous(a), {2, 8}), {4, 4}));
                break;
            case 4:
                values.push_back(f::detach(a));
                break;
            case 5:
                rows.push_back(f::select(a, static_cast<std::int64_t>(below(2)), static_cast<std::int64_t>(below(4))));
                break;
            case 6:
                rows.push_back(call("aten.diagonal.default", {a}));
                break;
            case 7:
                rows.push_back(f::squeeze(f::slice(a, 0, 2, 3), 0));
                break;
            case 8:
                rows.push_back(f::mul(p, q));
                break;
            case 9:
                call("aten.add_.Tensor", {a, p});
                break;
            case 10:
                call("aten.mul_.Tensor", {a, 0.5});
                break;
            case 11:
                call("aten.add_.Tensor", {p, f::mul(q, 0.25)});
                break;
            case 12:
                f::copyInto(p, f::sin(q));
                break;
            case 13:
                f::copyInto(f::slice(a, 1, 1, 3), f::slice(f::cos(b), 1, 0, 2));
                break;
            case 14:
                call("aten.fill_.Scalar", {f::select(a, 1, 2), 2});
                break;
            case 15: {
                const eager::GradModeScope noGrad(false);
                call("aten.sub_.Tensor", {p, f::tanh(q)});
                break;
            }
            case 16:
                values.push_back(f::clone(a));
                break;
            default:
                values.push_back(f::add(a, f::unsqueeze(q, 1)));
                break;
            }
        }
        return {values.back(), values[below(values.size())], rows.back(), rows[below(rows.size())],
                f::sum(values.back())};
    };
}

// Non-leaves that need gradients, so that programs may write them.
struct Run {
    Values leaves, inputs, outputs;
    std::string error;
};

Run execute(const CompiledFunction& function, const Values& leaves) {
    Run run;
    for (const Value& leaf : leaves) {
        run.leaves.emplace_back(copyOf(leaf.tensor()));
        run.inputs.emplace_back(eager::requiresGrad(leaf.tensor()) ? f::mul(run.leaves.back(), 1.0)
                                                                   : run.leaves.back().tensor());
    }
    try {
        run.outputs = function(run.inputs);
        Tensor total;
        Values all = run.outputs;
        all.insert(all.end(), run.inputs.begin(), run.inputs.end());
        for (const Value& value : all)
            if (eager::requiresGrad(value.tensor())) {
                const Tensor part = f::sum(f::mul(value, value));
                total = total.defined() ? f::add(total, part) : part;
            }
        if (total.defined()) eager::backward({total}, {}, {}, {});
    } catch (const support::Error& error) {
        run.error = error.what();
    }
    return run;
}

} // namespace

TEST_CASE("programs made at random that write through views agree with eager") {
    const char* wanted = std::getenv("STRATA_ALIASING_SEEDS"); // more of them, by hand
    const unsigned seeds = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 250;
    int compared = 0, refused = 0;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        INFO("seed " << seed);
        const bool training = seed % 3 != 0;
        const Values leaves{training ? needingGrad(floats({4, 4}, -1, 1, seed)) : floats({4, 4}, -1, 1, seed),
                            floats({4, 4}, -1, 1, seed + 100)};
        const FlatFunction function = aliasingProgram(seed, 3 + static_cast<int>(seed % 12));
        const Run expected = execute(function, leaves);
        CompiledFunction compiled;
        try {
            compiled = compileFor(function, leaves).function;
        } catch (const support::Refusal& refusal) {
            ++refused;
            if (wanted) WARN("seed " << seed << ": " << refusal.what());
            continue;
        }
        CHECK(expected.error == ""); // what eager refuses may not be compiled
        ++compared;
        const Run actual = execute(compiled, leaves);
        CHECK(actual.error == "");
        if (!actual.error.empty()) continue;
        for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
            INFO("output " << i);
            CHECK(sameData(actual.outputs[i].tensor(), expected.outputs[i].tensor()));
            CHECK(eager::requiresGrad(actual.outputs[i].tensor()) == eager::requiresGrad(expected.outputs[i].tensor()));
        }
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            INFO("input " << i);
            CHECK(sameData(actual.inputs[i].tensor(), expected.inputs[i].tensor()));
            CHECK(sameData(eager::grad(actual.leaves[i].tensor()), eager::grad(expected.leaves[i].tensor()), 1e-3));
        }
    }
    INFO(compared << " compared, " << refused << " refused");
    CHECK(compared > static_cast<int>(seeds) / 2);
    if (wanted) WARN(compared << " compared, " << refused << " refused");
}
