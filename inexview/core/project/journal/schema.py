"""The schemas that project files have had, oldest first, and how each becomes the next.

A file is compared with the schema of its version before anything is read from it: views, triggers and other
tables may do anything when they are asked.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import platformdirs

from inexview.core.errors import ProjectError
from inexview.core.files import write_complete
from inexview.core.judgements.topics import Topic
from inexview.core.project.journal.journal_rows import START, Row, row_digest
from inexview.core.project.journal.sqlite_pages import reason_of

# Where the articles of projects are on this machine: in the user's settings, and in no row of a project.
#
# A project goes wherever it is sent, and each row is covered by the digests of those after it: what is
# private, or of one machine, could never be left out again. So rows hold names, and the place is a file in
# the folder of settings, `places/ID`, where ID is that of the project's first row.

_TELLING = frozenset(("session", "collection", "import", "salvage", "suggestions"))


def places_folder() -> Path:
    return Path(platformdirs.user_config_dir("inexview", appauthor=False)) / "places"


def place_of(project: str) -> Path | None:
    """Return where the articles of a project are, as far as this machine knows; ``project`` is its id."""
    with contextlib.suppress(OSError, ValueError):  # there is none, or no text
        return Path((places_folder() / file_safe(project)).read_text(encoding="utf-8"))
    return None


def remember_place(project: str, articles: Path) -> None:
    """Keep where the articles of a project are; raises ProjectError."""
    place = places_folder() / file_safe(project)

    def write(part: Path) -> None:
        part.write_text(str(articles), encoding="utf-8")

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_complete(place, write)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise ProjectError(
            f"{place}: where the articles are cannot be kept for the next time ({reason})"
        ) from error


def remember_first(project: str, articles: Path) -> None:
    """Keep a place that a project of an earlier version tells, unless one is known or none can be kept."""
    if place_of(project) is None:
        with contextlib.suppress(ProjectError):
            remember_place(project, articles)


def file_safe(identifier: str) -> str:
    """Return an id as the name of a file, also where a project brings one that is none."""
    return "".join(letter for letter in identifier if letter.isalnum() or letter == "-")[:40] or "unknown"


def last_name(path: str) -> str:
    """Return the last part of a path of any system."""
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]


def without_places(action: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return what a row holds without the places, the process and the machine that earlier versions told."""
    if action == "session":
        return {}
    if action == "collection" and isinstance(content.get("absolute"), str):
        return {"name": last_name(content["absolute"]), "relative": content.get("relative")}
    named = {"import": "source", "salvage": "from"}.get(action, "")
    if isinstance(content.get(named), str):
        return {**content, named: last_name(content[named])}
    if action == "suggestions":
        return {name: value for name, value in content.items() if name != "path"}
    return content


def text_without_places(action: str, text: str) -> str:
    """Return the content of a row, as JSON text, without them; as it is where it makes no sense."""
    if action not in _TELLING:
        return text
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(content, dict) or (kept := without_places(action, content)) == content:
        return text
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


APPLICATION_ID = 0x494E5856  # "INXV"

