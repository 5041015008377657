#pragma once
// What is selected, and what lights up with it: everything it came from and everything it became, in every pane.

#include "views/model/TraceModel.h"

#include <QObject>

#include <vector>

namespace strata::model {

/// How an item stands to the selection.
enum class Lit : std::uint8_t { None, Selected, Upstream, Downstream };

class Selection : public QObject {
    Q_OBJECT

public:
    /// `model` outlives this. New provenance widens the lit set as it arrives; a cleared model clears the selection.
    explicit Selection(TraceModel* model, QObject* parent = nullptr);

    void select(ItemId id) { select(std::vector<ItemId>{id}); }
    /// Ids that are noItem or unknown are left out; nothing left clears.
    void select(std::vector<ItemId> ids);
    void clear() { select(std::vector<ItemId>{}); }

    bool isEmpty() const { return m_selected.empty(); }
    const std::vector<ItemId>& selected() const { return m_selected; }
    /// All upstream and downstream items.
    const Related& related() const { return m_related; }
    Lit lit(ItemId id) const;
    /// Whether anything of an artifact is selected or lit: a pane may want to show that artifact.
    bool touches(int artifact) const;

Q_SIGNALS:
    void changed();

private:
    void relight();

    TraceModel* m_model;
    std::vector<ItemId> m_selected;
    Related m_related;
    std::vector<Lit> m_lit; // by item id
};

} // namespace strata::model
