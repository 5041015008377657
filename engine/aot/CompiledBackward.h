#pragma once
// The tape node of a compiled function's outputs: it keeps what the partitioner saves, and runs the backward graph.

#include "engine/aot/Runtime.h"
#include "engine/eager/TapeNodes.h"

#include <memory>
#include <string>
#include <vector>

namespace strata::aot {

class CompiledBackward : public eager::Node {
public:
    explicit CompiledBackward(std::shared_ptr<Program> program);
    void saveSize(symbolic::SymInt size) { m_sizes.push_back(size); }
    /// `output` >= 0: the value is that output of this node.
    void saveTensor(const ops::Tensor& tensor, int output) { m_saved.emplace_back(tensor, output); }
    void announceSelf() { eager::announce(*this); }

    /// Compiles the backward graph if this is the program's first backward, and runs it outside of the tape. Undefined
    /// gradients are zeros. With grad mode on (create_graph) the results' own history is an error on use.
    ops::Tensors apply(ops::Tensors grads) override;
    void release() override;
    std::vector<std::string> savedText() const override;

private:
    ops::Tensor tangent(const ops::Tensor& grad, std::size_t number) const;
    void refuseDoubleBackward(const ops::Values& inputs, const ops::Tensors& results);

    std::shared_ptr<Program> m_program;
    ops::SymInts m_sizes;
    std::vector<eager::SavedTensor> m_saved;
    bool m_released = false;
};

} // namespace strata::aot
