// Reads the text form of a graph: a header line with the placeholders, one line a node, comments that give the user's
// place, and the return. Values in arguments are Python literals, symbolic sizes, dtypes and names of earlier nodes.

#include "engine/fx/Printer.h"
#include "engine/support/Error.h"

#include <cctype>
#include <limits>
#include <map>
#include <optional>

namespace strata::fx {

namespace {

using symbolic::SymInt;

std::optional<tensor::DType> dtypeOfShortName(const std::string& name) {
    for (int i = 0; i <= static_cast<int>(tensor::DType::Float64); ++i)
        if (tensor::shortName(static_cast<tensor::DType>(i)) == name) return static_cast<tensor::DType>(i);
    return std::nullopt;
}

class TextReader {
public:
    explicit TextReader(const std::string& text) : m_text(text) {}

    std::unique_ptr<Graph> read() {
        auto graph = std::make_unique<Graph>();
        m_graph = graph.get();
        header();
        while (!m_done) statement();
        return graph;
    }

private:
    void header() {
        expect("def ");
        m_graph->title = word();
        expect("(self");
        while (take(",")) {
            Node* node = m_graph->placeholder(word());
            annotate(*node);
            m_nodes[node->name] = node;
        }
        expect("):");
        endLine();
    }

    void statement() {
        spaces();
        if (take("#")) return place();
        if (take("return ")) {
            m_graph->output(value());
            m_done = true;
            return;
        }
        const std::string name = word();
        Node pending;
        annotate(pending);
        expect("=");
        spaces();
        Node* node = call(name);
        node->value = pending.value;
        node->isInt = pending.isInt;
        node->intValue = pending.intValue;
        node->file = m_file;
        node->line = m_line;
        m_nodes[node->name] = node;
        endLine();
    }

    void place() {
        spaces();
        const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
        const std::string text = m_text.substr(m_at, end - m_at);
        if (const auto colon = text.rfind(':'); colon != std::string::npos) {
            m_file = text.substr(0, colon);
            m_line = std::atoi(text.c_str() + colon + 1);
        }
        m_at = end;
        endLine();
    }

    // : "f32[2, s0]" or : "Sym(s0)"
    void annotate(Node& node) {
        if (!take(":")) return;
        expect("\"");
        const std::size_t end = m_text.find('"', m_at);
        if (end == std::string::npos) fail("a closing '\"' was expected");
        const std::string text = m_text.substr(m_at, end - m_at);
        m_at = end + 1;
        if (text.rfind("Sym(", 0) == 0) {
            node.isInt = true;
            node.intValue = symbolic::parseSymInt(text.substr(4, text.size() - 5));
            node.role = Role::Size;
            return;
        }
        const auto open = text.find('[');
        const auto dtype = dtypeOfShortName(text.substr(0, open));
        if (!dtype || open == std::string::npos || text.back() != ']') fail("'" + text + "' is no tensor type");
        symbolic::SymInts sizes;
        for (std::size_t at = open + 1; at < text.size() - 1;) {
            const std::size_t comma = std::min(splitPoint(text, at), text.size() - 1);
            sizes.push_back(symbolic::parseSymInt(text.substr(at, comma - at)));
            at = comma + 1;
        }
        node.value = tensor::Tensor::fake(sizes, symbolic::contiguousStrides(sizes), *dtype);
    }

    // The next comma outside of parentheses.
    static std::size_t splitPoint(const std::string& text, std::size_t at) {
        for (int depth = 0; at < text.size(); ++at) {
            if (text[at] == '(') ++depth;
            if (text[at] == ')') --depth;
            if (text[at] == ',' && depth == 0) return at;
        }
        return std::string::npos;
    }

