"""The list of marks that read otherwise than when they were made, and what to do about each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from inexview.core.drift import Checked, Drift
from inexview.core.quotes import Quote
from inexview.gui.widgets import label

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("Topic", "Document", "Passage", "It said", "It reads now", "That text stands at")
WIDTHS = (84, 110, 96, 300, 300)  # pixels; the last column takes the rest
ROW = 46  # pixels: two lines
NOWHERE = "nowhere in the article"


class DriftModel(QAbstractTableModel):
    """One row for each passage."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.drifts: tuple[Drift, ...] = ()

    def set_drifts(self, drifts: Sequence[Drift]) -> None:
        """Show other passages."""
        self.beginResetModel()
        self.drifts = tuple(drifts)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of passages."""
        return 0 if parent is not None and parent.isValid() else len(self.drifts)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return what is told of each."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return what a column tells."""
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
            f"{drift.start}:{drift.end - drift.start}",
            _written(drift.quote),
            _written(drift.now),
            _place(drift),
        )[index.column()]


class DriftWindow(QDialog):
    """Stays open beside the article while the assessor decides, passage by passage or several at once."""

    show_wanted = Signal(object)  # Drift
    move_wanted = Signal(object)  # tuple[Drift, ...], each with a place
    keep_wanted = Signal(object)  # tuple[Drift, ...]
    again_wanted = Signal(object)  # None

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("drift-window")
        self.setWindowTitle("Marks that read otherwise now")
        self.resize(1080, 480)
        self.model = DriftModel(self)
        self._heading = label("", "heading", wrap=True)
        self._told = label("", "muted", wrap=True)
        self.view = QTableView()
        self.move_button = QPushButton("Mark where it stands now")
        self.keep_button = QPushButton("Keep as it reads now")
        self.show_button = QPushButton("Show in the article")
        self.again_button = QPushButton("Check again")
        self._set_up_view()
        self._build()
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.view.activated.connect(self._show)
        self.show_button.clicked.connect(lambda: self._show(self.view.currentIndex()))
        self.move_button.clicked.connect(lambda: self.move_wanted.emit(self._placed()))
        self.keep_button.clicked.connect(lambda: self.keep_wanted.emit(self.selected()))
        self.again_button.clicked.connect(lambda: self.again_wanted.emit(None))

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        view.setAccessibleName("Marks that read otherwise now")
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setShowGrid(False)
        view.setWordWrap(True)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(ROW)
        view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        view.horizontalHeader().setHighlightSections(False)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        view.horizontalHeader().setStretchLastSection(True)
        for column, width in enumerate(WIDTHS):
            view.setColumnWidth(column, width)

    def _build(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.show_button, self.move_button, self.keep_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        close = QPushButton("Close")
        close.clicked.connect(self.reject)
        for button in (self.again_button, close):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(self._heading)
        column.addWidget(self._told)
        column.addWidget(self.view, 1)
        column.addLayout(buttons)

    def set_checked(self, checked: Checked) -> None:
        """Show what a check found."""
        self.model.set_drifts(checked.drifts)
        self._heading.setText(heading(checked))
        self._told.setText(further(checked))
        if checked.drifts:
            self.view.selectRow(0)
        self._enable()

    def selected(self) -> tuple[Drift, ...]:
        """Return the passages that are selected, in their order."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return tuple(self.model.drifts[row] for row in rows)

    def _placed(self) -> tuple[Drift, ...]:
        return tuple(drift for drift in self.selected() if drift.found is not None)

    def _show(self, index: QModelIndex) -> None:
        if index.isValid():
            self.show_wanted.emit(self.model.drifts[index.row()])

    def _enable(self) -> None:
        self.show_button.setEnabled(bool(self.selected()))
        self.keep_button.setEnabled(bool(self.selected()))
        self.move_button.setEnabled(bool(self._placed()))


def heading(checked: Checked) -> str:
    """Say how many marks drifted."""
    drifts = len(checked.drifts)
    if not drifts:
        return "Every mark that can be checked reads as it did when it was made."
    passages = "1 marked passage reads" if drifts == 1 else f"{drifts:,} marked passages read"
    return f"{passages} otherwise than when marked. Nothing was moved: decide for each."


def further(checked: Checked) -> str:
    """Say what was compared, and what could not be."""
    told = [
        f"Compared by their first and last words: {checked.passages:,} passages in {checked.documents:,} "
        f"article{'' if checked.documents == 1 else 's'}."
    ]
    if checked.unquoted:
        told.append(f"{checked.unquoted:,} carry no quote, and cannot be compared.")
    if checked.unreadable:
        _, document, why = checked.unreadable[0]
        more = len(checked.unreadable) - 1
        told.append(f"Not readable: {document} ({why})" + (f" and {more:,} more." if more else "."))
    return " ".join(told)


def _written(quote: Quote) -> str:
    return quote.text or "(white space)"


def _place(drift: Drift) -> str:
    found = drift.found
    if found is None:
        return NOWHERE
    among = f" (likeliest of {found.others + 1})" if found.others else ""
    return f"{found.start}:{found.end - found.start}{among}"
