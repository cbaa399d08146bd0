"""How the open runs differ from one another, on the topics that all of them were scored on."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparisons.comparison import Comparison
from inexview.core.judgements.runs import Run
from inexview.gui.inspect.scoring.pair_tests import PairTests
from inexview.gui.inspect.scoring.run_figures import RunFigures
from inexview.gui.inspect.scoring.run_keys import place_of
from inexview.gui.inspect.scoring.run_standing import RunDifference, between
from inexview.gui.inspect.scoring.scored_runs import ScoredRuns


class RunPairs:
    """Answers at once, also while the pairs are not tested yet; places are those of the runs as opened."""

    def __init__(self, tests: PairTests, scored: Callable[[], ScoredRuns]) -> None:
        self._tests = tests
        self._scored = scored

    def forget_others(self, before: RunFigures, now: RunFigures) -> None:
        """Begin again where runs are scored otherwise; other measures of the same scores change nothing."""
        if {*map(id, before.scores.values())} != {*map(id, now.scores.values())}:
            self._tests.forget(now.scores.values())

    @property
    def given_up(self) -> bool:
        """Whether differences are not tested since somebody gave that up."""
        return self._tests.given_up

    def comparison(self) -> Comparison | None:
        """Return all pairs; None where there is none, or the runs share no judged topic."""
        scored = self._scored()
        if len(scored.opened) < 2:
            return None
        figures = scored.figures
        try:
            return self._tests.compared([figures.scores[id(run)] for run in scored.opened], figures.deciding)
        except InexviewError:
            return None

    def of(self, first: Run | None, second: Run | None) -> tuple[Comparison, int, int] | None:
        """Return the comparison of all runs with the places of two of them; None where they are not in it."""
        runs = self._scored().opened
        places = place_of(first, runs), place_of(second, runs)
        if first is second or places[0] is None or places[1] is None:
            return None
        comparison = self.comparison()
        return None if comparison is None else (comparison, places[0], places[1])

    def differences(self) -> dict[int, RunDifference]:
        """Return how each run differs from the baseline, under its ``id()``."""
        scored, comparison = self._scored(), self.comparison()
        place = place_of(scored.baseline, scored.opened)
        if place is None or comparison is None:
            return {}
        return {
            id(run): between(comparison, at, place) for at, run in enumerate(scored.opened) if at != place
        }

    def of_best(self, most: int) -> dict[tuple[int, int], RunDifference]:
        """Return how the best runs differ from one another, by their places among the best."""
        scored, comparison = self._scored(), self.comparison()
        if comparison is None:
            return {}
        places = {id(run): at for at, run in enumerate(scored.opened)}
        own = [places[id(run)] for run in scored.best_first[:most]]
        return {(i, j): between(comparison, own[i], own[j]) for i, j in combinations(range(len(own)), 2)}

    def compared_without(self, topic: str, first: Run, second: Run) -> Comparison:
        """Return the comparison of two runs that have figures on all the compared topics but one."""
        everyone, figures = self.comparison(), self._scored().figures
        scores = [figures.scores[id(run)] for run in (first, second)]
        rest = [other for other in (() if everyone is None else everyone.topics) if other != topic]
        return self._tests.compared(scores, figures.deciding, rest)

    def without(self, topic: str, first: Run, second: Run) -> RunDifference:
        """Return the difference of two runs on all the compared topics but one."""
        return between(self.compared_without(topic, first, second), 0, 1)
