"""Judged elements against the characters behind them: what sizes alone tell must be what the sets say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.judgements.elements import ElementJudgement, ElementQrels, ElementRun
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Run, Task
from inexview.core.measures import elements
from inexview.core.measures.elements import ElementRanks
from inexview.core.measures.joined import join
from inexview.core.measures.measure import Parameters
from inexview.core.text.spans import Spans

LENGTH = 48
# An article of two sections of three paragraphs of eight characters, each with an emphasis of four.
ARTICLE = {"/a[1]": (0, LENGTH)}
for s in range(2):
    ARTICLE[f"/a[1]/s[{s + 1}]"] = (24 * s, 24 * s + 24)
    for p in range(3):
        start = 24 * s + 8 * p
        ARTICLE[f"/a[1]/s[{s + 1}]/p[{p + 1}]"] = (start, start + 8)
        ARTICLE[f"/a[1]/s[{s + 1}]/p[{p + 1}]/b[1]"] = (start + 2, start + 6)

HIGHLIGHTS = st.dictionaries(
    st.sampled_from("de"), st.sets(st.integers(0, LENGTH - 1), max_size=LENGTH), min_size=1
)
RANKINGS = st.lists(
    st.tuples(st.sampled_from("dez"), st.sampled_from(sorted(ARTICLE))), min_size=1, max_size=12
)


def element_qrels(highlights):
    documents = []
    for document, marked in highlights.items():
        counted = [
            ElementJudgement(path, 2, end - start, len(marked & set(range(start, end))))
            for path, (start, end) in ARTICLE.items()
        ]
        documents.append(("1", document, [element for element in counted if element.rsize]))
    return ElementQrels(documents)


def ranks_of(highlights, ranking):
    return ElementRanks(element_qrels(highlights), ElementRun("run", {"1": tuple(ranking)}))


@given(HIGHLIGHTS, RANKINGS)
def test_seen_parts_of_an_element_are_counted_as_by_characters(highlights, ranking):
    ranks = ranks_of(highlights, ranking)
    seen = set()
    for at, (document, path) in enumerate(ranking):
        highlighted = {(document, c) for c in range(*ARTICLE[path]) if c in highlights.get(document, ())}
        assert ranks.rsize[at] == len(highlighted)
        assert ranks.seen[at] == len(highlighted & seen)
        seen |= highlighted
    assert ranks.trel.tolist() == [sum(map(len, highlights.values()))]


@given(HIGHLIGHTS, RANKINGS)
def test_hixeval_of_elements_is_hixeval_of_their_passages(highlights, ranking):
    qrels = Qrels.from_judgements(
        Judgement("1", document, len(marked), LENGTH, None, Spans((c, c + 1) for c in marked))
        for document, marked in highlights.items()
    )
    run = Run.from_results(Result("1", document, 1, None, *ARTICLE[path]) for document, path in ranking)
    by_passages = elements.ResultValues(join(qrels, run, Task.THOROUGH), Parameters())
    by_elements = elements.ResultValues(ranks_of(highlights, ranking), Parameters())
    for compute, cutoff in (
        (elements.precision, [3]),
        (elements.recall, [3]),
        (elements.f, [10]),
        (elements.average_precision, []),
        (elements.interpolated_average_precision, []),
    ):
        assert compute(by_elements, *cutoff).tolist() == pytest.approx(compute(by_passages, *cutoff).tolist())


def test_with_overlap_off_there_is_as_much_to_find_as_all_judged_elements_hold():
    ranks = ranks_of({"d": {2, 3}}, [("d", "/a[1]/s[1]"), ("d", "/a[1]")])
    off = elements.ResultValues(ranks, Parameters(alpha=0.0))
    # the two characters lie in an article, a section, a paragraph and an emphasis
    assert off.trel.tolist() == [8]
    assert elements.recall(off, 10).tolist() == [0.5]
    on = elements.ResultValues(ranks, Parameters(alpha=1.0))
    assert on.trel.tolist() == [2]
    assert elements.recall(on, 10).tolist() == [1.0]


def test_topics_missing_from_the_run_count_only_if_asked():
    qrels = ElementQrels([("1", "d", [ElementJudgement("/a[1]", 2, 9, 3)]), ("2", "d", [])])
    run = ElementRun("run", {"2": (("d", "/a[1]"),), "9": ()})
    assert ElementRanks(qrels, run).topics == ("2",)
    complete = ElementRanks(qrels, run, complete=True)
    assert complete.topics == ("1", "2")
    assert complete.ptr.tolist() == [0, 0, 1]
    assert complete.trel.tolist() == [3, 0]
    assert elements.average_precision(elements.ResultValues(complete, Parameters())).tolist() == [0, 0]


@pytest.mark.parametrize(("alpha", "ideal"), [(0.0, [2.0, 1.0, 0.5]), (1.0, [2.0])])
def test_xcg_takes_alpha_0_as_overlap_off_with_every_element_and_else_the_ideal_ones(alpha, ideal):
    judged = [
        ElementJudgement("/a[1]", 1, 40, 20),
        ElementJudgement("/a[1]/s[1]", 2, 40, 20),
        ElementJudgement("/a[1]/s[1]/p[1]", 2, 20, 20),
    ]
    qrels = ElementQrels([("1", "d", judged)])
    run = ElementRun("run", {"1": (("d", "/a[1]/s[1]/p[1]"), ("d", "/a[1]/s[1]"))})
    view = elements.ElementGains(ElementRanks(qrels, run), Parameters(alpha=alpha))
    assert [gains.tolist() for gains in view.ideal] == [ideal]
    assert elements.normalised_gain(view, 1).tolist() == [1.0]
    assert elements.average_effort_precision(view).tolist() == [
        elements.mean_effort_precision(view.run[0], np.array(ideal))
    ]
    assert elements.effort_precision_at(view, 0.5).tolist() == [1.0]
    assert elements.gain_recall_at(view, 1).tolist() == [2.0 / sum(ideal)]


GRADES = st.dictionaries(
    st.sampled_from(sorted(ARTICLE)), st.tuples(st.sampled_from([1, 2]), st.integers(1, LENGTH)), min_size=1
)


@given(GRADES, RANKINGS, st.sampled_from([0.25, 0.75, 1.0]), st.sampled_from(list(elements.QUANTISATIONS)))
def test_gains_and_the_ideal_base_are_those_of_the_definitions(grades, ranking, alpha, name):
    """Straight from the words: nothing is remembered, every element is looked at again for every result."""
    judged = {
        path: ElementJudgement(path, e, end - start, min(relevant, end - start))
        for path, (e, relevant) in grades.items()
        for start, end in [ARTICLE[path]]
    }
    value = {path: elements.QUANTISATIONS[name](element) for path, element in judged.items()}

    def inside(path, container):
        return path.startswith(container + "/")

    def gain(path, seen):
        if path not in judged:
            return 0.0
        if any(path == other or inside(path, other) for other in seen):
            return (1 - alpha) * value[path]
        if not any(inside(other, path) for other in seen):
            return value[path]
        below = [other for other in judged if inside(other, path)]
        children = [one for one in below if not any(inside(one, other) for other in below)]
        of_children = sum(gain(child, seen) * judged[child].size for child in children)
        return alpha * of_children / judged[path].size + (1 - alpha) * value[path]

    seen, wanted = [], []
    for document, path in ranking:
        wanted.append(gain(path, seen) if document == "d" else 0.0)
        if document == "d" and path in judged:
            seen.append(path)
    quantise = elements.QUANTISATIONS[name]
    assert elements.run_gains(ranking, {"d": judged}, quantise, alpha=alpha).tolist() == pytest.approx(wanted)
    relevant = {path for path in value if value[path] > 0}
    best = set()
    for leaf in relevant:
        if not any(inside(other, leaf) for other in relevant):
            way = [path for path in relevant if path == leaf or inside(leaf, path)]
            best.add(max(way, key=lambda path: (value[path], path.count("/"))))
    ideal = sorted((value[one] for one in best if not any(inside(o, one) for o in best)), reverse=True)
    assert elements.ideal_gains({"d": judged}, quantise, overlap=True).tolist() == ideal
