"""The measures of chunks against sets of characters, also as LegalBench-RAG and Chroma count."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import Judgement, Qrels, Result, Run, Spans, evaluate
from inexview.core.evaluation.explain import explain_run
from inexview.core.judgements.runs import Task
from inexview.core.open_runs.rankings import Ranking
from tests.core.strategies import TOPICS, judged_documents, qrels_of, rankings, run_of

KS = (1, 2, 5)


def gold_of(judged):
    """The relevant passages of a topic as (document, set of characters): stretches without a gap."""
    passages = []
    for document, (rsize, _, _, marked) in judged.items():
        if not rsize:
            continue
        stretch = set()
        for at in sorted(marked):
            if stretch and at - 1 not in stretch:
                passages.append((document, stretch))
                stretch = set()
            stretch.add(at)
        passages.append((document, stretch))
    return passages


def oracle(judged, ranking):
    """All measures of a topic, written from their definitions alone."""
    relevant = {(d, at) for d, (rsize, _, _, marked) in judged.items() if rsize for at in marked}
    chunks = [
        (d, set() if start is None else {(d, at) for at in range(start, start + size)})
        for d, start, size in ranking
    ]
    read = sum(size for _, start, size in ranking if start is not None)
    covered = set().union(*(own for _, own in chunks)) if chunks else set()
    hit = covered & relevant
    hit_again = sum(len(own & relevant) for _, own in chunks)
    gold = gold_of(judged)
    held = [{(d, at) for at in own} for d, own in gold]

    def near(start, end, document):
        return any(document == d and start <= max(own) + 1 and min(own) <= end for d, own in gold)

    placed = [(d, start, start + size) for d, start, size in ranking if start is not None]
    touching = {(d, at) for d, start, end in placed if near(start, end, d) for at in range(start, end)}
    borders = {(d, at) for d, start, end in placed for at in (start, end)}
    cut = sum(min(own) < at <= max(own) for d, own in gold for document, at in borders if document == d)

    def of(above, below):
        return above / below if below else 0.0

    def share(holds):
        return of(sum(map(holds, held)), len(held))

    return {
        "char_rec": of(len(hit), len(relevant)),
        "char_prec": of(len(hit), len(covered)),
        "char_iou": of(len(hit), len(covered | relevant)),
        "chroma_prec": of(len(hit), read),
        "chroma_iou": of(len(hit), read + len(relevant) - len(hit)),
        "lbr_prec": of(hit_again, read),
        "lbr_rec": of(hit_again, len(relevant)),
        "intact": share(lambda own: any(own <= chunk for _, chunk in chunks)),
        "found[0.00]": share(lambda own: bool(own & covered)),
        "found[0.50]": share(lambda own: bool(own & covered) and 2 * len(own & covered) >= len(own)),
        "found[1.00]": share(lambda own: own <= covered),
        "prec_omega": of(len(hit), len(touching | relevant)),
        "cuts": of(cut, len(gold)),
        "judged": of(sum(d in judged for d, _ in chunks), len(chunks)),
        "redundancy": of(read - len(covered), len(covered)),
        "chars": float(read),
    }


def known(ranking):
    return [result for result in ranking if result[1] is not None]


def of_two(name):
    """The measure of the first two chunks, by its parameter."""
    bare, bracket, level = name.partition("[")
    return f"{bare}(k=2){bracket}{level}"


@given(
    st.dictionaries(st.sampled_from(TOPICS), judged_documents(), min_size=1),
    st.dictionaries(st.sampled_from(TOPICS), rankings().map(known).filter(bool), min_size=1),
)
def test_every_measure_is_that_of_sets_of_characters(judged, ranked):
    names = list(oracle({}, []))
    at_k = [name for name in names if not name.startswith(("found", "prec_omega", "cuts"))]
    wanted = [*names, *(f"{name}@{k}" for name in at_k for k in KS), *map(of_two, names)]
    scores = evaluate(qrels_of(judged), run_of(ranked), preset="chunks", measures=wanted)[0]
    for topic in scores.topics:
        ours = scores.topic(topic)
        whole = oracle(judged[topic], ranked[topic])
        assert {name: ours[name] for name in names} == pytest.approx(whole, abs=1e-12)
        of_first_two = oracle(judged[topic], ranked[topic][:2])
        assert {name: ours[of_two(name)] for name in names} == pytest.approx(of_first_two, abs=1e-12)
        for k in KS:
            first = oracle(judged[topic], ranked[topic][:k])
            assert {name: ours[f"{name}@{k}"] for name in at_k} == pytest.approx(
                {name: first[name] for name in at_k}, abs=1e-12
            )


def cut_to(ranking, budget):
    """The first characters of a ranking; the chunk in which they end is cut."""
    cut = []
    for document, start, size in ranking:
        left = min(size, budget)
        if left > 0 or size == 0:
            cut.append((document, start, left))
        budget -= left
    return cut


@given(judged_documents(), rankings().map(known).filter(bool), st.integers(1, 60))
def test_a_budget_cuts_the_last_chunk(judged, ranking, budget):
    names = ("char_rec", "char_prec", "chroma_iou", "lbr_rec", "found[1.00]", "chars")
    given = [f"{name}(budget={budget})" for name in names if "[" not in name]
    given += [f"found(budget={budget})[1.00]"]
    scores = evaluate(qrels_of({"1": judged}), run_of({"1": ranking}), preset="chunks", measures=given)[0]
    expected = oracle(judged, cut_to(ranking, budget))
    ours = dict(zip(given, scores.topic("1").values(), strict=True))
    for name in given:
        plain = name.replace(f"(budget={budget})", "")
        assert ours[name] == pytest.approx(expected[plain], abs=1e-12), name
    by_parameter = evaluate(
        qrels_of({"1": judged}), run_of({"1": ranking}), preset="chunks", budget=budget, measures=["char_rec"]
    )[0]
    assert by_parameter.topic("1")["char_rec"] == pytest.approx(expected["char_rec"], abs=1e-12)


def test_recall_of_legalbench_rag_exceeds_1_where_chunks_overlap():
    qrels = Qrels.from_judgements([Judgement("1", "a", 10, 100, None, Spans([(10, 20)]))])
    run = Run.from_results([Result("1", "a", 1, None, 0, 30), Result("1", "a", 2, None, 5, 35)])
    values = evaluate(qrels, run, preset="chunks", measures=["lbr_rec", "char_rec"])[0].topic("1")
    assert values == {"lbr_rec": 2.0, "char_rec": 1.0}


def test_a_chunk_without_a_place_is_read_and_never_relevant():
    qrels = Qrels.from_judgements([Judgement("1", "a", 10, 100, None, Spans([(10, 20)]))])
    run = Run.from_results([Result("1", "a", 1, None, 10, 20), Result("1", "a", 2, None, -1, 39)])
    values = evaluate(qrels, run, preset="chunks", measures=["char_prec", "chars"])[0].topic("1")
    assert values == {"char_prec": 10 / 50, "chars": 50.0}
    explained = explain_run(qrels, run, "1", "a", preset="chunks", task="chunks").document
    assert explained.explanation.precision.value == 10 / 50
    assert Ranking(replace(run, task=Task.CHUNKS), "1").retrieved("a").nowhere == 40


def test_no_entry_point_belongs_to_the_preset(tmp_path):
    qrels = Qrels.from_judgements([Judgement("1", "a", 10, 100, None, Spans([(10, 20)]))])
    run = Run.from_results([Result("1", "a", 1, None, 10, 20)])
    scores = evaluate(qrels, run, preset="chunks")[0]
    assert scores.names[0] == "char_rec"
    assert not any("A =" in str(said) or "n =" in str(said) for said in scores.warnings)
