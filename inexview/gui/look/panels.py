"""Lists, tables and other parts of panels, and the palette that filters entries while typing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence, Sized
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from PySide6.QtCore import (
    QAbstractListModel,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QActionGroup,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QGraphicsDropShadowEffect,
    QHeaderView,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from shiboken6 import isValid

from inexview.core.wording import percent
from inexview.gui.look.theme import Theme, Themed
from inexview.gui.look.widgets import CUT, RIGHT, PaintedWidget, button, derived, in_column, label, write

Index = QModelIndex | QPersistentModelIndex


Row = TypeVar("Row")
RowRole = int(Qt.ItemDataRole.UserRole)
_WORDS = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)


class ListModel(QAbstractListModel, Generic[Row]):
    """A list of rows: RowRole returns the row, accessible text is its ``str``, tooltip its ``tooltip``."""

    rows: Sequence[Row] = ()

    def set_rows(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Append rows; selection and scroll position stay."""
        if rows:
            self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(rows) - 1)
            self.rows = (*self.rows, *rows)
            self.endInsertRows()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return getattr(row, "tooltip", None)
        return row if role == RowRole else str(row) if role in _WORDS else None


class RowTableModel(QAbstractTableModel):
    """Base of table models with rows and headings, which are empty by default."""

    @property
    def rows(self) -> Sized:
        return ()

    @property
    def headings(self) -> Sequence[str]:
        return ()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        across = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return self.headings[section] if across else None


def set_up_rows(table: QTableView, name: str, *, height: int = 0, several: bool = False) -> None:
    """Select whole rows, one or ``several``, of ``height`` pixels, and let Tab leave the table."""
    modes = QAbstractItemView.SelectionMode
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(modes.ExtendedSelection if several else modes.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)
    if height:
        table.verticalHeader().setDefaultSectionSize(height)


@dataclass(frozen=True, slots=True)
class PaintedPlaces:
    """The rows of a table to paint, and the rectangles of their cells.

    Rows are painted together, first all shades, then all figures …, because painting by cells costs four
    times as much: Qt calls Python for each, and alternates between fills, fonts and texts.
    """

    rows: Sequence[int]
    selected: Collection[int]
    tops: dict[int, int]
    columns: Sequence[tuple[int, int]]
    """Left edge and width of each column; the width is 0 if it is hidden."""
    height: int
    font: QFont

    def cell(self, row: int, column: int) -> QRectF:
        left, width = self.columns[column]
        return QRectF(left, self.tops[row], width, self.height)

    @property
    def right(self) -> int:
        return max((left + width for left, width in self.columns), default=0)

    def paint_selected(self, painter: QPainter, theme: Theme) -> None:
        for row in self.selected:
            top, selected, accent = self.tops[row], theme.color("selected"), theme.color("accent")
            painter.fillRect(QRectF(0, top, self.right, self.height), selected)
            painter.fillRect(QRectF(0, top, 3, self.height), accent)

    def paint_lines(self, painter: QPainter, theme: Theme) -> None:
        line = theme.color("line")
        for top in self.tops.values():
            painter.fillRect(QRectF(0, top + self.height - 1, self.right, 1), line)


class RowCells(Themed, ABC):
    """Paints the cells of a table."""

    def __init__(self) -> None:
        self.stale = False
        """Whether the figures are outdated while new ones are computed."""

    @abstractmethod
    def paint(self, painter: QPainter, places: PaintedPlaces) -> None:
        """Paint these rows."""


