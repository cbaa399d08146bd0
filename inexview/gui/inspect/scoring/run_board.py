"""The runs that are open, and what they score over all that is finished, by what a person chose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from inexview.core.evaluation.explain import ElementScoring
from inexview.core.evaluation.scores import RunScores, ScoringSettings
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.measure import INEX_2007, Parameters, parse
from inexview.core.wording import counted
from inexview.gui.inspect.scoring.pair_tests import PairTests
from inexview.gui.inspect.scoring.parameter_notes import ParameterNotes
from inexview.gui.inspect.scoring.run_figures import RunFigures
from inexview.gui.inspect.scoring.run_keys import RunNames, are_same, key_of
from inexview.gui.inspect.scoring.run_pairs import RunPairs
from inexview.gui.inspect.scoring.run_styles import RunStyles
from inexview.gui.inspect.scoring.scored_runs import ScoredRuns, scored_runs
from inexview.gui.inspect.scoring.scoring_choice import ScoringChoice, presets_for, task_shown
from inexview.gui.inspect.scoring.scoring_work import ScoringWork
from inexview.gui.inspect.scoring.stepped_figures import NONE, SteppedFigures
from inexview.gui.look.layouts import timer
from inexview.gui.services.messages import sentence
from inexview.gui.services.session import Session
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import LongTask, Tasks

AFTER = 150  # milliseconds without another change
MANY = 30  # runs; what fewer show is there in half a turn
NEEDS_CHARACTERS = "This needs judgements of characters; these are of elements."


class RunBoard(QObject):
    """Scores the runs off the window's thread; ``stale`` says that the figures are not those of now."""

    figured = Signal()  # other figures, or the same for other reasons: choice, runs, staleness

    def __init__(self, session: Session, tasks: Tasks, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._written = session.project.parameters  # as this window or another wrote them last
        self.choice = ScoringChoice.from_kept(settings.scoring(session.project.path), self._written)
        self.notes = ParameterNotes(session, self)
        self.figures = RunFigures()
        self.stale = False
        self.arriving = False
        """Whether what is told now, of many runs, was made in the background: too much for a single turn."""
        self._stepped, self._steps = NONE, SteppedFigures()  # of the foreground by the parameters of now
        self.qrels: Qrels | None = None
        """What is finished; None: to be read."""
        self.given: Qrels | None = None
        """The judgements that the window shows, where they are not the project's."""
        self.elements: ElementScoring | None = None
        """What scores the runs where elements are judged, and no characters."""
        self._scored_by: Qrels | None = None
        self.judged_by = ""
        """By which other judgements runs are scored; empty where by those that the window shows."""
        self._tasks = tasks
        self._settings = settings
        self._session = session
        self._active = False
        self.styles = RunStyles()
        self.name = RunNames(session).of
        self._made_of: tuple[object, ...] = ()
        self._scored = scored_runs(self.figures, (), None, "")
        self._figuring: LongTask | None = None
        self._again = self._given_up = False
        self._fits = False  # the scores there are were made from these judgements by this choice
        self._fitting: tuple[Qrels, ScoringSettings] | None = None  # by which the scores there are were made
        self._version = 0  # how often judgements or choice may have become others
        self._changes = 0  # how often these or the runs may have
        tests = PairTests(tasks, self)
        tests.tested.connect(self._tell_arrived)
        self.pairs = RunPairs(tests, self._scored_runs, lambda: self.choice.testing)
        self._soon = timer(self, self._figure, AFTER)
        session.runs_changed.connect(self._take_runs)
        session.run_selected.connect(self._take_current)
        session.judgements_changed.connect(self.judged)
        session.saving.followed.connect(self._follow)
        session.preparation.changed.connect(self.judged)

    def set_active(self, active: bool) -> None:
        """Score only while one looks."""
        self._active = active
        self.judged()

    # -- what is open --------------------------------------------------------------------------------

    @property
    def runs(self) -> tuple[Run, ...]:
        return self._session.runs

    @property
    def current(self) -> Run | None:
        return self._session.run

    @property
    def task(self) -> Task | None:
        """The task that is shown; None where no run says one and none was chosen."""
        return task_shown(self.choice, self.runs, self.current)

    @property
    def parameters(self) -> Parameters:
        return INEX_2007 if self.task is None else self.choice.parameters(self.task)

    def settings_for(self, task: Task, measure: str) -> ScoringSettings:
        """Return how runs are scored for a task, by one measure alone."""
        return replace(self.choice.settings(task), measures=(parse(measure),))

    @property
    def baseline(self) -> Run | None:
        """The run that others are compared with: the one chosen, else the best but the foreground's."""
        return self._scored_runs().baseline

    def scored(self) -> list[Run]:
        """Return the runs that have figures, best first by the measure that decides."""
        return self._scored_runs().best_first

    def _scored_runs(self) -> ScoredRuns:
        """Return the runs as they rank by the figures of now, one record as long as nothing changes."""
        made_of = self.figures, self.runs, self.current, self.choice.baseline
        if not are_same(self._made_of, made_of):
            self._made_of, self._scored = made_of, scored_runs(*made_of)
        return self._scored

    def scores(self, run: Run | None) -> RunScores | None:
        return None if run is None else self.figures.scores.get(id(run))

    def shown(self, run: Run) -> RunFigures:
        """Return the figures that a run is shown with: in the foreground they follow a parameter at once."""
        return self._stepped if id(run) in self._stepped.scores else self.figures

    def is_stale(self, run: Run) -> bool:
        """Tell whether a run is shown with figures that are not those of now."""
        return self.stale and id(run) not in self._stepped.scores

    @property
    def why_stale(self) -> str:
        """Say why the figures are those of before, or missing."""
        return "given up" if self._given_up else "computing…"

    def style(self, run: Run) -> int:
        """Return which colour and shape are a run's; the baseline never has the foreground's colour."""
        return self.styles.of(run, self.current, self.baseline)

    def by_key(self, key: str) -> Run | None:
        """Return the run that a table calls so."""
        return next((run for run in self.runs if key_of(run) == key), None)

    # -- choosing ------------------------------------------------------------------------------------

    def choose(self, choice: ScoringChoice) -> None:
        """Score by another choice, and keep it with the project."""
        if choice == self.choice:
            return
        alike = replace(choice, baseline="", testing=self.choice.testing) == replace(self.choice, baseline="")
        task = self.figures.task
        known = self._fits and task is not None and choice.settings(task) == self.choice.settings(task)
        step = replace(choice, changes=self.choice.changes) == self.choice
        stepping = step and bool(self._fits or self._stepped.scores)
        self.choice = choice
        self._settings.remember_scoring(self._session.project.path, choice.kept())
        self.notes.note(choice.chosen())
        if known and task is not None and task is self.task:
            self.figures = self.figures.showing(choice.shown(task))
        if alike or (known and task is self.task):
            self.figured.emit()
        else:
            self._unfit(stepping=stepping)

    def set_parameters(self, parameters: Parameters) -> None:
        """Score with other parameters; those of a preset choose the preset."""
        task = self.task
        if task is None:
            return
        alike = (preset for preset in presets_for(task) if preset.parameters == parameters)
        preset = next(alike, None)
        if preset is not None:
            self.choose(replace(self.choice, preset=preset.name, changes={}))
        else:
            self.choose(self.choice.changed(parameters, task))

    def compare_with(self, run: Run | None) -> None:
        """Make a run the baseline; where it is in the foreground, what was the baseline comes there."""
        if run is None or run is self.baseline:
            return
        before = self.baseline
        self.choose(replace(self.choice, baseline=key_of(run)))
        if run is self.current and before is not None:
            self._session.select_run(before)

    def swap(self) -> None:
        """Exchange foreground and baseline."""
        self.compare_with(self.current)

    def _follow(self, _changed: object) -> None:
        """Take over the parameters that another window has written."""
        written = self._session.project.parameters
        if written != self._written:
            self._written = written
            self.choose(replace(self.choice, preset=written.preset, changes=written.changes))

    # -- scoring -------------------------------------------------------------------------------------

    def judged(self) -> None:
        """Take note that judgements may have changed; told is only that figures are stale, once."""
        self.qrels = self._scored_by
        if self.runs:
            self._unfit(tell=False)

    def score_by(self, qrels: Qrels | None, said: str = "") -> None:
        """Score by judgements as their file has them, and not by those of the project (None).

        Where ``said``, they are others than the ones the window shows.
        """
        if not said:
            self.given = qrels
        self.qrels, self._scored_by, self.judged_by = qrels, qrels, said
        if self.runs:
            self._unfit()

    def score_by_elements(self, elements: ElementScoring) -> None:
        """Score by judged elements; there are no judgements of characters then."""
        self.elements = elements
        self.choice = replace(self.choice, graded=elements.qrels.graded)
        self.score_by(None)

    def judged_as_wholes(self, topic: str) -> Mapping[str, bool]:
        """Tell of the documents that are judged, and not by their passages, whether they are relevant."""
        if self.elements is not None:
            there = self.elements.qrels.documents(topic)
            return {document: bool(relevant) for document, relevant in there.items()}
        return {} if self.given is None else dict.fromkeys(self.given.relevant_nowhere(topic), True)

    def _take_runs(self, runs: tuple[Run, ...]) -> None:
        self.styles.keep(runs)
        self.figures = self.figures.only(runs)
        self._wait()

    def _take_current(self, run: Run | None) -> None:
        if self.figures.task is not self.task:
            self._unfit()
        else:
            self.figured.emit()

    def _unfit(self, *, tell: bool = True, stepping: bool = False) -> None:
        """Make all scores again; ``stepping`` says that nothing but parameters is another."""
        self._version += 1
        self._fits = False
        by = self._steps.by(self.choice, self.figures, self.current, self.qrels) if stepping else NONE
        self._wait(tell=tell, stepped=by)

    def _wait(self, *, tell: bool = True, stepped: RunFigures = NONE) -> None:
        """Score soon; until then the figures are called stale, but for those that have followed."""
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
        """Score the runs; where the judgements may be others they are read from the project's file."""
        session = self._session
        if not self._active or not session.runs:
            return
        if self._figuring is not None:  # one after the other: the last one tells how it is
            self._again = True
            return
        if self.elements is None and self.qrels is None and not session.pool_is_known:
            return  # no one knows yet which documents there are
        self._figuring = self._start(self._work())

    def _start(self, work: ScoringWork) -> LongTask:
        state = self._version, self._changes
        return self._tasks.run_long(
            f"Scoring {counted(len(self.runs), 'run')}",
            work,
            lambda found: self._take(state, work.choice, *found),
            self._fail,
            self._give_up,
        )

    def _work(self) -> ScoringWork:
        session = self._session
        if self.elements is not None:
            self.elements.keep(session.runs)
        before, task = self._fitting, self.task
        holds = before is not None and task is not None and before[1] == self.choice.settings(task)
        return ScoringWork(
            session.project.path,
            session.project.collection,
            session.runs,
            session.run,
            self.choice,
            judged=self.qrels if self.elements is None else self.elements,
            known=self.figures if self._fits and self.figures.topics else None,
            before=(before[0], self.figures) if before is not None and holds else None,
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
        figures = figures.only(self.runs)
        self.pairs.forget_others(self.figures, figures)
        self.figures, self.stale = figures, changes != self._changes
        if not self.stale:
            self._stepped = NONE
        self._end()
        self._tell_arrived()

    def _tell_arrived(self) -> None:
        self.arriving = len(self.runs) > MANY
        self._tasks.settling.unsettle()
        self.figured.emit()
        self.arriving = False

    def _fail(self, error: Exception) -> None:
        """Show no figures, and say why."""
        self.figures, self.stale = RunFigures(self.task, nothing=sentence(error)), False
        self._fitting = None
        self._stepped = NONE
        self._end()
        self.figured.emit()

    def _give_up(self) -> None:
        """Leave the figures as they are, until something else is chosen or judged."""
        self._given_up = not self._again
        self._end()
        self.figured.emit()

    def _end(self) -> None:
        self._figuring = None
        if self._again:
            self._again = False
            self._soon.start()
