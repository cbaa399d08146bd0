"""Derivations of measures: the formula, the formula with numbers, and the rows in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inexview.core.evaluation.evaluate import PreparedRun, WantedMeasure, compute
from inexview.core.measures.characters import SHARES, CharacterRanking, GoldRanks, sum_of_reciprocals
from inexview.core.measures.chunks import Chunks
from inexview.core.measures.elements import (
    RECALL_LEVELS,
    ElementGains,
    ElementRanks,
    ResultValues,
    ideal_ranks_of,
    ranks_reaching,
)
from inexview.core.measures.focused import LEVELS, Ranks, RetrievedText
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import Joined, new_characters, one_topic, ratio
from inexview.core.measures.measure import Cutoff, MeasureRecord, Parameters
from inexview.core.measures.nuggets import WEIGHED, NuggetRanking
from inexview.core.measures.ranked import RankedDocuments
from inexview.core.measures.subtopics import Subtopics, log_discount, reciprocal
from inexview.core.text.spans import Floats, Ints

SHOWN = 3
"""The number of terms of a sum that are written out."""

Number = int | float
RANK = "rank"


@dataclass(frozen=True, slots=True)
class DerivationRow:
    """One result, or one document, of a ranking.

    ``[start, end)`` is its place in the document, ``start`` None for all of it or an unknown place;
    ``figures`` are under the derivation's ``columns``, ``adds`` is its contribution to the numerator.
    """

    rank: int
    document: str
    figures: tuple[Number, ...]
    adds: float = 0.0
    start: int | None = None
    end: int | None = None
    element: str = ""
    """The path of an element, in a run of elements."""

    @property
    def place(self) -> str:
        """The path of its element, or ``offset:length``; empty for a whole document."""
        if self.element or self.start is None or self.end is None:
            return self.element
        return f"{self.start}:{self.end - self.start}"


@dataclass(frozen=True, slots=True)
class Fraction:
    """A value as ``numerator / denominator · factor``, 0 for a denominator of 0.

    ``above`` and ``below`` name the two.  The numerator is the sum of the contributions of the rows.
    """

    numerator: float
    denominator: float
    above: str
    below: str
    factor: float = 1.0
    factor_name: str = ""

    @property
    def value(self) -> float:
        return self.numerator / self.denominator * self.factor if self.denominator else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A value with its formula and rows.  ``value`` is the evaluation's; ``topic`` is "" for means."""

    topic: str = ""
    measure: str = ""
    title: str = ""
    formula: str = ""
    citation: str = ""
    note: str = ""
    value: float = math.nan
    columns: tuple[str, ...] = ()
    rows: tuple[DerivationRow, ...] = ()
    fraction: Fraction | None = None
    """None for a value that is not a fraction."""
    said: tuple[str, ...] = ()
    """Lines that replace the sum."""
    without: tuple[float, ...] = ()
    """The value without each of the rows, NaN if unknown; empty if not computed."""

    def change(self, row: DerivationRow) -> float:
        """Return how the value changes without a row; NaN if unknown."""
        return self.without[row.rank - 1] - self.value if row.rank <= len(self.without) else math.nan

    @property
    def filled(self) -> tuple[str, ...]:
        """The formula with numbers, line by line; the last one ends in the value."""
        adds = [row.adds for row in self.rows if row.adds]
        lines = self.said or filled_lines(self.fraction, adds, self.value)
        of_formula = self.formula.partition(" = ")[2].partition(",")[0]
        return lines[1:] if len(lines) > 1 and lines[0] == f"= {of_formula}" else lines


Derivations = Mapping[str, Derivation]
"""Derivations by the names of their figures."""


def said_by(
    columns: tuple[str, ...], rows: tuple[DerivationRow, ...], lines: tuple[str, ...] = ()
) -> Derivation:
    """Return rows and lines of a figure that is not a fraction, still without a name."""
    return Derivation(columns=columns, rows=rows, said=lines)


