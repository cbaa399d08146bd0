"""What the palette and the topic chooser offer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from inexview.core.text.counting import CONVENTIONS, Convention
from inexview.gui.assess.pool_progress import PoolProgress
from inexview.gui.look.popup import PopupEntry
from inexview.gui.services.session import Session


def conventions(current: Convention, use: Callable[[Convention], object]) -> tuple[list[PopupEntry], int]:
    """Return the ways in which qrels may count, and which of them is in use."""
    entries = [
        PopupEntry(convention.name, convention.key, partial(use, convention)) for convention in CONVENTIONS
    ]
    return entries, CONVENTIONS.index(current)


def documents(session: Session, words: Sequence[str]) -> Iterator[PopupEntry]:
    """Yield the documents of the pool whose title or id holds every word; first come, first served."""
    pool = session.pool
    for row in np.flatnonzero(pool.holding(words, session.catalogue.all_known)):
        name = pool[int(row)]
        title = session.catalogue.about(name).title
        yield PopupEntry(title, name, partial(session.open_document, name), name)


def topics(session: Session) -> tuple[list[PopupEntry], int]:
    """Return the topics with how far each is, and which of them is open."""
    entries, current = [], 0
    for row, topic in enumerate(session.project.topics):
        progress = PoolProgress.of_topic(session.project, topic.id)
        note = f"{progress.finished:,} of {progress.documents:,} finished"
        choose = partial(session.open_topic, topic.id)
        words = f"{topic.description} {topic.narrative}"
        entries.append(
            PopupEntry(f"{topic.id}  {topic.title}", note if progress.documents else "no pool", choose, words)
        )
        current = row if topic == session.topic else current
    return entries, current
