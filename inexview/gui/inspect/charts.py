"""The chart window of Inspect: the values of the open runs, and their derivations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.evaluation.agreement import JUDGED_BY, Stability, judged_by, stability_of
from inexview.core.evaluation.charts import (
    JUDGED_CHOICE,
    Asked,
    Chart,
    Charted,
    ChartedRun,
    ChartMarks,
    ChartSeries,
    EntryView,
    Form,
    Shown,
    ordering_derivations,
)
from inexview.core.evaluation.comparison import (
    MOST_NAMES,
    about,
    counts_meaning,
    marks_meaning,
    matrix_table,
    side_by_side,
)
from inexview.core.evaluation.comparison import pairs_table as pairs_table_of
from inexview.core.evaluation.derivations import Derivations
from inexview.core.evaluation.evaluate import SCREEN, EntryDistances, entry_distances, score_run
from inexview.core.evaluation.explain import COST_HEAD, cost_lines
from inexview.core.evaluation.run_derivations import (
    derive_mean_point,
    derive_swaps,
    measure_of_point,
    name_of_point,
    swapped_by,
)
from inexview.core.evaluation.scores import (
    DIFFERENCE,
    GATHERED,
    CurveKind,
    CurvePoints,
    RunScores,
    ScoringSettings,
    mean_cells,
    run_columns,
    run_rows,
    score_head,
    score_lines,
)
from inexview.core.evaluation.variants import ranking_of
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.open_runs.chunk_ranking import chunk_table
from inexview.core.open_runs.scoring import TASK_WORDS, JudgedRuns, judged_runs, key_of, place_of
from inexview.core.progress import Progress
from inexview.core.project.import_judgements import read_others_judgements
from inexview.core.report import NOTHING, PrintedLine, ValueCell, ValueTable, count, difference_text
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.charts.chart_painter import CurveChart
from inexview.gui.charts.chart_window import ChartedValue, ChartWindow, html_table
from inexview.gui.inspect.chunk_list import TopicChunks
from inexview.gui.inspect.costs import CostliestPanel
from inexview.gui.inspect.ranked_list import RankedList
from inexview.gui.inspect.ranked_table import RankedKey
from inexview.gui.inspect.run_scoring import (
    NEEDS_CHARACTERS,
    CurvePoint,
    FigureAsked,
    FigureLevel,
    FigureOf,
    RunScoring,
)
from inexview.gui.inspect.runs import RunRow
from inexview.gui.inspect.scores import EntryControl
from inexview.gui.inspect.topics import PairPanel, TopicsPage, outcome_said
from inexview.gui.look.widgets import bring_forward, timer
from inexview.gui.services.messages import sentence
from inexview.gui.services.session import Session
from inexview.gui.services.settings import JUDGEMENTS
from inexview.gui.services.tasks import Tasks

THINNED = (CurveKind.INTERPOLATED, CurveKind.EFFORT)  # curves that are drawn with fewer points


NO_SECOND = "Choose a second assessor’s layer first: File ▸ Runs ▸ Score runs by a second layer…"
NEEDS_HALVES = "This needs two runs with figures, and two topics at least that all of them have."
SETTLED = 300  # milliseconds after the last change of A or n
T = TypeVar("T")
Wish = tuple[object, ...]
"""A computation for a chart: a kind of curve, the stability of measures, or a topic's entry points."""


@dataclass(frozen=True, slots=True, eq=False)
class _Extra:
    """The result of a ``Wish``, keyed by run scores, or the reason why there is none."""

    points: Mapping[RunScores, CurvePoints] = field(default_factory=dict)
    stability: Sequence[Stability] = ()
    entries: Mapping[int, EntryDistances] = field(default_factory=dict)
    """Distances keyed by run number."""
    judged: JudgedRuns = field(default_factory=JudgedRuns)
    problem: str = ""


