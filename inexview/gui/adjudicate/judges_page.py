"""The page of Judges: whether a model may judge, the table of grades, the order of runs, differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inexview.core.evaluation.judges import FEWEST, JudgeAgreement, Verdict
from inexview.core.open_runs.judges import OrderedRun, RunOrder
from inexview.core.report import figure_text
from inexview.core.wording import counted, in_one_line
from inexview.gui.look.panels import ChoosingView, Index, ListModel, RowRole, ScrollingPanel
from inexview.gui.look.theme import (
    Themed,
    mixed,
    paint_layer_sign,
    paint_run_shape,
    run_color,
    set_look,
)
from inexview.gui.look.widgets import (
    CUT,
    LEFT,
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    KeyButton,
    PaintedChart,
    PaintedWidget,
    button,
    derived,
    in_column,
    in_row,
    label,
    paint_focus,
    write,
)
from inexview.gui.services.actions import ActionBook

PERSON, MODEL = 0, 1
"""The styles of person and model, those of the first and second layer."""
CENTRE = Qt.AlignmentFlag.AlignCenter
MARGIN = 28  # pixels at both sides of the page
SIDE_BY_SIDE = 610  # width of the page in pixels from which the two figures are next to each other
CELL, GAP, HEAD, ALL = 52, 5, 24, 56  # pixels of the table of grades: largest cell, gap, heading, sums
RUN_ROW, LEAST_ROW = 38, 16
RUN_SIGNS, LEAST_LINE = 44, 40  # pixels: shape and gaps beside a run's name and value; a line
NAMED_RUNS = 12  # with more runs, only those that change places are named
ROW = 30


def signed(value: float) -> str:
    """Return a κ, a τ or a mean as displayed."""
    return figure_text(value, 3).replace("-", "−")


class LayerSign(PaintedWidget):
    """The square of the person or the triangle of the model."""

    def __init__(self, layer: int) -> None:
        super().__init__()
        self._layer = layer
        self.setFixedSize(12, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_layer_sign(QPainter(self), QPointF(5, self.height() / 2), self.theme, self._layer)


class AskedAxis(PaintedChart):
    """A figure on an axis from 0 to 1 with its interval, and a tick at the project's threshold."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFixedHeight(22)
        self.setMinimumWidth(46)
        self.setMaximumWidth(92)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._value, self._asked = math.nan, math.nan
        self._interval = (math.nan, math.nan)

    def show_value(self, value: float, interval: tuple[float, float], asked: float) -> None:
        self._value, self._interval, self._asked = value, interval, asked
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(92, 22)

    def _x(self, value: float) -> float:
        return 4 + (self.width() - 8) * min(max(value, 0.0), 1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, middle = QPainter(self), self.theme, self.height() / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("track"))
        painter.drawRoundedRect(QRectF(0, middle - 2.5, self.width(), 5), 2.5, 2.5)
        low, high = self._interval
        painter.setPen(QPen(theme.color("text"), 1.6))
        if not math.isnan(low):
            painter.drawLine(QPointF(self._x(low), middle), QPointF(self._x(high), middle))
            for end in (low, high):
                painter.drawLine(QPointF(self._x(end), middle - 5), QPointF(self._x(end), middle + 5))
        painter.fillRect(QRectF(self._x(self._asked) - 1, 1, 2, self.height() - 2), theme.color("accent"))
        if not math.isnan(self._value):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("text"))
            painter.drawEllipse(QPointF(self._x(self._value), middle), 4.5, 4.5)


class AskedLabel(ElidedLabel):
    """A line that gives a figure's derivation; a click shows all of it."""

    clicked = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.clicked.emit()


