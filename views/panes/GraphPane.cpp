#include "views/panes/GraphPane.h"

#include "views/layout/LayeredLayout.h"
#include "views/model/Words.h"
#include "views/panes/CodeView.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace strata::panes {

using canvas::GraphCanvas;
using canvas::Scene;
using canvas::SceneFrame;
using model::Moment;

namespace {

constexpr int moveMs = 220; // from the layered places to dot's
constexpr int widthForText = 1000;

} // namespace

GraphPane::GraphPane(const QString& key, const PaneContext& context, QWidget* parent)
    : Pane(key, context, parent), m_bar(new PaneBar(body())), m_canvas(new GraphCanvas(body())),
      m_column(new QVBoxLayout(body())), m_area(new QSplitter(Qt::Horizontal, body())),
      m_textButton(m_bar->addButton(QStringLiteral("text"))), m_dot(new layout::DotLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addWidget(m_bar);
    m_area->setChildrenCollapsible(false);
    m_area->addWidget(m_canvas);
    m_column->addWidget(m_area, 1);
    m_textButton->setCheckable(true);
    connect(m_textButton, &QToolButton::clicked, this, &GraphPane::showText);
    connect(m_bar->addButton(QStringLiteral("minus")), &QToolButton::clicked, m_canvas, &GraphCanvas::zoomOut);
    connect(m_bar->addButton(QStringLiteral("plus")), &QToolButton::clicked, m_canvas, &GraphCanvas::zoomIn);
    connect(m_bar->addButton(QStringLiteral("fit")), &QToolButton::clicked, m_canvas, &GraphCanvas::fitAll);
    connect(m_bar->chooser(), &QComboBox::activated, this, [this](int row) {
        m_pinned =
            row == 0 || row > static_cast<int>(m_listed.size()) ? -1 : m_listed[static_cast<std::size_t>(row - 1)];
        showAt(timeline().moment());
        relight();
    });
    connect(m_canvas, &GraphCanvas::nodeClicked, this,
            [this](int node) { selection().select(m_canvas->scene().nodes[static_cast<std::size_t>(node)].item); });
    connect(m_canvas, &GraphCanvas::groupClicked, this,
            [this](int group) { selection().select(m_canvas->scene().groups[static_cast<std::size_t>(group)].item); });
    connect(m_canvas, &GraphCanvas::backgroundClicked, &selection(), &model::Selection::clear);
    m_canvas->setToolTips(
        [this](int node) { return toolTip(m_canvas->scene().nodes[static_cast<std::size_t>(node)].item); });
    connect(&model(), &model::TraceModel::cleared, this, [this] {
        m_layouts.clear();
        m_listed.clear();
        m_dot->cancel();
        m_artifact = m_pinned = m_textArtifact = -1;
    });
}

bool GraphPane::follows(const model::Artifact&) const {
    return true;
}

int GraphPane::style(int, const Moment&) const {
    return 0;
}

SceneFrame GraphPane::frameAt(int artifact, const Moment& moment) const {
    const double phase = moment.reveal(model().artifacts()[static_cast<std::size_t>(artifact)].record);
    return canvas::appearing(m_canvas->scene(), phase);
}

std::vector<int> GraphPane::candidates(const Moment& moment) const {
    std::vector<int> out;
    for (const QString& kind : kinds())
        for (const int artifact : model().artifactsOf(kind))
            if (model().artifacts()[static_cast<std::size_t>(artifact)].record < moment.shown) out.push_back(artifact);
    std::sort(out.begin(), out.end());
    return out;
}

// The user's choice, else one that the selection touches, else the latest that the pane follows.
int GraphPane::choose(const std::vector<int>& candidates) const {
    if (std::find(candidates.begin(), candidates.end(), m_pinned) != candidates.end()) return m_pinned;
    int latest = -1;
    for (const int artifact : candidates)
        if (follows(model().artifacts()[static_cast<std::size_t>(artifact)])) latest = artifact;
    if (latest < 0 && !candidates.empty()) latest = candidates.back();
    if (!selection().isEmpty() && latest >= 0 && !selection().touches(latest))
        for (auto at = candidates.rbegin(); at != candidates.rend(); ++at)
            if (selection().touches(*at)) return *at;
    return latest;
}

