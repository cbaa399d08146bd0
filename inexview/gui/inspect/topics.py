"""All topics: how often a run is better, every pair of runs, and the compared pair."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from html import escape
from itertools import accumulate
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from inexview.core.evaluation.comparison import (
    SMALL_SAMPLE,
    RunDifference,
    detectable_text,
    difference_cell,
    interval_text,
)
from inexview.core.evaluation.run_derivations import BETTER, FROM, P_CORRECTED, P
from inexview.core.evaluation.scores import Counts
from inexview.core.evaluation.significance import Correction, written_p
from inexview.core.evaluation.testing import DRAWN_SEVERAL, IntervalKind, PairTest
from inexview.core.judgements.runs import Run, Task
from inexview.core.open_runs.scoring import (
    JUDGED_AT,
    SHARES,
    UNJUDGED,
    TopicColumn,
    TopicOrder,
    TopicSheet,
    key_of,
    place_of,
    sheet_of,
)
from inexview.core.report import difference_text
from inexview.core.wording import PERCENT, counted
from inexview.gui.charts.chart_painter import CurveChart, DifferenceBars, IntervalBar
from inexview.gui.inspect.chunkers import ChunkersPanel, ReadingSwitch
from inexview.gui.inspect.run_scoring import FigureAsked, FigureClicks, FigureLevel, FigureOf, RunScoring
from inexview.gui.inspect.topic_table import BAR, TopicModel, TopicTable, fill_difference
from inexview.gui.look.panels import MenuButton, ScrollingPanel, add_choice
from inexview.gui.look.theme import Themed, paint_run_shape, run_color, theme_now
from inexview.gui.look.widgets import (
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    KeyButton,
    PaintedWidget,
    PairSides,
    button,
    derived,
    explain,
    fair_share,
    in_column,
    in_row,
    label,
    write,
)
from inexview.gui.services.session import Session

SWATCH = 10  # pixels; the swatch of a tie is lower
TIE = 4
BESIDE, GAP = 5, 18  # pixels to the right of a swatch, and between two counts
OutcomeParts = tuple[tuple[str, str, str], ...]
"""For each count its number, its word, and a muted addition."""


def outcome_said(outcome: tuple[int, int, int]) -> str:
    """Return a sentence with the numbers of topics on which a run wins, ties and loses."""
    wins, ties, losses = outcome
    topics = counted(sum(outcome), "topic")
    return f"{topics} that both runs have: {wins} better, {ties} tied, {losses} worse"


class PairOutcome(PaintedWidget):
    """Wins, ties and losses in one line, shorter if space is short."""

    def __init__(self) -> None:
        super().__init__()
        self._outcome: tuple[int, int, int] | None = None
        self._of = ""
        self._styles = (0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_outcome(
        self, outcome: tuple[int, int, int] | None, topics: int = 0, styles: tuple[int, int] = (0, 0)
    ) -> None:
        """Show wins, ties and losses, and the number of their topics if not all topics count."""
        compared = sum(outcome or ())
        self._of = f"of {compared}" if outcome is not None and compared < topics else ""
        self._outcome, self._styles = outcome, styles
        said = "" if outcome is None else outcome_said(outcome)
        self.setToolTip(said)
        self.setAccessibleName(said)
        self.update()

    def text(self) -> str:
        return "  ·  ".join(" ".join(filter(None, part)) for part in self._fitting())

    def _fitting(self) -> OutcomeParts:
        """Return as many parts as fit."""
        if self._outcome is None:
            return ()
        wins, ties, losses = map(str, self._outcome)
        whole: OutcomeParts = (
            (wins, "better", ""),
            (ties, "tied", ""),
            (losses, "worse", self._of),
        )
        bare = tuple((number, "", "") for number, _, _ in whole)
        return whole if self._width(whole) <= self.width() else bare

    def _width(self, parts: OutcomeParts) -> float:
        return sum(wide for part in parts for _, wide in self._pieces(part)) + GAP * (len(parts) - 1)

    def _pieces(self, part: tuple[str, str, str]) -> list[tuple[str, float]]:
        """Return the texts of a count, each with the pixels to the next; the first is the swatch."""
        bold, plain = (derived(self.font(), bold=bold) for bold in (True, False))
        space = QFontMetricsF(plain).horizontalAdvance(" ")
        pieces = [("", float(SWATCH + BESIDE))]
        for text, font in zip(part, (bold, plain, plain), strict=True):
            if text:
                pieces.append((text, QFontMetricsF(font).horizontalAdvance(text) + space))
        return pieces

    def sizeHint(self) -> QSize:
        return QSize(280, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(4 * self.fontMetrics().averageCharWidth(), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, x = QPainter(self), 0.0
        fonts = [derived(self.font(), bold=bold) for bold in (True, False, False)]
        colors = [self.theme.color(name) for name in ("text", "text", "muted")]
        for sign, part in zip((1, 0, -1), self._fitting(), strict=False):
            self._paint_swatch(painter, x, sign)
            looks = iter(zip(fonts, colors, strict=True))
            for text, wide in self._pieces(part):
                if text:
                    font, color = next(looks)
                    write(painter, QRectF(x, 0, wide, self.height()), text, font, color, LEFT)
                x += wide
            x += GAP

    def _paint_swatch(self, painter: QPainter, x: float, sign: int) -> None:
        """Paint a swatch of the bars of such topics; ties have only the zero line."""
        high = SWATCH if sign else TIE
        swatch = QRectF(x, round((self.height() - high) / 2), SWATCH, high)
        if sign:
            fill_difference(painter, swatch, sign, self.theme, *self._styles)
        else:
            painter.fillRect(swatch, self.theme.color("muted"))


SIDE = 20
FILTER = 150  # pixels
HEADINGS = ((1.35, "against"), (1.15, "against"), (1.0, "against"), (1.0, "–"))
"""Relative sizes of the names of the pair with the text between them, largest first."""
NO_RUNS = "Open runs to see on which topics they differ."
UNKNOWN_TASK = "These runs do not declare a task. Choose one above the list."


class PairHeading(Themed, QWidget):
    """■ LM-passages against ▲ BM25-sections, each in its colour."""

    def __init__(self) -> None:
        super().__init__()
        self._runs: tuple[tuple[str, int], ...] = ()
        self.setFixedHeight(30)
        self.setMinimumWidth(120)

    def show_pair(self, *runs: tuple[str, int]) -> None:
        self._runs = runs
        self.setAccessibleName(" against ".join(name for name, _ in runs))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        small = derived(self.font(), factor=1.05)
        x, height = 0.0, self.height()
        for factor, between in HEADINGS:
            large = derived(self.font(), factor=factor, bold=True)
            widths = [QFontMetricsF(large).horizontalAdvance(name) + 4 for name, _ in self._runs]
            apart = QFontMetricsF(small).horizontalAdvance(between) + 20
            beside = 20 * len(self._runs) + apart * (len(self._runs) - 1)
            if sum(widths) + beside <= self.width():
                break
        for at, (name, style) in enumerate(self._runs):
            if at:
                painter.setFont(small)
                painter.setPen(self.theme.color("muted"))
                painter.drawText(
                    int(x + 8), 0, int(apart), height, int(Qt.AlignmentFlag.AlignVCenter), between
                )
                x += apart
            color = run_color(self.theme, style)
            rect = self.rect().toRectF()
            rect.setRect(x, height / 2 - 6, 13, 13)
            paint_run_shape(painter, style, rect, color)
            painter.setFont(large)
            painter.setPen(color)
            wide = min(widths[at], fair_share(widths, at, self.width() - beside))
            shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, int(wide))
            painter.drawText(int(x + 20), 0, int(wide) + 1, height, int(Qt.AlignmentFlag.AlignVCenter), shown)
            x += 20 + wide


class TopicsPage(QWidget):
    """Heading, outcome, the bars of all topics, and the table."""

    def __init__(
        self,
        session: Session,
        board: RunScoring,
        switch: ReadingSwitch,
        swap: QAction,
        save: QAction,
        sweep: QAction,
    ) -> None:
        super().__init__()
        self._session = session
        self._board = board
        self.switch = switch
        self._sorted: tuple[str, ...] = ()  # topics in the order of the bars
        self.setProperty("role", "page")
        # otherwise a window that is activated passes the focus on
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName("All topics")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.heading = PairHeading()
        self.swap, self.save, self.sweep = (button(text, "plain") for text in ("swap", "Save…", "sweep"))
        for made, action in ((self.swap, swap), (self.save, save), (self.sweep, sweep)):
            explain(made, action)
        self.swap.clicked.connect(swap.trigger)
        self.sweep.clicked.connect(sweep.trigger)
        self.sweep.hide()  # until the runs are a sweep
        self.order = MenuButton("Order of topics")
        self.columns = MenuButton("Columns of the topics")
        self.columns.setProperty("role", "plain")
        self.columns.setText("columns")
        self.filter = QLineEdit(placeholderText="filter topics…", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter topics")
        self.filter.setToolTip("Words of topics, or conditions: <.1 difference<-.1 unjudged>.5 Judged@10<1")
        self.filter.setFixedWidth(FILTER)
        self.outcome = PairOutcome()
        self.bars = DifferenceBars()
        self.model = TopicModel(self)
        self.table = TopicTable(self.model)
        self.nothing = label(NO_RUNS, "muted", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self._fill_orders()
        self.columns.choices.aboutToShow.connect(self._offer_columns)
        self.table.seen.connect(self._show_seen)
        self.table.room_changed.connect(self._fill_room)
        self.table.header.sectionClicked.connect(self._choose_column)
        self.filter.textChanged.connect(self._filter)
        self.bars.chosen.connect(lambda place: self.show_topic(self._sorted[place]))

    def _lay_out(self) -> None:
        above = in_column(
            in_row((self.heading, 1), self.sweep, self.columns, self.save),
            self.switch,
            in_row((self.outcome, 1), Filler(0), self.filter, self.swap, self.order),
            self.bars,
            self.nothing,
            margins=(0, 0, BAR, 0),
            spacing=6,
        )
        in_column(above, (self.table, 1), on=self, margins=(SIDE, 12, SIDE - BAR, 0), spacing=6)

    def _fill_orders(self) -> None:
        """Offer the orders; a single run has no differences."""
        group, alone = self.order.begin(), not self.model.sheet.paired
        shown = self.model.order
        if alone and shown is TopicOrder.LARGEST:
            shown = TopicOrder.PROJECT
        for order in [one for one in TopicOrder if not alone or one is not TopicOrder.LARGEST]:
            choose = partial(self.set_order, order)
            add_choice(self.order.choices, order.value, choose, on=order is shown, group=group)
        self.order.show_choice(self._order_shown(shown))

    def _order_shown(self, order: TopicOrder) -> str:
        """Return how the topics are sorted."""
        model = self.model
        if model.by is None or model.by[0] not in model.sheet.keys:
            return order.value
        return f"by {model.name(model.sheet.keys.index(model.by[0]))}"

    def _offer_columns(self) -> None:
        """Offer the optional columns."""
        self.columns.begin()
        for name, meaning in SHARES.items():
            shown = name in self.table.shares
            add_choice(self.columns.choices, f"{name}: {meaning}", partial(self._toggle, name), on=shown)

    def _toggle(self, name: str) -> None:
        self.table.shares = tuple(one for one in SHARES if (one in self.table.shares) is not (one == name))
        self.show_all()
        self.table.fit()

    def _filter(self, typed: str) -> None:
        """Show the matching topics; the current topic stays current if it matches."""
        chosen = self.chosen
        self.model.set_filter(typed)
        if self.model.sheet.rows:
            self.table.selectRow(max(self.model.row_of(chosen), 0))

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Make the figures in the table, above it and in the bars derivable."""
        self.table.offer_figures(clicks)
        clicks.watch(self.outcome, FigureAsked(FigureLevel.RUN, BETTER, of=FigureOf.LEAD))
        clicks.watch(self.bars, self._bar_at, clicked_at=lambda _at: None)

    def _bar_at(self, at: QPoint) -> FigureAsked | None:
        place = self.bars.place_at(at.x())
        if place is None:
            return None
        return FigureAsked(FigureLevel.TOPIC, of=FigureOf.LEAD, topic=self._sorted[place])

    def set_order(self, order: TopicOrder) -> None:
        self.model.set_order(order)
        self._fill_orders()

    # -- contents ------------------------------------------------------------------------------------

    def pair(self) -> list[Run]:
        """Return the run in the foreground and the baseline, those that have figures."""
        board = self._board
        scored = board.scored()
        first = next(iter(scored), None) if place_of(board.current, scored) is None else board.current
        second = board.baseline if board.baseline is not first else None
        return [run for run in (first, second) if run is not None]

    def take_keyboard(self) -> None:
        """Focus the table, or the page until there is a table."""
        (self if self.table.isHidden() else self.table).setFocus()

    def show_all(self) -> None:
        """Show the figures of the board; the current topic stays current."""
        chosen = self.chosen
        sheet = self.sheet(self.table.room_for_runs())
        self.table.set_stale(self._board.stale)
        was_paired = self.model.sheet.paired
        self.model.set_sheet(sheet)
        if sheet.paired is not was_paired:
            self._fill_orders()
        there = bool(sheet.columns)
        shown: list[tuple[QWidget, bool]] = [
            (one, there) for one in (self.table, self.heading, self.order, self.save)
        ]
        shown += [(one, there) for one in (self.filter, self.columns)]
        shown += [(one, sheet.paired) for one in (self.bars, self.outcome, self.swap)]
        for widget, visible in shown:
            widget.setVisible(visible)
        self.nothing.setVisible(not there)
        self.nothing.setText(self._board.figures.nothing or self._why_nothing())
        self.switch.show_all()
        self.heading.show_pair(*((one.name, one.style) for one in sheet.columns[:2]))
        pair = [one.style for one in sheet.columns[:2]]
        self.outcome.show_outcome(sheet.outcome, sheet.total, (pair[0], pair[-1]) if pair else (0, 0))
        self._show_bars()
        row = self.model.row_of(chosen)
        if there:
            self.table.selectRow(max(row, 0))
        if self.window().focusWidget() is self:  # also while the window is inactive
            self.take_keyboard()

    def _fill_room(self) -> None:
        """Show as many runs as fit."""
        if self.model.sheet.columns:
            self.show_all()

    def sheet(self, most: int) -> TopicSheet:
        """Return topics × runs with at most ``most`` runs."""
        board, figures = self._board, self._board.figures
        pair = self.pair()
        runs = [*pair, *(run for run in board.scored() if place_of(run, pair) is None)]
        columns = [
            TopicColumn(
                key_of(run),
                board.name(run),
                board.style(run),
                figures.of(run)[figures.deciding],
                figures.of_topics(run, figures.deciding),
                board.figures.scores[run].counts.num_q,
                _shares(board.figures.scores[run].counts) if run is runs[0] else {},
            )
            for run in runs
        ]
        titles = {topic.id: topic.title for topic in self._session.project.topics}
        topics = [(topic, titles.get(topic, "")) for topic in figures.topics]
        compared = board.pairs.of(*pair) if len(pair) > 1 else None
        return sheet_of(figures.topic_name, columns, topics, most, self.table.shares_shown, compared)

    def _why_nothing(self) -> str:
        if not self._board.runs:
            return NO_RUNS
        return UNKNOWN_TASK if self._board.task is None else self._board.why_stale

    def _show_bars(self) -> None:
        sheet = self.model.sheet
        if not sheet.paired:
            return
        known = [row for row in self.model.all_rows if not math.isnan(row.difference)]
        known.sort(key=lambda row: -row.difference)
        self._sorted = tuple(row.topic for row in known)
        first, second = sheet.columns[0].style, sheet.columns[1].style

        def fill(painter: QPainter, bar: QRectF, value: float) -> None:
            fill_difference(painter, bar, value, theme_now(), first, second)

        names = [f"{row.topic} {row.title}" for row in known]
        self.bars.set_values([row.difference for row in known], names, fill)
        self._show_seen()

    def _show_seen(self) -> None:
        rows, shown = self.model.sheet.rows, self.table.rows_between(1, self.table.viewport().height() - 1)
        seen = {rows[at].topic for at in shown}
        self.bars.set_seen(frozenset(at for at, topic in enumerate(self._sorted) if topic in seen))

    # -- going to topics -----------------------------------------------------------------------------

    @property
    def chosen(self) -> str | None:
        row = self.table.currentIndex().row()
        return self.model.sheet.rows[row].topic if 0 <= row < len(self.model.sheet.rows) else None

    def show_topic(self, topic: str) -> None:
        """Make a topic current, and scroll to it."""
        row = self.model.row_of(topic)
        if row < 0 and self.filter.text():
            self.filter.clear()
            row = self.model.row_of(topic)
        if row >= 0:
            self.table.selectRow(row)
            self.table.scrollTo(self.model.index(row, 0))

    def _choose_column(self, section: int) -> None:
        """Sort by a column; with Shift make its run the baseline."""
        columns = self.model.sheet.columns
        if not self.table.header.shifted:
            chosen = self.chosen
            self.model.sort_by(section)
            self._fill_orders()
            self.table.selectRow(max(self.model.row_of(chosen), 0))
        elif 0 < section <= len(columns):
            self._board.compare_with(self._board.by_key(columns[section - 1].key))


