#pragma once
// Loop IR: a graph as loop nests over buffers. Every node computes one fresh buffer (single assignment); its body says
// what one element is, as a scalar expression over loads at index expressions. Loop indices are the symbols i0, i1, ..
// (one a dim of the output) and r0, r1, .. (reduced dims); sizes may be symbolic.
//
//     program(x: f32[16, 300], s0):
//         buf0: f32[16, 1] = amax over r0 < 300 for i0 < 16, i1 < 1: x[300*i0 + r0]
//         buf1: f32[16, 300] = pointwise for i0 < 16, i1 < 300: exp(sub(x[300*i0 + i1], buf0[i0]))
//         buf2: f32[8, 8] = extern aten.mm.default(x, y)
//         return buf1
//
// Meaning: nodes run in order; a pointwise node stores its body at `store` for every index; a reduction combines its
// body over the r's, from the kind's neutral element, in any order; an extern node calls the op.

#include "engine/loop/Expr.h"
#include "engine/trace/Record.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace strata::loop {

using symbolic::SymInt;
using symbolic::SymInts;

enum class NodeKind : std::uint8_t { Pointwise, Reduction, Extern };
enum class Reduction : std::uint8_t { Sum, Prod, Max, Min, Any, All };
std::string_view name(Reduction reduction); // "sum", "amax"

/// Where elements of a tensor lie in a buffer, counted in elements from the buffer's start.
struct Layout {
    std::string buffer;
    SymInts sizes, strides;
    SymInt offset = 0;
    SymInt at(const SymInts& index) const; // element offset
};

struct Buffer {
    std::string name;
    tensor::DType dtype = tensor::DType::Float32;
    SymInts sizes, strides; // dense
    SymInt bytes() const;
};

struct Node {
    NodeKind kind = NodeKind::Pointwise;
    Buffer buffer;
    SymInts ranges;          // of i0, i1, ..: the output's sizes
    SymInts reductionRanges; // of r0, r1, ..
    Reduction reduction = Reduction::Sum;
    ScalarRef body;
    SymInt store = 0; // element offset that iteration (i0, ..) writes
    // Extern.
    std::string target;             // "aten.mm.default"
    std::vector<std::string> reads; // buffers that an extern reads
    std::string externText;         // its arguments, for the printed form
    // Provenance.
    std::string op;                   // the op's plain name, for kernel names: "add"
    std::vector<std::string> origins; // trace ids of the graph nodes
};

struct Program {
    std::string title = "program";
    std::vector<Buffer> inputs;
    std::vector<std::string> sizeSymbols; // bound at run time
    std::vector<Node> nodes;
    std::vector<Layout> outputs;

    const Node* producer(const std::string& buffer) const; // null for inputs
    const Buffer* find(const std::string& buffer) const;
};

/// The loop symbols: index("i", 2) is i2.
SymInt index(char prefix, std::size_t dim);
/// Every Load in an expression, in evaluation order, each distinct (buffer, index) once.
std::vector<std::pair<std::string, SymInt>> loadsOf(const ScalarRef& body);
/// The expression with each load's and Index's symbols replaced.
ScalarRef substitute(const ScalarRef& body, const std::map<std::string, SymInt>& by);
/// Buffers that a node reads.
std::set<std::string> readsOf(const Node& node);

std::string print(const Program& program);
std::string print(const Node& node); // its one line
/// Reads print()'s text; print(parse(text)) is the text. Throws support::Error (Value) with the line and column.
Program parse(const std::string& text);

/// The meaning of the IR, slowly: runs every loop node element by element on double or int64 values. `memory` holds
/// each input's elements by buffer (as doubles; integers exactly up to 2^53) and receives every computed buffer's;
/// sizes bind the symbols. Throws support::Error for an extern node and for a load or store out of bounds.
void interpret(const Program& program, const std::map<std::string, std::int64_t>& sizes,
               std::map<std::string, std::vector<double>>& memory);

/// Throws support::Error naming the node: loads of unknown or later buffers, dtype mismatch, stray symbols.
void verify(const Program& program);

} // namespace strata::loop
