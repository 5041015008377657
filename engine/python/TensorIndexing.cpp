// tensor[..] and tensor[..] = value: the calls that PyTorch makes, in its order (python_variable_indexing.cpp). Ints
// are select, slices slice, None unsqueeze; tensors are gathered into one index or index_put_ at the end.
#include "engine/python/TensorType.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

namespace strata::python {

namespace {

using support::Error;
using support::ErrorKind;
using symbolic::SymInt;
using symbolic::SymInts;
using tensor::DType;
using tensor::Tensor;

#define STRATA_OP(name)                                                                                                \
    []() -> const ops::OpDef& {                                                                                        \
        static const ops::OpDef& op = ops::get("aten." name);                                                          \
        return op;                                                                                                     \
    }()

Tensor unsqueeze(const Tensor& self, std::int64_t dim) {
    return callOp(STRATA_OP("unsqueeze.default"), {self, SymInt(dim)}).at(0).tensor();
}

Tensor select(const Tensor& self, std::int64_t dim, SymInt index, std::int64_t realDim) {
    if (dim == 0 && self.dim() == 0)
        throw Error(ErrorKind::Index,
                    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
                    "convert a 0-dim tensor to a number");
    const SymInt size = self.sizes().at(static_cast<std::size_t>(dim));
    if (symbolic::lessEqual(size, index) || symbolic::less(index, -size))
        throw Error(ErrorKind::Index, "index " + index.str() + " is out of bounds for dimension " +
                                          std::to_string(realDim) + " with size " + size.str());
    return callOp(STRATA_OP("select.int"), {self, SymInt(dim), index}).at(0).tensor();
}

// A bound of a slice: a number, a 0-dim tensor, or what has __index__.
SymInt bound(PyObject* object, SymInt whenNone) {
    if (object == Py_None) return whenNone;
    SymInt value;
    if (toSymInt(object, value)) return value;
    const Ref index = Ref::steal(check(PyNumber_Index(object)));
    toSymInt(index.get(), value);
    return value;
}

Tensor slice(const Tensor& self, std::int64_t dim, PyObject* key) {
    const auto* parts = reinterpret_cast<const PySliceObject*>(key);
    const SymInt step = bound(parts->step, 1);
    if (symbolic::equal(step, 0)) throw Error(ErrorKind::Value, "slice step cannot be zero");
    if (symbolic::less(step, 0)) throw Error(ErrorKind::Value, "step must be greater than zero");
    const SymInt start = bound(parts->start, 0), end = bound(parts->stop, PY_SSIZE_T_MAX);
    if (self.dim() == 0) throw Error(ErrorKind::Index, "slice() cannot be applied to a 0-dim tensor.");
    const SymInt size = self.sizes().at(static_cast<std::size_t>(dim));
    if (start.sameAs(0) && end.sameAs(size) && step.sameAs(1)) return self;
    return callOp(STRATA_OP("slice.Tensor"), {self, SymInt(dim), start, end, step}).at(0).tensor();
}

bool isMask(const Tensor& tensor) {
    return tensor.dtype() == DType::Bool || tensor.dtype() == DType::UInt8;
}

/// Applies the items of an index one by one; what is left for index.Tensor collects in `tensors`.
class Slicer {
public:
    Slicer(const Tensor& self, PyObject* key) : m_self(self), m_result(self) {
        if (PyTuple_Check(key)) {
            for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) m_items.push_back(item(PyTuple_GET_ITEM(key, i)));
        } else {
            m_items.push_back(item(key));
        }
        countDims();
        for (const Ref& each : m_items) apply(each.get());
    }
    const Tensor& result() const { return m_result; }
    const ops::Tensors& tensors() const { return m_tensors; }

private:
    // Sequences and arrays become tensors.
    static Ref item(PyObject* object) {
        SymInt ignored;
        if (isTensor(object) || object == Py_None || object == Py_Ellipsis || PyBool_Check(object) ||
            PySlice_Check(object) || toSymInt(object, ignored))
            return Ref::borrow(object);
        if (PySequence_Check(object)) return Ref::steal(check(wrap(tensorFromData(object, nullptr))));
        throw Error(ErrorKind::Index,
                    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
                    "indices (got " +
                        typeName(object) + ")");
    }
    void countDims() {
        for (const Ref& each : m_items) {
            PyObject* object = each.get();
            if (isTensor(object))
                m_specified += isMask(tensorOf(object)) ? tensorOf(object).dim() : 1;
            else if (object != Py_None && object != Py_Ellipsis && !PyBool_Check(object))
                ++m_specified;
        }
        if (m_specified > m_self.dim())
            if (m_items.size() > 1 || m_self.dim() > 0)
                throw Error(ErrorKind::Index,
                            "too many indices for tensor of dimension " + std::to_string(m_self.dim()));
    }
    void apply(PyObject* object) {
        SymInt index;
        if (object == Py_Ellipsis)
            m_dim += m_self.dim() - m_specified;
        else if (object == Py_None)
            m_result = unsqueeze(m_result, m_dim++);
        else if (PyBool_Check(object))
            addSwitch(object == Py_True);
        else if (PySlice_Check(object)) {
            m_result = slice(m_result, m_dim++, object);
            ++m_realDim;
        } else if (isTensor(object))
            applyTensor(tensorOf(object));
        else {
            toSymInt(object, index);
            m_result = select(m_result, m_dim, index, m_realDim++);
        }
    }
    void applyTensor(const Tensor& tensor) {
        if (tensor.dim() == 0 && tensor::isIntegral(tensor.dtype(), true)) {
            const Ref number = Ref::steal(check(itemOf(tensor)));
            if (isMask(tensor)) {
                addSwitch(PyObject_IsTrue(number.get()) == 1);
                return;
            }
            SymInt index;
            toSymInt(number.get(), index);
            m_result = select(m_result, m_dim, index, m_realDim++);
            return;
        }
        record(tensor);
        m_realDim += isMask(tensor) ? tensor.dim() : 1;
        m_dim += isMask(tensor) ? tensor.dim() - 1 : 0; // a mask takes the place of as many dims
    }
    // A single truth value adds a dim that holds everything or nothing.
    void addSwitch(bool on) {
        m_result = unsqueeze(m_result, m_dim);
        Tensor index = Tensor::empty({on ? 1 : 0}, DType::Int64);
        if (on) *index.data<std::int64_t>() = 0;
        record(index);
    }
    void record(const Tensor& tensor) {
        m_tensors.resize(static_cast<std::size_t>(m_dim) + 1);
        m_tensors.back() = tensor;
        ++m_dim;
    }

