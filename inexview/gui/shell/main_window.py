"""The window of an open project."""

from __future__ import annotations

import os
from datetime import datetime
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtGui import QActionGroup, QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from inexview.core.article.granularity import load_sentence_model
from inexview.core.formats.format import Apart
from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import PoolProgress, project_summary
from inexview.core.project.project import Project
from inexview.core.project.reviews import last_opened
from inexview.gui.adjudicate.adjudicate_controller import AdjudicateController
from inexview.gui.adjudicate.judges_controller import JudgesController
from inexview.gui.answers.answer_controller import AnswerController
from inexview.gui.article.article_view import ArticleView, Context
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
from inexview.gui.commands.reading import (
    ArticleKeys,
    BackAndForward,
    BlindJudging,
    ElementCommands,
    WordHelp,
)
from inexview.gui.look.panels import Popup
from inexview.gui.look.widgets import Drops, Pages, fit_to_screen, in_column
from inexview.gui.services.actions import (
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
from inexview.gui.shell.menus import ACTIONS
from inexview.gui.shell.pages import Banner, LateInspect, Rooms, WindowPages
from inexview.gui.shell.panels import KeyPanel, Palette, Panels, StatusBar
from inexview.gui.shell.top_bar import TopBar
from inexview.gui.text_changes import Drifting

if TYPE_CHECKING:
    from inexview.gui.commands.saving import Exporter
    from inexview.gui.inspect.inspect_view import InspectController
    from inexview.gui.offset_check import DoctorWindow


@runtime_checkable
class Holder(Protocol):
    """A widget or controller that can cancel something with Esc."""

    def dismiss(self) -> bool:
        """Cancel what was begun; return False if there is nothing."""


SIZE = (1440, 900)


class Mode(Enum):
    """A mode of the window; the value is the action that chooses it."""

    ASSESS = "assess"
    ADJUDICATE = "adjudicate"
    JUDGES = "judges"
    ANSWER = "answer"
    INSPECT = "inspect"


class MainWindow(QMainWindow):
    """The window of one project."""

    closed = Signal(object)  # this window
    asked = Signal(object)  # id of an action on other windows: new-project, open-project, …

    def __init__(self, project: Project, settings: Settings, appearance: Appearance) -> None:
        with appearance.building():
            super().__init__()
            self.setWindowTitle(f"{project.path.stem} – inexview")
            self._settings = settings
            self._appearance = appearance
            self._done = False  # a closed window may be asked to close again
            self._alone_told = ""  # the message how to show panels and bars again
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
            # connected first: the article shows a document before the panels update
            self._follow(self.session)
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
        self.article.first_painted.connect(  # loaded before the first drag needs it
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
        """Make the controllers of judging, and of menu entries outside the pages."""
        context, session, article = self.context, self.session, self.article
        self.suggestion_controller = SuggestionController(context)
        self.assess = AssessController(context, self.suggestion_controller.count)
        self.late_inspect = LateInspect(context, self.pages)
        self.adjudicate = AdjudicateController(session, article, self.messages, self.book)
        self.answer = AnswerController(context, self.pages)
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
        MissingDocuments(self.context)  # owned by the window
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
        self._panels.folded.connect(self.answer.fold)
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
        """Import nuggets, answers or labels that were opened together with runs and judgements."""
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
        """Open the last document or, the first time, one that is not finished."""
        last = last_opened(project)
        if last is not None:
            self.session.open_topic(*last)
            return
        # Without judging no topic is searched for unfinished documents, which takes long.
        topics = () if project.read_only else project.topics
        left = (topic.id for topic in topics if PoolProgress.of_topic(project, topic.id).to_do)
        self.session.open_topic(next(left, project.topics[0].id))

    @property
    def inspect(self) -> InspectController:
        return self.late_inspect()

    def _join_inspect(self, controller: InspectController) -> None:
        """Connect Inspect with the rest of the window."""
        order = self.assess.pool.order
        order.runs_allowed.connect(controller.on_article.set_beside)
        controller.on_article.scored.connect(self.assess.panel.show_run)
        controller.changed.connect(self._name_topic)
        self.files.read_kept()

    # -- showing -------------------------------------------------------------------------------------

    def set_mode(self, mode: Mode) -> None:
        """Switch between Assess and Inspect; the article does not scroll."""
        self.stage.show_article()
        self.article.setFocus()  # first, because Inspect may focus its table
        self.blind.dismiss()
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
        """Show the open topic in the bar above, or all topics if they are shown."""
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
        """Hide or show everything but the article and its strip; all keys keep working."""
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

    # -- going to documents, in the list of the current page -------------------------------------------

    def step_document(self, step: int) -> None:
        """Open the next (1) or previous (-1) document of the list."""
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
        """Focus the filter of the documents, or of the topics."""
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

    # -- judging -------------------------------------------------------------------------------------

    def _check_marks(self, all_read: bool) -> None:
        if all_read and not self.session.project.collection.lacks_text:
            self.drifting.check_new()

    def _reload_topic(self) -> None:
        self.session.reload()
        self.drifting.check_new()

    # -- the window ----------------------------------------------------------------------------------

    def dismiss(self) -> None:
        """Close a message or cancel what was begun last, innermost first; otherwise clear the focus."""
        self.messages.close_message()
        focused = QApplication.focusWidget()
        own = (focused,) if isinstance(focused, Holder) else ()
        over_text = (self.popup, self.blind, self.stage, self.word_help, self.assess.nuggets, self.article)
        rooms = self.assess.pool, self.key_panel, self.answer, self.judges, self.late_inspect, self.frame
        holders: tuple[Holder, ...] = (*own, *over_text, *rooms)
        if not any(holder.dismiss() for holder in holders):
            self.stage.take_keyboard()

    # Imported here to shorten a cold start.

    def open_preferences(self) -> None:
        from inexview.gui.commands.dialogs import Preferences

        Preferences(self._settings, self).open()

    def open_guide(self) -> None:
        from inexview.gui.commands.help import open_guide

        open_guide(self, self.book, self.book.room.guide)

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
        """Show Inspect, or the runs just ``opened``; Inspect may ask a question first."""
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
        """Open the topic of the button with Enter, if no widget used the key, over all topics."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if enter and plain and self.mode is Mode.INSPECT and self.inspect.over_topics:
            self.book["open-chosen-topic"].trigger()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Store the current place; only if the file is gone, ask whether to save elsewhere."""
        asked = self.project_rescue, self.assess.note_taking, self.late_inspect
        may_close = self._done or all(one.may_close() for one in asked)
        event.setAccepted(may_close)
        if self._done or not may_close:
            return
        self.end()
        super().closeEvent(event)

    def _note_state(self) -> None:
        """Store the kind and progress of the project, for the list of projects."""
        project = self.session.project
        if os.path.realpath(project.path) in self._settings.get(RECENT):
            said = project_summary(project, len(self.session.runs))
            state = [said, datetime.now().astimezone().isoformat(timespec="minutes")]
            self._settings.remember(STATES, Path(os.path.realpath(project.path)), state)

    def end(self) -> None:
        """Write pending data and close the project without asking."""
        self._done = True
        self.back_and_forward.stop()
        self.late_inspect.end()
        self._note_state()
        self.session.close()
        self.assess.note_taking.dismiss()
        self._settings.set(GEOMETRY, bytes(self.saveGeometry().toBase64().data()).decode())
        self.reading_ahead.stop()
        self.hide()  # saving may take a while
        project = self.session.project
        # for tasks that are still reading
        project.close(keep_articles=not self.tasks.close(project.documents.close))
        self.closed.emit(self)
