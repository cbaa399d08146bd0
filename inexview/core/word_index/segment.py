"""A segment: the words of some thousand neighbouring articles, on disk, read in place and never changed.

Words are numbered through the segment from 0; its columns and its postings contain these numbers.  A
collection's index is a list of segments, and so is each worker's share of it.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.document import Scan
from inexview.core.article.element_roles import PARENT_DECIDES, Role, plain_role
from inexview.core.article.elements import Numbering
from inexview.core.errors import DataError
from inexview.core.text.spans import Ints

# The words of a text, and the place of each.
#
# Words are bounded as in Unicode's annex 29, as far as it matters for search, but each ideograph is a word.
# Columns of code points take a tenth of the time of an equivalent regular expression. Words are compared in
# lower case and in Unicode's form NFC.

_LETTER, _DIGIT, _MARK, _APOSTROPHE, _POINT = 1, 2, 4, 8, 16
_LAST_ASCII = 0x7F
_MARKS_BEFORE = 0x1F000  # no later script has marks
_PLANE = 0x10000

Kinds = NDArray[np.uint8]


def word_spans(text: str) -> tuple[Ints, Ints]:
    """Return the starts and ends of words, shape (n,) both.

    A word is a run of letters and digits with the marks that follow them; an apostrophe or a middle dot
    between letters, and a point or a comma between digits, belong to it.
    """
    kinds = _kinds(text)
    within = np.zeros(len(kinds) + 2, bool)
    within[1:-1] = (kinds & (_LETTER | _DIGIT | _MARK)) > 0
    for joiner, joined in ((_APOSTROPHE, _LETTER), (_POINT, _DIGIT)):
        places = np.flatnonzero(kinds == joiner)
        places = places[(places > 0) & (places < len(kinds) - 1)]
        between = (kinds[places - 1] == joined) & (kinds[places + 1] == joined)
        within[places[between] + 1] = True
    edges = np.flatnonzero(within[1:] != within[:-1])
    starts, ends = edges[0::2], edges[1::2]
    if text.isascii() or not (kinds[starts] == _MARK).any():
        return starts, ends
    # Words begin at their first letter or digit: marks before it belong to no word.
    others = np.append(np.flatnonzero(kinds != _MARK), len(kinds))
    begins = others[others.searchsorted(starts)]
    words = begins < ends
    return begins[words], ends[words]


def _kinds(text: str) -> Kinds:
    """Return the kind of each character for the division into words, shape (characters,)."""
    if text.isascii():
        return _table()[np.frombuffer(text.encode("ascii"), np.uint8)]
    codes = _codes(text)
    kinds: Kinds = _table()[np.minimum(codes, _PLANE - 1)]
    beyond = np.flatnonzero(codes >= _PLANE)
    if len(beyond):
        different, which = np.unique(codes[beyond], return_inverse=True)
        kinds[beyond] = np.array([_kind(code) for code in different.tolist()], np.uint8)[which]
    return kinds


def _codes(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text, shape (characters,)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


@cache
def _table() -> Kinds:
    """Return the kinds of the characters of Unicode's first plane."""
    return np.array([_kind(code) for code in range(_PLANE)], np.uint8)


def _kind(code: int) -> int:
    character = chr(code)
    if character.isalnum():
        return _DIGIT if character.isdecimal() else _LETTER
    if character in "'\u2019\u00b7":
        return _APOSTROPHE
    if character in ".,":
        return _POINT
    return _MARK if code < _MARKS_BEFORE and unicodedata.category(character).startswith("M") else 0


LONGEST = 250  # characters: a longer word is cut into pieces, so that no file makes the index large

_IDEOGRAPH = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_FIRST_IDEOGRAPH = 0x3040
_PIECE = re.compile(f"[{_IDEOGRAPH}]|[^{_IDEOGRAPH}]{{1,{LONGEST}}}")


class TextWords(NamedTuple):
    """Words in the order of the text: their compared forms, and the characters ``[start, end)`` of each."""

    words: list[str]
    starts: Ints
    ends: Ints


