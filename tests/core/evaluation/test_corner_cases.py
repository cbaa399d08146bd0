"""What the papers leave open, case by case, worked out by hand: one fact a test, for whoever compares tools.

The qrels of every test: a (4 relevant characters of 100, entry point 10), b (none of 50), c (2 of 80, entry
point 0); so Trel = 6 and two documents are relevant.
"""

import pytest

from inexview import DataError, Judgement, Qrels, Result, Run, Spans, evaluate, read_run
from tests.core.strategies import qrels_of, run_of

JUDGED = {"a": (4, 100, 10, {10, 11, 12, 13}), "b": (0, 50, None, set()), "c": (2, 80, 0, {0, 1})}
TASKS = ("focused", "relevant-in-context", "best-in-context", "thorough", "passages", "documents")


def scored(ranking, task, qrels=None, **settings):
    return evaluate(qrels or qrels_of({"1": JUDGED}), run_of({"1": ranking}), task=task, **settings)[0]


def means(ranking, task, *measures, **settings):
    found = scored(ranking, task, measures=measures, **settings).mean
    return pytest.approx(tuple(found.values()), abs=1e-15)


# -- what a result may be ------------------------------------------------------------------------------


def test_a_passage_of_no_characters_retrieves_nothing_and_overlaps_nothing():
    assert means([("a", 10, 0), ("a", 10, 4)], "focused", "P[1]", "P[2]", "iP[0.00]") == (0, 1, 1)


def test_a_document_of_which_nothing_is_retrieved_takes_its_rank_and_adds_its_precision():
    wanted = (0, 0.5, 1, (0 + 0.5) / 2)
    assert (
        means([("a", 10, 0), ("c", 0, 2)], "relevant-in-context", "gP[1]", "gP[2]", "gR[2]", "AgP") == wanted
    )


def test_characters_past_the_end_of_a_document_are_retrieved_and_not_relevant():
    assert means([("c", 0, 1000)], "focused", "P[1]", "R[1]") == (2 / 1000, 2 / 6)
    assert means([("c", 500, 10), ("c", 0, 2)], "focused", "P[1]", "P[2]") == (0, 2 / 12)
    assert "past the end of" in scored([("c", 0, 1000)], "focused").warnings[-1]


def test_results_past_the_1500th_count():
    ranking = [(f"x{at}", 0, 10) for at in range(1999)] + [("a", 10, 4)]
    assert means(ranking, "focused", "P[1500]", "P[2000]", "R[2000]") == (0, 4 / 19994, 4 / 6)
    assert scored(ranking, "focused").counts.total.results == 2000


def test_a_passage_that_the_collection_does_not_hold_has_18_characters_of_no_relevance():
    assert means([("a", None, 0), ("a", 10, 4)], "focused", "P[1]", "P[2]") == (0, 4 / 22)
    p, r = 4 / 22, 1
    assert means([("a", None, 0), ("a", 10, 4)], "relevant-in-context", "gP[1]") == (2 * p * r / (p + r),)


def test_a_passage_that_the_collection_does_not_hold_is_entered_at_minus_10000():
    assert means([("a", None, 0)], "best-in-context", "gP[1]", a=0.1) == (10 / (10 + 10_010),)
    assert means([("a", None, 0)], "best-in-context", "gP[1]", n=20_000) == ((20_000 - 10_010) / 20_000,)
    assert means([("a", None, 0)], "best-in-context", "gP[1]", n=1000) == (0,)


def test_a_result_is_entered_where_it_starts_however_long_it_is():
    assert means([("a", 30, 70)], "best-in-context", "gP[1]", n=100) == ((100 - 20) / 100,)


def test_an_entry_point_is_no_passage():
    run = Run.from_results([Result("1", "a", 1, None, 10, 14)])
    run.size[:] = -1  # a line of seven fields
    for task in ("focused", "relevant-in-context", "thorough", "passages"):
        with pytest.raises(DataError, match="has no length"):
            evaluate(qrels_of({"1": JUDGED}), run, task=task)
    assert evaluate(qrels_of({"1": JUDGED}), run, task="best-in-context", measures=["gP[1]"])[0].mean == {
        "gP[1]": 1.0
    }


# -- results that meet ---------------------------------------------------------------------------------


def test_passages_that_touch_do_not_overlap():
    assert means([("a", 10, 2), ("a", 12, 2)], "focused", "P[2]", "R[2]") == (1, 4 / 6)


def test_a_passage_inside_an_earlier_one_overlaps_it():
    with pytest.raises(DataError, match="result 2 of topic 1 in document a overlaps the result at rank 1"):
        scored([("a", 0, 50), ("a", 10, 4)], "focused")


def test_the_same_passage_twice_counts_once_wherever_overlap_is_allowed():
    twice = [("a", 10, 4), ("a", 10, 4)]
    assert means(twice, "focused", "P[2]", "R[2]", overlap="allow") == (1, 4 / 6)
    assert means(twice, "thorough", "P[2]", "R[2]") == (1, 4 / 6)


def test_the_same_passage_twice_counts_once_in_hixeval_and_among_ranked_characters():
    twice = [("a", 10, 4), ("a", 10, 4)]
    assert means(twice, "thorough", "P@10", "R@10", preset="hixeval2005", alpha=1) == (1 / 10, 4 / 6)
    assert means(twice, "thorough", "P@10", "R@10", preset="hixeval2005", alpha=0) == (2 / 10, 8 / 6)
    assert means(twice, "passages", "charRprec", "charP[6000]") == (4 / 6, 4 / 6)


