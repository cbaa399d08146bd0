"""`inexview retrieve --engine opensearch`, against a small server that answers as OpenSearch documents it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.formats.readers import read_run
from tests.listening import listening_sockets

pytest.importorskip("opensearchpy")

TOPICS = """<inex-topic-file>
<topic id="1"><title>olive oil</title></topic>
<topic id="2"><title>zeppelin</title></topic></inex-topic-file>"""
PASSAGES = [
    {"_id": "p1", "_score": 3.5, "_source": {"document": "d1", "start": 10, "end": 40}},
    {"_id": "p2", "_score": 3.0, "_source": {"document": "d2", "start": 0, "length": 20}},
    {"_id": "p3", "_score": 2.5, "_source": {"document": "d1", "start": 30, "end": 60}},
    {"_id": "p4", "_score": 2.0, "_source": {"document": "d1", "start": 80, "end": 90}},
]
ARTICLES = [{"_id": "d1", "_score": 2.5, "_source": {}}, {"_id": "d2", "_score": 1.5, "_source": {}}]


class Server(ThreadingHTTPServer):
    """Answers searches of the index "papers", and remembers what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, object]] = []
        self.listening: list[set[str]] = []
        self.hits: list[dict[str, object]] = PASSAGES

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/papers"


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if not self.path.startswith("/papers/"):
            self.answer({"error": {"type": "index_not_found_exception"}, "status": 404}, 404)
        elif "_settings" in self.path:
            similarity = {"lm": {"type": "LMJelinekMercer", "lambda": "0.2"}}
            self.answer({"papers": {"settings": {"index": {"similarity": similarity}}}})
        else:
            text = {"type": "text", "similarity": "lm"}
            self.answer({"papers": {"mappings": {"properties": {"text": text}}}})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.listening.append(listening_sockets())
        found = self.server.hits if "oil" in asked["query"]["match"]["text"] else []
        self.answer({"took": 1, "timed_out": False, "hits": {"hits": found[: asked["size"]]}})

    def answer(self, content: dict[str, object], status: int = 200) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "d1.xml").write_text("<article><p>olive oil</p></article>")
    (tmp_path / "topics.xml").write_text(TOPICS)
    return [
        "retrieve",
        str(tmp_path / "articles"),
        str(tmp_path / "topics.xml"),
        "-o",
        str(tmp_path / "run.txt"),
    ]


def test_passages_are_a_run_as_the_server_ranks_them(
    server: Server, given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*given, "--engine", "opensearch", "--url", server.url, "--depth", "3"]) == 0
    said = capsys.readouterr()
    assert said.out.endswith("run.txt: 3 results for 1 of 2 topics\n")
    assert "topic 2: the server found nothing" in said.err
    assert [asked["query"] for asked in server.asked] == [
        {"match": {"text": "olive oil"}},
        {"match": {"text": "zeppelin"}},
    ]
    run = read_run(tmp_path / "run.txt")
    assert [(one.document, one.start, one.end, one.score) for one in run.results("1")] == [
        ("d1", 10, 40, 3.5), ("d2", 0, 20, 3.0), ("d1", 30, 60, 2.5),
    ]  # fmt: skip
    described = json.loads((tmp_path / "run.txt.json").read_text())
    assert described["similarity"] == "lm (type LMJelinekMercer, lambda 0.2)"


def test_passages_are_grouped_for_a_task(server: Server, given: list[str], tmp_path: Path) -> None:
    options = ["--engine", "opensearch", "--url", server.url, "--task", "relevant-in-context"]
    assert main([*given, *options]) == 0
    run = read_run(tmp_path / "run.txt")
    assert [(one.document, one.start) for one in run.results("1")] == [("d1", 10), ("d1", 80), ("d2", 0)]


def test_articles_are_a_run_of_documents(server: Server, given: list[str], tmp_path: Path) -> None:
    server.hits = ARTICLES
    assert main([*given, "--engine", "opensearch", "--url", server.url, "--to", "trec-run"]) == 0
    assert (tmp_path / "run.txt").read_text() == "1 Q0 d1 1 2.5 opensearch\n1 Q0 d2 2 1.5 opensearch\n"


@pytest.mark.parametrize(
    ("hits", "url", "options", "said"),
    [
        (PASSAGES, "http://127.0.0.1:9/papers", [], "http://127.0.0.1:9: no search server answers"),
        (PASSAGES, "{}/other", [], "the server refused the request (404"),
        (PASSAGES, "127.0.0.1", [], "write it like http://localhost:9200/INDEX"),
        (PASSAGES, "", ["--text-field", "body"], "the index has no field 'body'; name it with --text-field"),
        (PASSAGES, "", ["--structure"], "omit --structure"),
        (PASSAGES, "http://[/x", [], "write it like http://localhost:9200/INDEX"),
        (PASSAGES, "http://127.0.0.1:99999/x", [], "write it like http://localhost:9200/INDEX"),
        ([{"_score": 1}], "", [], "the response is not from a search server"),
        ([{"_id": "d", "_score": 1, "_source": [1]}], "", [], "the response is not from a search server"),
        ([{"_id": "d", "_score": 1, "_source": {"end": 1 << 70}}], "", [], "the response is not from a"),
        (
            [{"_id": "a", "_score": 1, "_source": {"start": 9, "end": 3}}],
            "",
            [],
            "a passage from 9 to 3 of a",
        ),
    ],
)
def test_errors_of_a_server_are_sentences(
    hits: list[dict[str, object]],
    url: str,
    options: list[str],
    said: str,
    server: Server,
    given: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.hits = hits
    address = url.format(server.url.rpartition("/")[0]) or server.url
    assert main([*given, "--engine", "opensearch", "--url", address, *options]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
    assert not (tmp_path / "run.txt").exists()


def test_nothing_listens_but_the_server_itself(server: Server, given: list[str]) -> None:
    before = listening_sockets()
    assert len(before) >= 1
    main([*given, "--engine", "opensearch", "--url", server.url])
    assert server.listening
    assert all(seen == before for seen in server.listening)