    const Tensor m_self;
    Tensor m_result;
    std::vector<Ref> m_items;
    ops::Tensors m_tensors; // by dim of m_result; undefined where all of the dim is taken
    std::int64_t m_specified = 0, m_dim = 0, m_realDim = 0;
};

// What is assigned, as a tensor: numbers have the destination's dtype.
Tensor valueTensor(const Tensor& self, PyObject* value) {
    if (isTensor(value)) return tensorOf(value);
    const DType dtype = self.dtype();
    return callOp(STRATA_OP("lift_fresh.default"), {tensorFromData(value, &dtype)}).at(0).tensor();
}

// Leading dims of size 1 go.
SymInts withoutLeadingOnes(const SymInts& sizes) {
    std::size_t first = 0;
    while (first < sizes.size() && sizes[first].sameAs(1)) ++first;
    return {sizes.begin() + static_cast<std::ptrdiff_t>(first), sizes.end()};
}

Tensor viewWithoutLeadingOnes(const Tensor& value) {
    const SymInts sizes = withoutLeadingOnes(value.sizes());
    if (sizes.size() == value.sizes().size()) return value;
    return callOp(STRATA_OP("view.default"), {value, sizes}).at(0).tensor();
}

void copyTo(const Tensor& destination, const Tensor& source) {
    if (symbolic::equal(destination.sizes(), source.sizes())) {
        callOp(STRATA_OP("copy_.default"), {destination, source});
    } else if (source.dim() == 0) {
        callOp(STRATA_OP("fill_.Tensor"), {destination, source});
    } else {
        const Tensor fitted = viewWithoutLeadingOnes(source);
        const Tensor expanded = callOp(STRATA_OP("expand.default"), {fitted, destination.sizes()}).at(0).tensor();
        callOp(STRATA_OP("copy_.default"), {destination, expanded});
    }
}

} // namespace

PyObject* getItem(PyObject* self, PyObject* key) {
    return guarded([&]() -> PyObject* {
        const Tensor tensor = tensorOf(self);
        const Slicer slicer(tensor, key);
        if (!slicer.tensors().empty())
            return wrap(callOp(STRATA_OP("index.Tensor"), {slicer.result(), slicer.tensors()}));
        // An index that takes all still gives another tensor.
        if (slicer.result().is(tensor)) return wrap(callOp(STRATA_OP("alias.default"), {tensor}));
        return wrap(slicer.result());
    });
}

int setItem(PyObject* self, PyObject* key, PyObject* value) {
    const Ref done = Ref::steal(guarded([&]() -> PyObject* {
        if (!value) throw Error(ErrorKind::Type, "Tensor does not support deleting items");
        if (key == Py_False) return Py_NewRef(Py_None);
        const Tensor tensor = tensorOf(self);
        const Tensor source = valueTensor(tensor, value);
        const Slicer slicer(tensor, key);
        if (slicer.tensors().empty())
            copyTo(slicer.result(), source);
        else
            callOp(STRATA_OP("index_put_.default"),
                   {slicer.result(), slicer.tensors(), viewWithoutLeadingOnes(source)});
        return Py_NewRef(Py_None);
    }));
    return done ? 0 : -1;
}

} // namespace strata::python
