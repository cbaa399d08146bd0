"""Every form in which models and people judge today, with its traps, through `inexview agree --model`."""

from __future__ import annotations

import codecs
import gzip
import json
import shutil

import pytest

from inexview.cli import main
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project

OIL = "Olive oil is pressed from olives.\r\nKeep oil dark, \N{PILE OF POO} and cool."
PERSON = "1 0 d1 2\n1 0 d2 0\n"

UMBRELA = {"model": "m", "query": "oil", "passage": "Keep oil dark", "prediction": "x", "judgment": 3}
READ = {"result_status": 1}
WORKBENCH = {
    "name": "m", "type": "IMPORT_JUDGMENT",
    "judgmentRatings": [
        {"query": "Oil", "ratings": [{"docId": "d1", "rating": "1.0"}, {"docId": "d2", "rating": "0.0"}]},
        {"query": "lamp", "ratings": None},
    ],
}  # fmt: skip
BOOK = {
    "query_doc_pairs": [
        {"query_text": "oil", "doc_id": "d1", "judgements": [
            {"rating": 2.0, "user_email": "m", "explanation": None},
            {"rating": None, "unrateable": True, "user_email": "n"},
        ]},
        {"query_text": "oil", "doc_id": "d2", "judgements": None},
    ]
}  # fmt: skip
GAINS = {"d1": {"gain": 2}, "d2": {"gain": 0}}
RRE = {"index": "i", "queries": [{"placeholders": {"$query": "oil"}, "relevant_documents": GAINS}]}
CALLS = {"args": {"question": "oil", "context": "Keep oil dark"}, "ret": 0.8, "meta": {"reason": "r"}}
RAGAS = {"user_input": "oil", "retrieved_contexts": ["c"], "response": "r"}
PHOENIX = {"attributes.input.value": "oil", "reference": "Keep oil dark", "label": "relevant"}
RETRIEVED = [
    {
        "document.content": "Keep oil dark",
        "document.id": "d1",
        "document.score": 0.1,
        "document.label": "relevant",
    },
    {"document": {"id": "d2", "evaluations": [{"label": "unrelated", "explanation": "x"}]}},
    {"document.id": "d3", "document.score": 9.5},
]
SPAN = {"attributes": {"input": {"value": "oil"}, "retrieval": {"documents": RETRIEVED}}, "label": "relevant"}
ALONE = {"attributes.input.value": "oil", "attributes.retrieval.documents": RETRIEVED[2:], "score": 1}
DEEPEVAL = {"input": "oil", "actual_output": "a", "context": ["Keep oil dark"], "retrieval_context": []}
CANDIDATES = {
    "query": {"qid": 1, "text": "oil"},
    "candidates": [
        {"docid": "d1", "score": 0.2, "judgment": 3, "doc": {"segment": "Keep oil dark"}},
        {"docid": "d2", "score": 0.9, "judgment": 0, "doc": "Nothing here."},
        {"docid": "d3", "score": 9.5, "doc": "not judged"},
    ],
}
NUMBERED = {"topic_id": 1.0, "doc_id": "d1", "score": 2.0, "reason": "x"}


def lines(*values):
    return "\n".join(map(json.dumps, values)) + "\n"


