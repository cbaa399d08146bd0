"""Which run is which: what tables and settings call it by, and where it is among others."""

from __future__ import annotations

from collections.abc import Sequence

from inexview.core.judgements.runs import Run


def place_of(run: Run | None, runs: Sequence[Run]) -> int | None:
    """Return where a run itself is among runs, of which another may hold the same results; None: nowhere."""
    return next((at for at, one in enumerate(runs) if one is run), None)


def key_of(run: Run) -> str:
    """Return what tables and settings call a run by."""
    return str(run.path or run.id)
