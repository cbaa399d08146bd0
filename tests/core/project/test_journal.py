"""The project file itself: append-only, sound after every accident, and a sentence for every other file."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from uuid import RFC_4122, UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, DiskFullError, ProjectError
from inexview.core.project.import_judgements import read_others_judgements
from inexview.core.project.journal import INSERT, VERSION, Journal, JournalEntry, lay_out
from inexview.core.project.journal_rows import Identifiers, Row, row_digest, values_of
from inexview.core.project.project import Project
from inexview.core.project.recovery import copies_of
from inexview.core.project.reviews import note_left, note_opened
from inexview.core.text.search import digest_of
from tests.projects import TEXT, TOPIC, make_project


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_project(tmp_path)


def rows(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT * FROM journal ORDER BY seq").fetchall()
    finally:
        connection.close()


def test_rows_record_assessor_action_place_and_time(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 3, 9)
    seq, identifier, time, assessor, topic, document, action, step, content, before, digest = rows(path)[-1]
    assert (assessor, topic, document, action, step) == ("ada", TOPIC, "d1", "mark", None)
    assert json.loads(str(content)) == {
        "spans": [[3, 9]],
        "quotes": [[3, 9, "itle.", "itle."]],
        "digests": [digest_of(TEXT, 3, 9)],
        "places": [[0, 0, 1]],
    }
    assert len(str(identifier)) == 36
    assert str(time).endswith("+00:00")
    assert seq == len(rows(path))
    assert before == rows(path)[-2][-1]
    said = f"{seq}\x1f{identifier}\x1f{time}\x1fada\x1f{TOPIC}\x1fd1\x1fmark\x1f\x1e\x1f{content}"
    assert digest == blake2b(before + said.encode(), digest_size=16).digest()


def test_nothing_is_ever_overwritten(path: Path) -> None:
    before = rows(path)
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        project.undo(TOPIC, "d1")
        project.redo(TOPIC, "d1")
    assert rows(path)[: len(before)] == before
    connection = sqlite3.connect(path)
    for statement in ("UPDATE journal SET assessor = 'eve'", "DELETE FROM journal WHERE seq = 1"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_identifiers_are_unique_and_sorted_as_they_were_made() -> None:
    identifiers = Identifiers()
    made = [identifiers.new() for _ in range(10_000)]
    assert made == sorted(set(made))
    assert {(UUID(one).version, UUID(one).variant) for one in made} == {(7, RFC_4122)}


def test_an_identifier_tells_when_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time in ms, and after the version its fraction in 4096ths (RFC 9562, section 6.2, method 3)."""
    monkeypatch.setattr("time.time_ns", lambda: 1_645_557_742_000_750_000)
    made = Identifiers().new()
    assert UUID(made).int >> 80 == 1_645_557_742_000
    assert made.startswith("017f22e2-79b0-7c00-")


def test_identifiers_stay_sorted_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    identifiers = Identifiers()
    first = identifiers.new()
    monkeypatch.setattr("time.time_ns", lambda: 0)
    assert identifiers.new() > first


def test_a_project_is_used_from_one_thread_only(path: Path) -> None:
    met: list[BaseException] = []

    def elsewhere() -> None:
        try:
            project.mark(TOPIC, "d2", 0, 1)
        except sqlite3.ProgrammingError as error:
            met.append(error)

    with Project.open(path) as project:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert len(met) == 1


# -- files that are no projects --------------------------------------------------------------------------


def refusal(path: Path, *, read_only: bool = False) -> str:
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(ProjectError) as met:
        Project.open(path, read_only=read_only)
    assert str(path) in str(met.value)
    if path.is_file():
        assert path.read_bytes() == before, "a file that was refused has been changed"
    return str(met.value)


@pytest.mark.parametrize("content", [b"", b"<xml/>", b"SQLite format 3", os.urandom(5000)])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.inexview"
    path.write_bytes(content)
    assert "this is not an inexview project" in refusal(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "none.inexview")
    assert "is a directory" in refusal(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("read_only", [False, True])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, read_only: bool) -> None:
    pipe = tmp_path / "pipe.inexview"
    os.mkfifo(pipe)
    assert "it is a pipe or a device" in refusal(pipe, read_only=read_only)
    assert copies_of(pipe) == []
    with closing(Collection.open(tmp_path)) as articles, pytest.raises(DataError, match="a pipe or a device"):
        read_others_judgements(pipe, articles)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.inexview"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE journal (x)")
    connection.close()
    assert "not an inexview project" in refusal(path)


