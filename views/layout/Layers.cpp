#include "views/layout/Layers.h"

#include "views/layout/LayeredLayout.h"

#include <algorithm>
#include <numeric>

namespace strata::layout {

namespace {

constexpr int orderSweeps = 10;
constexpr int placeSweeps = 10;
constexpr double bendWidth = 10;

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

} // namespace

Layers::Layers(const GraphInput& input) : m_input(input) {
    m_vertices.resize(input.nodes.size());
    for (std::size_t i = 0; i < input.nodes.size(); ++i) {
        m_vertices[i].width = input.nodes[i].width;
        m_vertices[i].height = input.nodes[i].height;
        m_vertices[i].x = input.nodes[i].hintX;
    }
    openCycles();
    assignLayers();
    sinkSources();
    addBends();
    initialOrder();
}

void Layers::openCycles() {
    const int count = static_cast<int>(m_vertices.size());
    std::vector<std::vector<int>> out(index(count));
    m_chains.resize(m_input.edges.size());
    m_down.assign(m_input.edges.size(), {-1, -1});
    for (std::size_t e = 0; e < m_input.edges.size(); ++e) {
        const auto [from, to] = m_input.edges[e];
        if (from < 0 || to < 0 || from >= count || to >= count) continue;
        m_chains[e].loop = from == to;
        if (from != to) out[index(from)].push_back(static_cast<int>(e));
    }
    enum class Colour : char { White, Grey, Black };
    std::vector<Colour> colour(index(count), Colour::White);
    std::vector<std::pair<int, std::size_t>> stack; // a node and the next of its edges; no recursion on deep graphs
    for (int root = 0; root < count; ++root) {
        if (colour[index(root)] != Colour::White) continue;
        colour[index(root)] = Colour::Grey;
        stack.push_back({root, 0});
        while (!stack.empty()) {
            const int at = stack.back().first;
            if (stack.back().second == out[index(at)].size()) {
                colour[index(at)] = Colour::Black;
                stack.pop_back();
                continue;
            }
            const int e = out[index(at)][stack.back().second++];
            const int to = m_input.edges[index(e)].to;
            m_chains[index(e)].turned = colour[index(to)] == Colour::Grey;
            m_down[index(e)] = m_chains[index(e)].turned ? std::pair{to, at} : std::pair{at, to};
            if (colour[index(to)] != Colour::White) continue;
            colour[index(to)] = Colour::Grey;
            stack.push_back({to, 0});
        }
    }
}

void Layers::assignLayers() {
    std::vector<std::vector<int>> below(m_vertices.size());
    std::vector<int> waiting(m_vertices.size(), 0);
    for (const auto& [upper, lower] : m_down) {
        if (upper < 0) continue;
        below[index(upper)].push_back(lower);
        ++waiting[index(lower)];
    }
    std::vector<int> ready;
    for (std::size_t v = 0; v < m_vertices.size(); ++v)
        if (waiting[v] == 0) ready.push_back(static_cast<int>(v));
    for (std::size_t next = 0; next < ready.size(); ++next)
        for (const int lower : below[index(ready[next])]) {
            at(lower).layer = std::max(at(lower).layer, at(ready[next]).layer + 1);
            if (--waiting[index(lower)] == 0) ready.push_back(lower);
        }
}

void Layers::sinkSources() {
    std::vector<int> nearest(m_vertices.size(), -1);
    std::vector<bool> source(m_vertices.size(), true);
    for (const auto& [upper, lower] : m_down) {
        if (upper < 0) continue;
        source[index(lower)] = false;
        int& layer = nearest[index(upper)];
        layer = layer < 0 ? at(lower).layer : std::min(layer, at(lower).layer);
    }
    for (std::size_t v = 0; v < m_vertices.size(); ++v)
        if (source[v] && nearest[v] > 0) m_vertices[v].layer = nearest[v] - 1;
}

void Layers::connect(int above, int below) {
    at(above).below.push_back(below);
    at(below).above.push_back(above);
}

void Layers::addBends() {
    for (std::size_t e = 0; e < m_down.size(); ++e) {
        const auto [upper, lower] = m_down[e];
        if (upper < 0) continue;
        std::vector<int>& chain = m_chains[e].vertices;
        chain.push_back(upper);
        const int first = at(upper).layer + 1, last = at(lower).layer;
        if (last - first <= longestBentEdge) {
            for (int layer = first; layer < last; ++layer) {
                Vertex bend;
                bend.width = bendWidth;
                bend.layer = layer;
                bend.bend = true;
                bend.x = std::numeric_limits<double>::quiet_NaN();
                m_vertices.push_back(std::move(bend));
                const int v = static_cast<int>(m_vertices.size()) - 1;
                connect(chain.back(), v);
                chain.push_back(v);
            }
            connect(chain.back(), lower);
        }
        chain.push_back(lower);
    }
}

// The order of a depth-first walk from the sources keeps what belongs together side by side; hints come before it.
void Layers::initialOrder() {
    int layers = 0;
    for (const Vertex& v : m_vertices) layers = std::max(layers, v.layer + 1);
    m_layers.resize(index(layers));
    std::vector<bool> seen(m_vertices.size(), false);
    std::vector<int> stack;
    for (int root = static_cast<int>(m_vertices.size()) - 1; root >= 0; --root)
        if (at(root).above.empty()) stack.push_back(root);
    while (!stack.empty()) {
        const int v = stack.back();
        stack.pop_back();
        if (seen[index(v)]) continue;
        seen[index(v)] = true;
        m_layers[index(at(v).layer)].push_back(v);
        for (auto next = at(v).below.rbegin(); next != at(v).below.rend(); ++next)
            if (!seen[index(*next)]) stack.push_back(*next);
    }
    for (int layer = 0; layer < layers; ++layer) {
        std::vector<int>& row = m_layers[index(layer)];
        std::vector<int> hinted;
        for (const int v : row)
            if (!std::isnan(at(v).x)) hinted.push_back(v);
        std::stable_sort(hinted.begin(), hinted.end(), [this](int a, int b) { return at(a).x < at(b).x; });
        std::size_t next = 0;
        for (int& v : row)
            if (!std::isnan(at(v).x)) v = hinted[next++];
        renumber(layer);
    }
}

void Layers::renumber(int layer) {
    const std::vector<int>& row = m_layers[index(layer)];
    for (std::size_t i = 0; i < row.size(); ++i) at(row[i]).position = static_cast<int>(i);
}

// Counts inversions between the positions of both ends with a Fenwick tree, layer by layer (Barth, Mutzel, Juenger
// 2004).
long long Layers::crossings() const {
    long long total = 0;
    for (std::size_t layer = 0; layer + 1 < m_layers.size(); ++layer) {
        std::vector<int> tree(m_layers[layer + 1].size() + 1, 0);
        int added = 0;
        for (const int v : m_layers[layer]) {
            std::vector<int> ends;
            for (const int lower : at(v).below) ends.push_back(at(lower).position);
            std::sort(ends.begin(), ends.end());
            for (const int end : ends) {
                int notAfter = 0;
                for (int i = end + 1; i > 0; i -= i & -i) notAfter += tree[index(i)];
                total += added - notAfter;
            }
            for (const int end : ends) {
                for (int i = end + 1; i < static_cast<int>(tree.size()); i += i & -i) ++tree[index(i)];
                ++added;
            }
        }
    }
    return total;
}

void Layers::sweep(bool down) {
    const int layers = static_cast<int>(m_layers.size());
    std::vector<double> centre(m_vertices.size());
    for (int step = 1; step < layers; ++step) {
        const int layer = down ? step : layers - 1 - step;
        std::vector<int>& row = m_layers[index(layer)];
        for (const int v : row) {
            const std::vector<int>& neighbours = down ? at(v).above : at(v).below;
            double sum = 0;
            for (const int n : neighbours) sum += at(n).position;
            centre[index(v)] = neighbours.empty() ? at(v).position : sum / static_cast<double>(neighbours.size());
        }
        std::stable_sort(row.begin(), row.end(), [&](int a, int b) { return centre[index(a)] < centre[index(b)]; });
        renumber(layer);
    }
}

void Layers::order() {
    std::vector<std::vector<int>> best = m_layers;
    long long fewest = crossings();
    for (int i = 0; i < orderSweeps && fewest > 0; ++i) {
        sweep(i % 2 == 0);
        const long long now = crossings();
        if (now >= fewest) continue;
        fewest = now;
        best = m_layers;
    }
    m_layers = std::move(best);
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer) renumber(static_cast<int>(layer));
}

