"""`inexview --install-desktop`: what is written, that tools of desktops take it, and that it goes again."""

from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree

from inexview.cli import COMMANDS, main
from inexview.cli.desktop import COMPONENT, FILE_TYPE, entry


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Install into a folder, on a desktop without tools, and return the folder."""
    folder = tmp_path / "data"
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setattr("inexview.cli.desktop.call_tool", lambda *_called: False)
    (folder / "applications").mkdir(parents=True)
    (folder / "applications" / "other.desktop").write_text("mine")
    assert main(["--install-desktop"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [path for path in told[:-1] if not Path(path).is_file()] == []
    assert "inexview --uninstall-desktop" in told[-1]
    return folder


def test_uninstall_deletes_exactly_the_installed_files(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len([path for path in data.rglob("*") if path.is_file()]) > 10
    assert main(["--uninstall-desktop"]) == 0
    assert [path.name for path in data.rglob("*") if path.is_file()] == ["other.desktop"]
    assert main(["--uninstall-desktop"]) == 0
    assert capsys.readouterr().out.endswith("inexview was not in the desktop menu.\n")


def test_the_entry_starts_the_program_and_names_its_icon_and_type(data: Path) -> None:
    parsed = configparser.RawConfigParser()
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read(data / "applications" / "inexview.desktop")
    told = parsed["Desktop Entry"]
    *command, files = shlex.split(told["Exec"])
    assert files == "%F"
    assert subprocess.run([*command, "--version"], capture_output=True, text=True).stdout.startswith(
        "inexview "
    )
    assert told["MimeType"] == f"{FILE_TYPE};x-scheme-handler/inexview;"
    assert (data / f"icons/hicolor/scalable/apps/{told['Icon']}.svg").is_file()
    assert (data / f"icons/hicolor/48x48/apps/{told['Icon']}.png").read_bytes().startswith(b"\x89PNG")
    assert 'Exec="/a b/inexview" %F' in entry(["/a b/inexview"])


def test_projects_have_a_type_of_their_own(data: Path) -> None:
    described = etree.parse(data / "mime/packages/inexview.xml")
    names = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    assert described.xpath("//m:mime-type/@type", namespaces=names) == [FILE_TYPE]
    assert described.xpath("//m:glob/@pattern", namespaces=names) == ["*.inexview"]


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="not on this machine: appstreamcli")
def test_software_centres_accept_the_metainfo(data: Path) -> None:
    path = data / f"metainfo/{COMPONENT}.metainfo.xml"
    checked = subprocess.run(
        ["appstreamcli", "validate", "--no-net", path], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.skipif(
    shutil.which("desktop-file-validate") is None, reason="not on this machine: its validator"
)
def test_the_entry_is_valid(data: Path) -> None:
    path = data / "applications/inexview.desktop"
    assert subprocess.run(["desktop-file-validate", path], capture_output=True, text=True).stdout == ""


@pytest.mark.skipif(shutil.which("man") is None, reason="not on this machine: man")
def test_the_man_page_has_every_command_and_option(data: Path) -> None:
    page = subprocess.run(
        ["man", "-l", data / "man/man1/inexview.1"],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "200"},
    )
    if page.returncode:
        pytest.skip(f"man cannot format here: {page.stderr.strip()}")
    shown = page.stdout
    assert all(f"   {name}\n" in shown for name in COMMANDS)
    assert "--install-desktop" in shown
    assert "--same-characters N" in shown


@pytest.mark.skipif(shutil.which("bash") is None, reason="not on this machine: bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["inexview", "ev"], {"eval"}),
        (["inexview", "eval", "--inter"], {"--intervals"}),
        (["inexview", "--unin"], {"--uninstall-desktop"}),
        (["inexview", "sweep", "--whe"], {"--where"}),
    ],
)
def test_bash_completes_commands_and_options(
    data: Path, words: list[str], offered: set[str], tmp_path: Path
) -> None:
    script = (
        f"source {shlex.quote(str(data / 'bash-completion/completions/inexview'))}\n"
        f"COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; _inexview\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    (tmp_path / "empty").mkdir()
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=tmp_path / "empty")
    assert {*done.stdout.split()} == offered


def test_fish_and_zsh_name_every_command(data: Path) -> None:
    fish = (data / "fish/vendor_completions.d/inexview.fish").read_text(encoding="utf-8")
    zsh = (data / "zsh/site-functions/_inexview").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"-n __fish_use_subcommand -a {name} " in fish
        assert f"'{name}:" in zsh
    assert all(line.count("'") % 2 == 0 for line in fish.splitlines())


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_are_left_alone(
    platform: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert main(["--install-desktop"]) == 2
    assert "start it with `inexview`" in capsys.readouterr().err