_APPEND_ONLY = """
CREATE TRIGGER journal_keeps_rows BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_loses_no_rows BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
_FIRST = f"""
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,    -- 1, 2, 3 … without gaps: the order of things
    id TEXT NOT NULL UNIQUE,    -- UUID version 7: tells rows of several projects apart when they are merged
    time TEXT NOT NULL,         -- UTC, ISO 8601
    assessor TEXT NOT NULL,
    topic TEXT,                 -- NULL: about the project as a whole
    document TEXT,              -- NULL: about the topic as a whole
    action TEXT NOT NULL,
    step TEXT,                  -- the id of the first row of the bulk step this row is part of
    content TEXT NOT NULL       -- a JSON object
) STRICT;
CREATE INDEX journal_documents ON journal (topic, document, action) WHERE document IS NOT NULL;
CREATE INDEX journal_steps ON journal (step) WHERE step IS NOT NULL;
{_APPEND_ONLY}
"""
_WITH_DIGESTS = f"""
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, -- 1, 2, 3 … without gaps; SQLite keeps the last in sqlite_sequence
    id TEXT NOT NULL,           -- UUID version 7: tells rows of several projects apart when they are merged
    time TEXT NOT NULL,         -- UTC, ISO 8601
    assessor TEXT NOT NULL,
    topic TEXT,                 -- NULL: about the project as a whole
    document TEXT,              -- NULL: about the topic as a whole
    action TEXT NOT NULL,
    step TEXT,                  -- the id of the first row of the bulk step this row is part of
    content TEXT NOT NULL,      -- a JSON object
    before BLOB NOT NULL,       -- the digest of the row before
    digest BLOB NOT NULL        -- of that and of this row, see journal_rows.py
) STRICT;
-- Nothing is read by this index: where a row is lost, it tells what the row was about.
CREATE INDEX journal_documents ON journal (topic, document, action) WHERE document IS NOT NULL;
{_APPEND_ONLY}
"""
# Its rows tell no places. The name of the index tells it from the version before.
_WITHOUT_PLACES = _WITH_DIGESTS.replace("journal_documents", "journal_of_documents")
SCHEMAS = {1: _FIRST, 2: _WITH_DIGESTS, 3: _WITHOUT_PLACES}
"""The SQL of each version. No two are equal: a file whose number is damaged is known by its schema."""
VERSION = max(SCHEMAS)


def _without_places(row: tuple[Any, ...]) -> tuple[Any, ...]:
    *before, action, step, text = row
    return (*before, action, step, text_without_places(action, text))


def _rewrite_rows(
    connection: sqlite3.Connection, version: int, change: Callable[[tuple[Any, ...]], tuple[Any, ...]]
) -> None:
    """Make the tables of a version with all rows, each changed, and with new digests."""
    stored = connection.execute(f"SELECT {', '.join(Row._fields)} FROM journal ORDER BY seq").fetchall()
    for name, kind in connection.execute(
        "SELECT name, type FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
    ).fetchall():
        connection.execute(f"DROP {kind} {name}")
    connection.execute("DROP TABLE journal")
    lay_out(connection, version)
    before = START
    for row in map(change, stored):
        digest = row_digest(before, row)
        connection.execute(INSERT, (*row, before, digest))
        before = digest


def _with_own_kind(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row of version 1, in which moves, removals and confirmations were imports or marks."""
    *before, action, step, text = row
    try:
        content = json.loads(text) if action in ("import", "mark", "bep") else None
    except (ValueError, RecursionError):
        return row
    if not isinstance(content, dict):
        return row
    for sign, kind in (("moved", "move"), ("removed", "remove"), ("kept", "keep")):
        if sign in content:
            passages = content.pop(sign)
            held = {name: value for name, value in content.items() if name in ROW_SCHEMAS[kind]}
            if kind != "keep":
                held["passages"] = passages
            return (*before, kind, step, json.dumps(held, ensure_ascii=False, separators=(",", ":")))
    return row


