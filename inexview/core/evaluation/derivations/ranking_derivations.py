"""Derivations of the measures that rank results: focused, thorough, HiXEval, characters and sets of text.

A measure that a family has besides is not taken apart here: of that each function returns None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from inexview.core.evaluation.derivations.derivation import (
    DerivationRow,
    MeasureParts,
    Number,
    fraction_of,
    shown,
)
from inexview.core.measures.characters import SHARES, CharacterRanking, GoldRanks, sum_of_reciprocals
from inexview.core.measures.elements import RECALL_LEVELS, ResultValues
from inexview.core.measures.focused import LEVELS, Ranks, RetrievedText
from inexview.core.measures.joined import Joined, new_characters
from inexview.core.measures.measure import Cutoff
from inexview.core.text.spans import Floats, Ints

ColumnValues = NDArray[np.int64] | NDArray[np.float64] | NDArray[np.bool_]
RowMaker = Callable[[Sequence[ColumnValues], ColumnValues], tuple[DerivationRow, ...]]
"""Makes the rows of the n results of one topic, of columns of figures and of what each adds, (n,) each."""


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


def of_focused(view: Ranks, name: str, cutoff: Cutoff | None) -> MeasureParts | None:
    """Derive a measure of the focused task, or of thorough over text, of the one topic of a view."""
    joined, n, trel = view.joined, len(view.size), int(view.joined.trel[0])
    recall = view.hits / trel if trel else np.zeros(n)
    retrieved = np.maximum(view.retrieved, 1)
    precision = view.hits / retrieved
    columns = ("size", "rsize", "P[r]", "R[r]")
    first = np.arange(n) < (n if cutoff is None else cutoff)

    def rows(adds: ColumnValues) -> tuple[DerivationRow, ...]:
        return result_rows(joined, (view.size, view.rsize, precision, recall), adds)

    if name in ("P", "R"):
        listed = rows(np.where(first, view.rsize, 0))
        size, below = (int(view.size[first].sum()), "Σ size") if name == "P" else (trel, "Trel")
        return MeasureParts(columns, listed, fraction_of(listed, size, "Σ rsize", below))
    if name == "AP":
        found = view.rsize > 0
        listed = rows(np.where(found, precision, 0.0))
        last = float(recall[-1]) if n else 0.0
        above, below = "Σ P[r] where rsize > 0", "ranks with rsize > 0"
        return MeasureParts(
            columns,
            listed,
            fraction_of(listed, int(found.sum()), above, below, factor=last, factor_name="R[|R|]"),
        )
    curve = view.interpolated[0]
    if name == "iP" and cutoff is not None:
        return _highest(view, rows, columns, float(cutoff), precision, float(curve[round(cutoff * 100)]))
    if name != "AiP":
        return None
    listed = rows(_share_of_levels(view, curve, precision))
    return MeasureParts(columns, listed, fraction_of(listed, LEVELS, "Σ iP[x]", "levels of recall"))


def _highest(
    view: Ranks,
    rows: Callable[[ColumnValues], tuple[DerivationRow, ...]],
    columns: tuple[str, ...],
    level: float,
    precision: Floats,
    value: float,
) -> MeasureParts:
    """Derive iP[x]: the precision at the one rank where it is highest and recall has reached x."""
    at = _rank_of(view, precision, value, round(level * 100))
    if at is None:
        said = (f"= 0, as recall never reaches {level:.2f}",)
        return MeasureParts(columns, rows(np.zeros(len(precision))), said=said)
    listed = rows(np.where(np.arange(len(precision)) <= at, view.rsize, 0))
    size = int(view.retrieved[at])
    return MeasureParts(columns, listed, fraction_of(listed, size, f"Σ rsize up to rank {at + 1}", "Σ size"))


def _rank_of(view: Ranks, precision: Floats, value: float, level: int) -> int | None:
    """Return the first result at which precision is ``value`` and recall has reached a level; None: none."""
    if not value:
        return None
    reached = np.floor(100 * view.recall) >= level
    rows = view.found[reached & (precision[view.found] == value)]
    return int(rows[0]) if len(rows) else None


def _share_of_levels(view: Ranks, curve: Floats, precision: Floats) -> Floats:
    """Return what each result adds to the sum of the curve: its precision for each level that it gives."""
    adds = np.zeros(len(precision))
    for level, value in enumerate(curve.tolist()):
        at = _rank_of(view, precision, value, level)
        if at is not None:
            adds[at] += value
    return adds


def of_hixeval(
    view: ResultValues, name: str, cutoff: Cutoff | None, make_rows: RowMaker
) -> MeasureParts | None:
    """Derive a measure of HiXEval over passages or elements, of the one topic of a view."""
    columns = ("size", "rsize", "rval", "P@r")
    rows = partial(make_rows, (view.size, view.joined.rsize, view.rval, view.precision))
    n, trel = len(view.rval), float(view.trel[0])
    first = np.arange(n) < (n if cutoff is None else cutoff)
    shares = np.divide(view.rval, view.size, out=np.zeros(n), where=view.size > 0)
    if name == "P" and cutoff is not None:
        listed = rows(np.where(first, shares, 0.0))
        return MeasureParts(columns, listed, fraction_of(listed, float(cutoff), "Σ rval/size", "r"))
    if name == "R":
        listed = rows(np.where(first, view.rval, 0.0))
        return MeasureParts(columns, listed, fraction_of(listed, trel, "Σ rval", "Trel"))
    if name == "AP":
        gaining = view.rval > 0
        listed = rows(np.where(gaining, view.precision, 0.0))
        last = float(view.found[-1]) / trel if n and trel else 0.0
        words = ("Σ P@r where rval > 0", "ranks with rval > 0")
        made = fraction_of(listed, int(gaining.sum()), *words, factor=last, factor_name="R at the last rank")
        return MeasureParts(columns, listed, made)
    if name == "F" and cutoff is not None:
        p = float(shares[first].sum()) / float(cutoff)
        r = float(view.rval[first].sum()) / trel if trel else 0.0
        return MeasureParts(columns, rows(np.zeros(n)), said=harmonic(p, r))
    if name != "iAP":
        return None
    listed = rows(_share_of_points(view))
    words = ("Σ of the highest P@r", "levels of recall")
    return MeasureParts(columns, listed, fraction_of(listed, RECALL_LEVELS, *words))


def _share_of_points(view: ResultValues) -> Floats:
    """Return what each result adds to the eleven points: its precision for each that it gives."""
    adds = np.zeros(len(view.rval))
    for value, reached in zip(view.interpolated[0].tolist(), view.reached(0), strict=True):
        if value:
            adds[int(np.argmax(reached & (view.precision == value)))] += value
    return adds


def harmonic(precision: float, recall: float) -> tuple[str, ...]:
    """Write 2·P·R / (P + R) with its numbers."""
    if not precision + recall:
        return ("= 0, as precision and recall are 0",)
    p, r = shown(precision), shown(recall)
    return (f"= 2·{p}·{r} / ({p} + {r}) = {2 * precision * recall / (precision + recall):.4f}",)


def of_characters(view: CharacterRanking, name: str, cutoff: Cutoff | None) -> MeasureParts | None:
    """Derive a measure of characters as the ranked unit [WA], of the one topic of a view."""
    joined = view.joined
    relevant = int(view.relevant[0])
    k = int(view.first(None if cutoff is None else int(cutoff))[0])
    columns = ("size", "rsize", "new relevant")
    new = _per_result(view.result, view.size, len(joined))

    def parts(adds: ColumnValues, denominator: float, above: str, below: str) -> MeasureParts:
        listed = result_rows(joined, (joined.size, joined.rsize, new), adds)
        return MeasureParts(columns, listed, fraction_of(listed, denominator, above, below))

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
    summed = np.zeros(count)
    np.add.at(summed, result, values)
    return summed


def of_text_sets(view: RetrievedText, joined: Joined, name: str) -> MeasureParts | None:
    """Derive a measure of all the text that is retrieved of a topic, each character counted once."""
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
    found, retrieved, there = (int(total[0]) for total in totals)
    if measure == "f1":
        said = harmonic(found / retrieved if retrieved else 0.0, found / there if there else 0.0)
        return MeasureParts(columns, result_rows(joined, (size, rsize), np.zeros(len(joined))), said=said)
    listed = result_rows(joined, (size, rsize), adds)
    below, of = (retrieved, f"{what} retrieved") if measure == "prec" else (there, f"relevant {what}")
    return MeasureParts(columns, listed, fraction_of(listed, below, f"relevant {what} retrieved", of))


_GOLD_WORDS = {
    "DOCUMENT": ("Σ precision at the first result of each gold document", "gold documents"),
    "PASSAGE2": ("Σ precision at each relevant character that is new", "relevant characters"),
    "PASSAGE": (
        "Σ relevant / characters so far, where a gold passage is met",
        "results that meet one + gold passages never met",
    ),
    "ASPECT": ("Σ new aspects · precision where there are some", "distinct aspects"),
}


def of_gold(view: GoldRanks, joined: Joined, name: str) -> MeasureParts | None:
    """Derive a measure of TREC Genomics, of the one topic of a view."""
    if name not in SHARES:
        return None
    share = SHARES[name](view, 0)
    aspects = [gold.aspects if (gold := view.met(one)) is not None else () for one in view.results[0]]
    figures = joined.size, joined.rsize, np.array(list(map(len, aspects)), np.int64)
    listed = result_rows(joined, figures, np.array(share.adds))
    fraction = fraction_of(listed, share.below, *_GOLD_WORDS[name])
    return MeasureParts(("size", "rsize", "aspects"), listed, fraction)
