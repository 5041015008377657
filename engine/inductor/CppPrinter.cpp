#include "engine/inductor/CppPrinter.h"

#include "engine/inductor/CppExpr.h"

#include <algorithm>
#include <optional>

namespace strata::inductor {

namespace {

using loop::NodeKind;
using loop::Prim;
using loop::ScalarExpr;
using loop::ScalarRef;
using symbolic::SymInt;
using symbolic::SymInts;

constexpr std::int64_t lanes = 64;           // of a strip-mined loop: four 512-bit registers of floats
constexpr std::int64_t rowElements = 4096;   // largest row kept on the stack
constexpr std::int64_t parallelWork = 65536; // scalar operations under which threads cost more than they save

std::optional<std::int64_t> staticProduct(const SymInts& sizes) {
    const SymInt product = symbolic::product(sizes);
    return product.isSymbolic() ? std::nullopt : std::optional(product.asInt());
}

bool isExpensive(Prim prim) {
    switch (prim) {
    case Prim::Exp:
    case Prim::Exp2:
    case Prim::Expm1:
    case Prim::Log:
    case Prim::Log1p:
    case Prim::Log2:
    case Prim::Log10:
    case Prim::Sin:
    case Prim::Cos:
    case Prim::Tan:
    case Prim::Asin:
    case Prim::Acos:
    case Prim::Atan:
    case Prim::Atan2:
    case Prim::Sinh:
    case Prim::Cosh:
    case Prim::Tanh:
    case Prim::Erf:
    case Prim::Erfc:
    case Prim::Pow:
    case Prim::Fmod:
    case Prim::Remainder:
        return true;
    default:
        return false;
    }
}

void visitExpr(const ScalarRef& e, std::set<const ScalarExpr*>& seen, const std::function<void(const ScalarExpr&)>& f) {
    if (!seen.insert(e.get()).second) return;
    f(*e);
    for (const ScalarRef& arg : e->args) visitExpr(arg, seen, f);
}

void forEachExpr(const ScalarRef& body, const std::function<void(const ScalarExpr&)>& f) {
    std::set<const ScalarExpr*> seen;
    visitExpr(body, seen, f);
}

/// What both the memory decisions and the printer need to know of a kernel.
class KernelShape {
public:
    KernelShape(const Lowered& lowered, const Kernel& kernel) : m_lowered(lowered), m_kernel(kernel) {
        for (std::size_t m = 0; m < kernel.members.size(); ++m) m_memberOf[node(m).buffer.name] = m;
        findPhases();
    }

    const loop::Node& node(std::size_t member) const {
        return m_lowered.program.nodes[static_cast<std::size_t>(m_kernel.members[member].node)];
    }
    bool isReduction(std::size_t member) const { return node(member).kind == NodeKind::Reduction; }
    /// Runs once an element of the whole domain (a reduction's body does).
    bool isFull(std::size_t member) const { return !m_kernel.members[member].outer; }
    int phase(std::size_t member) const { return m_phase[member]; }
    int phases() const { return m_phase.empty() ? 0 : 1 + *std::max_element(m_phase.begin(), m_phase.end()); }
    std::optional<std::size_t> memberOf(const std::string& buffer) const {
        const auto it = m_memberOf.find(buffer);
        return it == m_memberOf.end() ? std::nullopt : std::optional(it->second);
    }

    std::vector<std::size_t> inputsOf(std::size_t member) const {
        std::vector<std::size_t> out;
        for (const auto& [buffer, index] : loop::loadsOf(m_kernel.members[member].body))
            if (const auto m = memberOf(buffer)) out.push_back(*m);
        return out;
    }

    /// A per-element value that a later inner loop needs once more.
    bool neededLater(std::size_t member) const {
        if (!isFull(member) || isReduction(member)) return false;
        for (std::size_t user = 0; user < m_kernel.members.size(); ++user) {
            const auto inputs = inputsOf(user);
            if (std::find(inputs.begin(), inputs.end(), member) != inputs.end() && phase(user) > phase(member))
                return true;
        }
        return false;
    }

    /// Recomputing it costs a few simple operations on at most two loads.
    bool isCheap(std::size_t member) const {
        int loads = 0;
        bool cheap = true;
        forEachExpr(m_kernel.members[member].body, [&](const ScalarExpr& e) {
            cheap &= !isExpensive(e.prim);
            if (e.prim != Prim::Load) return;
            const auto source = memberOf(e.buffer);
            if (!source) ++loads;
            if (source && isFull(*source) && !isReduction(*source)) cheap &= isCheap(*source);
        });
        return cheap && loads <= 2;
    }

