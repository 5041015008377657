// Pointwise ops that give or combine truth values: comparisons, logic, bits.
#include "engine/ops/Element.h"
#include "engine/ops/Families.h"
#include "engine/ops/Samples.h"

namespace strata::ops {

using namespace scalar;

namespace {

std::vector<Values> comparable() {
    std::vector<Values> calls = samples::binary(-2, 2, -3, 1);
    const Tensor self = samples::tensor({2, 3}, -2, 2);
    calls.push_back({self, self});
    return calls;
}

std::vector<Values> mixedBools() {
    return {{samples::bools({2, 3}), samples::bools({3}, 2)}, {samples::ints({2, 3}, 0, 2), samples::bools({2, 3}, 3)}};
}

std::vector<Values> integerPairs() {
    return {{samples::ints({2, 3}, -9, 9), samples::ints({3}, -9, 9, 2)},
            {samples::bools({2, 3}), samples::bools({2, 3}, 2)}};
}

// The .Tensor and .Scalar overloads of one comparison.
template <class F> void addComparison(std::vector<OpDef>& ops, const std::string& name, const char* doc, F compare) {
    ops.push_back({.schema = (name + ".Tensor(Tensor self, Tensor other) -> Tensor").c_str(),
                   .doc = doc,
                   .dtype = DTypeRule::ToBool,
                   .element = element<2>(AllTypes{}, compare),
                   .samples = comparable,
                   .differentiable = false,
                   .inPlaceVariant = true});
    ops.push_back({.schema = (name + ".Scalar(Tensor self, Scalar other) -> Tensor").c_str(),
                   .doc = doc,
                   .dtype = DTypeRule::ToBool,
                   .element = element<1, 1>(AllTypes{}, compare),
                   .samples = [] { return samples::unary(-2, 2, {0.25}); },
                   .differentiable = false,
                   .inPlaceVariant = true});
}

std::vector<OpDef> comparisons() {
    std::vector<OpDef> ops;
    addComparison(ops, "eq", "self == other", [](auto a, auto b) { return a == b; });
    addComparison(ops, "ne", "self != other", [](auto a, auto b) { return a != b; });
    addComparison(ops, "lt", "self < other", [](auto a, auto b) { return a < b; });
    addComparison(ops, "le", "self <= other", [](auto a, auto b) { return a <= b; });
    addComparison(ops, "gt", "self > other", [](auto a, auto b) { return a > b; });
    addComparison(ops, "ge", "self >= other", [](auto a, auto b) { return a >= b; });
    return ops;
}

template <class F> OpDef logical(const std::string& name, const char* doc, F combine) {
    return {.schema = (name + "(Tensor self, Tensor other) -> Tensor").c_str(),
            .doc = doc,
            .dtype = DTypeRule::ToBool,
            .element = element<2>(AllTypes{}, combine),
            .samples = mixedBools,
            .differentiable = false,
            .inPlaceVariant = true};
}

template <class F> void addBitwise(std::vector<OpDef>& ops, const std::string& name, const char* doc, F combine) {
    ops.push_back({.schema = (name + ".Tensor(Tensor self, Tensor other) -> Tensor").c_str(),
                   .doc = doc,
                   .element = element<2>(Integers{}, combine),
                   .samples = integerPairs,
                   .differentiable = false,
                   .inPlaceVariant = true});
    ops.push_back({.schema = (name + ".Scalar(Tensor self, Scalar other) -> Tensor").c_str(),
                   .doc = doc,
                   .element = element<1, 1>(Integers{}, combine),
                   .samples = [] { return std::vector<Values>{{samples::ints({2, 3}, -9, 9), 6}}; },
                   .differentiable = false,
                   .inPlaceVariant = true});
}

std::vector<OpDef> logic() {
    std::vector<OpDef> ops;
    ops.push_back(logical("logical_and", "both not zero",
                          [](auto a, auto b) { return bitwise_and(a != number(a, 0), b != number(b, 0)); }));
    ops.push_back(logical("logical_or", "one of them not zero",
                          [](auto a, auto b) { return bitwise_or(a != number(a, 0), b != number(b, 0)); }));
    ops.push_back(logical("logical_xor", "exactly one not zero",
                          [](auto a, auto b) { return (a != number(a, 0)) != (b != number(b, 0)); }));
    ops.push_back(
        {.schema = "logical_not(Tensor self) -> Tensor",
         .doc = "self == 0",
         .dtype = DTypeRule::ToBool,
         .element = element<1>(AllTypes{}, [](auto a) { return a == number(a, 0); }),
         .samples = [] { return std::vector<Values>{{samples::bools({2, 3})}, {samples::of({3}, {0, -1, 2})}}; },
         .differentiable = false,
         .inPlaceVariant = true});
    addBitwise(ops, "bitwise_and", "self & other", [](auto a, auto b) { return bitwise_and(a, b); });
    addBitwise(ops, "bitwise_or", "self | other", [](auto a, auto b) { return bitwise_or(a, b); });
    addBitwise(ops, "bitwise_xor", "self ^ other", [](auto a, auto b) { return bitwise_xor(a, b); });
    ops.push_back({.schema = "bitwise_not(Tensor self) -> Tensor",
                   .doc = "~self",
                   .element = element<1>(Integers{}, [](auto a) { return bitwise_not(a); }),
                   .samples = [] { return std::vector<Values>{{samples::ints({2, 3}, -9, 9)}, {samples::bools({3})}}; },
                   .differentiable = false,
                   .inPlaceVariant = true});
    return ops;
}

} // namespace

std::vector<OpDef> comparisonOps() {
    std::vector<OpDef> all = comparisons();
    for (OpDef& op : logic()) all.push_back(std::move(op));
    return all;
}

} // namespace strata::ops
