"""Rankings over nuggets against a brute force over characters, of passages and of whole documents."""

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import InexviewError, Result, Run, Spans, evaluate
from inexview.cli import main
from inexview.core.answers.nuggets import (
    Importance,
    Nugget,
    NuggetFile,
    NuggetPlace,
    NuggetQrels,
    TopicNuggets,
)
from inexview.core.evaluation.explain import explain_run
from tests.core.strategies import qrels_of

PLACES = st.one_of(
    st.tuples(st.sampled_from("abc"), st.integers(0, 20), st.integers(1, 6)),
    st.tuples(st.sampled_from("abc"), st.none(), st.none()),  # somewhere in the document
)
NUGGETS = st.lists(
    st.tuples(
        st.sampled_from(Importance),
        st.lists(PLACES, max_size=3),
        st.sampled_from(["", "", "Q1", "Q2"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=5,
)
RESULTS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 22), st.integers(1, 9)), min_size=1, max_size=8
)
WEIGHTS = {
    "nugget_rec": {"vital": 1, "okay": 1, "failed": 1},
    "nugget_vital": {"vital": 1, "okay": 0, "failed": 0},
    "nugget_weighted": {"vital": 1, "okay": Fraction(1, 2), "failed": 0},
}


def qrels_with(nuggets, share=1.0):
    made = tuple(
        Nugget(
            f"n{at}",
            importance,
            tuple(
                NuggetPlace(document, Spans() if start is None else Spans([(start, start + size)]))
                for document, start, size in places
            ),
            question,
            every,
        )
        for at, (importance, places, question, every) in enumerate(nuggets)
    )
    return NuggetQrels.of_nuggets(NuggetFile((TopicNuggets("1", made),)), share)


def run_over(results):
    return Run.from_results(
        Result("1", document, rank, None, start, start + size)
        for rank, (document, start, size) in enumerate(results, 1)
    )


def states(places, held, share):
    """Tell whether some characters, by document, hold one of the places."""
    for document, start, size in places:
        own = held.get(document)
        if own is None:
            continue
        if start is None:
            return True
        inside = sum(at in own for at in range(start, start + size))
        if inside and inside >= share * size:
            return True
    return False


def recall(nuggets, found, weights):
    """Return Σ weight · found / Σ weight; answers to a question count once, as the weightiest of them."""
    groups = {}
    for at, (importance, _, question, every) in enumerate(nuggets):
        groups.setdefault(question or at, []).append((weights[importance.value], found[at], every))
    above = below = Fraction(0)
    for group in groups.values():
        weight = max(one for one, _, _ in group)
        had = (min if group[0][2] else max)(told for _, told, _ in group)
        above, below = above + weight * had, below + weight
    return float(above / below) if below else 0.0


def by_hand(nuggets, results, k, share, whole):
    if whole:
        results = [(document, 0, 99) for document in dict.fromkeys(one for one, _, _ in results)]
    held, alone = {}, []
    for document, start, size in results[:k]:
        own = set(range(start, start + size))
        held.setdefault(document, set()).update(own)
        alone.append({at for at, one in enumerate(nuggets) if states(one[1], {document: own}, share)})
    found = [int(states(one[1], held, share)) for one in nuggets]
    figures = {f"{name}@{k}": recall(nuggets, found, weights) for name, weights in WEIGHTS.items()}
    told = {}
    for at, (_, places, _, _) in enumerate(nuggets):
        for document, _, _ in places:
            told.setdefault(document, set()).add(at)
    every = set().union(*told.values()) if told else set()
    figures[f"strec@{k}"] = len(set().union(*alone)) / len(every) if every else 0.0

    def gains(listed):
        times, worth = {}, []
        for own in listed:
            worth.append(sum(0.5 ** times.get(one, 0) for one in own))
            for one in own:
                times[one] = times.get(one, 0) + 1
        return worth

    left, ideal = sorted(told, reverse=True), []
    while left and len(ideal) < k:
        best = max(left, key=lambda name: gains([*(told[one] for one in ideal), told[name]])[-1])
        ideal.append(best)
        left.remove(best)
    dcg, most = (
        sum(gain / math.log2(at + 2) for at, gain in enumerate(gains(listed)))
        for listed in (alone, [told[one] for one in ideal])
    )
    figures[f"alpha_nDCG@{k}"] = dcg / most if most else 0.0
    return figures


@given(
    NUGGETS,
    RESULTS,
    st.integers(1, 9),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from(["passages", "documents"]),
)
def test_any_ranking_scores_like_brute_force(nuggets, results, k, share, task):
    wanted = by_hand(nuggets, results, k, share, task == "documents")
    qrels = qrels_with(nuggets, share)
    if not len(qrels):
        return  # no place at all: nothing is judged
    scores = evaluate(qrels, run_over(results), task=task, preset="nuggets", measures=list(wanted))[0]
    got = dict(zip(scores.names, scores.values[:, 0].tolist(), strict=True)) if scores.topics else {}
    assert got == pytest.approx(wanted, abs=1e-12)


