#pragma once
// Scalar expressions as C++ text, and the helper functions that they need.

#include "engine/loop/Expr.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace strata::inductor {

/// "i0*300 + r0", with C++'s truncating division replaced by floor where it matters.
std::string indexText(symbolic::SymInt index);

/// Turns a body into statements: shared subexpressions become constants of their own.
class CppExpr {
public:
    /// `load` gives the text of buffer[index]; `names` hands out unused identifiers; `used` collects helper names.
    CppExpr(std::function<std::string(const loop::ScalarExpr&)> load,
            std::function<std::string(const std::string&)> names, std::set<std::string>& used)
        : m_load(std::move(load)), m_names(std::move(names)), m_used(used) {}

    /// The expression's text; statements that must stand before it are appended to `statements`.
    std::string text(const loop::ScalarRef& body, const std::string& nameHint, std::vector<std::string>& statements);

private:
    std::string visit(const loop::ScalarRef& e, std::vector<std::string>& statements);
    std::string compute(const loop::ScalarRef& e, std::vector<std::string>& statements);

    std::function<std::string(const loop::ScalarExpr&)> m_load;
    std::function<std::string(const std::string&)> m_names;
    std::set<std::string>& m_used;
    std::map<const loop::ScalarExpr*, int> m_uses;
    std::map<const loop::ScalarExpr*, std::string> m_named;
    std::string m_hint;
};

std::string constantText(double value, std::int64_t intValue, tensor::DType dtype);
/// Definitions of the helpers in `used`, in an order in which they compile.
std::string helperText(const std::set<std::string>& used);
std::string cppType(tensor::DType dtype);

} // namespace strata::inductor