    /// Whether memory runs along the last outer dim rather than the last reduced one.
    bool vectorisesOuter() const {
        std::optional<std::size_t> lastOuter, lastInner;
        for (std::size_t d = 0; d < m_kernel.domain.sizes.size(); ++d)
            (m_kernel.domain.reduced[d] ? lastInner : lastOuter) = d;
        if (!lastOuter || !lastInner) return false;
        int outer = 0, inner = 0;
        for (std::size_t m = 0; m < m_kernel.members.size(); ++m) {
            if (!isFull(m)) continue;
            for (const auto& [buffer, index] : loop::loadsOf(m_kernel.members[m].body)) {
                if (memberOf(buffer)) continue;
                outer += coefficient(index, *lastOuter).sameAs(1);
                inner += coefficient(index, *lastInner).sameAs(1);
            }
        }
        return outer > inner;
    }

    /// Rows on the stack: a static, small inner extent, vectorised along it.
    bool rowFits() const {
        SymInts inner;
        for (std::size_t d = 0; d < m_kernel.domain.sizes.size(); ++d)
            if (m_kernel.domain.reduced[d]) inner.push_back(m_kernel.domain.sizes[d]);
        const auto count = staticProduct(inner);
        return count && *count <= rowElements && !vectorisesOuter() && !m_kernel.domain.outer().empty();
    }

    static SymInt coefficient(SymInt index, std::size_t dim) {
        const std::string name = "d" + std::to_string(dim);
        return symbolic::substitute(index, {{name, SymInt(1)}}) - symbolic::substitute(index, {{name, SymInt(0)}});
    }

private:
    // Phases alternate: outer statements, then an inner loop. A reduction's result is there in the phase after.
    void findPhases() {
        m_phase.assign(m_kernel.members.size(), 0);
        for (std::size_t m = 0; m < m_kernel.members.size(); ++m)
            for (const std::size_t input : inputsOf(m))
                m_phase[m] = std::max(m_phase[m], m_phase[input] + (isReduction(input) ? 1 : 0));
    }

    const Lowered& m_lowered;
    const Kernel& m_kernel;
    std::map<std::string, std::size_t> m_memberOf;
    std::vector<int> m_phase;
};

struct Line {
    std::string text;
    std::vector<std::string> from;
};

struct Dim {
    std::string name; // of the loop variable
    SymInt size;
    bool reduced = false;
};

class KernelPrinter {
public:
    KernelPrinter(const Lowered& lowered, const Kernel& kernel, const std::map<std::string, std::string>& inPlace,
                  std::set<std::string>& used)
        : m_lowered(lowered), m_kernel(kernel), m_shape(lowered, kernel), m_inPlace(inPlace), m_used(used) {}

    PrintedKernel print(std::vector<Line>& out) {
        m_inMemory.insert(m_kernel.reads.begin(), m_kernel.reads.end());
        m_inMemory.insert(m_kernel.writes.begin(), m_kernel.writes.end());
        collectSizes();
        mergeDims();
        std::vector<Line> body;
        m_out = &body;
        m_indent = 1;
        if (!m_kernel.domain.hasReduction())
            pointwise();
        else if (m_shape.vectorisesOuter())
            lanesOverOuter();
        else
            reductions();
        PrintedKernel printed{m_kernel.name, parameters(), m_sizes};
        header(printed, out);
        out.insert(out.end(), body.begin(), body.end());
        out.push_back({"}", {}});
        entry(printed, out);
        return printed;
    }

private:
    // ---- dims -------------------------------------------------------------------------------------------------

    // Every index that memory is touched at, in the kernel's dims.
    std::vector<SymInt> touchedIndices() const {
        std::vector<SymInt> out;
        for (const Member& m : m_kernel.members) {
            out.push_back(m.store);
            forEachExpr(m.body, [&](const ScalarExpr& e) {
                if (e.prim == Prim::Load || e.prim == Prim::Index) out.push_back(e.index);
            });
        }
        return out;
    }

