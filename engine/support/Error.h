#pragma once
// The engine's errors. C++ exceptions become Python exceptions at the binding and nowhere else.

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace strata::support {

/// Which Python exception an error becomes.
enum class ErrorKind { Runtime, Type, Value, Index, Attribute, NotImplemented, Overflow, ZeroDivision, Memory, Key };

/// An error of the user's program, with PyTorch's kind of message.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), m_kind(kind) {}
    explicit Error(const std::string& message) : Error(ErrorKind::Runtime, message) {}
    ErrorKind kind() const { return m_kind; }

private:
    ErrorKind m_kind;
};

/// A stage says that it cannot handle something yet. Not an error of the user: the program goes on, in eager.
/// `code` is a catalogue code whose words stand with the views; `values` fill its sentence.
class Refusal : public std::runtime_error {
public:
    explicit Refusal(std::string code, std::map<std::string, std::string> values = {}, std::string file = {},
                     int line = 0)
        : std::runtime_error(describe(code, values)), m_code(std::move(code)), m_values(std::move(values)),
          m_file(std::move(file)), m_line(line) {}
    const std::string& code() const { return m_code; }
    const std::map<std::string, std::string>& values() const { return m_values; }
    const std::string& file() const { return m_file; }
    int line() const { return m_line; }

private:
    static std::string describe(const std::string& code, const std::map<std::string, std::string>& values) {
        std::string text = code;
        for (const auto& [name, value] : values) text += " " + name + "=" + value;
        return text;
    }

    std::string m_code;
    std::map<std::string, std::string> m_values;
    std::string m_file;
    int m_line;
};

} // namespace strata::support
