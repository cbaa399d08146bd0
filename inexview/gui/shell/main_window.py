"""The window of an open project: panels, article, bars, and the switch between Assess and Inspect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtGui import QActionGroup, QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from inexview.core.article.granularity import load_sentence_model
from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import PoolProgress
from inexview.core.project.project import Project
from inexview.core.project.reviews import last_opened
from inexview.gui.adjudicate.adjudicate_controller import AdjudicateController
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.styles import LOOK_SETTINGS, ReadingLook
from inexview.gui.assess.assess_controller import AssessController
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
from inexview.gui.commands.reading import ArticleKeys, BackAndForward, BlindJudging, ElementCommands, WordHelp
from inexview.gui.look.panels import Popup
from inexview.gui.look.widgets import Drops, Pages, fit_to_screen, in_column
from inexview.gui.services.actions import ActionBook, Room
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.messages import Activity, Messages
from inexview.gui.services.opening import DocumentProblem, read_ahead
from inexview.gui.services.session import Session
from inexview.gui.services.settings import (
    APPEARANCE,
    GEOMETRY,
    KEYS,
    RUNS,
    ZOOM,
    Appearance,
    SettingChanged,
    Settings,
)
from inexview.gui.services.tasks import Slices, Tasks
from inexview.gui.shell.action_table import ACTIONS
from inexview.gui.shell.pages import Banner, LateInspect, Rooms, WindowPages
from inexview.gui.shell.panels import KeyPanel, Palette, Panels, StatusBar, TextAlone
from inexview.gui.shell.start_window import TopBar
from inexview.gui.text_changes import Drifting

if TYPE_CHECKING:
    from inexview.gui.commands.saving import Exporter
    from inexview.gui.inspect.inspect_view import InspectController
    from inexview.gui.offset_check import DoctorWindow


# Going from document to document, by the list of the room that one is in.


class DocumentSteps:
    """Does what the keys for the next document, the next to do, the list and its filter say."""

    def __init__(
        self,
        session: Session,
        assess: AssessController,
        inspect: LateInspect,
        adjudicate: AdjudicateController,
        book: ActionBook,
        open_list: Callable[[], object],
    ) -> None:
        self._session = session
        self._assess = assess
        self._inspect = inspect
        self._adjudicate = adjudicate
        self._book = book
        self._open_list = open_list

    def open_where_left(self) -> None:
        """Go on with the document that was open last; at the first time, with what is not finished."""
        project = self._session.project
        last = last_opened(project)
        if last is not None:
            self._session.open_topic(*last)
            return
        # Where nothing can be judged no topic is searched for what is left to do, which takes long.
        topics = () if project.read_only else project.topics
        left = (topic.id for topic in topics if PoolProgress.of_topic(project, topic.id).to_do)
        self._session.open_topic(next(left, project.topics[0].id))

    def step(self, step: int) -> None:
        """Open the next document of the list (1) or the one before (-1)."""
        if self._adjudicate.active:
            self._adjudicate.walk.step(step)
        elif self._inspect.active and self._session.run is not None:
            self._inspect().step(step)
        else:
            self._assess.topic_pool.step(step)

    def open_next_to_do(self) -> None:
        following = self._session.unfinished_after(self._session.document_id)
        if following is not None:
            self._session.open_document(following)
        elif self._session.pool:
            self._assess.tell_end()

    def focus_list(self) -> None:
        self._open_list()
        if self._inspect.active:
            self._inspect().stage.take_keyboard()
        else:
            (self._adjudicate.left.view if self._adjudicate.active else self._assess.pool.view).setFocus()

    def filter(self) -> None:
        """Ask for what the titles of the documents, or over all topics the topics, shall hold."""
        if self._inspect.active and self._inspect().stage.over_topics:
            field = self._inspect().stage.topics.filter
            field.setFocus()
            field.selectAll()
            return
        if self._adjudicate.active or self._inspect.active:
            self._book["assess"].trigger()
        self._open_list()
        self._assess.pool.filter.setFocus()
        self._assess.pool.filter.selectAll()


# What Esc means in the window: let go of what was begun, innermost first, wherever the keyboard is.
#
# It closes a message on the way, and with nothing else to let go of gives the keyboard to what one reads.

Hold = Callable[[], bool]
"""Lets go of one thing; False where there is nothing to let go of."""


@runtime_checkable
class Holder(Protocol):
    """A widget that holds something of its own while it has the keyboard: a number half typed."""

    def let_go(self) -> bool:
        """Let go of it; False where there is nothing."""


def let_go(messages: Messages, holds: Sequence[Hold], go_home: Callable[[], object]) -> None:
    """Let go of the first thing there is, of the widget with the keyboard before all ``holds``.

    ``go_home`` gives the keyboard away where there is nothing.
    """
    messages.close_message()
    focused = QApplication.focusWidget()
    own: list[Hold] = [focused.let_go] if isinstance(focused, Holder) else []
    if not any(hold() for hold in (*own, *holds)):
        go_home()


# How a window looks: theme, type and size of the text as the settings say, and back into the settings.


class WindowLook(QObject):
    """Follows the settings in one window, and keeps there what is chosen in it."""

    def __init__(
        self,
        window: QWidget,
        article: ArticleView,
        status: StatusBar,
        book: ActionBook,
        settings: Settings,
        appearance: Appearance,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._article = article
        self._status = status
        self._book = book
        self._settings = settings
        self._appearance = appearance
        article.zoomed.connect(self._keep_zoom)
        appearance.motion.changed.connect(article.flash.set_still)
        settings.changed.connect(self._on_setting)

    def show(self) -> None:
        """Show all as the settings say now."""
        settings = self._settings
        self._book[f"theme-{settings.get(APPEARANCE)}"].setChecked(True)
        self._article.flash.set_still(self._appearance.motion.reduced)
        self._article.set_look(ReadingLook.of(settings))
        self._article.set_zoom(settings.get(ZOOM))
        self._status.show_zoom(settings.get(ZOOM))

    def open_preferences(self) -> None:
        from inexview.gui.commands.dialogs import Preferences  # here: a cold start need not wait for it

        Preferences(self._settings, self._window).open()

    def choose_theme(self, name: str) -> None:
        """Be light or dark, or as the desktop is."""
        self._settings.set(APPEARANCE, name)

    def _keep_zoom(self, percent: int) -> None:
        self._settings.set(ZOOM, percent)
        self._status.show_zoom(percent)

    def _on_setting(self, change: SettingChanged) -> None:
        if change.setting is ZOOM:
            self._article.set_zoom(change.value)
        elif change.setting in LOOK_SETTINGS:
            self._article.set_look(ReadingLook.of(self._settings))
        elif change.setting is APPEARANCE:
            self._book[f"theme-{change.value}"].setChecked(True)
        elif change.setting is KEYS:
            self._status.show_keys()


SIZE = (1440, 900)


class Mode(Enum):
    """What the window is used for; the value is the action that chooses it."""

    ASSESS = "assess"
    ADJUDICATE = "adjudicate"
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
            self.mode = Mode.ASSESS
            self.book = ActionBook(self, settings, ACTIONS)
            self.article = ArticleView()
            self.pages = Pages(self.article)
            self.messages = Messages(self.article, floating=False)
            self.article.show_under_text(self.messages)
            self.tasks = Tasks(self.messages.error, self)
            self.session = Session(project, self.tasks, self.messages, self, self.article.reading_position)
            self._follow(self.session)  # first: the article shows a document before the panels tell of it
            self._make_desks()
            self._make_commands()
            self._make_rooms()
            self._build(QWidget())
        self._connect_parts()
        self.drifting = Drifting(self, self.session, self.article, self.tasks, self.messages, self.book)
        self.article_keys = ArticleKeys(self.article, self.book)
        self.back_and_forward = BackAndForward(self.session, self.article)
        self._bind_actions()
        self._restore()
        self.article.first_painted.connect(  # before the first drag needs it
            lambda _document: self.tasks.run(load_sentence_model, lambda _nothing: None, urgent=False),
            Qt.ConnectionType.SingleShotConnection,
        )
        self._open(project)
        self.reading_ahead = Slices(self, seconds=0.005, pause=25, settling=self.tasks.settling)
        self.reading_ahead.start(read_ahead(project), self._check_marks)
        self.assess.panel.passage_chosen.connect(self.drifting.tell_of)
        self.assess.pool.order.runs_allowed.connect(self._tell_blind)

    # -- building ------------------------------------------------------------------------------------

    def _make_desks(self) -> None:
        """Make what judges: each desk keeps the panels and the article of its room true."""
        session, article, messages, book = self.session, self.article, self.messages, self.book
        self.suggestion_controller = SuggestionController(session, article, messages, book)
        self.assess = AssessController(
            session, article, messages, self._settings, book, self.suggestion_controller.count
        )
        self.late_inspect = LateInspect(
            self, session, article, self.pages, self.tasks, messages, self._settings, book
        )
        self.adjudicate = AdjudicateController(session, article, messages, book)
        self.suggestion_controller.turned.connect(self.assess.pool.model.touch_all)

    def _make_commands(self) -> None:
        """Make what menu entries do that belong to no room."""
        session, article, messages, tasks = self.session, self.article, self.messages, self.tasks
        settings = self._settings
        words = ReadingWords(article, session, tasks, settings, messages)
        self.word_help = WordHelp(article, words, self.assess.panel.words)
        self.blind = BlindJudging(session, article, self.book)
        self.element_commands = ElementCommands(article, messages, settings, self.book)
        self.collection_notices = CollectionNotices(session, article, tasks, messages, self.book)
        self.files = Files(self, session, messages, tasks, settings, self._reload_topic)
        self.project_rescue = ProjectRescue(self, session, messages, tasks)
        self.suggestions = SuggestionOpener(
            self, session, self.suggestion_controller, messages, tasks, settings
        )
        self.layers = LayerOpener(self, session, self.adjudicate, messages, tasks, settings)

    def _make_rooms(self) -> None:
        self.top, self.status = TopBar(self.book), StatusBar(self.book)
        self.activity = Activity(self.tasks)
        self.popup = Popup(self)
        self.chooser = Palette(self.popup, self.session, self.book, lambda: self.stage.show_document())
        self.drops = Drops(self)
        self._panels = Panels(self.pages, self._settings)
        self._panels.edge.bind(self.book["focus-pool"])
        self.steps = DocumentSteps(
            self.session, self.assess, self.late_inspect, self.adjudicate, self.book, self._panels.open_list
        )
        self.key_panel = KeyPanel(self.book, self.article.pen_state, self._panels.right)
        self.text_alone = TextAlone(self._panels, (self.top, self.status), self.messages, self.book)
        self.frame = Banner(self._panels, self.book["let-go"])
        self.rooms = Rooms(
            self.frame,
            self.article,
            self.assess,
            self.late_inspect,
            self.adjudicate,
            self.suggestion_controller,
            self.status,
            self.messages,
            self.book,
        )
        self.stage = WindowPages(self.rooms, self.article, self.session, self.tasks, self.messages, self.book)

    def _build(self, body: QWidget) -> None:
        self._panels.hold_left(self.assess.pool)
        self._panels.hold_right(self.assess.panel)
        for bar in (self.adjudicate.legend, self.suggestion_controller.bar):
            self.pages.show_above(bar)
        in_column(self.top, (self.stage, 1), self.status, on=body, margins=0, spacing=0)
        self.activity.lie_over(body, self.status)
        self.setCentralWidget(body)
        self.book.fill_menu_bar(self.top.menus)

    def _bind_actions(self) -> None:
        self.book.bind(self)
        for names in (("assess", "adjudicate", "inspect"), ("theme-system", "theme-light", "theme-dark")):
            group = QActionGroup(self)
            for name in names:
                group.addAction(self.book[name])

    def _follow(self, session: Session) -> None:
        session.topic_changed.connect(self._show_topic)
        session.document_opened.connect(self._show_document)
        session.document_failed.connect(self._show_problem)
        session.state_changed.connect(lambda _change: self.late_inspect.show_judged())
        session.state_changed.connect(lambda _change: self.messages.look_again())
        session.runs_changed.connect(self._keep_runs)
        MissingDocuments(session, self.tasks, self.messages)  # a child of the session
        self.article.first_painted.connect(self.tasks.settling.unsettle, Qt.ConnectionType.QueuedConnection)
        self.tasks.settling.unsettled.connect(self.article.put_off_building)

    def _connect_parts(self) -> None:
        self.session.convention_changed.connect(self.status.show_convention)
        self.late_inspect.made.connect(self._join_inspect)
        self.late_inspect.left_made.connect(self._panels.hold_left)
        self.late_inspect.right_made.connect(self._panels.hold_right)
        self.files.check_wanted.connect(self.check_offsets)
        self.adjudicate.wanted.connect(lambda on: self.set_mode(Mode.ADJUDICATE if on else Mode.ASSESS))
        self.drops.others.connect(lambda paths: self.open_run(*paths))
        self.look = WindowLook(self, self.article, self.status, self.book, self._settings, self._appearance)

    def _open(self, project: Project) -> None:
        self.look.show()
        self.top.set_project(project.path.stem)
        self.set_mode(Mode.ASSESS)
        self.status.show_convention(project.convention)
        self.status.follow(self.session.saving)
        self.project_rescue.tell_read_only()
        self.project_rescue.compare_with_copies()
        self.collection_notices.start()
        self.steps.open_where_left()
        self.layers.open_again()

    @property
    def inspect(self) -> InspectController:
        return self.late_inspect()

    def _join_inspect(self, controller: InspectController) -> None:
        """Tell Inspect what the rest of the window chooses, and the other way round."""
        order = self.assess.pool.order
        order.runs_allowed.connect(controller.on_article.set_beside)
        controller.on_article.scored.connect(lambda told: self.assess.panel.show_run(told.run, told.said))
        controller.stage.changed.connect(self._name_topic)
        self.files.read_kept()

    # -- showing -------------------------------------------------------------------------------------

    def set_mode(self, mode: Mode) -> None:
        """Switch between Assess and Inspect; the article stays where it is."""
        self.stage.show_article()
        self.article.setFocus()  # first: Inspect may give the keyboard to its table
        self.blind.let_go()
        self.mode = mode
        self.book[mode.value].setChecked(True)
        self._panels.show_mode(mode.value, *self._beside(mode))
        self.assess.topic_pool.set_seen(mode is Mode.ASSESS)
        self.late_inspect.set_active(mode is Mode.INSPECT)
        self.word_help.words.set_active(mode is Mode.ASSESS)
        self.rooms.enter(Room(mode.value))
        self._tell_blind()
        self._name_topic()

    def _beside(self, mode: Mode) -> tuple[QWidget, QWidget]:
        if mode is Mode.ASSESS:
            return self.assess.pool, self.assess.panel
        controller = self.inspect if mode is Mode.INSPECT else self.adjudicate
        return controller.left, controller.right

    def _name_topic(self) -> None:
        """Name the open topic in the bar above, or all where one looks at all of them."""
        over_topics = self.mode is Mode.INSPECT and self.inspect.stage.over_topics
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

    # -- what is judged -------------------------------------------------------------------------------

    def _check_marks(self, all_read: bool) -> None:
        if all_read and not self.session.project.collection.lacks_text:
            self.drifting.check_new()

    def _reload_topic(self) -> None:
        self.session.reload()
        self.drifting.check_new()

    # -- the window ----------------------------------------------------------------------------------

    def let_go(self) -> None:
        """Give up what was begun last."""
        own = (self.popup, self.blind, self.stage, self.word_help, self.article, self.assess.pool)
        holders = (*own, self.key_panel, self.late_inspect, self.frame)
        let_go(self.messages, [holder.let_go for holder in holders], self.stage.take_keyboard)

    def open_guide(self) -> None:
        from inexview.gui.commands.help import open_guide  # here: a cold start need not wait for it

        open_guide(self, self.book, f"{self.mode.value}.md")

    def open_keys(self) -> None:
        from inexview.gui.commands.help import KeyCard  # here as well

        KeyCard(self.book, self.book.room, self).open()

    def toggle_full_screen(self) -> None:
        """Use the whole screen, or a window of it."""
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
        if enter and plain and self.mode is Mode.INSPECT and self.inspect.stage.over_topics:
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

    def end(self) -> None:
        """Write what waits and let go of the project; nothing is asked."""
        self._done = True
        self.back_and_forward.stop()
        self.late_inspect.end()
        self.session.close()
        self.assess.note_taking.let_go()
        self._settings.set(GEOMETRY, bytes(self.saveGeometry().toBase64().data()).decode())
        self.reading_ahead.stop()
        self.hide()  # what is being saved may take a while
        self.session.project.close(keep_articles=not self.tasks.close())  # for what reads on
        self.closed.emit(self)

    def open_run(self, *paths: Path) -> None:
        self.files.open_runs(paths, lambda: self.show_inspect(opened=True))

    @cached_property
    def exporter(self) -> Exporter:
        from inexview.gui.commands.saving import Exporter  # here: a cold start need not wait for it

        return Exporter(self, self.session, self.messages, self.tasks, self._settings)

    def check_offsets(self, path: Path | None = None) -> DoctorWindow:
        from inexview.gui.offset_check import DoctorWindow  # here: a cold start need not wait for it

        doctor = DoctorWindow(self.session, self.tasks, self._settings, self, path)
        doctor.opened.connect(self.open_run)
        doctor.show()
        return doctor

    def show_assess(self) -> None:
        self.set_mode(Mode.ASSESS)

    def show_inspect(self, *, opened: bool = False) -> None:
        """See runs over the text, or those just ``opened``; on the way there one may be asked first."""
        if self.mode is Mode.INSPECT or not self.blind.asks(answered=not opened):
            self.set_mode(Mode.INSPECT)
            return
        self.book[self.mode.value].setChecked(True)
        self.blind.ask()