def test_a_project_of_a_newer_inexview_is_refused_unchanged(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.execute("CREATE TABLE remarks (text)")
    connection.close()
    for read_only in (False, True):
        said = refusal(path, read_only=read_only)
        assert f"(format {VERSION + 1}; this program reads up to {VERSION}" in said
        assert "update inexview" in said
        assert "`inexview restore`" in said


@pytest.mark.parametrize("number", [0, VERSION + 1, VERSION + 1024, 2**31 - 1])
def test_a_damaged_number_of_the_format_hides_no_rows(path: Path, number: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {number}")
    (rows,) = connection.execute("SELECT count(*) FROM journal").fetchone()
    connection.close()
    with Project.open(path) as project:
        assert project.damage is not None
        assert project.read_only
        assert len(list(project.journal.rows())) == rows


@pytest.mark.parametrize(
    ("action", "content"),
    [
        ("mark", "no json"),
        ("mark", "[1]"),
        ("mark", '{"spans": [[1]]}'),
        ("paint", "{}"),
        ("undo", '{"of": "x"}'),
        ("finish", "{}"),
        ("mark", '{"spans": [["a", "b"]]}'),
        ("mark", '{"spans": [[9, 3]]}'),
        ("mark", '{"spans": [[1.5, 3.5]]}'),
        ("mark", '{"spans": [[1, 1000000000000000000000000000000]]}'),
        ("move", '{"spans": [[1, 2]], "passages": "x"}'),
        ("mark", '{"spans": [[1, 2]], "documents": "x"}'),
        ("mark", '{"spans": [[1, 2]], "quotes": [[1, 2, 3, 4]]}'),
        ("mark", '{"spans": [[1, 2]], "quotes": [[1, 2, "a", "b"]], "digests": [5]}'),
        ("bep", '{"bep": -4}'),
        ("import", '{"finished": "yes"}'),
        ("import", '{"length": "12"}'),
    ],
)
def test_a_row_that_makes_no_sense_is_named_and_never_judged_over(
    path: Path, action: str, content: str
) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        project.mark(TOPIC, "d2", 0, 5)
    connection = sqlite3.connect(path)
    last, before = connection.execute("SELECT seq, digest FROM journal ORDER BY seq DESC").fetchone()
    row = Row(last + 1, "x", "2026-01-01", "eve", TOPIC, "d1", action, None, content)
    connection.execute(INSERT, (*row, before, row_digest(before, row)))
    connection.commit()
    connection.close()
    with Project.open(path) as project:
        for _ in range(2):
            with pytest.raises(ProjectError, match=rf"row {last + 1} \({action}\) cannot be read") as met:
                project.state(TOPIC, "d1")
            assert str(met.value).startswith(f"{path}: the project is damaged: ")
            assert "`inexview restore` lists the copies" in str(met.value)
        with pytest.raises(ProjectError, match="cannot be read"):
            project.mark(TOPIC, "d1", 5, 9)
        assert project.state(TOPIC, "d2").marks.size == 5


CONTENT = st.sampled_from(["{}", '{"a": 1}', "{}, {}", "", " ", "[]", "{}],[{}", "1", "{", "[" * 200_000])


@given(st.lists(CONTENT, max_size=6))
def test_contents_read_together_equal_those_read_separately(contents):
    listed = [Row(at, str(at), "", "", None, None, "mark", None, text) for at, text in enumerate(contents, 1)]
    try:
        expected = [row.values() for row in listed]
    except ProjectError as error:
        with pytest.raises(ProjectError, match=re.escape(str(error))):
            values_of(listed)
    else:
        assert values_of(listed) == expected


def test_an_unknown_action_may_be_of_a_newer_inexview(path: Path) -> None:
    journal = Journal.open(path, read_only=False)
    journal.start_writing()
    journal.append([JournalEntry("paint", {}, TOPIC, "d1")], "eve")
    journal.close()
    with Project.open(path) as project, pytest.raises(ProjectError, match="update inexview"):
        project.state(TOPIC, "d1")


def test_an_empty_file_refers_to_the_copies(tmp_path: Path) -> None:
    path = tmp_path / "half.inexview"
    connection = sqlite3.connect(path, isolation_level=None)
    lay_out(connection)
    connection.close()
    assert "this file contains no action: it is damaged, or its creation was interrupted" in refusal(path)
    path.write_bytes(b"")
    assert "it is empty; this file contains no action" in refusal(path)


def test_a_project_whose_first_bytes_are_damaged_is_read_and_not_refused(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
    path.write_bytes(b"\0" + path.read_bytes())
    with Project.open(path) as project:
        assert project.damage is not None
        assert project.state(TOPIC, "d1").marks.size == 5


def test_opening_and_closing_writes_no_row_and_the_first_action_brings_the_session(path: Path) -> None:
    before = rows(path)
    with Project.open(path) as project:
        note_opened(project, TOPIC, "d1", soon=True)
        note_left(project, TOPIC, "d1", 0, soon=True)
        with pytest.raises(ProjectError, match=r"open in another window \(process \d+ on .+, ada, since"):
            Project.open(path)
    assert rows(path) == before
    with Project.open(path) as project:
        note_opened(project, TOPIC, "d1", soon=True)
        project.mark(TOPIC, "d1", 0, 5)
        project.mark(TOPIC, "d1", 5, 6)
    written = rows(path)[len(before) :]
    assert [row[6] for row in written] == ["session", "opened", "mark", "mark"]


# -- disks and permissions -------------------------------------------------------------------------------


def test_a_full_disk_refuses_the_action_and_loses_nothing(path: Path) -> None:
    with Project.open(path) as project:
        state = project.mark(TOPIC, "d1", 0, 5)
        connection = project.journal.connection
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")

        def mark_until_it_is_full() -> None:
            nonlocal state
            for _ in range(1000):
                state = project.mark(TOPIC, "d1", 6, 9)
                state = project.erase(TOPIC, "d1", 6, 9)

        with pytest.raises(DiskFullError, match="the disk is full"):
            mark_until_it_is_full()
        assert project.state(TOPIC, "d1") == state
        steps = project.histories.of(TOPIC, "d1").done
        connection.execute("PRAGMA max_page_count = 1000000")
        assert project.set_bep(TOPIC, "d1", 2).bep == 2
    with Project.open(path) as project:
        assert project.histories.of(TOPIC, "d1").done[:-1] == steps
        assert project.state(TOPIC, "d1").bep == 2


def test_a_disk_that_is_full_when_it_is_opened_gives_a_project_to_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise DiskFullError(f"{path}: the disk is full")

    monkeypatch.setattr(Journal, "start_writing", full)
    with Project.open(path) as project:
        assert project.read_only
        assert "the disk is full" in project.read_only_reason
        with pytest.raises(ProjectError, match=r"nothing was changed.*the disk is full"):
            project.mark(TOPIC, "d1", 0, 1)


def test_writing_behind_the_projects_back_is_noticed(path: Path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 0, 5)
        other = Journal.open(path, read_only=False)
        other.start_writing()
        other.append([JournalEntry("left", {"offset": 1}, TOPIC, "d1")], "eve")
        with pytest.raises(ProjectError, match=r"another program has changed the project; open it again"):
            project.mark(TOPIC, "d1", 5, 9)
        assert project.state(TOPIC, "d1").marks.size == 5
        other.connection.close()


READER = """
import os, sys, tempfile
import inexview.core.collection.collection  # before the right to read the interpreter's files is gone
from filelock import FileLock
with tempfile.TemporaryDirectory() as folder, FileLock(folder + "/lock"):
    pass  # Python 3.15 imports some of it only when it is used
from inexview.core.errors import ProjectError
from inexview.core.project.project import Project
from inexview.core.text.search import digest_of
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
project = Project.open(sys.argv[1])
assert project.read_only and "writable" in project.read_only_reason, project.read_only_reason
assert project.state(sys.argv[2], "d1").marks.size == 5
try:
    project.mark(sys.argv[2], "d1", 9, 12)
except ProjectError as error:
    print(error)
assert project.state(sys.argv[2], "d1").marks.size == 5
project.close()
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that other users may enter, as they may not pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="inexview-test-"))
    folder.chmod(0o755)
    yield folder
    for item in [folder, *folder.rglob("*")]:
        item.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions as Unix has them")
@pytest.mark.parametrize("left", ["closed", "by a crash", "by a crash, without its index"])
@pytest.mark.parametrize("protected", ["folder", "file"])
def test_a_project_that_cannot_be_written_to_opens_read_only_and_says_so(
    open_folder: Path, protected: str, left: str
) -> None:
    path = make_project(open_folder)
    if left.startswith("by a crash"):
        script = (
            "import os, sys; from inexview.core.project.project import Project;"
            "Project.open(sys.argv[1]).mark(sys.argv[2], 'd1', 0, 5); os._exit(1)"
        )
        subprocess.run([sys.executable, "-c", script, str(path), TOPIC], check=False)
        assert path.with_name(path.name + "-wal").exists()
        if left.endswith("without its index"):
            path.with_name(path.name + "-shm").unlink()
    else:
        with Project.open(path) as project:
            project.mark(TOPIC, "d1", 0, 5)
    for file in open_folder.glob("*.inexview*"):
        file.chmod(0o444)
    open_folder.chmod(0o555 if protected == "folder" else 0o777)
    ran = subprocess.run(
        [sys.executable, "-c", READER, str(path), TOPIC], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "nothing was changed" in ran.stdout
