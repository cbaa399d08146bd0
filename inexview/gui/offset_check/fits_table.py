"""The conventions, each with a bar of how much it explains."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
)

from inexview.core.offset_check.diagnosis import Diagnosis, Fit
from inexview.core.text.counting import CODE_POINTS, Convention
from inexview.core.wording import counted, percent
from inexview.gui.look.lists import Index, set_up_rows
from inexview.gui.look.widgets import LEFT

ROW = 28
FEWEST, MOST = 3, 9  # rows that it needs, and asks for
_BAR, _HIGH, _GAP, _EDGE = 120, 8, 12, 9  # pixels
_SHARE = Qt.ItemDataRole.UserRole  # what a bar shows; None where there is no bar
_EDGES_TIP = (
    "How many starts, ends and entry points fall where a word or an element begins or ends.\n"
    "Read rightly, nearly all do; read wrongly, they cut words."
)


class _Bars(QStyledItemDelegate):
    """Paints a number with a bar before it; the bar is as long as the number is large."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        palette = option.palette
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, palette.color(QPalette.ColorRole.Highlight))
        inside = option.rect.adjusted(_EDGE, 0, -_EDGE, 0)
        part = index.data(_SHARE)
        if part is not None:
            bar = QRectF(inside.left(), inside.center().y() - _HIGH / 2 + 1, _BAR, _HIGH)
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.color(QPalette.ColorRole.Mid))
            painter.drawRoundedRect(bar, 3, 3)
            painter.setClipRect(bar.adjusted(0, 0, float(part) * _BAR - _BAR, 0))
            painter.setBrush(palette.color(QPalette.ColorRole.Accent))
            painter.drawRoundedRect(bar, 3, 3)
            painter.restore()
            inside.adjust(_BAR + _GAP, 0, 0, 0)
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignVCenter), index.data())

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        bar = 0 if index.data(_SHARE) is None else _BAR + _GAP
        return QSize(bar + option.fontMetrics.horizontalAdvance(index.data()) + 2 * _EDGE + 4, ROW)


class FitsTable(QTableWidget):
    """One row for each convention; the selected one is what the window judges by.

    Bars show what tells the conventions apart: how many documents have the length that is said, or, where the
    file says no lengths, how many edges of passages cut no word.
    """

    chosen = Signal(object)  # Convention

    def __init__(self) -> None:
        super().__init__(0, 3)
        self._conventions: list[Convention] = []
        set_up_rows(self, "Conventions", height=ROW)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for column in (1, 2):
            self.setItemDelegateForColumn(column, _Bars(self))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setDefaultAlignment(LEFT)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        self.currentCellChanged.connect(self._tell)

    def show_fits(self, diagnosis: Diagnosis) -> None:
        """Show how much each convention explains; the best one is first and selected."""
        fits = diagnosis.fits()
        self.blockSignals(True)
        self._conventions = [fit.convention for fit in fits]
        of = counted(diagnosis.documents, "document")
        self.setHorizontalHeaderLabels(["Counted in", f"Fits, of {of}", "Edges on words"])
        self.model().setHeaderData(2, Qt.Orientation.Horizontal, _EDGES_TIP, Qt.ItemDataRole.ToolTipRole)
        self.setRowCount(len(fits))
        for row, fit in enumerate(fits):
            for column, item in enumerate(_items(fit, diagnosis)):
                self.setItem(row, column, item)
        self.setCurrentCell(0, 0)
        self.blockSignals(False)
        self.updateGeometry()

    @property
    def convention(self) -> Convention:
        """The selected convention; code points before there is any."""
        return self._conventions[max(self.currentRow(), 0)] if self._conventions else CODE_POINTS

    def sizeHint(self) -> QSize:
        return self._size(min(max(self.rowCount(), 1), MOST))

    def minimumSizeHint(self) -> QSize:
        """Need some rows; the others can be scrolled to."""
        return self._size(min(max(self.rowCount(), 1), FEWEST))

    def _size(self, rows: int) -> QSize:
        return QSize(400, self.horizontalHeader().sizeHint().height() + ROW * rows + 2)

    def _tell(self, row: int, _column: int, before: int, _before: int) -> None:
        if row >= 0 and row != before:
            self.chosen.emit(self._conventions[row])


def _items(fit: Fit, diagnosis: Diagnosis) -> tuple[QTableWidgetItem, ...]:
    """Return the cells of a convention; of one as good as the best, whether it reads other text at all."""
    name, documents = QTableWidgetItem(fit.convention.name), QTableWidgetItem(f"{fit.documents:,}")
    edges = QTableWidgetItem(percent(fit.natural))
    best = diagnosis.best
    as_good = fit.convention != best and fit.documents == diagnosis.fitting(best)
    if as_good and diagnosis.reads_alike(fit.convention, best):
        edges.setText("reads the same")
    elif not diagnosis.has_lengths and not math.isnan(fit.natural):
        edges.setData(_SHARE, fit.natural)
    if diagnosis.has_lengths:
        documents.setData(_SHARE, fit.documents / max(diagnosis.documents, 1))
    do = "fits" if fit.entries == 1 else "fit"
    tip = (
        f"{counted(fit.documents, 'document')}, {counted(fit.passages, 'passage')} and "
        f"{counted(fit.entries, 'entry point')} {do}"
    )
    for item in (name, documents, edges):
        item.setToolTip(tip)
    return name, documents, edges