    // Two neighbouring dims of one kind are one loop when every index steps through them as through one.
    void mergeDims() {
        const auto touched = touchedIndices();
        std::vector<std::size_t> kept;
        std::vector<SymInt> sizes = m_kernel.domain.sizes;
        for (std::size_t d = 0; d < sizes.size(); ++d) {
            if (!kept.empty() && m_kernel.domain.reduced[kept.back()] == m_kernel.domain.reduced[d] &&
                kept.back() + 1 == d) {
                const std::size_t before = kept.back();
                const bool mergeable = std::all_of(touched.begin(), touched.end(), [&](SymInt index) {
                    return KernelShape::coefficient(index, before)
                        .sameAs(KernelShape::coefficient(index, d) * sizes[d]);
                });
                if (mergeable) {
                    m_rename["d" + std::to_string(before)] = SymInt(0);
                    sizes[d] = sizes[d] * sizes[before];
                    kept.pop_back();
                }
            }
            kept.push_back(d);
        }
        if (!m_kernel.domain.hasReduction()) orderByStride(kept);
        std::size_t outer = 0, inner = 0;
        for (const std::size_t d : kept) {
            const bool reduced = m_kernel.domain.reduced[d];
            const std::string name = reduced ? "r" + std::to_string(inner++) : "i" + std::to_string(outer++);
            m_dims.push_back({name, sizes[d], reduced});
            m_rename["d" + std::to_string(d)] = SymInt::symbol(name);
            m_taken.insert(name);
        }
    }

    // The dim along which the first stored buffer is contiguous goes innermost.
    void orderByStride(std::vector<std::size_t>& dims) const {
        const auto stride = [&](std::size_t d) {
            const SymInt c = KernelShape::coefficient(m_kernel.members.back().store, d);
            return c.isSymbolic() ? std::int64_t{1} << 40 : c.asInt();
        };
        std::stable_sort(dims.begin(), dims.end(), [&](std::size_t a, std::size_t b) { return stride(a) > stride(b); });
    }

    std::vector<Dim> dimsOf(bool reduced) const {
        std::vector<Dim> out;
        std::copy_if(m_dims.begin(), m_dims.end(), std::back_inserter(out),
                     [&](const Dim& d) { return d.reduced == reduced; });
        return out;
    }

    void collectSizes() {
        std::set<std::string> symbols;
        for (const SymInt size : m_kernel.domain.sizes)
            for (const auto& s : symbolic::symbolsOf(size)) symbols.insert(s);
        for (const SymInt index : touchedIndices())
            for (const auto& s : symbolic::symbolsOf(index))
                if (s[0] != 'd') symbols.insert(s);
        m_sizes.assign(symbols.begin(), symbols.end());
        m_taken.insert(symbols.begin(), symbols.end());
    }

    // ---- text -------------------------------------------------------------------------------------------------

    void line(const std::string& text, std::vector<std::string> from = {}) {
        m_out->push_back({std::string(static_cast<std::size_t>(m_indent) * 4, ' ') + text, std::move(from)});
    }

    void open(const std::string& text) {
        line(text + " {");
        ++m_indent;
    }

    void close() {
        --m_indent;
        line("}");
    }

    static std::string forText(const Dim& dim) {
        return "for (long " + dim.name + " = 0; " + dim.name + " < " + indexText(dim.size) + "; ++" + dim.name + ")";
    }

    // An identifier that nothing else in this kernel has.
    std::string fresh(std::string name) {
        static const std::set<std::string> reserved{"and",  "or",  "not", "xor",    "bool",  "float",   "double",
                                                    "long", "int", "new", "delete", "math",  "buffers", "sizes",
                                                    "lane", "for", "if",  "else",   "const", "default", "and_eq"};
        for (char& c : name)
            if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "v" + name;
        std::string candidate = name;
        for (int n = 1; reserved.count(candidate) || !m_taken.insert(candidate).second; ++n)
            candidate = name + "_" + std::to_string(n);
        return candidate;
    }

    std::string pointer(const std::string& buffer) {
        auto& name = m_pointers[buffer];
        if (name.empty()) name = fresh(buffer);
        return name;
    }

    std::vector<Parameter> parameters() const {
        std::vector<Parameter> out;
        for (const std::string& buffer : m_kernel.reads) out.push_back({buffer, false});
        for (const std::string& buffer : m_kernel.writes) out.push_back({buffer, true});
        return out;
    }

