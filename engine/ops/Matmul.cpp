// Matrix products, by OpenBLAS. A matrix whose rows or columns are contiguous goes to BLAS as it lies in memory; any
// other is copied first. Integer matrices are multiplied by a plain loop, as BLAS has none.
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <cblas.h>

#include <algorithm>

namespace strata::ops {

namespace {

using support::Error;

/// A matrix as BLAS wants it: a leading dimension, and whether it is stored transposed.
struct Matrix {
    Tensor keep;
    const void* data = nullptr;
    std::int64_t leading = 1;
    bool transposed = false;
};

Matrix matrixOf(const Tensor& x, std::int64_t rows, std::int64_t columns, std::int64_t rowStride,
                std::int64_t columnStride, const void* data) {
    const auto fits = [](std::int64_t step, std::int64_t other, std::int64_t extent) {
        return step == 1 && other >= std::max<std::int64_t>(1, extent);
    };
    if (fits(columnStride, rowStride, columns) || (columns == 1 && rowStride >= 1))
        return {x, data, std::max<std::int64_t>(rowStride, 1), false};
    if (fits(rowStride, columnStride, rows) || (rows == 1 && columnStride >= 1))
        return {x, data, std::max<std::int64_t>(columnStride, 1), true};
    return {};
}

template <class T>
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, const Matrix& a, const Matrix& b, T beta, T* c) {
    const auto flag = [](const Matrix& x) { return x.transposed ? CblasTrans : CblasNoTrans; };
    const auto i = [](std::int64_t v) { return static_cast<blasint>(v); };
    const T *pa = static_cast<const T*>(a.data), *pb = static_cast<const T*>(b.data);
    if constexpr (std::is_same_v<T, float>)
        cblas_sgemm(CblasRowMajor, flag(a), flag(b), i(m), i(n), i(k), alpha, pa, i(a.leading), pb, i(b.leading), beta,
                    c, i(n));
    else if constexpr (std::is_same_v<T, double>)
        cblas_dgemm(CblasRowMajor, flag(a), flag(b), i(m), i(n), i(k), alpha, pa, i(a.leading), pb, i(b.leading), beta,
                    c, i(n));
    else
        for (std::int64_t r = 0; r < m; ++r)
            for (std::int64_t s = 0; s < n; ++s) {
                T sum = 0;
                for (std::int64_t j = 0; j < k; ++j)
                    sum = static_cast<T>(sum + pa[a.transposed ? j * a.leading + r : r * a.leading + j] *
                                                   pb[b.transposed ? s * b.leading + j : j * b.leading + s]);
                c[r * n + s] = static_cast<T>(beta * c[r * n + s] + alpha * sum);
            }
}

/// c = beta * c + alpha * a @ b for contiguous c and 2-D a, b.
void product(const Tensor& a, const Tensor& b, const Tensor& c, double alpha, double beta) {
    const std::int64_t m = c.size(0).asInt(), n = c.size(1).asInt(), k = a.size(1).asInt();
    if (m == 0 || n == 0) return;
    const auto prepare = [](const Tensor& x) {
        Matrix own =
            matrixOf(x, x.size(0).asInt(), x.size(1).asInt(), x.stride(0).asInt(), x.stride(1).asInt(), x.data());
        if (own.data) return own;
        const Tensor dense = denseContiguous(x);
        return matrixOf(dense, x.size(0).asInt(), x.size(1).asInt(), x.size(1).asInt(), 1, dense.data());
    };
    const Matrix ma = prepare(a), mb = prepare(b);
    tensor::visit(c.dtype(), "mm", [&]<class T>() {
        if constexpr (std::is_same_v<T, bool>) {
            tensor::throwNotImplemented("addmm_impl_cpu_", DType::Bool);
        } else {
            if (k == 0) {
                if (beta == 0) fillTensor(c, SymInt(0));
                return;
            }
            gemm<T>(m, n, k, static_cast<T>(alpha), ma, mb, static_cast<T>(beta), c.data<T>());
        }
    });
}

void requireSameDType(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype())
        throw Error("expected m1 and m2 to have the same dtype, but got: " +
                    std::string(a.dtype() == DType::Float32 ? "float" : tensor::cppName(a.dtype())) +
                    " != " + std::string(b.dtype() == DType::Float32 ? "float" : tensor::cppName(b.dtype())));
}

