"""The open runs with their figures, which follow judgements, settings and runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from inexview.core.answers.nuggets import NuggetQrels
from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.evaluation.chunkers import Reading, Same
from inexview.core.evaluation.comparison import Comparison, RunDifference, side_by_side
from inexview.core.evaluation.derivations import Derivations
from inexview.core.evaluation.explain import Cost, ElementScoring
from inexview.core.evaluation.run_parameters import ParameterTable
from inexview.core.evaluation.scores import CurveKind, RunScores, ScoringSettings
from inexview.core.evaluation.testing import Testing
from inexview.core.evaluation.variants import RankingFault
from inexview.core.formats.format import DIVERSITY, NUGGETS
from inexview.core.judgements.elements import ElementQrels
from inexview.core.judgements.qrels import AspectQrels, Judgement, Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.measure import INEX_2007, Parameters, parse
from inexview.core.open_runs.scoring import (
    LONG,
    NONE,
    AskedComparison,
    NamedRuns,
    RunFigures,
    ScoredRuns,
    ScoringChoice,
    SteppedFigures,
    are_same,
    key_of,
    place_of,
    presets_for,
    run_figures,
    scored_runs,
    task_shown,
)
from inexview.core.progress import Progress, unwatched
from inexview.core.project.document_state import DocumentState
from inexview.core.project.inspection import Inspection, judge_again, read_again
from inexview.core.project.judgement_export import finished_judgements, judgement_of
from inexview.core.project.nuggets import nugget_judgements
from inexview.core.wording import counted
from inexview.gui.look.theme import alike, recolored
from inexview.gui.look.widgets import timer
from inexview.gui.services.document_record import FileWatch
from inexview.gui.services.messages import Message, MessageKind, Messages, sentence
from inexview.gui.services.session import Session
from inexview.gui.services.settings import SCORING, Settings
from inexview.gui.services.tasks import BackgroundTask, LongTask, Tasks

# How runs are scored in the window: the settings, the figures of all runs, and their pairwise tests.


def scored_judgement(
    session: Session, given: Qrels | None, document: str, state: DocumentState, length: int
) -> Judgement | None:
    """Return the judgement of a document for the open topic; None if there is none.

    A line of the ``given`` qrels takes precedence, with its own rsize, length and entry point.  Otherwise the
    judgement comes from ``state``, with the length that a finished document had when it was judged.
    ``length`` is the document's current length, 0 if unknown.
    """
    topic = "" if session.topic is None else session.topic.id
    found = None if given is None else given.judgement(topic, document)
    if state.untouched and (found is None or found.bep is None):
        return None
    if found is not None:
        return found
    judged = session.project.histories.of(topic, document).finished_length if state.finished else None
    return judgement_of(topic, document, state, length if judged is None else judged)


class RunPairs(QObject):
    """Compares the open runs: returns differences at once, and signals when they are tested.

    Indices of runs follow the order in which they were opened.
    """

    tested = Signal()

    def __init__(
        self, tasks: Tasks, scored: Callable[[], ScoredRuns], testing: Callable[[], Testing], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._scored = scored
        self._testing = testing
        self._answered: dict[AskedComparison, Comparison | None] = {}
        self._wanted: list[AskedComparison] = []
        self._cancelled: list[AskedComparison] = []
        self._asked: tuple[str, Testing] | None = None
        self._task: BackgroundTask | None = None
        self._soon = timer(self, self._test, 0)

    def forget_others(self, before: RunFigures, now: RunFigures) -> None:
        """Drop all comparisons if the scores changed; another measure of the same scores keeps them."""
        if {*before.scores.values()} != {*now.scores.values()}:
            self._stop()
            self._answered.clear()

    def _stop(self) -> None:
        """Drop untested comparisons, and cancel the running test."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        for asked in (*self._wanted, *self._cancelled):
            del self._answered[asked]
        self._wanted, self._cancelled = [], []

    @property
    def given_up(self) -> bool:
        """Whether a requested test was cancelled."""
        return bool(self._cancelled)

    def _answer(self, asked: AskedComparison) -> Comparison | None:
        """Compare runs, with tests if they are available; raises what ``compare`` raises.

        None if there are too many pairs for a turn of the window's thread, until they are tested.
        """
        if (asked.measure, asked.testing) != self._asked:
            self._asked = asked.measure, asked.testing
            self._stop()
        if asked not in self._answered:
            many = asked.pairs > MOST_AT_ONCE
            self._answered[asked] = None if many else side_by_side(
                asked.runs, asked.measure, asked.testing, topics=asked.topics, baseline=asked.baseline
            )  # fmt: skip
            self._wanted.append(asked)
            if self._task is None and not self._soon.isActive():
                self._soon.start()  # once the asking is over
        return self._answered[asked]

    def _test(self) -> None:
        if not self._wanted:
            return
        short = [asked for asked in self._wanted if asked.pairs < LONG]
        wanted = short or self._wanted[:1]  # short tests come first

        def work(progress: Progress) -> dict[AskedComparison, Comparison]:
            return {asked: asked.compared(progress) for asked in wanted}

        if short:
            self._task = self._tasks.run(lambda: work(unwatched), self._take, urgent=False)
        else:
            what = f"Testing {counted(max(asked.pairs for asked in wanted), 'pair')} of runs"
            self._task = self._tasks.run_long(what, work, self._take, given_up=self._cancel)

    def _take(self, tested: dict[AskedComparison, Comparison]) -> None:
        self._task = None
        self._answered |= tested
        self._wanted = [asked for asked in self._wanted if asked not in tested]
        if self._wanted:
            self._soon.start()
        self.tested.emit()

    def _cancel(self) -> None:
        """Keep comparisons untested until another measure or test is chosen."""
        self._task = None
        self._cancelled, self._wanted = [*self._cancelled, *self._wanted], []
        self.tested.emit()

    def _compared(
        self, runs: Sequence[Run], baseline: int | None = None, topics: tuple[str, ...] | None = None
    ) -> Comparison | None:
        """Compare all runs; None without two runs that share a judged topic."""
        if len(runs) < 2:
            return None
        figures = self._scored().figures
        scores = tuple(figures.scores[run] for run in runs)
        try:
            return self._answer(AskedComparison(scores, figures.deciding, self._testing(), baseline, topics))
        except InexviewError:
            return None

    def comparison(self) -> Comparison | None:
        """Return all pairs; None without two runs that share a judged topic."""
        return self._compared(self._scored().opened)

    def with_baseline(self) -> Comparison | None:
        """Return the pairs with the baseline, p corrected for these alone; None if there are none."""
        scored = self._scored()
        place = place_of(scored.baseline, scored.opened)
        return None if place is None else self._compared(scored.opened, place)

    def of(self, first: Run | None, second: Run | None) -> RunDifference | None:
        """Return the difference of two runs, in the baseline's family of tests if one is the baseline.

        None if the runs are not compared, or share no judged topic.
        """
        scored = self._scored()
        places = place_of(first, scored.opened), place_of(second, scored.opened)
        if first is second or places[0] is None or places[1] is None:
            return None
        based = scored.baseline in (first, second)
        comparison = self.with_baseline() if based else self.comparison()
        found = None if comparison is None else comparison.difference(places[0], places[1])
        return found if found is not None and found.pair.topics else None

    def differences(self) -> dict[Run, RunDifference]:
        """Return the difference of each run to the baseline."""
        scored, comparison = self._scored(), self.with_baseline()
        if comparison is None or comparison.baseline is None:
            return {}
        found = {
            run: comparison.difference(at, comparison.baseline)
            for at, run in enumerate(scored.opened)
            if at != comparison.baseline
        }
        return {run: difference for run, difference in found.items() if difference.pair.topics}

    def of_best(self, most: int) -> dict[tuple[int, int], RunDifference]:
        """Return the differences between the best runs, keyed by their ranks."""
        scored, comparison = self._scored(), self.comparison()
        if comparison is None:
            return {}
        places = {run: at for at, run in enumerate(scored.opened)}
        ranked = [places[run] for run in scored.best_first[:most]]
        return {
            (i, j): comparison.difference(first, second)
            for i, first in enumerate(ranked)
            for j, second in enumerate(ranked)
            if i < j
        }

    def without(self, topic: str, first: Run, second: Run) -> RunDifference | None:
        """Return the difference of two runs on their common topics, without one topic."""
        found = self.of(first, second)
        rest = () if found is None else tuple(other for other in found.topics if other != topic)
        comparison = self._compared((first, second), topics=rest) if rest else None
        return None if comparison is None else comparison.difference(0, 1)


