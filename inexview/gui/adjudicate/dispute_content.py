"""What article and panel show of a document in dispute, made of the difference and what was taken so far."""

from __future__ import annotations

from collections.abc import Mapping

from inexview.core.evaluation.assessors.several_assessors import agree_among
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.project.exchange.judged_documents import judgement_of
from inexview.core.project.judging.adjudication import LAYERS, Difference, Place, choices
from inexview.core.project.judging.decisions import Ruling
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.text.spans import EMPTY
from inexview.core.text.text_quotes import Span
from inexview.core.wording import counted, percent
from inexview.gui.adjudicate.agreement_view import figure
from inexview.gui.adjudicate.ruling_panel import RulingShown
from inexview.gui.adjudicate.ruling_rows import PlaceLine
from inexview.gui.article.overlays import Contest, ContestedPlace

SHORT = {
    Ruling.A: "A's",
    Ruling.B: "B's",
    Ruling.C: "C's",
    Ruling.MAJORITY: "2 of 3",
    Ruling.UNION: "∪",
    Ruling.INTERSECTION: "∩",
    Ruling.PEN: "drawn",
    Ruling.ALONE: "as it is",
}
WORDS = 60  # characters of a place that its line shows at most

Rulings = Mapping[Span, Ruling | None]
"""What was taken for each place, None while it is open."""


def contest_of(difference: Difference, taken: Rulings, third: DocumentState, current: Span | None) -> Contest:
    """Return what the article shows of the layers."""
    places = tuple(
        ContestedPlace(place.span, number, SHORT.get(taken[place.span] or Ruling.AGREED, ""))
        for number, place in enumerate(difference.places, 1)
    )
    entries = difference.entries if difference.entries_apart and third.bep is None else ()
    return Contest(tuple(marks or EMPTY for marks in difference.marks), places, current, entries)


def rulings_of(
    difference: Difference, place: Place | None, taken: Rulings, third: DocumentState
) -> tuple[str, list[tuple[Ruling, RulingShown]]]:
    """Return what the panel calls a place (None: the entry points), and what each choice makes of it."""
    if place is None:
        return _entry_rulings(difference, third)
    at = difference.places.index(place) + 1
    shown = []
    for ruling in choices(len(difference.names)):
        spans = place.chosen(ruling)
        told = "–" if spans is None else f"{spans.size:,}"
        made = taken[place.span] is ruling
        shown.append((ruling, RulingShown(spans or EMPTY, told, taken=made, possible=spans is not None)))
    return f"This place · {at} of {len(difference.places)}", shown


def _entry_rulings(
    difference: Difference, third: DocumentState
) -> tuple[str, list[tuple[Ruling, RulingShown]]]:
    shown = []
    for ruling in choices(len(difference.names)):
        offset = difference.entry(ruling)
        made = offset is not None and third.bep == offset and difference.entries_apart
        apart = difference.entries_apart and offset is not None
        told = f"at {offset:,}" if apart else "none" if ruling in LAYERS else ""
        told = told if difference.entries_apart else ""
        shown.append((ruling, RulingShown(EMPTY, told, taken=made, possible=apart)))
    return "The best entry point" if difference.entries_apart else "No difference here", shown


def lines_of(
    difference: Difference, taken: Rulings, third: DocumentState, text: str, current: Span | None
) -> list[PlaceLine]:
    """Return a line for each place, and one for the entry points where they are a difference."""
    lines = []
    for place in difference.places:
        signs = "".join(name for name, spans in zip(LAYERS, place.marks, strict=False) if spans)
        words = " ".join(text[place.start : min(place.end, place.start + WORDS)].split())
        settled = bool(taken[place.span])
        lines.append(PlaceLine(place.span, words, signs, place.disputed, settled, current == place.span))
    if difference.entries_apart:
        entries = zip(LAYERS, difference.entries, strict=False)
        there = {name: entry for name, entry in entries if entry is not None}
        signs, words = "".join(there), "entry points apart"
        apart: int | None = max(there.values()) - min(there.values())
        if len(there) == 1:  # nothing to be apart from
            words, apart = f"only {signs} has an entry point", None
        settled = third.bep is not None or not (third.relevant or not all(taken.values()))
        lines.append(PlaceLine(None, words, signs, apart, settled, current is None))
    return lines


def figures_of(difference: Difference, third: DocumentState, length: int) -> list[tuple[str, str]]:
    """Return ∩/∪ and κ over the document's characters, and how much is settled to be relevant, with names."""
    size, layers = third.marks.size, [_alone(one, length) for one in difference.states if one is not None]
    share = f"{size:,} of {length:,} ({percent(size / length if length else 0, 1)})"
    so_far = "Third layer so far" if len(difference.names) == 2 else "Settled so far"
    overlap = kappa = "–"
    if len(layers) > 1:
        both = difference.common.size
        either = both + difference.disputed
        overlap = f"{both:,} / {either:,} = {figure(both / either)}" if either else "–"
        among = agree_among(layers)
        if len(layers) == 2:
            kappa = figure(among.pairs[0, 1].overall.compared["characters"].kappa)
        else:
            kappa = figure(among.fleiss_characters)
    what = "Fleiss’ κ, characters" if len(layers) > 2 else "κ over characters"
    return [("Characters ∩/∪", overlap), (what, kappa), (so_far, share)]


def still_open(places: int, entry: bool, *, finished: bool) -> str:
    """Say what of a document is still to be settled."""
    if finished:
        return "This document is settled."
    left = [counted(places, "place")] if places else []
    left += ["the entry point"] if entry else []
    return f"Still open here: {', '.join(left)}" if left else "Nothing is open here."


def _alone(state: DocumentState, length: int) -> Qrels:
    """Return one document as qrels of a topic without a name."""
    judgement: Judgement = judgement_of("", "", state, length)
    return Qrels.from_judgements([judgement])
