"""Marks that read differently now, as rows: what they said and read now, and where that text is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from inexview.core.project.text_changes import Drift, written
from inexview.core.text.text_quotes import Quote
from inexview.gui.look.model_index import Index

COLUMNS = ("Topic", "Document", "Mark", "It said", "It reads now", "That text is at")
WIDTHS = {0: 80, 1: 100, 2: 110, 5: 180}  # pixels, by column; the others share the rest
NOWHERE = "nowhere in the article"
MIDDLE = "begins and ends as it did, and is changed in the middle"


class DriftModel(QAbstractTableModel):
    """One row for each passage, or entry point outside all of them."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.drifts: tuple[Drift, ...] = ()

    def set_drifts(self, drifts: Sequence[Drift]) -> None:
        self.beginResetModel()
        self.drifts = tuple(drifts)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.drifts)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        across = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return COLUMNS[section] if across else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a cell; all of it as its tooltip."""
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        drift = self.drifts[index.row()]
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
