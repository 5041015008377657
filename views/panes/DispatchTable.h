#pragma once
// The dispatch log: every operation that eager dispatched, as rows. Rows are not copied: the table is a prefix of the
// model's.

#include "views/canvas/Theme.h"
#include "views/model/Selection.h"

#include <QAbstractTableModel>

namespace strata::panes {

class DispatchTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, Op, Keys, Arguments, Line, Launches, ColumnCount };

    DispatchTable(const model::TraceModel* model, const model::Selection* selection, QObject* parent = nullptr);

    /// The dispatches among records [0, position).
    void show(int position);
    void setTheme(const canvas::Theme& theme);
    /// The selection or the language changed.
    void restyle();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(int row, int column) const;
    QVariant background(const model::Dispatch& row) const;

    const model::TraceModel* m_model;
    const model::Selection* m_selection;
    int m_rows = 0;
    canvas::Theme m_theme;
};

} // namespace strata::panes
