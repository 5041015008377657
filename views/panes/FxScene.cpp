#include "views/panes/FxScene.h"

#include "views/model/Fields.h"
#include "views/model/Words.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace strata::panes {

namespace fields = model::fields;
using canvas::Scene;
using canvas::SceneNode;
using canvas::Shape;

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("FxScene", text);
}

QColor quiet(const canvas::Theme& theme) {
    return canvas::mix(theme.muted, theme.border, 0.2);
}

SceneNode nodeOf(const model::Item& item, const trace::Json& f, const canvas::Theme& theme, const QColor& operation) {
    SceneNode node;
    node.title = item.label;
    const QString op = fields::text(f, "op"), target = fields::text(f, "target"), type = typeText(f);
    node.colour = operation;
    if (op == QLatin1String("placeholder") || op == QLatin1String("get_attr")) {
        node.shape = Shape::Pill;
        node.colour = quiet(theme);
        node.detail = type;
        const QString role = fields::text(f, "role");
        if (role == QLatin1String("parameter")) node.colour = theme.warning;
        if (role == QLatin1String("tangent")) node.colour = theme.stage(model::Stage::Tape);
        if (role == QLatin1String("saved")) node.colour = theme.saved;
    } else if (op == QLatin1String("output")) {
        node.shape = Shape::Pill;
        node.colour = quiet(theme);
    } else {
        node.detail = target;
        if (!type.isEmpty()) node.detail += node.detail.isEmpty() ? type : QStringLiteral("  ") + type;
    }
    return node;
}

QString row(const QString& name, const QString& value) {
    return value.isEmpty() ? QString()
                           : QStringLiteral("<tr><td style='padding-right:10px'>%1</td><td><b>%2</b></td></tr>")
                                 .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

QString roleText(const QString& role) {
    if (role == QLatin1String("input")) return translated(QT_TRANSLATE_NOOP("FxScene", "input"));
    if (role == QLatin1String("parameter")) return translated(QT_TRANSLATE_NOOP("FxScene", "parameter"));
    if (role == QLatin1String("tangent"))
        return translated(QT_TRANSLATE_NOOP("FxScene", "gradient coming in (tangent)"));
    if (role == QLatin1String("saved")) return translated(QT_TRANSLATE_NOOP("FxScene", "value saved by forward"));
    if (role == QLatin1String("size")) return translated(QT_TRANSLATE_NOOP("FxScene", "size"));
    return role;
}

} // namespace

QString typeText(const trace::Json& f) {
    const QString dtype = fields::text(f, "dtype");
    if (dtype.isEmpty()) return {};
    return model::Words::dtype(dtype) + fields::shown(f, "shape");
}

Scene fxScene(const model::TraceModel& model, int artifact, const canvas::Theme& theme, const QColor& operation,
              const std::function<void(const trace::Json&, SceneNode&)>& adapt) {
    Scene scene;
    const model::Artifact& a = model.artifacts()[static_cast<std::size_t>(artifact)];
    QHash<QString, int> nodeOfId;
    for (const model::ItemId id : a.items) {
        const trace::Json& f = model.fields(id);
        SceneNode node = nodeOf(model.item(id), f, theme, operation);
        node.item = id;
        if (adapt) adapt(f, node);
        nodeOfId.insert(model.item(id).id, static_cast<int>(scene.nodes.size()));
        scene.nodes.push_back(std::move(node));
    }
    for (std::size_t i = 0; i < a.items.size(); ++i) {
        QStringList inputs = fields::texts(model.fields(a.items[i]), "inputs");
        inputs.removeDuplicates(); // x * x is one edge
        for (const QString& input : inputs)
            if (const auto from = nodeOfId.constFind(input);
                from != nodeOfId.constEnd() && *from != static_cast<int>(i))
                scene.edges.push_back({*from, static_cast<int>(i), {}});
    }
    return scene;
}

QStringList sourceOrigins(const model::TraceModel& model, model::ItemId item, int most) {
    QStringList out;
    for (const model::ItemId id : model.related(item).upstream) {
        const QString& text = model.item(id).id;
        if (!text.startsWith(QLatin1String("source:"))) continue;
        const QString place = text.mid(7);
        const QString name = place.mid(place.lastIndexOf(QLatin1Char('/')) + 1);
        if (!out.contains(name)) out.append(name);
        if (out.size() == most) break;
    }
    return out;
}

QString fxToolTip(const model::TraceModel& model, model::ItemId item) {
    if (item < 0) return {};
    const trace::Json& f = model.fields(item);
    QString html =
        QStringLiteral("<p style='white-space:pre'><b>%1</b></p><table>").arg(model.item(item).label.toHtmlEscaped());
    html += row(translated(QT_TRANSLATE_NOOP("FxScene", "Opcode")), fields::text(f, "op"));
    html += row(translated(QT_TRANSLATE_NOOP("FxScene", "Target")), fields::text(f, "target"));
    html += row(translated(QT_TRANSLATE_NOOP("FxScene", "Type")), typeText(f));
    html += row(translated(QT_TRANSLATE_NOOP("FxScene", "Strides")), fields::shown(f, "stride"));
    html += row(translated(QT_TRANSLATE_NOOP("FxScene", "Role")), roleText(fields::text(f, "role")));
    html += row(translated(QT_TRANSLATE_NOOP("FxScene", "Module")), fields::text(f, "module"));
    html +=
        row(translated(QT_TRANSLATE_NOOP("FxScene", "Source")), sourceOrigins(model, item).join(QStringLiteral(", ")));
    return html + QStringLiteral("</table>");
}

} // namespace strata::panes
