#include "app/shell/MainWindow.h"

#include "app/host/TraceFile.h"
#include "app/shell/TransportBar.h"
#include "views/model/Words.h"
#include "views/panes/EagerPane.h"
#include "views/panes/FxPane.h"
#include "views/panes/JointPane.h"
#include "views/panes/LaunchesPane.h"
#include "views/panes/LoopsPane.h"
#include "views/panes/MapPane.h"
#include "views/panes/PrimsPane.h"
#include "views/panes/SourcePane.h"
#include "views/panes/TablePanes.h"
#include "views/panes/TextPanes.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressBar>
#include <QSaveFile>
#include <QSettings>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <QToolButton>
#include <QTranslator>

namespace strata::shell {

namespace {

constexpr int frameMs = 33; // between two frames of an animation
constexpr int layoutVersion = 1;

QStringList demonstrationPrograms() {
    QStringList names = QDir(QStringLiteral(":/programs")).entryList({QStringLiteral("*.py")}, QDir::Files, QDir::Name);
    if (names.removeOne(QStringLiteral("tour.py"))) names.prepend(QStringLiteral("tour.py"));
    return names;
}

QIcon dot(const QColor& colour, bool square) {
    QPixmap pixmap(36, 36);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter p(&pixmap);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    if (square) {
        p.drawRoundedRect(QRectF(4, 4, 10, 10), 2, 2);
    } else {
        QPolygonF triangle{QPointF(5, 3), QPointF(15, 9), QPointF(5, 15)};
        p.drawPolygon(triangle);
    }
    return QIcon(pixmap);
}

QString windowStyle(const canvas::Theme& t) {
    return QStringLiteral("QMainWindow, QToolBar, QStatusBar, QMenuBar { background: %1; color: %3; }"
                          "QToolBar { border: 0; border-bottom: 1px solid %4; spacing: 6px; padding: 4px 8px; }"
                          "QStatusBar { border-top: 1px solid %4; } QStatusBar::item { border: 0; }"
                          "QDockWidget { color: %3; font-weight: 600; titlebar-close-icon: none; }"
                          "QDockWidget::title { background: %5; padding: 6px 10px; border-bottom: 1px solid %4; }"
                          "QTabBar::tab { background: %5; color: %6; padding: 6px 14px; border: 0; border-bottom: 2px "
                          "solid transparent; }"
                          "QTabBar::tab:selected { color: %3; border-bottom: 2px solid %7; background: %2; }"
                          "QTabBar::tab:hover { color: %3; }"
                          "QMainWindow::separator { background: %4; width: 3px; height: 3px; }"
                          "QToolButton { color: %3; padding: 4px 8px; border: 0; border-radius: 4px; } "
                          "QToolButton:hover { background: %5; } QToolButton:checked { background: %8; }"
                          "QComboBox { background: %2; color: %3; border: 1px solid %4; border-radius: 4px; padding: "
                          "3px 8px; min-height: 20px; }"
                          "QComboBox::drop-down { border: 0; width: 18px; } QComboBox QAbstractItemView { background: "
                          "%2; color: %3; border: 1px solid %4; }"
                          "QMenuBar::item { padding: 4px 10px; background: transparent; } QMenuBar::item:selected, "
                          "QMenu::item:selected { background: %8; color: %3; }"
                          "QMenu { background: %2; color: %3; border: 1px solid %4; padding: 4px; } QMenu::item { "
                          "padding: 5px 24px; }"
                          "QToolTip { background: %5; color: %3; border: 1px solid %4; padding: 4px 6px; }"
                          "QProgressBar { background: %9; border: 0; border-radius: 3px; max-height: 6px; } "
                          "QProgressBar::chunk { background: %7; border-radius: 3px; }"
                          "QScrollBar:vertical { background: transparent; width: 10px; } QScrollBar:horizontal { "
                          "background: transparent; height: 10px; }"
                          "QScrollBar::handle { background: %4; border-radius: 4px; min-height: 24px; min-width: 24px; "
                          "margin: 1px; }"
                          "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; } QScrollBar::add-page, "
                          "QScrollBar::sub-page { background: transparent; }")
        .arg(t.window.name(), t.surface.name(), t.text.name(), t.border.name(), t.raised.name(), t.muted.name(),
             t.accent.name(), canvas::mix(t.raised, t.accent, 0.25).name(), t.sunken.name());
}

} // namespace

MainWindow::MainWindow(bool persistent, QWidget* parent)
    : QMainWindow(parent), m_persistent(persistent), m_selection(&m_model), m_timeline(&m_model), m_engine(&m_model) {
    setObjectName(QStringLiteral("main"));
    setDockOptions(AllowNestedDocks | AllowTabbedDocks | AnimatedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    auto* centre = new QWidget; // all is docks
    centre->setMaximumSize(0, 0);
    setCentralWidget(centre);
    resize(1440, 900);
    makePanes();
    makeActions();
    makeToolBar();
    makeStatusBar();
    connect(&m_engine, &host::EngineProcess::finished, this, &MainWindow::ended);
    connect(&m_model, &model::TraceModel::appended, this, &MainWindow::updateStatus);
    m_tick.setInterval(frameMs);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        m_timeline.advance(static_cast<double>(m_clock.restart()) / 1e3);
        if (m_engine.isRunning()) updateStatus();
    });
    m_clock.start();
    m_tick.start();
    connect(&m_themes, &canvas::ThemeProvider::changed, this, &MainWindow::applyTheme);
    QSettings settings;
    const QString language =
        m_persistent
            ? settings
                  .value(QStringLiteral("language"),
                         QLocale().language() == QLocale::Chinese ? QStringLiteral("zh_CN") : QStringLiteral("en"))
                  .toString()
            : QStringLiteral("en");
    applyTheme();
    retranslate();
    setLanguage(language);
    if (m_persistent) setDark(settings.value(QStringLiteral("dark"), false).toBool());
    applyWorkspace(QStringLiteral("overview"));
    if (m_persistent) {
        restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
        restoreState(settings.value(QStringLiteral("layout")).toByteArray(), layoutVersion);
    }
    chooseProgram(0);
}

