#include "views/panes/Pane.h"

#include "views/panes/EmptyState.h"

#include <QEvent>
#include <QStackedLayout>
#include <QTimer>

namespace strata::panes {

Pane::Pane(const QString& key, const PaneContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_stack(new QStackedLayout(this)), m_body(new QWidget(this)),
      m_empty(new EmptyState(this)) {
    setObjectName(key);
    m_stack->setContentsMargins(0, 0, 0, 0);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_body);
    connect(context.timeline, &model::Timeline::moved, this, [this](const model::Moment& moment) {
        if (isVisible()) update(moment);
    });
    connect(context.model, &model::TraceModel::appended, this, &Pane::refresh);
    connect(context.model, &model::TraceModel::cleared, this, &Pane::refresh);
    connect(context.selection, &model::Selection::changed, this, [this] {
        if (isVisible() && m_prepared) relight();
    });
    connect(context.themes, &canvas::ThemeProvider::changed, this, [this] {
        if (!m_prepared) return;
        m_empty->setTheme(theme(), stage());
        applyTheme(theme());
        QWidget::update();
    });
}

Pane::~Pane() = default;

bool Pane::isFilled() const {
    return m_stack->currentWidget() == m_body;
}

void Pane::setEmpty(const QString& heading, const QString& why) {
    m_empty->setWords(heading, why);
    m_stack->setCurrentWidget(m_empty);
}

void Pane::setFilled() {
    m_stack->setCurrentWidget(m_body);
}

void Pane::refresh() {
    if (m_refreshPending) return;
    m_refreshPending = true;
    // Records come in bursts: one look at the model serves them all.
    QTimer::singleShot(0, this, [this] {
        m_refreshPending = false;
        if (isVisible()) update(m_context.timeline->moment());
    });
}

void Pane::prepare() {
    if (m_prepared) return;
    m_prepared = true;
    m_empty->setTheme(theme(), stage());
    applyTheme(theme());
    retranslate();
}

void Pane::update(const model::Moment& moment) {
    prepare();
    showAt(moment);
    relight();
}

void Pane::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LanguageChange) return;
    if (m_prepared) {
        retranslate();
        if (isVisible()) update(m_context.timeline->moment());
    }
    Q_EMIT titleChanged();
}

void Pane::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    update(m_context.timeline->moment());
}

} // namespace strata::panes
