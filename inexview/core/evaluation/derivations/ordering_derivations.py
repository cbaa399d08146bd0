"""Derive how alike two measures order runs, by τ and ρ, and how often two halves of the topics do not."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from inexview.core.evaluation.comparisons.orderings import centred_ranks, kendall_tau, spearman_rho
from inexview.core.evaluation.comparisons.stability import Stability
from inexview.core.evaluation.derivations.derivation import Derivation, fraction_of, rows_by, shown
from inexview.core.text.spans import Floats
from inexview.core.wording import counted

TAU, RHO = "τ", "ρ"
KENDALL = "Kendall: Rank Correlation Methods, 1970 (τ-b)"


def derive_orderings(
    runs: Sequence[str], across: tuple[str, Floats], up: tuple[str, Floats], label: str = ""
) -> dict[str, Derivation]:
    """Derive τ and ρ between two scorings, each named and of shape (R,), of R runs; none where one ties all.

    ``label`` follows the names of both.
    """
    (x_name, x), (y_name, y) = across, up
    if math.isnan(kendall_tau(x, y)):
        return {}
    told = _tau(runs, x, y, (x_name, y_name), label), _rho(runs, x, y, (x_name, y_name), label)
    return {one.measure: one for one in told}


def _tau(runs: Sequence[str], x: Floats, y: Floats, names: tuple[str, str], label: str) -> Derivation:
    """Derive τ-b; a run adds half of what the pairs do that it is in."""
    one, other = (np.sign(own[:, None] - own[None, :]) for own in (x, y))
    signs = one * other
    rows = rows_by(-x, runs, (x, y), signs.sum(axis=1) / 2)
    alike, unlike = int((signs > 0).sum()) // 2, int((signs < 0).sum()) // 2
    untied = [int(np.count_nonzero(own)) // 2 for own in (one, other)]
    below = math.sqrt(untied[0] * untied[1])
    value = kendall_tau(x, y)
    said = (
        f"{alike:,} pairs of runs in the same order, {unlike:,} in the other, "
        f"{untied[0]:,} and {untied[1]:,} not tied",
        f"= ({alike:,} − {unlike:,}) / √({untied[0]:,} · {untied[1]:,}) = {value:.4f}".replace(" -", " −"),
    )
    return Derivation(
        measure=f"{TAU}{label}",
        title=f"Kendall's τ between {names[0]} and {names[1]}",
        formula="τ = (pairs in the same order − pairs in the other) / √(untied by one · untied by the other)",
        citation=KENDALL,
        value=value,
        columns=names,
        rows=rows,
        fraction=fraction_of(rows, below, "same − other", "√(not tied · not tied)"),
        said=said,
    )


def _rho(runs: Sequence[str], x: Floats, y: Floats, names: tuple[str, str], label: str) -> Derivation:
    """Derive ρ, the correlation of the ranks."""
    one, other = centred_ranks(x), centred_ranks(y)
    middle = (len(x) + 1) / 2
    rows = rows_by(-x, runs, (middle - one, middle - other), one * other)
    squares = [float((own * own).sum()) for own in (one, other)]
    value = spearman_rho(x, y)
    said = (
        f"= {shown(float((one * other).sum()))} / √({shown(squares[0])} · {shown(squares[1])}) = {value:.4f}"
    ).replace("-", "−")
    below = math.sqrt(squares[0] * squares[1])
    return Derivation(
        measure=f"{RHO}{label}",
        title=f"Spearman's ρ between {names[0]} and {names[1]}",
        formula="ρ = Σ (rank − mean rank) · (other rank − mean rank) / √(Σ squares · Σ squares)",
        note="Runs that tie share their mean rank.",
        value=value,
        columns=tuple(f"rank by {name}" for name in names),
        rows=rows,
        fraction=fraction_of(rows, below, "Σ products", "√(Σ squares · Σ squares)"),
        said=(said,),
    )


def swapped_by(measure: str, size: int) -> str:
    """Return what the share of swapped pairs at a size is called."""
    return f"{measure} swapped by {counted(size, 'topic')}"


def derive_swaps(found: Stability, at: int, runs: int) -> Derivation:
    """Derive the share of the pairs of runs that two sets of topics of one of the sizes swap."""
    size, rate = int(found.sizes[at]), float(found.rates[at])
    pairs = runs * (runs - 1) // 2
    swapped = round(rate * pairs * found.splits)
    return Derivation(
        measure=swapped_by(found.measure, size),
        title=f"pairs of runs that two sets of {size} topics order differently by {found.measure}",
        formula="share = pairs of runs swapped / (pairs of runs · draws of two sets of topics)",
        citation="Voorhees, Buckley: The Effect of Topic Set Size on Retrieval Experiment Error, SIGIR 2002",
        value=rate,
        said=(f"= {swapped:,} / ({pairs:,} · {found.splits:,}) = {rate:.4f}",),
    )
