"""Round numbers along an axis: at least three wherever it has a length."""

from __future__ import annotations

import math

LEAST = 3
"""With fewer numbers than these no value can be read off an axis."""
_STEPS = (5.0, 2.0, 1.0)
_WITHIN = (1, 2, 5)  # of a power of ten, along a logarithmic axis of few powers


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
    >>> ticks_between(0, 0.72, about=3)
    (0.0, 0.2, 0.4, 0.6)
    """
    if high <= low:
        return (low,)
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    found = _multiples(low, high, step)
    while len(found) < LEAST:
        step = _finer(step)
        found = _multiples(low, high, step)
    return found


def log_ticks(low: float, high: float) -> tuple[float, ...]:
    """Return powers of ten from ``low`` (above 0) to ``high``, with 2 and 5 times these where there are few.

    >>> log_ticks(1, 40)
    (1.0, 2.0, 5.0, 10.0, 20.0)
    >>> log_ticks(0.5, 20000)
    (1.0, 10.0, 100.0, 1000.0, 10000.0)
    """
    if not 0 < low < high:
        return (low,)
    powers = [10.0**at for at in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    for factors in ((1,), _WITHIN):
        numbers = (round(power * factor, 12) for power in powers for factor in factors)
        found = tuple(one for one in numbers if low * (1 - 1e-9) <= one <= high * (1 + 1e-9))
        if len(found) >= LEAST:
            return found
    return ticks_between(low, high)


def _multiples(low: float, high: float, step: float) -> tuple[float, ...]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(at * step, 12) for at in range(first, last + 1))


def _finer(step: float) -> float:
    """Return the next smaller step of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step * (1 + 1e-9)))
    smaller = next((factor * power for factor in _STEPS if factor * power < step * (1 - 1e-9)), None)
    return power / 2 if smaller is None else smaller
