"""Files in Latin-1 that do not say so: read in every format, with a warning that reaches the user."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.format import Options, format_named, formats
from inexview.core.formats.readers import format_of
from tests.core.contents import SAMPLES, write_articles

NAMES = [format.name for format in formats()]
LETTERS = {  # what becomes a name with letters beyond ASCII, where a sample has none
    "fol-qrels": "1528075", "trec-qrels": " a ", "fol-run": "1528075", "fol-elements": "co/1",
    "trec-run": " a ", "beir-qrels": "a\t", "pool-list": "12", "submission": "12345",
    "assessments-2005": "r7108",
    "topics-2009": "best movie", "pool": "12345", "jsonl": '12"', "json-qrels": '"c"', "json-run": '"c"',
    "assessments-2003": "r7108", "genomics-gold": "cell", "diversity-qrels": "d1", "genomics-run": "run-7",
    "chunks": '"c"', "hits": '"c"', "answers": '"c"',
    "topics-trec": "Organized", "topics-tab": "Poliomyelitis",
}  # fmt: skip


def sample(name):
    """Return a sample with letters beyond ASCII, all of them in Latin-1."""
    old = LETTERS.get(name, "")
    return SAMPLES[name].replace(old, old.replace(old.strip(' "\t'), "Zoë")) if old else SAMPLES[name]


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    with closing(Collection.open(write_articles(tmp_path_factory.mktemp("collection")))) as collection:
        yield Options(collection)


@pytest.mark.parametrize("name", NAMES)
def test_every_format_is_read_in_latin_1_that_does_not_say_so_with_a_warning(tmp_path, options, name):
    plain, odd = tmp_path / "utf8", tmp_path / "latin1"
    plain.write_text(sample(name), encoding="utf-8")
    odd.write_text(sample(name), encoding="latin-1")
    assert odd.read_bytes() != plain.read_bytes()
    assert name in ("hard-run", "genomics-run", "diversity-qrels") or format_of(odd).name == name
    format = format_named(name)
    right, read = format.read(plain, options), format.read(odd, options)
    assert read == right
    (warning,) = set(read.warnings) - {said.replace(str(plain), str(odd)) for said in right.warnings}
    assert warning.startswith(f"{odd}:")
    assert "not UTF-8" in warning
    assert "was read as Windows-1252" in warning


@pytest.mark.parametrize("name", NAMES)
def test_convert_prints_the_warning(tmp_path, capsys, name):
    path = tmp_path / "latin1"
    path.write_text(sample(name), encoding="latin-1")
    articles = write_articles(tmp_path)
    arguments = ["--from", name, "--to", name, "--collection", str(articles)]
    assert main(["convert", str(path), str(tmp_path / "out"), *arguments]) == 1
    assert f"inexview: warning: {path}:" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["topics-2007", "pool-list"])
def test_a_new_project_prints_the_warning(tmp_path, capsys, name):
    parts = {"--topics": sample("topics-2009"), "--pool": "2009001 12\n"}
    parts["--topics" if name == "topics-2007" else "--pool"] = sample(name)
    arguments = ["new", str(tmp_path / "p.inexview"), "--collection", str(write_articles(tmp_path))]
    for part, text in parts.items():
        encoding = "latin-1" if text == sample(name) else "utf-8"
        (tmp_path / part).write_text(text, encoding=encoding)
        arguments += [part, str(tmp_path / part)]
    assert main(arguments) == 1
    assert "was read as Windows-1252" in capsys.readouterr().err


TEXT = [format.name for format in formats() if format.suffix != ".xml"]


@pytest.mark.parametrize("name", TEXT)
def test_text_that_is_utf_8_in_some_places_only_is_refused_with_its_line(tmp_path, options, name):
    text = sample(name).encode()
    path = tmp_path / "mixed"
    path.write_bytes("é".encode().join((text, b" \xe9\n")))
    with pytest.raises(DataError) as raised:
        format_named(name).read(path, options)
    line = text.count(b"\n") + 1
    assert f"{path}:{line}: byte 0xe9 is not UTF-8, but the rest of the file is" in str(raised.value)


def test_a_long_table_keeps_its_recognised_format(tmp_path):
    path = tmp_path / "run.txt"
    lines = [f"{n // 1500} Q0 d{n}{'é' * (n > 90_000)} {n % 1500} 1.5 r 0 10\n" for n in range(150_000)]
    path.write_bytes("".join(lines).encode("latin-1"))
    run = format_named("fol-run").read(Path(path), Options())
    assert run.document[90_000], run.document[149_999] == ("d90000", "d149999é")
    assert len(run.warnings) == 1
