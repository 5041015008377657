#include "engine/runtime/Listings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace strata::runtime {
namespace {

struct Line {
    std::string_view text;
    int cppLine = 0;
};

std::string_view firstWord(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    const std::size_t end = line.find_first_of(" \t", begin);
    return line.substr(begin, end == std::string_view::npos ? end : end - begin);
}

bool isLabel(std::string_view word) {
    return word.ends_with(':');
}
bool isDirective(std::string_view word) {
    return word.starts_with('.') && !isLabel(word);
}
bool isComment(std::string_view word) {
    return word.starts_with('#') || word.starts_with("//");
}

/// `.section .debug_line,"",@progbits`: a section that no instruction and no kernel's data lie in.
bool entersDebugSection(std::string_view line) {
    return line.find(".debug_") != std::string_view::npos && firstWord(line) == ".section";
}

bool entersSection(std::string_view word) {
    return word == ".section" || word == ".text" || word == ".data" || word == ".bss";
}

bool makesNoCode(std::string_view word) {
    constexpr std::array exact{".file", ".loc", ".ident", ".addrsig", ".addrsig_sym"};
    return word.starts_with(".cfi_") || word.starts_with("#DEBUG_VALUE") ||
           std::find(exact.begin(), exact.end(), word) != exact.end();
}

/// The line number of `.loc file line column ..`.
int lineOfLoc(std::string_view line) {
    std::istringstream fields{std::string(line)};
    std::string directive;
    int file = 0, number = 0;
    return fields >> directive >> file >> number ? number : 0;
}

bool isInstruction(std::string_view word) {
    return !word.empty() && !isLabel(word) && !isDirective(word) && !isComment(word);
}

/// All that can be a label's name and is mentioned in the text, labels' own definitions apart.
void collectMentions(std::string_view text, std::set<std::string_view>& out) {
    const auto partOfName = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
    };
    for (std::size_t i = 0; i < text.size();) {
        if (!partOfName(text[i])) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && partOfName(text[end])) ++end;
        if (end == text.size() || text[end] != ':') out.insert(text.substr(i, end - i));
        i = end;
    }
}

std::vector<Line> keepCode(std::string_view assembly) {
    std::vector<Line> out;
    bool inDebug = false;
    int current = 0;
    for (std::size_t begin = 0; begin < assembly.size();) {
        const std::size_t end = std::min(assembly.find('\n', begin), assembly.size());
        const std::string_view line = assembly.substr(begin, end - begin);
        begin = end + 1;
        const std::string_view word = firstWord(line);
        if (entersSection(word)) inDebug = entersDebugSection(line);
        if (inDebug) continue;
        if (word == ".loc") current = lineOfLoc(line);
        if (isLabel(word) && !word.starts_with('.')) current = 0; // a function begins
        if (word.empty() || makesNoCode(word)) continue;
        out.push_back({line, isInstruction(word) ? current : 0});
    }
    return out;
}

} // namespace

Listing readAssembly(const std::string& assembly) {
    const std::vector<Line> lines = keepCode(assembly);
    std::set<std::string_view> mentioned;
    for (const Line& line : lines) collectMentions(line.text.substr(0, line.text.find('#')), mentioned);
    Listing out;
    for (const Line& line : lines) {
        const std::string_view word = firstWord(line.text);
        const bool isLocalLabel = isLabel(word) && word.starts_with(".L");
        if (isLocalLabel && mentioned.count(word.substr(0, word.size() - 1)) == 0) continue;
        out.text.append(line.text).push_back('\n');
        out.cppLine.push_back(line.cppLine);
    }
    return out;
}

} // namespace strata::runtime
