"""The rows of the table of runs: name, figures, topics covered, and the difference from the baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Qt

from inexview.core.report import NOTHING, difference_text
from inexview.gui.look.lists import Index, RowTableModel
from inexview.gui.look.theme import SHAPE_NAMES

TOPICS, DIFFERENCE = "topics", "vs base"


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run as the table shows it; ``key`` is what signals name it by, ``style`` its colour and shape."""

    key: str
    name: str
    style: int
    figures: Mapping[str, float] = field(default_factory=dict)
    covered: int | None = None
    """How many judged topics its figures are over."""
    judged: int = 0
    """How many there are."""
    difference: float | None = None
    mark: str = ""
    baseline: bool = False
    said: str = ""
    """What is said under its name: why it has no figures, or for which task it is."""
    told: Callable[[], str] = field(default=str, compare=False)
    """Says all there is to say of it; asked only when somebody points at the row."""

    @property
    def tip(self) -> str:
        return self.told()

    @property
    def complete(self) -> bool:
        """Whether it has results for every judged topic."""
        return self.covered is None or self.covered >= self.judged

    @property
    def coverage(self) -> str:
        """The topics covered: 68, or 66/68 where some are missing."""
        if self.covered is None:
            return NOTHING
        return str(self.covered) if self.complete else f"{self.covered}/{self.judged}"

    @property
    def compared(self) -> str:
        """The difference from the baseline, with its mark."""
        if self.baseline:
            return "baseline"
        return NOTHING if self.difference is None else f"{difference_text(self.difference, 4)}{self.mark}"


class RunModel(RowTableModel):
    """The rows, in the order that a click on a heading chose; runs without the figure come last."""

    rows: tuple[RunRow, ...] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.measures: tuple[str, ...] = ()
        self.by: str | None = None
        """The heading of the column that they are sorted by; None: the first measure."""
        self.rising = False
        self.two_lines = False
        """Whether a line under each run's name tells anything."""

    def set_rows(self, rows: Sequence[RunRow], measures: Sequence[str]) -> None:
        self.beginResetModel()
        self.measures, self.rows = tuple(measures), tuple(rows)  # which decide the headings
        if self.by is not None and self.by not in self.headings:
            self.by = None
        self.rows = tuple(self._sorted(rows))
        self.two_lines = any(row.said for row in rows)
        self.endResetModel()

    @property
    def headings(self) -> tuple[str, ...]:
        """The columns: topics only where a run lacks some, the difference only from another run."""
        topics = (TOPICS,) if any(not row.complete for row in self.rows) else ()
        compared = (DIFFERENCE,) if any(row.difference is not None for row in self.rows) else ()
        return ("run", *self.measures, *topics, *compared)

    @property
    def sorted_by(self) -> int:
        return 1 if self.by is None and self.measures else self.headings.index(self.by or "run")

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
        values = {row.key: _value(row, heading) for row in rows}
        has = [row for row in rows if values[row.key] is not None]
        most = max((row.covered or 0 for row in has), default=0) if self.by is None else 0
        has.sort(key=lambda row: values[row.key] or 0.0, reverse=not self.rising)
        has.sort(key=lambda row: (row.covered or 0) < most)  # over fewer topics: not first unasked
        return [*has, *(row for row in rows if values[row.key] is None)]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.tip
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if index.column():
                return f"{self.headings[index.column()]} {self.text(row, index.column())}"
            shape = SHAPE_NAMES[row.style % len(SHAPE_NAMES)]
            return ", ".join(part for part in (row.name, row.said, f"shown as {shape}") if part)
        return None

    def text(self, row: RunRow, column: int) -> str:
        heading = self.headings[column]
        if column == 0:
            return row.name
        if heading == TOPICS:
            return row.coverage
        if heading == DIFFERENCE:
            return row.compared
        value = row.figures.get(heading)
        return NOTHING if value is None else f"{value:.4f}"


def _value(row: RunRow, heading: str) -> float | None:
    if heading == TOPICS:
        return row.covered
    return row.difference if heading == DIFFERENCE else row.figures.get(heading)