SymInts productSizes(const Tensor& a, const Tensor& b) {
    if (a.dim() != 2) throw Error("self must be a matrix");
    if (b.dim() != 2) throw Error("mat2 must be a matrix");
    if (!symbolic::equal(a.size(1), b.size(0)))
        throw Error("mat1 and mat2 shapes cannot be multiplied (" + a.size(0).str() + "x" + a.size(1).str() + " and " +
                    b.size(0).str() + "x" + b.size(1).str() + ")");
    requireSameDType(a, b);
    return {a.size(0), b.size(1)};
}

SymInts batchSizes(const Tensor& a, const Tensor& b) {
    if (a.dim() != 3) throw Error("batch1 must be a 3D tensor");
    if (b.dim() != 3) throw Error("batch2 must be a 3D tensor");
    if (!symbolic::equal(a.size(0), b.size(0)) || !symbolic::equal(a.size(2), b.size(1)))
        throw Error("Expected size for first two dimensions of batch2 tensor to be: [" + a.size(0).str() + ", " +
                    a.size(2).str() + "] but got: [" + b.size(0).str() + ", " + b.size(1).str() + "].");
    requireSameDType(a, b);
    return {a.size(0), a.size(1), b.size(2)};
}

void bmmKernel(const Values& args, std::span<Tensor> out) {
    const Tensor &a = args[0].tensor(), &b = args[1].tensor();
    const auto matrix = [](const Tensor& t, std::int64_t i) {
        return t.alias({t.size(1), t.size(2)}, {t.stride(1), t.stride(2)}, t->offset + SymInt(i) * t.stride(0));
    };
    for (std::int64_t i = 0, n = a.size(0).asInt(); i < n; ++i)
        product(matrix(a, i), matrix(b, i), matrix(out[0], i), 1, 0);
}

// bias broadcasts to the product's shape.
void addmmKernel(const Values& args, std::span<Tensor> out) {
    const Tensor& bias = args[0].tensor();
    const double beta = toDouble(args[3].scalar()), alpha = toDouble(args[4].scalar());
    if (beta != 0) {
        SymInts strides(2, SymInt(0));
        for (std::int64_t d = 0; d < bias.dim(); ++d) {
            const auto to = static_cast<std::size_t>(2 - bias.dim() + d);
            if (!bias.size(d).sameAs(1)) strides[to] = bias.stride(d);
        }
        copyTensor(out[0], bias.alias(out[0].sizes(), strides, bias->offset));
    }
    product(args[1].tensor(), args[2].tensor(), out[0], alpha, beta);
}

// How the transposed matrix lies decides which product gives a gradient that lies likewise (mm_mat1_backward and
// mm_mat2_backward in PyTorch's FunctionsManual.cpp).
bool isColumnMajor(const SymInts& strides, const SymInts& sizes) {
    return strides[0].sameAs(1) && strides[1].sameAs(sizes[0]);
}

Tensor gradOfFirst(const Tensor& g, const Tensor& b, const Tensor& a, const Scalar& alpha) {
    if (a.defined() && isColumnMajor(a.strides(), a.sizes())) return scaled(f::t(f::mm(b, f::t(g))), alpha);
    return scaled(f::mm(g, f::t(b)), alpha);
}

Tensor gradOfSecond(const Tensor& g, const Tensor& a, const Tensor& b, const Scalar& alpha) {
    if (b.defined() && isColumnMajor(b.strides(), b.sizes())) return scaled(f::t(f::mm(f::t(g), a)), alpha);
    return scaled(f::mm(f::t(a), g), alpha);
}

// ---- products of any ranks
// -------------------------------------------------------------------------------------------