_QUOTED = ("quotes", "digests", "places")
ROW_SCHEMAS: dict[str, frozenset[str]] = {
    action: frozenset(names)
    for action, *names in (
        ("create", "convention"),
        ("session",),
        ("collection", "name", "relative"),
        ("convention", "convention"),
        ("grades", "scale"),
        ("parameters", "preset", "beta", "a", "n", "tolerance"),
        ("topic", *(field.name for field in fields(Topic))),
        ("pool", "documents", "added", "texts"),
        ("withdrawn", "documents", "why"),
        ("quotes", "documents"),
        ("salvage", "from", "lost", "changed", "senseless"),
        ("opened", "length", "digest"),
        ("left", "offset"),
        ("away", "idle"),
        ("back",),
        ("inspected", "runs"),
        ("suggestions", "source", "passages", "on"),
        ("suggested", "source", "passages"),
        ("mark", "spans", *_QUOTED),
        ("erase", "spans", *_QUOTED),
        ("bep", "bep", *_QUOTED),
        ("finish", "length"),
        ("reopen",),
        ("not-relevant", "length"),
        ("clear",),
        ("import", "spans", "bep", "finished", "source", "length", "origins", "suggestions", *_QUOTED),
        ("move", "spans", "bep", "passages", *_QUOTED),
        ("keep", "spans", "bep", *_QUOTED),
        ("remove", "spans", "bep", "passages"),
        ("settle", "spans", "bep", "finished", "length", "settled", "apart", *_QUOTED),
        ("take-suggestion", "spans", "suggestion", *_QUOTED),
        ("refuse-suggestion", "suggestion"),
        ("undo", "of"),
        ("redo", "of"),
        ("note", "text", "span"),
        ("grade", "text", "span"),
        ("flag", "on"),
        ("answer", "question", "on"),
    )
}
"""What the content of each action's rows may hold; "documents" too, where a step changes several."""


def check_content(action: str, content: Mapping[str, object]) -> None:
    """Raise ValueError where something is to be written that no schema has, a defect of the program."""
    strange = content.keys() - ROW_SCHEMAS.get(action, frozenset()) - {"documents"}
    if action not in ROW_SCHEMAS or strange:
        raise ValueError(f"no row of a project is made so: {action} with {sorted(strange)}")


MIGRATIONS: tuple[tuple[int, Callable[[sqlite3.Connection], None]], ...] = (
    # Each row gets a digest that covers the row before; what was done about passages that read differently
    # becomes an action of its own kind.
    (2, lambda connection: _rewrite_rows(connection, 2, _with_own_kind)),
    # Rows keep names where they told paths, and no process and machine.
    (3, lambda connection: _rewrite_rows(connection, 3, _without_places)),
)
"""The version that a migration leads to, and what it does to a file of the version before."""
INSERT = f"INSERT INTO journal VALUES ({', '.join('?' * 11)})"


def lay_out(connection: sqlite3.Connection, version: int = VERSION) -> None:
    """Make the tables of a version in an empty database, within the transaction under way if there is one."""
    for statement in _statements(SCHEMAS[version]):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={version}")


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a file of an earlier version to the present one, in one transaction; raises sqlite3.Error."""
    connection.execute("PRAGMA secure_delete=ON")  # what is left out is nowhere in the file any more
    connection.execute("BEGIN IMMEDIATE")
    try:
        for reached, change in MIGRATIONS:
            if reached > version:
                change(connection)
                connection.execute(f"PRAGMA user_version={reached}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def schema_differences(connection: sqlite3.Connection, version: int) -> list[str]:
    """Name what a file's schema has that its version has not, and the other way round."""
    return sorted({name for name, _ in _objects(connection) ^ _known_objects(version)})


def resembles(connection: sqlite3.Connection, version: int) -> bool:
    """Tell whether a file's schema has anything at all that its version has, however damaged it is."""
    shared = _objects(connection) & _known_objects(version)
    return any(not name.startswith("sqlite_") for name, _ in shared)  # those are in other databases too


def _known_objects(version: int) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        lay_out(model, version)
        return _objects(model)


def _objects(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return name and meaning of everything in the schema; a file has few, a crafted one any number."""
    listed = connection.execute(
        "SELECT name, type || ' ' || tbl_name || ' ' || coalesce(substr(sql, 1, 4000), '') "
        "FROM sqlite_master LIMIT 50"
    )
    return {(name, " ".join(re.sub(r"--[^\n]*", "", said).split())) for name, said in listed}


def _statements(script: str) -> list[str]:
    """Return the statements of a script, of which only triggers hold semicolons."""
    statements = [""]
    for line in re.sub(r"--[^\n]*", "", script).splitlines():
        statements[-1] += line.rstrip() + "\n"
        if line.endswith(";") and sqlite3.complete_statement(statements[-1]):
            statements.append("")
    return [statement.strip() for statement in statements if statement.strip()]