    bool aliases(const std::string& buffer) const {
        if (m_inPlace.count(buffer)) return true;
        return std::any_of(m_inPlace.begin(), m_inPlace.end(), [&](const auto& pair) { return pair.second == buffer; });
    }

    void header(const PrintedKernel& printed, std::vector<Line>& out) {
        std::string text = "static void " + printed.name + "(";
        for (std::size_t i = 0; i < printed.parameters.size(); ++i) {
            const Parameter& p = printed.parameters[i];
            text += std::string(i ? ", " : "") + (p.written ? "" : "const ") +
                    cppType(m_lowered.program.find(p.buffer)->dtype) + "*" +
                    (aliases(p.buffer) ? " " : " __restrict ") + pointer(p.buffer);
        }
        for (const std::string& size : printed.sizes) text += ", long " + size;
        std::vector<std::string> all;
        for (std::size_t m = 0; m < m_kernel.members.size(); ++m) all.push_back(m_shape.node(m).buffer.name);
        out.push_back({text + ") {", all});
    }

    void entry(const PrintedKernel& printed, std::vector<Line>& out) {
        std::string call = "    " + printed.name + "(";
        for (std::size_t i = 0; i < printed.parameters.size(); ++i) {
            const Parameter& p = printed.parameters[i];
            call += std::string(i ? ", " : "") + "static_cast<" + (p.written ? "" : "const ") +
                    cppType(m_lowered.program.find(p.buffer)->dtype) + "*>(buffers[" + std::to_string(i) + "])";
        }
        for (std::size_t i = 0; i < printed.sizes.size(); ++i) call += ", sizes[" + std::to_string(i) + "]";
        out.push_back({"extern \"C\" void launch_" + printed.name + "(void* const* buffers, const long* sizes) {", {}});
        if (printed.sizes.empty()) out.push_back({"    (void)sizes;", {}});
        out.push_back({call + ");", {}});
        out.push_back({"}", {}});
        out.push_back({"", {}});
    }

    // ---- members ----------------------------------------------------------------------------------------------

    std::string loadText(const ScalarExpr& e) {
        if (const auto it = m_values.find(e.buffer); it != m_values.end()) return it->second;
        if (const auto it = m_rows.find(e.buffer); it != m_rows.end()) return it->second + "[" + rowIndex() + "]";
        return pointer(e.buffer) + "[" + indexText(symbolic::substitute(e.index, m_rename)) + "]";
    }

    // Makes sure that what a member reads from inside the kernel is at hand, recomputing what was not kept.
    void prepare(std::size_t member) {
        for (const std::size_t input : m_shape.inputsOf(member)) {
            const std::string& buffer = m_shape.node(input).buffer.name;
            if (m_values.count(buffer) || m_rows.count(buffer) || m_inMemory.count(buffer)) continue;
            compute(input);
        }
    }

    // The member's value as a named constant in the current scope.
    std::string compute(std::size_t member) {
        prepare(member);
        const loop::Node& node = m_shape.node(member);
        std::vector<std::string> statements;
        const std::string name = fresh(node.op);
        const std::string text = expression(member, name, statements);
        for (const std::string& s : statements) line(s, {node.buffer.name});
        line("const " + cppType(node.buffer.dtype) + " " + name + " = " + text + ";", {node.buffer.name});
        m_values[node.buffer.name] = name;
        return name;
    }

    std::string expression(std::size_t member, const std::string& hint, std::vector<std::string>& statements) {
        CppExpr printer([this](const ScalarExpr& e) { return loadText(e); },
                        [this](const std::string& n) { return fresh(n); }, m_used);
        const ScalarRef body = loop::substitute(m_kernel.members[member].body, renamedIndices());
        return printer.text(body, hint, statements);
    }

    // Loads are renamed when printed; the values of indices themselves are renamed in the body.
    std::map<std::string, SymInt> renamedIndices() const { return m_rename; }

    void store(std::size_t member, const std::string& value) {
        const std::string& buffer = m_shape.node(member).buffer.name;
        if (!m_inMemory.count(buffer)) return;
        line(pointer(buffer) + "[" + indexText(symbolic::substitute(m_kernel.members[member].store, m_rename)) +
                 "] = " + value + ";",
             {buffer});
    }

    // ---- kernels without reductions ---------------------------------------------------------------------------

