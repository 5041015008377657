#include "views/panes/JointPane.h"

#include "views/model/Fields.h"
#include "views/model/Words.h"
#include "views/panes/FxScene.h"
#include "views/panes/Legend.h"

#include <QVBoxLayout>

namespace strata::panes {

namespace fields = model::fields;
using model::Moment;
using model::Stage;
using model::Words;

JointPane::JointPane(const PaneContext& context, QWidget* parent)
    : GraphPane(QStringLiteral("joint"), context, parent), m_legend(new Legend(body())) {
    column()->addWidget(m_legend);
}

QString JointPane::title() const {
    return tr("Joint graph");
}

QStringList JointPane::kinds() const {
    return {QStringLiteral("joint"), QStringLiteral("forward"), QStringLiteral("backward")};
}

bool JointPane::follows(const model::Artifact& artifact) const {
    return artifact.kind == QLatin1String("joint") || artifact.region == QLatin1String("inference");
}

JointPane::Fate JointPane::fateOf(model::ItemId item, const Moment& moment) const {
    Fate fate;
    const auto& decisions = model().saveDecisions();
    const int known = model::TraceModel::prefix(decisions, moment.position);
    for (int i = 0; i < known; ++i) {
        const model::SaveDecision& decision = decisions[static_cast<std::size_t>(i)];
        if (decision.item != item) continue;
        fate.decision = &decision;
        fate.saved = !decision.recomputed;
        fate.recomputed = decision.recomputed;
    }
    // A trace without single decisions still marks what is saved, once the graph is cut.
    const model::Item& joint = model().item(item);
    if (!fate.decision && decisions.empty() && joint.artifact >= 0) {
        const QString& compile = model().artifacts()[static_cast<std::size_t>(joint.artifact)].compile;
        const bool cut = model().findArtifact(QStringLiteral("forward"), compile, {}, moment.shown) >= 0;
        fate.saved = cut && fields::flag(model().fields(item), "saved");
    }
    return fate;
}

canvas::Scene JointPane::build(int artifact, const Moment& moment) const {
    const canvas::Theme& t = theme();
    const model::Artifact& a = model().artifacts()[static_cast<std::size_t>(artifact)];
    const QColor forward = t.compiled, backward = t.stage(Stage::Tape);
    const QColor operation = a.region == QLatin1String("backward") ? backward : forward;
    const bool joint = a.kind == QLatin1String("joint");
    return fxScene(model(), artifact, t, operation, [&](const trace::Json& f, canvas::SceneNode& node) {
        if (!joint) return;
        const QString side = fields::text(f, "side");
        const bool operationNode = node.shape == canvas::Shape::Box;
        if (operationNode) node.colour = side == QLatin1String("backward") ? backward : forward;
        const Fate fate = fateOf(node.item, moment);
        if (fate.saved) {
            node.colour = t.saved;
            node.strong = true;
            node.badge = tr("saved");
        } else if (fate.recomputed) {
            node.dashed = true;
            node.badge = tr("again");
            node.badgeColour = canvas::mix(forward, backward, 0.5);
        }
    });
}

int JointPane::style(int artifact, const Moment& moment) const {
    const model::Artifact& a = model().artifacts()[static_cast<std::size_t>(artifact)];
    if (a.kind != QLatin1String("joint")) return 0;
    const bool cut = model().findArtifact(QStringLiteral("forward"), a.compile, {}, moment.shown) >= 0;
    return 2 * model::TraceModel::prefix(model().saveDecisions(), moment.position) + (cut ? 1 : 0);
}

canvas::SceneFrame JointPane::frameAt(int artifact, const Moment& moment) const {
    const model::Artifact& a = model().artifacts()[static_cast<std::size_t>(artifact)];
    canvas::SceneFrame frame = canvas::appearing(canvas()->scene(), moment.reveal(a.record));
    if (a.kind != QLatin1String("joint") || moment.phase >= 1) return frame;
    // The value on which the partitioner decides just now glows.
    for (const model::SaveDecision& decision : model().saveDecisions()) {
        if (decision.record < moment.begin || decision.record >= moment.shown) continue;
        const double arrived = moment.arrived(decision.record);
        const auto at = std::find(a.items.begin(), a.items.end(), decision.item);
        if (arrived <= 0 || at == a.items.end()) continue;
        frame.glow.resize(a.items.size(), 0);
        const double since = moment.phase * (moment.shown - moment.begin) - (decision.record - moment.begin);
        frame.glow[static_cast<std::size_t>(at - a.items.begin())] = static_cast<float>(std::max(0.0, 1 - since / 4));
    }
    return frame;
}

QString JointPane::info(int artifact, const Moment& moment) const {
    const model::Artifact& a = model().artifacts()[static_cast<std::size_t>(artifact)];
    QStringList words;
    int nodes = 0;
    for (const model::ItemId id : a.items) {
        const std::string op = fields::string(model().fields(id), "op");
        nodes += op != "placeholder" && op != "output";
    }
    words.append(nodes == 1 ? tr("1 operation") : tr("%1 operations").arg(nodes));
    int saved = 0, recomputed = 0;
    qint64 bytes = 0;
    const auto& decisions = model().saveDecisions();
    for (int i = 0; i < model::TraceModel::prefix(decisions, moment.position); ++i) {
        const model::SaveDecision& decision = decisions[static_cast<std::size_t>(i)];
        if (decision.compile != a.compile) continue;
        (decision.recomputed ? recomputed : saved) += 1;
        if (!decision.recomputed) bytes += decision.bytes;
    }
    if (saved > 0) words.append(tr("%1 saved (%2)").arg(saved).arg(Words::bytes(static_cast<double>(bytes))));
    if (recomputed > 0) words.append(tr("%1 computed again").arg(recomputed));
    return words.join(QStringLiteral(" · "));
}

QString JointPane::toolTip(model::ItemId item) const {
    QString html = fxToolTip(model(), item);
    if (item < 0) return html;
    const Fate fate = fateOf(item, timeline().moment());
    const QString why = fate.decision ? Words::saveReason(fate.decision->code) : QString();
    if (fate.saved)
        html += QStringLiteral("<p>%1</p>")
                    .arg((why.isEmpty() ? tr("Saved for backward.") : tr("Saved for backward: %1.").arg(why))
                             .toHtmlEscaped());
    if (fate.recomputed)
        html += QStringLiteral("<p>%1</p>")
                    .arg((why.isEmpty() ? tr("Computed again in backward.")
                                        : tr("Computed again in backward: %1.").arg(why))
                             .toHtmlEscaped());
    return html;
}

std::pair<QString, QString> JointPane::emptyWords(const Moment& moment) const {
    const QString heading = tr("Forward and backward in one graph");
    if (model().recordCount() == 0) return {heading, tr("Run a compiled program to see AOTAutograd's graphs.")};
    if (moment.shown < model().recordCount()) return {heading, tr("The run has not come this far yet.")};
    if (model().run().backend == QLatin1String("eager"))
        return {heading, tr("The backend “eager” runs the captured graph as it is: AOTAutograd has no part in it.")};
    return {heading, tr("AOTAutograd was given no graph in this run.")};
}

void JointPane::applyTheme(const canvas::Theme& theme) {
    GraphPane::applyTheme(theme);
    fillLegend();
}

void JointPane::retranslate() {
    GraphPane::retranslate();
    fillLegend();
}

void JointPane::fillLegend() {
    const canvas::Theme& t = theme();
    m_legend->set(t, {{t.compiled, tr("forward")},
                      {t.stage(Stage::Tape), tr("backward")},
                      {t.saved, tr("saved for backward"), false, true},
                      {t.compiled, tr("computed again in backward"), true},
                      {t.warning, tr("parameter")}});
}

} // namespace strata::panes
