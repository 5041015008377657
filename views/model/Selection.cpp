#include "views/model/Selection.h"

#include <algorithm>

namespace strata::model {

Selection::Selection(TraceModel* model, QObject* parent) : QObject(parent), m_model(model) {
    connect(model, &TraceModel::cleared, this, &Selection::clear);
    connect(model, &TraceModel::appended, this, [this] {
        if (m_selected.empty()) return;
        const Related before = m_related;
        relight();
        if (before.upstream != m_related.upstream || before.downstream != m_related.downstream) Q_EMIT changed();
    });
}

void Selection::select(std::vector<ItemId> ids) {
    std::erase_if(ids, [this](ItemId id) { return id < 0 || id >= m_model->itemCount(); });
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (ids == m_selected) return;
    m_selected = std::move(ids);
    relight();
    Q_EMIT changed();
}

void Selection::relight() {
    m_related = m_model->related(m_selected);
    m_lit.assign(static_cast<std::size_t>(m_model->itemCount()), Lit::None);
    for (const ItemId id : m_related.upstream) m_lit[static_cast<std::size_t>(id)] = Lit::Upstream;
    for (const ItemId id : m_related.downstream) m_lit[static_cast<std::size_t>(id)] = Lit::Downstream;
    for (const ItemId id : m_selected) m_lit[static_cast<std::size_t>(id)] = Lit::Selected;
}

Lit Selection::lit(ItemId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < m_lit.size() ? m_lit[static_cast<std::size_t>(id)] : Lit::None;
}

bool Selection::touches(int artifact) const {
    const auto in = [&](ItemId id) { return m_model->item(id).artifact == artifact; };
    return std::any_of(m_selected.begin(), m_selected.end(), in) ||
           std::any_of(m_related.upstream.begin(), m_related.upstream.end(), in) ||
           std::any_of(m_related.downstream.begin(), m_related.downstream.end(), in);
}

} // namespace strata::model
