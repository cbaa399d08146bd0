"""Text counted once, sets of text, tolerance to irrelevance and limits: against characters one by one."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inexview import evaluate
from inexview.core.evaluation.evaluate import compute
from inexview.core.judgements.runs import Task
from inexview.core.measures.in_context import reading_effort
from inexview.core.measures.joined import Counted, Limit, cut, join
from inexview.core.measures.measure import Parameters, family
from inexview.core.text.spans import Spans
from tests.core import oracles
from tests.core.strategies import TOPICS, judged_documents, qrels_of, rankings, run_of, together

RUNS = st.dictionaries(st.sampled_from(TOPICS), rankings(), min_size=1)
JUDGED = st.dictionaries(st.sampled_from(TOPICS), judged_documents(), min_size=1)


def new_text(ranked):
    """Each result as the set of its characters that no earlier result has shown; None: unknown."""
    seen = set()
    for document, start, size in ranked:
        own = {(document, at) for at in oracles.characters(start, size)} - seen
        seen |= own
        yield document, None if start is None else {at for _, at in own}


def relevant_text(judged, document):
    return judged[document][3] if document in judged and judged[document][0] > 0 else set()


@given(JUDGED, RUNS)
def test_thorough_counts_each_character_once(judged, ranked):
    names = [
        "P[1]",
        "P[3]",
        "P[100]",
        "R[2]",
        "R[100]",
        "AP",
        "AiP",
        *(f"iP[{x / 100:.2f}]" for x in range(101)),
    ]
    scores = evaluate(qrels_of(judged), run_of(ranked), task="thorough", preset="inex2009", measures=names)[0]
    for topic in scores.topics:
        documents = judged[topic]
        trel = sum(rsize for rsize, *_ in documents.values())
        hits, sizes = [], []
        for document, new in new_text(ranked[topic]):
            hits.append(len((new or set()) & relevant_text(documents, document)))
            sizes.append(oracles.UNKNOWN_SIZE if new is None else len(new))
        ours = scores.topic(topic)
        for rank in (1, 3, 100):
            below = sum(sizes[:rank])
            assert ours[f"P[{rank}]"] == pytest.approx(sum(hits[:rank]) / below if below else 0, abs=1e-15)
        assert ours["R[100]"] == pytest.approx(sum(hits) / trel if trel else 0, abs=1e-15)
        points = [
            (sum(hits[: at + 1]) / sum(sizes[: at + 1]), int(100 * (sum(hits[: at + 1]) / trel)))
            for at, hit in enumerate(hits)
            if hit and trel
        ]
        curve = [max((p for p, level in points if level >= x), default=0) for x in range(101)]
        assert [ours[f"iP[{x / 100:.2f}]"] for x in range(101)] == pytest.approx(curve, abs=1e-15)
        mean = sum(p for p, _ in points) / len(points) if points else 0
        assert ours["AP"] == pytest.approx(mean * (sum(hits) / trel if trel else 0), abs=1e-13)


@given(JUDGED, RUNS)
def test_sets_of_text_are_sets(judged, ranked):
    names = [f"{what}_{measure}" for what in ("char", "art") for measure in ("prec", "rec", "f1")]
    scores = evaluate(qrels_of(judged), run_of(ranked), task="thorough", preset="inex2010", measures=names)[0]
    for topic in scores.topics:
        documents = judged[topic]
        found = [(document, new) for document, new in new_text(ranked[topic])]
        retrieved = sum(oracles.UNKNOWN_SIZE if new is None else len(new) for _, new in found)
        hits = sum(len((new or set()) & relevant_text(documents, document)) for document, new in found)
        articles = {document for document, _ in found}
        relevant = {document for document, (rsize, *_) in documents.items() if rsize > 0}
        trel = sum(rsize for rsize, *_ in documents.values())
        ours = scores.topic(topic)
        for what, both, first, second in (
            ("char", hits, retrieved, trel),
            ("art", len(articles & relevant), len(articles), len(relevant)),
        ):
            p, r = both / first if first else 0, both / second if second else 0
            assert ours[f"{what}_prec"] == pytest.approx(p, abs=1e-15)
            assert ours[f"{what}_rec"] == pytest.approx(r, abs=1e-15)
            assert ours[f"{what}_f1"] == pytest.approx(2 * p * r / (p + r) if p + r else 0, abs=1e-15)


def read_one_by_one(relevant, retrieved, length, tolerance):
    """Read character by character; the relevant and irrelevant ones that were read."""
    order = sorted(retrieved) + [at for at in range(length) if at not in retrieved]
    hits, misses = [], []
    for at in order:
        if len(misses) == tolerance:
            break
        (hits if at in relevant else misses).append(at)
    return hits, misses


def tolerance_of_document(judged, tolerance):
    def score(document, passages):
        _, length, _, marked = judged[document]
        retrieved = set().union(*(oracles.characters(start, size) for start, size in passages))
        end = max([length, *(at + 1 for at in marked | retrieved)])
        patience = tolerance - oracles.UNKNOWN_SIZE * sum(start is None for start, _ in passages)
        if patience <= 0:
            return 0.0
        hits, misses = read_one_by_one(marked, retrieved, end, patience)
        return len(hits) / (len(hits) + len(misses) + tolerance - patience) if hits else 0.0

    return score


@example({"1": {"a": (1, 40, None, {0})}}, {"1": [("a", 41, 0)]}, 300)
@given(JUDGED, RUNS, st.sampled_from([1, 2, 5, 19, 30, 300]))
def test_tolerance_to_irrelevance_is_that_of_a_reader(judged, ranked, tolerance):
    ranked = {topic: together(ranking) for topic, ranking in ranked.items()}
    scores = evaluate(
        qrels_of(judged),
        run_of(ranked),
        task="relevant-in-context",
        overlap="allow",
        score="T2I",
        tolerance=tolerance,
    )[0]
    for topic in scores.topics:
        score = tolerance_of_document(judged[topic], tolerance)
        precision, _, _, average = oracles.in_context(judged[topic], ranked[topic], score)
        assert scores.topic(topic)["AgP"] == pytest.approx(average, abs=1e-13)
        assert scores.topic(topic)["gP[1]"] == pytest.approx(precision[0], abs=1e-13)


SPANS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 20)).map(lambda s: (s[0], s[0] + s[1])), max_size=5
)


@given(SPANS, SPANS, st.integers(0, 90), st.integers(1, 40))
@example([(5, 10)], [(0, 10)], 100, 5)
def test_reading_effort_is_explained_with_its_text(judged, retrieved, length, tolerance):
    marked, shown = Spans(judged), Spans(retrieved)
    effort = reading_effort(marked, shown, length=length, tolerance=tolerance)
    relevant = {at for start, end in marked for at in range(start, end)}
    seen = {at for start, end in shown for at in range(start, end)}
    end = max([length, *(at + 1 for at in relevant | seen)])
    hits, misses = read_one_by_one(relevant, seen, end, tolerance)
    # After the last irrelevant character nothing more is read, though relevant text may follow it.
    assert {at for start, stop in effort.read for at in range(start, stop)} == {*hits, *misses}
    assert (effort.relevant, effort.irrelevant) == (len(hits), len(misses))
    assert effort.score == (len(hits) / (len(hits) + len(misses)) if hits else 0)
    assert effort.stop == ([*misses][-1] + 1 if len(misses) == tolerance else None)


# -- limits ------------------------------------------------------------------------------------------

ONE = {"a": (40, 2000, 0, set(range(40))), "b": (10, 2000, 0, set(range(10)))}


def scored(ranked, **given_settings):
    return evaluate(qrels_of({"1": ONE}), run_of({"1": ranked}), preset="inex2010", **given_settings)[0]


def test_a_run_beyond_1000_characters_of_a_topic_is_reported_and_scored_unchanged():
    ranked = [("a", 0, 600), ("b", 0, 600)]
    scores = scored(ranked, task="restricted-focused")
    assert scores.mean["char_prec"] == 50 / 1200
    (told,) = scores.warnings
    assert told == (
        "result 2 of topic 1 in document b exceeds 1,000 characters a topic, and so do results of 1 topic; "
        "all are scored (--cut ignores the excess)"
    )
    kept = scored(ranked, task="restricted-focused", cut=True)
    assert (kept.mean["char_prec"], kept.warnings) == (50 / 1000, ())


def test_the_limit_of_an_article_counts_in_each_article():
    ranked = [("a", 200, 400), ("a", 0, 200), ("b", 0, 500)]
    scores = scored(ranked, task="restricted-relevant-in-context", cut=True, score="F", beta=1)
    assert scores.counts.total.ret_size == 1000
    p, r = 40 / 500, 1
    assert scores.mean["gP[1]"] == pytest.approx(2 * p * r / (p + r))
    assert "an article" in scored(ranked, task="restricted-relevant-in-context").warnings[0]


def cut_by_hand(ranking, of, most):
    """The results as far as the limit goes."""
    kept, used = [], {}
    for rank, (document, start, size) in enumerate(ranking, 1):
        one = document if of is Counted.ARTICLE_CHARACTERS else ""
        room = most - used.get(one, 0)
        used[one] = used.get(one, 0) + size
        if of is Counted.RESULTS:
            room = size if rank <= most else -1
        if room >= min(size, 1):
            kept.append((document, start, min(size, room)))
        elif not size and of is not Counted.RESULTS:
            kept.append((document, start, 0))
    return kept


@given(JUDGED, RUNS, st.sampled_from(list(Counted)), st.integers(1, 30))
def test_every_measure_of_a_cut_run_equals_that_of_a_shorter_run(judged, ranked, of, most):
    known = {topic: together([one for one in own if one[1] is not None]) for topic, own in ranked.items()}
    shorter = {topic: cut_by_hand(own, of, most) for topic, own in known.items()}
    qrels = qrels_of(judged)
    families = ("thorough", "text-sets", "characters", "hixeval", "fetch-browse", "in-context", "ranked")
    wanted = [(one, usual.cutoff) for name in families for one in family(name) for usual in one.usual()]
    whole, short = (join(qrels, run_of(own), Task.THOROUGH, complete=True) for own in (known, shorter))
    cut_here, _ = compute(cut(whole, Limit(most, of)), Parameters(), wanted)
    ends_there, _ = compute(short, Parameters(), wanted)
    assert np.array_equal(cut_here, ends_there)


def test_what_lies_wholly_beyond_is_left_out_and_a_passage_that_crosses_is_cut():
    kept = scored([("a", 0, 990), ("b", 0, 20), ("b", 50, 9)], task="restricted-focused", cut=True)
    assert (kept.counts.total.results, kept.counts.total.ret_size) == (2, 1000)
    assert kept.mean["char_rec"] == 1


@pytest.mark.parametrize("limit", [None, 15])
def test_results_of_a_topic_are_limited_and_the_limit_can_be_given(limit):
    ranked = [("a", at, 1) for at in range(1600)]
    scores = scored(ranked, task="efficiency", limit=limit)
    assert f"result {(limit or 1500) + 1} of topic 1" in scores.warnings[0]
    assert scored(ranked, task="efficiency", limit=limit, cut=True).counts.total.results == (limit or 1500)


def test_the_place_is_the_line_of_the_file():
    run = run_of({"1": [("a", 0, 600), ("b", 0, 600)]})
    placed = replace(run, line=np.array([7, 9]), path=Path("run.txt"))
    scores = evaluate(qrels_of({"1": ONE}), placed, preset="inex2010", task="restricted-focused")[0]
    assert scores.warnings[0].startswith("run.txt:9: result 2")
