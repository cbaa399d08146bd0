"""Rankings and judgements as JSON and frames of today, with their traps, through `inexview eval`."""

from __future__ import annotations

import codecs
import gzip
import json

import pytest

from inexview.cli import main

QRELS = "1 0 d1 2\n1 0 d2 0\n"
HITS = [
    {"_id": "d1", "_score": 1.5, "_source": {"t": "x"}, "highlight": {"t": ["<em>x</em>"]}},
    {"_id": 7, "_score": 1},
]
CHILDREN = [
    {"id": "id:ns:type::d1", "relevance": 0.3, "fields": {}},
    {"id": "id:ns:type::d3", "relevance": 0.1},
]

# Files called as the topic, for answers of search engines name none; d1 is first in each of them.
RUNS = {
    "scores": json.dumps({"1": {"d2": 1, "d1": 9.5}}),
    "whole scores": json.dumps({"1": {"d2": 1, "d1": 9}}),
    "ranx": "q_id,doc_id,score\n1,d2,0.4\n1,d1,0.5\n",
    "ir_measures": "query_id,doc_id,score,start,end\n1,d1,0.5,0,3\n1,d2,0.25,,\n",
    "PyTerrier": 'qid,docno,score,rank,query\n1,d1,0.5,0,"oil, olive"\n1,d2,-0.5,1,oil\n',
    "six columns": "1 Q0 d2 1 0.5 r\n1 Q0 d1 2 0.9 r\n",
    "three columns": "1\td1\t1\n1\td2\t2\n",
    "Elasticsearch": json.dumps({"took": 1, "hits": {"total": {"value": 2}, "hits": HITS}}, indent=1),
    "Vespa": json.dumps({"root": {"id": "toplevel", "relevance": 1.0, "children": CHILDREN}}),
}
JUDGED = {
    "grades": json.dumps({"1": {"d1": 2, "d2": 0}}),
    "ir_measures": "query_id,doc_id,relevance,iteration\n1,d1,2,0\n",
    "PyTerrier": "qid,docno,label\n1,d1,2\n1,d2,0\n",
    "BEIR": "query-id\tcorpus-id\tscore\n1\td1\t2\n",
    "Quepid": "query,docid,rating\n1,d1,2\nwithout a rating",
}


@pytest.fixture(params=["CRLF", "gz"])
def written(request, tmp_path):
    def write(name, text):
        packed = request.param == "gz"
        path = tmp_path / (f"{name}.gz" if packed else name)
        text = text.replace("\n", "\r\n")
        path.write_bytes(gzip.compress(text.encode()) if packed else codecs.BOM_UTF8 + text.encode())
        return str(path)

    return write


def precision(capsys, *files):
    status = main(["eval", *files, "-m", "P@1", "--format", "json"])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    (run,) = json.loads(printed.out)["runs"]
    return run["mean"]["P@1"]


@pytest.mark.parametrize("form", RUNS)
def test_every_form_of_runs_is_scored(written, capsys, form):
    assert precision(capsys, written("qrels", QRELS), written("1", RUNS[form])) == 1.0


@pytest.mark.parametrize("form", JUDGED)
def test_every_form_of_judgements_is_scored_by(written, capsys, form):
    assert precision(capsys, written("qrels", JUDGED[form]), written("1", RUNS["scores"])) == 1.0


def test_requests_of_rank_evaluation_are_named(written, capsys):
    ratings = [{"_index": "i", "_id": "d1", "rating": 2}]
    text = json.dumps(
        {"requests": [{"id": "1", "request": {}, "ratings": ratings}], "metric": {"precision": {}}}
    )
    assert main(["eval", written("qrels", text), written("1", RUNS["scores"])]) == 2
    assert "Elasticsearch's rank evaluation" in capsys.readouterr().err
