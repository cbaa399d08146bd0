"""Controllers of Assess: they connect session, article, pool and topic panel, and carry out actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from inexview.core.article.granularity import Granularity
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.runs import findings
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import UNREADABLE, Signs, finishing_times
from inexview.core.project.document_state import DocumentState
from inexview.core.project.project import add_pool, withdraw
from inexview.core.project.reviews import remarked
from inexview.core.text.search import Span
from inexview.core.wording import counted, some_named
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.overlays import Stroke, Tool
from inexview.gui.article.pen import Stuck
from inexview.gui.assess.nugget_panel import NuggetPanel
from inexview.gui.assess.nuggets import NuggetController
from inexview.gui.assess.passages import MOST
from inexview.gui.assess.pool_panel import PoolPanel
from inexview.gui.assess.topic_panel import Grading, NoteTaking, TopicPanel
from inexview.gui.look.widgets import WhenSeen
from inexview.gui.services.actions import ASSESSING, Action, Room
from inexview.gui.services.document_record import OpenDocument, StateChanged
from inexview.gui.services.messages import Message, MessageKind, Offer, announce, state_in_words
from inexview.gui.services.opening import DocumentProblem
from inexview.gui.services.session import Session, offering_undo
from inexview.gui.services.settings import ADVANCE

# The pool panel is filled when it is visible, or when it is next shown.


class TopicPool(Controller):
    """Fills the pool panel with a topic's documents, their states and their signs."""

    def __init__(
        self,
        context: Context,
        panel: PoolPanel,
        suggested: Callable[[str], int],
        nuggets: NuggetController,
    ) -> None:
        """``suggested`` returns the number of passages that are suggested in a document."""
        super().__init__(context)
        self._panel = panel
        self._suggested, self._nuggets = suggested, nuggets
        self._seen, self._filled = True, False
        context.session.topic_read.connect(self._count)
        context.session.pool_changed.connect(self.show)
        context.session.runs_changed.connect(lambda _runs: self.show_runs())
        panel.order.runs_allowed.connect(lambda _shown: self.show_runs())

    def show(self) -> None:
        """Show the current contents of the pool as soon as the panel is visible."""
        self._filled = False
        if self._seen:
            self._fill()

    def set_seen(self, seen: bool) -> None:
        """Record whether the pool panel is visible; hiding it clears its selection, on which keys act."""
        self._seen = seen
        if not seen:
            self._panel.view.dismiss()
        elif not self._filled:
            self._fill()

    def step(self, by: int) -> None:
        if not self._filled:
            self._fill()
        # counted from the document that is being opened, so that two quick presses move by two
        self._panel.step(by, self._session.opening.wanted)

    def show_runs(self) -> None:
        """Update which runs retrieved each document; counts appear only if the assessor asked for them."""
        session, order = self._session, self._panel.order
        if session.topic is None:
            return
        topic = session.topic.id
        pooled = session.project.contents.described(topic)
        order.set_runs(there=bool(session.runs) or any(document.found_by for document in pooled))
        session.use_findings(findings(session.runs, topic, pooled) if order.shows_runs else {})
        self._panel.show_findings(session.findings)

    def _count(self) -> None:
        if self._filled:
            self._panel.count()

    def _fill(self) -> None:
        session, self._filled = self._session, True
        if session.topic is None:
            return
        project, topic, pool = session.project, session.topic.id, session.pool
        self._panel.set_pool(
            pool,
            session.state_of,
            lambda: finishing_times(project, topic),
            lambda: {**dict.fromkeys(project.touched(topic)), **dict.fromkeys(remarked(project, topic))},
            signs=Signs(
                lambda document: project.histories.log(topic, document).remarks.come_back,
                lambda document: project.contents.is_added(topic, document),
                lambda document: project.histories.log(topic, document).remarks.grade,
                self._suggested,
                self._nuggets.found_in,
                self._nuggets.brought,
            ),
            time_of=lambda document: project.histories.log(topic, document).reading.seconds,
            known=session.pool_is_known,
            read=session.reading.ready,
        )
        self.show_runs()
        self._panel.set_about({name: one for name, one in session.catalogue.entries.items() if name in pool})
        self._panel.set_current(session.document_id)


