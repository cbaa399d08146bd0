"""Measures as values: a name and a cut-off, written ``iP[0.01]`` and read back to the same value.

The spellings of trec_eval and ir_measures are read too.

>>> iP = Measure("iP")
>>> iP @ 0.01 == parse("iP[0.01]") == parse("iP@0.01")
True
>>> str(Measure("gP") @ 10)
'gP[10]'
>>> str(parse("AP(rel=2)@100")), str(parse("ndcg_cut_10"))
('AP(rel=2)[100]', 'ndcg_cut[10]')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from numbers import Real
from pkgutil import iter_modules
from typing import Any, ClassVar, Protocol

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Task
from inexview.core.measures.joined import Counted, Joined, Limit
from inexview.core.plugins import is_extended, loaded_points
from inexview.core.text.spans import Floats
from inexview.core.wording import counted

Cutoff = int | float

_LARGEST = 10**12


class MeasureError(InexviewError):
    """A measure that does not exist, or a cut-off that it does not accept."""


RANKS = (1, 2, 3, 5, 10, 25, 50)
"""The ranks at which INEX reported its measures."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A cut-off at a rank or a count, 1 … 10¹²; ``usual`` are those reported by default."""

    usual: tuple[int, ...]

    def checked(self, cutoff: Cutoff) -> int:
        """Return the cut-off as a rank.  Raises MeasureError if it is not a rank."""
        if not 1 <= cutoff <= _LARGEST or int(cutoff) != cutoff:
            raise MeasureError(f"{cutoff} is not a rank: a whole number from 1 to {_LARGEST}")
        return int(cutoff)

    def shown(self, cutoff: Cutoff) -> str:
        return str(int(cutoff))


@dataclass(frozen=True, slots=True)
class Level:
    """A cut-off at a level of recall, 0.00 … 1.00 in hundredths."""

    usual: tuple[float, ...]

    def checked(self, cutoff: Cutoff) -> float:
        """Return the cut-off as a level.  Raises MeasureError if it is not a level."""
        if not 0 <= cutoff <= 1 or abs(cutoff * 100 - round(cutoff * 100)) > 1e-9:
            raise MeasureError(f"{cutoff} is not a level of recall: 0.00 to 1.00 in hundredths")
        return float(cutoff)

    def shown(self, cutoff: Cutoff) -> str:
        return f"{cutoff:.2f}"


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure by name, with its cut-off if it takes one: ``Measure("iP") @ 0.01`` is iP[0.01]."""

    name: str
    cutoff: Cutoff | None = None
    parameters: tuple[tuple[str, int | float | str], ...] = ()
    """The parameters of this measure, by ir_measures' names: ``(("rel", 2),)``."""
    written: str = field(default="", compare=False, repr=False)
    """The name as written by the user, which is also printed; "" for its usual name."""

    def __matmul__(self, cutoff: Cutoff) -> Measure:
        return replace(self, cutoff=cutoff, written="")

    def __str__(self) -> str:
        given = ",".join(f"{name}={value!r}" for name, value in self.parameters)
        name = f"{self.name}({given})" if given else self.name
        if self.cutoff is None:
            return name
        hundredths = f"{self.cutoff:.2f}"
        whole = isinstance(self.cutoff, int) or float(hundredths) != self.cutoff
        return f"{name}[{self.cutoff if whole else hundredths}]"


_NUMBER = r"[0-9]{1,12}(?:\.[0-9]{1,12})?(?:e-?[0-9]{1,3})?"
_WRITTEN = re.compile(
    rf"""(?P<name>11pt_avg|[A-Za-z][A-Za-z0-9_]*?)  # trec_eval's eleven points begin with digits
    (?:\((?P<given>[^()]*)\))?
    (?:\[(?P<inner>[0-9.e-]+)\]|@(?P<after>[0-9.e-]+)|[_.](?P<cut>{_NUMBER}))?""",
    re.VERBOSE,
)
_GIVEN = re.compile(
    rf"""\s*(?P<name>[A-Za-z_]+)\s*=\s*(?:(?P<number>{_NUMBER})|(["'])(?P<word>[\w-]+)\3)\s*"""
)


