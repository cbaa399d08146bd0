"""Chunks as frameworks write them, and answers of search engines, as runs."""

from __future__ import annotations

import csv
import io
import json
from contextlib import closing

import pytest

from inexview import read_run
from inexview.cli import main
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.chunk_runs import Asked, adopted, parts_of_documents
from inexview.core.formats.readers import format_of
from inexview.core.judgements.runs import Task

TEXT = "Der Kai ist alt. Das Schiff liegt fest. Der Kai ist alt. Niemand weiß, warum."
FIRST, AGAIN = 0, TEXT.rindex("Der Kai")
CHUNK = "Der Kai ist alt."
LAST = TEXT.index("Niemand")
NAME, LENGTH = "docs/kai.txt", len(CHUNK)


def langchain(start):
    return {
        "page_content": CHUNK,
        "metadata": {"source": "docs/kai.txt", "start_index": start},
        "type": "Document",
    }


FORMS = {
    "langchain": [{**langchain(FIRST), "query": "q1"}],
    "langchain by questions": {"q1": [langchain(FIRST)]},
    "langchain, serialised": [
        {"lc": 1, "type": "constructor", "id": ["Document"], "kwargs": langchain(FIRST), "query": "q1"}
    ],
    "langchain with scores": {"query": "q1", "results": [[langchain(FIRST), 0.5]]},
    "llamaindex": {
        "query": "q1",
        "source_nodes": [
            {
                "node": {
                    "id_": "n1",
                    "text": CHUNK,
                    "start_char_idx": FIRST,
                    "end_char_idx": LENGTH,
                    "relationships": {"1": {"node_id": "docs/kai.txt"}},
                },
                "score": 0.5,
            }
        ],
    },
    "llamaindex in a store": {
        "query": "q1",
        "results": [
            {
                "text": CHUNK,
                "metadata": {
                    "_node_content": json.dumps({"start_char_idx": FIRST, "end_char_idx": LENGTH}),
                    "ref_doc_id": "docs/kai.txt",
                },
            }
        ],
    },
    "haystack": {
        "query": "q1",
        "documents": [{"content": CHUNK, "meta": {"source_id": NAME, "split_idx_start": FIRST}}],
    },
    "haystack, flat": {
        "query": "q1",
        "documents": [{"content": CHUNK, "source_id": NAME, "split_idx_start": FIRST}],
    },
    "chonkie": [{"query": "q1", "text": CHUNK, "start_index": FIRST, "end_index": LENGTH, "document": NAME}],
    "chroma": {
        "query": "q1",
        "ids": ["x"],
        "documents": [CHUNK],
        "metadatas": [{"corpus_id": "docs/kai.txt", "start_index": FIRST, "end_index": LENGTH}],
    },
    "legalbench-rag": {
        "qa_result_list": [
            {
                "qa_gt": {"query": "q1", "snippets": []},
                "retrieved_snippets": [{"file_path": NAME, "span": [FIRST, LENGTH], "score": 1.0}],
            }
        ]
    },
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_chunk_is_read_with_its_place(tmp_path, form):
    path = tmp_path / "found.json"
    path.write_text(json.dumps(FORMS[form]), encoding="utf-8")
    assert format_of(path).name == "chunks"
    run = read_run(path)
    assert (run.task, run.topics, run.id) == (Task.CHUNKS, ("q1",), "found")
    (result,) = run.results("q1")
    assert (result.document, result.start, result.end) == ("docs/kai.txt", FIRST, LENGTH)


@pytest.fixture
def collection(tmp_path):
    (tmp_path / "texts" / "docs").mkdir(parents=True)
    (tmp_path / "texts" / "docs" / "kai.txt").write_text(TEXT, encoding="utf-8")
    with closing(Collection.open(tmp_path / "texts")) as opened:
        yield opened


def test_a_chunk_without_a_place_is_found_from_the_one_before_it_on(tmp_path, collection):
    path = tmp_path / "found.json"
    chunks = [langchain(-1), langchain(-1), {**langchain(-1), "page_content": "Niemand\n  weiß, warum."}]
    chunks.append({**langchain(None), "page_content": "steht nirgends"})
    chunks[1]["metadata"] = {"source": "C:\\data\\docs\\kai.txt"}
    path.write_text(json.dumps({"q1": chunks}), encoding="utf-8")
    run = read_run(path, collection=collection)
    assert [(one.document, one.start, one.end) for one in run.results("q1")][:3] == [
        ("docs/kai", FIRST, len(CHUNK)),
        ("docs/kai", FIRST, len(CHUNK)),
        ("docs/kai", LAST, len(TEXT)),
    ]
    assert not run.results("q1")[3].known
    said = "\n".join(run.warnings)
    assert "3 chunks without offsets were located by their words" in said
    assert "1 chunks not located in their documents" in said


def test_elasticsearch_opensearch_and_vespa_give_runs_of_documents(tmp_path):
    hits = {"query_id": "q1", "hits": {"hits": [{"_id": "d 1", "_score": 3.5}, {"_id": "d2", "_score": 1}]}}
    vespa = {"query": "q2", "root": {"children": [{"id": "id:n:t::d:3", "relevance": 0.5, "fields": {}}]}}
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(hits) + "\n" + json.dumps(vespa) + "\n", encoding="utf-8")
    run = read_run(path)
    assert run.task is Task.DOCUMENTS
    assert [[one.document for one in run.results(topic)] for topic in run.topics] == [["d 1", "d2"], ["d:3"]]


