#include "views/panes/DispatchTable.h"

namespace strata::panes {

DispatchTable::DispatchTable(const model::TraceModel* model, const model::Selection* selection, QObject* parent)
    : QAbstractTableModel(parent), m_model(model), m_selection(selection) {
    connect(model, &model::TraceModel::cleared, this, [this] { show(0); });
}

void DispatchTable::show(int position) {
    const int rows = model::TraceModel::prefix(m_model->dispatches(), position);
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    } else if (rows < m_rows) {
        beginRemoveRows({}, rows, m_rows - 1);
        m_rows = rows;
        endRemoveRows();
    }
}

void DispatchTable::setTheme(const canvas::Theme& theme) {
    m_theme = theme;
    restyle();
}

void DispatchTable::restyle() {
    if (m_rows > 0) Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int DispatchTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int DispatchTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString DispatchTable::text(int row, int column) const {
    const model::Dispatch& d = m_model->dispatches()[static_cast<std::size_t>(row)];
    switch (column) {
    case Number:
        return QString::number(row + 1);
    case Op:
        return d.op;
    case Keys:
        return d.keys.join(QStringLiteral(" → "));
    case Arguments:
        return d.arguments;
    case Line:
        return d.line > 0 ? QString::number(d.line) : QString();
    case Launches:
        return QString::number(d.launches);
    default:
        return {};
    }
}

QVariant DispatchTable::background(const model::Dispatch& row) const {
    switch (m_selection->lit(row.source)) {
    case model::Lit::Selected:
        return canvas::mix(m_theme.surface, m_theme.selected, 0.22);
    case model::Lit::Upstream:
        return canvas::mix(m_theme.surface, m_theme.upstream, 0.22);
    case model::Lit::Downstream:
        return canvas::mix(m_theme.surface, m_theme.downstream, 0.22);
    case model::Lit::None:
        break;
    }
    return {};
}

QVariant DispatchTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_rows) return {};
    const bool number = index.column() == Number || index.column() == Line || index.column() == Launches;
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return index.column() == Number ? QVariant() : text(index.row(), index.column());
    case Qt::FontRole:
        return index.column() == Number || index.column() >= Arguments ? QVariant(canvas::Theme::mono(-1.5))
                                                                       : QVariant();
    case Qt::ForegroundRole:
        return index.column() == Op ? m_theme.text : m_theme.muted;
    case Qt::BackgroundRole:
        return background(m_model->dispatches()[static_cast<std::size_t>(index.row())]);
    case Qt::TextAlignmentRole:
        return number ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant DispatchTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool number = section == Number || section == Line || section == Launches;
    if (role == Qt::TextAlignmentRole && number) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Number:
        return QStringLiteral("#");
    case Op:
        return tr("Operation");
    case Keys:
        return tr("Dispatch keys");
    case Arguments:
        return tr("Tensors");
    case Line:
        return tr("Line");
    case Launches:
        return tr("Launches");
    default:
        return {};
    }
}

} // namespace strata::panes