def parse(text: str) -> Measure:
    """Read a measure in the syntax of inexview, trec_eval or ir_measures.

    ``nDCG@10``, ``nDCG[10]``, ``ndcg_cut_10`` and ``AP(rel=2)@100``.  Raises MeasureError.
    """
    text = text.strip()
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise MeasureError(f"{text!r} is not a measure: write it like iP[0.01], gP@10 or MAgP")
    given = _given(match["given"], text)
    cutoff = _number(match["inner"] or match["after"] or match["cut"], text)
    named = given.pop("cutoff", None)
    if named is not None and not isinstance(named, str):
        cutoff = named
    return Measure(match["name"], cutoff, tuple(given.items()), text)


def _given(written: str | None, text: str) -> dict[str, int | float | str]:
    """Read ``rel=2, p=0.8``; raises MeasureError."""
    given: dict[str, int | float | str] = {}
    for part in written.split(",") if written and written.strip() else ():
        match = _GIVEN.fullmatch(part)
        if match is None:
            raise MeasureError(f"{part.strip()!r} in {text!r} is not a parameter: write it like rel=2")
        number = _number(match["number"], text)
        given[match["name"]] = match["word"] if number is None else number
    return given


def _number(written: str | None, text: str) -> Cutoff | None:
    if written is None:
        return None
    try:
        return int(written) if written.isdecimal() else float(written)
    except ValueError:
        raise MeasureError(f"{written!r} in {text!r} is not a cut-off") from None


QUANTISATIONS = ("gen", "genLifted", "strict")
SCORES = ("F", "T2I")
SEEN = ("once", "each")
_READ = (Task.RELEVANT_IN_CONTEXT, Task.RESTRICTED_RELEVANT_IN_CONTEXT)
GAINS = ("linear", "exponential")