def test_text_retrieved_again_does_not_hide_that_all_was_found():
    twice = [("a", 10, 4), ("c", 0, 2), ("a", 10, 4)]
    assert means(twice, "focused", "iP[1.00]", "AiP", overlap="allow") == (1, 1)


# -- documents -----------------------------------------------------------------------------------------


def test_an_unjudged_document_takes_its_rank_and_counts_as_not_relevant():
    ranking = [("z", 0, 10), ("c", 0, 2)]
    assert means(ranking, "relevant-in-context", "gP[1]", "gP[2]", "AgP") == (0, 0.5, 0.25)
    counts = scored(ranking, "relevant-in-context").counts.total
    assert (counts.num_ret, counts.num_rel_ret, counts.unjudged) == (2, 1, 1)


def test_a_relevant_document_without_an_entry_point_scores_0_and_adds_its_precision():
    judged = {**JUDGED, "a": (4, 100, None, {10, 11, 12, 13})}
    ranking = [("c", 0, 0), ("a", 10, 0)]
    qrels = qrels_of({"1": judged})
    assert means(ranking, "best-in-context", "gP[2]", "AgP", qrels=qrels) == (0.5, (1 + 0.5) / 2)


def test_relevant_text_that_no_passage_shows_is_never_retrieved_and_always_missed():
    qrels = Qrels.from_judgements(
        [Judgement("1", "a", 4, 100, 10, Spans([(10, 14)])), Judgement("1", "d", 6, 60, None, Spans())]
    )
    ranking = [("a", 10, 4), ("d", 0, 60)]
    assert means(ranking, "focused", "P[1]", "R[2]", qrels=qrels) == (1, 4 / 10)
    assert means(ranking, "relevant-in-context", "gR[2]", "AgP", qrels=qrels) == (1, (1 + 0.5) / 2)


# -- topics --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_a_topic_without_relevant_documents_scores_0_and_is_averaged(task):
    barren = {"b": JUDGED["b"]}
    run = run_of({"1": [("a", 10, 4)], "2": [("b", 0, 4)]})
    alone = evaluate(qrels_of({"1": JUDGED}), run, task=task)[0]
    both = evaluate(qrels_of({"1": JUDGED, "2": barren}), run, task=task)[0]
    assert set(both.topic("2").values()) == {0.0}
    assert both.counts.num_q == 2
    for name, mean in alone.mean.items():
        if name == "GMAP":  # a mean of logarithms, which counts 0 as 0.00001 [trec_eval]
            mean = 2 * (mean * 0.00001) ** 0.5
        assert both.mean[name] == pytest.approx(mean / 2, abs=1e-15)


@pytest.mark.parametrize("task", TASKS)
def test_topics_that_were_not_judged_change_no_score(task):
    ranking = [("c", 0, 2), ("a", 10, 4)]
    own, other = (
        evaluate(qrels_of({"1": JUDGED}), run_of(topics), task=task)[0]
        for topics in ({"1": ranking}, {"0": [("a", 0, 5)], "1": ranking, "9": [("c", 0, 5)]})
    )
    assert own.mean == other.mean
    assert other.counts.topics_ignored == 2
    assert any("2 topics were not judged (0, 9): ignored" in warning for warning in other.warnings)


def test_past_the_last_rank_precision_and_recall_keep_their_last_value():
    ranking = [("c", 0, 2), ("b", 0, 2)]
    assert means(ranking, "focused", "P[2]", "P[50]", "R[50]") == (0.5, 0.5, 2 / 6)
    assert means(ranking, "relevant-in-context", "gP[2]", "gP[50]", "gR[50]") == (0.5, 0.5, 0.5)


def test_documents_past_the_last_rank_count_as_not_relevant_where_documents_are_ranked():
    assert means([("c", 0, 2), ("a", 0, 2)], "documents", "P@10", "R@10") == (2 / 10, 1)


# -- files ---------------------------------------------------------------------------------------------


def test_equal_scores_leave_the_order_of_the_file_and_are_counted(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text("1 Q0 b 1 0.5 r 0 4\n1 Q0 a 2 0.5 r 10 4\n1 Q0 c 3 0.9 r 0 2\n")
    scores = evaluate(qrels_of({"1": JUDGED}), read_run(path), task="focused")[0]
    assert scores.topic("1")["iP[0.00]"] == pytest.approx(6 / 10)
    assert scores.counts.total.ties == 1


def test_a_topic_in_two_places_of_a_file_is_one_ranking(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text("1 Q0 a 1 3 r 10 4\n2 Q0 a 1 2 r 0 4\n1 Q0 c 2 1 r 0 2\n")
    scores = evaluate(qrels_of({"1": JUDGED}), read_run(path), task="focused", measures=["R[2]"])[0]
    assert scores.mean == {"R[2]": 1.0}


@pytest.mark.parametrize("text", ["", "\n", "  \n\n"], ids=["nothing", "a newline", "blanks"])
def test_an_empty_run_is_refused(tmp_path, text):
    path = tmp_path / "run.txt"
    path.write_text(text)
    with pytest.raises(DataError, match="the file is empty"):
        read_run(path)
