"""What the pen takes when a drag ends somewhere within a word or a sentence.

Growing is always outward: what was dragged over stays marked, and marks begin and end with something to see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from inexview.core.article.blocks import BlockKind
from inexview.core.article.document import Document
from inexview.core.article.sentences import Sentences
from inexview.core.article.word_units import WordUnits
from inexview.core.text.spans import Spans

_VISIBLE = re.compile(r"\S")
_FACTS = (BlockKind.FIELD, BlockKind.META)
_WIDEST_GAP = 2_000  # characters of white space that two marks may join over


class Granularity(Enum):
    """How far a drag grows."""

    CHARACTER = "character"
    WORD = "word"
    SENTENCE = "sentence"
    PARAGRAPH = "paragraph"
    ELEMENT = "element"


@dataclass(frozen=True, slots=True)
class Target:
    """One of the units that hold a place; an element is called by its tag."""

    name: str
    start: int
    end: int
    unit: Granularity


class Snapper:
    """Grows drags over one article; answers in some ten microseconds once a block has been touched."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._document = document
        self.sentences = Sentences(document.text, document.blocks)
        self._words = WordUnits(document.text, document.blocks)

    def grow(self, start: int, end: int, granularity: Granularity) -> tuple[int, int]:
        """Return the span that a drag over ``[start, end)`` takes; the two may come in either order.

        CHARACTER gives what was dragged over.  The others hold at least its visible characters; a drag over
        nothing but white space (or over nothing) takes the unit that it touches: the one before it.
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
        """Return a span grown over the white space between it and its neighbours among the marks.

        Marking one sentence after another then gives what one drag over all of them gives.
        """
        before, behind = self._with_space(start, end)
        return before if before - 1 in marks else start, behind if behind in marks else end

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Return a span without the white space at its ends; empty where there is nothing else."""
        shown = self._text[start:end]
        lead = len(shown) - len(shown.lstrip())
        return (start, start) if lead == len(shown) else (start + lead, start + len(shown.rstrip()))

    def cleared(self, start: int, end: int, marks: Spans) -> tuple[int, int]:
        """Return a span grown over the marked white space around it, which erasing it would leave behind."""
        before, behind = self._with_space(start, end)
        return before if start - 1 in marks else start, behind if end in marks else end

    def _with_space(self, start: int, end: int) -> tuple[int, int]:
        lead = self._text[max(0, start - _WIDEST_GAP) : start]
        tail = self._text[end : end + _WIDEST_GAP]
        return start - len(lead) + len(lead.rstrip()), end + len(tail) - len(tail.lstrip())

    def targets(self, offset: int, unit: Granularity) -> list[Target]:
        """Return what a character may stand for, from the narrowest to the widest, each visible extent once.

        These are its word, sentence and paragraph, and the elements that hold more; elements only, where they
        are the ``unit``.
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
        """Return where the next unit begins; behind the last one, where it begins itself."""
        starts = self._starts_from(offset, unit)
        return next((start for start in starts if start > offset), self.grow(offset, offset, unit)[0])

    def stop_after(self, offset: int, unit: Granularity) -> int:
        """Return where the next unit begins that one reads; behind the last one, where it begins itself.

        White space before all of the text is where the first unit begins: no one sees the difference.
        """
        if (first := _VISIBLE.search(self._text)) is not None:
            offset = max(offset, first.start())
        starts = self._starts_from(offset, unit)
        stops = (start for start in starts if start > offset and not self._is_passed(start, unit))
        return next(stops, self.grow(offset, offset, unit)[0])

    def stop_before(self, offset: int, unit: Granularity) -> int:
        """Return where the unit that one reads at an offset, or else the one before, begins."""
        starts = self._starts_back_from(offset, unit)
        return next(
            (start for start in starts if start < offset and not self._is_passed(start, unit)), offset
        )

    def reach_after(self, offset: int, unit: Granularity) -> int:
        """Return how far one unit more reaches: to where the next begins, behind the last one to its end.

        The white space behind a unit is no unit: from there it takes the next one whole.
        """
        starts = (start for start in self._starts_from(offset, unit) if start > offset)
        following = next(starts, None)
        if following is not None and self._text[offset:following].isspace():
            return next(starts, self.grow(following, following + 1, unit)[1])
        return self.grow(offset, offset, unit)[1] if following is None else following

    def start_before(self, offset: int, unit: Granularity) -> int:
        """Return where the unit that holds an offset begins; at its beginning, where the one before does."""
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
        """Tell whether a reader goes past a block: what is said about the article ("conversion warning 0").

        Going by paragraphs one passes panels of facts, too, whose facts are as many paragraphs.
        """
        blocks = self._document.blocks
        index = blocks.at(offset)
        if unit not in (Granularity.SENTENCE, Granularity.PARAGRAPH) or blocks[index].kind not in _FACTS:
            return False
        beside = blocks[max(index - 1, 0) : index + 2]
        in_panel = blocks[index].box >= 0 and sum(block.box == blocks[index].box for block in beside) > 1
        return unit is Granularity.PARAGRAPH or not in_panel

    def sentence_at(self, offset: int) -> tuple[int, int]:
        """Return the sentence that holds a character; of white space, the sentence before it."""
        return self.sentences.at(offset)

    def entry_point_at(self, offset: int) -> int:
        """Return where reading would begin if somebody pointed here: the start of the sentence."""
        return self.sentences.at(offset)[0]

    def paragraph_at(self, offset: int) -> tuple[int, int]:
        """Return the visible part of the display block that holds a character."""
        blocks = self._document.blocks
        if not len(blocks):
            return offset, offset
        index = blocks.at(offset)
        return self.trimmed(int(blocks.starts[index]), int(blocks.ends[index]))

    def word_at(self, offset: int) -> tuple[int, int]:
        """Return the word that holds a character."""
        return self._words.at(offset)

    def _visible(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and the last visible character of a span; if none, the one before, twice."""
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