    void pointwise() {
        const std::string parallel = parallelClause();
        for (std::size_t d = 0; d < m_dims.size(); ++d) {
            const bool last = d + 1 == m_dims.size();
            if (d == 0 && last && !parallel.empty())
                line("#pragma omp parallel for simd" + parallel);
            else if (d == 0 && !parallel.empty())
                line("#pragma omp parallel for" +
                     (m_dims.size() > 2 ? " collapse(" + std::to_string(m_dims.size() - 1) + ")" : "") + parallel);
            else if (last)
                line("#pragma omp simd");
            open(forText(m_dims[d]));
        }
        for (std::size_t m = 0; m < m_kernel.members.size(); ++m) store(m, compute(m));
        for (std::size_t d = 0; d < m_dims.size(); ++d) close();
    }

    // A clause when the kernel's work is, or may at run time be, worth threads; empty: run on one. The modifier keeps a
    // loop below the threshold vectorised.
    std::string parallelClause() const {
        int operations = 0;
        for (const Member& m : m_kernel.members)
            forEachExpr(m.body, [&](const ScalarExpr& e) { operations += isExpensive(e.prim) ? 8 : 1; });
        const SymInt work = symbolic::product(m_kernel.domain.sizes);
        const std::int64_t threshold = parallelWork / std::max(1, operations / 4);
        if (work.isSymbolic()) return " if (parallel : " + indexText(work) + " >= " + std::to_string(threshold) + ")";
        return work.asInt() >= threshold ? " schedule(static)" : "";
    }

    // ---- kernels with reductions ------------------------------------------------------------------------------

    void reductions() {
        const std::vector<Dim> outer = dimsOf(false);
        const std::string parallel = parallelClause();
        m_threadsInside = outer.empty() ? parallel : "";
        if (!outer.empty() && !parallel.empty())
            line("#pragma omp parallel for" +
                 (outer.size() > 1 ? " collapse(" + std::to_string(outer.size()) + ")" : "") + parallel);
        for (std::size_t d = 0; d < outer.size(); ++d)
            if (d + 1 < outer.size())
                line(forText(outer[d]));
            else
                open(forText(outer[d]));
        declareRows();
        for (int p = 0; p < m_shape.phases(); ++p) {
            for (std::size_t m = 0; m < m_kernel.members.size(); ++m)
                if (!m_shape.isFull(m) && m_shape.phase(m) == p) store(m, compute(m));
            innerLoop(p);
        }
        if (!outer.empty()) close();
    }

    void declareRows() {
        for (std::size_t m = 0; m < m_kernel.members.size(); ++m) {
            const loop::Node& node = m_shape.node(m);
            if (!m_shape.neededLater(m) || m_inMemory.count(node.buffer.name) || m_shape.isCheap(m) ||
                !m_shape.rowFits())
                continue;
            SymInts inner;
            for (const Dim& d : dimsOf(true)) inner.push_back(d.size);
            const std::string name = fresh(node.op + "_row");
            line("alignas(64) " + cppType(node.buffer.dtype) + " " + name + "[" + indexText(symbolic::product(inner)) +
                     "];",
                 {node.buffer.name});
            m_rowNames[node.buffer.name] = name;
        }
    }

    std::string rowIndex() const {
        SymInt index = 0;
        for (const Dim& d : dimsOf(true)) index = index * d.size + SymInt::symbol(d.name);
        return indexText(index);
    }

    std::vector<std::size_t> membersOf(int phase) const {
        std::vector<std::size_t> out;
        for (std::size_t m = 0; m < m_kernel.members.size(); ++m)
            if (m_shape.isFull(m) && m_shape.phase(m) == phase) out.push_back(m);
        return out;
    }

    static bool isExtremum(const loop::Node& node) {
        return node.kind == NodeKind::Reduction &&
               (node.reduction == loop::Reduction::Max || node.reduction == loop::Reduction::Min);
    }

