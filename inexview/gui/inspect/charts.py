"""The window of charts: the values that it shows of the open runs, and why they are what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, Signal

from inexview.core.evaluation.charts import (
    CHOICES,
    Asked,
    Chart,
    ChartChoice,
    Charted,
    ChartedRun,
    ChartMarks,
    ChartSeries,
    EntryView,
    Form,
    ordering_derivations,
)
from inexview.core.evaluation.comparison import marks_meaning, side_by_side
from inexview.core.evaluation.derivations import Derivation
from inexview.core.evaluation.evaluate import SCREEN, EntryDistances, entry_distances, score_run
from inexview.core.evaluation.orderings import Stability, stability_of
from inexview.core.evaluation.run_derivations import (
    derive_mean_point,
    derive_swaps,
    measure_of_point,
    name_of_point,
    swapped_by,
)
from inexview.core.evaluation.scores import CurveKind, CurvePoints, RunScores, ScoringSettings
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.open_runs.explained import Explained, ExplainedAlone, ExplainedRun
from inexview.core.open_runs.scoring import JudgedRuns, judged_runs, key_of, place_of
from inexview.core.progress import Progress
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.charts.chart_window import ChartedValue, ChartReason, ChartWindow
from inexview.gui.charts.small_charts import CurveChart
from inexview.gui.inspect.controls import EntryControl
from inexview.gui.inspect.figures import CurvePoint, FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.run_scoring import NEEDS_CHARACTERS, RunScoring, SecondJudgements
from inexview.gui.look.widgets import bring_forward, timer
from inexview.gui.services.messages import sentence
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks

THINNED = (CurveKind.INTERPOLATED, CurveKind.EFFORT)  # curves of which not every point is drawn


class ChartFigures(QObject):
    """Tells which figure is meant by a value of a chart."""

    asked = Signal(object)  # FigureAsked

    def __init__(self, board: RunScoring, charted: Callable[[Asked], Charted], parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._charted = charted

    def reasons(
        self, choice: ChartChoice, asked: Asked, chart: Chart | None, pointed: ChartedValue
    ) -> list[ChartReason]:
        """Return what can be asked of a value, or of a chart."""
        if chart is None:
            return []
        figures = self._of_all(choice, asked) if pointed is None else self._of(choice, asked, chart, *pointed)
        return [
            ChartReason(f"Why this figure: {one.measure}", partial(self.asked.emit, one)) for one in figures
        ]

    def read_off(self, chart: CurveChart, _at: QPoint) -> FigureAsked | None:
        """Return the mean precision at the level of recall that is read off a chart of curves."""
        run = self._board.current
        scores = self._board.scores(run)
        if run is None or chart.read_at is None or scores is None or scores.levels is None:
            return None
        at = round(chart.read_at * (len(scores.levels) - 1))
        return self._mean(key_of(run), scores, Asked(), at, float(scores.levels[at]))

    def _of(
        self, choice: ChartChoice, asked: Asked, chart: Chart, series: ChartSeries, at: int
    ) -> Sequence[FigureAsked]:
        if choice.stability:
            return [FigureAsked(FigureLevel.RUN, swapped_by(series.name, int(series.x[at])),
                                made=partial(self._swaps, asked, series.name, at))]  # fmt: skip
        run = next((one for one in self._board.scored() if self._board.style(one) == series.style), None)
        scores = self._board.scores(run)
        if run is None or scores is None or choice.judged:
            return []
        key = key_of(run)
        if choice.entries:
            entered = series.names[at]
            return [FigureAsked(FigureLevel.DOCUMENT, "s(x,b)", entered, run=key, topic=asked.topic)]
        if choice.measures == 2:
            means = (scores.mean_names[scores.names.index(name)] for name in (asked.measure, asked.other))
            return [FigureAsked(FigureLevel.RUN, name, run=key) for name in dict.fromkeys(means)]
        if choice.measures:
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
        return [self._of_curve(key, scores, choice.curve, asked, at, float(series.x[at]))]

    def _of_curve(
        self, key: str, scores: RunScores, kind: CurveKind, asked: Asked, at: int, x: float
    ) -> FigureAsked:
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
        name = name_of_point(scores, asked.curve, at, x)
        return FigureAsked(FigureLevel.RUN, name, run=key, made=partial(self._mean_point, key, asked, at, x))

    def _mean_point(self, key: str, asked: Asked, at: int, x: float) -> Explained | None:
        """Derive a point over all topics from the scores that are charted now, which may lack it by now.

        Another task may have other levels of recall, or no curve; another run of the same file fewer ranks.
        """
        run, charted = self._board.by_key(key), self._charted(asked)
        if run is None or charted.waiting:
            return None
        style = self._board.style(run)
        scores = next((one.scores for one in charted.runs if one.style == style), None)
        if scores is None or scores.kind is not asked.curve:
            return None
        if scores.kind is CurveKind.INTERPOLATED:
            if scores.levels is None or scores.curve is None:
                return None
            at = round(x * (len(scores.levels) - 1))
        elif at >= len(scores.mean_points[0]):
            return None
        told, without = derive_mean_point(scores, at)
        return ExplainedRun({told.measure: told}, (told.measure,), without[None, :])

    def _of_all(self, choice: ChartChoice, asked: Asked) -> list[FigureAsked]:
        """Return τ and ρ, where the chart says them."""
        told = self._orderings(choice, asked)
        return [FigureAsked(FigureLevel.RUN, name, made=partial(self._alike, choice, asked)) for name in told]

    def _alike(self, choice: ChartChoice, asked: Asked) -> Explained | None:
        told = self._orderings(choice, asked)
        return ExplainedAlone(told) if told else None

    def _orderings(self, choice: ChartChoice, asked: Asked) -> dict[str, Derivation]:
        """Derive how alike the orders of a chart's runs are."""
        if not choice.judged and (choice.measures < 2 or choice.stability):
            return {}
        charted = self._charted(asked)
        chart = None if charted.waiting or charted.problem else choice.make(charted, asked)
        return {} if chart is None else ordering_derivations(chart)

    def _swaps(self, asked: Asked, measure: str, at: int) -> Explained | None:
        charted = self._charted(asked)
        found = next((one for one in charted.stability if one.measure == measure), None)
        if found is None or at >= len(found.sizes):
            return None
        told = derive_swaps(found, at, len(charted.runs))
        return ExplainedAlone({told.measure: told})


