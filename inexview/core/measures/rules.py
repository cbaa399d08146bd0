"""What a task asks of a run: results that do not overlap, documents that are together or only once.

A run that breaks a rule is refused with its line, for its score would mean nothing.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

import numpy as np

from inexview.core.errors import DataError, DataErrors
from inexview.core.judgements.runs import NO_LENGTH, Task
from inexview.core.measures.joined import Joined
from inexview.core.text.offset_arrays import Ints, Mask

OVERLAPS = ("error", "drop", "allow")
LIMIT = 20


class BrokenRule(DataErrors):
    """A run that breaks a rule of its task: ``rule`` says which, in two or three words, ``errors`` where."""

    def __init__(
        self, errors: Sequence[DataError], *, more: bool = False, rule: str = "breaks the rules"
    ) -> None:
        super().__init__(errors, more=more)
        self.rule = rule


def apply_rules(joined: Joined, overlap: str) -> Joined:
    """Check a run against the rules of its task and treat its overlaps as ``overlap`` says.

    Raises BrokenRule naming the lines that break one.
    """
    task = joined.task
    if task is Task.BEST_IN_CONTEXT:
        _refuse_repeated(joined)
        return joined
    if task is Task.DOCUMENTS:
        if joined.run.by_score:
            _refuse_repeated(joined)
        return joined
    _refuse_without_length(joined)
    if task in (Task.RELEVANT_IN_CONTEXT, Task.RESTRICTED_RELEVANT_IN_CONTEXT, Task.FETCH_BROWSE):
        _refuse_apart(joined)
    if overlap == "allow":
        return joined
    earlier, later = overlapping(joined)
    if not len(later):
        return joined
    if overlap == "drop":
        return joined.take(np.flatnonzero(~_overlapping_a_kept_one(joined, later)))
    raise _broken(
        "results overlap",
        joined,
        later,
        earlier,
        "overlaps the result {other} (--overlap drop leaves it out)",
    )


def overlapping(joined: Joined) -> tuple[Ints, Ints]:
    """Return pairs of overlapping results, the earlier and the later of each.

    Not every pair, but no pair exactly where no two results of a topic overlap: among the results of a
    document, none of them empty, sorted by start, one overlaps another only if some neighbours do.
    """
    order, new = joined.by_document
    alone = new & np.append(new[1:], True)[: len(new)]
    several = np.flatnonzero(~alone)
    document, rows = np.cumsum(new.astype(np.int64))[several], order[several]
    told = joined.known[rows] & (joined.size[rows] > 0)
    if not told.all():
        document, rows = document[told], rows[told]
    document, rows = _by_document_and_start(document, joined.start[rows], rows)
    before, after = rows[:-1], rows[1:]
    meets = (document[1:] == document[:-1]) & (joined.start[after] < joined.end[before])
    pairs = np.sort(np.stack((before[meets], after[meets])), axis=0)
    return pairs[0], pairs[1]


def _by_document_and_start(document: Ints, start: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Return documents and rows sorted by document and start: as one number each where they fit into one."""
    for_start, for_row = (int(column.max(initial=0)).bit_length() for column in (start, rows))
    if int(document.max(initial=0)).bit_length() + for_start + for_row > 63:
        order = np.lexsort((rows, start, document))
        return document[order], rows[order]
    packed = (document << for_start | start) << for_row | rows
    packed.sort()
    return packed >> (for_start + for_row), packed & ((1 << for_row) - 1)


def _overlapping_a_kept_one(joined: Joined, later: Ints) -> Mask:
    """Tell which results to drop: those that overlap one that is ranked above and is not dropped itself."""
    dropped = np.zeros(len(joined), dtype=bool)
    concerned = np.isin(joined.document, np.unique(joined.document[later])) & joined.known
    kept: dict[int, list[tuple[int, int]]] = {}
    for row in np.flatnonzero(concerned & (joined.size > 0)).tolist():
        start, end = int(joined.start[row]), int(joined.end[row])
        held = kept.setdefault(int(joined.document[row]), [])
        at = bisect_left(held, (end, 0))  # how many of those kept start before this one ends
        if at > 0 and held[at - 1][1] > start:
            dropped[row] = True
        else:
            insort(held, (start, end))
    return dropped


def _refuse_repeated(joined: Joined) -> None:
    first = joined.document
    again = np.flatnonzero(first != np.arange(len(joined)))
    if len(again):
        told = "retrieves the same document as the result {other}"
        raise _broken("documents repeated", joined, again, first[again], told)


def _refuse_apart(joined: Joined) -> None:
    """Refuse documents whose results are not side by side."""
    same = np.zeros(len(joined), dtype=bool)
    same[1:] = joined.document[1:] == joined.document[:-1]
    first = joined.document
    apart = np.flatnonzero(~same & (first != np.arange(len(joined))))
    if len(apart):
        told = "is apart from the other results of its document, {other}"
        raise _broken("documents apart", joined, apart, first[apart], told)


def _refuse_without_length(joined: Joined) -> None:
    bare = np.flatnonzero(joined.run.size[joined.source] == NO_LENGTH)
    if len(bare):
        told = f"has no length, which the task {joined.task} needs"
        raise _broken("no lengths", joined, bare, bare, told)


def placed(joined: Joined, row: int, problem: str) -> DataError:
    """Return an error of a result, with its line and what it is."""
    run, source = joined.run, int(joined.source[row])
    return DataError(
        f"result {joined.rank[row]} of topic {joined.topics[int(joined.topic[row])]} in document "
        f"{run.document[source]} {problem}",
        path=run.path,
        line=int(run.line[source]) or None,
    )


def _broken(rule: str, joined: Joined, rows: Ints, others: Ints, problem: str) -> BrokenRule:
    """Make errors of results, in the order of the file, each naming another one."""
    run = joined.run
    lines = run.line[joined.source[rows]]
    order = np.argsort(lines, kind="stable")
    errors = []
    for at in order[:LIMIT].tolist():
        row, other = int(rows[at]), int(others[at])
        other_line = int(run.line[joined.source[other]])
        told = problem.format(
            other=f"on line {other_line}" if other_line else f"at rank {joined.rank[other]}"
        )
        errors.append(placed(joined, row, told))
    return BrokenRule(errors, more=len(rows) > LIMIT, rule=rule)
