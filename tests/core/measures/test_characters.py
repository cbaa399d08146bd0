"""The measures of Wade and Allan against an oracle that ranks the characters one by one."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.judgements.runs import Task
from inexview.core.measures import characters
from inexview.core.measures.characters import sum_of_reciprocals
from inexview.core.measures.joined import join
from inexview.core.measures.measure import Parameters
from tests.core.oracles import size_of
from tests.core.strategies import judged_documents, qrels_of, rankings, run_of

CUTOFFS = (1, 5, 17, 60)


def view_of(judged, ranking):
    joined = join(qrels_of({"1": judged}), run_of({"1": ranking}), Task.PASSAGES)
    return characters.CharacterRanking(joined, Parameters())


def one_document(*spans, length=100):
    """Return the judgement of a document "a"."""
    marked = {at for start, end in spans for at in range(start, end)}
    return {"a": (len(marked), length, None, marked)}


def ranked_characters(judged, ranking):
    """Rank the characters in reading order: for each passage, which of its characters count as relevant."""
    seen, ranked = set(), []
    for document, start, size in ranking:
        counted = []
        for at in range(size_of(start, size)):
            place = None if start is None else (document, start + at)
            relevant = place is not None and document in judged and start + at in judged[document][3]
            counted.append(relevant and place not in seen)
            seen.add(place)
        ranked.append(counted)
    return ranked


def oracle(judged, ranking):
    """Return every measure, straight from the definitions."""
    by_passage = ranked_characters(judged, ranking)
    flat = [relevant for passage in by_passage for relevant in passage]
    total = sum(len(marked) for *_, marked in judged.values())
    passage_count = sum(len({at for at in marked if at - 1 not in marked}) for *_, marked in judged.values())
    head = [relevant for passage in by_passage[:passage_count] for relevant in passage]
    scores = {"psgRprec": sum(head) / len(head) if head else 0.0}
    for n in (*CUTOFFS, None):
        k = total if n is None else min(n, total)
        found, missed, preferred = 0, 0, 0.0
        for relevant in flat:
            if relevant and found < k:
                preferred += 1 - min(missed, k) / k
                found += 1
            missed += not relevant
        scores["charRprec" if n is None else f"charP[{n}]"] = sum(flat[:k]) / k if k else 0.0
        scores["charBpref" if n is None else f"charBpref[{n}]"] = preferred / k if k else 0.0
    ranks = [rank for rank, relevant in enumerate(flat, 1) if relevant]
    scores["CAP"] = sum(i / rank for i, rank in enumerate(ranks, 1)) / total if total else 0.0
    return scores


def computed(view):
    scores = {
        "psgRprec": characters.passage_r_precision(view),
        "charRprec": characters.r_precision(view),
        "charBpref": characters.preference(view),
        "CAP": characters.average_precision(view),
    }
    for n in CUTOFFS:
        scores[f"charP[{n}]"] = characters.precision(view, n)
        scores[f"charBpref[{n}]"] = characters.preference(view, n)
    return scores


TOPIC = st.tuples(judged_documents(), rankings())


@given(TOPIC, TOPIC)
def test_every_measure_is_the_oracles(first, second):
    qrels = qrels_of({"1": first[0], "2": second[0]})
    run = run_of({"1": first[1], "2": second[1]})
    got = computed(characters.CharacterRanking(join(qrels, run, Task.PASSAGES), Parameters()))
    for at, (judged, ranking) in enumerate((first, second)):
        wanted = oracle(judged, ranking)
        assert {name: scores[at] for name, scores in got.items()} == pytest.approx(wanted, abs=1e-12)


def test_a_hand_worked_ranking():
    # a: characters 0–3 relevant; ranked: a 2–5 (relevant at ranks 1, 2), then a 0–3 (new at 4+1, 4+2)
    view = view_of(one_document((0, 4)), [("a", 2, 4), ("a", 0, 4)])
    assert characters.average_precision(view)[0] == pytest.approx((1 + 1 + 3 / 5 + 4 / 6) / 4)
    assert characters.r_precision(view)[0] == 2 / 4
    assert characters.precision(view, 2)[0] == 1
    # one relevant passage, so only the first one counts
    assert characters.passage_r_precision(view)[0] == 2 / 4
    # two relevant with none above, two with 2 non-relevant above: (1 + 1 + ½ + ½)/4
    assert characters.preference(view)[0] == pytest.approx(3 / 4)
    assert characters.preference(view, 2)[0] == 1


def split(ranking):
    """Split every passage in two, as Wade and Allan did to show how passage measures can be gamed."""
    return [
        half
        for document, start, size in ranking
        for half in ((document, start, size // 2), (document, start + size // 2, size - size // 2))
    ]


def test_splitting_passages_five_times_lifts_passage_r_precision_and_moves_no_character_measure():
    # figure 1 of the paper: relevant text lies at the beginning of what is retrieved
    documents = [f"d{n}" for n in range(8)]
    judged = {document: (640, 4000, None, set(range(640))) for document in documents}
    ranking = [(document, 0, 3200) for document in documents]
    before = computed(view_of(judged, ranking))
    passage_scores = [before.pop("psgRprec")[0]]
    for _ in range(5):
        ranking = split(ranking)
        after = computed(view_of(judged, ranking))
        passage_scores.append(after.pop("psgRprec")[0])
        for name, scores in after.items():
            assert scores[0] == pytest.approx(before[name][0], abs=1e-12), name
    assert passage_scores == sorted(passage_scores)
    assert passage_scores[-1] > 2 * passage_scores[0]


def test_a_topic_without_results_scores_nothing():
    qrels = qrels_of({"1": one_document((0, 4)), "2": one_document((0, 4))})
    joined = join(qrels, run_of({"2": [("a", 0, 4)]}), Task.PASSAGES, complete=True)
    for scores in computed(characters.CharacterRanking(joined, Parameters())).values():
        assert scores[0] == 0
        assert scores[1] > 0


@pytest.mark.parametrize("after", [0, 1, 5, 62, 63, 64, 65, 100, 12_345])
@pytest.mark.parametrize("count", [0, 1, 2, 40, 64, 500])
def test_sums_of_reciprocals_are_those_of_fractions(after, count):
    exact = sum((Fraction(1, after + j) for j in range(1, count + 1)), Fraction(0))
    assert float(sum_of_reciprocals(after, count)) == pytest.approx(float(exact), rel=2e-14, abs=0)


@pytest.mark.parametrize("after", [10**6, 10**9, 10**13])
def test_sums_of_reciprocals_keep_their_digits_far_out(after):
    exact = math.fsum(1 / (after + j) for j in range(1, 1001))
    assert float(sum_of_reciprocals(after, 1000)) == pytest.approx(exact, rel=2e-14)
