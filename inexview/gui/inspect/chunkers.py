"""Comparison of runs of chunks over all topics, at the same k or at the same characters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from inexview.core.evaluation.charts import Axis, ChartSeries
from inexview.core.evaluation.chunkers import MEASURES, Budget, Same
from inexview.core.evaluation.significance import LEVEL, written_p
from inexview.core.judgements.runs import Run, Task
from inexview.core.open_runs.scoring import ChunkerPair, are_same, chunker_pair
from inexview.core.report import difference_text, figure_text
from inexview.gui.charts.chart_painter import CurveChart
from inexview.gui.inspect.run_scoring import RunScoring
from inexview.gui.look.widgets import (
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    PairSides,
    button,
    derived,
    explain,
    in_column,
    in_row,
    label,
)
from inexview.gui.services.tasks import BackgroundTask, Tasks

ROWS = 5  # listed budgets
PADDING = 30  # pixels of a button around its text
NAME = 54  # maximum width in pixels of a run's name above its column
HEAD = 110  # the same above a column of the tables at the left
READ = ("characters read", "of them read twice", "passages intact in one chunk")
FIGURES = 4  # per budget: two means, their difference, and p


class ChunkerPairs(QObject):
    """The foreground and the baseline compared both ways, computed once per pair in a background thread."""

    changed = Signal()

    def __init__(self, board: RunScoring, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._tasks = tasks
        self._asked: tuple[object, ...] = ()
        self._task: BackgroundTask | None = None
        self.found: ChunkerPair | None = None

    @property
    def active(self) -> bool:
        """Whether runs of chunks are open."""
        return self._board.task is Task.CHUNKS

    @property
    def pair(self) -> tuple[Run, Run] | None:
        """The foreground and the baseline, if both have figures."""
        board = self._board
        first, second = board.current, board.baseline
        if first is None or second is None or first is second or not self.active:
            return None
        scored = board.figures.scores
        return (first, second) if first in scored and second in scored else None

    def ask(self) -> None:
        """Start the comparison of the current pair unless it is available."""
        board, pair = self._board, self.pair
        scores = () if pair is None else tuple(board.figures.scores[run] for run in pair)
        asked = (*scores, board.choice, board.qrels)
        if are_same(asked, self._asked):
            return
        self._asked = asked
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self.found = None
        qrels = board.qrels
        if pair is None or qrels is None:
            return
        choice = board.choice
        self._task = self._tasks.run(
            lambda: chunker_pair(qrels, pair, (scores[0], scores[1]), choice), self._take, urgent=False
        )

    def _take(self, found: ChunkerPair) -> None:
        self._task = None
        self.found = found
        self.changed.emit()

    def compare_by(self, same: Same) -> None:
        """Compare at the same k, or at the same characters."""
        self._board.read_as_far(by=same)

    def turn(self) -> None:
        """Switch between the two ways of comparing."""
        if self.pair is not None:
            self.compare_by(self._board.choice.reading.same.other)


class ReadingSwitch(QWidget):
    """The choice between the two ways of comparing, with the reason for the current one."""

    def __init__(self, board: RunScoring, pairs: ChunkerPairs, turn: QAction) -> None:
        super().__init__()
        self._board = board
        self._pairs = pairs
        self._by_program = False
        self.ways = {same: QPushButton() for same in Same}
        for (same, way), side in zip(self.ways.items(), ("left", "right"), strict=True):
            way.setCheckable(True)
            way.setAutoExclusive(True)
            way.setProperty("role", "segment")
            way.setProperty("side", side)
            way.clicked.connect(partial(pairs.compare_by, same))
            explain(way, turn)
        self.why = ElidedLabel()
        key = label("C", "key")
        in_row(*self.ways.values(), 8, key, 10, (self.why, 1), on=self, margins=0, spacing=0)
        pairs.changed.connect(self.show_all)

    def show_all(self) -> None:
        """Show the current way; by default the fair one if the runs read different amounts."""
        reading, pair = self._board.choice.reading, self._pairs.pair
        self.setVisible(pair is not None)
        if pair is None:
            return
        self._pairs.ask()
        found = self._pairs.found
        uneven = found is not None and found.uneven
        if uneven and reading.by is None and self.isVisible():
            self._by_program = True
            self._pairs.compare_by(Same.CHARACTERS)
            return
        counts = {Same.K: f"{reading.k:,}", Same.CHARACTERS: f"{reading.characters:,}"}
        for same, way in self.ways.items():
            way.setText(f"{same.value} {counts[same]}")
            way.setChecked(same is reading.same)
            bold = QFontMetrics(derived(way.font(), bold=True))  # the current way is bold
            way.setMinimumWidth(bold.horizontalAdvance(way.text()) + PADDING)
        warns = uneven and reading.same is Same.K
        said = "" if found is None else found.read_in_words
        if uneven and self._by_program and reading.same is Same.CHARACTERS:
            said = f"Set so because {said}."
        else:
            said = f"{said[:1].upper()}{said[1:]}." if said else ""
        self.why.set_text(said)
        self.why.setProperty("role", "warning" if warns else "muted")
        self.why.style().polish(self.why)


class ChunkersTables(QWidget):
    """Amounts that both runs read, and their differences in every measure both ways; below the runs."""

    def __init__(self, board: RunScoring, pairs: ChunkerPairs) -> None:
        super().__init__()
        self._board = board
        self._pairs = pairs
        self._sides = PairSides()
        self.read_heading = Caption("Text read")
        self.read, self.measures = _CellGrid(len(READ), 2), _CellGrid(len(MEASURES), 2)
        note = label(
            f"† p < {LEVEL}, for each measure alone. Without †: no significant difference (this does not "
            "show that they are equal). Text that is retrieved twice counts once.",
            "note",
            wrap=True,
        )
        in_column(
            self.read_heading,
            self.read,
            14,
            in_row((Caption("Every measure"), 1), self._sides, margins=0),
            self.measures,
            note,
            on=self,
            margins=(MARGIN, 14, MARGIN, 4),
            spacing=4,
        )
        self.hide()  # until there is a pair of runs of chunks
        pairs.changed.connect(self.show_all)

    def show_all(self) -> None:
        """Show the comparison of the pair; nothing while it is computed."""
        pair, found, board = self._pairs.pair, self._pairs.found, self._board
        self.setVisible(pair is not None and found is not None)
        if pair is None or found is None:
            return
        self._sides.show_pair(*map(board.style, pair))
        reading = found.chunkers.reading
        self.read_heading.set_text("Text read", f"k = {reading.k}")
        self.read.show_head("mean of a topic", [board.name(run) for run in pair])
        columns = [[cell.text for cell in row[-len(READ) :]] for row in found.read.rows]
        for row, (name, *texts) in enumerate(zip(READ, *columns, strict=True)):
            self.read.show_row(row, name, texts, ("value", "note"))
        self.measures.show_head("", (f"k = {reading.k}", f"{reading.characters:,} characters"))
        for row, one in enumerate(found.measures):
            both = one.at_k, one.at_characters
            holds = [apart.pair.significant for apart in both]
            texts = [
                difference_text(apart.mean, 4) + "†" * held for apart, held in zip(both, holds, strict=True)
            ]
            self.measures.show_row(row, one.measure, texts, ["value" if held else "note" for held in holds])


class _CellGrid(QWidget):
    """A few rows of a name and figures."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        self._heads = [ElidedLabel(role="note") for _ in range(columns + 1)]
        self._cells = [[label("") for _ in range(columns + 1)] for _ in range(rows)]
        lines: list[Sequence[QWidget]] = [self._heads, *self._cells]
        for row, cells in enumerate(lines):
            for column, cell in enumerate(cells):
                grid.addWidget(cell, row, column, LEFT if column == 0 else RIGHT)
        for head in self._heads[1:]:
            head.setMaximumWidth(HEAD)
            head.setAlignment(RIGHT)

    def show_head(self, name: str, heads: Sequence[str]) -> None:
        for head, text in zip(self._heads, (name, *heads), strict=True):
            head.set_text(text)

    def show_row(self, row: int, name: str, texts: Sequence[str], roles: Sequence[str]) -> None:
        for cell, text, role in zip(self._cells[row], (name, *texts), ("", *roles), strict=True):
            cell.setText(text)
            cell.setProperty("role", role)
            cell.style().polish(cell)

    def texts(self, row: int) -> list[str]:
        return [cell.text() for cell in self._cells[row]]


