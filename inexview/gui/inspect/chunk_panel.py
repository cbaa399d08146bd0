"""The panel of a question's chunks: scores at k and at a budget of characters, and the costliest faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QSizePolicy,
    QSlider,
    QStyleOptionViewItem,
    QWidget,
)

from inexview.core.evaluation.charts import Chart, ChartSeries, recall_while_reading
from inexview.core.evaluation.derivations import Derivations
from inexview.core.evaluation.explain import Ratio
from inexview.core.open_runs.chunk_ranking import (
    INTACT,
    IOU,
    PRECISION,
    RECALL,
    ChunkCost,
    ChunkFault,
    ChunkRanking,
    ReadText,
    cost_in_words,
    derive_chunk_cost,
    place_in_words,
    places_in_words,
)
from inexview.core.report import NOTHING, count, difference_text, exact, short
from inexview.core.text.search import words_begin
from inexview.core.wording import counted
from inexview.gui.article.margins import NumberedPlace
from inexview.gui.charts.chart_painter import ChartPainter, SmallChart
from inexview.gui.inspect.chunk_list import COMPUTING, TopicChunks
from inexview.gui.inspect.costs import NumberedDelegate, SpanWanted, row_height
from inexview.gui.inspect.ranked_list import DocumentChosen
from inexview.gui.inspect.run_scoring import FigureAsked, FigureClicks, FigureLevel, FigureOf, RunScoring
from inexview.gui.inspect.scores import FigureLabel
from inexview.gui.look.panels import ChoosingView, Index, ListModel, MenuButton, add_choice, chip_button
from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import (
    CUT,
    INSET,
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    PaintedWidget,
    WhenSeen,
    button,
    derived,
    explain,
    in_column,
    in_row,
    label,
    paint_focus,
    still,
    write,
)
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks

BUDGETS = (1_000, 2_000, 4_000)
FURTHER = (500, 8_000, 16_000)
STEP = 100  # characters by which the arrow keys move the budget at least
ROW, BAR_HEIGHT, BAR = 25, 6, 44  # pixels
SIGN = 8
LOW, ROOMY = 560, 720  # heights in pixels below which there is no chart, or a lower one
CHART_LINES = 6  # height of the chart in lines of text
NAMES = {RECALL: "recall", PRECISION: "precision", IOU: "IoU"}
NOT_JUDGED = "This question is not judged: its chunks have no figures."
NO_RELEVANT = "No passage is relevant to this question."


@dataclass(frozen=True, slots=True)
class FigureValue:
    """A figure of the run in the foreground and of the baseline, as fractions or counts."""

    measure: str
    name: str
    about: str = ""
    own: Ratio | None = None
    other: Ratio | None = None
    whole: bool = False
    """Whether the numerators are the figures, instead of the quotients."""

    def text(self, ratio: Ratio | None) -> str:
        if ratio is None:
            return ""
        return count(ratio.numerator) if self.whole else short(ratio.value)

    @property
    def fraction(self) -> str:
        if self.own is None or self.whole:
            return ""
        return f"{count(self.own.numerator)} / {count(self.own.denominator)}"

    def __str__(self) -> str:
        other = "" if self.other is None else f", baseline {self.text(self.other)}"
        own = f"{self.fraction} = {self.text(self.own)}" if self.fraction else self.text(self.own)
        return f"{self.name} {self.about} {own or NOTHING}{other}".replace("  ", " ")


class FigureRow(FigureLabel):
    """One figure of the run in the foreground, with that of the baseline next to it."""

    def __init__(self) -> None:
        super().__init__()
        self.figure = FigureValue("", "")
        self.style_number = 0

    def show_figure(self, figure: FigureValue, style: int) -> None:
        if (figure, style) != (self.figure, self.style_number):
            self.figure, self.style_number = figure, style
            self.setAccessibleName(str(figure))
            self.setToolTip(self.exact)
            self.update()

    @property
    def exact(self) -> str:
        figure = self.figure
        if figure.own is None:
            return ""
        value = figure.text(figure.own) if figure.whole else exact(figure.own.value)
        return f"{figure.measure} = {f'{figure.fraction} = ' if figure.fraction else ''}{value}"

    def sizeHint(self) -> QSize:
        return QSize(240, max(ROW, self.fontMetrics().height() + 8))

    def minimumSizeHint(self) -> QSize:
        return QSize(180, self.sizeHint().height())

    def value_width(self) -> float:
        return QFontMetricsF(derived(self.font(), bold=True)).horizontalAdvance("0.000") + 8

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        """Return the figure at a point: the baseline's, or else that of the run in the foreground."""
        if self.figure.own is None:
            return None
        right = at.x() > self.width() - INSET - self.value_width() and self.figure.other is not None
        of = FigureOf.BASELINE if right else FigureOf.RUN
        return FigureAsked(FigureLevel.TOPIC, self.figure.measure, of=of)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, figure = QPainter(self), self.figure
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        if self.hasFocus():
            paint_focus(painter, rect, self.theme)
        rect.adjust(INSET, 0, -INSET, 0)
        bold, plain = derived(self.font(), bold=True), derived(self.font(), factor=0.95)
        text, muted, wide = self.theme.color("text"), self.theme.color("muted"), self.value_width()
        write(painter, rect, figure.name, bold, text)
        named = QFontMetricsF(bold).horizontalAdvance(figure.name)
        small = derived(self.font(), factor=0.9)
        if figure.about:
            value = QFontMetricsF(bold).horizontalAdvance(figure.text(figure.own))
            room = rect.adjusted(named, 0, -wide - value - 4, 0)
            write(painter, room, f" {figure.about}", small, muted, LEFT, CUT)
        write(painter, rect, figure.text(figure.other), plain, muted, RIGHT)
        own = rect.adjusted(0, 0, -wide, 0)
        write(painter, own, figure.text(figure.own) or NOTHING, bold, text, RIGHT)
        room = own.adjusted(0, 0, -wide, 0)
        fraction = QFontMetricsF(plain).horizontalAdvance(figure.fraction)
        left = rect.left() + QFontMetricsF(bold).horizontalAdvance("precision") + 10
        if room.right() - fraction >= left:
            write(painter, room, figure.fraction, plain, muted, RIGHT)
            if figure.own is not None and not figure.whole and room.right() - fraction - left >= BAR + 6:
                place = QRectF(left, rect.center().y() - BAR_HEIGHT / 2, BAR, BAR_HEIGHT)
                self._paint_bar(painter, place, figure.own.value)

    def _paint_bar(self, painter: QPainter, rect: QRectF, value: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("track"))
        painter.drawRoundedRect(rect, 3, 3)
        if value:
            rect.setWidth(max(rect.width() * min(value, 1.0), 3))
            painter.setBrush(run_color(self.theme, self.style_number))
            painter.drawRoundedRect(rect, 3, 3)