# The flag "come back": a key sets or clears it on the open document, and the pool shows it.

MOST_ROWS = 250  # documents that can be flagged at once; each adds a row to the journal
FLAG, UNFLAG = "Flag to come back", "Take the flag away"


class FlagController(Controller):
    """Sets or clears the flag of the open document or of the selected ones."""

    def __init__(self, context: Context, pool: PoolPanel) -> None:
        super().__init__(context)
        self._pool = pool
        self._action = context.book["come-back"]
        context.session.document_opened.connect(lambda _opened: self._name())
        context.session.record.remarks_changed.connect(self._show)

    def turn(self) -> None:
        """Toggle the flag of the selected documents, or of the open document if none is selected."""
        record = self._session.record
        if selected := self._pool.view.selected():
            self._turn_all(selected)
            return
        on = not record.remarks.come_back
        if record.set_flag(on=on):
            announce(self._article, "flagged to come back" if on else "no longer flagged")

    def offered(self) -> str:
        """Return the menu text of the action for the selected documents, or else for the open one."""
        session, selected = self._session, self._pool.view.selected()
        if session.topic is None or not selected:
            return self._action.text()
        topic, log = session.topic.id, session.project.histories.log
        return UNFLAG if all(log(topic, name).remarks.come_back for name in selected) else FLAG

    def _turn_all(self, documents: Sequence[str]) -> None:
        """Flag the documents; if all are flagged already, clear their flags."""
        session = self._session
        if session.topic is None:
            return
        if len(documents) > MOST_ROWS:
            self._messages.warn(f"At most {MOST_ROWS} documents can be flagged at once.")
            return
        topic, log = session.topic.id, session.project.histories.log
        on = not all(log(topic, document).remarks.come_back for document in documents)
        changed = [name for name in documents if log(topic, name).remarks.come_back is not on]
        done = [name for name in changed if session.record.set_flag(on=on, of=(topic, name))]
        if done:
            now = "flagged to come back" if on else "no longer flagged"
            self._messages.info(
                f"{counted(len(done), 'document')} {'is' if len(done) == 1 else 'are'} {now}."
            )

    def _show(self, document: str) -> None:
        self._pool.update_states([document])
        self._name()

    def _name(self) -> None:
        self._action.setText(UNFLAG if self._session.record.remarks.come_back else FLAG)


# The commands on the best entry point: choose, set, accept the proposed one, remove, go to it.


