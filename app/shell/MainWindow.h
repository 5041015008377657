#pragma once
// The main window: panes in docks, the toolbar that runs programs, the transport bar, the status bar.

#include "app/host/EngineProcess.h"
#include "views/panes/Pane.h"

#include <QElapsedTimer>
#include <QMainWindow>
#include <QMap>
#include <QTimer>

class QAction;
class QActionGroup;
class QComboBox;
class QLabel;
class QMenu;
class QProgressBar;
class QTranslator;

namespace strata::panes {
class SourcePane;
class ConsolePane;
} // namespace strata::panes

namespace strata::shell {

class TransportBar;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `persistent`: the layout, theme and language are read from and kept in QSettings.
    explicit MainWindow(bool persistent = true, QWidget* parent = nullptr);
    ~MainWindow() override;

    model::TraceModel* model() { return &m_model; }
    model::Timeline* timeline() { return &m_timeline; }
    /// Opens a .py or .strata file; says what is wrong on screen. ":/programs/.." are the demonstration programs.
    bool open(const QString& path);
    void run();
    void stop();
    bool isRunning() const { return m_engine.isRunning(); }
    void setBackend(const QString& backend);
    void setLanguage(const QString& language); // "en", "zh_CN"
    void setDark(bool dark);
    QString language() const { return m_language; }
    /// Pane keys in the order of the View menu.
    QStringList paneKeys() const { return m_order; }
    panes::Pane* pane(const QString& key) const { return m_panes.value(key); }
    void raisePane(const QString& key);
    /// A preset arrangement of docks: overview, capture, compile, code, compare.
    void applyWorkspace(const QString& name);

Q_SIGNALS:
    void runFinished();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makePanes();
    void makeActions();
    void makeToolBar();
    void makeStatusBar();
    void retranslate();
    void applyTheme();
    void chooseProgram(int index);
    void ended(const host::Ending& ending);
    void updateStatus();
    void updateTitle();
    bool mayDiscard();
    void openDialog();
    void saveProgram(bool as);
    void saveTrace();
    void tell(const QString& words);

    bool m_persistent;
    model::TraceModel m_model;
    model::Selection m_selection;
    model::Timeline m_timeline;
    canvas::ThemeProvider m_themes;
    host::EngineProcess m_engine;
    QMap<QString, panes::Pane*> m_panes;
    QMap<QString, QDockWidget*> m_docks;
    QStringList m_order;
    panes::SourcePane* m_source = nullptr;
    panes::ConsolePane* m_console = nullptr;
    TransportBar* m_transport = nullptr;

    QAction *m_open, *m_save, *m_saveAs, *m_saveTrace, *m_quit, *m_run, *m_stop, *m_measure, *m_resetLayout, *m_dark,
        *m_about;
    QMenu *m_fileMenu, *m_runMenu, *m_viewMenu, *m_workspaceMenu, *m_languageMenu;
    QMap<QString, QAction*> m_workspaces;
    QActionGroup* m_languages;
    QComboBox *m_programs, *m_backends;
    QLabel *m_programLabel, *m_backendLabel, *m_stageLabel, *m_countersLabel;
    QProgressBar* m_progress;
    QTimer m_tick;
    QElapsedTimer m_clock, m_runClock;
    QTranslator* m_translator = nullptr;
    QString m_language = QStringLiteral("en");
    QString m_file; // of the program; empty: unsaved, or a demonstration program
};

} // namespace strata::shell
