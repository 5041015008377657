// ATen's schema notation:
//     name[.overload](Type name[=default], .., *, Type name, ..) -> Type | (Type[ name], ..) | ()
// Type is Tensor, int, SymInt, float, bool, Scalar, ScalarType, Device, str, Layout, MemoryFormat, with (a!), [n], ?.
#include "engine/ops/Registry.h"
#include "engine/support/Error.h"

#include <cctype>
#include <charconv>

namespace strata::ops {

namespace {

using support::Error;

class SchemaParser {
public:
    explicit SchemaParser(std::string_view text) : m_text(text) {}

    Schema parse() {
        Schema schema;
        schema.text = std::string(m_text);
        schema.name = word();
        if (take('.')) schema.overload = word();
        expect('(');
        bool keywordOnly = false;
        while (!take(')')) {
            if (!schema.params.empty() || keywordOnly) expect(',');
            if (take('*')) {
                if (keywordOnly) fail("a second *");
                keywordOnly = true;
                continue;
            }
            schema.params.push_back(param(keywordOnly));
        }
        if (!takeText("->")) fail("expected ->");
        schema.returns = returns();
        skipSpace();
        if (m_at != m_text.size()) fail("text after the schema");
        return schema;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error("schema '" + std::string(m_text) + "', column " + std::to_string(m_at + 1) + ": " + what);
    }
    void skipSpace() {
        while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
    }
    bool take(char c) {
        skipSpace();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }
    bool takeText(std::string_view text) {
        skipSpace();
        if (m_text.substr(m_at, text.size()) != text) return false;
        m_at += text.size();
        return true;
    }
    void expect(char c) {
        if (!take(c)) fail(std::string("expected ") + c);
    }
    std::string word() {
        skipSpace();
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            ++m_at;
        if (m_at == begin) fail("expected a name");
        return std::string(m_text.substr(begin, m_at - begin));
    }

    // "Tensor(a!)?", "int[2]?", "ScalarType?"
    TypeName type(Param& param) {
        const std::size_t begin = m_at;
        const std::string name = word();
        static constexpr std::pair<std::string_view, TypeName> scalars[] = {
            {"Tensor", TypeName::Tensor},      {"int", TypeName::Int},
            {"SymInt", TypeName::Int},         {"float", TypeName::Float},
            {"bool", TypeName::Bool},          {"Scalar", TypeName::Scalar},
            {"ScalarType", TypeName::DType},   {"Device", TypeName::Device},
            {"str", TypeName::String},         {"Layout", TypeName::String},
            {"MemoryFormat", TypeName::String}};
        const auto* found =
            std::find_if(std::begin(scalars), std::end(scalars), [&](auto& s) { return s.first == name; });
        if (found == std::end(scalars)) {
            m_at = begin;
            fail("unknown type " + name);
        }
        TypeName result = found->second;
        if (result == TypeName::Tensor && take('(')) {
            word();
            param.written = take('!');
            if (takeText("->") && !take('*')) word(); // "(a -> *)": the results alias parts of it
            expect(')');
        }
        if (take('[')) {
            if (!take(']')) {
                param.fixedLength = std::stoi(word());
                expect(']');
            }
            result = listOf(result);
        }
        param.optional = take('?');
        return result;
    }
    TypeName listOf(TypeName element) const {
        switch (element) {
        case TypeName::Tensor:
            return TypeName::Tensors;
        case TypeName::Int:
            return TypeName::Ints;
        case TypeName::Float:
            return TypeName::Floats;
        case TypeName::Bool:
            return TypeName::Bools;
        default:
            fail("no lists of this type");
        }
    }

    Param param(bool keywordOnly) {
        Param result;
        result.type = type(result);
        result.name = word();
        result.keywordOnly = keywordOnly;
        if (take('=')) {
            result.hasDefault = true;
            result.defaultValue = literal(result);
        }
        return result;
    }

    Value literal(const Param& param) {
        skipSpace();
        if (takeText("None")) return {};
        if (takeText("True")) return true;
        if (takeText("False")) return false;
        if (take('[')) return listLiteral(param);
        if (m_at < m_text.size() && (m_text[m_at] == '\'' || m_text[m_at] == '"')) {
            const char quote = m_text[m_at++];
            const std::size_t end = m_text.find(quote, m_at);
            if (end == std::string_view::npos) fail("unterminated string");
            std::string text(m_text.substr(m_at, end - m_at));
            m_at = end + 1;
            return text;
        }
        if (m_at < m_text.size() && std::isalpha(static_cast<unsigned char>(m_text[m_at]))) return enumerator();
        return number(param);
    }
    Value listLiteral(const Param& param) {
        SymInts ints;
        std::vector<bool> bools;
        while (!take(']')) {
            if (!ints.empty() || !bools.empty()) expect(',');
            if (takeText("True"))
                bools.push_back(true);
            else if (takeText("False"))
                bools.push_back(false);
            else
                ints.push_back(number(param).toInt());
        }
        if (param.type == TypeName::Bools) return bools;
        if (param.type == TypeName::Floats) return std::vector<double>(ints.size(), 0.0);
        return ints;
    }
    // ATen writes a few enumerators as names: reduction modes, memory formats.
    Value enumerator() {
        const std::string name = word();
        if (name == "Mean") return 1;
        if (name == "Sum") return 2;
        if (name == "contiguous_format") return "contiguous_format";
        if (name == "long") return tensor::DType::Int64;
        fail("unknown default " + name);
    }
    Value number(const Param& param) {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && std::string_view("+-.0123456789e").find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
        const std::string_view text = m_text.substr(begin, m_at - begin);
        if (text.empty()) fail("expected a default value");
        const bool integral = text.find_first_of(".e") == std::string_view::npos && param.type != TypeName::Float;
        const char* end = text.data() + text.size();
        if (integral) {
            std::int64_t value = 0;
            if (std::from_chars(text.data(), end, value).ptr != end) fail("not a number");
            if (param.type == TypeName::Ints && param.fixedLength > 0)
                return SymInts(static_cast<std::size_t>(param.fixedLength), value);
            return value;
        }
        double value = 0;
        if (std::from_chars(text.data(), end, value).ptr != end) fail("not a number");
        return value;
    }

    std::vector<TypeName> returns() {
        std::vector<TypeName> result;
        Param ignored;
        if (!take('(')) {
            result.push_back(type(ignored));
            return result;
        }
        while (!take(')')) {
            if (!result.empty()) expect(',');
            result.push_back(type(ignored));
            skipSpace();
            if (m_at < m_text.size() && m_text[m_at] != ',' && m_text[m_at] != ')') word(); // a result's name
        }
        return result;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

Schema parseSchema(std::string_view text) {
    return SchemaParser(text).parse();
}

Schema::Schema(const char* declared) : Schema(parseSchema(declared)) {}

} // namespace strata::ops
