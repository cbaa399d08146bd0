"""`inexview log`: every action of a project as JSON lines."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.project import reviews
from inexview.core.project.project import Project
from tests.projects import OTHER_TOPIC, TOPIC, make_project


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_project(tmp_path / "study")
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        project.not_relevant(TOPIC, "d2", "d3")
        project.not_relevant(OTHER_TOPIC, "d1")
        reviews.set_note(project, TOPIC, "d1", "Ünsure 🦊")
    return path


def logged(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["log", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_action_is_a_line_with_its_time(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = logged(capsys, str(path))
    assert [line["seq"] for line in lines] == [*range(1, len(lines) + 1)]
    assert all(str(line["time"]).endswith("+00:00") for line in lines)
    assert [datetime.fromisoformat(str(line["time"])) for line in lines] == sorted(
        datetime.fromisoformat(str(line["time"])) for line in lines
    )
    last = lines[-1]
    assert (last["action"], last["document"], last["assessor"]) == ("note", "d1", "ada")
    assert last["content"] == {"text": "Ünsure 🦊"}
    assert lines[0]["action"] == "create"
    assert "topic" not in lines[0]


def test_only_requested_actions_are_printed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {line["topic"] for line in logged(capsys, str(path), "--topic", TOPIC)} == {TOPIC}
    both = logged(capsys, str(path), "--topic", TOPIC, "--action", "not-relevant")
    assert [line["document"] for line in both] == ["d2", "d3"]
    assert both[0]["step"] == both[1]["step"] == both[0]["id"]
    assert [line["action"] for line in logged(capsys, str(path), "--document", "d2")] == ["not-relevant"]


def test_unknown_topics_and_documents_are_refused(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", str(path), "--topic", "nope"]) == 2
    assert f"there is no topic 'nope'; its topics are {TOPIC}, {OTHER_TOPIC}" in capsys.readouterr().err
    with pytest.raises(SystemExit) as left:
        main(["log", str(path), "--action", "nope"])
    assert left.value.code == 2
    assert "not-relevant" in capsys.readouterr().err


def test_a_damaged_project_is_logged_as_far_as_it_goes(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(b'{"spans":[[0,5]]')] = 0x21
    path.write_bytes(data)
    assert main(["log", str(path)]) == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) > 5
    assert "document d1" in said.err
