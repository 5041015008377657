#include "views/panes/LoopsPane.h"

#include "views/layout/LayeredLayout.h"
#include "views/model/Fields.h"
#include "views/model/Words.h"
#include "views/panes/FusionTable.h"
#include "views/panes/FxScene.h"
#include "views/panes/Legend.h"
#include "views/panes/TableStyle.h"

#include <QButtonGroup>
#include <QEasingCurve>
#include <QHash>
#include <QHeaderView>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace strata::panes {

namespace fields = model::fields;
using canvas::Scene;
using canvas::SceneNode;
using canvas::Shape;
using model::Moment;
using model::Words;

namespace {

// Of the step in which the scheduler fuses: first the decisions, then the loops move.
constexpr double decisionsEnd = 0.55;

} // namespace

LoopsPane::LoopsPane(const PaneContext& context, QWidget* parent)
    : GraphPane(QStringLiteral("loops"), context, parent), m_states(new QButtonGroup(this)),
      m_table(new FusionTable(context.model, this)), m_view(new QTableView), m_legend(new Legend) {
    for (int i = 0; i < 3; ++i) {
        auto* button = new QToolButton;
        button->setCheckable(true);
        button->setChecked(i == 0);
        m_states->addButton(button, i);
        bar()->addWidget(button);
    }
    connect(m_states, &QButtonGroup::idClicked, this, [this](int id) { setState(static_cast<State>(id)); });
    m_view->setModel(m_table);
    prepareTable(m_view);
    connect(m_view, &QTableView::clicked, this, [this](const QModelIndex& at) {
        const model::Fusion& fusion = m_table->at(at.row());
        selection().select({fusion.a, fusion.b});
    });
    connect(m_table, &FusionTable::rowsInserted, m_view, &QTableView::scrollToBottom);
    column()->removeWidget(area());
    auto* splitter = new QSplitter(Qt::Vertical, body());
    splitter->setChildrenCollapsible(false);
    auto* upper = new QWidget(splitter);
    auto* stack = new QVBoxLayout(upper);
    stack->setContentsMargins(0, 0, 0, 0);
    stack->setSpacing(0);
    stack->addWidget(area(), 1);
    stack->addWidget(m_legend);
    splitter->addWidget(upper);
    splitter->addWidget(m_view);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({560, 180});
    column()->addWidget(splitter, 1);
}

QString LoopsPane::title() const {
    return tr("Loops");
}

void LoopsPane::setState(State state) {
    m_state = state;
    m_states->button(static_cast<int>(state))->setChecked(true);
    showAt(timeline().moment());
    relight();
}

int LoopsPane::fusedOf(int artifact, const Moment& moment) const {
    const model::Artifact& a = model().artifacts()[static_cast<std::size_t>(artifact)];
    return model().findArtifact(QStringLiteral("fused_loops"), a.compile, a.region, moment.shown);
}

double LoopsPane::fusedShare(const Moment& moment) const {
    if (artifact() < 0) return 0;
    const int fused = fusedOf(artifact(), moment);
    if (fused < 0 || m_state == State::Before) return 0;
    if (m_state == State::After) return 1;
    const double phase = moment.reveal(model().artifacts()[static_cast<std::size_t>(fused)].record);
    return QEasingCurve(QEasingCurve::InOutCubic)
        .valueForProgress(std::clamp((phase - decisionsEnd) / (1 - decisionsEnd), 0.0, 1.0));
}

Scene LoopsPane::build(int artifact, const Moment& moment) const {
    const canvas::Theme& t = theme();
    Scene scene = fxScene(model(), artifact, t, t.stage(stage()), [&t](const trace::Json& f, SceneNode& node) {
        const QString op = fields::text(f, "op"), target = fields::text(f, "target");
        node.detail = (target.isEmpty() ? QString() : target + QStringLiteral("  ")) + typeText(f);
        if (op == QLatin1String("input") || op == QLatin1String("constant")) {
            node.shape = Shape::Pill;
            node.colour = canvas::mix(t.muted, t.border, 0.2);
        } else if (op == QLatin1String("extern")) {
            node.shape = Shape::Library;
            node.colour = t.stage(model::Stage::Kernels);
        } else if (op == QLatin1String("reduction")) {
            node.colour = t.stage(model::Stage::Prims);
            node.badge = QStringLiteral("Σ");
        }
    });
    if (const int fused = fusedOf(artifact, moment); fused >= 0) addGroups(artifact, fused, scene);
    return scene;
}

