"""Damaged project files: no judgement changes unsaid, and what can be read is given back.

``INEXVIEW_DAMAGED=2000 pytest tests/core/project/test_damage.py`` damages as many copies.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from inexview.core.errors import ProjectError
from inexview.core.project.document_state import DocumentState
from inexview.core.project.journal import Journal
from inexview.core.project.journal_rows import Row
from inexview.core.project.project import Project
from inexview.core.project.recovery import keep_copy, save_salvaged
from inexview.core.project.reviews import note_opened
from tests.projects import OTHER_TOPIC, TEXT, TOPIC, make_project

DAMAGED = int(os.environ.get("INEXVIEW_DAMAGED", "40"))
ACTIONS = 250

Judged = tuple[dict[str, list[str]], dict[tuple[str, str], DocumentState]]


def work(path: Path, actions: int) -> None:
    """Judge at random."""
    chance = random.Random(7)
    with Project.open(path, copy=False) as project:
        for number in range(1, 21):
            note_opened(project, TOPIC, f"d{number}", text=TEXT)
            note_opened(project, OTHER_TOPIC, f"d{number}", text=TEXT)
        for _ in range(actions):
            topic, document = chance.choice([TOPIC, OTHER_TOPIC]), f"d{chance.randrange(1, 21)}"
            start = chance.randrange(len(TEXT) - 5)
            match chance.randrange(5):
                case 0 | 1 | 2:
                    project.mark(topic, document, start, start + chance.randrange(1, 6))
                case 3:
                    project.not_relevant(topic, document)
                case 4 if project.can_undo(topic, document):
                    project.undo(topic, document)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = make_project(tmp_path_factory.mktemp("damage") / "study", documents=20)
    work(path, ACTIONS)
    return path


@pytest.fixture(scope="module")
def rows(sound: Path) -> list[Row]:
    with contextlib.closing(Journal.open(sound, read_only=True)) as journal:
        return list(journal.rows())


def judged(project: Project) -> Judged:
    """Return pools, and how everything stands judged."""
    return (
        {topic.id: list(project.pool(topic.id)) for topic in project.topics},
        {
            (topic.id, name): project.state(topic.id, name)
            for topic in project.topics
            for name in project.touched(topic.id)
        },
    )


@pytest.fixture(scope="module")
def expected(sound: Path) -> Judged:
    with Project.open(sound, read_only=True) as project:
        return judged(project)


def damaged(data: bytes, seed: int) -> bytes:
    """Return a project's bytes with something wrong with them."""
    chance = random.Random(seed)
    changed = bytearray(data)
    place = chance.randrange(len(data))
    match seed % 8:
        case 0:  # one bit
            changed[place] ^= 1 << chance.randrange(8)
        case 1:  # one byte
            changed[place] = chance.randrange(256)
        case 2:  # cut off
            return data[:place]
        case 3:  # a page of something else
            begin = place // 4096 * 4096
            changed[begin : begin + 4096] = chance.choice([bytes(4096), chance.randbytes(4096)])
        case 4:  # many bits
            for _ in range(100):
                changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case 5:  # a page in the place of another
            begin, other = place // 4096 * 4096, chance.randrange(len(data) // 4096) * 4096
            changed[begin : begin + 4096] = data[other : other + 4096]
        case 6:  # bytes put in
            changed[place:place] = chance.randbytes(chance.choice([1, 1, 2, 40, 5_000]))
        case 7:  # bytes taken out
            del changed[place : place + chance.choice([1, 1, 2, 40, 5_000])]
    return bytes(changed)


def read_by_sqlite(path: Path, rows: list[Row]) -> set[int]:
    """Return the numbers of the rows that plain SQLite reads as they were."""
    found: set[int] = set()
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        for row in rows:
            with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
                columns = ", ".join(Row._fields)
                there = connection.execute(f"SELECT {columns} FROM journal WHERE seq = ?", (row.seq,))
                if there.fetchone() == row:
                    found.add(row.seq)
    return found


def check(path: Path, rows: list[Row], expected: Judged, *, read_only: bool) -> str:
    """Open a damaged project, and make sure that it says what is wrong and gives what there is."""
    readable = read_by_sqlite(path, rows)
    try:
        project = Project.open(path, read_only=read_only, copy=False)
    except ProjectError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert str(path) in refused
        assert not readable, f"refused, although SQLite reads {len(readable)} rows: {refused}"
        return "refused"
    with project:
        if project.damage is None:
            assert judged(project) == expected
            return "sound"
        damage = project.damage
        assert project.read_only
        assert str(path) in project.read_only_reason
        there = {row.seq for row in project.journal.rows()}
        assert readable <= there | set(damage.senseless)
        pools, states = judged(project)
        if damage.certain and not damage.of_project:
            assert pools == expected[0]
        doubtful = set(damage.documents)
        for place, state in expected[1].items():
            if damage.certain and place not in doubtful:
                assert states.get(place, DocumentState()) == state, place
        return "damaged"


