"""Marks that read differently now, as rows: what they said and read now, and where that text is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt

from inexview.core.project.text_changes import Drift, written
from inexview.core.text.text_quotes import Quote
from inexview.gui.look.model_index import Index
from inexview.gui.look.row_table import RowTableModel

COLUMNS = ("Topic", "Document", "Mark", "It said", "It reads now", "That text is at")
WIDTHS = {0: 80, 1: 100, 2: 110, 5: 180}  # pixels, by column; the others share the rest
NOWHERE = "nowhere in the article"
MIDDLE = "begins and ends as it did, and is changed in the middle"


class DriftModel(RowTableModel):
    """One row for each passage, or entry point outside all of them."""

    rows: tuple[Drift, ...] = ()
    headings = COLUMNS

    def set_drifts(self, drifts: Sequence[Drift]) -> None:
        self.beginResetModel()
        self.rows = tuple(drifts)
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a cell; all of it as its tooltip."""
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
    return f"{place} ({', '.join(told)})" if told else place