// Draws every vertex of a layer to the mean of its neighbours, keeping the order and the gaps: with y = x minus the
// least offsets the constraint is "y does not fall", and pooling adjacent violators finds the least squares.
void Layers::settle(int layer, bool useAbove, bool useBelow) {
    struct Block {
        double sum, weight;
        int count;
        double mean() const { return sum / weight; }
    };
    const std::vector<int>& row = m_layers[index(layer)];
    std::vector<double> offset(row.size(), 0);
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const Vertex& v = at(row[i]);
        if (i > 0) {
            const Vertex& left = at(row[i - 1]);
            const double gap = left.bend && v.bend ? m_input.nodeGap * 0.5 : m_input.nodeGap;
            offset[i] = offset[i - 1] + (left.width + v.width) / 2 + gap;
        }
        double sum = 0, weight = 0;
        const auto draw = [&](const std::vector<int>& neighbours) {
            for (const int n : neighbours) {
                const double pull = v.bend && at(n).bend ? 8 : v.bend || at(n).bend ? 2 : 1; // long edges run straight
                sum += pull * at(n).x;
                weight += pull;
            }
        };
        if (useAbove) draw(v.above);
        if (useBelow) draw(v.below);
        if (weight == 0) {
            weight = 0.05;
            sum = weight * v.x;
        }
        blocks.push_back({sum - weight * offset[i], weight, 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
            const Block last = blocks.back();
            blocks.pop_back();
            blocks.back().sum += last.sum;
            blocks.back().weight += last.weight;
            blocks.back().count += last.count;
        }
    }
    std::size_t i = 0;
    for (const Block& block : blocks)
        for (int k = 0; k < block.count; ++k, ++i) at(row[i]).x = block.mean() + offset[i];
}

