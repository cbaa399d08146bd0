"""The window of an open project, and every action of it: menu, name, key, and what does it."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from enum import Enum
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtGui import QActionGroup, QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from inexview.core.article.granularity import Granularity, load_sentence_model
from inexview.core.formats.format import Apart
from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import PoolProgress, project_summary
from inexview.core.project.project import Project
from inexview.core.project.reviews import last_opened
from inexview.gui.adjudicate.adjudicate_controller import RULING_ACTIONS, AdjudicateController
from inexview.gui.adjudicate.judges_controller import ACTIONS as JUDGES_ACTIONS
from inexview.gui.adjudicate.judges_controller import JudgesController
from inexview.gui.answers.answer_controller import ACTIONS as ANSWER_ACTIONS
from inexview.gui.answers.answer_controller import AnswerController
from inexview.gui.article.article_view import ArticleView, Context
from inexview.gui.article.overlays import Tool
from inexview.gui.article.styles import LOOK_SETTINGS, ReadingLook
from inexview.gui.assess.assess_controller import AssessController
from inexview.gui.assess.nuggets import NUGGET_ACTIONS, NUGGET_FILES
from inexview.gui.assess.suggestion_controller import SuggestionController
from inexview.gui.assess.words import ReadingWords
from inexview.gui.commands.files import (
    CollectionNotices,
    Files,
    LayerOpener,
    MissingDocuments,
    ProjectRescue,
    SuggestionOpener,
)
from inexview.gui.commands.reading import (
    ArticleKeys,
    BackAndForward,
    BlindJudging,
    ElementCommands,
    WordHelp,
    copy_link,
    copy_selection,
)
from inexview.gui.look.panels import Popup
from inexview.gui.look.widgets import Drops, Pages, fit_to_screen, in_column
from inexview.gui.services.actions import (
    ASSESSING,
    DRAWING,
    EDIT,
    FILE,
    GO,
    HELP,
    INSPECTING,
    JUDGE,
    JUDGING,
    OUTLINING,
    SETTING,
    UNITS,
    VIEW,
    Action,
    ActionBook,
    Room,
)
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.messages import Activity, Messages
from inexview.gui.services.opening import DocumentProblem, read_ahead
from inexview.gui.services.session import Session
from inexview.gui.services.settings import (
    APPEARANCE,
    GEOMETRY,
    KEYS,
    LINE_WIDTH,
    RECENT,
    RUNS,
    STATES,
    ZOOM,
    Appearance,
    Setting,
    SettingChanged,
    Settings,
)
from inexview.gui.services.tasks import Slices, Tasks
from inexview.gui.shell.pages import Banner, LateInspect, Rooms, WindowPages
from inexview.gui.shell.panels import KeyPanel, Palette, Panels, StatusBar
from inexview.gui.shell.start_window import LOOK_AT_RUNS, NEW, OPEN, OTHER, QUIT, SAMPLE
from inexview.gui.shell.top_bar import TopBar
from inexview.gui.text_changes import Decision, Drifting

if TYPE_CHECKING:
    from inexview.gui.commands.saving import Exporter
    from inexview.gui.inspect.inspect_view import InspectController
    from inexview.gui.offset_check import DoctorWindow


@runtime_checkable
class Holder(Protocol):
    """What lets go of something with Esc: a widget of a number half typed, the article of a stroke."""

    def let_go(self) -> bool:
        """Let go of it; False where there is nothing."""


SIZE = (1440, 900)


class Mode(Enum):
    """What the window is used for; the value is the action that chooses it."""

    ASSESS = "assess"
    ADJUDICATE = "adjudicate"
    JUDGES = "judges"
    ANSWER = "answer"
    INSPECT = "inspect"


class MainWindow(QMainWindow):
    """One project on the screen."""

    closed = Signal(object)  # this window
    asked = Signal(object)  # id of an action that concerns other windows: new-project, open-project, …

    def __init__(self, project: Project, settings: Settings, appearance: Appearance) -> None:
        with appearance.building():
            super().__init__()
            self.setWindowTitle(f"{project.path.stem} – inexview")
            self._settings = settings
            self._appearance = appearance
            self._done = False  # a window that is closed may be told to close again
            self._alone_told = ""  # how panels and bars come back
            self.mode = Mode.ASSESS
            self.book = ActionBook(self, settings, ACTIONS)
            self.article = ArticleView()
            self.pages = Pages(self.article)
            self.messages = Messages(self.article, floating=False)
            self.article.show_under_text(self.messages)
            self.tasks = Tasks(self.messages.error, self)
            self.session = Session(project, self.tasks, self.messages, self, self.article.reading_position)
            self.context = Context(
                self, self.session, self.article, self.tasks, self.messages, settings, self.book
            )
            self._follow(self.session)  # first: the article shows a document before the panels tell of it
            self._make_controllers()
            self._make_bars()
            self._build(QWidget())
        self._connect()
        self.drifting = Drifting(self.context)
        self.article_keys = ArticleKeys(self.context)
        self.back_and_forward = BackAndForward(self.context)
        self.book.bind(self)
        for names in (
            tuple(mode.value for mode in Mode),
            ("theme-system", "theme-light", "theme-dark"),
        ):
            group = QActionGroup(self)
            for name in names:
                group.addAction(self.book[name])
        self._restore()
        self.article.first_painted.connect(  # before the first drag needs it
            lambda _document: self.tasks.run(load_sentence_model, lambda _nothing: None, urgent=False),
            Qt.ConnectionType.SingleShotConnection,
        )
        self._open(project)
        self.reading_ahead = Slices(self, seconds=0.005, pause=25, settling=self.tasks.settling)
        self.reading_ahead.start(read_ahead(project), self._check_marks)
        self.assess.panel.passage_chosen.connect(self.drifting.tell_of)
        self.assess.nuggets.place_wanted.connect(self.stage.opener.open)
        self.assess.pool.order.runs_allowed.connect(self._tell_blind)

    # -- building ------------------------------------------------------------------------------------

    def _make_controllers(self) -> None:
        """Make what judges, and what menu entries do that belong to no room."""
        context, session, article = self.context, self.session, self.article
        self.suggestion_controller = SuggestionController(context)
        self.assess = AssessController(context, self.suggestion_controller.count)
        self.late_inspect = LateInspect(context, self.pages)
        self.adjudicate = AdjudicateController(session, article, self.messages, self.book)
        self.answer = AnswerController(context)
        self.judges = JudgesController(context, self.adjudicate.comparison, self.pages)
        self.suggestion_controller.turned.connect(self.assess.pool.model.touch_all)
        self.word_help = WordHelp(article, ReadingWords(context), self.assess.panel.words)
        self.blind = BlindJudging(context)
        self.element_commands = ElementCommands(context)
        self.collection_notices = CollectionNotices(context)
        self.files = Files(context, self._reload_topic)
        self.project_rescue = ProjectRescue(context)
        self.suggestions = SuggestionOpener(context, self.suggestion_controller)
        self.layers = LayerOpener(context, self.adjudicate)

    def _make_bars(self) -> None:
        self.top, self.status = TopBar(self.book), StatusBar(self.book)
        self.activity = Activity(self.tasks)
        self.popup = Popup(self)
        self.chooser = Palette(self.popup, self.session, self.book, lambda: self.stage.show_document())
        self.drops = Drops(self)
        self._panels = Panels(self.pages, self._settings)
        self._panels.edge.bind(self.book["focus-pool"])
        self.key_panel = KeyPanel(self.book, self.article.pen_state, self._panels.right)
        self.frame = Banner(self._panels, self.book["let-go"])
        self.rooms = Rooms(
            self.context, self.frame, self.late_inspect, self.adjudicate, self.answer, self.assess.nuggets
        )
        self.stage = WindowPages(self.context, self.rooms)

    def _build(self, body: QWidget) -> None:
        self._panels.hold_left(self.assess.pool)
        self._panels.hold_right(self.assess.panel)
        for bar in (self.adjudicate.legend, self.suggestion_controller.bar):
            self.pages.show_above(bar)
        in_column(self.top, (self.stage, 1), self.status, on=body, margins=0, spacing=0)
        self.activity.lie_over(body, self.status)
        self.setCentralWidget(body)
        self.book.fill_menu_bar(self.top.menus)

    def _follow(self, session: Session) -> None:
        session.topic_changed.connect(self._show_topic)
        session.document_opened.connect(self._show_document)
        session.document_failed.connect(self._show_problem)
        session.state_changed.connect(lambda _change: self.late_inspect.show_judged())
        session.state_changed.connect(lambda _change: self.messages.look_again())
        session.runs_changed.connect(self._keep_runs)
        MissingDocuments(self.context)  # a child of the window
        self.article.first_painted.connect(self.tasks.settling.unsettle, Qt.ConnectionType.QueuedConnection)
        self.tasks.settling.unsettled.connect(self.article.put_off_building)

    def _connect(self) -> None:
        self.session.convention_changed.connect(self.status.show_convention)
        self.late_inspect.made.connect(self._join_inspect)
        self.late_inspect.left_made.connect(self._panels.hold_left)
        self.late_inspect.right_made.connect(self._panels.hold_right)
        self.files.check_wanted.connect(self.check_offsets)
        self.answer.wanted.connect(lambda: self.set_mode(Mode.ANSWER))
        self.answer.names_changed.connect(self._tell_blind)
        comparison = self.adjudicate.comparison
        comparison.layers_changed.connect(lambda: self.answer.compare(comparison.opened))
        show_nuggets = self.assess.nuggets.compare
        comparison.changed.connect(lambda: show_nuggets(comparison.looks, comparison.own_look))
        self.adjudicate.wanted.connect(lambda on: self.set_mode(Mode.ADJUDICATE if on else Mode.ASSESS))
        self.judges.wanted.connect(self._show_judges)
        self.judges.room_wanted.connect(self.rooms.enter)
        self.book.room_changed.connect(lambda: self._panels.set_alone(self.book.room is Room.JUDGES))
        self.judges.place_wanted.connect(lambda wanted: self.stage.opener.when_shown(*wanted))
        self.judges.offered.connect(self.adjudicate.offer)
        self.judges.choice_wanted.connect(self.chooser.choose_among)
        self.judges.suggested.connect(self.suggestions.take)
        self.files.brought.connect(self._bring_in)
        self.drops.others.connect(lambda paths: self.open_run(*paths))
        self.article.zoomed.connect(lambda percent: self._settings.set(ZOOM, percent))
        self._appearance.motion.changed.connect(self.article.flash.set_still)
        self._settings.changed.connect(self._follow_setting)

    def _bring_in(self, what: Apart, path: Path) -> None:
        """Take into the project what came among runs and judgements."""
        take = {
            Apart.LABELS: self.judges.bring_in,
            Apart.NUGGETS: self.assess.nuggets.files.bring_in,
            Apart.SUPPORT: self.layers.open,
            Apart.ANSWERS: self.answer.bring_in,
        }
        take[what](path)

    def _open(self, project: Project) -> None:
        shown: tuple[Setting[Any], ...] = APPEARANCE, LINE_WIDTH, ZOOM
        for setting in shown:
            self._follow_setting(SettingChanged(setting, self._settings.get(setting)))
        self.article.flash.set_still(self._appearance.motion.reduced)
        self.top.set_project(project.path.stem)
        self.set_mode(Mode.ASSESS)
        self.status.show_convention(project.convention)
        self.status.follow(self.session.saving)
        self.project_rescue.tell_read_only()
        self.project_rescue.compare_with_copies()
        self.collection_notices.start()
        self._open_where_left(project)
        self.layers.open_again()

    def _open_where_left(self, project: Project) -> None:
        """Go on with the document that was open last; at the first time, with what is not finished."""
        last = last_opened(project)
        if last is not None:
            self.session.open_topic(*last)
            return
        # Where nothing can be judged no topic is searched for what is left to do, which takes long.
        topics = () if project.read_only else project.topics
        left = (topic.id for topic in topics if PoolProgress.of_topic(project, topic.id).to_do)
        self.session.open_topic(next(left, project.topics[0].id))

    @property
    def inspect(self) -> InspectController:
        return self.late_inspect()

    def _join_inspect(self, controller: InspectController) -> None:
        """Tell Inspect what the rest of the window chooses, and the other way round."""
        order = self.assess.pool.order
        order.runs_allowed.connect(controller.on_article.set_beside)
        controller.on_article.scored.connect(self.assess.panel.show_run)
        controller.changed.connect(self._name_topic)
        self.files.read_kept()

    # -- showing -------------------------------------------------------------------------------------

    def set_mode(self, mode: Mode) -> None:
        """Switch between Assess and Inspect; the article stays where it is."""
        self.stage.show_article()
        self.article.setFocus()  # first: Inspect may give the keyboard to its table
        self.blind.let_go()
        self.mode = mode
        self.book[mode.value].setChecked(True)
        self.judges.set_active(mode is Mode.JUDGES)
        holders: dict[Mode, Any] = {
            Mode.ADJUDICATE: self.adjudicate, Mode.JUDGES: self.judges, Mode.ANSWER: self.answer
        }  # fmt: skip
        if mode is Mode.INSPECT:
            self._panels.show_mode(mode.value, self.inspect.left, self.inspect.right)
        elif mode is Mode.ASSESS:
            self._panels.show_mode(mode.value, self.assess.pool, self.assess.panel)
        else:
            self._panels.show_mode(mode.value, holders[mode].left, holders[mode].right)
        self.assess.topic_pool.set_seen(mode is Mode.ASSESS)
        self.late_inspect.set_active(mode is Mode.INSPECT)
        self.word_help.words.set_active(mode is Mode.ASSESS)
        self.rooms.enter(Room(mode.value))
        if mode is Mode.JUDGES:
            self.judges.take_keyboard()
        self._tell_blind()
        self._name_topic()

    def _name_topic(self) -> None:
        """Name the open topic in the bar above, or all where one looks at all of them."""
        over_topics = self.mode is Mode.INSPECT and self.inspect.over_topics
        self._panels.show_text(not over_topics)
        self.status.set_over_topics(over_topics)
        self.top.show_topic(self.session.topic, over_topics=over_topics)

    def _show_topic(self, topic: Topic) -> None:
        self.messages.leave()
        self.messages.look_again()
        self._name_topic()
        self.article.set_document(None)
        self.late_inspect.show_judged()
        self.collection_notices.show_page()

    def _show_document(self, opened: OpenDocument) -> None:
        document = opened.document
        self.messages.settle()
        self.messages.look_again()
        self.article.set_document(document, opened.position)
        self.status.show_note(document.warnings[0] if document.warnings else "")
        self.late_inspect.show_judged()

    def _show_problem(self, problem: DocumentProblem) -> None:
        self.messages.look_again()
        title = f"{problem.document_id} cannot be shown{' yet' if problem.silent else ''}"
        self.article.show_notice(title, problem.text)

    def _keep_runs(self, runs: tuple[Run, ...]) -> None:
        paths = [str(run.path.resolve()) for run in runs if run.path is not None]
        self._settings.remember(RUNS, self.session.project.path, paths)
        self._tell_blind()

    def _tell_blind(self, _shown: object = None) -> None:
        runs = len(self.session.runs) if self.mode is Mode.ASSESS else 0
        self.status.show_blind(runs, shown=self.assess.pool.order.shows_runs)
        if self.mode is Mode.ANSWER:
            self.status.show_names(self.answer.shows_names, before=self.answer.named)

    def _follow_setting(self, change: SettingChanged) -> None:
        if change.setting is ZOOM:
            self.article.set_zoom(change.value)
            self.status.show_zoom(change.value)
        elif change.setting in LOOK_SETTINGS:
            self.article.set_look(ReadingLook.of(self._settings))
        elif change.setting is APPEARANCE:
            self.book[f"theme-{change.value}"].setChecked(True)
        elif change.setting is KEYS:
            self.status.show_keys()

    def choose_theme(self, name: str) -> None:
        self._settings.set(APPEARANCE, name)

    def toggle_panels(self) -> None:
        """Leave the text alone, or show what is around it; every key stays, and the line under the text."""
        alone = self.book["toggle-panels"].isChecked()
        self._panels.show_sides(not alone)
        for bar in (self.top, self.status):
            bar.setVisible(not alone)
        key, current = self.book.key_text("toggle-panels"), self.messages.current
        if alone and key:
            self._alone_told = f"{key} brings panels and bars back."
            self.messages.info(self._alone_told)
        elif current is not None and current.text == self._alone_told:
            self.messages.withdraw(current)

    # -- going from document to document, by the list of the room that one is in ----------------------

    def step_document(self, step: int) -> None:
        """Open the next document of the list (1) or the one before (-1)."""
        if self.adjudicate.active:
            self.adjudicate.step(step)
        elif self.judges.active:
            self.judges.step(step)
        elif self.answer.active:
            self.answer.step_answer(step)
        elif self.late_inspect.active and self.session.run is not None:
            self.inspect.step(step)
        else:
            self.assess.topic_pool.step(step)

    def open_next_to_do(self) -> None:
        following = self.session.unfinished_after(self.session.document_id)
        if following is not None:
            self.session.open_document(following)
        elif self.session.pool:
            self.assess.tell_end()

    def focus_list(self) -> None:
        self._panels.open_list()
        if self.late_inspect.active:
            self.inspect.take_keyboard()
        elif self.judges.active:
            self.judges.take_keyboard()
        else:
            (self.adjudicate.left.view if self.adjudicate.active else self.assess.pool.view).setFocus()

    def focus_filter(self) -> None:
        """Ask for what the titles of the documents, or over all topics the topics, shall hold."""
        field = self.assess.pool.filter
        if self.late_inspect.active and self.inspect.over_topics:
            if self.inspect.sweeping:
                self.inspect.filter_runs()
                return
            field = self.inspect.topics.filter
        else:
            if self.adjudicate.active or self.late_inspect.active or self.judges.active:
                self.book["assess"].trigger()
            self._panels.open_list()
        field.setFocus()
        field.selectAll()

    # -- what is judged -------------------------------------------------------------------------------

    def _check_marks(self, all_read: bool) -> None:
        if all_read and not self.session.project.collection.lacks_text:
            self.drifting.check_new()

    def _reload_topic(self) -> None:
        self.session.reload()
        self.drifting.check_new()

    # -- the window ----------------------------------------------------------------------------------

    def let_go(self) -> None:
        """Close a message and let go of what was begun last, innermost first; else give the keyboard away."""
        self.messages.close_message()
        focused = QApplication.focusWidget()
        own = (focused,) if isinstance(focused, Holder) else ()
        over_text = (self.popup, self.blind, self.stage, self.word_help, self.assess.nuggets, self.article)
        rooms = self.assess.pool, self.key_panel, self.answer, self.judges, self.late_inspect, self.frame
        holders: tuple[Holder, ...] = (*own, *over_text, *rooms)
        if not any(holder.let_go() for holder in holders):
            self.stage.take_keyboard()

    # Imported here: a cold start need not wait for them.

    def open_preferences(self) -> None:
        from inexview.gui.commands.dialogs import Preferences

        Preferences(self._settings, self).open()

    def open_guide(self) -> None:
        from inexview.gui.commands.help import open_guide

        open_guide(self, self.book, f"{self.mode.value}.md")

    def open_keys(self) -> None:
        from inexview.gui.commands.help import KeyCard

        KeyCard(self.book, self.book.room, self).open()

    @cached_property
    def exporter(self) -> Exporter:
        from inexview.gui.commands.saving import Exporter

        return Exporter(self.context)

    def check_offsets(self, path: Path | None = None) -> DoctorWindow:
        from inexview.gui.offset_check import DoctorWindow

        doctor = DoctorWindow(self.session, self.tasks, self._settings, self, path)
        doctor.opened.connect(self.open_run)
        doctor.show()
        return doctor

    def open_run(self, *paths: Path) -> None:
        self.files.open_runs(paths, lambda: self.show_inspect(opened=True))

    def _show_judges(self, on: bool) -> None:
        back = Mode.ADJUDICATE if self.adjudicate.comparison.compared else Mode.ASSESS
        self.set_mode(Mode.JUDGES if on else back)

    def show_assess(self) -> None:
        self.set_mode(Mode.ASSESS)

    def show_inspect(self, *, opened: bool = False) -> None:
        """See runs over the text, or those just ``opened``; on the way there one may be asked first."""
        if self.mode is Mode.INSPECT or not self.blind.asks(answered=not opened):
            self.set_mode(Mode.INSPECT)
            return
        self.book[self.mode.value].setChecked(True)
        self.blind.ask()

    def toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _restore(self) -> None:
        self.resize(*SIZE)
        kept = self._settings.get(GEOMETRY)
        if kept:
            self.restoreGeometry(QByteArray.fromBase64(kept.encode("ascii", "ignore")))
        fit_to_screen(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the topic that the button names with Enter that nothing else wanted, over all topics."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if enter and plain and self.mode is Mode.INSPECT and self.inspect.over_topics:
            self.book["open-chosen-topic"].trigger()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Note where one was; all else is saved already, or offered to be saved where the file is gone."""
        asked = self.project_rescue, self.assess.note_taking, self.late_inspect
        may_close = self._done or all(one.may_close() for one in asked)
        event.setAccepted(may_close)
        if self._done or not may_close:
            return
        self.end()
        super().closeEvent(event)

    def _note_state(self) -> None:
        """Keep what work the project is and how far, for the list of projects."""
        project = self.session.project
        if os.path.realpath(project.path) in self._settings.get(RECENT):
            said = project_summary(project, len(self.session.runs))
            state = [said, datetime.now().astimezone().isoformat(timespec="minutes")]
            self._settings.remember(STATES, Path(os.path.realpath(project.path)), state)

    def end(self) -> None:
        """Write what waits and let go of the project; nothing is asked."""
        self._done = True
        self.back_and_forward.stop()
        self.late_inspect.end()
        self._note_state()
        self.session.close()
        self.assess.note_taking.let_go()
        self._settings.set(GEOMETRY, bytes(self.saveGeometry().toBase64().data()).decode())
        self.reading_ahead.stop()
        self.hide()  # what is being saved may take a while
        project = self.session.project
        project.close(keep_articles=not self.tasks.close(project.documents.close))  # for what reads on
        self.closed.emit(self)