void LoopsPane::addGroups(int artifact, int fused, Scene& scene) const {
    QHash<model::ItemId, int> nodeOf;
    const model::Artifact& loops = model().artifacts()[static_cast<std::size_t>(artifact)];
    for (std::size_t i = 0; i < loops.items.size(); ++i) nodeOf.insert(loops.items[i], static_cast<int>(i));
    for (const model::ItemId kernel : model().artifacts()[static_cast<std::size_t>(fused)].items) {
        const trace::Json& f = model().fields(kernel);
        const QStringList nodes = fields::texts(f, "nodes");
        if (nodes.isEmpty()) continue;
        canvas::SceneGroup group;
        group.item = kernel;
        const bool library = fields::string(f, "op") == "extern";
        group.title = library ? tr("library call: %1").arg(model().item(kernel).label) : model().item(kernel).label;
        const qint64 bytes = fields::integer(f, "bytes");
        if (bytes > 0) group.detail = Words::bytes(static_cast<double>(bytes));
        group.colour = theme().stage(library ? model::Stage::Kernels : model::Stage::Codegen);
        for (const QString& id : nodes)
            if (const auto node = nodeOf.constFind(model().find(id)); node != nodeOf.constEnd())
                scene.nodes[static_cast<std::size_t>(*node)].group = static_cast<int>(scene.groups.size());
        scene.groups.push_back(std::move(group));
    }
}

int LoopsPane::textArtifact(int artifact, const Moment& moment) const {
    return fusedShare(moment) >= 0.5 ? fusedOf(artifact, moment) : artifact;
}

int LoopsPane::style(int artifact, const Moment& moment) const {
    return fusedOf(artifact, moment) + 1;
}

void LoopsPane::arrange(Scene& scene) {
    layout::GraphInput flat = inputLike(scene);
    for (layout::InputNode& node : flat.nodes) node.group = -1;
    m_before = layout::layered(flat);
    m_after = {};
    m_share = 0;
    scene.layout = m_before;
    askDot(flat);
}

void LoopsPane::settled(const layout::GraphLayout& layout) {
    m_before = layout;
    m_after = {}; // loops keep the sides that they have now
    if (m_share == 0)
        canvas()->moveTo(m_before, 220);
    else
        place(timeline().moment());
}

void LoopsPane::place(const Moment& moment) {
    const double share = fusedShare(moment);
    if (share > 0 && m_after.isEmpty()) {
        layout::GraphInput input = canvas()->scene().input();
        for (std::size_t i = 0; i < input.nodes.size() && i < m_before.boxes.size(); ++i)
            input.nodes[i].hintX = m_before.boxes[i].center().x();
        m_after = layout::layered(input);
    } else if (share == m_share) {
        return;
    }
    m_share = share;
    if (m_before.boxes.size() != canvas()->scene().nodes.size()) return;
    canvas()->moveTo(share <= 0 ? m_before : share >= 1 ? m_after : canvas::between(m_before, m_after, share));
}

canvas::SceneFrame LoopsPane::frameAt(int artifact, const Moment& moment) const {
    const Scene& scene = canvas()->scene();
    const model::Artifact& a = model().artifacts()[static_cast<std::size_t>(artifact)];
    canvas::SceneFrame frame = canvas::appearing(scene, moment.reveal(a.record));
    const double share = fusedShare(moment);
    frame.groupReveal.assign(scene.groups.size(), static_cast<float>(std::clamp(share * 2 - 1, 0.0, 1.0)));
    const int fused = fusedOf(artifact, moment);
    if (fused < 0 || m_state != State::Follow) return frame;
    // The pair under consideration glows: the decisions come one after another in the first part of the step.
    const double phase = moment.reveal(model().artifacts()[static_cast<std::size_t>(fused)].record);
    if (phase >= decisionsEnd || m_table->rowCount() == 0) return frame;
    const model::Fusion& now = m_table->at(m_table->rowCount() - 1);
    frame.glow.assign(scene.nodes.size(), 0);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        if (scene.nodes[i].item == now.a || scene.nodes[i].item == now.b) frame.glow[i] = 1;
    return frame;
}

