"""Which order of the runs follows from whose judgements: the first, the second, either, both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from inexview.core.evaluation.orderings import kendall_tau
from inexview.core.evaluation.score_lines import PrintedLine
from inexview.core.text.offset_arrays import Floats
from inexview.gui.charts.chart import Axis, Chart, ChartSeries, Form, top

JUDGED_BY = ("A", "B", "union", "intersection")
HEAD = ("run", "judgements", "measure", "value")


def runs_by_judgements(
    runs: Sequence[tuple[str, int]],
    means: Mapping[int, Floats],
    measure: str,
    topics: int,
    emphasised: Sequence[int],
) -> Chart:
    """Return the means of runs (name and style each) by each of JUDGED_BY, with τ between their orders.

    ``means`` are those of each style, shape (4,), over the ``topics`` that both judged.
    """
    places = np.arange(1.0, len(JUDGED_BY) + 1)
    shown = [(name, style) for name, style in runs if style in means]
    series = tuple(ChartSeries(name, style, places, means[style], JUDGED_BY) for name, style in shown)
    table = np.array([means[style] for _, style in shown]).reshape(-1, len(JUDGED_BY))
    pairs = ((0, 1), (0, 2), (0, 3))
    alike = ", ".join(
        f"τ({JUDGED_BY[i]}, {JUDGED_BY[j]}) = {kendall_tau(table[:, i], table[:, j]):.3f}" for i, j in pairs
    )
    lines: list[PrintedLine] = [
        [name, by, measure, value]
        for name, style in shown
        for by, value in zip(JUDGED_BY, means[style].tolist(), strict=True)
    ]
    return Chart(
        title=f"{measure} by whose judgements",
        said=f"{alike if len(shown) > 1 else 'one run'} · {topics} topics that both judged",
        form=Form.LINES,
        x=Axis("a click scores all by these", 0.7, len(JUDGED_BY) + 0.3, labels=JUDGED_BY),
        y=Axis(measure, 0.0, top(series)),
        series=series,
        emphasised=tuple(emphasised),
        head=HEAD,
        lines=tuple(lines),
    )