QString GraphPane::artifactTitle(int artifact) const {
    const model::Artifact& a = model().artifacts()[static_cast<std::size_t>(artifact)];
    const model::Compile* compile = model().compile(a.compile);
    const QString function = compile && !compile->function.isEmpty() ? compile->function : QString();
    QString title = function.isEmpty() ? a.compile : QStringLiteral("%1 [%2]").arg(function, a.compile);
    if (kinds().size() > 1) title += QStringLiteral(" · ") + model::Words::artifact(a.kind);
    if (!a.region.isEmpty() && a.kind != a.region) title += QStringLiteral(" · ") + model::Words::region(a.region);
    return title;
}

void GraphPane::fillChooser(const std::vector<int>& candidates) {
    if (candidates == m_listed && m_bar->chooser()->count() > 0) return;
    m_listed = candidates;
    const QSignalBlocker quiet(m_bar->chooser());
    m_bar->chooser()->clear();
    m_bar->chooser()->addItem(tr("Follow the run"));
    for (const int artifact : candidates) m_bar->chooser()->addItem(artifactTitle(artifact));
    const auto pinned = std::find(candidates.begin(), candidates.end(), m_pinned);
    m_bar->chooser()->setCurrentIndex(pinned == candidates.end() ? 0
                                                                 : static_cast<int>(pinned - candidates.begin()) + 1);
}

void GraphPane::showAt(const Moment& moment) {
    const std::vector<int> all = candidates(moment);
    const int artifact = choose(all);
    if (artifact < 0) {
        const auto [heading, why] = emptyWords(moment);
        m_artifact = -1;
        setEmpty(heading, why);
        return;
    }
    setFilled();
    fillChooser(all);
    if (artifact != m_artifact)
        open(artifact, moment);
    else if (style(artifact, moment) != m_style)
        restyle(moment);
    place(moment);
    refreshText(moment);
    SceneFrame frame = frameAt(artifact, moment);
    followNewest(frame);
    m_canvas->setFrame(std::move(frame));
    const QString words = info(artifact, moment);
    m_bar->setInfo(m_pinned >= 0 ? words : artifactTitle(artifact) + QStringLiteral("    ") + words);
}

void GraphPane::open(int artifact, const Moment& moment) {
    m_artifact = artifact;
    m_style = style(artifact, moment);
    m_newest = -1;
    m_dot->cancel();
    Scene scene = build(artifact, moment);
    arrange(scene);
    m_canvas->setScene(std::move(scene));
    shown(artifact);
}

// Neighbours keep their sides from one state of a graph to the next: nodes are matched by name.
layout::GraphInput GraphPane::inputLike(const Scene& scene) const {
    QHash<QString, double> before;
    for (std::size_t i = 0; i < m_canvas->scene().nodes.size(); ++i)
        before.insert(m_canvas->scene().nodes[i].title, m_canvas->scene().layout.boxes[i].center().x());
    layout::GraphInput input = scene.input();
    for (std::size_t i = 0; i < input.nodes.size(); ++i)
        input.nodes[i].hintX = before.value(scene.nodes[i].title, std::numeric_limits<double>::quiet_NaN());
    return input;
}

void GraphPane::arrange(Scene& scene) {
    const auto known = m_layouts.constFind(m_artifact);
    if (known != m_layouts.constEnd() && known->boxes.size() == scene.nodes.size()) {
        scene.layout = *known;
        return;
    }
    scene.layout = layout::layered(inputLike(scene));
    askDot(scene.input());
}

void GraphPane::askDot(const layout::GraphInput& input) {
    m_dot->disconnect(this);
    const int artifact = m_artifact;
    const int job = m_dot->start(input);
    connect(m_dot, &layout::DotLayout::finished, this,
            [this, artifact, job](int done, const layout::GraphLayout& layout) {
                if (done != job || artifact != m_artifact) return;
                settled(layout);
            });
}

void GraphPane::settled(const layout::GraphLayout& layout) {
    m_layouts.insert(m_artifact, layout);
    m_canvas->moveTo(layout, moveMs);
}

