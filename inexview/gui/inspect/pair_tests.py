"""Tests the differences of runs off the window's thread, and keeps what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from inexview.core.evaluation.evaluate import RunScores
from inexview.gui.inspect.run_standing import RunDifference, Tested, difference, tested_differences
from inexview.gui.services.tasks import BackgroundTask, Tasks

Asked = tuple[int, int, str, str]
"""Two scores by their ``id()``, a measure, and the topic that is left out, if any."""


class PairTests(QObject):
    """Answers at once with what is known; what is not is tested, and then told."""

    tested = Signal()

    def __init__(self, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._answered: dict[Asked, RunDifference] = {}
        self._wanted: dict[Asked, RunDifference] = {}
        self._held: list[RunScores] = []  # so that no other scores get their id
        self._testing: BackgroundTask | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._test)

    def forget(self, scores: Iterable[RunScores]) -> None:
        """Begin again with other scores."""
        self._held = list(scores)
        self._answered.clear()
        self._wanted.clear()
        if self._testing is not None:
            self._testing.cancel()
            self._testing = None

    def compared(
        self, first: RunScores, second: RunScores, measure: str, left_out: str = ""
    ) -> RunDifference:
        """Return the difference of two runs, tested if that is known by now."""
        asked = id(first), id(second), measure, left_out
        found = self._answered.get(asked)
        if found is None:
            found = difference(first, second, measure)
            if left_out:
                found = found.without(found.topics.index(left_out))
            self._answered[asked] = self._wanted[asked] = found
            self._start()
        return found

    def _start(self) -> None:
        """Test what is wanted, once the asking is over."""
        if self._testing is None and not self._soon.isActive():
            self._soon.start()

    def _test(self) -> None:
        wanted = dict(self._wanted)
        self._testing = self._tasks.run(
            lambda: dict(zip(wanted, tested_differences(list(wanted.values())), strict=True)),
            self._take,
            urgent=False,
        )

    def _take(self, found: dict[Asked, Tested]) -> None:
        self._testing = None
        for asked, tested in found.items():
            self._answered[asked] = replace(self._answered[asked], tested=tested)
        self._wanted = {asked: one for asked, one in self._wanted.items() if asked not in found}
        if self._wanted:
            self._start()
        self.tested.emit()
