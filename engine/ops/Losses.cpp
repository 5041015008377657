// Losses. cross_entropy_loss is log_softmax and nll_loss, as in ATen; nll_loss is a kernel of its own, and its backward
// two launches: a fill with zeros and a kernel that writes one element a row.
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"
#include "engine/support/Launcher.h"
#include "engine/symbolic/ShapeEnv.h"

namespace strata::ops {

namespace {

using support::Error;
using support::ErrorKind;

enum Reduction { None, Mean, Sum }; // torch._C._nn's numbers

std::int64_t numberOf(const Value& value) {
    return symbolic::toInt(value.toInt());
}

// ---- nll_loss ------------------------------------------------------------------------------------------------------

void checkNll(const Tensor& x, const Tensor& target) {
    if (x.dim() < 1 || x.dim() > 2) throw Error("input tensor should be 1D or 2D");
    if (target.dim() > 1) throw Error("0D or 1D target tensor expected, multi-target not supported");
    if (target.dtype() != DType::Int64)
        throw Error("expected scalar type Long but found " + std::string(scalarTypeName(target.dtype())));
    if (x.dim() == 2 && !symbolic::equal(x.size(0), target.dim() ? target.size(0) : SymInt(1)))
        throw Error("size mismatch (got input: " + shape::text(x.sizes()) + ", target: " + shape::text(target.sizes()) +
                    ")");
}

std::vector<TensorMeta> nllMeta(const Values& args) {
    const Tensor &x = args[0].tensor(), &target = args[1].tensor();
    checkNll(x, target);
    const bool rows = numberOf(args[3]) == None && x.dim() == 2;
    return {shape::contiguous(rows ? SymInts{x.size(0)} : SymInts{}, x.dtype(), x.device()),
            shape::contiguous({}, x.dtype(), x.device())};
}

/// One row a sample: its class, checked, or -1 where it is ignored.
std::int64_t classOf(std::int64_t label, std::int64_t ignored, std::int64_t classes) {
    if (label == ignored) return -1;
    if (label < 0 || label >= classes)
        throw Error(ErrorKind::Index, "Target " + std::to_string(label) + " is out of bounds.");
    return label;
}

void nllKernel(const Values& args, std::span<Tensor> out) {
    const Tensor x = denseContiguous(args[0].tensor()), target = denseContiguous(args[1].tensor());
    const Tensor weight = args[2].tensor().defined() ? denseContiguous(args[2].tensor()) : Tensor();
    const std::int64_t reduction = numberOf(args[3]), ignored = numberOf(args[4]);
    const std::int64_t rows = x.dim() == 2 ? x.size(0).asInt() : 1, classes = x.size(-1).asInt();
    tensor::visit(x.dtype(), "nll_loss_out_frame", [&]<class T>() {
        if constexpr (!std::is_floating_point_v<T>) {
            tensor::throwNotImplemented("nll_loss_out_frame", x.dtype());
        } else {
            const T* logits = x.data<T>();
            const std::int64_t* labels = target.data<std::int64_t>();
            T total = 0, totalWeight = 0;
            for (std::int64_t r = 0; r < rows; ++r) {
                const std::int64_t c = classOf(labels[r], ignored, classes);
                const T w = c < 0 ? T(0) : weight.defined() ? weight.data<T>()[c] : T(1);
                const T loss = c < 0 ? T(0) : -w * logits[r * classes + c];
                if (reduction == None) out[0].data<T>()[r] = loss;
                total += loss;
                totalWeight += w;
            }
            if (reduction != None) out[0].data<T>()[0] = reduction == Mean ? total / totalWeight : total;
            out[1].data<T>()[0] = reduction == None ? T(0) : totalWeight;
        }
    });
}

void nllBackwardKernel(const Values& args, std::span<Tensor> out) {
    const Tensor g = denseContiguous(args[0].tensor()), target = denseContiguous(args[2].tensor());
    const Tensor weight = args[3].tensor().defined() ? denseContiguous(args[3].tensor()) : Tensor();
    const std::int64_t reduction = numberOf(args[4]), ignored = numberOf(args[5]);
    const std::int64_t rows = out[0].dim() == 2 ? out[0].size(0).asInt() : 1, classes = out[0].size(-1).asInt();
    const std::uint64_t bytes = static_cast<std::uint64_t>(rows * classes) * tensor::itemSize(out[0].dtype());
    auto& launcher = support::Launcher::instance();
    launcher.launch("fill", "aten.nll_loss_backward.default", bytes, [&] { fillTensor(out[0], SymInt(0)); });
    const auto write = [&]<class T>() {
        const T* grads = g.data<T>();
        const std::int64_t* labels = target.data<std::int64_t>();
        const T totalWeight = args[6].tensor().data<T>()[0];
        for (std::int64_t r = 0; r < rows; ++r) {
            const std::int64_t c = classOf(labels[r], ignored, classes);
            if (c < 0) continue;
            const T w = weight.defined() ? weight.data<T>()[c] : T(1);
            const T grad = grads[reduction == None ? r : 0];
            out[0].data<T>()[r * classes + c] = static_cast<T>(reduction == Mean ? -w * grad / totalWeight : -w * grad);
        }
    };
    launcher.launch("nll_loss_backward", "aten.nll_loss_backward.default", bytes,
                    [&] { tensor::visit(out[0].dtype(), "nll_loss_backward", write); });
}

// As torch._decomp: the gradient of each row's own class, by a comparison with the class numbers.
Values nllBackwardRule(const Values& args) {
    const Tensor &g = args[0].tensor(), &x = args[1].tensor(), &target = args[2].tensor(), &weight = args[3].tensor();
    const std::int64_t reduction = numberOf(args[4]), dim = x.dim() - 1;
    const Tensor column = f::unsqueeze(target, dim);
    const Tensor safe = f::where(f::ne(column, args[5]), column, Scalar(SymInt(0)));
    const Tensor marks = f::scatterValue(f::zerosLike(x), dim, safe, -1.0);
    Tensor grad = reduction == Mean ? f::div(g, args[6]) : g;
    if (grad.dim() > 0 && grad.dim() < x.dim()) grad = f::unsqueeze(grad, dim);
    if (weight.defined()) grad = f::mul(grad, x.dim() == 2 ? f::view(weight, {1, weight.size(0)}) : weight);
    grad = f::where(f::ne(column, args[5]), grad, Scalar(0.0));
    return {f::mul(marks, grad)};
}

// ---- composites
// ------------------------------------------------------------------------------------------------------

Tensor reduced(const Tensor& loss, std::int64_t reduction) {
    return reduction == Mean ? f::mean(loss) : reduction == Sum ? f::sum(loss) : loss;
}

Tensor nll(const Tensor& x, const Value& target, const Value& weight, const Value& reduction, const Value& ignored) {
    return call(get("aten.nll_loss_forward.default"), {x, target, weight, reduction, ignored}).at(0).tensor();
}

// Classes as probabilities: -sum(log_p * target).
Tensor probabilityLoss(const Tensor& logits, const Tensor& target, const Tensor& weight, std::int64_t reduction,
                       double smoothing) {
    Tensor wanted = target;
    if (smoothing > 0) {
        const SymInt classes = logits.size(logits.dim() == 1 ? 0 : 1);
        wanted = f::add(f::mul(target, 1 - smoothing), smoothing / static_cast<double>(symbolic::toInt(classes)));
    }
    Tensor product = f::mul(logits, wanted);
    if (weight.defined()) product = f::mul(product, weight);
    const Tensor rows = f::neg(f::sum(product, {logits.dim() == 1 ? 0 : 1}));
    if (reduction == Mean && rows.dim() > 0) return f::div(f::sum(rows), rows.numel());
    return reduction == Sum ? f::sum(rows) : rows;
}

Values crossEntropyRule(const Values& args) {
    const Tensor &x = args[0].tensor(), &target = args[1].tensor(), &weight = args[2].tensor();
    const std::int64_t reduction = numberOf(args[3]);
    const double smoothing = args[5].toDouble();
    if (smoothing < 0 || smoothing > 1)
        throw Error("label_smoothing must be between 0.0 and 1.0. Got: " + std::to_string(smoothing));
    const std::int64_t dim = x.dim() == 1 ? 0 : 1;
    Tensor logits = callTensor(get("aten.log_softmax.int"), {x, dim});
    if (symbolic::equal(x.sizes(), target.sizes())) {
        if (!tensor::isFloating(target.dtype()))
            throw Error("Expected floating point type for target with class probabilities, got " +
                        std::string(scalarTypeName(target.dtype())));
        return {probabilityLoss(logits, target, weight, reduction, smoothing)};
    }
    Tensor labels = target;
    const SymInts outSizes = target.sizes();
    if (x.dim() > 2) { // [N, C, ..] -> [N*.., C]
        SymInts order{0};
        for (std::int64_t d = 2; d < x.dim(); ++d) order.push_back(d);
        order.push_back(1);
        logits = f::reshape(f::permute(logits, order), {-1, x.size(1)});
        labels = f::reshape(target, {-1});
    }
    Tensor loss = nll(logits, labels, args[2], args[3], args[4]);
    if (smoothing > 0) {
        if (weight.defined())
            throw Error(ErrorKind::NotImplemented, "cross_entropy with both weight and label_smoothing");
        const SymInt classes = x.size(dim);
        Tensor even = f::neg(f::sum(logits, {-1}));
        const Tensor counts = f::ne(labels, args[4]);
        even = f::where(counts, even, Scalar(0.0));
        if (reduction == Mean)
            even = f::div(f::sum(even), f::sum(counts));
        else if (reduction == Sum)
            even = f::sum(even);
        loss = f::add(f::mul(loss, 1 - smoothing),
                      f::mul(even, smoothing / static_cast<double>(symbolic::toInt(classes))));
    }
    if (x.dim() > 2 && reduction == None) loss = f::reshape(loss, outSizes);
    return {loss};
}

Values mseRule(const Values& args) {
    const Tensor d = f::sub(args[0], args[1]);
    return {reduced(f::mul(d, d), numberOf(args[2]))};
}

Values l1Rule(const Values& args) {
    return {reduced(f::abs(f::sub(args[0], args[1])), numberOf(args[2]))};
}

Values smoothL1Rule(const Values& args) {
    const double beta = args[3].toDouble();
    const Tensor d = f::abs(f::sub(args[0], args[1]));
    if (beta == 0) return {reduced(d, numberOf(args[2]))};
    const Tensor quadratic = f::div(f::mul(f::mul(d, d), 0.5), beta);
    return {reduced(f::where(f::lt(d, beta), quadratic, f::sub(d, 0.5 * beta)), numberOf(args[2]))};
}

Values huberRule(const Values& args) {
    const double delta = args[3].toDouble();
    const Tensor d = f::abs(f::sub(args[0], args[1]));
    return {reduced(f::where(f::le(d, delta), f::mul(f::mul(d, d), 0.5), f::mul(f::sub(d, 0.5 * delta), delta)),
                    numberOf(args[2]))};
}

// max(x, 0) - x * t + log(1 + exp(-|x|)): no overflow
Values bceLogitsRule(const Values& args) {
    const Tensor &x = args[0].tensor(), &t = args[1].tensor(), &weight = args[2].tensor(), &positive = args[3].tensor();
    Tensor logs = f::log1p(f::exp(f::neg(f::abs(x))));
    logs = f::add(logs, f::relu(f::neg(x)));
    Tensor loss = positive.defined() ? f::add(f::mul(f::sub(Value(1.0), t), x),
                                              f::mul(f::add(f::mul(f::sub(positive, 1.0), t), 1.0), logs))
                                     : f::add(f::mul(f::sub(Value(1.0), t), x), logs);
    if (weight.defined()) loss = f::mul(loss, weight);
    return {reduced(loss, numberOf(args[4]))};
}

OpDef composite(const char* schema, const char* doc, Decomposition rule, std::function<std::vector<Values>()> samples) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Composite,
            .composite = std::move(rule),
            .samples = std::move(samples)};
}

