"""How far the entry points of a run are from the best ones, in each relevant document of a topic.

The entry point of a document is where its first result begins, in rank order; s(x,b) is equation 8 or 9 of
Kamps, Pehcevski, Kazai, Lalmas, Robertson, *INEX 2007 Evaluation Measures*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inexview.core.evaluation.score_lines import HEAD
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.in_context import entry_score
from inexview.core.measures.joined import join
from inexview.core.measures.measure import Parameters
from inexview.core.report import PrintedLine
from inexview.core.text.spans import Floats, Ints

ENTRY_HEAD = (*HEAD, "topic", "rank", "document", "length", "distance", "screens", "s(x,b)")
SCREEN = 2000  # characters of a screen where no window says how many it shows


@dataclass(frozen=True, eq=False)
class EntryDistances:
    """The k relevant documents of a topic that a run found, in rank order.

    ``rank``, ``entry`` x and ``distance`` x − b have shape (k,), the latter two in characters; ``length``
    (k,) is each document's.  ``missed`` is how many relevant documents it did not find.
    """

    documents: tuple[str, ...]
    rank: Ints
    entry: Ints
    distance: Ints
    length: Ints
    missed: int

    def scores(self, parameters: Parameters) -> Floats:
        """Return s(x,b) of each document, shape (k,)."""
        scored: Floats = np.asarray(entry_score(np.abs(self.distance), self.length, parameters), np.float64)
        return scored


def entry_distances(qrels: Qrels, run: Run, topic: str) -> EntryDistances:
    """Return the distances of a run's entry points; documents without a best entry point are left out.

    A topic that is not judged, or not in the run, has none.
    """
    joined = join(qrels, run, Task.BEST_IN_CONTEXT)
    if topic not in joined.topics:
        wanted = qrels.topics.index(topic) if topic in qrels.topics else -1
        missed = int(np.count_nonzero((qrels.topic == wanted) & (qrels.rsize > 0)))
        nothing = np.empty(0, np.int64)
        return EntryDistances((), nothing, nothing, nothing, nothing, missed)
    at = joined.topics.index(topic)
    low, high = joined.ptr[at], joined.ptr[at + 1]
    ranked = joined.firsts[(joined.firsts >= low) & (joined.firsts < high)]
    relevant = joined.relevant[ranked]
    kept = np.flatnonzero(relevant & (qrels.bep[joined.row[ranked]] != NO_BEP))
    first, row = ranked[kept], joined.row[ranked[kept]]
    return EntryDistances(
        documents=tuple(qrels.document.take(row).strings()),
        rank=kept + 1,
        entry=joined.start[first],
        distance=joined.start[first] - qrels.bep[row],
        length=qrels.length[row],
        missed=int(joined.nrel[at]) - int(np.count_nonzero(relevant)),
    )


def entry_lines(
    head: PrintedLine, topic: str, found: EntryDistances, parameters: Parameters, screen: int
) -> Iterator[PrintedLine]:
    """Yield a line for each entry point, under ENTRY_HEAD; ``head`` is what is first in the run's lines.

    ``screen`` is how many characters a screen shows.
    """
    columns = found.rank.tolist(), found.documents, found.length.tolist(), found.distance.tolist()
    for rank, document, length, distance, score in zip(
        *columns, found.scores(parameters).tolist(), strict=True
    ):
        screens = round(abs(distance) / screen, 2)
        yield [*head, topic, rank, document, length, distance, screens, score]
