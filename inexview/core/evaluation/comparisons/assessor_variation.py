"""What order of the runs follows from whose judgements: one assessor's, another's, either's or both's.

Source: Voorhees, Variations in Relevance Judgments and the Measurement of Retrieval Effectiveness, IPM 36(5),
2000: the runs are scored by each, and Kendall's τ says how alike they are ordered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from inexview.core.evaluation.comparisons.orderings import kendall_tau
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.score_lines import HEAD, head_of
from inexview.core.judgements.qrels import Joint, Qrels, joint_judgements, of_topics, shared_topics
from inexview.core.report import PrintedLine
from inexview.core.text.spans import Floats

JUDGED_BY = ("A", "B", Joint.UNION.value, Joint.INTERSECTION.value)
JUDGED_HEAD = (*HEAD, "judgements", "measure", "value")


def judged_by(first: Qrels, second: Qrels) -> dict[str, Qrels]:
    """Return the judgements of the topics that both judged: of A, of B, their union and their intersection.

    They come by these names, in the order of JUDGED_BY.  Raises InexviewError where the two share no topic,
    DataError for documents that are relevant without a passage that says where.
    """
    topics = shared_topics(first, second)
    joined = (joint_judgements(first, second, how) for how in (Joint.UNION, Joint.INTERSECTION))
    return dict(zip(JUDGED_BY, (of_topics(first, topics), of_topics(second, topics), *joined), strict=True))


def orders_alike(means: Floats) -> dict[str, float]:
    """Return τ-b between the order of the runs by A and that by each other; ``means`` has shape (R, 4)."""
    return {name: kendall_tau(means[:, 0], means[:, at]) for at, name in enumerate(JUDGED_BY) if at}


def judged_lines(runs: Sequence[RunScores], means: Floats, measure: str) -> Iterator[PrintedLine]:
    """Yield a line for each run and each of JUDGED_BY, under JUDGED_HEAD; ``means`` has shape (R, 4)."""
    for scores, own in zip(runs, means.tolist(), strict=True):
        yield from ([*head_of(scores), by, measure, value] for by, value in zip(JUDGED_BY, own, strict=True))


def means_by_judgements(scores: Sequence[Sequence[RunScores]], measure: str) -> Floats:
    """Return the means of R runs by each of JUDGED_BY, shape (R, 4), of their scores by these in turn.

    ``measure`` is named as for the mean.  Raises KeyError where a run is not scored by it.
    """
    return np.array([[own.mean[measure] for own in by] for by in scores]).T