void GraphPane::restyle(const Moment& moment) {
    m_style = style(m_artifact, moment);
    m_canvas->restyle(build(m_artifact, moment));
}

QWidget* GraphPane::area() const {
    return m_area;
}

int GraphPane::textArtifact(int artifact, const Moment&) const {
    return artifact;
}

void GraphPane::showText(bool on) {
    m_textChosen = true;
    m_textButton->setChecked(on);
    applyTextChoice();
}

// Made when first wanted: most panes never need an editor.
void GraphPane::applyTextChoice() {
    const bool on = m_textButton->isChecked();
    if (on && !m_text) {
        m_text = new CodeView(textIsPython() ? CodeView::Language::Python : CodeView::Language::Plain, m_area);
        m_text->setReadOnly(true);
        m_text->applyTheme(theme());
        m_area->addWidget(m_text);
        m_area->setSizes({width() * 3 / 5, width() * 2 / 5});
        connect(m_text, &CodeView::lineActivated, this, [this](int line) {
            if (m_textArtifact >= 0) selection().select(model().itemsAtLine(m_textArtifact, line));
        });
    }
    if (m_text) m_text->setVisible(on);
    if (on && m_artifact >= 0) refreshText(timeline().moment());
}

void GraphPane::refreshText(const Moment& moment) {
    if (!m_text || m_text->isHidden()) return;
    const int wanted = textArtifact(m_artifact, moment);
    if (wanted == m_textArtifact) return;
    m_textArtifact = wanted;
    m_text->showText(wanted < 0 ? QString() : model().artifacts()[static_cast<std::size_t>(wanted)].text);
    m_text->light(model(), selection(), m_textArtifact);
}

void GraphPane::resizeEvent(QResizeEvent* event) {
    Pane::resizeEvent(event);
    if (m_textChosen || m_textButton->isChecked() == (width() >= widthForText)) return;
    m_textButton->setChecked(width() >= widthForText);
    applyTextChoice();
}

void GraphPane::followNewest(const SceneFrame& frame) {
    if (frame.reveal.empty()) return;
    int newest = -1;
    for (std::size_t i = 0; i < frame.reveal.size(); ++i)
        if (frame.reveal[i] > 0) newest = static_cast<int>(i);
    if (newest != m_newest) m_canvas->follow(newest);
    m_newest = newest;
}

void GraphPane::relight() {
    if (m_artifact < 0) return;
    if (const int wanted = choose(m_listed); wanted != m_artifact) showAt(timeline().moment());
    if (m_artifact < 0) return;
    std::vector<model::Lit> nodes, groups;
    if (!selection().isEmpty()) {
        for (const canvas::SceneNode& node : m_canvas->scene().nodes) nodes.push_back(selection().lit(node.item));
        for (const canvas::SceneGroup& group : m_canvas->scene().groups) groups.push_back(selection().lit(group.item));
    }
    m_canvas->setLit(std::move(nodes), std::move(groups));
    if (m_text && m_textArtifact >= 0) m_text->light(model(), selection(), m_textArtifact);
}

void GraphPane::applyTheme(const canvas::Theme& theme) {
    m_bar->setTheme(theme, stage());
    m_canvas->setTheme(theme);
    if (m_text) m_text->applyTheme(theme);
    if (m_artifact >= 0) restyle(timeline().moment());
}

void GraphPane::retranslate() {
    m_listed.clear();
    m_bar->chooser()->clear();
    m_bar->chooser()->setToolTip(tr("Which graph to show"));
    const QList<QToolButton*> buttons = m_bar->findChildren<QToolButton*>();
    for (QToolButton* button : buttons) {
        const QString glyph = button->property("glyph").toString();
        if (glyph == QLatin1String("minus")) button->setToolTip(tr("Smaller"));
        if (glyph == QLatin1String("plus")) button->setToolTip(tr("Larger"));
        if (glyph == QLatin1String("text")) button->setToolTip(tr("The text beside the graph"));
        if (glyph == QLatin1String("fit")) button->setToolTip(tr("Show all (F)"));
    }
    m_canvas->setAccessibleName(title());
    if (m_artifact >= 0) restyle(timeline().moment());
}

QString GraphPane::toolTip(model::ItemId) const {
    return {};
}

} // namespace strata::panes
