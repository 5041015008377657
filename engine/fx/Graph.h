#pragma once
// The FX graph: a straight line of nodes with torch.fx's six opcodes. The same class holds what Dynamo captured
// (targets are torch functions and methods), AOTAutograd's graphs (targets are ATen overloads) and prims.
//
// Text form: Printer.h; read back by Parser.h; checked by Verifier.h.

#include "engine/symbolic/SymInt.h"
#include "engine/tensor/Tensor.h"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace strata::fx {

enum class Opcode : std::uint8_t { Placeholder, GetAttr, CallFunction, CallMethod, CallModule, Output };
std::string_view name(Opcode opcode); // "call_function"

class Graph;
struct Node;
struct Arg;

using ArgList = std::vector<Arg>;
using ArgDict = std::vector<std::pair<std::string, Arg>>; // insertion order

struct None {
    bool operator==(const None&) const = default;
};
struct Ellipsis {
    bool operator==(const Ellipsis&) const = default;
};
struct Tuple {
    ArgList items;
    std::string typeName; // "" for tuple; "torch.Size" and the like for its kin
};
struct List {
    ArgList items;
};
struct Dict {
    ArgDict items; // string keys
};
struct Slice {
    std::shared_ptr<ArgList> parts; // start, stop, step
};

/// What may stand in a node's arguments.
struct Arg {
    using Variant = std::variant<None, Ellipsis, bool, symbolic::SymInt, double, std::string, tensor::DType,
                                 tensor::Device, Node*, Tuple, List, Dict, Slice>;
    Variant value;

    Arg() = default;
    template <class T> Arg(T v) : value(std::move(v)) {}
    Arg(int v) : value(symbolic::SymInt(v)) {}
    Arg(std::int64_t v) : value(symbolic::SymInt(v)) {}
    Arg(const char* v) : value(std::string(v)) {}
    template <class T> const T* as() const { return std::get_if<T>(&value); }
};

/// Calls f on every node inside an argument, nested ones too, in order.
void forEachNode(const Arg& arg, const std::function<void(Node*)>& f);
/// A copy with every node replaced by f(node).
Arg mapNodes(const Arg& arg, const std::function<Arg(Node*)>& f);

/// What a placeholder stands for.
enum class Role : std::uint8_t { Input, Parameter, Buffer, Tangent, Saved, Size };

struct Node {
    Opcode op;
    std::string name;   // unique in the graph, a Python identifier: "add", "add_1"
    std::string target; // "sin" for a torch function, "sum" for a method, "aten.add.Tensor" for an ATen overload
    ArgList args;
    ArgDict kwargs;
    Graph* graph = nullptr;

    // meta
    std::shared_ptr<void> callable;     // the Python callable of a call_function captured by Dynamo; opaque here
    tensor::Tensor value;               // example value (a fake tensor), undefined for non-tensors
    std::vector<tensor::Tensor> values; // of a node with several tensor results
    symbolic::SymInt intValue = 0;      // of a node or placeholder with Role::Size
    Role role = Role::Input;
    std::string module; // path of the nn.Module that made it: "fc1"
    std::string file;   // the user's line
    int line = 0;
    std::vector<std::string> from; // trace ids of what it came from
    bool isInt = false;            // its value is intValue, not a tensor
    bool mustBeInForward = false;  // partitioner tags
    bool isBackward = false;       // joint graph: made while running derivatives

    std::vector<Node*> inputs() const; // distinct, in order of first use
};

class Graph {
public:
    explicit Graph(std::string graphName = "forward") : title(std::move(graphName)) {}
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    Node* placeholder(const std::string& name);
    Node* call(Opcode op, const std::string& target, ArgList args, ArgDict kwargs = {},
               const std::string& nameHint = {});
    Node* callFunction(const std::string& target, ArgList args, ArgDict kwargs = {}) {
        return call(Opcode::CallFunction, target, std::move(args), std::move(kwargs));
    }
    Node* output(Arg value);
    Node* outputNode() const; // null before output()
    std::vector<Node*> placeholders() const;
    /// In execution order.
    const std::list<std::unique_ptr<Node>>& nodes() const { return m_nodes; }
    std::size_t callCount() const; // nodes without placeholders and output
    /// Users in execution order; derived, O(nodes).
    std::vector<Node*> users(const Node* node) const;
    void replaceAllUses(Node* old, Node* by);
    void erase(Node* node); // support::Error when it has users
    /// Removes calls that nothing uses and that `keep` does not claim. Returns how many.
    int eliminateDeadCode(const std::function<bool(const Node&)>& keep = nullptr);
    /// A unique identifier from a hint, as torch.fx makes it: "add", "add_1"; "aten.add.Tensor" gives "add".
    std::string uniqueName(const std::string& hint);
    /// New nodes are put before this one until the scope ends; null: at the end.
    Node* insertBefore(Node* point);
    /// A deep copy; `mapping` receives old -> new.
    std::unique_ptr<Graph> clone(std::vector<std::pair<const Node*, Node*>>* mapping = nullptr) const;

    std::string title;
    /// Outputs that the caller copies back into an input: (number of the output, number of the placeholder). A backend
    /// may store such an output right into the input; it then returns the input itself as that output.
    std::vector<std::pair<int, int>> writes;

private:
    Node* add(std::unique_ptr<Node> node);
    std::list<std::unique_ptr<Node>> m_nodes;
    /// Names in use, and the next number of each stem. The text form's own words are never names.
    std::map<std::string, int> m_names{{"torch", 1}, {"self", 1},  {"aten", 1},
                                       {"prims", 1}, {"slice", 1}, {"output", 1}};
    Node* m_insertionPoint = nullptr;
};

} // namespace strata::fx
