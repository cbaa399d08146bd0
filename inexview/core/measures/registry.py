"""Every measure by name: one record each, from which help, tooltips, documentation and JSON are made.

A measure is one decorated function of a *view*, a class that prepares what a family of measures shares::

    @measure(
        "iP", title="interpolated precision", formula="max P[r] over r with R[r] ≥ x", citation=M07,
        view=Ranks, at=Level((0.0, 0.01, 0.05, 0.10)),
    )
    def interpolated(ranks: Ranks, x: float) -> Floats: ...

The function takes the view (and a cut-off, where the record has one) and returns one float64 per topic.
Views are made of a :class:`~inexview.core.measures.joined.Joined` and :class:`Parameters`, once per run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Protocol

from inexview.core.errors import InexviewError
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Cutoff, Level, Measure, MeasureError, Rank
from inexview.core.measures.parameters import Parameters
from inexview.core.text.offset_arrays import Floats

M07 = "Kamps, Pehcevski, Kazai, Lalmas, Robertson, INEX 2007 Evaluation Measures"

_ROOM = "inexview.core.measures"


class MeasureView(Protocol):
    """What the measures of one family share, computed once per run.

    One with a curve has it as ``interpolated``: precision at L equal steps of recall, shape (T, L).
    """

    def __init__(self, joined: Joined, parameters: Parameters) -> None: ...


@dataclass(frozen=True, slots=True)
class MeasureRecord:
    """All there is to know of a measure."""

    name: str
    title: str
    formula: str
    citation: str
    family: str
    view: type[Any]
    compute: Callable[..., Floats]
    at: Rank | Level | None = None
    optional: bool = False
    """Whether the measure also exists without a cut-off, and is then computed with None for it."""
    mean: str = ""
    """What the mean over topics is called; the same name unless said otherwise."""
    brackets: str = "[]"
    """How the cut-off is written: iP[0.01] or, where the field writes it so, P@10."""
    range: tuple[float, float] = (0.0, 1.0)
    geometric: bool = False
    """Whether the mean over topics is the geometric one, with 0.00001 for what is less."""
    uses: tuple[str, ...] = ()
    """Which of the Parameters matter."""
    note: str = ""
    written: str = ""
    """How the user wrote the measure, where that is not its usual name."""
    changes: tuple[tuple[str, Any], ...] = ()
    """What this measure takes in place of the run's Parameters, as in AP(rel=2)."""

    def seen_by(self, joined: Any, parameters: Parameters) -> Any:
        """Return the measure's view of a run, under its own parameters."""
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
        """Return the measures of this name that are reported when none are asked for."""
        usual = [Measure(self.name, cutoff) for cutoff in (self.at.usual if self.at else ())]
        return [*usual, Measure(self.name)] if self.optional or self.at is None else usual


_records: dict[tuple[str, str], MeasureRecord] = {}


def measure(
    name: str, *, title: str, formula: str, citation: str, view: type[Any], **more: Any
) -> Callable[[Callable[..., Floats]], Callable[..., Floats]]:
    """Register the decorated function as a measure of the family that its view's module is.

    It takes the view, and the cut-off where there is one, and returns each topic's value, shape (T,).
    """
    family = view.__module__.rpartition(".")[2].replace("_", "-")

    def register(compute: Callable[..., Floats]) -> Callable[..., Floats]:
        record = MeasureRecord(
            name=name, title=title, formula=formula, citation=citation, family=family, view=view,
            compute=compute, **more,
        )  # fmt: skip
        _records[family, name] = record
        return compute

    return register


@cache
def family(name: str) -> tuple[MeasureRecord, ...]:
    """Return the records of a family, in the order in which its module defines them."""
    import_module(f"{_ROOM}.{name.replace('-', '_')}")
    return tuple(record for (own, _), record in _records.items() if own == name)


def families() -> Sequence[str]:
    """Return the families' names: every module of this package that registers a measure is one."""
    for module in iter_modules(import_module(_ROOM).__path__):
        import_module(f"{_ROOM}.{module.name}")
    return tuple(sorted({own for own, _ in _records}))


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
}
"""The names of trec_eval, ir_measures and others, in small letters, by which measures are known too."""

_PARAMETERS = {"rel": "relevant_from", "p": "persistence", "dcg": "gain"}  # ir_measures' names
_GAINS_OF_DCG = {"log2": "linear", "exp-log2": "exponential"}


def find(name: str, among: Iterable[str]) -> MeasureRecord:
    """Return the record of this name in the first family that has one.

    The name may be that of the mean, one of the ALIASES, or in other letters (``magp``).
    """
    searched = list(among)
    records = [record for own in searched for record in family(own)]
    alias = ALIASES.get(name.lower(), name).lower()
    for record in records:
        if name in (record.name, record.mean):
            return record
    for record in records:
        if alias in (record.name.lower(), record.mean.lower()):
            return record
    if "xcg" not in searched and name in [named for r in family("xcg") for named in (r.name, r.mean)]:
        raise MeasureError(f"{name} needs judged elements: give assessment XML as the judgements")
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
    """Return ": did you mean …?" with the names most like one that is not known, or ""."""
    spelt = {each.lower(): each for each in known if each}
    alike = get_close_matches(name.lower(), spelt, n=2)
    return f": did you mean {' or '.join(spelt[each] for each in alike)}?" if alike else ""


def resolve(wanted: Measure, among: Iterable[str]) -> tuple[MeasureRecord, Measure]:
    """Return the record of a measure and the measure with its cut-off checked.

    The record has the measure's own parameters, and the name as the user wrote it if that is not the usual
    one.  Raises MeasureError.
    """
    record = find(wanted.name, among)
    changes = _changes(record, wanted)
    cutoff = wanted.cutoff
    if record.at is not None and cutoff is not None:
        cutoff = record.at.checked(cutoff)
    elif cutoff is not None:
        raise MeasureError(f"{record.name} takes no cut-off, and {wanted} has one")
    elif record.at is not None and not record.optional:
        raise MeasureError(f"{record.name} needs a cut-off: write it like {record.label(record.at.usual[0])}")
    # AP is MAP as the mean, as INEX has it; RR@10 stays RR@10, as it was asked for.
    usual = {record.label(cutoff), record.label(cutoff, mean=True)}
    written = wanted.written or (str(wanted) if changes else "")
    if written and (written not in usual or (cutoff is not None and len(usual) > 1)):
        record = replace(record, written=written, changes=changes)
    return record, Measure(record.name, cutoff, wanted.parameters)


def _changes(record: MeasureRecord, wanted: Measure) -> tuple[tuple[str, Any], ...]:
    """Return what a measure takes in place of the run's Parameters, by their names.  Raises MeasureError."""
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
