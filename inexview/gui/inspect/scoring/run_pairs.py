"""How the open runs differ from one another, each pair on the topics that both were scored on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparison import Comparison, RunDifference, Testing
from inexview.core.judgements.runs import Run
from inexview.gui.inspect.scoring.pair_tests import AskedComparison, PairTests
from inexview.gui.inspect.scoring.run_figures import RunFigures
from inexview.gui.inspect.scoring.run_keys import place_of
from inexview.gui.inspect.scoring.scored_runs import ScoredRuns


class RunPairs:
    """Answers at once, also while the pairs are not tested yet; places are those of the runs as opened."""

    def __init__(
        self, tests: PairTests, scored: Callable[[], ScoredRuns], testing: Callable[[], Testing]
    ) -> None:
        self._tests = tests
        self._scored = scored
        self._testing = testing

    def forget_others(self, before: RunFigures, now: RunFigures) -> None:
        """Begin again where runs are scored otherwise; other measures of the same scores change nothing."""
        if {*map(id, before.scores.values())} != {*map(id, now.scores.values())}:
            self._tests.forget(now.scores.values())

    @property
    def given_up(self) -> bool:
        """Whether differences are not tested since somebody gave that up."""
        return self._tests.given_up

    def _compared(
        self, runs: Sequence[Run], baseline: int | None = None, topics: tuple[str, ...] | None = None
    ) -> Comparison | None:
        """Compare runs; None where there are not two, or no two share a judged topic."""
        if len(runs) < 2:
            return None
        figures = self._scored().figures
        scores = tuple(figures.scores[id(run)] for run in runs)
        try:
            return self._tests.compared(
                AskedComparison(scores, figures.deciding, self._testing(), baseline, topics)
            )
        except InexviewError:
            return None

    def comparison(self) -> Comparison | None:
        """Return all pairs; None where there is none, or no two runs share a judged topic."""
        return self._compared(self._scored().opened)

    def with_baseline(self) -> Comparison | None:
        """Return the pairs with the baseline, p corrected for these alone; None where there is none."""
        scored = self._scored()
        place = place_of(scored.baseline, scored.opened)
        return None if place is None else self._compared(scored.opened, place)

    def of(self, first: Run | None, second: Run | None) -> RunDifference | None:
        """Return one run less another, in the family of the baseline where one of them is it.

        None where two runs are not compared, or share no judged topic.
        """
        scored = self._scored()
        places = place_of(first, scored.opened), place_of(second, scored.opened)
        if first is second or places[0] is None or places[1] is None:
            return None
        based = scored.baseline in (first, second)
        comparison = self.with_baseline() if based else self.comparison()
        found = None if comparison is None else comparison.difference(places[0], places[1])
        return found if found is not None and found.pair.topics else None

    def differences(self) -> dict[int, RunDifference]:
        """Return how each run differs from the baseline, under its ``id()``."""
        scored, comparison = self._scored(), self.with_baseline()
        if comparison is None or comparison.baseline is None:
            return {}
        found = {
            id(run): comparison.difference(at, comparison.baseline)
            for at, run in enumerate(scored.opened)
            if at != comparison.baseline
        }
        return {run: difference for run, difference in found.items() if difference.pair.topics}

    def of_all(self) -> dict[tuple[int, int], RunDifference]:
        """Return how the runs differ from one another, by their places among the best first."""
        scored, comparison = self._scored(), self.comparison()
        if comparison is None:
            return {}
        places = {id(run): at for at, run in enumerate(scored.opened)}
        ranked = [places[id(run)] for run in scored.best_first]
        return {
            (i, j): comparison.difference(first, second)
            for i, first in enumerate(ranked)
            for j, second in enumerate(ranked)
            if i < j
        }

    def without(self, topic: str, first: Run, second: Run) -> RunDifference | None:
        """Return the difference of two runs on the topics that both have but one."""
        found = self.of(first, second)
        rest = () if found is None else tuple(other for other in found.topics if other != topic)
        comparison = self._compared((first, second), topics=rest) if rest else None
        return None if comparison is None else comparison.difference(0, 1)