class FigureHead(PaintedWidget):
    """The line above figures: what is read, and the shapes of the two runs above their columns."""

    def __init__(self) -> None:
        super().__init__()
        self.said = ""
        self._styles: tuple[int, int | None] = 0, None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_said(self, said: str, style: int, other: int | None) -> None:
        self.said, self._styles = said, (style, other)
        self.setAccessibleName(said)
        self.setToolTip(said)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.fontMetrics().height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide = QFontMetricsF(derived(self.font(), bold=True)).horizontalAdvance("0.000") + 8
        rect = QRectF(self.rect()).adjusted(INSET, 0, -INSET, 0)
        room = rect.adjusted(0, 0, -wide - 2 * SIGN, 0)
        write(
            painter, room, self.said, derived(self.font(), factor=0.92), self.theme.color("muted"), LEFT, CUT
        )
        for style, right in zip(self._styles, (rect.right() - wide, rect.right()), strict=True):
            if style is not None and self._styles[1] is not None:
                place = QRectF(right - SIGN, rect.center().y() - SIGN / 2, SIGN, SIGN)
                paint_run_shape(painter, style, place, run_color(self.theme, style))


@dataclass(frozen=True, slots=True)
class ReadingCurve:
    """A run's recall by characters read, and the point at which its first k chunks end."""

    name: str
    style: int
    ranking: ChunkRanking
    at_k: ReadText


