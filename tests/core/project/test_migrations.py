"""Projects of every earlier schema open, read or written to, and say what they said."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from inexview.core.project.journal import (
    MIGRATIONS,
    SCHEMAS,
    VERSION,
    check_header,
    lay_out,
    migrate,
    place_of,
    schema_differences,
)
from inexview.core.project.project import Project
from inexview.core.project.recovery import copies_of, save_salvaged
from tests.core.project.kept_project import KEPT, said
from tests.projects import TOPIC

EARLIER = sorted(set(SCHEMAS) - {VERSION})


def test_no_two_versions_have_the_same_schema() -> None:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        lay_out(connection, VERSION)
        assert [version for version in SCHEMAS if not schema_differences(connection, version)] == [VERSION]


def kept_project(version: int, folder: Path) -> tuple[Path, dict[str, object]]:
    """Return a project of a schema, made by the program of then, and what it says."""
    name = f"version-{version}"
    path = Path(shutil.copy(KEPT / f"{name}.inexview", folder))
    return path, json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(params=EARLIER)
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, object]]:
    return kept_project(request.param, tmp_path)


def test_a_project_of_the_present_schema_is_kept_for_later(tmp_path: Path) -> None:
    path, expected = kept_project(VERSION, tmp_path)
    assert check_header(path) == VERSION
    with Project.open(path, read_only=True) as project:
        assert said(project) == expected


@pytest.mark.parametrize("read_only", [True, False])
def test_a_project_of_an_earlier_schema_keeps_its_content(earlier, read_only: bool) -> None:
    path, expected = earlier
    before = path.read_bytes()
    with Project.open(path, read_only=read_only) as project:
        assert project.read_only == read_only
        assert said(project) == expected
    if read_only:
        assert path.read_bytes() == before
    else:
        assert check_header(path) == VERSION


def test_it_is_copied_before_it_is_changed_and_the_copy_says_the_same(earlier) -> None:
    path, expected = earlier
    version = check_header(path)
    with Project.open(path, copy=False) as project:
        project.clear(TOPIC, "d3")
    _after_closing, copy = copies_of(path)
    assert check_header(copy.path) == version
    with Project.open(copy.path, read_only=True) as project:
        assert said(project) == expected


@pytest.mark.parametrize(
    ("action", "what"),
    [
        pytest.param(sqlite3.SQLITE_DROP_TABLE, "journal", id="before-the-old-rows-go"),
        pytest.param(sqlite3.SQLITE_INSERT, "journal", id="before-the-new-rows-come"),
        pytest.param(sqlite3.SQLITE_TRANSACTION, "COMMIT", id="when-all-but-the-commit-is-done"),
    ],
)
def test_a_migration_that_fails_leaves_the_file_as_it_was(earlier, action: int, what: str) -> None:
    path, expected = earlier
    before, version = path.read_bytes(), check_header(path)
    asked = []

    def refuse(doing: int, about: str | None, *_: object) -> int:
        asked.append((doing, about))
        return sqlite3.SQLITE_DENY if asked[-1] == (action, what) else sqlite3.SQLITE_OK

    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.set_authorizer(refuse)
        with pytest.raises(sqlite3.DatabaseError, match="not authorized"):
            migrate(connection, version)
        assert asked[-1] == (sqlite3.SQLITE_TRANSACTION, "ROLLBACK")
    assert path.read_bytes() == before
    with Project.open(path, read_only=True) as project:
        assert said(project) == expected


PRIVATE = (b"/home/ada", b"private", b'"pid"', b'"host"', b"/tmp/")


@pytest.mark.parametrize("damaged", [False, True])
def test_machine_specific_rows_of_version_2_are_dropped(tmp_path: Path, damaged: bool) -> None:
    path, _expected = kept_project(2, tmp_path)
    data = path.read_bytes()
    assert all(word in data for word in PRIVATE), "it was made by the program of then"
    if damaged:
        path.write_bytes(data.replace(b'{"idle":3.5}', b'{"idle":3,5}'))
        path, old = tmp_path / "saved.inexview", path
        save_salvaged(old, path)
    with Project.open(path) as project:
        first = project.contents.id
        sources = [row.values().get("source") for row in project.journal.rows() if row.action == "import"]
        assert sources == ["ben.qrels"]
        articles = place_of(first)
        if not damaged:
            assert articles is not None
            assert articles.name == "articles"
    assert not [word for word in PRIVATE if word in path.read_bytes()]


def test_migrations_are_numbered_without_gaps_and_reach_the_present_schema() -> None:
    assert [reached for reached, _ in MIGRATIONS] == [*range(2, VERSION + 1)]
    for version in EARLIER:
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            lay_out(connection, version)
            migrate(connection, version)
            assert schema_differences(connection, VERSION) == []
            assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