@dataclass(frozen=True, slots=True)
class Parameters:
    """The settings of the measures; a preset gives them and a user may change each."""

    beta: float = 1.0
    """The weight of recall in F."""
    a: float | None = 0.1
    """A of the entry-point score's A form; None for the window form."""
    n: int | None = None
    """The window of the entry-point score's window form; None for the A form."""
    alpha: float = 1.0
    """The penalty for repeated text (HiXEval, XCG): 1 counts it not at all, 0 in full."""
    score: str = "F"
    """The score of a document in relevant-in-context: F or T2I."""
    tolerance: int = 300
    """The irrelevant characters after which the reader of T2I stops."""
    relevant_from: int = 1
    """The lowest rsize or grade that makes a ranked document relevant."""
    gain: str = "linear"
    """The gain of a grade in nDCG: linear, the grade itself, or exponential, 2^grade − 1."""
    persistence: float = 0.8
    """The probability that the reader of RBP goes on to the next document."""
    seen: str = "once"
    """How HiXEval counts text in several earlier results: once, or once for each as the paper prints."""
    budget: int | None = None
    """How many characters of a topic's chunks count, with the last chunk cut; None for all."""
    k: int | None = None
    """How many of a topic's first chunks count; None for all."""
    quantisation: str = "gen"
    """How XCG combines exhaustivity and specificity into one value: gen, genLifted or strict."""

    def __post_init__(self) -> None:
        numbers: tuple[tuple[str, Any, tuple[int, int]], ...] = (
            ("beta", self.beta, (0, 10**6)),
            ("A", self.a, (0, 10**6)),
            ("n", self.n, (1, 10**12)),
            ("alpha", self.alpha, (0, 1)),
            ("relevant-from", self.relevant_from, (1, 10**12)),
            ("persistence", self.persistence, (0, 1)),
            ("tolerance", self.tolerance, (1, 10**12)),
            ("budget", self.budget, (1, 10**12)),
            ("k", self.k, (1, 10**12)),
        )
        for name, value, (low, high) in numbers:
            if value is not None and not (isinstance(value, Real) and not value < low and value <= high):
                raise InexviewError(f"{name} = {value}: it must be a number from {low} to {high}")
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise InexviewError(f"{name} = {value!r}: it must be {', '.join(choices)}")
        if (self.a is None) == (self.n is None):
            raise InexviewError("the entry-point score takes either A or n, not both")

    def changed(self, **changes: Any) -> Parameters:
        """Return the parameters with these changes; None leaves a parameter unchanged.

        Giving ``a`` resets ``n``, and the reverse.  Raises InexviewError for invalid names or values.
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
        """Return whether documents of a task are scored by T2I, with a reader of limited tolerance."""
        return self.score == "T2I" and task in _READ

    def of_document(self, task: Task | None) -> str:
        """Return the name of S(d), a document's score, in a task: ``s(x,b)``, ``T2I[300]`` or ``F(d)``."""
        if task is Task.BEST_IN_CONTEXT:
            return "s(x,b)"
        return f"T2I[{self.tolerance}]" if task is not None and self.reads(task) else "F(d)"

    def read_by_document(self, task: Task | None) -> tuple[float | None, ...]:
        """Return the parameters that affect a document's score in a task."""
        if task is Task.BEST_IN_CONTEXT:
            return self.a, self.n
        return (self.tolerance,) if task is not None and self.reads(task) else (self.beta,)

    def said_for(self, task: Task) -> str:
        """Return the parameters of a task in words: ``β = 1, A = 0.1, α = 1``; S(d) only if the task has it.

        Empty for whole documents, unless their parameters are unusual: they have no β, A or α.
        """
        if task is Task.CHUNKS:
            counts = (self.k, "chunk"), (self.budget, "character")
            return ", ".join(f"first {counted(most, what)}" for most, what in counts if most is not None)
        entry = f"A = {self.a:g}" if self.n is None else f"n = {self.n}"
        reading = [f"S(d) = {self.of_document(task)}"] if self.reads(task) else []
        overlap = [] if self.seen == "once" else ["text seen counts with each result"]
        of_grades = [] if self.relevant_from == 1 else [f"relevant from {self.relevant_from}"]
        of_grades += [] if self.gain == "linear" else [f"{self.gain} gain"]
        of_grades += [] if self.quantisation == "gen" else [f"quantisation {self.quantisation}"]
        patience = [] if self.persistence == 0.8 else [f"persistence {self.persistence:g}"]
        usual = (f"β = {self.beta:g}", entry, f"α = {self.alpha:g}")
        of_documents = usual[2:] if self.alpha != 1 else ()
        always = of_documents if task is Task.DOCUMENTS else usual
        return ", ".join([*reading, *always, *overlap, *of_grades, *patience])

    @property
    def by_name(self) -> dict[str, Any]:
        """The values by their names in the papers and on the command line."""
        return {"A" if name == "a" else name: value for name, value in asdict(self).items()}


CHOICES = {"quantisation": QUANTISATIONS, "score": SCORES, "gain": GAINS, "seen": SEEN}
"""The parameters that accept a few words, with these words."""
INEX_2007 = Parameters()
"""β = 1 and A = 0.1, the first official form."""


# Every measure by name, with a record from which help, tooltips, documentation and JSON are made.
#
# A measure is one decorated function of a *view*, a class that prepares the data shared by a family of
# measures:
#
#     @measure(
#         "iP", title="interpolated precision", formula="max P[r] over r with R[r] ≥ x", citation=M07,
#         view=Ranks, at=Level((0.0, 0.01, 0.05, 0.10)),
#     )
#     def interpolated(ranks: Ranks, x: float) -> Floats: ...
#
# The function takes the view (and a cut-off, if the record has one) and returns one float64 per topic. Views
# are made of a `measures.joined.Joined` and `Parameters`, once per run.

M07 = "Kamps, Pehcevski, Kazai, Lalmas, Robertson, INEX 2007 Evaluation Measures"

_ROOM = "inexview.core.measures"


class MeasureView(Protocol):
    """The data shared by the measures of one family, computed once per run.

    One with a curve has it as ``interpolated``: precision at L equal steps of recall, shape (T, L).
    """

    family: ClassVar[str]

    def __init__(self, joined: Joined, parameters: Parameters) -> None: ...


