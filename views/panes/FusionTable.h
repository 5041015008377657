#pragma once
// The scheduler's decisions on pairs of loops, as rows: which two, fused or not, why, and what it saves.

#include "views/canvas/Theme.h"
#include "views/model/TraceModel.h"

#include <QAbstractTableModel>

#include <vector>

namespace strata::panes {

class FusionTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Outcome, First, Second, Saves, Why, ColumnCount };

    explicit FusionTable(const model::TraceModel* model, QObject* parent = nullptr);

    /// The decisions of a compile's region among records [0, position).
    void show(const QString& compile, const QString& region, int position);
    void setTheme(const canvas::Theme& theme);
    void retranslate();
    const model::Fusion& at(int row) const;
    int fusedCount() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const model::Fusion& fusion, int column) const;

    const model::TraceModel* m_model;
    QString m_compile, m_region;
    std::vector<int> m_rows; // indices into fusions()
    canvas::Theme m_theme;
};

} // namespace strata::panes
