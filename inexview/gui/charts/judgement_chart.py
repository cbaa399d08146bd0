"""Which order of the runs follows from whose judgements: the first, the second, either, both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from inexview.core.evaluation.assessor_variation import JUDGED_BY, JUDGED_HEAD, judged_lines, orders_alike
from inexview.core.text.offset_arrays import Floats
from inexview.gui.charts.chart import Axis, Chart, ChartedRun, ChartSeries, Form, top


def runs_by_judgements(
    runs: Sequence[ChartedRun],
    means: Mapping[int, Floats],
    measure: str,
    topics: int,
    emphasised: Sequence[int],
) -> Chart:
    """Return the means of runs by each of JUDGED_BY, with τ between their orders.

    ``means`` are those of each style, shape (4,), over the ``topics`` that both judged.
    """
    places = np.arange(1.0, len(JUDGED_BY) + 1)
    shown = [run for run in runs if run.style in means]
    series = tuple(ChartSeries(run.name, run.style, places, means[run.style], JUDGED_BY) for run in shown)
    table = np.array([means[run.style] for run in shown]).reshape(-1, len(JUDGED_BY))
    alike = ", ".join(f"τ({JUDGED_BY[0]}, {name}) = {tau:.3f}" for name, tau in orders_alike(table).items())
    return Chart(
        title=f"{measure} by whose judgements",
        said=f"{alike if len(shown) > 1 else 'one run'} · {topics} topics that both judged",
        form=Form.LINES,
        x=Axis("a click scores all by these", 0.7, len(JUDGED_BY) + 0.3, labels=JUDGED_BY),
        y=Axis(measure, 0.0, top(series)),
        series=series,
        emphasised=tuple(emphasised),
        head=JUDGED_HEAD,
        lines=tuple(judged_lines([run.scores for run in shown], table, measure)),
    )
