"""Which colour and shape each open run has, everywhere in the window."""

from __future__ import annotations

from collections.abc import Iterable

from inexview.core.judgements.runs import Run
from inexview.gui.inspect.scoring.run_keys import key_of
from inexview.gui.look.theme import alike, recolored


class RunStyles:
    """Numbers the runs; a number stands for a colour and a shape."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def keep(self, runs: Iterable[Run]) -> None:
        """Take back the numbers of all runs but these."""
        still_open = {key_of(run) for run in runs}
        self._numbers = {key: number for key, number in self._numbers.items() if key in still_open}

    def number(self, run: Run) -> int:
        """Return a run's number, the lowest that is free when it is first asked for."""
        key = key_of(run)
        if key not in self._numbers:
            taken = {*self._numbers.values()}
            self._numbers[key] = next(number for number in range(len(taken) + 1) if number not in taken)
        return self._numbers[key]

    def of(self, run: Run, current: Run | None, baseline: Run | None) -> int:
        """Return the number by which a run is drawn; the baseline never has the foreground's colour."""
        own = self.number(run)
        if current is None or run is current or not alike(own, self.number(current)):
            return own
        return recolored(own, self._numbers.values()) if run is baseline else own
