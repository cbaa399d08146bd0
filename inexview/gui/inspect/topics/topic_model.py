"""Topics × runs: a row for each judged topic, a column for each run, and the difference of two of them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from inexview.core.evaluation.scores import JUDGED_DEPTH
from inexview.core.report import NOTHING, difference_text
from inexview.core.wording import counted
from inexview.gui.look.lists import Index

UNJUDGED, JUDGED_AT = "unjudged", f"Judged@{JUDGED_DEPTH}"
SHARES = {
    UNJUDGED: "share of the documents retrieved in front that were not judged",
    JUDGED_AT: f"share of the first {JUDGED_DEPTH} documents in front that were judged",
}
TOPIC, DIFFERENCE = "topic", "Δ"
CONDITION = re.compile(r"(?P<name>[^<>=]*)(?P<sign>[<>]=?)(?P<value>[+−-]?(?:\d++(?:\.\d+)?|\.\d+))\Z")


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
    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By name of a share of judged documents (``SHARES``), that of each topic."""


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
    total: int = 0
    """How many topics there are; a filter leaves fewer rows."""
    shares: tuple[str, ...] = ()
    """Which shares of judged documents have a column, after that of the difference."""
    hidden: int = 0
    """How many further runs there are."""
    highest: float = field(default=1.0)
    mean_difference: float = math.nan
    """Of the first two runs, on the topics that both have; ``compared`` is how many that are."""
    best: Mapping[str, float] = field(default_factory=dict)
    """The highest value of each topic, of all the runs, also of those that are not shown."""
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
        return self.outcome is not None and self.compared < self.total

    @property
    def keys(self) -> tuple[str, ...]:
        """What each column is sorted by: the topic, the key of a run, the difference, a share."""
        runs = (column.key for column in self.columns)
        return (TOPIC, *runs, *((DIFFERENCE,) if self.paired else ()), *self.shares)

    def value(self, row: TopicRow, key: str) -> float:
        """Return the value of a topic in the column of a key, NaN where it has none."""
        if key == DIFFERENCE:
            return row.difference
        if key in SHARES:
            return self.columns[0].shares.get(key, {}).get(row.topic, math.nan)
        values = next((column.values for column in self.columns if column.key == key), {})
        return values.get(row.topic, math.nan)

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

    def sorted_by(self, key: str, *, descending: bool) -> TopicSheet:
        """Return the sheet with its topics sorted by a column; those without a value come last."""
        if key == TOPIC:
            return replace(self, rows=tuple(sorted(self.rows, key=lambda row: row.topic, reverse=descending)))
        values = {row.topic: self.value(row, key) for row in self.rows}
        known = [row for row in self.rows if not math.isnan(values[row.topic])]
        known.sort(key=lambda row: values[row.topic], reverse=descending)
        return replace(self, rows=(*known, *(row for row in self.rows if math.isnan(values[row.topic]))))

    def filtered(self, typed: str) -> TopicSheet:
        """Return the sheet with the topics that hold all words and meet all conditions (``difference<-.1``).

        A condition without a name is about the value of the run in front.
        """
        words = typed.casefold().split()
        return replace(
            self, rows=tuple(row for row in self.rows if all(self._fits(row, word) for word in words))
        )

    def _fits(self, row: TopicRow, word: str) -> bool:
        found = CONDITION.match(word)
        if found is None or not self.columns:
            return word in f"{row.topic} {row.title}".casefold()
        named = found["name"]
        keys = {key.casefold(): key for key in (DIFFERENCE, *SHARES)} | {"difference": DIFFERENCE}
        keys |= {column.name.casefold(): column.key for column in self.columns} | {"": self.columns[0].key}
        key, bound = keys.get(named), float(found["value"].replace("−", "-"))
        if key is None:
            return word in f"{row.topic} {row.title}".casefold()
        value = self.value(row, key)
        below = value < bound if found["sign"][0] == "<" else value > bound
        return below or (len(found["sign"]) > 1 and value == bound)


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

    best: dict[str, float] = {}
    for column in columns if len(columns) > 1 else ():
        for topic, value in column.values.items():
            best[topic] = max(value, best.get(topic, 0.0))
    highest = max((value for column in shown for value in column.values.values()), default=1.0)
    return TopicSheet(
        measure,
        shown,
        tuple(row(*topic) for topic in topics),
        len(topics),
        hidden=len(columns) - len(shown),
        highest=highest or 1.0,
        best=best,
    )


