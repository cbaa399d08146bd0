"""The panel of runs: how they are scored, the table of their figures, and notes about them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparison import RunDifference, interval_text, marks_meaning
from inexview.core.evaluation.run_derivations import derive_means
from inexview.core.evaluation.run_parameters import RunParameters, chosen_runs, written
from inexview.core.evaluation.scores import (
    DIFFERENCE,
    GATHERED,
    TOPICS,
    RunColumn,
    RunLine,
    RunScores,
    run_columns,
)
from inexview.core.judgements.runs import Run, Task
from inexview.core.open_runs.scoring import NO_TASK, TASK_WORDS, NamedRuns, key_of
from inexview.core.report import NOTHING, difference_text
from inexview.core.wording import counted, cut_within
from inexview.gui.inspect.run_scoring import FigureAsked, FigureClicks, FigureLevel, FigureOf, RunScoring
from inexview.gui.inspect.scoring_bar import ScoringBar, TaskQuestion
from inexview.gui.look.panels import (
    Index,
    PaintedPlaces,
    PaintedTable,
    RowCells,
    RowHeader,
    RowTableModel,
)
from inexview.gui.look.theme import SHAPE_NAMES, dot_under, paint_run_shape, run_color
from inexview.gui.look.widgets import (
    CUT,
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    WhenSeen,
    button,
    derived,
    in_column,
    in_row,
    label,
    write,
)
from inexview.gui.services.document_record import OpenDocument, StateChanged
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence
from inexview.gui.services.session import Session

# Editing judgements in Inspect: the documents that were finished before a change.

JudgedPlace = tuple[str, str]
"""A topic and a document."""


class EditMode(QObject):
    """Tracks documents that are changed by the pen in Inspect, and offers to finish them again."""

    changed = Signal()  # the documents that are no longer finished changed

    def __init__(self, session: Session, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self._messages = messages
        self._session = session
        self._was_finished: set[JudgedPlace] = set()
        self.reopened = frozenset[JudgedPlace]()
        self._open_again = set[JudgedPlace]()  # documents not reported yet
        self._offered: Message | None = None
        session.document_opened.connect(self._note)
        session.part_judged.connect(self._note_change)
        session.state_changed.connect(self._follow)

    @property
    def refused(self) -> str:
        """Why no judgement can be edited here; "" if they can."""
        reason = self._session.project.read_only_reason
        return as_sentence(reason) if reason else ""

    @property
    def said(self) -> str:
        """The text next to the means; "" if no finished document was changed."""
        if not self.reopened:
            return ""
        documents = counted(len(self.reopened), "document")
        return f"{documents} changed since finished: not in these figures"

    def finish_again(self) -> None:
        """Finish the documents that were finished before; those that break a rule stay unfinished."""
        for topic, document in sorted(self.reopened):
            self._session.finish(document, topic)
        self._open_again = {place for place in self._open_again if not self._finished(place)}
        self._tell()

    def offer(self) -> None:
        """Report the documents that are no longer finished when leaving, and offer to finish them."""
        if not self.reopened:
            return
        one = len(self.reopened) == 1
        documents = "1 document was" if one else f"{len(self.reopened):,} documents were"
        them = "it counts" if one else "they count"
        told = f"{documents} changed since finished. Until finished again, {them} for no figure."
        self._offered = Message(MessageKind.WARNING, told, "Finish again", self.finish_again)
        self._messages.say(self._offered)

    def _note(self, opened: OpenDocument) -> None:
        place = opened.topic.id, opened.document.id
        if self._finished(place):
            self._was_finished.add(place)

    def _note_change(self, change: StateChanged) -> None:
        for document in change.documents:
            place = change.topic_id, document
            if self._finished(place):
                self._was_finished.add(place)
                self._open_again.discard(place)
            elif place in self._was_finished:
                self._open_again.add(place)

    def _follow(self, change: StateChanged) -> None:
        self._note_change(change)
        self._tell()

    def _tell(self) -> None:
        if self._open_again != self.reopened:
            self.reopened = frozenset(self._open_again)
            self._messages.withdraw(self._offered)
            self.changed.emit()

    def _finished(self, place: JudgedPlace) -> bool:
        return self._session.project.state(*place).finished


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow(RunLine):
    """A run as the table shows it; signals identify it by ``key``, ``style`` is its colour and shape."""

    key: str
    style: int
    label: str | None = None
    """Its name without the parameters that have columns; None if the name has no parameters."""
    said: str = ""
    """The text below its name: why it has no figures, or which task it was made for."""
    told: Callable[[], str] = field(default=str, compare=False)
    """Returns the tooltip; called only when the mouse is over the row."""


class RunModel(RowTableModel):
    """The rows in the chosen order; runs without the figure come last."""

    rows: tuple[RunRow, ...] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.measures: tuple[str, ...] = ()
        self.columns: tuple[RunColumn, ...] = ()
        """The columns after the name that have a value for any of these runs."""
        self.by: str | None = None
        """The heading of the column that sorts the rows; None for the first measure."""
        self.rising = False
        self.two_lines = False
        """Whether any row has a text below its name."""

    def set_rows(self, rows: Sequence[RunRow], measures: Sequence[str]) -> None:
        self.beginResetModel()
        self.measures, self.rows = tuple(measures), tuple(rows)
        self.columns = tuple(column for column in run_columns(measures, rows) if column.wanted(rows))
        if self.by is not None and self.by not in self.headings:
            self.by = None
        self.rows = tuple(self._sorted(rows))
        self.two_lines = any(row.said for row in rows)
        self.endResetModel()

    @property
    def headings(self) -> tuple[str, ...]:
        return ("run", *(column.heading for column in self.columns))

    @property
    def sorted_by(self) -> int:
        first = self.measures[0] if self.measures else "run"
        return self.headings.index(self.by or first)

    @property
    def parameters(self) -> range:
        """The indices of the columns of parameters."""
        others = {*self.measures, TOPICS, DIFFERENCE}
        return range(1, 1 + sum(column.heading not in others for column in self.columns))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.DescendingOrder) -> None:
        self.beginResetModel()
        self.by = self.headings[column]
        self.rising = order is Qt.SortOrder.AscendingOrder
        self.rows = tuple(self._sorted(self.rows))
        self.endResetModel()

    def _sorted(self, rows: Sequence[RunRow]) -> list[RunRow]:
        heading = self.headings[self.sorted_by]
        if heading == "run":
            return sorted(rows, key=lambda row: row.name.casefold(), reverse=not self.rising)
        column = next(column for column in self.columns if column.heading == heading)
        values = {row.key: column.number(row) for row in rows}
        has = [row for row in rows if values[row.key] is not None]
        most = max((row.covered or 0 for row in has), default=0) if self.by is None else 0
        has.sort(key=lambda row: values[row.key] or 0.0, reverse=not self.rising)
        # by default, runs over fewer topics come after the others
        has.sort(key=lambda row: (row.covered or 0) < most)
        return [*has, *(row for row in rows if values[row.key] is None)]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.told()
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if index.column():
                return f"{self.headings[index.column()]} {self.text(row, index.column())}"
            shape = SHAPE_NAMES[row.style % len(SHAPE_NAMES)]
            return ", ".join(part for part in (row.name, row.said, f"shown as {shape}") if part)
        return None

    def text(self, row: RunRow, column: int) -> str:
        return self.columns[column - 1].text(row) if column else row.name


PADDING = 4
SHAPE = 16  # width of a run's shape and the gap next to it
LEAST_HEADING = 12  # pixels beside a shape, so that the heading above is whole
LEAST_NAME = 260  # width in pixels below which columns are dropped before names are cut
LONGEST_NAMED = 60  # characters of a run's name in a note
SAVE_TABLE = "Save this table…"


class RunCells(RowCells):
    """Paints runs: shape and name in the run's colour, figures right-aligned."""

    def __init__(self, model: RunModel) -> None:
        super().__init__()
        self._model = model
        self.whole_names = True

    def height(self, metrics: QFontMetrics) -> int:
        return metrics.height() * self._lines + 12

    @property
    def _lines(self) -> int:
        return 2 if self._model.two_lines else 1

    def paint(self, painter: QPainter, places: PaintedPlaces) -> None:
        places.paint_selected(painter, self.theme)
        places.paint_lines(painter, self.theme)
        self._paint_names(painter, places)
        for column in range(1, len(self._model.headings)):
            if places.columns[column][1]:
                self._paint_figures(painter, places, column)

    def name_of(self, row: RunRow) -> str:
        """Return a run's name as displayed: without parameters that have columns."""
        return row.name if self.whole_names or row.label is None else row.label

    def _paint_names(self, painter: QPainter, places: PaintedPlaces) -> None:
        bold, small = derived(places.font, bold=True), derived(places.font, factor=0.85)
        line = QFontMetrics(places.font).height()
        for at in places.rows:
            rect, row = places.cell(at, 0), self._model.rows[at]
            color = run_color(self.theme, row.style)
            top = rect.center().y() - line * (2 if row.said else 1) / 2
            shape = QRectF(rect.left() + MARGIN, top + line / 2 - 5, 10, 10)
            paint_run_shape(painter, row.style, shape, color)
            room = QRectF(shape.right() + 6, top, rect.right() - shape.right() - 6 - PADDING, line)
            write(painter, room, self.name_of(row), bold, color, shorten=Qt.TextElideMode.ElideMiddle)
            if row.said:
                below = room.translated(0, line)
                write_whole(painter, below, row.said, small, self.theme.color("muted"))

    def _paint_figures(self, painter: QPainter, places: PaintedPlaces, column: int) -> None:
        model, heading = self._model, self._model.headings[column]
        compared = heading == DIFFERENCE
        plain, bold = (derived(places.font, factor=0.95, bold=bold) for bold in (False, True))
        right = MARGIN if column == len(model.headings) - 1 else PADDING
        for at in places.rows:
            row, room = model.rows[at], places.cell(at, column).adjusted(0, 0, -right, 0)
            lacking = not row.complete and not compared
            quiet = self.stale or (compared and not row.mark)
            token = "muted" if quiet else "warning" if lacking and heading == TOPICS else "text"
            text = model.text(row, column)
            painter.setFont(bold if compared and row.mark == "†" else plain)
            painter.setPen(self.theme.color(token))
            painter.drawText(room, RIGHT, text)
            if lacking and heading in (TOPICS, model.measures[0]):
                dot_under(painter, room.right(), room.center().y(), text, self.theme)


