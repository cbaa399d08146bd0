"""Runs of a sweep over all topics: a measure over a parameter, differences from the best, hard topics."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QBoxLayout, QGridLayout, QLabel, QRadioButton, QWidget

from inexview.core.errors import InexviewError
from inexview.core.evaluation.charts import Chart, ChartSeries
from inexview.core.evaluation.run_parameters import RunParameters, varying
from inexview.core.evaluation.significance import written_p
from inexview.core.evaluation.sweeps import (
    FEWEST,
    TOO_FEW,
    WAYS,
    Sweep,
    TopicDifficulty,
    difficulty_by_topic,
    lead_said,
    sweep_chart,
    sweep_of,
)
from inexview.core.judgements.runs import Run
from inexview.core.judgements.subsets import in_topics
from inexview.core.open_runs.scoring import are_same
from inexview.core.progress import Progress
from inexview.core.report import difference_text, figure_text
from inexview.core.wording import counted, percent
from inexview.gui.charts.chart_painter import ChartPainter, IntervalBar
from inexview.gui.inspect.run_scoring import RunScoring
from inexview.gui.look.panels import (
    Index,
    MenuButton,
    PaintedPlaces,
    PaintedTable,
    RowCells,
    RowHeader,
    RowTableModel,
    ScrollingPanel,
    add_choice,
)
from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import (
    CUT,
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    KeyButton,
    PaintedChart,
    button,
    derived,
    explain,
    in_column,
    in_row,
    label,
    paint_focus,
    write,
)
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import LongTask, Tasks

NO_PARAMETERS = (
    "No two ids of the runs differ by a number alone, such as k1=0.9 and k1=1.2. Give the parameters as a "
    "table: File ▸ Runs ▸ Parameters of runs…"
)
OPEN_MORE = f"{TOO_FEW[0].upper()}{TOO_FEW[1:]}: open further ones, or compare these as a pair."
NOT_SCORED = "The runs are still being scored: press V again when their figures are complete."
COMPUTING = "computing…"
SIDE = 20
POINT, RING = 8.0, 8.0  # pixels
ROW = 25


class SweepFinder(QObject):
    """Compares the scored runs with the best of them in a background thread, once per set of figures."""

    changed = Signal()

    def __init__(self, board: RunScoring, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._tasks = tasks
        self._asked: tuple[object, ...] = ()
        self._task: LongTask | None = None
        self.runs: tuple[Run, ...] = ()
        """The runs of the sweep by index."""
        self.found: Sweep | None = None
        self.problem = ""
        self._way = 0

    @property
    def parameters(self) -> RunParameters:
        """The parameters of the scored runs."""
        board = self._board
        settings = zip(board.runs, board.named.parameters.settings, strict=True)
        return varying([own for run, own in settings if board.figures.of(run)])

    @property
    def source(self) -> str:
        """Where the parameters come from."""
        table = self._board.table
        return "their ids" if table is None else table.path.name

    @property
    def offered(self) -> bool:
        """Whether the runs are a sweep."""
        return not self.lacking

    @property
    def lacking(self) -> str:
        """Why the runs are not a sweep, or not yet; "" if they are."""
        scored, runs = self._scored(), self._board.runs
        if len(scored) >= FEWEST and self.parameters.numeric:
            return ""
        if len(runs) < FEWEST:
            return OPEN_MORE
        return NOT_SCORED if len(scored) < len(runs) and self._board.stale else NO_PARAMETERS

    def _scored(self) -> tuple[Run, ...]:
        figures = self._board.figures
        return tuple(run for run in self._board.runs if figures.of(run))

    def ask(self) -> None:
        """Start the comparison of the current runs and figures unless it is available."""
        board, runs = self._board, self._scored()
        scores = tuple(board.figures.scores[run] for run in runs)
        pairs = board.pairs.comparison()
        compared = pairs if pairs is not None and pairs.is_tested else None
        asked = (*scores, board.figures.deciding, board.baseline, compared)
        if are_same(asked, self._asked):
            return
        self._asked = asked
        self._stop()
        if runs != self.runs:  # otherwise the old result and the focus stay until the new result is available
            self.found = None
        self.runs, self.problem = runs, ""
        if not self.offered:
            self.found, self.problem = None, self.lacking
            return
        if compared is None:
            return  # the board reports when all pairs are tested
        parameters, measure = self.parameters, board.figures.deciding
        baseline = runs.index(board.baseline) if board.baseline in runs else None

        def work(progress: Progress) -> Sweep:
            return sweep_of(
                scores,
                measure,
                parameters=parameters,
                baseline=baseline,
                compared=compared,
                progress=progress,
            )

        self._task = self._tasks.run_long("Comparing with the best run", work, self._take, self._fail)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def count_by(self, way: int) -> None:
        """Choose the way of counting by which runs are worse, in chart, text and saved tables."""
        self._way = way
        if self.found is not None and self.found.way != way:
            self.found = replace(self.found, way=way)
            self.changed.emit()

    def _take(self, found: Sweep) -> None:
        self._task, self.found = None, replace(found, way=self._way)
        self.changed.emit()

    def _fail(self, error: Exception) -> None:
        self._task, self.problem = None, str(error)
        self.changed.emit()


class SweepChart(PaintedChart):
    """The measure over a parameter; arrow keys walk its points, a click selects a run."""

    chosen = Signal(int)  # index of a run
    baselined = Signal(int)
    told = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.chart: Chart | None = None
        self._sweep: Sweep | None = None
        self._pointed: tuple[int, int] | None = None  # a series, and the index of a value
        self._hidden = frozenset[str]()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(320, 200)

    def sizeHint(self) -> QSize:
        return QSize(680, 340)

    def show_chart(self, chart: Chart | None, sweep: Sweep | None) -> None:
        """Show a chart; the selected point stays if the points are the same."""
        if [one.names for one in (chart.series if chart else ())] != [
            one.names for one in (self.chart.series if self.chart else ())
        ]:
            self._pointed = None
        self.chart, self._sweep = chart, sweep
        self.setAccessibleName("" if chart is None else chart.title)
        self.setAccessibleDescription("" if chart is None else chart.caption)
        self.update()

    def show_listed(self, hidden: frozenset[str]) -> None:
        """Paint the points of runs that the filter hides in grey, so that the curve stays whole."""
        if hidden != self._hidden:
            self._hidden = hidden
            self.update()

    def _painter_of(self, chart: Chart) -> ChartPainter:
        return ChartPainter(chart, QRectF(self.rect()), self.theme, self.font(), titled=False)

    # -- the points ----------------------------------------------------------------------------------

    def run_at(self, series: int, at: int) -> int:
        """Return the index of the run of a point."""
        assert self.chart is not None
        assert self._sweep is not None
        return self._sweep.comparison.runs.index(self.chart.series[series].names[at])

    def point_of(self, run: int) -> tuple[int, int] | None:
        """Return the point of a run; None if another run is better at the same value."""
        if self.chart is None or self._sweep is None:
            return None
        name = self._sweep.comparison.runs[run]
        found = ((s, one.names.index(name)) for s, one in enumerate(self.chart.series) if name in one.names)
        return next(found, None)

    def place_of(self, run: int) -> QPointF | None:
        """Return the position of the point of a run."""
        point = self.point_of(run)
        if point is None or self.chart is None:
            return None
        series = self.chart.series[point[0]]
        return self._painter_of(self.chart).at(float(series.x[point[1]]), float(series.y[point[1]]))

    @property
    def said(self) -> str:
        """The text about the selected point, "" if none."""
        if self._pointed is None or self._sweep is None:
            return ""
        return point_said(self._sweep, self.run_at(*self._pointed))

    def _point(self, pointed: tuple[int, int] | None) -> None:
        if pointed != self._pointed:
            self._pointed = pointed
            said = self.said
            self.told.emit(said)
            self.setAccessibleDescription(said or ("" if self.chart is None else self.chart.caption))
            self.update()

    def _nearest(self, place: QPointF) -> tuple[int, int] | None:
        found = None if self.chart is None else self._painter_of(self.chart).nearest(place)
        if found is None or self.chart is None:
            return None
        return self.chart.series.index(found[0]), found[1]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._nearest(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._point(self._nearest(event.position()))
            self._choose(compare=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    def _choose(self, *, compare: bool) -> None:
        if self._pointed is not None:
            (self.baselined if compare else self.chosen).emit(self.run_at(*self._pointed))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk with the arrow keys; Return selects the run, Shift+Return makes it the baseline."""
        steps = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }
        key = Qt.Key(event.key())
        if key in steps and self.chart is not None and self._sweep is not None:
            self._walk(*steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._pointed is not None:
            self._choose(compare=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def _walk(self, lines: int, values: int) -> None:
        assert self.chart is not None
        assert self._sweep is not None
        if self._pointed is None:
            self._point(self.point_of(self._sweep.best))
            return
        every = self.chart.series
        series = min(max(self._pointed[0] + lines, 0), len(every) - 1)
        at = min(max(self._pointed[1] + values, 0), len(every[series].x) - 1)
        self._point((series, at))

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self.theme.color("page"))
        if self.chart is None or self._sweep is None:
            return
        laid = self._painter_of(self.chart)
        self._paint_worse(painter, laid, self._sweep)
        laid.paint_axes(painter)
        laid.paint_curves(painter)
        for series in self.chart.series:
            self._paint_points(painter, laid, series)
        laid.paint_labels(painter)
        self._paint_rings(painter, laid, self._sweep)
        if self._pointed is not None:
            series = self.chart.series[self._pointed[0]]
            laid.paint_pointed(painter, series, self._pointed[1])
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self.theme)

    def _paint_worse(self, painter: QPainter, laid: ChartPainter, sweep: Sweep) -> None:
        """Shade the range of runs that are significantly worse than the best."""
        plot, line = laid.plot, sweep.line
        font = derived(self.font(), factor=0.88, bold=True)
        high = QFontMetricsF(font).height()
        room = QRectF(plot.left() + 8, plot.bottom() - high - 4, plot.width() - 16, high)
        if sweep.way:
            said = f"hollow: significantly worse ({sweep.counting.name})"
            write(painter, room, said, font, self.theme.color("text"), LEFT, shorten=CUT)
        if not math.isfinite(line) or line <= laid.chart.y.low:
            return
        top = laid.at(laid.chart.x.low, min(line, laid.chart.y.high)).y()
        shade = QColor(self.theme.color("line"))
        shade.setAlphaF(0.4)
        below = QRectF(plot.left(), top, plot.width(), plot.bottom() - top)
        painter.fillRect(below, shade)
        painter.setPen(QPen(self.theme.color("text"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(plot.left(), top), QPointF(plot.right(), top))
        said = f"below {figure_text(line)}: significantly worse ({figure_text(sweep.least)} lower, HSD)"
        if below.height() > high + 4:
            write(painter, room, said, font, self.theme.color("text"), LEFT, shorten=CUT)

    def _paint_points(self, painter: QPainter, laid: ChartPainter, series: ChartSeries) -> None:
        color, grey, page = laid.color(series), self.theme.color("rest"), self.theme.color("page")
        worse = set[str]() if self._sweep is None or self._sweep.way == 0 else self._sweep.named_worse
        for point, name in zip(laid.points(series), series.names, strict=True):
            square = QRectF(point.x() - POINT / 2, point.y() - POINT / 2, POINT, POINT)
            shade = grey if name in self._hidden else color
            hollow = name in worse
            paint_run_shape(painter, series.style, square, page if hollow else shade)
            if hollow:
                paint_run_shape(painter, series.style, square, shade, hollow=True)

    def _paint_rings(self, painter: QPainter, laid: ChartPainter, sweep: Sweep) -> None:
        """Ring the best run, and the baseline with a dashed ring, and label them with their means."""
        rings = [(sweep.best, "best", Qt.PenStyle.SolidLine, -1)]
        if sweep.baseline is not None and sweep.baseline != sweep.best:
            rings.append((sweep.baseline, "baseline", Qt.PenStyle.DashLine, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        font = derived(self.font(), factor=0.88, bold=True)
        metrics = QFontMetricsF(font)
        for run, name, style, side in rings:
            place = self.place_of(run)
            if place is None:
                continue
            painter.setPen(QPen(self.theme.color("text"), 1.5, style))
            painter.drawEllipse(place, RING, RING)
            said = f"{name} {figure_text(float(sweep.comparison.means[run]))}"
            wide = metrics.horizontalAdvance(said) + 4
            left = min(max(place.x() - wide / 2, laid.plot.left()), laid.plot.right() - wide)
            top = place.y() + side * (RING + 3) - (metrics.height() if side < 0 else 0)
            write(
                painter, QRectF(left, top, wide, metrics.height()), said, font, self.theme.color("text"), LEFT
            )


def point_said(sweep: Sweep, run: int) -> str:
    """Return a line on a run: its parameters, its mean, and its difference from the best."""
    comparison = sweep.comparison
    mean = float(comparison.means[run])
    said = f"{sweep.named(run)}: {comparison.measure} {figure_text(mean)}"
    if run == sweep.best:
        return f"{said}, the best"
    way = sweep.counting
    less = difference_text(mean - float(comparison.means[sweep.best]), 4)
    shown = "significantly worse" if run in way.worse else "not significantly worse"
    return f"{said}, {less} from the best, {shown} (p {written_p(float(way.p[run]))}, {way.name})"


# Topics by difficulty: a table with the spread of all runs on one scale.

TOPIC, MEAN, DEVIATION, INSIDE, SPREAD, BEST = range(6)
HEADINGS = ("topic", "mean", "s.d.", "inside", "all runs", "best with")
SPREADS = DEVIATION, INSIDE, SPREAD  # columns that sort in descending order
FIGURE, LEAST_TITLE = 62, 150  # pixels of a column of figures, and of the titles beside the spread
LOW_TITLE = 560  # width of the page in pixels below which the choosers are below its title


class SweepTopicModel(RowTableModel):
    """The topics of a sweep, sorted by a column."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.sweep: Sweep | None = None
        self.titles: dict[str, str] = {}
        self._rows: list[TopicDifficulty] = []
        self._by, self._falling = MEAN, False
        self.groups: dict[str, list[int]] = {}
        """The indices of the queries of each topic, if topics are shown and have several queries."""

    @property
    def rows(self) -> Sequence[TopicDifficulty]:
        return self._rows

    @property
    def headings(self) -> Sequence[str]:
        return HEADINGS

    def show(
        self, sweep: Sweep | None, titles: dict[str, str], groups: dict[str, list[int]] | None = None
    ) -> None:
        self.beginResetModel()
        self.sweep, self.titles, self.groups = sweep, titles, groups or {}
        difficulty = () if sweep is None else sweep.difficulty
        self._rows = list(difficulty_by_topic(sweep, groups) if sweep is not None and groups else difficulty)
        self._sort()
        self.endResetModel()

    def sort_by(self, column: int) -> None:
        """Sort by a column; reverse the order if it is sorted by it already."""
        self.beginResetModel()
        self._falling = not self._falling if column == self._by else column in SPREADS
        self._by = column
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        keys: dict[int, Callable[[TopicDifficulty], object]] = {
            TOPIC: lambda one: one.topic,
            MEAN: lambda one: one.mean,
            DEVIATION: lambda one: one.deviation,
            INSIDE: lambda one: one.inside,
            SPREAD: lambda one: one.largest - one.least,
            BEST: self.best_with,
        }
        self._rows.sort(key=keys[self._by], reverse=self._falling)  # type: ignore[arg-type]  # of one column

    def best_with(self, one: TopicDifficulty) -> str:
        """Return the parameters of the best run on a topic."""
        return "" if self.sweep is None else self.sweep.named(one.best)

    def named(self, one: TopicDifficulty) -> str:
        several = f" · {one.queries} queries" if one.queries > 1 else ""
        return f"{self.titles.get(one.topic) or one.topic}{several}"

    def query_of(self, row: int) -> str:
        """Return the topic that a row opens: of several queries the first."""
        topic = self._rows[row].topic
        queries = self.groups.get(topic)
        return topic if queries is None or self.sweep is None else self.sweep.comparison.topics[queries[0]]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        one = self._rows[index.row()]
        spread = f"{figure_text(one.least)} to {figure_text(one.largest)}"
        texts = (
            self.named(one),
            figure_text(one.mean),
            figure_text(one.deviation),
            figure_text(one.inside),
            spread,
            self.best_with(one),
        )
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == INSIDE:
            return "Standard deviation between the queries of the topic, averaged over the runs"
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == SPREAD:
            half = f"{figure_text(one.lower)} to {figure_text(one.upper)}"
            return f"all runs {spread}, the middle half {half}, the best run {figure_text(one.of_best)}"
        return texts[index.column()]


class SweepTopicCells(RowCells):
    """Paints topics: the range of all runs as a line, their middle half as a bar, mean and best run."""

    def __init__(self, model: SweepTopicModel) -> None:
        super().__init__()
        self._model = model

    def paint(self, painter: QPainter, places: PaintedPlaces) -> None:
        model, theme = self._model, self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places.paint_selected(painter, theme)
        places.paint_lines(painter, theme)
        plain, bold = derived(places.font), derived(places.font, bold=True)
        text, muted = theme.color("text"), theme.color("muted")
        rows = model.rows
        highest = max((one.largest for one in rows), default=0.0) or 1.0
        for row in places.rows:
            one = rows[row]
            cells = [places.cell(row, column).adjusted(6, 0, -6, 0) for column in range(len(HEADINGS))]
            font = bold if row in places.selected else plain
            write(painter, cells[TOPIC], model.named(one), font, text, LEFT, shorten=CUT)
            write(painter, cells[MEAN], figure_text(one.mean), bold, text, RIGHT)
            write(painter, cells[DEVIATION], figure_text(one.deviation), plain, muted, RIGHT)
            if model.groups:
                write(painter, cells[INSIDE], figure_text(one.inside), plain, muted, RIGHT)
            write(painter, cells[BEST], model.best_with(one), plain, muted, LEFT, shorten=CUT)
            if places.columns[SPREAD][1]:
                self._paint_spread(painter, cells[SPREAD], one, highest)

    def _paint_spread(self, painter: QPainter, cell: QRectF, one: TopicDifficulty, highest: float) -> None:
        theme, y = self.theme, cell.center().y()

        def at(value: float) -> float:
            return cell.left() + 6 + (cell.width() - 12) * value / highest

        painter.setPen(QPen(theme.color("muted"), 1))
        painter.drawLine(QPointF(at(one.least), y), QPointF(at(one.largest), y))
        painter.fillRect(
            QRectF(at(one.lower), y - 4, max(at(one.upper) - at(one.lower), 1), 8), theme.color("rest")
        )
        painter.fillRect(QRectF(at(one.mean) - 0.75, y - 6, 1.5, 12), theme.color("text"))
        if not math.isnan(one.of_best):
            painter.setPen(QPen(run_color(theme, 0), 1.5))
            painter.setBrush(theme.color("page"))
            painter.drawEllipse(QPointF(at(one.of_best), y), 3.5, 3.5)
            painter.setBrush(Qt.BrushStyle.NoBrush)


class SweepTopics(PaintedTable):
    """The table of topics; Enter or a double click opens one, a click on a heading sorts."""

    opened = Signal(object)  # topic

    def __init__(self, model: SweepTopicModel) -> None:
        super().__init__("Topics by difficulty", SweepTopicCells(model), height=ROW)
        self._model = model
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header = RowHeader(self)
        self.header.setDefaultAlignment(LEFT)
        self.setHorizontalHeader(self.header)
        self.setModel(model)
        self.header.sectionClicked.connect(model.sort_by)
        self.doubleClicked.connect(lambda index: self.opened.emit(model.query_of(index.row())))
        model.modelReset.connect(self.fit)

    @property
    def chosen(self) -> str | None:
        """The topic of the current row."""
        index = self.currentIndex()
        return self._model.query_of(index.row()) if index.isValid() else None

    def fit(self) -> None:
        """Set the widths of the columns; titles take the space of the spread where they would be cut."""
        width = self.viewport().width()
        best = min(max(round(width * 0.2), 90), 170)
        self.setColumnHidden(INSIDE, not self._model.groups)
        figures = (MEAN, DEVIATION, INSIDE)[: 3 if self._model.groups else 2]
        rest = width - best - len(figures) * FIGURE
        spread = max(round(rest * 0.45), 90)
        for column, wide in (*((one, FIGURE) for one in figures), (SPREAD, spread), (BEST, best)):
            self.setColumnWidth(column, wide)
        narrow = rest - spread < LEAST_TITLE
        self.setColumnHidden(SPREAD, narrow)
        self.setColumnWidth(TOPIC, max(rest - (0 if narrow else spread), 90))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen is not None:
            self.opened.emit(self.chosen)
        else:
            super().keyPressEvent(event)


# The page and its panel.


class SweepPage(QWidget):
    """Heading, chart and topics of a sweep."""

    def __init__(self, session: Session, finder: SweepFinder, back: QAction, swap: QAction) -> None:
        super().__init__()
        self._session = session
        self._finder = finder
        self._axes: tuple[str, str | None] = "", None
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = ElidedLabel(role="title")
        self.about = ElidedLabel(role="muted")
        self.told = ElidedLabel(role="muted")
        self.over, self.apart = MenuButton("Parameter along the chart"), MenuButton("Parameter of the lines")
        self.back, self.swap = button("pairs", "plain"), button("swap", "plain")
        for made, action in ((self.back, back), (self.swap, swap)):
            explain(made, action)
            made.clicked.connect(action.trigger)
        self.chart = SweepChart()
        self.heading = Caption("Topics by difficulty")
        self.grouping = button("", "plain")
        self.grouping.clicked.connect(self._turn_grouping)
        self._grouped = True  # if topics have several queries
        self.model = SweepTopicModel(self)
        self.table = SweepTopics(self.model)
        self.nothing = label("", "muted", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._head.addWidget(self.title, 1)
        self._head.addLayout(in_row(self.over, self.apart, self.swap, self.back, Filler(0)))
        in_column(
            self._head,
            self.about,
            self.nothing,
            (self.chart, 3),
            self.told,
            in_row((self.heading, 1), self.grouping, margins=0),
            (self.table, 4),
            on=self,
            margins=(SIDE, 12, SIDE, 0),
            spacing=6,
        )
        self.chart.told.connect(self._tell)
        finder.changed.connect(self.show_all)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the choosers below the title where they would cut it."""
        super().resizeEvent(event)
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._head.setDirection(down if self.width() < LOW_TITLE else across)

    def _tell(self, said: str) -> None:
        self.told.set_text(
            said or "← → ↑ ↓ select a point · Enter makes its run current · Shift+click makes it the baseline"
        )

    def show_all(self) -> None:
        """Show the sweep of the open runs, or that it is being computed."""
        finder = self._finder
        finder.ask()
        sweep = finder.found
        self.nothing.setVisible(sweep is None)
        for part in (self.chart, self.told, self.heading, self.table, self.over, self.apart, self.swap):
            part.setVisible(sweep is not None)
        self.grouping.hide()
        if sweep is None:
            self.title.set_text("Sweep")
            self.about.set_text("")
            self.nothing.setText(finder.problem or COMPUTING)
            self.model.show(None, {})
            return
        self._show_chart(sweep)
        self._show_topics(sweep)
        self._tell(self.chart.said)

    def _show_topics(self, sweep: Sweep) -> None:
        """Show the topics, grouping the queries of each topic or not."""
        topics = in_topics(sweep.comparison.topics)
        titles = {topic.id: topic.title for topic in self._session.project.topics}
        self.model.show(sweep, titles, topics if self._grouped else None)
        of = f" of {len(sweep.difficulty)} queries" if self.model.groups else ""
        rows = counted(len(self.model.rows), "topic")
        self.heading.set_text(f"{rows}{of} over all {len(sweep.comparison.runs)} runs")
        self.grouping.setText("single queries" if self._grouped else "group by topic")
        self.grouping.setToolTip(f"{len(sweep.difficulty)} queries ask for {counted(len(topics), 'topic')}")
        self.grouping.setVisible(bool(topics))

    def _turn_grouping(self) -> None:
        self._grouped = not self._grouped
        if self._finder.found is not None:
            self._show_topics(self._finder.found)

    def _show_chart(self, sweep: Sweep) -> None:
        try:
            chart = sweep_chart(sweep, *self._axes)
        except InexviewError:  # the parameters belong to the previous runs
            self._axes = "", None
            chart = sweep_chart(sweep)
        self.title.set_text(
            chart.title,
            briefer=[f"{sweep.comparison.measure} over {chart.x.title}", sweep.comparison.measure],
        )
        parameters = sweep.parameters
        read = ", ".join(
            f"{name} has {counted(len(parameters.values(name)), 'value')}" for name in parameters.names
        )
        runs = counted(len(sweep.comparison.runs), "run")
        source = self._finder.source
        self.about.set_text(f"{runs}, read from {source}: {read}. {sweep.comparison.topics_said}.")
        self.chart.show_chart(chart, sweep)
        self._offer(sweep, chart)

    def _offer(self, sweep: Sweep, chart: Chart) -> None:
        """Offer the parameters for the axis and for the lines."""
        parameters, across = sweep.parameters, chart.x.title
        apart = chart.head[2] if len(chart.head) == 4 else ""
        group = self.over.begin()
        for name in parameters.numeric:
            other = apart if apart != name else None
            choose = partial(self.show_over, name, other)
            add_choice(self.over.choices, name, choose, on=name == across, group=group)
        self.over.show_choice(f"over {across}")
        group = self.apart.begin()
        for name in ("", *(one for one in parameters.names if one != across)):
            choose = partial(self.show_over, across, name)
            add_choice(self.apart.choices, name or "one line", choose, on=name == apart, group=group)
        self.apart.show_choice(f"one line per {apart}" if apart else "one line")
        self.swap.setVisible(apart in parameters.numeric)

    def show_over(self, across: str, apart: str | None) -> None:
        """Show the measure over a parameter, with a line for each value of another."""
        self._axes = across, apart
        if self._finder.found is not None:
            self._show_chart(self._finder.found)

    def swap_axes(self) -> None:
        """Swap the parameter of the axis and that of the lines."""
        chart, sweep = self.chart.chart, self._finder.found
        if (
            chart is not None
            and sweep is not None
            and len(chart.head) == 4
            and chart.head[2] in sweep.parameters.numeric
        ):
            self.show_over(str(chart.head[2]), chart.x.title)

    def take_keyboard(self) -> None:
        self.table.setFocus()
        if self.model.rows and not self.table.currentIndex().isValid():
            self.table.selectRow(0)


UNDER = 24  # pixels: below the words of a choice, next to its sign
PICKED = 4  # runs picked by halves that are listed; the others are summed


class SweepPanel(QWidget):
    """The runs that differ from the best, the best against the baseline, and what random halves pick."""

    def __init__(self, finder: SweepFinder, compare: QAction) -> None:
        super().__init__()
        self._finder = finder
        self.setProperty("role", "chrome")
        self.answer = label("", "verdict", wrap=True)
        self._ways = QGridLayout()
        self._way_cells = [(QRadioButton(), label("", "value"), label("")) for _ in WAYS]
        self._allows = [label("", "note", wrap=True) for _ in WAYS]
        self._heads = [label("correction", "note"), label("worse", "note")]
        for way, (choice, *_) in enumerate(self._way_cells):
            choice.toggled.connect(partial(self._choose, way))
        self._of_baseline = label("p", "note")
        self._of_baseline.setToolTip("p of the best run against the baseline")
        self.lead_heading, self.lead = Caption("Best against baseline"), label("", wrap=True)
        self.interval = IntervalBar()
        self.picked_heading = Caption("Best run on half of the topics")
        self.picked_about = label("", "note", wrap=True)
        self._picked: list[tuple[ElidedLabel, QLabel]] = [
            (ElidedLabel(), label("", "value")) for _ in range(PICKED)
        ]
        self.picked_note = label("", "", wrap=True)
        self.compare = KeyButton("Compare best and baseline", compare, primary=True)
        self._lay_out()
        finder.changed.connect(self.show_all)

    def _lay_out(self) -> None:
        ways = self._ways
        ways.setContentsMargins(0, 0, 0, 0)
        ways.setHorizontalSpacing(8)
        ways.setVerticalSpacing(4)
        ways.setColumnStretch(0, 1)
        for column, head in enumerate((*self._heads, self._of_baseline)):
            ways.addWidget(head, 0, column, LEFT if column == 0 else RIGHT)
        for row, (cells, allows) in enumerate(zip(self._way_cells, self._allows, strict=True)):
            ways.addWidget(cells[0], 2 * row + 1, 0)
            for at, cell in enumerate(cells[1:], 1):
                ways.addWidget(cell, 2 * row + 1, at, RIGHT)
            allows.setContentsMargins(UNDER, 0, 0, 0)
            ways.addWidget(allows, 2 * row + 2, 0, 1, 3)
        picked = QGridLayout()
        picked.setContentsMargins(0, 0, 0, 0)
        picked.setColumnStretch(0, 1)
        for row, (name, share) in enumerate(self._picked):
            picked.addWidget(name, row, 0)
            picked.addWidget(share, row, 1, RIGHT)
        inside = QWidget()
        inside.setProperty("role", "chrome")
        inner = in_column(
            Caption("Which runs differ from the best?"),
            self.answer,
            on=inside,
            margins=(MARGIN, 12, MARGIN, 0),
            spacing=8,
        )
        inner.addLayout(ways)
        for part in (self.lead_heading, self.lead, self.interval, self.picked_heading, self.picked_about):
            inner.addWidget(part)
        inner.addLayout(picked)
        inner.addWidget(self.picked_note)
        inner.addStretch(1)
        below = in_column(self.compare, margins=(MARGIN, 0, MARGIN, MARGIN), spacing=8)
        in_column((ScrollingPanel(inside), 1), below, on=self, margins=0, spacing=8)

    def _choose(self, way: int, on: bool) -> None:
        if on:
            self._finder.count_by(way)

    def show_all(self) -> None:
        """Show the sweep, or that it is being computed."""
        sweep = self._finder.found
        self.answer.setText((self._finder.problem or COMPUTING) if sweep is None else sweep.said)
        self.answer.setProperty("role", "muted" if sweep is None else "verdict")
        self.answer.style().polish(self.answer)
        for head in self._heads:
            head.setVisible(sweep is not None)
        based = sweep is not None and sweep.baseline is not None and sweep.baseline != sweep.best
        parts = [self.lead_heading, self.lead, self._of_baseline, self.compare]
        for part in parts:
            part.setVisible(based)
        shown = sweep is not None and bool(sweep.picked.halves)
        for part in (self.picked_heading, self.picked_about, self.picked_note):
            part.setVisible(shown)
        self._show_ways(sweep, based=based)
        self._show_picked(sweep if shown else None)
        if not based or sweep is None or sweep.baseline is None:
            self.interval.hide()
            return
        self.lead.setText(lead_said(sweep))
        lead = sweep.comparison.difference(sweep.best, sweep.baseline)
        low, high = lead.interval
        self.interval.show_interval(low, lead.estimate, high, 0)

    def _show_ways(self, sweep: Sweep | None, *, based: bool) -> None:
        for at, (cells, allows) in enumerate(zip(self._way_cells, self._allows, strict=True)):
            for part in (*cells, allows):
                part.setVisible(sweep is not None)
            if sweep is None:
                continue
            way, chosen = sweep.countings[at], at == sweep.way
            cells[0].setChecked(chosen)
            p = written_p(float(way.p[sweep.baseline])) if based and sweep.baseline is not None else ""
            cells[0].setText(way.name)
            cells[1].setText(str(len(way.worse)))
            cells[2].setText(p)
            allows.setText(way.allows)

    def _show_picked(self, sweep: Sweep | None) -> None:
        rows: list[tuple[str, str]] = []
        if sweep is not None:
            picked = sweep.picked
            self.picked_about.setText(f"Share of {picked.halves:,} random halves on which each run is best")
            most = picked.counts[: PICKED - 1]
            rest = picked.halves - sum(count for _, count in most)
            rows = [(sweep.named(run), percent(count / picked.halves, 1)) for run, count in most]
            if rest:
                others = counted(len(picked.counts) - len(most), "other")
                rows.append((others, percent(rest / picked.halves, 1)))
            here, elsewhere = (difference_text(lead, 4) for lead in (picked.lead, picked.lead_elsewhere))
            said_of_lead = f"The lead over the baseline is {here} on the half that chooses, and "
            unknown = math.isnan(picked.lead) or sweep.baseline == sweep.best
            told = "" if unknown else f"{said_of_lead}{elsewhere} on the other. Report the latter."
            self.picked_note.setText(told)
        for at, (name, share) in enumerate(self._picked):
            texts = rows[at] if at < len(rows) else ("", "")
            name.set_text(texts[0])
            share.setText(texts[1])
            name.setVisible(at < len(rows))
            share.setVisible(at < len(rows))
