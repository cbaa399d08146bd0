"""Which runs are open, each in its place."""

from __future__ import annotations

from collections.abc import Sequence

from inexview.core.judgements.runs import Run


def with_runs(runs: tuple[Run, ...], others: Sequence[Run]) -> tuple[Run, ...]:
    """Return the runs with others; a run of the same file takes the old one's place."""
    for run in others:
        runs = _with_run(runs, run)
    return runs


def _with_run(runs: tuple[Run, ...], run: Run) -> tuple[Run, ...]:
    if any(kept.path == run.path for kept in runs):
        return tuple(run if kept.path == run.path else kept for kept in runs)
    return (*runs, run)
