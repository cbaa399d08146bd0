"""Marks whose text has changed: the check in the background, their list, and the decisions on them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, partial

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QPushButton, QTableView, QWidget

from inexview.core.errors import DataError, InexviewError
from inexview.core.progress import Progress
from inexview.core.project.history import Late, Quoted
from inexview.core.project.text_changes import (
    Drift,
    TextComparison,
    check,
    drifts_in,
    each_quoted,
    keep_marks,
    move_marks,
    note_quotes,
    remove_marks,
    written,
)
from inexview.core.text.search import Quote, Span, find
from inexview.core.wording import counted
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.bars import Align
from inexview.gui.look.panels import Index, RowTableModel, set_up_rows
from inexview.gui.look.widgets import Dialog, explain, in_column, label, timer
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.document_record import OpenDocument, StateChanged
from inexview.gui.services.messages import Message, MessageKind
from inexview.gui.services.tasks import LongTask, News, Slices

TopicDocument = tuple[str, str]  # topic, document


@dataclass(frozen=True, slots=True)
class _Found:
    """Quotes to be saved, and the task that found them (known once it has started)."""

    late: Sequence[Late] = ()
    by: list[LongTask] = field(default_factory=list)


class DriftCheck(Controller):
    """Reads quotes from the project in slices, and compares them with articles in background threads."""

    _found = Signal(object)  # _Found, from the reading thread

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._compared: dict[TopicDocument, str] = {}  # last step of each document when it was compared
        self._waiting: deque[_Found] = deque()
        self._noting = Slices(self, seconds=0, settling=context.tasks.settling)
        context.session.saving.closing.connect(self._noting.stop)
        self._found.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def everything(self) -> Iterator[Quoted | None]:
        """Yield the quotes of each document that was worked on; None if it has no marks."""
        return each_quoted(self._session.project)

    def everything_new(self) -> Iterator[Quoted | None]:
        """Yield the quotes that were not compared since the last step of their document, else None."""
        for quoted in self.everything():
            known = quoted is not None and self._compared.get((quoted.topic, quoted.document)) == quoted.step
            yield None if known else quoted

    def look_up(self, listed: Iterable[Quoted | None], done: Callable[[list[Quoted]], None]) -> None:
        """Collect the quotes to compare, in slices, and pass them on."""
        self._tasks.run_here("Looking up marks", _look_up(listed), done)

    def look_for_quotes(self, found: Callable[[], object]) -> None:
        """Search all documents, in slices, until one has a quote."""
        quoting = (one if one is not None and one.quotes else None for one in self.everything())
        self._tasks.run_here(
            "Looking up marks", _look_up(quoting, most=1), lambda first: found() if first else None
        )

    def compare(self, listed: Sequence[Quoted], done: Callable[[TextComparison], None]) -> None:
        project, found = self._session.project, _Found()
        collection = project.collection
        read_only = project.read_only
        steps = {(quoted.topic, quoted.document): quoted.step for quoted in listed}
        told = self._found  # so that the reading thread does not keep this object alive

        def note(late: Sequence[Late]) -> None:
            told.emit(replace(found, late=late))

        def work(progress: Progress) -> TextComparison:
            return check(listed, collection, progress, None if read_only else note)

        def tell(checked: TextComparison) -> None:
            self._compared.update(steps)
            done(checked)

        found.by.append(self._tasks.run_long("Checking marks", work, tell))

    def _take(self, found: _Found) -> None:
        """Save new quotes in a turn of their own, because each waits for the disk."""
        self._waiting.append(found)
        if not self._noting.active:
            self._noting.start(self._noted())

    def _noted(self) -> Generator[None, None, None]:
        while self._waiting:
            self._note(self._waiting.popleft())
            yield

    def _note(self, found: _Found) -> None:
        if any(task.cancelled for task in found.by):  # the project is closed
            return
        try:
            project = self._session.project
            # looking at a project must not write to it
            note_quotes(project, found.late, soon=project.untouched)
        except InexviewError as error:  # they are found again at the next check
            self._messages.error(error)


def _look_up(listed: Iterable[Quoted | None], most: int | None = None) -> Generator[News, None, list[Quoted]]:
    found: list[Quoted] = []
    for done, quoted in enumerate(listed, 1):
        if quoted is not None:
            found.append(quoted)
            if len(found) == most:
                break
        yield News("documents looked up", done, None)
    return found


CHANGED = "{0} is no longer as it was listed: check again."
Texts = list[tuple[list[Drift], str | DataError | None]]


class Decision(Enum):
    """A decision about a mark."""

    MOVE = "move"
    KEEP = "keep"
    REMOVE = "remove"


ROW = 46  # height in pixels: two lines
SIZE = (1120, 400)
ABOVE_FOOT = 40  # pixels between it and the bottom of the window, where it covers least of the article
CHOSEN = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
SHARE = 0.45  # maximum share of the window's height
SETTLES = 150  # milliseconds before the selected mark is shown, because an arrow key may be held


class DriftWindow(Dialog):
    """The list of changed marks; it stays open next to the article during the decisions."""

    show_wanted = Signal(object)  # Drift
    decided = Signal(object, object)  # Decision, and tuple[Drift, ...], each with a target if it is to move

    def __init__(self, parent: QWidget, book: ActionBook) -> None:
        super().__init__(parent)
        self.setObjectName("drift-window")
        self.setWindowTitle("Marks that read differently now")
        self.resize(*SIZE)
        self.model = DriftModel(self)
        self._heading = label("", "heading", wrap=True)
        self._note = label("", "muted", wrap=True)
        self.view = QTableView()
        self.move_button = QPushButton(book["move-drifted"].text())
        self.keep_button = QPushButton(book["keep-drifted"].text())
        self.remove_button = QPushButton("Remove")
        self.again_button = QPushButton("Check again")
        self.close_button = QPushButton("Close")
        self._came_up = False
        self._to_show = timer(self, self._show_selected, SETTLES)
        self._set_up_view()
        self._explain(book)
        self._build()
        self._connect()

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        set_up_rows(view, "Marks that read differently now", height=ROW, several=True)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setWordWrap(True)
        view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column in SHORT:
            view.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)

    def _explain(self, book: ActionBook) -> None:
        """Set the tooltips of the buttons to those of the actions at the caret."""
        for button, name in (
            (self.move_button, "move-drifted"),
            (self.keep_button, "keep-drifted"),
            (self.remove_button, "remove-drifted"),
            (self.again_button, "check-marks"),
        ):
            explain(button, book[name])
        self.close_button.setToolTip("Close this list; open decisions stay open (Esc)")

    def _build(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.move_button, self.keep_button, self.remove_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        for button in (self.again_button, self.close_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        in_column(
            self._heading, self._note, (self.view, 1), buttons, on=self, margins=(20, 18, 20, 16), spacing=10
        )

    def _connect(self) -> None:
        selection = self.view.selectionModel()
        selection.selectionChanged.connect(lambda *_: self._on_selected())
        self.view.activated.connect(self._show)
        self.view.clicked.connect(self._show)
        self.move_button.clicked.connect(lambda: self.decided.emit(Decision.MOVE, self._placed()))
        self.keep_button.clicked.connect(lambda: self.decided.emit(Decision.KEEP, self.selected()))
        self.remove_button.clicked.connect(lambda: self.decided.emit(Decision.REMOVE, self.selected()))
        self.close_button.clicked.connect(self.reject)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.view)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.remove_button.click)

    def showEvent(self, event: QShowEvent) -> None:
        """Open at the bottom of the window, so that the article is visible above."""
        parent = self.parentWidget()
        if not self._came_up and parent is not None:
            self._came_up = True
            foot = parent.mapToGlobal(QPoint(parent.width() // 2, parent.height()))
            width = min(self.width(), max(parent.width() - 2 * ABOVE_FOOT, self.minimumSizeHint().width()))
            height = max(int(parent.height() * SHARE), self.minimumSizeHint().height())
            self.resize(width, min(self.height(), height))
            self.move(foot - QPoint(width // 2, self.height() + ABOVE_FOOT))
        super().showEvent(event)

    def set_checked(self, checked: TextComparison) -> None:
        """Show the result of a check; keep the selection, or select the same row if its mark is gone."""
        row = max(self.view.currentIndex().row(), 0)
        selected = {_mark(drift) for drift in self.selected()}
        self.model.set_drifts(checked.drifts)
        for column in SHORT:
            needed = self.view.sizeHintForColumn(column), self.view.horizontalHeader().sectionSizeHint(column)
            self.view.setColumnWidth(column, min(max(needed), LONGEST))
        self._heading.setText(heading(checked))
        self._note.setText(further(checked))
        if checked.drifts:
            kept = [at for at, drift in enumerate(checked.drifts) if _mark(drift) in selected]
            self._select(kept or [min(row, len(checked.drifts) - 1)])
        self._to_show.stop()  # the article must not scroll without a request
        self._enable()

    def _select(self, rows: Sequence[int]) -> None:
        """Select these rows, regardless of held keys."""
        model, selection = self.model, QItemSelection()
        for row in rows:
            selection.select(model.index(row, 0), model.index(row, model.columnCount() - 1))
        self.view.selectionModel().setCurrentIndex(model.index(rows[0], 0), CHOSEN)
        self.view.selectionModel().select(selection, CHOSEN)

    def selected(self) -> tuple[Drift, ...]:
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return tuple(self.model.rows[row] for row in rows)

    def _placed(self) -> tuple[Drift, ...]:
        return tuple(drift for drift in self.selected() if drift.movable)

    def _on_selected(self) -> None:
        self._enable()
        self._to_show.start()

    def _show_selected(self) -> None:
        if len(self.selected()) == 1:
            self._show(self.view.selectionModel().selectedRows()[0])

    def _show(self, index: QModelIndex) -> None:
        self._to_show.stop()
        if index.isValid() and len(self.selected()) == 1:
            self.show_wanted.emit(self.model.rows[index.row()])

    def _enable(self) -> None:
        self.keep_button.setEnabled(bool(self.selected()))
        self.remove_button.setEnabled(bool(self.selected()))
        self.move_button.setEnabled(bool(self._placed()))


def _mark(drift: Drift) -> tuple[str, str, Span]:
    return drift.topic, drift.document, drift.span


def heading(checked: TextComparison) -> str:
    drifts = len(checked.drifts)
    if not drifts:
        all_checked = not (checked.resized or checked.unreadable or checked.unquoted > checked.noted)
        every = "Every mark" if all_checked else "Every mark that can be compared"
        return f"{every} reads as it did when it was made."
    marks = "1 mark reads" if drifts == 1 else f"{drifts:,} marks read"
    return f"{marks} differently now. Nothing was moved: decide for each."


def further(checked: TextComparison) -> str:
    """Return what was compared, and what could not be."""
    told = [
        f"{counted(checked.passages, 'passage')} in {counted(checked.documents, 'article')} compared, from "
        "first words to last."
    ]
    if checked.noted:
        told.append(f"Read for the first time, and remembered: {counted(checked.noted, 'passage')}.")
    if left := checked.unquoted - checked.noted:
        told.append(f"{counted(left, 'passage')} without a quote cannot be compared.")
    for listed, what in (
        (checked.resized, "Not the text that was judged"),
        (checked.unreadable, "Not readable"),
    ):
        if listed:
            _, document, why = listed[0]
            more = f" and {len(listed) - 1:,} more" if listed[1:] else ""
            told.append(f"{what}: {document} ({why}){more}.")
    return " ".join(told)


COLUMNS = ("Topic", "Document", "Mark", "It said", "It reads now", "That text is at")
SHORT = range(3)  # columns as wide as their texts; the others share the rest
LONGEST = 200  # maximum width of one of these in pixels
NOWHERE = "nowhere in the article"
MIDDLE = "begins and ends as before, and is changed in the middle"


class DriftModel(RowTableModel):
    """A row for each passage, or for an entry point outside all passages."""

    rows: tuple[Drift, ...] = ()
    headings = COLUMNS

    def set_drifts(self, drifts: Sequence[Drift]) -> None:
        self.beginResetModel()
        self.rows = tuple(drifts)
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a cell, or the full text for the tooltip."""
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        drift = self.rows[index.row()]
        return (
            drift.topic,
            drift.document,
            f"entry point {drift.start}" if drift.entry else written(drift.span),
            _read(drift.quote),
            MIDDLE if drift.middle else _read(drift.now),
            _place(drift),
        )[index.column()]


