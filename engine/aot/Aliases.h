#pragma once
// Functionalization. Eager's tensors alias and change; a graph's values do not. As in PyTorch's functionalization pass,
// every tensor of a trace belongs to a storage group and is the group's base seen through a chain of view ops. A
// generation counts the group's changes.
//
//   write    An in-place op's functional result becomes the tensor's value. The base's new value is made by undoing the
//            chain from its end: select by select_scatter, slice by slice_scatter, permute by its inverse, ..
//   read     A tensor whose generation is behind replays its chain on the base's node.
//
// Views that only mark an alias (alias, detach) are in the chain, for outputs, but are no nodes.
// Writes through expanded tensors, and views without a scatter op, are refused.

#include "engine/fx/Graph.h"
#include "engine/ops/OpDef.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace strata::aot {

class Tracer;

/// One step of a chain: op(base, args[1..])[output].
struct View {
    const ops::OpDef* op = nullptr;
    ops::Values args; // args[0] is not used
    int output = 0;   // of an op that returns several views
    bool several = false;
};

/// Tensors on one storage.
struct StorageGroup {
    ops::Tensor base; // as the function sees it
    fx::Node* node = nullptr;
    std::uint64_t generation = 0;
    int input = -1;               // number of the input whose storage it is
    bool changedWithGrad = false; // some change was made with grad mode on
    std::vector<const tensor::TensorImpl*> members;
    bool changed() const { return generation > 0; }
};

struct Alias {
    ops::Tensor tensor;
    std::shared_ptr<StorageGroup> group;
    std::vector<View> chain;
    fx::Node* node = nullptr;
    std::uint64_t generation = 0; // of the group when node was made
};

class Aliases {
public:
    explicit Aliases(Tracer& tracer) : m_tracer(tracer) {}

    /// A tensor with a storage of its own.
    Alias& addBase(const ops::Tensor& tensor, fx::Node* node);
    Alias& addView(const ops::Tensor& tensor, const Alias& of, View view, fx::Node* node);
    /// The record of a tensor; one that tracing has not seen (a saved tensor unpacked by the tape) is recognised by its
    /// storage and geometry. Null when its storage is unknown too.
    Alias* find(const ops::Tensor& tensor);
    /// The node for the tensor as it is now.
    fx::Node* read(Alias& alias);
    /// `value` is what the tensor holds from now on.
    void write(Alias& alias, fx::Node* value, bool withGrad);

private:
    Tracer& m_tracer;
    std::map<const tensor::TensorImpl*, Alias> m_byTensor;
    std::map<const tensor::Storage*, std::shared_ptr<StorageGroup>> m_byStorage;
};

/// as_strided counts in the base's storage: support::Refusal when the group's node lies otherwise than its base did.
void requireBaseLayout(const StorageGroup& group);

/// Whether the op only marks an alias.
bool isIdentityView(const ops::OpDef& op);
/// The view of `base`; calls the op through the dispatcher. `symbols` replaces symbolic sizes in its arguments.
ops::Tensor applyView(const View& view, const ops::Tensor& base,
                      const std::map<std::string, symbolic::SymInt>& symbols = {});
/// `base` with its part that `view` shows replaced by `part`. support::Refusal when the view cannot be undone.
ops::Tensor undoView(const View& view, const ops::Tensor& base, const ops::Tensor& part);

} // namespace strata::aot
