"""What one document gives to AgP: its S(d) is part of gP at every relevant rank from its own on."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from inexview.core.evaluation.derivations.derivation import Derivation, DerivationRow, shown

SHOWN = 2
"""How many of the terms are written out before the last one."""


@dataclass(frozen=True, slots=True)
class DocumentShare:
    """The part of AgP that a document gives [M07 eq. 13]: what all documents give adds up to AgP."""

    score: float
    """Its S(d)."""
    ranks: tuple[int, ...]
    """The relevant ranks whose gP its S(d) is part of, in order."""
    terms: int
    """How many relevant ranks there are."""
    relevant: float
    """Nrel, by which the sum is divided."""

    @property
    def value(self) -> float:
        return self.score * fsum(1 / rank for rank in self.ranks) / self.relevant if self.relevant else 0.0

    @property
    def filled(self) -> str:
        """The formula with the numbers in it; empty for a document that gives nothing."""
        if not self.value:
            return ""
        parts = [f"1/{rank}" if rank > 1 else "1" for rank in self.ranks]
        if len(parts) > SHOWN + 1:
            parts = [*parts[:SHOWN], "…", parts[-1]]
        terms = f"({' + '.join(parts)})" if len(parts) > 1 else parts[0]
        return f"{shown(self.score)} · {terms} / {shown(self.relevant)} = {self.value:.4f}"


def share_of(derivation: Derivation, row: DerivationRow) -> DocumentShare | None:
    """Return what the document of a row gives to AgP; None for a derivation of another measure."""
    if derivation.measure != "AgP" or derivation.fraction is None:
        return None
    relevant, score = (derivation.columns.index(name) for name in ("relevant", "S(d)"))
    ranks = [one.rank for one in derivation.rows if one.figures[relevant]]
    later = tuple(rank for rank in ranks if rank >= row.rank)
    return DocumentShare(float(row.figures[score]), later, len(ranks), derivation.fraction.denominator)