Values matmulRule(const Values& args) {
    const Tensor &a = args[0].tensor(), &b = args[1].tensor();
    const std::int64_t ra = a.dim(), rb = b.dim();
    if (ra == 0 || rb == 0)
        throw Error("both arguments to matmul need to be at least 1D, but they are " + std::to_string(ra) + "D and " +
                    std::to_string(rb) + "D");
    if (ra == 1 && rb == 1) return call(get("aten.dot.default"), {a, b});
    if (ra == 2 && rb == 1) return call(get("aten.mv.default"), {a, b});
    if (ra == 1 && rb == 2) return {f::squeeze(f::mm(f::unsqueeze(a, 0), b), 0)};
    if (ra == 2 && rb == 2) return {f::mm(a, b)};
    if (ra >= 3 && rb <= 2) { // fold the batch into the rows
        const Tensor second = rb == 1 ? f::unsqueeze(b, 1) : b;
        SymInts batch(a.sizes().begin(), a.sizes().end() - 1);
        const Tensor rows = f::reshape(a, {symbolic::product(batch), a.size(-1)});
        SymInts to = batch;
        if (rb == 2) to.push_back(b.size(1));
        return {call(get("aten._unsafe_view.default"), {f::mm(rows, second), to})};
    }
    const Tensor first = ra == 1 ? f::unsqueeze(a, 0) : a, second = rb == 1 ? f::unsqueeze(b, 1) : b;
    const SymInts batchA(first.sizes().begin(), first.sizes().end() - 2),
        batchB(second.sizes().begin(), second.sizes().end() - 2);
    const SymInts batch = shape::broadcast(batchA, batchB);
    const auto flat = [&](const Tensor& t) {
        SymInts wide = batch;
        wide.push_back(t.size(-2));
        wide.push_back(t.size(-1));
        return f::reshape(f::expand(t, wide), {symbolic::product(batch), t.size(-2), t.size(-1)});
    };
    const Tensor out = f::bmm(flat(first), flat(second));
    SymInts to = batch;
    if (ra > 1) to.push_back(first.size(-2));
    if (rb > 1) to.push_back(second.size(-1));
    return call(get("aten._unsafe_view.default"), {out, to});
}

// ATen's linear: addmm for a matrix, and for more dims a matrix of all rows.
Values linearRule(const Values& args) {
    const Tensor &x = args[0].tensor(), &w = args[1].tensor(), &bias = args[2].tensor();
    if (x.dim() == 2 && bias.defined()) return {f::addmm(bias, x, f::t(w))};
    if (x.dim() > 2 && bias.defined() && x.isContiguous()) {
        SymInts batch(x.sizes().begin(), x.sizes().end() - 1);
        const Tensor out = f::addmm(bias, f::view(x, {symbolic::product(batch), x.size(-1)}), f::t(w));
        batch.push_back(w.size(0));
        return {f::view(out, batch)};
    }
    Values out = matmulRule({x, f::t(w)});
    return bias.defined() ? Values{f::add(out[0], bias)} : out;
}

OpDef external(const char* schema, const char* doc, Meta meta, Kernel kernel, Derivative rule,
               std::function<std::vector<Values>()> samples) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Extern,
            .dtype = DTypeRule::Given,
            .meta = std::move(meta),
            .kernel = std::move(kernel),
            .derivative = std::move(rule),
            .samples = std::move(samples)};
}

Tensor matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
    return samples::tensor({rows, columns}, -1, 1, seed);
}

} // namespace

