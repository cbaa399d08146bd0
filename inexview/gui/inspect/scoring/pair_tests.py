"""Compares runs off the window's thread, as ``inexview compare`` does, and keeps what came of it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from inexview.core.evaluation.comparison import Comparison, Testing, compare, side_by_side
from inexview.core.evaluation.scores import RunScores
from inexview.core.progress import Progress, unwatched
from inexview.core.wording import counted
from inexview.gui.look.layouts import timer
from inexview.gui.services.tasks import BackgroundTask, Tasks

AskedTest = tuple[tuple[int, ...], str, Testing, int | None, tuple[str, ...] | None]
"""Scores by their ``id()``, a measure, how it is tested, the baseline's place, and the topics."""
LONG = 500  # pairs; fewer are tested in a moment


@dataclass(frozen=True, slots=True, eq=False)
class AskedComparison:
    """What shall be compared: scores, a measure, how, and of which family and topics."""

    runs: tuple[RunScores, ...]
    measure: str
    testing: Testing
    baseline: int | None = None
    topics: tuple[str, ...] | None = None

    @property
    def key(self) -> AskedTest:
        """The same for the same scores."""
        return tuple(map(id, self.runs)), self.measure, self.testing, self.baseline, self.topics

    @property
    def pairs(self) -> int:
        return math.comb(len(self.runs), 2) if self.baseline is None else len(self.runs) - 1

    def compared(self, progress: Progress) -> Comparison:
        return compare(
            self.runs,
            self.measure,
            self.testing,
            topics=self.topics,
            baseline=self.baseline,
            progress=progress,
        )


class PairTests(QObject):
    """Answers at once with what is known; what is not is tested, and then told."""

    tested = Signal()

    def __init__(self, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._answered: dict[AskedTest, Comparison] = {}
        self._wanted: dict[AskedTest, AskedComparison] = {}
        self._given_up: set[AskedTest] = set()
        self._asked: tuple[str, Testing] | None = None
        self._held: list[RunScores] = []  # so that no other scores get their id
        self._testing: BackgroundTask | None = None
        self._soon = timer(self, self._test, 0)

    def forget(self, scores: Iterable[RunScores]) -> None:
        """Begin again with other scores."""
        self._held = list(scores)
        self._stop()
        self._answered.clear()

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

    def compared(self, asked: AskedComparison) -> Comparison:
        """Compare runs, tested if that is known by now; raises what ``compare`` raises."""
        if (asked.measure, asked.testing) != self._asked:
            self._asked = asked.measure, asked.testing
            self._stop()
        key = asked.key
        found = self._answered.get(key)
        if found is None:
            found = self._answered[key] = side_by_side(
                asked.runs, asked.measure, asked.testing, topics=asked.topics, baseline=asked.baseline
            )
            self._wanted[key] = asked
            self._start()
        return found

    def _start(self) -> None:
        """Test what is wanted, once the asking is over."""
        if self._testing is None and not self._soon.isActive():
            self._soon.start()

    def _test(self) -> None:
        if not self._wanted:
            return
        short = {key: asked for key, asked in self._wanted.items() if asked.pairs < LONG}
        wanted = short or dict([next(iter(self._wanted.items()))])  # what takes a moment comes first

        def work(progress: Progress) -> dict[AskedTest, Comparison]:
            return {key: asked.compared(progress) for key, asked in wanted.items()}

        if short:
            self._testing = self._tasks.run(lambda: work(unwatched), self._take, urgent=False)
        else:
            told = f"Testing {counted(max(asked.pairs for asked in wanted.values()), 'pair')} of runs"
            self._testing = self._tasks.run_long(told, work, self._take, given_up=self._give_up)

    def _take(self, found: dict[AskedTest, Comparison]) -> None:
        self._testing = None
        self._answered |= found
        self._wanted = {key: asked for key, asked in self._wanted.items() if key not in found}
        if self._wanted:
            self._start()
        self.tested.emit()

    def _give_up(self) -> None:
        """Leave what is not tested as it is, until another measure or test is asked for."""
        self._testing = None
        self._given_up |= self._wanted.keys()
        self._wanted.clear()
        self.tested.emit()
