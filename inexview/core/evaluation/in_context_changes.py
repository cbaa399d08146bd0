"""What the in-context measures of a topic would be with each of k changes of a document."""

from __future__ import annotations

import numpy as np

from inexview.core.evaluation.document_changes import DocumentChanges
from inexview.core.evaluation.in_context_parts import ScoredDocuments
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.measure import Cutoff
from inexview.core.measures.parameters import Parameters
from inexview.core.text.offset_arrays import Floats


class InContextChanges:
    """S(d) of each changed document, and the measures that follow from it."""

    def __init__(self, changes: DocumentChanges, parameters: Parameters) -> None:
        ranks = DocumentRanks(changes.joined, parameters)
        self._scored = ScoredDocuments(ranks.score, ranks.relevant, int(changes.joined.nrel[0]))
        self._place = np.searchsorted(ranks.first, changes.first)
        own = DocumentRanks(changes.own, parameters)
        self._gone = np.diff(own.ptr) == 0
        self._score = np.zeros(len(changes))
        self._score[~self._gone] = own.score

    def measure(self, name: str, cutoff: Cutoff | None) -> Floats | None:
        """Return a measure with each change, shape (k,); None for one that is not known here."""
        return self._scored.changed(name, cutoff, self._place, self._score, self._gone)
