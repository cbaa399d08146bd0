"""What a file's content consists of, counted: the ground on which a conversion says what would be lost."""

from __future__ import annotations

from collections import Counter

import numpy as np

from inexview.core.formats.format import Feature
from inexview.core.formats.submission_xml.content import WHITE_SPACE_NODES
from inexview.core.judgements.elements import Assessments
from inexview.core.judgements.qrels import NO_BEP, AspectQrels, Pool, Qrels
from inexview.core.judgements.records import RecordedQrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, ResultType, Run, Submission, Task
from inexview.core.judgements.topics import Topics

Content = Qrels | Assessments | Run | Submission | Pool | Topics

_RESULTS = {
    ResultType.ELEMENT: Feature.ELEMENT_RESULTS,
    ResultType.RANGE: Feature.POINT_RESULTS,
    ResultType.PASSAGE: Feature.POINT_RESULTS,
    ResultType.FOL: Feature.FOL_RESULTS,
}


def features(content: Content) -> dict[Feature, int]:
    """Return what there is, and how much of it; nothing that is not there."""
    counts: dict[Feature, int]
    if isinstance(content, Qrels):
        counts = _of_qrels(content)
    elif isinstance(content, Assessments):
        counts = _of_assessments(content)
    elif isinstance(content, Run):
        counts = _of_run(content)
    elif isinstance(content, Submission):
        counts = _of_submission(content)
    elif isinstance(content, Pool):
        counts = _of_pool(content)
    else:
        counts = _of_topics(content)
    return {feature: count for feature, count in counts.items() if count}


def lost(content: Content, carried: frozenset[Feature]) -> list[str]:
    """Say what would be lost where only ``carried`` is kept: "12 best entry points"."""
    return [feature.counted(count) for feature, count in features(content).items() if feature not in carried]


def _of_qrels(qrels: Qrels) -> dict[Feature, int]:
    sums = np.append(0, np.cumsum(qrels.ends - qrels.starts))
    listed = sums[qrels.ptr[1:]] - sums[qrels.ptr[:-1]]
    without = np.diff(qrels.ptr) == 0
    relevant = qrels.rsize > 0
    bare = relevant & without
    recorded = qrels if isinstance(qrels, RecordedQrels) else None
    return {
        Feature.ASPECTS: qrels.aspects if isinstance(qrels, AspectQrels) else 0,
        Feature.QUOTES: 0 if recorded is None else recorded.quotes,
        Feature.SIGNED: 0 if recorded is None else recorded.signed,
        Feature.DOCUMENT_GRADES: 0 if recorded is None else recorded.graded_documents,
        Feature.PASSAGE_GRADES: 0 if recorded is None else recorded.graded_passages,
        Feature.NOTES: 0 if recorded is None else recorded.noted,
        Feature.DECISIONS: 0 if recorded is None else recorded.decided,
        Feature.FOUND_DOCUMENTS: 0 if recorded is None else recorded.added,
        Feature.UNFINISHED: 0 if recorded is None else recorded.unfinished,
        Feature.PASSAGES: len(qrels.starts),
        Feature.ENTRY_POINTS: int(np.count_nonzero(qrels.bep != NO_BEP)),
        Feature.LENGTHS: int(np.count_nonzero(qrels.length)),
        Feature.NOT_RELEVANT: int(np.count_nonzero(~relevant)),
        Feature.BARE: 0 if qrels.graded else int(np.count_nonzero(bare)),
        Feature.GRADES: int(np.count_nonzero(relevant)) if qrels.graded else 0,
        Feature.SIZES: int(np.count_nonzero((qrels.rsize != listed) & ~without)),
    }


def _of_assessments(assessments: Assessments) -> dict[Feature, int]:
    counts: Counter[Feature] = Counter()
    frames = set()
    for topic in assessments.topics:
        frames.add(topic.pool)
        counts[Feature.STATEMENTS] += topic.statement is not None
    for _, document in assessments.documents():
        frames.add(document.collection)
        counts[Feature.PASSAGES] += len(document.passages)
        counts[Feature.ENTRY_POINTS] += document.entry is not None
        counts[Feature.ELEMENTS] += len(document.elements)
        counts[Feature.NOT_RELEVANT] += not document.relevant
    counts[Feature.FRAMES] = len(frames - {""})
    return counts


def _of_run(run: Run) -> dict[Feature, int]:
    documents = run.task is Task.DOCUMENTS
    known = run.start != UNKNOWN
    entries = int(np.count_nonzero(known & (run.size == NO_LENGTH)))
    return {
        Feature.OFFSETS: int(np.count_nonzero(known & (run.size != NO_LENGTH))),
        Feature.ENTRIES: 0 if documents else entries,
        Feature.WHOLE: entries if documents else 0,
        Feature.UNKNOWN: int(np.count_nonzero(~known)),
        Feature.REPEATS: len(run) - len(set(zip(run.topic.tolist(), run.document.strings(), strict=True))),
        Feature.SCORES: int(np.count_nonzero(~np.isnan(run.score))),
        Feature.TASK: int(run.task not in (None, Task.DOCUMENTS, Task.ASPECTS)),
    }


def _of_submission(submission: Submission) -> dict[Feature, int]:
    counts: Counter[Feature] = Counter()
    for results in submission.topics.values():
        counts[Feature.EMPTY_TOPICS] += not results
        counts[Feature.REPEATS] += len(results) - len({result.document for result in results})
        for result in results:
            counts[_RESULTS[result.type]] += 1
            counts[Feature.SCORES] += result.score is not None
    counts[Feature.TASK] = int(bool(submission.task.strip()))
    about = [name for name, _ in submission.attributes if name not in ("result-type", WHITE_SPACE_NODES)]
    counts[Feature.ABOUT] = (
        len(about) + len(submission.fields) + len(submission.collections) + bool(submission.description)
    )
    return counts


def _of_topics(topics: Topics) -> dict[Feature, int]:
    further = ("castitle", "phrasetitle", "keywords", "query_type", "ct_no")
    return {
        Feature.TEXTS: len(topics),
        Feature.LONG_TEXTS: sum(bool(topic.description) + bool(topic.narrative) for topic in topics),
        Feature.FURTHER_TEXTS: sum(
            len(topic.others) + sum(bool(getattr(topic, name)) for name in further) for topic in topics
        ),
    }


def _of_pool(pool: Pool) -> dict[Feature, int]:
    documents = [document for listed in pool.topics.values() for document in listed]
    return {
        Feature.DOCUMENTS: len(documents),
        Feature.POOLED_PLACES: sum(len(document.paths) + len(document.passages) for document in documents),
        Feature.EMPTY_TOPICS: sum(not listed for listed in pool.topics.values()),
    }