def write_whole(painter: QPainter, room: QRectF, text: str, font: QFont, color: QColor) -> None:
    """Write what is wrong with a run; of an error the message is cut, but not the line number at its end."""
    what, comma, line = text.rpartition(", ")
    if QFontMetricsF(font).horizontalAdvance(text) <= room.width() or not line.startswith("line "):
        write(painter, room, text, font, color, shorten=CUT)
        return
    wide = QFontMetricsF(font).horizontalAdvance(comma + line)
    write(painter, room.adjusted(0, 0, -wide, 0), what, font, color, shorten=CUT)
    shown = min(QFontMetricsF(font).horizontalAdvance(what), max(room.width() - wide, 0))
    write(painter, room.adjusted(shown, 0, 0, 0), comma + line, font, color)


class RunHeader(RowHeader):
    """The headings of the columns, aligned with their figures; a click sorts by a column."""

    def __init__(self, table: RunTable) -> None:
        super().__init__(table)
        self._table = table

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self._table.model()
        painter.save()
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, self.theme.color("line"))
        sorts = model.sorted_by == section
        painter.setFont(derived(self.font(), factor=0.92, bold=sorts))
        painter.setPen(self.theme.color("text" if sorts else "muted"))
        right = MARGIN if section == self.count() - 1 else PADDING
        room = rect.adjusted(0 if section else MARGIN, 0, -right, 0)
        arrow = ("▴" if model.rising else "▾") if sorts else ""
        painter.drawText(room, RIGHT if section else LEFT, f"{model.headings[section]}{arrow}")
        painter.restore()


