"""Measures by name, for scripts: ``from inexview.measures import iP, AgP, parse``.

Every measure of the registry is a name here, under the name for one topic or for the mean over topics.

>>> from inexview.measures import gP, iP, parse
>>> [iP @ 0.01, gP @ 10] == [parse("iP[0.01]"), parse("gP@10")]
True
"""

from __future__ import annotations

from inexview.core.measures.measure import Measure, MeasureError, families, family, parse

__all__ = ["Measure", "MeasureError", "parse"]


def __getattr__(name: str) -> Measure:
    if name not in __dir__():
        raise AttributeError(f"module 'inexview.measures' has no measure {name!r}")
    return Measure(name)


def __dir__() -> list[str]:
    """List the names of the measures and the other names of the module."""
    named = {
        name for own in families() for record in family(own) for name in (record.name, record.mean) if name
    }
    return sorted({*named, *__all__})
