#include "views/panes/TableStyle.h"

#include "views/canvas/Palette.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>

namespace strata::panes {

namespace {

// Words stand off the edges of their cells as the header's do.
class CellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem ground = option;
        initStyleOption(&ground, index);
        QStyleOptionViewItem words = ground;
        ground.text.clear();
        const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
        painter->save();
        painter->setFont(words.font);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(words.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        const QRect box = option.rect.adjusted(margin, 0, -margin, 0);
        painter->drawText(box, static_cast<int>(words.displayAlignment),
                          words.fontMetrics.elidedText(words.text, Qt::ElideRight, box.width()));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * margin, 0);
    }

private:
    static constexpr int margin = 8;
};

} // namespace

void prepareTable(QTableView* table) {
    table->setItemDelegate(new CellDelegate(table));
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setWordWrap(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void paintTable(QTableView* table, const canvas::Theme& theme) {
    table->setPalette(canvas::paletteOf(theme));
    table->setFont(canvas::Theme::font(-0.5));
    table->horizontalHeader()->setFont(canvas::Theme::font(-1, QFont::DemiBold));
    table->verticalHeader()->setDefaultSectionSize(QFontMetrics(table->font()).height() + 8);
    // A header in the pane's own colours: the style's gradients fit no theme.
    table->horizontalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView { background: %1; } QHeaderView::section { background: %1; color: %2; border: 0; "
                       "border-bottom: 1px solid %3; padding: 3px 8px; }")
            .arg(theme.raised.name(), theme.muted.name(), theme.border.name()));
}

} // namespace strata::panes