def summed(
    columns: tuple[str, ...],
    rows: tuple[DerivationRow, ...],
    denominator: float,
    above: str,
    below: str,
    *,
    factor: float = 1.0,
    factor_name: str = "",
) -> Derivation:
    """Return rows of a figure whose numerator is the sum of their contributions, still without a name."""
    numerator = sum(row.adds for row in rows)
    fraction = Fraction(numerator, denominator, above, below, factor, factor_name)
    return Derivation(columns=columns, rows=rows, fraction=fraction)


def _named(
    topic: str, record: MeasureRecord, cutoff: Cutoff | None, value: float, parts: Derivation
) -> Derivation:
    """Join the parts of a measure with its formula, title and source."""
    return replace(
        parts,
        topic=topic,
        measure=record.label(cutoff),
        title=record.title,
        formula=record.formula,
        citation=record.citation,
        note=record.note,
        value=value,
    )


def rows_by(
    key: Floats, names: Sequence[str], figures: Sequence[Floats], adds: Floats
) -> tuple[DerivationRow, ...]:
    """Return a row for each name, by ascending ``key``; all arrays are of shape (n,)."""
    order = np.argsort(key, kind="stable").tolist()
    return tuple(
        DerivationRow(place, names[at], tuple(float(own[at]) for own in figures), float(adds[at]))
        for place, at in enumerate(order, 1)
    )


def shown(number: Number) -> str:
    """Format a number: integers with thousands separators, others with four decimals."""
    if math.isinf(number):
        return "∞"
    return f"{int(number):,}" if float(number).is_integer() else f"{number:.4f}"


def filled_lines(fraction: Fraction | None, terms: Sequence[float], value: float) -> tuple[str, ...]:
    """Return lines: the sum over its denominator, then both as numbers, then the value."""
    if fraction is None:
        return (f"= {value:.4f}",)
    if not fraction.denominator:
        return (f"= 0, as there is nothing to divide by: {fraction.below} = 0",)
    factor = f" · {shown(fraction.factor)}" if fraction.factor_name else ""
    lines = []
    if len(terms) > 1:
        more = f" + … {len(terms) - SHOWN:,} more" if len(terms) > SHOWN else ""
        lines.append(
            f"= ({' + '.join(map(shown, terms[:SHOWN]))}{more}) / {shown(fraction.denominator)}{factor}"
        )
    lines.append(f"= {shown(fraction.numerator)} / {shown(fraction.denominator)}{factor} = {value:.4f}")
    below = f"({fraction.below})" if " + " in fraction.below else fraction.below
    named = f"{fraction.above} / {below}" + (f" · {fraction.factor_name}" if factor else "")
    return (f"= {named}", *lines)


# Measures that rank results: focused, thorough, HiXEval, characters and sets of text.
#
# Each function returns None for further measures of its family.

ColumnValues = NDArray[np.int64] | NDArray[np.float64] | NDArray[np.bool_]
RowMaker = Callable[[Sequence[ColumnValues], ColumnValues], tuple[DerivationRow, ...]]
"""Makes the rows of n results from columns of figures and from their contributions, (n,) each."""


def result_rows(
    joined: Joined, figures: Sequence[ColumnValues], adds: ColumnValues
) -> tuple[DerivationRow, ...]:
    """Return the results of a run of one topic as rows, with columns of figures, shape (n,) each."""
    columns: list[list[Number]] = [column.tolist() for column in figures]
    return tuple(
        DerivationRow(rank, document, own, float(add), start if known else None, end if known else None)
        for rank, (document, own, add, start, end, known) in enumerate(
            zip(
                joined.keys.names.strings(),
                zip(*columns, strict=True),
                adds.tolist(),
                joined.start.tolist(),
                joined.end.tolist(),
                joined.known.tolist(),
                strict=True,
            ),
            1,
        )
    )