@dataclass(frozen=True, slots=True)
class MeasureRecord:
    """All facts about a measure."""

    name: str
    title: str
    formula: str
    citation: str
    family: str
    view: type[Any]
    compute: Callable[..., Floats]
    at: Rank | Level | None = None
    optional: bool = False
    """Whether the measure also exists without a cut-off, which is then None."""
    mean: str = ""
    """The name of the mean over topics; by default the same name."""
    brackets: str = "[]"
    """How the cut-off is written: iP[0.01] or, if that is usual in the field, P@10."""
    range: tuple[float, float] = (0.0, 1.0)
    geometric: bool = False
    """Whether the mean over topics is geometric, with 0.00001 for lower values."""
    uses: tuple[str, ...] = ()
    """The names of the Parameters that affect it."""
    note: str = ""
    written: str = ""
    """The name as written by the user, if that is not its usual name."""
    changes: tuple[tuple[str, Any], ...] = ()
    """The values that replace the run's Parameters for this measure, as in AP(rel=2)."""
    package: str = ""
    """The package that adds it, with its version; empty for inexview's own."""

    def seen_by(self, joined: Any, parameters: Parameters) -> Any:
        """Return the measure's view of a run, with its own parameters."""
        changed = parameters.changed(**dict(self.changes)) if self.changes else parameters
        return self.view(joined, changed)

    def label(self, cutoff: Cutoff | None = None, *, mean: bool = False) -> str:
        """Return the name as the user wrote it, or else the usual one, for one topic or for the mean."""
        if self.written:
            return self.written
        name = self.mean if mean and self.mean else self.name
        if self.at is None or cutoff is None:
            return name
        shown = self.at.shown(cutoff)
        return f"{name}@{shown}" if self.brackets == "@" else f"{name}[{shown}]"

    def usual(self) -> list[Measure]:
        """Return the measures with this name that are reported by default."""
        usual = [Measure(self.name, cutoff) for cutoff in (self.at.usual if self.at else ())]
        return [*usual, Measure(self.name)] if self.optional or self.at is None else usual


_records: dict[tuple[str, str], MeasureRecord] = {}


