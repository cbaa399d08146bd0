"""Whether topics, pool and collection belong together: what one of them names and another does not have."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from inexview.core.progress import Progress, unwatched
from inexview.core.wording import counted

_SOME = 5  # documents named in a sentence
_TOGETHER = 2_000  # documents looked for between two words of progress


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
        some = ", ".join(documents[:_SOME]) + (", …" if len(documents) > _SOME else "")
        number = counted(len(documents), "pooled document")
        said.append(f"topic {topic}: {number} not in the collection: {some}")
    return said