def of_focused(view: Ranks, name: str, cutoff: Cutoff | None) -> Derivation | None:
    """Derive a measure of the focused task, or of thorough over text, of the one topic of a view."""
    joined, n, trel = view.joined, len(view.size), int(view.joined.trel[0])
    recall = view.hits / trel if trel else np.zeros(n)
    precision = view.hits / np.maximum(view.retrieved, 1)
    columns = ("size", "rsize", "P[r]", "R[r]")
    first = np.arange(n) < (n if cutoff is None else cutoff)

    def rows(adds: ColumnValues) -> tuple[DerivationRow, ...]:
        return result_rows(joined, (view.size, view.rsize, precision, recall), adds)

    if name in ("P", "R"):
        size, below = (int(view.size[first].sum()), "Σ size") if name == "P" else (trel, "Trel")
        return summed(columns, rows(np.where(first, view.rsize, 0)), size, "Σ rsize", below)
    if name == "AP":
        gaining = view.rsize > 0
        words = "Σ P[r] where rsize > 0", "ranks with rsize > 0"
        last = float(recall[-1]) if n else 0.0
        listed = rows(np.where(gaining, precision, 0.0))
        return summed(columns, listed, int(gaining.sum()), *words, factor=last, factor_name="R[|R|]")
    curve = view.interpolated[0]
    if name == "iP" and cutoff is not None:
        at = _rank_of(view, precision, float(curve[round(cutoff * 100)]), round(cutoff * 100))
        if at is None:
            return said_by(columns, rows(np.zeros(n)), (f"= 0, as recall never reaches {cutoff:.2f}",))
        listed = rows(np.where(np.arange(n) <= at, view.rsize, 0))
        return summed(columns, listed, int(view.retrieved[at]), f"Σ rsize up to rank {at + 1}", "Σ size")
    if name != "AiP":
        return None
    adds = np.zeros(n)  # a result adds its precision for each level at which it is the highest
    for level, value in enumerate(curve.tolist()):
        if (at := _rank_of(view, precision, value, level)) is not None:
            adds[at] += value
    return summed(columns, rows(adds), LEVELS, "Σ iP[x]", "levels of recall")


def _rank_of(view: Ranks, precision: Floats, value: float, level: int) -> int | None:
    """Return the first result with precision ``value`` after recall has reached a level, or None."""
    if not value:
        return None
    reached = np.floor(100 * view.recall) >= level
    rows = view.found[reached & (precision[view.found] == value)]
    return int(rows[0]) if len(rows) else None


def of_hixeval(
    view: ResultValues, name: str, cutoff: Cutoff | None, make_rows: RowMaker
) -> Derivation | None:
    """Derive a measure of HiXEval over passages or elements, of the one topic of a view."""
    columns = ("size", "rsize", "rval", "P@r")
    rows = partial(make_rows, (view.size, view.joined.rsize, view.rval, view.precision))
    n, trel = len(view.rval), float(view.trel[0])
    first = np.arange(n) < (n if cutoff is None else cutoff)
    shares = np.divide(view.rval, view.size, out=np.zeros(n), where=view.size > 0)
    if name == "P" and cutoff is not None:
        return summed(columns, rows(np.where(first, shares, 0.0)), float(cutoff), "Σ rval/size", "r")
    if name == "R":
        return summed(columns, rows(np.where(first, view.rval, 0.0)), trel, "Σ rval", "Trel")
    if name == "AP":
        gaining = view.rval > 0
        words = "Σ P@r where rval > 0", "ranks with rval > 0"
        last, named = float(view.found[-1]) / trel if n and trel else 0.0, "R at the last rank"
        listed = rows(np.where(gaining, view.precision, 0.0))
        return summed(columns, listed, int(gaining.sum()), *words, factor=last, factor_name=named)
    if name == "F" and cutoff is not None:
        p = float(shares[first].sum()) / float(cutoff)
        r = float(view.rval[first].sum()) / trel if trel else 0.0
        return said_by(columns, rows(np.zeros(n)), harmonic(p, r))
    if name != "iAP":
        return None
    adds = np.zeros(n)  # a result adds its precision for each point at which it is the highest
    for value, reached in zip(view.interpolated[0].tolist(), view.reached(0), strict=True):
        if value:
            adds[int(np.argmax(reached & (view.precision == value)))] += value
    return summed(columns, rows(adds), RECALL_LEVELS, "Σ of the highest P@r", "levels of recall")


