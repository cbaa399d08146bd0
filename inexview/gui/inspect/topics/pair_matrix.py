"""Every pair of runs: row minus column, marked where it holds among all of them; a cell chooses both."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from inexview.core.evaluation.comparison import RunDifference, difference_cell
from inexview.core.evaluation.run_derivations import P_CORRECTED
from inexview.core.judgements.runs import Run
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.scoring.run_keys import key_of
from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import MARGIN, RIGHT, PaintedWidget, derived, write

MOST = 20  # runs
LOW = 6  # runs in a low window, those with the highest means; more where there is room for them
SHARE = 0.42  # of the panel's height at most, for more runs than that
ROW = 24
NAME, NAMES = 0.2, 0.45  # of the width: what names have at least, and at most
FEWEST = 3  # columns for which names are cut
SHAPE = 17  # pixels of a run's shape and what is around it
WIDEST = 64  # pixels of a difference
ABOVE, FOOT = 8, 38  # pixels over the heading, and of the two lines below


class PairMatrix(PaintedWidget):
    """The triangle of differences of the best runs."""

    chosen = Signal(object)  # tuple[Run, Run]

    def __init__(self, board: RunBoard) -> None:
        super().__init__()
        self._board = board
        self._best: list[Run] = []
        self._runs: list[Run] = []  # those of the best that there is room for
        self._pairs: dict[tuple[int, int], RunDifference] = {}
        self._names = 0.0  # pixels for the names
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_all(self) -> None:
        """Compare the best runs that have figures."""
        board = self._board
        self._best = board.scored()[:MOST]
        self._fit()
        every = board.pairs.of_all() if len(self._runs) > 2 else {}
        self._pairs = {pair: found for pair, found in every.items() if pair[1] < len(self._best)}
        self.setAccessibleName(f"Every pair, {board.figures.deciding}: row minus column")
        self.setAccessibleDescription("; ".join(self._told(*pair) for pair in self._pairs))
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._refit()

    def event(self, event: QEvent) -> bool:
        """Follow the panel that this gets into, as its height decides for how many runs there is room."""
        parent = self.parentWidget()
        if event.type() is QEvent.Type.ParentChange and parent is not None:
            parent.installEventFilter(self)
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit to the panel's height."""
        if watched is self.parentWidget() and event.type() is QEvent.Type.Resize:
            self._refit()
        return super().eventFilter(watched, event)

    def _refit(self) -> None:
        """Show more runs, or fewer, where there is other room."""
        before = len(self._runs)
        self._fit()
        if len(self._runs) != before:
            self.updateGeometry()
            self.update()

    def _fit(self) -> None:
        """Show as many runs as there is room for beside their names, which are cut last."""
        figure = QFontMetrics(derived(self.font(), factor=0.85, bold=True)).horizontalAdvance("+0.000†") + 4
        name = QFontMetrics(derived(self.font(), factor=0.9))
        named = self._best[: self._most()]
        widest = max((name.horizontalAdvance(self._board.name(run)) for run in named), default=0) + SHAPE
        room, least = self.width() - 2 * MARGIN, NAME * self.width()
        self._names = min(max(widest, least), max(least, NAMES * self.width(), room - FEWEST * figure))
        if room - self._names < FEWEST * figure:
            self._names = least
        self._runs = self._best[: min(max(int((room - self._names) / figure), 1) + 1, self._most())]

    def _most(self) -> int:
        """Return for how many runs there is room in the height of the panel."""
        panel = self.parentWidget()
        room = 0 if panel is None else int((SHARE * panel.height() - ABOVE - FOOT) / ROW) - 1
        return max(room, LOW)

    @property
    def worth_showing(self) -> bool:
        """Whether there are more pairs than the one that is shown anyway."""
        return bool(self._pairs)

    def sizeHint(self) -> QSize:
        return QSize(300, ABOVE + ROW * (len(self._runs) + 1) + FOOT)

    def cell(self, row: int, column: int) -> QRectF:
        left, right, columns = self._left(), self.width() - MARGIN, max(len(self._runs) - 1, 1)
        wide = (right - left) / columns
        return QRectF(left + (column - 1) * wide, ABOVE + ROW * (row + 2), wide, ROW)

    def _left(self) -> float:
        """Return where the differences begin; names have the room that these leave."""
        widest = WIDEST * max(len(self._runs) - 1, 1)
        return max(MARGIN + self._names, self.width() - MARGIN - widest)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for row, column in self._pairs:
            if column < len(self._runs) and self.cell(row, column).contains(event.position()):
                self.chosen.emit((self._runs[row], self._runs[column]))

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let each difference be asked for; a click first chooses its two runs."""
        clicks.watch(self, self.figure_at, clicked_at=self._clicked_at, menu=False)

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        for row, column in self._pairs:
            if column < len(self._runs) and self.cell(row, column).contains(at.toPointF()):
                first, second = (key_of(self._runs[one]) for one in (row, column))
                return FigureAsked(FigureLevel.RUN, of=FigureOf.LEAD, run=first, baseline=second)
        below = self._pairs and at.y() >= self._foot().top()
        return FigureAsked(FigureLevel.RUN, P_CORRECTED, of=FigureOf.LEAD) if below else None

    def _foot(self) -> QRectF:
        """Return where it is said how many pairs there are."""
        top = ABOVE + ROW * (len(self._runs) + 1) + 4
        return QRectF(MARGIN, top, self.width() - 2 * MARGIN, FOOT - 4)

    def _clicked_at(self, at: QPoint) -> FigureAsked | None:
        asked, board = self.figure_at(at), self._board
        if asked is not None and not asked.run:
            return asked
        chosen = {key_of(run) for run in (board.current, board.baseline) if run is not None}
        return asked if asked is not None and {asked.run, asked.baseline} == chosen else None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, width = self.theme, self.width()
        head = QRectF(MARGIN, ABOVE, width - 2 * MARGIN, ROW)
        told = f"EVERY PAIR · {self._board.figures.deciding}"
        caption = QFont(derived(self.font(), factor=0.85, bold=True))
        caption.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 1)  # as the style sheet's captions
        write(painter, head, told, caption, theme.color("muted"))
        for at, run in enumerate(self._runs):
            style = self._board.style(run)
            if at:
                cell = self.cell(-1, at)
                shape = QRectF(cell.right() - 14, cell.center().y() - 5, 10, 10)
                paint_run_shape(painter, style, shape, run_color(theme, style))
            if at < len(self._runs) - 1:
                self._paint_row(painter, at, run)
        painter.setFont(derived(self.font(), factor=0.85))
        painter.setPen(theme.color("muted"))
        painter.drawText(self._foot(), Qt.TextFlag.TextWordWrap, self._said)

    def _paint_row(self, painter: QPainter, row: int, run: Run) -> None:
        theme, style = self.theme, self._board.style(run)
        line = self.cell(row, 1)
        painter.fillRect(QRectF(MARGIN, line.top(), self.width() - 2 * MARGIN, 1), theme.color("line"))
        paint_run_shape(painter, style, QRectF(MARGIN, line.center().y() - 5, 9, 9), run_color(theme, style))
        room = QRectF(MARGIN + 15, line.top(), self._left() - MARGIN - 16, ROW)
        font = derived(self.font(), factor=0.9)
        name = self._board.name(run)
        write(painter, room, name, font, theme.color("text"), shorten=Qt.TextElideMode.ElideMiddle)
        for column in range(row + 1, len(self._runs)):
            found, cell = self._pairs[row, column], self.cell(row, column)
            font = derived(self.font(), factor=0.85, bold=found.mark == "†")
            color = theme.color("text" if found.mark == "†" else "muted")
            write(painter, cell.adjusted(0, 0, -2, 0), _short(found), font, color, RIGHT)
            if {run, self._runs[column]} == {self._board.current, self._board.baseline}:
                painter.setPen(QPen(theme.color("accent"), 1.4))
                painter.drawRoundedRect(cell.translated(QPointF(1, 0)).adjusted(2, 2, 0, -2), 3, 3)

    @property
    def _said(self) -> str:
        """What is said below: of which runs these are, and of how many tests a mark is one."""
        shown, runs = len(self._runs), len(self._board.scored())
        some = "" if shown == runs else f", {shown} best of {runs} runs"
        comparison = next(iter(self._pairs.values())).comparison if self._pairs else None
        if comparison is None:
            return ""
        label = comparison.testing.correction.label
        there = [pair for (_, column), pair in self._pairs.items() if column < shown]
        counts = " (n) topics of a pair." if any("(" in _short(found) for found in there) else ""
        return f"Row minus column{some}. † {label}, {comparison.family}.{counts}"

    def _told(self, row: int, column: int) -> str:
        first, second = (self._board.name(self._best[at]) for at in (row, column))
        return f"{first} minus {second} {_short(self._pairs[row, column])}"


def _short(found: RunDifference) -> str:
    cell = difference_cell(found.comparison, found.pair, found.first, 3)
    mark = cell.mark if cell.mark == "†" else ""
    return f"{cell.text}{mark}{f' {cell.count}' if cell.count else ''}"