def text_words(text: str, edges: Ints | None = None) -> TextWords:
    """Return the words of a text; none crosses one of the ``edges``, which are sorted offsets.

    Takes time in proportion to the text.
    """
    starts, ends = word_spans(text)
    if edges is not None and len(edges):  # words that cross an edge are cut there
        first, behind = edges.searchsorted(starts, side="right"), edges.searchsorted(ends, side="left")
        crossing = first < behind
        bounds = zip(first[crossing].tolist(), behind[crossing].tolist(), strict=True)
        inner = [edges[low:high] for low, high in bounds]
        if inner:
            starts, ends = (np.sort(np.concatenate((places, *inner))) for places in (starts, ends))
    starts, ends = _pieces(text, starts, ends)
    return TextWords(_compared(text, starts, ends), starts, ends)


def article_words(article: Scan) -> TextWords:
    """Return the words of an article; text in two blocks is never one word."""
    return text_words(article.text, block_edges(article))


def block_edges(article: Scan) -> Ints:
    """Return the starts and ends of an article's blocks, ascending."""
    elements = article.elements
    blocks = elements.having(lambda tag: plain_role(tag) is not Role.TEXT or tag in PARENT_DECIDES)
    return np.unique(np.concatenate((elements.starts[blocks], elements.ends[blocks])))


def as_compared(word: str) -> str:
    word = word.lower()
    return word if word.isascii() else unicodedata.normalize("NFC", word).replace("\u2019", "'")


def _compared(text: str, starts: Ints, ends: Ints) -> list[str]:
    places = zip(starts.tolist(), ends.tolist(), strict=True)
    if text.isascii():
        lower = text.lower()
        return [lower[start:end] for start, end in places]
    lower = text.lower()
    if len(lower) != len(text):  # a letter became two
        return [as_compared(text[start:end]) for start, end in places]
    words = [lower[start:end] for start, end in places]
    foreign = np.append(0, np.cumsum(_codes(text) > _LAST_ASCII))
    for number in np.flatnonzero(foreign[ends] > foreign[starts]).tolist():
        words[number] = as_compared(text[starts[number] : ends[number]])
    return words