void Layers::place() {
    for (const std::vector<int>& row : m_layers) {
        double x = 0;
        for (const int v : row) {
            at(v).x = x + at(v).width / 2;
            x += at(v).width + m_input.nodeGap;
        }
        for (const int v : row) at(v).x -= x / 2; // layers start centred
    }
    const int layers = static_cast<int>(m_layers.size());
    for (int i = 0; i < placeSweeps; ++i) {
        for (int layer = 1; layer < layers; ++layer) settle(layer, true, false);
        for (int layer = layers - 2; layer >= 0; --layer) settle(layer, false, true);
    }
    for (int i = 0; i < 4; ++i)
        for (int layer = 0; layer < layers; ++layer) settle(layer, true, true);
}

void Layers::measure() {
    double top = 0;
    for (const std::vector<int>& row : m_layers) {
        double height = 0;
        int edges = 0;
        for (const int v : row) {
            height = std::max(height, at(v).height);
            edges += static_cast<int>(at(v).below.size());
        }
        m_bands.push_back({top, height});
        // Where many edges pass there is more room, so that slopes stay readable.
        top += height + m_input.layerGap * (1 + std::min(1.5, edges / 40.0));
    }
}

Route Layers::route(const Chain& chain, double startX, double endX) const {
    const auto curve = [](Route& line, QPointF to) {
        const QPointF from = line.back();
        const double half = (to.y() - from.y()) * 0.5;
        line.push_back({from.x(), from.y() + half});
        line.push_back({to.x(), to.y() - half});
        line.push_back(to);
    };
    const Vertex &first = at(chain.vertices.front()), &last = at(chain.vertices.back());
    Route line{{startX, band(first).middle() + first.height / 2}};
    for (std::size_t i = 1; i + 1 < chain.vertices.size(); ++i) {
        const Vertex& bend = at(chain.vertices[i]);
        curve(line, {bend.x, band(bend).top});
        curve(line, {bend.x, band(bend).top + band(bend).height}); // straight past the boxes of the layer
    }
    curve(line, {endX, band(last).middle() - last.height / 2});
    return line;
}

GraphLayout Layers::result() {
    GraphLayout out;
    if (m_input.nodes.empty()) return out;
    measure();
    double left = std::numeric_limits<double>::max(), right = std::numeric_limits<double>::lowest();
    for (const Vertex& v : m_vertices) {
        left = std::min(left, v.x - v.width / 2);
        right = std::max(right, v.x + v.width / 2);
    }
    for (std::size_t i = 0; i < m_input.nodes.size(); ++i) {
        const Vertex& v = m_vertices[i];
        out.boxes.emplace_back(v.x - v.width / 2 - left, band(v).middle() - v.height / 2, v.width, v.height);
    }
    // Edges leave and enter a box side by side, in the order of where they lead.
    std::vector<double> startX(m_chains.size()), endX(m_chains.size());
    std::vector<std::vector<std::pair<double, int>>> leaving(m_input.nodes.size()), entering(m_input.nodes.size());
    for (std::size_t e = 0; e < m_chains.size(); ++e) {
        const std::vector<int>& chain = m_chains[e].vertices;
        if (chain.empty()) continue;
        leaving[index(chain.front())].push_back({at(chain[1]).x, static_cast<int>(e)});
        entering[index(chain.back())].push_back({at(chain[chain.size() - 2]).x, static_cast<int>(e)});
    }
    const auto spread = [](std::vector<std::pair<double, int>>& ends, const Vertex& v, std::vector<double>& xs) {
        std::sort(ends.begin(), ends.end());
        const double count = static_cast<double>(ends.size());
        const double step = std::min(16.0, v.width * 0.7 / std::max(1.0, count));
        for (std::size_t i = 0; i < ends.size(); ++i)
            xs[index(ends[i].second)] = v.x + step * (static_cast<double>(i) - (count - 1) / 2);
    };
    for (std::size_t i = 0; i < m_input.nodes.size(); ++i) {
        spread(leaving[i], m_vertices[i], startX);
        spread(entering[i], m_vertices[i], endX);
    }
    for (std::size_t e = 0; e < m_chains.size(); ++e) {
        const Chain& chain = m_chains[e];
        Route line;
        if (!chain.vertices.empty()) {
            line = route(chain, startX[e], endX[e]);
            if (chain.turned) std::reverse(line.begin(), line.end());
        }
        for (QPointF& p : line) p.rx() -= left;
        out.routes.push_back(std::move(line));
    }
    out.size = {right - left, m_bands.back().top + m_bands.back().height};
    return out;
}

} // namespace strata::layout
