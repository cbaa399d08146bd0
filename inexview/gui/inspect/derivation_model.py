"""The rows that went into a measure of one topic, and what it would be without each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inexview.core.errors import InexviewError
from inexview.core.evaluation.derivation import Derivation, DerivationRow, shown
from inexview.core.evaluation.derive import derive
from inexview.core.evaluation.evaluate import ScoringSettings
from inexview.core.evaluation.leave_one_out import TopicWithout, leave_out_of_topic
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.gui.inspect.topic_model import difference_text

Index = QModelIndex | QPersistentModelIndex
ADDS, WITHOUT = "adds", "left out"


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
            told = derive(qrels, run, settings, topic)
            without = leave_out_of_topic(qrels, run, settings, topic)
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
    """One row for each document or passage, in rank order."""

    def __init__(self, title: Callable[[str], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._explained: ExplainedTopic | None = None
        self.derivation: Derivation | None = None

    def show(self, explained: ExplainedTopic | None, measure: str) -> None:
        """Show the rows of a measure."""
        self.beginResetModel()
        self._explained = explained
        self.derivation = None if explained is None else explained.derivations.get(measure)
        self.endResetModel()

    @property
    def headings(self) -> tuple[str, ...]:
        """What stands over the columns."""
        figures = () if self.derivation is None else self.derivation.columns
        return ("", "document", ADDS, WITHOUT, *figures)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Count the rows."""
        return 0 if parent.isValid() or self.derivation is None else len(self.derivation.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Count rank, document, what it adds, what leaving it out does, and figures."""
        return 0 if parent.isValid() or self.derivation is None else len(self.headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Name the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.headings[section]
        return None

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
            return f"{self._title(row.document)} ({row.document}){place}"
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        heading = self.headings[column]
        if column < 2:
            return self._title(row.document) if column else str(row.rank)
        if heading == ADDS:
            return shown(row.adds) if row.adds else ""
        if heading == WITHOUT:
            return self._left_out(row)
        return shown(row.figures[column - 4])

    def _left_out(self, row: DerivationRow) -> str:
        if self._explained is None or self.derivation is None:
            return ""
        change = self._explained.left_out(self.derivation.measure, row)
        return "" if math.isnan(change) or change == 0 else difference_text(change, 4)
