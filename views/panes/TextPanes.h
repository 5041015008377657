#pragma once
// Panes that show texts of the trace side by side, linked line by line: bytecode, and generated code down to assembly.

#include "views/panes/CodeView.h"
#include "views/panes/Pane.h"
#include "views/panes/PaneBar.h"

#include <QLabel>

#include <vector>

namespace strata::panes {

/// Several artifacts of one compile, one a column.
class ColumnsPane : public Pane {
    Q_OBJECT

public:
    struct Column {
        QString kind;
        CodeView::Language language = CodeView::Language::Plain;
    };
    ColumnsPane(const QString& key, std::vector<Column> columns, const PaneContext& context, QWidget* parent);

protected:
    void showAt(const model::Moment& moment) override;
    void relight() override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;
    /// Heading and reason of the empty pane.
    virtual std::pair<QString, QString> emptyWords() const = 0;
    /// A few words beside the chooser.
    virtual QString info(const QString& compile, const QString& region) const = 0;

private:
    struct View {
        QLabel* title = nullptr;
        CodeView* text = nullptr;
        int artifact = -1;
    };
    void fillChooser(int shown);
    void showChoice();

    std::vector<Column> m_columns;
    std::vector<View> m_views;
    PaneBar* m_bar;
    std::vector<std::pair<QString, QString>> m_choices; // compile, region
    int m_shown = -1;
};

/// CPython's bytecode of a frame, and what runs in its place.
class BytecodePane : public ColumnsPane {
    Q_OBJECT

public:
    explicit BytecodePane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override { return tr("Bytecode"); }
    model::Stage stage() const override { return model::Stage::Dynamo; }

protected:
    std::pair<QString, QString> emptyWords() const override;
    QString info(const QString& compile, const QString& region) const override;
};

/// Generated C++, the LLVM IR and the assembly that were made from it.
class KernelsPane : public ColumnsPane {
    Q_OBJECT

public:
    explicit KernelsPane(const PaneContext& context, QWidget* parent = nullptr);
    QString title() const override { return tr("Kernels"); }
    model::Stage stage() const override { return model::Stage::Codegen; }

protected:
    std::pair<QString, QString> emptyWords() const override;
    QString info(const QString& compile, const QString& region) const override;
};

} // namespace strata::panes
