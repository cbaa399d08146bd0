"""Answers as tracks and tools write them, with their traps."""

from __future__ import annotations

import json
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.answers.answers import Sentence, sentences_with_citations, without_inline
from inexview.core.article.granularity import sentence_starts
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.answer_files import placed_references, read_answer_run, read_answers
from inexview.core.formats.format import ANSWERS
from inexview.core.formats.readers import format_of
from inexview.core.judgements.runs import Task

RAG24 = {
    "run_id": "r1", "topic_id": "q1", "topic": "how is oil stored", "references": ["d1#0_0", "d1#1_10"],
    "response_length": 9,
    "answer": [{"text": "Oil is kept dark.", "citations": [1, 0]}, {"text": "That is all.", "citations": []}],
}  # fmt: skip
RAG25 = {
    "metadata": {"team_id": "t", "run_id": "r2", "type": "automatic", "narrative_id": 1, "narrative": "oil"},
    "references": ["a b", "c"],
    "answer": [{"text": "Oil.", "citations": ["c", "a b"]}],
}
RAGTIME = {
    "metadata": {"team_id": "t", "run_id": "r3", "topic_id": "q1"},
    "responses": [{"text": "Oil.", "citations": {"d1": 0.2, "d2": 0.9}}],
    "references": ["d1", "d2"],
}
IKAT = {
    "metadata": {"team_id": "t", "run_id": "r4", "run_type": "automatic"},
    "turn_id": "1-2_3",
    "responses": [
        {"rank": 2, "text": "Worse.", "citations": {}},
        {"rank": 1, "text": "Better.", "citations": {"web:0": 0.6}, "ptkb_provenance": ["x"]},
    ],
    "references": {"web:0": 0.6},
}
BIOGEN = {
    "metadata": {"team_id": "t", "run_id": "r5", "topic_id": "117"},
    "responses": [{"text": "Metformin lowers glucose [12345, 67890]."}, {"text": "It is old [1990]s style."}],
    "references": ["12345", "67890"],
}
ALCE = {
    "data": [
        {
            "question": "What is oil?",
            "output": "Oil is pressed [1][2]. It keeps dark.[3] Nobody knows [7].",
            "docs": [{"id": str(10 + at), "title": "Oil", "text": f"text {at}"} for at in range(3)],
        }
    ]
}
HAGRID = {
    "query": "oil?", "query_id": 7,
    "quotes": [{"docid": "x#1", "idx": 1, "text": "Oil is old."}, {"docid": "y#0", "idx": 2, "text": "Oil."}],
    "answers": [{"answer": "Oil is old [1]."}, {"answer": "Yes [2]."}],
}  # fmt: skip
ANTHROPIC = {
    "id": "msg_1",
    "model": "m",
    "query_id": "q9",
    "content": [
        {"type": "text", "text": "Oil is "},
        {
            "type": "text",
            "text": "pressed",
            "citations": [
                {"type": "char_location", "cited_text": "pressed oil", "document_index": 0,
                 "document_title": "a.txt", "start_char_index": 4, "end_char_index": 15},
                {"type": "page_location", "cited_text": "dark", "document_title": "a.txt",
                 "document_index": 0, "start_page_number": 1, "end_page_number": 2},
                {"type": "content_block_location", "document_index": 0, "start_block_index": 1},
            ],
        },
    ],
}  # fmt: skip
FORMS = {
    "rag24": RAG24, "rag25": RAG25, "ragtime": RAGTIME, "ikat": IKAT, "biogen": BIOGEN, "alce": ALCE,
    "hagrid": HAGRID, "anthropic": ANTHROPIC,
}  # fmt: skip