def harmonic(precision: float, recall: float) -> tuple[str, ...]:
    """Return 2·P·R / (P + R) with its numbers."""
    if not precision + recall:
        return ("= 0, as precision and recall are 0",)
    p, r = shown(precision), shown(recall)
    return (f"= 2·{p}·{r} / ({p} + {r}) = {2 * precision * recall / (precision + recall):.4f}",)


def of_characters(view: CharacterRanking, name: str, cutoff: Cutoff | None) -> Derivation | None:
    """Derive a measure of characters as the ranked unit [WA], of the one topic of a view."""
    joined = view.joined
    relevant = int(view.relevant[0])
    k = int(view.first(None if cutoff is None else int(cutoff))[0])
    columns = ("size", "rsize", "new relevant")
    new = _per_result(view.result, view.size, len(joined))

    def parts(adds: ColumnValues, denominator: float, above: str, below: str) -> Derivation:
        return summed(
            columns, result_rows(joined, (joined.size, joined.rsize, new), adds), denominator, above, below
        )

    missed = view.above - view.found
    if name == "psgRprec":
        within = joined.rank <= joined.passages[0]
        size = int(joined.size[within].sum())
        return parts(np.where(within, new, 0), size, "new relevant in the first R′", "characters in them")
    if name == "CAP":
        added = view.size - missed * sum_of_reciprocals(view.above, view.size)
        return parts(_per_result(view.result, added, len(joined)), relevant, "Σ precision at each", "R")
    if name == "charBpref":
        counted = np.clip(k - view.found, 0, view.size)
        preferred = counted * (1 - np.minimum(missed, k) / k) if k else np.zeros(len(counted))
        return parts(_per_result(view.result, preferred, len(joined)), k, "Σ (1 − n/k)", "k")
    if name not in ("charP", "charRprec"):
        return None
    within_k = np.clip(k - view.above, 0, view.size)
    return parts(_per_result(view.result, within_k, len(joined)), k, "relevant in the first k", "k")


def _per_result(result: Ints, values: ColumnValues, count: int) -> Floats:
    summed_up = np.zeros(count)
    np.add.at(summed_up, result, values)
    return summed_up


def of_text_sets(view: RetrievedText, joined: Joined, name: str) -> Derivation | None:
    """Derive a measure of all text retrieved for a topic, each character counted once."""
    kind, _, measure = name.partition("_")
    if kind not in ("char", "art") or measure not in ("prec", "rec", "f1"):
        return None
    size, rsize = new_characters(joined)
    columns = ("new characters", "relevant ones")
    if kind == "char":
        what, adds = "characters", rsize
        totals = view.relevant_characters, view.characters, view.all_characters
    else:
        what, adds = "articles", np.zeros(len(joined), np.int64)
        adds[joined.firsts] = joined.relevant[joined.firsts]
        totals = view.relevant_articles, view.articles, view.all_articles
    hits, retrieved, there = (int(total[0]) for total in totals)
    if measure == "f1":
        lines = harmonic(hits / retrieved if retrieved else 0.0, hits / there if there else 0.0)
        return said_by(columns, result_rows(joined, (size, rsize), np.zeros(len(joined))), lines)
    below, of = (retrieved, f"{what} retrieved") if measure == "prec" else (there, f"relevant {what}")
    listed = result_rows(joined, (size, rsize), adds)
    return summed(columns, listed, below, f"relevant {what} retrieved", of)


