#pragma once
// Shared by the tests of engine/eager: tensors from values, values from tensors, errors as text.

#include "engine/eager/Autograd.h"
#include "engine/ops/Functional.h"
#include "engine/ops/Samples.h"
#include "engine/support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace strata::eager::testing {

using ops::DType;
using ops::SymInts;
using ops::Value;
using ops::Values;

/// Elements in logical order, as doubles.
inline std::vector<double> values(const Tensor& tensor) {
    std::vector<double> result;
    const std::int64_t count = tensor.numel().asInt();
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i, at = 0;
        for (std::size_t d = tensor.sizes().size(); d-- > 0;) {
            const std::int64_t size = tensor.sizes()[d].asInt();
            at += rest % size * tensor.strides()[d].asInt();
            rest /= size;
        }
        tensor::visit(tensor.dtype(), "values",
                      [&]<class T>() { result.push_back(static_cast<double>(tensor.data<T>()[at])); });
    }
    return result;
}

/// The element at position `index` in logical order.
inline double* element(const Tensor& tensor, std::int64_t index) {
    std::int64_t at = 0;
    for (std::size_t d = tensor.sizes().size(); d-- > 0;) {
        const std::int64_t size = tensor.sizes()[d].asInt();
        at += index % size * tensor.strides()[d].asInt();
        index /= size;
    }
    return tensor.data<double>() + at;
}

inline Tensor make(DType dtype, const std::vector<std::int64_t>& sizes, const std::vector<double>& from) {
    Tensor result = Tensor::empty(SymInts(sizes.begin(), sizes.end()), dtype);
    tensor::visit(dtype, "make", [&]<class T>() {
        for (std::size_t i = 0; i < from.size(); ++i) result.data<T>()[i] = static_cast<T>(from[i]);
    });
    return result;
}

inline Tensor leaf(const std::vector<double>& from) {
    Tensor result = make(DType::Float64, {static_cast<std::int64_t>(from.size())}, from);
    setRequiresGrad(result, true);
    return result;
}

inline Tensor callOp(const char* name, Values args) {
    return ops::callTensor(ops::get(name), std::move(args));
}

inline std::string errorOf(const std::function<void()>& f) {
    try {
        f();
    } catch (const support::Error& error) {
        return error.what();
    }
    return "no error";
}

/// The ops that reached the backend while it lives, as "mul.Tensor".
class Log {
public:
    Log() {
        Dispatcher::instance().setListener([this](const DispatchEvent& event) {
            names.push_back(event.op->qualified.substr(5));
            launches += event.launches;
        });
    }
    ~Log() { Dispatcher::instance().setListener(nullptr); }
    std::vector<std::string> names;
    int launches = 0;
};

} // namespace strata::eager::testing
