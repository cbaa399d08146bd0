"""How figures are written in the panels: one place, so that a number looks the same wherever it is."""

from __future__ import annotations

import re

from inexview.core.evaluation.variants import ROUNDING
from inexview.core.report import MINUS, NOTHING, difference_text

SMALL = 0.00005  # what four decimals do not show
END_OF_SUM = re.compile(r"… [\d,]+ more\) / \S+")


def count(figure: float) -> str:
    """Write a number of characters: ``25,020``; weighted counts keep two decimals at most."""
    text = f"{figure:,.2f}"
    return text.rstrip("0").rstrip(".")


def short(value: float | None) -> str:
    """Write a measure with three decimals, or a dash."""
    return NOTHING if value is None else f"{value:.3f}"


def exact(value: float) -> str:
    """Write a measure with six decimals."""
    return f"{value:.6f}"


def parameter(value: float) -> str:
    """Write a parameter as a person would: ``1``, ``0.25``, ``1,000``."""
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def loss(value: float) -> str:
    """Write what something costs, with a true minus sign."""
    return f"{MINUS}{value:.3f}" if value >= 0.0005 else f"{MINUS}<0.001"


def subscripted(formula: str) -> str:
    """Write a formula with the subscripts of its letters: Nᵣₑₗ, Tᵣₑₗ, log₂."""
    for plain, small in (("Nrel", "Nᵣₑₗ"), ("Trel", "Tᵣₑₗ"), ("log2(", "log₂(")):
        formula = formula.replace(plain, small)
    return formula


def unbroken(formula: str) -> str:
    """Keep the end of a sum, ``… 27 more) / 30``, in one line."""
    return END_OF_SUM.sub(lambda end: end[0].replace(" ", "\N{NO-BREAK SPACE}"), formula)


def change_text(change: float) -> str:
    """Write how a measure changes; one too small for the digits has no sign, and none is 0."""
    if abs(change) < ROUNDING:
        return "0"
    return difference_text(change, 4) if abs(change) >= SMALL else "0.0000"