def _shares(counts: Counts) -> dict[str, dict[str, float]]:
    """Return each run's shares of judged documents by topic."""
    unjudged = {topic: one.unjudged / one.num_ret for topic, one in counts.topics.items() if one.num_ret}
    return {UNJUDGED: unjudged, JUDGED_AT: dict(counts.judged_at)}


class PairFact(QLabel):
    """Lines with a figure and its description."""

    def __init__(self, *, large: bool = False) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.setMinimumWidth(1)  # rich text requests more width than it needs
        self._size = "font-size: large; " if large else ""
        self.said = ""

    def say(self, *lines: tuple[str, str]) -> None:
        """Show these figures, each in a line with its words."""
        self.said = "\n".join("   ".join(filter(None, line)) for line in lines)
        self.setAccessibleName(self.said)
        strong = f'<span style="{self._size}font-weight: 600">'
        shown = [f"{strong}{escape(figure)}</span>&nbsp;&nbsp; {escape(words)}" for figure, words in lines]
        self.setText("<br>".join(shown))


MOST = 20  # runs, those with the highest means
LOW = 6  # runs in a low panel; more if they fit
SHARE = 0.42  # maximum share of the panel's height with more runs
LOWEST = 560  # height of the panel in pixels below which the list of runs has all of it
ROW = 24
NAME, NAMES = 0.2, 0.45  # least and largest share of the width for names
FEWEST = 2  # columns for which names are cut
SHAPE = 17  # pixels of a run's shape and the space around it
WIDEST = 64  # maximum width of a difference in pixels
ABOVE, FOOT = 8, 38  # pixels over the heading, and of the two lines below


