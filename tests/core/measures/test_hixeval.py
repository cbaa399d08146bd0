"""HiXEval against an oracle with one set entry per character, and an example worked by hand."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.evaluation.derivations import of_hixeval, result_rows
from inexview.core.judgements.runs import Task
from inexview.core.measures import elements
from inexview.core.measures.joined import join
from inexview.core.measures.measure import Parameters
from tests.core.oracles import characters, size_of
from tests.core.strategies import judged_documents, qrels_of, rankings, run_of

ALPHAS = st.sampled_from([0.0, 0.25, 0.5, 1.0])
CUTOFFS = (1, 3, 10, 25)
TOPIC = st.tuples(judged_documents(), rankings())


def view_of(judged, rankings, alpha):
    """Make the view of topics' judged documents and rankings."""
    joined = join(qrels_of(judged), run_of(rankings), Task.THOROUGH)
    return elements.ResultValues(joined, Parameters(alpha=alpha))


def computed(view):
    scores = {"AP": elements.average_precision(view), "iAP": elements.interpolated_average_precision(view)}
    for r in CUTOFFS:
        scores[f"P@{r}"] = elements.precision(view, r)
        scores[f"R@{r}"] = elements.recall(view, r)
        scores[f"F@{r}"] = elements.f(view, r)
    return scores


def oracle(judged, ranking, alpha):
    """Return every measure, straight from the definitions."""
    seen, worth, sizes = set(), [], []
    for document, start, size in ranking:
        marked = judged[document][3] if document in judged else set()
        highlighted = {(document, at) for at in characters(start, size) & marked}
        worth.append(len(highlighted) - alpha * len(highlighted & seen))
        sizes.append(size_of(start, size))
        seen |= highlighted
    trel = sum(len(marked) for *_, marked in judged.values())

    def precision(r):
        return sum(value / size for value, size in zip(worth[:r], sizes[:r], strict=True) if size) / r

    def recall(r):
        return sum(worth[:r]) / trel if trel else 0.0

    ranks = range(1, len(worth) + 1)
    gaining = [precision(r) for r in ranks if worth[r - 1] > 0]
    scores = {"AP": sum(gaining) / len(gaining) * recall(len(worth)) if gaining else 0.0}
    levels = [[precision(r) for r in ranks if 10 * sum(worth[:r]) >= j * trel] for j in range(11)]
    scores["iAP"] = sum(max(level, default=0.0) for level in levels) / 11 if trel else 0.0
    for r in CUTOFFS:
        p, found = precision(r), recall(r)
        scores |= {f"P@{r}": p, f"R@{r}": found, f"F@{r}": 2 * p * found / (p + found) if p + found else 0.0}
    return scores


@given(TOPIC, TOPIC, ALPHAS)
def test_every_measure_is_the_oracles(first, second, alpha):
    got = computed(view_of({"1": first[0], "2": second[0]}, {"1": first[1], "2": second[1]}, alpha))
    for at, (judged, ranking) in enumerate((first, second)):
        wanted = oracle(judged, ranking, alpha)
        assert {name: scores[at] for name, scores in got.items()} == pytest.approx(wanted, abs=1e-12)


def test_a_hand_worked_ranking_with_overlap_on_off_and_half():
    # 20 characters of a are highlighted; a section of 40 holds them all, its first paragraph 10 of 10
    judged = {"1": {"a": (20, 50, None, set(range(20)))}}
    results = {"1": [("a", 0, 40), ("a", 0, 10)]}
    on, half, off = (view_of(judged, results, alpha) for alpha in (1.0, 0.5, 0.0))
    assert [view.rval.tolist() for view in (on, half, off)] == [[20, 0], [20, 5], [20, 10]]
    assert elements.precision(on, 2)[0] == 0.25
    assert elements.precision(half, 2)[0] == 0.5
    assert elements.precision(off, 2)[0] == 0.75
    assert elements.recall(on, 10)[0] == 1
    assert elements.average_precision(on)[0] == 0.5
    assert elements.average_precision(off)[0] == pytest.approx((0.5 + 0.75) / 2 * 1.5)
    # all is found at rank 1: the interpolated precision is the best from there on
    assert elements.interpolated_average_precision(on)[0] == pytest.approx(0.5)
    assert elements.interpolated_average_precision(off)[0] == pytest.approx(0.75)


