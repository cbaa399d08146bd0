"""What the measures can be set to."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.core.errors import InexviewError

QUANTISATIONS = ("gen", "genLifted", "strict")


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the measures can be set to; a preset gives them and a user may change each."""

    beta: float = 1.0
    """The weight of recall in F."""
    a: float | None = 0.1
    """A of the entry-point score's A form; None where the window form is used."""
    n: int | None = None
    """The window of the entry-point score's window form; None where the A form is used."""
    alpha: float = 1.0
    """How much of text retrieved before is taken off (HiXEval, XCG): 1 all of it, 0 none."""
    quantisation: str = "gen"
    """How XCG makes one value of exhaustivity and specificity: gen, genLifted or strict."""

    def __post_init__(self) -> None:
        for name, value, (low, high) in (
            ("beta", self.beta, (0, 10**6)),
            ("A", self.a, (0, 10**6)),
            ("n", self.n, (1, 10**12)),
            ("alpha", self.alpha, (0, 1)),
        ):
            if value is not None and not low <= value <= high:
                raise InexviewError(f"{name} = {value}: it must be a number from {low} to {high}")
        if self.quantisation not in QUANTISATIONS:
            raise InexviewError(
                f"quantisation = {self.quantisation!r}: it must be {', '.join(QUANTISATIONS)}"
            )
        if self.a is None and self.n is None:
            raise InexviewError("the entry-point score needs either A or n")
