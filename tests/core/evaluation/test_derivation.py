"""What is derived is what is evaluated, and the rows add up to it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import InexviewError, Task, evaluate
from inexview.core.evaluation.derivations import derive_prepared
from inexview.core.evaluation.evaluate import prepare, score_element_run
from inexview.core.evaluation.explain import explain_elements, share_of
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.judgements.elements import ElementJudgement, ElementQrels, ElementRun
from inexview.core.measures.measure import parse
from tests.core.strategies import judged_documents, qrels_of, rankings, run_of, together

MEASURES = {
    Task.FOCUSED: (
        *("iP[0.00]", "iP[0.37]", "iP[1.00]", "AiP", "AP", "P[1]", "P[3]", "R[2]"),
        *("charP[9]", "charBpref[9]", "charBpref", "charRprec", "CAP", "psgRprec"),
        *("char_prec", "char_rec", "char_f1", "art_prec", "art_rec", "art_f1"),
    ),
    Task.RELEVANT_IN_CONTEXT: ("gP[1]", "gP[2]", "gP[9]", "gR[1]", "gR[3]", "AgP"),
    Task.BEST_IN_CONTEXT: ("gP[1]", "gP[3]", "gR[2]", "AgP"),
    Task.THOROUGH: ("P@2", "R@3", "F@2", "AP", "iAP"),
    Task.DOCUMENTS: ("AP", "Rprec", "P@2", "R@3", "F@3", "nDCG@3", "nDCGspec@3", "iprec[0.50]", "ROC"),
}
WHOLE = {"char_f1", "art_f1", "F@2", "F@3", "iprec[0.50]", "ROC", "ep[0.50]"}
"""Those that are no sum over a number: they are said in one line."""


@given(
    st.sampled_from(list(MEASURES)), judged_documents(), rankings(), rankings(repeats=False), st.booleans()
)
def test_the_rows_add_up_to_the_evaluated_value(task, judged, ranked, single, window):
    ranking = single if task is Task.BEST_IN_CONTEXT else ranked
    if task is Task.RELEVANT_IN_CONTEXT:
        ranking = together(ranking)
    qrels, run = qrels_of({"1": judged}), run_of({"1": ranking})
    changes = {"n": 12} if window else {"a": 0.1}
    scored = evaluate(qrels, run, task=task, measures=MEASURES[task], overlap="allow", **changes)[0]
    own = ScoringSettings(
        task=task, measures=tuple(map(parse, MEASURES[task])), overlap="allow", changes=changes
    )
    for told in derive_prepared(prepare(qrels, run, own), "1"):
        check(told, scored.topic("1")[told.measure])
        documents = [document for document, _, _ in ranking]
        if told.rows and told.rows[0].start is not None:
            assert [row.document for row in told.rows] == documents
        assert {row.document for row in told.rows} == set(documents)


def check(told, value):
    assert told.value == value
    shares = [share_of(told, row) for row in told.rows]
    assert told.measure == "AgP" or shares == [None] * len(shares)
    assert told.measure != "AgP" or sum(share.value for share in shares) == pytest.approx(value, abs=1e-12)
    assert all(line.startswith(("=", "over")) for line in told.filled)
    assert all(len(row.figures) == len(told.columns) for row in told.rows)
    if told.fraction is None:
        assert told.measure in WHOLE or told.filled[0].startswith("= 0, as recall")
        assert value == pytest.approx(0) or told.measure in WHOLE
    else:
        assert sum(row.adds for row in told.rows) == pytest.approx(told.fraction.numerator)
        assert told.fraction.value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("task", MEASURES)
def test_a_measure_without_a_derivation_has_only_its_value(task):
    settings = ScoringSettings(task=task, measures=tuple(map(parse, MEASURES[task])))
    prepared = prepare(qrels_of({"1": WORKED}), run_of({"1": [("A", 100, 200), ("B", 0, 50)]}), settings)
    unknown = tuple((replace(record, name="another"), cutoff) for record, cutoff in prepared.wanted)
    for told in derive_prepared(replace(prepared, wanted=unknown), "1"):
        assert told.filled == (f"= {told.value:.4f}",)
        assert {row.document for row in told.rows} == {"A", "B"}
        assert not any(row.adds for row in told.rows)


WORKED = {
    "A": (300, 1000, 120, {*range(100, 300), *range(500, 600)}),
    "B": (50, 500, 0, set(range(50))),
    "C": (0, 800, None, set()),
    "D": (400, 400, 0, set(range(400))),
}


def test_the_worked_example_reads_as_one_would_write_it():
    ranking = [("A", 50, 150), ("A", 450, 200), ("C", 0, 100), ("B", 0, 100), ("Z", 0, 500)]
    own = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT, measures=(parse("AgP"), parse("gP[2]")))
    agp, gp = derive_prepared(prepare(qrels_of({"1": WORKED}), run_of({"1": ranking}), own), "1")
    assert agp.filled == (
        "= (0.6154 + 0.4274) / 3",
        "= 1.0427 / 3 = 0.3476",
    )
    assert gp.filled == ("= 0.6154 / 2 = 0.3077",), "what the formula says is not said again"
    first, second = agp.rows[:2]
    assert (first.rank, first.document, first.figures[0], first.adds) == (1, "A", 1, pytest.approx(0.615385))
    assert (second.document, second.adds) == ("C", 0.0)
    assert share_of(agp, first).filled == "0.6154 · (1 + 1/3) / 3 = 0.2735"
    assert share_of(agp, second).filled == ""
    assert share_of(gp, first) is None


def test_the_rows_of_a_focused_run_say_the_places_in_the_text():
    ranking = [("A", 50, 150), ("C", 0, 100), ("B", 0, 100), ("A", 450, 200)]
    own = ScoringSettings(task=Task.FOCUSED, measures=(parse("iP[0.01]"),))
    (told,) = derive_prepared(prepare(qrels_of({"1": WORKED}), run_of({"1": ranking}), own), "1")
    assert told.filled == ("= Σ rsize up to rank 1 / Σ size", "= 100 / 150 = 0.6667")
    assert [(row.start, row.end) for row in told.rows] == [(50, 200), (0, 100), (0, 100), (450, 650)]
    assert [row.adds for row in told.rows] == [100, 0, 0, 0]


def test_elements_are_derived_too():
    def judged(path, exhaustivity, size, rsize):
        return ElementJudgement(path, exhaustivity, size, rsize)

    elements = [judged("/a[1]", 2, 100, 40), judged("/a[1]/s[1]", 2, 50, 40), judged("/a[1]/s[2]", 1, 20, 10)]
    qrels = ElementQrels([("1", "d", elements)])
    run = ElementRun("r", {"1": (("d", "/a[1]/s[2]"), ("d", "/a[1]"), ("e", "/a[1]"))}, Task.THOROUGH)
    names = ("nxCG[10]", "nxCG[1]", "gr[10]", "ep[0.50]", "Aep", "P@10", "R@10", "F@2", "AP", "iAP")
    own = ScoringSettings(measures=tuple(map(parse, names)))
    scored = score_element_run(qrels, run, own)
    explained = explain_elements(qrels, run, own, "1")
    for told in explained.derivations:
        check(told, scored.topic("1")[told.measure])
        assert [row.element for row in told.rows] == ["/a[1]/s[2]", "/a[1]", "/a[1]"]
    assert [one.value for one in explained.derivations] == list(scored.topic("1").values())
    with pytest.raises(InexviewError, match="topic 7 is not scored"):
        explain_elements(qrels, run, own, "7")


def test_a_topic_that_is_not_scored_is_refused():
    with pytest.raises(InexviewError, match="topic 9 is not scored"):
        derive_prepared(
            prepare(
                qrels_of({"1": WORKED}), run_of({"1": [("A", 0, 5)]}), ScoringSettings(task=Task.FOCUSED)
            ),
            "9",
        )
