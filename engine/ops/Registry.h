#pragma once
// All ops, by name. Built once, from the family files.

#include "engine/ops/OpDef.h"

namespace strata::ops {

/// Reads ATen's schema notation. Throws support::Error with the column on a mistake.
Schema parseSchema(std::string_view text);

/// Every op, in declaration order; in-place variants (derived where declared so) follow their functional form.
const std::vector<const OpDef*>& all();
/// "aten.add.Tensor" -> op; null when there is none.
const OpDef* find(std::string_view qualifiedName);
/// find() that throws support::Error (NotImplemented) naming the op.
const OpDef& get(std::string_view qualifiedName);
/// The overloads of a name ("add"), in declaration order.
std::vector<const OpDef*> overloads(std::string_view baseName);

/// How formulas, composites and decompositions call ops. The dispatcher (engine/eager) installs itself.
class Caller {
public:
    Caller() = default;
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;
    virtual ~Caller() = default;
    virtual Values call(const OpDef& op, Values args) = 0;
};
void setCaller(Caller* caller);
Caller* caller(); // the installed one; null before the first
/// Calls through the installed caller; missing trailing arguments are filled from the schema's defaults.
Values call(const OpDef& op, Values args);
inline Tensor callTensor(const OpDef& op, Values args) {
    return call(op, std::move(args)).at(0).tensor();
}

} // namespace strata::ops