class EntryPoints(Controller):
    """Sets the best entry point of the open document; a proposed one only on a key press."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        context.article.entry_point_chosen.connect(self._set)
        context.book.keys_changed.connect(self._name_key)
        context.book.room_changed.connect(self._name_key)
        self._name_key()

    def _set(self, at: int) -> None:
        if self._book.room is not Room.WHAT_IF:
            self._session.set_entry_point(at)

    def _name_key(self) -> None:
        takes = self._book["entry-point-first"].isVisible() and not self._session.project.read_only
        self._article.set_proposal_key(self._book.key_text("entry-point-first") if takes else "")

    def choose(self) -> None:
        """Wait for a click that sets the entry point; a second press of the key sets it at the caret."""
        if self._article.pen.choosing:
            self._article.caret_pen.choose_entry_point()
        else:
            self._article.begin_entry_point()

    def take_first_mark(self) -> None:
        if self._session.state.relevant:
            self._session.set_entry_point(int(self._session.state.marks.starts[0]))
        else:
            self._messages.info(
                "There is no mark yet: mark text first, or set the best entry point with a click.",
                self._session.while_here(),
            )

    def remove(self) -> None:
        if self._session.state.bep is not None:
            self._session.set_entry_point(None)

    def go(self) -> None:
        if self._session.state.bep is not None:
            self._article.reveal(self._session.state.bep)


# The judging steps of this window in order, so that undo can go back over several documents.


class WindowSteps:
    """Remembers which documents were judged, one entry per step, and drops the entries of undone steps.

    The steps of one document are numbered by the length of its history.
    """

    def __init__(self) -> None:
        self._done: list[tuple[str, str, int]] = []
        self._known: dict[tuple[str, str], int] = {}

    def know(self, topic: str, document: str, steps: int) -> None:
        """Record the number of steps of a document before this window changed it, unless it is recorded."""
        self._known.setdefault((topic, document), steps)

    def note(self, topic: str, document: str, steps: int) -> None:
        """Record the number of steps after a change: a new step is added, undone steps are dropped."""
        before = self._known.get((topic, document), steps - 1)
        self._known[topic, document] = steps
        if steps > before:
            self._done.append((topic, document, steps))
        else:
            self._done = [
                (its_topic, name, count)
                for its_topic, name, count in self._done
                if (its_topic, name) != (topic, document) or count <= steps
            ]

    def last_of(self, topic: str) -> str | None:
        """Return the document of a topic that was judged last in this window, or None."""
        return next((name for its_topic, name, _ in reversed(self._done) if its_topic == topic), None)

    def holds(self, topic: str, document: str | None) -> bool:
        return any((its_topic, name) == (topic, document) for its_topic, name, _ in self._done)


OF_SELECTED = frozenset(("not-relevant", "come-back", "withdraw", "undo", "redo"))
"""Actions that are allowed while several documents are selected."""


OF_ROWS = ("not-relevant", "come-back", "withdraw")
"""Actions in the context menu of documents in the list."""


def _menu_at(widget: QWidget) -> QMenu:
    menu = QMenu(widget)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def _add(menu: QMenu, text: str, key: QKeySequence, do: Callable[[], object]) -> QAction:
    action = menu.addAction(text)
    action.setShortcut(key)
    action.triggered.connect(lambda _on: do())
    return action


class AssessController(Controller):
    """Carries out the judging actions on the open document, and keeps pool and topic panel up to date."""

    def __init__(self, context: Context, suggested: Callable[[str], int]) -> None:
        super().__init__(context)
        # keyed by whether the third layer is judged
        self._done_in = {False: WindowSteps(), True: WindowSteps()}
        # The state whose entry point lies outside the marks and about which a warning was shown.
        self._outside: DocumentState | None = None
        session = context.session
        untitled = lambda: session.titles.unknown(session.pool, session.catalogue)  # noqa: E731
        self.pool = PoolPanel(partial(context.book.key_text, "not-relevant"), untitled)
        self.pool.show_filter_key(context.book["filter"])
        self.pool.more_wanted.connect(context.book["search-collection"].trigger)
        shown = ("finish", "not-relevant", "next-word", "note", "entry-point-first")
        nuggets = NuggetPanel(context.book["next-nugget-place"], context.book["new-nugget"])
        self.panel = TopicPanel(nuggets, *(context.book[name] for name in shown))
        self.nuggets = NuggetController(context, nuggets)
        self.topic_pool = TopicPool(context, self.pool, suggested, self.nuggets)
        if context.session.project.read_only:
            self.panel.set_only_read()
        self._shown = WhenSeen(self.panel, self._show_panel)
        self.entry_points = EntryPoints(context)
        self.note_taking = NoteTaking(context, self.panel)
        self.panel.note.field.shortened.connect(
            lambda: context.messages.warn(
                f"A note has up to {MOST:,} characters: the end was not pasted.", context.session.while_here()
            )
        )
        self.grading = Grading(context, self.panel)
        self.come_back = FlagController(context, self.pool)
        self._times: dict[tuple[str, str], float] = {}  # seconds shown for each document
        # whether a step of this document was undone and no message yet said that undo continues elsewhere
        self._undone_here = False
        self._stroked: str | None = None  # the step made by the last stroke, None if that changed nothing
        self._connect()
        self._follow(context.session)

    def _connect(self) -> None:
        article, book = self._article, self._book
        article.stroke_finished.connect(self._stroke)
        article.pen.previewed.connect(self._preview)
        article.got_keyboard.connect(lambda _: self.pool.view.dismiss())
        self.panel.passage_chosen.connect(lambda span: article.reveal(*span))
        self.panel.passages.menu_wanted.connect(self._offer_passage)
        self.pool.view.menu_wanted.connect(self._offer_documents)
        article.strip.pen_state.bind(
            {Tool.MARK: book["mark"], Tool.ERASE: book["erase"]},
            {unit: book[f"unit-{unit.value}"] for unit in Granularity},
        )
        article.pen_state.changed.connect(self._show_unit)
        article.ends.stuck.connect(self._tell_stuck)
        self._show_unit()
        book.guard(self._is_shown)
        book.room_changed.connect(lambda: self.panel.set_nuggets(self.nuggets.listed))
        self.nuggets.listed_changed.connect(lambda: self.panel.set_nuggets(self.nuggets.listed))
        self.nuggets.changed.connect(self._show_nuggets)

    def _follow(self, session: Session) -> None:
        session.topic_changed.connect(self._show_topic)
        session.document_opened.connect(self._show_document)
        session.document_awaited.connect(self._show_awaited)
        session.document_failed.connect(self._show_problem)
        session.state_changed.connect(self._show_state)
        session.part_judged.connect(lambda part: self.pool.model.note_part(part.documents))
        session.record.attention.ticked.connect(self._show_time)
        session.record.remarks_changed.connect(lambda _document: self._show_judgement())
        session.saving.changed.connect(lambda _state: self.pool.model.show_times())
        session.catalogue.learned.connect(self.pool.set_about)
        self.pool.document_chosen.connect(self._open_chosen)
        self.pool.view.rested.connect(session.open_document)
        self.pool.order.runs_allowed.connect(self._note_runs)
        session.titles.finished.connect(self.pool.titles_read)
        self.pool.view.seen.connect(session.look_at)

    # -- the open document ---------------------------------------------------------------------------

    @property
    def _done(self) -> WindowSteps:
        return self._done_in[self._session.adjudicates]

    def _show_topic(self, topic: Topic) -> None:
        self._shown.refresh()
        self.topic_pool.show()

    def _open_chosen(self, document_id: str) -> None:
        """Open a document and give the focus to the article."""
        self._session.open_document(document_id)
        self._article.setFocus()

    def _is_shown(self, record: Action[Any]) -> bool:
        """Return whether an action applies to the open document; refuse it if several are selected."""
        session, view = self._session, self.pool.view
        if view.acted_on and record.id not in OF_SELECTED:
            are = "is" if view.acted_on == 1 else "are"
            message = (
                f"{counted(view.acted_on, 'document')} {are} selected; “{record.text}” needs a single one. "
            )
            self._messages.say(Message(MessageKind.REFUSED, f"{message}Esc clears the selection."))
            return False
        if not view.hasFocus() or view.acted_on:
            return True
        return view.highlighted in (session.document_id, None)

    def _note_runs(self, _shown: object = None) -> None:
        """Record that the document is not judged blind if the counts of runs are shown."""
        if self.pool.order.shows_runs:
            self._session.record.note_inspected()

    def _show_document(self, opened: OpenDocument) -> None:
        self._book.note_shown()
        self._outside, self._undone_here = None, False
        steps = len(self._session.history_of(opened.topic.id, opened.document.id).done)
        self._done.know(opened.topic.id, opened.document.id, steps)
        self.pool.set_current(opened.document.id)
        self._show_judgement()
        self._note_runs()

    def _show_awaited(self, document_id: str) -> None:
        self.pool.set_current(document_id)
        self._shown.refresh()

    def _show_problem(self, problem: DocumentProblem) -> None:
        self.pool.set_current(problem.document_id)
        self._shown.refresh()
        for name in ("redo", "reopen"):
            self._book[name].setEnabled(False)

    def _show_state(self, change: StateChanged) -> None:
        self.pool.update_states(change.documents)
        steps = len(self._session.history_of(change.topic_id, change.document_id).done)
        self._done.note(change.topic_id, change.document_id, steps)
        self._show_judgement()
        if change.document_id == self._session.document_id:
            announce(self._article, state_in_words(change.state))

    def _show_judgement(self) -> None:
        session = self._session
        if session.topic is None or session.document is None:
            return
        self._shown.refresh()
        where, label, _ = self._next_undo()
        if label and where != session.document.id:
            label = f"{label} in {self._title(where)}"
        for name, what in (("undo", label), ("redo", self._next_redo()[0])):
            self._book[name].setEnabled(bool(what))
            self._book[name].setText(f"{name.title()} {what}" if what else name.title())
        self._book["reopen"].setEnabled(session.state.finished)

    def _show_nuggets(self) -> None:
        """Update the panel, the list of documents and the undo action after a change to nuggets."""
        self.panel.set_nuggets(self.nuggets.listed)
        self.pool.show_nuggets()
        self._show_judgement()

    def _show_panel(self) -> None:
        session = self._session
        self.panel.set_topic(session.topic)
        if session.document is None:
            empty = session.pool_is_known and not session.pool
            self.panel.show_nothing(readable=session.failed is None, empty=empty)
        else:
            self.panel.show_state(session.document, session.state, session.drifted)
            self._show_time()

    def _show_time(self) -> None:
        session = self._session
        if session.topic is None or session.document is None:
            return
        place = session.topic.id, session.document.id
        reading = session.project.histories.log(*place).reading
        now, seconds = datetime.now(UTC), reading.seconds
        opened = session.project.opening_that_waits(*place)
        if opened is not None:
            seconds += (now - opened).total_seconds()
        elif not session.project.read_only:  # the document is open
            seconds = reading.seconds_until(now)
        # Time that may turn out to be idle is not counted yet, so that the shown time never decreases.
        seconds = max(seconds - session.record.attention.quiet, self._times.get(place, 0.0))
        self._times[place] = seconds
        self.panel.facts.show_time(seconds)

    # -- context menus -------------------------------------------------------------------------------

    def _offer_documents(self, at: QPoint) -> None:
        """Show the menu of the selected documents, or else of the open one."""
        view, menu = self.pool.view, _menu_at(self.pool)
        document = view.highlighted
        if view.acted_on == 1 and document is not None:
            _add(menu, "Open", QKeySequence(Qt.Key.Key_Return), partial(self._open_chosen, document))
            menu.addSeparator()
        for name in OF_ROWS:
            text = self.come_back.offered() if name == "come-back" else self._book[name].text()
            self._add_action(menu, name, text)
        menu.popup(at)

    def _offer_passage(self, span: Span, at: QPoint) -> None:
        """Go to a passage and show its menu."""
        self._article.place_caret(span[0])
        self._article.reveal(*span)
        menu = _menu_at(self.panel)
        erase = Stroke(Tool.ERASE, *span)
        self._add_action(menu, "erase-passage", "Erase passage", lambda: self._stroke(erase))
        graded = ("grade-higher", "grade-lower") if self._session.project.contents.scale else ()
        for name in ("note", *graded):
            self._add_action(menu, name, self._book[name].text())
        menu.popup(at)

    def _add_action(self, menu: QMenu, name: str, text: str, do: Callable[[], object] | None = None) -> None:
        """Add an action with its key to a menu if it is available here."""
        action = self._book[name]
        if action.isVisible():
            offered = _add(menu, text, action.shortcut(), do or action.trigger)
            offered.setEnabled(action.isEnabled())

    # -- the pen -------------------------------------------------------------------------------------

    def draw(self, tool: Tool) -> None:
        """Mark or erase the visible selection; if there is none, switch the pen to the tool."""
        if self._article.selection_at_hand():
            self._article.caret_pen.stroke_selection(tool)
        else:
            self._article.pen_state.take(tool)

    def _show_unit(self, _: object = None) -> None:
        for unit in Granularity:
            self._book[f"unit-{unit.value}"].setChecked(unit is self._article.pen_state.unit)

    def _stroke(self, stroke: Stroke) -> None:
        """Apply a stroke as one step; a stroke that widens the one before replaces it."""
        session = self._session
        if self._book.room is Room.WHAT_IF:  # the pen is on a scratch copy of the run
            return
        if stroke.widens and self._stroked is not None and self._stroked == session.last_step:
            session.undo()
        before = session.last_step
        (session.erase if stroke.tool is Tool.ERASE else session.mark)(stroke.start, stroke.end)
        self._stroked = session.last_step if session.last_step != before else None
        if stroke.told:
            self._messages.info(stroke.told, session.while_here())

    def _tell_stuck(self, stuck: Stuck) -> None:
        """Show why a key has not moved the end of a mark."""
        unit = self._article.pen_state.unit.value
        if stuck.mark is None:
            self._messages.info("Nothing is marked yet.", self._session.while_here())
        elif stuck.step > 0:
            message = f"The article has no further {unit} for this mark."
            self._messages.info(message, self._session.while_here())
        else:
            erase = partial(self._article.ends.erase, stuck.mark)
            message = f"This mark is no longer than one {unit}."
            self._messages.say(Message(MessageKind.REFUSED, message, "Erase it", erase))

    def _preview(self, stroke: Stroke | None) -> None:
        session = self._session
        judging = self._book.room is not Room.WHAT_IF and self.panel.isVisible()
        if session.document is None or not judging:
            return
        state = session.state
        if stroke is not None:
            marks = stroke.applied_to(state.marks)
            state = DocumentState.of(marks, state.bep, finished=state.finished and marks == state.marks)
        self.panel.show_preview(session.document, state)

    # -- finishing -----------------------------------------------------------------------------------

    def finish(self) -> None:
        """Finish the open document and go on, unless its entry point is missing or needs a second look."""
        session = self._session
        if session.failed is not None:
            self._advance()
        elif not session.state.relevant and not session.state.finished:
            self._messages.say(
                Message(
                    MessageKind.REFUSED,
                    "Nothing is marked here. Mark the relevant text, or judge the document not relevant.",
                    "Not relevant, next",
                    self._book["not-relevant"].trigger,
                )
            )
        elif session.state.relevant and session.state.bep is None and session.project.contents.entry_points:
            key = self._book.key_text("entry-point")
            self._messages.say(
                Message(
                    MessageKind.REFUSED,
                    f"A document with marks needs a best entry point: press {key}, then click "
                    "where a reader should start.",
                    "Take the first mark",
                    self._book["entry-point-first"].trigger,
                )
            )
        elif (
            session.state.relevant
            and session.state.bep is not None
            and session.state.bep not in session.state.marks
        ) and session.state != self._outside:
            self._outside = session.state
            message = "The best entry point is outside every mark."
            hint = f"{self._book.key_text('finish')} finishes anyway."
            self._messages.say(
                Message(MessageKind.REFUSED, f"{message} {hint}", "Finish anyway", self.finish)
            )
        elif session.finish():
            self._advance()

    def not_relevant(self) -> None:
        """Finish the open document, or all selected ones, as not relevant, and go on to the next."""
        session = self._session
        if several := self.pool.view.selected():
            self._not_relevant_all(session, several)
            return
        if session.failed is not None:
            self._advance()
        if session.document is None:
            return
        taken = len(session.state.marks)
        if session.not_relevant():
            if taken:
                what = "1 passage was" if taken == 1 else f"{taken:,} passages were"
                document = session.document
                message = f"{document.title or document.id} is not relevant; {what} removed."
                show = partial(session.open_document, document.id)
                self._messages.say(offering_undo(session, self._messages, message, document.id, show))
            self._advance()

    def _not_relevant_all(self, session: Session, documents: tuple[str, ...]) -> None:
        """Finish all selected documents as not relevant; ask first if any of them has marks."""
        there = tuple(name for name in documents if name not in session.catalogue.unreadable)
        if session.topic is None or not there:
            return
        topic = session.topic.id
        counts = [len(session.project.state(topic, name).marks) for name in there]
        passages, relevant = sum(counts), sum(count > 0 for count in counts)

        def begin() -> None:
            go_on = partial(self._after_all, session.document_id, passages)
            if session.bulk.not_relevant(topic, there, go_on):
                self.pool.view.dismiss()

        if not passages:
            begin()
            return
        have = "has" if relevant == 1 else "have"
        message = (
            f"{relevant:,} of {counted(len(there), 'selected document')} {have} marks. "
            f"Not relevant removes {counted(passages, 'passage')}."
        )
        self._messages.say(Message(MessageKind.REFUSED, message, "Remove and finish", begin))

    def _after_all(
        self, shown: str | None, passages: int, done: Sequence[str], unreadable: Sequence[str]
    ) -> None:
        """Report the result, and go on if the document that was shown is among the finished ones."""
        session = self._session
        self.pool.set_current(session.document_id)
        if done:
            message = f"{counted(len(done), 'document')} {'is' if len(done) == 1 else 'are'} not relevant"
            message += f"; {counted(passages, 'passage')} removed." if passages else "."
            self._messages.say(offering_undo(session, self._messages, message, done[0]))
        if unreadable:
            session.catalogue.note_unreadable(unreadable, UNREADABLE)
            cannot = f"{counted(len(unreadable), 'document')} cannot be read and stays as it is"
            if len(unreadable) > 1:
                cannot = f"{counted(len(unreadable), 'document')} cannot be read and stay as they are"
            self._messages.add(f"{cannot}: {some_named(unreadable)}.")
        if shown == session.document_id and shown in done:
            self._advance()

    def withdraw(self) -> None:
        """Remove the open document, or all selected ones, from the topic's pool, and go on to the next."""
        session = self._session
        documents = self.pool.view.selected() or tuple(filter(None, (session.document_id,)))
        if session.topic is None or not documents:
            return
        pooled = session.project.contents.is_pooled
        taken = [document for document in documents if pooled(session.topic.id, document)]
        if not taken:
            message = f"Not in the pool: {some_named(documents)}."
            if not session.project.contents.has_pool:
                message = "This project has no pool: the whole collection is to be judged."
            self._messages.say(Message(MessageKind.REFUSED, message))
            return
        following = session.unfinished_after(session.document_id, without=taken)
        if session.change_pool(lambda project, topic: withdraw(project, taken, topic)) is None:
            return
        self.pool.view.dismiss()
        what = f"{counted(len(taken), 'document')} removed from the pool; judgements stay."
        again = Pool({session.topic.id: tuple(map(PooledDocument, taken))})
        self._messages.say(
            Message(
                MessageKind.INFO,
                what,
                "Pool again",
                lambda: session.change_pool(lambda project, _topic: add_pool(project, again)),
            )
        )
        if session.document_id in taken and following is not None:
            session.open_document(following)

    def _advance(self) -> None:
        session = self._session
        if self._book.room not in ASSESSING or not self._settings.get(ADVANCE):
            return
        following = session.unfinished_after(session.document_id)
        if following is None:
            self.tell_end()
        elif following != session.document_id:
            session.open_document(following)

    def tell_end(self) -> None:
        """Report that every document of the topic is finished, and offer what to do next."""
        progress, book = self.pool.model.progress(), self._book
        message = "All documents of this topic are finished."
        if progress.unreadable:
            cannot = f"{counted(progress.unreadable, 'document')} cannot be read"
            message = f"All documents of this topic that can be read are finished; {cannot}."
        last = self._session.topic in (None, self._session.project.topics[-1])
        names = ("export-qrels",) if last else ("export-qrels", "next-topic")
        self._messages.add(message, *(Offer(book[name].text(), book[name].trigger) for name in names))

    def _next_undo(self) -> tuple[str, str, Callable[[], object]]:
        """Return the document whose step undo would take back, the step's label and the function to call.

        The last step of this window in the topic comes first; if this window has made none, the last step of
        the open document. Document and label are "" if there is nothing to undo.
        """
        session = self._session
        if session.topic is None:
            return "", "", session.undo
        topic, here, last = session.topic.id, session.document_id, self._done.last_of(session.topic.id)
        if here is not None and (remark := session.record.to_undo):
            return here, remark, session.record.undo
        if last is None or self._done.holds(topic, here):
            last = here
        third = session.adjudicates
        judged = None if last is None else session.history_of(topic, last).to_undo
        nugget = self.nuggets.to_undo("" if judged is None else judged.id)
        if here is not None and nugget is not None:
            return here, nugget.action.label, self.nuggets.undo
        label = None if last is None else session.project.can_undo(topic, last, third=third)
        return (last, label, session.undo) if last is not None and label else ("", "", session.undo)

    def _next_redo(self) -> tuple[str, Callable[[], object]]:
        """Return the label of the step that redo would repeat, "" if none, and the function to call."""
        session = self._session
        if session.topic is None or session.document is None:
            return "", session.redo
        if remark := session.record.to_redo:
            return remark, session.record.redo
        at, third = (session.topic.id, session.document.id), session.adjudicates
        history, (last, nugget) = session.history_of(*at), session.last_done(*at)
        judged = history.to_redo
        after = judged is not None and (third or judged.id > nugget)
        again = self.nuggets.to_redo(last, judged.id if judged is not None and after else "")
        if again is not None:
            return again.action.label, self.nuggets.redo
        label = session.project.can_redo(*at, third=third) if after else None
        return label or "", session.redo

    def undo(self) -> None:
        """Undo the last step; in another document only on a separate key press.

        A held key stops at the first step of the open document. If a step was undone here just before, the
        first press shows a message and only the next one goes on to the other document.
        """
        session = self._session
        where, label, undo = self._next_undo()
        if not label or session.topic is None:
            self._messages.info("There is nothing to undo.", session.while_here())
        elif where == session.document_id:
            self._undone_here = True
            undo()
        elif self._book.key_is_held:
            return
        elif self._undone_here:
            self._undone_here = False
            message = f"Nothing is left to undo here. Press again to undo “{label}” in {self._title(where)}."
            self._messages.say(Message(MessageKind.REFUSED, message, "Undo it there", self.undo))
        elif self._go_back(where):
            message = f"Undone in {self._title(where)}: it was judged before the document you came from."
            self._messages.info(message)

    def _title(self, document: str) -> str:
        return self._session.catalogue.about(document).title or document

    def redo(self) -> None:
        label, redo = self._next_redo()
        if label:
            redo()
        else:
            self._messages.info("There is nothing to redo.", self._session.while_here())

    def _go_back(self, document_id: str) -> bool:
        """Undo the last step of an earlier document and open it; return False if that failed."""
        session = self._session
        if not session.undo(document_id):
            return False
        session.open_document(document_id)
        return True

    def step_passage(self, step: int) -> None:
        """Go to the next marked passage (1) or the previous one (-1), wrapping at the ends."""
        session = self._session
        if not session.state.relevant:
            return
        marks, caret = session.state.marks, self._article.caret_at_hand()
        if step > 0:
            later = [span for span in marks if span[0] > caret]
            target = later[0] if later else next(iter(marks))
        else:
            earlier = [span for span in marks if span[1] <= caret]
            target = (earlier or list(marks))[-1]
        self._article.place_caret(target[0])
        self._article.reveal(*target)
        at = list(marks).index(target) + 1
        announce(
            self._article, f"passage {at} of {len(marks)}, {counted(target[1] - target[0], 'character')}"
        )
