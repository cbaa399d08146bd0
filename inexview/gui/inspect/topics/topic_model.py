"""Topics × runs: a row for each judged topic, a column for each run, and the difference of two of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from inexview.core.wording import counted
from inexview.gui.inspect.figures.figures import NOTHING, difference_text
from inexview.gui.look.model_index import Index


@dataclass(frozen=True, slots=True)
class RunColumn:
    """A run as a column: its key, name and style, its mean, and its value of each topic that it has."""

    key: str
    name: str
    style: int
    mean: float
    values: Mapping[str, float]
    topics: int = 0
    """How many topics the mean is over."""


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic; ``difference`` is the first run's value less the second's, NaN where one has none."""

    topic: str
    title: str
    difference: float = math.nan


class TopicOrder(Enum):
    """In which order the topics are."""

    LARGEST = "largest difference first"
    BEST = "best for the run first"
    WORST = "worst for the run first"
    PROJECT = "in the order of the project"


@dataclass(frozen=True, slots=True)
class TopicSheet:
    """All that the table shows: the foreground run comes first, then the baseline, then the others."""

    measure: str = ""
    """As it is called for one topic."""
    columns: tuple[RunColumn, ...] = ()
    rows: tuple[TopicRow, ...] = ()
    hidden: int = 0
    """How many further runs there are."""
    highest: float = field(default=1.0)
    mean_difference: float = math.nan
    """Of the first two runs, on the topics that all the runs have; ``compared`` is how many that are."""
    compared: int = 0
    outcome: tuple[int, int, int] | None = None
    """On how many of these the first run wins, ties and loses; None where nothing is compared."""

    @property
    def paired(self) -> bool:
        """Whether there are two runs to take a difference of."""
        return len(self.columns) > 1

    @property
    def lacks_topics(self) -> bool:
        """Whether the difference of the means is of fewer topics than the table has."""
        return self.outcome is not None and self.compared < len(self.rows)

    @property
    def named(self) -> tuple[str, ...]:
        """What is shown, in ever fewer words: the measure, and how many of the runs."""
        if not self.hidden:
            looks = f"topic · shade: {self.measure} · bold: best run"
            return looks, f"topic · {self.measure}", self.measure
        some = f"{len(self.columns)} of {len(self.columns) + self.hidden}"
        return f"topic · {self.measure} · {some} runs", f"{self.measure} · {some} runs", f"{some} runs"

    def ordered(self, order: TopicOrder) -> TopicSheet:
        """Return the sheet with its topics in another order; those without a difference come last."""
        if order is TopicOrder.PROJECT:
            return self
        sign = {TopicOrder.LARGEST: 0, TopicOrder.BEST: -1, TopicOrder.WORST: 1}[order]

        def place(row: TopicRow) -> tuple[bool, float]:
            known = not math.isnan(row.difference)
            return not known, (sign * row.difference if sign else -abs(row.difference)) if known else 0.0

        return replace(self, rows=tuple(sorted(self.rows, key=place)))


def sheet_of(
    measure: str, columns: Sequence[RunColumn], topics: Sequence[tuple[str, str]], most: int
) -> TopicSheet:
    """Make a sheet of at most so many runs, of which the first two are compared."""
    shown = tuple(columns[:most])

    def row(topic: str, title: str) -> TopicRow:
        if len(shown) < 2:
            return TopicRow(topic, title)
        first, second = (column.values.get(topic, math.nan) for column in shown[:2])
        return TopicRow(topic, title, first - second)

    highest = max((value for column in shown for value in column.values.values()), default=1.0)
    return TopicSheet(
        measure,
        shown,
        tuple(row(*topic) for topic in topics),
        len(columns) - len(shown),
        highest or 1.0,
    )


