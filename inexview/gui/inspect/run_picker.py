"""The runs of a topic with their values to choose from, and the comparison of two of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip

from inexview.core.judgements.runs import Run
from inexview.core.open_runs.scoring import key_of
from inexview.core.report import NOTHING, difference_text
from inexview.gui.inspect.run_scoring import FigureAsked, FigureClicks, FigureLevel, FigureOf, RunScoring
from inexview.gui.look.panels import MenuButton, add_choice
from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import MARGIN, PaintedWidget, WhenSeen, derived, fair_share, write
from inexview.gui.services.session import Session

ACROSS, NARROWEST = 8, 42  # maximum number of cells in a row, and minimum width of one in pixels
OTHERS = "The others are in the table of all topics"
ROWS = 3  # with more runs, only the foreground, the baseline and as many others as fit get cells
CELL, HEAD = 44, 19  # height in pixels of a cell, and of its upper part with number and shape
LINE = 24
ROUND = 7  # radius of the outer corners in pixels
SIGN, GAP = 14, 6  # of the line below: width of a run's shape, and gap between its parts
BETWEEN = ("against", "–")
"""The text between the two runs, and a shorter one."""
CENTER = Qt.AlignmentFlag.AlignCenter
MIDDLE = Qt.AlignmentFlag.AlignVCenter


class QueryChooser(MenuButton):
    """Chooses which query of a topic is shown, if the topic has several."""

    def __init__(self, session: Session, board: RunScoring) -> None:
        super().__init__("Query of the topic")
        self._session, self._board = session, board
        self._shown: tuple[object, ...] = ()

    @property
    def offered(self) -> bool:
        """Whether the open topic has several queries in the current run."""
        topic = self._session.topic
        return topic is not None and len(self._board.queries(topic.id)) > 1

    def show_all(self) -> None:
        topic, run = self._session.topic, self._session.run
        if topic is None or run is None or not self.offered:
            return
        queries, query = self._board.queries(topic.id), run.queries[topic.id]
        if self._shown == (queries, query):
            return
        self._shown = queries, query
        group = self.begin()
        for name in queries:
            choose = partial(self._board.show_query, topic.id, name)
            add_choice(self.choices, name, choose, on=name == query, group=group)
        self.show_choice(f"Query {query}")
        self.setToolTip(f"{len(queries)} queries; the mean over all topics averages them first")


class RunPicker(PaintedWidget):
    """A cell for each run, and a line with the difference of the two runs in this topic."""

    chosen = Signal(object)  # Run
    baselined = Signal(object)  # Run

    def __init__(self, board: RunScoring) -> None:
        super().__init__()
        self._board = board
        self._topic = ""
        self._values: dict[Run, float | None] = {}
        self._seen = WhenSeen(self, self._show)
        self._scratch: tuple[float | None] | None = None
        self._painted: tuple[tuple[object, ...], ...] = ()  # appearance of each cell when last shown
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        board.figured.connect(self.show_all)

    def show_topic(self, topic: str) -> None:
        self._topic = topic
        self.show_all()

    def show_all(self) -> None:
        self._seen.refresh()

    def _show(self) -> None:
        board, topic = self._board, self._topic
        self._values = {run: board.shown(run).of_topic(run, topic) for run in board.runs}
        self.setAccessibleName(f"{board.figures.topic_name} in this topic")
        told = (f"{self._board.name(run)} {self.value(run)}" for run in self._board.runs)
        self.setAccessibleDescription(", ".join(told))
        places = {run: at for at, run in enumerate(board.runs)}
        cells = [self._cell_look(run, places[run]) for run in self.celled]
        looks = (self._rows, self.theme), self._line_look(), *cells
        if len(looks) != len(self._painted) or looks[0] != self._painted[0]:
            self.updateGeometry()
            self.update()
        else:
            shown = zip(self._places(range(len(cells))), looks[2:], self._painted[2:], strict=True)
            for cell, look, before in shown:
                if look != before:
                    self.update(_value_part(cell) if look[:-1] == before[:-1] else _painted_part(cell))
            if looks[1] != self._painted[1]:
                self.updateGeometry()
                self.update(self._line)
        self._painted = looks

    def _cell_look(self, run: Run, place: int) -> tuple[object, ...]:
        """Return everything that determines the appearance of a run's cell, its value last."""
        board = self._board
        own = run is board.current
        hollow = own and self._scratch is not None
        is_base, stale = run is board.baseline, board.is_stale(run)
        return run, board.style(run), place, own, hollow, is_base, stale, self.value(run)

    def _line_look(self) -> tuple[object, ...]:
        """Return everything that determines the appearance of the line below the cells."""
        board = self._board
        pair = [(run, board.style(run)) for run in (board.current, board.baseline) if run is not None]
        return *pair, self._scratch is None, self.lead

    @property
    def lead(self) -> str:
        """The difference of the two runs; "" unless the figures of both are up to date."""
        board = self._board
        first, second = board.current, board.baseline
        if first is None or second is None or board.is_stale(first) is not board.is_stale(second):
            return NOTHING
        one, other = (self._values.get(run) for run in (first, second))
        if self._scratch is not None:
            one = self._scratch[0]
        return NOTHING if one is None or other is None else difference_text(one - other, 4)

    def show_scratch(self, scratch: tuple[float | None] | None) -> None:
        """Show the value of the scratch copy instead of the run in the foreground, with a hollow shape."""
        if scratch != self._scratch:
            self._scratch = scratch
            self.show_all()

    def nth(self, number: int) -> Run | None:
        """Return the run of a cell, counted from 1."""
        runs = self._board.runs
        return runs[number - 1] if 0 < number <= len(runs) else None

    def value(self, run: Run) -> str:
        value = self._values.get(run)
        if self._scratch is not None and run is self._board.current:
            value = self._scratch[0]
        return NOTHING if value is None else f"{value:.3f}"

    # -- geometry and mouse --------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(300, self._rows * CELL + LINE * (2 if self._takes_two_lines else 1) + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    @property
    def _across(self) -> int:
        """The number of cells per row."""
        room = int(self.width() - 2 * MARGIN) // NARROWEST
        return min(max(len(self._board.runs), 3), max(min(room, ACROSS), 3))

    @property
    def _rows(self) -> int:
        return min(math.ceil(len(self._board.runs) / self._across), ROWS)

    @property
    def celled(self) -> tuple[Run, ...]:
        """The runs that have a cell, in the order in which they were opened."""
        runs, most = self._board.runs, ROWS * self._across
        if len(runs) <= most:
            return runs
        pair = [run for run in (self._board.current, self._board.baseline) if run is not None]
        others = (run for run in runs if not any(run is one for one in pair))
        chosen = {*pair, *islice(others, most - 1 - len(pair))}
        return tuple(run for run in runs if run in chosen)

    @property
    def _line(self) -> QRect:
        """The rectangle of the line of the pair, inside the border."""
        return QRect(0, self._rows * CELL + 1, self.width(), self.height())

    def cell(self, at: int) -> QRectF:
        return self._places((at,))[0]

    def _places(self, numbers: Iterable[int]) -> list[QRectF]:
        """Return the rectangles of the cells with these numbers (from 0)."""
        across = self._across
        wide = (self.width() - 2 * MARGIN) / across
        return [QRectF(MARGIN + at % across * wide, at // across * CELL, wide, CELL) for at in numbers]

    def _run_at(self, point: QPointF) -> Run | None:
        runs = self.celled
        cells = zip(self._places(range(len(runs))), runs, strict=True)
        return next((run for cell, run in cells if cell.contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        run = self._run_at(event.position())
        shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if run is not None and (shifted or run is not self._board.current):
            (self.baselined if shifted else self.chosen).emit(run)

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Make every value derivable; a click on another run first selects it."""
        clicks.watch(self, self.figure_at, clicked_at=self._clicked_at)

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        """Return the value at a point, or the difference of the two runs in the line below the cells."""
        scratched = self._scratch is not None
        if at.y() >= self._line.top():
            return None if scratched else FigureAsked(FigureLevel.TOPIC, of=FigureOf.LEAD)
        run = self._run_at(at.toPointF())
        if run is None or self.value(run) == NOTHING:
            return None
        own = scratched and run is self._board.current
        of = FigureOf.SCRATCH if own else FigureOf.RUN
        return FigureAsked(FigureLevel.TOPIC, of=of, run="" if own else key_of(run))

    def _clicked_at(self, at: QPoint) -> FigureAsked | None:
        run = self._run_at(at.toPointF())
        return self.figure_at(at) if run in (None, self._board.current) else None

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            run = self._run_at(event.pos().toPointF())
            told = "" if run is None else f"{self._board.name(run)}  {self.value(run)}"
            if run is None and self.cell(len(self.celled)).contains(event.pos().toPointF()):
                told = OTHERS if len(self.celled) < len(self._board.runs) else ""
            QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().event(event)

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        celled, runs, dirty = self.celled, self._board.runs, event.region()
        places = {run: at for at, run in enumerate(runs)}
        current, baseline = self._board.current, self._board.baseline
        seen = []
        for at, (cell, run) in enumerate(zip(self._places(range(len(celled))), celled, strict=True)):
            part = dirty.intersected(_painted_part(cell)).boundingRect()
            if part.isEmpty():
                continue
            value, head = _value_part(cell), cell.toAlignedRect()
            seen.append((cell, run))
            if not value.contains(part):
                self._paint_ground(painter, at, cell, run, is_base=run is baseline)
            elif run is current:
                painter.fillRect(value, self.theme.color("selected"))
            head.setHeight(HEAD)
            if dirty.intersects(head):
                self._paint_head(painter, cell, run, places[run])
        self._paint_values(painter, seen)
        if len(celled) < len(runs):
            painter.setPen(self.theme.color("muted"))
            painter.drawText(self.cell(len(celled)), CENTER, f"+{len(runs) - len(celled)}")
        if dirty.intersects(self._line):
            self._paint_line(painter)

    def _paint_ground(self, painter: QPainter, at: int, cell: QRectF, run: Run, *, is_base: bool) -> None:
        """Paint the borders of a cell, and the marks of foreground and baseline."""
        board, theme = self._board, self.theme
        edge = self._edge(at)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("selected") if run is board.current else Qt.BrushStyle.NoBrush)
        painter.drawPath(edge)
        if run is board.current or is_base:
            painter.setClipPath(edge, Qt.ClipOperation.IntersectClip)
        foot = QRectF(cell.left() + 1, cell.bottom() - 3, cell.width() - 1, 3)
        if run is board.current:
            painter.fillRect(foot, run_color(theme, board.style(run)))
        elif is_base:
            painter.setPen(QPen(run_color(theme, board.style(run)), 2.5, Qt.PenStyle.DotLine))
            middle, end = foot.center().y(), foot.right() - 2  # half a dot extends beyond
            painter.drawLine(QPointF(foot.left(), middle), QPointF(end, middle))
        painter.restore()

    def _edge(self, at: int) -> QPainterPath:
        """Return the outline of a cell, with round corners where no other cell adjoins."""
        across, last = self._across, len(self.celled) - 1
        left, right = at % across == 0, at % across == across - 1 or at == last
        top, bottom = at < across, at + across > last
        cell, path = self.cell(at), QPainterPath()
        ends = [round(end) + 0.5 for end in (cell.left(), cell.right())]  # a single line between two cells
        cell = QRectF(ends[0], cell.top() + 0.5, ends[1] - ends[0], cell.height())
        turns = (
            (cell.topLeft(), left and top, QPointF(0, 1), QPointF(1, 0)),
            (cell.topRight(), right and top, QPointF(-1, 0), QPointF(0, 1)),
            (cell.bottomRight(), right and bottom, QPointF(0, -1), QPointF(-1, 0)),
            (cell.bottomLeft(), left and bottom, QPointF(1, 0), QPointF(0, -1)),
        )
        for corner, is_round, before, after in turns:
            start = corner + before * ROUND if is_round else corner
            path.lineTo(start) if path.elementCount() else path.moveTo(start)
            if is_round:
                path.quadTo(corner, corner + after * ROUND)
        path.closeSubpath()
        return path

    def _paint_head(self, painter: QPainter, cell: QRectF, run: Run, place: int) -> None:
        board, theme, style = self._board, self.theme, self._board.style(run)
        if place < 9:
            painter.setFont(derived(self.font(), factor=0.78))
            painter.setPen(theme.color("muted"))
            painter.drawText(cell.adjusted(4, 3, 0, 0), Qt.AlignmentFlag.AlignLeft, str(place + 1))
        shape = QRectF(cell.center().x() - 5, cell.top() + 6, 10, 10)
        hollow = self._scratch is not None and run is board.current
        paint_run_shape(painter, style, shape, run_color(theme, style), hollow=hollow)

    def _paint_values(self, painter: QPainter, cells: Sequence[tuple[QRectF, Run]]) -> None:
        board, pair = self._board, (self._board.current, self._board.baseline)
        fonts = {bold: derived(self.font(), factor=0.95, bold=bold) for bold in (False, True)}
        pens = {stale: self.theme.color("muted" if stale else "text") for stale in (False, True)}
        looked = [(any(run is one for one in pair), board.is_stale(run), cell, run) for cell, run in cells]
        for bold in fonts:  # changing the font costs more than a text
            painter.setFont(fonts[bold])
            for _, stale, cell, run in (one for one in looked if one[0] is bold):
                painter.setPen(pens[stale])
                painter.drawText(cell.adjusted(0, 16, 0, 0), CENTER, self.value(run))

    @property
    def _takes_two_lines(self) -> bool:
        """Whether the line of the pair needs two lines for the names."""
        board, metrics = self._board, QFontMetricsF(derived(self.font(), factor=0.95, bold=True))
        pair = [run for run in (board.current, board.baseline) if run is not None]
        wide = sum(metrics.horizontalAdvance(board.name(run)) + SIGN + GAP for run in pair)
        around = metrics.horizontalAdvance(f"{BETWEEN[-1]}{self.lead}") + 3 * GAP + 2 * MARGIN
        return len(pair) > 1 and wide + around > self.width()

    def _paint_line(self, painter: QPainter) -> None:
        board, theme = self._board, self.theme
        first, second = board.current, board.baseline
        if first is None or second is None or first is second:
            return
        bold, small = derived(self.font(), factor=0.95, bold=True), derived(self.font(), factor=0.92)
        metrics = QFontMetricsF(bold)
        words = {word: QFontMetricsF(small).horizontalAdvance(word) + GAP for word in BETWEEN}
        top, right = self._rows * CELL + 3, self.width() - MARGIN
        whole, lead = QRectF(MARGIN, top, right - MARGIN, LINE), metrics.horizontalAdvance(self.lead) + GAP
        if self._takes_two_lines:
            between, below = BETWEEN[0], whole.translated(0, LINE)
            rooms = whole.adjusted(0, 0, -lead, 0), below.adjusted(words[between], 0, 0, 0)
        else:
            names = [metrics.horizontalAdvance(board.name(run)) + 2 for run in (first, second)]
            left = whole.width() - lead - 2 * (SIGN + GAP)
            between = next((word for word, wide in words.items() if sum(names) + wide <= left), BETWEEN[-1])
            spare = left - words[between]
            wides = [SIGN + min(names[at], fair_share(names, at, spare)) for at in range(2)]
            below = whole.adjusted(wides[0] + GAP, 0, 0, 0)
            rooms = (
                QRectF(whole.left(), top, wides[0], LINE),
                QRectF(below.left() + words[between], top, wides[1], LINE),
            )
        write(painter, whole, self.lead, bold, theme.color("text"), Qt.AlignmentFlag.AlignRight | MIDDLE)
        write(painter, below, between, small, theme.color("muted"))
        for run, room in zip((first, second), rooms, strict=True):
            color, hollow = run_color(theme, board.style(run)), self._scratch is not None and run is first
            shape = QRectF(room.left(), room.center().y() - 5, 9, 9)
            paint_run_shape(painter, board.style(run), shape, color, hollow=hollow)
            name = room.adjusted(SIGN, 0, 0, 0)
            write(painter, name, board.name(run), bold, color, shorten=Qt.TextElideMode.ElideMiddle)


def _painted_part(cell: QRectF) -> QRect:
    """Return the pixels of a cell including its borders, which it shares with its neighbours."""
    return cell.toAlignedRect().adjusted(0, 0, 1, 1)


def _value_part(cell: QRectF) -> QRect:
    """Return the part of a cell with the value: below number and shape, within the borders."""
    return cell.adjusted(2, HEAD, -2, -5).toAlignedRect()