def measure(
    name: str, *, title: str, formula: str, citation: str, view: type[Any], **more: Any
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Register the decorated function as a measure of its view's family.

    It takes the view, and the cut-off if there is one, and returns each topic's value, shape (T,).
    """

    def register(compute: Callable[..., Floats]) -> Callable[..., Floats]:
        record = MeasureRecord(
            name=name, title=title, formula=formula, citation=citation, family=view.family, view=view,
            compute=compute, **more,
        )  # fmt: skip
        _records[view.family, name] = record
        return compute

    return register


def registered(family: str) -> tuple[MeasureRecord, ...]:
    """Return the records of a family registered so far, in the order of definition."""
    return tuple(record for (own, _), record in _records.items() if own == family)


@cache
def family(name: str) -> tuple[MeasureRecord, ...]:
    """Return the records of a family, in the order in which its module defines them."""
    families()
    return registered(name)


@cache
def families() -> Sequence[str]:
    """Return the names of all families with registered measures, including those of other packages."""
    _import_own()
    added_families()
    return tuple(sorted({own for own, _ in _records}))


def _import_own() -> None:
    for module in iter_modules(import_module(_ROOM).__path__):
        import_module(f"{_ROOM}.{module.name}")


@cache
def added_families() -> tuple[str, ...]:
    """Return the families that other packages add; their measures are available in every task.

    An entry point of the group ``inexview.measures`` names a module, which registers measures when it is
    imported, or the view of one.  Their citations name the package.
    """
    if not is_extended():
        return ()
    _import_own()
    known, own_families = dict(_records), {own for own, _ in _records}
    for _, package in loaded_points("inexview.measures"):
        for key, record in _records.items():
            if record is not known.get(key):
                added = replace(record, citation=f"{record.citation}; added by {package}", package=package)
                known[key] = _records[key] = added
    return tuple(dict.fromkeys(own for own, _ in _records if own not in own_families))


ALIASES = {
    "ndcg_cut": "nDCG",
    "map": "AP",
    "map_cut": "AP",
    "gm_map": "gmAP",
    "mrr": "RR",
    "recip_rank": "RR",
    "recall": "R",
    "precision": "P",
    "hit": "success",
    "hits": "success",
    "hit_rate": "success",
    "iprec_at_recall": "iprec",
    "11pt_avg": "AP11",
    "r_prec": "Rprec",
    "strecall": "strec",
}
"""Names of measures in trec_eval, ir_measures and other tools, in lower case."""

_PARAMETERS = {
    "rel": "relevant_from",
    "p": "persistence",
    "dcg": "gain",
    "budget": "budget",
    "k": "k",
    "alpha": "alpha",
}
"""The names of parameters in ir_measures, and our own for those that it does not have."""
_GAINS_OF_DCG = {"log2": "linear", "exp-log2": "exponential"}


def find(name: str, among: Iterable[str]) -> MeasureRecord:
    """Return the record with this name in the first family that has one.

    The name may be that of the mean, one of the ALIASES, or in another case (``magp``).
    """
    searched = [*among, *added_families()]
    records = [record for own in searched for record in family(own)]
    alias = ALIASES.get(name.lower(), name).lower()
    for record in records:
        if name in (record.name, record.mean):
            return record
    for record in records:
        if alias in (record.name.lower(), record.mean.lower()):
            return record
    if "xcg" not in searched and name in [named for r in family("xcg") for named in (r.name, r.mean)]:
        raise MeasureError(f"{name} needs judged elements: give assessment XML as QRELS")
    known = dict.fromkeys(record.name for record in records)
    for other in (each for each in families() if each not in searched):
        if any(alias in (record.name.lower(), record.mean.lower()) for record in family(other)):
            belongs = f"it is one of {other}"
            raise MeasureError(
                f"there is no measure {name!r} for this task ({belongs}); there are {', '.join(known)}"
            )
    hint = did_you_mean(name, [*known, *(record.mean for record in records), *ALIASES])
    raise MeasureError(f"there is no measure {name!r} for this task{hint}; there are {', '.join(known)}")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ": did you mean …?" with the known names most similar to a name, or ""."""
    spelt = {each.lower(): each for each in known if each}
    alike = get_close_matches(name.lower(), spelt, n=2)
    return f": did you mean {' or '.join(spelt[each] for each in alike)}?" if alike else ""


def resolve(wanted: Measure, among: Iterable[str]) -> tuple[MeasureRecord, Measure]:
    """Return the record of a measure and the measure with its cut-off checked.

    The record has the measure's own parameters, and the name as the user wrote it if that is not the usual
    one.  Raises MeasureError.
    """
    record = find(wanted.name, among)
    changes = changes_of(record, wanted)
    cutoff = wanted.cutoff
    if record.at is not None and cutoff is not None:
        cutoff = record.at.checked(cutoff)
    elif cutoff is not None:
        raise MeasureError(f"{record.name} takes no cut-off, but {wanted} has one")
    elif record.at is not None and not record.optional:
        raise MeasureError(f"{record.name} needs a cut-off: write it like {record.label(record.at.usual[0])}")
    # AP is named MAP as a mean, as in INEX; RR@10 keeps the requested name RR@10.
    usual = {record.label(cutoff), record.label(cutoff, mean=True)}
    written = wanted.written or (str(wanted) if changes else "")
    if written and (written not in usual or (cutoff is not None and len(usual) > 1)):
        record = replace(record, written=written, changes=changes)
    return record, Measure(record.name, cutoff, wanted.parameters)


def changes_of(record: MeasureRecord, wanted: Measure) -> tuple[tuple[str, Any], ...]:
    """Return the values that replace the run's Parameters for a measure, by name.  Raises MeasureError."""
    changes: dict[str, Any] = {}
    for name, value in wanted.parameters:
        changed = _PARAMETERS.get(name, name)
        if changed not in record.uses:
            taken = [given for given, own in _PARAMETERS.items() if own in record.uses]
            takes = f"it takes {', '.join(taken)}" if taken else "it takes none"
            raise MeasureError(f"{record.name} has no parameter {name!r}: {takes}")
        changes[changed] = _GAINS_OF_DCG.get(str(value), value) if name == "dcg" else value
    try:
        Parameters().changed(**changes)
    except InexviewError as error:
        raise MeasureError(f"{wanted}: {error}") from error
    return tuple(changes.items())


# Presets: the settings and the tables of the years and papers, as data.


@dataclass(frozen=True, slots=True)
class Reported:
    """A preset's settings for one task."""

    families: tuple[str, ...]
    """The family whose measures are computed, then those available by name.

    Families of the latter kind with a measure in the table are computed too.
    """
    table: tuple[str, ...]
    """The measures that the table shows."""
    overlap: str = "allow"
    """The default treatment of overlapping results: error, drop or allow."""
    complete: bool = False
    """Whether every judged topic counts, regardless of the user's setting."""
    limit: Limit | None = None
    """The maximum amount that a run may return."""
    decides: str = ""
    """The default measure of the table for ordering runs; "" is its last."""

    @property
    def main(self) -> str:
        """The default measure for ordering runs."""
        return self.decides or self.table[-1]

    @property
    def measures(self) -> list[Measure]:
        return [parse(name) for name in self.table]


@dataclass(frozen=True, slots=True)
class Preset:
    """A year's or a paper's settings."""

    name: str
    title: str
    parameters: Parameters
    tasks: Mapping[Task, Reported]

    def said_with(self, parameters: Parameters, task: Task) -> str:
        """Return its name with all parameters of a task: ``inex2007: β = 1, A = 0.1, α = 1``."""
        return ": ".join(filter(None, (self.name, parameters.said_for(task))))

    def named_with(self, parameters: Parameters, task: Task) -> str:
        """Return its name, with a task's parameters if they differ from its own."""
        said, own = (one.said_for(task) for one in (parameters, self.parameters))
        return self.name if said == own else f"{self.name}: {said}"


_IP = ("iP[0.00]", "iP[0.01]", "iP[0.05]", "iP[0.10]", "AiP")
_RESULTS = Limit(1500)
_BY_NAME = ("text-sets", "characters", "hixeval")
_SETS = ("char_prec", "char_rec", "char_f1")
_FOCUSED = Reported(("focused", *_BY_NAME), _IP, overlap="error", limit=_RESULTS)
_GP = ("gP[5]", "gP[10]", "gP[25]", "gP[50]", "AgP")
_IN_CONTEXT = Reported(("in-context",), _GP, overlap="error", limit=_RESULTS)
_THOROUGH = Reported(("thorough", *_BY_NAME), _IP, limit=_RESULTS)
_AD_HOC = {
    Task.FOCUSED: _FOCUSED,
    Task.RELEVANT_IN_CONTEXT: _IN_CONTEXT,
    Task.BEST_IN_CONTEXT: _IN_CONTEXT,
}
_HIXEVAL = Reported(
    ("hixeval", "focused", "thorough", "text-sets", "characters"),
    ("P@10", "P@25", "P@50", "R@10", "R@25", "R@50", "F@10", "F@25", "F@50", "AP", "iAP"),
    limit=_RESULTS,
)
_HARD = Reported(
    ("characters", "focused", "thorough", "text-sets", "hixeval"),
    (
        "psgRprec",
        *(f"{name}[{n}]" for name in ("charP", "charBpref") for n in (6000, 12000, 24000)),
        "charBpref",
        "charRprec",
        "CAP",
    ),
)
_CHUNKS = Reported(
    ("chunks", "focused", "text-sets", "characters"),
    ("char_rec", "char_prec", "char_f1", "char_iou", "intact", "found[0.50]", "chars"),
    decides="char_rec",
)
_SUBTOPICS = Reported(
    ("subtopics", "ranked", "first-hits"),
    ("alpha_nDCG@5", "alpha_nDCG@10", "alpha_nDCG@20", "ERR_IA@20", "strec@20"),
    decides="alpha_nDCG@10",
)
_NUGGETS = Reported(
    ("nuggets",),
    ("nugget_vital@5", "nugget_vital@10", "nugget_vital@20", "nugget_rec@10", "alpha_nDCG@10", "strec@10"),
    decides="nugget_vital@10",
)
_TREC = Reported(
    ("ranked", "first-hits", "incomplete", "false-alarms"),
    ("AP", "Rprec", "P@5", "P@10", "nDCG@10"),
    decides="AP",
)

PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("inex2007", "INEX 2007 ad hoc", Parameters(beta=1, a=0.1), _AD_HOC),
        Preset("inex2008", "INEX 2008 ad hoc", Parameters(beta=1, a=None, n=1000), _AD_HOC),
        Preset(
            "inex2009",
            "INEX 2009 ad hoc",
            Parameters(beta=0.25, a=None, n=500),
            {**_AD_HOC, Task.THOROUGH: _THOROUGH},
        ),
        Preset(
            "inex2010",
            "INEX 2010 ad hoc",
            Parameters(beta=0.25, a=None, n=500, score="T2I"),
            {
                Task.RELEVANT_IN_CONTEXT: _IN_CONTEXT,
                Task.RESTRICTED_RELEVANT_IN_CONTEXT: replace(
                    _IN_CONTEXT, limit=Limit(500, Counted.ARTICLE_CHARACTERS)
                ),
                Task.RESTRICTED_FOCUSED: Reported(
                    ("text-sets", "focused", "characters", "hixeval"),
                    ("char_prec", "char_rec", "char_f1"),
                    decides="char_prec",
                    overlap="error",
                    limit=Limit(1000, Counted.CHARACTERS),
                ),
                Task.FOCUSED: replace(_FOCUSED, table=(*_IP, *_SETS), decides="AiP"),
                Task.BEST_IN_CONTEXT: _IN_CONTEXT,
                Task.THOROUGH: replace(_THOROUGH, table=(*_IP, *_SETS), decides="AiP"),
                Task.EFFICIENCY: _THOROUGH,
            },
        ),
        Preset(
            "hixeval2005",
            "HiXEval at INEX 2005",
            Parameters(),
            {
                Task.THOROUGH: _HIXEVAL,
                Task.FOCUSED: _HIXEVAL,
                Task.FETCH_BROWSE: Reported(
                    ("fetch-browse", "hixeval"),
                    tuple(
                        f"{name}@{k}" for name in ("clusterP", "clusterR", "clusterF") for k in (10, 25, 50)
                    ),
                    limit=_RESULTS,
                ),
            },
        ),
        Preset("hard2004", "HARD track 2004 passages", Parameters(), {Task.PASSAGES: _HARD}),
        Preset(
            "genomics2007",
            "TREC Genomics 2006–2007",
            Parameters(),
            {
                Task.ASPECTS: Reported(
                    ("genomics",), ("DOCUMENT", "PASSAGE", "PASSAGE2", "ASPECT"), complete=True
                )
            },
        ),
        Preset("trec", "ranked documents", Parameters(), {Task.DOCUMENTS: _TREC}),
        Preset(
            "diversity",
            "subtopics of the TREC Web Track (ndeval)",
            Parameters(alpha=0.5),
            {Task.DOCUMENTS: _SUBTOPICS},
        ),
        Preset("chunks", "chunks for RAG", Parameters(), {Task.CHUNKS: _CHUNKS}),
        Preset(
            "nuggets",
            "nuggets with places",
            Parameters(alpha=0.5),
            {
                Task.DOCUMENTS: replace(_NUGGETS, families=("nuggets", "ranked", "first-hits")),
                Task.CHUNKS: replace(_NUGGETS, families=("nuggets", "chunks", "text-sets")),
                Task.PASSAGES: replace(_NUGGETS, families=("nuggets", "text-sets", "characters")),
                Task.FOCUSED: replace(_NUGGETS, families=("nuggets", "focused", "text-sets")),
                Task.THOROUGH: replace(_NUGGETS, families=("nuggets", "thorough", "text-sets")),
            },
        ),
    )
}


def preset_for(task: Task, name: str | None) -> Preset:
    """Return the named preset or, without a name, the first one with the task.

    Raises InexviewError if there is no such preset, or it does not have the task.
    """
    if name is None:
        return next(preset for preset in PRESETS.values() if task in preset.tasks)
    if name not in PRESETS:
        raise InexviewError(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
    preset = PRESETS[name]
    if task not in preset.tasks:
        others = ", ".join(other.name for other in PRESETS.values() if task in other.tasks)
        raise InexviewError(
            f"preset {name} has no task {task}; it has {', '.join(preset.tasks)}. Try {others}"
        )
    return preset
