"""Passages that differ from their quotes: the differences, and a common cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from inexview.core.benchmarks.bundle import Bundle, Misfit, QuoteCheck
from inexview.core.text.counting import Convention
from inexview.core.wording import counted, some_named

HEAD, TAIL = 16, 9
"""Characters shown of the beginning and of the end of a passage, next to the difference."""
MOST_DIFFERING = 12
"""Characters shown of a stretch that differs."""


@dataclass(frozen=True, slots=True)
class CommonCause:
    """All differing passages would match ``shift`` characters further on (negative: back).

    They are in ``texts`` texts. If that is one, it is ``document``; passages that end at or before ``after``
    fit, and none after it does; 0 if none fits, or unknown.
    """

    number: int
    texts: int
    document: str
    shift: int
    after: int
    others: int
    """Number of texts whose passages all fit."""

    def sentence(self) -> str:
        """Return the cause: “All 3 are in nda.txt after character 3,289, and all match 2 characters …”."""
        way = "further on" if self.shift > 0 else "further back"
        right = f"match {counted(abs(self.shift), 'character')} {way}"
        if self.texts > 1 and not self.others:
            where = f"In all {self.texts:,} texts, passages"
            return f"{where} {right}: offsets probably count from another start."
        if self.texts > 1:
            where = f"The {self.number:,} are in {counted(self.texts, 'text')}"
            return f"{where}, and all {right}. The texts were probably changed after they were judged."
        name = self.document.rpartition("/")[2]
        after = f" after character {self.after:,}" if self.after else ""
        where = f"The one is in {name}{after}, and would {right}"
        if self.number > 1:
            where = f"All {self.number:,} are in {name}{after}, and all {right}"
        others = f" The other {counted(self.others, 'text')} {'fits' if self.others == 1 else 'fit'}."
        return f"{where}. The text was probably changed after it was judged.{others if self.others else ''}"


def common_cause(bundle: Bundle, check: QuoteCheck) -> CommonCause | None:
    """Return what all differing passages have in common; None if nothing."""
    misfits, shift = check.misfits, check.shift
    if not misfits or not shift:
        return None
    document = misfits[0].passage.document
    judged = {passage.document for passage in bundle.passages}
    after = 0
    if check.texts == 1 and len(misfits) == check.misread:  # all are known
        wrong = {one.passage for one in misfits}
        first = min(one.passage.start for one in misfits)
        here = [one for one in bundle.passages if one.document == document and one not in wrong]
        if any(one.start >= first for one in here):  # a change of the text would have moved these, too
            return None
        after = max((one.end for one in here), default=0)
    return CommonCause(check.misread, check.texts, document, shift, after, len(judged) - check.texts)


class Piece(Enum):
    """How a stretch of a quote relates to the text, or the other way round."""

    BOTH = "in both"
    READ = "read, but not in the quote"
    MISSING = "in the quote, but not read"
    LEFT_OUT = "left out here"


Line = tuple[tuple[Piece, str], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The beginning and the end of a quote, and of the text in its place, each in pieces."""

    quoted: Line
    read: Line


def difference(misfit: Misfit) -> Difference:
    """Return how the quote of a passage and its text differ at both ends or, if only there, inside."""
    quote = (misfit.passage.quote or "").replace("\r\n", "\n")
    reads = misfit.reads or ""
    shift = None if misfit.place is None else misfit.place[0] - misfit.start
    if shift is not None and 0 < abs(shift) < min(len(quote), len(reads)):
        # characters read before the quote; missing characters of it
        ahead, behind = max(shift, 0), max(-shift, 0)
        over = misfit.end - misfit.start - ahead + behind - len(quote)
        return Difference(
            _line(quote, behind, max(-over, 0), Piece.MISSING),
            _line(reads, ahead, max(over, 0), Piece.READ),
        )
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(quote, reads, strict=False)))
    left = min(len(quote), len(reads)) - same
    tails = zip(reversed(quote), reversed(reads), strict=False)
    tail = min(left, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], tails)))
    return Difference(
        _within(quote, same, len(quote) - tail, Piece.MISSING),
        _within(reads, same, len(reads) - tail, Piece.READ),
    )


