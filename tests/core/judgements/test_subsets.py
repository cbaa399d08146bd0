"""Parts of judgements and runs."""

import pytest

from inexview import InexviewError, evaluate
from inexview.core.judgements.subsets import Subset
from tests.core.strategies import qrels_of, run_of

JUDGED = {
    "1": {
        "whole": (90, 100, 0, set(range(90))),
        "part": (30, 100, 0, set(range(30))),
        "none": (0, 100, None, set()),
    },
    "2": {"part": (35, 100, 0, set(range(35)))},
    "3": {"whole": (60, 100, 0, set(range(60)))},
}
RANKED = {
    "1": [("whole", 0, 50), ("none", 0, 10), ("part", 0, 40), ("else", 0, 5)],
    "3": [("whole", 0, 60)],
    "9": [("whole", 0, 3)],
}


def test_topics_are_taken_from_judgements_and_run():
    part = Subset(frozenset({"1", "9"}))
    qrels, run = qrels_of(JUDGED), run_of(RANKED)
    assert part.of_qrels(qrels).topics == ("1",)
    kept = part.of_run(run, qrels)
    assert kept.topics == ("1", "9")
    assert kept.results("1") == run.results("1")
    assert kept.results("9") == run.results("9")


def test_documents_by_their_share_of_relevant_text_leave_qrels_and_run():
    part = Subset(low=0.0, high=0.35)
    qrels, run = qrels_of(JUDGED), run_of(RANKED)
    kept = part.of_qrels(qrels)
    assert [(j.topic, j.document) for j in kept] == [("1", "part"), ("1", "none"), ("2", "part")]
    assert [result.document for result in part.of_run(run, qrels).results("1")] == ["none", "part", "else"]
    scores = evaluate(kept, part.of_run(run, qrels), task="focused", measures=["P[2]", "R[2]"])[0]
    assert scores.topic("1") == {"P[2]": 30 / 50, "R[2]": 1}
    mostly = Subset(low=0.5)
    assert [j.document for j in mostly.of_qrels(qrels)] == ["whole", "none", "whole"]


def test_more_relevant_text_than_the_document_is_long_is_all_of_it():
    qrels = qrels_of({"1": {"long": (120, 100, 0, set(range(100))), "unmeasured": (30, 0, 0, {1})}})
    assert [j.document for j in Subset(low=0.5).of_qrels(qrels)] == ["long"]
    assert [j.document for j in Subset(low=0.0, high=1.0).of_qrels(qrels)] == ["long", "unmeasured"]


def test_all_is_all():
    qrels, run = qrels_of(JUDGED), run_of(RANKED)
    assert Subset().of_qrels(qrels) is qrels
    assert Subset().of_run(run, qrels) is run


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.5), (-0.1, 1), (0, 1.1), (0.6, 0.2)])
def test_shares_rise(low, high):
    with pytest.raises(InexviewError, match="share"):
        Subset(low=low, high=high)


def test_a_part_without_judgements_is_refused():
    with pytest.raises(InexviewError, match="no judgement"):
        Subset(frozenset({"8"})).of_qrels(qrels_of(JUDGED))
