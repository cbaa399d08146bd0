"""What looks wrong in qrels of any format: said with file and line, and read all the same."""

from __future__ import annotations

import numpy as np

from inexview.core.formats.problems import Problems
from inexview.core.judgements.qrels import NO_BEP, Qrels

BARE_ENTRY = "a best entry point, and no passage"
ENTRY_BEYOND = "the best entry point lies past the end of the document"
OTHER_SIZE = "rsize is not the sum of the passages' lengths"
OVERLAP = "passages overlap"
LARGER_SIZE = "rsize is larger than the document's length"
PASSAGE_BEYOND = "a passage runs past the end of the document"


def without_repeats(qrels: Qrels, problems: Problems) -> Qrels:
    """Drop judgements that say again what was said before; refuse those that say something else."""
    first = qrels.keys.first_equal()
    again = np.flatnonzero(first != np.arange(len(qrels)))
    if not len(again):
        return qrels
    for row in again.tolist():
        if qrels.at(row) != qrels.at(int(first[row])):
            line = int(qrels.line[first[row]])
            problems.error(
                f"document {qrels.document[row]} of topic {qrels.topics[qrels.topic[row]]} "
                f"was judged differently on line {line}",
                line=int(qrels.line[row]),
            )
            if problems.full:
                break
    problems.check()
    problems.warn("this judgement is in the file twice", qrels.line[again])
    return qrels.take(np.flatnonzero(first == np.arange(len(qrels))))


def warn_of_sizes(qrels: Qrels, problems: Problems) -> None:
    """Warn where rsize, the passages' lengths and the document's length do not agree."""
    sums = np.append(0, np.cumsum(qrels.ends - qrels.starts))
    listed = sums[qrels.ptr[1:]] - sums[qrels.ptr[:-1]]
    bare = (qrels.bep != NO_BEP) & (qrels.ptr[1:] == qrels.ptr[:-1])
    problems.warn(BARE_ENTRY, qrels.line[bare])
    wrong = np.flatnonzero((qrels.rsize != listed) & ~bare)
    details = [f"{qrels.rsize[row]} and {listed[row]}" for row in wrong[:3].tolist()]
    problems.warn(OTHER_SIZE, qrels.line[wrong], details)
    large = np.flatnonzero(qrels.rsize > qrels.length)
    details = [f"{qrels.rsize[row]} and {qrels.length[row]}" for row in large[:3].tolist()]
    problems.warn(LARGER_SIZE, qrels.line[large], details)


def warn_of_passages(qrels: Qrels, problems: Problems) -> None:
    """Warn of passages that overlap, and of what lies past the end of its document."""
    late = (qrels.length > 0) & (qrels.bep >= qrels.length)
    problems.warn(ENTRY_BEYOND, qrels.line[late])
    row = np.repeat(np.arange(len(qrels)), np.diff(qrels.ptr))
    beyond = np.zeros(len(qrels), dtype=bool)
    beyond[row[qrels.ends > qrels.length[row]]] = True
    problems.warn(PASSAGE_BEYOND, qrels.line[beyond])
    starts, ends = qrels.starts, qrels.ends
    empty = ends == starts
    if empty.any():
        problems.warn("a passage without characters", qrels.line[np.unique(row[empty])])
        starts, ends, row = starts[~empty], ends[~empty], row[~empty]
    if np.any((row[1:] == row[:-1]) & (starts[1:] < ends[:-1])):  # they overlap, or are not in order
        order = np.lexsort((starts, row))
        starts, ends, row = starts[order], ends[order], row[order]
        overlaps = np.zeros(len(qrels), dtype=bool)
        overlaps[row[1:][(row[1:] == row[:-1]) & (starts[1:] < ends[:-1])]] = True
        problems.warn(OVERLAP, qrels.line[overlaps])
