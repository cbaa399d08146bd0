"""Without an element or a document a run of elements scores what a full evaluation says, by every measure."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.evaluation.evaluate import ScoringSettings
from inexview.core.evaluation.evaluate_elements import score_element_run
from inexview.core.evaluation.explained import explain_elements
from inexview.core.judgements.element_qrels import ElementJudgement, ElementQrels
from inexview.core.judgements.element_runs import ElementRun
from inexview.core.judgements.runs import Task
from inexview.measures import parse

PATHS = ("/a[1]", "/a[1]/s[1]", "/a[1]/s[1]/p[1]", "/a[1]/s[1]/p[2]", "/a[1]/s[2]")
SIZES = dict(zip(PATHS, (100, 60, 20, 30, 40), strict=True))
MEASURES = (
    *("nxCG[1]", "nxCG[3]", "nxCG[50]", "gr[1]", "gr[3]", "ep[0.10]", "ep[0.50]", "ep[1.00]", "Aep"),
    *("P@1", "P@3", "R@3", "F@2", "AP", "iAP"),
)


@st.composite
def judged(draw):
    """The relevant elements of a document: of nested ones the outer has at least what the inner ones have."""
    own = {path: draw(st.integers(0, SIZES[path])) for path in PATHS[2:]}
    own["/a[1]/s[1]"] = own[PATHS[2]] + own[PATHS[3]]
    own["/a[1]"] = own["/a[1]/s[1]"] + own["/a[1]/s[2]"]
    grade = st.sampled_from([1, 2])
    return [ElementJudgement(path, draw(grade), SIZES[path], size) for path, size in own.items() if size]


elements = st.tuples(st.sampled_from("defx"), st.sampled_from(PATHS))


@settings(max_examples=25)
@given(
    st.lists(judged(), min_size=1, max_size=3),
    st.lists(elements, min_size=1, max_size=8, unique=True),
    st.sampled_from([0.0, 1.0, 0.5]),
    st.sampled_from(["gen", "strict"]),
)
def test_what_is_without_a_part_is_what_a_full_evaluation_says(documents, ranking, alpha, quantisation):
    qrels = ElementQrels([("1", name, own) for name, own in zip("def", documents, strict=False)])
    own = ScoringSettings(
        task=Task.THOROUGH,
        measures=tuple(map(parse, MEASURES)),
        changes={"alpha": alpha, "quantisation": quantisation},
        complete=True,
    )

    def scored(kept):
        run = ElementRun("r", {"1": tuple(kept)} if kept else {}, Task.THOROUGH)
        return score_element_run(qrels, run, own).topic("1")

    told = explain_elements(qrels, ElementRun("r", {"1": tuple(ranking)}, Task.THOROUGH), own, "1")
    without, whole = told.without, scored(ranking)
    assert dict(zip(without.names, without.values.tolist(), strict=True)) == whole
    for at in range(len(ranking)):
        left = scored([*ranking[:at], *ranking[at + 1 :]])
        assert dict(zip(without.names, without.without_result[:, at].tolist(), strict=True)) == left
    for at, document in enumerate(without.documents):
        left = scored([one for one in ranking if one[0] != document])
        assert dict(zip(without.names, without.without_document[:, at].tolist(), strict=True)) == left
    for one in told.derivations:
        assert one.value == whole[one.measure]
        if one.fraction is not None:
            assert one.fraction.value == pytest.approx(one.value, abs=1e-12)
        elif one.measure.startswith("ep"):
            assert one.filled[-1].endswith(f"{one.value:.4f}") or one.value == 0


def test_effort_precision_says_both_ranks():
    elements = [ElementJudgement("/a[1]", 2, 10, 10), ElementJudgement("/b[1]", 2, 10, 5)]
    qrels = ElementQrels([("1", "d", elements)])
    run = ElementRun("r", {"1": (("x", "/a[1]"), ("d", "/b[1]"), ("d", "/a[1]"))}, Task.THOROUGH)
    own = ScoringSettings(measures=tuple(map(parse, ("ep[0.50]", "Aep"))))
    effort, mean = explain_elements(qrels, run, own, "1").derivations
    assert effort.filled[-1] == "= 1 / 3 = 0.3333"
    assert mean.filled[-1] == "= 1.1667 / 2 = 0.5833"
    assert mean.value == pytest.approx((1 / 2 + 2 / 3) / 2)
