"""How the pen extends a drag that ends within a word or a sentence.

Extending is always outward: the dragged text stays marked, and marks begin and end with a visible character.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from unicodedata import category

from inexview.core.article.blocks import BlockKind, Blocks
from inexview.core.article.document import Document
from inexview.core.text.spans import Spans

# Where sentences begin and end: nupunkt, with corrections for its known errors.
#
# On tests/data/sentences/gold.txt (170 boundaries) nupunkt 0.8 alone reaches F 0.81, with the corrections
# 0.985; on the 46 that were written after the rules, 0.958.  Corrected are: footnote marks, which belong to
# the previous sentence (`end.[27] Next`), titles that it does not know (`Lt. Marsh`), exclamation marks in
# names (`Yahoo! played`), numbers that count (`2. Second`), boundaries that it misses between ordinary words
# (`at dusk. No one`), Chinese and Japanese full stops, which no white space follows, and those of other
# scripts.

# A single unit, even with several full stops.
_WHOLE = {
    BlockKind.TITLE, BlockKind.HEADING, BlockKind.TERM, BlockKind.META, BlockKind.MATH, BlockKind.BYLINE,
}  # fmt: skip

_CLOSERS = r"[\"'”’»)\]」』）】]"
_NOTES = r"(?:\[[^\[\]\s][^\[\]\n]{0,24}\])"  # [27], [a], [citation needed]
_NOTES_AFTER_STOP = re.compile(rf"{_CLOSERS}*{_NOTES}+\s*")
_STOP_AND_NOTES = re.compile(rf"[.!?…]{_CLOSERS}*{_NOTES}+\s+(?=[^\s\[a-z])")
_CJK_STOP = re.compile(rf"[。！？｡]+{_CLOSERS}*(?:{_NOTES}+)?\s*")
# Arabic and Urdu, Devanagari, Armenian, Ethiopic, Khmer, Burmese.
_OTHER_STOPS = "؟۔।॥։።፧។။"
_OTHER_STOP = re.compile(rf"(?<![{_OTHER_STOPS}])[{_OTHER_STOPS}]+{_CLOSERS}*{_NOTES}*\s+")
_QUOTED_ON = "とってはがをにのでも、，" + "。！？"  # after 」 these continue the quoting sentence
# A word of four small letters or more before a capital is not an abbreviation, except these.
_PLAIN_STOP = re.compile(r"\b([^\W\d_A-Z]{4,})[.!?]['\"”’)]*\s+(?=[\"“‘'(]?(?:[^\W\d_a-z][^\W\d_]|[AI]\s))")
_LONG_ABBREVIATIONS = frozenset(
    ("approx", "assn", "assoc", "capt", "corp", "dept", "govt", "intl", "messrs", "natl", "prof", "univ")
)
_TITLES = frozenset(
    (
        "Adm", "Brig", "Capt", "Cdr", "Cmdr", "Col", "Comdr", "Cpl", "Dr", "Gen", "Gov", "Hon", "Lt", "Maj",
        "Messrs", "Mlle", "Mme", "Mr", "Mrs", "Ms", "Msgr", "Pres", "Prof", "Rep", "Rev", "Sen", "Sgt",
        "Supt",
    )
)  # fmt: skip
_LAST_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]+)\.\s*\Z")
_COUNTER = re.compile(r"\(?\d{1,3}[.)]\s*\Z")
_WORD = re.compile(r"\w+")
_KEPT = 60  # characters at each end of a string that is too long for a word
_NO_WORD = re.compile(rf"(?<!\S)(\S{{{_KEPT}}})(\S{{{2 * _KEPT},}})(?=\S{{{_KEPT}}}(?!\S))")


def load_sentence_model() -> None:
    """Load nupunkt and its model (about 60 ms), so that the first request for a sentence does not wait.

    Meant for a background thread at start-up; any thread may call it, at any time.
    """
    sentence_starts("Warm. Now.")


def sentence_starts(text: str) -> list[int]:
    """Return where each sentence of one paragraph starts; the first is the first visible character."""
    first = len(text) - len(text.lstrip())
    if first == len(text):
        return []
    from nupunkt import sent_spans  # here, because its import alone takes 50 ms of a cold start

    # nupunkt searches from the word's beginning for each stop within one word.
    words = _NO_WORD.sub(lambda found: found[1] + "x" * len(found[2]), text)
    cuts = {_after_notes(text, start) for start, _ in sent_spans(words)}
    cuts.update(found.end() for found in _STOP_AND_NOTES.finditer(text))
    cuts.update(found.end() for found in _PLAIN_STOP.finditer(text) if found[1] not in _LONG_ABBREVIATIONS)
    if not text.isascii():
        cuts.update(_cjk_cuts(text))
        cuts.update(stop.end() for stop in _OTHER_STOP.finditer(text))
    starts = [first]
    for cut in sorted(cuts):
        if first < cut < len(text) and not _goes_on(text, starts[-1], cut):
            starts.append(cut)
    return starts


def _after_notes(text: str, cut: int) -> int:
    """Move a boundary between a full stop and its footnote marks to after them."""
    while cut < len(text) and text[cut].isspace():
        cut += 1
    if cut and not text[cut - 1].isspace() and (notes := _NOTES_AFTER_STOP.match(text, cut)):
        return notes.end()
    return cut


def _cjk_cuts(text: str) -> list[int]:
    cuts = []
    for stop in _CJK_STOP.finditer(text):
        end = stop.end()
        quoted = stop[0].rstrip()[-1:] in "」』"
        if not (quoted and text[end : end + 1] in _QUOTED_ON):
            cuts.append(end)
    return cuts


def _goes_on(text: str, start: int, cut: int) -> bool:
    """Return whether the sentence that began at ``start`` continues after ``cut``."""
    before = text[max(start, cut - 40) : cut]
    word = _LAST_WORD.search(before)
    if word and word[1] in _TITLES:
        return True
    if start + len(before) == cut and _COUNTER.fullmatch(before):
        return True
    after = _WORD.match(text, cut)
    return after is not None and after[0].islower()  # "iPhones" and "1914" may begin a sentence


class Sentences:
    """The sentences of an article, found block by block on demand.

    A sentence never crosses a block; a heading is one.  The white space after a sentence is not part of it.
    """

    def __init__(self, text: str, blocks: Blocks) -> None:
        self._text = text
        self._blocks = blocks
        self._found: dict[int, tuple[list[int], list[int]]] = {}

    def of_block(self, index: int) -> tuple[list[int], list[int]]:
        """Return the starts and the ends of a block's sentences, as offsets in the text.

        The lists are empty if the block is blank.
        """
        found = self._found.get(index)
        if found is None:
            found = self._found[index] = self._split(index)
        return found

    def at(self, offset: int) -> tuple[int, int]:
        """Return the sentence that contains a character, or the nearest one in its block.

        For white space it is the previous sentence, if any; (offset, offset) only if there is no text.
        """
        index = self._blocks.at(offset)
        starts, ends = self.of_block(index) if len(self._blocks) else ([], [])
        if not starts:
            return offset, offset
        number = max(bisect_right(starts, offset) - 1, 0)
        return starts[number], ends[number]

    def _split(self, index: int) -> tuple[list[int], list[int]]:
        block = self._blocks[index]
        text = self._text[block.start : block.end].rstrip()
        if not text:
            return [], []
        whole = block.kind in _WHOLE
        starts = [len(text) - len(text.lstrip())] if whole else sentence_starts(text)
        ends = [
            block.start + start + len(text[start:end].rstrip())
            for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
        ]
        return [block.start + start for start in starts], ends


# The words of an article, as the pen uses them.
#
# A word is a run of letters and digits with their marks; other characters are words by themselves, as seen by
# readers: a flag made of two letters, people joined to one picture (Unicode's grapheme clusters). Chinese and
# Japanese put no space between words: each of their characters is a word. Thai, Lao, Khmer and Burmese words
# could only be separated by a dictionary: the text between two spaces is a word.

_JOINERS = "'’·-‐‑״׳\u00ad\u200c\u200d"  # between two letters these do not end a word
_POINTS = ".,"  # nor do these between two digits
_LETTER = re.compile(r"\w")
_HEBREW = re.compile("[\u05d0-\u05ea]")
_FIRST_MARK = "\u0300"
_LONGEST = 200  # characters examined on either side
_LONGEST_CLUSTER = 40


class WordUnits:
    """The words of a text in blocks, found on demand."""

    def __init__(self, text: str, blocks: Blocks) -> None:
        self._text = text
        self._blocks = blocks

    def at(self, offset: int) -> tuple[int, int]:
        """Return the word that contains a character; punctuation and CJK characters are words of their own.

        No word extends into another block, even if there is no white space between a title and its text.
        """
        if not 0 <= offset < len(self._text):
            return offset, offset
        if self._text[offset].isspace():
            return offset, offset + 1
        block = self._blocks.at(offset)
        first, last = int(self._blocks.starts[block]), int(self._blocks.ends[block])
        if not self._in_word(offset, first, last):
            return self._cluster(offset, first, last)
        low, high = max(offset - _LONGEST, first), min(offset + _LONGEST, last)
        start, end = offset, offset + 1
        while start > low and self._in_word(start - 1, first, last):
            start -= 1
        while end < high and self._in_word(end, first, last):
            end += 1
        return start, end

    def starts_from(self, offset: int, end: int | None = None) -> Iterator[int]:
        """Yield where words of letters or digits begin, from an offset on."""
        end = len(self._text) if end is None else end
        while found := _LETTER.search(self._text, offset, end):
            start, offset = self.at(found.start())
            if start == found.start():  # otherwise it began earlier
                yield start

    def starts_back_from(self, offset: int) -> Iterator[int]:
        """Yield where such words begin, backwards from before an offset."""
        while offset > 0:
            before = max(offset - _LONGEST, 0)
            yield from reversed(list(self.starts_from(before, offset)))
            offset = before

    def _in_word(self, offset: int, first: int, last: int) -> bool:
        """Return whether a character of the block ``[first, last)`` belongs to a word."""
        text = self._text
        character = text[offset]
        inside = first < offset < last - 1
        if character in _JOINERS:
            return inside and _is_letter(text[offset - 1]) and _is_letter(text[offset + 1])
        if character in _POINTS:
            return inside and text[offset - 1].isdecimal() and text[offset + 1].isdecimal()
        if character == '"':  # in Hebrew abbreviations
            return inside and all(map(_HEBREW.match, (text[offset - 1], text[offset + 1])))
        first = max(first, offset - _LONGEST)
        while offset > first and _is_mark(text[offset]):  # it belongs to its base character
            offset -= 1
        return _is_letter(text[offset])

    def _cluster(self, offset: int, first: int, last: int) -> tuple[int, int]:
        """Return the grapheme cluster of a character outside words."""
        low, high = max(offset - _LONGEST_CLUSTER, first), min(offset + _LONGEST_CLUSTER, last)
        if all(character < _FIRST_MARK for character in self._text[offset : offset + 2]):
            return offset, offset + 1
        import regex  # here, because it takes 20 ms and is not needed at start-up

        seen = regex.finditer(r"\X", self._text, pos=low, endpos=high)
        start, end = next(one.span() for one in seen if one.end() > offset)
        return int(start), int(end)


def _is_letter(character: str) -> bool:
    if "\u2e80" <= character <= "\u9fff" or "\U00020000" <= character <= "\U0003ffff":
        return False  # Chinese and Japanese
    return character.isalnum() or character == "_" or _is_mark(character)


def _is_mark(character: str) -> bool:
    return character >= _FIRST_MARK and category(character)[0] == "M"


_VISIBLE = re.compile(r"\S")
_FACTS = (BlockKind.FIELD, BlockKind.META)
_WIDEST_GAP = 2_000  # characters of white space that two marks may join over


class Granularity(Enum):
    """The unit to which a drag is extended."""

    CHARACTER = "character"
    WORD = "word"
    SENTENCE = "sentence"
    PARAGRAPH = "paragraph"
    ELEMENT = "element"


@dataclass(frozen=True, slots=True)
class Target:
    """One of the units around a place; an element is named by its tag."""

    name: str
    start: int
    end: int
    unit: Granularity


class Snapper:
    """Extends drags over one article; takes some ten microseconds once a block has been used."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._document = document
        self.sentences = Sentences(document.text, document.blocks)
        self._words = WordUnits(document.text, document.blocks)

    def grow(self, start: int, end: int, granularity: Granularity) -> tuple[int, int]:
        """Return the span of a drag over ``[start, end)``; the two may be in either order.

        CHARACTER gives exactly the dragged text.  The others contain at least its visible characters; a drag
        over white space only (or over nothing) takes the unit next to it: the previous one.
        """
        start, end = sorted(min(max(offset, 0), len(self._text)) for offset in (start, end))
        if granularity is Granularity.CHARACTER:
            return start, end
        first, last = self._visible(start, end)
        if granularity is Granularity.ELEMENT:
            index = self._document.elements.around(first, last + 1)
            return int(self._document.elements.starts[index]), int(self._document.elements.ends[index])
        unit = _UNITS[granularity]
        return unit(self, first)[0], unit(self, last)[1]

    def joined(self, start: int, end: int, marks: Spans) -> tuple[int, int]:
        """Return a span extended over the white space between it and its neighbours among the marks.

        Marking sentences one after another then equals one drag over all of them.
        """
        before, behind = self._with_space(start, end)
        return before if before - 1 in marks else start, behind if behind in marks else end

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Return a span without the white space at its ends; empty if there is nothing else."""
        shown = self._text[start:end]
        lead = len(shown) - len(shown.lstrip())
        return (start, start) if lead == len(shown) else (start + lead, start + len(shown.rstrip()))

    def cleared(self, start: int, end: int, marks: Spans) -> tuple[int, int]:
        """Return a span extended over the marked white space around it, which erasing it would leave."""
        before, behind = self._with_space(start, end)
        return before if start - 1 in marks else start, behind if end in marks else end

    def _with_space(self, start: int, end: int) -> tuple[int, int]:
        lead = self._text[max(0, start - _WIDEST_GAP) : start]
        tail = self._text[end : end + _WIDEST_GAP]
        return start - len(lead) + len(lead.rstrip()), end + len(tail) - len(tail.lstrip())

    def targets(self, offset: int, unit: Granularity) -> list[Target]:
        """Return the units around a character, from the narrowest to the widest, each visible extent once.

        These are its word, sentence and paragraph, and the larger elements; only elements, if they are the
        ``unit``.
        """
        elements = self._document.elements
        units = () if unit is Granularity.ELEMENT else tuple(_UNITS)
        listed = [Target(one.value, *self.grow(offset, offset + 1, one), one) for one in units]
        for index in elements.holding(offset, offset + 1):
            extent = int(elements.starts[index]), int(elements.ends[index])
            listed.append(Target(elements.tags[index], *extent, Granularity.ELEMENT))
        wider: list[Target] = []
        reach = (offset, offset)
        for target in listed:
            first, last = self._visible(target.start, target.end)
            if first <= reach[0] and last + 1 >= reach[1] and (first, last + 1) != reach:
                wider.append(target)
                reach = first, last + 1
        return wider

    def start_after(self, offset: int, unit: Granularity) -> int:
        """Return where the next unit begins; after the last one, where it begins itself."""
        starts = self._starts_from(offset, unit)
        return next((start for start in starts if start > offset), self.grow(offset, offset, unit)[0])

    def stop_after(self, offset: int, unit: Granularity) -> int:
        """Return where the next unit to read begins; after the last one, where it begins itself.

        White space before the whole text counts as the start of the first unit, which looks the same.
        """
        if (first := _VISIBLE.search(self._text)) is not None:
            offset = max(offset, first.start())
        starts = self._starts_from(offset, unit)
        stops = (start for start in starts if start > offset and not self._is_passed(start, unit))
        return next(stops, self.grow(offset, offset, unit)[0])

    def stop_before(self, offset: int, unit: Granularity) -> int:
        """Return where the unit at an offset, or else the previous readable one, begins."""
        starts = self._starts_back_from(offset, unit)
        return next(
            (start for start in starts if start < offset and not self._is_passed(start, unit)), offset
        )

    def reach_after(self, offset: int, unit: Granularity) -> int:
        """Return the end of an extension by one unit: where the next begins, or the end of the last one.

        The white space after a unit is not a unit: from there the whole next unit is added.
        """
        starts = (start for start in self._starts_from(offset, unit) if start > offset)
        following = next(starts, None)
        if following is not None and self._text[offset:following].isspace():
            return next(starts, self.grow(following, following + 1, unit)[1])
        return self.grow(offset, offset, unit)[1] if following is None else following

    def start_before(self, offset: int, unit: Granularity) -> int:
        """Return where the unit at an offset begins; at its beginning, where the previous one does."""
        starts = self._starts_back_from(offset, unit)
        return next((start for start in starts if start < offset), offset)

    def _starts_from(self, offset: int, unit: Granularity) -> Iterator[int]:
        if unit is Granularity.CHARACTER:
            yield from (found.start() for found in _VISIBLE.finditer(self._text, max(offset - 1, 0)))
        elif unit is Granularity.WORD:
            yield from self._words.starts_from(offset)
        elif unit is Granularity.ELEMENT:
            starts = self._document.elements.starts
            yield from starts[int(starts.searchsorted(offset, side="right")) :].tolist()
        else:
            blocks = self._document.blocks
            for index in range(blocks.at(offset) if len(blocks) else 0, len(blocks)):
                yield from self._starts_in(index, unit)

    def _starts_back_from(self, offset: int, unit: Granularity) -> Iterator[int]:
        if unit is Granularity.CHARACTER:
            seen = _VISIBLE.finditer(self._text, max(offset - _WIDEST_GAP, 0), offset)
            yield from reversed([found.start() for found in seen])
        elif unit is Granularity.WORD:
            yield from self._words.starts_back_from(offset)
        elif unit is Granularity.ELEMENT:
            starts = self._document.elements.starts
            yield from reversed(starts[: int(starts.searchsorted(offset))].tolist())
        else:
            blocks = self._document.blocks
            for index in range(blocks.at(offset) if len(blocks) else -1, -1, -1):
                yield from reversed(self._starts_in(index, unit))

    def _starts_in(self, block: int, unit: Granularity) -> list[int]:
        starts, _ = self.sentences.of_block(block)
        return starts if unit is Granularity.SENTENCE else starts[:1]

    def _is_passed(self, offset: int, unit: Granularity) -> bool:
        """Return whether reading skips a block: metadata of the article ("conversion warning 0").

        Paragraph by paragraph, panels of facts are skipped too, because each fact is a paragraph.
        """
        blocks = self._document.blocks
        index = blocks.at(offset)
        if unit not in (Granularity.SENTENCE, Granularity.PARAGRAPH) or blocks[index].kind not in _FACTS:
            return False
        beside = blocks[max(index - 1, 0) : index + 2]
        in_panel = blocks[index].box >= 0 and sum(block.box == blocks[index].box for block in beside) > 1
        return unit is Granularity.PARAGRAPH or not in_panel

    def sentence_at(self, offset: int) -> tuple[int, int]:
        """Return the sentence that contains a character; for white space, the previous sentence."""
        return self.sentences.at(offset)

    def entry_point_at(self, offset: int) -> int:
        """Return where reading would begin for a click here: the start of the sentence."""
        return self.sentences.at(offset)[0]

    def paragraph_at(self, offset: int) -> tuple[int, int]:
        """Return the visible part of the display block that contains a character."""
        blocks = self._document.blocks
        if not len(blocks):
            return offset, offset
        index = blocks.at(offset)
        return self.trimmed(int(blocks.starts[index]), int(blocks.ends[index]))

    def word_at(self, offset: int) -> tuple[int, int]:
        return self._words.at(offset)

    def _visible(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and the last visible character of a span; if none, the previous one, twice."""
        text = self._text
        if (visible := _VISIBLE.search(text, start, end)) is not None:
            last = end - 1
            while text[last].isspace():
                last -= 1
            return visible.start(), last
        here = max(min(start, len(text) - 1), 0)
        while here > 0 and text[here].isspace():
            here -= 1
        return here, here


_UNITS = {
    Granularity.WORD: Snapper.word_at,
    Granularity.SENTENCE: Snapper.sentence_at,
    Granularity.PARAGRAPH: Snapper.paragraph_at,
}