class TopicModel(QAbstractTableModel):
    """The rows of the table: topic, a value for each run, the difference."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet = TopicSheet()
        self.order = TopicOrder.LARGEST
        self.by: tuple[str, bool] | None = None
        """The key of the column that topics are sorted by, and whether falling; None: as the order says."""
        self.filter = ""
        self._unordered = self.sheet
        self.largest = 0.0
        """The largest difference, whichever run is better."""

    def set_sheet(self, sheet: TopicSheet) -> None:
        if sheet != self._unordered:
            self._unordered = sheet
            self._put_in_order()

    def _put_in_order(self) -> None:
        self.beginResetModel()
        self.sheet = self.arranged(self._unordered).filtered(self.filter)
        known = (abs(row.difference) for row in self.all_rows if not math.isnan(row.difference))
        self.largest = max(known, default=0.0)
        self.endResetModel()

    @property
    def all_rows(self) -> tuple[TopicRow, ...]:
        """The topics, also those that the filter leaves out."""
        return self._unordered.rows

    def arranged(self, sheet: TopicSheet) -> TopicSheet:
        """Return a sheet with its topics as they are sorted here."""
        if self.by is None or self.by[0] not in sheet.keys:
            return sheet.ordered(self.order)
        return sheet.sorted_by(self.by[0], descending=self.by[1])

    def set_order(self, order: TopicOrder) -> None:
        self.order, self.by = order, None
        self._put_in_order()

    def sort_by(self, section: int) -> None:
        """Sort by a column, highest first and topics by their ids; by the one that sorts, the other way."""
        key = self.sheet.keys[section]
        falling = not self.by[1] if self.by is not None and self.by[0] == key else key != TOPIC
        self.by = key, falling
        self._put_in_order()

    def set_filter(self, typed: str) -> None:
        self.filter = typed
        self._put_in_order()

    def row_of(self, topic: str | None) -> int:
        """Return the row of a topic, -1 where it is not shown."""
        return next((at for at, row in enumerate(self.sheet.rows) if row.topic == topic), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.sheet.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.sheet.keys)

    def value(self, row: int, column: int) -> float:
        """Return the value of a run for a topic, NaN where it has none."""
        return self.sheet.columns[column - 1].values.get(self.sheet.rows[row].topic, math.nan)

    @property
    def counts_differ(self) -> bool:
        """Whether some mean is over fewer topics than are judged, so that each has its number."""
        sheet = self.sheet
        return sheet.lacks_topics or any(map(self.lacks, sheet.columns))

    def lacks(self, run: RunColumn) -> bool:
        """Tell whether the mean of a run is over fewer topics than are judged."""
        return run.topics < self.sheet.total

    def is_best(self, row: int, column: int) -> bool:
        """Tell whether a run has the highest value of a topic, of several runs."""
        best = self.sheet.best.get(self.sheet.rows[row].topic, 0.0)
        return self.value(row, column) == best > 0

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = self.sheet.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if column == 0:
                return f"topic {row.topic} {row.title}".strip()
            return f"{self.name(column)} {self.text(index.row(), column)}"
        if role == Qt.ItemDataRole.ToolTipRole and 0 < column <= len(self.sheet.columns):
            value = self.value(index.row(), column)
            name = self.sheet.columns[column - 1].name
            return f"{name} has no result" if math.isnan(value) else f"{name}: {value:.6f}"
        return None

    def name(self, column: int) -> str:
        """Return what a column is called in words."""
        if 0 < column <= len(self.sheet.columns):
            return self.sheet.columns[column - 1].name
        key = self.sheet.keys[column]
        return "difference" if key == DIFFERENCE else key

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Tell what is counted over the topics, and a run's name with what its mean is over."""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._header_said(section)
        if role != Qt.ItemDataRole.ToolTipRole:
            return None
        if self.sheet.keys[section] in SHARES:
            return SHARES[self.sheet.keys[section]].replace("in front", f"by {self.sheet.columns[0].name}")
        if section > len(self.sheet.columns):
            over = f"{self.sheet.compared} of {counted(self.sheet.total, 'topic')}, which both runs have"
            return f"Δ mean over {over}" if self.sheet.lacks_topics else None
        if section:
            run = self.sheet.columns[section - 1]
            over = f"{run.topics} of {counted(self.sheet.total, 'topic')}"
            return f"{run.name}: mean over {over}" if self.lacks(run) else run.name
        topics, hidden = counted(self.sheet.total, "judged topic"), self.sheet.hidden
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
        if self.sheet.keys[section] in SHARES:
            return f"{self.sheet.keys[section]}, mean {self.mean_share(self.sheet.keys[section]):.2f}"
        return f"difference, mean {difference_text(self.sheet.mean_difference, 4)}"

    def mean_share(self, key: str) -> float:
        """Return the mean of a share over the topics that the run in front has, NaN where it has none."""
        values = [*self.sheet.columns[0].shares.get(key, {}).values()]
        return sum(values) / len(values) if values else math.nan

    def text(self, row: int, column: int) -> str:
        """Return what a cell says."""
        if column and self.sheet.keys[column] in SHARES:
            share = self.sheet.value(self.sheet.rows[row], self.sheet.keys[column])
            return NOTHING if math.isnan(share) else f"{share:.2f}"
        if column > len(self.sheet.columns):
            return difference_text(self.sheet.rows[row].difference)
        if column:
            value = self.value(row, column)
            return NOTHING if math.isnan(value) else f"{value:.3f}"
        return f"{self.sheet.rows[row].topic} {self.sheet.rows[row].title}".strip()