class ReadingChart(SmallChart):
    """Recall by characters read, with the budget as a line to drag, and the runs' shapes at k."""

    budget_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__("recall against characters read")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._curves: tuple[ReadingCurve, ...] = ()
        self._budget = self._far = 0
        self._chart: Chart | None = None
        self._dragging = False

    def show_curves(self, curves: Sequence[ReadingCurve], budget: int) -> None:
        """Draw the curves of runs, the first of them on top."""
        self._curves, self._budget = tuple(curves), budget
        longest = max((int(one.ranking.curve[0][-1]) for one in curves), default=0)
        if not self._dragging:  # the axis stays as it is while the line is dragged
            wanted = 2 * max([budget, *(one.at_k.read for one in curves)])
            self._far = max(min(wanted, longest), budget)
        drawn = [(one.name, one.style, *one.ranking.curve) for one in reversed(curves)]
        self._chart = recall_while_reading(drawn, self._far) if curves else None
        self.setAccessibleDescription(self.text_of(budget))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, CHART_LINES * self.fontMetrics().height())

    def _painter_of(self, chart: Chart) -> ChartPainter:
        unnamed = [ChartSeries("", one.style, one.x, one.y) for one in chart.series]
        shown = Chart(chart.title, chart.form, chart.x, chart.y, tuple(unnamed))
        return ChartPainter(shown, QRectF(self.rect()), self.theme, self.font(), small=True)

    def place_at(self, x: float) -> int | None:
        """Return the number of characters read at an x in pixels."""
        if self._chart is None:
            return None
        plot = self._painter_of(self._chart).plot
        share = (x - plot.left()) / max(plot.width(), 1)
        return round(min(max(share, 0.0), 1.0) * self._far)

    def text_of(self, place: int) -> str:
        """Return the recall of each run at a number of characters."""
        curves = () if self._chart is None else self._chart.series[::-1]
        values = [f"{one.name} {one.value_at(place):.3f}" for one in curves]
        return "\n".join((f"{place:,} characters", *values))

    def _want(self, budget: int, *, exactly: bool = False) -> None:
        step = 1 if exactly else STEP
        self.budget_wanted.emit(max(round(budget / step) * step, step))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._chart is not None:
            self._dragging = True
            self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position().x())
        if self._dragging and place is not None:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._want(place, exactly=shift)
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragging = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the budget with the arrow keys."""
        steps = {Qt.Key.Key_Left: -STEP, Qt.Key.Key_Right: STEP}
        if event.key() in steps:
            self._want(self._budget + steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._chart is None:
            return
        painter, chart = self.painter(), self._painter_of(self._chart)
        chart.paint_axes(painter)
        chart.paint_curves(painter)
        top, bottom = chart.at(self._budget, 1.0), chart.at(self._budget, 0.0)
        painter.setPen(QPen(self.theme.color("text"), 1.2))
        painter.drawLine(QPointF(top.x(), top.y() - 4), QPointF(bottom.x(), bottom.y()))
        for one in reversed(self._curves):
            if one.at_k.read <= self._far:
                at = chart.at(one.at_k.read, one.at_k.recall.value)
                place = QRectF(at.x() - SIGN / 2, at.y() - SIGN / 2, SIGN, SIGN)
                paint_run_shape(painter, one.style, place, run_color(self.theme, one.style))


MOST_COSTS = 10  # lines; one more line counts the others
COLUMNS = "IoU", "Chroma’s"
DECIMALS, LEAST = 3, 0.0005
WIDEST = " −0.000"
FAULTS = {
    ChunkFault.CUT: "miss",
    ChunkFault.MISSED: "miss",
    ChunkFault.FALSE_ALARM: "false_alarm",
    ChunkFault.ELSEWHERE: "false_alarm",
}


@dataclass(frozen=True, slots=True)
class ChunkCostLine:
    """A fault as the list shows it; its ``number``, from 1, is also in the margin of the text."""

    number: int
    cost: ChunkCost
    title: str
    detail: str

    @property
    def gains(self) -> tuple[str, str]:
        """Its cost in IoU and in Chroma's IoU."""
        first, second = (
            difference_text(-gain, DECIMALS) if gain >= LEAST else "0" for gain in self.cost.gains
        )
        return first, second

    def __str__(self) -> str:
        first, second = self.gains
        return f"{self.number}. {self.title}, {self.detail}, IoU {first}, Chroma’s IoU {second}"

    @property
    def tooltip(self) -> str:
        named = zip(("IoU", "Chroma’s IoU"), self.cost.before, self.cost.after, strict=True)
        lines = (
            f"{name} = {count(before.numerator)} / {count(before.denominator)} = {exact(before.value)}, "
            f"corrected {count(after.numerator)} / {count(after.denominator)} = {exact(after.value)}"
            for name, before, after in named
        )
        return "\n".join((f"{self.title}: {self.detail}", *lines))


