"""Round numbers along an axis."""

from __future__ import annotations

import math


def ticks(high: float, *, about: int = 4) -> tuple[float, ...]:
    """Return round numbers from 0 up to at most ``high``, some ``about`` of them.

    Their steps are 1, 2 or 5 times a power of ten.
    """
    if not high > 0 or not math.isfinite(high):
        return (0.0,)
    return ticks_between(0.0, high, about=about)


def ticks_between(low: float, high: float, *, about: int = 4) -> tuple[float, ...]:
    """Return round numbers from ``low`` to ``high``, some ``about`` of them; of a single value, that.

    >>> ticks_between(0.31, 0.47)
    (0.35, 0.4, 0.45)
    """
    if high <= low:
        return (low,)
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(at * step, 12) for at in range(first, last + 1))
