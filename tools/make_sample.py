"""Make the files of the sample that hold offsets: runs, pool, judgements and a model's labels.

    python tools/make_sample.py [-o FOLDER]

Articles, topics and the judgements' quotes (``resources/sample/source``) are written by hand; the runs are
retrieved by ``tiny_search``, the pool is made from two of them, and the quotes are looked up in the articles.
Nothing here is typed as a number of characters.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NotRequired, TypedDict

from tiny_search import (
    Score,
    Unit,
    articles,
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
from inexview.core.article.granularity import Snapper
from inexview.core.collection.collection import Collection
from inexview.core.formats.chunk_runs import write_chunk_run
from inexview.core.formats.jsonl import write_jsonl
from inexview.core.formats.passage_lines import write_fol_qrels, write_fol_run
from inexview.core.formats.submission_xml import ResultType, submit_named, write_submission
from inexview.core.formats.text_files import write_lines
from inexview.core.formats.topic_files import read_topics, write_pool_xml
from inexview.core.judgements.qrels import Judgement, JudgementRecord, Pool, PooledDocument
from inexview.core.judgements.runs import Result, Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.retrieval.retrieve import fused_run, pool_runs
from inexview.core.text.counting import UTF8_BYTES, Scale
from inexview.core.text.spans import EMPTY, Spans

SAMPLE = Path(__file__).resolve().parent.parent / "resources" / "sample"
POOL_DEPTH = 8
MERGED = 25
"""Results of a topic in the merged run."""
ABOUT = re.compile(r"about\([^,]*,([^)]*)\)")
PHRASE = re.compile(r'"([^"]*)"')


class Quoted(TypedDict):
    """What was judged of a document: where each passage begins and ends, the best entry point, remarks."""

    bep: NotRequired[str]
    passages: NotRequired[list[tuple[str, str]]]
    grade: NotRequired[str]
    note: NotRequired[str]


Quotes = Mapping[str, Mapping[str, Quoted]]
"""Topic → document → what is quoted of it."""


def main() -> None:
    """Write the files into the sample's folder, or into another."""
    parser = argparse.ArgumentParser(description="Make the files of the sample that hold offsets.")
    parser.add_argument(
        "-o", "--output", type=Path, default=SAMPLE, help="where to write (default: %(default)s)"
    )
    output = parser.parse_args().output
    collection = Collection.open(SAMPLE / "articles")
    documents = {id: collection.load(id) for id in collection.ids()}
    topics = read_topics(SAMPLE / "topics.xml")
    pooled = write_runs(output, collection, documents, topics)
    write_pool_xml(pooled, output / "pool.xml")
    quotes = quoted("judgements")
    judged = list(judgements(quotes, pooled, documents))
    write_fol_qrels(judged, output / "judgements.txt")
    write_fol_qrels(in_bytes(judged, documents), output / "judgements-bytes.txt")
    write_jsonl(with_remarks(judged, quotes), output / "judgements.jsonl")
    second = judgements(quoted("second-assessor"), pooled, documents)
    write_fol_qrels(list(second), _made(output / "layers") / "second-assessor.txt")
    labels = word_counter(judged, {topic.id: topic for topic in topics}, documents)
    write_lines(output / "model-labels.jsonl", labels)


def write_runs(
    output: Path, collection: Collection, documents: Mapping[str, Document], topics: Iterable[Topic]
) -> Pool:
    """Write all runs, and return the pool of two of them."""
    units, in_sections, whole, chunks = (
        units_of(documents, cut) for cut in (windows, sections, articles, partial(windows, size=60, step=60))
    )
    found = {topic.id: passages_for(units, topic) for topic in topics}
    baseline, passages = bm25_sections(in_sections, topics), lm_passages(found)
    merged = fused_run([baseline, passages], "rrf", MERGED, "RRF-merged", Task.RELEVANT_IN_CONTEXT)
    of_articles = best_first("QL-articles", by_title(whole, topics, language_model(whole)), depth=10)
    for run in (baseline, passages, merged, of_articles, phrases(units, topics, documents)):
        write_run(run, output / "runs")
    write_run(best_first("LM-focused", found, depth=20), output / "runs" / "focused")
    elements = best_first("BM25-elements", by_title(in_sections, topics, bm25(in_sections)), depth=8)
    named = submit_named(replace(elements, task=Task.FOCUSED), ResultType.ELEMENT, collection)
    write_submission(named.submission, _made(output / "runs" / "elements") / "BM25-elements.xml")
    of_chunks = best_first("QL-chunks", by_title(chunks, topics, language_model(chunks)), depth=4)
    write_chunk_run(of_chunks, _made(output / "runs" / "chunks") / "QL-chunks.jsonl", collection=collection)
    found_by_runs = pool_runs([baseline, passages], POOL_DEPTH).topics
    return Pool(  # who judges the sample sees no run
        {id: tuple(PooledDocument(one.document) for one in pooled) for id, pooled in found_by_runs.items()}
    )


def write_run(run: Run, folder: Path) -> None:
    """Write a run into a folder, under its id."""
    write_fol_run(run, _made(folder) / f"{run.id}.txt")


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def quoted(name: str) -> Quotes:
    """Read what an assessor quoted."""
    return tomllib.loads((SAMPLE / "source" / f"{name}.toml").read_text(encoding="utf-8"))


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


def best_first(id: str, rankings: Mapping[str, list[tuple[float, Unit]]], depth: int) -> Run:
    """Return the best of what was found for each topic, whatever its document."""
    results = [result for topic, found in rankings.items() for result in focused(topic, found, depth)]
    return Run.from_results(results, id=id)


