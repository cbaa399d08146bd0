"""Controls of what is scored and seen: parameters of the measures, and the runs of a topic to choose from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice

from PySide6.QtCore import (
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QRegularExpression,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QRegularExpressionValidator,
    QResizeEvent,
)
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QSizePolicy, QSlider, QToolTip, QWidget

from inexview.core.judgements.runs import Run, Task
from inexview.core.measures import measure
from inexview.core.measures.measure import Parameters
from inexview.core.open_runs.scoring import key_of
from inexview.core.report import NOTHING, difference_text, parameter
from inexview.gui.inspect.run_scoring import FigureAsked, FigureClicks, FigureLevel, FigureOf, RunScoring
from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import (
    MARGIN,
    ElidedLabel,
    PaintedWidget,
    WhenSeen,
    derived,
    fair_share,
    in_row,
    label,
    still,
    write,
)

PRESETS = {
    preset.name: preset.parameters
    for preset in measure.PRESETS.values()
    if Task.BEST_IN_CONTEXT in preset.tasks
}
"""What the presets that know entry points say of one document's scores."""


def preset_of(parameters: Parameters) -> str | None:
    """Return the name of the preset that scores one document alike: by the same β, A or n, and T2I."""
    return next(
        (name for name, preset in PRESETS.items() if _of_document(preset) == _of_document(parameters)), None
    )


def _of_document(parameters: Parameters) -> tuple[float, float | None, int | None, str, int]:
    return parameters.beta, parameters.a, parameters.n, parameters.score, parameters.tolerance


def shown(parameters: Parameters) -> str:
    """Return what scores one document as people write it: ``β = 1, A = 0.1``, of T2I also its t."""
    form = f"A = {parameter(parameters.a or 0)}" if parameters.n is None else f"n = {parameter(parameters.n)}"
    reading = f", T2I[{parameters.tolerance}]" if parameters.score == "T2I" else ""
    return f"β = {parameter(parameters.beta)}, {form}{reading}"


