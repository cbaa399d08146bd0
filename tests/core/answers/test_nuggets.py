"""Nuggets: AutoNuggetizer's recalls, banks with places both ways, and what passages state."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import Spans
from inexview.core.answers.answers import Answer, Reference, Sentence
from inexview.core.answers.figures import (
    BEYOND_CITED,
    CITED,
    LOST_IN_CITING,
    LOST_IN_WRITING,
    RETRIEVED,
    Judged,
    figures_of,
    means_of,
)
from inexview.core.answers.nuggets import (
    RECALLS,
    WHOLE,
    Importance,
    Nugget,
    NuggetFile,
    NuggetPlace,
    TopicNuggets,
    nugget_recall,
    read_nuggets,
    text_read,
)
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.nugget_files import placed_nuggets, read_nugget_file, write_nugget_bank

TEXT = "Öl wird gepresst. Oil is pressed 😀 and kept dark. Light turns it rancid."


def recalls(importances, assigned):
    """The recalls as the nuggetizer computes them."""
    vital = [a for i, a in zip(importances, assigned, strict=True) if i == "vital"]
    okay = [a for i, a in zip(importances, assigned, strict=True) if i == "okay"]

    def mean(values, strict):
        return sum(float(a == 1) if strict else float(a) for a in values) / len(values) if values else 0.0

    def weighted(strict):
        total = len(vital) + 0.5 * len(okay)
        got = mean(vital, strict) * len(vital) + 0.5 * mean(okay, strict) * len(okay)
        return got / total if total else 0.0

    return {
        "nugget_vital_strict": mean(vital, True),
        "nugget_strict": mean(assigned, True),
        "nugget_vital": mean(vital, False),
        "nugget_all": mean(assigned, False),
        "nugget_weighted": weighted(False),
        "nugget_weighted_strict": weighted(True),
    }


@given(
    st.lists(
        st.tuples(st.sampled_from(["vital", "okay", "failed"]), st.sampled_from([0, Fraction(1, 2), 1])),
        max_size=12,
    )
)
def test_recalls_are_the_nuggetizers(pairs):
    importances, assigned = [one for one, _ in pairs], [Fraction(one) for _, one in pairs]
    nuggets = tuple(Nugget("n", Importance(one)) for one in importances)
    topic = TopicNuggets("1", nuggets, "run", tuple(assigned))
    expected = recalls(importances, assigned)
    assert {name: nugget_recall(name, topic) for name in RECALLS} == pytest.approx(expected, abs=1e-12)


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 30), st.integers(1, 10)), max_size=5),
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30), st.integers(1, 10)), max_size=3),
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_a_nugget_is_read_where_one_of_its_places_is(passages, places, share):
    read = text_read((document, start, start + size) for document, start, size in passages)
    held = {(document, at) for document, start, size in passages for at in range(start, start + size)}
    nugget = Nugget("n", places=tuple(NuggetPlace(d, Spans([(s, s + size)])) for d, s, size in places))
    sets = [{(d, at) for at in range(s, s + size)} for d, s, size in places]
    expected = any(own & held and len(own & held) >= share * len(own) for own in sets)
    assert read_nuggets([nugget], read, share) == (Fraction(expected),)


@pytest.fixture
def written(tmp_path):
    def write(*values, name="nuggets.jsonl"):
        path = tmp_path / name
        path.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
        return path

    return write


def test_assigned_nuggets_are_read_and_missing_ones_count_as_none(written):
    nuggets = [
        {"text": "pressed", "importance": "vital", "assignment": "support"},
        {"text": "dark", "assignment": "partial_support"},  # vital, as the nuggetizer reads it
        {"text": "rancid", "importance": "okay"},
    ]
    file = read_nugget_file(written({"query": "oil", "qid": "q1", "run_id": "r", "nuggets": nuggets}))
    (topic,) = file.of_answers()
    assert topic.assigned == (1, Fraction(1, 2), None)
    assert nugget_recall("nugget_vital", topic) == 0.75
    assert nugget_recall("nugget_strict", topic) == pytest.approx(1 / 3)


BANK = {
    "query_id": "q1",
    "title_query": "oil",
    "format_version": "v3",
    "nugget_bank": {
        "How?": {
            "question": "How?",
            "query_id": "q1",
            "aggregator_type": "AND",
            "importance": "okay",
            "answers": {
                "pressed": {
                    "answer": "pressed",
                    "references": [
                        {"doc_id": "a", "text": "pressed 😀 and",
                         "offsets": {"start_offset": 26, "end_offset": 42, "encoding": "utf-8"}},
                        {"doc_id": "a", "text": "Light turns it rancid"},
                        "b",
                    ],
                }
            },
        }
    },
    "claim_bank": {"x": {"claim": "oil is old"}},
}  # fmt: skip


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(TEXT, encoding="utf-8")
    with closing(Collection.open(tmp_path / "texts")) as collection:
        yield collection


def test_a_bank_is_placed_by_its_words_and_goes_out_as_it_came(written, texts, tmp_path):
    file, check = placed_nuggets(read_nugget_file(written(BANK)), texts)
    assert check.misread == 0
    (topic,) = file.topics
    pressed, old = topic.nuggets
    assert (pressed.importance, pressed.all_of, pressed.question) == (Importance.OKAY, True, "How?")
    assert [TEXT[slice(*span)] for place in pressed.places for span in place.spans] == [
        "pressed 😀 and", "Light turns it rancid",
    ]  # fmt: skip
    assert old == Nugget("oil is old")
    out = tmp_path / "out.jsonl"
    write_nugget_bank(file.topics, out, texts)
    again, _ = placed_nuggets(read_nugget_file(out), texts)
    assert [one.places for one in again.topics[0].nuggets] == [one.places for one in topic.nuggets]
    offsets = json.loads(out.read_text(encoding="utf-8"))["nugget_bank"]["How?"]["answers"]["pressed"]
    assert offsets["references"][0]["offsets"] == {"start_offset": 26, "end_offset": 42, "encoding": "utf-8"}


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"qid": "1", "nuggets": 3}, "is not a list of nuggets"),
        ({"qid": "1", "nuggets": [{"text": "a", "importance": "very"}]}, "field 'importance' = 'very'"),
        ({"qid": "1", "nuggets": [{"text": "a", "assignment": "yes"}]}, "field 'assignment' = 'yes'"),
        ({"nuggets": []}, "field 'qid'"),
        ({"qid": "1", "nugget_bank": [{"answers": [{"answer": "a", "references": [{}]}]}]}, "doc_id"),
        ({"qid": "1", "nuggets": [{"text": "a", "references": [{"doc_id": "d", "offsets": {}}]}]}, "offsets"),
    ],
)  # fmt: skip
def test_errors_are_named_with_their_place(written, value, problem):
    with pytest.raises(DataError, match=problem):
        read_nugget_file(written(value))


def test_cited_and_stated_nuggets_are_distinguished():
    places = (NuggetPlace("d1", Spans([(0, 10)])),)
    bank = TopicNuggets("1", (Nugget("a", places=places), Nugget("b")))
    said = TopicNuggets("1", bank.nuggets, "run", (Fraction(0), Fraction(0)))
    answer = Answer("1", "run", (Reference("d1", "d1", 0, 12),), (Sentence("A.", (0,)),))
    figures = figures_of(answer, Judged(nuggets=NuggetFile((bank, said))))
    assert figures["nugget_vital_strict"].value == 0
    assert figures[f"{CITED}nugget_vital_strict"].value == 0.5  # what was lost in writing
    assert means_of([figures])[f"{CITED}nugget_all"].value == 0.5
    assert figures[LOST_IN_WRITING].value == 0.5
    assert figures[LOST_IN_WRITING].derivation == "(1 × 1 + 1 × 0) / 2 = 1 / 2 = 0.500: a"
    assert figures[BEYOND_CITED].value == 0


IMPORTANCES = st.sampled_from(["vital", "okay"])


@given(
    st.lists(
        st.tuples(IMPORTANCES, st.booleans(), st.sampled_from([0, Fraction(1, 2), 1, None]), st.booleans()),
        min_size=1,
        max_size=6,
    )
)
def test_losses_are_differences_nugget_by_nugget(cases):
    """Each nugget is cited or not, said, not said or not assigned at all, and retrieved or not."""
    nuggets = tuple(
        Nugget(f"n{at}", Importance(importance), (NuggetPlace(f"d{at}", Spans([(0, 5)])),))
        for at, (importance, *_) in enumerate(cases)
    )
    cited = tuple(Reference(f"d{at}", f"d{at}", 0, 9) for at, (_, own, *_) in enumerate(cases) if own)
    answer = Answer("1", "r", cited, (Sentence("A.", tuple(range(len(cited)))),))
    known = [(nugget, case[2]) for nugget, case in zip(nuggets, cases, strict=True) if case[2] is not None]
    said = TopicNuggets("1", tuple(one for one, _ in known), "r", tuple(Fraction(own) for _, own in known))
    retrieved = {"1": {f"d{at}": WHOLE for at, (*_, own) in enumerate(cases) if own}}
    file = NuggetFile((TopicNuggets("1", nuggets), *((said,) if known else ())))
    figures = figures_of(answer, Judged(nuggets=file, retrieved=retrieved))
    vital = [case for case in cases if case[0] == "vital"]
    assigned = [case for case in vital if case[2] is not None]

    def mean(values, of):
        return sum(values) / len(of) if of else pytest.approx(0, nan_ok=True)

    lost_in_citing = [own and not was for _, was, _, own in vital]
    assert figures[LOST_IN_CITING].value == mean(lost_in_citing, vital)
    assert figures[f"{RETRIEVED}nugget_vital_strict"].value == mean([own for *_, own in vital], vital)
    if not known:
        assert LOST_IN_WRITING not in figures
        return
    low, high = figures[LOST_IN_WRITING].low, figures[LOST_IN_WRITING].high
    sure = sum(was and own is not None and own < 1 for _, was, own, _ in vital)
    maybe = sum(was and own is None for _, was, own, _ in vital)
    if vital:
        assert (low, high) == pytest.approx((sure / len(vital), (sure + maybe) / len(vital)))
    if len(assigned) == len(vital) and vital:
        gone, beyond = figures[LOST_IN_WRITING].value, figures[BEYOND_CITED].value
        difference = figures[f"{CITED}nugget_vital_strict"].value - sum(
            own == 1 for _, _, own, _ in vital
        ) / len(vital)
        assert gone - beyond == pytest.approx(difference)


def test_a_document_that_is_cited_as_a_whole_states_all_of_it():
    far, somewhere = NuggetPlace("d1", Spans([(900, 950)])), NuggetPlace("d1", Spans())
    bank = TopicNuggets("1", (Nugget("a", places=(far,)), Nugget("b", places=(somewhere,))))
    sentence = (Sentence("A.", (0,)),)
    for reference, had in (
        (Reference("d1", "d1"), 1.0),
        (Reference("d1#0", "d1", 0, 10), 0.5),  # a passage: only what is somewhere in the document
        (Reference("d1#0", "d1", quote="not found"), 0.5),
        (Reference("d2", "d2"), 0.0),
    ):
        figures = figures_of(Answer("1", "r", (reference,), sentence), Judged(nuggets=NuggetFile((bank,))))
        assert figures[f"{CITED}nugget_all"].value == had


def test_answers_to_one_question_count_once():
    def of(every, *assigned):
        nuggets = tuple(
            Nugget(f"n{at}", Importance.OKAY if at else Importance.VITAL, (), "Why?", every)
            for at in range(len(assigned))
        )
        topic = TopicNuggets("1", (*nuggets, Nugget("else")), "r", (*map(Fraction, assigned), Fraction(0)))
        return nugget_recall("nugget_all", topic), nugget_recall("nugget_vital_strict", topic)

    assert of(False, 1, 0) == (0.5, 0.5)  # the best of the alternatives
    assert of(True, 1, 0) == (0.25, 0)  # half of the parts; strictly, not all of them


def test_nuggets_assigned_to_documents_have_these_as_places(tmp_path):
    def line(document, *assigned):
        nuggets = [
            {"text": text, "importance": "okay"} | own for text, own in zip("ab", assigned, strict=True)
        ]
        return json.dumps({"text": "oil", "qid": "1", "docid": document, "nuggets": nuggets})

    support, partly, no = ({"assignment": said} for said in ("support", "partial_support", "not_support"))
    path = tmp_path / "stated.jsonl"
    path.write_text(
        "\n".join([line("d1", support, partly), line("d2", support, no), line("d3", no, support)])
    )
    (topic,) = read_nugget_file(path).topics
    assert (topic.topic, topic.run, topic.assigned) == ("1", "", ())
    places = {one.text: [place.document for place in one.places] for one in topic.nuggets}
    assert places == {"a": ["d1", "d2"], "b": ["d3"]}


def test_references_with_one_place_state_a_nugget_together(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "d1.txt").write_text(TEXT, encoding="utf-8")

    def reference(words, place=None, said=None):
        start = len(TEXT[: TEXT.index(words)].encode())
        offsets = {"start_offset": start, "end_offset": start + len(words.encode()), "encoding": "utf-8"}
        given = {"doc_id": "d1", "text": said or words, "offsets": offsets}
        return given if place is None else given | {"place": place}

    references = [
        reference("pressed 😀", 2),
        reference("Light", 1),
        reference("kept dark", 2),
        reference("rancid"),
        reference("Oil", 3),
        reference("gepresst", 3, "not there"),
        reference("wird ", 4),
        reference("gepresst", 4),  # beside the one before: one part
    ]
    answers = [{"answer": "a", "references": references}]
    path = tmp_path / "bank.json"
    path.write_text(json.dumps({"query_id": "1", "nugget_bank": [{"question": "q", "answers": answers}]}))
    with closing(Collection.open(tmp_path / "texts")) as collection:
        file, check = placed_nuggets(read_nugget_file(path), collection)
        write_nugget_bank(file.topics, tmp_path / "again.jsonl", collection)
        again, _ = placed_nuggets(read_nugget_file(tmp_path / "again.jsonl"), collection)
    (nugget,), (same,) = file.topics[0].nuggets, again.topics[0].nuggets
    places = [[TEXT[slice(*span)] for span in place.spans] for place in nugget.places]
    apart = [["pressed 😀", "kept dark"], ["gepresst", "Oil"]]
    assert places == [apart[0], ["Light"], ["rancid"], apart[1], ["wird gepresst"]]
    assert check.misread == 1
    assert [place.spans for place in same.places] == [place.spans for place in nugget.places]
    held = text_read([("d1", TEXT.index("pressed"), TEXT.index("Light"))])
    assert list(read_nuggets((nugget,), held, 1.0)) == [1]
    assert not any(
        read_nuggets((replace(nugget, places=nugget.places[:1]),), text_read([("d1", 0, 40)]), 1.0)
    )
