"""Models as judges: agreement against slow programs, verdicts that claim no more than they know, quotes."""

from __future__ import annotations

import json
import math
from collections import Counter
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import Judgement, Qrels, Spans
from inexview.core.answers.judges import (
    KAPPA_ASKED,
    Found,
    ModelLabel,
    ModelLabels,
    QuoteFinder,
    nearest_said,
    quoted_text,
)
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.evaluation.judges import (
    FEWEST,
    KAPPA_LEAST,
    GradedPair,
    JudgeAgreement,
    Verdict,
    judge_agreement,
    ordinal_alpha,
)
from inexview.core.formats.judge_files import fits_labels, located, read_model_labels
from inexview.core.formats.text_files import beginning_of
from inexview.core.open_runs.judges import OrderedRun, RunOrder, ordered_runs, ordinal
from inexview.core.report import figure_text

GRADES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def agreement_of(pairs, **more):
    listed = tuple(GradedPair("1", str(at), person, model) for at, (person, model) in enumerate(pairs))
    return JudgeAgreement(listed, 0, 0, 0, **more)


def slow_alpha(pairs):
    """Krippendorff's α for ordered grades, as his book counts it, value by value."""
    values = [grade for pair in pairs for grade in pair]
    counts = Counter(values)

    def apart(a, b):
        low, high = min(a, b), max(a, b)
        between = sum(counts[grade] for grade in range(low, high + 1))
        return (between - (counts[a] + counts[b]) / 2) ** 2

    observed = sum(apart(a, b) for a, b in pairs) / len(pairs)
    n = len(values)
    expected = sum(apart(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
    expected /= n * (n - 1)
    return 1 - observed / expected if expected else math.nan


def slow_weighted_kappa(pairs):
    n = len(pairs)
    observed = sum((a - b) ** 2 for a, b in pairs) / n
    expected = sum((a - b) ** 2 for a, _ in pairs for _, b in pairs) / n**2
    return 1 - observed / expected if expected else math.nan


@given(GRADES)
def test_agreement_is_what_slow_programs_find(pairs):
    own = agreement_of(pairs)
    assert own.alpha == pytest.approx(slow_alpha(pairs), abs=1e-12, nan_ok=True)
    assert own.weighted_kappa == pytest.approx(slow_weighted_kappa(pairs), abs=1e-12, nan_ok=True)
    assert own.same == sum(a == b for a, b in pairs)
    assert (own.higher, own.lower) == (sum(b > a for a, b in pairs), sum(b < a for a, b in pairs))
    for grade, share in own.precision.items():
        given = [a for a, b in pairs if b == grade]
        expected = sum(a == grade for a in given) / len(given) if given else math.nan
        assert share == pytest.approx(expected, nan_ok=True)


@given(GRADES)
def test_the_interval_is_of_draws_of_documents(pairs):
    own = agreement_of(pairs)
    low, high = own.interval
    if math.isnan(own.weighted_kappa):
        assert math.isnan(low)
        return
    assert -1 - 1e-9 <= low <= high <= 1 + 1e-9


def test_the_figures_of_the_screen():
    """Those that the mock-up computes of its table of 117 documents."""
    table = [[61, 12, 1, 2], [6, 5, 10, 5], [1, 1, 4, 4], [0, 0, 1, 4]]
    pairs = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    own = agreement_of(pairs, tau=0.733, runs=6)
    assert (own.same, own.higher, own.lower) == (74, 34, 9)
    assert own.weighted_kappa == pytest.approx(0.651, abs=5e-4)
    assert own.kappa == pytest.approx(0.356, abs=5e-4)
    assert own.alpha == pytest.approx(0.666, abs=5e-4)
    assert [round(share, 3) for share in own.precision.values()] == [0.897, 0.278, 0.25, 0.267]
    assert own.interval == pytest.approx((0.503, 0.765), abs=0.02)
    assert own.verdict is Verdict.NOT_ALONE
    assert "its 0 in 61 of 68" in own.relied_on()


SIMULATED = 120


def judged(rng, quality, documents):
    """A person's grades and those of a model that agrees with a chance of ``quality``, else guesses."""
    person = rng.choice(4, documents, p=(0.6, 0.2, 0.12, 0.08))
    model = np.where(
        rng.random(documents) < quality, person, rng.choice(4, documents, p=(0.4, 0.3, 0.2, 0.1))
    )
    return list(zip(person.tolist(), model.tolist(), strict=True))


@pytest.mark.parametrize("documents", [60, 300])
@pytest.mark.parametrize("quality", [0.2, 0.45, 0.72, 0.97])
def test_a_verdict_is_wrong_at_most_as_often_as_its_interval_allows(quality, documents):
    rng = np.random.default_rng(7)
    truth = agreement_of(judged(rng, quality, 200_000)).weighted_kappa
    verdicts = Counter(agreement_of(judged(rng, quality, documents)).verdict for _ in range(SIMULATED))
    allowed = SIMULATED * 0.025 + 3 * math.sqrt(SIMULATED * 0.025 * 0.975)  # one side of 95 %, and chance
    if truth < KAPPA_ASKED:
        assert verdicts[Verdict.YES] <= allowed
    if truth > KAPPA_LEAST:
        assert verdicts[Verdict.NO] <= allowed
    if quality == 0.97 and documents == 300:  # and it is said where it is plain
        assert verdicts[Verdict.YES] > 0.95 * SIMULATED
    if quality == 0.2 and documents == 300:
        assert verdicts[Verdict.NO] > 0.75 * SIMULATED


def test_too_few_and_the_order_of_runs():
    same = [(at % 4, at % 4) for at in range(FEWEST)]
    assert agreement_of(same[1:]).verdict is Verdict.TOO_FEW
    assert agreement_of(same).verdict is Verdict.YES
    assert agreement_of(same, tau=0.5, runs=6).verdict is Verdict.NOT_ALONE
    assert agreement_of([(0, 0)] * 50).verdict is Verdict.TOO_FEW  # nothing varies
    assert math.isnan(ordinal_alpha(np.array([[50]])))


def test_bias_is_reported_by_thirds_and_not_for_few_documents():
    pairs = [(0, 2)] * 12 + [(1, 1)] * 12 + [(2, 1)] * 12
    own = agreement_of(pairs)
    lengths = {("1", str(at)): float(at) for at in range(36)}
    assert [(one.third, one.documents, one.mean) for one in own.bias(lengths)] == [
        ("first", 12, 2.0), ("middle", 12, 0.0), ("last", 12, -1.0),
    ]  # fmt: skip
    assert all(math.isnan(one.mean) for one in agreement_of(pairs[:9]).bias(lengths))
    assert [pair.apart for pair in own.differing()] == [2] * 12


def test_labels_meet_judgements_and_what_only_one_judged_is_counted():
    person = replace(
        Qrels.from_judgements(Judgement("1", f"d{at}", at % 3, 0, None, Spans()) for at in range(5)),
        graded=True,
    )
    labels = ModelLabels(
        (
            ModelLabel("1", "d0", 0), ModelLabel("1", "d1", 1), ModelLabel("1", "d1", 3),
            ModelLabel("1", "d2", None), ModelLabel("1", "else", 1), ModelLabel("9", "d0", 1),
        )
    )  # fmt: skip
    own = judge_agreement(person, labels, runs=[(0.5, 0.4), (0.3, 0.2), (0.1, 0.3)])
    assert own.pairs == (GradedPair("1", "d0", 0, 0), GradedPair("1", "d1", 1, 3))  # the highest passage
    assert (own.only_person, own.only_model, own.without_grade) == (3, 1, 1)
    assert own.tau == pytest.approx(1 / 3)
    characters = Qrels.from_judgements([Judgement("1", "d1", 10, 99, None, Spans([(0, 10)]))])
    assert judge_agreement(characters, labels).pairs == (GradedPair("1", "d1", 1, 1),)


# -- quotes ----------------------------------------------------------------------------------------------

TEXT = "The quay  is old.\nThe Quay is\tvery old. İstanbul’s quay is old."


@pytest.mark.parametrize(
    ("quote", "how", "read"),
    [
        ("is old.", Found.EXACT, ["is old.", "is old."]),
        ("  very old ", Found.EXACT, ["very old"]),
        ("The quay is old. The Quay", Found.BLANKS, ["The quay  is old.\nThe Quay"]),
        ("quay is very", Found.LETTERS, ["Quay is\tvery"]),
        ("never written", Found.NOWHERE, []),
        ("   ", Found.NOWHERE, []),
    ],
)
def test_a_quote_is_found_or_reported_missing(quote, how, read):
    found = QuoteFinder(TEXT).find(quote)
    assert (found.how, [TEXT[start:end] for start, end in found.places]) == (how, read)


@pytest.mark.parametrize("quote", ["ΟΔΟΣ", "οδοσα", "İSTANBUL’S", "istanbul’s", "ΟΔΟΣ ΟΔΟΣΑ"])
def test_letters_that_change_with_their_place_or_number_are_found(quote):
    text = "In İstanbul’s  ΟΔΟΣ ΟΔΟΣΑ."
    found = QuoteFinder(text).find(quote)
    assert found.places
    assert [len(text[start:end]) for start, end in found.places] == [len(quote)] * len(found.places)


@given(st.text(alphabet="aBΣİ😀 \n.", max_size=60), st.integers(0, 59), st.integers(1, 12))
def test_what_stands_in_a_text_is_found_whatever_its_blanks_and_letters(text, start, size):
    piece = text[start : start + size]
    for quote in (piece, " ".join(piece.split()), piece.upper()):
        found = QuoteFinder(text).find(quote)
        assert (found.how is Found.NOWHERE) == (not quote.strip())
        for low, high in found.places:
            assert text[low:high].lower().split() == quote.lower().split()


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("It says the quay is old", "nearest: “the quay is old” at 0, 4 of 6 words"),
        ("never is a quay", "no 3 words of it in a row are in the text"),
        ("quay is very old and new " * 100, "nearest: “quay is very old” at 22, 4 of 600 words"),
        ("two words", "no 3 words of it in a row are in the text"),
    ],
)
def test_the_nearest_words_of_a_quote_that_is_not_found(quote, said):
    assert nearest_said(quote, QuoteFinder(TEXT).nearest(quote)) == said