    void innerLoop(int phase) {
        const auto members = membersOf(phase);
        if (members.empty()) return;
        const bool stripMined =
            std::any_of(members.begin(), members.end(), [&](std::size_t m) { return isExtremum(m_shape.node(m)); });
        std::map<std::size_t, std::string> accumulators;
        for (const std::size_t m : members)
            if (m_shape.isReduction(m)) accumulators[m] = declareAccumulator(m, stripMined);
        const std::vector<Dim> inner = dimsOf(true);
        for (std::size_t d = 0; d + 1 < inner.size(); ++d) open(forText(inner[d]));
        if (stripMined)
            openStrip(inner.back());
        else
            openSimd(inner, accumulators);
        const auto valuesBefore = m_values;
        for (const std::size_t m : members) element(m, accumulators, stripMined ? "[lane]" : "");
        m_values = valuesBefore;
        for (const std::size_t m : members) // in later loops, the kept rows stand for the values
            if (const auto row = m_rowNames.find(m_shape.node(m).buffer.name); row != m_rowNames.end())
                m_rows[row->first] = row->second;
        close();
        if (stripMined) close();
        for (std::size_t d = 0; d + 1 < inner.size(); ++d) close();
        for (const auto& [m, name] : accumulators) finish(m, stripMined ? foldLanes(m, name) : name);
    }

    // One element of a full-level member inside the innermost loop.
    void element(std::size_t m, const std::map<std::size_t, std::string>& accumulators, const std::string& suffix) {
        const loop::Node& node = m_shape.node(m);
        if (!m_shape.isReduction(m)) {
            const std::string value = compute(m);
            store(m, value);
            if (const auto row = m_rowNames.find(node.buffer.name); row != m_rowNames.end())
                line(row->second + "[" + rowIndex() + "] = " + value + ";", {node.buffer.name});
            return;
        }
        prepare(m);
        std::vector<std::string> statements;
        const std::string& name = accumulators.at(m);
        const std::string text = expression(m, name + "_x", statements);
        for (const std::string& s : statements) line(s, {node.buffer.name});
        line(combine(node, name + suffix, text), {node.buffer.name});
    }

    std::string combine(const loop::Node& node, const std::string& acc, const std::string& value) {
        switch (node.reduction) {
        case loop::Reduction::Sum:
            return acc + " += " + value + ";";
        case loop::Reduction::Prod:
            return acc + " *= " + value + ";";
        case loop::Reduction::Any:
            return acc + " = " + acc + " || (" + value + ");";
        case loop::Reduction::All:
            return acc + " = " + acc + " && (" + value + ");";
        case loop::Reduction::Max:
            m_used.insert("maximum");
            return acc + " = math::maximum(" + acc + ", " + value + ");";
        case loop::Reduction::Min:
            m_used.insert("minimum");
            return acc + " = math::minimum(" + acc + ", " + value + ");";
        }
        return {};
    }

    static std::string neutral(const loop::Node& node) {
        const tensor::DType t = node.buffer.dtype;
        constexpr double inf = __builtin_inf();
        switch (node.reduction) {
        case loop::Reduction::Sum:
            return constantText(0, 0, t);
        case loop::Reduction::Prod:
            return constantText(1, 1, t);
        case loop::Reduction::Any:
            return "false";
        case loop::Reduction::All:
            return "true";
        case loop::Reduction::Max:
            return tensor::isFloating(t)      ? constantText(-inf, 0, t)
                   : t == tensor::DType::Bool ? "false"
                                              : "(-__LONG_MAX__ - 1)";
        case loop::Reduction::Min:
            return tensor::isFloating(t) ? constantText(inf, 0, t) : t == tensor::DType::Bool ? "true" : "__LONG_MAX__";
        }
        return {};
    }

    std::string declareAccumulator(std::size_t m, bool array) {
        const loop::Node& node = m_shape.node(m);
        const std::string name = fresh(node.op);
        const std::string type = cppType(node.buffer.dtype);
        if (!array) {
            line(type + " " + name + " = " + neutral(node) + ";", {node.buffer.name});
            return name;
        }
        line(type + " " + name + "[" + std::to_string(lanes) + "];", {node.buffer.name});
        line("for (long lane = 0; lane < " + std::to_string(lanes) + "; ++lane) " + name + "[lane] = " + neutral(node) +
                 ";",
             {node.buffer.name});
        return name;
    }

    // The innermost loop in strips of lanes: a maximum that keeps NaN is no reduction that compilers know, but lane by
    // lane it is plain element-wise code.
    void openStrip(const Dim& dim) {
        const std::string step = std::to_string(lanes), strip = fresh("strip");
        open("for (long " + strip + " = 0; " + strip + " < " + indexText(dim.size) + "; " + strip + " += " + step +
             ")");
        const bool whole = !dim.size.isSymbolic() && dim.size.asInt() % lanes == 0;
        const std::string rest = indexText(dim.size) + " - " + strip;
        const std::string count = whole ? step : fresh("count");
        if (!whole) line("const long " + count + " = " + rest + " < " + step + " ? " + rest + " : " + step + ";");
        line("#pragma omp simd");
        open("for (long lane = 0; lane < " + count + "; ++lane)");
        line("const long " + dim.name + " = " + strip + " + lane;");
    }

