"""Leave one out: what each passage, document and topic does to the measures of a run, exactly.

A part costs what the measure would gain without it, everything else staying as it is.  Costs of several
parts do not add up.  The figures are those of a full evaluation of the run without the part: the measures of
the focused, the thorough and the in-context tasks follow from running sums, all others are computed once
more, many rankings together, as topics of their own with the same judgements.

A result that was dropped because it overlaps an earlier one stays dropped when that one is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.changes.document_changes import DocumentChanges
from inexview.core.evaluation.changes.focused_changes import FocusedChanges
from inexview.core.evaluation.changes.focused_parts import FocusedParts
from inexview.core.evaluation.changes.in_context_parts import InContextParts
from inexview.core.evaluation.changes.topic_parts import TopicParts
from inexview.core.evaluation.laid_run import Laid
from inexview.core.evaluation.measure_values import WantedMeasure, compute
from inexview.core.evaluation.topic_means import logarithms
from inexview.core.judgements.elements import ElementQrels, ElementRun, RankedElements
from inexview.core.measures.elements import ElementRanks
from inexview.core.measures.focused import Ranks
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Parameters
from inexview.core.progress import Progress, unwatched
from inexview.core.text.id_columns import Keys
from inexview.core.text.spans import Floats, Ints

ROWS = 300_000
"""How many results and judgements are evaluated once more at a time."""
ELEMENT_ROWS = 100_000
"""The same of elements, each of which is an object."""


@dataclass(frozen=True, eq=False)
class TopicWithout:
    """The M measures of one topic, and what each would be without one of its parts.

    ``values`` has shape (M,); ``without_document`` (M, d) for its d documents and ``without_result`` (M, n)
    for its n results, both in rank order.  ``document`` (n,) is the place of each result's document among
    the ``documents``, ``source`` (n,) its row in the run.
    """

    topic: str
    names: tuple[str, ...]
    values: Floats
    documents: tuple[str, ...]
    document: Ints
    source: Ints
    without_document: Floats
    without_result: Floats

    def of(self, name: str) -> int:
        """Return the row of a measure.  Raises KeyError for one that was not computed."""
        if name not in self.names:
            raise KeyError(name)
        return self.names.index(name)


def leave_out_of(laid: Laid, topic: str, *, each_result: bool = True) -> TopicWithout:
    """Return what the measures of a topic would be without each of its documents and results.

    Without ``each_result`` they are computed without documents only, which takes half as long.
    Raises InexviewError for a topic that was not scored.
    """
    joined = one_topic(laid.joined, topic)
    laid = replace(laid, joined=joined)
    values, _ = compute(joined, laid.parameters, laid.wanted)
    shared = (
        DocumentRanks(joined, laid.parameters)
        if any(record.view is DocumentRanks for record, _ in laid.wanted)
        else None
    )
    results, documents = TopicParts.results(joined, 0), TopicParts.documents(joined, 0)
    first = np.unique(documents.part, return_index=True)[1] + results.rows.start
    return TopicWithout(
        topic=topic,
        names=laid.names,
        values=values[:, 0],
        documents=tuple(joined.keys.names.take(first).strings()),
        document=documents.part,
        source=joined.source[results.rows],
        without_document=_without(laid, documents, shared),
        without_result=_without(laid, results, shared) if each_result else np.empty((len(laid.names), 0)),
    )


def means_without(values: Floats, geometric: Ints) -> Floats:
    """Return the means over all topics but one, shape (M, T), of values (M, T); NaN where none is left."""
    count = values.shape[1]
    if count < 2:
        return np.full_like(values, math.nan)
    others: Floats = (values.sum(axis=1, keepdims=True) - values) / (count - 1)
    for at in geometric.tolist():
        own = logarithms(values[at])
        others[at] = np.exp((own.sum() - own) / (count - 1))
    return others


def one_topic(joined: Joined, topic: str) -> Joined:
    """Return the results of one topic only; raises InexviewError for one that is not scored."""
    if topic not in joined.topics:
        raise InexviewError(
            f"topic {topic} is not scored for {joined.run.id}: it has no result, or no judgement"
        )
    at = joined.topics.index(topic)
    taken = joined.take(np.arange(int(joined.ptr[at]), int(joined.ptr[at + 1])))
    return replace(
        taken,
        topics=(joined.topics[at],),
        ptr=np.array([0, len(taken)]),
        code=joined.code[at : at + 1],
        trel=joined.trel[at : at + 1],
        nrel=joined.nrel[at : at + 1],
        passages=joined.passages[at : at + 1],
    )


def _without(laid: Laid, parts: TopicParts, documents: DocumentRanks | None) -> Floats:
    """Return the measures without each of k parts, shape (M, k)."""
    values = np.empty((len(laid.wanted), parts.count))
    others: list[int] = []
    fast: dict[type, FocusedParts | FocusedChanges | InContextParts] = {}
    for at, (record, cutoff) in enumerate(laid.wanted):
        if parts.count and record.view not in fast:
            if record.view is Ranks:
                fast[Ranks] = FocusedParts(parts)
            elif record.view is DocumentRanks and documents is not None:
                fast[DocumentRanks] = InContextParts(parts, laid.parameters, documents)
            elif issubclass(record.view, Ranks):
                changes = DocumentChanges.without(parts)
                fast[record.view] = FocusedChanges(changes, record.view, laid.parameters)
        found = fast[record.view].measure(record.name, cutoff) if record.view in fast else None
        if found is None:
            others.append(at)
        else:
            values[at] = found
    if others and parts.count:
        values[others] = evaluate_without(laid, parts, [laid.wanted[at] for at in others])
    return values


def evaluate_without(laid: Laid, parts: TopicParts, wanted: list[WantedMeasure]) -> Floats:
    """Evaluate a topic once more without each of its k parts, shape (M, k).

    Many of these are evaluated together, as topics of their own with judgements of their own.
    """
    joined = laid.joined
    judged = np.flatnonzero(joined.qrels.topic == joined.code[parts.at])
    together = max(1, ROWS // (len(parts.part) + len(judged)))
    found = []
    for begin in range(0, parts.count, together):
        left_out = np.arange(begin, min(begin + together, parts.count))
        found.append(compute(_variants(parts, judged, left_out), laid.parameters, wanted)[0])
    return np.concatenate(found, axis=1)


def _variants(parts: TopicParts, judged: Ints, left_out: Ints) -> Joined:
    """Return a run with a topic for each part left out, laid over as many copies of the judgements."""
    joined, count = parts.joined, len(left_out)
    topic, result = np.nonzero(parts.part[None, :] != left_out[:, None])
    taken = joined.take(result + parts.rows.start)
    names = tuple(map(str, left_out.tolist()))
    copies = replace(
        joined.qrels.take(np.tile(judged, count)),
        topics=names,
        topic=np.repeat(np.arange(count), len(judged)),
    )
    row = np.where(taken.row < 0, -1, np.searchsorted(judged, taken.row) + topic * len(judged))
    return replace(
        taken,
        qrels=copies,
        topics=names,
        code=np.arange(count),
        ptr=np.searchsorted(topic, np.arange(count + 1)),
        row=row,
        keys=Keys(topic, taken.keys.names, taken.keys.hashes),
        trel=np.repeat(joined.trel[parts.at], count),
        nrel=np.repeat(joined.nrel[parts.at], count),
        passages=np.repeat(joined.passages[parts.at], count),
    )


def leave_elements_out(
    qrels: ElementQrels,
    ranking: RankedElements,
    topic: str,
    parameters: Parameters,
    wanted: Sequence[WantedMeasure],
    *,
    progress: Progress = unwatched,
) -> TopicWithout:
    """Return what measures of a topic would be without each of the n elements and d documents retrieved."""
    documents = tuple(dict.fromkeys(document for document, _ in ranking))
    place = {document: at for at, document in enumerate(documents)}
    own = np.array([place[document] for document, _ in ranking], np.int64)
    without = [
        *(tuple(one for one in ranking if one[0] != document) for document in documents),
        *((*ranking[:at], *ranking[at + 1 :]) for at in range(len(ranking))),
    ]
    values = evaluate_rankings(qrels, topic, [ranking, *without], parameters, wanted, progress)
    return TopicWithout(
        topic=topic,
        names=tuple(record.label(cutoff) for record, cutoff in wanted),
        values=values[:, 0],
        documents=documents,
        document=own,
        source=np.arange(len(ranking)),
        without_document=values[:, 1 : 1 + len(documents)],
        without_result=values[:, 1 + len(documents) :],
    )


def evaluate_rankings(
    qrels: ElementQrels,
    topic: str,
    rankings: Sequence[RankedElements],
    parameters: Parameters,
    wanted: Sequence[WantedMeasure],
    progress: Progress,
) -> Floats:
    """Return M measures of k rankings of one topic, shape (M, k); one of nothing counts as missing."""
    together = max(1, ELEMENT_ROWS // max(1, *map(len, rankings)))
    found = []
    for begin in range(0, len(rankings), together):
        names = tuple(map(str, range(begin, min(begin + together, len(rankings)))))
        run = ElementRun("", {name: rankings[int(name)] for name in names})
        ranks = ElementRanks(qrels.copies(topic, names), run, complete=True)
        found.append(compute(ranks, parameters, wanted)[0])
        progress("rankings", begin + len(names), len(rankings))
    return np.concatenate(found, axis=1)
