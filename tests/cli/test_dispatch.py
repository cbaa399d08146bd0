"""The command line as a whole: only what is called is imported, and nothing ends in a traceback."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import inexview.cli
from inexview.cli import COMMANDS, main, window
from inexview.cli.common import guarded
from inexview.core.errors import DataError
from inexview.core.files import LinkedPlace


def modules_after(code: str) -> set[str]:
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint('\\n'.join(sys.modules), file=sys.stderr)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(ran.stderr.split())


def test_the_dispatcher_imports_no_command_and_no_library() -> None:
    loaded = modules_after("import inexview.cli")
    assert not loaded & {
        "numpy",
        "lxml",
        "sqlite3",
        "PySide6",
        "nupunkt",
        "inexview.cli.project",
        "inexview.gui",
    }


def test_ctrl_c_while_the_program_is_loaded_leaves_no_traceback() -> None:
    """It can be caught in ``main`` only: what is imported before is next to nothing."""
    modules_after("""
before = {*sys.modules}
import inexview.__main__ as program
assert {*sys.modules} - before <= {"inexview", "inexview.__main__", "__future__"}, sys.modules
class Stopped:
    def __getattr__(self, name):
        raise KeyboardInterrupt
sys.modules["inexview.cli"] = Stopped()
assert program.main(["measures"]) == 130
""")


@pytest.mark.parametrize("command", ["eval", "compare"])
def test_evaluating_does_not_wait_for_the_window_the_project_or_xml(command: str) -> None:
    loaded = modules_after(
        f"from inexview.cli import main\ntry:\n    main(['{command}', '-h'])\nexcept SystemExit:\n    pass"
    )
    assert not loaded & {"lxml", "lxml.etree", "sqlite3", "PySide6", "nupunkt"}


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "-h"])
    assert left.value.code == 0
    assert f"usage: inexview {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_no_name_of_the_code(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "-h"])
    said = capsys.readouterr().out.replace("XDG_DATA_HOME", "")
    assert re.findall(r"<\w+\.\w+: |[A-Z]+_[A-Z]+", said) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["eval", "q", "r", "-m", "MAgP", "s"], "unrecognized arguments: s (put all files together"),
        (["eval", "q", "r", "--tsk", "x"], "unrecognized arguments: --tsk x\n"),
        (["eval", "", "r"], "argument QRELS: is empty: name a file or a folder"),
        (["check", "q", "-C", ""], "argument -C/--collection: is empty"),
        (["convert", "", "out.txt"], "argument IN: is empty"),
        (
            ["compare", "q", "r", "s", "--test", "z"],
            "(choose from randomisation, t-test, ",
        ),
        (["eval", "q", "r", "--curve-of", "z"], "(choose from interpolated, "),
        (["convert", "q", "out", "--result-type", "z"], "(choose from element, "),
    ],
)
def test_invalid_arguments_are_reported_by_the_command(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(given)
    assert left.value.code == 2
    err = capsys.readouterr().err
    assert f"inexview {given[0]}: error: " in err
    assert said in err.replace("'", "")  # Python 3.11 quotes choices


def test_an_option_is_not_taken_for_a_longer_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["eval", "qrels.txt", "run.txt", "--per"])
    assert left.value.code == 2
    assert "unrecognized arguments: --per\n" in capsys.readouterr().err


def test_help_names_every_command_and_the_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["-h"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert all(f"  {command} " in said for command in COMMANDS)
    assert "exit status" in said


def test_the_version_is_that_of_the_installed_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"inexview {version('inexview')}\n"


def test_an_argument_that_is_neither_command_nor_project_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["evaluate"])
    assert left.value.code == 2
    assert "'evaluate' is not a command, and no such file exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--topic", "5"], "--topic needs a project: name its file"),
        (["--sample", "--doc", "5"], "--doc needs a project: name its file"),
        (["inexview:///p?topic=1", "--at", "5"], "--at needs a project: name its file, not a link"),
        ([""], "'' is not a command, and no such file exists"),
    ],
)
def test_a_place_without_a_project_is_refused(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(given)
    assert left.value.code == 2
    assert said in capsys.readouterr().err


def test_files_that_are_no_project_are_brought_to_the_window(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[object] = []
    monkeypatch.setattr(window, "open_window", lambda *place, **more: opened.append((place, more)) or 0)
    files = [tmp_path / name for name in ("qrels.txt", "run.txt")]
    for file in files:
        file.write_text("7 Q0 moon 1 9 r\n", encoding="utf-8")
    assert main([str(file) for file in files]) == 0
    assert main([str(tmp_path)]) == 0
    assert opened == [((), {"brought": files}), ((), {"brought": [tmp_path]})]
    with pytest.raises(SystemExit):
        main([str(files[0]), "--topic", "7"])
    assert "--topic needs a project" in capsys.readouterr().err
    project = tmp_path / "project"  # by its content
    project.write_bytes(b"SQLite format 3\0")
    with pytest.raises(SystemExit):
        main([str(files[0]), str(project)])
    assert "name one project, or only files that are not projects" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "project", "sample"),
    [([], None, False), (["--sample"], None, True), (["my.inexview"], Path("my.inexview"), False)],
)
def test_without_a_command_the_window_opens(
    given: list[str],
    project: Path | None,
    sample: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[tuple[Path | None, bool]] = []

    def opened_window(place: LinkedPlace | None, *, sample: bool) -> int:
        opened.append((None if place is None else place.project, sample))
        return 0

    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.inexview").touch()
    monkeypatch.setattr(window, "open_window", opened_window)
    assert main(given) == 0
    assert opened == [(project, sample)]


@pytest.mark.parametrize(
    "given",
    [
        ["my.inexview", "--topic", "7", "--doc", "co/1", "--run", "LM", "--at", "12"],
        ["LINK?topic=7&doc=co%2F1&run=LM&at=12"],
        ["CAPITALS?topic=7&doc=co%2F1&run=LM&at=12"],
    ],
)
def test_a_place_is_named_by_options_or_by_a_link(
    given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[LinkedPlace | None] = []
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my.inexview"
    path.touch()
    monkeypatch.setattr(window, "open_window", lambda place, sample: opened.append(place) or 0)
    link = LinkedPlace(path).link
    capitals = link.replace("inexview:", "INEXVIEW:")
    assert main([one.replace("LINK", link).replace("CAPITALS", capitals) for one in given]) == 0
    (place,) = opened
    assert place is not None
    assert (place.project.name, place.topic, place.document, place.run, place.at) == (
        *("my.inexview", "7", "co/1"),
        *("LM", 12),
    )


@pytest.mark.parametrize(
    "link",
    [
        "inexview:",
        "inexview://host/x",
        "inexview:///x?at=-3",
        "inexview:///x?at=9e9",
        "inexview:///x?do=1",
        "inexview://[",
        "inexview:///p.inexview?run=%00",
    ],
)
def test_a_link_that_is_none_is_refused(link: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([link]) == 2
    assert "link" in capsys.readouterr().err


def test_a_file_that_is_not_a_project_is_named_as_given(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["http://x.y"])
    assert "'http://x.y' is not a command" in capsys.readouterr().err


def test_an_offset_before_the_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project := tmp_path / "my.inexview").touch()
    with pytest.raises(SystemExit) as left:
        main([str(project), "--at", "-5"])
    assert left.value.code == 2
    assert "--at -5: the offset of a character is 0 or more" in capsys.readouterr().err


def failing(error: BaseException) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (DataError("what to do", path="runs.txt", line=3), 2, "inexview: runs.txt:3: what to do\n"),
        (
            FileNotFoundError(2, "No such file or directory", "a.txt"),
            2,
            "inexview: a.txt: no such file or directory\n",
        ),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_user_errors_are_a_sentence_and_a_status(
    error: BaseException, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(lambda: failing(error)) == status
    assert capsys.readouterr().err == said


def test_a_command_may_be_stopped_while_it_is_still_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(inexview.cli, "import_module", stopped)
    assert main(["measures"]) == 130


def test_a_user_without_a_home_is_no_reason_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_user: int) -> None:
        raise KeyError("uid not found")

    monkeypatch.setenv("HOME", "")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pytest.importorskip("pwd"), "getpwuid", unknown)
    monkeypatch.setattr(window, "open_window", lambda _place, sample: len(str(Path.home())))
    assert main([]) == 1


def test_a_defect_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        guarded(lambda: failing(ZeroDivisionError()))


@pytest.mark.skipif(sys.platform == "win32", reason="pipes as Unix has them")
def test_a_reader_that_has_read_enough_causes_no_complaint() -> None:
    code = "from inexview.cli.common import guarded; exit(guarded(lambda: print('x' * 10**6) or 0))"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        process.stdout.read(1)
        process.stdout.close()
        said = process.stderr.read()
    assert said == b""
    assert process.returncode == 141