def test_questions_named_by_their_texts_get_their_ids(tmp_path):
    path = tmp_path / "found.json"
    path.write_text(json.dumps({"Who  knows why?": [langchain(3)], "q2": [langchain(3)]}), encoding="utf-8")
    asked = Asked({"Who knows why?": "kai-0", "And?": "q2"}, ("docs/kai",))
    run = adopted(read_run(path), asked)
    assert run.topics == ("kai-0", "q2")
    assert set(run.document.strings()) == {"docs/kai"}


@pytest.mark.parametrize(
    "text",
    [
        '{"q1": [{"page_content": "x", "metadata": {"start_index": "a"}}]}',
        '{"q1": [{"page_content": "x", "metadata": {"start_index": 4}}]}',
        '[{"page_content": "x", "metadata": {"source": "a", "start_index": 1}, "query": "q"}, 7]',
        '{"docstore/data": {}}',
    ],
)
def test_errors_are_reported(tmp_path, text):
    path = tmp_path / "found.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"found\.json"):
        read_run(path, format="chunks")


def test_a_benchmark_and_chunks_are_evaluated_as_they_are(shared, capsys, tmp_path):
    path = tmp_path / "mine.json"
    benchmark = shared / "data" / "forms" / "chroma"
    text = (benchmark / "corpora" / "oil.md").read_text(encoding="utf-8")
    chunk = {"page_content": text[30:60], "metadata": {"source": "corpora/oil.md", "start_index": 30}}
    path.write_text(json.dumps({"how is oil pressed": [chunk]}), encoding="utf-8")
    assert (
        main(["eval", str(benchmark), str(path), "-m", "char_rec", "-m", "chroma_prec", "--format", "csv"])
        == 0
    )
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["measure"]: float(row["value"]) for row in rows} == {
        "char_rec": 25 / 35,
        "chroma_prec": 25 / 30,
    }