class RowHeader(Themed, QHeaderView):
    """The headings of a table, which can be clicked."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)


class PaintedTable(QTableView):
    """A table whose rows are painted together."""

    header: RowHeader

    def __init__(self, name: str, cells: RowCells, *, height: int = 0) -> None:
        super().__init__()
        self.cells = cells
        set_up_rows(self, name, height=height)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.cells.paint(QPainter(self.viewport()), self._painted_places(event))

    def set_stale(self, stale: bool) -> None:
        """Show whether the figures are outdated while new ones are computed."""
        if stale is not self.cells.stale:
            self.cells.stale = stale
            self.viewport().update()

    def rows_between(self, top: int, bottom: int) -> range:
        """Return the rows between two y coordinates of the viewport."""
        count, first, last = self.model().rowCount(), self.rowAt(top), self.rowAt(bottom)
        return range(max(first, 0), count if last < 0 else last + 1) if count else range(0)

    def _painted_places(self, event: QPaintEvent) -> PaintedPlaces:
        rows = self.rows_between(event.rect().top(), event.rect().bottom())
        selected = {index.row() for index in self.selectionModel().selectedRows()}
        return PaintedPlaces(
            rows,
            selected.intersection(rows),
            {row: self.rowViewportPosition(row) for row in rows},
            [
                (self.columnViewportPosition(column), self.columnWidth(column))
                for column in range(self.model().columnCount())
            ],
            self.verticalHeader().defaultSectionSize(),
            self.font(),
        )


ROW_HEIGHT = 34
TOP, BELOW = 52, 12  # pixels of the window above the list and, at least, below it
MOST_ROWS = 200  # more is too long to read; typing narrows the list


@dataclass(frozen=True, slots=True)
class PopupEntry:
    """An entry of the palette: its text, a note at the right, and its function."""

    text: str
    note: str
    choose: Callable[[], object]
    words: str = ""  # further words by which it is found

    def __str__(self) -> str:
        return self.text


Further = Callable[[Sequence[str]], Iterable[PopupEntry]]


class _Model(ListModel[PopupEntry]):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._all: Sequence[PopupEntry] = ()
        self._further: Further = lambda _words: ()

    def set_entries(self, entries: Sequence[PopupEntry], further: Further) -> None:
        self._all, self._further = entries, further
        self.narrow("")

    def narrow(self, typed: str) -> None:
        """Keep the entries that contain every word, then further ones.

        First come entries that start with the typed text, then those with a word that does.
        """
        words = typed.casefold().split()
        fitting = [
            entry
            for entry in self._all
            if all(word in f"{entry.text} {entry.words}".casefold() for word in words)
        ]
        fitting += islice(self._further(words), MOST_ROWS)
        begins = typed.casefold().strip()

        def rank(entry: PopupEntry) -> int:
            text = f" {entry.text.casefold()}"
            return 0 if text.startswith(begins, 1) else 1 if f" {begins}" in text else 2

        fitting.sort(key=rank)
        self.set_rows(fitting[:MOST_ROWS])


class _Delegate(Themed, QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: PopupEntry = index.data(RowRole)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setBrush(self.theme.color("selected"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(option.rect.adjusted(4, 1, -4, -1), 6, 6)
        inside = option.rect.adjusted(14, 0, -14, 0)
        small = QFont(option.font)
        small.setPixelSize(11)
        write(painter, inside, entry.note, small, self.theme.color("muted"), RIGHT)
        width = painter.fontMetrics().horizontalAdvance(entry.note) + 16 if entry.note else 0
        room = inside.adjusted(0, 0, -width, 0)
        write(painter, room, entry.text, derived(option.font), self.theme.color("text"), shorten=CUT)
        painter.restore()


class Popup(QFrame):
    """A list at the top centre of the window; typing filters it, Return chooses, Esc closes."""

    WIDTH, ROWS = 580, 12

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        shadow = QGraphicsDropShadowEffect(self, blurRadius=40, offset=QPointF(0, 8))
        shadow.setColor(QColor(0, 0, 0, 70))
        self.setGraphicsEffect(shadow)
        self._window = window
        self._before: QWidget | None = None
        self._remark: Callable[[], str] = lambda: ""
        self._below = label("", "note")  # what was not found, or may be found later
        self.field = QLineEdit()
        self.view = QListView()
        self._model = _Model(self)
        self._delegate = _Delegate(self.view)
        self.view.setModel(self._model)
        self.view.setItemDelegate(self._delegate)
        self.view.setUniformItemSizes(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.clicked.connect(self._choose)
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        in_column(self.field, self.view, self._below, on=self, margins=10)
        self.hide()

    def open(
        self,
        prompt: str,
        entries: Sequence[PopupEntry],
        current: int = 0,
        further: Further = lambda _words: (),
        remark: Callable[[], str] = lambda: "",
    ) -> None:
        """Show entries, and after them further ones that are made for the typed words.

        ``current`` is the entry that Return would choose; ``remark`` returns a note on what may be found
        later.
        """
        self._remark = remark
        self._before = self._window.focusWidget()
        self.field.clear()
        self.field.setPlaceholderText(prompt)
        self.field.setAccessibleName(prompt)
        self._model.set_entries(entries, further)
        self._fit()
        self._select(current)
        self.show()
        self.raise_()
        self.field.setFocus()

    def dismiss(self) -> bool:
        open_ = self.isVisible()
        if open_:
            self._hide_and_refocus()
        return open_

    def _hide_and_refocus(self) -> None:
        """Close, and return the focus."""
        self.hide()
        if self._before is not None and isValid(self._before):  # the widget may be gone
            self._before.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle arrow keys, Return and Esc; close if the focus moves elsewhere."""
        if watched is self.field and event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}
            if event.key() in steps:
                self._select(self.view.currentIndex().row() + steps[Qt.Key(event.key())])
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.view.currentIndex())
                return True
            if event.key() == Qt.Key.Key_Escape:  # if the window has no shortcut for it
                return self.dismiss()
        return super().eventFilter(watched, event)

    def _narrow(self, typed: str) -> None:
        self._model.narrow(typed)
        self._fit()
        self._select(0)

    def _fit(self) -> None:
        width = min(self.WIDTH, self._window.width() - 40)
        around = self.field.sizeHint().height() + 32
        around += self._below.sizeHint().height() + 6 if self._tell() else 0
        room = self._window.height() - TOP - BELOW - around
        rows = min(self._model.rowCount(), self.ROWS, max(room // ROW_HEIGHT, 1))
        self.setGeometry((self._window.width() - width) // 2, TOP, width, around + ROW_HEIGHT * rows)

    def _tell(self) -> bool:
        """Show below the list that nothing was found, or what cannot be found yet."""
        nothing = "" if self._model.rowCount() else "Nothing found"
        remark = self._remark() if self.field.text().strip() else ""
        told = " · ".join(part for part in (nothing, remark) if part)
        self._below.setText(told)
        self._below.setVisible(bool(told))
        self.view.setVisible(bool(self._model.rowCount()))
        return bool(told)

    def _select(self, row: int) -> None:
        last = self._model.rowCount() - 1
        if last >= 0:
            self.view.setCurrentIndex(self._model.index(min(max(row, 0), last)))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            entry = self._model.rows[index.row()]
            self._hide_and_refocus()
            entry.choose()


class ChoosingView(QListView):
    """A list of painted rows: arrow keys only move, a click or Enter chooses; the focus selects a row."""

    chosen = Signal(object)  # QModelIndex

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(lambda index: self.chosen.emit(index))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is Qt.FocusReason.MouseFocusReason:
            return  # the click selects a row; selecting the first one would scroll that row away
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


def asked_row(view: QAbstractItemView, event: QContextMenuEvent) -> tuple[QModelIndex, QPoint]:
    """Return the row of a context menu opened by mouse or key, and its position on the screen."""
    if event.reason() is not QContextMenuEvent.Reason.Keyboard:
        return view.indexAt(event.pos()), event.globalPos()
    row = view.currentIndex()
    return row, view.viewport().mapToGlobal(view.visualRect(row).center())


class ScrollingPanel(QScrollArea):
    """Resizes its contents before they are laid out, so that no line is painted cut."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Limit the width of the contents: a long name would push numbers out of view."""
        self._inside.setMaximumWidth(self.viewport().width())
        super().resizeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest and watched is self.widget():
            self.event(QEvent(QEvent.Type.LayoutRequest))
        return super().eventFilter(watched, event)


class FittingArea(QScrollArea):
    """Scrolls its widget only if space is short, and requests no more height than it needs."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._inside = widget
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setWidget(widget)

    def sizeHint(self) -> QSize:
        width = self.viewport().width()
        height = max(self._inside.heightForWidth(width), self._inside.minimumSizeHint().height())
        return QSize(width, height + 2)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Reduce the requested height when the widget needs less."""
        if watched is self._inside and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()


class FullWidth(QWidget):
    """Reserves space in a column with margins for a widget as wide as the whole panel."""

    def __init__(self, inside: QWidget, panel: QWidget) -> None:
        super().__init__(panel)
        self._inside, self._panel = inside, panel
        inside.setParent(panel)
        self.set_growing(growing=False)

    def set_growing(self, *, growing: bool) -> None:
        """Set whether to take all available space or only what is needed."""
        grows = QSizePolicy.Policy.Expanding if growing else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Preferred, grows)

    def sizeHint(self) -> QSize:
        return QSize(0, self._inside.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._inside.minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Move the widget to the reserved space when its position or size changes."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._inside.setGeometry(0, self.y(), self._panel.width(), self.height())
        elif event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._inside.setVisible(not self.isHidden())
        return handled


class BriefButton(QPushButton):
    """A button that shortens its text if space is short; its accessible name is complete."""

    def __init__(self, text: str, brief: str) -> None:
        super().__init__(text)
        self._whole, self._brief = text, brief
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() - QSize(self._needs(self._whole) - self._needs(self._brief), 0)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self._needs(self._whole) - self._needs(self.text()), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        brief = self.width() < self.sizeHint().width()
        self.setText(self._brief if brief else self._whole)
        self.setToolTip(self._whole if brief else "")

    def _needs(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)


def chip_button(text: str, *, filled: bool = False) -> QPushButton:
    """Return a small checkable button; ``filled`` gives it a background before it is checked."""
    made = button(text, "chip")
    made.setFont(derived(made.font()))  # tabular digits, so that changing counts move nothing
    made.setProperty("filled", filled)
    made.setCheckable(True)
    return made


def add_choice(
    menu: QMenu, text: str, choose: Callable[[], object], *, on: bool, group: QActionGroup | None = None
) -> None:
    """Add a checkable entry to a menu; in a ``group`` only one is checked."""
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(on)
    action.triggered.connect(lambda _on: choose())
    if group is not None:
        group.addAction(action)


class MenuButton(QPushButton):
    """A button that shows the current choice, and opens a menu of the others."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setProperty("role", "chooser")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.choices = QMenu(self)
        self.clicked.connect(lambda: self.choices.popup(self.mapToGlobal(QPoint(0, self.height() + 2))))

    def show_choice(self, text: str) -> None:
        self.setText(f"{text} ▾")
        self.setAccessibleName(f"{self._name}: {text}")

    def begin(self) -> QActionGroup:
        """Clear the menu, and return a group for its entries."""
        self.choices.clear()
        return QActionGroup(self.choices)


SIZE, THICK = 38, 5.0


FULL = 360 * 16  # Qt counts sixteenths of a degree


class ProgressRing(PaintedWidget):
    """A ring with the shares of relevant, not relevant and unfinished documents."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._parts = (0.0, 0.0)

    def sizeHint(self) -> QSize:
        return QSize(SIZE, SIZE)

    def set_parts(self, relevant: float, not_relevant: float) -> None:
        """Show these shares of the whole, each between 0 and 1."""
        if (relevant, not_relevant) == self._parts:
            return
        self._parts = (relevant, not_relevant)
        self.setAccessibleName(f"{percent(relevant + not_relevant)} finished, {percent(relevant)} relevant")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = QRectF(self.rect()).adjusted(THICK / 2, THICK / 2, -THICK / 2, -THICK / 2)
        begun = 0.0
        whole = ((1.0, "track"), *zip(self._parts, ("finished", "muted"), strict=True))
        for share, token in whole:
            start = 0.0 if token == "track" else begun
            pen = QPen(self.theme.color(token), THICK)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.drawArc(ring, round(FULL / 4 - start * FULL), -round(share * FULL))
            begun = start + share if token != "track" else 0.0
        font = QFont(self.font())
        font.setPixelSize(10)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self.theme.color("text"))
        share = sum(self._parts)
        told = "✓" if share >= 1 else percent(share)
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), told)
