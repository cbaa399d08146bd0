"""The table of loaded runs: which is which, its figures, and which of them lies over the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from inexview.core.errors import DataError
from inexview.core.measures.rules import BrokenRule
from inexview.gui.inspect.figures import NOTHING
from inexview.gui.look.panel_parts import MARGIN, derived
from inexview.gui.look.symbols import SHAPE_NAMES, paint_run_shape, run_color
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import ElidedLabel

Index = QModelIndex | QPersistentModelIndex

COLUMNS = ("MAgP", "gP[5]", "gP[10]")
MOST_ROWS = 6  # more runs than this scroll
PADDING = 6


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run as the table shows it; ``key`` is what signals name it by, ``style`` its colour and shape."""

    key: str
    name: str
    task: str | None
    style: int
    figures: Mapping[str, float | None] = field(default_factory=dict)
    tip: str = ""
    problem: DataError | None = None
    """Why it is not scored."""

    @property
    def said(self) -> str:
        """What is said under its name: what is wrong with it, else for which task it is."""
        if self.problem is None:
            return self.task or "task not known"
        return self.problem.rule if isinstance(self.problem, BrokenRule) else self.problem.problem


@dataclass(frozen=True, slots=True)
class RunChosen:
    """A run shall lie over the text."""

    key: str


@dataclass(frozen=True, slots=True)
class RunRemoved:
    """A run shall be taken out of the window."""

    key: str


@dataclass(frozen=True, slots=True)
class RunWanted:
    """Somebody wants to open a run."""


