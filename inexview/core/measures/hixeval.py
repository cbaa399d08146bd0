"""HiXEval: precision and recall of the highlighted characters in each result, overlap counted or not.

The paper prints rval for a result that was not seen, fully seen, or partly seen, and takes off what each
earlier result holds of it: text that two of them hold is taken off twice.  Here it is taken off once, unless
``seen="each"`` asks for the paper's reading.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from inexview.core.measures.element_ranks import ElementRanks
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Rank
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.registry import measure
from inexview.core.measures.segments import at_rank, harmonic_mean, ratio, running_floats, totals
from inexview.core.measures.sightings import first_sightings, seen_in_each
from inexview.core.text.offset_arrays import Floats, Ints, Mask

HI = "Pehcevski, Thom, HiXEval: Highlighting XML Retrieval Evaluation, INEX 2005"
CUTOFFS = Rank((10, 25, 50))
RECALL_LEVELS = 11


class ResultValues:
    """What each of n results is worth: ``rval`` of its ``size`` characters, both of shape (n,).

    rval(e) = rsize(e) − α·|e ∩ H ∩ S|, S the characters ranked above e: the paper's cases NS, FS and PS in
    one; α = 1 is its overlap "on" and α = 0 "off".  ``ptr`` (T+1,) bounds each topic's results, ``trel``
    (T,) is what there is to find: the highlighted characters of the topic's documents or, for α < 1 and
    judged elements, of all of these.
    """

    def __init__(self, joined: Joined | ElementRanks, parameters: Parameters) -> None:
        self.joined = joined
        self.ptr = joined.ptr
        self.size = joined.size
        self.trel: Ints = joined.trel
        seen: Ints | Floats
        each = parameters.seen == "each"
        if isinstance(joined, ElementRanks):
            seen = joined.seen_in_each if each else joined.seen
            if parameters.alpha < 1:
                self.trel = joined.trel_of_elements
        elif each:
            seen = seen_in_each(joined)
        else:
            shown = first_sightings(joined)
            seen = joined.rsize - np.bincount(shown.result, weights=shown.size, minlength=len(joined))
        self.rval = np.asarray(joined.rsize - parameters.alpha * seen, np.float64)

    @cached_property
    def precision_sum(self) -> Floats:
        """Σ rval/size up to each rank, shape (n,)."""
        return running_floats(ratio(self.rval, self.size), self.ptr)

    @cached_property
    def found(self) -> Floats:
        """Σ rval up to each rank, shape (n,)."""
        return running_floats(self.rval, self.ptr)

    @cached_property
    def precision(self) -> Floats:
        """P@r at each rank, shape (n,)."""
        ranks = np.arange(1, len(self.rval) + 1) - np.repeat(self.ptr[:-1], np.diff(self.ptr))
        return self.precision_sum / ranks

    @cached_property
    def interpolated(self) -> Floats:
        """The highest P@r where R@r reaches 0.0, 0.1, … 1.0, shape (T, 11); 0 where it never does.

        Reached is 10·Σrval ≥ j·Trel, which compares whole numbers where α is 0 or 1.
        """
        best = np.zeros((len(self.trel), RECALL_LEVELS))
        for topic, trel in enumerate(self.trel.tolist()):
            if trel:
                own = slice(*self.ptr[topic : topic + 2].tolist())
                best[topic] = np.where(self.reached(topic), self.precision[own], 0).max(axis=1, initial=0)
        return best

    def reached(self, topic: int) -> Mask:
        """Tell at which of a topic's n ranks recall is 0.0, 0.1, … 1.0 or more, shape (11, n).

        Where text counts with each earlier result, rval can be below 0 and recall fall again.
        """
        found = self.found[self.ptr[topic] : self.ptr[topic + 1]]
        reached: Mask = 10 * found >= np.arange(RECALL_LEVELS)[:, None] * self.trel[topic]
        return reached


RVAL = (
    "rval = rsize − α·(relevant characters that results above have shown), counting text in several of them "
    "once (seen = once) or with each, as the paper prints it (seen = each): on its figure 1 P@3 is .7479 or "
    ".7469, P@4 .5775 or .5381"
)
_measure = partial(measure, citation=HI, view=ResultValues)


@_measure(
    "P",
    title="precision after r results",
    formula="(1/r) Σ rval/size, over the first r results",
    at=CUTOFFS,
    brackets="@",
    uses=("alpha", "seen"),
    note=f"{RVAL}; divides by r also where fewer than r results are retrieved",
)
def precision(values: ResultValues, r: int) -> Floats:
    return at_rank(values.precision_sum, values.ptr, r) / r


@_measure(
    "R",
    title="recall after r results",
    formula="Σ rval / Trel, over the first r results",
    at=CUTOFFS,
    brackets="@",
    uses=("alpha", "seen"),
    range=(0.0, float("inf")),
    note=f"{RVAL}; Trel: highlighted characters of the documents or, for α < 1 with judged elements, of all "
    "of these; with passages and α < 1, text retrieved again can take it above 1",
)
def recall(values: ResultValues, r: int) -> Floats:
    return ratio(at_rank(values.found, values.ptr, r), values.trel)


@_measure(
    "F",
    title="F after r results",
    formula="2·P@r·R@r / (P@r + R@r)",
    at=CUTOFFS,
    brackets="@",
    uses=("alpha", "seen"),
    range=(0.0, 2.0),
    note=RVAL,
)
def f(values: ResultValues, r: int) -> Floats:
    return harmonic_mean(precision(values, r), recall(values, r))


@_measure(
    "AP",
    title="average precision",
    formula="mean of P@r over the ranks with rval > 0, times R at the last rank",
    mean="MAP",
    uses=("alpha", "seen"),
    range=(0.0, float("inf")),
    note=RVAL,
)
def average_precision(values: ResultValues) -> Floats:
    gaining = values.rval > 0
    mean = ratio(
        totals(np.where(gaining, values.precision, 0.0), values.ptr), totals(gaining * 1, values.ptr)
    )
    return mean * recall(values, int(np.diff(values.ptr).max(initial=1)))


@_measure(
    "iAP",
    title="interpolated average precision",
    formula="mean, over recall 0.0, 0.1, … 1.0, of the highest P@r where R@r reaches it",
    mean="iMAP",
    uses=("alpha", "seen"),
    note=RVAL,
)
def interpolated_average_precision(values: ResultValues) -> Floats:
    mean: Floats = values.interpolated.mean(axis=1)
    return mean