    Node* call(const std::string& name) {
        std::string path = word();
        while (take(".")) path += "." + word();
        const auto dot = path.find('.');
        const std::string head = path.substr(0, dot), rest = dot == std::string::npos ? "" : path.substr(dot + 1);
        if (head == "self" && !peek("(")) return m_graph->call(Opcode::GetAttr, rest, {}, {}, name);
        ArgList args;
        ArgDict kwargs;
        Opcode op = Opcode::CallFunction;
        std::string target = path;
        if (head == "self") {
            op = Opcode::CallModule;
            target = rest;
        } else if (head == "torch" && rest.find('.') == std::string::npos) {
            target = rest;
        } else if (const auto object = m_nodes.find(head); object != m_nodes.end()) {
            op = Opcode::CallMethod;
            target = rest;
            args.emplace_back(object->second);
        }
        arguments(args, kwargs);
        return m_graph->call(op, target, std::move(args), std::move(kwargs), name);
    }

    void arguments(ArgList& args, ArgDict& kwargs) {
        expect("(");
        if (take(")")) return;
        do {
            spaces();
            const std::size_t start = m_at;
            if (std::isalpha(static_cast<unsigned char>(current())) || current() == '_') {
                const std::string key = word();
                spaces();
                if (current() == '=' && m_at + 1 < m_text.size() && m_text[m_at + 1] != '=') {
                    ++m_at;
                    kwargs.emplace_back(key, value());
                    continue;
                }
            }
            m_at = start;
            args.push_back(value());
        } while (take(","));
        expect(")");
    }

    ArgList items(const char* close) {
        ArgList out;
        while (!take(close)) {
            out.push_back(value());
            if (!take(",")) {
                expect(close);
                break;
            }
        }
        return out;
    }

    Arg value() {
        spaces();
        if (take("None")) return None{};
        if (take("True")) return true;
        if (take("False")) return false;
        if (take("...")) return Ellipsis{};
        if (take("nan")) return std::numeric_limits<double>::quiet_NaN();
        if (take("inf")) return std::numeric_limits<double>::infinity();
        if (take("-inf")) return -std::numeric_limits<double>::infinity();
        if (current() == '\'') return string();
        if (take("[")) return List{items("]")};
        if (take("{")) return dict();
        if (take("slice(")) return Slice{std::make_shared<ArgList>(items(")"))};
        if (take("device(")) {
            const tensor::Device device = deviceNamed(string());
            expect(")");
            return device;
        }
        if (take("torch.")) return torchValue();
        return atom();
    }

    Arg torchValue() {
        const std::string name = word();
        if (const auto dtype = tensor::dtypeNamed(name)) return *dtype;
        expect("(");
        expect("(");
        Tuple tuple{items(")"), "torch." + name};
        expect(")");
        return tuple;
    }

    // A tuple, a number, a node, or a symbolic size: told apart by how far each reads.
    Arg atom() {
        const std::size_t start = m_at;
        if (const auto number = floatingNumber()) return *number;
        if (std::isalpha(static_cast<unsigned char>(current())) || current() == '_') {
            const std::string name = word();
            const auto node = m_nodes.find(name);
            if (node != m_nodes.end() && !continuesExpression()) return node->second;
            m_at = start;
        }
        const std::size_t end = endOfExpression();
        if (current() == '(' && isTuple(start, end)) {
            ++m_at;
            return Tuple{items(")"), ""};
        }
        try {
            const SymInt parsed = symbolic::parseSymInt(m_text.substr(start, end - start));
            m_at = end;
            return parsed;
        } catch (const support::Error& error) {
            fail(error.what());
        }
    }

    std::optional<double> floatingNumber() {
        std::size_t end = m_at;
        if (end < m_text.size() && m_text[end] == '-') ++end;
        const std::size_t digits = end;
        bool floating = false;
        while (end < m_text.size()) {
            const char c = m_text[end];
            const bool sign = (c == '-' || c == '+') && (m_text[end - 1] == 'e');
            if (!std::isdigit(static_cast<unsigned char>(c)) && c != '.' && !(c == 'e' && end > digits) && !sign) break;
            floating |= c == '.' || c == 'e';
            ++end;
        }
        if (!floating || end == digits) return std::nullopt;
        const double parsed = std::stod(m_text.substr(m_at, end - m_at));
        m_at = end;
        return parsed;
    }

    bool continuesExpression() {
        const std::size_t saved = m_at;
        spaces();
        const char c = current();
        m_at = saved;
        return c == '*' || c == '+' || c == '-' || c == '/' || c == '%';
    }

