"""Which measures are computed, and their values for every topic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.measures.elements import ElementRanks
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import (
    Cutoff,
    MeasureRecord,
    MeasureView,
    Parameters,
    family,
    find,
    parse,
    resolve,
)
from inexview.core.text.spans import Floats

WantedMeasure = tuple[MeasureRecord, Cutoff | None]
"""A measure to compute: its record, and its cut-off if it takes one."""


def wanted_measures(
    settings: ScoringSettings, families: Sequence[str], table: Sequence[str] = ()
) -> list[WantedMeasure]:
    """Return the measures to compute: those asked for, else all of the families that the table shows."""
    if settings.measures:
        resolved = [resolve(wanted, families) for wanted in settings.measures]
        return [(record, wanted.cutoff) for record, wanted in dict.fromkeys(resolved)]
    shown = dict.fromkeys([families[0], *(find(parse(name).name, families).family for name in table)])
    return [(record, usual.cutoff) for own in shown for record in family(own) for usual in record.usual()]


def compute(
    joined: Joined | ElementRanks, parameters: Parameters, wanted: Sequence[WantedMeasure]
) -> tuple[Floats, Floats | None]:
    """Compute measures, shape (M, T), and the first curve that comes with them, shape (T, L)."""
    values, views = _values_and_views(joined, parameters, wanted)
    curves = [view.interpolated for view in views if hasattr(view, "interpolated")]
    return values, curves[0] if curves else None


def values_of(
    joined: Joined | ElementRanks, parameters: Parameters, wanted: Sequence[WantedMeasure]
) -> Floats:
    """Compute measures alone, shape (M, T)."""
    return _values_and_views(joined, parameters, wanted)[0]


def _values_and_views(
    joined: Joined | ElementRanks, parameters: Parameters, wanted: Sequence[WantedMeasure]
) -> tuple[Floats, Iterable[MeasureView]]:
    views: dict[tuple[type[MeasureView], object], MeasureView] = {}
    values = np.empty((len(wanted), len(joined.topics)))
    for at, (record, cutoff) in enumerate(wanted):
        seen = record.view, record.changes
        if seen not in views:
            views[seen] = record.seen_by(joined, parameters)
        given = () if record.at is None else (cutoff,)
        values[at] = record.compute(views[seen], *given)
    return values, views.values()
