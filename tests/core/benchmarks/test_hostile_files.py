"""Files made to harm, given to all that reads a file a person brings: a sentence, in bounded time and memory.

Whatever is brought is looked at as a benchmark, as a collection, as judgements, as a run and as topics.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from inexview.core.article.plain_documents import MOST_MARKDOWN, scan_html, scan_markdown, title_of_page
from inexview.core.benchmarks import forms
from inexview.core.collection.collection import Collection
from inexview.core.collection.records import RecordSource
from inexview.core.errors import InexviewError
from inexview.core.formats.benchmark_look import BenchmarkLook, check_passages, look_at
from inexview.core.formats.format import BUNDLES
from inexview.core.formats.readers import format_of, read_qrels, read_run
from inexview.core.formats.topic_files import read_topics
from inexview.core.project.import_judgements import create_from_benchmark
from inexview.core.project.inspection import inspect_benchmark
from inexview.core.project.judgement_export import Wanted, export, options_for
from tests.core.benchmarks.test_forms import MAKERS

MINUTE = 60  # seconds, after which a test ends that waits for something that never comes
SEVERAL = 5


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """End a test that hangs, also in a system call that waits for a pipe."""

    def stop(*_given: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(MINUTE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def look(path: Path) -> BenchmarkLook | None:
    """Look at a path as the start window does."""
    found = look_at(path)
    return None if isinstance(found, Path) else check_passages(found)


def use_collection(path: Path) -> None:
    with closing(Collection.open(path)) as collection:
        for id in list(collection.ids())[:SEVERAL]:
            with told():
                assert isinstance(collection.load(id).text, str)


def use_benchmark(path: Path) -> None:
    """Show it, make a project of it, and write that as the benchmark came."""
    beside = path.parent / "made"
    beside.mkdir(exist_ok=True)
    number = len([*beside.iterdir()])
    form = forms.find(path)
    if form is None:
        return
    with told():
        inspect_benchmark(path, beside)
    project, _ = create_from_benchmark(beside / f"{number}.inexview", path)
    with project:
        wanted = Wanted(BUNDLES[form.name][0])
        export(project, wanted).write(beside / f"{number} out", options_for(project, wanted))


READERS: tuple[Callable[[Path], Any], ...] = (
    forms.find, look, use_collection, format_of, read_qrels, read_run, read_topics, use_benchmark,
)  # fmt: skip


@contextmanager
def told(said: list[str] | None = None) -> Iterator[None]:
    """Let an error that is a sentence pass, and no other."""
    try:
        yield
    except InexviewError as error:
        if said is not None:
            said.append(str(error))


def brought(path: Path) -> list[str]:
    """Have every reader read a path, and return what they say is wrong with it."""
    said: list[str] = []
    for read in READERS:
        with told(said):
            read(path)
    return said


JSON = {
    "nested lists": b"[" * 100_000,
    "nested objects": b'{"a":' * 100_000,
    "nested in a list": b'[{"id": 1, "text": "x", "labels": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]",
    "a number of a million digits": b'{"id": ' + b"1" * 1_000_000 + b', "text": "x"}',
    "digits behind the point": b'{"_id": "1", "text": "x", "score": 0.' + b"1" * 1_000_000 + b"}",
    "a name twice": b'{"id": "1", "id": "2", "text": "x", "text": "y", "label": []}',
    "no number": b'{"text": "x", "label": [[NaN, Infinity, "a"]], "score": -Infinity}',
    "half a character": b'{"id": "\\ud800", "text": "\\udc00", "label": [[0, 1, "\\ud83d"]]}',
    "a brace": b"{",
    "a bracket": b"[",
    "an empty list": b"[]",
    "an empty object": b"{}",
    "a null": b'{"id": "a\\u0000b", "text": "\\u0000", "label": []}',
    "a line": b'{"id": "1", "text": "' + b"a " * 1_000_000 + b'", "label": []}',
    "many names": b'{"text": "x", ' + b", ".join(b'"%d": 0' % number for number in range(50_000)) + b"}",
    "huge offsets": b'{"text": "x", "label": [[0, ' + b"9" * 40 + b', "a"], [5, 1, "a"], [-1, 2, "a"]]}',
    "not UTF-8": b'{"id": "\xff", "text": "\xfe", "label": []}',
    "no list of lists": b'{"text": "x", "label": [0, null, {}, [], [[]]], "data": 1}',
}


@pytest.mark.parametrize("name", JSON)
def test_hostile_json_is_reported(tmp_path, name):
    path = tmp_path / "hostile.jsonl"
    path.write_bytes(JSON[name])
    assert brought(path)


def nested(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where the values in a value are."""
    if path:
        yield path
    for key, held in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(held, dict | list):
            yield from nested(held, (*path, key))
        else:
            yield (*path, key)