    // Where the argument that starts here ends: a comma or closing bracket of the enclosing level, or the line.
    std::size_t endOfExpression() const {
        int depth = 0;
        for (std::size_t at = m_at; at < m_text.size(); ++at) {
            const char c = m_text[at];
            if (c == '\n') return at;
            if (c == '(' || c == '[') ++depth;
            if ((c == ')' || c == ']' || c == '}') && depth-- == 0) return at;
            if (c == ',' && depth == 0) return at;
        }
        return m_text.size();
    }

    // "(a, b)" is a tuple, "(s0 + 1)*2" is not: a tuple has a comma at its own level or is empty.
    bool isTuple(std::size_t start, std::size_t end) const {
        int depth = 0;
        for (std::size_t at = start; at < end; ++at) {
            if (m_text[at] == '(' || m_text[at] == '[') ++depth;
            if (m_text[at] == ')' || m_text[at] == ']') --depth;
            if (m_text[at] == ',' && depth == 1) return true;
        }
        return m_text.compare(start, 2, "()") == 0;
    }

    Arg dict() {
        Dict out;
        while (!take("}")) {
            const std::string key = string();
            expect(":");
            out.items.emplace_back(key, value());
            if (!take(",")) {
                expect("}");
                break;
            }
        }
        return out;
    }

    std::string string() {
        expect("'");
        std::string out;
        while (current() != '\'') {
            char c = m_text[m_at++];
            if (c == '\\') {
                c = current();
                ++m_at;
                if (c == 'n') c = '\n';
            }
            out += c;
            if (m_at >= m_text.size()) fail("a string is not closed");
        }
        ++m_at;
        return out;
    }

    tensor::Device deviceNamed(const std::string& text) const {
        tensor::Device device;
        if (text.rfind("cuda", 0) == 0) {
            device.type = tensor::Device::Type::CUDA;
            device.index = static_cast<std::int8_t>(text.size() > 5 ? std::atoi(text.c_str() + 5) : -1);
        } else if (text != "cpu") {
            fail("'" + text + "' is no device");
        }
        return device;
    }

    char current() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void spaces() {
        while (current() == ' ' || (current() == '\n' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '\n')) ++m_at;
    }
    bool peek(std::string_view token) {
        spaces();
        return m_text.compare(m_at, token.size(), token) == 0;
    }
    // A token of letters must not run on into a longer word.
    bool take(std::string_view token) {
        if (!peek(token)) return false;
        const char after = m_at + token.size() < m_text.size() ? m_text[m_at + token.size()] : '\0';
        const bool wordEnd = std::isalnum(static_cast<unsigned char>(token.back())) != 0;
        if (wordEnd && (std::isalnum(static_cast<unsigned char>(after)) || after == '_')) return false;
        m_at += token.size();
        return true;
    }
    void expect(std::string_view token) {
        if (!peek(token)) fail("'" + std::string(token) + "' was expected");
        m_at += token.size();
    }
    std::string word() {
        spaces();
        const std::size_t start = m_at;
        while (std::isalnum(static_cast<unsigned char>(current())) || current() == '_') ++m_at;
        if (start == m_at) fail("a name was expected");
        return m_text.substr(start, m_at - start);
    }
    void endLine() {
        if (current() != '\n') fail("the end of the line was expected");
        while (current() == '\n') ++m_at;
    }
    [[noreturn]] void fail(const std::string& what) const {
        int line = 1;
        std::size_t start = 0;
        for (std::size_t i = 0; i < m_at && i < m_text.size(); ++i)
            if (m_text[i] == '\n') {
                ++line;
                start = i + 1;
            }
        throw support::Error(support::ErrorKind::Value,
                             "line " + std::to_string(line) + ", column " + std::to_string(m_at - start) + ": " + what);
    }

    const std::string& m_text;
    std::size_t m_at = 0;
    Graph* m_graph = nullptr;
    std::map<std::string, Node*> m_nodes;
    std::string m_file;
    int m_line = 0;
    bool m_done = false;
};

} // namespace

std::unique_ptr<Graph> parse(const std::string& text) {
    return TextReader(text).read();
}

} // namespace strata::fx