def of_chunks(view: Chunks, every: Joined, name: str, k: int | None) -> Derivation | None:
    """Derive a measure of the first k chunks, or of all, of the one topic of a view.

    ``every`` are all chunks, including those past the view's budget, which add nothing.
    """
    joined = view.joined
    first = np.ones(len(joined), bool) if k is None else joined.rank <= k
    columns, places = ("size", "new", "new relevant"), np.searchsorted(every.source, joined.source)
    new, new_relevant = new_characters(joined)
    hits, covered, read, missed = (
        int(column(k)[0]) for column in (view.hits, view.covered, view.read, view.missed)
    )
    relevant = int(joined.trel[0])

    def among_all(values: ColumnValues) -> Ints:
        column = np.zeros(len(every), np.int64)
        column[places] = values
        return column

    def rows(adds: ColumnValues) -> tuple[DerivationRow, ...]:
        figures = every.size, among_all(new), among_all(new_relevant)
        return result_rows(every, figures, among_all(np.where(first, adds, 0)))

    below = {
        "char_rec": (relevant, "Rel"),
        "char_prec": (covered, "RetU"),
        "char_iou": (covered + missed, "RetU + missed"),
        "chroma_prec": (read, "Ret"),
        "chroma_iou": (read + missed, "Ret + missed"),
    }
    if name in below:
        return summed(columns, rows(new_relevant), below[name][0], "Σ new relevant", below[name][1])
    if name in ("lbr_prec", "lbr_rec"):
        denominator, named = (read, "Ret") if name == "lbr_prec" else (relevant, "Rel")
        return summed(columns, rows(joined.rsize), denominator, "Σ relevant", named)
    if name == "char_f1":
        lines = harmonic(hits / covered if covered else 0.0, hits / relevant if relevant else 0.0)
        return said_by(columns, rows(0 * new), lines)
    if name == "redundancy":
        lines = (f"= {read:,} / {covered:,} − 1",) if covered else ()
        return said_by(columns, rows(joined.size), lines)
    return said_by(columns, rows(joined.size)) if name == "chars" else None


_GOLD_WORDS = {
    "DOCUMENT": ("Σ precision at the first result of each gold document", "gold documents"),
    "PASSAGE2": ("Σ precision at each relevant character that is new", "relevant characters"),
    "PASSAGE": (
        "Σ relevant / characters so far, where a gold passage is met",
        "results that meet one + gold passages never met",
    ),
    "ASPECT": ("Σ new aspects · precision where there are some", "distinct aspects"),
}


def of_gold(view: GoldRanks, joined: Joined, name: str) -> Derivation | None:
    """Derive a measure of TREC Genomics, of the one topic of a view."""
    if name not in SHARES:
        return None
    share = SHARES[name](view, 0)
    aspects = [gold.aspects if (gold := view.met(one)) is not None else () for one in view.results[0]]
    figures = joined.size, joined.rsize, np.array(list(map(len, aspects)), np.int64)
    listed = result_rows(joined, figures, np.array(share.adds))
    return summed(("size", "rsize", "aspects"), listed, share.below, *_GOLD_WORDS[name])


# HiXEval and XCG over judged elements.


def derive_elements(
    ranks: ElementRanks, topic: str, parameters: Parameters, wanted: Sequence[WantedMeasure]
) -> list[Derivation]:
    """Derive measures of a run of elements, of the only topic of its ranks."""
    values, _ = compute(ranks, parameters, wanted)
    derived = []
    for (record, cutoff), (value,) in zip(wanted, values.tolist(), strict=True):
        view = record.seen_by(ranks, parameters)
        parts = None
        if isinstance(view, ElementGains):
            parts = _of_gains(view, ranks, record.name, cutoff)
        elif isinstance(view, ResultValues):
            parts = of_hixeval(view, record.name, cutoff, partial(element_rows, ranks))
        if parts is None:
            nothing = np.zeros(len(ranks.rsize))
            parts = said_by(("size", "rsize"), element_rows(ranks, (ranks.size, ranks.rsize), nothing))
        derived.append(_named(topic, record, cutoff, value, parts))
    return derived


