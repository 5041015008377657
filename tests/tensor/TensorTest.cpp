#include "engine/tensor/Tensor.h"
#include "engine/support/Error.h"
#include "engine/tensor/Allocator.h"

#include <catch2/catch.hpp>

using namespace strata::tensor;
using strata::support::Error;

TEST_CASE("dtypes have PyTorch's names and promote as a lattice") {
    CHECK(name(DType::Float32) == "float32");
    CHECK(shortName(DType::Int64) == "i64");
    CHECK(itemSize(DType::Float64) == 8);
    CHECK(dtypeNamed("double") == DType::Float64);
    CHECK_FALSE(dtypeNamed("float7"));
    CHECK(promote(DType::Bool, DType::Int64) == DType::Int64);
    CHECK(promote(DType::Int64, DType::Float16) == DType::Float16);
    CHECK(promote(DType::UInt8, DType::Int8) == DType::Int16);
    CHECK(promote(DType::BFloat16, DType::Float16) == DType::Float32);
    CHECK(promote(DType::Float64, DType::Float32) == DType::Float64);
}

TEST_CASE("a tensor's geometry") {
    const Tensor t = Tensor::empty({2, 3, 4}, DType::Float32);
    CHECK(strata::symbolic::str(t.strides()) == "[12, 4, 1]");
    CHECK(t.isContiguous());
    CHECK(t.size(-1).sameAs(4));
    CHECK_THROWS_AS(t.size(3), Error);
    const Tensor view = t.alias({4, 3}, {1, 4}, 12);
    CHECK_FALSE(view.isContiguous());
    CHECK(view.sharesStorage(t));
    CHECK(view.data<float>() == t.data<float>() + 12);
    view.bumpVersion();
    CHECK(t.version() == 1);
    CHECK(Tensor::empty({0, 3}, DType::Float32).isContiguous());
    CHECK(t.alias({1, 4}, {99, 1}, 0).isContiguous());
    CHECK(describe(t) == "f32[2, 3, 4]");
}

TEST_CASE("items") {
    CHECK(Tensor::scalar(2.5, DType::Float32).itemDouble() == 2.5);
    CHECK(Tensor::scalarInt(7).itemInt() == 7);
    CHECK_THROWS_AS(Tensor::empty({2}, DType::Float32).itemDouble(), Error);
    CHECK_THROWS_AS(Tensor::fake({}, {}, DType::Float32).itemDouble(), Error);
}

TEST_CASE("handles count references") {
    Tensor a = Tensor::empty({1}, DType::Float32);
    TensorImpl* impl = a.impl();
    {
        const Tensor b = a;
        CHECK(impl->references == 2);
        const Tensor c = std::move(a);
        CHECK_FALSE(a.defined());
        CHECK(impl->references == 2);
        a = c;
    }
    CHECK(impl->references == 1);
}

TEST_CASE("sizes that make no tensor are refused") {
    CHECK_THROWS_AS(Tensor::empty({-1}, DType::Float32), Error);
    CHECK_THROWS_AS(Tensor::empty({std::int64_t{1} << 40, std::int64_t{1} << 40}, DType::Float32), Error);
    CHECK_THROWS_AS(Tensor::empty({1}, DType::Float32, {Device::Type::CUDA, 0}), Error);
    CHECK(Device{Device::Type::CUDA, 1}.str() == "cuda:1");
    CHECK_THROWS_AS(Tensor::empty({std::int64_t{1} << 46}, DType::Float32), Error);
}

TEST_CASE("the allocator reuses blocks, aligns them and counts bytes") {
    emptyCache();
    const AllocatorStatistics before = allocatorStatistics();
    for (const std::size_t bytes : {1UL, 64UL, 65UL, 255UL, 256UL, 257UL, 4096UL, 4097UL, 1000000UL, (1UL << 20) + 1}) {
        void* first = allocateBytes(bytes);
        CHECK(reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
        static_cast<char*>(first)[bytes - 1] = 1;
        CHECK(allocatorStatistics().liveBytes == before.liveBytes + bytes);
        freeBytes(first, bytes);
#if !__has_feature(address_sanitizer)
        void* second = allocateBytes(bytes);
        CHECK(second == first);
        freeBytes(second, bytes);
#endif
    }
    CHECK(allocatorStatistics().liveBytes == before.liveBytes);
    CHECK(allocatorStatistics().peakBytes >= before.liveBytes + (1UL << 20) + 1);
    resetPeakBytes();
    CHECK(allocatorStatistics().peakBytes == before.liveBytes);
}
