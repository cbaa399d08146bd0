"""How the table of runs looks and what mouse and keys do in it."""

from __future__ import annotations

from PySide6.QtCore import (
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
)

from inexview.core.report import NOTHING
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.runs.run_model import DIFFERENCE, TOPICS, RunModel
from inexview.gui.look.lists import PaintedPlaces, PaintedTable, RowCells, RowHeader
from inexview.gui.look.theme import dot_under, paint_run_shape, run_color
from inexview.gui.look.widgets import CUT, LEFT, MARGIN, RIGHT, derived, write

PADDING = 4
SHAPE = 16  # pixels of a run's shape and the air beside it
LEAST_NAME = 260  # pixels of a name for which other columns give way: names are cut last
SAVE_TABLE = "Save this table…"


class RunCells(RowCells):
    """Paints runs: shape and name in the run's colour, figures right aligned under each other."""

    def __init__(self, model: RunModel) -> None:
        super().__init__()
        self._model = model

    def height(self, metrics: QFontMetrics) -> int:
        """Return the height of a row."""
        return metrics.height() * self._lines + 12

    @property
    def _lines(self) -> int:
        return 2 if self._model.two_lines else 1

    def paint(self, painter: QPainter, places: PaintedPlaces) -> None:
        places.paint_selected(painter, self.theme)
        places.paint_lines(painter, self.theme)
        self._paint_names(painter, places)
        for column in range(1, len(self._model.headings)):
            if places.columns[column][1]:
                self._paint_figures(painter, places, column)

    def _paint_names(self, painter: QPainter, places: PaintedPlaces) -> None:
        bold, small = derived(places.font, bold=True), derived(places.font, factor=0.85)
        line = QFontMetrics(places.font).height()
        for at in places.rows:
            rect, row = places.cell(at, 0), self._model.rows[at]
            color = run_color(self.theme, row.style)
            top = rect.center().y() - line * self._lines / 2
            shape = QRectF(rect.left() + MARGIN, top + line / 2 - 5, 10, 10)
            paint_run_shape(painter, row.style, shape, color)
            room = QRectF(shape.right() + 6, top, rect.right() - shape.right() - 6 - PADDING, line)
            write(painter, room, row.name, bold, color, shorten=Qt.TextElideMode.ElideMiddle)
            if row.said:
                below = room.translated(0, line)
                write_whole(painter, below, row.said, small, self.theme.color("muted"))

    def _paint_figures(self, painter: QPainter, places: PaintedPlaces, column: int) -> None:
        model, heading = self._model, self._model.headings[column]
        compared = heading == DIFFERENCE
        plain, bold = (derived(places.font, factor=0.95, bold=bold) for bold in (False, True))
        right = MARGIN if column == len(model.headings) - 1 else PADDING
        for at in places.rows:
            row, room = model.rows[at], places.cell(at, column).adjusted(0, 0, -right, 0)
            lacking = not row.complete and not compared
            quiet = self.stale or (compared and not row.mark)
            token = "muted" if quiet else "warning" if lacking and heading == TOPICS else "text"
            text = model.text(row, column)
            painter.setFont(bold if compared and row.mark == "†" else plain)
            painter.setPen(self.theme.color(token))
            painter.drawText(room, RIGHT, text)
            if lacking and heading in (TOPICS, model.measures[0]):
                dot_under(painter, room.right(), room.center().y(), text, self.theme)


def write_whole(painter: QPainter, room: QRectF, text: str, font: QFont, color: QColor) -> None:
    """Write what is wrong with a run; of an error words are cut, and never the line, which comes last."""
    what, comma, line = text.rpartition(", ")
    if QFontMetricsF(font).horizontalAdvance(text) <= room.width() or not line.startswith("line "):
        write(painter, room, text, font, color, shorten=CUT)
        return
    wide = QFontMetricsF(font).horizontalAdvance(comma + line)
    write(painter, room.adjusted(0, 0, -wide, 0), what, font, color, shorten=CUT)
    shown = min(QFontMetricsF(font).horizontalAdvance(what), max(room.width() - wide, 0))
    write(painter, room.adjusted(shown, 0, 0, 0), comma + line, font, color)


class RunHeader(RowHeader):
    """The names of the columns, each over the edge that its figures are on; a click sorts by it."""

    def __init__(self, table: RunTable) -> None:
        super().__init__(table)
        self._table = table

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self._table.model()
        painter.save()
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, self.theme.color("line"))
        sorts = model.sorted_by == section
        painter.setFont(derived(self.font(), factor=0.92, bold=sorts))
        painter.setPen(self.theme.color("text" if sorts else "muted"))
        right = MARGIN if section == self.count() - 1 else PADDING
        room = rect.adjusted(0 if section else MARGIN, 0, -right, 0)
        arrow = ("▴" if model.rising else "▾") if sorts else ""
        painter.drawText(room, RIGHT if section else LEFT, f"{model.headings[section]}{arrow}")
        painter.restore()


