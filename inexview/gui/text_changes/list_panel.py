"""The list of marks that read differently than when they were made, and what to do about each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QWidget,
)

from inexview.core.project.text_changes import Drift, TextComparison, written
from inexview.core.text.text_quotes import Quote, Span
from inexview.core.wording import counted
from inexview.gui.look.layouts import in_column, timer
from inexview.gui.look.lists import Index, RowTableModel, set_up_rows
from inexview.gui.look.widgets import explain, fit_to_screen, label
from inexview.gui.services.actions import ActionBook

ROW = 46  # pixels: two lines
SIZE = (1120, 400)
ABOVE_FOOT = 40  # pixels between it and the foot of the window, where it hides least of the article
CHOSEN = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
SHARE = 0.45  # of the window's height, at most
SETTLES = 150  # milliseconds until what is selected is shown: who holds an arrow key is not there yet


class DriftWindow(QDialog):
    """Stays open beside the article while the assessor decides, passage by passage or several at once."""

    show_wanted = Signal(object)  # Drift
    move_wanted = Signal(object)  # tuple[Drift, ...], each with a place
    keep_wanted = Signal(object)  # tuple[Drift, ...]
    remove_wanted = Signal(object)  # tuple[Drift, ...]
    again_wanted = Signal(object)  # None

    def __init__(self, parent: QWidget, book: ActionBook) -> None:
        super().__init__(parent)
        self.setObjectName("drift-window")
        self.setWindowTitle("Marks that read differently now")
        self.resize(*SIZE)
        fit_to_screen(self)
        self.model = DriftModel(self)
        self._heading = label("", "heading", wrap=True)
        self._told = label("", "muted", wrap=True)
        self.view = QTableView()
        self.move_button = QPushButton(book["move-drifted"].text())
        self.keep_button = QPushButton(book["keep-drifted"].text())
        self.remove_button = QPushButton("Remove")
        self.again_button = QPushButton("Check again")
        self.close_button = QPushButton("Close")
        self._came_up = False
        self._to_show = timer(self, self._show_selected, SETTLES)
        self._set_up_view()
        self._explain(book)
        self._build()
        self._connect()

    def _set_up_view(self) -> None:
        view = self.view
        view.setModel(self.model)
        set_up_rows(view, "Marks that read differently now", height=ROW, several=True)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setWordWrap(True)
        view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        view.horizontalHeader().setHighlightSections(False)
        view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            view.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            view.setColumnWidth(column, width)

    def _explain(self, book: ActionBook) -> None:
        """Say what the buttons do, in the words of the actions that do it at the caret."""
        for button, name in (
            (self.move_button, "move-drifted"),
            (self.keep_button, "keep-drifted"),
            (self.remove_button, "remove-drifted"),
            (self.again_button, "check-marks"),
        ):
            explain(button, book[name])
        self.close_button.setToolTip("Close this list; what is not decided stays as it is (Esc)")

    def _build(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.move_button, self.keep_button, self.remove_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        for button in (self.again_button, self.close_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        in_column(
            self._heading, self._told, (self.view, 1), buttons, on=self, margins=(20, 18, 20, 16), spacing=10
        )

    def _connect(self) -> None:
        selection = self.view.selectionModel()
        selection.selectionChanged.connect(lambda *_: self._on_selected())
        self.view.activated.connect(self._show)
        self.view.clicked.connect(self._show)
        self.move_button.clicked.connect(lambda: self.move_wanted.emit(self._placed()))
        self.keep_button.clicked.connect(lambda: self.keep_wanted.emit(self.selected()))
        self.remove_button.clicked.connect(lambda: self.remove_wanted.emit(self.selected()))
        self.again_button.clicked.connect(lambda: self.again_wanted.emit(None))
        self.close_button.clicked.connect(self.reject)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.view)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.remove_button.click)

    def showEvent(self, event: QShowEvent) -> None:
        """Come up first over the foot of the window, where the article is still seen above it."""
        parent = self.parentWidget()
        if not self._came_up and parent is not None:
            self._came_up = True
            foot = parent.mapToGlobal(QPoint(parent.width() // 2, parent.height()))
            width = min(self.width(), max(parent.width() - 2 * ABOVE_FOOT, self.minimumSizeHint().width()))
            height = max(int(parent.height() * SHARE), self.minimumSizeHint().height())
            self.resize(width, min(self.height(), height))
            self.move(foot - QPoint(width // 2, self.height() + ABOVE_FOOT))
        super().showEvent(event)

    def set_checked(self, checked: TextComparison) -> None:
        """Show what a check found; what is selected stays so, and where it is gone, the same row is."""
        row = max(self.view.currentIndex().row(), 0)
        selected = {_mark(drift) for drift in self.selected()}
        self.model.set_drifts(checked.drifts)
        self._heading.setText(heading(checked))
        self._told.setText(further(checked))
        if checked.drifts:
            kept = [at for at, drift in enumerate(checked.drifts) if _mark(drift) in selected]
            self._select(kept or [min(row, len(checked.drifts) - 1)])
        self._to_show.stop()  # nothing moves the article but who asks for it
        self._enable()

    def _select(self, rows: Sequence[int]) -> None:
        """Select these rows, whatever keys are held down."""
        model, selection = self.model, QItemSelection()
        for row in rows:
            selection.select(model.index(row, 0), model.index(row, model.columnCount() - 1))
        self.view.selectionModel().setCurrentIndex(model.index(rows[0], 0), CHOSEN)
        self.view.selectionModel().select(selection, CHOSEN)

    def selected(self) -> tuple[Drift, ...]:
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return tuple(self.model.rows[row] for row in rows)

    def _placed(self) -> tuple[Drift, ...]:
        return tuple(drift for drift in self.selected() if drift.movable)

    def _on_selected(self) -> None:
        self._enable()
        self._to_show.start()

    def _show_selected(self) -> None:
        if len(self.selected()) == 1:
            self._show(self.view.selectionModel().selectedRows()[0])

    def _show(self, index: QModelIndex) -> None:
        self._to_show.stop()
        if index.isValid() and len(self.selected()) == 1:
            self.show_wanted.emit(self.model.rows[index.row()])

    def _enable(self) -> None:
        self.keep_button.setEnabled(bool(self.selected()))
        self.remove_button.setEnabled(bool(self.selected()))
        self.move_button.setEnabled(bool(self._placed()))


def _mark(drift: Drift) -> tuple[str, str, Span]:
    return drift.topic, drift.document, drift.span


def heading(checked: TextComparison) -> str:
    drifts = len(checked.drifts)
    if not drifts:
        all_checked = not (checked.resized or checked.unreadable or checked.unquoted > checked.noted)
        every = "Every mark" if all_checked else "Every mark that can be compared"
        return f"{every} reads as it did when it was made."
    marks = "1 mark reads" if drifts == 1 else f"{drifts:,} marks read"
    return f"{marks} differently than when made. Nothing was moved: decide for each."


def further(checked: TextComparison) -> str:
    """Say what was compared, and what could not be."""
    told = [
        f"{counted(checked.passages, 'passage')} in {counted(checked.documents, 'article')} compared, from "
        "first words to last."
    ]
    if checked.noted:
        told.append(f"Not read before, and remembered as they read now: {counted(checked.noted, 'passage')}.")
    if left := checked.unquoted - checked.noted:
        told.append(f"{counted(left, 'passage')} without a quote cannot be compared.")
    for listed, what in (
        (checked.resized, "Not as long as when judged"),
        (checked.unreadable, "Not readable"),
    ):
        if listed:
            _, document, why = listed[0]
            more = f" and {len(listed) - 1:,} more" if listed[1:] else ""
            told.append(f"{what}: {document} ({why}){more}.")
    return " ".join(told)


COLUMNS = ("Topic", "Document", "Mark", "It said", "It reads now", "That text is at")
WIDTHS = {0: 80, 1: 100, 2: 110, 5: 300}  # pixels, by column; the others share the rest
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
    where = f"{place} ({', '.join(told)})" if told else place
    if drift.entry:
        return where
    around = f"“{found.before} […] {found.after}”"
    return f"gone, or at {where}: {around}" if found.doubtful else f"{where}: {around}"