def slow_nearest(text, quote):
    words, there = quote.lower().split(), " ".join(text.lower().split())
    runs = (words[at:end] for at in range(len(words)) for end in range(at + 3, len(words) + 1))
    return max((len(run) for run in runs if " ".join(run) in there), default=0)


@given(
    st.lists(st.sampled_from(["a", "bc", "d"]), max_size=30),
    st.lists(st.sampled_from(["a", "bc", "x"]), max_size=12),
)
def test_the_nearest_words_are_the_longest_run(text, quote):
    found = QuoteFinder(" ".join(text)).nearest(" ".join(quote))
    assert (0 if found is None else len(found.quote.split())) == slow_nearest(" ".join(text), " ".join(quote))


def test_quotes_of_a_label_are_a_mark_each_at_their_first_place():
    label = ModelLabel("1", "d", 2, quotes=("is old.", "nowhere"))
    covered, found = quoted_text(label, QuoteFinder(TEXT))
    assert list(covered) == [(10, 17)]
    assert [one.how for one in found] == [Found.EXACT, Found.NOWHERE]


# -- files -----------------------------------------------------------------------------------------------

UMBRELA = {
    "model": "gpt", "query": "What is oil?", "passage": "Oil is pressed.", "prediction": "##final score: 3",
    "judgment": 3, "result_status": 1,
}  # fmt: skip


