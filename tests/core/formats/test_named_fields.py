"""Runs and qrels in JSON or CSV, whatever their fields are called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inexview.core.errors import DataError
from inexview.core.formats.readers import read_qrels, read_run

JUDGED = [("1", "a", 2), ("1", "b", 0), ("2 long ago", "c/d e", 1)]
RANKED = [("1", "b", 2.5), ("1", "a", 1.5), ("2 long ago", "c/d e", 1.0)]
NAMES = [
    ("query_id", "doc_id", "relevance", "score"),  # ir_datasets
    ("qid", "docno", "label", "score"),  # PyTerrier
    ("q_id", "doc_id", "score", "score"),  # ranx
    ("query-id", "corpus-id", "score", "score"),  # BEIR
    ("Topic ID", "Document", "Grade", "RSV"),
    ("query", "docid", "rating", "similarity"),  # Quepid
]


def written(folder: Path, text: str, name: str = "file") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def judged(path):
    return [(one.topic, one.document, one.rsize) for one in read_qrels(path)]


def ranked(path):
    run = read_run(path)
    return [(topic, one.document, one.score) for topic in run.topics for one in run.results(topic)]


def forms(rows, names):
    """Return rows as lines, as a list, within an object, side by side, and as three kinds of CSV."""
    objects = [dict(zip(names, row, strict=True)) for row in rows]
    yield "\n".join(map(json.dumps, objects))
    yield json.dumps(objects, indent=1)
    yield "".join(map(json.dumps, objects))
    for mark in ",;\t":
        lines = [names, *[[str(value) for value in row] for row in rows]]
        yield "\n".join(mark.join(line) for line in lines) + "\n"


@pytest.mark.parametrize("names", NAMES, ids=lambda names: names[0])
def test_fields_are_known_by_the_names_that_tools_give_them(tmp_path, names):
    topic, document, grade, score = names
    for text in forms(JUDGED, (topic, document, grade)):
        if "\t" not in text or grade != "score":  # blanks part the columns of BEIR's qrels
            assert judged(written(tmp_path, text)) == JUDGED
    for text in forms([(*row, "r") for row in RANKED], (topic, document, score, "run_id")):
        path = written(tmp_path, text)
        assert (ranked(path), read_run(path).id) == (RANKED, "r")


def test_an_object_of_objects_is_a_run_or_qrels_by_what_is_wanted(tmp_path):
    nested: dict[str, dict[str, float]] = {}
    for topic, document, grade in JUDGED:
        nested.setdefault(topic, {})[document] = grade
    path = written(tmp_path, json.dumps(nested))
    assert judged(path) == JUDGED
    assert [one[:2] for one in ranked(path)] == [("1", "a"), ("1", "b"), ("2 long ago", "c/d e")]


def test_a_large_object_on_one_line_is_recognised(tmp_path):
    nested = {str(topic): {f"d{document}": document for document in range(500)} for topic in range(40)}
    path = written(tmp_path, json.dumps(nested))
    assert path.stat().st_size > 1 << 17
    assert len(read_qrels(path)) == len(read_run(path)) == 20_000


def test_without_scores_ranks_give_the_order_and_without_ranks_the_file(tmp_path):
    lines = "qid,docid,rank\n1,a,2\n1,b,1\n"
    assert [one[1] for one in ranked(written(tmp_path, lines))] == ["b", "a"]
    assert read_run(written(tmp_path, lines)).results("1")[0].score is None


@pytest.mark.parametrize(
    "text",
    [
        '{"1": ["b", "a"]}',
        '{"1": [["b", 2.5], ["a", 1.0]]}',
        '{"1": [{"docid": "a", "score": 1.0}, {"docid": "b", "score": 2.5}]}',
        '{"1": [{"docid": "a", "rank": 2}, {"docid": "b", "rank": 1}]}',
    ],
)
def test_a_topic_may_have_its_documents_in_a_list(tmp_path, text):
    assert [one[:2] for one in ranked(written(tmp_path, text))] == [("1", "b"), ("1", "a")]
    if "score" not in text and "rank" not in text and "." not in text:
        assert judged(written(tmp_path, text)) == [("1", "b", 1), ("1", "a", 1)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"1": {"a": 1}, "1": {"b": 1}}', "gives '1' twice"),
        ('{"1": {"a": 1, "b": 0.5}}', "field 'relevance' = '0.5': is not a whole number"),
        ('{"qid": "1", "docid": "a", "label": 1}\n{"qid": "1", "docid": "a"}', ":2: field 'relevance' = ''"),
        (
            '{"qid": "1", "docid": "a", "label": 1}\n{"qid": "1", "label": 2}',
            ":2: field 'document' = ''",
        ),
        ('{"qid": "1", "docid": "a", "label": 1}\n{"qid": ', ":2: is no JSON"),
        ('{"qid": "1", "docid": "a", "label": NaN}', "NaN is no number"),
        (
            '{"qid": 1, "docid": "a", "label": 1}\n{"qid": 1.0, "docid": "a", "label": 2}',
            "judged differently",
        ),
        ("qid,docid,label\n1,a,1\n1,b\n", ":3: has 2 fields where the header has 3"),
        ("qid,docid,label\n1,a,one\n", ":2: field 'relevance' = 'one': is not a finite number"),
    ],
)
def test_what_is_wrong_is_told_with_line_and_field(tmp_path, text, said):
    with pytest.raises(DataError) as raised:
        read_qrels(written(tmp_path, text), format="json-qrels")
    assert said in str(raised.value)


def test_json_of_nothing_known_is_told_by_its_fields(tmp_path):
    with pytest.raises(DataError, match="first object, which has the fields colour, size"):
        read_qrels(written(tmp_path, '{"colour": 1, "size": 2}'))


def test_grades_below_0_are_pooled_and_not_judged(tmp_path):
    qrels = read_qrels(written(tmp_path, '{"1": {"a": -1, "b": 1}}'))
    assert qrels.unsampled is not None
    assert qrels.unsampled.tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"1": {"d\\ud800": 1}}', "holds half a character (a lone surrogate)"),
        ('{"1": {"d1": 1', "is not valid JSON"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"1": {"d1": 1, "d2": ' + "9" * 5_000 + "}}", "is not valid JSON"),
        ('{"1": {"d1": 1, "d1": 2}}', "gives 'd1' twice"),
    ],
    ids=["surrogate", "cut", "deep", "long", "twice"],
)
def test_hostile_json_is_refused_in_a_sentence(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as refused:
        read_run(path)
    assert problem in str(refused.value)


def test_a_character_that_json_writes_as_two_halves_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{"1": {"d\\ud83d\\ude00": 1}}', encoding="utf-8")
    assert read_run(path).results("1")[0].document == "d😀"
