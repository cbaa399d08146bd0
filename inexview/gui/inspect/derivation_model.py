"""The rows that went into a figure of a run, a topic or a document, and what it would be without each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivation import Derivation, DerivationRow, shown
from inexview.core.evaluation.derive import derive_laid
from inexview.core.evaluation.evaluate import RunScores, ScoringSettings, lay
from inexview.core.evaluation.leave_one_out import TopicWithout, leave_out_of
from inexview.core.evaluation.mean_derivations import derive_means
from inexview.core.evaluation.what_if import ranking_of
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.judgements.subsets import Subset
from inexview.core.text.offset_arrays import Floats
from inexview.gui.inspect.topic_model import difference_text
from inexview.gui.look.model_index import Index

ADDS, WITHOUT = "adds", "left out"


class FigureLevel(Enum):
    """What a figure is of."""

    RUN = "run"
    TOPIC = "topic"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class FigureAsked:
    """Somebody wants to know how a figure of the run in the foreground comes about.

    ``measure`` is empty for the one that decides; ``document`` is the row that shall be seen.
    """

    level: FigureLevel
    measure: str = ""
    document: str = ""


class Explained(Protocol):
    """Everything that figures of one level are made of."""

    @property
    def derivations(self) -> Mapping[str, Derivation]:
        """The derivations by measure."""

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how a measure changes without a row; NaN where that is not said."""


@dataclass(frozen=True, eq=False)
class ExplainedRun:
    """What the means of a run are made of: its topics."""

    derivations: Mapping[str, Derivation]
    without: Floats

    @classmethod
    def of(cls, scores: RunScores) -> ExplainedRun:
        """Derive the means of a run."""
        told, without = derive_means(scores)
        return cls({one.measure: one for one in told}, without)

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how the mean changes without a topic."""
        own = [*self.derivations].index(measure)
        return float(self.without[own, row.rank - 1] - self.derivations[measure].value)


@dataclass(frozen=True, eq=False)
class ExplainedDocument:
    """What the figures of a document are made of: its passages."""

    derivations: Mapping[str, Derivation]

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Say nothing: what a passage costs is told in a list of its own."""
        return math.nan


@dataclass(frozen=True, eq=False)
class ExplainedTopic:
    """Everything that a topic's measures are made of, under one run."""

    run: Run
    topic: str
    derivations: dict[str, Derivation]
    without: TopicWithout

    @classmethod
    def of(cls, qrels: Qrels, run: Run, settings: ScoringSettings, topic: str) -> ExplainedTopic | None:
        """Derive the measures of a topic; slow, for a worker thread.  None where it was not scored."""
        try:
            judged = Subset(topics=frozenset((topic,))).of_qrels(qrels)
            laid = lay(judged, ranking_of(run, topic), settings)
            if topic not in laid.joined.topics:
                return None
            told, without = derive_laid(laid, topic), leave_out_of(laid, topic)
        except InexviewError:
            return None
        return cls(run, topic, {one.measure: one for one in told}, without)

    def left_out(self, measure: str, row: DerivationRow) -> float:
        """Return how a measure changes without a row's document or passage; NaN where none knows."""
        own = self.without.of(measure)
        at = row.rank - 1
        parts = self.without.without_document if row.start is None else self.without.without_result
        return float(parts[own, at] - self.without.values[own]) if at < parts.shape[1] else math.nan


class DerivationModel(QAbstractTableModel):
    """One row for each topic, document or passage, in the order of the ranking or of the text."""

    def __init__(self, title: Callable[[DerivationRow], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._explained: Explained | None = None
        self.of_what = "document"
        self.derivation: Derivation | None = None

    def show(self, explained: Explained | None, measure: str, of_what: str = "document") -> None:
        """Show the rows of a measure, and say of what they are."""
        self.beginResetModel()
        self.of_what = of_what
        self._explained = explained
        self.derivation = None if explained is None else explained.derivations.get(measure)
        self.endResetModel()

    @property
    def headings(self) -> tuple[str, ...]:
        """What is over the columns."""
        return ("", self.of_what, ADDS, WITHOUT)

    @property
    def columns(self) -> tuple[str, ...]:
        """What the further figures of each row are."""
        return () if self.derivation is None else self.derivation.columns

    def figures(self, at: int) -> tuple[str, ...]:
        """Return the further figures of a row, under :attr:`columns`."""
        return tuple(map(shown, self.row(at).figures))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Count the rows."""
        return 0 if parent.isValid() or self.derivation is None else len(self.derivation.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Count rank, document, what it adds, and what leaving it out does."""
        return 0 if parent.isValid() or self.derivation is None else len(self.headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Name the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.headings[section]
        return None

    def place_of(self, document: str) -> int | None:
        """Return the row of a document, None where it has none."""
        rows = () if self.derivation is None else self.derivation.rows
        return next((at for at, row in enumerate(rows) if row.document == document), None)

    def row(self, at: int) -> DerivationRow:
        """Return a row."""
        assert self.derivation is not None, "there are rows"
        return self.derivation.rows[at]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell a figure."""
        row, column = self.row(index.row()), index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if column == 1 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            place = "" if row.start is None or row.end is None else f" {row.start}:{row.end - row.start}"
            named = zip(self.columns, self.figures(index.row()), strict=True)
            told = (f"{name} {figure}" for name, figure in named)
            return "\n".join((f"{self._title(row)} ({row.document}){place}", *told))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if column < 2:
            return self._title(row) if column else str(row.rank)
        if column == 2:
            return shown(row.adds) if row.adds else ""
        return self._left_out(row)

    def _left_out(self, row: DerivationRow) -> str:
        if self._explained is None or self.derivation is None:
            return ""
        change = self._explained.left_out(self.derivation.measure, row)
        return "" if math.isnan(change) or change == 0 else difference_text(change, 4)