MainWindow::~MainWindow() = default;

void MainWindow::makePanes() {
    const panes::PaneContext context{&m_model, &m_selection, &m_timeline, &m_themes};
    m_source = new panes::SourcePane(context);
    m_console = new panes::ConsolePane(context);
    auto* problems = new panes::ProblemsPane(context);
    const QList<panes::Pane*> all{new panes::MapPane(context),
                                  m_source,
                                  new panes::BytecodePane(context),
                                  new panes::GuardsPane(context),
                                  new panes::FxPane(context),
                                  new panes::JointPane(context),
                                  new panes::PrimsPane(context),
                                  new panes::LoopsPane(context),
                                  new panes::KernelsPane(context),
                                  new panes::EagerPane(context),
                                  new panes::LaunchesPane(context),
                                  m_console,
                                  problems};
    for (panes::Pane* pane : all) {
        const QString key = pane->key();
        auto* dock = new QDockWidget(this);
        dock->setObjectName(QStringLiteral("dock_") + key);
        dock->setWidget(pane);
        addDockWidget(Qt::RightDockWidgetArea, dock);
        m_panes[key] = pane;
        m_docks[key] = dock;
        m_order << key;
        connect(pane, &panes::Pane::openPane, this, &MainWindow::raisePane);
    }
    connect(problems, &panes::ProblemsPane::placeActivated, this, [this](const QString& file, int line) {
        if (file != m_source->path() || line <= 0) return;
        raisePane(QStringLiteral("source"));
        m_source->goTo(line);
    });
    connect(m_source, &panes::SourcePane::modificationChanged, this, &MainWindow::updateTitle);
    m_transport = new TransportBar(&m_timeline, &m_themes);
}

