"""Collects the words of articles in memory and writes them as a segment."""

from __future__ import annotations

import json
import os
from array import array
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.scan import Scan
from inexview.core.word_index.segment import FACTS, SEPARATOR, column_kind, sums
from inexview.core.word_index.words import article_words


class _Numbers(dict[str, int]):
    """Numbers words in the order in which they come."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


class SegmentWriter:
    """Takes articles, and writes what they hold as one segment."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.unreadable = 0
        self._vocabulary = _Numbers()
        self._tags = _Numbers()
        self._documents = array("i", [0])
        self._characters = array("i")
        self._terms, self._starts, self._sizes = array("i"), array("i"), array("B")
        self._elements = array("i", [0])
        self._element_tags, self._element_spans = array("i"), array("i")

    @property
    def words(self) -> int:
        return len(self._terms)

    def add(self, id: str, article: Scan | None) -> None:
        """Take an article; None for one that cannot be read, which keeps its place and has no words."""
        self.ids.append(id)
        if article is None:
            self.unreadable += 1
        else:
            self._add(article)
        self._characters.append(0 if article is None else len(article.text))
        self._documents.append(len(self._terms))
        self._elements.append(len(self._element_tags))

    def _add(self, article: Scan) -> None:
        first = len(self._terms)
        found = article_words(article)
        self._terms.extend(map(self._vocabulary.__getitem__, found.words))
        self._starts.frombytes(found.starts.astype(np.int32).tobytes())
        self._sizes.frombytes((found.ends - found.starts).astype(np.uint8).tobytes())
        elements = article.elements
        begins = found.starts.searchsorted(elements.starts)
        stops = found.starts.searchsorted(elements.ends)
        filled = np.flatnonzero(begins < stops)
        codes, tags = elements.coded
        numbers = np.array([self._tags[tag.rpartition(":")[2]] for tag in tags], np.int32)
        columns = (begins + first, stops + first, elements.starts, elements.ends)
        spans = np.stack([column[filled] for column in columns], axis=1)
        self._element_tags.frombytes(numbers[codes[filled]].tobytes())
        self._element_spans.frombytes(spans.astype(np.int32).tobytes())

    def write(self, folder: Path) -> None:
        """Write the segment to a folder that is not there yet: whole, or, where that fails, nothing."""
        made = folder.with_name(f"{folder.name}.{os.getpid()}")
        rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        try:
            (made / "ids").write_text(SEPARATOR.join(self.ids), "utf-8")
            for name, column in self._columns().items():
                written = np.ascontiguousarray(column, column_kind(name, len(self.ids)))
                (made / name).write_bytes(written.data)
            facts = {
                "documents": len(self.ids),
                "words": self.words,
                "unreadable": self.unreadable,
                "tags": list(self._tags),
                "sums": sums(made),
            }
            (made / FACTS).write_text(json.dumps(facts))
            made.rename(folder)
        except BaseException:
            rmtree(made, ignore_errors=True)
            raise

    def _columns(self) -> dict[str, NDArray[Any]]:
        spelled = sorted((word.encode("utf-8", "surrogatepass"), n) for word, n in self._vocabulary.items())
        sorted_numbers = np.empty(len(spelled), np.int32)
        sorted_numbers[[number for _, number in spelled]] = np.arange(len(spelled), dtype=np.int32)
        terms = sorted_numbers[np.frombuffer(self._terms, np.int32)]
        postings = terms.argsort(kind="stable").astype(np.int32)
        documents = np.frombuffer(self._documents, np.int32)
        numbers = np.arange(len(documents) - 1, dtype=np.int32)
        within = np.repeat(numbers, np.diff(documents))[postings]
        return {
            "documents": documents,
            "characters": np.frombuffer(self._characters, np.int32),
            "terms": terms,
            "starts": np.frombuffer(self._starts, np.int32),
            "sizes": np.frombuffer(self._sizes, np.uint8),
            "spelling": np.frombuffer(b"".join(word for word, _ in spelled), np.uint8),
            "spelling_ends": np.cumsum([0, *(len(word) for word, _ in spelled)]),
            "postings": postings,
            "posting_documents": within,
            "posting_ends": np.append(0, np.bincount(terms, minlength=len(spelled)).cumsum()),
            "document_counts": _document_counts(terms[postings], within, len(spelled)),
            "elements": np.frombuffer(self._elements, np.int32),
            "element_tags": np.frombuffer(self._element_tags, np.int32),
            "element_spans": np.frombuffer(self._element_spans, np.int32),
        }


def _document_counts(
    sorted_terms: NDArray[np.int32], within: NDArray[np.int32], vocabulary: int
) -> NDArray[Any]:
    """Return in how many documents each term occurs: its postings of one document are side by side."""
    first = np.ones(len(within), bool)
    first[1:] = (sorted_terms[1:] != sorted_terms[:-1]) | (within[1:] != within[:-1])
    return np.bincount(sorted_terms[first], minlength=vocabulary)