@pytest.fixture
def written(tmp_path):
    def write(*values, name="labels.jsonl", text=None):
        path = tmp_path / name
        path.write_text(text if text is not None else "\n".join(map(json.dumps, values)), encoding="utf-8")
        return path

    return write


def only(path):
    (label,) = read_model_labels(path).labels
    return label


def test_umbrela_and_its_answers_that_could_not_be_read(written):
    path = written(UMBRELA, {**UMBRELA, "result_status": 0, "judgment": 0})
    labels = read_model_labels(path)
    assert [label.grade for label in labels.labels] == [3, None]
    assert labels.labels[0].passage == "Oil is pressed."
    assert "1 of 2 answers without a grade" in labels.warnings[0]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"qid": "1", "docid": "d", "score": "2", "explanation": "so", "quote": "a b"},
         ModelLabel("1", "d", 2, "so", ("a b",), "labels", None, 1)),
        ({"query_id": 1, "doc_id": "d", "label": "Relevant", "rationale": "so", "judge": "m"},
         ModelLabel("1", "d", 1, "so", (), "m", None, 1)),
        ({"input": "oil?", "reference": "passage", "label": "unrelated", "explanation": "x"},
         ModelLabel("oil?", "", 0, "x", (), "labels", "passage", 1)),
        ({"input": "oil?", "qs_relevance_calls": [
            {"args": {"question": "oil?", "context": "c"}, "ret": 0.8, "meta": {"reason": "r"}}]},
         ModelLabel("oil?", "", 1, "r", (), "qs_relevance", "c", 1)),
        ({"user_input": "oil?", "retrieved_contexts": ["c"], "reference_contexts": ["gold"], "response": "r"},
         ModelLabel("oil?", "", 1, "", ("gold",), "labels", "gold", 1)),
        ({"input": "oil?", "actual_output": "a", "context": ["gold"], "retrieval_context": ["c"]},
         ModelLabel("oil?", "", 1, "", ("gold",), "labels", "gold", 1)),
    ],
)  # fmt: skip
def test_every_form_is_read(written, value, expected):
    assert only(written(value)) == expected


