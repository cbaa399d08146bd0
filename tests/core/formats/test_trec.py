"""TREC qrels and runs: ranked as trec_eval ranks, read, written and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import DataError
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.formats.readers import read_qrels, read_run
from inexview.core.formats.trec import read_judgement_groups, write_trec_qrels, write_trec_run
from inexview.core.judgements.qrels import Judgement
from inexview.core.judgements.runs import Result, Run, Task
from inexview.core.text.spans import Spans

DOCUMENTS = st.from_regex(r"[A-Za-z0-9é-]{1,20}", fullmatch=True)
CLOSE = st.sampled_from(
    [1.0, 1.00000001, 1.00000002, 1.0000001, 1.000001, 2.0, -0.0, 0.0, -3.5, 1e300, -1e300]
)
SCORES = st.dictionaries(DOCUMENTS, CLOSE | st.floats(-1e30, 1e30), min_size=1, max_size=12)


@given(st.dictionaries(st.sampled_from("123"), SCORES, min_size=1))
def test_the_ranking_is_that_of_trec_eval(tmp_path_factory, scores):
    path = tmp_path_factory.mktemp("trec") / "run.txt"
    path.write_text(
        "".join(
            f"{topic} Q0 {name} 0 {score!r} r\n"
            for topic, own in scores.items()
            for name, score in own.items()
        )
    )
    run = read_run(path)
    assert run.task is Task.DOCUMENTS
    for topic, own in scores.items():
        ranks = {result.document: result.rank for result in run.results(topic)}
        for name in own:
            judged = {topic: {name: 1}}
            theirs = pytrec_eval.RelevanceEvaluator(judged, {"recip_rank"}).evaluate({topic: own})
            assert ranks[name] == round(1 / theirs[topic]["recip_rank"])


@given(st.dictionaries(st.sampled_from("123"), SCORES, min_size=1))
def test_a_run_is_written_and_read_back_to_the_same(tmp_path_factory, scores):
    folder = tmp_path_factory.mktemp("trec")
    first, second = folder / "first.txt", folder / "second.txt"
    listed = [
        Result(topic, name, rank, score, 0, 0)
        for topic, own in scores.items()
        for rank, (name, score) in enumerate(own.items(), 1)
    ]
    write_trec_run(Run.from_results(listed, id="r"), first)
    run = read_run(first)
    for topic, own in scores.items():
        assert [result.document for result in run.results(topic)] == list(own)
    write_trec_run(run, second)
    assert second.read_bytes() == first.read_bytes()
    assert read_run(second) == run


def test_a_run_of_passages_becomes_one_of_documents_at_their_first_results(tmp_path):
    passages = [("a", 0, 5), ("b", 0, 5), ("a", 9, 12), ("c", 0, 5)]
    run = Run.from_results(
        [Result("1", name, rank, None, start, end) for rank, (name, start, end) in enumerate(passages, 1)]
    )
    write_trec_run(run, tmp_path / "run.txt")
    assert [result.document for result in read_run(tmp_path / "run.txt").results("1")] == ["a", "b", "c"]


BEIR = "query-id\tcorpus-id\tscore\n"


def test_qrels_of_beir_have_a_header_and_three_columns(tmp_path):
    path = tmp_path / "test.tsv"
    path.write_text(f"{BEIR}q1\ta\t2\nq1\tb\t0\nq2\ta\t1\n")
    qrels = read_qrels(path)
    assert [(one.topic, one.document, one.rsize) for one in qrels] == [
        ("q1", "a", 2),
        ("q1", "b", 0),
        ("q2", "a", 1),
    ]
    assert qrels.graded
    assert qrels.line.tolist() == [2, 3, 4]
    with pytest.raises(DataError, match="has no field with judges: omit --judgement-groups"):
        read_judgement_groups(path)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("", "test.tsv: holds no judgement"),
        ("q1\ta\tone\n", "test.tsv:2: field 'relevance' = 'one': is not a whole number"),
        ("q1\ta\t1\nq1\t0\tb\t1\n", "test.tsv:3: has 4 fields where a line of these qrels has 3"),
        ("q1\ta\t1\nq1\ta\t0\n", "test.tsv:3: document a of topic q1 was judged differently on line 2"),
    ],
)
def test_qrels_of_beir_are_refused_with_their_lines(tmp_path, lines, problem):
    path = tmp_path / "test.tsv"
    path.write_text(BEIR + lines)
    with pytest.raises(DataError, match=problem):
        read_qrels(path)


def test_qrels_are_written_with_rsize_or_with_1(tmp_path):
    path = tmp_path / "qrels.txt"
    judgements = [
        Judgement("1", "a", 30, 99, 0, Spans([(0, 30)])),
        Judgement("1", "b", 0, 99, None, Spans()),
    ]
    write_trec_qrels(judgements, path)
    assert path.read_text() == "1 0 a 30\n1 0 b 0\n"
    assert [judgement.rsize for judgement in read_qrels(path)] == [30, 0]
    write_trec_qrels(judgements, path, graded=False)
    assert path.read_text() == "1 0 a 1\n1 0 b 0\n"
    again = tmp_path / "again.txt"
    write_trec_qrels(read_qrels(path), again)
    assert again.read_bytes() == path.read_bytes()


def test_grades_below_0_are_not_judged_and_warned_of(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("1 0 a -2\n1 0 b 3\n")
    qrels = read_qrels(path)
    assert [judgement.rsize for judgement in qrels] == [0, 3]
    assert qrels.unsampled.tolist() == [True, False]
    assert "qrels.txt:1: a grade below 0" in qrels.warnings[0]


@pytest.mark.parametrize(
    ("name", "line", "error"),
    [
        ("qrels", "1 0 b 1.5", ":2: field 'relevance' = '1.5': is not a whole number"),
        ("qrels", "1 0 b nan", ":2: field 'relevance' = 'nan': is not a whole number"),
        ("qrels", "1 0 b 1e300", ":2: field 'relevance' = '1e300': is not a whole number"),
        ("qrels", "1 0 b", ":2: has 3 fields where a line of TREC qrels has 4"),
        ("qrels", "1 0 a 0", ":2: document a of topic 1 was judged differently on line 1"),
        ("run", "1 Q0 b 2 nan r", ":2: field 'score' = 'nan': is not a finite number"),
        ("run", "1 Q0 b 2 inf r", ":2: field 'score' = 'inf': is not a finite number"),
        ("run", "1 Q0 b 2 x r", ":2: field 'score' = 'x': is not a number"),
        ("run", "1 Q0 b 2 r", ":2: has 5 fields where a TREC run has 6"),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_line_and_field(tmp_path, name, line, error):
    path = tmp_path / f"{name}.txt"
    good = {
        "qrels": "1 0 a 1\n{}\n1 0 c 1\n1 0 d 1\n",
        "run": "1 Q0 a 1 5 r\n{}\n1 Q0 c 3 4 r\n1 Q0 d 3 3 r\n",
    }
    path.write_text(good[name].format(line))
    with pytest.raises(DataError) as raised:
        (read_qrels if name == "qrels" else read_run)(path)
    assert f"{path}{error}" in str(raised.value)


def test_a_document_that_comes_twice_is_refused_when_the_run_is_scored(tmp_path):
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    (tmp_path / "run.txt").write_text("1 Q0 a 1 5 r\n1 Q0 b 2 4 r\n1 Q0 a 3 3 r\n")
    qrels, run = read_qrels(tmp_path / "qrels.txt"), read_run(tmp_path / "run.txt")
    with pytest.raises(
        DataError, match=r"run\.txt:3: .* document a retrieves the same document as the result on line 1"
    ):
        evaluate(qrels, run)


def test_trec_qrels_score_documents_and_are_refused_where_passages_are_needed(tmp_path):
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    qrels = read_qrels(tmp_path / "qrels.txt")
    run = Run.from_results([Result("1", "a", 1, None, 0, 9)])
    assert evaluate(qrels, run, task="documents")[0].mean["MAP"] == 1
    for task in (Task.FOCUSED, Task.RELEVANT_IN_CONTEXT, Task.BEST_IN_CONTEXT, Task.PASSAGES):
        with pytest.raises(
            DataError, match=rf"qrels\.txt: TREC qrels judge whole documents, .* {task} needs"
        ):
            evaluate(qrels, run, task=task)


def test_ties_are_counted_as_they_are_compared(tmp_path):
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n")
    (tmp_path / "run.txt").write_text("1 Q0 a 1 1.00000001 r\n1 Q0 b 2 1.00000002 r\n1 Q0 c 3 0.5 r\n")
    scores = evaluate(read_qrels(tmp_path / "qrels.txt"), read_run(tmp_path / "run.txt"))[0]
    assert scores.counts.total.ties == 1


# Runs and qrels in JSON or CSV, whatever their fields are called.

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


def test_an_object_of_objects_is_a_run_or_qrels_as_requested(tmp_path):
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
        ('{"qid": "1", "docid": "a", "label": 1}\n{"qid": ', ":2: is not valid JSON"),
        ('{"qid": "1", "docid": "a", "label": NaN}', "NaN is not a number"),
        (
            '{"qid": 1, "docid": "a", "label": 1}\n{"qid": 1.0, "docid": "a", "label": 2}',
            "judged differently",
        ),
        ("qid,docid,label\n1,a,1\n1,b\n", ":3: has 2 fields where the header has 3"),
        ("qid,docid,label\n1,a,one\n", ":2: field 'relevance' = 'one': is not a finite number"),
    ],
)
def test_errors_are_reported_with_line_and_field(tmp_path, text, said):
    with pytest.raises(DataError) as raised:
        read_qrels(written(tmp_path, text), format="json-qrels")
    assert said in str(raised.value)


def test_unknown_json_is_reported_with_its_fields(tmp_path):
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