def _line(text: str, first: int, last: int, kind: Piece) -> Line:
    """Return a text with its first and last characters marked as different, without its middle."""
    inner = text[first : len(text) - last]
    pieces = [(kind, _shortened(text[:first]))]
    if len(inner) > HEAD + TAIL:
        pieces += [
            (Piece.BOTH, inner[:HEAD].rstrip()),
            (Piece.LEFT_OUT, "…"),
            (Piece.BOTH, inner[-TAIL:].lstrip()),
        ]
    else:
        pieces.append((Piece.BOTH, inner))
    pieces.append((kind, _shortened(text[len(text) - last :])))
    return tuple(piece for piece in pieces if piece[1])


def _within(text: str, start: int, end: int, kind: Piece) -> Line:
    """Return the text around a differing stretch."""
    before, after = text[max(0, start - HEAD) : start], text[end : end + TAIL]
    pieces: Sequence[tuple[Piece, str]] = (
        (Piece.LEFT_OUT, "…" if start > HEAD else ""),
        (Piece.BOTH, before),
        (kind, _shortened(text[start:end])),
        (Piece.BOTH, after),
        (Piece.LEFT_OUT, "…" if end + TAIL < len(text) else ""),
    )
    return tuple(piece for piece in pieces if piece[1])


def _shortened(text: str) -> str:
    """Return a differing stretch, shortened in the middle, with · for a blank and ⏎ for a line end."""
    if len(text) > MOST_DIFFERING:
        half = MOST_DIFFERING // 2
        text = f"{text[:half]}…{text[-half:]}"
    return text.translate(_SIGNS)


_SIGNS = {ord("\n"): "⏎", ord("\r"): "⏎", **dict.fromkeys(map(ord, " \t\u00a0"), "·")}


@dataclass(frozen=True, slots=True)
class QuoteVerdict:
    """Whether passages match their quotes (None: unknown), with a headline and a detail in sentences."""

    fine: bool | None
    headline: str
    detail: str


def quote_verdict(bundle: Bundle, check: QuoteCheck, better: Convention | None = None) -> QuoteVerdict:
    """Return the verdict on a benchmark's passages; ``better`` is the convention that they would fit."""
    asked = check.passages + check.found + check.lost
    absent = f"{counted(len(check.absent), 'document')} missing: {some_named(check.absent)}."
    if check.absent and not asked:
        return QuoteVerdict(False, "The texts are missing, so no passage can be checked", absent)
    if not asked:
        if bundle.qrels is not None:
            detail = f"The grades of {bundle.qrels.name} are used; relevant documents have no passages yet."
            return QuoteVerdict(None, "Only whole documents are judged", detail)
        if not check.unquoted:
            return QuoteVerdict(None, "No passage is judged", "Documents may be judged as a whole.")
        detail = f"Their offsets are read as {check.way.name}. Check some of them by eye."
        if check.natural:
            fit = " and ".join(f"{number:,} in {way.name}" for way, number in check.natural.items())
            detail += f" Passages that begin and end at words: {fit}."
        return QuoteVerdict(None, "The file does not quote its passages", detail)
    if better is not None:
        return QuoteVerdict(
            False,
            f"No passage matches its answer if offsets are {check.way.name}",
            f"{check.fits[better]:,} of {check.passages:,} fit as {better.name}.",
        )
    fitting = check.fitting + check.found
    match = "matches its answer" if asked == 1 else "match their answers"
    headline = f"{fitting:,} of {counted(asked, 'passage')} {match}"
    details = [f"{absent[:1].upper()}{absent[1:]}"] if check.absent else []
    if check.misread:
        headline += f", {check.misread:,} {'differs' if check.misread == 1 else 'differ'}"
        cause = common_cause(bundle, check)
        details.append("Passages are moved only if you choose it." if cause is None else cause.sentence())
    if check.lost:
        headline += f", {check.lost:,} not found"
    if check.found:
        several = f", {check.twice:,} of them at the first of several places" if check.twice else ""
        details.append(f"{check.found:,} without offsets were found by their words{several}.")
    elif not details:
        way = f"Offsets are {check.way.name}."
        details.append(f"{way} Each passage was compared with the answer in its file.")
    return QuoteVerdict(not (check.misread or check.lost or check.absent), headline, " ".join(details))
