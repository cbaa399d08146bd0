"""What files hold commands no terminal, and is never too much to be said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.wording import visible

RED = "\x9b31m"  # what xterm takes for the beginning of a command, as it does ESC [
TURNED = "\u202e"


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_commands_a_terminal_is_spelt_out_and_all_else_stays() -> None:
    assert visible("a\tb\nc é 日本 \x1b[31m\x9b\u202e\udce9\x7f") == (
        "a\tb\nc é 日本 \\x1b[31m\\x9b\\u202e\\udce9\\x7f"
    )


def test_names_of_fields_reach_stderr_spelt_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = {"topic": "1", "document": "d", "rsize": 3, "passages": [{"start": 0, "end": 3}], "\x1b[2J": 1}
    qrels = written(tmp_path / "q.jsonl", json.dumps(line))
    assert main(["agree", qrels, qrels]) == 0
    assert "the field '\\x1b[2J' is unknown" in capsys.readouterr().err


def test_names_of_topics_reach_a_table_spelt_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels = written(tmp_path / "q.qrels", f"{RED}{TURNED}1 Q0 d 3 9 0 0:3\n")
    assert main(["agree", qrels, qrels]) == 0
    out = capsys.readouterr().out
    assert "\\x9b31m\\u202e1" in out
    assert RED not in out
    assert TURNED not in out


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes there")
def test_a_name_that_is_not_utf8_and_an_output_without_unicode_are_written(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(folder), "1.xml").write_text("<article/>", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "inexview", "index", folder],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"caf\\udce9: 1 article" in done.stdout


def test_on_a_terminal_machines_formats_are_spelt_out_too(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="no terminals of this kind")
    try:
        master, slave = pty.openpty()
    except OSError as error:
        pytest.skip(f"no terminal can be had here: {error}")
    qrels = written(tmp_path / "q.qrels", f"{RED}1 Q0 d 3 9 0 0:3\n")
    command = [sys.executable, "-m", "inexview", "agree", "--format", "csv", qrels, qrels]
    done = subprocess.run(command, stdout=slave, stderr=subprocess.PIPE, check=False)
    os.close(slave)
    out = os.read(master, 100_000).decode()
    os.close(master)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "\\x9b31m1" in out
    assert RED not in out


def test_thousands_of_kinds_of_warnings_become_some(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"topic": "1", "document": "d", "rsize": 3, "passages": [{"start": 0, "end": 3}]}
    qrels = written(tmp_path / "q.jsonl", json.dumps(line | {f"f{at}": 0 for at in range(5_000)}))
    assert main(["agree", qrels, qrels]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) < 250
    assert any("this line has further errors: 49" in sentence for sentence in said)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_that_lead_in_a_circle_are_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop = tmp_path / "loop.inexview"
    loop.symlink_to(loop)
    other = str(tmp_path / "other")
    commands = [["convert", loop, other], ["export", loop, "-o", other], ["check", loop, "--collection", "."]]
    for command in commands:
        assert main([str(word) for word in command]) == 2
        said = capsys.readouterr().err
        assert str(loop) in said
        assert len(said.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
def test_an_output_that_is_full_is_a_sentence() -> None:
    for command in (["--version"], ["measures"]):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "inexview", *command], stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert (done.returncode, done.stderr) == (2, b"inexview: no space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize("words", [("agree", "absent", "absent"), ("agree", "--no-such-option")])
def test_what_cannot_be_complained_of_is_in_the_status(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "inexview", *words]
        assert subprocess.run(command, stderr=full, check=False).returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
@pytest.mark.parametrize(("closed", "status"), [(">&-", 0), (">&- 2>&-", 0)])
def test_outputs_that_are_closed_stop_no_command(closed: str, status: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m inexview measures {closed}'], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (status, b"")
