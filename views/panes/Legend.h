#pragma once
// A row of colours with their meanings, under a canvas.

#include "views/canvas/Theme.h"

#include <QWidget>

#include <vector>

namespace strata::panes {

class Legend : public QWidget {
    Q_OBJECT

public:
    struct Entry {
        QColor colour;
        QString words;
        bool dashed = false;
        bool filled = false;
    };
    explicit Legend(QWidget* parent = nullptr);
    void set(const canvas::Theme& theme, std::vector<Entry> entries);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Places the entries in rows; gives their left top corners and the height.
    std::vector<QPoint> places(int width, int* height) const;

    canvas::Theme m_theme;
    std::vector<Entry> m_entries;
};

} // namespace strata::panes