ODD = (None, True, -1, 10**40, 1.5, "", [], {}, [[]], [None], {"a": 1}, "\u2028", [1, 2])


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_no_field_of_a_form_need_be_as_it_should(tmp_path, make):
    """Each value is taken away, or made another, one at a time: a sample of the values of a form."""
    made = make(tmp_path / "in")
    files = [made] if made.is_file() else [one for one in made.rglob("*") if one.is_file()]
    choose = random.Random(make.__name__)
    for _ in range(40):
        file = choose.choice(files)
        before = file.read_bytes()
        values = [json.loads(line) for line in before.splitlines()] if before[:1] == b"{" else None
        if file.suffix == ".json":
            values = [json.loads(before)]
        if values is None:
            at = choose.randrange(len(before) or 1)
            changed = before[:at] + choose.choice([b'"', b"\0", b"\xff", b",", b"\t"]) + before[at:]
        else:
            at = choose.randrange(len(values))
            place = choose.choice([*nested(values[at])])
            holder = values[at]
            for key in place[:-1]:
                holder = holder[key]
            if choose.random() < 0.3:
                del holder[place[-1]]
            else:
                holder[place[-1]] = choose.choice(ODD)
            changed = "\n".join(map(json.dumps, values)).encode()
        file.write_bytes(changed)
        brought(made)
        file.write_bytes(before)


# Files that are no files, and names that are no names.


@pytest.mark.parametrize(
    "names",
    [
        ["corpus.jsonl", "queries.jsonl"],
        ["a.ann", "a.txt"],
        ["benchmarks/a.json", "corpus/a.txt"],
        ["questions_df.csv"],
        ["claims.jsonl"],
        ["a.txt", "b.md", "c.html", "d.json"],
    ],
    ids=lambda names: names[0],
)
def test_pipes_are_not_waited_for(tmp_path, names):
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        os.mkfifo(tmp_path / name)
    brought(tmp_path)
    assert brought(tmp_path / names[0])