MOST_AT_ONCE = 5_000  # pairs compared without tests in one turn: those of 100 runs
AFTER, NOTED_AFTER = 150, 1_000  # milliseconds without another change
MANY = 30  # runs; what fewer show is there in half a turn
NEEDS_CHARACTERS = "This needs judgements of characters; these are of elements."


class RunScoring(QObject):
    """Scores the runs in a background thread; ``stale`` is true while the figures are outdated."""

    figured = Signal()  # other figures, or the same for other reasons: choice, runs, staleness

    def __init__(self, session: Session, tasks: Tasks, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._written = session.project.parameters  # as last written by this or another window
        kept = settings.get(SCORING).get(str(session.project.path), {})
        self.choice = ScoringChoice.from_kept(kept, self._written)
        self.moving: Callable[[], bool] = lambda: False
        """Whether a slider is being dragged."""
        self._noted = True  # no choice differs from the project
        self.note_soon = timer(self, self._note_once_still, NOTED_AFTER)
        self.figures = RunFigures()
        self.stale = False
        self.arriving = False
        """Whether many runs have new figures, which are too much for a single turn."""
        self._numbers: dict[str, int] = {}
        self._named: tuple[tuple[Run, ...], NamedRuns] = (), NamedRuns.of(())
        self.table: ParameterTable | None = None
        """The parameters of the runs, if they are not read from their ids."""
        self._stepped, self._steps = NONE, SteppedFigures()  # of the foreground by the parameters of now
        self.qrels: Qrels | None = None
        """The finished judgements; None if they have to be read."""
        self.given: Qrels | None = None
        """The shown judgements, if they are not the project's."""
        self.elements: ElementScoring | None = None
        """The judgements of elements, if no characters are judged."""
        self._scored_by: Qrels | None = None
        self.judged_by = ""
        """The name of other judgements that score the runs; empty for the shown ones."""
        self._tasks = tasks
        self._settings = settings
        self._session = session
        self._active = False
        self._made_of: tuple[object, ...] = ()
        self._scored = scored_runs(self.figures, (), None, "")
        self._figuring: LongTask | None = None
        self._again = self._given_up = False
        self._fits = False  # the scores there are were made from these judgements by this choice
        self._fitting: tuple[Qrels, ScoringSettings] | None = None  # by which the scores there are were made
        self._version = 0  # how often judgements or choice may have become others
        self._changes = 0  # how often these or the runs may have
        self.pairs = RunPairs(tasks, self._scored_runs, lambda: self.choice.testing, self)
        self.pairs.tested.connect(self._tell_arrived)
        self._soon = timer(self, self._figure, AFTER)
        session.runs_changed.connect(self._take_runs)
        session.run_selected.connect(self._take_current)
        session.judgements_changed.connect(self.judged)
        session.saving.followed.connect(self._follow)
        session.preparation.changed.connect(self.judged)
        session.saving.closing.connect(self.note)
        if self.choice.table:
            self.read_parameters(Path(self.choice.table))

    def set_active(self, active: bool) -> None:
        """Score only while the figures are visible."""
        self._active = active
        self.judged()

    # -- contents ------------------------------------------------------------------------------------

    @property
    def runs(self) -> tuple[Run, ...]:
        return self._session.runs

    @property
    def current(self) -> Run | None:
        return self._session.run

    @property
    def task(self) -> Task | None:
        """The current task; None if no run declares one and none was chosen."""
        return task_shown(self.choice, self.runs, self.current)

    @property
    def most(self) -> int | None:
        """The number of first results of a topic that count; None for all."""
        return self.choice.reading.k if self.task is Task.CHUNKS else None

    @property
    def parameters(self) -> Parameters:
        return INEX_2007 if self.task is None else self.choice.parameters(self.task)

    def settings_for(self, task: Task, measure: str) -> ScoringSettings:
        """Return the settings that score runs for a task, with a single measure."""
        return replace(self.choice.settings(task), measures=(parse(measure),))

    @property
    def baseline(self) -> Run | None:
        """The baseline: the chosen run, else the best one except the current run."""
        return self._scored_runs().baseline

    def scored(self) -> list[Run]:
        """Return the scored runs, best first by the deciding measure."""
        return self._scored_runs().best_first

    def _scored_runs(self) -> ScoredRuns:
        """Return the ranking of the runs; the same object until something changes."""
        made_of = self.figures, self.runs, self.current, self.choice.baseline
        if not are_same(self._made_of, made_of):
            self._made_of, self._scored = made_of, scored_runs(*made_of)
        return self._scored

    def scores(self, run: Run | None) -> RunScores | None:
        return None if run is None else self.figures.scores.get(run)

    def shown(self, run: Run) -> RunFigures:
        """Return the shown figures of a run; those of the current run follow a parameter at once."""
        return self._stepped if run in self._stepped.scores else self.figures

    def is_stale(self, run: Run) -> bool:
        """Return whether the shown figures of a run are outdated."""
        return self.stale and run not in self._stepped.scores

    @property
    def why_stale(self) -> str:
        """Return why the figures are outdated or missing."""
        return "cancelled" if self._given_up else "computing…"

    @property
    def named(self) -> NamedRuns:
        """The names of the open runs, and their parameters."""
        if self._named[0] is not self.runs:
            self._named = self.runs, NamedRuns.of(self.runs, self.table)
        return self._named[1]

    def read_parameters(self, path: Path, then: Callable[[], None] = lambda: None) -> None:
        """Read a table with the parameters of the open runs, in a background thread, and use it."""
        names = self.named.full

        def read(_progress: Progress) -> ParameterTable:
            table = ParameterTable.read(path)
            table.of(names)
            return table

        def take(table: ParameterTable) -> None:
            self.use_parameters(table)
            then()

        self._tasks.run_long(f"Reading {path.name}", read, take)

    def use_parameters(self, table: ParameterTable | None) -> None:
        """Take the parameters of the runs from a table; without one, from their ids."""
        self.table, self._named = table, ((), NamedRuns.of(()))
        self.figures = self._with_settings(self.figures)
        choice = replace(self.choice, table="" if table is None else str(table.path))
        if choice == self.choice:
            self.figured.emit()
        else:
            self.choose(choice)

    def _with_settings(self, figures: RunFigures) -> RunFigures:
        """Return figures of runs with the parameters of the table."""
        if self.table is None:
            return figures.with_settings({})
        named = zip(self.runs, self.named.full, strict=True)
        return figures.with_settings({run: self.table.settings.get(name, {}) for run, name in named})

    def name(self, run: Run) -> str:
        """Return the display name of an open run."""
        return self.named.by_run.get(run, run.id)

    def number(self, run: Run) -> int:
        """Return a run's number: the lowest free one at the first call."""
        key = key_of(run)
        if key not in self._numbers:
            taken = {*self._numbers.values()}
            self._numbers[key] = next(number for number in range(len(taken) + 1) if number not in taken)
        return self._numbers[key]

    def style(self, run: Run) -> int:
        """Return the style (colour and shape) of a run; the baseline never has the current run's colour."""
        own, current = self.number(run), self.current
        if current is None or run is current or not alike(own, self.number(current)):
            return own
        return recolored(own, self._numbers.values()) if run is self.baseline else own

    def by_key(self, key: str) -> Run | None:
        return next((run for run in self.runs if key_of(run) == key), None)

    # -- choosing ------------------------------------------------------------------------------------

    def read_as_far(
        self, *, k: int | None = None, characters: int | None = None, by: Same | None = None
    ) -> None:
        """Count the first k chunks, or the chunks within ``characters``; ``by`` chooses between them."""
        before = self.choice.reading
        after = Reading(k or before.k, characters or before.characters, by or before.by)
        self.choose(replace(self.choice, reading=after))

    def choose(self, choice: ScoringChoice) -> None:
        """Score with another choice, and save it in the project."""
        if choice == self.choice:
            return
        alike = replace(choice, baseline="", testing=self.choice.testing) == replace(self.choice, baseline="")
        task = self.figures.task
        known = self._fits and task is not None and choice.settings(task) == self.choice.settings(task)
        step = replace(choice, changes=self.choice.changes) == self.choice
        stepping = step and bool(self._fits or self._stepped.scores)
        self.choice = choice
        self._settings.remember(SCORING, self._session.project.path, choice.kept())
        self._noted = False
        self.note_soon.start()
        if known and task is not None and task is self.task:
            self.figures = self.figures.showing(choice.shown(task))
        if alike or (known and task is self.task):
            self._tell_all()
        else:
            self._unfit(stepping=stepping)

    def _note_once_still(self) -> None:
        if self.moving():
            self.note_soon.start()
        else:
            self.note()

    def note(self) -> None:
        """Save the chosen parameters in the project, unless it is read-only."""
        self.note_soon.stop()
        chosen, project = self.choice.chosen(), self._session.project
        if self._noted or chosen == project.parameters or project.read_only:
            return
        try:
            project.set_parameters(chosen)
        except InexviewError as error:
            self._session.saving.failed(error, "parameters")
        else:
            self._session.saving.done()

    def set_parameters(self, parameters: Parameters) -> None:
        """Score with other parameters; if they equal a preset, choose it."""
        task = self.task
        if task is None:
            return
        own = self.choice.preset_of(task)
        listed = [own, *presets_for(task, self.further_presets)]
        preset = next((preset for preset in listed if preset.parameters == parameters), None)
        if preset is not None:
            self.choose(replace(self.choice, preset=preset.name, changes={}))
        else:
            self.choose(self.choice.changed(parameters, task))

    @property
    def further_presets(self) -> tuple[str, ...]:
        """The presets that need special judgements, if these are available."""
        if self.given is not None:
            kinds = {NuggetQrels: NUGGETS, AspectQrels: DIVERSITY}
            return tuple(name for kind, name in kinds.items() if isinstance(self.given, kind))[:1]
        nuggets = self._session.project.nuggets
        stated = self.elements is None and any(nuggets.of(topic).places for topic in nuggets.topics)
        return (NUGGETS,) if stated or self.choice.preset == NUGGETS else ()

    def compare_with(self, run: Run | None) -> None:
        """Make a run the baseline; if it is the current run, the two change places."""
        if run is None or run is self.baseline:
            return
        before = self.baseline
        self.choose(replace(self.choice, baseline=key_of(run)))
        if run is self.current and before is not None:
            self._session.select_run(before)

    def swap(self) -> None:
        """Swap the current run and the baseline."""
        self.compare_with(self.current)

    def _follow(self, _changed: object) -> None:
        """Use the parameters that another window has saved."""
        written = self._session.project.parameters
        if written != self._written:
            self._written = written
            self.choose(replace(self.choice, preset=written.preset, changes=written.changes))

    # -- scoring -------------------------------------------------------------------------------------

    def judged(self) -> None:
        """Mark the figures as outdated after a change of judgements; signals this once."""
        self.qrels = self._scored_by
        if self.runs:
            self._unfit(tell=False)

    def score_by(self, qrels: Qrels | None, said: str = "") -> None:
        """Score by the judgements of a file, or by those of the project (None).

        ``said`` names judgements that differ from those that the window shows.
        """
        if not said:
            self.given = qrels
        self.qrels, self._scored_by, self.judged_by = qrels, qrels, said
        if self.runs:
            self._unfit()

    def score_by_elements(self, elements: ElementScoring) -> None:
        """Score by judged elements instead of characters."""
        self.elements = elements
        self.choice = replace(self.choice, graded=elements.qrels.graded)
        self.score_by(None)

    def judged_as_wholes(self, topic: str) -> Mapping[str, bool]:
        """Return which documents are relevant, of those judged without passages."""
        if self.elements is not None:
            there = self.elements.qrels.documents(topic)
            return {document: bool(relevant) for document, relevant in there.items()}
        return {} if self.given is None else dict.fromkeys(self.given.relevant_nowhere(topic), True)

    def _take_runs(self, runs: tuple[Run, ...]) -> None:
        still_open = {*map(key_of, runs)}
        self._numbers = {key: number for key, number in self._numbers.items() if key in still_open}
        variations = self._session.variations if any(run.queries for run in runs) else None
        if variations != self.choice.variations:
            self.choice = replace(self.choice, variations=variations)
            self._unfit()
        else:
            self._wait()

    def queries(self, topic: str) -> tuple[str, ...]:
        """Return the queries of a topic in the current run; empty if it has only one."""
        run, variations = self.current, self.choice.variations
        if run is None or variations is None or topic not in run.queries:
            return ()
        return tuple(query for query in run.topics if variations.topic_of(query) == topic)

    def show_query(self, topic: str, query: str) -> None:
        """Show another query of a topic in all runs; their scores stay as they are."""
        self._session.queries[topic] = query
        renewed = {
            run: replace(run, queries={**run.queries, topic: query})
            for run in self.runs
            if topic in run.queries
        }
        self.figures = self.figures.showing_queries(renewed)
        self._session.replace_runs(renewed)

    def _take_current(self, run: Run | None) -> None:
        if self.figures.task is not self.task:
            self._unfit()
        else:
            self.figured.emit()

    def _unfit(self, *, tell: bool = True, stepping: bool = False) -> None:
        """Recompute all scores; ``stepping``: only parameters changed."""
        self._version += 1
        self._fits = False
        by = self._steps.by(self.choice, self.figures, self.current, self.qrels) if stepping else NONE
        self._wait(tell=tell, stepped=by)

    def _wait(self, *, tell: bool = True, stepped: RunFigures = NONE) -> None:
        """Score soon; until then, all figures that have not followed are outdated."""
        self._changes += 1
        self._stepped = stepped
        fresh, self._given_up = not self.stale or self._given_up, False
        self.stale = bool(self.runs) and self.task is not None
        if not self.runs:
            self.figures = RunFigures()
        self._soon.start()
        if tell or (fresh and self.stale):
            self.figured.emit()

    def _figure(self) -> None:
        """Score the runs; read the judgements from the project's file if they may have changed."""
        session = self._session
        if not self._active or not session.runs:
            return
        if self._figuring is not None:  # one after the other: the last one reports the result
            self._again = True
            return
        if self.elements is None and self.qrels is None and not session.pool_is_known:
            return  # the documents are not known yet
        self._figuring = self._start()

    def _start(self) -> LongTask:
        """Score the open runs in a background thread."""
        session, choice, task, fitting = self._session, self.choice, self.task, self._fitting
        path, collection = session.project.path, session.project.collection
        runs, current = session.runs, session.run
        if self.elements is not None:
            self.elements.keep(runs)
        by_nuggets = self._scored_by is None and choice.by_nuggets(task)
        fits = self._scored_by is not None or isinstance(self.qrels, NuggetQrels) is by_nuggets
        given = self.elements or (self.qrels if fits else None)
        known = self.figures if self._fits and self.figures.topics else None
        holds = fitting is not None and task is not None and fitting[1] == choice.settings(task)
        before = (fitting[0], self.figures) if fitting is not None and holds else None
        state = self._version, self._changes

        def work(progress: Progress) -> tuple[Qrels | None, RunFigures]:
            """Return the judgements (None if elements are judged) and the scores of the runs."""
            judged, scores = given, known
            if judged is None:
                judged = (nugget_judgements if by_nuggets else finished_judgements)(path, collection)
                if before is not None and judged == before[0]:  # the scores hold
                    judged, scores = before
            figures = run_figures(judged, runs, choice, current, known=scores, progress=progress)
            return None if isinstance(judged, ElementScoring) else judged, figures

        return self._tasks.run_long(
            f"Scoring {counted(len(runs), 'run')}",
            work,
            lambda found: self._take(state, choice, *found),
            self._fail,
            self._give_up,
        )

    def _take(
        self, state: tuple[int, int], choice: ScoringChoice, qrels: Qrels | None, figures: RunFigures
    ) -> None:
        version, changes = state
        self._fits = version == self._version
        if self._fits:
            self.qrels = qrels
        self._fitting = None
        if self._fits and self._scored_by is None and qrels is not None and figures.task is not None:
            self._fitting = qrels, choice.settings(figures.task)
        if self.table is not None:
            figures = self._with_settings(figures)
        self.pairs.forget_others(self.figures, figures)
        self.figures, self.stale = figures, changes != self._changes
        if not self.stale:
            self._stepped = NONE
        self._end()
        self._tell_arrived()

    def _tell_arrived(self) -> None:
        self._tasks.settling.unsettle()
        self._tell_all()

    def _tell_all(self) -> None:
        """Tell of new figures of all runs; with many runs, views show them in several turns."""
        self.arriving = len(self.runs) > MANY
        self.figured.emit()
        self.arriving = False

    def _fail(self, error: Exception) -> None:
        """Show the reason instead of figures."""
        self.figures, self.stale = RunFigures(self.task, nothing=sentence(error)), False
        self._fitting = None
        self._stepped = NONE
        self._end()
        self.figured.emit()

    def _give_up(self) -> None:
        """Keep the figures until the next choice or judgement."""
        self._given_up = not self._again
        self._end()
        self.figured.emit()

    def _end(self) -> None:
        self._figuring = None
        if self._again:
            self._again = False
            self._soon.start()


STAY = " The judgements stay as they were."


class InspectedQrels(QObject):
    """Scores and shows the current judgements of a file while the window is open."""

    def __init__(
        self, inspection: Inspection, session: Session, board: RunScoring, messages: Messages, tasks: Tasks
    ) -> None:
        super().__init__(session)
        self._inspection = inspection
        self._session = session
        self._board = board
        self._messages = messages
        self._tasks = tasks
        self._said: Message | None = None  # the file is gone or unreadable
        self._reading = self._again = False
        self._watch = FileWatch(self)
        self._watch.changed.connect(lambda _paths: self._read())
        self._watch.gone.connect(self._tell_gone)
        self._watch.watch([inspection.qrels_path])
        self._show(inspection)

    def _read(self) -> None:
        path = self._inspection.qrels_path
        if path is None:
            return
        if self._reading:  # one after the other: each writes to the project
            self._again = True
            return
        self._reading = True
        inspection, collection = self._inspection, self._session.project.collection
        self._tasks.run_long(
            f"Reading {path.name}",
            lambda progress: _renewed(inspection, collection, progress),
            self._take,
            self._fail,
            self._end,
        )

    def _fail(self, error: Exception) -> None:
        self._say(MessageKind.ERROR, sentence(error) + STAY)
        self._end()

    def _end(self) -> None:
        self._reading = False
        if self._again:
            self._again = False
            self._read()

    def _take(self, inspection: Inspection) -> None:
        self._messages.withdraw(self._said)
        self._inspection = inspection
        self._session.saving.look()  # the text shows the written judgements, too
        self._show(inspection)
        assert inspection.qrels_path is not None
        self._messages.info(f"{inspection.qrels_path.name} has changed and was read again.")
        self._end()

    def _show(self, inspection: Inspection) -> None:
        """Score the runs by the judgements of the file."""
        if inspection.elements is None:
            self._board.score_by(inspection.qrels)
        else:
            self._board.score_by_elements(ElementScoring(inspection.elements))

    def _tell_gone(self, paths: Sequence[Path]) -> None:
        names = ", ".join(path.name for path in paths)
        back = "The file is read again when it is back."
        self._say(MessageKind.WARNING, f"{names} is gone.{STAY} {back}")

    def _say(self, kind: MessageKind, text: str) -> None:
        self._said = Message(kind, text)
        self._messages.say(self._said)


def _renewed(inspection: Inspection, collection: Collection, progress: Progress) -> Inspection:
    """Read the file again, and write changed judgements to the inspection's project."""
    judged = read_again(inspection, collection, progress)
    shown = judge_again(inspection, judged)
    elements = judged if isinstance(judged, ElementQrels) else None
    return replace(inspection, qrels=shown, elements=elements)


# Figures that can be derived: their identity, the widgets that show them, and the requests.

OPEN = ""
"""The ``document`` of a fault in the open document."""


class FigureLevel(Enum):
    """The subject of a figure."""

    RUN = "run"
    TOPIC = "topic"
    DOCUMENT = "document"


class FigureOf(Enum):
    """The owner of a figure."""

    RUN = "run in the foreground"
    BASELINE = "baseline"
    LEAD = "run in the foreground less the baseline"
    SCRATCH = "scratch copy"
    CHANGE = "scratch copy less its run"
    CORRECTED = "run with this corrected less the run"

    @property
    def difference(self) -> bool:
        """Whether it is a difference of two figures."""
        return self in (FigureOf.LEAD, FigureOf.CHANGE, FigureOf.CORRECTED)

    @property
    def scratched(self) -> bool:
        """Whether it needs a scratch copy."""
        return self in (FigureOf.SCRATCH, FigureOf.CHANGE)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve, by its index."""

    kind: CurveKind
    at: int


@dataclass(frozen=True, slots=True)
class FigureAsked:
    """A request for the derivation of a figure.

    An empty ``measure`` means the deciding one.  Empty ``run``, ``baseline`` (keys of the board) and
    ``topic`` mean the open ones; ``document`` is the open one, or the row to show.
    """

    level: FigureLevel
    measure: str = ""
    document: str = ""
    of: FigureOf = FigureOf.RUN
    run: str = ""
    baseline: str = ""
    topic: str = ""
    point: CurvePoint | None = None
    """The point of a topic's curve, if the figure is not a measure."""
    made: Callable[[], Derivations | None] | None = field(default=None, compare=False)
    """The function that derives it, for figures that views do not know: points over all topics, τ and ρ."""
    change: int | None = None
    """The index of a change of the scratch copy; None for all changes."""
    start: int | None = None
    """The start of the row to show, in its document."""
    corrected_fault: RankingFault | None = None
    """The corrected fault, for the gain of a correction."""
    without: str = ""
    """The topic left out of a difference of two runs."""
    cost: Cost | None = None
    """The fault of a document, for its cost."""


FigureAt = Callable[[QPoint], FigureAsked | None]
WIDEST = "+0.0000"
WHY = "Why this figure"


@dataclass(frozen=True, slots=True)
class _Place:
    """A widget with figures: which figure is at a point, and which one a click derives."""

    widget: QWidget
    figure_at: FigureAt
    clicked_at: FigureAt
    menu: bool


class FigureClicks(QObject):
    """Watches the widgets that show figures, and signals which one to derive."""

    asked = Signal(object)  # FigureAsked

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._places: dict[int, _Place] = {}
        self._pressed: FigureAsked | None = None
        self._under: tuple[_Place, QPoint] | None = None

    def watch(
        self,
        widget: QWidget,
        figure_at: FigureAt | FigureAsked,
        *,
        clicked_at: FigureAt | None = None,
        menu: bool = True,
    ) -> None:
        """Make the figures of a widget derivable: a single one, or the one at a point.

        Use ``clicked_at`` if a click already has another effect; ``menu`` is False if the widget has a menu.
        """
        given = figure_at
        at = (lambda _point: given) if isinstance(given, FigureAsked) else given
        widget.setMouseTracking(True)
        if isinstance(widget, QLabel):
            widget.setCursor(Qt.CursorShape.PointingHandCursor)
        self._places[id(widget)] = _Place(widget, at, clicked_at or at, menu)
        widget.installEventFilter(self)
        widget.destroyed.connect(partial(self._forget, id(widget)))

    def _forget(self, key: int, _gone: QObject | None = None) -> None:
        """Stop watching a widget that is gone."""
        self._places.pop(key, None)
        if self._under is not None and id(self._under[0].widget) == key:
            self._under = None

    @property
    def pointed(self) -> FigureAsked | None:
        if self._under is None or not self._under[0].widget.isVisible():
            return None
        place, point = self._under
        return place.figure_at(point)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Derive on click and from the menu, and track the mouse."""
        place = self._places.get(id(watched))
        if place is None:
            return False
        kind = event.type()
        if kind is QEvent.Type.Leave:
            self._under = None
        elif kind is QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._under = place, event.position().toPoint()
        elif kind is QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
            left = event.button() is Qt.MouseButton.LeftButton
            self._pressed = place.clicked_at(event.position().toPoint()) if plain and left else None
        elif kind is QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            asked, self._pressed = self._pressed, None
            if asked is not None and asked == place.figure_at(event.position().toPoint()):
                self.asked.emit(asked)
        elif kind is QEvent.Type.ContextMenu and isinstance(event, QContextMenuEvent) and place.menu:
            return self._offer(place, event)
        return False

    def add_to(self, menu: QMenu, widget: QWidget, at: QPoint) -> bool:
        """Add the derivation of the figure at a point to a widget's menu; return whether there is one."""
        place = self._places.get(id(widget))
        asked = None if place is None else place.figure_at(at)
        if asked is not None:
            menu.addAction(WHY).triggered.connect(lambda: self.asked.emit(asked))
        return asked is not None

    def _offer(self, place: _Place, event: QContextMenuEvent) -> bool:
        """Show a menu to derive the figure under the mouse; return whether there is one."""
        menu = QMenu(place.widget)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not self.add_to(menu, place.widget, event.pos()):
            menu.deleteLater()
            return False
        menu.popup(event.globalPos())
        return True
