"""The right panel over all topics: the curves of the runs, and whether a difference is shown to be one."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from inexview.core.evaluation.comparison import (
    DRAWN_SEVERAL,
    SMALL_SAMPLE,
    IntervalKind,
    PairTest,
    RunDifference,
    detectable_text,
    interval_text,
)
from inexview.core.evaluation.run_derivations import BETTER, FROM, P_CORRECTED, P
from inexview.core.evaluation.significance import Correction, written_p
from inexview.core.report import difference_text
from inexview.core.wording import PERCENT, counted
from inexview.gui.charts.small_charts import CurveChart, IntervalBar
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.topics.pair_fact import PairFact, PairSides
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import (
    MARGIN,
    Caption,
    ElidedLabel,
    KeyButton,
    MenuButton,
    add_choice,
    button,
    explain,
    label,
    scrolling,
)

LEFT_OUT = 3
FACTS = ("Δ mean", "95 % CI", "p", "n", "d_z", "least Δ")
BELOW_INTERVAL = 2  # facts stand above the picture of the interval, the others below it
HIGHEST = 320  # pixels of the chart, where there is room
SHOWN, ALONE, NOT_SHOWN = (
    "Significant, also after the correction for {}.",
    "Significant alone, but not after the correction for {}.",
    "No significant difference (this does not show that they are equal).",
)
GIVEN_UP = "Not tested: the tests were cancelled. Choose another measure or test, and this one again."
NO_TOPIC = "Nothing to test: no judged topic is in both runs."
NO_BASELINE = "Two runs are compared: Shift+click one to make it the baseline."
ONE_RUN = "Two runs are compared: open a second one."
NOT_SCORED = "Runs are compared once they are scored."


class PairPanel(QWidget):
    """Curves, the paired test of foreground against baseline, and what the largest topics do to it."""

    wanted = Signal(object)  # topic

    def __init__(self, board: RunBoard, open_topic: QAction, dearest: QAction, charts: QAction) -> None:
        super().__init__()
        self._board = board
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
        self.dearest = KeyButton(dearest.text(), dearest)
        self.charts = button(charts.text(), "plain")
        explain(self.charts, charts)
        self.charts.clicked.connect(charts.trigger)
        self._lay_out()

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("role", "chrome")
        column = in_column(
            in_row((Caption("Precision over recall"), 1), self.charts),
            (self.chart, 3),
            8,
            in_row((self.title, 1), self.minus),
            in_row(self.testing, Filler(0)),
            on=inside,
            margins=(MARGIN, 12, MARGIN, 0),
            spacing=8,
        )
        facts = QGridLayout()  # a form leaves wrapped lines the height of their sizeHint
        facts.setHorizontalSpacing(16)
        facts.setColumnStretch(1, 1)
        for at, (named, value) in enumerate(zip(self._names.values(), self.facts.values(), strict=True)):
            row = at if at < BELOW_INTERVAL else at + 1
            lines = Qt.AlignmentFlag.AlignTop if at else Qt.AlignmentFlag.AlignVCenter  # beside two lines too
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
        below = in_column(self.dearest, self.open, margins=(MARGIN, 0, MARGIN, MARGIN), spacing=8)
        in_column((scrolling(inside), 1), below, on=self, margins=0, spacing=8)

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let what is said of the pair be asked for."""
        for name, asked in (("Δ mean", ""), ("95 % CI", FROM), ("p", P), ("n", BETTER)):
            clicks.watch(self.facts[name], FigureAsked(FigureLevel.RUN, asked, of=FigureOf.LEAD))
        for at, cells in enumerate(self._cells):
            for cell, measure in zip(cells, ("", "", P), strict=True):
                clicks.watch(cell, partial(self._left_out_at, at, measure))
        clicks.watch(self.interval, FigureAsked(FigureLevel.RUN, FROM, of=FigureOf.LEAD))
        clicks.watch(self.verdict, lambda _at: FigureAsked(FigureLevel.RUN, P_CORRECTED, of=FigureOf.LEAD))

    def _left_out_at(self, row: int, measure: str, _at: QPoint) -> FigureAsked | None:
        """Return what is told of the difference without the topic of a row."""
        if row >= len(self._left_out):
            return None
        return FigureAsked(FigureLevel.RUN, measure, of=FigureOf.LEAD, without=self._left_out[row])

    def set_theme(self, theme: Theme) -> None:
        for part in (self.chart, self.minus, self.interval):
            part.set_theme(theme)

    def show_topic(self, topic: str | None) -> None:
        self.open.set_text("Open topic" if topic is None else f"Open topic {topic}")
        self.open.setEnabled(topic is not None)

    def show_pair(self, titles: dict[str, str]) -> None:
        """Compare the run in the foreground with the baseline."""
        board = self._board
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
        """Offer what differences are tested by; what is chosen holds for every table of this project."""
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
        """Say what the difference would be without each of the topics that differ most."""
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
