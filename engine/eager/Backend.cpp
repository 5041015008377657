#include "engine/eager/Backend.h"

#include "engine/eager/Dispatcher.h"
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Shape.h"
#include "engine/support/Error.h"
#include "engine/support/Launcher.h"
#include "engine/symbolic/ShapeEnv.h"

namespace strata::eager::backend {

namespace {

using ops::OpDef;
using ops::Tensor;
using ops::TensorMeta;
using ops::Tensors;
using ops::Value;
using ops::Values;
using support::Error;
using support::ErrorKind;

template <class F> void forEachTensor(const Values& args, F&& f) {
    for (const Value& arg : args) {
        if (const auto* tensor = arg.as<Tensor>()) {
            if (tensor->defined()) f(*tensor);
        } else if (const auto* list = arg.as<Tensors>()) {
            for (const Tensor& tensor : *list)
                if (tensor.defined()) f(tensor);
        }
    }
}

std::uint64_t bytesOf(const Tensor& tensor) {
    return static_cast<std::uint64_t>(tensor.numel().asInt()) * tensor::itemSize(tensor.dtype());
}

[[noreturn]] void noKernel(const OpDef& op) {
    throw Error(ErrorKind::NotImplemented,
                "Could not run '" + op.qualified + "' with arguments from the 'CPU' backend.");
}

// Elements [first, past) of the storage that a dense tensor covers.
std::pair<std::int64_t, std::int64_t> span(const Tensor& tensor) {
    const auto item = static_cast<std::int64_t>(tensor::itemSize(tensor.dtype()));
    const std::int64_t first = tensor->offset.asInt() * item;
    return {first, first + tensor.numel().asInt() * item};
}

// PyTorch's rule: only tensors without holes are judged; the same elements in the same order are fine.
void refuseOverlap(const Tensor& written, const Tensor& read) {
    if (written.is(read) || !written.sharesStorage(read) || written.isFake()) return;
    if (written.numel().sameAs(0) || read.numel().sameAs(0)) return;
    if (!ops::shape::isNonOverlappingAndDense(written.sizes(), written.strides()) ||
        !ops::shape::isNonOverlappingAndDense(read.sizes(), read.strides()))
        return;
    const auto [a, aEnd] = span(written);
    const auto [b, bEnd] = span(read);
    if (a == b && aEnd == bEnd && symbolic::sameAs(written.strides(), read.strides())) return;
    if (a < bEnd && b < aEnd)
        throw Error("unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                    "single memory "
                    "location. Please clone() the tensor before performing the operation.");
}

// A tensor that was expanded holds one element in several places: writing to it is refused.
void refuseInternalOverlap(const Tensor& written) {
    for (std::size_t d = 0; d < written.sizes().size(); ++d)
        if (written.strides()[d].sameAs(0) && !written.sizes()[d].sameAs(1) && !written.sizes()[d].sameAs(0))
            throw Error("unsupported operation: more than one element of the written-to tensor refers to a single "
                        "memory location. "
                        "Please clone() the tensor before performing the operation.");
}

void checkWritten(const OpDef& op, const Values& args, const std::vector<TensorMeta>& metas) {
    const Tensor& self = args.at(0).tensor();
    if (metas.empty()) return;
    if (!symbolic::sameAs(metas[0].sizes, self.sizes()) && !symbolic::equal(metas[0].sizes, self.sizes()))
        throw Error("output with shape " + ops::shape::text(self.sizes()) + " doesn't match the broadcast shape " +
                    ops::shape::text(metas[0].sizes));
    if (op.dtype != ops::DTypeRule::Same && !ops::canCast(metas[0].dtype, self.dtype()))
        throw Error("result type " + std::string(ops::scalarTypeName(metas[0].dtype)) +
                    " can't be cast to the desired output type " + std::string(ops::scalarTypeName(self.dtype())));
    refuseInternalOverlap(self);
    for (std::size_t i = 1; i < args.size(); ++i)
        if (const auto* other = args[i].as<Tensor>(); other && other->defined()) refuseOverlap(self, *other);
}

Value itemOf(const Tensor& tensor) {
    if (!tensor.numel().sameAs(1))
        throw Error("a Tensor with " + tensor.numel().str() + " elements cannot be converted to Scalar");
    if (tensor::isFloating(tensor.dtype())) return tensor.itemDouble();
    if (tensor.dtype() == tensor::DType::Bool) return tensor.itemInt() != 0;
    return tensor.itemInt();
}

bool readsItem(const OpDef& op) {
    return op.schema.returns.size() == 1 && op.schema.returns[0] == ops::TypeName::Scalar;
}

Value asResult(Tensor tensor) {
    return Value(std::move(tensor));
}

// Results as the schema declares them: a Tensor[] result is one list.
Values results(const OpDef& op, Tensors tensors) {
    if (op.schema.returns.size() == 1 && op.schema.returns[0] == ops::TypeName::Tensors) return {std::move(tensors)};
    Values values;
    values.reserve(tensors.size());
    for (Tensor& tensor : tensors) values.push_back(asResult(std::move(tensor)));
    return values;
}

Tensor viewOf(const Values& args, const TensorMeta& meta) {
    return args.at(static_cast<std::size_t>(meta.aliases)).tensor().alias(meta.sizes, meta.strides, meta.offset);
}

Result decompose(const OpDef& op, const Values& args) {
    const ops::Decomposition& rule = op.composite ? op.composite : op.decomposition;
    if (!rule) noKernel(op);
    const GradModeScope noGrad(false);
    return {rule(args), 0, true};
}

// The kernel as one launch; nothing is launched for an elementwise op without elements, as on a GPU.
int launch(const OpDef& op, const Values& args, Tensors& outputs) {
    const bool empty = op.kind == ops::Kind::Pointwise && !outputs.empty() && outputs[0].numel().sameAs(0);
    if (empty) return 0;
    if (op.launches != 1) {
        auto& launcher = support::Launcher::instance();
        const auto total = [&] {
            return launcher.count(support::Mode::Eager) + launcher.count(support::Mode::Compiled);
        };
        const std::uint64_t before = total();
        op.kernel(args, outputs);
        return static_cast<int>(total() - before);
    }
    std::uint64_t bytes = 0;
    forEachTensor(args, [&](const Tensor& tensor) { bytes += bytesOf(tensor); });
    if (!op.inPlace)
        for (const Tensor& output : outputs) bytes += bytesOf(output);
    support::Launcher::instance().launch(op.schema.name.c_str(), op.qualified.c_str(), bytes,
                                         [&] { op.kernel(args, outputs); });
    return 1;
}

} // namespace

bool isFakeCall(const Values& args) {
    bool fake = false;
    forEachTensor(args, [&](const Tensor& tensor) { fake = fake || tensor.isFake(); });
    return fake;
}

Values runFake(const OpDef& op, const Values& args) {
    if (readsItem(op)) throw support::Refusal("data_dependent_value", {{"op", op.qualified}});
    if (!op.meta) return decompose(op, args).outputs;
    const std::vector<TensorMeta> metas = op.meta(args);
    if (op.inPlace) {
        checkWritten(op, args, metas);
        args[0].tensor().bumpVersion();
        return {args[0]};
    }
    Tensors outputs;
    for (const TensorMeta& meta : metas)
        outputs.push_back(meta.aliases >= 0 ? viewOf(args, meta)
                                            : Tensor::fake(meta.sizes, meta.strides, meta.dtype, meta.device));
    return results(op, std::move(outputs));
}

namespace {

// A tensor made from symbolic sizes is fake, whatever its arguments.
bool isSymbolic(const std::vector<TensorMeta>& metas) {
    for (const TensorMeta& meta : metas)
        for (const ops::SymInt size : meta.sizes)
            if (size.isSymbolic()) return true;
    return false;
}

} // namespace

Result run(const OpDef& op, const Values& args) {
    if (isFakeCall(args)) return {runFake(op, args)};
    if (readsItem(op)) return {{itemOf(args.at(0).tensor())}};
    if (!op.kernel && op.kind != ops::Kind::View) return decompose(op, args);
    if (!op.meta) noKernel(op);
    const std::vector<TensorMeta> metas = op.meta(args);
    if (op.inPlace) {
        checkWritten(op, args, metas);
        Tensors outputs{args[0].tensor()};
        const int launches = launch(op, args, outputs);
        outputs[0].bumpVersion();
        return {{args[0]}, launches};
    }
    if (op.kind == ops::Kind::Creation && isSymbolic(metas)) return {runFake(op, args)};
    Tensors outputs;
    outputs.reserve(metas.size());
    for (const TensorMeta& meta : metas)
        outputs.push_back(meta.aliases >= 0 ? viewOf(args, meta)
                                            : Tensor::emptyStrided(meta.sizes, meta.strides, meta.dtype, meta.device));
    const int launches = op.kernel ? launch(op, args, outputs) : 0;
    return {results(op, std::move(outputs)), launches};
}

} // namespace strata::eager::backend
