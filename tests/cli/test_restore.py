"""`inexview restore`: copies listed and restored, and what a damaged file has left."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.project.journal_rows import records
from inexview.core.project.project import Project
from inexview.core.project.recovery import KEPT, copies_of
from tests.projects import TOPIC, make_project


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_project(tmp_path / "study")
    for start in (0, 6, 12):
        with Project.open(path) as project:
            project.mark(TOPIC, "d1", start, start + 5)
    return path


def test_copies_are_listed_with_what_they_have_and_lack(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["restore", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(copies_of(path)) == 4
    assert lines[0].startswith(" 1  ")
    assert lines[0].endswith("the same as the file"), "made when it was closed"
    assert lines[1].endswith("lacks 1 of the file")
    assert lines[3].endswith("lacks 3 of the file")


def test_a_copy_tells_what_an_older_file_put_in_its_place_has_not(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    oldest = copies_of(path)[-1].path.read_bytes()
    Project.open(path).close()
    path.write_bytes(oldest)
    assert main(["restore", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "3 that the file has not, 1 of them in no other copy" in lines[0]
    new = tmp_path / "new.inexview"
    assert main(["restore", str(path), "--copy", "1", "-o", str(new)]) == 0
    with Project.open(new) as project:
        assert len(project.histories.of(TOPIC, "d1").done) == 3
    assert path.read_bytes() == oldest


@pytest.mark.parametrize("how", [["--copy", "1"], ["--salvage"]])
def test_a_missing_folder_is_reported_and_not_created(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], how: list[str]
) -> None:
    new = tmp_path / "restored" / "new.inexview"
    assert main(["restore", str(path), *how, "-o", str(new)]) == 2
    assert f"{new}: its folder does not exist" in capsys.readouterr().err
    assert not new.parent.exists()


def test_partial_copies_of_killed_programs_are_removed_after_an_hour(path: Path) -> None:
    copy = copies_of(path)[0].path
    left = [copy.with_suffix(suffix) for suffix in (".part", ".part-journal")]
    for one in left:
        one.write_bytes(b"half")
        os.utime(one, (time.time() - 4_000,) * 2)
    being_made = copy.with_name(copy.name.replace("T", "T1", 1)).with_suffix(".part")
    being_made.write_bytes(b"half")
    with Project.open(path) as project:
        project.mark(TOPIC, "d2", 0, 4)
    Project.open(path).close()
    assert not any(one.exists() for one in left)
    assert being_made.exists()


def test_copies_made_while_a_clock_was_wrong_are_forgotten_before_newer_ones(path: Path) -> None:
    for copy in copies_of(path):
        copy.path.rename(copy.path.with_name(f"29{copy.path.name[2:]}"))
    for number in range(KEPT - 1):
        with Project.open(path) as project:
            project.mark(TOPIC, "d2", 3 * number, 3 * number + 2)
    made = copies_of(path)
    assert len(made) == KEPT
    assert [copy.path.name[:2] for copy in made].count("29") == 1
    assert made[-1].path.name.startswith("29")


def test_the_last_ten_copies_are_kept(path: Path) -> None:
    for number in range(KEPT + 2):
        with Project.open(path) as project:
            project.not_relevant(TOPIC, "d2") if number % 2 else project.clear(TOPIC, "d2")
            project.mark(TOPIC, "d2", number, number + 1)
    listed = copies_of(path)
    assert len(listed) == KEPT
    assert [copy.time for copy in listed] == sorted((copy.time for copy in listed), reverse=True)


def test_a_project_that_was_opened_without_work_is_not_copied_again(path: Path) -> None:
    Project.open(path).close()
    before = copies_of(path)
    Project.open(path).close()
    assert copies_of(path) == before


def test_copies_are_found_after_the_project_was_renamed(path: Path) -> None:
    before = copies_of(path)
    moved = path.rename(path.with_name("renamed.inexview"))
    assert copies_of(moved) == before


def test_a_damaged_file_is_recovered_with_rows_of_its_copies(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Project.open(path) as project:
        expected = project.histories.of(TOPIC, "d1").done
        project.not_relevant(TOPIC, "d3")
    data = bytearray(path.read_bytes())
    data[data.index(b'{"spans":[[0,5]]')] = 0x21
    path.write_bytes(data)
    new = tmp_path / "new.inexview"
    assert main(["restore", str(path), "--salvage", "-o", str(new)]) == 0
    assert "rows" in capsys.readouterr().out
    with Project.open(new) as project:
        assert project.histories.of(TOPIC, "d1").done == expected
        assert project.state(TOPIC, "d3").finished


def test_lost_rows_are_reported_and_their_documents_reopened(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Project.open(path) as project:
        project.set_bep(TOPIC, "d1", 0)
        project.mark(TOPIC, "d1", 30, 35)
        project.finish(TOPIC, "d1")
        project.not_relevant(TOPIC, "d2")
    copies_of(path)[0].path.unlink()
    data = bytearray(path.read_bytes())
    data[data.index(b'{"spans":[[30,35]]')] = 0x21
    path.write_bytes(data)
    assert main(["export", str(path), "-o", str(tmp_path / "qrels.txt")]) == 1
    assert "topic 2009001, document d1: row" in capsys.readouterr().err
    new = tmp_path / "new.inexview"
    assert main(["restore", str(path), "--salvage", "-o", str(new)]) == 1
    assert "topic 2009001, document d1: row" in capsys.readouterr().err
    with Project.open(new) as project:
        assert not project.state(TOPIC, "d1").finished
        assert project.state(TOPIC, "d1").marks.size == 15
        assert project.state(TOPIC, "d2").finished


@pytest.mark.parametrize("wrong", [["-o", "x"], ["--salvage"], ["--copy", "9", "-o", "new.inexview"]])
def test_incomplete_requests_are_refused(path: Path, wrong: list[str]) -> None:
    assert main(["restore", str(path), *wrong]) == 2


def judged(path: Path, *starts: int) -> None:
    """Mark something in a session for each start, and close."""
    for start in starts:
        with Project.open(path) as project:
            project.mark(TOPIC, "d2", start, start + 1)


def test_each_command_warns_of_an_older_file_until_work_continues(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older = path.read_bytes()
    judged(path, 0, 2)
    path.write_bytes(older)
    warning = "has 2 actions missing from the file; perhaps an older file was put back"
    qrels = tmp_path / "qrels.txt"
    qrels.write_text(f"{TOPIC} Q0 d3 0 42\n")
    for command in (["log"], ["export", "-o", str(tmp_path / "a.jsonl")], ["note"], ["import", str(qrels)]):
        name, *rest = command
        assert main([name, str(path), *rest]) == 1
        assert warning in capsys.readouterr().err
    assert main(["log", str(path)]) == 0, "somebody went on with the file"
    capsys.readouterr()
    main(["restore", str(path)])
    listed = capsys.readouterr().out
    assert "2 that the file has not, 1 of them in no other copy" in listed


def test_a_copy_with_actions_that_are_nowhere_else_is_never_forgotten(path: Path) -> None:
    """Also if its date is the oldest, or is of a day that is still to come."""
    older = path.read_bytes()
    judged(path, 0, 2, 4)
    newest = copies_of(path)[0].path
    for century in ("19", "29"):
        newest = newest.rename(newest.with_name(f"{century}{newest.name[2:]}"))
        path.write_bytes(older)
        judged(path, *range(0, 2 * KEPT + 6, 2))
        assert copies_of(path)[-1].path == newest
        with Project.open(newest, read_only=True) as project:
            assert project.state(TOPIC, "d2").marks.size == 3
    assert len(copies_of(path)) == KEPT + 2, "ten, this one and the last of the first round"


def test_a_file_that_is_gone_when_it_is_closed_has_a_copy_of_all_that_was_done(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d3", 0, 4)
        path.rename(path.with_name("away"))
    (newest, *_) = copies_of(path.with_name("away"))
    with Project.open(newest.path, read_only=True) as project:
        assert project.state(TOPIC, "d3").marks.size == 4


def test_salvaging_a_shortened_file_gives_what_its_copy_has_beyond_it(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Project.open(path) as project:
        for number in range(60):
            project.mark(TOPIC, "d2", number % 40, number % 40 + 1)
            project.clear(TOPIC, "d2")
        project.finish(TOPIC, "d2")
    data, half = path.read_bytes(), path.stat().st_size // 8192 * 4096
    with Project.open(path, read_only=True) as project:
        whole = project.journal.last
    path.write_bytes(data[:half] + b"x" + data[half : half + 4096])
    with Project.open(path) as project:
        assert "actions missing from the file" in project.read_only_reason
        assert "no judgement is lost" not in project.read_only_reason
    new = tmp_path / "new.inexview"
    main(["restore", str(path), "--salvage", "-o", str(new)])
    assert f"{whole} rows, " in capsys.readouterr().out
    with Project.open(new) as project:
        assert project.state(TOPIC, "d2").finished
    for copy in copies_of(path):
        copy.path.unlink()
    with Project.open(path) as project:
        assert "no judgement is lost" not in project.read_only_reason


@pytest.mark.parametrize("left", [b"", b"x" * 40_960])
def test_salvaging_a_file_without_a_readable_row_gives_what_its_copy_has(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], left: bytes
) -> None:
    path.write_bytes(left)
    new = tmp_path / "new.inexview"
    assert main(["restore", str(path), "--salvage", "-o", str(new)]) == 1
    out, err = capsys.readouterr()
    assert "of them only in its copies" in out
    assert "the original number of rows is unknown" in err
    with Project.open(new) as project:
        assert project.state(TOPIC, "d1").marks.size == 15
    for copy in copies_of(path):
        copy.path.unlink()
    assert main(["restore", str(path), "--salvage", "-o", str(tmp_path / "other.inexview")]) == 2
    assert "no row of it can be read" in capsys.readouterr().err


def test_a_fork_of_the_project_gives_no_rows_to_a_damaged_file(path: Path, tmp_path: Path) -> None:
    older = path.read_bytes()
    judged(path, 0, 2)
    path.write_bytes(older)
    judged(path, 20)
    for copy in copies_of(path):
        with Project.open(copy.path, read_only=True) as project:
            if list(project.state(TOPIC, "d2").marks) == [(20, 21)]:
                copy.path.unlink()
    data = bytearray(path.read_bytes())
    data[data.index(b'{"spans":[[0,5]]')] = 0x21
    path.write_bytes(data)
    new = tmp_path / "new.inexview"
    assert main(["restore", str(path), "--salvage", "-o", str(new)]) == 0
    with Project.open(new, read_only=True) as project:
        assert list(project.state(TOPIC, "d2").marks) == [(20, 21)]
        assert project.state(TOPIC, "d1").marks.size == 15


def test_nothing_is_written_over(path: Path) -> None:
    before = path.read_bytes()
    assert main(["restore", str(path), "--copy", "1", "-o", str(path)]) == 2
    assert path.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="devices have such names on POSIX")
def test_a_device_is_refused_and_not_read_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["restore", "/dev/zero", "--salvage", "-o", str(tmp_path / "new.inexview")]) == 2
    assert "it is a pipe or a device" in capsys.readouterr().err
    assert main(["restore", "/dev/zero"]) == 1


def test_other_files_are_scanned_once_at_each_place(tmp_path: Path) -> None:
    path = tmp_path / "letters"
    path.write_bytes(b"x" * 40_960)
    assert len(list(records(path))) <= 10  # pages, whose pointers all lead to one place