class SecondJudgements(QObject):
    """Holds the second judgements, and scores the views by them on request."""

    read = Signal()  # second judgements are available

    def __init__(self, session: Session, board: RunScoring, tasks: Tasks, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._board = board
        self._tasks = tasks
        self._window = window
        self._first: Qrels | None = None
        self.qrels: Qrels | None = None

    def ask(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._window.window(), "Score runs by a second layer", "", JUDGEMENTS
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Read the second judgements, without changing the project."""
        collection = self._session.project.collection

        def read(progress: Progress) -> Qrels:
            judged = read_others_judgements(path, collection, progress)
            return judged if isinstance(judged, Qrels) else judged.qrels()

        self._tasks.run_long(f"Reading {path.name}", read, self._take)

    def _take(self, qrels: Qrels) -> None:
        self.qrels = qrels
        self.read.emit()

    @property
    def first(self) -> Qrels | None:
        """The first judgements, which score the views by default."""
        if not self._board.judged_by:
            self._first = self._board.qrels
        return self._first

    def score_by(self, name: str) -> None:
        """Score all views by one of JUDGED_BY; A is the default."""
        first, second = self.first, self.qrels
        if name == JUDGED_BY[0]:
            self._board.score_by(self._board.given, "")
        elif first is not None and second is not None:
            self._board.score_by(judged_by(first, second)[name], name)


class ChartOpener(QObject):
    """Opens the chart window, keeps it up to date with the table, and opens the places clicked in it.

    Curves that no table shows are computed in a background thread and kept until the figures change.
    """

    asked = Signal(object)  # FigureAsked: the figure to derive

    def __init__(
        self,
        session: Session,
        board: RunScoring,
        tasks: Tasks,
        beside: ArticleView,
        open_topic: Callable[[str], object],
        open_document: Callable[[str, str, int | None], object],
    ) -> None:
        """``open_document`` takes a topic, a document, and the place in it or None."""
        super().__init__(beside)
        self._open_topic, self._open_document = open_topic, open_document
        self._article = beside
        self._session = session
        self._board = board
        self._tasks = tasks
        self._extras: dict[Wish, _Extra] = {}
        self._made_of: frozenset[RunScores] = frozenset()
        self._under_way: set[Wish] = set()
        self.window: ChartWindow | None = None
        self.asked.connect(lambda _asked: bring_forward(beside.window()))
        self.second = SecondJudgements(session, board, tasks, beside)
        self.second.read.connect(self.show_judgements)
        self._entry_form: tuple[float | None, int | None] | None = None  # while A or n is being changed
        self._entry_soon = timer(self, self._keep_entry_form, SETTLED)
        board.figured.connect(self._refresh)

    def open(self) -> ChartWindow:
        if self.window is None:
            self.entry_control = EntryControl()
            self.entry_control.changed.connect(self._change_entry_form)
            beside = self._article.window()
            self.window = ChartWindow(self.charted, beside, self.entry_control, self._reasons, self._name)
            self.window.topic_wanted.connect(self._go)
            self.window.document_wanted.connect(self._open_document)
        self.window.refresh()
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        return self.window

    # -- why its values are what they are ------------------------------------------------------------

    def _reasons(self, pointed: ChartedValue) -> dict[str, Callable[[], object]]:
        """Return the derivations offered for a value, or for the whole chart."""
        if self.window is None or self.window.view.chart is None:
            return {}
        asked, chart = self.window.asked(), self.window.view.chart
        figures = self._of_all(asked) if pointed is None else self._of(asked, chart, *pointed)
        return {f"Why this figure: {one.measure}": partial(self.asked.emit, one) for one in figures}

    def read_off(self, chart: CurveChart, _at: QPoint) -> FigureAsked | None:
        """Return how to derive the mean precision at the recall level under the pointer."""
        run = self._board.current
        scores = self._board.scores(run)
        if run is None or chart.read_at is None or scores is None or scores.levels is None:
            return None
        at = round(chart.read_at * (len(scores.levels) - 1))
        return self._mean(key_of(run), scores, Asked(), at, float(scores.levels[at]))

    def _of(self, asked: Asked, chart: Chart, series: ChartSeries, at: int) -> Sequence[FigureAsked]:
        shown = asked.choice.shown
        if shown is Shown.SWAPS:
            return [FigureAsked(FigureLevel.RUN, swapped_by(series.name, int(series.x[at])),
                                made=partial(self._swaps, asked, series.name, at))]  # fmt: skip
        run = next((one for one in self._board.scored() if self._board.style(one) == series.style), None)
        scores = self._board.scores(run)
        if run is None or scores is None or shown is Shown.JUDGES:
            return []
        key = key_of(run)
        if shown is Shown.ENTRIES:
            entered = series.names[at]
            return [FigureAsked(FigureLevel.DOCUMENT, "s(x,b)", entered, run=key, topic=asked.topic)]
        if shown is Shown.MEANS:
            means = (scores.mean_names[scores.names.index(name)] for name in (asked.measure, asked.other))
            return [FigureAsked(FigureLevel.RUN, name, run=key) for name in dict.fromkeys(means)]
        if shown is Shown.TOPICS:
            topic = series.names[at]
            if chart.form is not Form.BARS:
                return [FigureAsked(FigureLevel.TOPIC, asked.measure, run=key, topic=topic)]
            other = next(one for one in self._board.scored() if self._board.style(one) == chart.emphasised[1])
            lead = FigureOf.LEAD
            return [
                FigureAsked(
                    FigureLevel.TOPIC, asked.measure, of=lead, run=key, baseline=key_of(other), topic=topic
                )
            ]
        return [self._of_curve(key, scores, asked, at, float(series.x[at]))]

    def _of_curve(self, key: str, scores: RunScores, asked: Asked, at: int, x: float) -> FigureAsked:
        kind = asked.choice.curve
        if kind in THINNED:
            last = 10 if kind is CurveKind.EFFORT or scores.levels is None else len(scores.levels) - 1
            at = round(x * last)
        if not asked.topic:
            return self._mean(key, scores, asked, at, x)
        measure = measure_of_point(scores, kind, at, x)
        name = measure or name_of_point(scores, kind, at, x)
        point = None if measure else CurvePoint(kind, at)
        return FigureAsked(FigureLevel.TOPIC, name, run=key, topic=asked.topic, point=point)

    def _mean(self, key: str, scores: RunScores, asked: Asked, at: int, x: float) -> FigureAsked:
        name = name_of_point(scores, asked.choice.curve, at, x)
        return FigureAsked(FigureLevel.RUN, name, run=key, made=partial(self._mean_point, key, asked, at, x))

    def _mean_point(self, key: str, asked: Asked, at: int, x: float) -> Derivations | None:
        """Derive a point over all topics from the current scores, which may no longer contain it.

        Another task may have other recall levels or no curve; a reloaded run may have fewer ranks.
        """
        run, charted = self._board.by_key(key), self.charted(asked)
        if run is None or charted.waiting:
            return None
        style = self._board.style(run)
        scores = next((one.scores for one in charted.runs if one.style == style), None)
        if scores is None or scores.kind is not asked.choice.curve:
            return None
        if scores.kind is CurveKind.INTERPOLATED:
            if scores.levels is None or scores.curve is None:
                return None
            at = round(x * (len(scores.levels) - 1))
        elif at >= len(scores.mean_points[0]):
            return None
        derived = derive_mean_point(scores, at)
        return {derived.measure: derived}

    def _of_all(self, asked: Asked) -> list[FigureAsked]:
        """Return the derivation of τ and ρ, if the chart shows them."""
        told, made = self._orderings(asked), partial(self._orderings, asked)
        return [FigureAsked(FigureLevel.RUN, name, made=made) for name in told or ()]

    def _orderings(self, asked: Asked) -> Derivations | None:
        if asked.choice.shown not in (Shown.MEANS, Shown.JUDGES):
            return None
        chart = asked.chart(self.charted(asked))
        return None if chart is None else ordering_derivations(chart) or None

    def _swaps(self, asked: Asked, measure: str, at: int) -> Derivations | None:
        charted = self.charted(asked)
        found = next((one for one in charted.stability if one.measure == measure), None)
        if found is None or at >= len(found.sizes):
            return None
        derived = derive_swaps(found, at, len(charted.runs))
        return {derived.measure: derived}

    # -- data ----------------------------------------------------------------------------------------

    def charted(self, asked: Asked) -> Charted:
        """Return the scored runs, best first, with the data that the chosen chart needs."""
        board = self._board
        scored = [(run, scores) for run in board.scored() if (scores := board.scores(run)) is not None]
        extra = self._extra(asked, scored)
        points = {} if extra is None else extra.points
        runs = []
        for run, scores in scored:
            own = points.get(scores)
            shown = scores if own is None else replace(scores, points=own, kind=asked.choice.curve)
            documents = {asked.topic: _documents(run, asked)} if asked.topic else {}
            runs.append(ChartedRun(board.name(run), board.style(run), shown, documents))
        open_topic = self._session.topic
        return Charted(
            runs=runs,
            measure=board.figures.topic_name,
            pair=self._pair(len(runs)),
            topic="" if open_topic is None else open_topic.id,
            marks=self._marks(),
            stability=() if extra is None else extra.stability,
            judged={} if extra is None else self._by_style(extra.judged.means),
            judged_by=board.judged_by,
            judged_topics=0 if extra is None else extra.judged.topics,
            mean_measure=board.figures.deciding,
            entries=None
            if extra is None or asked.choice.shown is not Shown.ENTRIES
            else self._entry_view(extra.entries),
            waiting=extra is None,
            problem="" if extra is None else extra.problem,
        )

    def _by_style(self, by_number: Mapping[int, T]) -> dict[int, T]:
        """Return the available values, keyed by run style instead of run number."""
        board = self._board
        looks = {board.number(run): board.style(run) for run in board.scored()}
        return {looks[number]: found for number, found in by_number.items() if number in looks}

    def _pair(self, runs: int) -> tuple[int, ...]:
        """Return the styles of the two coloured runs; empty (all coloured) if there are no others."""
        board = self._board
        scored = board.scored()
        both = (board.current, board.baseline)
        pair = [run for run in both if run is not None and place_of(run, scored) is not None]
        return tuple(dict.fromkeys(board.style(run) for run in pair)) if runs > 2 else ()

    def _marks(self) -> ChartMarks | None:
        board, baseline = self._board, self._board.baseline
        found = board.pairs.differences()
        if baseline is None or not found or not all(one.tested for one in found.values()):
            return None
        marks = {(run.id, str(run.path)): found[run].mark for run in board.scored() if run in found}
        meaning = marks_meaning(next(iter(found.values())).comparison)
        return ChartMarks(board.figures.deciding, marks, meaning)

    def _extra(self, asked: Asked, scored: Sequence[tuple[Run, RunScores]]) -> _Extra | None:
        """Return the further data of a chart; None while it is being computed."""
        made_of = frozenset(scores for _, scores in scored)
        if made_of != self._made_of:
            self._made_of = made_of
            self._extras.clear()
        shown = asked.choice.shown
        wish: Wish = (shown, asked.choice.curve)
        if shown is Shown.SWAPS:
            wish = shown, asked.measure, asked.other
        elif shown is Shown.ENTRIES:
            wish = shown, asked.topic
        elif shown is Shown.JUDGES:
            wish = shown, self.second.qrels
            if self.second.qrels is None or self.second.first is None:
                return _Extra(problem=NO_SECOND)
        elif asked.choice.curve is CurveKind.INTERPOLATED:
            return _Extra()
        if not scored:
            return _Extra()
        if self._board.elements is not None and shown is not Shown.SWAPS:
            return _Extra(problem=NEEDS_CHARACTERS)
        if wish not in self._extras and wish not in self._under_way and not self._board.stale:
            self._start(wish, self._work(asked, scored), len(scored))
        return self._extras.get(wish)

    def _work(self, asked: Asked, scored: Sequence[tuple[Run, RunScores]]) -> Callable[[Progress], _Extra]:
        if asked.choice.shown is Shown.SWAPS:
            names = dict.fromkeys([asked.measure, asked.other])
            values = [own for _, own in scored]
            return lambda _progress: _stabilities(values, tuple(names))
        board, qrels = self._board, self._board.qrels
        if asked.choice.shown is Shown.ENTRIES:
            numbers = [(run, board.number(run)) for run, _ in scored]
            return lambda progress: _Extra(entries=_entries(qrels, numbers, asked.topic, progress))
        assert board.task is not None
        plain = board.settings_for(board.task, board.figures.deciding)
        if asked.choice.shown is Shown.JUDGES:
            first, second = self.second.first, self.second.qrels
            assert first is not None
            assert second is not None
            numbers = [(run, board.number(run)) for run, _ in scored]
            return lambda progress: _Extra(judged=judged_runs(first, second, numbers, plain, progress))
        return lambda progress: _Extra(
            _curves(qrels, scored, replace(plain, curve=asked.choice.curve), progress)
        )

    def _start(self, wish: Wish, work: Callable[[Progress], _Extra], runs: int) -> None:
        self._under_way.add(wish)
        made_of = self._made_of

        def take(extra: _Extra) -> None:
            self._under_way.discard(wish)
            if made_of == self._made_of:
                self._extras[wish] = extra
            self._refresh()

        self._tasks.run_long(
            f"Charting {counted(runs, 'run')}",
            work,
            take,
            lambda error: take(_Extra(problem=sentence(error))),
            lambda: take(_Extra(problem="This was cancelled. Choose another chart, then this one again.")),
        )

    def _entry_view(self, found: Mapping[int, EntryDistances]) -> EntryView:
        """Return the distances with their scoring, including a change of A or n in progress."""
        parameters = self._board.parameters
        if self._entry_form is None:
            self.entry_control.show_values(parameters.a, parameters.n)
        else:
            a, n = self._entry_form
            parameters = replace(parameters, a=a, n=n)
        return EntryView(self._by_style(found), parameters, self._article.characters_in_sight or SCREEN)

    def _change_entry_form(self, form: tuple[float | None, int | None]) -> None:
        """Redraw the distances for a changed A or n now, and rescore the runs soon."""
        self._entry_form = form
        self._refresh()
        self._entry_soon.start()

    def _keep_entry_form(self) -> None:
        if self._entry_form is not None:
            (a, n), self._entry_form = self._entry_form, None
            self._board.set_parameters(replace(self._board.parameters, a=a, n=n))

    def _refresh(self) -> None:
        if self.window is not None and self.window.isVisible():
            self.window.refresh()

    def show_judgements(self) -> None:
        self.open().show_kind("Whose judgements")

    def by_judgements(self) -> Chart | None:
        """Return the chart of both layers; None without a second layer, or until it is scored."""
        asked = Asked(JUDGED_CHOICE)
        return asked.chart(self.charted(asked))

    def _name(self, id: str) -> str:
        """Return the title and id of a topic or document; unknown document titles are read."""
        session = self._session
        title = next((topic.title for topic in session.project.topics if topic.id == id), "")
        if self.window is not None and self.window.asked().topic:
            session.catalogue.want_first([id] if id else [])
            title = session.catalogue.about(id).title
        return f"{title} ({id})" if title not in ("", id) else id

    def _go(self, name: str) -> None:
        """Open the topic, show the run, or score by the layer with this name."""
        if self.window is not None and self.window.choice is JUDGED_CHOICE:
            self.second.score_by(name)
        elif name in {topic.id for topic in self._session.project.topics}:
            self._open_topic(name)
        else:
            named = (run for run in self._board.scored() if self._board.name(run) == name)
            if (run := next(named, None)) is not None:
                self._session.select_run(run)


def _curves(
    qrels: Qrels | None,
    scored: Sequence[tuple[Run, RunScores]],
    settings: ScoringSettings,
    progress: Progress,
) -> dict[RunScores, CurvePoints]:
    """Return the points of the runs' curves, keyed by run scores."""
    points: dict[RunScores, CurvePoints] = {}
    for done, (run, scores) in enumerate(scored):
        progress("runs", done, len(scored))
        if qrels is not None:
            points[scores] = score_run(qrels, run, settings).points
    return points


def _entries(
    qrels: Qrels | None, runs: Sequence[tuple[Run, int]], topic: str, progress: Progress
) -> dict[int, EntryDistances]:
    """Return the entry-point distances of the runs in a topic, keyed by run number."""
    found: dict[int, EntryDistances] = {}
    for done, (run, number) in enumerate(runs):
        progress("runs", done, len(runs))
        if qrels is not None:
            found[number] = entry_distances(qrels, ranking_of(run, topic), topic)
    return found


def _stabilities(scores: Sequence[RunScores], measures: Sequence[str]) -> _Extra:
    """Return the stability of measures on the common topics of the runs, or why it is unavailable."""
    found = []
    for measure in measures:
        own = [one for one in scores if measure in one.names]
        if len(own) > 1:
            compared = side_by_side(own, own[0].mean_names[own[0].names.index(measure)])
            found += [stability_of(compared)] if len(compared.shared) > 1 else []
    return _Extra(stability=found, problem="" if found else NEEDS_HALVES)


def _documents(run: Run, asked: Asked) -> tuple[str, ...]:
    """Return the documents of the points of a topic's curve, in order."""
    listed = run.documents(asked.topic, len(run))
    ranked = tuple(dict.fromkeys(listed))
    if ranked and asked.choice.curve is CurveKind.ROC:
        return ("", *ranked, "")
    return tuple(listed)


def curves_of(board: RunScoring) -> tuple[list[ChartSeries], int | None]:
    """Return the available curves, and the style of the current run."""
    scored = [(run, board.figures.scores[run]) for run in board.scored()]
    curves = [
        ChartSeries(board.name(run), board.style(run), scores.levels, scores.mean_curve)
        for run, scores in scored
        if scores.levels is not None
    ]
    return curves, None if board.current is None else board.style(board.current)


# Inspect's tables for export, with measure, number of topics, preset, and the meaning of their signs.
#
# Printed figures have four decimals; CSV has the values of `inexview eval`.

EVERY = 1_000_000  # runs: a saved table is not limited by the width of the screen
BEST_RUN, BEST_TOPIC = "The best run is bold", "The best run of each topic is bold"


def run_table(board: RunScoring, listed: Sequence[RunRow]) -> ValueTable:
    """Return the scored runs in the order of the table."""
    rows = [row for row in listed if row.figures]
    measures, baseline = board.figures.measures, board.baseline
    compared = board.pairs.with_baseline()
    by_key = {key_of(run): run for run in board.scored()}
    notes = [BEST_RUN] if len(rows) > 1 else []
    if compared is not None:
        notes += filter(None, (marks_meaning(compared), counts_meaning(compared)))
    scores = [board.figures.scores[by_key[row.key]] for row in rows]
    heading = "difference" if baseline is None or len(rows) < 2 else f"against {board.name(baseline)}"
    head, lines = run_rows(rows, run_columns(measures, rows))
    return ValueTable(
        "Runs",
        _said(board, ", ".join(measures)),
        tuple(heading if name == DIFFERENCE else name for name in head),
        lines,
        score_head(scores),
        list(score_lines(scores, per_topic=False, names=_names(board, measures))),
        notes=tuple(notes),
    )


def topics_table(board: RunScoring, page: TopicsPage, pair: PairPanel) -> ValueTable:
    """Return the table topics × runs in screen order, with all runs and the test of the pair."""
    sheet = page.model.arranged(page.sheet(EVERY))
    runs = sheet.columns
    lines = []
    for row in sheet.rows:
        best = sheet.best.get(row.topic, math.nan)
        values = [run.values.get(row.topic, math.nan) for run in runs]
        figures = (_figure(value, best=value == best > 0) for value in values)
        difference = [ValueCell(difference_text(row.difference, 4))] * sheet.paired
        lines.append((ValueCell(f"{row.topic} {row.title}".strip()), *figures, *difference))
    counts = [run.topics for run in runs]
    means = mean_cells([run.mean for run in runs], counts, len(lines))
    count = f"({sheet.compared})" if sheet.lacks_topics else ""
    led = [ValueCell(difference_text(sheet.mean_difference, 4), count=count)] * sheet.paired
    alike = all(count == len(lines) for count in counts)
    over = f"mean of {counted(len(lines), 'topic')}" if alike else "mean of the topics that a run has"
    some = ["The difference of the means is on the topics that both runs have"]
    above = ""
    if sheet.paired:
        names = f"{runs[0].name} against {runs[1].name}"
        said = f"{names}: {outcome_said(sheet.outcome)}" if sheet.outcome else names
        facts = [[name, value.said.replace("\n", "; ")] for name, value in pair.facts.items() if value.said]
        above = f"<p>{escape(said)}</p>\n{html_table(('', ''), facts)}<p>{escape(pair.verdict.text())}</p>\n"
    head, named = _columns([run.name for run in runs])
    by_key = {key_of(run): run for run in board.scored()}
    scores = [board.figures.scores[by_key[run.key]] for run in runs]
    return ValueTable(
        f"{sheet.measure} of every topic",
        _said(board, sheet.measure),
        ("topic", *head, *("difference",) * sheet.paired),
        ((ValueCell(over), *means, *led), *lines),
        score_head(scores),
        list(score_lines(scores, per_topic=True, names=_names(board, [board.figures.deciding]))),
        notes=(*named, BEST_TOPIC, *some * sheet.lacks_topics) if len(runs) > 1 else (),
        above=above,
    )


def pairs_table(board: RunScoring) -> Callable[[], ValueTable] | None:
    """Return a function that makes the tables of all pairs, as ``inexview compare`` prints them.

    The function is slow, for a worker thread: it computes intervals that hold for all pairs at once.  None
    without two runs that share a judged topic.
    """
    comparison = board.pairs.comparison()
    if comparison is None:
        return None
    scores = board.figures.scores[board.scored()[0]]
    said = _said(board, about(comparison), topics="")

    def make() -> ValueTable:
        matrix, pairs = matrix_table(comparison, said, scores), pairs_table_of(comparison, said)
        return replace(matrix, below=(pairs,))

    return make


def ranked_table(board: RunScoring, listed: RankedList, measure: str, of: str) -> ValueTable:
    """Return the documents shown in the list, in order; ``of`` names the ranking."""
    model = listed.model
    rows = [model.at(model.index(at)) for at in range(model.rowCount())]
    costs, compared = model.costs, any(row.other is not None for row in rows)
    head = ["rank", "document", "title", "state", measure, costs.so_far_name, costs_name(costs.measure)]
    head += ["size", "rsize"] + [RankedKey.GAIN.value, RankedKey.THERE.value] * compared
    values: list[PrintedLine] = []
    for row in rows:
        other = row.other.rank if row.other is not None else None
        figures = (row.score, costs.so_far.get(row.document), costs.change(row.document))
        sizes = (row.retrieved.size, (row.judged & row.retrieved).size)
        line = (row.rank, row.document, row.title, row.state.value, *figures, *sizes)
        compared_with = (row.gained, other) if compared else ()
        values.append(["" if value is None else value for value in (*line, *compared_with)])
    baseline = board.baseline
    notes = (
        (f"{RankedKey.GAIN.value} and {RankedKey.THERE.value}: against {board.name(baseline)}",)
        if compared and baseline
        else ()
    )
    write: Sequence[Callable[[float], str]] = (
        *(_decimals, _decimals, _signed, count, count),
        *((_signed, count) if compared else ()),
    )
    lines = tuple(
        (
            *(ValueCell(str(one) or NOTHING) for one in line[:4]),
            *(
                ValueCell(NOTHING if one == "" else to(float(one)))
                for to, one in zip(write, line[4:], strict=True)
            ),
        )
        for line in values
    )
    said = f"{of}, {_said(board, costs.measure or board.figures.topic_name, 1)}"
    return ValueTable(
        listed.heading.full_text, said, tuple(head), lines, tuple(head), values, names=4, notes=notes
    )


def chunks_table(board: RunScoring, chunks: TopicChunks, of: str) -> ValueTable:
    """Return the chunks shown in the list, in order; ``of`` names the ranking."""
    listed, ranking = chunks.listed_now(), chunks.ranking()
    topic = "" if ranking is None else ranking.topic
    said = f"{of}, {_said(board, board.figures.topic_name, 1)}"
    return chunk_table([row.chunk for row in listed], f"Chunks of topic {topic}", said, chunks.k)


def judged_table(board: RunScoring, chart: Chart | None) -> ValueTable:
    """Return the means of the runs under each layer, and the rank correlations, as drawn."""
    if chart is None or not chart.series or board.task is None:
        return ValueTable("", "", (), (), (), ())
    best = [max(values) for values in zip(*(series.y.tolist() for series in chart.series), strict=True)]
    rows = tuple(
        (
            ValueCell(series.name),
            *(_figure(value, best=value == top) for value, top in zip(series.y.tolist(), best, strict=True)),
        )
        for series in chart.series
    )
    notes = [BEST_RUN] if len(rows) > 1 else []
    said = f"{TASK_WORDS[board.task]}, {chart.caption.replace(' · ', ', ')}"
    return ValueTable(
        chart.title, said, ("run", *JUDGED_BY), rows, chart.head, list(chart.lines), notes=tuple(notes)
    )


def costs_table(panel: CostliestPanel) -> ValueTable:
    """Return the costliest faults of the run, of the listed kind."""
    found, model = panel.found, panel.model
    if found is None:
        return ValueTable(panel.title.full_text, "", (), (), (), ())
    scores, over = found.scores, counted(len(found.scores.topics), "topic")
    preset = scores.preset.named_with(scores.parameters, scores.task)
    lines = [[ValueCell(text) for text in model.texts(row)] for row in range(len(model.rows))]
    return ValueTable(
        panel.title.full_text,
        f"{TASK_WORDS[scores.task]}, {found.measure} {found.value:.4f}, {over}, {preset}",
        (panel.kind.value, "of", "gain"),
        tuple(map(tuple, lines)),
        COST_HEAD,
        list(cost_lines(found, [panel.kind])),
        names=2,
        notes=(panel.note.text(),),
    )


def _columns(names: Sequence[str]) -> tuple[Sequence[str], tuple[str, ...]]:
    """Return the column headings of the runs, and a key if the headings are numbers."""
    if len(names) <= MOST_NAMES:
        return names, ()
    numbered = [f"{at} {name}" for at, name in enumerate(names, 1)]
    return [str(at) for at in range(1, len(names) + 1)], (" · ".join(numbered),)


def costs_name(measure: str) -> str:
    return f"{measure} without it" if measure else RankedKey.CHANGE.value


def _said(board: RunScoring, what: str, topics: int | str | None = None) -> str:
    """Return the caption: task, measures, number of topics, preset, and any other judgements."""
    task = board.task
    if task is None:
        return what
    number = len(board.figures.topics) if topics is None else topics
    over = number if isinstance(number, str) else f", {counted(number, 'topic')}"
    by = f", judgements: {board.judged_by}" if board.judged_by else ""
    preset = board.choice.preset_of(task).named_with(board.parameters, task)
    gathered = f"; {GATHERED}" if any(run.gathered for run in board.runs) else ""
    return f"{TASK_WORDS[task]}, {what}{over}, {preset}{by}{gathered}"


def _names(board: RunScoring, means: Sequence[str]) -> list[str]:
    """Return the names of measures for a single topic."""
    scores = next(iter(board.figures.scores.values()), None)
    if scores is None:
        return []
    called: Mapping[str, str] = dict(zip(scores.mean_names, scores.names, strict=True))
    return [called[name] for name in means]


def _figure(value: float, *, best: bool) -> ValueCell:
    return ValueCell(NOTHING) if math.isnan(value) else ValueCell(_decimals(value), best=best)


def _decimals(value: float) -> str:
    return f"{value:.4f}"


def _signed(value: float) -> str:
    return difference_text(value, 4)
