"""Compares runs off the window's thread, as ``inexview compare`` does, and keeps what came of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal

from inexview.core.evaluation.comparisons.comparison import (
    Comparison,
    Testing,
    common_topics,
    compare,
    lay_side_by_side,
)
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.progress import Progress, unwatched
from inexview.core.wording import counted
from inexview.gui.look.timers import timer
from inexview.gui.services.tasks import BackgroundTask, Tasks

TESTING = Testing(tie=0.001)
LONG = 500  # pairs; fewer are tested in a moment
AskedTest = tuple[tuple[int, ...], str, tuple[str, ...]]
"""Scores by their ``id()``, a measure, and the topics."""
ComparedRuns = tuple[tuple[RunScores, ...], str, tuple[str, ...]]
"""The scores themselves, the measure and the topics."""


class PairTests(QObject):
    """Answers at once with what is known; what is not is tested, and then told."""

    tested = Signal()

    def __init__(self, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._answered: dict[AskedTest, Comparison] = {}
        self._common: dict[tuple[int, ...], tuple[str, ...]] = {}  # topics of runs, which are often asked for
        self._wanted: dict[AskedTest, ComparedRuns] = {}
        self._given_up: set[AskedTest] = set()
        self._measure = ""
        self._held: list[RunScores] = []  # so that no other scores get their id
        self._testing: BackgroundTask | None = None
        self._soon = timer(self, self._test, 0)

    def forget(self, scores: Iterable[RunScores]) -> None:
        """Begin again with other scores."""
        self._held = list(scores)
        self._stop()
        self._answered.clear()
        self._common.clear()

    def _stop(self) -> None:
        """Let go of what is not tested, also of what is under way."""
        if self._testing is not None:
            self._testing.cancel()
            self._testing = None
        for untested in (self._wanted, self._given_up):
            for asked in untested:
                del self._answered[asked]
            untested.clear()

    @property
    def given_up(self) -> bool:
        """Whether something that is asked for is not tested since somebody gave that up."""
        return bool(self._given_up)

    def compared(
        self, runs: Sequence[RunScores], measure: str, topics: Sequence[str] | None = None
    ) -> Comparison:
        """Compare runs, tested if that is known by now; raises what ``compare`` raises."""
        if measure != self._measure:
            self._measure = measure
            self._stop()
        ids = tuple(map(id, runs))
        if topics is None and ids not in self._common:
            self._common[ids] = tuple(common_topics(runs))
        shared = self._common[ids] if topics is None else tuple(topics)
        asked = ids, measure, shared
        found = self._answered.get(asked)
        if found is None:
            found = self._answered[asked] = lay_side_by_side(runs, measure, TESTING, topics=shared)
            self._wanted[asked] = tuple(runs), measure, shared
            self._start()
        return found

    def _start(self) -> None:
        """Test what is wanted, once the asking is over."""
        if self._testing is None and not self._soon.isActive():
            self._soon.start()

    def _test(self) -> None:
        if not self._wanted:
            return
        wanted = dict(self._wanted)
        most = max(len(runs) for runs, _, _ in wanted.values())

        def work(progress: Progress) -> dict[AskedTest, Comparison]:
            return {
                asked: compare(runs, measure, TESTING, topics=topics, progress=progress)
                for asked, (runs, measure, topics) in wanted.items()
            }

        pairs = math.comb(most, 2)
        if pairs < LONG:
            self._testing = self._tasks.run(lambda: work(unwatched), self._take, urgent=False)
        else:
            told = f"Testing {counted(pairs, 'pair')} of runs"
            self._testing = self._tasks.run_long(told, work, self._take, given_up=self._give_up)

    def _take(self, found: dict[AskedTest, Comparison]) -> None:
        self._testing = None
        self._answered |= found
        self._wanted = {asked: one for asked, one in self._wanted.items() if asked not in found}
        if self._wanted:
            self._start()
        self.tested.emit()

    def _give_up(self) -> None:
        """Leave what is not tested as it is, until another measure is asked for."""
        self._testing = None
        self._given_up |= self._wanted.keys()
        self._wanted.clear()
        self.tested.emit()
