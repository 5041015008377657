#include "views/panes/FxPane.h"

#include "views/model/Fields.h"
#include "views/model/Words.h"
#include "views/panes/FxScene.h"

namespace strata::panes {

FxPane::FxPane(const PaneContext& context, QWidget* parent) : GraphPane(QStringLiteral("fx"), context, parent) {}

QString FxPane::title() const {
    return tr("FX graph");
}

canvas::Scene FxPane::build(int artifact, const model::Moment&) const {
    return fxScene(model(), artifact, theme(), theme().stage(stage()));
}

QString FxPane::info(int artifact, const model::Moment& moment) const {
    const model::Artifact& a = model().artifacts()[static_cast<std::size_t>(artifact)];
    int inputs = 0, operations = 0;
    for (const model::ItemId id : a.items) {
        const std::string op = model::fields::string(model().fields(id), "op");
        inputs += op == "placeholder";
        operations += op != "placeholder" && op != "output" && op != "get_attr";
    }
    QStringList words{operations == 1 ? tr("1 operation") : tr("%1 operations").arg(operations),
                      inputs == 1 ? tr("1 input") : tr("%1 inputs").arg(inputs)};
    if (const model::Compile* compile = model().compile(a.compile))
        for (const model::StageTime& time : compile->stages)
            if (time.stage == QLatin1String("dynamo") && time.record < moment.shown)
                words.append(tr("captured in %1").arg(model::Words::milliseconds(time.ms)));
    return words.join(QStringLiteral(" · "));
}

QString FxPane::toolTip(model::ItemId item) const {
    return fxToolTip(model(), item);
}

std::pair<QString, QString> FxPane::emptyWords(const model::Moment& moment) const {
    const QString heading = tr("The graph that Dynamo captures");
    if (model().recordCount() == 0)
        return {heading, tr("Run a program that calls torch.compile to see its operations as a graph.")};
    if (moment.shown < model().recordCount()) return {heading, tr("The run has not come this far yet.")};
    const auto& breaks = model().graphBreaks();
    if (!breaks.empty())
        return {heading,
                tr("Nothing was captured: %1").arg(model::Words::graphBreak(breaks.back().code, breaks.back().values))};
    return {heading, tr("This program compiled nothing: no function given to torch.compile was called, or the backend "
                        "was eager only.")};
}

} // namespace strata::panes
