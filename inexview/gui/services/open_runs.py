"""Which runs are open, each in its place."""

from __future__ import annotations

from inexview.core.judgements.runs import Run


def with_run(runs: tuple[Run, ...], run: Run) -> tuple[Run, ...]:
    """Return the runs with one more; a run of the same file takes the old one's place."""
    if any(kept.path == run.path for kept in runs):
        return tuple(run if kept.path == run.path else kept for kept in runs)
    return (*runs, run)
