"""The palette: recent documents, what can be done here, and any document of the pool, by typing."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QObject

from inexview.core.errors import InexviewError
from inexview.core.project.document_list import PoolProgress
from inexview.core.text.counting import CONVENTIONS, Convention
from inexview.core.wording import counted
from inexview.gui.look.lists import Popup, PopupEntry
from inexview.gui.services.actions import GO, JUDGE, ActionBook
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.session import Session

MOST_RECENT = 5  # documents that it begins with
KEPT_RECENT = 50

# What makes sense only of some documents, or with a run; everything else makes sense wherever it is enabled.
_SENSE: dict[str, Callable[[Session], bool]] = {
    "close-run": lambda session: bool(session.runs),
    "next-miss": lambda session: session.run is not None,
    "next-false-alarm": lambda session: session.run is not None,
    "erase": lambda session: session.state.relevant,
    "erase-passage": lambda session: session.state.relevant,
    "erase-element": lambda session: session.state.relevant,
    "clear": lambda session: not session.state.untouched,
    "entry-point-first": lambda session: session.state.relevant,
    "remove-entry-point": lambda session: session.state.bep is not None,
    "go-entry-point": lambda session: session.state.bep is not None,
    "next-passage": lambda session: session.state.relevant,
    "previous-passage": lambda session: session.state.relevant,
    "keep-drifted": lambda session: bool(session.drifted),
    "move-drifted": lambda session: bool(session.drifted),
    "remove-drifted": lambda session: bool(session.drifted),
    "next-drifted": lambda session: bool(session.drifted),
    "next-topic": lambda session: len(session.project.topics) > 1,
    "previous-topic": lambda session: len(session.project.topics) > 1,
}


class Palette(QObject):
    """Opens the popup over the window with what there is to choose; remembers which documents were open."""

    def __init__(
        self, popup: Popup, session: Session, book: ActionBook, show_document: Callable[[], object]
    ) -> None:
        """``show_document`` shows the open one where something else is in its place."""
        super().__init__(popup)
        self._popup = popup
        self._session = session
        self._book = book
        self._show_document = show_document
        self._recent: list[tuple[str, str]] = []  # topic and document, the newest first
        session.document_opened.connect(self._note)

    def open(self) -> None:
        """Offer recent documents, commands and, for what is typed, the documents of the pool."""
        recent = self._recent_documents()
        entries = [*self._recent_entries(recent), *self.commands()]
        further = partial(self._further, frozenset(recent))
        self._popup.open("Find a command, document…", entries, further=further, remark=self._remark)

    def choose_topic(self) -> None:
        entries, current = topics(self._session)
        self._popup.open("Go to topic…", entries, current)

    def _open_document(self, document_id: str) -> None:
        self._session.open_document(document_id)
        self._show_document()

    def commands(self) -> list[PopupEntry]:
        """Return all that makes sense here, first what one does to documents."""
        sensible = [record for record in self._book.records if self._makes_sense(record.id)]
        sensible.sort(key=lambda record: record.menu not in (JUDGE, GO))
        key_text, action = self._book.key_text, self._book.__getitem__
        return [
            PopupEntry(record.text.rstrip("…"), key_text(record.id), action(record.id).trigger, record.tip)
            for record in sensible
        ]

    def _makes_sense(self, action_id: str) -> bool:
        if not self._book[action_id].isEnabled() or action_id in ("palette", "let-go"):
            return False
        sense = _SENSE.get(action_id)
        return sense is None or sense(self._session)

    def _recent_documents(self) -> list[str]:
        """Return the documents of the topic that were on the screen before the one that is there now."""
        session = self._session
        topic = None if session.topic is None else session.topic.id
        names = [name for of, name in self._recent if of == topic and name != session.document_id]
        return names[:MOST_RECENT]

    def _recent_entries(self, names: Sequence[str]) -> Iterator[PopupEntry]:
        for name in names:
            title = self._session.catalogue.about(name).title
            yield PopupEntry(title, "recent", partial(self._open_document, name), name)

    def _further(self, offered: Container[str], words: Sequence[str]) -> Iterator[PopupEntry]:
        """Yield the documents of the pool whose title or id holds every word and that are not offered yet."""
        session = self._session
        for row in np.flatnonzero(session.pool.holding(words, session.catalogue.all_known)):
            name = session.pool[int(row)]
            if name not in offered:
                title = session.catalogue.about(name).title
                yield PopupEntry(title, name, partial(self._open_document, name), name)

    def _remark(self) -> str:
        """Say which titles cannot be found yet."""
        unknown = self._session.titles.unknown(self._session.pool, self._session.catalogue)
        return f"{counted(unknown, 'title')} not read yet" if unknown else ""

    def _note(self, opened: OpenDocument) -> None:
        here = (opened.topic.id, opened.document.id)
        self._recent = [here, *(one for one in self._recent if one != here)][:KEPT_RECENT]

    def choose_convention(self) -> None:
        """Offer the ways in which qrels may count."""
        entries, current = conventions(self._session.project.convention, self._use_convention)
        self._popup.open("How the offsets of qrels count…", entries, current)

    def _use_convention(self, convention: Convention) -> None:
        try:
            self._session.use_convention(convention)
        except InexviewError as error:
            self._session.saving.failed(error)


def conventions(current: Convention, use: Callable[[Convention], object]) -> tuple[list[PopupEntry], int]:
    """Return the ways in which qrels may count, and which of them is in use."""
    entries = [
        PopupEntry(convention.name, convention.key, partial(use, convention)) for convention in CONVENTIONS
    ]
    return entries, CONVENTIONS.index(current)


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