def element_rows(
    ranks: ElementRanks, figures: Sequence[ColumnValues], adds: ColumnValues
) -> tuple[DerivationRow, ...]:
    """Return the results of a run of one topic as rows, with columns of figures, shape (n,) each."""
    listed = zip(ranks.rankings[0], zip(*(column.tolist() for column in figures), strict=True), strict=True)
    return tuple(
        DerivationRow(rank, document, own, add, element=path)
        for rank, (((document, path), own), add) in enumerate(zip(listed, adds.tolist(), strict=True), 1)
    )


def _of_gains(view: ElementGains, ranks: ElementRanks, name: str, cutoff: Cutoff | None) -> Derivation | None:
    run, ideal = view.run[0], view.ideal[0]
    n = len(run)
    best: Floats = np.zeros(n)
    best[: min(n, len(ideal))] = ideal[:n]
    columns = ("xG", "xI", "Σ xG", "Σ xI")
    rows = partial(element_rows, ranks, (run, best, np.cumsum(run), np.cumsum(best)))
    if name in ("nxCG", "gr") and cutoff is not None:
        r = int(cutoff)
        below = float(ideal[:r].sum() if name == "nxCG" else ideal.sum())
        of = f"Σ xI up to rank {r}" if name == "nxCG" else "Σ xI of all"
        return summed(columns, rows(np.where(np.arange(n) < r, run, 0.0)), below, f"Σ xG up to rank {r}", of)
    if name == "Aep":
        points = np.flatnonzero(run > 0) + 1
        reached = np.zeros(n)
        if len(points) and len(ideal):
            reached[points - 1] = ideal_ranks_of(run, ideal, points) / points
        words = "Σ ideal rank / rank", "ideal elements, or ranks that gain"
        return summed(columns, rows(reached), float(max(len(ideal), len(points))), *words)
    if name != "ep":
        return None
    return said_by(columns, rows(np.zeros(n)), _effort(run, ideal, cutoff))


def _effort(run: Floats, ideal: Floats, level: Cutoff | None) -> tuple[str, ...]:
    """Return lines for ep at a level of gain-recall: the ideal ranking's rank there over the run's."""
    if level is None or not len(ideal):
        return ()
    wanted = float(level) * float(ideal.sum())
    own, best = (int(ranks_reaching(gains, np.array([wanted]))[0]) for gains in (run, ideal))
    reached = f"= {best} / {own} = {best / own:.4f}"
    if own > len(run):
        reached = "= 0, as the run never gains so much"
    return (f"= rank at which the ideal ranking has gained {wanted:.4f} / rank at which the run has", reached)


# All measures of a topic.


def derive_prepared(prepared: PreparedRun, topic: str) -> list[Derivation]:
    """Derive the wanted measures of one topic; raises InexviewError for a topic that is not scored."""
    joined = one_topic(prepared.joined, topic)
    values, _ = compute(joined, prepared.parameters, prepared.wanted)
    views: dict[object, Any] = {}
    derived = []
    for (record, cutoff), (value,) in zip(prepared.wanted, values.tolist(), strict=True):
        seen = record.view, record.changes
        view = views[seen] = views.get(seen) or record.seen_by(joined, prepared.parameters)
        derived.append(_named(topic, record, cutoff, value, _parts(view, joined, record.name, cutoff)))
    return derived