NO_SECOND = "Choose a second assessor’s layer first: File ▸ Score runs by a second layer…"
NEEDS_HALVES = "This needs two runs with figures, and two topics at least that all of them have."
SETTLED = 300  # milliseconds after A or n was changed last
T = TypeVar("T")
Wish = tuple[object, ...]
"""What is computed for a chart: a kind of curve, the stability of measures, the entry points of a topic."""


@dataclass(frozen=True, slots=True, eq=False)
class _Extra:
    """What was computed for a wish, by the ``id()`` of the runs' scores, or why it could not be."""

    points: Mapping[int, CurvePoints] = field(default_factory=dict)
    stability: Sequence[Stability] = ()
    entries: Mapping[int, EntryDistances] = field(default_factory=dict)
    """Of the numbers of the runs."""
    judged: JudgedRuns = field(default_factory=JudgedRuns)
    problem: str = ""


class ChartOpener(QObject):
    """One window of charts; what changes in the table changes there, and a place clicked there opens.

    Curves that no table shows are computed off the window's thread, and kept as long as the figures are.
    """

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
        self._made_of: frozenset[int] = frozenset()
        self._under_way: set[Wish] = set()
        self.window: ChartWindow | None = None
        self.figures = ChartFigures(board, self.charted, self)
        self.figures.asked.connect(lambda _asked: bring_forward(beside.window()))
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

    def _reasons(self, pointed: ChartedValue) -> list[ChartReason]:
        """Return what can be asked of a value of the chart that is shown, or of all of it."""
        if self.window is None:
            return []
        window = self.window
        return self.figures.reasons(window.choice, window.asked(), window.view.chart, pointed)

    # -- what is charted -----------------------------------------------------------------------------

    def charted(self, asked: Asked) -> Charted:
        """Return the runs that have figures, best first, with what the chart that is asked for needs."""
        board = self._board
        scored = [(run, scores) for run in board.scored() if (scores := board.scores(run)) is not None]
        extra = self._extra(asked, scored)
        points = {} if extra is None else extra.points
        runs = []
        for run, scores in scored:
            own = points.get(id(scores))
            shown = scores if own is None else replace(scores, points=own, kind=asked.curve)
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
            entries=None if extra is None or not asked.entries else self._entry_view(extra.entries),
            waiting=extra is None,
            problem="" if extra is None else extra.problem,
        )

    def _by_style(self, by_number: Mapping[int, T]) -> dict[int, T]:
        """Return what there is of the runs' numbers by how the runs look now."""
        board = self._board
        looks = {board.styles.number(run): board.style(run) for run in board.scored()}
        return {looks[number]: found for number, found in by_number.items() if number in looks}

    def _pair(self, runs: int) -> tuple[int, ...]:
        """Return the styles of the two runs in colour; where there are no others, all are."""
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
        marks = {(run.id, str(run.path)): found[id(run)].mark for run in board.scored() if id(run) in found}
        meaning = marks_meaning(next(iter(found.values())).comparison)
        return ChartMarks(board.figures.deciding, marks, meaning)

    def _extra(self, asked: Asked, scored: Sequence[tuple[Run, RunScores]]) -> _Extra | None:
        """Return what more a chart needs; None while it is being computed."""
        made_of = frozenset(id(scores) for _, scores in scored)
        if made_of != self._made_of:
            self._made_of = made_of
            self._extras.clear()
        wish: Wish = ("curve", asked.curve)
        if asked.stability:
            wish = "stability", asked.measure, asked.other
        elif asked.entries:
            wish = "entries", asked.topic
        elif asked.judged:
            wish = "judged", id(self.second.qrels)
            if self.second.qrels is None or self.second.first is None:
                return _Extra(problem=NO_SECOND)
        if wish == ("curve", CurveKind.INTERPOLATED) or not scored:
            return _Extra()
        if self._board.elements is not None and not asked.stability:
            return _Extra(problem=NEEDS_CHARACTERS)
        if wish not in self._extras and wish not in self._under_way and not self._board.stale:
            self._start(wish, self._work(asked, scored), len(scored))
        return self._extras.get(wish)

    def _work(self, asked: Asked, scored: Sequence[tuple[Run, RunScores]]) -> Callable[[Progress], _Extra]:
        if asked.stability:
            names = dict.fromkeys([asked.measure, asked.other])
            values = [own for _, own in scored]
            return lambda _progress: _stabilities(values, tuple(names))
        board, qrels = self._board, self._board.qrels
        if asked.entries:
            numbers = [(run, board.styles.number(run)) for run, _ in scored]
            return lambda progress: _Extra(entries=_entries(qrels, numbers, asked.topic, progress))
        assert board.task is not None
        plain = board.settings_for(board.task, board.figures.deciding)
        if asked.judged:
            first, second = self.second.first, self.second.qrels
            assert first is not None
            assert second is not None
            numbers = [(run, board.styles.number(run)) for run, _ in scored]
            return lambda progress: _Extra(judged=judged_runs(first, second, numbers, plain, progress))
        return lambda progress: _Extra(_curves(qrels, scored, replace(plain, curve=asked.curve), progress))

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
            lambda: take(_Extra(problem="This was given up; choose another chart, and this one again.")),
        )

    def _entry_view(self, found: Mapping[int, EntryDistances]) -> EntryView:
        """Return the distances with what scores them, as it is or as it is being changed."""
        parameters = self._board.parameters
        if self._entry_form is None:
            self.entry_control.show_values(parameters.a, parameters.n)
        else:
            a, n = self._entry_form
            parameters = replace(parameters, a=a, n=n)
        return EntryView(self._by_style(found), parameters, self._article.characters_in_sight or SCREEN)

    def _change_entry_form(self, form: tuple[float | None, int | None]) -> None:
        """Show at once what another A or n makes of the distances, and score the runs by it soon."""
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
        """Show which order of the runs follows from whose judgements."""
        self.open().show_kind("Whose judgements")

    def by_judgements(self) -> Chart | None:
        """Return that chart; None without second judgements, and until their figures are there."""
        asked, choice = Asked(judged=True), next(one for one in CHOICES if one.judged)
        charted = self.charted(asked)
        return None if charted.waiting or charted.problem else choice.make(charted, asked)

    def _name(self, id: str) -> str:
        """Return the title of a topic or document with its id; a document's is read where it is not known."""
        session = self._session
        title = next((topic.title for topic in session.project.topics if topic.id == id), "")
        if self.window is not None and self.window.asked().topic:
            session.catalogue.want_first([id] if id else [])
            title = session.catalogue.about(id).title
        return f"{title} ({id})" if title not in ("", id) else id

    def _go(self, name: str) -> None:
        """Go to the topic of this name, or lay the run of this name over the text."""
        if self.window is not None and self.window.choice.judged:
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
) -> dict[int, CurvePoints]:
    """Return the points of the runs' curves by the ``id()`` of their scores."""
    points: dict[int, CurvePoints] = {}
    for done, (run, scores) in enumerate(scored):
        progress("runs", done, len(scored))
        if qrels is not None:
            points[id(scores)] = score_run(qrels, run, settings).points
    return points


