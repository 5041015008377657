#include "engine/loop/Program.h"

#include "engine/support/Error.h"

#include <algorithm>

namespace strata::loop {

std::string_view name(Reduction reduction) {
    static constexpr std::string_view names[] = {"sum", "prod", "amax", "amin", "any", "all"};
    return names[static_cast<std::size_t>(reduction)];
}

SymInt Layout::at(const SymInts& index) const {
    SymInt where = offset;
    for (std::size_t d = 0; d < index.size(); ++d) where = where + index[d] * strides[d];
    return where;
}

SymInt Buffer::bytes() const {
    return symbolic::product(sizes) * SymInt(tensor::itemSize(dtype));
}

const Node* Program::producer(const std::string& buffer) const {
    const auto it = std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return n.buffer.name == buffer; });
    return it == nodes.end() ? nullptr : &*it;
}

const Buffer* Program::find(const std::string& buffer) const {
    if (const Node* node = producer(buffer)) return &node->buffer;
    const auto it = std::find_if(inputs.begin(), inputs.end(), [&](const Buffer& b) { return b.name == buffer; });
    return it == inputs.end() ? nullptr : &*it;
}

SymInt index(char prefix, std::size_t dim) {
    return SymInt::symbol(prefix + std::to_string(dim));
}

namespace {
void collectLoads(const ScalarRef& e, std::set<const ScalarExpr*>& seen,
                  std::vector<std::pair<std::string, SymInt>>& out) {
    if (!seen.insert(e.get()).second) return;
    for (const ScalarRef& arg : e->args) collectLoads(arg, seen, out);
    if (e->prim != Prim::Load) return;
    for (const auto& [buffer, at] : out)
        if (buffer == e->buffer && at.sameAs(e->index)) return;
    out.emplace_back(e->buffer, e->index);
}

ScalarRef substituteOnce(const ScalarRef& e, const std::map<std::string, SymInt>& by,
                         std::map<const ScalarExpr*, ScalarRef>& done) {
    if (const auto it = done.find(e.get()); it != done.end()) return it->second;
    ScalarExpr copy = *e;
    for (ScalarRef& arg : copy.args) arg = substituteOnce(arg, by, done);
    copy.index = symbolic::substitute(copy.index, by);
    return done[e.get()] = std::make_shared<const ScalarExpr>(std::move(copy));
}

void collectSymbols(const ScalarRef& e, std::set<std::string>& out) {
    for (const auto& symbol : symbolic::symbolsOf(e->index)) out.insert(symbol);
    for (const ScalarRef& arg : e->args) collectSymbols(arg, out);
}

std::string rangesText(char prefix, const SymInts& ranges) {
    std::string text;
    for (std::size_t d = 0; d < ranges.size(); ++d)
        text += (d ? ", " : "") + std::string(1, prefix) + std::to_string(d) + " < " + ranges[d].str();
    return text;
}

// "f32[16, 300]", with the strides when they are not row-major's.
std::string typeText(const Buffer& buffer) {
    std::string text = std::string(tensor::shortName(buffer.dtype)) + symbolic::str(buffer.sizes);
    if (!symbolic::sameAs(buffer.strides, symbolic::contiguousStrides(buffer.sizes)))
        text += " strides " + symbolic::str(buffer.strides);
    return text;
}

std::string outputText(const Program& program, const Layout& output) {
    const Buffer* buffer = program.find(output.buffer);
    if (!buffer) return "none";
    if (symbolic::sameAs(buffer->sizes, output.sizes) && symbolic::sameAs(buffer->strides, output.strides) &&
        output.offset.sameAs(0))
        return output.buffer;
    return "view(" + output.buffer + ", " + symbolic::str(output.sizes) + ", " + symbolic::str(output.strides) + ", " +
           output.offset.str() + ")";
}
} // namespace

