#include "views/panes/FusionTable.h"

#include "views/model/Words.h"

#include <algorithm>

namespace strata::panes {

FusionTable::FusionTable(const model::TraceModel* model, QObject* parent)
    : QAbstractTableModel(parent), m_model(model) {}

void FusionTable::show(const QString& compile, const QString& region, int position) {
    std::vector<int> rows;
    const auto& fusions = m_model->fusions();
    for (int i = 0; i < model::TraceModel::prefix(fusions, position); ++i) {
        const model::Fusion& fusion = fusions[static_cast<std::size_t>(i)];
        if (fusion.compile == compile && fusion.region == region) rows.push_back(i);
    }
    const bool same = compile == m_compile && region == m_region;
    if (same && rows == m_rows) return;
    const bool grows = same && rows.size() > m_rows.size() && std::equal(m_rows.begin(), m_rows.end(), rows.begin());
    m_compile = compile;
    m_region = region;
    if (grows) {
        beginInsertRows({}, static_cast<int>(m_rows.size()), static_cast<int>(rows.size()) - 1);
        m_rows = std::move(rows);
        endInsertRows();
    } else {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
}

void FusionTable::setTheme(const canvas::Theme& theme) {
    m_theme = theme;
    retranslate();
}

void FusionTable::retranslate() {
    if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

const model::Fusion& FusionTable::at(int row) const {
    return m_model->fusions()[static_cast<std::size_t>(m_rows[static_cast<std::size_t>(row)])];
}

int FusionTable::fusedCount() const {
    int count = 0;
    for (int row = 0; row < rowCount(); ++row) count += at(row).fused;
    return count;
}

int FusionTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FusionTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString FusionTable::text(const model::Fusion& fusion, int column) const {
    const auto label = [this](model::ItemId id) {
        if (id < 0) return QString();
        const model::Item& item = m_model->item(id);
        return item.label.isEmpty() ? item.id.section(QLatin1Char(':'), -1) : item.label;
    };
    switch (column) {
    case Outcome:
        return fusion.fused ? tr("fused") : tr("kept apart");
    case First:
        return label(fusion.a);
    case Second:
        return label(fusion.b);
    case Saves:
        return fusion.score > 0 ? model::Words::bytes(static_cast<double>(fusion.score)) : QString();
    case Why:
        return model::Words::fusion(fusion.rule, fusion.values);
    default:
        return {};
    }
}

QVariant FusionTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const model::Fusion& fusion = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(fusion, index.column());
    case Qt::ToolTipRole:
        return text(fusion, Why);
    case Qt::ForegroundRole:
        if (index.column() == Outcome) return fusion.fused ? m_theme.ok : m_theme.warning;
        return index.column() == Why ? m_theme.muted : m_theme.text;
    case Qt::TextAlignmentRole:
        return index.column() == Saves ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                       : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant FusionTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == Saves)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Outcome:
        return tr("Decision");
    case First:
        return tr("First loop");
    case Second:
        return tr("Second loop");
    case Saves:
        return tr("Traffic saved");
    case Why:
        return tr("Why");
    default:
        return {};
    }
}

} // namespace strata::panes
