"""Rows, dicts, columns and frames become qrels and runs, and frames are made of them."""

from __future__ import annotations

import sys
from collections import namedtuple
from dataclasses import dataclass
from dataclasses import replace as changed

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import DataError, InexviewError, Judgement, Qrels, Result, Run, Spans, Task, evaluate, read_run
from inexview.core.text.spans import Names

try:
    import pandas
    import polars
    import pyarrow as arrow
except ImportError:
    pandas = polars = arrow = None

of_frames = pytest.mark.skipif(arrow is None, reason="pandas, polars and pyarrow come with the [dev] extras")

IDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=20)
LIBRARIES = ("pandas", "polars")
GRADES = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1}}
SCORES = {"q1": {"b": 1.5, "a": 1.5, "c": 2.0}, "q2": {"a": 0.1}}
QREL, SCORED = namedtuple("Qrel", "query_id doc_id relevance"), namedtuple("Scored", "qid docno score")


@dataclass
class Hit:
    topic: str
    document: str
    score: float


GRADED = Qrels.from_judgements(
    Judgement(topic, document, grade, 0, None, Spans())
    for topic, own in GRADES.items()
    for document, grade in own.items()
)
ROWS = [(topic, document, grade) for topic, own in GRADES.items() for document, grade in own.items()]
RESULTS = [(topic, document, score) for topic, own in SCORES.items() for document, score in own.items()]


@pytest.mark.parametrize(
    "make",
    [
        lambda: GRADES,
        lambda: ROWS,
        lambda: [QREL(*row) for row in ROWS],
        lambda: iter([QREL(*row) for row in ROWS]),
        lambda: [{"qid": topic, "docno": document, "label": grade} for topic, document, grade in ROWS],
        lambda: {
            "query-id": [row[0] for row in ROWS],
            "corpus-id": [row[1] for row in ROWS],
            "score": [0] * 3,
            "relevance": np.array([row[2] for row in ROWS]),
        },
        pytest.param(lambda: pandas.DataFrame(ROWS, columns=["query", "docid", "rel"]), marks=of_frames),
        pytest.param(
            lambda: polars.DataFrame(ROWS, schema=["q_id", "doc_id", "rel"], orient="row"), marks=of_frames
        ),
    ],
    ids=["dict", "tuples", "named", "iterator", "dicts", "columns", "pandas", "polars"],
)
def test_judgements_come_in_every_shape(make):
    qrels = Qrels.of(make())
    assert qrels == GRADED
    assert qrels.graded
    assert Qrels.of(qrels) is qrels


def frame_of_results():
    return pandas.DataFrame(RESULTS, columns=["qid", "docno", "score"])


@pytest.mark.parametrize(
    "make",
    [
        lambda: SCORES,
        lambda: RESULTS,
        lambda: [SCORED(*row) for row in RESULTS],
        lambda: [Hit(*row) for row in RESULTS],
        lambda: [{"query_id": topic, "doc_id": name, "score": str(score)} for topic, name, score in RESULTS],
        pytest.param(frame_of_results, marks=of_frames),
        pytest.param(lambda: frame_of_results().convert_dtypes(), marks=of_frames),
        pytest.param(
            lambda: frame_of_results().astype({"qid": object, "docno": "category"}), marks=of_frames
        ),
        pytest.param(
            lambda: polars.DataFrame(RESULTS, schema=["qid", "docno", "score"], orient="row"),
            marks=of_frames,
        ),
    ],
    ids=["dict", "tuples", "named", "objects", "texts", "pandas", "nullable", "object", "polars"],
)
def test_results_come_in_every_shape_and_are_ranked_as_trec_eval_ranks(make, tmp_path):
    file = tmp_path / "run.txt"
    file.write_text("".join(f"{t} Q0 {d} 0 {s} run\n" for t, d, s in RESULTS), encoding="utf-8")
    run = Run.of(make())
    assert run == read_run(file)
    assert run.by_score
    assert [one.document for one in run] == ["c", "b", "a", "a"]
    assert evaluate(GRADES, make(), measures="AP")[0].mean == evaluate(GRADED, run, measures="AP")[0].mean


