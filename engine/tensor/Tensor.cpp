#include "engine/tensor/Tensor.h"

#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"
#include "engine/tensor/Allocator.h"

namespace strata::tensor {

namespace {

using support::Error;
using support::ErrorKind;

// Elements from the first to the last that the strides reach.
std::int64_t extent(const SymInts& sizes, const SymInts& strides) {
    std::int64_t last = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        const std::int64_t size = sizes[d].asInt();
        if (size == 0) return 0;
        if (__builtin_add_overflow(last, (size - 1) * strides[d].asInt(), &last))
            throw Error("Storage size calculation overflowed");
    }
    return last + 1;
}

void checkSizes(const SymInts& sizes) {
    std::int64_t numel = 1;
    for (const SymInt size : sizes) {
        if (size.isSymbolic()) continue;
        const std::int64_t plain = size.asInt();
        if (plain < 0)
            throw Error("Trying to create tensor with negative dimension " + std::to_string(plain) + ": " +
                        symbolic::str(sizes));
        if (__builtin_mul_overflow(numel, plain, &numel) || numel > (std::int64_t{1} << 47))
            throw Error("Storage size calculation overflowed with sizes=" + symbolic::str(sizes));
    }
}

Tensor make(const SymInts& sizes, const SymInts& strides, DType dtype, Device device) {
    auto* impl = new TensorImpl;
    impl->sizes = sizes;
    impl->strides = strides;
    impl->dtype = dtype;
    impl->device = device;
    return Tensor(impl);
}

} // namespace

std::shared_ptr<Storage> Storage::allocate(std::size_t bytes) {
    return std::make_shared<Storage>(bytes ? allocateBytes(bytes) : nullptr, bytes);
}

std::shared_ptr<Storage> Storage::fake() {
    auto storage = std::make_shared<Storage>(nullptr, 0);
    storage->m_fake = true;
    return storage;
}

Storage::~Storage() {
    if (m_data) freeBytes(m_data, m_bytes);
}

Tensor Tensor::empty(const SymInts& sizes, DType dtype, Device device) {
    checkSizes(sizes); // before strides are multiplied out
    return emptyStrided(sizes, symbolic::contiguousStrides(sizes), dtype, device);
}

Tensor Tensor::emptyStrided(const SymInts& sizes, const SymInts& strides, DType dtype, Device device) {
    if (device.type != Device::Type::CPU) throw Error("Torch not compiled with CUDA enabled");
    checkSizes(sizes);
    Tensor result = make(sizes, strides, dtype, device);
    result->storage = Storage::allocate(static_cast<std::size_t>(extent(sizes, strides)) * itemSize(dtype));
    return result;
}

Tensor Tensor::fake(const SymInts& sizes, const SymInts& strides, DType dtype, Device device) {
    checkSizes(sizes);
    Tensor result = make(sizes, strides, dtype, device);
    result->storage = Storage::fake();
    result->fake = true;
    return result;
}

Tensor Tensor::scalar(double value, DType dtype) {
    Tensor result = empty({}, dtype);
    visit(dtype, "scalar", [&]<class T>() { *result.data<T>() = static_cast<T>(value); });
    return result;
}

Tensor Tensor::scalarInt(std::int64_t value, DType dtype) {
    Tensor result = empty({}, dtype);
    visit(dtype, "scalar", [&]<class T>() { *result.data<T>() = static_cast<T>(value); });
    return result;
}

Tensor Tensor::alias(const SymInts& sizes, const SymInts& strides, SymInt offset) const {
    Tensor result = make(sizes, strides, m_impl->dtype, m_impl->device);
    result->storage = m_impl->storage;
    result->offset = offset;
    result->fake = m_impl->fake;
    result->version = m_impl->version;
    return result;
}

namespace {

std::size_t checkedDim(const Tensor& tensor, std::int64_t dim) {
    const std::int64_t rank = tensor.dim(), range = rank ? rank : 1;
    if (dim < -range || dim >= range || rank == 0)
        throw Error(ErrorKind::Index, "Dimension out of range (expected to be in range of [" + std::to_string(-range) +
                                          ", " + std::to_string(range - 1) + "], but got " + std::to_string(dim) + ")");
    return static_cast<std::size_t>(dim < 0 ? dim + rank : dim);
}

} // namespace

SymInt Tensor::size(std::int64_t dim) const {
    return m_impl->sizes[checkedDim(*this, dim)];
}
SymInt Tensor::stride(std::int64_t dim) const {
    return m_impl->strides[checkedDim(*this, dim)];
}

bool Tensor::isContiguous() const {
    SymInt expected = 1;
    for (std::size_t d = m_impl->sizes.size(); d-- > 0;) {
        const SymInt size = m_impl->sizes[d];
        if (size.sameAs(0)) return true;
        if (size.sameAs(1)) continue;
        if (!m_impl->strides[d].sameAs(expected)) {
            // A dim of size 0 further out makes any strides contiguous.
            for (std::size_t e = 0; e < d; ++e)
                if (m_impl->sizes[e].sameAs(0)) return true;
            return false;
        }
        expected = expected * size;
    }
    return true;
}

void* Tensor::data() const {
    if (m_impl->fake) throw Error("Cannot access data pointer of a fake tensor");
    auto* bytes = static_cast<char*>(m_impl->storage->data());
    return bytes ? bytes + m_impl->offset.asInt() * static_cast<std::int64_t>(itemSize(m_impl->dtype)) : nullptr;
}

namespace {

template <class R> R item(const Tensor& tensor) {
    if (!tensor.numel().sameAs(1))
        throw Error("a Tensor with " + tensor.numel().str() + " elements cannot be converted to Scalar");
    return visit(tensor.dtype(), "item", [&]<class T>() { return static_cast<R>(*tensor.data<T>()); });
}

} // namespace

double Tensor::itemDouble() const {
    return item<double>(*this);
}
std::int64_t Tensor::itemInt() const {
    return item<std::int64_t>(*this);
}

std::string describe(const Tensor& tensor) {
    std::string text(shortName(tensor.dtype()));
    return text + symbolic::str(tensor.sizes());
}

} // namespace strata::tensor
