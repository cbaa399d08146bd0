"""Projects of every earlier schema open, read or written to, and say what they said."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from inexview.core.project.copies import copies_of
from inexview.core.project.journal_file import check_header
from inexview.core.project.project import Project
from inexview.core.project.schema import MIGRATIONS, SCHEMAS, VERSION, differences, lay_out, migrate
from tests.core.judging_worker import fingerprint
from tests.projects import TOPIC

PROJECTS = Path(__file__).resolve().parents[2] / "data" / "projects"
EARLIER = sorted(set(SCHEMAS) - {VERSION})


def test_no_two_versions_have_the_same_schema() -> None:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        lay_out(connection, VERSION)
        assert [version for version in SCHEMAS if not differences(connection, version)] == [VERSION]


def said(project: Project) -> dict[str, object]:
    """Return what a project says, as it was written down when the file was made."""
    worked = [(topic.id, name) for topic in project.topics for name in project.touched(topic.id)]
    logs = {f"{topic} {name}": project.histories.log(topic, name) for topic, name in worked}
    return {
        "topics": [topic.id for topic in project.topics],
        "pools": {topic.id: list(project.pool(topic.id)) for topic in project.topics},
        "convention": project.convention.name,
        "histories": {place: fingerprint(log.history) for place, log in logs.items()},
        "positions": {place: log.reading.position for place, log in logs.items()},
        "quotes": {
            f"{topic} {name}": sorted(
                [start, end, quote.first, quote.last, quote.digest]
                for (start, end), quote in project.histories.quotes(topic, name).items()
            )
            for topic, name in worked
        },
    }


@pytest.fixture(params=EARLIER)
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, object]]:
    """Return a project of an earlier schema, made by the program of then, and what it says."""
    name = f"version-{request.param}"
    path = Path(shutil.copy(PROJECTS / f"{name}.inexview", tmp_path))
    return path, json.loads((PROJECTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("read_only", [True, False])
def test_a_project_of_an_earlier_schema_says_what_it_said(earlier, read_only: bool) -> None:
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
    (copy,) = copies_of(path)
    assert check_header(copy.path) == version
    with Project.open(copy.path, read_only=True) as project:
        assert said(project) == expected


def test_a_migration_that_fails_leaves_the_file_as_it_was(earlier) -> None:
    path, expected = earlier
    connection = sqlite3.connect(path, isolation_level=None)
    steps = iter(range(100))
    connection.set_progress_handler(lambda: next(steps, None) is None, 10)
    with contextlib.closing(connection), pytest.raises(sqlite3.OperationalError, match="interrupted"):
        migrate(connection, check_header(path))
    with Project.open(path, read_only=True) as project:
        assert said(project) == expected


def test_migrations_are_numbered_without_gaps_and_reach_the_present_schema() -> None:
    assert [reached for reached, _ in MIGRATIONS] == [*range(2, VERSION + 1)]
    for version in EARLIER:
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            lay_out(connection, version)
            migrate(connection, version)
            assert differences(connection, VERSION) == []