    void openSimd(const std::vector<Dim>& inner, const std::map<std::size_t, std::string>& accumulators) {
        std::map<std::string, std::string> bySign;
        for (const auto& [m, name] : accumulators) {
            const loop::Reduction kind = m_shape.node(m).reduction;
            const char* sign = kind == loop::Reduction::Sum    ? "+"
                               : kind == loop::Reduction::Prod ? "*"
                               : kind == loop::Reduction::Any  ? "||"
                                                               : "&&";
            std::string& names = bySign[sign];
            names += (names.empty() ? "" : ", ") + name;
        }
        std::string clauses;
        for (const auto& [sign, names] : bySign) clauses += " reduction(" + sign + " : " + names + ")";
        const bool threads = !m_threadsInside.empty() && inner.size() == 1;
        line("#pragma omp " + std::string(threads ? "parallel for simd" : "simd") + clauses +
             (threads ? m_threadsInside : ""));
        open(forText(inner.back()));
    }

    // One number of an array of lanes.
    std::string foldLanes(std::size_t m, const std::string& array) {
        const loop::Node& node = m_shape.node(m);
        const std::string name = fresh(node.op + "_all");
        line(cppType(node.buffer.dtype) + " " + name + " = " + array + "[0];", {node.buffer.name});
        line("for (long lane = 1; lane < " + std::to_string(lanes) + "; ++lane) " +
                 combine(node, name, array + "[lane]"),
             {node.buffer.name});
        return name;
    }

    void finish(std::size_t m, const std::string& value) {
        m_values[m_shape.node(m).buffer.name] = value;
        store(m, value);
    }

    // ---- reductions whose memory runs along the last outer dim ------------------------------------------------

    void lanesOverOuter() {
        const std::vector<Dim> outer = dimsOf(false), inner = dimsOf(true);
        const Dim& last = outer.back();
        const std::string step = std::to_string(lanes), strip = fresh("strip"), count = fresh("count");
        const std::string parallel = parallelClause();
        if (!parallel.empty())
            line("#pragma omp parallel for" +
                 (outer.size() > 1 ? " collapse(" + std::to_string(outer.size()) + ")" : "") + parallel);
        for (std::size_t d = 0; d + 1 < outer.size(); ++d) line(forText(outer[d]));
        open("for (long " + strip + " = 0; " + strip + " < " + indexText(last.size) + "; " + strip + " += " + step +
             ")");
        const std::string rest = indexText(last.size) + " - " + strip;
        line("const long " + count + " = " + rest + " < " + step + " ? " + rest + " : " + step + ";");
        for (int p = 0; p < m_shape.phases(); ++p) {
            outerLanes(p, last, strip, count);
            innerLanes(p, inner, last, strip, count);
        }
        close();
    }

    void openLanes(const Dim& dim, const std::string& strip, const std::string& count) {
        line("#pragma omp simd");
        open("for (long lane = 0; lane < " + count + "; ++lane)");
        line("const long " + dim.name + " = " + strip + " + lane;");
    }

    // Values of outer members and reductions live in arrays, a lane an element.
    void outerLanes(int phase, const Dim& last, const std::string& strip, const std::string& count) {
        std::vector<std::size_t> members, finished;
        for (std::size_t m = 0; m < m_kernel.members.size(); ++m) {
            if (!m_shape.isFull(m) && m_shape.phase(m) == phase) members.push_back(m);
            if (m_shape.isReduction(m) && m_shape.phase(m) == phase - 1 &&
                m_inMemory.count(m_shape.node(m).buffer.name))
                finished.push_back(m);
        }
        if (phase + 1 == m_shape.phases()) // the last phase's own reductions are stored after its loop
            m_lastPhase = phase;
        if (members.empty() && finished.empty()) return;
        std::map<std::size_t, std::string> arrays;
        for (const std::size_t m : members) {
            const loop::Node& node = m_shape.node(m);
            arrays[m] = fresh(node.op + "_lanes");
            line(cppType(node.buffer.dtype) + " " + arrays[m] + "[" + std::to_string(lanes) + "];", {node.buffer.name});
        }
        openLanes(last, strip, count);
        for (const std::size_t m : finished) store(m, m_values.at(m_shape.node(m).buffer.name));
        for (const std::size_t m : members) {
            const std::string value = compute(m);
            store(m, value);
            line(arrays[m] + "[lane] = " + value + ";", {m_shape.node(m).buffer.name});
        }
        close();
        for (const std::size_t m : members) m_values[m_shape.node(m).buffer.name] = arrays[m] + "[lane]";
    }

