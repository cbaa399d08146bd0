"""Of which documents titles are read: those that lists show; lengths too where marks are shown to scale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inexview.core.judgements.runs import Run
from inexview.core.project.project import Project
from inexview.gui.services.catalogue import Catalogue

READ_WHOLE, READ_SOME = 2_000, 40  # a pool up to which all titles are read, and how many of a longer one


def want_titles(
    catalogue: Catalogue, project: Project, topic: str, pool: Sequence[str], run: Run | None
) -> None:
    """Have titles read of a topic's pool and of what a run found for it.

    Of a pool or ranking longer than anybody reads, only the beginning, and what is on the screen.
    """
    wanted = list(pool[:READ_WHOLE] if len(pool) <= READ_WHOLE else pool[:READ_SOME])
    if run is not None:
        wanted += run.documents(topic, READ_WHOLE)
    catalogue.want(wanted, _relevant(project, topic, wanted))


def want_seen(catalogue: Catalogue, project: Project, topic: str, documents: Sequence[str]) -> None:
    """Have titles read of what a list shows now, before those of all others."""
    catalogue.want_first(documents, _relevant(project, topic, documents))


def _relevant(project: Project, topic: str, documents: Iterable[str]) -> list[str]:
    """Return the relevant ones of some documents; few of many were ever worked on."""
    touched = set(project.touched(topic))
    return [name for name in documents if name in touched and project.state(topic, name).relevant]