std::vector<OpDef> matmulOps() {
    std::vector<OpDef> out;
    out.push_back(external(
        "mm(Tensor self, Tensor mat2) -> Tensor", "the matrix product",
        [](const Values& a) {
            return std::vector<TensorMeta>{shape::contiguous(productSizes(a[0].tensor(), a[1].tensor()),
                                                             a[0].tensor().dtype(), a[0].tensor().device())};
        },
        [](const Values& a, std::span<Tensor> o) { product(a[0].tensor(), a[1].tensor(), o[0], 1, 0); },
        derivative({0, 1}, {},
                   [](const Tensor& g, const Saved& s) {
                       return Tensors{
                           ifNeeded(s, 0, [&] { return gradOfFirst(g, savedArg(s, 1), savedArg(s, 0), SymInt(1)); }),
                           ifNeeded(s, 1, [&] { return gradOfSecond(g, savedArg(s, 0), savedArg(s, 1), SymInt(1)); })};
                   }),
        [] {
            return std::vector<Values>{{matrix(3, 4, 1), matrix(4, 2, 2)},
                                       {samples::transposed(matrix(4, 3, 1)), samples::transposed(matrix(2, 4, 2))},
                                       {matrix(2, 0, 1), matrix(0, 3, 1)}};
        }));
    out.push_back(external(
        "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
        "beta * self + alpha * (mat1 @ mat2)",
        [](const Values& a) {
            const SymInts sizes = productSizes(a[1].tensor(), a[2].tensor());
            if (!shape::isExpandableTo(a[0].tensor().sizes(), sizes))
                throw Error("The expanded size of the tensor (" + sizes.back().str() +
                            ") must match the existing size (" +
                            (a[0].tensor().dim() ? a[0].tensor().size(-1).str() : "1") +
                            ") at non-singleton dimension 1.  Target sizes: " + shape::text(sizes) +
                            ".  Tensor sizes: " + shape::text(a[0].tensor().sizes()));
            return std::vector<TensorMeta>{shape::contiguous(sizes, a[1].tensor().dtype(), a[1].tensor().device())};
        },
        addmmKernel,
        derivative({1, 2}, {},
                   [](const Tensor& g, const Saved& s) {
                       const Scalar beta = s.args[3].scalar(), alpha = s.args[4].scalar();
                       return Tensors{
                           ifNeeded(s, 0, [&] { return scaled(g, beta); }),
                           ifNeeded(s, 1, [&] { return gradOfFirst(g, savedArg(s, 2), savedArg(s, 1), alpha); }),
                           ifNeeded(s, 2, [&] { return gradOfSecond(g, savedArg(s, 1), savedArg(s, 2), alpha); })};
                   }),
        [] {
            return std::vector<Values>{{samples::tensor({2}, -1, 1), matrix(3, 4, 1), matrix(4, 2, 2)},
                                       {matrix(3, 2, 3), matrix(3, 4, 1), matrix(4, 2, 2), 0.5, 2.0}};
        }));
    out.push_back(external(
        "bmm(Tensor self, Tensor mat2) -> Tensor", "a matrix product a batch",
        [](const Values& a) {
            return std::vector<TensorMeta>{shape::contiguous(batchSizes(a[0].tensor(), a[1].tensor()),
                                                             a[0].tensor().dtype(), a[0].tensor().device())};
        },
        bmmKernel,
        derivative({0, 1}, {},
                   [](const Tensor& g, const Saved& s) {
                       return Tensors{ifNeeded(s, 0, [&] { return f::bmm(g, f::transpose(savedArg(s, 1), 1, 2)); }),
                                      ifNeeded(s, 1, [&] { return f::bmm(f::transpose(savedArg(s, 0), 1, 2), g); })};
                   }),
        [] { return std::vector<Values>{{samples::tensor({2, 3, 4}, -1, 1), samples::tensor({2, 4, 5}, -1, 1, 2)}}; }));
    out.push_back(external(
        "mv(Tensor self, Tensor vec) -> Tensor", "a matrix times a vector",
        [](const Values& a) {
            const Tensor &m = a[0].tensor(), &v = a[1].tensor();
            if (m.dim() != 2 || v.dim() != 1)
                throw Error("vector + matrix @ vector expected, got 1, " + std::to_string(m.dim()) + ", " +
                            std::to_string(v.dim()));
            if (!symbolic::equal(m.size(1), v.size(0)))
                throw Error("size mismatch, got input (" + m.size(0).str() + "), mat (" + m.size(0).str() + "x" +
                            m.size(1).str() + "), vec (" + v.size(0).str() + ")");
            return std::vector<TensorMeta>{shape::contiguous({m.size(0)}, m.dtype(), m.device())};
        },
        [](const Values& a, std::span<Tensor> o) {
            const Tensor& v = a[1].tensor();
            product(a[0].tensor(), v.alias({v.size(0), 1}, {v.stride(0), 1}, v->offset),
                    o[0].alias({o[0].size(0), 1}, {1, 1}, 0), 1, 0);
        },
        derivative({0, 1}, {},
                   [](const Tensor& g, const Saved& s) {
                       return Tensors{ifNeeded(s, 0, [&] { return f::mul(f::unsqueeze(g, 1), savedArg(s, 1)); }),
                                      ifNeeded(s, 1, [&] {
                                          return callTensor(get("aten.mv.default"), {f::t(savedArg(s, 0)), g});
                                      })};
                   }),
        [] { return std::vector<Values>{{matrix(3, 4, 1), samples::tensor({4}, -1, 1)}}; }));
    out.push_back(external(
        "dot(Tensor self, Tensor tensor) -> Tensor", "the inner product of two vectors",
        [](const Values& a) {
            const Tensor &x = a[0].tensor(), &y = a[1].tensor();
            if (x.dim() != 1 || y.dim() != 1)
                throw Error("1D tensors expected, but got " + std::to_string(x.dim()) + "D and " +
                            std::to_string(y.dim()) + "D tensors");
            if (!symbolic::equal(x.size(0), y.size(0)))
                throw Error("inconsistent tensor size, expected tensor [" + x.size(0).str() + "] and src [" +
                            y.size(0).str() + "] to have the same number of elements, but got " + x.size(0).str() +
                            " and " + y.size(0).str() + " elements respectively");
            return std::vector<TensorMeta>{shape::contiguous({}, x.dtype(), x.device())};
        },
        [](const Values& a, std::span<Tensor> o) {
            const Tensor &x = a[0].tensor(), &y = a[1].tensor();
            product(x.alias({1, x.size(0)}, {1, x.stride(0)}, x->offset),
                    y.alias({y.size(0), 1}, {y.stride(0), 1}, y->offset), o[0].alias({1, 1}, {1, 1}, 0), 1, 0);
        },
        derivative({0, 1}, {},
                   [](const Tensor& g, const Saved& s) {
                       return Tensors{ifNeeded(s, 0, [&] { return f::mul(g, savedArg(s, 1)); }),
                                      ifNeeded(s, 1, [&] { return f::mul(g, savedArg(s, 0)); })};
                   }),
        [] { return std::vector<Values>{{samples::tensor({4}, -1, 1), samples::tensor({4}, -1, 1, 2)}}; }));
    out.push_back({.schema = "matmul(Tensor self, Tensor other) -> Tensor",
                   .doc = "the product of the last two dims, the others broadcast",
                   .kind = Kind::Composite,
                   .composite = matmulRule,
                   .samples = [] {
                       return std::vector<Values>{
                           {samples::tensor({2, 3, 4}, -1, 1), matrix(4, 5, 2)},
                           {samples::tensor({4}, -1, 1), matrix(4, 5, 2)},
                           {samples::tensor({2, 1, 3, 4}, -1, 1), samples::tensor({5, 4, 2}, -1, 1, 2)}};
                   }});
    out.push_back({.schema = "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
                   .doc = "input @ weight.T + bias",
                   .kind = Kind::Composite,
                   .composite = linearRule,
                   .samples = [] {
                       return std::vector<Values>{
                           {matrix(2, 4, 1), matrix(3, 4, 2), samples::tensor({3}, -1, 1)},
                           {samples::tensor({2, 2, 4}, -1, 1), matrix(3, 4, 2), samples::tensor({3}, -1, 1)},
                           {matrix(2, 4, 1), matrix(3, 4, 2), Value()}};
                   }});
    return out;
}

} // namespace strata::ops