void MainWindow::makeActions() {
    const auto action = [this](const QKeySequence& keys, auto f) {
        auto* a = new QAction(this);
        a->setShortcut(keys);
        connect(a, &QAction::triggered, this, f);
        return a;
    };
    m_open = action(QKeySequence::Open, [this] { openDialog(); });
    m_save = action(QKeySequence::Save, [this] { saveProgram(false); });
    m_saveAs = action(QKeySequence::SaveAs, [this] { saveProgram(true); });
    m_saveTrace = action(QKeySequence(QStringLiteral("Ctrl+E")), [this] { saveTrace(); });
    m_quit = action(QKeySequence::Quit, [this] { close(); });
    m_run = action(QKeySequence(QStringLiteral("Ctrl+R")), [this] { run(); });
    m_stop = action(QKeySequence(QStringLiteral("Ctrl+.")), [this] { stop(); });
    m_measure = action({}, [] {});
    m_measure->setCheckable(true);
    m_measure->setChecked(true);
    m_resetLayout = action({}, [this] { applyWorkspace(QStringLiteral("overview")); });
    m_dark = action(QKeySequence(QStringLiteral("Ctrl+D")), [this] { setDark(m_dark->isChecked()); });
    m_dark->setCheckable(true);
    m_about = action({}, [this] {
        QMessageBox::about(this, tr("About Strata"),
                           tr("Strata shows every layer of the PyTorch compile stack at work. What is on screen was "
                              "measured, compiled and run."));
    });
    m_fileMenu = menuBar()->addMenu(QString());
    m_fileMenu->addActions({m_open, m_save, m_saveAs, m_saveTrace});
    m_fileMenu->addSeparator();
    m_fileMenu->addAction(m_quit);
    m_runMenu = menuBar()->addMenu(QString());
    m_runMenu->addActions({m_run, m_stop, m_measure});
    m_viewMenu = menuBar()->addMenu(QString());
    m_workspaceMenu = m_viewMenu->addMenu(QString());
    int number = 1;
    for (const QString& name : {QStringLiteral("overview"), QStringLiteral("capture"), QStringLiteral("compile"),
                                QStringLiteral("code"), QStringLiteral("compare")}) {
        m_workspaces[name] =
            action(QKeySequence(QStringLiteral("Ctrl+%1").arg(number++)), [this, name] { applyWorkspace(name); });
        m_workspaceMenu->addAction(m_workspaces[name]);
    }
    m_languageMenu = m_viewMenu->addMenu(QString());
    m_languages = new QActionGroup(this);
    for (const auto& [code, name] : {std::pair(QStringLiteral("en"), QStringLiteral("English")),
                                     std::pair(QStringLiteral("zh_CN"), QStringLiteral("简体中文"))}) {
        QAction* a = m_languageMenu->addAction(name);
        a->setCheckable(true);
        a->setData(code);
        m_languages->addAction(a);
        connect(a, &QAction::triggered, this, [this, code = code] { setLanguage(code); });
    }
    m_viewMenu->addAction(m_dark);
    m_viewMenu->addAction(m_resetLayout);
    m_viewMenu->addSeparator();
    for (const QString& key : m_order) m_viewMenu->addAction(m_docks[key]->toggleViewAction());
    m_viewMenu->addSeparator();
    m_viewMenu->addAction(m_about);
}

void MainWindow::makeToolBar() {
    auto* bar = addToolBar(QString());
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({m_run, m_stop});
    bar->addSeparator();
    m_programLabel = new QLabel;
    m_programs = new QComboBox;
    m_programs->setMinimumWidth(190);
    for (const QString& name : demonstrationPrograms()) m_programs->addItem(name, QStringLiteral(":/programs/") + name);
    m_backendLabel = new QLabel;
    m_backends = new QComboBox;
    for (const char* name : {"default", "eager", "aot_eager", "inductor"})
        m_backends->addItem(QString::fromLatin1(name), QString::fromLatin1(name));
    for (QWidget* w : {static_cast<QWidget*>(m_programLabel), static_cast<QWidget*>(m_programs),
                       static_cast<QWidget*>(m_backendLabel), static_cast<QWidget*>(m_backends)})
        bar->addWidget(w);
    bar->addAction(m_measure);
    connect(m_programs, &QComboBox::activated, this, [this](int index) {
        if (mayDiscard()) chooseProgram(index);
    });
    auto* bottom = new QToolBar;
    bottom->setObjectName(QStringLiteral("transport"));
    bottom->setMovable(false);
    m_transport->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    bottom->addWidget(m_transport);
    addToolBar(Qt::BottomToolBarArea, bottom);
}

void MainWindow::makeStatusBar() {
    m_progress = new QProgressBar;
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(90);
    m_progress->setVisible(false);
    m_stageLabel = new QLabel;
    m_countersLabel = new QLabel;
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_progress);
    statusBar()->addWidget(m_stageLabel, 1);
    statusBar()->addPermanentWidget(m_countersLabel);
}

void MainWindow::chooseProgram(int index) {
    if (index < 0 || index >= m_programs->count()) return;
    m_programs->setCurrentIndex(index);
    open(m_programs->itemData(index).toString());
}