def _parts(view: object, joined: Joined, name: str, cutoff: Cutoff | None) -> Derivation:
    """Return the parts of a measure by its family; other measures list the documents only."""
    parts = None
    if isinstance(view, Ranks):
        parts = of_focused(view, name, cutoff)
    elif isinstance(view, DocumentRanks):
        parts = of_in_context(view, name, cutoff)
    elif isinstance(view, CharacterRanking):
        parts = of_characters(view, name, cutoff)
    elif isinstance(view, ResultValues):
        parts = of_hixeval(view, name, cutoff, partial(result_rows, joined))
    elif isinstance(view, RetrievedText):
        parts = of_text_sets(view, joined, name)
    elif isinstance(view, GoldRanks):
        parts = of_gold(view, joined, name)
    elif isinstance(view, RankedDocuments):
        parts = of_ranked(view, name, cutoff)
    elif isinstance(view, NuggetRanking) and name in WEIGHED:
        parts = of_nuggets(view, name, cutoff)
    elif isinstance(view, Subtopics):
        parts = of_subtopics(view, name, int(cutoff or 0))
    elif isinstance(view, Chunks):
        parts = of_chunks(view, joined, name, None if cutoff is None else int(cutoff))
    if parts is not None:
        return parts
    relevant = joined.relevant[joined.firsts].astype("int64")
    return said_by(("relevant",), document_rows(joined, joined.firsts, (relevant,), 0 * relevant))


def document_rows(
    joined: Joined, first: Ints, figures: Sequence[ColumnValues], adds: ColumnValues
) -> tuple[DerivationRow, ...]:
    """Return the m documents of a run of one topic as rows; ``first`` (m,) is each one's first result."""
    columns = [column.tolist() for column in figures]
    names = joined.keys.names.take(first).strings()
    listed = zip(names, zip(*columns, strict=True), adds.tolist(), strict=True)
    return tuple(DerivationRow(rank, *row) for rank, row in enumerate(listed, 1))


def of_in_context(view: DocumentRanks, name: str, cutoff: Cutoff | None) -> Derivation | None:
    """Derive a measure of the in-context tasks, of the one topic of a view; None for any other."""
    count = len(view.first)
    first = count if cutoff is None else int(cutoff)
    if name == "gP":
        return precision_at_rank(view, first)
    if name == "gR":
        adds, above = np.where(np.arange(count) < first, view.relevant, 0), "relevant documents"
    elif name == "AgP":
        adds, above = np.where(view.relevant, view.precision, 0.0), "Σ gP[r]"
    else:
        return None
    return summed(_IN_CONTEXT, _in_context_rows(view, adds), int(view.joined.nrel[0]), above, "Nrel")


def precision_at_rank(view: DocumentRanks, rank: int) -> Derivation:
    """Derive gP at a rank, of the one topic of a view."""
    first = np.arange(len(view.first)) < rank
    rows = _in_context_rows(view, np.where(first, view.score, 0.0))
    return summed(_IN_CONTEXT, rows, int(first.sum()), "Σ S(d)", "r")


_IN_CONTEXT = ("relevant", "S(d)", "gP[r]", "gR[r]")


def _in_context_rows(view: DocumentRanks, adds: ColumnValues) -> tuple[DerivationRow, ...]:
    figures = (view.relevant.astype(np.int64), view.score, view.precision, view.recall)
    return document_rows(view.joined, view.first, figures, adds)