@of_frames
def test_frames_of_other_tools_are_read_as_these_mean_them():
    terrier = pandas.DataFrame(  # docid is the number of a document in Terrier's index
        {
            "qid": ["1", "1"],
            "docid": [7, 9],
            "docno": ["b", "a"],
            "rank": [0, 1],
            "score": [2.0, 1.0],
            "query": "x",
        }
    )
    run = Run.of(terrier)
    assert (run.topics, run.document.strings()) == (("1",), ["b", "a"])
    table = arrow.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": [1, None]})
    assert Qrels.of(table.slice(0, 1)) == Qrels.of({"q": {"a": 1}})
    assert Qrels.of(table).rsize.tolist() == [1, 0]
    lazy = polars.DataFrame({"qid": ["q"], "docno": ["a"], "rel": [1]}).lazy()
    assert Qrels.of(lazy) == Qrels.of({"q": {"a": 1}})
    scores = polars.DataFrame({"qid": ["q"], "docno": ["a"], "score": [1.0]}).lazy()
    assert len(evaluate(lazy, scores, measures="RR")) == len(evaluate(lazy, [scores], measures="RR")) == 1
    categories = polars.DataFrame({"qid": ["q"], "docno": ["a"], "rel": [1]}).cast(
        {"qid": polars.Categorical}
    )
    assert Qrels.of(categories) == Qrels.of({"q": {"a": 1}})
    with pytest.raises(DataError, match="run:2: field 'query_id' = '': is missing"):
        Run.of(pandas.DataFrame({"qid": ["q", None], "docno": ["a", "b"]}))
    double = pandas.DataFrame([["q", "a", "b", 1]], columns=["qid", "docno", "docno", "rel"])
    with pytest.raises(DataError, match="has several columns 'docno'"):
        Qrels.of(double)


def test_several_runs_are_a_list():
    scores = evaluate(GRADES, [SCORES, RESULTS, Run.of(SCORES, id="third")], measures="RR")
    assert len({tuple(one.mean.items()) for one in scores.runs}) == 1
    assert len(scores.runs) == 3
    assert scores["third"] is scores[2]
    assert len(evaluate(GRADES, RESULTS, measures="RR").runs) == 1
    assert len(evaluate(GRADES, iter(RESULTS), measures="RR").runs) == 1
    assert len(evaluate(GRADES, {1: SCORES, 2: Run.of(SCORES)}.values(), measures="RR").runs) == 2
    assert len(evaluate(GRADES, [], measures="RR").runs) == 0
    with pytest.raises(DataError, match="run: is int, and neither a dict, a frame nor rows"):
        evaluate(GRADES, 7, measures="RR")


@st.composite
def judgements(draw):
    pairs = draw(st.lists(st.tuples(IDS, IDS), unique=True, min_size=1, max_size=6))
    listed = []
    for topic, document in pairs:
        edges = sorted(draw(st.sets(st.integers(0, 200), max_size=8)))
        spans = Spans(zip(edges[::2], edges[1::2], strict=False))
        size = spans.size or draw(st.sampled_from([0, 7]))
        bep = draw(st.none() | st.integers(0, 200))
        listed.append(Judgement(topic, document, size, draw(st.sampled_from([0, 300])), bep, spans))
    return Qrels.from_judgements(listed)


@of_frames
@given(judgements(), st.sampled_from(LIBRARIES))
def test_judgements_come_back_from_their_frame(qrels, library):
    frame = qrels.frame(library)
    assert list(frame.columns) == ["query_id", "doc_id", "relevance", "start", "end", "length", "bep"]
    assert Qrels.of(frame) == qrels
    listed = zip(*(frame[name].to_list() for name in frame.columns), strict=True)
    assert Qrels.of(dict(zip(frame.columns, row, strict=True)) for row in listed) == qrels


@st.composite
def runs(draw):
    scored, whole = draw(st.booleans()), draw(st.booleans())
    results = []
    for topic in draw(st.lists(IDS, unique=True, min_size=1, max_size=3)):
        for rank, document in enumerate(draw(st.lists(IDS, min_size=1, max_size=6, unique=whole)), 1):
            start = 0 if whole else draw(st.integers(-1, 99))
            end = 0 if whole else -1 if start < 0 else start + draw(st.integers(0, 50))
            results.append(Result(topic, document, rank, float(-rank) if scored else None, start, end))
    run = Run.from_results(results, id="r", task=Task.DOCUMENTS if whole else None)
    return changed(run, size=np.full(len(run), -1)) if whole else run


@of_frames
@given(runs(), st.sampled_from(LIBRARIES))
def test_results_come_back_from_their_frame(run, library):
    frame = run.frame(library)
    assert frame["rank"].to_list() == [one.rank for one in run]
    assert Run.of(frame, id="r") == run
    assert list(run) == [one for topic in run.topics for one in run.results(topic)]


@of_frames
@given(st.lists(IDS, max_size=50), st.integers(0, 3))
def test_ids_are_the_same_in_arrow_and_out_of_it(names, width):
    from inexview.core.judgements import tables

    column = Names.of(names).widened(width)
    made = tables._arrow_of_names(column, arrow)
    assert made.to_pylist() == names
    made.validate(full=True)
    assert tables._names_of_arrow(made).strings() == names
    if len(names) > 2:
        assert tables._names_of_arrow(made[1:-1]).strings() == names[1:-1]


@of_frames
def test_without_arrow_frames_are_the_same(monkeypatch):
    run = Run.of(SCORES)
    frames = [run.frame(library) for library in LIBRARIES]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run.frame("pandas").equals(frames[0])
    assert run.frame("polars").equals(frames[1])
    assert Run.of(frames[0]) == run
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(run.frame(), polars.DataFrame)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InexviewError, match=r"pandas is not installed: pip install 'inexview\[pandas\]'"):
        run.frame()
    with pytest.raises(InexviewError, match="no frames of 'arrow': name pandas or polars"):
        run.frame("arrow")