class ChunkersPanel(QWidget):
    """The summary of both ways, recall by characters read, and the budgets."""

    def __init__(self, board: RunScoring, pairs: ChunkerPairs) -> None:
        super().__init__()
        self._board = board
        self._pairs = pairs
        self.chart = CurveChart()
        self.chart.setAccessibleName("recall over characters read")
        self.verdict = label("", "verdict", wrap=True)
        self.budgets = QGridLayout()
        self.budgets.setContentsMargins(0, 0, 0, 0)
        self.budgets.setHorizontalSpacing(8)
        self.budgets.setVerticalSpacing(0)
        self.budgets.setColumnStretch(0, 1)
        self._first: list[QPushButton] = []
        self._figures: list[list[QLabel]] = []
        self._shown: Sequence[Budget] = ()
        self.note = label(f"† p < {LEVEL} after Holm’s correction for the budgets", "note", wrap=True)
        in_column(
            self.chart,
            self.verdict,
            8,
            Caption("Budgets"),
            self.budgets,
            self.note,
            8,
            on=self,
            margins=0,
            spacing=8,
        )
        self._names = [ElidedLabel(), ElidedLabel()]
        for name in self._names:
            name.setMaximumWidth(NAME)
            name.setAlignment(RIGHT)
        self.budgets.addWidget(label("characters", "note"), 0, 0)
        self._add(0, [*self._names, label("Δ", "note"), label("p", "note")])
        for row in range(ROWS):
            first = button("", "plain")
            first.clicked.connect(partial(self._choose, row))
            self._first.append(first)
            self.budgets.addWidget(first, row + 1, 0, LEFT)
            self._figures.append([label("", "note") for _ in range(FIGURES)])
            self._add(row + 1, self._figures[row])
        pairs.changed.connect(self.show_all)

    def _add(self, row: int, cells: Sequence[QWidget]) -> None:
        for column, cell in enumerate(cells, 1):
            self.budgets.addWidget(cell, row, column, RIGHT)

    def budget_shown(self, row: int) -> Budget | None:
        """Return the budget of a row, None if the row is empty."""
        return self._shown[row] if row < len(self._shown) else None

    def budget_button(self, row: int) -> QPushButton:
        return self._first[row]

    def _choose(self, row: int) -> None:
        """Compare at the budget of a row."""
        self._board.read_as_far(characters=self._shown[row].characters, by=Same.CHARACTERS)

    def show_all(self) -> None:
        """Show the comparison of the pair, or that it is being computed."""
        pair = self._pairs.pair
        self.setVisible(pair is not None)
        if pair is None:
            return
        self._pairs.ask()
        found = self._pairs.found
        self.verdict.setText("computing…" if found is None else found.said)
        board = self._board
        for name, run in zip(self._names, pair, strict=True):
            name.set_text(board.name(run))
        self._shown = () if found is None else found.budgets
        for row, (first, cells) in enumerate(zip(self._first, self._figures, strict=True)):
            budget = self.budget_shown(row)
            first.setVisible(budget is not None)
            for cell in cells:
                cell.setVisible(budget is not None)
            if budget is not None:
                self._show_budget(first, cells, budget)
        self._show_curves(pair, found)

    def _show_budget(self, first: QPushButton, cells: Sequence[QLabel], budget: Budget) -> None:
        first.setText(f"{budget.characters:,}")
        holds = budget.corrected < LEVEL
        difference = difference_text(budget.difference, 3) + ("†" if holds else "")
        means = (figure_text(mean, 3) for mean in budget.means)
        reading = self._board.choice.reading
        chosen = reading.same is Same.CHARACTERS and reading.characters == budget.characters
        for cell, text in zip(cells, (*means, difference, written_p(budget.p)), strict=True):
            cell.setProperty("role", "value" if chosen else "note")
            cell.style().polish(cell)
            cell.setText(text)

    def _show_curves(self, pair: tuple[Run, Run], found: ChunkerPair | None) -> None:
        board = self._board
        curves = () if found is None else found.curves
        styles = [board.style(run) for run in pair]
        series = [
            ChartSeries(board.name(run), style, x, y)
            for run, style, (x, y) in zip(pair, styles, curves, strict=False)
        ]
        furthest = max((float(one.x[-1]) for one in series), default=1.0)
        self.chart.set_curves(
            series,
            current=styles[0],
            other=styles[1],
            nothing="computing…",
            across=Axis("characters", 0.0, furthest),
            up="recall",
        )
