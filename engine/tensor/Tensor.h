#pragma once
// Strided tensors. A Tensor is a counted handle on a TensorImpl; several impls may view one Storage.
// A fake tensor has everything but data: sizes may be symbolic and data() throws. Tracing runs on fake tensors.

#include "engine/symbolic/SymInt.h"
#include "engine/tensor/DType.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace strata::tensor {

using symbolic::SymInt;
using symbolic::SymInts;

/// Bytes shared by tensors, from the caching allocator (Allocator.h). Fake storages have no bytes.
class Storage {
public:
    static std::shared_ptr<Storage> allocate(std::size_t bytes);
    static std::shared_ptr<Storage> fake();
    Storage(void* data, std::size_t bytes) : m_data(data), m_bytes(bytes) {}
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    void* data() const { return m_data; }
    std::size_t bytes() const { return m_bytes; }
    bool isFake() const { return m_fake; }

private:
    void* m_data;
    std::size_t m_bytes;
    bool m_fake = false;
};

/// Counts in-place changes; shared by a tensor and its views. Autograd compares it with what it saw when saving.
struct VersionCounter {
    std::uint32_t value = 0;
};

/// What autograd keeps with a tensor; eager/Autograd.h defines it.
struct AutogradMetaBase {
    AutogradMetaBase() = default;
    AutogradMetaBase(const AutogradMetaBase&) = delete;
    AutogradMetaBase& operator=(const AutogradMetaBase&) = delete;
    virtual ~AutogradMetaBase() = default;
};

struct TensorImpl {
    std::shared_ptr<Storage> storage;
    SymInts sizes, strides; // strides in elements
    SymInt offset = 0;      // in elements
    DType dtype = DType::Float32;
    Device device;
    bool fake = false;
    bool wrappedNumber = false; // a Python number made into a 0-dim tensor: ranks lower in promotion
    std::shared_ptr<VersionCounter> version = std::make_shared<VersionCounter>();
    std::unique_ptr<AutogradMetaBase> autograd; // null until needed
    void* pyObject = nullptr;                   // borrowed: the Python object of this impl, kept by python/
    std::atomic<std::uint32_t> references{0};
};

class Tensor {
public:
    Tensor() = default; // undefined: PyTorch's None
    explicit Tensor(TensorImpl* impl) : m_impl(impl) { retain(); }
    Tensor(const Tensor& other) : m_impl(other.m_impl) { retain(); }
    Tensor(Tensor&& other) noexcept : m_impl(other.m_impl) { other.m_impl = nullptr; }
    Tensor& operator=(Tensor other) noexcept {
        std::swap(m_impl, other.m_impl);
        return *this;
    }
    ~Tensor() { release(); }

    /// Uninitialised, contiguous.
    static Tensor empty(const SymInts& sizes, DType dtype, Device device = {});
    static Tensor emptyStrided(const SymInts& sizes, const SymInts& strides, DType dtype, Device device = {});
    static Tensor fake(const SymInts& sizes, const SymInts& strides, DType dtype, Device device = {});
    static Tensor scalar(double value, DType dtype);
    static Tensor scalarInt(std::int64_t value, DType dtype = DType::Int64);
    /// Another view of the same storage, with its version counter. Autograd is not told.
    Tensor alias(const SymInts& sizes, const SymInts& strides, SymInt offset) const;

    bool defined() const { return m_impl != nullptr; }
    explicit operator bool() const { return defined(); }
    TensorImpl* impl() const { return m_impl; }
    TensorImpl* operator->() const { return m_impl; }
    bool is(const Tensor& other) const { return m_impl == other.m_impl; }

    DType dtype() const { return m_impl->dtype; }
    Device device() const { return m_impl->device; }
    const SymInts& sizes() const { return m_impl->sizes; }
    const SymInts& strides() const { return m_impl->strides; }
    SymInt size(std::int64_t dim) const; // negative counts from the end; support::Error (Index) out of range
    SymInt stride(std::int64_t dim) const;
    std::int64_t dim() const { return static_cast<std::int64_t>(m_impl->sizes.size()); }
    SymInt numel() const { return symbolic::product(m_impl->sizes); }
    bool isFake() const { return m_impl->fake; }
    bool isContiguous() const; // for symbolic sizes: structurally
    bool sharesStorage(const Tensor& other) const { return m_impl->storage == other.m_impl->storage; }
    std::uint32_t version() const { return m_impl->version->value; }
    void bumpVersion() const { ++m_impl->version->value; }

    /// First element. Throws support::Error for a fake tensor.
    void* data() const;
    template <class T> T* data() const { return static_cast<T*>(data()); }
    /// The one element, converted; throws support::Error unless numel is 1.
    double itemDouble() const;
    std::int64_t itemInt() const;

private:
    void retain() const {
        if (m_impl) m_impl->references.fetch_add(1, std::memory_order_relaxed);
    }
    void release() {
        if (m_impl && m_impl->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete m_impl;
    }
    TensorImpl* m_impl = nullptr;
};

/// "f32[8, s0]", as PyTorch annotates graphs.
std::string describe(const Tensor& tensor);

} // namespace strata::tensor
