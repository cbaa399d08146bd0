"""Which run is which: what people, tables and settings call it by, and where it is among others."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from inexview.core.judgements.runs import Run
from inexview.core.wording import brief_names, told_apart
from inexview.gui.services.session import Session


def place_of(run: Run | None, runs: Sequence[Run]) -> int | None:
    """Return where a run itself is among runs, of which another may hold the same results; None: nowhere."""
    return next((at for at, one in enumerate(runs) if one is run), None)


def are_same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    """Tell whether these are the very same things: a run that was read again equals the one before."""
    return len(before) == len(now) and all(map(operator.is_, before, now))


def key_of(run: Run) -> str:
    """Return what tables and settings call a run by."""
    return str(run.path or run.id)


class RunNames:
    """What people are told that the open runs are called: no two the same."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._runs: tuple[Run, ...] = ()
        self._names: dict[str, str] = {}

    def of(self, run: Run) -> str:
        """Return a run's id, or where others have the same one its file's name; of a sweep what differs."""
        runs = self._session.runs
        if runs is not self._runs:
            names = told_apart([one.id for one in runs], [one.path for one in runs])
            self._runs, self._names = runs, dict(zip(map(key_of, runs), brief_names(names), strict=True))
        return self._names.get(key_of(run), run.id)