bool MainWindow::open(const QString& path) {
    if (path.endsWith(QLatin1String(".strata"))) {
        const QString wrong = host::openTrace(path, &m_model);
        if (!m_model.run().program.isEmpty()) m_source->setProgram(m_model.run().program, m_model.run().path);
        m_timeline.toEnd();
        updateStatus();
        if (!wrong.isEmpty()) tell(wrong);
        return m_model.recordCount() > 0;
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        tell(tr("%1 cannot be read: %2").arg(path, file.errorString()));
        return false;
    }
    const bool shipped = path.startsWith(QLatin1Char(':'));
    m_file = shipped ? QString() : path;
    m_source->setProgram(QString::fromUtf8(file.readAll()), shipped ? QFileInfo(path).fileName() : path);
    updateTitle();
    return true;
}

void MainWindow::run() {
    if (m_engine.isRunning()) return;
    m_source->setModified(m_source->isModified() && false); // the marks that come are those of this text
    m_timeline.setFollowing(true);
    m_runClock.start();
    m_engine.run({m_source->path(), m_source->text(), m_backends->currentData().toString(), m_measure->isChecked()});
    updateStatus();
}

void MainWindow::stop() {
    m_engine.stop();
}

void MainWindow::ended(const host::Ending& ending) {
    using Kind = host::Ending::Kind;
    m_timeline.setFollowing(false);
    if (!m_timeline.isPlaying() && !m_timeline.atEnd()) m_timeline.play();
    switch (ending.kind) {
    case Kind::Crashed:
        tell(ending.signal.isEmpty()
                 ? tr("The engine ended with exit code %1 before the program was over. The next run starts afresh.")
                       .arg(ending.exitCode)
                 : tr("The program brought its engine down (%1). Nothing else is affected; the next run starts afresh.")
                       .arg(ending.signal));
        break;
    case Kind::Killed:
        tell(tr("The program did not react to the interrupt and was killed."));
        break;
    case Kind::Stopped:
        tell(tr("The program was stopped."));
        break;
    case Kind::NotStarted:
        tell(tr("The engine could not be started: %1").arg(ending.stderr_));
        break;
    case Kind::Finished:
        if (ending.status == QLatin1String("out_of_memory"))
            tell(tr("The program asked for more memory than a run may have."));
        break;
    }
    if (!ending.stderr_.isEmpty() && ending.kind != Kind::NotStarted && ending.kind != Kind::Finished)
        m_console->say(ending.stderr_);
    updateStatus();
    Q_EMIT runFinished();
}

void MainWindow::tell(const QString& words) {
    m_console->say(words);
    statusBar()->showMessage(words, 8000);
}

void MainWindow::updateStatus() {
    const bool running = m_engine.isRunning();
    m_run->setEnabled(!running);
    m_stop->setEnabled(running);
    m_progress->setVisible(running);
    m_progress->setRange(0, running ? 0 : 1);
    QString words;
    if (running) {
        const double seconds = static_cast<double>(m_runClock.elapsed()) / 1e3;
        const auto& compiles = m_model.compiles();
        words = !compiles.empty() && compiles.back().finishedRecord < 0
                    ? tr("Compiling %1 %2").arg(compiles.back().function, compiles.back().id)
                    : tr("Running");
        words += QStringLiteral("  ") + model::Words::milliseconds(seconds * 1e3);
    } else if (m_model.run().finishedRecord >= 0) {
        words = model::Words::runStatus(m_model.run().status) + QStringLiteral("  ") +
                model::Words::milliseconds(m_model.run().seconds * 1e3);
    }
    m_stageLabel->setText(words);
    const auto& counters = m_model.run().counters;
    m_countersLabel->setText(
        counters.isEmpty()
            ? QString()
            : tr("%1 compiles · %2 graph breaks · %3 cache hits · %4 eager launches · %5 compiled launches")
                  .arg(counters.value(QStringLiteral("compiles")))
                  .arg(counters.value(QStringLiteral("graph_breaks")))
                  .arg(counters.value(QStringLiteral("cache_hits")))
                  .arg(counters.value(QStringLiteral("eager_launches")))
                  .arg(counters.value(QStringLiteral("compiled_launches"))));
}

void MainWindow::raisePane(const QString& key) {
    QDockWidget* dock = m_docks.value(key);
    if (!dock) return;
    dock->show();
    dock->raise();
}