class RunTable(PaintedTable):
    """The table: a click selects a run, Shift+click makes it the baseline, Delete closes it."""

    cells: RunCells
    header: RunHeader
    chosen = Signal(object)  # the key of a run, as in the two signals below
    removed = Signal(object)
    baselined = Signal(object)
    entered = Signal()
    saving = Signal()

    def __init__(self) -> None:
        self._model = model = RunModel()
        super().__init__("Runs", RunCells(model))
        model.setParent(self)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.header = RunHeader(self)
        self.setHorizontalHeader(self.header)
        self.setModel(model)
        self.header.sectionClicked.connect(self._sort)
        self._clicks: FigureClicks | None = None
        self._widths: dict[int, int] = {}
        self._quiet = False
        self._shown: tuple[tuple[RunRow, ...], tuple[str, ...]] | None = None
        self.selectionModel().currentRowChanged.connect(self._on_current)
        model.modelAboutToBeReset.connect(self._remember)
        model.modelReset.connect(self._restore)

    def model(self) -> RunModel:
        return self._model

    def show_runs(self, rows: Sequence[RunRow], measures: Sequence[str] = ()) -> None:
        """Show these runs with these measures; the current run stays current."""
        if self._shown != (tuple(rows), tuple(measures)):
            self._shown = tuple(rows), tuple(measures)
            self._model.set_rows(rows, measures)
            self.fit()  # before it is shown, which resizes it
            self.setVisible(bool(rows))

    @property
    def current_key(self) -> str | None:
        index = self.currentIndex()
        return self._model.rows[index.row()].key if index.isValid() else None

    def set_current(self, key: str | None) -> None:
        """Select a run without a signal."""
        at = next((at for at, row in enumerate(self._model.rows) if row.key == key), None)
        self._quiet = True
        if at is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        else:
            self.selectRow(at)
        self._quiet = False

    def _remember(self) -> None:
        self._kept = self.current_key
        self._quiet = True

    def _restore(self) -> None:
        self._quiet = False
        self.set_current(self._kept)

    def _on_current(self, current: QModelIndex) -> None:
        if current.isValid() and not self._quiet:
            self.chosen.emit(self._model.rows[current.row()].key)

    def fit(self) -> None:
        """Set the widths of the columns, leaving the rest to names, and the heights of the rows."""
        model = self.model()
        self.ensurePolished()  # so that it has the font of the style sheet
        metrics = QFontMetrics(derived(self.font(), factor=0.95))
        self.header.setMinimumSectionSize(20)
        for column in range(1, len(model.headings)):
            texts = {model.text(row, column) for row in model.rows}
            room = PADDING + (MARGIN if column == len(model.headings) - 1 else PADDING)
            wide = max(map(metrics.horizontalAdvance, (f"{model.headings[column]}▾", *texts)))
            self._widths[column] = wide + room
        for column in range(1, len(model.headings)):  # the table may be resized meanwhile
            self.header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            self.header.resizeSection(column, self._widths[column])
        self._make_room()
        self.verticalHeader().setDefaultSectionSize(self.cells.height(self.fontMetrics()))
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()
        below = (self.currentIndex().row() + 1) * self.verticalHeader().defaultSectionSize()
        if event.size().height() > event.oldSize().height() >= 0 and below <= self.viewport().height():
            self.scrollToTop()  # scrolls back to the best runs if a selected run had pushed them out of view

    def _make_room(self) -> None:
        """Hide columns before names would be cut, the last of the measures first, then the topics.

        The deciding measure and the lead over the baseline stay. Columns of parameters stay if all of them
        fit: names are then shown without parameters.
        """
        model, cells = self.model(), self.cells
        places, parameters = range(1, len(model.headings)), model.parameters
        if not {*places} <= self._widths.keys():
            return  # columns were added, and will be measured soon
        further = model.measures[1:]
        needed = sum(self._widths[at] for at in places)
        least = needed - sum(self._widths[at] for at in places if model.headings[at] in further)
        cells.whole_names = not parameters or least > self._room_beside(whole=False)
        room = self._room_beside(whole=cells.whole_names)
        giving_way = [at for at in reversed(places) if model.headings[at] in further]
        giving_way += [at for at in places if model.headings[at] == TOPICS]
        if cells.whole_names:
            needed -= sum(self._widths[at] for at in parameters)
        for at in {*places}.difference(giving_way):  # another column may have been hidden in its place
            self.setColumnHidden(at, cells.whole_names and at in parameters)
        for at in giving_way:
            self.setColumnHidden(at, needed > room)
            needed -= self._widths[at] if needed > room else 0
        self._stretch()

    def _stretch(self) -> None:
        """Give the remaining width to the names, or to the figures if the names are parameters."""
        parameters, left = self.model().parameters, self.viewport().width()
        wide = 0 if self.cells.whole_names or parameters.stop == self.header.count() else parameters.stop
        for at in (0, parameters.stop):
            if at < self.header.count():
                mode = QHeaderView.ResizeMode.Stretch if at == wide else QHeaderView.ResizeMode.Fixed
                self.header.setSectionResizeMode(at, mode)
        if wide:
            self.header.resizeSection(0, left - self._room_beside(whole=False))
        elif 0 < parameters.stop < self.header.count():
            self.header.resizeSection(parameters.stop, self._widths[parameters.stop])

    def _room_beside(self, *, whole: bool) -> int:
        """Return the width that names leave for figures, for whole names or names without parameters."""
        metrics = QFontMetrics(derived(self.font(), bold=True))
        names = {row.name if whole or row.label is None else row.label for row in self.model().rows}
        longest = max((*map(metrics.horizontalAdvance, names), LEAST_HEADING))
        return self.viewport().width() - min(longest, LEAST_NAME) - MARGIN - SHAPE - PADDING

    def sizeHint(self) -> QSize:
        rows = self.model().rowCount() * max(self.verticalHeader().defaultSectionSize(), 1)
        return QSize(300, self.header.sizeHint().height() + rows + 2)

    def minimumSizeHint(self) -> QSize:
        rows = min(self.model().rowCount(), 3) * max(self.verticalHeader().defaultSectionSize(), 1)
        return QSize(160, self.header.sizeHint().height() + rows + 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and index.isValid():
            self.baselined.emit(self._model.rows[index.row()].key)
            return
        super().mousePressEvent(event)

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Make every figure derivable; a click on another run first selects it."""
        clicks.watch(self.viewport(), self.figure_at, clicked_at=self._clicked_at, menu=False)
        self._clicks = clicks

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        """Return the figure at a point: a mean, its number of topics, or the lead over the baseline."""
        index, model = self.indexAt(at), self.model()
        if not index.isValid() or index.column() < model.parameters.stop or index.data() == NOTHING:
            return None
        row, heading = model.rows[index.row()], model.headings[index.column()]
        if heading == DIFFERENCE:
            lead = FigureAsked(FigureLevel.RUN, of=FigureOf.LEAD, run=row.key)
            return None if row.baseline else lead
        return FigureAsked(FigureLevel.RUN, heading, run=row.key)

    def _clicked_at(self, at: QPoint) -> FigureAsked | None:
        return self.figure_at(at) if self.indexAt(at).row() == self.currentIndex().row() else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Delete (close the run), Enter (go on with it) and Shift+Enter (compare with it)."""
        current = self.current_key
        if event.key() == Qt.Key.Key_Delete and current is not None:
            self.removed.emit(current)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current is not None:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.baselined.emit(current)
            else:
                self.entered.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if not index.isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        row = self._model.rows[index.row()]
        remove = menu.addAction(f"Remove {row.name}")
        remove.setShortcut(Qt.Key.Key_Delete)
        remove.triggered.connect(lambda: self.removed.emit(row.key))
        compare = menu.addAction(f"Compare with {row.name}")
        compare.triggered.connect(lambda: self.baselined.emit(row.key))
        menu.addSeparator()
        menu.addAction(SAVE_TABLE).triggered.connect(lambda: self.saving.emit())
        if self._clicks is not None:
            self._clicks.add_to(menu, self.viewport(), event.pos())
        menu.popup(event.globalPos())

    def _sort(self, column: int) -> None:
        model = self.model()
        falling = model.sorted_by == column and model.rising
        again = model.sorted_by == column and not model.rising
        order = Qt.SortOrder.AscendingOrder if again and not falling else Qt.SortOrder.DescendingOrder
        model.sort(column, order)


ASKED_SHARE = 0.55  # maximum share of the window for choosing the task
COMPLETE = "Count missing topics as 0"


def _note(text: str) -> QLabel:
    made = label(text, "note", wrap=True)
    made.setContentsMargins(MARGIN, 2, MARGIN, 4)
    return made


FEW_RUNS = 8  # with more runs the filter is always visible


class RunFilter(QWidget):
    """Filters the listed runs by parts of their names and conditions on parameters.

    A filter hides runs but changes no figure: tests count all runs.
    """

    changed = Signal()
    left = Signal()  # Enter: focus the list

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit(clearButtonEnabled=True)
        self.field.setAccessibleName("Filter runs")
        self.count = label("", "note")
        self.problem = _note("")
        self.field.textChanged.connect(lambda _typed: self.changed.emit())
        self.field.returnPressed.connect(self.left.emit)
        row = in_row((self.field, 1), self.count, margins=(MARGIN, 4, MARGIN, 2), spacing=8)
        in_column(row, self.problem, on=self, margins=0, spacing=0)
        self._asked = False  # with few runs the filter is visible only on request
        self.hide()

    def focus(self) -> None:
        """Show and focus the field."""
        self._asked = True
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def leave(self) -> bool:
        """Empty the field; return whether it had any text."""
        filtered = bool(self.field.text())
        self.field.clear()
        return filtered

    def listed(self, named: NamedRuns) -> list[int]:
        """Return the indices of the matching runs, or of all if a parameter is unknown; show their number."""
        typed, every = self.field.text().strip(), len(named.full)
        problem, places = "", list(range(every))
        try:
            places = chosen_runs(named.full, named.parameters, typed)
        except InexviewError as error:
            problem = f"{error}."
        self.count.setText(f"{len(places)} of {every}")
        self.count.setVisible(bool(typed) and not problem)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self._suggest(named.parameters)
        self.setVisible(every > FEW_RUNS or bool(typed) or (self._asked and every > 1))
        return places

    def _suggest(self, parameters: RunParameters) -> None:
        """Show examples in the empty field, with values of these runs."""
        kinds = ["part of a name"]
        for name in parameters.numeric[:2]:
            values = list(map(written, parameters.values(name)))
            kinds.append(f"{name}={values[0]}" if len(kinds) == 1 else f"{name}={values[0]}..{values[-1]}")
        self.field.setPlaceholderText(f"Filter: {', '.join(kinds)}")
        self.field.setToolTip(f"{self.field.placeholderText()}. Hidden runs still count in all tests.")


JUDGED = "Scored by {}, not by the judgements in the text; click A in the chart of judgements to go back."


class RunsPanel(QWidget):
    """Shows the figures of the board, and reports the user's choices.

    Heading, table, the switch for missing topics, notes; instructions if no run is open.
    """

    task_chosen = Signal()
    filtered = Signal()  # the listed runs changed

    def __init__(self, session: Session, board: RunScoring, editing: EditMode) -> None:
        super().__init__()
        self._board = board
        self._editing = editing
        self._session = session
        self.bar = ScoringBar(board)
        self.heading = Caption("Runs")
        self.heading.tip = "The runs that are open: the rows below"
        self.add = button("+ Open…", "plain")
        self.add.setToolTip("Open another run")
        self.add.setAccessibleName("Open a run")
        self.filter = RunFilter()
        self.hidden = frozenset[str]()
        """The names of the runs that the filter hides."""
        self.table = RunTable()
        self.empty = _note("No run is open. Open one, or drop its file here.")
        self.ask = TaskQuestion()
        self.complete = QCheckBox(COMPLETE)
        self.complete.setToolTip("Average over every judged topic, as eval --complete does")
        self.note = _note("")
        self.lacking = _note("")
        """The runs that lack topics; for a single run, a click derives its mean with these as 0."""
        self._lay_out()
        self._shown = WhenSeen(self, self._show_list)
        self.filter.changed.connect(self._show_list)
        self.filter.left.connect(self.table.setFocus)
        self.table.chosen.connect(lambda key: session.select_run(board.by_key(key)))
        self.table.removed.connect(self._remove)
        self.table.baselined.connect(lambda key: board.compare_with(board.by_key(key)))
        self.ask.chosen.connect(self._choose_task)
        self.complete.clicked.connect(lambda on: board.choose(replace(board.choice, complete=on)))
        board.figured.connect(self.show_all)
        editing.changed.connect(self._show_notes)
        self._show_list()
        self.show_all()

    def _lay_out(self) -> None:
        in_column(
            in_row((self.heading, 1), self.add, margins=(MARGIN, 6, MARGIN - 6, 0)),
            self.empty,
            self.ask,
            self.filter,
            self.table,
            in_row(self.complete, margins=(MARGIN, 4, MARGIN, 0)),
            self.note,
            self.lacking,
            on=self,
            margins=0,
            spacing=2,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave space for the runs while the task is being chosen."""
        super().resizeEvent(event)
        self.ask.setMaximumHeight(round(ASKED_SHARE * self.window().height()))

    # -- contents ------------------------------------------------------------------------------------

    def show_all(self) -> None:
        self.bar.show_all()
        self._shown.refresh()

    def rows_now(self) -> Sequence[RunRow]:
        """Return the current rows of the table, even if it is hidden."""
        self._show_list()
        return self.table.model().rows

    def _show_list(self) -> None:
        board = self._board
        compared = board.pairs.differences()
        listed = {*self.filter.listed(board.named)}
        rows = [
            self._row(at, run, compared)
            for at, run in enumerate(board.runs)
            if at in listed or run is board.baseline
        ]
        hidden = frozenset(name for at, name in enumerate(board.named.full) if at not in listed)
        if hidden != self.hidden:
            self.hidden = hidden
            self.filtered.emit()
        self.table.show_runs(rows, board.figures.measures if board.task is not None else ())
        self.table.set_current(None if board.current is None else key_of(board.current))
        self.complete.setVisible(bool(board.runs) and board.task is not None)
        self.empty.setVisible(not board.runs)
        several = f"{len(board.runs)} open" if len(board.runs) > 1 else ""
        stale = any(map(board.is_stale, board.runs))
        said = "Runs", several, board.why_stale if stale else ""
        self.heading.set_text(" · ".join(filter(None, said)))
        self.table.set_stale(stale)
        self.ask.ask_about(board.runs if board.task is None else ())
        self._show_notes()

    def _row(self, at: int, run: Run, compared: Mapping[Run, RunDifference]) -> RunRow:
        board = self._board
        parameters = board.named.parameters
        figures, difference = board.shown(run), compared.get(run)
        scores = figures.scores.get(run)
        is_base = run is board.baseline and len(board.scored()) > 1
        return RunRow(
            key=key_of(run),
            name=board.name(run),
            style=board.style(run),
            settings=parameters.settings[at],
            label=board.named.labels[at] if parameters.names else None,
            figures=figures.of(run),
            covered=None if scores is None else scores.counts.topics_judged - scores.counts.topics_missing,
            judged=0 if scores is None else scores.counts.topics_judged,
            difference=None if difference is None else difference.mean,
            mark="" if difference is None else difference.mark,
            shared="" if difference is None else difference.shared,
            baseline=is_base,
            said=self._said(run),
            told=partial(self._tip, run, scores, difference),
        )

    def _said(self, run: Run) -> str:
        """Return why a run has no figures, or that it is scored for another task than its own."""
        board = self._board
        if problem := board.figures.problem_of(run):
            return problem
        if run.unknown_task:
            return f"task {run.unknown_task} is not known"
        own = board.choice.own_task(run)
        if own is None:
            return "" if board.choice.task is not None else NO_TASK
        return "" if own is board.task else f"declared {own.value}"

    def _tip(self, run: Run, scores: RunScores | None, difference: RunDifference | None) -> str:
        problem = self._board.figures.problems.get(run)
        lines = [run.id, str(run.path or "")]
        if problem is not None:
            lines += f"Not scored: {problem}".split("\n")[:3]
        if run.unknown_task:
            lines += [f"Its file says the task {run.unknown_task}; known are {', '.join(Task)}."]
        if difference is not None and not math.isnan(difference.pair.low):
            mean, topics = difference_text(difference.mean, 4), counted(len(difference.topics), "topic")
            lines += [
                f"{mean} against the baseline, {topics}, 95 % interval {interval_text(*difference.interval)}"
            ]
        if scores is not None:
            lines += [f"{TASK_WORDS[scores.task]}, {scores.said}"]
            lines += scores.warnings[:3]
        return "\n".join(line for line in lines if line)

    def _show_notes(self) -> None:
        board = self._board
        other = board.judged_by and JUDGED.format(board.judged_by)
        reopened = self._editing.said if board.runs else ""
        gathered = f"Gathered: {GATHERED}." if any(run.gathered for run in board.runs) else ""
        notes = [note for note in (other, reopened, board.figures.nothing, gathered) if note]
        compared = None if board.stale else board.pairs.with_baseline()
        if compared is not None and any(row.mark for row in self.table.model().rows):
            base = compared.runs[compared.baseline or 0]
            notes.append(f"{marks_meaning(compared).replace(base, cut_within(base, LONGEST_NAMED))}.")
        lacking = self._lacks(self._lacking())
        for line, text in ((self.note, "\n".join(notes)), (self.lacking, lacking)):
            line.setText(text)
            line.setVisible(bool(text))
        self.complete.setChecked(board.choice.complete)

    def _lacking(self) -> list[Run]:
        """Return the runs whose means leave topics out, unless these count as 0."""
        board = self._board
        if board.stale or board.choice.complete:
            return []
        return [run for run in board.scored() if board.figures.scores[run].counts.topics_missing]

    def _lacks(self, lacking: Sequence[Run]) -> str:
        """Return a line on runs that lack judged topics; for a single run with its mean with these as 0."""
        if not lacking:
            return ""
        board, judged = self._board, len(self._board.figures.topics)
        counts = [len(board.figures.scores[run].topics) for run in lacking]
        if len(lacking) == 1:
            zero = self._board.figures.over_every_topic(lacking[0]).mean[board.figures.deciding]
            name = board.name(lacking[0])
            return f"{name} has {counts[0]} of {judged} topics; with the others as 0: {zero:.4f}."
        runs = counted(len(lacking), "run")
        return f"{runs} have {min(counts)} to {max(counts)} of {judged} topics, and come after the others."

    def offer_figures(self, clicks: FigureClicks) -> None:
        clicks.watch(self.lacking, self._figure_of_note)

    def _figure_of_note(self, _point: QPoint) -> FigureAsked | None:
        lacking = self._lacking()
        if len(lacking) != 1:
            return None
        made = partial(derive_means, self._board.figures.over_every_topic(lacking[0]))
        return FigureAsked(FigureLevel.RUN, self._board.figures.deciding, made=made)

    # -- choices -------------------------------------------------------------------------------------

    def _choose_task(self, task: Task) -> None:
        self.bar.choose_task(task)
        self.task_chosen.emit()

    def _remove(self, key: str) -> None:
        run = self._board.by_key(key)
        if run is not None:
            self._session.close_run(run)