class AskedFigure(QWidget):
    """A figure, its axis and its threshold; each of them can be clicked."""

    derived = Signal()
    asked = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.sign, self.name = label("", "saved"), label(name)
        self.value = button("", "figure")
        self.axis = AskedAxis(name)
        self.threshold = button("", "link")
        for one in (self.value, self.threshold):
            one.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.value.clicked.connect(self.derived)
        self.threshold.clicked.connect(self.asked)
        in_row(self.sign, self.name, self.value, self.axis, self.threshold, on=self, margins=0, spacing=6)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    @property
    def least(self) -> int:
        """The width with the shortest axis."""
        return self.sizeHint().width() - self.axis.sizeHint().width() + self.axis.minimumWidth()

    def show_figure(
        self, value: float, interval: tuple[float, float], asked: float, *, reached: bool
    ) -> None:
        known = not math.isnan(value)
        self.sign.setText("" if not known else "✓" if reached else "✗")
        set_look(self.sign, "wrong", known and not reached)
        self.sign.setToolTip("" if not known else "reached" if reached else "not shown to be reached")
        self.value.setText(signed(value))
        self.value.setEnabled(known)
        self.axis.show_value(value, interval, asked)
        self.threshold.setText(f"≥ {asked:.3f}")
        self.threshold.setAccessibleName(f"asked for: {asked:.3f}")
        self.threshold.setToolTip("What this project asks for; click to change it")
        low, high = interval
        between = "" if math.isnan(low) else f", 95 % interval {low:.3f} to {high:.3f}"
        said = f"{self.name.text()} {signed(value)}{between}, asked for {asked:.3f}"
        self.axis.setAccessibleDescription(said)
        self.axis.setToolTip(said)