PASSAGES = [
    ("q", "a", 1, 5, 9),
    ("q", "b", 0, -1, -1),
    ("q", "a", 1, 0, 3),
    ("q", "c", 4, -1, -1),
    ("q", "a", 0, 20, 30),
]


def test_rows_of_passages_are_gathered_by_document():
    qrels = Qrels.of(PASSAGES)
    assert [(one.document, one.rsize, list(one.passages)) for one in qrels] == [
        ("a", 7, [(0, 3), (5, 9)]), ("b", 0, []), ("c", 4, []),
    ]  # fmt: skip
    run = Run.of([("q", "a", 0.5, 0, 3), ("q", "b", 0.9, 0, 8)], task="focused")
    assert [(one.document, one.start, one.end) for one in run] == [("b", 0, 8), ("a", 0, 3)]
    assert evaluate(qrels, run, measures="iP[0.00]")[0].mean["iP[0.00]"] == 3 / 11


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Run.of({}), "run: holds no row"),
        (lambda: Run.of(7), "run: is int, and neither a dict, a frame nor rows with names"),
        (lambda: Run.of("run.txt"), "run: is str, and neither"),
        (lambda: Run.of(["a b"]), "run:1: has rows without names, such as 'a b'"),
        (lambda: Run.of([("q", "a", 1), ("q", "b")]), "run:2: has 2 values, where others have 3"),
        (lambda: Run.of({"score": [1]}), "run: has no column 'doc_id': name one doc_id, docno, docid"),
        (
            lambda: Run.of({"qid": ["q"], "docno": ["a", "b"]}),
            "run: has columns of several lengths: query_id 1",
        ),
        (lambda: Run.of([("q", "a", "x")]), "run:1: field 'score' = 'x': is not a number"),
        (lambda: Run.of([("q", "a", 1), ("q", "b", None)]), "run:2: field 'score' = 'None': is missing"),
        (lambda: Run.of([("q", "a", float("inf"))]), "run:1: field 'score' = 'inf': is not a finite number"),
        (lambda: Run.of([("q", None, 1)]), "run:1: field 'doc_id' = '': is missing"),
        (lambda: Run.of([("q", 1.5, 1)]), "run:1: field 'doc_id' = '1.5': is not an id"),
        (lambda: Run.of([("q", "a\0b", 1)]), "field 'doc_id' = 'a\\x00b': is not an id"),
        (lambda: Run.of([("q", "\ud800", 1)]), "field 'doc_id' = '': is not a text"),
        (lambda: Run.of([("q", "x" * 5000, 1)]), "is longer than 4096 bytes"),
        (lambda: Run.of([("q", "a", 1, 9, 3)]), "run:1: field 'end' = '3': is before the start, 9"),
        (
            lambda: Run.of({"qid": ["q"], "docno": ["a"], "start": [3]}),
            "only one end: give both start and end",
        ),
        (
            lambda: Run.of({"qid": ["q", None], "docno": ["a", "b"]}),
            "run:2: field 'query_id' = '': is missing",
        ),
        (
            lambda: Qrels.of([("q", "a", 1.5)]),
            "judgements:1: field 'relevance' = '1.5': is not a whole number",
        ),
        (
            lambda: Qrels.of([("q", "a", 1), ("q", "a", 0)]),
            "judgements:2: field 'relevance' = '0': row 1 says 1",
        ),
        (lambda: Qrels.of([("q", "a")]), "judgements: have no relevance, and no start and end of passages"),
        (lambda: Qrels.of([("q", "a", 1, 9, 3)]), "judgements:1: field 'end' = '3': is before the start, 9"),
    ],
)
def test_an_invalid_table_is_refused_with_row_and_column(make, said):
    with pytest.raises(DataError) as caught:
        make()
    assert said in str(caught.value)


@of_frames
def test_numbers_are_ids_and_a_grade_below_0_is_not_judged():
    frame = pandas.DataFrame({"qid": [1, 1], "docno": [10.0, 11.0], "label": [-1, 2]})
    qrels = Qrels.of(frame)
    assert qrels.topics == ("1",)
    assert qrels.document.strings() == ["10", "11"]
    assert qrels.unsampled.tolist() == [True, False]
    assert Qrels.of(qrels.frame()).unsampled.tolist() == [True, False]


def test_notebooks_show_the_first_rows():
    run = Run.of({"<q>": {f"d{at}": -at for at in range(9)}})
    assert "&lt;q&gt;" in run._repr_html_()
    assert "… 4 more" in run._repr_html_()
    assert run._repr_html_().count("<tr>") == 6
    shown = Qrels.of(PASSAGES)._repr_html_()
    assert "[(0, 3), (5, 9)]" in shown
    assert "more" not in shown