def test_workbench_and_books_and_tables(written):
    rated = [{"query": "red dress", "ratings": [{"docId": "B01", "rating": "1.0"}]}]
    ratings = {"name": "llm", "type": "IMPORT_JUDGMENT", "judgmentRatings": rated}
    assert only(written(ratings)) == ModelLabel("red dress", "B01", 1, model="llm", line=1)
    judged = [{"rating": 2.0, "user_email": "a@b"}, {"unrateable": True, "user_email": "c@d"}]
    book = {"query_doc_pairs": [{"query_text": "q", "doc_id": "d", "judgements": judged}]}
    assert [(label.model, label.grade) for label in read_model_labels(written(book)).labels] == [
        ("a@b", 2), ("c@d", None),
    ]  # fmt: skip
    table = "query,docid,rating\nq one,d1,3\nq one,d2,\n"
    labels = read_model_labels(written(name="quepid.csv", text=table)).labels
    assert [(label.topic, label.document, label.grade) for label in labels] == [
        ("q one", "d1", 3), ("q one", "d2", None),
    ]  # fmt: skip
    cell = "user_input,retrieved_contexts,reference_contexts\nq,[],\"['a', 'b']\"\n"
    assert [label.passage for label in read_model_labels(written(name="r.csv", text=cell)).labels] == [
        "a",
        "b",
    ]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"doc_id": "d", "label": 1}, "field 'query_id'"),
        ({"qid": "1", "label": 1}, "an id or the passage"),
        ({"qid": "1", "doc_id": "d", "label": [1]}, "is not a grade"),
    ],
)
def test_errors_are_named(written, value, problem):
    with pytest.raises(DataError, match=problem):
        read_model_labels(written(value))


