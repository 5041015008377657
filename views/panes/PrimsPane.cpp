#include "views/panes/PrimsPane.h"

#include "views/layout/LayeredLayout.h"
#include "views/model/Fields.h"
#include "views/panes/FxScene.h"

#include <QHash>

namespace strata::panes {

namespace fields = model::fields;
using canvas::Scene;
using model::Moment;

bool groupsAreAcyclic(const Scene& scene) {
    // Kahn's algorithm over groups and single nodes.
    const int groups = static_cast<int>(scene.groups.size());
    const auto outer = [&](int node) {
        const int group = scene.nodes[static_cast<std::size_t>(node)].group;
        return static_cast<std::size_t>(group >= 0 ? group : groups + node);
    };
    std::vector<std::vector<std::size_t>> out(scene.groups.size() + scene.nodes.size());
    std::vector<int> waiting(out.size(), 0);
    for (const canvas::SceneEdge& edge : scene.edges) {
        if (outer(edge.from) == outer(edge.to)) continue;
        out[outer(edge.from)].push_back(outer(edge.to));
        ++waiting[outer(edge.to)];
    }
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (waiting[i] == 0) ready.push_back(i);
    for (std::size_t next = 0; next < ready.size(); ++next)
        for (const std::size_t to : out[ready[next]])
            if (--waiting[to] == 0) ready.push_back(to);
    return ready.size() == out.size();
}

PrimsPane::PrimsPane(const PaneContext& context, QWidget* parent)
    : GraphPane(QStringLiteral("prims"), context, parent) {}

QString PrimsPane::title() const {
    return tr("Prims");
}

Scene PrimsPane::build(int artifact, const Moment&) const {
    Scene scene =
        fxScene(model(), artifact, theme(), theme().stage(stage()), [](const trace::Json& f, canvas::SceneNode& node) {
            // What is not a primitive is a library call to come.
            if (node.shape == canvas::Shape::Box && !fields::text(f, "target").startsWith(QLatin1String("prims.")))
                node.shape = canvas::Shape::Library;
        });
    // One group an ATen node that became several primitives.
    QHash<model::ItemId, std::vector<int>> ofOrigin;
    std::vector<model::ItemId> origins; // in order of appearance
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const std::vector<model::ItemId>& from = model().from(scene.nodes[i].item);
        if (scene.nodes[i].shape == canvas::Shape::Pill || from.empty()) continue;
        if (!ofOrigin.contains(from.front())) origins.push_back(from.front());
        ofOrigin[from.front()].push_back(static_cast<int>(i));
    }
    for (const model::ItemId origin : origins) {
        if (ofOrigin[origin].size() < 2) continue;
        canvas::SceneGroup group;
        group.item = origin;
        const QString target = fields::text(model().fields(origin), "target");
        group.title = target.isEmpty() ? model().item(origin).label : target;
        group.colour = theme().stage(model::Stage::Aot);
        for (const int node : ofOrigin[origin])
            scene.nodes[static_cast<std::size_t>(node)].group = static_cast<int>(scene.groups.size());
        scene.groups.push_back(std::move(group));
    }
    if (!groupsAreAcyclic(scene)) {
        scene.groups.clear();
        for (canvas::SceneNode& node : scene.nodes) node.group = -1;
    }
    return scene;
}

void PrimsPane::arrange(Scene& scene) {
    if (scene.groups.empty()) return GraphPane::arrange(scene);
    scene.layout = layout::layered(inputLike(scene)); // boxes with titles are beyond what dot's plain output tells
}

canvas::SceneFrame PrimsPane::frameAt(int artifact, const Moment& moment) const {
    canvas::SceneFrame frame = GraphPane::frameAt(artifact, moment);
    const Scene& scene = canvas()->scene();
    if (frame.reveal.empty()) return frame;
    frame.groupReveal.assign(scene.groups.size(), 0);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        if (const int group = scene.nodes[i].group; group >= 0) {
            float& reveal = frame.groupReveal[static_cast<std::size_t>(group)];
            reveal = std::max(reveal, frame.reveal[i]);
        }
    return frame;
}

QString PrimsPane::info(int artifact, const Moment&) const {
    int prims = 0, other = 0;
    for (const model::ItemId id : model().artifacts()[static_cast<std::size_t>(artifact)].items) {
        const QString op = fields::text(model().fields(id), "op"), target = fields::text(model().fields(id), "target");
        if (op == QLatin1String("placeholder") || op == QLatin1String("output")) continue;
        (target.startsWith(QLatin1String("prims.")) ? prims : other) += 1;
    }
    QStringList words{prims == 1 ? tr("1 primitive") : tr("%1 primitives").arg(prims)};
    if (other > 0) words.append(other == 1 ? tr("1 library call") : tr("%1 library calls").arg(other));
    return words.join(QStringLiteral(" · "));
}

QString PrimsPane::toolTip(model::ItemId item) const {
    return fxToolTip(model(), item);
}

std::pair<QString, QString> PrimsPane::emptyWords(const Moment& moment) const {
    const QString heading = tr("The graph in primitive operations");
    if (model().recordCount() == 0)
        return {heading, tr("Run a compiled program to see its operations split into primitives.")};
    if (moment.shown < model().recordCount()) return {heading, tr("The run has not come this far yet.")};
    const QString& backend = model().run().backend;
    if (backend == QLatin1String("eager") || backend == QLatin1String("aot_eager"))
        return {heading, tr("The backend “%1” stops before this stage.").arg(backend)};
    return {heading, tr("No graph was lowered to primitives in this run.")};
}

} // namespace strata::panes