def _entries(
    qrels: Qrels | None, runs: Sequence[tuple[Run, int]], topic: str, progress: Progress
) -> dict[int, EntryDistances]:
    """Return the distances of the runs' entry points in a topic, by the numbers of the runs."""
    found: dict[int, EntryDistances] = {}
    for done, (run, number) in enumerate(runs):
        progress("runs", done, len(runs))
        if qrels is not None:
            found[number] = entry_distances(qrels, run, topic)
    return found


def _stabilities(scores: Sequence[RunScores], measures: Sequence[str]) -> _Extra:
    """Return the stability of measures on the topics that all runs have, or why there is none."""
    found = []
    for measure in measures:
        own = [one for one in scores if measure in one.names]
        if len(own) > 1:
            compared = side_by_side(own, own[0].mean_names[own[0].names.index(measure)])
            found += [stability_of(compared)] if len(compared.shared) > 1 else []
    return _Extra(stability=found, problem="" if found else NEEDS_HALVES)


def _documents(run: Run, asked: Asked) -> tuple[str, ...]:
    """Return the documents that the points of a topic's curve stand for, as many as it may have points."""
    if asked.topic not in run.topics:
        return ()
    at = run.topics.index(asked.topic)
    listed = run.document.strings()[int(run.ptr[at]) : int(run.ptr[at + 1])]
    ranked = tuple(dict.fromkeys(listed))
    if asked.curve is CurveKind.ROC:
        return ("", *ranked, "")
    return tuple(listed)


def curves_of(board: RunScoring) -> tuple[list[ChartSeries], int | None]:
    """Return the curves of the runs that have one, and the style number of the one in the foreground."""
    scored = [(run, board.figures.scores[id(run)]) for run in board.scored()]
    curves = [
        ChartSeries(board.name(run), board.style(run), scores.levels, scores.mean_curve)
        for run, scores in scored
        if scores.levels is not None
    ]
    return curves, None if board.current is None else board.style(board.current)