def of_ranked(view: RankedDocuments, name: str, cutoff: Cutoff | None) -> Derivation | None:
    """Derive a measure of ranked documents, of the one topic of a view; None if it is not a fraction."""
    nrel, count = int(view.nrel[0]), len(view.rank)
    relevant = view.relevant.astype(np.int64)
    precision = view.found / view.rank
    columns: tuple[str, ...] = ("relevant", "P@r")
    first = view.rank <= (count if cutoff is None else cutoff)

    def rows(adds: ColumnValues, *more: ColumnValues) -> tuple[DerivationRow, ...]:
        return document_rows(view.joined, view.joined.firsts, (relevant, precision, *more), adds)

    if name == "AP":
        listed = rows(np.where(first & view.relevant, precision, 0.0))
        return summed(columns, listed, nrel, "Σ P@r at the relevant ranks", "Nrel")
    if name == "Rprec":
        return summed(columns, rows(np.where(view.rank <= nrel, relevant, 0)), nrel, _RELEVANT, "Nrel")
    if cutoff is None:
        return None
    if name in ("P", "R"):
        denominator, below = (float(cutoff), "k") if name == "P" else (float(nrel), "Nrel")
        return summed(columns, rows(np.where(first, relevant, 0)), denominator, _RELEVANT, below)
    if name == "F":
        hits = float(relevant[first].sum())
        return said_by(columns, rows(np.zeros(count)), harmonic(hits / cutoff, hits / nrel if nrel else 0))
    if name in ("nDCG", "nDCGspec"):
        qrels, whole = view.joined.qrels, name == "nDCG"
        gain = np.asarray(qrels.rsize if whole else ratio(qrels.rsize, qrels.length), np.float64)
        own = np.where(view.relevant, gain[view.row], 0.0)
        best = np.sort(gain[(qrels.topic == view.joined.code[0]) & (qrels.rsize > 0)])[::-1][: int(cutoff)]
        ideal = float((best / np.log2(np.arange(len(best)) + 2.0)).sum())
        listed = rows(np.where(first, own / np.log2(1.0 + view.rank), 0.0), own)
        words = "Σ gain/log2(1 + r)", "the same of the best possible ranking"
        return summed((*columns, "gain"), listed, ideal, *words)
    return None


_RELEVANT = "relevant documents"


def of_subtopics(view: Subtopics, name: str, k: int) -> Derivation:
    """Derive a measure of subtopics at k documents, of the one topic of a view."""
    told = view.ranked[0]
    gains = np.array(list(view.gains(told)), np.float64)
    subtopics = view.subtopics[0]
    if name == "strec":
        seen = [len(frozenset[str]().union(*told[:rank])) for rank in range(len(told) + 1)]
        adds = np.diff(seen).astype(np.float64)
        words = float(subtopics), "subtopics told", "subtopics"
    elif name == "ERR_IA":
        adds = gains * [reciprocal(rank) for rank in range(1, len(told) + 1)]
        words = subtopics * view.most(k), "Σ gain/r", "(subtopics · Σ (1 − α)^(r − 1)/r)"
    else:
        adds = gains * [log_discount(rank) for rank in range(1, len(told) + 1)]
        best = float(view.discounted(k, log_discount, ideal=True)[0])
        words = best, "Σ gain/log2(1 + r)", "the same of the ideal ranking"
    adds[k:] = 0
    figures = np.array([len(own) for own in told], np.int64), gains
    rows = _rows_of(view, figures, adds)
    return summed(("nuggets" if isinstance(view, NuggetRanking) else "subtopics", "gain"), rows, *words)


def _rows_of(
    view: Subtopics, figures: Sequence[ColumnValues], adds: ColumnValues
) -> tuple[DerivationRow, ...]:
    """Return the documents of a view as rows, or the results if these count one by one."""
    if isinstance(view, NuggetRanking) and not view.by_document:
        return result_rows(view.joined, figures, adds)
    return document_rows(view.joined, view.joined.firsts, figures, adds)


def of_nuggets(view: NuggetRanking, name: str, cutoff: Cutoff | None) -> Derivation:
    """Derive a nugget recall at k results, of the one topic of a view."""
    count = len(view.ranked[0])
    first = count if cutoff is None else int(cutoff)
    above = [float(view.sums(0, name, rank)[0]) for rank in range(min(first, count) + 1)]
    adds = np.zeros(count)
    adds[: len(above) - 1] = np.diff(above)
    new = np.bincount(np.array(view.reached[0], np.int64), minlength=count + 1)[1 : count + 1]
    alone = np.array([len(own) for own in view.ranked[0]], np.int64)
    below = float(view.sums(0, name, 0)[1])
    words = "weight of the nuggets found", "weight of all nuggets"
    return summed(("nuggets", "new"), _rows_of(view, (alone, new), adds), below, *words)
