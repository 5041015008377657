#pragma once
// Graphviz's `dot` as a child process with a time limit. A result that a newer request has overtaken is dropped.

#include "views/layout/Geometry.h"

#include <QObject>
#include <QProcess>

namespace strata::layout {

/// The graph in dot's language; nodes are n0, n1, .. and sizes are inches, 72 pixels each.
QByteArray dotText(const GraphInput& input);
/// Reads `dot -Tplain` for this input. Empty when the text is not that.
GraphLayout parsePlain(const GraphInput& input, const QByteArray& plain);

class DotLayout : public QObject {
    Q_OBJECT

public:
    explicit DotLayout(QObject* parent = nullptr);
    ~DotLayout() override;

    /// What to start instead of `dot`, with its first arguments; for tests.
    void setProgram(const QString& program, const QStringList& arguments = {});
    void setTimeLimit(int ms) { m_limitMs = ms; }
    /// Larger graphs are not given to dot: it would run into the limit.
    static constexpr int mostNodes = 600;

    /// Starts the layout and gives its job id; exactly one of finished and failed follows, unless another start() or
    /// cancel() comes first. Nothing is waited for.
    int start(const GraphInput& input);
    void cancel();
    bool isRunning() const { return m_process != nullptr; }

Q_SIGNALS:
    void finished(int job, const strata::layout::GraphLayout& layout);
    /// `reason`: missing, time_limit, too_large, crashed, unreadable.
    void failed(int job, const QString& reason);

private:
    void end(int job, const QString& failure);
    void drop();

    QString m_program = QStringLiteral("dot");
    QStringList m_arguments;
    int m_limitMs = 3000;
    int m_job = 0;
    QProcess* m_process = nullptr;
    GraphInput m_input;
};

} // namespace strata::layout
