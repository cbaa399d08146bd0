"""Union and intersection of two assessors' judgements, against sets of characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import DataError, InexviewError, Judgement, Qrels, Spans
from inexview.core.judgements.qrels import Joint, joint_judgements, of_topics, shared_topics

marks = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6)), max_size=4).map(
    lambda pairs: Spans([(start, start + size) for start, size in pairs])
)


@st.composite
def judgements(draw: st.DrawFn) -> Qrels:
    rows = [
        Judgement(topic, document, spans.size, 40, int(spans.starts[0]) if spans else None, spans)
        for topic in "12"
        for document in draw(st.sets(st.sampled_from("abc"), min_size=1))
        for spans in [draw(marks)]
    ]
    return Qrels.from_judgements(rows)


def characters(qrels: Qrels) -> set[tuple[str, str, int]]:
    return {(row.topic, row.document, at) for row in qrels for a, b in row.passages for at in range(a, b)}


@given(judgements(), judgements())
def test_they_are_the_sets_of_characters(first: Qrels, second: Qrels) -> None:
    either = joint_judgements(first, second, Joint.UNION)
    both = joint_judgements(first, second, Joint.INTERSECTION)
    assert characters(either) == characters(first) | characters(second)
    assert characters(both) == characters(first) & characters(second)
    judged = {(row.topic, row.document) for qrels in (first, second) for row in qrels}
    assert {(row.topic, row.document) for row in either} == judged
    assert {(row.topic, row.document) for row in both} == judged
    for qrels in (either, both):
        assert all(row.rsize == row.passages.size for row in qrels)
        assert all((row.bep is not None) == row.relevant for row in qrels)
    again = joint_judgements(first, first, Joint.UNION)
    assert (
        characters(again)
        == characters(first)
        == characters(joint_judgements(first, first, Joint.INTERSECTION))
    )


def test_only_topics_of_both_count_and_what_cannot_be_joined_is_refused() -> None:
    first = Qrels.from_judgements([Judgement("1", "a", 5, 9, 0, Spans([(0, 5)])),
                                   Judgement("2", "a", 5, 9, 0, Spans([(0, 5)]))])  # fmt: skip
    second = Qrels.from_judgements([Judgement("2", "a", 3, 9, 4, Spans([(4, 7)]))])
    assert shared_topics(first, second) == ("2",)
    assert [row.topic for row in of_topics(first, ("2",))] == ["2"]
    (row,) = joint_judgements(first, second, Joint.INTERSECTION)
    assert (row.topic, row.bep, list(row.passages)) == ("2", 0, [(4, 5)])
    (row,) = joint_judgements(second, first, Joint.UNION)
    assert (row.bep, list(row.passages)) == (4, [(0, 7)])
    with pytest.raises(InexviewError, match="no topic in common"):
        shared_topics(of_topics(first, ("1",)), second)
    nowhere = Qrels.from_judgements([Judgement("2", "b", 3, 9, None, Spans())])
    with pytest.raises(DataError, match="topic 2, document b: relevant without a passage"):
        joint_judgements(first, nowhere, Joint.UNION)
