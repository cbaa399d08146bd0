"""Runs from an index that an OpenSearch or Elasticsearch server has already, ranked as that server does.

The server analyses the words of a topic and scores by the similarity of its index: BM25, or LM Jelinek–Mercer
where the index says so.  Each thing it has is an article, or a passage where it says ``start`` and ``end``
(or ``length``), code points of the article's text; ``document`` names the article, or the thing's own id
does.
No such server was at hand: this was tried against answers in the shape that OpenSearch documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import NO_LENGTH, Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.retrieval.retrieval_settings import RetrievalSettings, arranged, candidates, topic_text
from inexview.core.retrieval.retrieve import RetrievedRankings, run_of
from inexview.core.retrieval.shard import UnitRanking
from inexview.core.wording import counted, some_named

_OTHER_SHAPES = (AttributeError, OverflowError)  # a list where an object was to be, a number too large
_PATIENCE = 30  # seconds for an answer
_MOST = 10_000  # results that a server gives at once unless its index says otherwise


@dataclass(frozen=True, slots=True)
class SearchedIndex:
    """An index on a server: ``http://localhost:9200/wikipedia``, and the field that has the text."""

    url: str
    text_field: str = "text"

    def parts(self) -> tuple[str, str]:
        """Return the address of the server and the name of the index; raises InexviewError without both."""
        try:
            split = urlsplit(self.url)
            there = split.scheme in ("http", "https") and split.hostname and split.port != 0
        except ValueError:  # a bracket, or a port that is none
            there = False
        name = split.path.strip("/") if there else ""
        if not name or "/" in name:
            raise InexviewError(f"url = {self.url!r}: write it like http://localhost:9200/INDEX")
        return f"{split.scheme}://{split.netloc}", name


def retrieve_from_server(
    topics: Sequence[Topic],
    index: SearchedIndex,
    settings: RetrievalSettings,
    id: str,
    progress: Progress = unwatched,
) -> tuple[Run, str]:
    """Return a run of what a server ranks for each topic, and the similarity by which it does.

    Raises InexviewError where the server is not there or answers that it cannot, Cancelled.
    """
    if settings.structure:
        raise InexviewError("a search server does not know the elements of articles: leave --structure out")
    wide = min(candidates(settings.depth, settings.task), max(_MOST, settings.depth))
    rankings: dict[str, UnitRanking] = {}
    without: list[str] = []
    with _client(index) as (client, name):
        similarity = _similarity(
            client.indices.get_settings(index=name), client.indices.get_mapping(index=name), index
        )
        for done, topic in enumerate(topics):
            progress("topics searched", done, len(topics))
            text = topic_text(topic, settings)
            asked = {"query": {"match": {index.text_field: text}}, "size": wide, "track_total_hits": False}
            hits = client.search(index=name, body=asked)["hits"]["hits"] if text.strip() else []
            if not hits:
                without.append(topic.id)
            rankings[topic.id] = arranged(_ranking(hits), settings.task, settings.depth)
    run = run_of(RetrievedRankings(rankings, {}, _warnings(without)), settings, id)
    whole = run.size == 0
    if whole.all():
        run = replace(run, size=np.full(len(run), NO_LENGTH, np.int64), task=Task.DOCUMENTS)
    return run, similarity


def _warnings(without: Sequence[str]) -> tuple[str, ...]:
    """Say for which topics a server found nothing."""
    if len(without) == 1:
        return (f"topic {without[0]}: the server found nothing; it has no results",)
    number = counted(len(without), "topic")
    return (f"{number} have no results, the server found nothing: {some_named(without)}",) if without else ()


@contextmanager
def _client(index: SearchedIndex) -> Iterator[tuple[Any, str]]:
    """Have a client at hand; says in a sentence what is wrong with the server."""
    try:
        from opensearchpy import OpenSearch, exceptions
    except ImportError:
        raise InexviewError(
            "the client of OpenSearch is not installed; get it with: pip install 'inexview[opensearch]'"
        ) from None
    address, name = index.parts()
    with closing(OpenSearch(address, timeout=_PATIENCE, max_retries=1)) as client:
        try:
            yield client, name
        except exceptions.ConnectionError as error:
            raise InexviewError(f"{address}: no search server answers ({error.error})") from error
        except exceptions.TransportError as error:
            raise InexviewError(
                f"{index.url}: the server refuses ({error.status_code}: {error.error})"
            ) from error
        except (exceptions.OpenSearchException, LookupError, TypeError, ValueError, *_OTHER_SHAPES) as error:
            raise InexviewError(
                f"{index.url}: the answer is not that of a search server ({error})"
            ) from error


def _ranking(hits: Sequence[dict[str, Any]]) -> UnitRanking:
    """Return what a server answers, in its order."""
    ids: list[str] = []
    spans: list[tuple[int, int]] = []
    for hit in hits:
        said = hit.get("_source") or {}
        ids.append(str(said.get("document", hit["_id"])))
        start = int(said.get("start", 0))
        end = int(said["end"]) if "end" in said else start + int(said.get("length", 0))
        if not 0 <= start <= end:
            raise ValueError(f"a passage from {start} to {end} of {ids[-1]}")
        spans.append((start, end))
    places = np.array(spans, np.int64).reshape(-1, 2)
    numbers = {id: number for number, id in enumerate(dict.fromkeys(ids))}
    scores = np.array([float(hit["_score"]) for hit in hits], np.float64)
    number = np.array([numbers[id] for id in ids], np.int64)
    return UnitRanking(scores, number, ids, places[:, 0], places[:, 1])


def _similarity(settings: dict[str, Any], mapping: dict[str, Any], index: SearchedIndex) -> str:
    """Return by what the field is ranked: the name of its similarity, and what the index says of it."""
    (about,) = settings.values()
    (fields,) = mapping.values()
    field = fields["mappings"].get("properties", {}).get(index.text_field)
    if field is None:
        raise InexviewError(
            f"{index.url}: the index has no field {index.text_field!r}; name it with --text-field"
        )
    name = field.get("similarity", "BM25")
    said = about["settings"]["index"].get("similarity", {}).get(name, {})
    details = ", ".join(f"{key} {value}" for key, value in said.items())
    return f"{name} ({details})" if details else str(name)
