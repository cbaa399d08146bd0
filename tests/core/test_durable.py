"""Files are on the disk before they take an old file's name, and their folder after."""

from __future__ import annotations

import errno
import os
import subprocess
import time
from pathlib import Path

import pytest

from inexview.core.errors import DataError
from inexview.core.files import put_in_place, replace_file, write_complete
from inexview.core.formats.conversion import check_free, convert_file


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note in which order files are synced and renamed."""
    told: list[str] = []
    fsync, rename = os.fsync, os.replace

    def synced(descriptor: int) -> None:
        name = Path(f"/proc/self/fd/{descriptor}").readlink().name
        told.append(f"synced {name}")
        fsync(descriptor)

    def renamed(self: Path, target: Path) -> Path:
        told.append(f"renamed {self.name}")
        rename(self, target)
        return Path(target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    return told


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks which file a descriptor is of")
def test_an_export_is_on_the_disk_before_it_takes_the_old_files_name(tmp_path: Path, done: list[str]) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 Q0 2 3 30 1 1:3\n")
    out = tmp_path / "out.qrels"
    out.write_text("old")
    done.clear()
    convert_file(qrels, out, source="fol-qrels", target="fol-qrels", overwrite=True)
    part = next(one for one in done if one.startswith("renamed ")).removeprefix("renamed ")
    assert done == [f"synced {part}", f"renamed {part}", f"synced {tmp_path.name}"]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks which file a descriptor is of")
def test_every_file_of_a_folder_is_on_the_disk_before_the_folder_has_its_name(
    tmp_path: Path, done: list[str]
) -> None:
    part = tmp_path / "part"
    part.mkdir()
    for name in ("a", "b"):
        (part / name).write_text(name)
    replace_file(part, tmp_path / "whole")
    assert done == ["synced a", "synced b", "synced part", "renamed part", f"synced {tmp_path.name}"]


def test_a_file_is_put_only_where_there_is_none(tmp_path: Path) -> None:
    part, path = tmp_path / "part", tmp_path / "whole"
    part.write_text("new")
    path.write_text("old")
    with pytest.raises(FileExistsError):
        put_in_place(part, path)
    assert path.read_text() == "old"
    path.unlink()
    put_in_place(part, path)
    assert path.read_text() == "new"
    assert not part.exists()


def test_a_file_system_without_links_is_served_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    test_a_file_is_put_only_where_there_is_none(tmp_path)


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("old")

    def fail(part: Path) -> None:
        assert part.suffix == ".csv"
        part.write_text("half of the n")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match=f"No space left on device: '{path}'"):
        write_complete(path, fail)
    assert [one.name for one in tmp_path.iterdir()] == ["table.csv"]
    assert path.read_text() == "old"
    write_complete(path, lambda part: part.write_text("new"))
    assert path.read_text() == "new"


def test_on_a_disk_that_is_only_read_the_file_that_was_asked_for_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(part: Path, *_more: object, **_named: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(part))

    monkeypatch.setattr(Path, "unlink", refuse)  # it does so whether or not there is such a file
    with pytest.raises(OSError, match="Read-only") as error:
        write_complete(tmp_path / "table.csv", refuse)
    assert error.value.filename == str(tmp_path / "table.csv")


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there are no devices here")
def test_a_device_is_not_replaced(tmp_path: Path) -> None:
    link = tmp_path / "table.csv"
    link.symlink_to("/dev/null")
    with pytest.raises(DataError, match="is a device"):
        write_complete(link, lambda part: part.write_text("new"))
    assert link.is_symlink()


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path, done: list[str]) -> None:
    (tmp_path / "notes").write_text("x")
    with pytest.raises(DataError, match="notes is a file, not a folder; name another folder"):
        write_complete(tmp_path / "notes" / "r.html", lambda part: part.touch())
    with pytest.raises(DataError, match="notes is a file, not a folder; name another folder"):
        check_free(tmp_path / "notes" / "r.html", folder=False, overwrite=False)
    assert done == []


@pytest.mark.parametrize("path", ["", ".", "/"])
def test_what_names_no_file_is_not_written(path: str, done: list[str]) -> None:
    with pytest.raises(DataError, match="name a file to write"):
        write_complete(Path(path), lambda part: part.touch())
    assert done == []


@pytest.mark.parametrize(
    "name", ["x" * 251 + ".csv", "é" * 125 + ".csv", "." + "b" * 254, "x" * 100 + "." + "y" * 154]
)
def test_a_name_may_be_as_long_as_the_system_allows(name: str, tmp_path: Path) -> None:
    write_complete(tmp_path / name, lambda part: part.write_text("new"))
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {name: "new"}


@pytest.mark.skipif(os.name != "posix", reason="elsewhere no one can ask whether a process lives")
def test_files_of_a_killed_process_are_removed_by_the_next_write(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    left, other, living = (
        tmp_path / name
        for name in (
            f".out.{ended.pid}.0.part.txt",
            f".more.{ended.pid}.0.part.txt",
            f".out.{os.getppid()}.7.part.txt",
        )
    )
    for part in (left, other, living):
        part.write_text("half")
    write_complete(tmp_path / "out.txt", lambda part: part.write_text("whole"))
    assert left.exists(), "another machine may write it"
    for part in (left, other, living):
        os.utime(part, (time.time() - 7200,) * 2)
    write_complete(tmp_path / "out.txt", lambda part: part.write_text("whole"))
    assert not left.exists()
    assert other.exists(), "of another file"
    assert living.exists(), "somebody is writing it"
    os.utime(living, (time.time() - 100_000,) * 2)
    write_complete(tmp_path / "out.txt", lambda part: part.write_text("whole"))
    assert not living.exists(), "its number is another process's by now"


def test_two_that_write_to_one_path_at_a_time_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"

    def write(part: Path) -> None:
        part.write_text("one ")
        write_complete(path, lambda other: other.write_text("another"))
        assert path.read_text() == "another"
        part.write_text("one and the same")

    write_complete(path, write)
    assert path.read_text() == "one and the same"
