"""Measures of subtopics against ndeval's figures, and against a brute force over any judgements."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import InexviewError, Result, Run, evaluate
from inexview.core.evaluation.explain import explain_run
from inexview.core.formats.trec import read_diversity_qrels, write_diversity_qrels
from inexview.core.judgements.qrels import AspectQrels
from inexview.core.judgements.subsets import Subset
from tests.core.strategies import qrels_of

QRELS = """1 1 d1 1
1 2 d1 0
1 2 d2 1
1 3 d2 1
1 1 d3 2
1 2 d3 1
1 4 d5 1
1 1 d6 0
2 1 d1 1
2 2 d4 1
"""
RANKINGS = {"1": ["d6", "d3", "d1", "d9", "d2", "d5"], "2": ["d4", "d7", "d1"]}
NAMES = ("alpha_nDCG@5", "alpha_nDCG@20", "ERR_IA@5", "ERR_IA@20", "strec@5")
OF_NDEVAL = {
    "1": (0.5713520810399668, 0.6686303904967273, 0.2662632375189108, 0.29455025600377854, 0.75),
    "2": (0.9197207891481877, 0.9197207891481877, 0.48411497730711045, 0.48089837714902606, 1.0),
}
"""By ndeval of trec_web, as pyndeval 0.0.6 has it."""


def read(folder, text):
    path = folder / "qrels"
    path.write_text(text)
    return read_diversity_qrels(path)


def run_over(rankings):
    return Run.from_results(
        Result(topic, document, rank, None, 0, 1)
        for topic, documents in rankings.items()
        for rank, document in enumerate(documents, 1)
    )


def scores_of(qrels, run, *names, **settings):
    scores = evaluate(qrels, run, task="documents", preset="diversity", measures=names, **settings)[0]
    return {
        topic: dict(zip(scores.names, own, strict=True))
        for topic, own in zip(scores.topics, scores.values.T, strict=True)
    }


def test_the_measures_are_ndevals(tmp_path):
    got = scores_of(read(tmp_path, QRELS), run_over(RANKINGS), *NAMES)
    for topic, wanted in OF_NDEVAL.items():
        assert [got[topic][name] for name in NAMES] == pytest.approx(wanted, abs=1e-15)


DOCUMENTS = [f"d{n}" for n in range(8)]
TOLD = st.dictionaries(st.sampled_from(DOCUMENTS), st.sets(st.sampled_from("123")), min_size=1)


def worth(told, ranking, alpha):
    """Return what each document of a ranking adds, exactly."""
    return [
        sum(
            (1 - alpha) ** sum(one in told.get(before, ()) for before in ranking[:at])
            for one in told.get(document, ())
        )
        for at, document in enumerate(ranking)
    ]


def by_hand(told, ranking, k, alpha):
    left, ideal = [name for name in sorted(told, reverse=True) if told[name]], []
    while left:
        gain = {name: worth(told, [*ideal, name], alpha)[-1] for name in left}
        ideal.append(max(left, key=gain.__getitem__))
        left.remove(ideal[-1])
    dcg, best = (
        sum(gain / math.log2(at + 2) for at, gain in enumerate(worth(told, own, alpha)[:k]))
        for own in (ranking, ideal)
    )
    subtopics = {one for own in told.values() for one in own}
    if not subtopics:
        return 0, 0, 0
    err = sum(gain / Fraction(at + 1) for at, gain in enumerate(worth(told, ranking, alpha)[:k]))
    most = sum((1 - alpha) ** at / Fraction(at + 1) for at in range(k))
    seen = {one for name in ranking[:k] for one in told.get(name, ())}
    return dcg / best, err / len(subtopics) / most, len(seen) / len(subtopics)


def judged(told, folder):
    lines = [f"1 {one} {name} 1" for name, own in told.items() for one in sorted(own)]
    lines += [f"1 1 {name} 0" for name, own in told.items() if not own]
    return read(folder, "\n".join(lines) + "\n")


@given(
    TOLD,
    st.lists(st.sampled_from([*DOCUMENTS, "d9"]), min_size=1, unique=True),
    st.sampled_from([1, 2, 5, 20]),
    st.sampled_from([Fraction(1, 2), Fraction(1, 4), Fraction(1)]),
)
def test_any_ranking_scores_by_the_definitions(tmp_path_factory, told, ranking, k, alpha):
    names = [f"{name}@{k}" for name in ("alpha_nDCG", "ERR_IA", "strec")]
    qrels = judged(told, tmp_path_factory.mktemp("told"))
    got = scores_of(qrels, run_over({"1": ranking}), *names, alpha=float(alpha))["1"]
    wanted = by_hand(told, ranking, k, alpha)
    assert [got[name] for name in names] == pytest.approx([float(one) for one in wanted], abs=1e-12)


@given(TOLD)
def test_written_subtopics_are_read_again(tmp_path_factory, told):
    folder = tmp_path_factory.mktemp("told")
    qrels = judged(told, folder)
    write_diversity_qrels(qrels, folder / "again")
    again = read_diversity_qrels(folder / "again")
    assert isinstance(again, AspectQrels)
    assert dict(zip(again.document.strings(), again.aspects, strict=True)) == dict(
        zip(qrels.document.strings(), qrels.aspects, strict=True)
    )


def test_a_subset_of_topics_keeps_the_subtopics_of_documents(tmp_path):
    part = Subset(frozenset({"2"})).of_qrels(read(tmp_path, QRELS))
    assert scores_of(part, run_over(RANKINGS), *NAMES)["2"] == pytest.approx(
        dict(zip(NAMES, OF_NDEVAL["2"], strict=True)), abs=1e-15
    )


@pytest.mark.parametrize("name", NAMES)
def test_what_documents_add_is_the_score(tmp_path, name):
    told = explain_run(
        read(tmp_path, QRELS), run_over(RANKINGS), "1", task="documents", preset="diversity", measures=[name]
    )
    assert len(told.derivations) == 1
    for derivation in told.derivations:
        added = sum(row.adds for row in derivation.rows)
        assert added / derivation.fraction.denominator == pytest.approx(derivation.value, abs=1e-12)
        assert derivation.value == pytest.approx(OF_NDEVAL["1"][NAMES.index(name)], abs=1e-15)


def test_judgements_without_subtopics_name_the_required_preset():
    with pytest.raises(InexviewError, match="judgements of subtopics: --preset diversity"):
        evaluate(qrels_of({"1": {"a": (4, 9, 0, {0, 1})}}), run_over({"1": ["a"]}), preset="diversity")
