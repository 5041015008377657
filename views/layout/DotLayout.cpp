#include "views/layout/DotLayout.h"

#include <QList>
#include <QTimer>

#include <algorithm>
#include <map>

namespace strata::layout {

namespace {

constexpr double inch = 72;

QByteArray inches(double pixels) {
    return QByteArray::number(pixels / inch, 'f', 4);
}

std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

// "node n3 x y w h .." and "edge n0 n1 count x y .." with y growing upwards.
class PlainReader {
public:
    PlainReader(const GraphInput& input, double height) : m_input(input), m_height(height) {
        m_layout.boxes.resize(input.nodes.size());
        m_layout.routes.resize(input.edges.size());
        for (std::size_t e = 0; e < input.edges.size(); ++e)
            m_edges[{input.edges[e].from, input.edges[e].to}].push_back(static_cast<int>(e));
    }

    bool node(const QList<QByteArray>& words) {
        const int i = number(words.value(1));
        if (words.size() < 6 || i < 0 || i >= static_cast<int>(m_input.nodes.size())) return false;
        const QSizeF size(m_input.nodes[index(i)].width, m_input.nodes[index(i)].height);
        const QPointF centre = point(words[2], words[3]);
        m_layout.boxes[index(i)] = {centre - QPointF(size.width() / 2, size.height() / 2), size};
        ++m_nodes;
        return true;
    }

    bool edge(const QList<QByteArray>& words) {
        if (words.size() < 4) return false;
        const int count = words[3].toInt();
        auto& waiting = m_edges[{number(words[1]), number(words[2])}];
        if (count < 4 || count % 3 != 1 || words.size() < 4 + 2 * count || waiting.empty()) return false;
        Route line;
        for (int i = 0; i < count; ++i) line.push_back(point(words[4 + 2 * i], words[5 + 2 * i]));
        m_layout.routes[index(waiting.front())] = std::move(line);
        waiting.erase(waiting.begin());
        return true;
    }

    bool complete() const { return m_nodes == m_input.nodes.size(); }

    GraphLayout take() {
        m_layout.groups.resize(index(m_input.groupCount()));
        for (std::size_t i = 0; i < m_input.nodes.size(); ++i)
            if (m_input.nodes[i].group >= 0) m_layout.groups[index(m_input.nodes[i].group)] |= m_layout.boxes[i];
        QRectF bounds;
        for (QRectF& group : m_layout.groups) {
            if (group.isNull()) continue;
            group.adjust(-m_input.groupPadding, -m_input.groupPadding - m_input.groupTitle, m_input.groupPadding,
                         m_input.groupPadding);
            bounds |= group;
        }
        for (const QRectF& box : m_layout.boxes) bounds |= box;
        for (const Route& line : m_layout.routes)
            for (const QPointF& p : line) bounds |= QRectF(p, QSizeF(1e-6, 1e-6));
        move(-bounds.topLeft());
        m_layout.size = bounds.size();
        return std::move(m_layout);
    }

private:
    static int number(const QByteArray& name) {
        bool ok = false;
        const int value = name.mid(1).toInt(&ok);
        return ok && name.startsWith('n') ? value : -1;
    }
    QPointF point(const QByteArray& x, const QByteArray& y) const {
        return {x.toDouble() * inch, (m_height - y.toDouble()) * inch};
    }
    void move(const QPointF& by) {
        for (QRectF& box : m_layout.boxes) box.translate(by);
        for (QRectF& group : m_layout.groups)
            if (!group.isNull()) group.translate(by);
        for (Route& line : m_layout.routes)
            for (QPointF& p : line) p += by;
    }

