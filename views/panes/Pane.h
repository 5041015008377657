#pragma once
// One pane: a view of one part of the trace. The application creates panes, docks them and moves the timeline; a pane
// shows what the model holds at a moment and tells by itself, in words, why it is empty.
//
// To write a pane: build widgets inside body() in the constructor, override showAt() (and relight() when the pane marks
// items), call setEmpty() or setFilled(), and put every text in retranslate().

#include "views/canvas/Theme.h"
#include "views/model/Selection.h"
#include "views/model/Timeline.h"
#include "views/model/TraceModel.h"

#include <QWidget>

class QStackedLayout;

namespace strata::panes {

/// What every pane is given; all outlive the panes.
struct PaneContext {
    model::TraceModel* model = nullptr;
    model::Selection* selection = nullptr;
    model::Timeline* timeline = nullptr;
    canvas::ThemeProvider* themes = nullptr;
};

class EmptyState;

class Pane : public QWidget {
    Q_OBJECT

public:
    /// `key` names the pane in settings and in openPane: "map", "source", "bytecode", "guards", "fx", "joint", "prims",
    /// "loops", "kernels", "eager", "launches". It becomes the object name.
    Pane(const QString& key, const PaneContext& context, QWidget* parent = nullptr);
    ~Pane() override;

    QString key() const { return objectName(); }
    /// The title in the application's language, for the dock.
    virtual QString title() const = 0;
    /// The stage whose colour marks the pane.
    virtual model::Stage stage() const = 0;

    bool isFilled() const;
    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {200, 140}; }

Q_SIGNALS:
    /// The user asked for another pane by its key.
    void openPane(const QString& key);
    /// title() changed with the language.
    void titleChanged();

protected:
    /// Shows the model at this moment. Called when the timeline moved, records came, and when the pane becomes
    /// visible; never while hidden. Called often: do nothing when nothing changed.
    virtual void showAt(const model::Moment& moment) = 0;
    /// The selection changed. Never while hidden; shown panes get it after showAt.
    virtual void relight() {}
    /// The theme changed; called once before the first showAt too.
    virtual void applyTheme(const canvas::Theme& theme) { (void)theme; }
    /// The language changed; called once before the first showAt too. Sets every text.
    virtual void retranslate() {}

    model::TraceModel& model() const { return *m_context.model; }
    model::Selection& selection() const { return *m_context.selection; }
    model::Timeline& timeline() const { return *m_context.timeline; }
    const canvas::Theme& theme() const { return m_context.themes->theme(); }
    const PaneContext& context() const { return m_context; }

    /// Where the pane's widgets go; it needs a layout of the pane's own.
    QWidget* body() const { return m_body; }
    /// Shows `heading` (what would be here) and `why` (why nothing is) instead of the body.
    void setEmpty(const QString& heading, const QString& why);
    void setFilled();
    /// Asks for showAt() at the timeline's moment soon, once.
    void refresh();

    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void prepare();
    void update(const model::Moment& moment);

    PaneContext m_context;
    QStackedLayout* m_stack;
    QWidget* m_body;
    EmptyState* m_empty;
    bool m_prepared = false;
    bool m_refreshPending = false;
};

} // namespace strata::panes