class RunModel(QAbstractTableModel):
    """The rows of the table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[RunRow, ...] = ()
        self.columns: tuple[str, ...] = COLUMNS

    def set_rows(self, rows: Sequence[RunRow], columns: Sequence[str]) -> None:
        """Show other runs."""
        self.beginResetModel()
        self.rows, self.columns = tuple(rows), tuple(columns)
        self.endResetModel()

    @property
    def two_lines(self) -> bool:
        """Tell whether a line under each run's name tells anything."""
        return len({row.task for row in self.rows}) > 1 or any(row.problem for row in self.rows)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Count the runs."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Count the name and the figures."""
        return 0 if parent.isValid() else 1 + len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Name the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return "run" if section == 0 else self.columns[section - 1]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell a name or a figure."""
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name if index.column() == 0 else self._figure(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            problems = [] if row.problem is None else f"Not scored: {row.problem}".split("\n")[:3]
            return "\n".join(part for part in (row.name, row.task, row.tip, *problems) if part)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if index.column():
                return f"{self.columns[index.column() - 1]} {self._figure(row, index.column())}"
            shape = SHAPE_NAMES[row.style % len(SHAPE_NAMES)]
            problem = "" if row.problem is None else "not scored"
            return ", ".join(part for part in (row.name, row.task, f"shown as {shape}", problem) if part)
        return None

    def _figure(self, row: RunRow, column: int) -> str:
        value = row.figures.get(self.columns[column - 1])
        return NOTHING if value is None else f"{value:.4f}"


class RunDelegate(QStyledItemDelegate):
    """Paints one run: its shape and name in its colour, its figures right aligned under each other."""

    def __init__(self, model: RunModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the room of a name or figure; names give way."""
        lines = 2 if self._model.two_lines else 1
        height = option.fontMetrics.height() * lines + 13
        if index.column() == 0:
            return QSize(option.fontMetrics.horizontalAdvance("M" * 6), height)
        last = index.column() == len(self._model.columns)
        figure = QFontMetrics(derived(option.font)).horizontalAdvance("0.0000")
        return QSize(figure + PADDING + 4 + (MARGIN if last else PADDING), height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell."""
        painter.save()
        rect = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, self.theme.color("selected"))
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), self.theme.color("line"))
        if index.column() == 0:
            self._paint_name(painter, rect, self._model.rows[index.row()], option)
            if selected and isinstance(view := self.parent(), QWidget) and view.hasFocus():
                painter.fillRect(
                    QRectF(rect.left(), rect.top(), 3, rect.height()), self.theme.color("accent")
                )
        else:
            painter.setFont(derived(option.font))
            painter.setPen(self.theme.color("text"))
            right = MARGIN if index.column() == len(self._model.columns) else PADDING
            painter.drawText(
                rect.adjusted(0, 0, -right, 0),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                str(index.data()),
            )
        painter.restore()

    def _paint_name(self, painter: QPainter, rect: QRectF, row: RunRow, option: QStyleOptionViewItem) -> None:
        color = run_color(self.theme, row.style)
        bold = derived(option.font, bold=True)
        line = option.fontMetrics.height()
        lines = 2 if self._model.two_lines else 1
        top = rect.center().y() - line * lines / 2
        shape = QRectF(rect.left() + MARGIN, top + line / 2 - 5, 10, 10)
        paint_run_shape(painter, row.style, shape, color)
        room = QRectF(shape.right() + 6, top, rect.right() - shape.right() - 6 - PADDING, line)
        painter.setFont(bold)
        painter.setPen(color)
        name = painter.fontMetrics().elidedText(row.name, Qt.TextElideMode.ElideMiddle, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        if lines == 2:
            painter.setFont(derived(option.font, factor=0.85))
            painter.setPen(self.theme.color("muted"))
            task = painter.fontMetrics().elidedText(row.said, Qt.TextElideMode.ElideRight, int(room.width()))
            painter.drawText(
                room.translated(0, line), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, task
            )


class RunHeader(QHeaderView):
    """The names of the columns, each over the edge that its figures stand on."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.theme = LIGHT
        self.setHighlightSections(False)
        self.setSectionsClickable(False)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint one name and the line under it."""
        painter.save()
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, self.theme.color("line"))
        painter.setFont(derived(self.font(), factor=0.92))
        painter.setPen(self.theme.color("muted"))
        right = MARGIN if section == self.count() - 1 else PADDING
        side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
        room = rect.adjusted(0 if section else MARGIN, 0, -right, 0)
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal))
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


class RunTable(QTableView):
    """The table itself: it takes exactly the height of its rows, and one key to remove a run."""

    removed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Runs")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.header = RunHeader(self)
        self.setHorizontalHeader(self.header)

    def fit(self) -> None:
        """Give each column its width and the table the height of its rows."""
        header = self.header
        for column in range(self.model().columnCount()):
            name = column == 0
            header.setSectionResizeMode(
                column, QHeaderView.ResizeMode.Stretch if name else QHeaderView.ResizeMode.ResizeToContents
            )
        self.resizeRowsToContents()
        rows = min(self.model().rowCount(), MOST_ROWS)
        self.setFixedHeight(header.sizeHint().height() + sum(self.rowHeight(row) for row in range(rows)) + 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the current run with Delete."""
        if event.key() == Qt.Key.Key_Delete and self.currentIndex().isValid():
            self.removed.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to remove the run under the mouse."""
        index = self.indexAt(event.pos())
        if not index.isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        remove = menu.addAction(f"Remove {index.siblingAtColumn(0).data()}")
        remove.setShortcut(Qt.Key.Key_Delete)
        remove.triggered.connect(lambda: self.removed.emit(index.row()))
        menu.popup(event.globalPos())


class RunList(QWidget):
    """The runs section: heading, table, and what to do while there is none."""

    chosen = Signal(object)  # RunChosen
    removed = Signal(object)  # RunRemoved
    wanted = Signal(object)  # RunWanted

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quiet = False
        self.heading = ElidedLabel("RUNS", role="caption")
        self.add = QPushButton("+ Open…")
        self.add.setProperty("role", "plain")
        self.add.setToolTip("Open another run")
        self.add.setAccessibleName("Open a run")
        self.model = RunModel(self)
        self.table = RunTable()
        self.table.setModel(self.model)
        self._delegate = RunDelegate(self.model, self.table)
        self.table.setItemDelegate(self._delegate)
        self.empty = QLabel(
            "No run is open. A run’s passages lie over the judged text and are scored as you judge."
        )
        self.empty.setProperty("role", "muted")
        self.empty.setWordWrap(True)
        self.empty.setContentsMargins(MARGIN, 0, MARGIN, 8)
        self._lay_out()
        self.add.clicked.connect(lambda: self.wanted.emit(RunWanted()))
        self.table.removed.connect(lambda row: self.removed.emit(RunRemoved(self.model.rows[row].key)))
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.set_runs(())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(MARGIN, 8, MARGIN - 6, 0)
        head.addWidget(self.heading, 1)
        head.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.empty)
        column.addWidget(self.table)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._delegate.theme = theme
        self.table.header.theme = theme
        self.table.header.viewport().update()
        self.table.viewport().update()

    def set_heading(self, text: str) -> None:
        """Say over what the figures are taken, e.g. ``Runs · relevant in context · INEX 2007``."""
        self.heading.set_text(text)

    def set_runs(self, rows: Sequence[RunRow], columns: Sequence[str] = COLUMNS) -> None:
        """Show these runs and these of their figures; the current run stays current."""
        current = self.current_key
        self._quiet = True
        self.model.set_rows(rows, columns)
        self._quiet = False
        self.table.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self.table.fit()
        if current is not None:
            self.set_current(current)

    @property
    def current_key(self) -> str | None:
        """The key of the run that is chosen."""
        index = self.table.currentIndex()
        return self.model.rows[index.row()].key if index.isValid() else None

    def set_current(self, key: str | None) -> None:
        """Show which run is chosen, without telling anybody."""
        at = next((at for at, row in enumerate(self.model.rows) if row.key == key), None)
        self._quiet = True
        if at is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        else:
            self.table.selectRow(at)
        self._quiet = False

    def _on_current(self, current: QModelIndex) -> None:
        if current.isValid() and not self._quiet:
            self.chosen.emit(RunChosen(self.model.rows[current.row()].key))