def test_no_damage_changes_a_judgement_unsaid(
    sound: Path, rows: list[Row], expected: Judged, tmp_path: Path
) -> None:
    data = sound.read_bytes()
    path = tmp_path / "damaged.inexview"
    outcomes = []
    for seed in range(DAMAGED):
        path.write_bytes(damaged(data, seed))
        try:
            outcomes.append(check(path, rows, expected, read_only=seed % 2 == 0))
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
        for beside in tmp_path.iterdir():
            beside.unlink()
    assert outcomes.count("damaged") > DAMAGED // 2


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory, sound: Path, rows: list[Row]) -> bytes:
    """The project as it was when half of it was done."""
    path = tmp_path_factory.mktemp("older") / "older.inexview"
    shutil.copyfile(sound, path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        find = "SELECT sql FROM sqlite_master WHERE name = 'journal_loses_no_rows'"
        (trigger,) = connection.execute(find).fetchone()
        half = len(rows) // 2
        connection.executescript(
            f"DROP TRIGGER journal_loses_no_rows; DELETE FROM journal WHERE seq > {half}; {trigger};"
            f"UPDATE sqlite_sequence SET seq = {half}; VACUUM"
        )
    Project.open(path, copy=False).close()
    return path.read_bytes()


def test_a_recovered_file_has_all_rows_of_its_copy(
    sound: Path, older: bytes, expected: Judged, tmp_path: Path
) -> None:
    """Also where an older file was put back before it was damaged, and bytes were put in or taken out."""
    path, new = tmp_path / "damaged.inexview", tmp_path / "new.inexview"
    data = sound.read_bytes()
    shutil.copyfile(sound, path)
    assert keep_copy(path) is not None
    saved = 0
    for seed in range(DAMAGED):
        path.write_bytes(damaged(older if seed % 3 == 0 else data, seed))
        with contextlib.suppress(ProjectError):
            damage = save_salvaged(path, new)
            saved += 1
            with Project.open(new, read_only=True) as project:
                pools, states = judged(project)
            for place in damage.documents:  # whose numbers of rows are damaged
                states[place] = expected[1][place]
            assert (pools, states) == expected, f"seed {seed}"
        for beside in tmp_path.iterdir():
            beside.unlink()
    assert saved > DAMAGED * 0.9


def test_without_a_copy_unreadable_rows_are_not_called_safe(
    sound: Path, expected: Judged, tmp_path: Path
) -> None:
    path, new = tmp_path / "damaged.inexview", tmp_path / "new.inexview"
    data = sound.read_bytes()
    for seed in range(DAMAGED // 2):
        chance = random.Random(seed)
        place = chance.randrange(len(data))
        path.write_bytes(data[:place] + chance.randbytes(1) + data[place:])
        with contextlib.suppress(ProjectError):
            damage = save_salvaged(path, new)
            with Project.open(new, read_only=True) as project:
                whole = judged(project) == expected
            assert whole or damage.lines or not damage.complete, f"seed {seed}"
        for beside in tmp_path.iterdir():
            beside.unlink()


@pytest.mark.parametrize("strange", [True, False])
def test_an_index_that_is_damaged_where_a_row_is_hides_no_document(
    sound: Path, rows: list[Row], expected: Judged, tmp_path: Path, strange: bool
) -> None:
    """A mark reads differently, and the index has something strange, or nothing, about it."""
    row = next(row for row in rows[30:] if row.action == "mark" and row.document is not None)
    data = sound.read_bytes()
    entry = f"{row.topic}{row.document}mark".encode() + bytes([row.seq])
    assert data.count(entry) == 1
    damaged_entry = bytes([entry[0] ^ 1]) + entry[1:] if strange else entry[:-1] + bytes([0])
    data = data.replace(entry, damaged_entry)
    content = row.content.encode()
    at = data.index(content, data.index(row.id.encode()))
    path = tmp_path / "damaged.inexview"
    path.write_bytes(data[: at + 12] + bytes([data[at + 12] ^ 1]) + data[at + 13 :])
    check(path, rows, expected, read_only=True)
    with Project.open(path) as project:
        assert project.damage is not None
        assert project.damage.about[row.seq] == (row.topic, row.document)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="rights of other users are kept otherwise there")
def test_a_copy_may_be_read_by_those_who_may_read_the_project(tmp_path: Path) -> None:
    path = make_project(tmp_path)
    path.chmod(0o600)
    copy = keep_copy(path)
    assert copy is not None
    assert copy.stat().st_mode & 0o777 == 0o600
