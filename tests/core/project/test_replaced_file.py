"""The project file is replaced, renamed, deleted or written over while it is open: nothing is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from inexview.core.project.journal import Journal, ProjectGoneError
from inexview.core.project.project import Project
from inexview.core.project.recovery import save_elsewhere
from inexview.core.project.reviews import note_opened
from tests.projects import TEXT, TOPIC


def replaced(path: Path) -> None:
    part = path.with_name("other")
    shutil.copyfile(path, part)
    part.replace(path)


def renamed(path: Path) -> None:
    path.rename(path.with_name("renamed.inexview"))


def folder_renamed(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def deleted(path: Path) -> None:
    path.unlink()


def written_over(path: Path) -> None:
    """As ``cp`` does it: the file stays, its bytes are others."""
    data = bytearray(path.read_bytes())
    data[-4096 * 2 : -4096] = bytes(4096)
    before = path.stat()
    with path.open("r+b") as file:
        file.write(data)
    later = before.st_mtime_ns + 10_000_000  # some kernels tell times only every 4 ms, and tests are quicker
    os.utime(path, ns=(before.st_atime_ns, later))


ACCIDENTS = {
    "was replaced by another file": replaced,
    "was deleted, renamed or moved away": renamed,
    "deleted, renamed": folder_renamed,
    "deleted,": deleted,
    "was written over by something else": written_over,
}


@pytest.mark.parametrize(("happened", "accident"), ACCIDENTS.items())
def test_the_next_action_says_what_happened_and_is_not_done(
    path: Path, happened: str, accident: Callable[[Path], None], tmp_path: Path
) -> None:
    with Project.open(path) as project:
        note_opened(project, TOPIC, "d1", text=TEXT)
        project.mark(TOPIC, "d1", 0, 5)
        state = project.set_bep(TOPIC, "d1", 2)
        accident(path)
        for _ in range(2):
            with pytest.raises(ProjectGoneError, match=happened):
                project.finish(TOPIC, "d1")
            with pytest.raises(ProjectGoneError, match="save it to another file"):
                project.check_file()
        assert project.state(TOPIC, "d1") == state
        history = project.histories.of(TOPIC, "d1").done
        elsewhere = tmp_path / "saved.inexview"
        save_elsewhere(project.journal, elsewhere)
    with Project.open(elsewhere) as saved:
        assert saved.histories.of(TOPIC, "d1").done == history
        assert saved.state(TOPIC, "d1") == state
        assert [topic.id for topic in saved.topics] == [topic.id for topic in project.topics]
        saved.clear(TOPIC, "d1")


@pytest.mark.parametrize("accident", [replaced, renamed, deleted])
def test_actions_during_a_replacement_are_not_acknowledged(
    path: Path, accident: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Project.open(path) as project:
        state = project.mark(TOPIC, "d1", 0, 5)
        committed = Journal._move_into_file

        def meanwhile(journal: Journal) -> None:
            committed(journal)
            accident(path)

        monkeypatch.setattr(Journal, "_move_into_file", meanwhile)
        with pytest.raises(ProjectGoneError):
            project.mark(TOPIC, "d1", 6, 9)
        monkeypatch.undo()
        assert project.state(TOPIC, "d1") == state
        save_elsewhere(project.journal, tmp_path / "saved.inexview")
    with Project.open(tmp_path / "saved.inexview") as saved:
        assert saved.state(TOPIC, "d1") == state


def test_a_file_that_comes_back_is_worked_on(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        path.rename(path.with_name("away"))
        with pytest.raises(ProjectGoneError):
            project.check_file()
        path.with_name("away").rename(path)
        project.check_file()
        project.set_bep(TOPIC, "d1", 0)
    with Project.open(path) as project:
        assert project.state(TOPIC, "d1").bep == 0


def test_a_file_that_was_only_touched_is_the_same(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        os.utime(path)
        project.set_bep(TOPIC, "d1", 0)


def test_acknowledged_actions_are_in_the_file_itself_without_a_log(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        log = path.with_name(path.name + "-wal")
        assert not log.exists() or not log.stat().st_size
        copied = Path(shutil.copy(path, path.with_name("copied.inexview")))
        with Project.open(copied, read_only=True) as copy:
            assert copy.state(TOPIC, "d1") == project.state(TOPIC, "d1")


def test_a_reader_in_the_way_delays_only_the_move_into_the_file(path: Path) -> None:
    with Project.open(path) as project:
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM journal").fetchone()
        state = project.mark(TOPIC, "d1", 0, 5)
        with Project.open(path, read_only=True) as other:
            assert other.state(TOPIC, "d1") == state
        reader.close()
        project.mark(TOPIC, "d1", 6, 9)
        assert not path.with_name(path.name + "-wal").stat().st_size


def test_a_name_that_is_taken_is_refused_and_nothing_overwritten(path: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.inexview"
    there.write_text("mine")
    with Project.open(path) as project, pytest.raises(Exception, match="of this name already"):
        save_elsewhere(project.journal, there)
    assert there.read_text() == "mine"


def test_a_window_that_reads_follows_what_another_writes(path: Path) -> None:
    with Project.open(path) as project, Project.open(path, read_only=True) as reader:
        assert reader.state(TOPIC, "d1").untouched
        project.mark(TOPIC, "d1", 0, 5)
        project.not_relevant(TOPIC, "d2", "d3")
        changed = reader.follow()
        assert {(TOPIC, "d1"), (TOPIC, "d2"), (TOPIC, "d3")} == set(changed)
        assert reader.histories.states(TOPIC) == project.histories.states(TOPIC)
        assert not reader.follow()
        replaced(path)
        with pytest.raises(ProjectGoneError):
            reader.follow()