def test_links_lead_neither_out_nor_in_circles(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    for name, target in (("a.txt", "../secret.txt"), ("circle", "."), ("self.txt", "self.txt")):
        (folder / name).symlink_to(target)
    (folder / "b.txt").write_text("b", encoding="utf-8")
    with closing(Collection.open(folder)) as collection:
        assert list(collection.ids()) == ["b"]
    brought(folder)
    assert brought(folder / "self.txt")
    span = {"file_path": "../../secret.txt", "span": [0, 6], "answer": "secret"}
    tests = {"tests": [{"query": "q", "snippets": [span]}]}
    (folder / "corpus").mkdir()
    (folder / "q.json").write_text(json.dumps(tests), encoding="utf-8")
    seen = look(folder / "q.json")
    assert seen is not None
    assert seen.check.absent == ("../../secret",)


def test_links_in_a_folder_of_brat_are_skipped(tmp_path):
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    folder = tmp_path / "brat"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.ann").write_text("T1\tx 0 3\tTex\n", encoding="utf-8")
    (folder / "a.txt").write_text("Text", encoding="utf-8")
    (folder / "b.txt").symlink_to("../secret.txt")
    (folder / "circle").symlink_to(".")
    bundle = forms.open_bundle(folder)
    assert bundle is not None
    assert dict(bundle.texts) == {"a": "Text"}


def test_names_that_are_not_utf_8_are_names(tmp_path):
    folder = tmp_path / os.fsdecode(b"b\xe9")
    folder.mkdir()
    for name in (b"\xff.txt", b"a\nb.txt", b"\x1b[31m.md", b"\xe9.json"):
        (folder / os.fsdecode(name)).write_bytes(b'{"id": 1, "text": "x"}')
    brought(folder)
    for one in folder.iterdir():
        for said in brought(one):
            said.encode("utf-8", "surrogateescape")


# What unpacks to more than it should.


@contextmanager
def memory(most: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


BEGINNINGS = {
    "records": b'{"id": 1, "text": "',
    "a list": b'[{"id": 1, "data": {"text": "x"}, "annotations": []},',
    "rows": b"1\ta b c ",
    "SGML": b"<DOC><DOCNO>1</DOCNO>",
    "CSV": b'question,references,corpus_id\nq,"',
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_bombs_in_gzip_are_refused(tmp_path, name, monkeypatch):
    for place in ("inexview.core.text.json_values.MOST_BYTES", "inexview.core.collection.records.MOST_BYTES"):
        monkeypatch.setattr(place, 1 << 24)
    monkeypatch.setattr("inexview.core.collection.listing._BOMB_FREE", 1 << 24)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(BEGINNINGS[name] + b" " * (64 << 20), 1))
    with memory(4 * 64 << 20):  # gzip of Python 3.13 holds what it reads once more
        assert brought(path)


def test_bombs_in_zips_are_no_documents(tmp_path):
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        packed.writestr("a.txt", b" " * (65 << 20))
        packed.writestr("b.txt", "b")
    with memory(200 << 20):
        assert brought(path)
    with closing(Collection.open(path)) as collection:
        assert collection.load("b").text == "b"


# Text that takes a parser long, or deep.

HTML = {
    unit: (unit * (1 + 300_000 // len(unit))).encode()
    for unit in (
        "<div>",
        "<title>",
        "<!--",
        "<script>",
        "<p>",
        "<b><p>",
        "<a '",
        "&",
        "&#x",
        "<",
        "\0",
        "<h1 ",
    )
} | {"only a doctype": b"<!DOCTYPE html", "nothing": b"", "a bracket": b"<"}


@pytest.mark.parametrize("name", HTML)
def test_hostile_pages_are_read_or_refused(name):
    title_of_page(HTML[name], name)
    with told():
        scan_html(HTML[name], name)


@pytest.mark.parametrize(
    "unit", ["> ", "- ", "![", "[a](", "**a *b ", "`a", "a<!A ", "```\n", "|a", "# a\n", "<a ", "\\", "_a "]
)
def test_hostile_markdown_keeps_its_characters(unit):
    text = unit * (50_000 // len(unit))
    assert scan_markdown(text.encode(), "a").text == text


def test_markdown_that_is_very_long_is_read_as_text():
    read = scan_markdown(b"# a\n\nb\n\n" + b"a" * MOST_MARKDOWN, "long")
    assert "is shown as text" in read.warnings[0]


def test_a_line_of_records_that_is_longer_than_any_document_ends_the_list(tmp_path, monkeypatch):
    monkeypatch.setattr("inexview.core.collection.records.MOST_BYTES", 1 << 20)
    path = tmp_path / "long.tsv"
    path.write_bytes(b"1\ta b c\n2\t" + b"a " * (1 << 20))
    assert any("longer than any document" in said for said in brought(path))


def test_records_are_cut_at_line_ends_and_tags_wherever_pieces_end(tmp_path, monkeypatch):
    """Each record is whole, its place right, in pieces of any size."""
    lines = [json.dumps({"id": str(at), "text": "x" * (at % 7)}) for at in range(50)]
    documents = [f"<DOC>\n<DOCNO> {at} </DOCNO>\nText {'x' * (at % 7)}\n</DOC>\n" for at in range(50)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "a.sgml").write_text("".join(documents), encoding="utf-8")
    for name in ("a.jsonl", "a.sgml"):
        whole = texts_in(tmp_path / name)
        assert len(whole) == 50
        for size in (1, 2, 7, 33, 1000):
            monkeypatch.setattr("inexview.core.collection.records._CHUNK", size)
            assert texts_in(tmp_path / name) == whole


def texts_in(path: Path) -> dict[str, str]:
    with closing(Collection.open(path)) as collection:
        assert isinstance(collection._source, RecordSource)
        return {id: collection.load(id).text for id in collection.ids()}
