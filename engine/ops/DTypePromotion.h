#pragma once
// PyTorch's type promotion (torch.result_type): tensors with dims outrank 0-dim tensors, which outrank numbers; a lower
// rank changes the result only when its category (bool < int < float) is higher.

#include "engine/ops/OpDef.h"

namespace strata::ops {

/// torch.get_default_dtype(): what Python floats become. Process-wide; float32 or float64.
DType defaultDType();
void setDefaultDType(DType dtype);

/// Accumulates arguments; result() is torch.result_type of them.
class Promotion {
public:
    void add(const Tensor& tensor);
    void add(const Scalar& scalar);
    /// A tensor, number, list of tensors, or None (passed over).
    void add(const Value& value);
    DType result() const;

private:
    std::optional<DType> m_dimensioned, m_zeroDim, m_number;
};

/// torch.result_type over the arguments of `op` that take part: every Tensor parameter, and Scalar parameters named
/// self, other, exponent, min or max.
DType promotedDType(const OpDef& op, const Values& args);
/// The dtype that the op's body computes in: promotedDType, and with IntToFloat integers become the default dtype.
/// Same: that of the first tensor.
DType computeDType(const OpDef& op, const Values& args);
/// The dtype of the result by the op's rule (Given: its dtype argument, else as Promote).
DType resultDType(const OpDef& op, const Values& args);

/// Whether a result of `from` may be written in place into `to` (torch.can_cast).
bool canCast(DType from, DType to);
/// "Float", "Long": how PyTorch's messages name dtypes.
std::string_view scalarTypeName(DType dtype);

} // namespace strata::ops
