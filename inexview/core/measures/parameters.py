"""What the measures can be set to: the one record that presets give and everything that scores passes on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from numbers import Real
from typing import Any

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Task

QUANTISATIONS = ("gen", "genLifted", "strict")
SCORES = ("F", "T2I")
SEEN = ("once", "each")
_READ = (Task.RELEVANT_IN_CONTEXT, Task.RESTRICTED_RELEVANT_IN_CONTEXT)
GAINS = ("linear", "exponential")


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
    score: str = "F"
    """What a document scores in relevant-in-context: F or T2I."""
    tolerance: int = 300
    """The irrelevant characters after which the reader of T2I stops."""
    relevant_from: int = 1
    """The least rsize or grade that makes a ranked document relevant."""
    gain: str = "linear"
    """What nDCG gains by a grade: linear, the grade itself, or exponential, 2^grade − 1."""
    persistence: float = 0.8
    """How likely the reader of RBP is to go on to the next document."""
    seen: str = "once"
    """How HiXEval counts text in several earlier results: once, or with each of them as the paper prints."""
    quantisation: str = "gen"
    """How XCG makes one value of exhaustivity and specificity: gen, genLifted or strict."""

    def __post_init__(self) -> None:
        numbers: tuple[tuple[str, Any, tuple[int, int]], ...] = (
            ("beta", self.beta, (0, 10**6)),
            ("A", self.a, (0, 10**6)),
            ("n", self.n, (1, 10**12)),
            ("alpha", self.alpha, (0, 1)),
            ("relevant-from", self.relevant_from, (1, 10**12)),
            ("persistence", self.persistence, (0, 1)),
            ("tolerance", self.tolerance, (1, 10**12)),
        )
        for name, value, (low, high) in numbers:
            if value is not None and not (isinstance(value, Real) and not value < low and value <= high):
                raise InexviewError(f"{name} = {value}: it must be a number from {low} to {high}")
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise InexviewError(f"{name} = {value!r}: it must be {', '.join(choices)}")
        if (self.a is None) == (self.n is None):
            raise InexviewError("the entry-point score takes either A or n")

    def changed(self, **changes: Any) -> Parameters:
        """Return the parameters with these instead; one that is None stays as it is.

        Of ``a`` and ``n`` the one that is given takes the other's place.  Raises InexviewError for a name
        that is no parameter, and for values that make no sense.
        """
        known = [field.name for field in fields(self)]
        for name in changes:
            if name not in known:
                raise InexviewError(f"there is no parameter {name!r}; there are {', '.join(known)}")
        given = {name: value for name, value in changes.items() if value is not None}
        if "a" in given or "n" in given:
            given = {"a": None, "n": None, **given}
        return replace(self, **given)

    def reads(self, task: Task) -> bool:
        """Tell whether a document of a task scores what a reader who tolerates so much reads, T2I."""
        return self.score == "T2I" and task in _READ

    def of_document(self, task: Task | None) -> str:
        """Return what S(d), a document's score, is in a task: ``s(x,b)``, ``T2I[300]`` or ``F(d)``."""
        if task is Task.BEST_IN_CONTEXT:
            return "s(x,b)"
        return f"T2I[{self.tolerance}]" if task is not None and self.reads(task) else "F(d)"

    def read_by_document(self, task: Task | None) -> tuple[float | None, ...]:
        """Return those of the parameters that a document's score in a task is made with."""
        if task is Task.BEST_IN_CONTEXT:
            return self.a, self.n
        return (self.tolerance,) if task is not None and self.reads(task) else (self.beta,)

    def said_for(self, task: Task) -> str:
        """Write what a task is scored with: ``β = 1, A = 0.1, α = 1``; of S(d) only where the task has it.

        Empty for documents as wholes, unless their parameters are unusual: they have no β, A or α.
        """
        entry = f"A = {self.a:g}" if self.n is None else f"n = {self.n}"
        reading = [f"S(d) = {self.of_document(task)}"] if self.reads(task) else []
        overlap = [] if self.seen == "once" else ["text seen counts with each result"]
        of_grades = [] if self.relevant_from == 1 else [f"relevant from {self.relevant_from}"]
        of_grades += [] if self.gain == "linear" else [f"{self.gain} gain"]
        of_grades += [] if self.quantisation == "gen" else [f"quantisation {self.quantisation}"]
        patience = [] if self.persistence == 0.8 else [f"persistence {self.persistence:g}"]
        always = () if task is Task.DOCUMENTS else (f"β = {self.beta:g}", entry, f"α = {self.alpha:g}")
        return ", ".join([*reading, *always, *overlap, *of_grades, *patience])

    @property
    def by_name(self) -> dict[str, Any]:
        """The values by the names that the papers and the command line call them."""
        return {"A" if name == "a" else name: value for name, value in asdict(self).items()}


CHOICES = {"quantisation": QUANTISATIONS, "score": SCORES, "gain": GAINS, "seen": SEEN}
"""The parameters that are one of a few words, with these."""
INEX_2007 = Parameters()
"""β = 1 and A = 0.1, the first official form."""
