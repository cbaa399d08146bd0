"""Pairs of runs as lines of values with all their digits, as ``compare --format csv`` prints them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from inexview.core.evaluation.comparisons.comparison import Comparison
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.score_lines import PrintedLine

PAIR_HEAD = (
    "task", "preset", "parameters", "measure", "better", "worse", "difference", "low", "high", "%", "wins",
    "ties", "losses", "test", "p", "p (Holm)", "t",
)  # fmt: skip


def pair_lines(scores: RunScores, comparison: Comparison) -> Iterator[PrintedLine]:
    """Yield a line for each pair, under PAIR_HEAD; ``scores`` are those of one of the runs."""
    settings = scores.task.value, scores.preset.name, scores.parameters.said_for(scores.task)
    for pair in comparison.pairs:
        line = (
            *settings,
            comparison.measure,
            comparison.runs[pair.better],
            comparison.runs[pair.worse],
            pair.difference,
            pair.low,
            pair.high,
            pair.improvement,
            pair.wins,
            pair.ties,
            pair.losses,
            comparison.testing.test.value,
            pair.p,
            pair.p_holm,
            pair.t,
        )
        yield ["" if isinstance(cell, float) and math.isnan(cell) else cell for cell in line]
