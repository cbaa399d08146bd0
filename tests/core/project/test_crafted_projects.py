"""Projects that somebody made up: nothing in them runs, hangs, or is believed."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from inexview.core.errors import ProjectError
from inexview.core.project.journal import INSERT
from inexview.core.project.journal_rows import Row, row_digest
from inexview.core.project.project import Project
from tests.projects import TOPIC, make_project

ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_project(tmp_path / "study")
    with Project.open(path, copy=False) as project:
        project.mark(TOPIC, "d1", 0, 5)
    return path


def craft(path: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    "script",
    [
        f"DROP TABLE journal; CREATE VIEW journal AS {ENDLESS} x AS seq, '' AS id FROM n",
        "CREATE TRIGGER swallow BEFORE INSERT ON journal BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TRIGGER judge AFTER INSERT ON journal BEGIN DELETE FROM sqlite_sequence; END",
        "CREATE TABLE more (x)",
        "DROP TRIGGER journal_loses_no_rows",
        "DROP INDEX journal_of_documents; CREATE INDEX journal_of_documents ON journal (abs(seq)) "
        "WHERE document IS NOT NULL",
        "ALTER TABLE journal ADD COLUMN more TEXT",
    ],
)
def test_a_foreign_schema_is_reported_and_not_changed(path: Path, script: str, read_only: bool) -> None:
    craft(path, script)
    before = path.read_bytes()
    with contextlib.suppress(ProjectError), Project.open(path, read_only=read_only) as project:
        assert project.damage is not None
        assert project.read_only
        assert project.state(TOPIC, "d1").marks.size == 5
        with pytest.raises(ProjectError, match="nothing was changed"):
            project.mark(TOPIC, "d1", 6, 9)
    assert path.read_bytes() == before


def test_two_damages_of_the_schema_leave_a_project_a_project(path: Path) -> None:
    craft(path, "PRAGMA application_id = 7; CREATE TABLE more (x)")
    with Project.open(path) as project:
        assert project.damage is not None
        assert project.state(TOPIC, "d1").marks.size == 5


def test_a_foreign_database_is_not_a_project(tmp_path: Path) -> None:
    path = tmp_path / "letters.inexview"
    craft(path, "CREATE TABLE letters (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO letters VALUES (1)")
    with pytest.raises(ProjectError, match="a database, but not an inexview project"):
        Project.open(path)


NO_TEXTS = ("[]", '"d"', "null", "[[1, 2]]", '{"d": 7}', '{"d": [7]}', '{"d": [1.5, "a"]}', '{"d": [1, 2]}')


@pytest.mark.parametrize(
    ("action", "content"),
    [
        ("collection", '{"absolute": 7, "relative": null}'),
        ("collection", '{"absolute": "a", "relative": [7]}'),
        ("topic", '{"id": "9", "title": 7}'),
        ("topic", '{"id": "9", "others": [["a", 7]]}'),
        ("parameters", f'{{"beta": 1{"0" * 400}}}'),
        ("parameters", '{"beta": NaN}'),
        ("pool", '{"documents": [{"document": "d", "paths": [], "passages": [], "found_by": [["r", 1.5]]}]}'),
        ("pool", '{"documents": [{"document": "d1", "paths": [], "passages": [[1, 2]]}]}'),
        *(("pool", f'{{"documents": [], "texts": {texts}}}') for texts in NO_TEXTS),
        ("take-suggestion", f'{{"suggestion": {{"span": [0, 2], "source": "s", "score": 1{"0" * 400}}}}}'),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_a_row_without_sense(path: Path, action: str, content: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        seq, before = connection.execute("SELECT seq, digest FROM journal ORDER BY seq DESC").fetchone()
        document = "d1" if action == "take-suggestion" else None
        row = Row(seq + 1, "x", "2026-01-01", "eve", TOPIC, document, action, None, content)
        connection.execute(INSERT, (*row, before, row_digest(before, row)))
        connection.commit()
    said = rf"row {seq + 1} \({action}\) cannot be read"
    with pytest.raises(ProjectError, match=said), Project.open(path, read_only=True) as project:
        project.state(TOPIC, "d1")


@pytest.mark.parametrize("seq", [2**63 - 1, 2**40, 10**6])
def test_a_row_with_a_huge_number_is_a_damaged_one(path: Path, seq: int) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (before,) = connection.execute("SELECT digest FROM journal ORDER BY seq DESC").fetchone()
        row = Row(seq, "x", "2026-01-01", "eve", TOPIC, "d1", "mark", None, '{"spans":[[7,9]]}')
        connection.execute(INSERT, (*row, before, row_digest(before, row)))
        connection.commit()
    with Project.open(path) as project:
        assert project.damage is not None
        assert project.state(TOPIC, "d1").marks.size == 5


@pytest.mark.parametrize("action", ["pool", "topic", "mark", "session"])
def test_a_row_that_was_taken_out_is_missed(path: Path, action: str) -> None:
    craft(
        path,
        "CREATE TABLE kept AS SELECT sql FROM sqlite_master WHERE name = 'journal_loses_no_rows';"
        f"DROP TRIGGER journal_loses_no_rows; DELETE FROM journal WHERE action = '{action}'",
    )
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (trigger,) = connection.execute("SELECT sql FROM kept").fetchone()
        connection.executescript(f"DROP TABLE kept; {trigger}")
    with Project.open(path) as project:
        assert project.damage is not None
        assert "lost" in project.read_only_reason
        assert project.damage.lost


def test_a_row_that_was_changed_with_its_digest_is_missed_by_the_next_one(path: Path) -> None:
    with Project.open(path, copy=False) as project:
        project.mark(TOPIC, "d2", 0, 5)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        columns = ", ".join(Row._fields)
        seq, before = connection.execute(
            "SELECT seq, before FROM journal WHERE action = 'mark' AND document = 'd1'"
        ).fetchone()
        row = Row(*connection.execute(f"SELECT {columns} FROM journal WHERE seq = ?", (seq,)).fetchone())
        changed = row._replace(content=row.content.replace("[[0,5]]", "[[0,9]]"))
        assert changed != row
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(
            "UPDATE journal SET content = ?, digest = ? WHERE seq = ?",
            (changed.content, row_digest(before, changed), seq),
        )
        for _, made in triggers:
            connection.execute(made)
        connection.commit()
    with Project.open(path) as project:
        assert project.damage is not None
        assert project.read_only


def test_the_last_row_that_was_taken_out_is_missed_too(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (trigger,) = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'journal_loses_no_rows'"
        ).fetchone()
        connection.executescript(
            "DROP TRIGGER journal_loses_no_rows;"
            f"DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal); {trigger}"
        )
    with Project.open(path) as project:
        assert project.damage is not None
        assert len(project.damage.lost) == 1


def test_files_of_a_killed_inexview_new_are_removed_by_the_next(path: Path) -> None:
    folder = path.parent
    for name in (".other.inexview.new", ".other.inexview.new-wal", ".other.inexview.lock", ".mine"):
        (folder / name).write_bytes(b"")
    (folder / f".{path.name}.new").hardlink_to(path)  # killed when the project had its name already
    Project.create(
        folder / "second.inexview", collection=folder / "articles", topics=folder / "topics.xml"
    ).close()
    assert {one.name for one in folder.iterdir() if one.name.startswith(".")} == {".mine"}


def test_a_damaged_row_of_a_large_pool_takes_few_documents(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    make_project(folder)
    pool = folder / "large.txt"
    pool.write_text("".join(f"{TOPIC} d{number}\n" for number in range(1_000)), encoding="utf-8")
    path = folder / "large.inexview"
    Project.create(path, collection=folder / "articles", topics=folder / "topics.xml", pool=pool).close()
    data = bytearray(path.read_bytes())
    data[data.index(b'"d500"')] = 0x5B
    path.write_bytes(data)
    with Project.open(path) as project:
        assert project.damage is not None
        assert len(project.pool(TOPIC)) == 800
        assert f"topic {TOPIC}: row" in project.read_only_reason