    const GraphInput& m_input;
    double m_height;
    std::size_t m_nodes = 0;
    GraphLayout m_layout;
    std::map<std::pair<int, int>, std::vector<int>> m_edges;
};

} // namespace

QByteArray dotText(const GraphInput& input) {
    QByteArray text = "digraph {\n  graph [rankdir=TB, nodesep=" + inches(input.nodeGap) +
                      ", ranksep=" + inches(input.layerGap) +
                      "];\n  node [shape=box, fixedsize=true, label=\"\"];\n  edge [arrowhead=none];\n";
    const auto node = [&](std::size_t i) {
        return "n" + QByteArray::number(static_cast<int>(i)) + " [width=" + inches(input.nodes[i].width) +
               ", height=" + inches(input.nodes[i].height) + "];\n";
    };
    for (std::size_t i = 0; i < input.nodes.size(); ++i)
        if (input.nodes[i].group < 0) text += "  " + node(i);
    for (int g = 0; g < input.groupCount(); ++g) {
        // The label's height is what makes room for the title of a group.
        text += "  subgraph cluster_" + QByteArray::number(g) +
                " {\n    margin=" + QByteArray::number(input.groupPadding, 'f', 1) +
                "; label=\"x\"; fontsize=" + QByteArray::number(input.groupTitle * 0.8, 'f', 1) + ";\n";
        for (std::size_t i = 0; i < input.nodes.size(); ++i)
            if (input.nodes[i].group == g) text += "    " + node(i);
        text += "  }\n";
    }
    const int count = static_cast<int>(input.nodes.size());
    for (const auto& [from, to] : input.edges)
        if (from >= 0 && to >= 0 && from < count && to < count)
            text += "  n" + QByteArray::number(from) + " -> n" + QByteArray::number(to) + ";\n";
    return text + "}\n";
}

GraphLayout parsePlain(const GraphInput& input, const QByteArray& plain) {
    const QList<QByteArray> lines = plain.split('\n');
    const QList<QByteArray> head = lines.value(0).split(' ');
    if (head.size() < 4 || head[0] != "graph") return {};
    PlainReader reader(input, head[3].toDouble());
    for (const QByteArray& line : lines) {
        const QList<QByteArray> words = line.split(' ');
        if (words[0] == "node" && !reader.node(words)) return {};
        if (words[0] == "edge" && !reader.edge(words)) return {};
    }
    return reader.complete() ? reader.take() : GraphLayout{};
}

DotLayout::DotLayout(QObject* parent) : QObject(parent) {}

DotLayout::~DotLayout() {
    drop();
}

void DotLayout::setProgram(const QString& program, const QStringList& arguments) {
    m_program = program;
    m_arguments = arguments;
}

// Ends the child without waiting for it; nothing of it is heard any more.
void DotLayout::drop() {
    if (!m_process) return;
    QProcess* process = m_process;
    m_process = nullptr;
    process->disconnect(this);
    process->setParent(nullptr);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    if (process->state() == QProcess::NotRunning)
        process->deleteLater();
    else
        process->kill();
}

void DotLayout::cancel() {
    ++m_job;
    drop();
}

int DotLayout::start(const GraphInput& input) {
    cancel();
    const int job = m_job;
    if (static_cast<int>(input.nodes.size()) > mostNodes) {
        QTimer::singleShot(0, this, [this, job] { end(job, QStringLiteral("too_large")); });
        return job;
    }
    m_input = input;
    m_process = new QProcess(this);
    connect(m_process, &QProcess::errorOccurred, this, [this, job](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) end(job, QStringLiteral("missing"));
    });
    connect(m_process, &QProcess::finished, this, [this, job](int code, QProcess::ExitStatus status) {
        end(job, status == QProcess::NormalExit && code == 0 ? QString() : QStringLiteral("crashed"));
    });
    QTimer::singleShot(m_limitMs, m_process, [this, job] { end(job, QStringLiteral("time_limit")); });
    m_process->start(m_program, m_arguments + QStringList{QStringLiteral("-Tplain")});
    m_process->write(dotText(input));
    m_process->closeWriteChannel();
    return job;
}

void DotLayout::end(int job, const QString& failure) {
    if (job != m_job) return; // overtaken
    GraphLayout layout;
    QString reason = failure;
    if (reason.isEmpty()) {
        layout = parsePlain(m_input, m_process->readAllStandardOutput());
        if (layout.isEmpty() && !m_input.nodes.empty()) reason = QStringLiteral("unreadable");
    }
    drop();
    if (reason.isEmpty())
        Q_EMIT finished(job, layout);
    else
        Q_EMIT failed(job, reason);
}

} // namespace strata::layout
