"""Student's t without scipy, which is 140 MB of disk and seconds of import for this one function."""

from __future__ import annotations

import math
from functools import lru_cache


def t_two_tailed(t: float, df: int) -> float:
    """Return P(|T| ≥ |t|) for Student's distribution with ``df`` degrees of freedom.

    It is the regularised incomplete beta function I_x(df/2, 1/2) at x = df/(df + t²) (Abramowitz and
    Stegun 26.7.1, 26.5.27), within a relative 1e-12 of the exact value for df up to 10,000.
    """
    if df < 1:
        raise ValueError(f"degrees of freedom must be at least 1, not {df}")
    if math.isnan(t):
        return math.nan
    if math.isinf(t):
        return 0.0
    a, b = df / 2, 0.5
    square = t * t
    x, rest = df / (df + square), square / (df + square)
    if rest == 0.0:
        return 1.0
    # x^a · (1−x)^b / B(a, b); the power by log1p, as x is close to 1 where df is large.
    front = _gamma_ratio(a) / math.sqrt(math.pi) * math.exp(-a * math.log1p(square / df)) * math.sqrt(rest)
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, rest) / b


@lru_cache(maxsize=256)
def t_quantile(level: float, df: int) -> float:
    """Return the t above ½ that a share ``level`` of Student's distribution lies below."""
    low, high = 0.0, 2.0
    while 1 - t_two_tailed(high, df) / 2 < level:
        high *= 2
    while (middle := (low + high) / 2) not in (low, high):
        if 1 - t_two_tailed(middle, df) / 2 < level:
            low = middle
        else:
            high = middle
    return high


# Γ(x + ½)/(Γ(x)·√x) in powers of 1/x (DLMF 5.11.13); the first term left out is below 1e-15 at x = 100.
_GAMMA_RATIO_SERIES = (1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304)


def _gamma_ratio(x: float) -> float:
    """Return Γ(x + ½)/Γ(x); the difference of log-gammas would lose digits where x is large."""
    if x <= 100:
        return math.gamma(x + 0.5) / math.gamma(x)
    series = 0.0
    for coefficient in reversed(_GAMMA_RATIO_SERIES):
        series = series / x + coefficient
    return math.sqrt(x) * series


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d or tiny)
    fraction = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + numerator * d) or tiny)
            c = (1 + numerator / c) or tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return fraction
