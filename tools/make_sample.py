"""Make the files of the sample that hold offsets: runs, pool and judgements.

    python tools/make_sample.py [-o FOLDER]

Articles, topics and the judgements' quotes (``resources/sample/source/judgements.toml``) are written by hand;
the runs are retrieved by ``tiny_search``, the pool is made from them, and the quotes are looked up in the
articles.  Nothing here is typed as a number of characters.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypedDict

from tiny_search import (
    Unit,
    bm25,
    focused,
    in_context,
    language_model,
    query,
    ranked,
    sections,
    stemmed,
    windows,
    with_feedback,
    words,
)

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.formats.passage_lines import write_fol_qrels, write_fol_run
from inexview.core.formats.topic_files import read_topics, write_pool_xml
from inexview.core.judgements.qrels import Judgement, Pool, PooledDocument, Qrels
from inexview.core.judgements.runs import Result, Run
from inexview.core.judgements.topics import Topic
from inexview.core.retrieval.retrieve import pool_runs
from inexview.core.text.spans import EMPTY, Spans

SAMPLE = Path(__file__).resolve().parent.parent / "resources" / "sample"
POOL_DEPTH = 8
ABOUT = re.compile(r"about\([^,]*,([^)]*)\)")


class Quoted(TypedDict):
    """What is relevant in a document: where each passage begins and ends, and the best entry point."""

    bep: str
    passages: list[tuple[str, str]]


Quotes = Mapping[str, Mapping[str, Quoted]]
"""Topic → document → what is quoted of it."""


def main() -> None:
    """Write the files into the sample's folder, or into another."""
    parser = argparse.ArgumentParser(description="Make the runs, the pool and the judgements of the sample.")
    parser.add_argument(
        "-o", "--output", type=Path, default=SAMPLE, help="where to write (default: %(default)s)"
    )
    output = parser.parse_args().output
    collection = Collection.open(SAMPLE / "articles")
    documents = {id: collection.load(id) for id in collection.ids()}
    topics = read_topics(SAMPLE / "topics.xml")
    units = units_of(documents, windows)
    found = {topic.id: passages_for(units, topic) for topic in topics}
    baseline = bm25_sections(units_of(documents, sections), topics)
    passages, best = lm_passages(found), lm_focused(found)
    (output / "runs" / "focused").mkdir(parents=True, exist_ok=True)
    for run, folder in ((baseline, "runs"), (passages, "runs"), (best, "runs/focused")):
        write_fol_run(run, output / folder / f"{run.id}.txt")
    found_by_runs = pool_runs([baseline, passages], POOL_DEPTH).topics
    pool = Pool(  # who judges the sample sees no run
        {id: tuple(PooledDocument(one.document) for one in pooled) for id, pooled in found_by_runs.items()}
    )
    write_pool_xml(pool, output / "pool.xml")
    quotes = tomllib.loads((SAMPLE / "source" / "judgements.toml").read_text(encoding="utf-8"))
    judged = Qrels.from_judgements(judgements(quotes, pool, documents))
    write_fol_qrels(judged, output / "judgements.txt")


def units_of(documents: Mapping[str, Document], cut: Callable[[Document], Iterable[Unit]]) -> list[Unit]:
    """Cut all documents into what can be retrieved."""
    return [unit for document in documents.values() for unit in cut(document)]


def bm25_sections(units: list[Unit], topics: Iterable[Topic]) -> Run:
    """Retrieve whole sections by the words of the title."""
    results: list[Result] = []
    score = bm25(units)
    for topic in topics:
        found = ranked(units, query(words(topic.title)), score)
        results += in_context(topic.id, found, documents=10, share=0.5)
    return Run.from_results(results, id="BM25-sections")


def lm_passages(found: Mapping[str, list[tuple[float, Unit]]]) -> Run:
    """Return the passages found for each topic, document by document."""
    results = [
        result
        for topic, passages in found.items()
        for result in in_context(topic, passages, documents=10, share=0.2)
    ]
    return Run.from_results(results, id="LM-passages")


def lm_focused(found: Mapping[str, list[tuple[float, Unit]]]) -> Run:
    """Return the same passages, the best of all documents first."""
    results = [result for topic, passages in found.items() for result in focused(topic, passages, depth=20)]
    return Run.from_results(results, id="LM-focused")


def passages_for(units: list[Unit], topic: Topic) -> list[tuple[float, Unit]]:
    """Rank passages by the title and what the content-and-structure title is about, with feedback."""
    first = query(stemmed(" ".join([topic.title, *ABOUT.findall(topic.castitle)])))
    score = language_model(units)
    return ranked(units, with_feedback(units, first, score), score)


def judgements(quotes: Quotes, pool: Pool, documents: Mapping[str, Document]) -> Iterator[Judgement]:
    """Return the judgements of the quoted topics: every document of their pools, in pool order."""
    for topic, relevant in quotes.items():
        unpooled = relevant.keys() - set(pool.documents(topic))
        if unpooled:
            raise SystemExit(f"topic {topic}: quoted, but not in the pool: {', '.join(sorted(unpooled))}")
        for name in pool.documents(topic):
            yield _judgement(topic, documents[name], relevant.get(name))


def _judgement(topic: str, document: Document, quoted: Quoted | None) -> Judgement:
    if quoted is None:
        return Judgement(topic, document.id, 0, document.length, None, EMPTY)
    marked = Spans(_span(document, first, last) for first, last in quoted["passages"])
    bep = _find(document, quoted["bep"])[0]
    return Judgement(topic, document.id, marked.size, document.length, bep, marked)


def _span(document: Document, first: str, last: str) -> tuple[int, int]:
    start, end = _find(document, first)
    return start, _find(document, last, start if first == last else end)[1]


def _find(document: Document, quote: str, after: int = 0) -> tuple[int, int]:
    """Return where a quote stands: the only place, or with ``after`` the first one from there on."""
    pattern = re.compile(r"\s+".join(map(re.escape, quote.split())))
    places = [found.span() for found in pattern.finditer(document.text, after)]
    if not places or (len(places) > 1 and not after):
        raise SystemExit(f"{document.id}: found {len(places)} times, and not once: {quote!r}")
    return places[0]


if __name__ == "__main__":
    main()