def test_topics_are_known_by_their_texts_and_passages_in_the_judged_documents(written, tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("Nothing here.", encoding="utf-8")
    (tmp_path / "texts" / "b.txt").write_text("Well. Oil is pressed.", encoding="utf-8")
    labels = read_model_labels(written(UMBRELA, {**UMBRELA, "passage": "not there"}))
    with closing(Collection.open(tmp_path / "texts")) as texts:
        found = located(labels, {"q1": ["a", "b"]}, {"q1": "what is  OIL?"}, texts)
    assert [(label.topic, label.document) for label in found.labels] == [("q1", "b"), ("q1", "")]
    assert "1 passage in no judged document" in found.warnings[-1]


def test_texts_of_a_pool_are_read_once_where_they_fit(written, tmp_path, monkeypatch):
    (tmp_path / "texts").mkdir()
    names = [f"d{number}" for number in range(9)]
    for name in names:
        (tmp_path / "texts" / f"{name}.txt").write_text(f"Here is {name}.", encoding="utf-8")
    path = written(*({**UMBRELA, "query": "1", "passage": f"is {name}."} for name in names))
    read = []

    class Counting(Collection):
        def text(self, id):
            read.append(id)
            return super().text(id)

    for held, once in ((1 << 10, True), (40, False)):
        monkeypatch.setattr("inexview.core.formats.judge_files._HELD", held)
        read.clear()
        with closing(Counting.open(tmp_path / "texts")) as texts:
            found = located(read_model_labels(path), {"1": names}, {}, texts)
        assert [label.document for label in found.labels] == names
        assert (len(read) == len(names)) is once


# -- sentences and derivations ---------------------------------------------------------------------------


@given(GRADES)
def test_derivations_end_in_the_figures_that_they_make(pairs):
    own = agreement_of(pairs)
    made = own.derivations()
    figures = {"weighted κ": own.weighted_kappa, "κ": own.kappa, "α": own.alpha}
    figures |= {f"precision {grade}": share for grade, share in own.precision.items()}
    for name, value in figures.items():
        assert made[name].endswith(figure_text(value, 3)), name
    observed = sum((a - b) ** 2 for a, b in pairs)
    assert f"1 − {observed:,} / " in made["weighted κ"]
    assert made["same"].startswith(f"Σ of the diagonal / documents = {own.same:,} / {len(pairs):,}")


@given(GRADES)
def test_what_can_be_relied_on_counts_every_document(pairs):
    own = agreement_of(pairs)
    said = own.reliance()
    lowest = min(grade for pair in pairs for grade in pair)
    given = [a for a, b in pairs if b == lowest]
    others = [(a, b) for a, b in pairs if b != lowest]
    if given:
        assert f"grades {lowest} in {given.count(lowest)} of {len(given)} document" in said
    if others:
        same = sum(a == b for a, b in others)
        assert f"they agree in {same} of {len(others)}" in said
        assert said.endswith(" only.") == (2 * same < len(others))


def test_the_sentence_is_never_more_certain_than_its_figures():
    rng = np.random.default_rng(5)
    for quality in (0.1, 0.5, 0.75, 0.9, 1.0):
        for documents in (10, 40, 400):
            for runs, tau in ((0, math.nan), (6, 0.95), (6, 0.2)):
                own = agreement_of(judged(rng, quality, documents), runs=runs, tau=tau)
                low, high = own.interval
                said = own.said()
                assert said.startswith(own.heading.removesuffix("."))
                if "? Yes" in said:
                    assert low >= own.kappa_asked
                    assert runs < 2 or tau >= own.tau_asked
                if "? No:" in said:
                    assert high < KAPPA_LEAST
                if documents < FEWEST:
                    assert "? Too few to say: 10 documents judged by both" in said


def test_ten_thousand_labels_are_as_scipy_and_slow_programs_say():
    from scipy.stats import kendalltau

    rng = np.random.default_rng(1)
    pairs = judged(rng, 0.6, 10_000)
    own = agreement_of(pairs)
    counts = Counter(pairs)
    n = len(pairs)
    rows, columns = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    for power, value in ((0, own.kappa), (2, own.weighted_kappa)):
        weight = {(a, b): abs(a - b) ** power if a != b else 0 for a in rows for b in columns}
        observed = sum(count * weight[pair] for pair, count in counts.items()) / n
        expected = sum(rows[a] * columns[b] * own_ for (a, b), own_ in weight.items()) / n**2
        assert value == pytest.approx(1 - observed / expected, abs=1e-12)
    values = Counter(grade for pair in pairs for grade in pair)

    def apart(a, b):
        low, high = min(a, b), max(a, b)
        between = sum(values[grade] for grade in range(low, high + 1))
        return (between - (values[a] + values[b]) / 2) ** 2

    observed = sum(count * apart(*pair) for pair, count in counts.items()) / n
    total = 2 * n
    expected = sum(values[a] * values[b] * apart(a, b) for a in values for b in values) / (
        total * (total - 1)
    )
    assert own.alpha == pytest.approx(1 - observed / expected, abs=1e-12)
    means = rng.random((40, 2)).round(1)  # with ties
    runs = tuple(OrderedRun(str(at), float(a), float(b), 0, 0) for at, (a, b) in enumerate(means))
    assert RunOrder(runs).tau == pytest.approx(float(kendalltau(*means.T).statistic), abs=1e-12)


def ordered(*means):
    return RunOrder(ordered_runs([(f"r{at}", *pair) for at, pair in enumerate(means)]))


def test_the_summary_of_the_order_of_runs():
    assert ordered((0.5, 0.4)).said() == ""
    assert ordered((0.5, 0.4), (0.3, 0.2)).said() == "No run changes its place."
    assert ordered((0.9, 1), (0.8, 1), (0.7, 1)).said() == "No run passes another; some are tied."
    tied = ordered((0.9, 0.9), (0.8, 0.9), (0.7, 0.2), (0.7, 0.4))
    assert [(run.run, run.moved) for run in tied.runs] == [("r0", 0), ("r1", 0), ("r3", 0), ("r2", 0)]
    passed = ordered((0.9, 0.5), (0.8, 0.8), (0.7, 0.5))
    assert passed.said() == "r0 falls from first to second."
    moved = ordered((0.9, 0.9), (0.7, 0.4), (0.6, 0.6), (0.5, 0.5))
    assert moved.said() == "r1 falls from second to fourth."
    assert moved.derivation == "2 of 6 pairs turned, τ = 1 − 2 · 2 / 6 = 0.333"
    turned = ordered((0.9, 0.1), (0.8, 0.2), (0.2, 0.8), (0.1, 0.9))
    assert turned.said() == "4 of 4 runs change places, such as r0, which falls from first to fourth."
    assert "1 tied, τ-b = " in ordered((0.9, 0.9), (0.7, 0.4), (0.6, 0.4)).derivation
    assert [ordinal(place) for place in (1, 10, 11, 12, 21, 22, 23, 111)] == [
        "first", "tenth", "11th", "12th", "21st", "22nd", "23rd", "111th",
    ]  # fmt: skip


NAMES = [
    "qid",
    "query",
    "docid",
    "passage",
    "score",
    "label",
    "reason",
    "quotes",
    "model",
    "shown",
    "queries",
    "judgmentRatings",
    "ratings",
    "query_doc_pairs",
    "judgements",
    "relevant_documents",
    "c_calls",
    "args",
    "attributes.retrieval.documents",
    "document.id",
    "evaluations",
    "user_input",
    "reference_contexts",
    "context",
    "actual_output",
    "placeholders",
    "$query",
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**12) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=7), min_size=1, max_size=3))
def test_whatever_objects_hold_is_read_or_refused_with_its_line(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("labels") / "m.jsonl"
    path.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
    fits_labels(beginning_of(path))
    labels, problem = read_or_refused(path)
    assert bool(labels) is not (str(path) in problem)
    assert all(label.grade is None or isinstance(label.grade, int) for label in labels)
    assert all(isinstance(label.topic, str) and isinstance(label.reason, str) for label in labels)


def read_or_refused(path):
    try:
        return read_model_labels(path).labels, ""
    except DataError as error:
        return (), str(error)