_ADJUDICATING = (Room.ADJUDICATE,)


def _run(number: int) -> Action[MainWindow]:
    def bring_forward(w: MainWindow) -> Callable[[], object]:
        return partial(w.inspect.bring_forward, number)

    text = f"Run {number} to the front"
    return Action(f"run-{number}", GO, text, "Show another run over the text", bring_forward, (str(number),),
                  rooms=(Room.INSPECT,))  # fmt: skip


ACTIONS: tuple[Action[MainWindow], ...] = (
    NEW,
    OPEN,
    SAMPLE,
    OTHER,
    LOOK_AT_RUNS,
    Action("start-window", FILE, "Start window", "Recent projects, new project, sample",
           lambda w: partial(w.asked.emit, "start-window")),
    Action("open-run", FILE, "Open run…", "Show a run over the judged text",
           lambda w: partial(w.files.ask_runs, partial(w.show_inspect, opened=True)), ("Ctrl+R",),
           starts_group=True),
    Action("close-run", FILE, "Close run", "Close the current run",
           lambda w: w.session.close_run),
    Action("import-qrels", FILE, "Import qrels…", "Import judgements of a qrels file into this project",
           lambda w: w.files.ask_import, starts_group=True),
    Action("open-answers", FILE, "Import answers…", "Import answers with citations, to judge their support",
           lambda w: w.answer.ask,
           judges=True),
    *JUDGES_ACTIONS,
    *NUGGET_FILES,
    Action("export-qrels", FILE, "Export qrels…", "Write the judgements as qrels, assessments or JSON lines",
           lambda w: lambda: w.exporter.ask(),
           ("Ctrl+E",)),
    Action("compare-judgements", FILE, "Score runs by a second layer…",
           "Compare the order of the runs under another assessor's judgements",
           lambda w: lambda: w.inspect.chart_opener.second.ask()),
    Action("report", FILE, "Report…",
           "Write a report: which run is best, whether that is significant, and why",
           lambda w: lambda: w.stage.evidence.ask_report()),
    Action("save-evidence", FILE, "Save evidence…", "Save the current view as a page, a PDF or a picture",
           lambda w: lambda: w.stage.evidence.ask(), ("Ctrl+Alt+E",)),
    Action("save-table", FILE, "Save a table…",
           "Save runs, topics and runs, every pair or the ranked documents: for a paper, as values or a page",
           lambda w: lambda: w.stage.evidence.offer_tables(), ("Ctrl+Alt+S",)),
    Action("open-layer", FILE, "Open another assessor’s layer…",
           "Open another assessor's judgements as a layer: a project, qrels or JSON lines",
           lambda w: w.layers.ask, starts_group=True),
    Action("close-layers", FILE, "Close layers", "Close the other assessors' judgements",
           lambda w: w.adjudicate.comparison.close),
    Action("open-suggestions", FILE, "Open suggestions…",
           "Show suggestions of a run or JSON lines, to accept or reject (recorded in the project)",
           lambda w: w.suggestions.ask),
    Action("close-suggestions", FILE, "Turn suggestions off", "Show no suggestions (recorded in the project)",
           lambda w: w.suggestion_controller.turn_off),
    Action("check-offsets", FILE, "Check offsets…",
           "Find the convention in which a run or qrels count, and write a corrected copy",
           lambda w: w.check_offsets),
    Action("find-collection", FILE, "Find the collection…",
           "Choose the folder of the articles if they were moved",
           lambda w: partial(w.asked.emit, "find-collection")),
    Action("index-collection", FILE, "Index the collection",
           "List the articles of the collection, if that was cancelled",
           lambda w: w.session.preparation.start),
    Action("load-articles", FILE, "Load the changed articles",
           "Read the open articles again if their files changed",
           lambda w: w.collection_notices.replaced.load),
    Action("check-marks", FILE, "Check marks against the articles…", "List the marks whose text has changed",
           lambda w: w.drifting.check_all),
    Action("retrieve", FILE, "Retrieve passages…",
           "Rank the collection's passages by a retrieval model; make runs and pools",
           lambda w: lambda: w.stage.retrieval.open(), ("Ctrl+Alt+F",)),
    Action("add-topics", FILE, "Add topics…", "Add topics to this project, with the pool of their documents",
           lambda w: partial(w.asked.emit, "add-topics"), judges=True),
    Action("choose-convention", FILE, "How qrels count…",
           "Set the characters that the offsets of qrels count", lambda w: w.chooser.choose_convention),
    Action("choose-grades", FILE, "Grades…", "Set the grades that documents and passages may have",
           lambda w: w.assess.grading.choose),
    Action("restore", FILE, "Restore…", "List the copies of this project, and restore one as a new file",
           lambda w: w.project_rescue.restore, starts_group=True),
    Action("save-elsewhere", FILE, "Save to another file…",
           "Save all actions to another project file, and continue there",
           lambda w: w.project_rescue.save_elsewhere),
    Action("save", FILE, "Save", "Every action is saved at once; you need not save",
           lambda w: w.session.saving.save, ("Ctrl+S",)),
    Action("settings", FILE, "Settings…", "Assessor, appearance, behaviour of Finish",
           lambda w: w.open_preferences, ("Ctrl+,",), starts_group=True),
    QUIT,
    Action("undo", EDIT, "Undo", "Undo the last action in this document", lambda w: w.assess.undo,
           ("Ctrl+Z",), rooms=SETTING, judges=True),
    Action("redo", EDIT, "Redo", "Redo what was undone", lambda w: w.assess.redo,
           ("Ctrl+Y", "Ctrl+Shift+Z"), rooms=SETTING, judges=True),
    Action("let-go", EDIT, "Cancel or close", "Cancel one thing: a list, a drag, the eraser, a selection",
           lambda w: w.let_go,
           ("Esc",), anywhere=True),
    Action("copy", EDIT, "Copy", "Copy the selected text, or the selected rows of a list",
           lambda w: partial(copy_selection, w.article), ("Ctrl+C",),
           starts_group=True),
    Action("copy-link", EDIT, "Copy link to this place", "Copy a link to this topic, document, run and line",
           lambda w: partial(copy_link, w.context),
           ("Ctrl+Shift+L",)),
    Action("copy-path", EDIT, "Copy element path", "Copy the path of the outlined element",
           lambda w: w.element_commands.copy_path, ("Ctrl+Shift+C",)),
    Action("copy-span", EDIT, "Copy element span", "Copy offset:length of the outlined element",
           lambda w: w.element_commands.copy_span, ("Ctrl+Alt+C",)),
    Action("find", EDIT, "Find in article…", "Find text in this article",
           lambda w: w.article.find_bar.open, ("Ctrl+F",)),
    Action("find-next", EDIT, "Find next", "Go to the next match", lambda w: w.article.find_bar.next,
           ("F3",)),
    Action("find-previous", EDIT, "Find previous", "Go to the previous match",
           lambda w: w.article.find_bar.previous, ("Shift+F3",)),
    Action("mark", JUDGE, "Mark relevant", "Mark the selection; without one, switch to the pen",
           lambda w: partial(w.assess.draw, Tool.MARK), ("H",), rooms=DRAWING, judges=True),
    Action("erase", JUDGE, "Erase mark", "Erase the selection; without one, switch to the eraser",
           lambda w: partial(w.assess.draw, Tool.ERASE), ("U",), rooms=DRAWING, judges=True),
    Action("mark-sentence", JUDGE, "Mark sentence, go on", "Mark the sentence at the caret, then go on",
           lambda w: w.article.caret_pen.mark_sentence,
           ("S",), rooms=DRAWING, judges=True),
    Action("erase-passage", JUDGE, "Erase passage at caret", "Erase the whole marked passage at the caret",
           lambda w: w.article.caret_pen.erase_passage,
           ("Del",), rooms=DRAWING, judges=True),
    Action("end-more", JUDGE, "Longer mark", "Extend the mark by a sentence or unit",
           lambda w: partial(w.article.ends.move_nearest, 1), (".",), rooms=DRAWING, judges=True),
    Action("end-less", JUDGE, "Shorter mark", "Shorten the mark by a sentence or unit",
           lambda w: partial(w.article.ends.move_nearest, -1), (",",), rooms=DRAWING, judges=True),
    Action("grow-selection", JUDGE, "Select by sentence",
           "Select the sentence at the caret; press again for one more",
           lambda w: partial(w.article.caret_pen.extend_selection, Granularity.SENTENCE), ("E",),
           rooms=SETTING),
    Action("mark-element", JUDGE, "Mark whole element", "Mark the outlined element, or that at the caret",
           lambda w: partial(w.article.caret_pen.stroke_element, Tool.MARK), ("Shift+H",), rooms=DRAWING,
           judges=True),
    Action("erase-element", JUDGE, "Erase whole element", "Erase all marks in the outlined element",
           lambda w: partial(w.article.caret_pen.stroke_element, Tool.ERASE), ("Shift+U",), rooms=DRAWING,
           judges=True),
    Action("select-element", JUDGE, "Select whole element",
           "Select the outlined element, or that at the caret",
           lambda w: w.article.caret_pen.select_element, ("Shift+E",)),
    Action("unit-character", JUDGE, "Exact characters", "Mark exactly the characters that you drag over",
           lambda w: partial(w.article.pen_state.choose, Granularity.CHARACTER), ("1", "X"),
           checkable=True,
           rooms=UNITS, starts_group=True),
    Action("unit-word", JUDGE, "Snap to words", "Marks grow to words; hold the key for one drag only",
           lambda w: partial(w.article.pen_state.choose, Granularity.WORD), ("2",), checkable=True,
           rooms=UNITS),
    Action("unit-sentence", JUDGE, "Snap to sentences",
           "Marks grow to sentences, also in cells, list items and captions; hold the key for one drag only",
           lambda w: partial(w.article.pen_state.choose, Granularity.SENTENCE), ("3",), checkable=True,
           rooms=UNITS),
    Action("unit-paragraph", JUDGE, "Snap to paragraphs",
           "Marks grow to paragraphs, cells, list items and captions; hold the key for one drag only",
           lambda w: partial(w.article.pen_state.choose, Granularity.PARAGRAPH), ("4",), checkable=True,
           rooms=UNITS),
    Action("unit-element", JUDGE, "Snap to elements",
           "Marks grow to elements; hold the key for one drag only",
           lambda w: partial(w.article.pen_state.choose, Granularity.ELEMENT), ("5",), checkable=True,
           rooms=UNITS),
    Action("entry-point", JUDGE, "Set best entry point", "Then click, or press again to use the caret",
           lambda w: w.assess.entry_points.choose, ("B",), starts_group=True, rooms=SETTING, judges=True),
    Action("entry-point-caret", JUDGE, "Best entry point at caret", "Set the best entry point at the caret",
           lambda w: w.article.caret_pen.choose_entry_point,
           ("Ctrl+B",), rooms=SETTING, judges=True),
    Action("entry-point-first", JUDGE, "Best entry point at first mark",
           "Set the best entry point at the first marked character",
           lambda w: w.assess.entry_points.take_first_mark, ("Alt+B",), rooms=JUDGING, judges=True),
    Action("remove-entry-point", JUDGE, "Remove best entry point",
           "Remove the best entry point of this document",
           lambda w: w.assess.entry_points.remove, ("Shift+B",), rooms=SETTING, judges=True),
    Action("finish", JUDGE, "Finish, next", "All unmarked text is not relevant",
           lambda w: w.assess.finish, ("F",), starts_group=True, rooms=JUDGING, judges=True),
    Action("not-relevant", JUDGE, "Not relevant, next",
           "Finish without marks: this document, or all selected ones", lambda w: w.assess.not_relevant,
           ("N",), rooms=JUDGING, judges=True),
    Action("withdraw", JUDGE, "Withdraw from the pool",
           "Remove this document, or all selected ones, from the pool; judgements stay",
           lambda w: w.assess.withdraw, rooms=JUDGING, judges=True),
    Action("reopen", JUDGE, "Reopen", "Go back to judging this finished document",
           lambda w: w.session.reopen, ("Shift+F",), rooms=JUDGING, judges=True),
    Action("come-back", JUDGE, "Flag to come back", "Flag this document, or remove its flag",
           lambda w: w.assess.come_back.turn, ("C",), rooms=JUDGING, judges=True),
    Action("note", JUDGE, "Note…", "Write a note on the passage at the caret, or on the document",
           lambda w: w.assess.panel.note.begin, ("Alt+N",), rooms=ASSESSING),
    Action("grade-higher", JUDGE, "Grade higher", "The passage at the caret, or else the document",
           lambda w: partial(w.assess.grading.step, 1), ("R",), rooms=JUDGING, judges=True),
    Action("grade-lower", JUDGE, "Grade lower", "The passage at the caret, or else the document",
           lambda w: partial(w.assess.grading.step, -1), ("Shift+R",), rooms=JUDGING, judges=True),
    Action("clear", JUDGE, "Erase all marks", "Erase all marks and the best entry point of this document",
           lambda w: w.session.clear, ("Ctrl+Shift+Del",), rooms=JUDGING, judges=True),
    Action("keep-drifted", JUDGE, "Keep as it reads now",
           "Keep a mark whose text has changed, and accept the present text",
           lambda w: partial(w.drifting.decide_here, Decision.KEEP), starts_group=True, rooms=JUDGING,
           judges=True),
    Action("move-drifted", JUDGE, "Mark where it is now",
           "Move a mark, and the best entry point in it, to the new place of its text",
           lambda w: partial(w.drifting.decide_here, Decision.MOVE), rooms=JUDGING, judges=True),
    Action("remove-drifted", JUDGE, "Remove the drifted mark",
           "Remove a mark whose text has changed, and the best entry point in it",
           lambda w: partial(w.drifting.decide_here, Decision.REMOVE), rooms=JUDGING, judges=True),
    Action("edit-judgements", JUDGE, "Edit judgements", "Turn on the pen; the figures update while you drag",
           lambda w: w.rooms.begin_editing, ("E",), starts_group=True, rooms=(Room.INSPECT,)),
    Action("leave-editing", JUDGE, "Leave editing", "Turn off the pen: judgements are read-only again",
           lambda w: partial(w.rooms.enter, Room.INSPECT), rooms=(Room.EDIT,)),
    Action("finish-again", JUDGE, "Finish changed documents again",
           "Finish the documents that were reopened by a change here",
           lambda w: w.inspect.editing.finish_again, rooms=(Room.INSPECT, Room.EDIT)),
    Action("what-if", JUDGE, "What if…", "Change a scratch copy of the run and see the figures",
           lambda w: w.rooms.begin_what_if, ("W",), rooms=(Room.INSPECT,)),
    Action("leave-what-if", JUDGE, "Leave what-if",
           "Leave what-if; the scratch copy stays until you close the window",
           lambda w: partial(w.rooms.enter, Room.INSPECT), rooms=(Room.WHAT_IF,)),
    Action("undo-scratch", JUDGE, "Undo change", "Undo the last change of the scratch copy",
           lambda w: w.inspect.scratch_copies.undo, ("Ctrl+Z",), rooms=(Room.WHAT_IF,)),
    Action("enter-elsewhere", JUDGE, "Move entry point", "Then click, or press again to use the caret",
           lambda w: w.assess.entry_points.choose, ("B",), rooms=(Room.WHAT_IF,)),
    Action("rank-up", JUDGE, "One rank up", "Move the document up in the scratch copy",
           lambda w: partial(w.inspect.scratch_copies.move, -1), ("Shift+K",), rooms=(Room.WHAT_IF,)),
    Action("rank-down", JUDGE, "One rank down", "Move the document down in the scratch copy",
           lambda w: partial(w.inspect.scratch_copies.move, 1), ("Shift+J",), rooms=(Room.WHAT_IF,)),
    Action("save-scratch", JUDGE, "Save as run…", "Write the scratch copy as a run file",
           lambda w: w.late_inspect.scratch_saver.ask, ("Ctrl+Shift+S",), rooms=(Room.WHAT_IF,)),
    *RULING_ACTIONS,
    *ANSWER_ACTIONS,
    *NUGGET_ACTIONS,
    Action("take-suggestion", JUDGE, "Take the suggestion",
           "Mark the suggested text, or the selected text instead",
           lambda w: w.suggestion_controller.take, ("Y",), starts_group=True, rooms=ASSESSING,
           judges=True),
    Action("change-suggestion", JUDGE, "Change the suggestion",
           "Select the suggested text, so that you can change its ends",
           lambda w: w.suggestion_controller.change,
           ("Alt+Y",), rooms=ASSESSING),
    Action("refuse-suggestion", JUDGE, "Refuse the suggestion",
           "Leave the suggested text unmarked, and hide the suggestion",
           lambda w: w.suggestion_controller.refuse, ("Shift+Y",), rooms=ASSESSING, judges=True),
    Action("next-place", GO, "Next difference", "Go to the next place that is not settled",
           lambda w: partial(w.adjudicate.step_place, 1), ("N",), rooms=_ADJUDICATING),
    Action("previous-place", GO, "Previous difference", "Go to the previous place that is not settled",
           lambda w: partial(w.adjudicate.step_place, -1), ("Shift+N",), rooms=_ADJUDICATING),
    Action("next-suggestion", GO, "Next suggestion", "Go to the next open suggestion",
           lambda w: partial(w.suggestion_controller.step, 1), ("Q",), rooms=ASSESSING),
    Action("previous-suggestion", GO, "Previous suggestion", "Go to the one before",
           lambda w: partial(w.suggestion_controller.step, -1), ("Shift+Q",), rooms=ASSESSING),
    Action("next-document", GO, "Next document", "Open the next document of the list",
           lambda w: partial(w.step_document, 1), ("J", "Ctrl+PgDown")),
    Action("previous-document", GO, "Previous document", "Open the previous document",
           lambda w: partial(w.step_document, -1), ("K", "Ctrl+PgUp")),
    Action("next-todo", GO, "Next document to do", "Open the next document that is not finished",
           lambda w: w.open_next_to_do, ("Ctrl+J",)),
    Action("next-unit", GO, "Next sentence", "Move by a sentence or unit; with Shift, select",
           lambda w: partial(w.article_keys.step, None, 1), ("Ctrl+Right", "Ctrl+Shift+Right"),
           starts_group=True),
    Action("previous-unit", GO, "Previous sentence", "Move by a sentence or unit; with Shift, select",
           lambda w: partial(w.article_keys.step, None, -1), ("Ctrl+Left", "Ctrl+Shift+Left")),
    Action("next-paragraph", GO, "Next paragraph", "Move the caret by a paragraph; with Shift, select",
           lambda w: partial(w.article_keys.step, Granularity.PARAGRAPH, 1),
           ("Ctrl+Down", "Ctrl+Shift+Down")),
    Action("previous-paragraph", GO, "Previous paragraph",
           "Move the caret by a paragraph; with Shift, select",
           lambda w: partial(w.article_keys.step, Granularity.PARAGRAPH, -1),
           ("Ctrl+Up", "Ctrl+Shift+Up")),
    Action("context-menu", GO, "Menu at the caret", "Show what you can do at the caret",
           lambda w: w.article_keys.open_at_caret, ("Shift+F10",)),
    Action("back", GO, "Back", "Go to the previous document or place",
           lambda w: partial(w.back_and_forward.go, -1), ("Alt+Left",), starts_group=True),
    Action("forward", GO, "Forward", "Go forward again",
           lambda w: partial(w.back_and_forward.go, 1), ("Alt+Right",)),
    Action("search-collection", GO, "Find in the collection…",
           "Find documents by their words, also outside the pool",
           lambda w: lambda: w.stage.search.toggle(), ("Ctrl+Shift+F",),
           rooms=(*ASSESSING, Room.REPORT, Room.SEARCH)),
    Action("quality-report", GO, "Quality report", "List judgements that may need a second look",
           lambda w: lambda: w.stage.quality.toggle(), ("Alt+Q",), starts_group=True,
           rooms=(*ASSESSING, Room.REPORT, Room.SEARCH)),
    Action("open-finding", GO, "Open there", "Open the place of this question",
           lambda w: lambda: w.stage.quality.open(), rooms=(Room.REPORT,)),
    Action("right-as-it-is", GO, "Correct, next",
           "Confirm that the judgement is right, and go to the next question",
           lambda w: lambda: w.stage.quality.settle(), ("Y",), rooms=(Room.REPORT,)),
    Action("choose-topic", GO, "Choose topic…", "Show the topics and their progress",
           lambda w: w.chooser.choose_topic, ("Ctrl+T",), starts_group=True, anywhere=True),
    Action("next-topic", GO, "Next topic", "Go to the next topic",
           lambda w: partial(w.session.step_topic, 1), ("Ctrl+Alt+Down",)),
    Action("previous-topic", GO, "Previous topic", "Go to the previous topic",
           lambda w: partial(w.session.step_topic, -1), ("Ctrl+Alt+Up",)),
    Action("next-passage", GO, "Next passage", "Go to the next marked passage",
           lambda w: partial(w.assess.step_passage, 1), ("]",), starts_group=True),
    Action("previous-passage", GO, "Previous passage", "Go to the previous marked passage",
           lambda w: partial(w.assess.step_passage, -1), ("[",)),
    Action("next-drifted", GO, "Next mark that reads differently",
           "Go to the next mark of this document whose text has changed",
           lambda w: w.drifting.go_to_next, ("D",)),
    Action("same-sentence", GO, "Same sentence elsewhere",
           "Go to another document where the sentence at the caret was judged",
           lambda w: w.stage.sentences.follow_caret, ("=",), rooms=ASSESSING),
    Action("next-word", GO, "Next word", "Go to the next coloured word",
           lambda w: partial(w.word_help.words.step, 1), ("W",), rooms=ASSESSING),
    Action("previous-word", GO, "Previous word", "Go to the previous coloured word",
           lambda w: partial(w.word_help.words.step, -1), ("Shift+W",), rooms=ASSESSING),
    Action("add-word", GO, "Look for a word…", "Colour a word, or the selected text, wherever it occurs",
           lambda w: w.word_help.ask, ("Alt+W",), rooms=ASSESSING),
    Action("go-entry-point", GO, "Go to best entry point", "Show the best entry point",
           lambda w: w.assess.entry_points.go, ("G",)),
    Action("all-topics", GO, "All topics", "Show topics × runs: which run is better on which topic",
           lambda w: partial(w.inspect.show_level, over_topics=True), ("T",), starts_group=True,
           rooms=(Room.INSPECT, Room.EDIT)),
    Action("open-chosen-topic", GO, "Open topic", "Open the topic that is selected in the table",
           lambda w: w.inspect.open_chosen_topic, rooms=(Room.INSPECT, Room.EDIT)),
    Action("swap-runs", GO, "Swap run and baseline", "Exchange the two runs that are compared",
           lambda w: w.inspect.board.swap, ("X",), rooms=(Room.INSPECT,)),
    *(_run(number) for number in range(1, 10)),
    Action("filter-runs", GO, "Filter runs",
           "List only runs whose name or parameters fit: k1=0.9, b=0.4..0.8",
           lambda w: w.inspect.filter_runs, ("Alt+/",), rooms=(Room.INSPECT,)),
    Action("sweep", GO, "Sweep over parameters",
           "Compare runs that differ by parameters with the best of them; press again for pairs",
           lambda w: w.inspect.toggle_sweep, ("V",), rooms=(Room.INSPECT,)),
    Action("swap-axes", GO, "Swap the axes of the sweep",
           "Exchange the parameter along the chart and that of the lines",
           lambda w: w.inspect.sweep.swap_axes, ("Shift+X",), rooms=(Room.INSPECT,)),
    Action("compare-best", GO, "Compare best and baseline",
           "Compare the best run of the sweep with the baseline, topic by topic",
           lambda w: w.inspect.compare_best, rooms=(Room.INSPECT,)),
    Action("turn-reading", GO, "Same k or same characters",
           "Compare runs of chunks at the same number of chunks, or of characters",
           lambda w: w.inspect.chunkers.turn, ("C",), rooms=(Room.INSPECT,)),
    Action("fewer-chunks", GO, "Fewer chunks", "Count one chunk of each question fewer (k)",
           lambda w: partial(w.inspect.change_k, -1), ("-",), rooms=(Room.INSPECT, Room.EDIT)),
    Action("more-chunks", GO, "More chunks", "Count one chunk of each question more (k)",
           lambda w: partial(w.inspect.change_k, 1), ("+",), rooms=(Room.INSPECT, Room.EDIT)),
    Action("next-hit", GO, "Next hit", "Go to the next relevant text that the run retrieved",
           lambda w: partial(w.inspect.step_passage, "hit", 1), ("H",), starts_group=True,
           rooms=(Room.INSPECT,)),
    Action("previous-hit", GO, "Previous hit", "Go to the previous hit",
           lambda w: partial(w.inspect.step_passage, "hit", -1), ("Shift+H",),
           rooms=(Room.INSPECT,)),
    Action("next-miss", GO, "Next miss", "Go to the next relevant text that the run missed",
           lambda w: partial(w.inspect.step_passage, "miss", 1), ("M",), rooms=INSPECTING),
    Action("previous-miss", GO, "Previous miss", "Go to the previous miss",
           lambda w: partial(w.inspect.step_passage, "miss", -1), ("Shift+M",),
           rooms=INSPECTING),
    Action("next-false-alarm", GO, "Next false alarm", "Go to the next retrieved text that is not relevant",
           lambda w: partial(w.inspect.step_passage, "false alarm", 1), ("A",),
           rooms=INSPECTING),
    Action("previous-false-alarm", GO, "Previous false alarm", "Go to the previous false alarm",
           lambda w: partial(w.inspect.step_passage, "false alarm", -1), ("Shift+A",),
           rooms=INSPECTING),
    Action("next-entry", GO, "Next entry point", "Go to the entry point of the run, or to the best one",
           lambda w: partial(w.inspect.step_passage, "entry point", 1), ("P",),
           rooms=INSPECTING),
    Action("previous-entry", GO, "Previous entry point", "Go to the previous entry point",
           lambda w: partial(w.inspect.step_passage, "entry point", -1), ("Shift+P",),
           rooms=INSPECTING),
    Action("derive", GO, "Why this figure",
           "Show formula, numbers and rows, and the change if a row is left out",
           lambda w: w.inspect.toggle_derivation, ("Y",), rooms=INSPECTING),
    Action("dearest", GO, "What cost most", "Passages, documents and topics that cost the run most",
           lambda w: w.inspect.toggle_costliest, ("Shift+D",), rooms=(Room.INSPECT,)),
    Action("focus-pool", GO, "To the document list", "Move the keyboard focus to the list of documents",
           lambda w: w.focus_list, ("F6",), starts_group=True),
    Action("focus-article", GO, "To the article", "Move the keyboard focus to the article",
           lambda w: w.stage.take_keyboard, ("F7",)),
    Action("filter", GO, "Filter documents", "Show only documents with these words in the title",
           lambda w: w.focus_filter, ("/",)),
    Action("assess", VIEW, "Assess", "Mark the relevant text of the documents in the pool",
           lambda w: w.show_assess, ("Ctrl+1",), checkable=True, anywhere=True),
    Action("adjudicate", VIEW, "Adjudicate", "Settle where assessors differ",
           lambda w: w.adjudicate.enter, ("Ctrl+3",), checkable=True, anywhere=True),
    Action("answer", VIEW, "Answer", "Judge how well cited passages support the sentences of answers",
           lambda w: w.answer.enter, ("Ctrl+4",), checkable=True, anywhere=True),
    Action("inspect", VIEW, "Inspect", "Show runs over the judged text, and their scores",
           lambda w: w.show_inspect, ("Ctrl+2",), checkable=True, anywhere=True),
    Action("palette", VIEW, "Find anything…", "Find a command, document or topic by typing",
           lambda w: w.chooser.open, ("Ctrl+K",), starts_group=True, anywhere=True),
    Action("reader", VIEW, "What a reader reads", "Show what a reader sees before giving up (T2I)",
           lambda w: w.inspect.on_article.toggle_reading, ("R",), checkable=True, starts_group=True,
           rooms=(Room.INSPECT,)),
    Action("charts", VIEW, "Charts…", "Show charts of the open runs",
           lambda w: w.inspect.chart_opener.open, ("Ctrl+G",), rooms=INSPECTING),
    Action("zoom-in", VIEW, "Larger text", "Larger text in the article", lambda w: w.article.zoom_in,
           ("Ctrl++", "Ctrl+=")),
    Action("zoom-out", VIEW, "Smaller text", "Smaller text in the article", lambda w: w.article.zoom_out,
           ("Ctrl+-",)),
    Action("zoom-reset", VIEW, "Normal text size", "Show the article's text at its normal size",
           lambda w: w.article.zoom_reset, ("Ctrl+0",)),
    Action("outlines", VIEW, "Outline elements", "Outline and name the element under the mouse or the caret",
           lambda w: w.element_commands.toggle, ("O",), checkable=True, starts_group=True),
    Action("element-outward", VIEW, "Outline the parent element", "Go to the parent of the outlined element",
           lambda w: w.element_commands.go_outward, ("Alt+Up",), rooms=OUTLINING),
    Action("element-inward", VIEW, "Outline a child element", "Go to a child of the outlined element",
           lambda w: w.element_commands.go_inward, ("Alt+Down",), rooms=OUTLINING),
    Action("element-next", VIEW, "Outline the next element", "Go to the next element with the same parent",
           lambda w: partial(w.element_commands.go_sideways, 1), ("Alt+Shift+Right",)),
    Action("element-previous", VIEW, "Outline the previous element",
           "Go to the element before with the same parent",
           lambda w: partial(w.element_commands.go_sideways, -1), ("Alt+Shift+Left",)),
    Action("theme-system", VIEW, "Follow the desktop", "Light or dark, like the desktop",
           lambda w: partial(w.choose_theme, "system"), checkable=True, starts_group=True,
           anywhere=True),
    Action("theme-light", VIEW, "Light", "Dark text on a light background",
           lambda w: partial(w.choose_theme, "light"), checkable=True, anywhere=True),
    Action("theme-dark", VIEW, "Dark", "Light text on a dark background",
           lambda w: partial(w.choose_theme, "dark"), checkable=True, anywhere=True),
    Action("toggle-panels", VIEW, "Only the article", "Hide or show panels and bars",
           lambda w: w.toggle_panels, ("F9",), checkable=True, starts_group=True),
    Action("full-screen", VIEW, "Full screen", "Use the whole screen", lambda w: w.toggle_full_screen,
           ("F11",), checkable=True, anywhere=True),
    Action("guide", HELP, "User guide", "Open the guide at the page about this view",
           lambda w: w.open_guide, ("F1",)),
    Action("keys", HELP, "Keys", "Show the main keys", lambda w: w.key_panel.toggle, ("?",)),
    Action("all-keys", HELP, "All keys…", "Show all keys, and change them", lambda w: w.open_keys,
           ("Ctrl+F1",)),
    Action("messages", HELP, "Messages…", "Read the messages of this window again",
           lambda w: w.messages.show_said),
    Action("kept-places", HELP, "Where things are…", "Show or delete settings, copies, lists, log and sample",
           lambda w: partial(w.asked.emit, "kept-places")),
    Action("fresh-sample", HELP, "Start the sample afresh…",
           "Open a new copy of the sample, and keep your work",
           lambda w: partial(w.asked.emit, "fresh-sample")),
    Action("about", HELP, "About inexview", "Version and licence", lambda w: partial(w.asked.emit, "about")),
)  # fmt: skip
"""The rows of all menus, in order.

What does an action is looked up when a window starts: one in which an action does nothing does not start.
"""
