"""A full disk: said as such, with the name of the file that was asked for."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

from inexview.core.errors import DiskFullError, ProjectError
from inexview.core.project import access, recovery
from inexview.core.project.journal import make_file
from inexview.core.project.journal_rows import explaining
from inexview.core.project.project import Project
from inexview.core.project.recovery import save_elsewhere
from tests.projects import make_project


class Usage(NamedTuple):
    free: int


@pytest.mark.parametrize(("free", "kind"), [(0, DiskFullError), (1 << 30, ProjectError)])
def test_no_space_in_the_folder_of_a_project_is_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, kind: type[ProjectError]
) -> None:
    """SQLite calls it an error of the disk where it finds no room for the index of its log."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(free))
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    with pytest.raises(ProjectError) as told, explaining(tmp_path / "study.inexview"):
        raise error
    assert type(told.value) is kind


def test_errors_of_a_new_file_name_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(part: Path, *_more: object) -> NoReturn:
        raise ProjectError(f"{part}: the disk cannot be read or written to")

    monkeypatch.setattr(access, "_make", broken)
    new = tmp_path / "new.inexview"
    with pytest.raises(ProjectError, match=f"^{new}: the disk cannot be read"):
        access.create(new, [], "ada")


def test_where_no_file_can_be_made_a_sentence_says_so(tmp_path: Path) -> None:
    (tmp_path / ".new.inexview.new").mkdir()  # as a disk refuses a file that has no room for its name
    with pytest.raises(ProjectError, match="the project is not writable here"):
        make_file(tmp_path / ".new.inexview.new")


def test_a_full_disk_for_a_new_file_names_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(part: Path, *_more: object) -> NoReturn:
        raise DiskFullError(f"{part}: the disk is full")

    path, new = make_project(tmp_path / "study"), tmp_path / "new.inexview"
    said = rf"^{new}: the disk is full; free some space"
    monkeypatch.setattr(recovery, "make_file", full)
    with Project.open(path) as project, pytest.raises(DiskFullError, match=said):
        save_elsewhere(project.journal, new)
    monkeypatch.setattr(access, "_make", full)
    with pytest.raises(DiskFullError, match=said):
        access.create(new, [], "ada")
    assert not new.exists()