class ChunkCostDelegate(NumberedDelegate):
    """Paints the fault on the left, and its costs in both measures on the right."""

    def __init__(self, model: ListModel[ChunkCostLine], parent: QObject) -> None:
        super().__init__(parent)
        self._model = model

    def column_width(self, font: QFont) -> float:
        return QFontMetricsF(derived(font, factor=0.95)).horizontalAdvance(WIDEST)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = self._model.rows[index.row()]
        painter.save()
        fill = "selected" if line.number == self.current else ""
        lower = self.paint_title(painter, option, line.number, line.title, fill)
        plain, text = derived(option.font, factor=0.95), self.theme.color("text")
        wide, (first, second) = self.column_width(option.font), line.gains
        write(painter, lower, second, plain, self.theme.color("muted"), RIGHT)
        lower.adjust(0, 0, -wide, 0)
        write(painter, lower, first, plain, text, RIGHT)
        lower.adjust(0, 0, -wide, 0)
        token = FAULTS.get(line.cost.fault, "muted")
        write(painter, lower, line.detail, plain, self.theme.color(token), LEFT, CUT)
        painter.restore()


class ChunkCostList(QWidget):
    """The costliest faults, each corrected alone; numbered in the margin while the list is visible."""

    chosen = Signal(object)  # ChunkCost
    numbered = Signal(object)  # tuple[NumberedPlace, ...]: the visible lines of the open document

    def __init__(self) -> None:
        super().__init__()
        self.model = ListModel[ChunkCostLine](self)
        self.view = ChoosingView("What cost most here")
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setModel(self.model)
        self.delegate = ChunkCostDelegate(self.model, self.view)
        self.view.setItemDelegate(self.delegate)
        self.note = label("", "muted", wrap=True)
        self.note.setContentsMargins(INSET, 0, INSET, 0)
        in_column(self.view, self.note, Filler(1), on=self, margins=0, spacing=0)
        self._lines: tuple[ChunkCostLine, ...] = ()
        self._every = 0
        self._nothing, self._document, self._text, self.k = "", "", "", 0
        line = row_height(self.fontMetrics())
        self.setMinimumHeight(line)
        self.setMaximumHeight((MOST_COSTS + 1) * line)  # so that nothing below it moves
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.view.chosen.connect(lambda index: self.choose(index.row() + 1))

    def show_lines(
        self, lines: Sequence[ChunkCostLine], every: int, k: int, document: str, text: str, *, nothing: str
    ) -> None:
        """Show the costliest of ``every`` fault, or the text ``nothing``; number those of ``document``."""
        self._lines, self._every, self.k, self._nothing = tuple(lines), every, k, nothing
        self._document, self._text = document, text
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        line, note = row_height(self.fontMetrics()), self.fontMetrics().height()
        shown = self._lines[: max((self.height() - note) // line, 1)]
        more = self._every - len(shown)
        if shown != tuple(self.model.rows):
            if [one.cost for one in shown] != [one.cost for one in self.model.rows]:
                self.delegate.current = 0
            self.model.set_rows(shown)
        self.view.setVisible(bool(shown))
        self.view.setFixedHeight(line * len(shown))
        less = f"and {count(more)} that cost less; they do not add up" if more else "they do not add up"
        self.note.setText(less if shown else self._nothing)
        self.note.setVisible(self.height() > line + note or not shown)
        self._tell_numbers()

    def hasHeightForWidth(self) -> bool:
        """Leave its height to the widgets above if the window is low; it then lists fewer lines."""
        return False

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        """Return the cost in a line: in Chroma's IoU at the right, else in IoU."""
        index = self.view.indexAt(at)
        if not index.isValid():
            return None
        cost, k = self.model.rows[index.row()].cost, self.k
        wide = self.delegate.column_width(self.view.font())
        chroma = at.x() > self.view.viewport().width() - INSET - wide

        def made() -> Derivations:
            both = [derive_chunk_cost(cost, k, chroma=one) for one in (False, True)]
            return {one.measure: one for one in both}

        measure = derive_chunk_cost(cost, k, chroma=chroma).measure
        return FigureAsked(FigureLevel.TOPIC, measure, cost.document, made=made, start=cost.start)

    def choose(self, number: int) -> None:
        """Go to the place with a number, and select its line."""
        self.delegate.current = number
        self.view.viewport().update()
        self._tell_numbers()
        self.chosen.emit(self.model.rows[number - 1].cost)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell_numbers()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._tell_numbers()

    def _tell_numbers(self) -> None:
        places = []
        for line in self.model.rows if self.isVisible() else ():
            cost = line.cost
            if cost.document == self._document and cost.start is not None and cost.end is not None:
                begin = words_begin(self._text, cost.start, cost.end)
                place = begin, max(begin, cost.end)
                current = line.number == self.delegate.current
                places.append(NumberedPlace(line.number, place, str(line), current))
        self.numbered.emit(tuple(places))


class ChunkPanel(QWidget):
    """The panel: figures at k and at a budget, recall by characters read, and the costliest faults."""

    opened = Signal(object)  # DocumentChosen: a fault in another document
    wanted = Signal(object)  # SpanWanted: a fault in the open document

    def __init__(
        self, session: Session, board: RunScoring, chunks: TopicChunks, tasks: Tasks, book: ActionBook
    ) -> None:
        super().__init__()
        self._session = session
        self._tasks = tasks
        self._words: Mapping[ChunkCost, str] = {}  # words at places in documents that are not open
        self._asked: set[ChunkCost] = set()
        self._reading: BackgroundTask | None = None
        self._board = board
        self._chunks = chunks
        self._steps = book["fewer-chunks"], book["more-chunks"]
        self._seen = WhenSeen(self, self._show)
        self.at_k, self.at_budget = FigureHead(), FigureHead()
        self.k_rows = tuple(FigureRow() for _ in range(4))
        self.budget_rows = tuple(FigureRow() for _ in range(3))
        self._depth = ElidedLabel()
        self.fewer, self.more = button("−", "small"), button("+", "small")
        self.slider = still(QSlider(Qt.Orientation.Horizontal))
        self.chips = {budget: chip_button(f"{budget:,}", filled=True) for budget in BUDGETS}
        self.further = MenuButton("Budget of characters")
        self.note = label("", "note", wrap=True)
        self.chart = ReadingChart()
        self._chart_note = ElidedLabel("recall by characters read, shapes at k", role="muted")
        self.costs = ChunkCostList()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.slider.setAccessibleName("Chunks that count")
        self.further.setProperty("role", "plain")
        for step, action in zip((self.fewer, self.more), self._steps, strict=True):
            explain(step, action)
            step.setAccessibleName(action.text())
            step.clicked.connect(action.trigger)
            step.setFixedWidth(26)
        inset = (INSET, 0, INSET, 0)
        columns = [ElidedLabel(name, role="muted") for name in COLUMNS]
        for column in columns:
            column.setAlignment(RIGHT)
            wide = round(self.costs.delegate.column_width(self.costs.view.font()))
            column.setFixedWidth(max(wide, column.sizeHint().width() + 2))
        self._plotted = QWidget()
        in_column(in_row(self._chart_note, margins=inset), self.chart, on=self._plotted, margins=0, spacing=2)
        inside = in_column(
            in_row((Caption("At k"), 1), self._depth, self.fewer, self.more, margins=inset, spacing=4),
            in_row(self.slider, margins=inset),
            self.at_k,
            *self.k_rows,
            in_row(self.note, margins=inset),
            6,
            in_row((Caption("At a budget"), 1), *self.chips.values(), self.further, margins=inset, spacing=2),
            self.at_budget,
            *self.budget_rows,
            4,
            self._plotted,
            6,
            in_row((Caption("What cost most here"), 1), *columns, margins=inset, spacing=0),
            (self.costs, 100),
            Filler(1),
            margins=(MARGIN - INSET, 10, MARGIN - INSET, 0),
            spacing=2,
        )
        self._outer = in_column((inside, 1), on=self, margins=0, spacing=0)

    def _connect(self) -> None:
        board, chunks, session = self._board, self._chunks, self._session
        self.slider.valueChanged.connect(chunks.set_k)
        for budget, chip in self.chips.items():
            chip.clicked.connect(partial(self._take_budget, budget))
        self.further.choices.aboutToShow.connect(self._offer_budgets)
        self.chart.budget_wanted.connect(lambda budget: board.read_as_far(characters=budget))
        self.costs.chosen.connect(self._go_to)
        chunks.known.connect(self.show_figures)
        board.figured.connect(self.show_figures)
        session.run_selected.connect(lambda _run: self.show_figures())
        session.topic_changed.connect(lambda _topic: self.show_figures())
        session.document_opened.connect(lambda _opened: self.show_figures())
        session.catalogue.learned.connect(lambda _about: self.show_figures())

    def add_footer(self, widget: QWidget) -> None:
        """Add a widget at the bottom, which does not scroll."""
        self._outer.addWidget(widget)

    def offer_figures(self, clicks: FigureClicks) -> None:
        for row in (*self.k_rows, *self.budget_rows):
            clicks.watch(row, row.figure_at)
            row.asked.connect(partial(self._ask, clicks, row))
        clicks.watch(self.costs.view.viewport(), self.costs.figure_at, clicked_at=lambda _at: None)

    def _ask(self, clicks: FigureClicks, row: FigureRow) -> None:
        asked = row.figure_at(QPoint(0, 0))
        if asked is not None:
            clicks.asked.emit(asked)

    def _take_budget(self, budget: int) -> None:
        self._board.read_as_far(characters=budget)
        self._show_chips(budget)  # a click on the checked one would uncheck it

    def _show_chips(self, budget: int) -> None:
        for characters, chip in self.chips.items():
            chip.setChecked(characters == budget)
        self.further.show_choice("" if budget in self.chips else f"{budget:,}")

    def _offer_budgets(self) -> None:
        group, menu = self.further.begin(), self.further.choices
        characters = self._board.choice.reading.characters
        for budget in sorted({*BUDGETS, *FURTHER, characters}):
            choose = partial(self._board.read_as_far, characters=budget)
            add_choice(menu, f"{budget:,} characters", choose, on=budget == characters, group=group)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._plotted.setVisible(self.height() >= LOW)
        lines = CHART_LINES if self.height() >= ROOMY else CHART_LINES - 2
        self.chart.setFixedHeight(lines * self.fontMetrics().height())

    # -- showing -------------------------------------------------------------------------------------

    def show_figures(self) -> None:
        if self._chunks.active:
            self._seen.refresh()

    def _show(self) -> None:
        board, ranking, other = self._board, self._chunks.ranking(), self._chunks.baseline()
        self._show_depth(ranking)
        style = 0 if board.current is None else board.style(board.current)
        base = None if other is None or board.baseline is None else board.style(board.baseline)
        budget, k = board.choice.reading.characters, self._chunks.k
        own, beside = (None if one is None else one.first(k) for one in (ranking, other))
        self._show_rows(own, beside, style)
        said = COMPUTING if ranking is None else ""
        if own is not None:
            twice = f", {count(own.twice)} twice" if own.twice else ""
            said = f"reads {counted(own.read, 'character')}{twice}"
        self.at_k.show_said(said, style, base)
        self._show_budget(ranking, other, budget, style, base)
        self._show_note(ranking, own)
        self._show_curves(ranking, other, own, beside, budget)
        self._show_costs(ranking, k)

    def _show_depth(self, ranking: ChunkRanking | None) -> None:
        many = 0 if ranking is None else len(ranking.chunks)
        k = self._chunks.k
        self._depth.set_text(f"k = {k:,} of {many:,}" if many else f"k = {k:,}")
        with QSignalBlocker(self.slider):
            self.slider.setRange(1, max(many, 1))
            self.slider.setValue(k)
        self.slider.setEnabled(many > 1)
        self.fewer.setEnabled(k > 1)
        self.more.setEnabled(k < many)

    def _show_rows(self, own: ReadText | None, other: ReadText | None, style: int) -> None:
        at_k = self._board.choice.reading.at_k
        for row, figure in zip(self.k_rows[:3], _figures(own, other, at_k), strict=True):
            row.show_figure(figure, style)
        passages = "" if own is None else f"of {counted(own.passages, 'passage')}"
        first, second = (None if one is None else Ratio(one.whole, one.passages) for one in (own, other))
        whole = FigureValue(at_k(INTACT), "intact in one chunk", passages, first, second, whole=True)
        self.k_rows[3].show_figure(whole, style)

    def _show_budget(
        self,
        ranking: ChunkRanking | None,
        other: ChunkRanking | None,
        budget: int,
        style: int,
        base: int | None,
    ) -> None:
        named = self._board.choice.reading.at_characters
        own, beside = (None if one is None else one.within(budget) for one in (ranking, other))
        for row, figure in zip(self.budget_rows, _figures(own, beside, named), strict=True):
            row.show_figure(figure, style)
        self._show_chips(budget)
        reach = "" if ranking is None else f"reads {ranking.reach_in_words(budget)}"
        self.at_budget.show_said(reach, style, base)

    def _show_note(self, ranking: ChunkRanking | None, own: ReadText | None) -> None:
        note = ""
        if ranking is not None and own is None:
            note = NOT_JUDGED if ranking.chunks else "This run has no chunk for this question."
        elif own is not None and not own.relevant:
            note = NO_RELEVANT
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _show_curves(
        self,
        ranking: ChunkRanking | None,
        other: ChunkRanking | None,
        own: ReadText | None,
        beside: ReadText | None,
        budget: int,
    ) -> None:
        curves = []
        board = self._board
        for run, ranked, read in ((board.current, ranking, own), (board.baseline, other, beside)):
            if run is not None and ranked is not None and read is not None and read.relevant:
                curves.append(ReadingCurve(board.name(run), board.style(run), ranked, read))
        self.chart.show_curves(curves, budget)

    def _show_costs(self, ranking: ChunkRanking | None, k: int) -> None:
        session = self._session
        document = session.document
        text = "" if document is None else document.text
        name = "" if document is None else document.id
        costs = () if ranking is None else ranking.costs(k)
        listed, lines = costs[:MOST_COSTS], []
        for number, cost in enumerate(listed, 1):
            title = session.catalogue.about(cost.document).title or cost.document
            here = cost.document == name
            words = place_in_words(cost, text) if here else self._words.get(cost, "")
            place = words if here or not words else f"{title}: {words}"
            lines.append(ChunkCostLine(number, cost, *cost_in_words(cost, title, place)))
        nothing = "Nothing: the chunks hold every relevant character, and no other."
        if ranking is None or self.note.text():
            nothing = "No costs to show."
        self.costs.show_lines(lines, len(costs), k, name, text, nothing=nothing)
        self._read_words([cost for cost in listed if cost.document != name])

    def _read_words(self, costs: Sequence[ChunkCost]) -> None:
        """Read the words at places in documents that are not open."""
        if set(costs) <= self._asked:
            return
        if self._reading is not None:
            self._reading.cancel()
        self._asked, collection = set(costs), self._session.project.collection

        def done(words: Mapping[ChunkCost, str]) -> None:
            self._reading, self._words = None, words
            self.show_figures()

        self._reading = self._tasks.run(lambda: places_in_words(collection, costs), done, of_articles=True)

    def _go_to(self, cost: ChunkCost) -> None:
        if cost.start is not None and cost.end is not None and cost.document == self._session.document_id:
            self.wanted.emit(SpanWanted(cost.start, cost.end))
        else:
            self.opened.emit(DocumentChosen(cost.document, cost.rank, cost.start))


def _figures(own: ReadText | None, other: ReadText | None, named: Callable[[str], str]) -> list[FigureValue]:
    """Return recall, precision and IoU of two runs; ``named`` returns the name of a measure."""
    values = [(None,) * 3 if one is None else (one.recall, one.precision, one.iou) for one in (own, other)]
    return [
        FigureValue(named(measure), name, "", first, second)
        for (measure, name), first, second in zip(NAMES.items(), *values, strict=True)
    ]