@given(TOPIC, ALPHAS)
def test_the_papers_reading_takes_off_what_each_earlier_result_holds(topic, alpha):
    judged, ranking = topic
    joined = join(qrels_of({"1": judged}), run_of({"1": ranking}), Task.THOROUGH)
    values = elements.ResultValues(joined, Parameters(alpha=alpha, seen="each"))
    for at, (document, start, size) in enumerate(ranking):
        marked = judged[document][3] if document in judged and judged[document][0] > 0 else set()
        own = characters(start, size)
        earlier = [characters(x, n) for other, x, n in ranking[:at] if other == document]
        if any(own and own <= other for other in earlier):
            taken_off = len(own & marked)
        else:
            taken_off = sum(len(own & other & marked) for other in earlier)
        assert values.rval[at] == pytest.approx(len(own & marked) - alpha * taken_off)


def test_text_in_two_earlier_results_is_taken_off_once_or_with_each():
    judged = {"a": (30, 100, 0, set(range(30)))}
    ranking = [("a", 0, 10), ("a", 0, 20), ("a", 0, 40)]
    joined = join(qrels_of({"1": judged}), run_of({"1": ranking}), Task.THOROUGH)
    assert elements.ResultValues(joined, Parameters()).rval.tolist() == [10, 10, 10]
    assert elements.ResultValues(joined, Parameters(seen="each")).rval.tolist() == [10, 10, 0]


def test_a_level_stays_reached_where_recall_falls_again():
    judged = {"a": (10, 20, None, set(range(10)))}
    ranking = [("a", 0, 6), ("a", 4, 6), ("a", 2, 6), ("b", 0, 1), ("b", 1, 1)]
    joined = join(qrels_of({"1": judged}), run_of({"1": ranking}), Task.THOROUGH)
    each = elements.ResultValues(joined, Parameters(seen="each"))
    assert each.rval.tolist() == [6, 4, -2, 0, 0]  # all ten are found at rank 2, where P@2 is 5/6
    assert each.interpolated[0].tolist() == pytest.approx([1.0] * 7 + [5 / 6] * 4)
    derived = of_hixeval(each, "iAP", None, partial(result_rows, joined))
    assert [row.adds for row in derived.rows] == pytest.approx([7, 20 / 6, 0, 0, 0])


def test_both_readings_of_figure_1_on_made_judgements():
    """The figures that differ between the readings at ranks 3 and 4, on an article made to have them.

    Two overlapping passages, the section around them, and the article; the overlap, 12 relevant characters,
    is subtracted once from the section or, by the paper, twice.
    """
    relevant = {*range(1534), *range(2000, 3050), *range(5000, 5663)}
    judged = {"a": (len(relevant), 10_000, 0, relevant)}
    ranking = [("a", 0, 700), ("a", 688, 850), ("a", 0, 4000), ("a", 0, 10_000)]
    joined = join(qrels_of({"1": judged}), run_of({"1": ranking}), Task.THOROUGH)
    once = elements.ResultValues(joined, Parameters())
    each = elements.ResultValues(joined, Parameters(seen="each"))
    for rank, printed in ((3, (".7479", ".7469")), (4, (".5775", ".5381"))):
        found = tuple(f"{elements.precision(values, rank)[0]:.4f}"[1:] for values in (once, each))
        assert found == printed


def test_figure_1_by_hand_in_both_readings():
    """An article, as in figure 1: a paragraph, another that overlaps none, their section, and the article.

    The section holds two highlighted paragraphs of 300 and 100 of its 1,000 characters, and 200 more; the
    article has 4,000 characters and nothing else that is highlighted.
    """
    judged = {"a": (600, 4000, 0, {*range(100, 400), *range(500, 600), *range(700, 900)})}
    ranking = [("a", 100, 300), ("a", 500, 200), ("a", 100, 1000), ("a", 0, 4000)]
    joined = join(qrels_of({"1": judged}), run_of({"1": ranking}), Task.THOROUGH)
    once = elements.ResultValues(joined, Parameters())
    each = elements.ResultValues(joined, Parameters(seen="each"))
    assert once.rval.tolist() == [300, 100, 200, 0]
    assert each.rval.tolist() == [300, 100, 200, 600 - 300 - 100 - 600]  # twice what the section holds
    first_two = 300 / 300 + 100 / 200
    assert elements.precision(once, 3)[0] == pytest.approx((first_two + 200 / 1000) / 3)
    assert elements.precision(each, 3)[0] == pytest.approx((first_two + 200 / 1000) / 3)
    assert elements.precision(once, 4)[0] == pytest.approx((first_two + 0.2) / 4)
    assert elements.precision(each, 4)[0] == pytest.approx((first_two + 0.2 - 400 / 4000) / 4)
    assert elements.recall(once, 4)[0] == pytest.approx(600 / 600)
    assert elements.recall(each, 4)[0] == pytest.approx(200 / 600)
    off = elements.ResultValues(joined, Parameters(alpha=0.0))
    assert elements.precision(off, 4)[0] == pytest.approx((first_two + 600 / 1000 + 600 / 4000) / 4)