def by_title(units: list[Unit], topics: Iterable[Topic], score: Score) -> dict[str, list[tuple[float, Unit]]]:
    """Rank units by the words of each topic's title."""
    return {topic.id: ranked(units, query(stemmed(topic.title)), score) for topic in topics}


def phrases(units: list[Unit], topics: Iterable[Topic], documents: Mapping[str, Document]) -> Run:
    """Retrieve the passages that hold a phrase of the topic to the letter; nothing where none does."""
    score = language_model(units)
    results: list[Result] = []
    for topic in topics:
        exact = re.compile("|".join(map(re.escape, PHRASE.findall(topic.phrasetitle))), re.IGNORECASE)
        with_phrase = [
            unit for unit in units if exact.search(documents[unit.document].text, unit.start, unit.end)
        ]
        found = ranked(with_phrase, query(stemmed(f"{topic.title} {topic.phrasetitle}")), score)
        results += in_context(topic.id, found, documents=10, share=0.2)
    return Run.from_results(results, id="Phrases")


def lm_passages(found: Mapping[str, list[tuple[float, Unit]]]) -> Run:
    """Return the passages found for each topic, document by document."""
    results = [
        result
        for topic, passages in found.items()
        for result in in_context(topic, passages, documents=10, share=0.2)
    ]
    return Run.from_results(results, id="LM-passages")


def passages_for(units: list[Unit], topic: Topic) -> list[tuple[float, Unit]]:
    """Rank passages by the title and what the content-and-structure title is about, with feedback."""
    first, score = query(_asked(topic)), language_model(units)
    return ranked(units, with_feedback(units, first, score), score)


def _asked(topic: Topic) -> list[str]:
    return stemmed(" ".join([topic.title, *ABOUT.findall(topic.castitle)]))


def judgements(quotes: Quotes, pool: Pool, documents: Mapping[str, Document]) -> Iterator[Judgement]:
    """Return the judgements of the quoted topics: every document of their pools, in pool order."""
    for topic, judged in quotes.items():
        unpooled = judged.keys() - set(pool.documents(topic))
        if unpooled:
            raise SystemExit(f"topic {topic}: quoted, but not in the pool: {', '.join(sorted(unpooled))}")
        for name in pool.documents(topic):
            yield _judgement(topic, documents[name], judged.get(name, {}))


def _judgement(topic: str, document: Document, quoted: Quoted) -> Judgement:
    if "passages" not in quoted:
        return Judgement(topic, document.id, 0, document.length, None, EMPTY)
    marked = Spans(_span(document, first, last) for first, last in quoted["passages"])
    bep = _find(document, quoted["bep"])[0]
    return Judgement(topic, document.id, marked.size, document.length, bep, marked)


def in_bytes(judged: Iterable[Judgement], documents: Mapping[str, Document]) -> list[Judgement]:
    """Return the same judgements counted in bytes of UTF-8."""
    counted = []
    for judgement in judged:
        scale = Scale(documents[judgement.document].text, UTF8_BYTES)
        ends = (judgement.passages.starts, judgement.passages.ends)
        passages = Spans.from_arrays(*map(scale.from_code_points, ends))
        bep = None if judgement.bep is None else int(scale.from_code_points(judgement.bep))
        counted.append(
            replace(judgement, rsize=passages.size, length=scale.length, bep=bep, passages=passages)
        )
    return counted


def with_remarks(judged: Iterable[Judgement], quotes: Quotes) -> Iterator[JudgementRecord]:
    """Return the judgements with the grade and the note that each document has."""
    for judgement in judged:
        said = quotes[judgement.topic].get(judgement.document, {})
        yield JudgementRecord(judgement, note=said.get("note", ""), grade=said.get("grade", ""))


GRADED = (0.35, 0.5, 0.7)
"""The share of a topic's words from which on a document has grade 1, 2 and 3."""


def word_counter(
    judged: Iterable[Judgement], topics: Mapping[str, Topic], documents: Mapping[str, Document]
) -> Iterator[str]:
    """Return labels, as JSON lines, of a judge that counts the words of the topic in the best passage.

    It quotes the sentence that has most of them.  The quotes of ``source/misquoted.toml`` take the place of
    its own: a model, too, quotes what no text says.
    """
    misquoted = tomllib.loads((SAMPLE / "source" / "misquoted.toml").read_text(encoding="utf-8"))
    for judgement in judged:
        topic, document = judgement.topic, documents[judgement.document]
        wanted = set(_asked(topics[topic]))
        most = max(len(wanted & unit.terms.keys()) for unit in windows(document))
        grade = sum(most / len(wanted) >= share for share in GRADED)
        label = {
            "query_id": topic,
            "doc_id": document.id,
            "model": "word-counter",
            "grade": grade,
            "reason": f"The best passage has {most} of {len(wanted)} words of the topic.",
        }
        if grade:
            quote = max(_sentences(document), key=lambda text: len(wanted.intersection(stemmed(text))))
            label["quotes"] = [misquoted.get(topic, {}).get(document.id, quote)]
        yield json.dumps(label, ensure_ascii=False) + "\n"


def _sentences(document: Document) -> Iterator[str]:
    snapper, at = Snapper(document), 0
    while at < document.length:
        start, end = snapper.sentence_at(at)
        if end > start:
            yield document.text[start:end]
        at = max(end, at + 1)


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
