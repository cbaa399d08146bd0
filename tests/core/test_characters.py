"""The measures of Wade and Allan against an oracle that ranks the characters one by one."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.measures import characters
from inexview.core.measures.harmonic import sum_of_reciprocals
from inexview.core.measures.joined import UNKNOWN_SIZE, join
from inexview.core.measures.parameters import Parameters
from inexview.core.qrels import Judgement, Qrels
from inexview.core.runs import UNKNOWN, Result, Run, Task
from inexview.core.spans import Spans

LENGTH = 50
PASSAGE = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 20)).map(lambda p: (p[0], min(LENGTH, sum(p))))
UNKNOWN_PASSAGE = (UNKNOWN, UNKNOWN)
TOPICS = st.sampled_from(["1", "2"])
QRELS = st.dictionaries(st.tuples(TOPICS, st.sampled_from("abc")), st.lists(PASSAGE, max_size=4), min_size=1)
RUNS = st.lists(
    st.tuples(TOPICS, st.sampled_from("abcz"), PASSAGE | st.just(UNKNOWN_PASSAGE)), min_size=1, max_size=12
)
CUTOFFS = (1, 5, 17, 60)


def marked(passages):
    return {c for start, end in passages for c in range(start, end)}


def make_qrels(judged):
    rows = [(topic, document, Spans(passages)) for (topic, document), passages in judged.items()]
    return Qrels.from_judgements(Judgement(t, d, s.size, LENGTH, None, s) for t, d, s in rows)


def make_run(results):
    return Run.from_results(Result(t, d, 1, None, start, end) for t, d, (start, end) in results)


def view_of(judged, results):
    joined = join(make_qrels(judged), make_run(results), Task.PASSAGES)
    return characters.CharacterRanking(joined, Parameters())


def ranked_characters(judged, passages):
    """Rank the characters in reading order: for each passage, which of its characters count as relevant."""
    seen, ranking = set(), []
    for document, (start, end) in passages:
        counted = []
        for c in range(start, end) if start != UNKNOWN else [None] * UNKNOWN_SIZE:
            relevant = c is not None and c in judged.get(document, ())
            counted.append(relevant and (document, c) not in seen)
            seen.add((document, c))
        ranking.append(counted)
    return ranking


def oracle(judged, passages, passage_count):
    """Return every measure, straight from the definitions."""
    by_passage = ranked_characters(judged, passages)
    flat = [relevant for passage in by_passage for relevant in passage]
    total = sum(map(len, judged.values()))
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


@given(QRELS, RUNS)
def test_every_measure_is_the_oracles(judged, results):
    view = view_of(judged, results)
    got = computed(view)
    for at, topic in enumerate(view.joined.topics):
        sets = {document: marked(passages) for (t, document), passages in judged.items() if t == topic}
        passage_count = sum(len(Spans(passages)) for (t, _), passages in judged.items() if t == topic)
        wanted = oracle(sets, [(d, p) for t, d, p in results if t == topic], passage_count)
        assert {name: scores[at] for name, scores in got.items()} == pytest.approx(wanted, abs=1e-12)


def test_a_hand_worked_ranking():
    # a: characters 0–3 relevant; ranked: a 2–5 (relevant at ranks 1, 2), then a 0–3 (new at 4+1, 4+2)
    view = view_of({("1", "a"): [(0, 4)]}, [("1", "a", (2, 6)), ("1", "a", (0, 4))])
    assert characters.average_precision(view)[0] == pytest.approx((1 + 1 + 3 / 5 + 4 / 6) / 4)
    assert characters.r_precision(view)[0] == 2 / 4
    assert characters.precision(view, 2)[0] == 1
    # one relevant passage, so only the first one counts
    assert characters.passage_r_precision(view)[0] == 2 / 4
    # two relevant with none above, two with 2 non-relevant above: (1 + 1 + ½ + ½)/4
    assert characters.preference(view)[0] == pytest.approx(3 / 4)
    assert characters.preference(view, 2)[0] == 1


def split(results):
    """Split every passage in two, as Wade and Allan did to show how passage measures can be gamed."""
    return [
        (topic, document, half)
        for topic, document, (start, end) in results
        for half in ((start, (start + end) // 2), ((start + end) // 2, end))
    ]


def test_splitting_passages_five_times_lifts_passage_r_precision_and_moves_no_character_measure():
    # figure 1 of the paper: relevant text lies at the beginning of what is retrieved
    judged = {("1", f"d{n}"): [(0, 640)] for n in range(8)}
    results = [("1", f"d{n}", (0, 3200)) for n in range(8)]
    before = computed(view_of(judged, results))
    passage_scores = [before.pop("psgRprec")[0]]
    for _ in range(5):
        results = split(results)
        after = computed(view_of(judged, results))
        passage_scores.append(after.pop("psgRprec")[0])
        for name, scores in after.items():
            assert scores[0] == pytest.approx(before[name][0], abs=1e-12), name
    assert passage_scores == sorted(passage_scores)
    assert passage_scores[-1] > 2 * passage_scores[0]


def test_a_topic_without_results_scores_nothing():
    qrels = make_qrels({("1", "a"): [(0, 4)], ("2", "a"): [(0, 4)]})
    joined = join(qrels, make_run([("2", "a", (0, 4))]), Task.PASSAGES, complete=True)
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
