"""The open runs in the order of what they score, and the one that the others are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inexview.core.evaluation.scores import best_first
from inexview.core.judgements.runs import Run
from inexview.gui.inspect.scoring.run_figures import RunFigures
from inexview.gui.inspect.scoring.run_keys import key_of


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRuns:
    """Runs that have figures; all others are left out."""

    figures: RunFigures
    opened: tuple[Run, ...]
    """In the order in which they were opened."""
    best_first: list[Run]
    """By the measure that decides; those whose means are over fewer topics than others' come last."""
    baseline: Run | None


def scored_runs(figures: RunFigures, runs: Sequence[Run], current: Run | None, baseline: str) -> ScoredRuns:
    """Return the runs that have figures.

    The baseline is the run with the key that was chosen, else the best but the foreground's.
    """
    opened = tuple(run for run in runs if figures.of(run))
    means = [figures.of(run)[figures.deciding] for run in opened]
    topics = [len(figures.scores[id(run)].topics) for run in opened]
    ranked = [opened[at] for at in best_first(means, topics)]
    chosen = next((run for run in ranked if key_of(run) == baseline), None)
    others = [run for run in ranked if run is not current]
    return ScoredRuns(figures, opened, ranked, chosen or next(iter(others or ranked), None))
