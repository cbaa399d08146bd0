"""The first screen of several runs: who is better on which topics, and by how much."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from inexview.core.evaluation.run_derivations import BETTER
from inexview.core.evaluation.scores import Counts
from inexview.core.judgements.runs import Run
from inexview.gui.charts.small_charts import DifferenceBars
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.scoring.run_keys import key_of, place_of
from inexview.gui.inspect.topics.pair_outcome import PairOutcome
from inexview.gui.inspect.topics.topic_cells import fill_difference
from inexview.gui.inspect.topics.topic_model import (
    JUDGED_AT,
    SHARES,
    UNJUDGED,
    RunColumn,
    TopicModel,
    TopicOrder,
    TopicSheet,
    sheet_of,
)
from inexview.gui.inspect.topics.topic_table import BAR, TopicTable
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.theme import LIGHT, Theme, paint_run_shape, run_color
from inexview.gui.look.widgets import MenuButton, add_choice, button, derived, explain, fair_share, label
from inexview.gui.services.session import Session

SIDE = 20
FILTER = 150  # pixels
HEADINGS = ((1.35, "against"), (1.15, "against"), (1.0, "against"), (1.0, "–"))
"""How large the names of the pair are, and what is between them, from most room to least."""
NO_RUNS = "Open runs to see on which topics they differ."
UNKNOWN_TASK = "The runs do not say for which task they are: choose it above them."


class PairHeading(QWidget):
    """■ LM-passages against ▲ BM25-sections, each in its colour."""

    def __init__(self) -> None:
        super().__init__()
        self._runs: tuple[tuple[str, int], ...] = ()
        self.theme: Theme = LIGHT
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

    opened = Signal(object)  # topic
    went_to = Signal(object)  # topic

    def __init__(self, session: Session, board: RunBoard, swap: QAction, save: QAction) -> None:
        super().__init__()
        self._session = session
        self._board = board
        self._theme: Theme = LIGHT
        self._sorted: tuple[str, ...] = ()  # topics as the bars are
        self.setProperty("role", "page")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # else a window that comes to the front passes it on
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.heading = PairHeading()
        self.swap, self.save = button("swap", "plain"), button("Save…", "plain")
        for made, action in ((self.swap, swap), (self.save, save)):
            explain(made, action)
        self.swap.clicked.connect(swap.trigger)
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
        self.table.opened.connect(self.opened)
        self.table.went_to.connect(self.went_to)
        self.table.seen.connect(self._show_seen)
        self.table.room_changed.connect(self._fill_room)
        self.table.header.sectionClicked.connect(self._choose_column)
        self.filter.textChanged.connect(self._filter)
        self.bars.chosen.connect(lambda place: self.show_topic(self._sorted[place]))

    def _lay_out(self) -> None:
        above = in_column(
            in_row((self.heading, 1), self.columns, self.save),
            in_row((self.outcome, 1), Filler(0), self.filter, self.swap, self.order),
            self.bars,
            self.nothing,
            margins=(0, 0, BAR, 0),
            spacing=6,
        )
        in_column(above, (self.table, 1), on=self, margins=(SIDE, 12, SIDE - BAR, 0), spacing=6)

    def _fill_orders(self) -> None:
        """Offer the orders; one run alone differs from none."""
        group, alone = self.order.begin(), not self.model.sheet.paired
        shown = self.model.order
        if alone and shown is TopicOrder.LARGEST:
            shown = TopicOrder.PROJECT
        for order in [one for one in TopicOrder if not alone or one is not TopicOrder.LARGEST]:
            choose = partial(self.set_order, order)
            add_choice(self.order.choices, order.value, choose, on=order is shown, group=group)
        self.order.show_choice(self._order_shown(shown))

    def _order_shown(self, order: TopicOrder) -> str:
        """Say how the topics are sorted."""
        model = self.model
        if model.by is None or model.by[0] not in model.sheet.keys:
            return order.value
        return f"by {model.name(model.sheet.keys.index(model.by[0]))}"

    def _offer_columns(self) -> None:
        """Offer the columns that need not be there."""
        self.columns.begin()
        for name, meaning in SHARES.items():
            shown = name in self.table.shares
            add_choice(self.columns.choices, f"{name}: {meaning}", partial(self._toggle, name), on=shown)

    def _toggle(self, name: str) -> None:
        self.table.shares = tuple(one for one in SHARES if (one in self.table.shares) is not (one == name))
        self.show_all()
        self.table.fit()

    def _filter(self, typed: str) -> None:
        """Show the topics that fit; the chosen one stays chosen where it does."""
        chosen = self.chosen
        self.model.set_filter(typed)
        if self.model.sheet.rows:
            self.table.selectRow(max(self.model.row_of(chosen), 0))

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let what is in the table, above it and in the bars be asked for."""
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

    def set_theme(self, theme: Theme) -> None:
        self._theme = self.heading.theme = theme
        self.heading.update()
        for part in (self.table, self.bars, self.outcome):
            part.set_theme(theme)
        self._show_bars()

    # -- showing -------------------------------------------------------------------------------------

    def pair(self) -> list[Run]:
        """Return the run in the foreground and the baseline, as far as both have figures."""
        board = self._board
        scored = board.scored()
        first = next(iter(scored), None) if place_of(board.current, scored) is None else board.current
        second = board.baseline if board.baseline is not first else None
        return [run for run in (first, second) if run is not None]

    def take_keyboard(self) -> None:
        """Give the keyboard to the table; until there is one the page keeps it."""
        (self if self.table.isHidden() else self.table).setFocus()

    def show_all(self) -> None:
        """Show what the board knows now; the chosen topic stays chosen."""
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
        self.heading.show_pair(*((one.name, one.style) for one in sheet.columns[:2]))
        pair = [one.style for one in sheet.columns[:2]]
        self.outcome.show_outcome(sheet.outcome, sheet.total, (pair[0], pair[-1]) if pair else (0, 0))
        self._show_bars()
        row = self.model.row_of(chosen)
        if there:
            self.table.selectRow(max(row, 0))
        if self.window().focusWidget() is self:  # also while the window is not in front
            self.take_keyboard()

    def _fill_room(self) -> None:
        """Show as many runs as there is room for now."""
        if self.model.sheet.columns:
            self.show_all()

    def sheet(self, most: int) -> TopicSheet:
        """Return topics × runs with at most so many runs."""
        board, figures = self._board, self._board.figures
        pair = self.pair()
        runs = [*pair, *(run for run in board.scored() if place_of(run, pair) is None)]
        columns = [
            RunColumn(
                key_of(run),
                board.name(run),
                board.style(run),
                figures.of(run)[figures.deciding],
                figures.of_topics(run, figures.deciding),
                board.figures.scores[id(run)].counts.num_q,
                _shares(board.figures.scores[id(run)].counts),
            )
            for run in runs
        ]
        titles = {topic.id: topic.title for topic in self._session.project.topics}
        topics = [(topic, titles.get(topic, "")) for topic in figures.topics]
        sheet = sheet_of(figures.topic_name, columns, topics, most)
        shares = self.table.shares_shown if columns else ()
        sheet = replace(sheet, shares=shares)
        found = board.pairs.of(*pair) if len(pair) > 1 else None
        if found is None:
            return sheet
        return replace(sheet, mean_difference=found.mean, compared=len(found.topics), outcome=found.outcome)

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
            fill_difference(painter, bar, value, self._theme, first, second)

        names = [f"{row.topic} {row.title}" for row in known]
        self.bars.set_values([row.difference for row in known], names, fill)
        self._show_seen()

    def _show_seen(self) -> None:
        first, last = self.table.rows_seen()
        seen = {row.topic for row in self.model.sheet.rows[first:last]}
        self.bars.set_seen(frozenset(at for at, topic in enumerate(self._sorted) if topic in seen))

    # -- going ---------------------------------------------------------------------------------------

    @property
    def chosen(self) -> str | None:
        row = self.table.currentIndex().row()
        return self.model.sheet.rows[row].topic if 0 <= row < len(self.model.sheet.rows) else None

    def show_topic(self, topic: str) -> None:
        """Put the keyboard on a topic, and bring it into sight."""
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
    """Return the shares of judged documents of each topic that a run has."""
    unjudged = {topic: one.unjudged / one.num_ret for topic, one in counts.topics.items() if one.num_ret}
    return {UNJUDGED: unjudged, JUDGED_AT: dict(counts.judged_at)}
