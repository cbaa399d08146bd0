"""Makes a submission of a run: by offset and length, or named as elements or between points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inexview.core.collection.collection import Collection
from inexview.core.formats.submission_xml.content import WHITE_SPACE_NODES
from inexview.core.judgements.element_lookup import Locator
from inexview.core.judgements.runs import UNKNOWN, ResultType, Run, Submission, Submitted, Task
from inexview.core.progress import Progress, unwatched

_TASKS = {
    Task.FOCUSED: "Focused",
    Task.RELEVANT_IN_CONTEXT: "RelevantInContext",
    Task.BEST_IN_CONTEXT: "BestInContext",
    Task.THOROUGH: "Thorough",
    Task.RESTRICTED_FOCUSED: "RestrictedFocused",
    Task.RESTRICTED_RELEVANT_IN_CONTEXT: "RestrictedRelevantInContext",
    Task.EFFICIENCY: "Efficiency",
    Task.FETCH_BROWSE: "FetchBrowse",
}
"""How submissions write the tasks that they know."""


@dataclass(frozen=True, slots=True)
class Submitting:
    """A submission made of a run, and how many of its results became something else, or nothing."""

    submission: Submission
    widened: int = 0
    """No element exactly: named by the smallest one that holds them."""
    nowhere: int = 0
    """Without a place in the collection: left out."""


def submit(run: Run) -> Submitting:
    """Give results by offset and length; entry points get the length 0, unknown passages are left out."""
    starts, sizes = run.start.tolist(), run.size.tolist()
    results = [
        None if start == UNKNOWN else Submitted(document, offset=start, length=max(size, 0))
        for document, start, size in zip(run.document.strings(), starts, sizes, strict=True)
    ]
    return _submitting(run, results, ResultType.FOL)


def submit_named(
    run: Run, type: ResultType, collection: Collection, *, strip: bool = False, progress: Progress = unwatched
) -> Submitting:
    """Name results as elements, ranges of elements or between points.

    ``strip`` leaves text nodes of nothing but white space uncounted in points.  What is no element is named
    by the smallest one that holds it, and what is no range of siblings too.  Raises Cancelled.
    """
    locator = Locator(collection, progress=progress)
    documents = run.document.strings()
    ends = run.start + run.size.clip(min=0)
    points = locator.points(documents, run.start, ends, strip=strip)
    names = [_named(run, type, *name) for name in zip(points.element, points.first, points.last, strict=True)]
    loose = [row for row, name in enumerate(names) if name is not None and points.element[row] is None]
    if type is ResultType.RANGE and loose:
        ranges = locator.ranges([documents[row] for row in loose], run.start[loose], ends[loose])
        for row, found in zip(loose, ranges, strict=True):
            names[row] = found or names[row]
        loose = [row for row, found in zip(loose, ranges, strict=True) if found is None]
    results = [
        None if name is None else Submitted(document, *name)
        for document, name in zip(documents, names, strict=True)
    ]
    exact = type is ResultType.PASSAGE or run.task is Task.DOCUMENTS
    said = ((WHITE_SPACE_NODES, "strip"),) if strip and type is ResultType.PASSAGE else ()
    return _submitting(run, results, type, 0 if exact else len(loose), said)


def _named(
    run: Run, type: ResultType, element: str | None, first: str | None, last: str | None
) -> tuple[str, str] | None:
    """Return a result's first and last point, the latter empty for an element; None for what is nowhere."""
    if first is None or last is None:
        return None
    if type is ResultType.PASSAGE:
        return first, "" if last == first else last
    if run.task is Task.DOCUMENTS:
        return "/".join(first.split("/")[:2]), ""
    return element or _around(first, last), ""


def _around(first: str, last: str) -> str:
    """Return the path of the smallest element that holds the text at two points."""
    steps = zip(_element(first), _element(last), strict=False)
    common = []
    for one, other in steps:
        if one != other:
            break
        common.append(one)
    return "/".join(common)


def _element(point: str) -> list[str]:
    return point.partition("/text()")[0].split("/")


def _submitting(
    run: Run,
    results: Sequence[Submitted | None],
    type: ResultType,
    widened: int = 0,
    said: tuple[tuple[str, str], ...] = (),
) -> Submitting:
    scored = [
        None if result is None else result._replace(score=None if math.isnan(score) else score)
        for result, score in zip(results, run.score.tolist(), strict=True)
    ]
    topics = dict(_by_topic(run, scored))
    submission = Submission(
        topics=topics,
        run_id=run.id,
        task="" if run.task is None else _TASKS.get(run.task, run.task.value),
        attributes=(("result-type", type.value), *said),
        path=run.path,
    )
    return Submitting(submission, widened, sum(result is None for result in scored))


def _by_topic(run: Run, results: Sequence[Submitted | None]) -> Iterator[tuple[str, tuple[Submitted, ...]]]:
    for at, topic in enumerate(run.topics):
        own = results[int(run.ptr[at]) : int(run.ptr[at + 1])]
        yield topic, tuple(result for result in own if result is not None)