class NumberField(QLineEdit):
    """A field for one number: typed and taken with Enter or on leaving, or stepped with ↑ and ↓."""

    changed = Signal(object)  # float

    def __init__(self, name: str) -> None:
        super().__init__()
        self._value = self._low = self._high = self._step = 1.0
        self.setAccessibleName(name)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]*[.,]?[0-9]*"), self))
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("000,000") + 16)
        self.editingFinished.connect(self._take)

    @property
    def value(self) -> float:
        """The number last taken."""
        return self._value

    def set_limits(self, low: float, high: float, step: float) -> None:
        """Say what may be typed, and how far one key press goes."""
        self._low, self._high, self._step = low, high, step

    def show_value(self, value: float) -> None:
        """Show a number without telling anybody."""
        self._value = value
        self.setText(f"{value:.10g}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: self._step, Qt.Key.Key_Down: -self._step}
        if event.key() in steps:
            stepped = math.floor(self._value / self._step + 1e-9) * self._step + steps[Qt.Key(event.key())]
            self._set(round(stepped if stepped > 0 else self._low, 10))
        elif event.key() != Qt.Key.Key_Escape or not self.let_go():  # where no window has a shortcut for it
            super().keyPressEvent(event)

    def let_go(self) -> bool:
        """Take back what was typed; False where nothing was."""
        typed = self.isModified()
        if typed:
            self.show_value(self._value)
        return typed

    def _take(self) -> None:
        try:
            typed = float(self.text().replace(",", "."))
        except ValueError:
            typed = self._value
        self._set(typed)

    def _set(self, value: float) -> None:
        kept = min(max(value, self._low), self._high)
        different = kept != self._value
        self.show_value(kept)
        if different:
            self.changed.emit(kept)


class LogSlider(QSlider):
    """A slider over several powers of ten: each step multiplies."""

    STEPS = 200
    moved = Signal(object)  # float

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        still(self)
        self.setRange(0, self.STEPS)
        self.setPageStep(20)
        self._low, self._high = 0.01, 1.0
        self.valueChanged.connect(lambda at: self.moved.emit(self._value(at)))

    def set_limits(self, low: float, high: float) -> None:
        """Say what the two ends stand for."""
        self._low, self._high = low, high

    def show_value(self, value: float) -> None:
        """Move to a value without telling anybody; one beyond the ends goes to the end."""
        part = math.log(min(max(value, self._low), self._high) / self._low) / math.log(self._high / self._low)
        with QSignalBlocker(self):
            self.setValue(round(part * self.STEPS))

    def _value(self, at: int) -> float:
        value = self._low * (self._high / self._low) ** (at / self.STEPS)
        return float(f"{value:.2g}")


class BetaControl(QWidget):
    """β [1]."""

    changed = Signal(object)  # float

    def __init__(self) -> None:
        super().__init__()
        named = QLabel("β")
        self.field = NumberField("β, weight of recall against precision in F(d)")
        self.field.set_limits(0.01, 100, 0.25)
        self.field.setToolTip("β = 1 weighs precision and recall alike; below 1 precision counts more")
        named.setBuddy(self.field)
        self.note = ElidedLabel(role="muted")
        in_row(named, self.field, (self.note, 1), on=self, margins=0)
        self.field.changed.connect(self._on_changed)

    def show_value(self, beta: float) -> None:
        """Show a value without telling anybody."""
        self.field.show_value(beta)
        self._explain(beta)

    def _on_changed(self, beta: float) -> None:
        self._explain(beta)
        self.changed.emit(beta)

    def _explain(self, beta: float) -> None:
        if beta == 1:
            self.note.set_text("P and R weigh alike")
        else:
            self.note.set_text("precision weighs more" if beta < 1 else "recall weighs more")


class ToleranceControl(QWidget):
    """t [300]."""

    changed = Signal(object)  # int

    def __init__(self) -> None:
        super().__init__()
        named = QLabel("t")
        self.field = NumberField("t, irrelevant characters after which the reader of T2I stops")
        self.field.set_limits(1, 10_000_000, 100)
        self.field.setToolTip("The reader of T2I stops at the t-th irrelevant character")
        named.setBuddy(self.field)
        note = label("irrelevant characters", "muted")
        in_row(named, self.field, (note, 1), on=self, margins=0)
        self.field.changed.connect(lambda value: self.changed.emit(round(value)))

    def show_value(self, tolerance: int) -> None:
        """Show a value without telling anybody."""
        self.field.show_value(tolerance)


class EntryControl(QWidget):
    """A [0.1] ──●──── ☐ window n: the form of s(x,b) and its one parameter."""

    changed = Signal(object)  # tuple[float | None, int | None]: a, n

    A_LIMITS = (0.01, 1.0)
    N_LIMITS = (10, 10_000)

    def __init__(self) -> None:
        super().__init__()
        self._a, self._n = 0.1, 1000
        self.label = QLabel("A")
        self.field = NumberField("A")
        self.slider = LogSlider()
        self.window_form = QCheckBox("window n")
        self.window_form.setToolTip("Score by a window of n characters around the best entry point, not by A")
        self.label.setBuddy(self.field)
        self.slider.setMinimumWidth(24)
        in_row(self.label, self.field, (self.slider, 1), self.window_form, on=self, margins=0)
        self.field.changed.connect(self._take)
        self.slider.moved.connect(self._take)
        self.window_form.toggled.connect(self._on_form)
        self.show_values(0.1, None)

    def show_values(self, a: float | None, n: int | None) -> None:
        """Show values without telling anybody; the form not in use keeps its value for later."""
        self._a = self._a if a is None else a
        self._n = self._n if n is None else n
        with QSignalBlocker(self.window_form):
            self.window_form.setChecked(n is not None)
        self._show()

    def values(self) -> tuple[float | None, int | None]:
        """Return A and n, one of them None."""
        return (None, self._n) if self.window_form.isChecked() else (self._a, None)

    def _on_form(self) -> None:
        self._show()
        self.changed.emit(self.values())

    def _take(self, value: float) -> None:
        if self.window_form.isChecked():
            self._n = max(round(value), 1)
        else:
            self._a = value
        self._show()
        self.changed.emit(self.values())

    def _show(self) -> None:
        windowed = self.window_form.isChecked()
        name = "n" if windowed else "A"
        meaning = (
            "n, characters around the best entry point"
            if windowed
            else "A, how far from the best entry point counts"
        )
        self.label.setText(name)
        for widget in (self.field, self.slider):
            widget.setAccessibleName(meaning)
            widget.setToolTip(meaning)
        self.field.set_limits(*((1, 10_000_000, 100) if windowed else (0.0001, 100, 0.05)))
        self.field.show_value(self._n if windowed else self._a)
        self.slider.set_limits(*(self.N_LIMITS if windowed else self.A_LIMITS))
        self.slider.show_value(self._n if windowed else self._a)


ACROSS, NARROWEST = 8, 42  # cells in a row at most, and pixels of one
OTHERS = "The others are in the table of all topics"
ROWS = 3  # of more runs the foreground, the baseline and as many others as find room have cells
CELL, HEAD = 44, 19  # pixels of a cell's height, and of those with its number and shape
LINE = 24
ROUND = 7  # pixels of the outer corners
SIGN, GAP = 14, 6  # of the line below: for a run's shape, and between its parts
BETWEEN = ("against", "–")
"""What is between the two runs, with room and without."""
CENTER = Qt.AlignmentFlag.AlignCenter
MIDDLE = Qt.AlignmentFlag.AlignVCenter


class RunPicker(PaintedWidget):
    """A cell for each run, and a line that says how the two compare in this topic."""

    chosen = Signal(object)  # Run
    baselined = Signal(object)  # Run

    def __init__(self, board: RunScoring) -> None:
        super().__init__()
        self._board = board
        self._topic = ""
        self._values: dict[Run, float | None] = {}
        self._seen = WhenSeen(self, self._show)
        self._scratch: tuple[float | None] | None = None
        self._painted: tuple[tuple[object, ...], ...] = ()  # how each cell looked when it was shown last
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
        """Return all that decides what a run's cell looks like, its value last."""
        board = self._board
        own = run is board.current
        hollow = own and self._scratch is not None
        is_base, stale = run is board.baseline, board.is_stale(run)
        return run, board.style(run), place, own, hollow, is_base, stale, self.value(run)

    def _line_look(self) -> tuple[object, ...]:
        """Return all that decides what the line under the cells looks like."""
        board = self._board
        pair = [(run, board.style(run)) for run in (board.current, board.baseline) if run is not None]
        return *pair, self._scratch is None, self.lead

    @property
    def lead(self) -> str:
        """The difference of the two runs; none while only one of them has figures of now."""
        board = self._board
        first, second = board.current, board.baseline
        if first is None or second is None or board.is_stale(first) is not board.is_stale(second):
            return NOTHING
        one, other = (self._values.get(run) for run in (first, second))
        if self._scratch is not None:
            one = self._scratch[0]
        return NOTHING if one is None or other is None else difference_text(one - other, 4)

    def show_scratch(self, scratch: tuple[float | None] | None) -> None:
        """Show the scratch copy's value in place of that of the run in the foreground, and a hollow shape."""
        if scratch != self._scratch:
            self._scratch = scratch
            self.show_all()

    def nth(self, number: int) -> Run | None:
        """Return the run of a cell, counted from 1."""
        runs = self._board.runs
        return runs[number - 1] if 0 < number <= len(runs) else None

    def value(self, run: Run) -> str:
        """Return what a run has in this topic, as it is shown."""
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
        """How many cells are side by side."""
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
        """Where the line of the pair is, without the cells' edge."""
        return QRect(0, self._rows * CELL + 1, self.width(), self.height())

    def cell(self, at: int) -> QRectF:
        return self._places((at,))[0]

    def _places(self, numbers: Iterable[int]) -> list[QRectF]:
        """Return where the cells of these numbers, from 0, are."""
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
        """Let every value be asked for; a click on a run that is not in front first brings it there."""
        clicks.watch(self, self.figure_at, clicked_at=self._clicked_at)

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        """Return the value at a point, or below the cells the difference of the two runs."""
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
        """Paint a cell's edges, and what tells the foreground and the baseline."""
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
            middle, end = foot.center().y(), foot.right() - 2  # half a dot goes further
            painter.drawLine(QPointF(foot.left(), middle), QPointF(end, middle))
        painter.restore()

    def _edge(self, at: int) -> QPainterPath:
        """Return a cell's outline, round where no other cell is next to it."""
        across, last = self._across, len(self.celled) - 1
        left, right = at % across == 0, at % across == across - 1 or at == last
        top, bottom = at < across, at + across > last
        cell, path = self.cell(at), QPainterPath()
        ends = [round(end) + 0.5 for end in (cell.left(), cell.right())]  # one line between two cells
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
        """Paint a run's number and shape."""
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
        for bold in fonts:  # another font costs more than a text
            painter.setFont(fonts[bold])
            for _, stale, cell, run in (one for one in looked if one[0] is bold):
                painter.setPen(pens[stale])
                painter.drawText(cell.adjusted(0, 16, 0, 0), CENTER, self.value(run))

    @property
    def _takes_two_lines(self) -> bool:
        """Whether the names of the pair have no room in one line, beside what is between and after them."""
        board, metrics = self._board, QFontMetricsF(derived(self.font(), factor=0.95, bold=True))
        pair = [run for run in (board.current, board.baseline) if run is not None]
        wide = sum(metrics.horizontalAdvance(board.name(run)) + SIGN + GAP for run in pair)
        around = metrics.horizontalAdvance(f"{BETWEEN[-1]}{self.lead}") + 3 * GAP + 2 * MARGIN
        return len(pair) > 1 and wide + around > self.width()

    def _paint_two_lines(self, painter: QPainter, first: Run, second: Run) -> None:
        """Name the run in front with the difference, and below it the run that it is against."""
        board, theme, top = self._board, self.theme, self._rows * CELL + 3
        bold, small = derived(self.font(), factor=0.95, bold=True), derived(self.font(), factor=0.92)
        metrics, against = QFontMetricsF(bold), QFontMetricsF(small).horizontalAdvance(BETWEEN[0]) + GAP
        right = self.width() - MARGIN
        for at, (run, left) in enumerate(((first, MARGIN), (second, MARGIN + against))):
            line = QRectF(left, top + at * LINE, right - left, LINE)
            hollow = self._scratch is not None and not at
            color = run_color(theme, board.style(run))
            shape = QRectF(line.left(), line.center().y() - 5, 9, 9)
            paint_run_shape(painter, board.style(run), shape, color, hollow=hollow)
            room = line.adjusted(SIGN, 0, 0 if at else -metrics.horizontalAdvance(self.lead) - GAP, 0)
            write(painter, room, board.name(run), bold, color, shorten=Qt.TextElideMode.ElideMiddle)
        whole = QRectF(MARGIN, top, right - MARGIN, LINE)
        write(painter, whole, self.lead, bold, theme.color("text"), Qt.AlignmentFlag.AlignRight | MIDDLE)
        write(painter, whole.translated(0, LINE), BETWEEN[0], small, theme.color("muted"))

    def _paint_line(self, painter: QPainter) -> None:
        """Say in words who is against whom, and what the difference is here."""
        board, theme = self._board, self.theme
        first, second = board.current, board.baseline
        if first is None or second is None or first is second:
            return
        if self._takes_two_lines:
            self._paint_two_lines(painter, first, second)
            return
        top = self._rows * CELL + 3
        bold = derived(self.font(), factor=0.95, bold=True)
        painter.setFont(bold)
        painter.setPen(theme.color("text"))
        room = QRectF(MARGIN, top, self.width() - 2 * MARGIN, LINE)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | MIDDLE, self.lead)
        metrics, small = QFontMetricsF(bold), derived(self.font(), factor=0.92)
        names = [metrics.horizontalAdvance(board.name(run)) + 2 for run in (first, second)]
        left = room.width() - metrics.horizontalAdvance(self.lead) - 2 * (SIGN + GAP) - GAP
        words = {word: QFontMetricsF(small).horizontalAdvance(word) + GAP for word in BETWEEN}
        between = next((word for word, wide in words.items() if sum(names) + wide <= left), BETWEEN[-1])
        x = float(MARGIN)
        for at, run in enumerate((first, second)):
            if at:
                painter.setPen(theme.color("muted"))
                painter.setFont(small)
                painter.drawText(QRectF(x, top, words[between], LINE), MIDDLE, between)
                x += words[between]
            color = run_color(theme, board.style(run))
            hollow = self._scratch is not None and not at
            shape = QRectF(x, top + LINE / 2 - 5, 9, 9)
            paint_run_shape(painter, board.style(run), shape, color, hollow=hollow)
            painter.setFont(bold)
            painter.setPen(color)
            wide = min(names[at], fair_share(names, at, left - words[between]))
            name = metrics.elidedText(board.name(run), Qt.TextElideMode.ElideMiddle, wide)
            painter.drawText(QRectF(x + SIGN, top, wide, LINE), MIDDLE, name)
            x += SIGN + wide + GAP


def _painted_part(cell: QRectF) -> QRect:
    """Return what a cell is painted on: its edges too, which it shares with its neighbours."""
    return cell.toAlignedRect().adjusted(0, 0, 1, 1)


def _value_part(cell: QRectF) -> QRect:
    """Return where the value is in a cell: below number and shape, within the edges."""
    return cell.adjusted(2, HEAD, -2, -5).toAlignedRect()