@pytest.fixture
def written(tmp_path):
    def write(*values, name="file.jsonl", indent=None):
        path = tmp_path / name
        path.write_text("\n".join(json.dumps(value, indent=indent) for value in values), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("indent", [None, 2])
def test_every_form_is_recognised_whatever_it_is_called(written, name, indent):
    path = written(FORMS[name], name="anything.txt", indent=indent)
    assert format_of(path) is ANSWERS
    assert read_answers(path).answers


def only(path):
    (answer,) = read_answers(path).answers
    return answer


def cited(answer):
    return [[answer.references[at].id for at in sentence.citations] for sentence in answer.sentences]


def test_numbers_are_places_in_the_list_from_0(written):
    answer = only(written(RAG24))
    assert (answer.topic, answer.run, answer.question) == ("q1", "r1", "how is oil stored")
    assert cited(answer) == [["d1#1_10", "d1#0_0"], []]


def test_ids_are_taken_as_they_are_and_metadata_may_stand_at_the_top(written):
    answer = only(written(RAG25))
    assert (answer.topic, answer.run, cited(answer)) == ("1", "r2", [["c", "a b"]])
    flat = {**RAG25["metadata"], **{name: RAG25[name] for name in ("references", "answer")}}
    assert cited(only(written(flat, name="flat.json"))) == [["c", "a b"]]


def test_confidence_orders_citations(written):
    assert cited(only(written(RAGTIME))) == [["d2", "d1"]]


def test_of_alternative_responses_the_best_is_the_answer(written):
    answers = read_answers(written(IKAT))
    assert [sentence.text for sentence in answers.answers[0].sentences] == ["Better."]
    assert "1 further response left out" in answers.warnings[0]


def test_pmids_stand_before_the_stop_and_years_do_not_count(written):
    answer = only(written(BIOGEN))
    assert answer.sentences[0].text == "Metformin lowers glucose."
    assert cited(answer) == [["12345", "67890"], []]


def test_prose_cites_from_1_and_missing_references_are_reported(written):
    answers = read_answers(written(ALCE, name="alce.json"))
    (answer,) = answers.answers
    assert [sentence.text for sentence in answer.sentences] == [
        "Oil is pressed.", "It keeps dark.", "Nobody knows.",
    ]  # fmt: skip
    assert cited(answer) == [["10", "11"], ["12"], []]
    assert answer.sentences[2].broken == ("7",)
    assert "1 citation of what the answer does not list" in answers.warnings[0]
    assert (answer.topic, answer.run) == ("What is oil?", "alce")


def test_several_answers_to_a_question_are_systems_of_their_own(written):
    answers = read_answers(written(HAGRID, name="hagrid.jsonl"))
    assert answers.runs == ("hagrid", "hagrid-2")
    assert [cited(answer) for answer in answers.answers] == [[["x#1"]], [["y#0"]]]
    with pytest.raises(DataError, match="answers of 2 systems"):
        read_answer_run(written(HAGRID))


def test_a_model_cites_characters_of_its_sources(written):
    answer = only(written(ANTHROPIC))
    assert (answer.topic, answer.run) == ("q9", "m")
    assert answer.sentences == (
        Sentence("Oil is"), Sentence("pressed", (0, 1), ("content_block_location",)),
    )  # fmt: skip
    placed, quoted = answer.references
    assert (placed.document, placed.start, placed.end) == ("a.txt", 4, 15)
    assert (quoted.document, quoted.quote, quoted.placed) == ("a.txt", "dark", False)


def test_answers_convert_to_runs_of_their_citations(written, tmp_path):
    run = read_answer_run(written(RAG24))
    assert run.task is Task.DOCUMENTS
    assert run.documents("q1", 9) == ["d1#1_10", "d1#0_0"]
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "10.txt").write_text("Before. text 0 behind", encoding="utf-8")
    (tmp_path / "texts" / "11.txt").write_text("nothing of it", encoding="utf-8")
    (tmp_path / "texts" / "12.txt").write_text("text 2", encoding="utf-8")
    with closing(Collection.open(tmp_path / "texts")) as texts:
        run = read_answer_run(written(ALCE), collection=texts)
        assert run.task is Task.CHUNKS
        assert [(one.document, one.start, one.end) for one in run.results("What is oil?")] == [
            ("10", 8, 14), ("11", -1, -1), ("12", 0, 6),
        ]  # fmt: skip
        (placed,) = placed_references([only(written(ALCE))], texts)
        assert [one.start for one in placed] == [8, -1, 0]


def test_topics_that_pandas_made_floats_are_reported(written):
    answers = read_answers(written({**RAG24, "topic_id": 3.0}))
    assert answers.topics == ("3",)
    assert "'3.0' is read as '3'" in answers.warnings[0]


def test_objects_behind_each_other_and_in_a_list_are_read(tmp_path):
    path = tmp_path / "a.json"
    second = {**RAG24, "topic_id": "q2"}
    path.write_text("\ufeff" + json.dumps(RAG24) + json.dumps(second), encoding="utf-8")
    assert read_answers(path).topics == ("q1", "q2")
    path.write_text(json.dumps([RAG24, second]), encoding="utf-8")
    assert read_answers(path).topics == ("q1", "q2")


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({**RAG24, "answer": [{"text": 3, "citations": []}]}, "field 'text'"),
        ({**RAG24, "answer": [{"text": "a", "citations": "d1"}]}, "is not a list of citations"),
        ({**RAG24, "answer": [{"text": "a", "citations": [[1]]}]}, "is not a list of citations"),
        ({"run_id": "r", "other": 1}, "is not an answer with citations"),
    ],
)
def test_errors_are_named_with_their_place(written, value, problem):
    with pytest.raises(DataError, match=problem) as caught:
        read_answers(written(RAG24, value))
    assert caught.value.line == 2


def test_a_topic_is_answered_once_by_a_system(written):
    with pytest.raises(DataError, match="answers topic q1 a second time"):
        read_answers(written(RAG24, RAG24))


def test_a_number_beyond_the_list_is_broken_and_kept(written):
    answer = only(written({**RAG24, "answer": [{"text": "a", "citations": [0, 5, -1]}]}))
    assert answer.sentences[0] == Sentence("a", (0,), ("5", "-1"))


@pytest.mark.parametrize(
    ("text", "said", "numbers"),
    [
        ("Oil [1].", "Oil.", ("1",)),
        ("Oil [1][2, 3] is.", "Oil is.", ("1", "2", "3")),
        ("Oil【4:0†source】 is.", "Oil is.", ("4",)),
        ("Oil [^2].", "Oil.", ("2",)),
        ("Oil [sic] in [a].", "Oil [sic] in [a].", ()),
    ],
)
def test_citations_are_taken_out_of_sentences(text, said, numbers):
    assert without_inline(text) == (said, numbers)


@given(st.text(alphabet="ab.[]12, †【】^\n", max_size=60))
def test_prose_of_any_kind_is_taken_apart(text):
    for said, numbers in sentences_with_citations(text, sentence_starts(text)):
        assert said.strip()
        assert all(number.isdecimal() for number in numbers)
