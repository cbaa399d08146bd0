"""The focused measures against the character-by-character oracle, and at their corners."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import DataError, Task, evaluate
from inexview.core.measures.joined import join, overlapping
from tests.core import oracles
from tests.core.strategies import TOPICS, judged_documents, qrels_of, rankings, run_of

ONE_TOPIC = {"a": (4, 100, 0, set(range(4)))}


@given(
    st.dictionaries(st.sampled_from(TOPICS), judged_documents(), min_size=1),
    st.dictionaries(st.sampled_from(TOPICS), rankings(), min_size=1),
)
def test_every_measure_is_that_of_the_oracle(judged, ranked):
    names = [f"{measure}[{rank}]" for measure in "PR" for rank in (1, 2, 3, 7, 100)]
    levels = [f"iP[{level / 100:.2f}]" for level in range(101)]
    scores = evaluate(
        qrels_of(judged),
        run_of(ranked),
        task="focused",
        overlap="allow",
        measures=[*names, *levels, "AiP", "AP"],
    )[0]
    assert scores.topics == tuple(topic for topic in judged if topic in ranked)
    for at, topic in enumerate(scores.topics):
        ours = scores.topic(topic)
        precision, recall, interpolated, aip, ap = oracles.focused(judged[topic], ranked[topic])
        for rank in (1, 2, 3, 7, 100):
            last = min(rank, len(precision)) - 1
            assert ours[f"P[{rank}]"] == pytest.approx(precision[last], abs=1e-15)
            assert ours[f"R[{rank}]"] == pytest.approx(recall[last], abs=1e-15)
        assert [ours[level] for level in levels] == pytest.approx(interpolated, abs=1e-15)
        assert scores.curve[at].tolist() == pytest.approx(interpolated, abs=1e-15)
        assert ours["AiP"] == pytest.approx(aip, abs=1e-13)
        assert ours["AP"] == pytest.approx(ap, abs=1e-13)


@given(st.integers(1, 100), st.integers(1, 400))
def test_a_level_is_reached_as_doubles_have_it(rel, trel):
    """floor(100 * (rel / Trel)), computed in that order: 29 of 100 reaches 0.28 only."""
    if rel > trel:
        rel, trel = trel, rel
    judged = {"a": (trel, 1000, 0, set(range(trel)))}
    scores = evaluate(qrels_of({"1": judged}), run_of({"1": [("a", 0, rel)]}), task="focused")[0]
    reached = [level for level in range(101) if scores.curve[0][level] > 0]
    assert max(reached) == int(100 * (rel / trel))


def test_29_of_100_characters_do_not_reach_level_0_29():
    judged = {"a": (100, 1000, 0, set(range(100)))}
    scores = evaluate(
        qrels_of({"1": judged}),
        run_of({"1": [("a", 0, 29)]}),
        task="focused",
        measures=["iP@0.28", "iP@0.29"],
    )[0]
    assert scores.mean == {"iP@0.28": 1.0, "iP@0.29": 0.0}


def test_text_that_is_retrieved_again_counts_once_where_overlaps_are_allowed():
    judged = {"1": ONE_TOPIC, "2": {"a": (4, 100, 0, set(range(50, 54)))}}
    again = {"1": [("a", 0, 8), ("a", 0, 4), ("a", 0, 4)], "2": [("a", 46, 16)]}
    scores = evaluate(qrels_of(judged), run_of(again), task="focused", overlap="allow", measures=["R[3]"])[0]
    assert scores.topic("1")["R[3]"] == 1
    assert scores.curve[0].tolist() == [4 / 8] * 101
    once = "results overlap earlier ones: each character counts once (--overlap drop ignores these results)"
    assert any(f"2 {once}" in warning for warning in scores.warnings)
    assert scores.curve[1].tolist() == [4 / 16] * 101


def test_a_run_whose_results_overlap_is_refused_and_the_lines_are_named(tmp_path):
    qrels, run = qrels_of({"1": ONE_TOPIC}), tmp_path / "run.txt"
    run.write_text("1 Q0 a 1 9 r 0 10\n1 Q0 b 2 8 r 0 10\n1 Q0 a 3 7 r 5 2\n")
    from inexview import read_run

    with pytest.raises(DataError, match=r"run\.txt:3: .*document a overlaps the result on line 1"):
        evaluate(qrels, read_run(run), task="focused")


@pytest.mark.parametrize(
    ("ranking", "kept"),
    [
        ([("a", 0, 10), ("a", 5, 10), ("a", 12, 5)], [0, 2]),  # what overlaps a dropped one only, stays
        ([("a", 5, 2), ("a", 0, 20)], [0]),  # one around an earlier one
        ([("a", 0, 20), ("a", 5, 2)], [0]),  # one strictly inside an earlier one
        ([("a", 0, 5), ("a", 5, 5)], [0, 1]),  # touching is not overlapping
        ([("a", 0, 5), ("a", 5, 5), ("a", 7, 1)], [0, 1]),  # also where others overlap
        ([("a", 0, 2), ("a", 10, 10), ("a", 15, 2)], [0, 1]),  # one inside the nearest of several
        ([("b", 0, 5), ("a", 0, 5), ("b", 3, 5), ("c", 0, 5)], [0, 1, 3]),
        ([("a", 0, 5), ("b", 0, 5)], [0, 1]),
        ([("a", 3, 0), ("a", 0, 9)], [0, 1]),  # nothing overlaps an empty passage
        ([("a", None, 0), ("a", None, 0)], [0, 1]),
    ],
)
def test_dropping_keeps_the_earlier_of_overlapping_results(ranking, kept):
    qrels = qrels_of({"1": ONE_TOPIC})
    dropped = evaluate(qrels, run_of({"1": ranking}), task="focused", overlap="drop")[0]
    alone = evaluate(qrels, run_of({"1": [ranking[at] for at in kept]}), task="focused")[0]
    assert dropped.mean == alone.mean
    assert dropped.counts.total == alone.counts.total


@given(rankings())
def test_a_run_is_refused_exactly_if_two_results_share_a_character(ranking):
    qrels, run = qrels_of({"1": ONE_TOPIC}), run_of({"1": ranking})
    shares = any(
        one[0] == other[0] and oracles.characters(*one[1:]) & oracles.characters(*other[1:])
        for at, one in enumerate(ranking)
        for other in ranking[:at]
    )
    if shares:
        with pytest.raises(DataError, match="overlaps"):
            evaluate(qrels, run, task="focused")
    else:
        evaluate(qrels, run, task="focused")


@given(rankings())
def test_what_dropping_leaves_does_not_overlap_and_lost_only_what_overlaps(ranking):
    kept = []
    for result in ranking:
        own = oracles.characters(*result[1:])
        if not any(result[0] == other[0] and own & oracles.characters(*other[1:]) for other in kept):
            kept.append(result)
    qrels = qrels_of({"1": ONE_TOPIC})
    dropped = evaluate(qrels, run_of({"1": ranking}), task="focused", overlap="drop")[0]
    scores = evaluate(qrels, run_of({"1": kept}), task="focused")[0]
    assert dropped.mean == scores.mean
    assert dropped.counts.total == scores.counts.total


@given(
    st.sampled_from([2**58, 2**61]),  # document, start and row are no one number of 64 bits then
    st.lists(
        st.tuples(st.sampled_from("abcde"), st.booleans(), st.integers(0, 5), st.integers(1, 6)), max_size=12
    ),
)
def test_overlaps_are_found_however_far_out_they_are(far, drawn):
    ranking = [(document, far * there + start, size) for document, there, start, size in drawn]
    laid = join(qrels_of({"1": ONE_TOPIC}), run_of({"1": ranking}), Task.FOCUSED)
    meeting = {
        (at, later)
        for later, (document, start, size) in enumerate(ranking)
        for at, (other, begin, length) in enumerate(ranking[:later])
        if document == other and start < begin + length and begin < start + size
    }
    found = set(zip(*(rows.tolist() for rows in overlapping(laid)), strict=True))
    assert found <= meeting
    assert bool(found) == bool(meeting)


def test_a_topic_without_relevant_text_scores_0_and_is_averaged_and_named():
    judged = {"1": ONE_TOPIC, "2": {"a": (0, 100, None, set())}}
    run = run_of({"1": [("a", 0, 4)], "2": [("a", 0, 4)]})
    scores = evaluate(qrels_of(judged), run, task="focused")[0]
    assert scores.topic("2")["AiP"] == 0
    assert scores.mean["MAiP"] == scores.topic("1")["AiP"] / 2 == 0.5
    assert any("no relevant document (2)" in warning for warning in scores.warnings)


def test_offsets_beyond_32_bits_are_scored():
    far = 2**33
    judged = {"a": (4, 2**34, far, set(range(far, far + 4)))}
    run = run_of({"1": [("a", far + 2, 10**9), ("b", 2**40, 2**39)]})
    scores = evaluate(qrels_of({"1": judged}), run, task="focused", measures=["P[1]", "R[1]", "P[2]"])[0]
    assert scores.mean == {"P[1]": 2 / 10**9, "R[1]": 0.5, "P[2]": 2 / (10**9 + 2**39)}
