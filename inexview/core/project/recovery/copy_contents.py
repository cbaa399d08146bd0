"""What each copy of a project holds, and what of it the others have not."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from inexview.core.errors import ProjectError
from inexview.core.project.journal.journal import Journal
from inexview.core.project.journal.journal_rows import Row
from inexview.core.project.recovery.copies import QUIET, ProjectCopy, copies_of
from inexview.core.project.recovery.salvage import salvaged
from inexview.core.wording import counted


@dataclass(frozen=True, slots=True)
class CopyContents:
    """A copy, how many actions it holds, and how they compare with those of the project file."""

    copy: ProjectCopy
    actions: int
    documents: int
    """How many documents were judged."""
    not_in_file: int
    """Actions that the project file has not."""
    lacking: int
    """Actions of the project file that the copy has not."""
    only_here: int
    """Actions that neither the file nor any other copy has."""

    def __str__(self) -> str:
        said = [f"{counted(self.actions, 'action')} in {counted(self.documents, 'document')}"]
        if self.not_in_file:
            only = f", {self.only_here:,} of them in no other copy" if self.only_here else ""
            said.append(f"{self.not_in_file:,} that the file has not{only}")
        if self.lacking:
            said.append(f"lacks {self.lacking:,} of the file")
        return "; ".join(said) if len(said) > 1 else f"{said[0]}, the same as the file"


def copy_contents(path: Path) -> list[CopyContents]:
    """Return what the copies of a project hold, newest first; copies that cannot be read are left out."""
    here = {row.id for row in _actions(path)}
    listed = [(copy, rows) for copy in copies_of(path) if (rows := _actions(copy.path))]
    among = Counter(row.id for _, rows in listed for row in rows)
    contents = []
    for copy, rows in listed:
        ids = {row.id for row in rows}
        documents = {(row.topic, row.document) for row in rows if row.document is not None}
        only = sum(among[id] == 1 for id in ids - here)
        contents.append(CopyContents(copy, len(ids), len(documents), len(ids - here), len(here - ids), only))
    return contents


def _actions(path: Path) -> list[Row]:
    """Return the rows of a project that say what was done, also of a damaged one, as far as it has any."""
    try:
        with contextlib.closing(Journal.open(path, read_only=True)) as journal:
            rows = list(journal.rows())
    except ProjectError:
        try:
            rows, _ = salvaged(path)
        except ProjectError:
            return []
    return [row for row in rows if row.action not in QUIET]
