"""The rows that went into a figure of a run, a topic or a document, and what it would be without each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt

from inexview.core.evaluation.derivations import Derivation, DerivationRow, Number, shown
from inexview.core.evaluation.variants import ROUNDING
from inexview.core.report import MINUS
from inexview.gui.inspect.figures.explained_figures import Explained
from inexview.gui.inspect.figures.figures import change_text
from inexview.gui.look.lists import Index, RowTableModel

ADDS, WITHOUT = "adds", "left out"


class DerivationModel(RowTableModel):
    """One row for each topic, document or passage, in the order of the ranking or of the text."""

    def __init__(self, title: Callable[[DerivationRow], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._explained: Explained | None = None
        self.of_what = "document"
        self._measure = ""
        self._signed = False
        self._adds = ADDS
        self._alike = False
        self._whole: tuple[bool, ...] = ()
        self.derivation: Derivation | None = None

    def show(
        self,
        explained: Explained | None,
        measure: str,
        of_what: str = "document",
        *,
        adds: str = ADDS,
        signed: bool = False,
    ) -> None:
        """Show the rows of a measure, of what they are, and what each ``adds``; a difference has signs."""
        self._adds = adds
        self.beginResetModel()
        self.of_what, self._measure, self._signed = of_what, measure, signed
        self._explained = explained
        self.derivation = None if explained is None else explained.derivations.get(measure)
        self._whole = tuple(
            all(float(row.figures[at]).is_integer() for row in self.rows) for at in range(len(self.columns))
        )
        self._alike = len({row.document for row in self.rows}) < len(self.rows)
        self.endResetModel()

    @property
    def headings(self) -> tuple[str, ...]:
        return ("", self.of_what, self._adds, WITHOUT) if self.derivation else ()

    @property
    def columns(self) -> tuple[str, ...]:
        """What the further figures of each row are."""
        return () if self.derivation is None else self.derivation.columns

    def figures(self, at: int) -> tuple[str, ...]:
        """Return the further figures of a row, under :attr:`columns`; a column's have equal decimals."""
        figures = zip(self.rows[at].figures, self._whole, strict=True)
        return tuple(
            (shown(figure) if whole or math.isinf(figure) else f"{figure:.4f}").replace("-", MINUS)
            for figure, whole in figures
        )

    @property
    def rows(self) -> Sequence[DerivationRow]:
        return () if self.derivation is None else self.derivation.rows

    def place(self, at: int) -> str:
        """Return where a row is in its document, where several rows are of one; empty where none knows."""
        return self.rows[at].place if self._alike and self.of_what == "document" else ""

    def place_of(self, document: str, start: int | None = None) -> int | None:
        """Return the row of a document, of several the one that begins there; None where it has none."""
        own = [at for at, row in enumerate(self.rows) if document and row.document == document]
        there = (at for at in own if start is not None and self.rows[at].start == start)
        return next(there, next(iter(own), None))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if column == 1 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            named = zip(self.columns, self.figures(index.row()), strict=True)
            told = (f"{name} {figure}" for name, figure in named)
            return "\n".join((f"{self._title(row)} ({row.document}) {row.place}".rstrip(), *told))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if column < 2:
            return self._title(row) if column else str(row.rank)
        if column == 2:
            return self._written(row.adds) if row.adds else ""
        return self._left_out(row)

    def _written(self, number: Number) -> str:
        return f"{'+' if number >= 0 else MINUS}{shown(abs(number))}" if self._signed else shown(number)

    def left_out(self, row: DerivationRow) -> float:
        """Return how the figure changes without a row; NaN where that is not said."""
        return math.nan if self._explained is None else self._explained.left_out(self._measure, row)

    @property
    def leaves_out(self) -> bool:
        """Whether it is known of any row how the figure changes without it."""
        rows = () if self.derivation is None else self.derivation.rows
        return any(not math.isnan(self.left_out(row)) for row in rows[:1])

    def _left_out(self, row: DerivationRow) -> str:
        change = self.left_out(row)
        return "" if math.isnan(change) or abs(change) < ROUNDING else change_text(change)
