"""`inexview note`: what is remarked in the window can be written and read without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.project.project import Project
from inexview.core.project.reviews import set_scale
from tests.projects import OTHER_TOPIC, TOPIC, make_project


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_project(tmp_path / "study")
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 9, 24)
        set_scale(project, ("okay", "vital"))
    return path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["note", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_remarks_are_stored_and_printed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = ["note", str(path)]
    assert main([*note, TOPIC, "d1", "Ünsure 🦊", "--flag", "--grade", "okay"]) == 0
    assert main([*note, TOPIC, "d1", "the fox", "--passage", "12:3", "--grade", "vital"]) == 0
    assert main([*note, OTHER_TOPIC, "d4", "from outside the pool"]) == 0
    passage = {"topic": TOPIC, "document": "d1", "offset": 9, "length": 15}
    document = {"topic": TOPIC, "document": "d1", "note": "Ünsure 🦊", "come_back": True, "grade": "okay"}
    other = {"topic": OTHER_TOPIC, "document": "d4", "note": "from outside the pool"}
    assert told(capsys, str(path)) == [
        document,
        {**passage, "note": "the fox", "grade": "vital"},
        other,
    ]
    assert told(capsys, str(path), OTHER_TOPIC) == [other]
    assert told(capsys, str(path), TOPIC, "d2") == []
    assert main([*note, TOPIC, "d1", "", "--no-flag", "--grade", ""]) == 0
    assert told(capsys, str(path), TOPIC) == [{**passage, "note": "the fox", "grade": "vital"}]
    with Project.open(path, read_only=True) as project:
        log = project.histories.log(TOPIC, "d1")
        assert (log.remarks.note, log.remarks.come_back) == ("", False)
        assert log.remarks.note_in((9, 24)) == "the fox"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["2009009", "d1", "x"], f"no topic '2009009'; its topics are {TOPIC}, {OTHER_TOPIC}"),
        ([TOPIC, "d9", "x"], "no document d9 in its pool or collection"),
        ([TOPIC, "--flag"], "name the topic and the document"),
        ([TOPIC, "d1", "x", "--passage", "30:5"], "d1: no passage is marked there; its passages are 9:15"),
        ([TOPIC, "d1", "x", "--grade", "best"], "no grade 'best'; its grades are okay, vital"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(
    path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["note", str(path), *arguments]) == 2
    assert said in capsys.readouterr().err
    assert told(capsys, str(path)) == []


def test_a_damaged_project_prints_its_readable_notes_with_a_warning(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for document, text in (("d1", "kept"), ("d2", "gone")):
        assert main(["note", str(path), TOPIC, document, text]) == 0
    data = bytearray(path.read_bytes())
    data[data.index(b'{"text":"gone"}')] = 0x21
    path.write_bytes(data)
    capsys.readouterr()
    assert main(["note", str(path)]) == 1
    said = capsys.readouterr()
    assert [json.loads(line)["note"] for line in said.out.splitlines()] == ["kept"]
    assert "document d2" in said.err