void LoopsPane::showAt(const Moment& moment) {
    GraphPane::showAt(moment);
    if (artifact() < 0) return;
    const model::Artifact& a = model().artifacts()[static_cast<std::size_t>(artifact())];
    int position = moment.position;
    // Within the step that fuses, the decisions fill its first part.
    if (const int fused = fusedOf(artifact(), moment); fused >= 0 && moment.phase < 1) {
        const int record = model().artifacts()[static_cast<std::size_t>(fused)].record;
        if (record >= moment.begin)
            position =
                moment.begin + static_cast<int>(std::min(1.0, moment.phase / decisionsEnd) * (record - moment.begin));
    }
    m_table->show(a.compile, a.region, position);
    if (!m_adjusted && m_table->rowCount() > 0) {
        m_view->resizeColumnsToContents();
        m_adjusted = true;
    }
    m_view->setVisible(m_table->rowCount() > 0);
    bar()->setInfo(artifactTitle(artifact()) + QStringLiteral("    ") + info(artifact(), moment));
    canvas()->setFrame(frameAt(artifact(), moment));
}

QString LoopsPane::info(int artifact, const Moment& moment) const {
    int loops = 0, kernels = 0;
    for (const model::ItemId id : model().artifacts()[static_cast<std::size_t>(artifact)].items) {
        const std::string op = fields::string(model().fields(id), "op");
        loops += op != "input" && op != "constant";
    }
    const int fused = fusedOf(artifact, moment);
    if (fused >= 0) kernels = static_cast<int>(model().artifacts()[static_cast<std::size_t>(fused)].items.size());
    QStringList words;
    if (fused >= 0)
        words.append(tr("%1 loops → %2 kernels").arg(loops).arg(kernels));
    else
        words.append(tr("%1 loops").arg(loops));
    if (m_table->rowCount() > 0)
        words.append(tr("%1 of %2 pairs fused").arg(m_table->fusedCount()).arg(m_table->rowCount()));
    return words.join(QStringLiteral(" · "));
}

QString LoopsPane::toolTip(model::ItemId item) const {
    if (item < 0) return {};
    const trace::Json& f = model().fields(item);
    const auto row = [](const QString& name, const QString& value) {
        return value.isEmpty() || value == QLatin1String("[]")
                   ? QString()
                   : QStringLiteral("<tr><td style='padding-right:10px'>%1</td><td><b>%2</b></td></tr>")
                         .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
    };
    QString html =
        QStringLiteral("<p style='white-space:pre'><b>%1</b></p><table>").arg(model().item(item).label.toHtmlEscaped());
    html += row(tr("Kind"), fields::text(f, "op"));
    html += row(tr("Type"), typeText(f));
    html += row(tr("Runs over"), fields::shown(f, "ranges"));
    html += row(tr("Reduces over"), fields::shown(f, "reduction_ranges"));
    if (const qint64 bytes = fields::integer(f, "bytes"); bytes > 0)
        html += row(tr("Size"), Words::bytes(static_cast<double>(bytes)));
    html += row(tr("Body"), fields::text(f, "body").left(160));
    html += row(tr("Source"), sourceOrigins(model(), item).join(QStringLiteral(", ")));
    return html + QStringLiteral("</table>");
}

std::pair<QString, QString> LoopsPane::emptyWords(const Moment& moment) const {
    const QString heading = tr("Loops before and after fusion");
    if (model().recordCount() == 0)
        return {heading, tr("Run a compiled program to see its operations as loops, and how they fuse into kernels.")};
    if (moment.shown < model().recordCount()) return {heading, tr("The run has not come this far yet.")};
    const QString& backend = model().run().backend;
    if (backend == QLatin1String("eager") || backend == QLatin1String("aot_eager"))
        return {heading, tr("The backend “%1” stops before this stage.").arg(backend)};
    return {heading, tr("Inductor was given no graph in this run.")};
}

void LoopsPane::applyTheme(const canvas::Theme& theme) {
    GraphPane::applyTheme(theme);
    m_table->setTheme(theme);
    paintTable(m_view, theme);
    fillLegend();
    for (QAbstractButton* button : m_states->buttons()) button->setFont(canvas::Theme::font(-0.5));
}

void LoopsPane::retranslate() {
    GraphPane::retranslate();
    m_states->button(0)->setText(tr("Follow"));
    m_states->button(1)->setText(tr("Before"));
    m_states->button(2)->setText(tr("After"));
    m_view->setAccessibleName(tr("Fusion decisions"));
    m_table->retranslate();
    m_adjusted = false;
    fillLegend();
}

void LoopsPane::fillLegend() {
    const canvas::Theme& t = theme();
    m_legend->set(t, {{t.stage(model::Stage::Inductor), tr("pointwise loop")},
                      {t.stage(model::Stage::Prims), tr("reduction")},
                      {t.stage(model::Stage::Kernels), tr("library call")},
                      {t.stage(model::Stage::Codegen), tr("fused kernel")}});
}

} // namespace strata::panes