class PairMatrix(PaintedWidget):
    """The triangle of differences of the best runs."""

    chosen = Signal(object)  # tuple[Run, Run]

    def __init__(self, board: RunScoring) -> None:
        super().__init__()
        self._board = board
        self._best: list[Run] = []
        self._runs: list[Run] = []  # those of the best that there is room for
        self._pairs: dict[tuple[int, int], RunDifference] = {}
        self._names = 0.0  # widths in pixels of the differences of each column
        self._figures: list[float] = []  # pixels that the differences of each column need
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_all(self) -> None:
        """Compare the best runs that have figures."""
        board = self._board
        self._best = board.scored()[:MOST]
        self._pairs = board.pairs.of_best(MOST) if len(self._best) > 2 else {}
        self._fit()
        self.setAccessibleName(f"Every pair, {board.figures.deciding}: row minus column")
        self.setAccessibleDescription("; ".join(self._told(*pair) for pair in self._pairs))
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._refit()

    def event(self, event: QEvent) -> bool:
        """Watch the panel to which this is added, because its height limits the number of runs."""
        parent = self.parentWidget()
        if event.type() is QEvent.Type.ParentChange and parent is not None:
            parent.installEventFilter(self)
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt to the panel's height."""
        if watched is self.parentWidget() and event.type() is QEvent.Type.Resize:
            self._refit()
        return super().eventFilter(watched, event)

    def _refit(self) -> None:
        """Show more or fewer runs if the space changed."""
        before = len(self._runs)
        self._fit()
        if len(self._runs) != before:
            self.updateGeometry()
            self.update()

    def _fit(self) -> None:
        """Show as many runs as fit next to their names, which are cut last."""
        written = QFontMetrics(derived(self.font(), factor=0.85, bold=True)).horizontalAdvance
        self._figures = [written("+0.000†") + 4.0] * max(len(self._best) - 1, FEWEST)
        for (_, column), found in self._pairs.items():
            self._figures[column - 1] = max(self._figures[column - 1], written(_short(found)) + 4.0)
        fewest = sum(self._figures[:FEWEST])
        name = QFontMetrics(derived(self.font(), factor=0.9))
        named = self._best[: self._most()]
        widest = max((name.horizontalAdvance(self._board.name(run)) for run in named), default=0) + SHAPE
        room, least = self.width() - 2 * MARGIN, NAME * self.width()
        self._names = min(max(widest, least), max(least, NAMES * self.width(), room - fewest))
        if room - self._names < fewest:
            self._names = least
        columns = sum(needed <= room - self._names for needed in accumulate(self._figures))
        self._runs = self._best[: min(max(columns, 1) + 1, self._most())]

    def _most(self) -> int:
        """Return the number of runs that fit into the height of the panel; none in a low one."""
        panel = self.parentWidget()
        if panel is not None and panel.height() < LOWEST:
            return 0
        room = 0 if panel is None else int((SHARE * panel.height() - ABOVE - FOOT) / ROW) - 1
        return max(room, LOW)

    @property
    def worth_showing(self) -> bool:
        """Whether there are more pairs than the compared one."""
        return bool(self._pairs)

    def sizeHint(self) -> QSize:
        return QSize(300, ABOVE + ROW * (len(self._runs) + 1) + FOOT if self._runs else 0)

    def cell(self, row: int, column: int) -> QRectF:
        left, right, figures = self._left(), self.width() - MARGIN, self._columns()
        more = (right - left - sum(figures)) / len(figures)
        at = left + sum(figures[: column - 1]) + (column - 1) * more
        return QRectF(at, ABOVE + ROW * (row + 2), figures[column - 1] + more, ROW)

    def _left(self) -> float:
        """Return the x at which the differences start; names have the width to the left."""
        widest = sum(max(figure, WIDEST) for figure in self._columns())
        return max(MARGIN + self._names, self.width() - MARGIN - widest)

    def _columns(self) -> list[float]:
        return self._figures[: max(len(self._runs) - 1, 1)]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for row, column in self._pairs:
            if column < len(self._runs) and self.cell(row, column).contains(event.position()):
                self.chosen.emit((self._runs[row], self._runs[column]))

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Make each difference derivable; a click first selects its two runs."""
        clicks.watch(self, self.figure_at, clicked_at=self._clicked_at, menu=False)

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        for row, column in self._pairs:
            if column < len(self._runs) and self.cell(row, column).contains(at.toPointF()):
                first, second = (key_of(self._runs[one]) for one in (row, column))
                return FigureAsked(FigureLevel.RUN, of=FigureOf.LEAD, run=first, baseline=second)
        below = self._pairs and at.y() >= self._foot().top()
        return FigureAsked(FigureLevel.RUN, P_CORRECTED, of=FigureOf.LEAD) if below else None

    def _foot(self) -> QRectF:
        """Return the rectangle of the text about the number of pairs."""
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
        # as in the captions of the style sheet
        caption.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 1)
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
        """The text below: which runs are shown, and the number of tests of the correction."""
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


LEFT_OUT = 3
FACTS = ("Δ mean", "95 % CI", "p", "n", "d_z", "least Δ")
BELOW_INTERVAL = 2  # facts above the picture of the interval; the others are below
HIGHEST = 320  # maximum height of the chart in pixels
SHOWN, ALONE, NOT_SHOWN = (
    "Significant, also after the correction for {}.",
    "Significant alone, but not after the correction for {}.",
    "No significant difference (this does not show that they are equal).",
)
GIVEN_UP = "Not tested: the tests were cancelled. Choose another measure or test, then this one again."
NO_TOPIC = "Nothing to test: no judged topic is in both runs."
NO_BASELINE = "Two runs are compared: Shift+click one to make it the baseline."
ONE_RUN = "Two runs are compared: open a second one."
NOT_SCORED = "Runs are compared once they are scored."


class PairPanel(QWidget):
    """Curves, the paired test of foreground against baseline, and the effect of single topics."""

    wanted = Signal(object)  # topic

    def __init__(
        self,
        board: RunScoring,
        chunkers: ChunkersPanel,
        open_topic: QAction,
        costliest: QAction,
        charts: QAction,
    ) -> None:
        super().__init__()
        self._board = board
        self.chunkers = chunkers
        self.setProperty("role", "chrome")
        self.chart = CurveChart()
        self.chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.chart.setMaximumHeight(HIGHEST)
        self.title = Caption("Paired test")
        self.testing = MenuButton("How differences are tested")
        self.testing.setToolTip("Choose test, draws, correction and interval")
        self.minus = PairSides()
        self.facts = {name: PairFact(large=name == "Δ mean") for name in FACTS}
        self.interval = IntervalBar()
        self._names = {name: label(name, "muted") for name in self.facts}
        self.verdict = label("", "", wrap=True)
        self.left_out = QGridLayout()
        self._out = Caption("One topic left out")
        self._cells: list[tuple[ElidedLabel, QLabel, QLabel]] = []
        self._left_out: tuple[str, ...] = ()  # the topics of the rows
        self.open = KeyButton(open_topic.text(), open_topic, primary=True, key="Enter")
        self.costliest = KeyButton(costliest.text(), costliest)
        self.charts = button(charts.text(), "plain")
        explain(self.charts, charts)
        self.charts.clicked.connect(charts.trigger)
        self._lay_out()

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("role", "chrome")
        self._heading = Caption("Precision over recall")
        column = in_column(
            in_row((self._heading, 1), self.charts),
            (self.chart, 3),
            self.chunkers,
            8,
            in_row((self.title, 1), self.minus),
            in_row(self.testing, Filler(0)),
            on=inside,
            margins=(MARGIN, 12, MARGIN, 0),
            spacing=8,
        )
        facts = QGridLayout()  # a form layout would give wrapped lines the height of their sizeHint
        facts.setHorizontalSpacing(16)
        facts.setColumnStretch(1, 1)
        for at, (named, value) in enumerate(zip(self._names.values(), self.facts.values(), strict=True)):
            row = at if at < BELOW_INTERVAL else at + 1
            # also next to two lines
            lines = Qt.AlignmentFlag.AlignTop if at else Qt.AlignmentFlag.AlignVCenter
            facts.addWidget(named, row, 0, lines)
            facts.addWidget(value, row, 1)
        facts.addWidget(self.interval, BELOW_INTERVAL, 0, 1, 2)
        column.addLayout(facts)
        column.addWidget(self.verdict)
        column.addSpacing(8)
        column.addWidget(self._out)
        self._without = QWidget()
        self._without.setLayout(self.left_out)
        self.left_out.setContentsMargins(0, 0, 0, 0)
        self.left_out.setColumnStretch(0, 1)
        least = self.fontMetrics().horizontalAdvance(written_p(0))  # also while nothing is tested
        self.left_out.setColumnMinimumWidth(2, least)
        for at, text in enumerate(("without", "Δ mean", "p")):
            self.left_out.addWidget(label(text, "muted"), 0, at, _side(at))
        for row in range(1, LEFT_OUT + 1):
            cells = ElidedLabel(), label(""), label("")
            self.left_out.addWidget(cells[0], row, 0)
            for at, cell in enumerate(cells[1:], 1):
                self.left_out.addWidget(cell, row, at, _side(at))
            self._cells.append(cells)
        column.addWidget(self._without)
        column.addStretch(1)
        below = in_column(self.costliest, self.open, margins=(MARGIN, 0, MARGIN, MARGIN), spacing=8)
        in_column((ScrollingPanel(inside), 1), below, on=self, margins=0, spacing=8)

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Make the figures of the pair derivable."""
        for name, asked in (("Δ mean", ""), ("95 % CI", FROM), ("p", P), ("n", BETTER)):
            clicks.watch(self.facts[name], FigureAsked(FigureLevel.RUN, asked, of=FigureOf.LEAD))
        for at, cells in enumerate(self._cells):
            for cell, measure in zip(cells, ("", "", P), strict=True):
                clicks.watch(cell, partial(self._left_out_at, at, measure))
        clicks.watch(self.interval, FigureAsked(FigureLevel.RUN, FROM, of=FigureOf.LEAD))
        clicks.watch(self.verdict, lambda _at: FigureAsked(FigureLevel.RUN, P_CORRECTED, of=FigureOf.LEAD))

    def _left_out_at(self, row: int, measure: str, _at: QPoint) -> FigureAsked | None:
        """Return the difference without the topic of a row."""
        if row >= len(self._left_out):
            return None
        return FigureAsked(FigureLevel.RUN, measure, of=FigureOf.LEAD, without=self._left_out[row])

    def show_topic(self, topic: str | None) -> None:
        self.open.set_text("Open topic" if topic is None else f"Open topic {topic}")
        self.open.setEnabled(topic is not None)

    def show_pair(self, titles: dict[str, str]) -> None:
        """Compare the run in the foreground with the baseline."""
        board = self._board
        self.chunkers.show_all()
        of_chunks = board.task is Task.CHUNKS  # chunks have no precision over recall
        self._heading.set_text("Recall over characters" if of_chunks else "Precision over recall")
        self.chart.setVisible(not of_chunks)
        first, second = board.scores(board.current), board.scores(board.baseline)
        measure = board.figures.deciding
        if board.current is None or board.baseline is None or first is None or second in (None, first):
            self._show_nothing(self._lacking())
            return
        found = board.pairs.of(board.current, board.baseline)
        if found is None:
            self._show_nothing(NO_TOPIC)
            return
        self._show_parts(tested=True)
        self.title.set_text("Paired test", measure)
        self._show_facts(found)
        styles = board.style(board.current), board.style(board.baseline)
        low, high = found.interval
        self.interval.show_interval(low, found.estimate, high, styles[0])
        self.minus.show_pair(*styles)
        self.verdict.setText(self._verdict(found))
        self._show_left_out(found, titles)

    def _show_facts(self, found: RunDifference) -> None:
        comparison, pair, relative = found.comparison, found.pair, found.improvement
        testing, facts = comparison.testing, self.facts
        percent = "" if math.isnan(relative) else f"{difference_text(relative, 1)}{PERCENT}"
        facts["Δ mean"].say((difference_text(found.mean, 4), percent))
        facts["95 % CI"].say((interval_text(*found.interval), testing.interval_named))
        said = [(written_p(pair.p), testing.test.named)]
        if found.tested and testing.correction is not Correction.NONE:
            said.append((written_p(pair.p_corrected), f"{testing.correction.label}, {comparison.family}"))
        facts["p"].say(*said)
        facts["p"].setToolTip(testing.described(pair.topics))
        facts["n"].say((counted(pair.topics, "topic"), "that both runs have"))
        facts["d_z"].say((difference_text(found.effect, 2), "effect size (Cohen’s d_z)"))
        facts["least Δ"].say((detectable_text(pair), "smallest that could have been shown"))
        for part in (facts["least Δ"], self._names["least Δ"]):
            part.setVisible(pair.topics < SMALL_SAMPLE and found.tested)
        self._offer_tests()

    def _offer_tests(self) -> None:
        """Offer tests, draws, corrections and intervals; the choice applies to all tables of the project."""
        board, testing = self._board, self._board.choice.testing
        group, menu = self.testing.begin(), self.testing.choices

        def offer(text: str, *, on: bool, **changes: Any) -> None:
            choose = partial(self._choose_testing, **changes)
            add_choice(menu, text, choose, on=on, group=group)

        for test in PairTest:
            offer(_capital(test.named), on=test is testing.test, test=test)
        if testing.test.draws:
            menu.addSeparator()
            group = QActionGroup(menu)
            for draws in (None, *DRAWN_SEVERAL):
                text = "As many draws as needed" if draws is None else f"{draws:,} draws"
                offer(text, on=draws == testing.draws, draws=draws)
        menu.addSeparator()
        group = QActionGroup(menu)
        for correction in Correction:
            if correction is not Correction.HSD or testing.test is not PairTest.BOOTSTRAP:
                offer(_capital(correction.named), on=correction is testing.correction, correction=correction)
        menu.addSeparator()
        group = QActionGroup(menu)
        for kind, text in ((IntervalKind.TEST, "Interval of the test"), (IntervalKind.BCA, "BCa interval")):
            offer(text, on=kind is testing.interval, interval=kind)
        self.testing.show_choice(f"{_capital(testing.test.named)} · {testing.correction.label}")
        self.testing.setEnabled(bool(board.runs))

    def _choose_testing(self, **changes: Any) -> None:
        board = self._board
        if changes.get("test") is PairTest.BOOTSTRAP and board.choice.testing.correction is Correction.HSD:
            changes["correction"] = Correction.HOLM  # HSD is two-sided
        board.choose(replace(board.choice, testing=replace(board.choice.testing, **changes)))

    def _lacking(self) -> str:
        if len(self._board.runs) < 2:
            return ONE_RUN
        return NO_BASELINE if len(self._board.scored()) > 1 else NOT_SCORED

    def _verdict(self, found: RunDifference) -> str:
        if not found.tested:
            return GIVEN_UP if self._board.pairs.given_up else "Testing…"
        family = found.comparison.family
        said = {"†": SHOWN, "(†)": ALONE, "": NOT_SHOWN}[found.mark].format(family)
        every = self._board.pairs.comparison() if len(self._board.scored()) > 2 else None
        warnings = dict.fromkeys([*found.comparison.warnings, *(() if every is None else every.warnings)])
        return " ".join([said, *(f"{_capital(warning)}." for warning in warnings)])

    def _show_left_out(self, found: RunDifference, titles: dict[str, str]) -> None:
        """Show the difference without each of the topics that differ most."""
        for part in (self._out, self._without):
            part.setVisible(len(found.topics) > 1)
        board, places = self._board, [*found.largest(LEFT_OUT), *[None] * LEFT_OUT]
        self._left_out = tuple(found.topics[at] for at in places[:LEFT_OUT] if at is not None)
        for cells, at in zip(self._cells, places, strict=False):
            texts = ("", "", "")
            if at is not None and len(found.topics) > 1 and board.current and board.baseline:
                topic = found.topics[at]
                rest = board.pairs.without(topic, board.current, board.baseline)
                figures = (
                    ("", "") if rest is None else (difference_text(rest.mean, 4), written_p(rest.pair.p))
                )
                texts = titles.get(topic) or topic, *figures
            _fill(cells, texts)

    def _show_parts(self, *, tested: bool) -> None:
        about = self.minus, self.testing, *self._names.values(), *self.facts.values()
        for part in (*about, self._out, self._without):
            part.setVisible(tested)
        if not tested:
            self.interval.hide()

    def _show_nothing(self, why: str) -> None:
        self._left_out = ()
        self._show_parts(tested=False)
        self.title.set_text("Paired test")
        for value in self.facts.values():
            value.say(("–", ""))
        self.verdict.setText(why)
        for cells in self._cells:
            _fill(cells, ("", "", ""))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _fill(cells: tuple[ElidedLabel, QLabel, QLabel], texts: tuple[str, str, str]) -> None:
    name, *figures = cells
    name.set_text(texts[0])
    for cell, text in zip(figures, texts[1:], strict=True):
        cell.setText(text)


def _side(column: int) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
