"""What judgements are like, by hand and on every made collection."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import Judgement, Qrels, Spans
from inexview.cli import main
from inexview.core.evaluation.agreement import describe, describe_elements
from inexview.core.judgements.elements import ElementJudgement, ElementQrels
from tests.core.strategies import TOPICS, judged_documents, qrels_of


@given(st.dictionaries(st.sampled_from(TOPICS), judged_documents(), min_size=1))
def test_the_figures_are_counts_of_the_judgements(judged):
    qrels = qrels_of(judged)
    described = describe(qrels)
    assert [topic.topic for topic in described.topics] == list(judged)
    for topic in described.topics:
        own = qrels.judgements(topic.topic)
        relevant = [one for one in own if one.rsize > 0]
        assert (topic.judged, topic.relevant) == (len(own), len(relevant))
        assert topic.passages == sum(one.passage_count for one in relevant)
        assert topic.characters == sum(one.rsize for one in relevant)
        assert topic.entries == sum(one.bep is not None for one in relevant)
    assert described.total.judged == len(qrels)
    assert sum(described.shares.values()) == described.total.relevant
    entered = [
        one for one in qrels if one.rsize > 0 and one.passages and one.bep == int(one.passages.starts[0])
    ]
    assert described.entry_at_first == len(entered)


def test_spreads_and_shares_by_hand():
    qrels = Qrels.from_judgements(
        [
            Judgement("1", "a", 30, 100, 0, Spans([(0, 10), (20, 40)])),
            Judgement("1", "b", 60, 100, 40, Spans([(40, 100)])),
            Judgement("1", "c", 0, 50, None, Spans()),
            Judgement("2", "a", 100, 100, 3, Spans([(0, 100)])),
        ]
    )
    described = describe(qrels)
    passage = described.spreads["characters of a passage"]
    assert (passage.mean, passage.median, passage.least, passage.most) == (47.5, 40, 10, 100)
    assert described.spreads["relevant documents of a topic"].mean == 1.5
    assert {high: count for high, count in described.shares.items() if count} == {0.35: 1, 0.65: 1, 1.0: 1}
    assert described.total.share == pytest.approx(190 / 300)


def test_elements_are_counted_by_both_grades():
    elements = [ElementJudgement("/a[1]", 2, 100, 90), ElementJudgement("/a[1]/b[1]", 0, 30, 10)]
    described = describe_elements(ElementQrels([("1", "x", elements), ("1", "y", [])]))
    assert described.elements == {("E2", "S3"): 1, ("E?", "S1"): 1}
    assert (described.total.judged, described.total.relevant, described.total.passages) == (2, 1, 2)
    assert describe_elements(ElementQrels([("1", "x", elements)]), scale=10).elements == {
        ("E2", "S9"): 1,
        ("E?", "S4"): 1,
    }


@pytest.mark.parametrize("format", ["table", "json", "csv", "latex"])
def test_the_command_prints_it_in_every_format(tmp_path, capsys, format):
    path = tmp_path / "qrels"
    path.write_text("1 Q0 a 30 100 0 0:30\n1 Q0 b 0 50\n")
    assert main(["describe", str(path), "--format", format]) == 0
    assert "30" in capsys.readouterr().out


def test_grades_of_trec_qrels_are_counted(tmp_path, capsys):
    path = tmp_path / "qrels"
    path.write_text("1 0 a 2\n1 0 b 0\n1 0 c 2\n")
    assert main(["describe", str(path)]) == 0
    out = capsys.readouterr().out
    assert [line.split() for line in out.splitlines() if line.strip().startswith("2 ")] == [
        ["2", "2", "0.6667"]
    ]
    assert math.isnan(describe(Qrels.from_judgements([])).total.share)
