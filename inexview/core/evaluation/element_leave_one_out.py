"""Leave one out of a run of elements: what each measure would be without each element, or each document.

Each figure is that of a full evaluation of the ranking without the part.  Many rankings are evaluated
together, as topics of their own with the same judgements.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inexview.core.evaluation.evaluate import WantedMeasure, compute
from inexview.core.evaluation.leave_one_out import TopicWithout
from inexview.core.judgements.element_qrels import ElementQrels
from inexview.core.judgements.element_runs import ElementRun, RankedElements
from inexview.core.measures.element_ranks import ElementRanks
from inexview.core.measures.parameters import Parameters
from inexview.core.progress import Progress, unwatched
from inexview.core.text.offset_arrays import Floats

ROWS = 100_000
"""How many results are evaluated at a time."""


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
    together = max(1, ROWS // max(1, *map(len, rankings)))
    found = []
    for begin in range(0, len(rankings), together):
        names = tuple(map(str, range(begin, min(begin + together, len(rankings)))))
        run = ElementRun("", {name: rankings[int(name)] for name in names})
        ranks = ElementRanks(qrels.copies(topic, names), run, complete=True)
        found.append(compute(ranks, parameters, wanted)[0])
        progress("rankings", begin + len(names), len(rankings))
    return np.concatenate(found, axis=1)
