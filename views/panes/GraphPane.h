#pragma once
// A pane that shows graphs of the trace, one at a time: it chooses the artifact that belongs to the moment, lays it out
// at once with the layered layout and again with Graphviz's dot when that answers in time, and animates it.

#include "views/canvas/GraphCanvas.h"
#include "views/layout/DotLayout.h"
#include "views/panes/Pane.h"
#include "views/panes/PaneBar.h"

#include <QHash>

class QSplitter;
class QToolButton;
class QVBoxLayout;

namespace strata::panes {

class CodeView;

class GraphPane : public Pane {
    Q_OBJECT

public:
    GraphPane(const QString& key, const PaneContext& context, QWidget* parent = nullptr);

    /// The artifact on show, an index into TraceModel::artifacts(); -1: none.
    int artifact() const { return m_artifact; }
    canvas::GraphCanvas* canvas() const { return m_canvas; }
    /// The artifact's own text beside the graph; null until it was wanted for the first time.
    CodeView* text() const { return m_text; }
    /// Shows or hides the text; until this is called it is there when the pane is wide.
    void showText(bool on);
    /// Dot's answers are waited for by tests.
    layout::DotLayout* dot() const { return m_dot; }

protected:
    /// The kinds of artifacts that can be chosen.
    virtual QStringList kinds() const = 0;
    /// Whether the pane goes to this artifact by itself when the run reaches it.
    virtual bool follows(const model::Artifact& artifact) const;
    /// Nodes, edges and groups, in the colours of the theme, as they are at `moment`; no layout.
    virtual canvas::Scene build(int artifact, const model::Moment& moment) const = 0;
    /// What build() depends on besides the artifact: it is asked again when this changes.
    virtual int style(int artifact, const model::Moment& moment) const;
    virtual canvas::SceneFrame frameAt(int artifact, const model::Moment& moment) const;
    /// Gives a new scene its layout; the default is the layered layout, then dot.
    virtual void arrange(canvas::Scene& scene);
    /// Dot has answered for the scene on show.
    virtual void settled(const layout::GraphLayout& layout);
    /// Moves what has to move at this moment, before the frame.
    virtual void place(const model::Moment& moment) { (void)moment; }
    /// A few words for the bar.
    virtual QString info(int artifact, const model::Moment& moment) const = 0;
    virtual QString toolTip(model::ItemId item) const;
    /// What the empty pane says: heading and reason.
    virtual std::pair<QString, QString> emptyWords(const model::Moment& moment) const = 0;
    /// Whether the text reads as Python: FX graphs do.
    virtual bool textIsPython() const { return true; }
    /// The artifact whose text stands beside the graph.
    virtual int textArtifact(int artifact, const model::Moment& moment) const;
    /// The artifact on show changed.
    virtual void shown(int artifact) { (void)artifact; }

    void showAt(const model::Moment& moment) override;
    void relight() override;
    void applyTheme(const canvas::Theme& theme) override;
    void retranslate() override;
    void resizeEvent(QResizeEvent* event) override;

    PaneBar* bar() const { return m_bar; }
    QVBoxLayout* column() const { return m_column; }
    /// Graph and text.
    QWidget* area() const;
    /// Asks dot; settled() follows if it answers in time.
    void askDot(const layout::GraphInput& input);
    /// The layout's input for a scene whose nodes keep the sides that they have on the canvas now.
    layout::GraphInput inputLike(const canvas::Scene& scene) const;
    /// A title for the chooser: function, compile, kind, region.
    QString artifactTitle(int artifact) const;

private:
    std::vector<int> candidates(const model::Moment& moment) const;
    int choose(const std::vector<int>& candidates) const;
    void fillChooser(const std::vector<int>& candidates);
    void open(int artifact, const model::Moment& moment);
    void restyle(const model::Moment& moment);
    void followNewest(const canvas::SceneFrame& frame);
    void refreshText(const model::Moment& moment);
    void applyTextChoice();

    PaneBar* m_bar;
    canvas::GraphCanvas* m_canvas;
    QVBoxLayout* m_column;
    QSplitter* m_area;
    QToolButton* m_textButton;
    CodeView* m_text = nullptr;
    int m_textArtifact = -1;
    bool m_textChosen = false; // by the user
    layout::DotLayout* m_dot;
    QHash<int, layout::GraphLayout> m_layouts; // dot's, by artifact
    std::vector<int> m_listed;                 // what the chooser lists
    int m_artifact = -1, m_style = 0;
    int m_pinned = -1; // chosen by the user; -1: follow the run
    int m_newest = -1; // the last node that came into sight
};

} // namespace strata::panes
