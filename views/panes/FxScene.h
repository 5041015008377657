#pragma once
// Graphs of FX nodes (fx, joint, forward, backward, prims) as scenes, and the words of their nodes.

#include "views/canvas/Scene.h"
#include "views/model/TraceModel.h"

#include <QString>

#include <functional>

namespace strata::panes {

/// "f32[64, s0]" of an item's dtype and shape; empty when it has none.
QString typeText(const trace::Json& fields);

/// Nodes and edges of an artifact. `colourOf` gives a node's colour and may change more of it.
canvas::Scene fxScene(const model::TraceModel& model, int artifact, const canvas::Theme& theme, const QColor& operation,
                      const std::function<void(const trace::Json& fields, canvas::SceneNode& node)>& adapt = {});

/// Name, operation, type, module, and the source line it comes from, as rich text.
QString fxToolTip(const model::TraceModel& model, model::ItemId item);

/// The source lines among an item's ancestors, as "train.py:5"; at most `most`.
QStringList sourceOrigins(const model::TraceModel& model, model::ItemId item, int most = 3);

} // namespace strata::panes
