"""The entry points of runs in a topic: how far each is from the best one, and what s(x,b) makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inexview.core.evaluation.entry_distances import ENTRY_HEAD, EntryDistances, entry_lines
from inexview.core.evaluation.score_lines import head_of
from inexview.core.measures.in_context import entry_score
from inexview.core.measures.measure import Parameters
from inexview.core.report import PrintedLine
from inexview.core.text.spans import Floats
from inexview.core.wording import counted
from inexview.gui.charts.chart import Axis, Chart, ChartedRun, ChartSeries, Form

CURVE = 201  # points
LONG = 100_000  # characters: of the document whose curve is drawn, where only shares matter


@dataclass(frozen=True, slots=True, eq=False)
class EntryView:
    """Distances by the styles of the runs, what scores them, and how many characters a screen shows."""

    found: Mapping[int, EntryDistances]
    parameters: Parameters
    screen: int


def entry_points(runs: Sequence[ChartedRun], view: EntryView, emphasised: Sequence[int], topic: str) -> Chart:
    """Return the curve s(x,b), and on it the entry points of the runs in a topic.

    With A the distance is a share of the document, on which s(x,b) depends; with n it is in characters.
    """
    parameters, windowed = view.parameters, view.parameters.n is not None
    series, lines, reach = [], list[PrintedLine](), 1.0 if windowed else 0.2
    nearest = reach  # but for those at the best entry point itself, which are drawn where the axis begins
    for run in runs:
        found = view.found.get(run.style)
        if found is None:
            continue
        scores, away = found.scores(parameters), np.abs(found.distance)
        x = away.astype(np.float64) if windowed else away / np.maximum(found.length, 1)
        reach = max(reach, float(x.max(initial=0.0)))
        nearest = min(nearest, float(x[x > 0].min(initial=reach)))
        notes, places = _notes(found, scores, view.screen), tuple(found.entry.tolist())
        series.append(
            ChartSeries(run.name, run.style, x, scores, found.documents, notes=notes, places=places)
        )
        head = head_of(replace(run.scores, parameters=parameters))
        lines += entry_lines(head, topic, found, parameters, view.screen)
    if windowed:
        reach = max(reach, (parameters.n or 1) * 1.2)
    low = max(1.0 if windowed else 1 / LONG, 10.0 ** np.floor(np.log10(nearest)))
    across = np.geomspace(low, reach * 1.02, CURVE)
    if windowed:
        curve = entry_score(np.round(across).astype(np.int64), np.zeros(CURVE, np.int64), parameters)
    else:
        distance = np.round(across * LONG).astype(np.int64)
        curve = entry_score(distance, np.full(CURVE, LONG, np.int64), parameters)
    form = f"n = {parameters.n:,}" if parameters.n is not None else f"A = {parameters.a:g}"
    points = sum(len(one.x) for one in series)
    return Chart(
        title="Entry points and s(x,b)",
        said=f"{form} · {counted(points, 'entry point')} of {counted(len(series), 'run')} · topic {topic}"
        f" · a screen is {view.screen:,} characters",
        form=Form.POINTS,
        x=Axis(
            "characters from the best entry point" if windowed else "share of the document from it",
            float(low),
            reach * 1.02,
            logarithmic=True,
        ),
        y=Axis("s(x,b)", 0.0, 1.04),
        series=(ChartSeries("s(x,b)", -1, across, np.asarray(curve, np.float64), faint=True), *series),
        emphasised=tuple(emphasised),
        head=ENTRY_HEAD,
        lines=tuple(lines),
        topic=topic,
        listing=True,
    )


def _notes(found: EntryDistances, scores: Floats, screen: int) -> tuple[str, ...]:
    """Say of each document how far the entry point is in characters, in screens and in score."""
    return tuple(
        f"rank {rank}: {_told(distance)}, {abs(distance) / screen:.1f} screens, s = {score:.4f}"
        for rank, distance, score in zip(
            found.rank.tolist(), found.distance.tolist(), scores.tolist(), strict=True
        )
    )


def _told(distance: int) -> str:
    if not distance:
        return "at the best entry point"
    return f"{counted(abs(distance), 'character')} {'after' if distance > 0 else 'before'} the best one"
