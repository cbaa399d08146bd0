"""The conventions, each with a bar of how many documents it explains."""

from __future__ import annotations

import math

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
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

from inexview.core.conventions import CODE_POINTS, Convention
from inexview.core.diagnosis import Diagnosis
from inexview.core.verdict import counted, share

ROW = 28
_BAR, _HIGH = 150, 8  # pixels
_SHARE = Qt.ItemDataRole.UserRole


class _Bars(QStyledItemDelegate):
    """Paints a number with a bar before it; the bar is as long as the number is large."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        palette = option.palette
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, palette.color(QPalette.ColorRole.Highlight))
        inside = option.rect.adjusted(9, 0, -9, 0)
        bar = QRectF(inside.left(), inside.center().y() - _HIGH / 2 + 1, _BAR, _HIGH)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(QPalette.ColorRole.Mid))
        painter.drawRoundedRect(bar, 3, 3)
        filled = QRectF(bar)
        filled.setWidth(float(index.data(_SHARE)) * _BAR)
        painter.setBrush(palette.color(QPalette.ColorRole.Accent))
        painter.drawRoundedRect(filled, 3, 3)
        painter.restore()
        text = inside.adjusted(_BAR + 12, 0, 0, 0)
        painter.drawText(text, int(Qt.AlignmentFlag.AlignVCenter), index.data())


class FitsTable(QTableWidget):
    """One row for each convention; the selected one is what the window judges by."""

    chosen = Signal(object)  # Convention

    def __init__(self) -> None:
        super().__init__(0, 3)
        self._conventions: list[Convention] = []
        self.setAccessibleName("Conventions")
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setItemDelegateForColumn(1, _Bars(self))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.resizeSection(1, _BAR + 150)
        self.currentCellChanged.connect(self._tell)

    def show_fits(self, diagnosis: Diagnosis) -> None:
        """Show how much each convention explains; the best one is first and selected."""
        fits = diagnosis.fits()
        self.blockSignals(True)
        self._conventions = [fit.convention for fit in fits]
        self.setHorizontalHeaderLabels(
            [
                "Counted in",
                f"Fits, of {counted(diagnosis.documents, 'document')}",
                "Edges on words or elements",
            ]
        )
        self.setRowCount(len(fits))
        for row, fit in enumerate(fits):
            name = QTableWidgetItem(fit.convention.name)
            documents = QTableWidgetItem(f"{fit.documents:,}")
            documents.setData(_SHARE, fit.documents / max(diagnosis.documents, 1))
            edges = QTableWidgetItem("–" if math.isnan(fit.natural) else share(fit.natural))
            tip = (
                f"{counted(fit.documents, 'document')}, {counted(fit.passages, 'passage')} and "
                f"{counted(fit.entries, 'entry point')} fit"
            )
            for column, item in enumerate((name, documents, edges)):
                item.setToolTip(tip)
                self.setItem(row, column, item)
        self.setCurrentCell(0, 0)
        self.blockSignals(False)
        self.updateGeometry()

    @property
    def convention(self) -> Convention:
        """The selected convention; code points before there is any."""
        return self._conventions[max(self.currentRow(), 0)] if self._conventions else CODE_POINTS

    def sizeHint(self) -> QSize:
        """Ask for all rows, up to nine."""
        rows = min(max(self.rowCount(), 1), 9)
        return QSize(400, self.horizontalHeader().sizeHint().height() + ROW * rows + 2)

    def minimumSizeHint(self) -> QSize:
        """Need what it asks for."""
        return self.sizeHint()

    def _tell(self, row: int, _column: int, before: int, _before: int) -> None:
        if row >= 0 and row != before:
            self.chosen.emit(self._conventions[row])
