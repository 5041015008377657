// Reads the text form of a loop program: see Program.h for the form. Numbers with a point are float32, or float64 with
// the suffix f64; whole numbers are int64; a load has its buffer's dtype.

#include "engine/loop/Program.h"
#include "engine/support/Error.h"

#include <cctype>
#include <limits>
#include <optional>

namespace strata::loop {

namespace {

std::optional<Prim> primNamed(const std::string& word) {
    for (int p = 0; p <= static_cast<int>(Prim::Where); ++p)
        if (name(static_cast<Prim>(p)) == word) return static_cast<Prim>(p);
    return std::nullopt;
}

std::optional<tensor::DType> dtypeOf(const std::string& shortName) {
    for (int d = 0; d <= static_cast<int>(tensor::DType::Float64); ++d)
        if (tensor::shortName(static_cast<tensor::DType>(d)) == shortName) return static_cast<tensor::DType>(d);
    return std::nullopt;
}

class Reader {
public:
    explicit Reader(const std::string& text) : m_text(text) {}

    Program read() {
        m_program.title = word();
        expect("(");
        while (!take(")")) {
            const std::string name = word();
            if (take(":"))
                m_program.inputs.push_back(buffer(name));
            else
                m_program.sizeSymbols.push_back(name);
            take(",");
        }
        expect(":");
        while (!take("return")) node();
        while (m_at < m_text.size() && m_text[m_at] != '\n') {
            m_program.outputs.push_back(output());
            if (!take(",")) break;
        }
        return std::move(m_program);
    }

private:
    Buffer buffer(const std::string& name) {
        const std::string type = word();
        const auto dtype = dtypeOf(type);
        if (!dtype) fail("'" + type + "' is no dtype");
        Buffer out{name, *dtype, sizes(), {}};
        out.strides = take("strides") ? sizes() : symbolic::contiguousStrides(out.sizes);
        return out;
    }

    void node() {
        Node out;
        out.buffer = buffer(nameBefore(":"));
        expect("=");
        const std::string kind = word();
        if (kind == "extern") {
            external(out);
        } else {
            loops(out, kind);
        }
        m_program.nodes.push_back(std::move(out));
    }

    void external(Node& out) {
        out.kind = NodeKind::Extern;
        out.target = word();
        while (take(".")) out.target += "." + word();
        expect("(");
        const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
        if (end == m_at || m_text[end - 1] != ')') fail("')' was expected at the end of the line");
        out.externText = m_text.substr(m_at, end - 1 - m_at);
        out.ranges = out.buffer.sizes;
        out.op = out.target;
        for (std::size_t open = out.externText.find('['); open != std::string::npos;
             open = out.externText.find('[', open + 1)) {
            std::size_t start = open;
            while (start > 0 && isWord(out.externText[start - 1])) --start;
            if (start < open) out.reads.push_back(out.externText.substr(start, open - start));
        }
        m_at = end;
    }

    void loops(Node& out, const std::string& kind) {
        out.op = kind;
        if (kind != "pointwise") {
            out.kind = NodeKind::Reduction;
            int which = 0;
            while (which < 6 && name(static_cast<Reduction>(which)) != kind) ++which;
            if (which == 6) fail("'" + kind + "' is no reduction");
            out.reduction = static_cast<Reduction>(which);
            expect("over");
            out.reductionRanges = ranges();
        }
        if (take("for")) out.ranges = ranges();
        expect(":");
        out.body = expression().expr();
        SymInts indices;
        for (std::size_t d = 0; d < out.ranges.size(); ++d) indices.push_back(index('i', d));
        out.store = Layout{"", out.ranges, symbolic::contiguousStrides(out.ranges), 0}.at(indices);
        if (take("->")) {
            expect("[");
            out.store = sizeUntil("]");
            expect("]");
        }
    }

    SymInts ranges() {
        SymInts out;
        do {
            word();
            expect("<");
            out.push_back(sizeUntil(",:f"));
        } while (take(","));
        return out;
    }