class RunTable(PaintedTable):
    """The table: a click brings a run forward, Shift+click makes it the baseline, Delete closes it."""

    cells: RunCells
    header: RunHeader
    removed = Signal(object)  # row
    baselined = Signal(object)  # row
    entered = Signal()
    saving = Signal()

    def __init__(self, model: RunModel) -> None:
        super().__init__("Runs", RunCells(model))
        self._model = model
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.header = RunHeader(self)
        self.setHorizontalHeader(self.header)
        self.setModel(model)
        self.header.sectionClicked.connect(self._sort)
        self._clicks: FigureClicks | None = None
        self._widths: dict[int, int] = {}

    def model(self) -> RunModel:
        return self._model

    def fit(self) -> None:
        """Give each column its width, names what is left, and each row its height."""
        model = self.model()
        self.ensurePolished()  # so that its font is the one of the style sheet
        metrics = QFontMetrics(derived(self.font(), factor=0.95))
        self.header.setMinimumSectionSize(40)
        for column in range(1, len(model.headings)):
            texts = {model.text(row, column) for row in model.rows}
            room = PADDING + (MARGIN if column == len(model.headings) - 1 else PADDING)
            wide = max(map(metrics.horizontalAdvance, (f"{model.headings[column]}▾", *texts)))
            self._widths[column] = wide + room
        for column in range(1, len(model.headings)):  # the table may be resized meanwhile
            self.header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            self.header.resizeSection(column, self._widths[column])
        if model.headings:
            self.header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._make_room()
        self.verticalHeader().setDefaultSectionSize(self.cells.height(self.fontMetrics()))
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()
        below = (self.currentIndex().row() + 1) * self.verticalHeader().defaultSectionSize()
        if event.size().height() > event.oldSize().height() >= 0 and below <= self.viewport().height():
            self.scrollToTop()  # the best come back that a run in front had pushed out of a low list

    def _make_room(self) -> None:
        """Leave out columns where names would be cut: the last of the measures first.

        What decides, and the lead over the baseline, stay.
        """
        model = self.model()
        metrics = QFontMetrics(derived(self.font(), bold=True))
        longest = max((metrics.horizontalAdvance(row.name) for row in model.rows), default=0)
        room = self.viewport().width() - min(longest, LEAST_NAME) - MARGIN - SHAPE - PADDING
        places = range(1, len(model.headings))
        giving_way = [
            at for at in reversed(places) if at > 1 and model.headings[at] not in (TOPICS, DIFFERENCE)
        ]
        if not {*places} <= self._widths.keys():
            return  # there are more columns now, which are soon measured
        needed = sum(self._widths[at] for at in places)
        for at in {*places}.difference(giving_way):  # another column may have been hidden in its place
            self.setColumnHidden(at, False)
        for at in giving_way:
            self.setColumnHidden(at, needed > room)
            needed -= self._widths[at] if needed > room else 0

    def sizeHint(self) -> QSize:
        rows = self.model().rowCount() * max(self.verticalHeader().defaultSectionSize(), 1)
        return QSize(300, self.header.sizeHint().height() + rows + 2)

    def minimumSizeHint(self) -> QSize:
        rows = min(self.model().rowCount(), 3) * max(self.verticalHeader().defaultSectionSize(), 1)
        return QSize(160, self.header.sizeHint().height() + rows + 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and index.isValid():
            self.baselined.emit(index.row())
            return
        super().mousePressEvent(event)

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let every figure be asked for; a click on a run that is not in front first brings it there."""
        clicks.watch(self.viewport(), self.figure_at, clicked_at=self._clicked_at, menu=False)
        self._clicks = clicks

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        """Return the figure at a point: a mean, the topics that it is over, or the lead over the baseline."""
        index, model = self.indexAt(at), self.model()
        if not index.isValid() or not index.column() or index.data() == NOTHING:
            return None
        row, heading = model.rows[index.row()], model.headings[index.column()]
        if heading == DIFFERENCE:
            lead = FigureAsked(FigureLevel.RUN, of=FigureOf.LEAD, run=row.key)
            return None if row.baseline else lead
        return FigureAsked(FigureLevel.RUN, heading, run=row.key)

    def _clicked_at(self, at: QPoint) -> FigureAsked | None:
        return self.figure_at(at) if self.indexAt(at).row() == self.currentIndex().row() else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the current run with Delete, go on with it with Enter, compare with it with Shift+Enter."""
        current = self.currentIndex()
        if event.key() == Qt.Key.Key_Delete and current.isValid():
            self.removed.emit(current.row())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current.isValid():
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.baselined.emit(current.row())
            else:
                self.entered.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if not index.isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        name = index.siblingAtColumn(0).data()
        remove = menu.addAction(f"Remove {name}")
        remove.setShortcut(Qt.Key.Key_Delete)
        remove.triggered.connect(lambda: self.removed.emit(index.row()))
        compare = menu.addAction(f"Compare with {name}")
        compare.triggered.connect(lambda: self.baselined.emit(index.row()))
        menu.addSeparator()
        menu.addAction(SAVE_TABLE).triggered.connect(lambda: self.saving.emit())
        if self._clicks is not None:
            self._clicks.add_to(menu, self.viewport(), event.pos())
        menu.popup(event.globalPos())

    def _sort(self, column: int) -> None:
        model = self.model()
        falling = model.sorted_by == column and model.rising
        again = model.sorted_by == column and not model.rising
        order = Qt.SortOrder.AscendingOrder if again and not falling else Qt.SortOrder.DescendingOrder
        model.sort(column, order)
