#pragma once
// Panes that are tables: the guards of each cache entry, what the program printed, and what went otherwise than hoped.

#include "views/panes/Pane.h"

class QPlainTextEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace strata::panes {

/// Per cache entry what its graph relies on; the guard that failed first is marked, with how often and how long checks
/// ran.
class GuardsPane : public Pane {
    Q_OBJECT

public:
    explicit GuardsPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override { return tr("Guards"); }
    model::Stage stage() const override { return model::Stage::Guards; }

protected:
    void showAt(const model::Moment& moment) override;
    void relight() override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;

private:
    void fill(int shown);
    QString summary(const QString& compile, int shown) const;

    QTreeWidget* m_tree;
    int m_shown = -1;
    bool m_lighting = false;
};

/// Standard output and error, and tracebacks.
class ConsolePane : public Pane {
    Q_OBJECT

public:
    explicit ConsolePane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override { return tr("Console"); }
    model::Stage stage() const override { return model::Stage::Other; }
    /// A line of the application's own: the engine ended, a file was damaged.
    void say(const QString& words);

protected:
    void showAt(const model::Moment& moment) override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;

private:
    QPlainTextEdit* m_text;
    QString m_said;
    int m_shown = -1;
};

/// Graph breaks, frames that were not compiled, recompiles and exceptions, each with its reason and place.
class ProblemsPane : public Pane {
    Q_OBJECT

public:
    explicit ProblemsPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override { return tr("Problems"); }
    model::Stage stage() const override { return model::Stage::Dynamo; }

Q_SIGNALS:
    void placeActivated(const QString& file, int line);

protected:
    void showAt(const model::Moment& moment) override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;

private:
    void add(const QColor& colour, const QString& what, const QString& why, const QString& hint, const QString& file,
             int line);

    QTreeWidget* m_tree;
    int m_shown = -1;
};

} // namespace strata::panes