void MainWindow::applyWorkspace(const QString& name) {
    struct Plan {
        QStringList left, right;
        double share; // of the left
    };
    static const QMap<QString, Plan> plans{
        {QStringLiteral("overview"),
         {{"source", "console", "problems"},
          {"map", "fx", "joint", "prims", "loops", "kernels", "bytecode", "guards", "eager", "launches"},
          0.36}},
        {QStringLiteral("capture"),
         {{"source", "bytecode", "console"},
          {"fx", "guards", "problems", "map", "eager", "joint", "prims", "loops", "kernels", "launches"},
          0.5}},
        {QStringLiteral("compile"),
         {{"fx", "joint", "prims", "source", "console", "problems", "guards"},
          {"loops", "map", "kernels", "bytecode", "eager", "launches"},
          0.5}},
        {QStringLiteral("code"),
         {{"source", "loops", "console", "problems"},
          {"kernels", "bytecode", "map", "fx", "joint", "prims", "guards", "eager", "launches"},
          0.34}},
        {QStringLiteral("compare"),
         {{"eager", "source", "console", "problems"},
          {"launches", "map", "fx", "joint", "prims", "loops", "kernels", "bytecode", "guards"},
          0.5}}};
    const Plan plan = plans.value(name, plans.value(QStringLiteral("overview")));
    for (QDockWidget* dock : m_docks) {
        removeDockWidget(dock);
        dock->setFloating(false);
    }
    const auto place = [this](const QStringList& keys, Qt::DockWidgetArea area) {
        QDockWidget* first = nullptr;
        for (const QString& key : keys) {
            QDockWidget* dock = m_docks[key];
            if (!first)
                addDockWidget(area, dock, Qt::Horizontal);
            else
                tabifyDockWidget(first, dock);
            if (!first) first = dock;
            dock->show();
        }
        first->raise();
        return first;
    };
    QDockWidget* left = place(plan.left, Qt::LeftDockWidgetArea);
    QDockWidget* right = place(plan.right, Qt::RightDockWidgetArea);
    resizeDocks({left, right}, {static_cast<int>(width() * plan.share), static_cast<int>(width() * (1 - plan.share))},
                Qt::Horizontal);
    if (name != QLatin1String("overview")) return;
    // Overview shows what the program prints below its source.
    QDockWidget* console = m_docks[QStringLiteral("console")];
    splitDockWidget(left, console, Qt::Vertical);
    tabifyDockWidget(console, m_docks[QStringLiteral("problems")]);
    console->raise();
    resizeDocks({left, console}, {height() * 7 / 10, height() * 3 / 10}, Qt::Vertical);
}

void MainWindow::setBackend(const QString& backend) {
    const int index = m_backends->findData(backend);
    if (index >= 0) m_backends->setCurrentIndex(index);
}

void MainWindow::setDark(bool dark) {
    m_dark->setChecked(dark);
    m_themes.setDark(dark);
}

void MainWindow::applyTheme() {
    const canvas::Theme& t = m_themes.theme();
    QPalette palette;
    palette.setColor(QPalette::Window, t.window);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.surface);
    palette.setColor(QPalette::AlternateBase, t.sunken);
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::Button, t.raised);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::Highlight, t.accent);
    palette.setColor(QPalette::HighlightedText, t.onAccent);
    palette.setColor(QPalette::ToolTipBase, t.raised);
    palette.setColor(QPalette::ToolTipText, t.text);
    palette.setColor(QPalette::PlaceholderText, t.muted);
    palette.setColor(QPalette::Disabled, QPalette::Text, t.faint);
    palette.setColor(QPalette::Disabled, QPalette::ButtonText, t.faint);
    palette.setColor(QPalette::Disabled, QPalette::WindowText, t.faint);
    QApplication::setPalette(palette);
    setStyleSheet(windowStyle(t));
    m_run->setIcon(dot(t.ok, false));
    m_stop->setIcon(dot(t.error, true));
    for (QLabel* label : {m_programLabel, m_backendLabel, m_stageLabel, m_countersLabel})
        label->setStyleSheet(QStringLiteral("color: %1;").arg(t.muted.name()));
}

void MainWindow::setLanguage(const QString& language) {
    m_language = language;
    for (QAction* a : m_languages->actions()) a->setChecked(a->data().toString() == language);
    if (m_translator) {
        QApplication::removeTranslator(m_translator);
        delete std::exchange(m_translator, nullptr);
    }
    if (language != QLatin1String("en")) {
        m_translator = new QTranslator(this);
        if (m_translator->load(QStringLiteral(":/translations/strata_%1.qm").arg(language)))
            QApplication::installTranslator(m_translator);
    }
    retranslate();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QMainWindow::changeEvent(event);
}