def texts(folder, **listed):
    folder.mkdir()
    for id, text in listed.items():
        (folder / f"{id}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("known", ["collection", "qrels"])
def test_ids_with_offset_and_length_are_chunks_of_documents_that_are_known(tmp_path, capsys, known):
    folder = texts(tmp_path / "texts", kai_1=TEXT, kai="x")
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text(f"q1 Q0 kai_1 {LENGTH} {len(TEXT)} -1 0:{LENGTH}\n", encoding="utf-8")
    lines = [f"q1 Q0 kai_1_{start}_{size} {rank} {9 - rank} r\n" for rank, (start, size) in
             enumerate([(LAST, 7), (0, LENGTH)], 1)]  # fmt: skip
    run.write_text("".join(lines), encoding="utf-8")
    asked = ["-C", str(folder)] if known == "collection" else []
    assert main(["eval", str(qrels), str(run), *asked, "--format", "json"]) == 0
    said, heard = capsys.readouterr()
    (one,) = json.loads(said)["runs"]
    assert one["task"] == "chunks"
    assert one["mean"]["char_rec"] == 1
    assert one["mean"]["char_prec"] == LENGTH / (LENGTH + 7)
    assert "2 ids such as kai_1_" in heard


def test_ids_that_are_known_whole_or_not_at_all_stay(tmp_path):
    run_file = tmp_path / "run.txt"
    run_file.write_text("q1 Q0 kai_1_2 1 9 r\n", encoding="utf-8")
    run = read_run(run_file)
    for known in ({"kai_1_2", "kai"}, set(), {"kai_1"}):
        assert parts_of_documents(run, lambda ids, known=known: known.intersection(ids)) is run
    made = parts_of_documents(run, lambda ids: {"kai"}.intersection(ids))
    assert [(one.document, one.start, one.end) for one in made.results("q1")] == [("kai", 1, 3)]


def test_segments_of_ms_marco_are_passages_of_documents_that_are_there(tmp_path):
    documents, passages = tmp_path / "docs.jsonl", tmp_path / "segments.jsonl"
    id, segment = "msmarco_v2.1_doc_00_0", "msmarco_v2.1_doc_00_0#1_900"
    documents.write_text(json.dumps({"docid": id, "title": "", "body": TEXT}), encoding="utf-8")
    passages.write_text(json.dumps({"docid": segment, "segment": CHUNK, "start_char": 0}), encoding="utf-8")
    candidate = {
        "docid": segment,
        "score": 1.5,
        "doc": {"segment": CHUNK, "start_char": 0, "end_char": LENGTH},
    }
    run_file = tmp_path / "run.jsonl"
    asked = {"query": {"qid": "q1", "text": "Who?"}, "candidates": [candidate]}
    run_file.write_text(json.dumps(asked), encoding="utf-8")
    for path, named in ((documents, id), (passages, segment)):
        with closing(Collection.open(path)) as collection:
            run = parts_of_documents(read_run(run_file, collection=collection), collection.holding)
        assert run.task is Task.CHUNKS
        assert [(one.document, one.start, one.end) for one in run.results("q1")] == [(named, 0, LENGTH)]


def test_candidates_of_a_reranker_without_places_are_documents(tmp_path):
    run_file = tmp_path / "run.jsonl"
    listed = [{"docid": name, "score": 2 - at, "doc": {"contents": "x"}} for at, name in enumerate("ba")]
    run_file.write_text(json.dumps({"query": "Who?", "candidates": listed}), encoding="utf-8")
    run = read_run(run_file)
    assert run.task is Task.DOCUMENTS
    assert [one.document for one in run.results("Who?")] == ["b", "a"]


@pytest.mark.parametrize("score", ["1" + "0" * 400, "1e999", "-1e999"])
def test_scores_that_no_computer_computes_with_are_refused_with_their_line(tmp_path, score):
    texts = {
        "chunks": f'{{"query": "q", "text": "x", "document": "d", "start": 0, "score": {score}}}',
        "hits": f'{{"query": "q", "hits": {{"hits": [{{"_id": "d", "_score": {score}}}]}}}}',
        "run": f'{{"q": {{"d": {score}, "e": 1.5}}}}',
    }
    for name, text in texts.items():
        path = tmp_path / f"{name}.json"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match="is not a finite number"):
            read_run(path)