std::function<std::vector<Values>()> pairs(Values rest) {
    return [rest] {
        Values args{samples::tensor({3, 4}, -2, 2), samples::tensor({3, 4}, 0.1, 0.9, 7)};
        args.insert(args.end(), rest.begin(), rest.end());
        return std::vector<Values>{args};
    };
}

} // namespace

std::vector<OpDef> nnOps() {
    std::vector<OpDef> out;
    const auto rows = [] { return samples::tensor({3, 4}, -2, -0.1); };
    out.push_back({.schema = "nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt "
                             "ignore_index) -> (Tensor output, Tensor total_weight)",
                   .doc = "minus the log-probability of each row's class",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta = nllMeta,
                   .kernel = nllKernel,
                   .derivative = Derivative{{0, 1, 2},
                                            {1},
                                            [](const Saved& s, const Tensors& g) -> Tensors {
                                                return {callTensor(get("aten.nll_loss_backward.default"),
                                                                   {g[0], savedArg(s, 0), savedArg(s, 1), s.args[2],
                                                                    s.args[3], s.args[4], s.outputs[1]})};
                                            }},
                   .samples = [rows] {
                       return std::vector<Values>{{rows(), samples::ints({3}, 0, 3), Value(), 1, -100},
                                                  {rows(), samples::ints({3}, 0, 3), Value(), 2, 1},
                                                  {rows(), samples::ints({3}, 0, 3), Value(), 0, -100}};
                   }});
    out.push_back({.schema = "nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int "
                             "reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
                   .doc = "the gradient of nll_loss_forward",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Given,
                   .meta =
                       [](const Values& args) {
                           const Tensor& x = args[1].tensor();
                           return std::vector<TensorMeta>{shape::contiguous(x.sizes(), x.dtype(), x.device())};
                       },
                   .kernel = nllBackwardKernel,
                   .derivative = derivative({2, 3, 6}, {},
                                            [](const Tensor& g, const Saved& s) {
                                                // Linear in grad_output: the forward op on the incoming gradient,
                                                // without its sign twice.
                                                return Tensors{nll(g, savedArg(s, 2), s.args[3], s.args[4], s.args[5])};
                                            }),
                   .decomposition = nllBackwardRule,
                   .samples =
                       [rows] {
                           return std::vector<Values>{{samples::of({}, {1.5}), rows(), samples::ints({3}, 0, 3),
                                                       Value(), 2, -100, samples::of({}, {3})}};
                       },
                   .launches = 2});
    out.push_back(composite("cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, "
                            "SymInt ignore_index=-100, float label_smoothing=0.0) -> Tensor",
                            "the negative log-likelihood of log_softmax", crossEntropyRule, [rows] {
                                return std::vector<Values>{
                                    {rows(), samples::ints({3}, 0, 3), Value(), 1, -100, 0.0},
                                    {rows(), samples::ints({3}, 0, 3), Value(), 1, -100, 0.1},
                                    {rows(), samples::tensor({3, 4}, 0.1, 0.4), Value(), 1, -100, 0.0}};
                            }));
    out.push_back(composite("mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", "(self - target)^2",
                            mseRule, pairs({1})));
    out.push_back(composite("l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", "|self - target|",
                            l1Rule, pairs({2})));
    out.push_back(composite("smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) -> Tensor",
                            "quadratic within beta, linear beyond", smoothL1Rule, pairs({1, 1.0})));
    out.push_back(composite("huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor",
                            "quadratic within delta, linear beyond", huberRule, pairs({1, 1.0})));
    out.push_back(composite("binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? "
                            "pos_weight=None, int reduction=Mean) -> Tensor",
                            "-(t log p + (1 - t) log(1 - p)) for p = sigmoid(self)", bceLogitsRule,
                            pairs({Value(), Value(), 1})));
    return out;
}

} // namespace strata::ops
