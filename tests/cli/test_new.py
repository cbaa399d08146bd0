"""`inexview new`."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.project.project import Project
from tests.projects import TOPIC, make_collection, make_pool, make_topics


@pytest.fixture
def parts(tmp_path: Path) -> list[str]:
    return [
        "new",
        "--collection",
        str(make_collection(tmp_path / "articles")),
        "--topics",
        str(make_topics(tmp_path / "topics.xml")),
        str(tmp_path / "my.inexview"),
    ]


def test_new_makes_a_project_and_prints_its_contents(
    parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = make_pool(tmp_path / "pool.txt")
    assert main([*parts, "--pool", str(pool), "--assessor", "ada"]) == 0
    said = capsys.readouterr()
    assert said.out.endswith("my.inexview: 2 topics, 4 documents to judge\n")
    assert said.err == ""
    with Project.open(tmp_path / "my.inexview") as project:
        assert project.assessor == "ada"
        assert project.pool(TOPIC) == ("d3", "d1", "d2")


def test_a_project_may_declare_grades(
    parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*parts, "--grades", "okay,okay"]) == 2
    assert "each grade needs a different name" in capsys.readouterr().err
    assert main([*parts, "--grades", "0-3"]) == 0
    with Project.open(tmp_path / "my.inexview") as project:
        assert project.contents.scale == ("0", "1", "2", "3")


def test_without_a_pool_everything_is_to_be_judged(
    parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(parts) == 0
    assert "2 topics, 10 documents to judge (the whole collection)" in capsys.readouterr().out


def test_a_pool_that_names_absent_documents_makes_a_project_and_exits_1(
    parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pool.txt").write_text(f"{TOPIC} d1\n{TOPIC} absent\n{TOPIC} d1\n")
    assert main([*parts, "--pool", str(tmp_path / "pool.txt")]) == 1
    twice, absent = capsys.readouterr().err.splitlines()
    assert "pool.txt:3: document d1 is pooled twice" in twice
    assert "not in the collection: absent" in absent
    assert (tmp_path / "my.inexview").exists()


@pytest.mark.parametrize("gone", ["articles", "topics.xml"])
def test_missing_arguments_are_named_with_status_2(
    parts: list[str], tmp_path: Path, gone: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / gone).rename(tmp_path / "away")
    assert main(parts) == 2
    said = capsys.readouterr().err
    assert said.startswith("inexview: ")
    assert gone in said
    assert not (tmp_path / "my.inexview").exists()


def test_a_project_that_exists_is_left_alone_and_exits_2(
    parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my.inexview").write_text("mine")
    assert main(parts) == 2
    assert "a file of this name already exists" in capsys.readouterr().err
    assert (tmp_path / "my.inexview").read_text() == "mine"


def test_a_name_that_no_file_can_have_is_refused_before_anything_is_made(
    parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *rest, path = parts
    before = {*tmp_path.iterdir()}
    assert main([*rest, path.replace("my.", "é" * 117 + ".")]) == 2
    assert "the name is longer than 242 bytes" in capsys.readouterr().err
    assert {*tmp_path.iterdir()} == before
    assert main([*rest, path.replace("my.", "é" * 116 + ".")]) == 0


def test_a_file_that_is_not_text_is_refused_in_a_sentence(
    parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*parts, "--assessor", "Zo\udceb"]) == 2
    said = capsys.readouterr().err
    assert "nothing was written: 'Zo\\udceb' is not valid UTF-8" in said
    assert not (tmp_path / "my.inexview").exists()


def test_a_call_without_a_collection_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "x.inexview"]) == 2
    assert "--collection and --topics" in capsys.readouterr().err


def test_help_names_the_kinds_of_archive_as_index_does(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("new", "index"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert "a folder, .zip or .tar(.gz, .bz2, .xz)" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("file", ["d1.pdf", "d1.rtf", ""])
def test_a_folder_without_articles_makes_no_project(tmp_path, capsys, file):
    folder, project = tmp_path / "folder", tmp_path / "made.inexview"
    folder.mkdir()
    if file:
        (folder / "deeper").mkdir()
        (folder / "deeper" / file).write_text("The harbour silts up.\n", encoding="utf-8")
    (tmp_path / "topics").write_text("1\tgreen tea\n", encoding="utf-8")
    for command in (
        ["new", "-C", str(folder), "--topics", str(tmp_path / "topics"), str(project)],
        ["index", str(folder)],
    ):
        assert main(command) == 2
        said = capsys.readouterr().err
        assert "folder: holds no document: each is a file that ends in .xml, .txt, .md or .html" in said
        assert ("(here: 1 file with ." in said) is bool(file)
    assert not project.exists()


def test_keys_of_records_are_kept_in_the_project(tmp_path, capsys):
    records, topics, project = tmp_path / "r.jsonl", tmp_path / "t.tsv", tmp_path / "p.inexview"
    records.write_text(
        '{"uuid": "a", "body": "Some text."}\n{"uuid": "b", "body": "More."}\n', encoding="utf-8"
    )
    topics.write_text("1\toil\n", encoding="utf-8")
    keys = ["--keys", "id=uuid,text=body"]
    made = ["new", "-C", str(records), "--topics", str(topics), str(project)]
    assert main([*made, *keys]) == 0, capsys.readouterr().err
    assert "2 documents to judge" in capsys.readouterr().out
    with Project.open(project) as opened:
        assert opened.collection.load("a").text == "Some text."
    with Project.open(project) as opened:
        records.rename(tmp_path / "moved.jsonl")
        opened.set_collection(tmp_path / "moved.jsonl")
    with Project.open(project) as opened:
        assert list(opened.collection.ids()) == ["a", "b"]
    assert main(["index", str(tmp_path / "moved.jsonl"), *keys, "--words"]) == 0
    assert "2 articles" in capsys.readouterr().out
    assert main(["index", str(tmp_path / "moved.jsonl"), "--keys", "uuid"]) == 2
    assert "is not a list such as id=uuid" in capsys.readouterr().err