def _read(quote: Quote) -> str:
    return quote.text or "(white space)"


def _place(drift: Drift) -> str:
    found = drift.found
    if found is None:
        return NOWHERE if not drift.middle else "nowhere as it was"
    told = [f"likeliest of {found.others + 1}"] if found.others else []
    told += ["changed in the middle"] if found.altered else []
    place = written((found.start, found.end))
    where = f"{place} ({', '.join(told)})" if told else place
    if drift.entry:
        return where
    around = f"“{found.before} […] {found.after}”"
    return f"gone, or at {where}: {around}" if found.doubtful else f"{where}: {around}"


class Drifting(Controller):
    """Connects the check of quotes with the session; marks move only on request.

    Make it after the article follows the session, so that documents are shown before places in them.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._check = DriftCheck(context)
        self._asked: Callable[[], Iterable[Quoted | None]] = self._check.everything
        self._listed: TextComparison | None = None
        self._order: dict[TopicDocument, int] = {}
        self._offered: Message | None = None
        self._message: Message | None = None  # the message about marks of the open document
        self._wanted: Drift | None = None  # to be revealed as soon as its document is open
        self._stale: set[TopicDocument] = set()  # listed documents that changed since
        self._follow = False  # whether the article should show the next mark of the list
        self._refreshing = timer(self, self._refresh, 0)
        context.session.document_opened.connect(self._on_opened)
        context.session.state_changed.connect(self._on_state)
        context.session.part_judged.connect(self._on_state)

    @cached_property
    def window(self) -> DriftWindow:
        """The list, made on first use."""
        window = DriftWindow(self._window, self._book)
        window.show_wanted.connect(self._show)
        window.again_button.clicked.connect(self._check_asked)
        window.decided.connect(self.decide)
        return window

    @property
    def _seen(self) -> bool:
        return self._listed is not None and self.window.isVisible()

    # -- checking ------------------------------------------------------------------------------------

    def check_all(self) -> None:
        """Compare all marks of the project with their articles, and list those whose text has changed."""
        self._asked = self._check.everything
        self._session.preparation.when_ready(self._check_asked)

    def check_new(self) -> None:
        """Compare new marks in the background, and report only changed ones.

        Marks without a quote get one.
        """
        self._check.look_up(self._check.everything_new(), self._compare_new)

    def _compare_new(self, listed: list[Quoted]) -> None:
        if listed:
            self._session.preparation.when_ready(lambda: self._check.compare(listed, self._tell))

    def _tell(self, checked: TextComparison) -> None:
        """Report the result, except what was reported when the document was opened."""
        documents = {drift.document for drift in checked.drifts}
        if not documents - {self._session.document_id} or self._seen:
            return
        marks = len(checked.drifts)
        said = (
            f"{marks:,} mark{'s' * (marks > 1)} in {len(documents):,} "
            f"document{'s' * (len(documents) > 1)} read{'s' * (marks == 1)} differently now; "
            "nothing was moved."
        )
        self._messages.say(Message(MessageKind.WARNING, said, "List", self.check_all))

    def offer(self) -> None:
        """Offer the check after the collection was moved."""
        said = "The articles are in another place now. Has the text of the marks changed?"
        self._offered = Message(MessageKind.WARNING, said, "Check marks", self.check_all)
        self._check.look_for_quotes(partial(self._messages.say, self._offered))

    def _none_here(self) -> str:
        """Return a message that no mark of the document has changed, and how many cannot be compared."""
        lacking = sum(quoted.unquoted for quoted in self._here() if quoted is not None)
        if lacking:
            cannot = f"{counted(lacking, 'mark')} here cannot be compared, because no quote was kept"
            return f"No mark that can be compared reads differently. {cannot}."
        return "No mark of this document has changed text."

    def _here(self) -> Iterable[Quoted]:
        topic, document = self._session.topic, self._session.document
        if topic is None or document is None:
            return []
        return [self._session.project.histories.quoted(topic.id, document.id)]

    def _check_asked(self) -> None:
        self._check.look_up(self._asked(), lambda listed: self._check.compare(listed, self._show_checked))

    def _show_checked(self, checked: TextComparison) -> None:
        seen = self._seen
        self._order.clear()
        self._note_order(checked.drifts)
        if checked.drifts or checked.unreadable or checked.resized or seen:
            self._listed = checked
            self.window.set_checked(checked)
            self.window.show()
            self.window.raise_()
        else:
            self._messages.info(heading(checked))

    def _check_here(self) -> None:
        self._asked = self._here
        self._check_asked()

    # -- updates of the list -------------------------------------------------------------------------

    def _on_state(self, change: StateChanged) -> None:
        self._outdate({(change.topic_id, document) for document in change.documents})

    def _outdate(self, pairs: set[TopicDocument]) -> None:
        if self._seen:
            self._stale |= pairs
            self._refreshing.start()

    def _refresh(self) -> None:
        """Compare only changed documents again, because undo restores marks to the list."""
        pairs, self._stale = self._stale, set()
        listed = [self._session.project.histories.quoted(*pair) for pair in sorted(pairs)]
        self._check.compare(listed, lambda fresh: self._merge(pairs, fresh))

    def _merge(self, pairs: set[TopicDocument], fresh: TextComparison) -> None:
        if self._listed is None:
            return
        drifts = [*(one for one in self._listed.drifts if _pair(one) not in pairs), *fresh.drifts]
        self._note_order(fresh.drifts)
        drifts.sort(key=lambda one: (self._order[_pair(one)], one.start, one.end))
        self._listed = replace(self._listed, drifts=tuple(drifts))
        self.window.set_checked(self._listed)
        follow, self._follow = self._follow, False
        for drift in self.window.selected() if follow else ():
            if self._is_open(drift):
                self._reveal(drift)

    def _note_order(self, drifts: Iterable[Drift]) -> None:
        """Store the order of documents in the list, for marks restored by undo."""
        for drift in drifts:
            self._order.setdefault(_pair(drift), len(self._order))

    # -- showing -------------------------------------------------------------------------------------

    def _on_opened(self, opened: OpenDocument) -> None:
        """Report changed marks of the opened document, or show the requested one."""
        wanted, self._wanted = self._wanted, None
        if wanted is not None and wanted.document == opened.document.id:
            self._reveal(wanted)
            return
        drifted = len(self._session.drifted)
        still_offered = self._offered is not None and self._messages.current is self._offered
        if drifted and not still_offered:
            passages = "A mark of this document reads" if drifted == 1 else f"{drifted:,} marks here read"
            said = f"{passages} differently now; nothing was moved."
            drifts = self._while(lambda: bool(self._session.drifted))
            self._messages.say(Message(MessageKind.WARNING, said, "List", self._check_here, stands=drifts))

    def _show(self, drift: Drift) -> None:
        session = self._session
        if self._is_open(drift):
            self._reveal(drift)
        elif session.topic is not None and session.topic.id == drift.topic:
            self._wanted = drift
            session.open_document(drift.document)
        else:
            self._wanted = drift
            session.open_topic(drift.topic, drift.document)

    def _is_open(self, drift: Drift) -> bool:
        topic = self._session.topic
        return topic is not None and (topic.id, self._session.document_id) == _pair(drift)

    def _reveal(self, drift: Drift) -> None:
        """Show a mark in the upper part of the view, which the list does not cover."""
        self._article.place_caret(drift.start)
        self._article.reveal(drift.start, drift.end, align=Align.TOP)

    def tell_of(self, span: Span) -> None:
        """Show the former text of a passage of the open document if it has changed."""
        quote = self._session.drifted.get(span)
        if quote is not None:
            said = f"The text of this mark has changed; it was “{quote.text}”"
            drifts = self._while(lambda: span in self._session.drifted)
            self._message = Message(MessageKind.WARNING, said, "Decide…", self._check_here, stands=drifts)
            self._messages.say(self._message)

    def _while(self, holds: Callable[[], bool]) -> Callable[[], bool]:
        """Return a function that tests whether a condition still holds for the open document."""
        here = self._session.while_here()
        return lambda: here() and holds()

    def go_to_next(self) -> None:
        spans = sorted(self._session.drifted)
        if not spans:
            self._messages.info(self._none_here(), self._session.while_here())
            return
        caret = self._article.caret_at_hand()
        span = next((one for one in spans if one[0] > caret), spans[0])
        self._article.place_caret(span[0])
        self._article.reveal(*span)
        self.tell_of(span)

    # -- deciding -------------------------------------------------------------------------------------

    def decide(self, decision: Decision, drifts: Sequence[Drift]) -> None:
        """Read the articles in a background thread, and then apply the decision."""
        by: dict[tuple[str, str], list[Drift]] = {}
        for drift in drifts:
            by.setdefault((drift.topic, drift.document), []).append(drift)
        collection = self._session.project.collection

        def read() -> Texts:
            """Return the texts; None for articles that changed since they were listed."""
            texts: Texts = []
            for (_, document), listed in by.items():
                try:
                    text = collection.text(document)
                except DataError as error:
                    texts.append((listed, error))
                else:
                    found = all(find(text, drift.quote, *drift.span) == drift.found for drift in listed)
                    texts.append((listed, text if found else None))
            return texts

        self._tasks.run(read, lambda texts: self._settle(decision, texts))

    def _settle(self, decision: Decision, texts: Texts) -> None:
        for listed, text in texts:
            if isinstance(text, DataError):
                self._messages.error(text)
            elif text is None or not self._as_listed(listed):
                self._messages.warn(CHANGED.format(listed[0].document))
            elif self._do(decision, listed, text):
                self._messages.withdraw(self._message)  # it was about the mark just decided
                self._follow = True
                self._outdate({(listed[0].topic, listed[0].document)})

    def _as_listed(self, listed: Sequence[Drift]) -> bool:
        quotes = self._session.project.histories.quotes(listed[0].topic, listed[0].document)
        return all(quotes.get(drift.span) == drift.quote for drift in listed)

    def _do(self, decision: Decision, listed: Sequence[Drift], text: str) -> bool:
        project, spans = self._session.project, [drift.span for drift in listed]
        moves = {
            drift.span: (drift.found.start, drift.found.end)
            for drift in listed
            if drift.found and drift.movable
        }
        command = {
            Decision.MOVE: lambda topic, document: move_marks(project, topic, document, moves, text),
            Decision.KEEP: lambda topic, document: keep_marks(project, topic, document, spans, text),
            Decision.REMOVE: lambda topic, document: remove_marks(project, topic, document, spans),
        }[decision]
        return self._session.judge(command, listed[0].document, topic_id=listed[0].topic)

    def decide_here(self, decision: Decision) -> None:
        topic, document = self._session.topic, self._session.document
        caret = self._article.caret
        at_caret = [span for span in self._session.drifted if span[0] <= caret <= span[1]]
        if topic is None or document is None or not at_caret:
            self._messages.info(
                "The mark at the caret reads as it did when it was made, or there is none. “Next mark that "
                "reads differently” goes to one that does not.",
                self._session.while_here(),
            )
            return
        quotes = {span: self._session.drifted[span] for span in at_caret[:1]}
        (drift,) = drifts_in(topic.id, document.id, document.text, quotes)
        if decision is Decision.MOVE and not drift.movable:
            self._messages.warn(
                "The text of this mark is not in the article any more: keep the mark, or remove it."
                if drift.found is None
                else "These words may have been there before, too. Look at the place and mark it by hand.",
                self._session.while_here(),
            )
            return
        self.decide(decision, [drift])


def _pair(drift: Drift) -> TopicDocument:
    return drift.topic, drift.document