    Value expression() {
        spaces();
        if (std::isdigit(static_cast<unsigned char>(current())) || current() == '-') return number();
        const std::string head = word();
        if (isSpecial(head)) return special(head, 1);
        if (head == "true" || head == "false") return Value::constant(head == "true", tensor::DType::Bool);
        if (take("[")) {
            const Buffer* from = m_program.find(head);
            if (!from) fail("there is no buffer " + head);
            const SymInt at = sizeUntil("]");
            expect("]");
            return Value::load(head, at, from->dtype);
        }
        expect("(");
        if (head == "index") {
            const SymInt at = sizeUntil(")");
            expect(")");
            return Value::index(at);
        }
        std::vector<Value> args;
        do args.push_back(expression());
        while (take(","));
        expect(")");
        if (const auto prim = primNamed(head)) return Value::make(*prim, args);
        if (const auto dtype = tensor::dtypeNamed(head); dtype && args.size() == 1) return args[0].cast(*dtype);
        fail("'" + head + "' is no scalar operation");
    }

    static bool isSpecial(const std::string& word) {
        return word == "nan" || word == "inf" || word == "nanf64" || word == "inff64";
    }

    static Value special(const std::string& word, int sign) {
        const double value =
            word[0] == 'n' ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
        return Value::constant(value, word.size() > 3 ? tensor::DType::Float64 : tensor::DType::Float32);
    }

    Value number() {
        const std::size_t start = m_at;
        if (current() == '-') ++m_at;
        if (m_at > start && current() == 'i') return special(word(), -1);
        bool floating = false;
        while (std::isdigit(static_cast<unsigned char>(current())) || current() == '.' || current() == 'e' ||
               ((current() == '-' || current() == '+') && m_text[m_at - 1] == 'e')) {
            floating |= current() == '.' || current() == 'e';
            ++m_at;
        }
        const std::string text = m_text.substr(start, m_at - start);
        if (!floating) return Value::constant(std::stod(text), tensor::DType::Int64);
        if (take("f64")) return Value::constant(std::stod(text), tensor::DType::Float64);
        return Value::constant(std::stod(text), tensor::DType::Float32);
    }

    Layout output() {
        const std::string first = word();
        if (first == "none") return {};
        if (first == "view" && take("(")) {
            Layout out;
            out.buffer = word();
            expect(",");
            out.sizes = sizes();
            expect(",");
            out.strides = sizes();
            expect(",");
            out.offset = sizeUntil(")");
            expect(")");
            return out;
        }
        const Buffer* buffer = m_program.find(first);
        if (!buffer) fail("there is no buffer " + first);
        return {first, buffer->sizes, buffer->strides, 0};
    }

    SymInts sizes() {
        SymInts out;
        expect("[");
        while (!take("]")) {
            out.push_back(sizeUntil(",]"));
            take(",");
        }
        return out;
    }

    // An index expression up to one of these characters outside of brackets; 'f' stands for the word "for".
    SymInt sizeUntil(const std::string& ends) {
        spaces();
        int depth = 0;
        std::size_t end = m_at;
        for (; end < m_text.size() && m_text[end] != '\n'; ++end) {
            const char c = m_text[end];
            if (c == '(') ++depth;
            if (depth == 0 && (ends.find(c) != std::string::npos && (c != 'f' || m_text.compare(end, 4, "for ") == 0)))
                break;
            if (c == ')') --depth;
        }
        const std::string text = m_text.substr(m_at, end - m_at);
        try {
            const SymInt value = symbolic::parseSymInt(text);
            m_at = end;
            return value;
        } catch (const support::Error& error) {
            fail(error.what());
        }
    }

    static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
    char current() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void spaces() {
        while (current() == ' ' || current() == '\n') ++m_at;
    }
    bool take(const std::string& token) {
        const std::size_t before = m_at;
        spaces();
        if (m_text.compare(m_at, token.size(), token) == 0 &&
            !(isWord(token.back()) && m_at + token.size() < m_text.size() && isWord(m_text[m_at + token.size()]))) {
            m_at += token.size();
            return true;
        }
        m_at = before;
        return false;
    }
    void expect(const std::string& token) {
        if (!take(token)) fail("'" + token + "' was expected");
    }
    std::string word() {
        spaces();
        const std::size_t start = m_at;
        while (isWord(current())) ++m_at;
        if (start == m_at) fail("a name was expected");
        return m_text.substr(start, m_at - start);
    }
    std::string nameBefore(const std::string& token) {
        const std::string name = word();
        expect(token);
        return name;
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
    Program m_program;
};

} // namespace

Program parse(const std::string& text) {
    return Reader(text).read();
}

} // namespace strata::loop