class TopicModel(QAbstractTableModel):
    """The rows of the table: topic, a value for each run, the difference."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet = TopicSheet()
        self.order = TopicOrder.LARGEST
        self._unordered = self.sheet
        self.largest = 0.0
        """The largest difference, whichever run is better."""
        self._best: dict[int, float] = {}

    def set_sheet(self, sheet: TopicSheet) -> None:
        if sheet != self._unordered:
            self._unordered = sheet
            self._put_in_order()

    def _put_in_order(self) -> None:
        self.beginResetModel()
        self.sheet = self._unordered.ordered(self.order)
        known = (abs(row.difference) for row in self.sheet.rows if not math.isnan(row.difference))
        self.largest = max(known, default=0.0)
        self._best.clear()
        self.endResetModel()

    def set_order(self, order: TopicOrder) -> None:
        self.order = order
        self._put_in_order()

    def row_of(self, topic: str | None) -> int:
        """Return the row of a topic, -1 where it is not shown."""
        return next((at for at, row in enumerate(self.sheet.rows) if row.topic == topic), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.sheet.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1 + len(self.sheet.columns) + self.sheet.paired

    def value(self, row: int, column: int) -> float:
        """Return the value of a run for a topic, NaN where it has none."""
        return self.sheet.columns[column - 1].values.get(self.sheet.rows[row].topic, math.nan)

    def lacks(self, run: RunColumn) -> bool:
        """Tell whether the mean of a run is over fewer topics than are judged."""
        return run.topics < len(self.sheet.rows)

    def is_best(self, row: int, column: int) -> bool:
        """Tell whether a run has the highest value of a topic, of several runs."""
        if row not in self._best:
            values = [self.value(row, at) for at in range(1, len(self.sheet.columns) + 1)]
            known = [value for value in values if not math.isnan(value)]
            self._best[row] = max(known) if len(known) > 1 else 0.0
        return self.value(row, column) == self._best[row] > 0

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = self.sheet.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if column == 0:
                return f"topic {row.topic} {row.title}".strip()
            named = (*(one.name for one in self.sheet.columns), "difference")[column - 1]
            return f"{named} {self.text(index.row(), column)}"
        if role == Qt.ItemDataRole.ToolTipRole and 0 < column <= len(self.sheet.columns):
            value = self.value(index.row(), column)
            name = self.sheet.columns[column - 1].name
            return f"{name} has no result" if math.isnan(value) else f"{name}: {value:.6f}"
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Tell what is counted over the topics, and a run's name with what its mean is over."""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._header_said(section)
        if role != Qt.ItemDataRole.ToolTipRole:
            return None
        if section > len(self.sheet.columns):
            over = f"{self.sheet.compared} of {counted(len(self.sheet.rows), 'topic')}, which all runs have"
            return f"Δ mean over {over}" if self.sheet.lacks_topics else None
        if section:
            run = self.sheet.columns[section - 1]
            over = f"{run.topics} of {counted(len(self.sheet.rows), 'topic')}"
            return f"{run.name}: mean over {over}" if self.lacks(run) else run.name
        topics, hidden = counted(len(self.sheet.rows), "judged topic"), self.sheet.hidden
        said = f"{topics}: the rows below; each mean is over those that the run has"
        some = f"\n{counted(hidden, 'further run')} in the list on the left: a click brings one in"
        return said + (some if hidden else "")

    def _header_said(self, section: int) -> str:
        """Return what a screen reader is told of a column: its name and mean."""
        if section == 0:
            return "topic"
        if section <= len(self.sheet.columns):
            run = self.sheet.columns[section - 1]
            return f"{run.name}, mean {run.mean:.4f}"
        return f"difference, mean {difference_text(self.sheet.mean_difference, 4)}"

    def text(self, row: int, column: int) -> str:
        """Return what a cell says."""
        if column > len(self.sheet.columns):
            return difference_text(self.sheet.rows[row].difference)
        if column:
            value = self.value(row, column)
            return NOTHING if math.isnan(value) else f"{value:.3f}"
        return f"{self.sheet.rows[row].topic} {self.sheet.rows[row].title}".strip()