BOTH = [("d1", 3), ("d2", 0)]
FORMS = {
    "umbrela": (lines(UMBRELA | READ, UMBRELA | {"passage": "Nothing", "result_status": 0}), [("d1", 3)]),
    "umbrela in a list": (json.dumps([UMBRELA, UMBRELA | {"passage": "Nothing", "judgment": 0}]), BOTH),
    "umbrela of a question": (lines(UMBRELA | {"query": {"qid": 1, "text": "oil"}}), [("d1", 3)]),
    "numbers for ids": (lines(NUMBERED), [("d1", 2)]),
    "words": (lines(NUMBERED | {"topic_id": "1", "score": None, "verdict": "Relevant"}), [("d1", 1)]),
    "workbench": (json.dumps(WORKBENCH), [("d1", 1), ("d2", 0)]),
    "book": (json.dumps(BOOK), [("d1", 2)]),
    "rated ranking evaluator": (json.dumps(RRE, indent=1), [("d1", 2), ("d2", 0)]),
    "trulens": (lines({"record_id": "r", "input": "oil", "c": 0.8, "c_calls": [CALLS]}), [("d1", 1)]),
    "phoenix": (lines(PHOENIX), [("d1", 1)]),
    "phoenix, nested": (lines(SPAN), [("d1", 1), ("d2", 0)]),
    "phoenix, of a retrieval of one": (lines(ALONE | {"attributes.retrieval.documents": [
        {"document.id": "d2", "document.score": 9.5}]}), [("d2", 1)]),
    "learning to rank": ("3\tqid:1\t#\td1\toil\n0 qid:1 1:0.5 2:7 # d2 oil\n", BOTH),
    "umbrela's candidates": (lines(CANDIDATES), BOTH),
    "ragas": (lines(RAGAS | {"reference_contexts": ["Keep  oil dark"]}, RAGAS), [("d1", 1)]),
    "ragas with ids": (
        lines(RAGAS | {"reference_contexts": ["x"], "reference_context_ids": ["d2"]}), [("d2", 1)],
    ),
    "deepeval": (lines(DEEPEVAL), [("d1", 1)]),
    "nested": (json.dumps({"1": {"d1": 3, "d2": 0}}), BOTH),
    "ratings": ("query,docid,rating\noil,d1,3\noil,d2,0\nlamp", BOTH),
    "ratings of judges": ("query,docid,m,n\noil,d1,3,\noil,d2,,0\nlamp,d1,,\n", [("d1", 3)]),
    "qrels": ("1 0 d1 3\n1 0 d2 0\n", BOTH),
    "submitted qrels": ("1 Q0 d1 3 0.9 m\n1 Q0 d2 0 0.5 m\n", BOTH),
    "pandas": ("qid,docno,label\n1.0,d1,3\n1.0,d2,0\n", BOTH),
    "beir": ("query-id\tcorpus-id\tscore\n1\td1\t3\n1\td2\t0\n", BOTH),
}  # fmt: skip


def crlf(text):
    return codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode()