    void innerLanes(int phase, const std::vector<Dim>& inner, const Dim& last, const std::string& strip,
                    const std::string& count) {
        const auto members = membersOf(phase);
        if (members.empty()) return;
        std::map<std::size_t, std::string> accumulators;
        for (const std::size_t m : members)
            if (m_shape.isReduction(m)) accumulators[m] = declareAccumulator(m, true);
        for (const Dim& d : inner) open(forText(d));
        openLanes(last, strip, count);
        const auto valuesBefore = m_values;
        for (const std::size_t m : members) element(m, accumulators, "[lane]");
        m_values = valuesBefore;
        close();
        for (std::size_t d = 0; d < inner.size(); ++d) close();
        bool stored = false;
        for (const auto& [m, name] : accumulators) {
            m_values[m_shape.node(m).buffer.name] = name + "[lane]";
            stored |= phase == m_lastPhase && m_inMemory.count(m_shape.node(m).buffer.name) > 0;
        }
        if (!stored) return;
        openLanes(last, strip, count);
        for (const auto& [m, name] : accumulators) store(m, name + "[lane]");
        close();
    }

    const Lowered& m_lowered;
    const Kernel& m_kernel;
    KernelShape m_shape;
    const std::map<std::string, std::string>& m_inPlace;
    std::set<std::string>& m_used;
    std::vector<Line>* m_out = nullptr;
    int m_indent = 0;
    int m_lastPhase = -1;
    std::vector<Dim> m_dims;
    std::map<std::string, SymInt> m_rename; // d0, d1, .. to loop variables
    std::vector<std::string> m_sizes;
    std::set<std::string> m_taken;
    std::set<std::string> m_inMemory;              // buffers behind a pointer
    std::map<std::string, std::string> m_pointers; // buffer -> parameter
    std::map<std::string, std::string> m_values;   // buffer -> the variable that holds this element
    std::map<std::string, std::string> m_rowNames; // buffer -> row on the stack
    std::map<std::string, std::string> m_rows;     // those that are filled
    std::string m_threadsInside;
};

} // namespace

std::vector<std::string> keptInMemory(const Lowered& lowered, const Kernel& kernel) {
    std::vector<std::string> out;
    if (kernel.isExtern) return out;
    const KernelShape shape(lowered, kernel);
    for (std::size_t m = 0; m < kernel.members.size(); ++m) {
        const std::string& buffer = shape.node(m).buffer.name;
        const bool written = std::find(kernel.writes.begin(), kernel.writes.end(), buffer) != kernel.writes.end();
        if (shape.neededLater(m) && !written && !shape.isCheap(m) && !shape.rowFits()) out.push_back(buffer);
    }
    return out;
}

PrintedProgram printCpp(const Lowered& lowered, const Schedule& schedule,
                        const std::map<std::string, std::string>& inPlace) {
    PrintedProgram out;
    std::set<std::string> used;
    std::vector<Line> lines;
    std::vector<int> lineKernel;
    for (std::size_t k = 0; k < schedule.kernels.size(); ++k) {
        if (schedule.kernels[k].isExtern) continue;
        out.kernels.push_back(KernelPrinter(lowered, schedule.kernels[k], inPlace, used).print(lines));
        lineKernel.resize(lines.size(), static_cast<int>(k));
    }
    const std::string helpers = helperText(used);
    out.text = helpers;
    const auto helperLines = static_cast<std::size_t>(std::count(helpers.begin(), helpers.end(), '\n'));
    out.lineFrom.resize(helperLines);
    out.lineKernel.assign(helperLines, -1);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        out.text += lines[i].text + "\n";
        out.lineFrom.push_back(lines[i].from);
        out.lineKernel.push_back(lineKernel[i]);
    }
    return out;
}

} // namespace strata::inductor
