"""TREC qrels and runs: ranked as trec_eval ranks, read, written and refused."""

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from inexview import DataError, Judgement, Result, Run, Spans, Task, evaluate, read_qrels, read_run
from inexview.core.formats.trec import read_judgement_groups, write_trec_qrels, write_trec_run

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
    with pytest.raises(DataError, match="has no field that names judges: leave out --judgement-groups"):
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
