#pragma once
// Pointwise ops from one generic callable. element<N>(Floats{}, f) instantiates f twice over: with C++ scalars, as
// ahead-of-time compiled loops over dense runs for each dtype of the list and each x86-64 level; and with loop::Value,
// as the op's lowering. runElement() is the eager kernel: it walks broadcast, strided, mixed-dtype operands in runs
// that fit the first-level cache, so that the loops only ever see dense runs of the compute dtype.
//
// f takes N operands (the Tensor parameters that are given) and then P parameters: the given Scalar, float, int and
// bool parameters of the schema, in order, converted to the compute dtype.

#include "engine/ops/DTypePromotion.h"
#include "engine/ops/ElementLoops.h"
#include "engine/ops/OpDef.h"

namespace strata::ops {

/// What an op computes for one element; an op whose arguments choose among formulas has several forms.
struct ElementForm {
    int operands = 1, parameters = 0;
    unsigned boolOperands = 0; // bit k: operand k is a condition, loaded as bool and no part of promotion
    bool intToFloat = false;   // integers are computed as the default float (for a form whose op has another rule)
    std::array<loops::Row, 4> rows{}; // by rowOf(compute dtype); empty where f does not take the dtype
    std::function<loop::Value(std::span<const loop::Value>)> lower; // operands, then parameters
};

struct Element {
    std::vector<ElementForm> forms;
    int (*choose)(const Values& args) = nullptr; // which form; null: the only one
    double cost = 1;              // of one element against an addition; decides when threads are worth it
    bool integerDivision = false; // operand or parameter 1 must not hold an integer 0

    const ElementForm& form(const Values& args) const {
        return forms[choose ? static_cast<std::size_t>(choose(args)) : 0];
    }
};

using loops::AllTypes;
using loops::Bools;
using loops::Floats;
using loops::Integers;
using loops::Numbers;

/// One form: N operands, P parameters.
template <int N, int P = 0, unsigned BoolOperands = 0, class Types, class F> ElementForm elementForm(Types, F) {
    ElementForm form{N, P, BoolOperands, false, loops::rows<Types, F, N, P, BoolOperands>(), {}};
    form.lower = [](std::span<const loop::Value> in) {
        return []<std::size_t... I>(std::span<const loop::Value> v, std::index_sequence<I...>) {
            return F{}(v[I]...);
        }(in, std::make_index_sequence<N + P>{});
    };
    return form;
}

struct ElementOptions {
    double cost = 1;
    bool integerDivision = false;
};

template <int N, int P = 0, unsigned BoolOperands = 0, class Types, class F>
std::shared_ptr<const Element> element(Types types, F f, ElementOptions options = {}) {
    Element made{{}, nullptr, options.cost, options.integerDivision};
    made.forms.push_back(elementForm<N, P, BoolOperands>(types, f));
    return std::make_shared<const Element>(std::move(made));
}

/// Several forms; choose(args) gives the number of the one that a call uses.
std::shared_ptr<const Element> elementOf(int (*choose)(const Values& args), std::vector<ElementForm> forms,
                                         ElementOptions options = {});

/// The numeric parameters of a call that a body sees, in order (given Scalar, float, int and bool parameters).
std::vector<Scalar> elementParameters(const OpDef& op, const Values& args);

/// The op's result for one element from its tensor operands' elements, each in its own tensor's dtype: converts to the
/// compute dtype, makes numbers constants, applies the body, converts to the result's dtype. `loads` has one entry a
/// Tensor parameter that holds a tensor.
loop::Value lowerElement(const OpDef& op, const Values& args, std::span<const loop::Value> loads);

// What the registry derives.
Body elementBody(const OpDef& op);
TensorMeta elementMeta(const OpDef& op, const Values& args);
void runElement(const OpDef& op, const Values& args, Tensor& output);

} // namespace strata::ops