class GradeTable(PaintedChart):
    """The numbers of documents by the person's and the model's grade; a click lists those of a cell."""

    cell_chosen = Signal(object)  # (person's grade, model's grade)
    precision_asked = Signal(object)  # a grade of the model

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Grades of the person by grades of the model")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._agreement: JudgeAgreement | None = None
        self._current: tuple[int, int] | None = None
        self._filtered: tuple[int, int] | None = None
        self._at = (0, 0)  # row and column of the cell selected by arrow keys

    def show_agreement(self, agreement: JudgeAgreement | None) -> None:
        self._agreement = agreement
        if agreement is not None:
            rows = [
                f"person {grade}: {', '.join(map(str, row))}"
                for grade, row in zip(agreement.grades, agreement.matrix.tolist(), strict=True)
            ]
            self.setAccessibleDescription("; ".join(rows))
        self.updateGeometry()
        self.update()

    def show_current(self, cell: tuple[int, int] | None, filtered: tuple[int, int] | None) -> None:
        """Frame the cell of the current document, and the cell whose documents are listed."""
        self._current, self._filtered = cell, filtered
        self.update()

    @property
    def _count(self) -> int:
        return 0 if self._agreement is None else len(self._agreement.grades)

    @property
    def _wide(self) -> float:
        return self._wide_in(self.width())

    def _wide_in(self, width: int) -> float:
        room = width - HEAD - ALL - GAP * (self._count + 1)
        return max(min(CELL, room / max(self._count, 1)), 14.0)

    @property
    def _high(self) -> float:
        return min(self._wide * 0.76, 36.0)

    def sizeHint(self) -> QSize:
        return QSize(HEAD + ALL + self._count * (CELL + GAP), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()  # narrow cells are low

    def heightForWidth(self, width: int) -> int:
        return round(HEAD + self._count * (min(self._wide_in(width) * 0.76, 36.0) + GAP) + 2 * 21)

    def cell_rect(self, row: int, column: int) -> QRectF:
        """Return the rectangle of the cell of a person's grade (row) and a model's grade (column)."""
        left = HEAD + column * (self._wide + GAP)
        return QRectF(left, HEAD + row * (self._high + GAP), self._wide, self._high)

    def _below(self, column: int, line: int) -> QRectF:
        cell = self.cell_rect(self._count, column)
        return QRectF(cell.left(), cell.top() + 21 * line - 2, cell.width(), 20)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        agreement, place = self._agreement, event.position()
        if agreement is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        for column, model in enumerate(agreement.grades):
            if self._below(column, 1).contains(place):
                self.precision_asked.emit(model)
            for row, person in enumerate(agreement.grades):
                if self.cell_rect(row, column).contains(place):
                    self.cell_chosen.emit((person, model))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between cells with the arrow keys, and list the documents of one with Enter."""
        steps = {
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
        }
        agreement = self._agreement
        step = steps[Qt.Key(event.key())] if event.key() in steps else None
        row, column = (min(at, self._count - 1) for at in self._at)
        if agreement is not None and step is not None:
            last = self._count - 1
            self._at = min(max(row + step[0], 0), last), min(max(column + step[1], 0), last)
            self.update()
        elif agreement is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.cell_chosen.emit((agreement.grades[row], agreement.grades[column]))
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and self._agreement is not None:
            place, agreement = event.pos().toPointF(), self._agreement  # type: ignore[attr-defined]
            said = ""
            for row, person in enumerate(agreement.grades):
                for column, model in enumerate(agreement.grades):
                    if self.cell_rect(row, column).contains(place):
                        number = counted(int(agreement.matrix[row, column]), "document")
                        said = f"person {person}, model {model}: {number}"
            self.setToolTip(said)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        agreement = self._agreement
        if agreement is None or not self._count:
            return
        painter, theme = QPainter(self), self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font, bold = derived(self.font(), factor=0.96), derived(self.font(), bold=True)
        muted, text = theme.color("muted"), theme.color("text")
        table = agreement.matrix.tolist()
        for row, grade in enumerate(agreement.grades):
            cell = self.cell_rect(row, 0)
            write(painter, QRectF(0, cell.top(), HEAD - 8, cell.height()), str(grade), bold, text, RIGHT)
            column = self.cell_rect(0, row)
            write(painter, QRectF(column.left(), 0, column.width(), HEAD), str(grade), bold, text, CENTRE)
            total = sum(table[row])
            for at, number in enumerate(table[row]):
                self._paint_cell(painter, row, at, number, number / total if total else 0.0)
            side = self.cell_rect(row, self._count)
            write(
                painter,
                QRectF(side.left(), side.top(), ALL, side.height()),
                f"{total:,}",
                font,
                muted,
                CENTRE,
            )
        side = self.cell_rect(0, self._count)
        write(painter, QRectF(side.left(), 0, ALL, HEAD), "all", font, muted, CENTRE)
        self._paint_sums(painter, agreement)

    def _paint_cell(self, painter: QPainter, row: int, column: int, number: int, share: float) -> None:
        theme, rect = self.theme, self.cell_rect(row, column)
        grades = self._agreement.grades if self._agreement is not None else ()
        place = grades[row], grades[column]
        painter.setBrush(mixed(theme.hit, theme.track, 0.05 + 0.3 * share))
        pen = QPen(Qt.PenStyle.NoPen)
        if place == self._filtered:
            pen = QPen(theme.color("accent"), 3)
        elif place == self._current:
            pen = QPen(theme.color("accent"), 1.6)
        elif row == column:
            pen = QPen(theme.color("text"), 1.4)
        painter.setPen(pen)
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4)
        if self.hasFocus() and (row, column) == tuple(min(at, self._count - 1) for at in self._at):
            paint_focus(painter, rect.adjusted(-2, -2, 2, 2), theme)
        color = theme.color("text" if number else "muted")
        write(painter, rect, f"{number:,}", derived(self.font(), bold=row == column), color, CENTRE, CUT)

    def _paint_sums(self, painter: QPainter, agreement: JudgeAgreement) -> None:
        theme = self.theme
        font, bold = derived(self.font(), factor=0.94), derived(self.font(), factor=0.94, bold=True)
        muted, text = theme.color("muted"), theme.color("text")
        columns = agreement.matrix.sum(axis=0).tolist()
        for at, (number, share) in enumerate(zip(columns, agreement.precision.values(), strict=True)):
            write(painter, self._below(at, 0), f"{number:,}", font, muted, CENTRE, CUT)
            shown = figure_text(share, 3 if self._wide > 36 else 2)
            write(painter, self._below(at, 1), shown, bold, text, CENTRE)
        end = self._below(self._count, 0)
        write(painter, QRectF(0, end.top(), HEAD - 4, 20), "all", font, muted, RIGHT)
        write(painter, QRectF(end.left(), end.top(), ALL, 20), f"{sum(columns):,}", font, muted, CENTRE)
        room = QRectF(end.left(), self._below(0, 1).top(), ALL + 8, 20)
        write(painter, room, "precision", derived(self.font(), factor=0.88), muted, CENTRE)


class ShadeLegend(PaintedWidget):
    """The legend of the table's shades."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(16)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        left = float(HEAD)
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            painter.fillRect(QRectF(left, 4, 14, 9), mixed(theme.hit, theme.track, 0.05 + 0.3 * share))
            left += 14
        room = QRectF(left + 8, 0, self.width() - left - 8, self.height())
        said = "share of row · framed: same"
        write(painter, room, said, derived(self.font(), factor=0.88), theme.color("muted"), LEFT, CUT)


class OrderChart(PaintedChart):
    """The runs by rank under each judge: lines are grey if level, dashed for one place, thick for more."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Order of the runs")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._order = RunOrder()
        self._after: Sequence[OrderedRun] = ()
        self._styles: dict[str, int] = {}

    def show_order(self, order: RunOrder, styles: dict[str, int]) -> None:
        self._order, self._styles = order, styles
        self._after = sorted(order.runs, key=lambda run: run.after)
        parts = (f"{run.run} {run.before} to {run.after}" for run in order.runs)
        self.setAccessibleDescription(f"{order.derivation}; {', '.join(parts)}")
        self.setToolTip("\n".join(f"{run.run}: {run.person:.4f}, {run.model:.4f}" for run in order.runs[:60]))
        self.updateGeometry()
        self.update()

    @property
    def _row(self) -> float:
        return RUN_ROW if len(self._order.runs) <= 7 else max(LEAST_ROW, 270 / len(self._order.runs))

    def sizeHint(self) -> QSize:
        rows = len(self._order.runs)
        return QSize(360, round(self._high * rows) + 26 if rows else 26)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, self.sizeHint().height())

    @property
    def _high(self) -> float:
        """The height of a row; with very many runs the rows touch."""
        many = len(self._order.runs) > NAMED_RUNS
        return 300 / len(self._order.runs) if many else self._row

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small, muted = derived(self.font(), factor=0.92), theme.color("muted")
        left, right = self._ends()
        for layer, x, who in ((PERSON, 0.0, "person"), (MODEL, right + 2, "model")):
            said = f"{who}, {self._order.measure}"
            x = min(x, self.width() - 18 - QFontMetricsF(small).horizontalAdvance(said))
            paint_layer_sign(painter, QPointF(x + 5, 11), theme, layer)
            write(painter, QRectF(x + 16, 0, self.width() - x - 16, 22), said, small, muted)
        before = {id(run): at for at, run in enumerate(self._order.runs)}  # two runs may have the same name
        after = {id(run): at for at, run in enumerate(self._after)}
        calm = sorted(self._order.runs, key=lambda run: abs(run.moved))
        for run in calm:
            self._paint_line(
                painter, run, QPointF(left, self._y(before[id(run)])), QPointF(right, self._y(after[id(run)]))
            )
        for first, runs in ((True, self._order.runs), (False, self._after)):
            for at in self._named(runs):
                self._paint_run(painter, runs[at], self._y(at), first=first)

    def _ends(self) -> tuple[float, float]:
        """Return where the lines begin and end; without room for names on both sides, on the first only."""
        name = QFontMetricsF(derived(self.font(), factor=0.94, bold=True)).horizontalAdvance
        named = max((name(self._order.runs[at].run) for at in self._named(self._order.runs)), default=0.0)
        width, signs = self.width(), name("0.000") + RUN_SIGNS
        if 2 * (named + signs) + LEAST_LINE <= width:
            return max(width * 0.43, named + signs), min(width * 0.565, width - named - signs)
        return min(named + signs, width - signs - LEAST_LINE), width - signs

    def _named(self, runs: Sequence[OrderedRun]) -> list[int]:
        """Return the runs with space for their names: of many those that move most."""
        if len(runs) <= NAMED_RUNS:
            return [*range(len(runs))]
        kept: list[int] = []
        for at in sorted(range(len(runs)), key=lambda at: -abs(runs[at].moved)):
            y = self._y(at)
            inside = y + LEAST_ROW / 2 <= self.height()
            if runs[at].moved and inside and all(abs(y - self._y(one)) >= LEAST_ROW for one in kept):
                kept.append(at)
        return kept

    def _y(self, at: int) -> float:
        return 26 + self._high * (at + 0.5)

    def _paint_line(self, painter: QPainter, run: OrderedRun, start: QPointF, end: QPointF) -> None:
        theme, moved = self.theme, abs(run.moved)
        many = len(self._order.runs) > NAMED_RUNS
        thick = 1.0 if many else 2.4
        pen = QPen(theme.color("text" if moved else "rest"), thick if moved > 1 else 1.3)
        if moved == 1:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.drawLine(start, end)
        if self._high > 8:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("text"))
            for place in (start, end):
                painter.drawEllipse(place, 3, 3)

    def _paint_run(self, painter: QPainter, run: OrderedRun, y: float, *, first: bool) -> None:
        theme, high = self.theme, 18
        bold = derived(self.font(), factor=0.94, bold=True)
        name = derived(self.font(), factor=0.94, bold=abs(run.moved) > 1)
        text, style = theme.color("text"), self._styles.get(run.run, 0)
        figures = QFontMetricsF(bold).horizontalAdvance("0.000") + 6
        begin, end = self._ends()
        if first:
            left, right = 0.0, begin - 10
            value = QRectF(right - figures, y - high / 2, figures, high)
            room = QRectF(left + 18, y - high / 2, value.left() - left - 24, high)
            write(painter, value, signed(run.person), bold, text, RIGHT)
        else:
            left = end + 12
            value = QRectF(left, y - high / 2, figures, high)
            left += figures + 6
            room = QRectF(left + 18, y - high / 2, self.width() - left - 18, high)
            write(painter, value, signed(run.model), bold, text, LEFT)
        paint_run_shape(painter, style, QRectF(left, y - 4.5, 9, 9), run_color(theme, style))
        if first or room.width() > high:  # else shape and line tell which run it is
            write(painter, room, run.run, name, text, LEFT, CUT)


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A document that both judged: title, grades, reason, and whether its quotes are found."""

    document: str
    title: str
    person: int
    model: int
    reason: str
    quotes: str
    """For example "found"; "" without quotes, or until they are searched for."""
    there: bool
    missing: bool
    rank: int | None
    stands: bool

    @property
    def tooltip(self) -> str:
        return self.reason

    def __str__(self) -> str:
        """Return the row as a line for screen readers and copying."""
        rank = "" if self.rank is None else f"best rank {self.rank:,}"
        stands = "the person’s grade holds" if self.stands else ""
        parts = (
            self.title,
            f"person {self.person}",
            f"model {self.model}",
            self.reason,
            self.quotes,
            rank,
            stands,
        )
        return ", ".join(filter(None, parts))


class JudgedColumns:
    """The positions of the list's columns at a width."""

    def __init__(self, width: float, *, reasons: bool, quotes: bool, ranks: bool) -> None:
        self.ranks = width - 44 if ranks else width
        self.quotes = self.ranks - 130 if quotes else self.ranks
        rest = self.quotes - 128
        self.grades = min(max(rest * (0.42 if reasons else 0.95), 110), rest - 10)
        self.reason = self.grades + 118
        self.shows_reasons = reasons


class JudgedHeadings(PaintedWidget):
    """The headings of the columns."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(20)
        self.shown = {"reasons": True, "quotes": True, "ranks": True}

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, small = QPainter(self), derived(self.font(), factor=0.92)
        columns, muted = JudgedColumns(self.width() - 14, **self.shown), self.theme.color("muted")
        high = self.height()
        write(painter, QRectF(columns.grades, 0, 110, high), "grades", small, muted)
        if columns.shows_reasons:
            room = QRectF(columns.reason, 0, columns.quotes - columns.reason - 8, high)
            write(painter, room, "the model’s reason", small, muted, shorten=CUT)
        if self.shown["quotes"]:
            write(painter, QRectF(columns.quotes, 0, 126, high), "its quote, in the text", small, muted)
        if self.shown["ranks"]:
            write(painter, QRectF(columns.ranks, 0, 44, high), "rank", small, muted, RIGHT)


class JudgedDelegate(Themed, QStyledItemDelegate):
    """Paints a :class:`JudgedRow`."""

    shown: dict[str, bool]
    current = ""  # the current document

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: JudgedRow = index.data(RowRole)
        theme, rect, current = self.theme, option.rect, row.document == self.current
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each title in its own direction
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if current:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(rect), theme)
        columns = JudgedColumns(rect.width() - 14, **self.shown)
        plain, bold = derived(option.font, factor=0.96), derived(option.font, bold=current)
        text, muted = theme.color("text"), theme.color("muted")
        title = f"✓ {row.title}" if row.stands else row.title
        room = QRect(rect.left() + 12, rect.top(), round(columns.grades) - 22, rect.height())
        write(painter, room, title, bold, muted if row.stands else text, shorten=CUT)
        self._paint_grades(painter, option, row, columns.grades)
        if columns.shows_reasons:
            left = rect.left() + columns.reason
            room = QRect(round(left), rect.top(), round(columns.quotes - columns.reason - 8), rect.height())
            write(painter, room, row.reason, plain, muted, shorten=CUT)
        if self.shown["quotes"]:
            self._paint_quotes(painter, rect, row, rect.left() + columns.quotes)
        if self.shown["ranks"] and row.rank is not None:
            room = QRect(rect.left(), rect.top(), rect.width() - 14, rect.height())
            write(painter, room, f"{row.rank:,}", plain, muted, RIGHT)
        painter.restore()

    def _paint_grades(
        self, painter: QPainter, option: QStyleOptionViewItem, row: JudgedRow, left: float
    ) -> None:
        theme, rect = self.theme, option.rect
        x, middle = rect.left() + left, rect.center().y() + 1
        bold, plain = derived(option.font, bold=True), derived(option.font, factor=0.94)
        for layer, grade in ((PERSON, row.person), (MODEL, row.model)):
            paint_layer_sign(painter, QPointF(x + 4, middle), theme, layer)
            write(
                painter, QRectF(x + 14, rect.top(), 24, rect.height()), str(grade), bold, theme.color("text")
            )
            x += 38
        apart = f"{row.model - row.person:+d}".replace("-", "−")
        write(painter, QRectF(x, rect.top(), 32, rect.height()), apart, plain, theme.color("muted"))

    def _paint_quotes(self, painter: QPainter, rect: QRect, row: JudgedRow, left: float) -> None:
        theme, font = self.theme, derived(painter.font(), bold=True)
        for on, sign, token in ((row.there, "✓", "finished"), (row.missing, "✗", "miss")):
            if on:
                write(painter, QRectF(left, rect.top(), 14, rect.height()), sign, font, theme.color(token))
                left += 16
        room = QRectF(left, rect.top(), 120, rect.height())
        write(
            painter, room, row.quotes, derived(painter.font(), factor=0.96), theme.color("muted"), LEFT, CUT
        )


class JudgedView(ChoosingView):
    """The list of documents; arrow keys move through it, Enter opens the article."""

    walked = Signal(object)  # JudgedRow

    def __init__(self) -> None:
        super().__init__("Documents on which person and model differ")
        self._quiet = False

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and not self._quiet:
            self.walked.emit(current.data(RowRole))

    def go_to(self, row: int) -> None:
        """Select a row without a signal."""
        self._quiet = True
        self.setCurrentIndex(self.model().index(row, 0))
        self._quiet = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        super().keyPressEvent(event)


class JudgesPage(QWidget):
    """Heading, figures and list; choices are reported by signals."""

    derived = Signal(object)  # the name of a figure
    threshold_wanted = Signal()
    cell_chosen = Signal(object)  # (person's grade, model's grade)
    section_wanted = Signal()

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.caption, self.of_model, self.of_person = Caption("Model judge"), Caption(""), Caption("")
        beside = label("AND", "caption")
        self.caption.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._beside = QWidget()
        in_row(
            LayerSign(MODEL), self.of_model, beside, LayerSign(PERSON), self.of_person,
            on=self._beside, margins=0, spacing=7,
        )  # fmt: skip
        self.heading = label("", "report-title", wrap=True)
        self.kappa, self.tau = AskedFigure("Weighted κ"), AskedFigure("τ of the runs")
        self.lead = label("", "lead", wrap=True)
        self.grades, self.shades, self.order = GradeTable(), ShadeLegend(), OrderChart()
        self.order_said = AskedLabel(role="muted")
        self.order_said.setAlignment(RIGHT)
        self.order_empty = label("", "note", wrap=True)
        self.listed = ElidedLabel(role="value")
        self.clear = button("all that differ", "link")
        self.clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.headings = JudgedHeadings()
        self.model: ListModel[JudgedRow] = ListModel(self)
        self.view = JudgedView()
        self.delegate = JudgedDelegate(self.view)
        self.delegate.shown = self.headings.shown
        self.section = button("", "plain")
        self.nothing = label("", "lead", wrap=True)
        self.bring = KeyButton(book["open-models"].text(), book["open-models"], primary=True)
        self.bring.setMaximumWidth(340)
        self._rest = QWidget()  # below the text if there is nothing else
        self.view.setModel(self.model)
        self.view.setItemDelegate(self.delegate)
        self.view.setUniformItemSizes(True)
        self._lay_out()
        self._connect()

    def _connect(self) -> None:
        self.kappa.derived.connect(partial(self.derived.emit, "weighted κ"))
        self.tau.derived.connect(partial(self.derived.emit, "τ"))
        self.order_said.clicked.connect(partial(self.derived.emit, "τ"))
        for figure in (self.kappa, self.tau):
            figure.asked.connect(self.threshold_wanted)
        self.grades.cell_chosen.connect(self.cell_chosen)
        self.grades.precision_asked.connect(lambda grade: self.derived.emit(f"precision {grade}"))
        self.section.clicked.connect(self.section_wanted)
        self.clear.clicked.connect(lambda: self.cell_chosen.emit(None))

    def _lay_out(self) -> None:
        self._axes = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._axes.setSpacing(24)
        for figure in (self.kappa, self.tau):
            self._axes.addWidget(figure)
        self._axes.addStretch(1)
        grades_head = in_row(
            label("Grades", "value"), 6, label("rows", "note"), LayerSign(PERSON), label("person,", "note"),
            label("columns", "note"), LayerSign(MODEL), label("model", "note"), Filler(1), spacing=4,
        )  # fmt: skip
        order_head = in_row(label("Order of the runs", "value"), (self.order_said, 1), spacing=8)
        self._figures = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._figures.setSpacing(28)
        left, right = QWidget(), QWidget()
        in_column(grades_head, self.grades, self.shades, Filler(1), on=left, margins=0, spacing=4)
        in_column(order_head, self.order, self.order_empty, Filler(1), on=right, margins=0, spacing=4)
        self._figures.addWidget(left, 2)
        self._figures.addWidget(right, 3)
        line = QFrame()
        line.setProperty("role", "rule")
        self.below = QWidget()
        in_column(
            in_row((self.listed, 1), self.clear),
            line,
            self.headings,
            (self.view, 1000),
            self.section,
            Filler(1),
            on=self.below,
            margins=0,
            spacing=3,
        )
        self.above = QWidget()
        self.above.setProperty("role", "page")
        in_column(self._axes, self.lead, self._figures, on=self.above, margins=0, spacing=10)
        inside = QWidget()
        inside.setProperty("role", "page")
        in_column(
            in_row(self.caption, self._beside, Filler(1), spacing=12),
            self.heading,
            self.nothing,
            self.bring,
            self.above,
            (self.below, 1),
            (self._rest, 1),
            on=inside,
            margins=(MARGIN, 14, MARGIN, 8),
            spacing=8,
        )
        self.below.setMinimumHeight(220)
        in_column((ScrollingPanel(inside), 1), on=self, margins=0, spacing=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the two figures, and the two axes, below each other if the page is narrow."""
        super().resizeEvent(event)
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._figures.setDirection(across if self.width() >= SIDE_BY_SIDE else down)
        axes = self.kappa.least + self.tau.least + 2 * MARGIN + 30
        self._axes.setDirection(across if self.width() >= axes else down)
        self._axes.setSpacing(24 if self.width() >= axes else 4)

    def show_nothing(self, caption: str, heading: str, said: str, *, brings: bool) -> None:
        """Show that there is nothing to compare, and why; ``brings`` offers to choose a file."""
        self.caption.set_text("Model judge", in_one_line(caption, 40))
        self.heading.setText(heading)
        self.nothing.setText(said)
        self._show_compared(compared=False)
        self.bring.setVisible(brings)

    def _show_compared(self, *, compared: bool) -> None:
        for part in (self.nothing, self._rest):
            part.setVisible(not compared)
        for part in (self._beside, self.above, self.below):
            part.setVisible(compared)
        self.bring.hide()

    def show_verdict(self, model: str, person: str, agreement: JudgeAgreement, said: str) -> None:
        """Show the verdict with its two figures, and what follows from it."""
        self._show_compared(compared=True)
        self.caption.set_text("Model judge")
        self.of_model.set_text(model)
        self.of_person.set_text(person)
        self.heading.setText(agreement.heading)
        self.heading.setAccessibleName(agreement.said())
        self.heading.setToolTip(agreement.said())
        few = agreement.verdict is Verdict.TOO_FEW
        self.kappa.show_figure(
            agreement.weighted_kappa,
            agreement.interval,
            agreement.kappa_asked,
            reached=agreement.kappa_reached,
        )
        none = (math.nan, math.nan)
        self.tau.show_figure(agreement.tau, none, agreement.tau_asked, reached=agreement.tau_reached)
        self.tau.setVisible(agreement.runs > 1)
        parts = [f"{agreement.lacking[:1].upper()}{agreement.lacking[1:]}." if few else ""]
        if agreement.runs < 2 and len(agreement.pairs) >= FEWEST:
            parts.append("This is based on κ alone: τ needs two open runs.")
        self.lead.setText(" ".join(filter(None, (*parts, said))))
        self.grades.show_agreement(agreement)

    def show_order(self, order: RunOrder, styles: dict[str, int]) -> None:
        several = len(order.runs) > 1
        self.order.setVisible(several)
        self.order.show_order(order, styles)
        briefer = order.derivation.rpartition(" = ")[2]
        self.order_said.set_text(order.derivation, briefer=(f"τ = {briefer}",))
        self.order_said.setVisible(bool(order.derivation))
        said = "" if several else "No order of runs: open two or more runs (Ctrl+R)."
        self.order_empty.setText(" ".join(filter(None, (said, *(f"{one}." for one in order.left_out[:3])))))
        self.order_empty.setVisible(bool(self.order_empty.text()))

    def show_rows(
        self, rows: Sequence[JudgedRow], listed: str, about: str, section: str, *, filtered: bool
    ) -> None:
        """Show documents below their heading, and a link to the other list."""
        shown = {
            "reasons": any(row.reason for row in rows),
            "quotes": any(row.quotes for row in rows),
            "ranks": any(row.rank is not None for row in rows),
        }
        self.headings.shown = self.delegate.shown = shown
        same = [row.document for row in rows] == [row.document for row in self.model.rows]
        if same and rows:
            self.model.rows = rows
            self.model.dataChanged.emit(self.model.index(0), self.model.index(len(rows) - 1))
        else:
            self.model.set_rows(rows)
            self.view.setMaximumHeight(len(rows) * ROW + 2)
        self.listed.set_text(f"{listed}  {about}")
        self.clear.setVisible(filtered)
        self.section.setText(section)
        self.section.setVisible(bool(section))
        self.headings.setVisible(bool(rows))
        self.headings.update()

    def show_current(self, document: str) -> None:
        """Show which document is the current one."""
        if document == self.delegate.current and self.view.currentIndex().isValid():
            self.view.viewport().update()
            return
        self.delegate.current = document
        here = next((at for at, row in enumerate(self.model.rows) if row.document == document), -1)
        if here >= 0 and here != self.view.currentIndex().row():
            self.view.go_to(here)
        self.view.viewport().update()
