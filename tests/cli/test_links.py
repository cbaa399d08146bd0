"""`inexview links`: the desktop opens links with this program, and no longer."""

from __future__ import annotations

import configparser
import re
import subprocess
import sys
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.cli.window import NAME, TYPE, desktop_entry


@pytest.fixture
def applications(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where applications are described, on a desktop that has no tools."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", str(tmp_path / "tools"))
    return tmp_path / "data" / "applications"


def command_of(entry: str) -> list[str]:
    """Return the words that a desktop would call, as its specification unescapes and splits them."""
    parsed = configparser.RawConfigParser()
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read_string(entry)
    assert parsed["Desktop Entry"]["MimeType"] == f"{TYPE};"
    unescaped = parsed["Desktop Entry"]["Exec"].replace("\\\\", "\\")
    words = [quoted or plain for quoted, plain in re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', unescaped)]
    return [re.sub(r"\\(.)", r"\1", word).replace("%%", "%") for word in words]


def test_links_are_registered_and_no_longer(
    applications: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["links"]) == 1
    assert "not registered" in capsys.readouterr().out
    assert main(["links", "--register"]) == 0
    told = capsys.readouterr()
    assert str(applications / NAME) in told.out
    assert "inexview links --undo" in told.out
    assert "choose inexview as its program once" in told.err
    words = command_of((applications / NAME).read_text())
    assert words == [sys.executable, "-m", "inexview", "%u"]
    called = subprocess.run([*words[:-1], "inexview:///no/project?topic=7"], capture_output=True, text=True)
    assert called.returncode == 2
    assert "/no/project" in called.stderr
    assert main(["links"]) == 0
    assert main(["links", "--undo"]) == 0
    assert not (applications / NAME).exists()
    assert main(["links", "--undo"]) == 0
    assert "were not registered" in capsys.readouterr().out


def test_the_desktop_is_updated_by_its_own_tools(
    applications: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = applications.parent.parent / "tools"
    tools.mkdir()
    noted = tools / "noted"
    for tool in ("xdg-mime", "update-desktop-database"):
        (tools / tool).write_text(f'#!/bin/sh\necho "${{0##*/}} $@" >> "{noted}"\n')
        (tools / tool).chmod(0o755)
    assert main(["links", "--register"]) == 0
    assert not capsys.readouterr().err
    assert noted.read_text() == (
        f"update-desktop-database {applications}\nxdg-mime default {NAME} x-scheme-handler/inexview\n"
    )


def test_a_strange_path_is_still_one_word() -> None:
    strange = '/opt/a b/"$HOME`x`\\100%/python'
    assert command_of(desktop_entry([strange, "-m", "inexview"])) == [strange, "-m", "inexview", "%u"]


@pytest.mark.parametrize(("platform", "named"), [("darwin", "macOS"), ("win32", "Windows")])
def test_other_systems_explain_that_links_cannot_be_registered(
    platform: str, named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert main(["links", "--register"]) == 2
    told = capsys.readouterr().err
    assert named in told
    assert "inexview LINK" in told