def _pieces(text: str, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Separate ideographs and cut words that are too long."""
    parted = ends - starts > LONGEST
    if not text.isascii() and (beyond := _codes(text) >= _FIRST_IDEOGRAPH).any():
        before = np.append(0, np.cumsum(beyond))
        parted |= before[ends] > before[starts]
    if not parted.any():
        return starts, ends
    found = [
        (start + piece.start(), start + piece.end())
        for start, end in zip(starts[parted].tolist(), ends[parted].tolist(), strict=True)
        for piece in _PIECE.finditer(text[start:end])
    ]
    pieces = np.array(found, np.int64).reshape(-1, 2)
    return (
        np.sort(np.concatenate((starts[~parted], pieces[:, 0]))),
        np.sort(np.concatenate((ends[~parted], pieces[:, 1]))),
    )


# The text of an article as lists show it: with a blank between blocks that the text does not separate.


class SpacedText(NamedTuple):
    """A text with a blank inserted at each of the ``edges``, which are offsets in the article's own text."""

    text: str
    edges: Ints

    def starts(self, offsets: Ints) -> Ints:
        """Convert starts of stretches from offsets of the article to offsets of this text."""
        moved: Ints = offsets + self.edges.searchsorted(offsets, side="right")
        return moved

    def ends(self, offsets: Ints) -> Ints:
        """Convert ends of stretches from offsets of the article to offsets of this text."""
        moved: Ints = offsets + self.edges.searchsorted(offsets, side="left")
        return moved

    def between(self, start: int, end: int) -> str:
        """Return the characters ``[start, end)`` of the article as they are in this text."""
        first, last = self.starts(np.array([start])), self.ends(np.array([end]))
        return self.text[int(first[0]) : int(last[0])]


def spaced_text(article: Scan) -> SpacedText:
    text, edges = article.text, block_edges(article)
    inner = edges[(edges > 0) & (edges < len(text))]
    pieces = pairwise([0, *inner.tolist(), len(text)])
    return SpacedText(" ".join(text[start:end] for start, end in pieces), inner)


Int32 = NDArray[np.int32]
Integers = NDArray[np.integer[Any]]

FACTS = "facts.json"
COLUMNS = {
    "documents": "<i4",  # (d+1,) the first word of each document
    "characters": "<i4",  # (d,) its length in code points
    "terms": "<i4",  # (n,) the number of each word in the vocabulary
    "starts": "<i4",  # (n,) its start in its document, in code points
    "sizes": "|u1",  # (n,) its number of code points
    "spelling": "|u1",  # the vocabulary in UTF-8, sorted
    "spelling_ends": "<i8",  # (v+1,)
    "postings": "<i4",  # (n,) the words of the segment, sorted by term
    "posting_documents": "<i4",  # (n,) the document of each of these; "<u2" if they are few enough
    "posting_ends": "<i8",  # (v+1,)
    "document_counts": "<i4",  # (v,) the number of documents with each term
    "elements": "<i4",  # (d+1,) the first element of each document; only elements with words are kept
    "element_tags": "<i4",  # (e,)
    "element_spans": "<i4",  # (e, 4): first word, word after the last, first character, character after it
}
SEPARATOR = "\0"  # between ids: no file name can contain it
_COPIED = 1 << 22
_KEPT_WORDS = 1 << 16
_BLOCK = 6  # bits, of 64 words


class BrokenSegmentError(DataError):
    """A segment is damaged, cut short or of another version, and has to be made again."""


@dataclass(frozen=True, slots=True)
class SegmentFacts:
    """The facts of a segment that are not columns."""

    documents: int
    words: int
    unreadable: int
    tags: tuple[str, ...]
    sums: dict[str, tuple[int, ...]]
    """Size in bytes and CRC-32 of each file."""


class Segment:
    """The words of neighbouring documents; any number of threads may read."""

    def __init__(self, folder: Path) -> None:
        """Open a segment and verify it once; raises BrokenSegmentError."""
        self.folder = folder
        try:
            said = json.loads((folder / FACTS).read_bytes())
            self.facts = SegmentFacts(
                int(said["documents"]),
                int(said["words"]),
                int(said["unreadable"]),
                tuple(map(str, said["tags"])),
                {
                    name: (int(said["sums"][name][0]), int(said["sums"][name][1]))
                    for name in ("ids", *COLUMNS)
                },
            )
            for name, known in self.facts.sums.items():
                if _sum(folder / name) != known:
                    raise BrokenSegmentError("the index of words is damaged", path=folder / name)
            self._ids = (folder / "ids").read_text("utf-8")
            self._maps = {name: _mapped(folder / name) for name in COLUMNS}
            columns = {
                name: np.frombuffer(self._maps[name], column_kind(name, self.facts.documents))
                for name in COLUMNS
            }
            if [len(columns["characters"]), len(columns["terms"])] != [
                self.facts.documents,
                self.facts.words,
            ]:
                raise BrokenSegmentError("the index of words is damaged", path=folder / FACTS)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BrokenSegmentError("the index of words is damaged", path=folder) from error
        self.documents: Int32 = columns["documents"]
        self.characters: Int32 = columns["characters"]
        self.terms: Int32 = columns["terms"]
        self.starts: Int32 = columns["starts"]
        self.sizes: NDArray[np.uint8] = columns["sizes"]
        self.document_counts: Int32 = columns["document_counts"]
        self.elements: Int32 = columns["elements"]
        self.element_tags: Int32 = columns["element_tags"]
        self.element_spans: Int32 = columns["element_spans"].reshape(-1, 4)
        self._spelling = columns["spelling"]
        self._spelling_ends: Ints = columns["spelling_ends"]
        self._postings: Int32 = columns["postings"]
        self._posting_documents: Integers = columns["posting_documents"]
        self._posting_ends: Ints = columns["posting_ends"]

    @cached_property
    def ids(self) -> list[str]:
        """The ids of its documents, in the order of the collection."""
        return self._ids.split(SEPARATOR) if self._ids else []

    @property
    def vocabulary(self) -> int:
        return len(self.document_counts)

    @cached_property
    def word(self) -> Callable[[int], str]:
        """Returns a word by its number, with a cache: those of the best documents are needed again."""
        return lru_cache(_KEPT_WORDS)(lambda term: self._bytes(term).decode())

    @cached_property
    def term(self) -> Callable[[str], int | None]:
        """Returns the number of a word, None if no document contains it.

        The same words are looked up repeatedly: for counts, for scores, and by the next query.
        """

        def searched(word: str) -> int | None:
            wanted = word.encode("utf-8", "surrogatepass")
            at = bisect_left(range(self.vocabulary), wanted, key=self._bytes)
            return at if at < self.vocabulary and self._bytes(at) == wanted else None

        return lru_cache(_KEPT_WORDS)(searched)

    def beginning_with(self, prefix: str) -> range:
        wanted, terms = prefix.encode("utf-8", "surrogatepass"), range(self.vocabulary)
        first = bisect_left(terms, wanted, key=self._bytes)
        return range(first, bisect_left(terms, wanted + b"\xff", key=self._bytes))

    def postings(self, terms: range) -> Int32:
        """Return the places of neighbouring terms: numbers of words, ascending for each term."""
        return self._postings[self._posting_ends[terms.start] : self._posting_ends[terms.stop]]

    def posting_documents(self, terms: range) -> Integers:
        """Return the documents, from 0, of the places of these terms; of the same shape."""
        return self._posting_documents[self._posting_ends[terms.start] : self._posting_ends[terms.stop]]

    def frequency(self, term: int) -> int:
        return int(self._posting_ends[term + 1] - self._posting_ends[term])

    def documents_of(self, words: Int32 | Ints) -> Ints:
        """Return the document, from 0, of each of these words; shape as given."""
        of: Ints = self._first_of_block.take(words >> _BLOCK)
        behind = self.documents[1:]
        while (later := behind.take(of) <= words).any():
            of += later
        return of

    @cached_property
    def _first_of_block(self) -> Ints:
        """The document of every 64th word: searching from there is faster than bisection."""
        blocks = np.arange(0, self.facts.words + 1, 1 << _BLOCK, dtype=np.int32)
        return self.documents.searchsorted(blocks, side="right") - 1

    @cached_property
    def lengths(self) -> Int32:
        """The number of words in each document, shape (d,)."""
        lengths: Int32 = np.diff(self.documents)
        return lengths

    def release_pages(self) -> None:
        """Return the pages that were read to the system, which keeps them cached as long as it can."""
        for pages in self._maps.values():
            if isinstance(pages, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
                pages.madvise(mmap.MADV_DONTNEED)

    def tag(self, name: str) -> int | None:
        """Return the number of a tag, None if no element has it."""
        return self.facts.tags.index(name) if name in self.facts.tags else None

    def _bytes(self, term: int) -> bytes:
        return self._spelling[self._spelling_ends[term] : self._spelling_ends[term + 1]].tobytes()


def column_kind(name: str, documents: int) -> str:
    """Return the type of a column in a segment of so many documents."""
    return "<u2" if name == "posting_documents" and documents < 1 << 16 else COLUMNS[name]


def sums(folder: Path) -> dict[str, tuple[int, int]]:
    """Return size and CRC-32 of the files of a segment, except its facts."""
    return {name: _sum(folder / name) for name in ("ids", *COLUMNS)}


def _sum(path: Path) -> tuple[int, int]:
    checked = size = 0
    with path.open("rb") as file:
        while piece := file.read(_COPIED):
            checked, size = crc32(piece, checked), size + len(piece)
    return size, checked


def _mapped(path: Path) -> mmap.mmap | bytes:
    """Return a file's bytes, read from disk on access."""
    with path.open("rb") as file:
        if path.stat().st_size == 0:  # cannot be mapped
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


# Collects the words of articles in memory and writes them as a segment.


class SegmentWriter:
    """Collects articles, and writes their words as one segment."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.unreadable = 0
        self._vocabulary = Numbering()
        self._tags = Numbering()
        self._documents = array("i", [0])
        self._characters = array("i")
        self._terms, self._starts, self._sizes = array("i"), array("i"), array("B")
        self._elements = array("i", [0])
        self._element_tags, self._element_spans = array("i"), array("i")

    @property
    def words(self) -> int:
        return len(self._terms)

    def add(self, id: str, article: Scan | None) -> None:
        """Add an article; None for an unreadable one, which keeps its number and has no words."""
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
        """Write the segment to a new folder, completely or, on failure, not at all."""
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
        # The number of documents of each term: its postings in one document are adjacent.
        by_term = terms[postings]
        first = np.ones(len(within), bool)
        first[1:] = (by_term[1:] != by_term[:-1]) | (within[1:] != within[:-1])
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
            "document_counts": np.bincount(by_term[first], minlength=len(spelled)),
            "elements": np.frombuffer(self._elements, np.int32),
            "element_tags": np.frombuffer(self._element_tags, np.int32),
            "element_spans": np.frombuffer(self._element_spans, np.int32),
        }
