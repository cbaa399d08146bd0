"""Ids that two sides spell differently: which rules join them, and that nothing is joined unasked."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import DataError, InexviewError
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Run, Task
from inexview.core.judgements.subsets import NO_JOIN, RULES, IdJoin, joining_rules, nothing_in_common, rule_of
from inexview.core.judgements.topics import Topic
from inexview.core.text.spans import EMPTY


def judged(*pairs):
    return Qrels.from_judgements(Judgement(topic, name, 1, 0, None, EMPTY) for topic, name in pairs)


def retrieved(*pairs, task=Task.DOCUMENTS):
    return Run.from_results((Result(topic, name, 1, None, 0, 9) for topic, name in pairs), task=task)


@pytest.mark.parametrize(
    ("in_run", "in_qrels", "rules"),
    [
        (["7001.xml", "7002.xml"], ["7001", "7002"], ("extension",)),
        (["7001", "7002"], ["7001.xml", "7002.xml"], ("extension",)),
        (["a.tar.gz", "b.tar.gz"], ["a", "b"], ("extension",)),
        (["pages/01/7001.xml", "pages/02/7002.xml"], ["7001", "7002"], ("folder", "extension")),
        (["051", "052"], ["51", "52"], ("zeros",)),
        (["MB51", "MB52"], ["MB051", "MB052"], ("zeros",)),
        (["MB051", "MB052"], ["51", "52"], ("prefix", "zeros")),
        (["q1", "q2"], ["1", "2"], ("prefix",)),
        (["7001_0_62", "7002_5_12"], ["7001", "7002"], ("passage",)),
        (["d1#3_40", "d2#0_9"], ["d1", "d2"], ("passage",)),
        (["7001-3", "7002-0"], ["7001", "7002"], ("passage",)),
        (["145979.1", "145980.1"], ["145979", "145980"], ("suffix",)),
        (["51-v2", "52-v2"], ["51", "52"], ("suffix",)),
        (["51_en", "52_en"], ["51", "52"], ("suffix",)),
        (["Green%20tea", "Black%20tea"], ["Green tea", "Black tea"], ("escapes",)),
        (["Cafe\u0301"], ["Caf\u00e9"], ("escapes",)),
        (["LA010189-0001"], ["la010189-0001"], ("case",)),
        (["FT/A1B.XML"], ["a1b"], ("case", "folder", "extension")),
        (["a", "b"], ["c", "d"], ()),
        (["x1"], ["1.x", "1.y"], ()),  # the rule that joins would make one of two
    ],
)
def test_the_fewest_rules_that_join_are_found(in_run, in_qrels, rules):
    assert joining_rules(in_run, in_qrels) == rules
    named = rule_of(rules)
    assert not rules or set(map(named, in_run)) & set(map(named, in_qrels))


def test_disjoint_ids_are_reported_with_two_examples():
    run = retrieved(("1", "7001.xml"), ("1", "7002.xml"), ("1", "7003.xml"))
    assert nothing_in_common(judged(("1", "7001"), ("1", "7002")), run) == (
        "no document of the run is judged: ids are spelt differently, '7001.xml' for '7001' and '7002.xml' "
        "for '7002'; --join-ids documents=extension joins 2 of 3"
    )
    assert nothing_in_common(judged(("q1", "7001.xml")), run) == (
        "no topic of the run is judged: ids are spelt differently, '1' for 'q1'; --join-ids topics=prefix "
        "joins 1 of 1"
    )
    assert nothing_in_common(judged(("1", "a"), ("1", "b")), run) == (
        "no document of the run is judged: the run has '7001.xml' and '7002.xml', the judgements have 'a' "
        "and 'b'"
    )
    assert nothing_in_common(judged(("1", "7002.xml"), ("1", "a")), run) is None


def test_joined_sides_share_their_ids():
    join = IdJoin.parse(["topics=zeros", "documents=extension"])
    qrels, run = judged(("051", "a"), ("052", "b")), retrieved(("51", "a.xml"), ("52", "b.xml"))
    joined = join.of_qrels(qrels)
    assert (joined.topics, joined.document.strings()) == (("51", "52"), ["a", "b"])
    assert nothing_in_common(joined, join.of_run(run)) is None
    assert [topic.id for topic in join.of_topics([Topic("051")])] == ["51"]


def test_passages_of_a_document_are_one_result_of_it_and_results_of_passages_stay():
    join = IdJoin.parse(["documents=passage"])
    pairs = [("1", "d1#0_9"), ("1", "d2#3_4"), ("1", "d1#5_2")]
    run = join.of_run(retrieved(*pairs))
    assert [result.document for result in run.results("1")] == ["d1", "d2"]
    assert "1 result left out, whose document is in the ranking before" in run.warnings[0]
    assert len(join.of_run(retrieved(*pairs, task=Task.FOCUSED))) == 3


def test_ids_that_become_one_are_refused():
    join = IdJoin.parse(["zeros"])
    with pytest.raises(DataError, match="topics 051 and 51 become one, 51"):
        join.of_run(retrieved(("051", "a"), ("51", "b")))
    qrels = Qrels.from_judgements(
        [Judgement("1", "01", 1, 0, None, EMPTY), Judgement("1", "1", 0, 0, None, EMPTY)]
    )
    with pytest.raises(DataError, match="documents 01 and 1 become one, 1, and are judged differently"):
        join.of_qrels(qrels)
    assert len(join.of_qrels(judged(("1", "01"), ("1", "1")))) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("topics=nothing", "there is no rule 'nothing' to join ids; there are case (upper and lower case"),
        ("runs=zeros", "rules are for topics=… or documents=…"),
        ("", "there is no rule ''"),
    ],
)
def test_an_unknown_rule_is_reported_with_the_known_ones(text, said):
    with pytest.raises(InexviewError) as raised:
        IdJoin.parse([text])
    assert said in str(raised.value)


@given(st.text(min_size=1, max_size=20), st.lists(st.sampled_from(list(RULES)), max_size=3))
def test_no_rule_leaves_nothing_of_an_id(name, rules):
    assert rule_of(rules)(name)


def test_without_rules_nothing_is_another():
    qrels, run = judged(("051", "a.xml")), retrieved(("51", "a"))
    assert (NO_JOIN.of_qrels(qrels), NO_JOIN.of_run(run)) == (qrels, run)


PATTERNS = {
    "folder": r".*[/\\](?=[^/\\])",
    "extension": r"(?:\.[A-Za-z][A-Za-z0-9]{0,7})+\Z",
    "passage": r"(?<=.)(?:#.*|(?:[_:-]+\d+)+)\Z",
}
"""What these rules leave out, as patterns that take the square of an id's length."""


@pytest.mark.parametrize("name", PATTERNS)
@given(st.text("aX1٣._-:#/\\", max_size=12))
def test_a_rule_from_the_end_equals_its_pattern(name: str, spelt: str) -> None:
    assert RULES[name][1](spelt) == (re.sub(PATTERNS[name], "", spelt) or spelt)
