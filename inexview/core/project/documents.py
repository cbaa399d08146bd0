"""The documents of a project: where they are, which are pooled, how long they are, and which are missing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterable, Mapping, Sequence

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.progress import Progress, unwatched
from inexview.core.project.contents import Contents
from inexview.core.wording import counted, some_named

_TEXTS_KEPT = 6  # as many as a window keeps of the articles themselves
_TOGETHER = 2_000  # documents looked for between two words of progress


class ProjectDocuments:
    """Joins what a project says of its documents with the collection, which may be gone or changed."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._collection: Collection | None = None
        self._pools: dict[str, tuple[str, ...]] = {}
        self._whole: Sequence[str] | None = None
        self._lengths: dict[str, int] = {}
        self._texts: OrderedDict[str, str] = OrderedDict()
        self.stay_open = False  # whether its collection is for somebody else to close

    @property
    def collection(self) -> Collection:
        """The collection; raises DataError where it is not at its path any more."""
        if self._collection is None:
            self._collection = Collection.open(self._contents.collection_path)
        return self._collection

    def use(self, collection: Collection) -> None:
        self._collection = collection
        self._whole = None
        self._lengths.clear()  # articles of the same names may be others there
        self._texts.clear()
        self.stay_open = False

    def borrow(self, collection: Collection) -> None:
        """Use a collection that somebody else closes."""
        self.use(collection)
        self.stay_open = True

    def forget_pools(self) -> None:
        """Look at the pools again: rows have been added to them."""
        self._pools.clear()

    def pool(self, topic: str) -> Sequence[str]:
        """Return the documents to judge for a topic: its pool, or without any pool the collection."""
        if not self._contents.has_pool:
            if self._whole is None:
                self._whole = self.collection.ids()
            return self._whole
        if topic not in self._pools:
            self._pools[topic] = self._contents.pooled_ids(topic)
        return self._pools[topic]

    def missing(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic's pool that are not in the collection."""
        if not self._contents.has_pool:
            return ()
        return tuple(self.collection.lacking(self.pool(topic)))

    def warnings(self) -> list[str]:
        """Say what is not as it should be, a sentence each."""
        topics = [topic.id for topic in self._contents.topics]
        unknown = unknown_topics(self._contents.pooled_topics, topics)
        if not self._contents.has_pool:
            return misfits(unknown, {})
        try:
            pools = {topic: self.pool(topic) for topic in topics}
            return misfits(unknown, absent_documents(pools, self.collection))
        except DataError as error:
            return [*misfits(unknown, {}), str(error)]

    def length(self, document: str) -> int:
        """Return a document's length in code points; raises DataError where it cannot be read."""
        if document not in self._lengths:
            self._lengths[document] = self.collection.length(document)
        return self._lengths[document]

    def text(self, document: str) -> str:
        """Return a document's text; raises DataError where it cannot be read."""
        if document not in self._texts:
            self.note_text(document, self.collection.scan(document).text)
        return self._texts[document]

    def text_at_hand(self, document: str) -> str | None:
        """Return the text of a document that was read lately, None for others."""
        return self._texts.get(document)

    def text_if_there(self, document: str, *, load: bool) -> str | None:
        """Return a text, None where it is not known; ``load`` reads the document to find out."""
        try:
            return self.text(document) if load else self._texts.get(document)
        except DataError:
            return None

    def known_length(self, document: str) -> int | None:
        """Return the length of a document that was read before, None for others of the collection.

        Raises DataError where the document is not there.
        """
        if document not in self._lengths and document not in self.collection:
            return self.length(document)
        return self._lengths.get(document)

    def known_lengths(self, documents: Sequence[str]) -> dict[str, int | None]:
        """Return what ``known_length`` says of each; raises what it raises."""
        there = self.collection.holding([name for name in documents if name not in self._lengths])
        return {
            name: self._lengths.get(name) if name in there else self.known_length(name) for name in documents
        }

    def length_if_there(self, document: str, *, load: bool) -> int | None:
        """Return a length, None where that is not known; ``load`` reads the document to find out."""
        try:
            return self.length(document) if load else self._lengths.get(document)
        except DataError:
            return None

    def length_noted(self, document: str) -> int | None:
        """Return the length of a document that was read before, None for any other."""
        return self._lengths.get(document)

    def note_text(self, document: str, text: str) -> None:
        """Note the text of a document that somebody has read; the last few are kept."""
        self._lengths[document] = len(text)
        self._texts[document] = text
        self._texts.move_to_end(document)
        while len(self._texts) > _TEXTS_KEPT:
            self._texts.popitem(last=False)

    def close(self) -> None:
        if self._collection is not None and not self.stay_open:
            self._collection.close()


def unknown_topics(pooled: Iterable[str], topics: Container[str]) -> list[str]:
    """Return the pooled topics that the topic file does not have."""
    return [topic for topic in pooled if topic not in topics]


def absent_documents(
    pools: Mapping[str, Sequence[str]], collection: Container[str], progress: Progress = unwatched
) -> dict[str, list[str]]:
    """Return the pooled documents that a collection does not have, for each topic that lacks any.

    Raises Cancelled.
    """
    total, done = sum(map(len, pools.values())), 0
    absent: dict[str, list[str]] = {}
    for topic, documents in pools.items():
        for begin in range(0, len(documents), _TOGETHER):
            part = documents[begin : begin + _TOGETHER]
            lacking = [document for document in part if document not in collection]
            if lacking:
                absent.setdefault(topic, []).extend(lacking)
            done += len(part)
            progress("pooled documents looked for", done, total)
    return absent


def misfits(unknown: Iterable[str], absent: Mapping[str, Sequence[str]]) -> list[str]:
    """Say what does not fit, a sentence each."""
    said = [f"the pool names topic {topic}, which the topic file does not have" for topic in unknown]
    for topic, documents in absent.items():
        number = counted(len(documents), "pooled document")
        said.append(f"topic {topic}: {number} not in the collection: {some_named(documents)}")
    return said
