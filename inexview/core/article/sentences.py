"""Where sentences begin and end: nupunkt, corrected where it is known to fail.

On tests/data/sentences/gold.txt (170 boundaries) nupunkt 0.8 alone reaches F 0.81, with the corrections
0.985; on the 46 that were written after the rules, 0.958.  What is corrected: footnote marks belong to the
sentence before (``end.[27] Next``), titles that it does not know (``Lt. Marsh``), exclamation marks in names
(``Yahoo! played``), numbers that count (``2. Second``), boundaries that it misses between ordinary words
(``at dusk. No one``), the stops of Chinese and Japanese, which no white space follows, and of other scripts.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from inexview.core.article.blocks import BlockKind, Blocks

# A unit by itself, however many full stops it holds.
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
_QUOTED_ON = "とってはがをにのでも、，" + "。！？"  # after 」 these go on with the sentence that quotes
# A word of four small letters or more is no abbreviation when a capital follows, but for these.
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
_KEPT = 60  # characters at each end of what is too long for a word
_NO_WORD = re.compile(rf"(?<!\S)(\S{{{_KEPT}}})(\S{{{2 * _KEPT},}})(?=\S{{{_KEPT}}}(?!\S))")


def warm() -> None:
    """Load nupunkt and its model (about 60 ms), so that the first sentence asked for does not wait.

    Meant for a background thread at start-up; any thread may call it, at any time.
    """
    sentence_starts("Warm. Now.")


def sentence_starts(text: str) -> list[int]:
    """Return where each sentence of one paragraph starts; the first is the first visible character."""
    first = len(text) - len(text.lstrip())
    if first == len(text):
        return []
    from nupunkt import sent_spans  # here, for its import alone takes 50 ms of a cold start

    # Of stops within one word nupunkt looks at each from the word's beginning.
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
    """Move a boundary that is between a full stop and its footnote marks behind them."""
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
    """Say whether the sentence that began at ``start`` goes on behind ``cut``."""
    before = text[max(start, cut - 40) : cut]
    word = _LAST_WORD.search(before)
    if word and word[1] in _TITLES:
        return True
    if start + len(before) == cut and _COUNTER.fullmatch(before):
        return True
    after = _WORD.match(text, cut)
    return after is not None and after[0].islower()  # "iPhones" and "1914" may begin a sentence


class Sentences:
    """The sentences of an article, found block by block when somebody asks.

    A sentence never crosses a block; a heading is one.  The white space after a sentence is no part of it.
    """

    def __init__(self, text: str, blocks: Blocks) -> None:
        self._text = text
        self._blocks = blocks
        self._found: dict[int, tuple[list[int], list[int]]] = {}

    def of_block(self, index: int) -> tuple[list[int], list[int]]:
        """Return the starts and the ends of a block's sentences, as offsets in the text.

        The lists are empty where the block is blank.
        """
        found = self._found.get(index)
        if found is None:
            found = self._found[index] = self._split(index)
        return found

    def at(self, offset: int) -> tuple[int, int]:
        """Return the sentence that holds a character, or the one that is nearest to it in its block.

        Of white space the sentence before it, if any; (offset, offset) only where there is no text.
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
