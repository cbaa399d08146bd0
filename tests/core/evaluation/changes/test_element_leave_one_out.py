"""Without an element or a document a run of elements scores what a full evaluation says, by every measure."""

from __future__ import annotations

import random

import pytest

from inexview.core.evaluation.derivations.explained import explain_elements
from inexview.core.evaluation.evaluate_elements import score_element_run
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.judgements.elements import ElementJudgement, ElementQrels, ElementRun
from inexview.core.judgements.runs import Task
from inexview.measures import parse

PATHS = ("/a[1]", "/a[1]/s[1]", "/a[1]/s[1]/p[1]", "/a[1]/s[1]/p[2]", "/a[1]/s[2]")
SIZES = dict(zip(PATHS, (100, 60, 20, 30, 40), strict=True))
MEASURES = (
    *("nxCG[1]", "nxCG[3]", "nxCG[50]", "gr[1]", "gr[3]", "ep[0.10]", "ep[0.50]", "ep[1.00]", "Aep"),
    *("P@1", "P@3", "R@3", "F@2", "AP", "iAP"),
)


CASES = 500


def judged():
    """Draw relevant elements of a document: of nested ones the outer has what the inner ones have."""
    own = {path: random.randint(0, SIZES[path]) for path in PATHS[2:]}
    own["/a[1]/s[1]"] = own[PATHS[2]] + own[PATHS[3]]
    own["/a[1]"] = own["/a[1]/s[1]"] + own["/a[1]/s[2]"]
    return [
        ElementJudgement(path, random.choice([1, 2]), SIZES[path], size) for path, size in own.items() if size
    ]


def random_case():
    """Draw judgements, a ranking without repeats, and settings."""
    documents = [(name, judged()) for name in "def"[: random.randint(1, 3)]]
    there = [(name, path) for name in "defx" for path in PATHS]
    own = ScoringSettings(
        task=Task.THOROUGH,
        measures=tuple(map(parse, MEASURES)),
        changes={
            "alpha": random.choice([0.0, 1.0, 0.5]),
            "quantisation": random.choice(["gen", "strict"]),
        },
        complete=True,
    )
    qrels = ElementQrels([("1", name, elements) for name, elements in documents])
    return qrels, random.sample(there, random.randint(1, 4)), own


def test_what_is_without_a_part_is_what_a_full_evaluation_says():
    for _ in range(CASES):
        check(*random_case())


def check(qrels, ranking, own):
    seen = {}

    def scored(kept):
        if tuple(kept) not in seen:
            run = ElementRun("r", {"1": tuple(kept)} if kept else {}, Task.THOROUGH)
            seen[tuple(kept)] = score_element_run(qrels, run, own).topic("1")
        return seen[tuple(kept)]

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