@pytest.fixture
def person(tmp_path):
    """Return what a person judged, with the topics' texts and the documents beside it, as arguments."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "d1.txt").write_bytes(OIL.encode())
    (tmp_path / "texts" / "d2.txt").write_text("Nothing here.", encoding="utf-8")
    (tmp_path / "person").write_text(PERSON, encoding="utf-8")
    (tmp_path / "topics.tsv").write_text("1\toil\n2\tlamp\n", encoding="utf-8")
    given = ["--questions", str(tmp_path / "topics.tsv"), "-C", str(tmp_path / "texts")]
    return [str(tmp_path / "person"), *given, "--format", "json"]


def judged(person, path, capsys):
    """Return the documents that the first model of a file judged, with its grades."""
    status = main(["agree", *person, "--model", str(path)])
    printed = capsys.readouterr()
    assert status == 1, printed.err  # too few documents for more
    said = next(iter(json.loads(printed.out).values()))
    return [(pair["document"], pair["model"]) for pair in said["documents"]]


@pytest.mark.parametrize("packed", [False, True], ids=["CRLF", "gz"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_judgements_is_read(person, tmp_path, capsys, form, packed):
    text, expected = FORMS[form]
    path = tmp_path / ("m.gz" if packed else "m")
    path.write_bytes(gzip.compress(text.encode()) if packed else crlf(text))
    assert judged(person, path, capsys) == expected


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_kept_in_a_project(tmp_path, capsys, form):
    text, expected = FORMS[form]
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "d1.txt").write_bytes(OIL.encode())
    (tmp_path / "texts" / "d2.txt").write_text("Nothing here.", encoding="utf-8")
    path = tmp_path / "p.inexview"
    pool = Pool({"1": (PooledDocument("d1"), PooledDocument("d2"))})
    topics = [Topic("1", "oil"), Topic("2", "lamp")]
    Project.create(path, collection=tmp_path / "texts", topics=topics, pool=pool).close()
    (tmp_path / "m").write_bytes(crlf(text))
    assert main(["import", str(path), str(tmp_path / "m"), "--models"]) <= 1  # 1: some were left out
    assert "imported" in capsys.readouterr().out
    with Project.open(path, read_only=True) as project:
        (first, *_) = project.judges.of_topic("1").values()
        kept = [(label.document, label.grade) for label in first.labels if label.grade is not None]
    assert kept == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (lines(RAGAS), "holds no judgement of a model"),
        (json.dumps({"inputs": {"question": "oil"}, "outputs": {"answer": "x"}}), "field 'query_id'"),
        ("3 qid:1 # d1 oil\n0 qid:1 d2\n", "m:2: is not a line `grade qid:query # document text`"),
        (lines(NUMBERED | {"shown": [3, 1]}), "field 'shown' = '[3, 1]': is not [start, end)"),
        ("1 Q0 d1 3 0.9 m\n1 Q0 d2 0 0.5\n", "m:2: has 5 fields"),
        ("query,docid,rating\noil,d1\n", "m:2: has 2 fields where the header has 3"),
        (lines({"query": "oil", "passage": "x", "score": [1]}), "is not a grade"),
    ],
)
def test_invalid_judgements_are_named(person, tmp_path, capsys, text, problem):
    (tmp_path / "m").write_text(text, encoding="utf-8")
    assert main(["agree", *person, "--model", str(tmp_path / "m")]) == 2
    assert problem in capsys.readouterr().err


def test_unknown_topics_are_reported(person, tmp_path, capsys):
    (tmp_path / "m").write_text(lines(UMBRELA), encoding="utf-8")
    assert main(["agree", person[0], "--model", str(tmp_path / "m")]) == 1
    assert "1 judgement of topics that the person did not judge; see --questions" in capsys.readouterr().err


def test_quotes_may_be_objects(person, tmp_path, capsys):
    quotes = [{"text": "keep oil dark"}, {"quote": "pressed from"}, {"other": 1}, "olives. Keep", 3]
    (tmp_path / "m").write_text(lines(NUMBERED | {"evidence": quotes}), encoding="utf-8")
    assert main(["agree", *person, "--model", str(tmp_path / "m")]) == 1
    counts = json.loads(capsys.readouterr().out)["m"]["quotes"]
    assert [*counts.values()] == [1, 1, 1, 0]


SHARED = {
    "trecrag/umbrela.jsonl": [("msmarco_v2.1_doc_00_0#0_0", 3)],
    "trecrag/umbrela.qrels": [("msmarco_v2.1_doc_00_0#0_0", 3), ("msmarco_v2.1_doc_00_0#1_100", 0)],
    "quepid/ratings.csv": [("d1", 3)],
    "ragas/eval.jsonl": [("msmarco_v2.1_doc_00_0#1_100", 1)],
}


@pytest.mark.shared
@pytest.mark.parametrize("name", SHARED)
def test_the_files_of_tools_are_read(shared, tmp_path, capsys, name):
    forms = shared / "data" / "forms"
    if not forms.is_dir():
        pytest.skip("no forms of today among the shared data")
    path = tmp_path / "texts.jsonl"
    shutil.copy(forms / "msmarco" / "seg.json", path)
    text = path.read_text(encoding="utf-8").replace("Olive oil is", "Oil. Olive oil is")
    path.write_text(text.replace("The fruit", "c: the fruit"), encoding="utf-8")
    documents = dict.fromkeys([name for own in SHARED.values() for name, _ in own])
    person = "".join(f"q1 0 {name} 1\n" for name in documents)
    (tmp_path / "person").write_text(person, encoding="utf-8")
    (tmp_path / "topics.tsv").write_text(f"q1\t{'q' if 'ragas' in name else 'oil'}\n", encoding="utf-8")
    given = ["--questions", str(tmp_path / "topics.tsv"), "-C", str(path), "--format", "json"]
    assert judged([str(tmp_path / "person"), *given], forms / name, capsys) == SHARED[name]