std::vector<std::pair<std::string, SymInt>> loadsOf(const ScalarRef& body) {
    std::vector<std::pair<std::string, SymInt>> out;
    std::set<const ScalarExpr*> seen;
    if (body) collectLoads(body, seen, out);
    return out;
}

ScalarRef substitute(const ScalarRef& body, const std::map<std::string, SymInt>& by) {
    std::map<const ScalarExpr*, ScalarRef> done;
    return substituteOnce(body, by, done);
}

std::set<std::string> readsOf(const Node& node) {
    std::set<std::string> out(node.reads.begin(), node.reads.end());
    for (const auto& [buffer, at] : loadsOf(node.body)) out.insert(buffer);
    return out;
}

std::string print(const Node& node) {
    std::string text = node.buffer.name + ": " + typeText(node.buffer) + " = ";
    if (node.kind == NodeKind::Extern) return text + "extern " + node.target + "(" + node.externText + ")";
    if (node.kind == NodeKind::Reduction)
        text += std::string(name(node.reduction)) + " over " + rangesText('r', node.reductionRanges);
    else
        text += "pointwise";
    if (!node.ranges.empty()) text += " for " + rangesText('i', node.ranges);
    text += ": " + str(node.body);
    // A store in row-major order goes without saying.
    SymInts indices;
    for (std::size_t d = 0; d < node.ranges.size(); ++d) indices.push_back(index('i', d));
    const Layout rowMajor{"", node.ranges, symbolic::contiguousStrides(node.ranges), 0};
    if (!rowMajor.at(indices).sameAs(node.store)) text += " -> [" + node.store.str() + "]";
    return text;
}

std::string print(const Program& program) {
    std::string text = program.title + "(";
    bool first = true;
    for (const Buffer& input : program.inputs) {
        text += (first ? "" : ", ") + input.name + ": " + typeText(input);
        first = false;
    }
    for (const std::string& symbol : program.sizeSymbols) {
        text += (first ? "" : ", ") + symbol;
        first = false;
    }
    text += "):\n";
    for (const Node& node : program.nodes) text += "    " + print(node) + "\n";
    text += "    return";
    for (std::size_t i = 0; i < program.outputs.size(); ++i)
        text += (i ? ", " : " ") + outputText(program, program.outputs[i]);
    return text + "\n";
}

void verify(const Program& program) {
    std::set<std::string> known;
    for (const Buffer& input : program.inputs) known.insert(input.name);
    for (const Node& node : program.nodes) {
        const auto fail = [&](const std::string& what) {
            throw support::Error("the loop program '" + program.title + "' is malformed at " + node.buffer.name + ": " +
                                 what);
        };
        for (const std::string& buffer : readsOf(node))
            if (!known.count(buffer)) fail("it reads " + buffer + ", which nothing before it computes");
        if (!known.insert(node.buffer.name).second) fail("its buffer is computed twice");
        if (node.kind == NodeKind::Extern) continue;
        if (!node.body) fail("it has no body");
        if (node.body->dtype != node.buffer.dtype) fail("its body is not of the buffer's dtype");
        std::set<std::string> symbols(program.sizeSymbols.begin(), program.sizeSymbols.end());
        for (std::size_t d = 0; d < node.ranges.size(); ++d) symbols.insert("i" + std::to_string(d));
        for (std::size_t d = 0; d < node.reductionRanges.size(); ++d) symbols.insert("r" + std::to_string(d));
        std::set<std::string> used;
        collectSymbols(node.body, used);
        for (const std::string& symbol : used)
            if (!symbols.count(symbol)) fail("its body uses " + symbol + ", which is no index or size here");
        for (const std::string& symbol : symbolic::symbolsOf(node.store))
            if (symbol[0] == 'r' || !symbols.count(symbol)) fail("its store uses " + symbol);
    }
    for (const Layout& output : program.outputs)
        if (!output.buffer.empty() && !known.count(output.buffer))
            throw support::Error("the loop program '" + program.title + "' returns " + output.buffer +
                                 ", which nothing computes");
}

} // namespace strata::loop
