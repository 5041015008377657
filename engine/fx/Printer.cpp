#include "engine/fx/Printer.h"

#include <cmath>
#include <sstream>

namespace strata::fx {

namespace {

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\\' || c == '\'') out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out + "'";
}

// The shortest text that reads back as the same double, always with a point or an exponent.
std::string number(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    for (int digits = 6; digits <= 17; ++digits) {
        std::ostringstream out;
        out.precision(digits);
        out << value;
        if (std::stod(out.str()) != value) continue;
        const std::string text = out.str();
        return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    }
    return std::to_string(value);
}

std::string join(const ArgList& items) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) text += (i ? ", " : "") + print(items[i]);
    return text;
}

struct ArgPrinter {
    std::string operator()(None) const { return "None"; }
    std::string operator()(Ellipsis) const { return "..."; }
    std::string operator()(bool v) const { return v ? "True" : "False"; }
    std::string operator()(symbolic::SymInt v) const { return v.str(); }
    std::string operator()(double v) const { return number(v); }
    std::string operator()(const std::string& v) const { return quoted(v); }
    std::string operator()(tensor::DType v) const { return "torch." + std::string(tensor::name(v)); }
    std::string operator()(const tensor::Device& v) const { return "device(" + quoted(v.str()) + ")"; }
    std::string operator()(const Node* v) const { return v->name; }
    std::string operator()(const Tuple& v) const {
        const std::string inner = "(" + join(v.items) + (v.items.size() == 1 ? ",)" : ")");
        return v.typeName.empty() ? inner : v.typeName + "(" + inner + ")";
    }
    std::string operator()(const List& v) const { return "[" + join(v.items) + "]"; }
    std::string operator()(const Dict& v) const {
        std::string text = "{";
        for (std::size_t i = 0; i < v.items.size(); ++i)
            text += (i ? ", " : "") + quoted(v.items[i].first) + ": " + print(v.items[i].second);
        return text + "}";
    }
    std::string operator()(const Slice& v) const { return "slice(" + join(*v.parts) + ")"; }
};

std::string annotation(const Node& node) {
    if (node.isInt) return ": \"Sym(" + node.intValue.str() + ")\"";
    if (!node.value.defined()) return "";
    return ": \"" + tensor::describe(node.value) + "\"";
}

std::string callText(const Node& node) {
    ArgList args = node.args;
    std::string text;
    switch (node.op) {
    case Opcode::GetAttr:
        return "self." + node.target;
    case Opcode::CallModule:
        text = "self." + node.target;
        break;
    case Opcode::CallMethod:
        text = print(args.empty() ? Arg() : args.front()) + "." + node.target;
        if (!args.empty()) args.erase(args.begin());
        break;
    default:
        text = node.target.find('.') == std::string::npos ? "torch." + node.target : node.target;
    }
    text += "(" + join(args);
    for (std::size_t i = 0; i < node.kwargs.size(); ++i)
        text += (i || !args.empty() ? ", " : "") + node.kwargs[i].first + " = " + print(node.kwargs[i].second);
    return text + ")";
}

// Emits the lines of a graph; `at` is told the line of each node.
std::string emit(const Graph& graph, const std::function<void(const Node*, int)>& at) {
    std::string text = "def " + graph.title + "(self";
    for (const Node* node : graph.placeholders()) {
        text += ", " + node->name + annotation(*node);
        if (at) at(node, 1);
    }
    text += "):\n";
    int line = 2;
    std::string place;
    for (const auto& node : graph.nodes()) {
        if (node->op == Opcode::Placeholder) continue;
        if (node->op == Opcode::Output) {
            text += "    return " + print(node->args.empty() ? Arg() : node->args[0]) + "\n";
        } else {
            const std::string here = node->line > 0 ? node->file + ":" + std::to_string(node->line) : "";
            if (!here.empty() && here != place) {
                text += "    # " + here + "\n";
                place = here;
                ++line;
            }
            text += "    " + node->name + annotation(*node) + " = " + callText(*node) + "\n";
        }
        if (at) at(node.get(), line);
        ++line;
    }
    return text;
}

trace::Json texts(const symbolic::SymInts& values) {
    trace::Json out = trace::Json::array();
    for (const symbolic::SymInt v : values)
        if (v.isSymbolic())
            out.push_back(v.str());
        else
            out.push_back(v.asInt());
    return out;
}

const char* roleName(Role role) {
    static constexpr const char* names[] = {"input", "parameter", "buffer", "tangent", "saved", "size"};
    return names[static_cast<std::size_t>(role)];
}

} // namespace

std::string print(const Arg& arg) {
    return std::visit(ArgPrinter{}, arg.value);
}

std::string print(const Graph& graph) {
    return emit(graph, nullptr);
}

std::vector<std::pair<const Node*, int>> linesOf(const Graph& graph) {
    std::vector<std::pair<const Node*, int>> lines;
    emit(graph, [&](const Node* node, int line) { lines.emplace_back(node, line); });
    return lines;
}

std::string itemId(const Node& node, const std::string& kind, const std::string& compile, const std::string& region) {
    std::string id = kind + ":" + compile + ":";
    if (kind == "prims") id += region + ":";
    return id + node.name;
}

trace::Record artifact(const Graph& graph, const std::string& kind, const std::string& compile,
                       const std::string& region) {
    trace::Json items = trace::Json::array();
    for (const auto& [node, line] : linesOf(graph)) {
        trace::Json item{{"id", itemId(*node, kind, compile, region)},
                         {"from", node->from},
                         {"line", line},
                         {"end_line", line},
                         {"label", node->name},
                         {"op", name(node->op)},
                         {"target", node->target},
                         {"module", node->module}};
        trace::Json inputs = trace::Json::array();
        for (const Node* input : node->inputs()) inputs.push_back(itemId(*input, kind, compile, region));
        item["inputs"] = std::move(inputs);
        if (node->value.defined()) {
            item["dtype"] = tensor::name(node->value.dtype());
            item["shape"] = texts(node->value.sizes());
            item["stride"] = texts(node->value.strides());
        } else if (node->isInt) {
            item["dtype"] = "int";
            item["value"] = node->intValue.str();
        }
        if (node->op == Opcode::Placeholder) item["role"] = roleName(node->role);
        if (kind == "joint") item["side"] = node->isBackward ? "backward" : "forward";
        items.push_back(std::move(item));
    }
    return trace::make("artifact", kind,
                       {{"compile", compile},
                        {"region", region},
                        {"graph", graph.title},
                        {"text", print(graph)},
                        {"items", std::move(items)}});
}

} // namespace strata::fx