@given(NUGGETS, RESULTS, st.integers(1, 5), st.sampled_from(["passages", "documents"]))
def test_the_parts_of_a_recall_add_up(nuggets, results, k, task):
    qrels = qrels_with(nuggets)
    if not len(qrels):
        return
    names = [f"{name}@{k}" for name in (*WEIGHTS, "alpha_nDCG", "strec")]
    derived = explain_run(qrels, run_over(results), "1", task=task, preset="nuggets", measures=names)
    for one in derived.derivations:
        assert one.fraction is not None
        assert one.fraction.value == pytest.approx(one.value, abs=1e-12), one.measure
        assert sum(row.adds for row in one.rows) == pytest.approx(one.fraction.numerator)


@given(NUGGETS, RESULTS, st.sampled_from(["passages", "documents"]))
def test_leaving_a_result_out_is_evaluating_without_it(nuggets, results, task):
    qrels = qrels_with(nuggets)
    if not len(qrels):
        return
    names = [f"{name}@3" for name in (*WEIGHTS, "alpha_nDCG", "strec")]
    settings = {"task": task, "preset": "nuggets", "measures": names}
    derived = explain_run(qrels, run_over(results), "1", **settings).derivations
    for row in derived[0].rows:
        by_document = task == "documents"
        rest = [
            one
            for at, one in enumerate(results, 1)
            if (one[0] != row.document if by_document else at != row.rank)
        ]
        if not rest:
            continue
        scores = evaluate(qrels, run_over(rest), complete=True, **settings)[0]
        wanted = dict(zip(scores.names, scores.values[:, 0].tolist(), strict=True))
        got = {one.measure: one.without[row.rank - 1] for one in derived}
        assert got == pytest.approx(wanted, abs=1e-12)


def test_other_judgements_have_no_nuggets():
    with pytest.raises(InexviewError, match="need nuggets with passages"):
        evaluate(
            qrels_of({"1": {"a": (4, 9, 0, {0, 1})}}),
            run_over([("a", 0, 4)]),
            task="passages",
            preset="nuggets",
        )


TEXT = "Öl wird gepresst. Oil is pressed."


def reference(document, start, end):
    before, words = len(TEXT[:start].encode()), TEXT[start:end]
    offsets = {"start_offset": before, "end_offset": before + len(words.encode()), "encoding": "utf-8"}
    return {"doc_id": document, "offsets": offsets}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "texts").mkdir()
    for name in "ab":
        (tmp_path / "texts" / f"{name}.txt").write_text(TEXT, encoding="utf-8")
    answers = [
        {"answer": "pressed", "importance": "vital", "references": [reference("a", 18, 32)]},
        {"answer": "german", "importance": "okay", "references": ["b"]},
    ]
    bank = [{"question": f"Q{at}", "answers": [one]} for at, one in enumerate(answers)]
    (tmp_path / "bank.jsonl").write_text(json.dumps({"query_id": "1", "nugget_bank": bank}), encoding="utf-8")
    (tmp_path / "passages.txt").write_text("1 Q0 a 1 2 r 18 14\n1 Q0 b 2 1 r 0 3\n")
    (tmp_path / "documents.txt").write_text("1 Q0 b 1 2 r\n1 Q0 a 2 1 r\n")
    return tmp_path


def printed(capsys, *arguments):
    status = main([*map(str, arguments), "--format", "json"])
    told = capsys.readouterr()
    assert status == 0, told.err
    return json.loads(told.out)["runs"][0]["mean"]


def test_a_file_of_nuggets_is_what_runs_are_scored_by(files, capsys):
    texts = "-C", files / "texts"
    passages = printed(
        capsys, "eval", files / "bank.jsonl", files / "passages.txt", *texts, "--task", "passages"
    )
    assert (passages["nugget_vital@5"], passages["nugget_rec@10"], passages["strec@10"]) == (1, 1, 1)
    first = printed(
        capsys, "eval", files / "bank.jsonl", files / "documents.txt", *texts, "-m", "nugget_vital@1",
        "-m", "nugget_rec@1", "-m", "nugget_weighted",
    )  # fmt: skip
    assert first == {"nugget_vital@1": 0, "nugget_rec@1": 0.5, "nugget_weighted": 1}
    diverse = printed(
        capsys, "eval", files / "bank.jsonl", files / "documents.txt", "--preset", "diversity", *texts
    )
    assert diverse["strec@20"] == 1


def test_a_share_of_a_place_can_be_enough(files, capsys):
    (files / "half.txt").write_text("1 Q0 a 1 2 r 18 7\n")
    given = "eval", files / "bank.jsonl", files / "half.txt", "-C", files / "texts", "--task", "passages"
    for share, wanted in (("1", 0), ("0.5", 1), ("0", 1)):
        assert printed(capsys, *given, "--nugget-share", share)["nugget_vital@5"] == wanted
    with pytest.raises(SystemExit):
        main([*map(str, given), "--nugget-share", "2"])


def test_nuggets_without_places_are_refused_with_a_sentence(tmp_path, capsys):
    (tmp_path / "n.jsonl").write_text('{"qid": "1", "nuggets": [{"text": "a"}]}')
    (tmp_path / "r.txt").write_text("1 Q0 a 1 1 r\n")
    assert main(["eval", str(tmp_path / "n.jsonl"), str(tmp_path / "r.txt")]) == 2
    assert "no nugget has a passage" in capsys.readouterr().err
