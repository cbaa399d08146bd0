"""The examples that each command's -h ends with do what they say, on the sample."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from inexview.cli import COMMANDS, EXAMPLES, explain, main
from inexview.core.files import resource
from inexview.core.project.sample import create_sample_project

LINES = [line for examples in EXAMPLES.values() for line in examples.splitlines()]


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make what the examples name, from the sample."""
    folder = tmp_path_factory.mktemp("examples") / "sample"
    shutil.copytree(resource("sample"), folder)
    create_sample_project(folder / "mine.inexview")
    for name in ("topics.xml", "pool.xml"):
        later = (folder / name).read_text(encoding="utf-8").replace("2026", "2027")
        (folder / f"more-{name}").write_text(later, encoding="utf-8")
    third = (folder / "runs" / "LM-passages.txt").read_text(encoding="utf-8").replace("LM-passages", "third")
    (folder / "runs" / "third.txt").write_text(third, encoding="utf-8")
    sizes = [f"{path.stem},{100 + n}" for n, path in enumerate(sorted((folder / "runs").glob("*.txt")))]
    (folder / "table.csv").write_text("\n".join(["run,size", *sizes]), encoding="utf-8")
    return folder


def expanded(line: str) -> list[str]:
    """Return the words of a command, patterns expanded as a shell does."""
    words = shlex.split(line)
    return [
        name for word in words for name in (sorted(map(str, Path().glob(word))) if "*" in word else [word])
    ]


def test_every_command_has_examples_of_itself() -> None:
    assert list(EXAMPLES) == list(COMMANDS)
    for name, examples in EXAMPLES.items():
        assert {tuple(line.split()[:2]) for line in examples.splitlines()} == {("inexview", name)}


@pytest.mark.usefixtures("qapp")  # which a chart is drawn with
@pytest.mark.parametrize("line", LINES)
def test_an_example_ends_well(
    line: str,
    things: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(shutil.copytree(things, tmp_path / "things"))
    monkeypatch.setattr(explain, "require_window", lambda: None)
    monkeypatch.setattr(explain, "open_window", lambda **_: 0)  # it would wait to be closed
    monkeypatch.setattr("inexview.cli.window.call_tool", lambda *_: True)
    assert main(expanded(line)[1:]) == 0, capsys.readouterr().err


def test_help_ends_with_the_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["measures", "-h"])
    assert capsys.readouterr().out.endswith("\n\nexamples:\n  inexview measures\n  inexview measures nDCG\n")
