"""Where the text of one block-level element breaks into display blocks.

A blank line inside a ``<p>`` parts two paragraphs (the 2006 articles have many).  A single line feed is
either a line that its author ended on purpose (a list of links whose bullets were lost) or the wrapping of an
editor; what tells them apart is whether the next word would still have found room on the line.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

LONGEST_BLOCK = 20_000  # characters: a longer one repaints slowly (design.md: 2,000,000 in one took 114 ms)

_WRAPPED_AT_LEAST, _WRAPPED_AT_MOST = 30, 200  # no editor wraps sooner or later than this
_UNWRAPPED_LINE = re.compile(rf"[^\n]{{{_WRAPPED_AT_MOST}}}")
_SMALL_BEGINNINGS = 0.3  # share of the lines of wrapped prose that begin so, headings and all
_FULL = 0.6  # a line is full when the next word would bring it beyond this share of the longest
_MOSTLY = 2 / 3
_GAP = re.compile(r"\n(\s*\n)?\s*")  # with a group where there is a blank line
_VISIBLE = re.compile(r"\S")
_SENTENCE_END = re.compile(r"[.!?।…][\"'”’)\]]*\s+|[。！？][”’)\]」』）]*\s*")


def wrapping_width(text: str) -> int:
    """Return the length of the longest line where the text may have been wrapped by an editor, else 0."""
    if "\n" not in text or _UNWRAPPED_LINE.search(text):
        return 0
    lines = text.split("\n")
    beginnings = [line[0] for line in lines[1:] if line and not line[0].isspace()]
    if sum(map(str.islower, beginnings)) < _SMALL_BEGINNINGS * len(beginnings):
        return 0  # wrapped prose goes on in small letters; lists of names do not
    longest = max(map(len, lines))
    return longest if longest >= _WRAPPED_AT_LEAST else 0


def line_starts(text: str, start: int, end: int, width: int) -> list[tuple[int, bool]]:
    """Return (offset, tight) of each display line of the paragraph ``[start, end)`` after its first.

    ``width`` is what :func:`wrapping_width` says of the article.  ``tight`` is False after a blank line.
    """
    found = [(gap.end(), gap.lastindex is None) for gap in _GAP.finditer(text, start, end)]
    if found and found[-1][0] == end:  # nothing follows
        del found[-1]
    if found and width > 0 and _is_wrapped(text[start:end].strip(), width):
        return [(line, tight) for line, tight in found if not tight]
    return found


def preformatted_starts(text: str, start: int, end: int) -> list[tuple[int, bool]]:
    """Return (offset, True) of each line of ``[start, end)`` after its first that is not blank, its
    indentation included."""
    found = []
    offset = start
    for line in text[start:end].split("\n"):
        if offset > start and line.strip():
            found.append((offset, True))
        offset += len(line) + 1
    return found


def bounded(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets at which ``[start, end)`` is cut so that no piece exceeds LONGEST_BLOCK.

    A cut falls after a sentence, else after a word, else anywhere, and always before a visible character
    if there is one left.
    """
    while end - start > LONGEST_BLOCK:
        limit = start + LONGEST_BLOCK
        window = text[start + LONGEST_BLOCK // 2 : limit]
        cut = _last_end(_SENTENCE_END, window)
        if cut is None:
            words = window.rstrip().rfind(" ")
            cut = words + 1 if words >= 0 else len(window)
        start += LONGEST_BLOCK // 2 + cut
        if not _VISIBLE.search(text, start, end):
            return
        yield start


def _last_end(pattern: re.Pattern[str], window: str) -> int | None:
    last = None
    for found in pattern.finditer(window):
        if found.end() < len(window):  # the white space may go on behind the window
            last = found.end()
    return last


def _is_wrapped(body: str, width: int) -> bool:
    """Say whether most line feeds of a paragraph look like an editor's."""
    lines = [line.strip() for line in body.split("\n")]
    breaks = [(line, after) for line, after in itertools.pairwise(lines) if line and after]
    if not breaks:
        return False
    soft = sum(
        after[0].islower() or len(line) + 1 + len(after.split(None, 1)[0]) > _FULL * width
        for line, after in breaks
    )
    return soft >= _MOSTLY * len(breaks)
