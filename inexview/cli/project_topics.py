"""The topics of a project that a command is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from inexview.core.errors import InexviewError
from inexview.core.project.project import Project
from inexview.core.wording import some_named

_NAMED = 8  # topics of a project that are named beside one that it has not


def check_topics(project: Project, wanted: Iterable[str]) -> None:
    """Raise InexviewError for a topic that the project has not."""
    known = [topic.id for topic in project.topics]
    for topic in wanted:
        if topic not in known:
            has = some_named(known, _NAMED)
            raise InexviewError(f"{project.path}: there is no topic '{topic}'; its topics are {has}")
