"""Which task a run looks like that does not say for which it is."""

from __future__ import annotations

import pytest

from inexview.core.judgements.runs import Result, Run, Task, likely_tasks


def run_of(*places: tuple[str, int | None, int | None]) -> Run:
    """Return a run of one topic; a place is a document, start and end."""
    return Run.from_results(
        Result("7", document, rank, None, -1 if start is None else start, -1 if end is None else end)
        for rank, (document, start, end) in enumerate(places, 1)
    )


@pytest.mark.parametrize(
    ("places", "first"),
    [
        ([("a", 0, 9), ("a", 20, 30), ("b", 0, 5)], Task.RELEVANT_IN_CONTEXT),
        ([("a", 0, 9), ("b", 0, 5), ("a", 20, 30)], Task.FOCUSED),
        ([("a", 0, 9), ("b", 0, 5), ("a", 5, 30)], Task.CHUNKS),
        ([("a", 0, 9), ("b", 0, 5)], Task.RELEVANT_IN_CONTEXT),
        ([], Task.DOCUMENTS),
    ],
    ids=["grouped", "mixed", "overlapping", "one each", "nothing"],
)
def test_the_likeliest_task_is_first(places: list[tuple[str, int, int]], first: Task) -> None:
    likely = likely_tasks(run_of(*places))
    assert likely[0] is first
    assert len({*likely}) == len(likely)


def test_results_without_length_are_documents_or_entry_points() -> None:
    documents = Run.of({"7": {"a": 2.0, "b": 1.0}})
    assert likely_tasks(documents)[0] is Task.DOCUMENTS
    pointed = Run.from_results([Result("7", "a", 1, None, 40, 39), Result("7", "b", 2, None, 7, 6)])
    assert likely_tasks(pointed)[0] is Task.BEST_IN_CONTEXT