void MainWindow::retranslate() {
    m_fileMenu->setTitle(tr("&File"));
    m_runMenu->setTitle(tr("&Run"));
    m_viewMenu->setTitle(tr("&View"));
    m_workspaceMenu->setTitle(tr("Workspace"));
    m_languageMenu->setTitle(tr("Language"));
    m_open->setText(tr("Open…"));
    m_save->setText(tr("Save program"));
    m_saveAs->setText(tr("Save program as…"));
    m_saveTrace->setText(tr("Save trace…"));
    m_quit->setText(tr("Quit"));
    m_run->setText(tr("Run"));
    m_stop->setText(tr("Stop"));
    m_measure->setText(tr("Compare"));
    m_measure->setToolTip(
        tr("After the run, run the program twice more, eager and compiled, with only launches recorded"));
    m_resetLayout->setText(tr("Reset layout"));
    m_dark->setText(tr("Dark"));
    m_about->setText(tr("About Strata"));
    m_programLabel->setText(tr("Program"));
    m_backendLabel->setText(tr("Backend"));
    m_backends->setItemText(0, tr("as the program says"));
    const QMap<QString, QString> names{{QStringLiteral("overview"), tr("Overview")},
                                       {QStringLiteral("capture"), tr("Capture")},
                                       {QStringLiteral("compile"), tr("Compile")},
                                       {QStringLiteral("code"), tr("Code")},
                                       {QStringLiteral("compare"), tr("Compare eager and compiled")}};
    for (auto it = m_workspaces.cbegin(); it != m_workspaces.cend(); ++it) it.value()->setText(names.value(it.key()));
    for (const QString& key : m_order) m_docks[key]->setWindowTitle(m_panes[key]->title());
    m_transport->retranslate();
    updateTitle();
    updateStatus();
}

void MainWindow::updateTitle() {
    const QString name = m_file.isEmpty() ? m_source->path() : QFileInfo(m_file).fileName();
    setWindowTitle(name + QStringLiteral("[*] — Strata"));
    setWindowModified(m_source->isModified());
}

bool MainWindow::mayDiscard() {
    if (!m_source->isModified() || m_file.isEmpty()) return true;
    const auto answer = QMessageBox::question(this, tr("Unsaved changes"),
                                              tr("%1 has changes that are not saved. Discard them?").arg(m_file),
                                              QMessageBox::Discard | QMessageBox::Save | QMessageBox::Cancel);
    if (answer == QMessageBox::Save) saveProgram(false);
    return answer != QMessageBox::Cancel;
}

void MainWindow::openDialog() {
    if (!mayDiscard()) return;
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open"), QString(), tr("Programs and traces (*.py *.strata)"));
    if (!path.isEmpty()) open(path);
}

void MainWindow::saveProgram(bool as) {
    QString path = m_file;
    if (as || path.isEmpty())
        path = QFileDialog::getSaveFileName(this, tr("Save program"), m_source->path(), tr("Python (*.py)"));
    if (path.isEmpty()) return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(m_source->text().toUtf8()) < 0 || !file.commit()) {
        QMessageBox::warning(this, tr("Save program"), tr("%1 cannot be written: %2").arg(path, file.errorString()));
        return;
    }
    m_file = path;
    m_source->setModified(false);
    updateTitle();
}

void MainWindow::saveTrace() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save trace"), QString(), tr("Strata traces (*.strata)"));
    if (path.isEmpty()) return;
    const QString wrong =
        host::saveTrace(path.endsWith(QLatin1String(".strata")) ? path : path + QStringLiteral(".strata"), m_model);
    if (!wrong.isEmpty()) QMessageBox::warning(this, tr("Save trace"), wrong);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayDiscard()) return event->ignore();
    if (m_persistent) {
        QSettings settings;
        settings.setValue(QStringLiteral("geometry"), saveGeometry());
        settings.setValue(QStringLiteral("layout"), saveState(layoutVersion));
        settings.setValue(QStringLiteral("language"), m_language);
        settings.setValue(QStringLiteral("dark"), m_themes.isDark());
    }
    QMainWindow::closeEvent(event);
}

} // namespace strata::shell
