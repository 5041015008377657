#include "engine/inductor/Scheduler.h"

#include <algorithm>
#include <map>
#include <set>

namespace strata::inductor {

namespace {

using loop::Node;
using loop::NodeKind;
using symbolic::SymInt;
using symbolic::SymInts;

// Sizes are compared without knowing them: a symbol counts as this many elements in scores.
constexpr std::int64_t assumedSize = 64;

std::int64_t estimate(SymInt value) {
    std::map<std::string, std::int64_t> symbols;
    for (const std::string& name : symbolic::symbolsOf(value)) symbols[name] = assumedSize;
    return symbolic::evaluate(value, symbols);
}

struct Group {
    std::vector<int> nodes; // program order
    bool isExtern = false;
    Domain domain;
};

/// A node's own domain: its output dims then its reduced dims, in the order of the tensor that it reads where that is
/// known, without dims of size 1; and the renaming of its indices to d0, d1, ...
struct NodeDomain {
    Domain domain;
    std::vector<std::string> symbols;   // of the kept dims, in domain order
    std::map<std::string, SymInt> ones; // indices of dims of size 1, all 0
};

// A reduction's dims in the order of its input: kept and reduced dims interleave as in the sizes it was lowered from.
// The order is read off the load that has them all: larger strides first.
std::vector<std::string> orderOf(const Node& node, const std::vector<std::string>& symbols) {
    for (const auto& [buffer, index] : loop::loadsOf(node.body)) {
        std::vector<std::pair<std::int64_t, std::string>> strides;
        for (const std::string& s : symbols) {
            std::map<std::string, SymInt> at;
            for (const std::string& other : symbols) at[other] = SymInt(other == s ? 1 : 0);
            std::map<std::string, SymInt> zero;
            for (const std::string& other : symbols) zero[other] = SymInt(0);
            const SymInt stride = symbolic::substitute(index, at) - symbolic::substitute(index, zero);
            if (stride.sameAs(0)) break;
            strides.emplace_back(estimate(stride), s);
        }
        if (strides.size() != symbols.size()) continue;
        std::stable_sort(strides.begin(), strides.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<std::string> out;
        for (const auto& [stride, s] : strides) out.push_back(s);
        return out;
    }
    return symbols;
}

NodeDomain domainOf(const Node& node) {
    NodeDomain out;
    std::map<std::string, SymInt> sizes;
    std::vector<std::string> symbols;
    const auto add = [&](char prefix, const SymInts& ranges) {
        for (std::size_t d = 0; d < ranges.size(); ++d) {
            const std::string name = prefix + std::to_string(d);
            if (ranges[d].sameAs(1)) {
                out.ones[name] = SymInt(0);
                continue;
            }
            sizes[name] = ranges[d];
            symbols.push_back(name);
        }
    };
    add('i', node.ranges);
    add('r', node.reductionRanges);
    if (node.kind == NodeKind::Reduction) symbols = orderOf(node, symbols);
    for (const std::string& s : symbols) {
        out.domain.sizes.push_back(sizes.at(s));
        out.domain.reduced.push_back(s[0] == 'r');
    }
    out.symbols = std::move(symbols);
    return out;
}

/// How a node sits in a domain: renaming of its indices, and whether it runs at the outer level. Nothing if it does
/// not.
struct Placement {
    bool outer = false;
    std::map<std::string, SymInt> renaming;
};

std::optional<Placement> place(const Node& node, const Domain& domain) {
    const NodeDomain own = domainOf(node);
    Placement out;
    out.renaming = own.ones;
    const auto rename = [&](const std::vector<std::size_t>& dims) {
        for (std::size_t k = 0; k < dims.size(); ++k) out.renaming[own.symbols[k]] = loop::index('d', dims[k]);
    };
    std::vector<std::size_t> all, outerDims;
    for (std::size_t d = 0; d < domain.sizes.size(); ++d) {
        all.push_back(d);
        if (!domain.reduced[d]) outerDims.push_back(d);
    }
    if (symbolic::sameAs(own.domain.sizes, domain.sizes) &&
        (!own.domain.hasReduction() || own.domain.reduced == domain.reduced)) {
        rename(all);
        return out;
    }
    if (own.domain.hasReduction() || !domain.hasReduction()) return std::nullopt;
    if (!symbolic::sameAs(own.domain.sizes, domain.outer())) return std::nullopt;
    rename(outerDims);
    out.outer = true;
    return out;
}

class Fuser {
public:
    explicit Fuser(const loop::Program& program) : m_program(program) {
        for (std::size_t n = 0; n < program.nodes.size(); ++n) {
            const Node& node = program.nodes[n];
            m_groups.push_back({{static_cast<int>(n)}, node.kind == NodeKind::Extern, domainOf(node).domain});
            m_producer[node.buffer.name] = static_cast<int>(n);
            m_reads.push_back(loop::readsOf(node));
        }
        m_groupOf.resize(program.nodes.size());
        for (std::size_t n = 0; n < m_groupOf.size(); ++n) m_groupOf[n] = static_cast<int>(n);
    }

    Schedule run() {
        const auto pairs = candidates();
        for (bool changed = true; changed;) {
            changed = false;
            for (const Pair& pair : pairs)
                if (!together(pair) && consider(pair).fused) {
                    merge(pair);
                    changed = true;
                }
        }
        Schedule out;
        for (const Pair& pair : pairs) out.decisions.push_back(together(pair) ? fusedDecision(pair) : consider(pair));
        order(out);
        return out;
    }

private:
    struct Pair {
        int a, b; // nodes, a before b
        std::int64_t score;
        bool depends;
    };

    std::vector<Pair> candidates() const {
        std::vector<Pair> out;
        const int count = static_cast<int>(m_program.nodes.size());
        for (int b = 0; b < count; ++b)
            for (int a = 0; a < b; ++a) {
                const std::string& made = m_program.nodes[static_cast<std::size_t>(a)].buffer.name;
                const auto& reads = m_reads[static_cast<std::size_t>(b)];
                std::int64_t score = 0;
                const bool depends = reads.count(made) > 0;
                if (depends) score += 2 * estimate(m_program.nodes[static_cast<std::size_t>(a)].buffer.bytes());
                for (const std::string& buffer : m_reads[static_cast<std::size_t>(a)])
                    if (reads.count(buffer)) score += estimate(m_program.find(buffer)->bytes());
                if (score > 0) out.push_back({a, b, score, depends});
            }
        std::stable_sort(out.begin(), out.end(), [](const Pair& x, const Pair& y) { return x.score > y.score; });
        return out;
    }

    bool together(const Pair& p) const {
        return m_groupOf[static_cast<std::size_t>(p.a)] == m_groupOf[static_cast<std::size_t>(p.b)];
    }
    const Group& groupOf(int node) const {
        return m_groups[static_cast<std::size_t>(m_groupOf[static_cast<std::size_t>(node)])];
    }

    Decision decision(const Pair& p, bool fused, std::string rule) const {
        return {m_program.nodes[static_cast<std::size_t>(p.a)].buffer.name,
                m_program.nodes[static_cast<std::size_t>(p.b)].buffer.name, fused, std::move(rule), p.score};
    }

    Decision fusedDecision(const Pair& p) const {
        const Node& a = m_program.nodes[static_cast<std::size_t>(p.a)];
        const Node& b = m_program.nodes[static_cast<std::size_t>(p.b)];
        std::string rule = p.depends ? "producer_consumer" : "shared_read";
        if (p.depends && a.kind == NodeKind::Reduction) rule = "reduction_epilogue";
        if (p.depends && b.kind == NodeKind::Reduction && a.kind == NodeKind::Pointwise) rule = "reduction_prologue";
        return decision(p, true, rule);
    }

    Decision consider(const Pair& p) const {
        const Group &ga = groupOf(p.a), &gb = groupOf(p.b);
        if (ga.isExtern || gb.isExtern) {
            Decision d = decision(p, false, "library_call");
            d.values["op"] = m_program.nodes[static_cast<std::size_t>(ga.isExtern ? p.a : p.b)].target;
            return d;
        }
        const auto domain = common(ga, gb);
        if (!domain) {
            Decision d = decision(p, false, "different_ranges");
            d.values["a"] = symbolic::str(ga.domain.sizes);
            d.values["b"] = symbolic::str(gb.domain.sizes);
            return d;
        }
        std::vector<int> nodes = ga.nodes;
        nodes.insert(nodes.end(), gb.nodes.begin(), gb.nodes.end());
        std::sort(nodes.begin(), nodes.end());
        std::map<std::string, Placement> placed;
        for (const int n : nodes) {
            const auto placement = place(m_program.nodes[static_cast<std::size_t>(n)], *domain);
            if (!placement) return decision(p, false, "different_ranges");
            placed[m_program.nodes[static_cast<std::size_t>(n)].buffer.name] = *placement;
        }
        if (const auto conflict = readElsewhere(nodes, placed)) {
            Decision d = decision(p, false, "reads_other_positions");
            d.values["buffer"] = *conflict;
            return d;
        }
        if (pathThroughThird(p)) return decision(p, false, "would_make_a_cycle");
        return fusedDecision(p);
    }

    // The domain that both groups fit in: the one with reductions, or equal ones.
    static std::optional<Domain> common(const Group& a, const Group& b) {
        const Domain& x = a.domain.hasReduction() ? a.domain : b.domain;
        const Domain& y = a.domain.hasReduction() ? b.domain : a.domain;
        if (symbolic::sameAs(x.sizes, y.sizes) && (!y.hasReduction() || x.reduced == y.reduced)) return x;
        if (x.hasReduction() && !y.hasReduction() && symbolic::sameAs(x.outer(), y.sizes)) return x;
        return std::nullopt;
    }

    // A buffer made inside the kernel that a member reads at another element than the same iteration wrote.
    std::optional<std::string> readElsewhere(const std::vector<int>& nodes,
                                             const std::map<std::string, Placement>& placed) const {
        for (const int n : nodes) {
            const Node& reader = m_program.nodes[static_cast<std::size_t>(n)];
            const Placement& at = placed.at(reader.buffer.name);
            for (const auto& [buffer, index] : loop::loadsOf(reader.body)) {
                const auto made = placed.find(buffer);
                if (made == placed.end()) continue;
                const Node& writer = *m_program.producer(buffer);
                const bool writerPerElement = !made->second.outer && writer.kind != NodeKind::Reduction;
                if (writerPerElement && at.outer) return buffer;
                if (!symbolic::substitute(index, at.renaming)
                         .sameAs(symbolic::substitute(writer.store, made->second.renaming)))
                    return buffer;
            }
        }
        return std::nullopt;
    }

    // Whether a path leads from one group to the other through a group that is neither.
    bool pathThroughThird(const Pair& p) const {
        const int ga = m_groupOf[static_cast<std::size_t>(p.a)], gb = m_groupOf[static_cast<std::size_t>(p.b)];
        return reaches(ga, gb) || reaches(gb, ga);
    }

    bool reaches(int from, int to) const {
        std::set<int> seen;
        std::vector<int> work;
        for (const int user : usersOf(from))
            if (user != to && seen.insert(user).second) work.push_back(user);
        while (!work.empty()) {
            const int at = work.back();
            work.pop_back();
            for (const int user : usersOf(at)) {
                if (user == to) return true;
                if (user != from && seen.insert(user).second) work.push_back(user);
            }
        }
        return false;
    }

    std::vector<int> usersOf(int group) const {
        std::vector<int> out;
        for (std::size_t n = 0; n < m_reads.size(); ++n)
            for (const std::string& buffer : m_reads[n]) {
                const auto made = m_producer.find(buffer);
                if (made != m_producer.end() && m_groupOf[static_cast<std::size_t>(made->second)] == group &&
                    m_groupOf[n] != group)
                    out.push_back(m_groupOf[n]);
            }
        return out;
    }

    void merge(const Pair& p) {
        const int ga = m_groupOf[static_cast<std::size_t>(p.a)], gb = m_groupOf[static_cast<std::size_t>(p.b)];
        Group &a = m_groups[static_cast<std::size_t>(ga)], &b = m_groups[static_cast<std::size_t>(gb)];
        a.domain = *common(a, b);
        a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
        std::sort(a.nodes.begin(), a.nodes.end());
        for (const int n : b.nodes) m_groupOf[static_cast<std::size_t>(n)] = ga;
        b.nodes.clear();
    }

    // Kernels in an order that respects what they read; among the ready ones, the earliest in the program.
    void order(Schedule& out) const {
        std::set<int> left, done;
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            if (!m_groups[g].nodes.empty()) left.insert(static_cast<int>(g));
        while (!left.empty()) {
            int next = -1;
            for (const int g : left)
                if (ready(g, left) && (next < 0 || firstNode(g) < firstNode(next))) next = g;
            left.erase(next);
            out.kernels.push_back(kernelOf(m_groups[static_cast<std::size_t>(next)], out.kernels.size()));
        }
    }

    int firstNode(int g) const { return m_groups[static_cast<std::size_t>(g)].nodes.front(); }

    bool ready(int g, const std::set<int>& left) const {
        for (const int n : m_groups[static_cast<std::size_t>(g)].nodes)
            for (const std::string& buffer : m_reads[static_cast<std::size_t>(n)]) {
                const auto made = m_producer.find(buffer);
                if (made == m_producer.end()) continue;
                const int source = m_groupOf[static_cast<std::size_t>(made->second)];
                if (source != g && left.count(source)) return false;
            }
        return true;
    }

    Kernel kernelOf(const Group& group, std::size_t number) const {
        Kernel k;
        k.isExtern = group.isExtern;
        k.domain = group.domain;
        std::set<std::string> inside, reads, ops;
        for (const int n : group.nodes) {
            const Node& node = m_program.nodes[static_cast<std::size_t>(n)];
            inside.insert(node.buffer.name);
            ops.insert(node.op);
            reads.insert(m_reads[static_cast<std::size_t>(n)].begin(), m_reads[static_cast<std::size_t>(n)].end());
            Member member{n};
            if (!group.isExtern) {
                const Placement at = *place(node, group.domain);
                member.outer = at.outer;
                member.body = loop::substitute(node.body, at.renaming);
                member.store = symbolic::substitute(node.store, at.renaming);
            }
            k.members.push_back(std::move(member));
        }
        for (const std::string& buffer : reads)
            if (!inside.count(buffer)) k.reads.push_back(buffer);
        for (const std::string& buffer : inside)
            if (neededOutside(buffer, inside)) k.writes.push_back(buffer);
        if (group.isExtern) {
            k.name = m_program.nodes[static_cast<std::size_t>(group.nodes[0])].target;
        } else {
            k.name = "cpp_fused";
            for (const std::string& op : ops) k.name += "_" + op;
            if (k.name.size() > 80) k.name.resize(80);
            k.name += "_" + std::to_string(number);
        }
        return k;
    }

    bool neededOutside(const std::string& buffer, const std::set<std::string>& inside) const {
        for (const loop::Layout& output : m_program.outputs)
            if (output.buffer == buffer) return true;
        for (std::size_t n = 0; n < m_reads.size(); ++n)
            if (m_reads[n].count(buffer) && !inside.count(m_program.nodes[n].buffer.name)) return true;
        return false;
    }

    const loop::Program& m_program;
    std::vector<Group> m_groups;
    std::vector<int> m_groupOf;
    std::vector<std::set<std::string>> m_reads;
    std::map<std::string, int> m_producer;
};

} // namespace

bool Domain::hasReduction() const {
    return std::find(reduced.begin(), reduced.end(), true) != reduced.end();
}

SymInts Domain::outer() const {
    SymInts out;
    for (std::size_t d = 0; d < sizes.size(); ++d)
        if (!reduced[d]) out.push_back(sizes[d]);
    return out;
}

Schedule schedule(const Lowered& lowered) {
    return Fuser(lowered.program).run();
}

} // namespace strata::inductor
