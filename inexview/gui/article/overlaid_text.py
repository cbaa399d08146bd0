"""An article, or a part of it, with its overlays as HTML: what is judged, and what a run retrieved of it.

Everything of the article is escaped.  The same page is shown by a browser and drawn by Qt's rich text, which
knows fewer ways of underlining: there a miss has none, and so differs from a hit.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise

import numpy as np

from inexview.core.article.blocks import Block, BlockKind
from inexview.core.article.document import Document
from inexview.core.text.spans import Spans
from inexview.gui.article.overlays import Channels
from inexview.gui.look.symbols import run_color
from inexview.gui.look.theme import Theme

HEADINGS = (BlockKind.TITLE, BlockKind.HEADING)
BEST, ENTRY = "▶", "▷"
SIGNS = (("judged", "relevant"), ("hits", "hit"), ("misses", "missed"), ("false_alarms", "false alarm"),
         ("unjudged", "retrieved, not judged"))  # fmt: skip


def style_sheet(theme: Theme, style: int) -> str:
    """Return the looks of the signs: ``style`` is the number of the run's."""
    run = run_color(theme, style).name()
    ground = f"background-color:{theme.mark}"
    return (
        f".judged{{{ground}}}"
        f".hits{{{ground};text-decoration:underline;text-decoration-color:{run}}}"
        f".misses{{{ground};border-bottom:2px dotted {theme.miss}}}"  # Qt draws none around words
        f".false_alarms{{text-decoration:underline;text-decoration-style:double;"
        f"text-decoration-color:{theme.false_alarm}}}"
        f".unjudged{{text-decoration:underline;text-decoration-color:{run}}}"
        f".bep{{color:{theme.bep}}}.entry{{color:{run}}}.muted{{color:{theme.muted}}}"
    )


def legend(channels: Channels) -> str:
    """Return the signs that are used, with their names and how many characters have each."""
    shown = [(name, said, getattr(channels, name)) for name, said in SIGNS]
    signs = [
        f'<span class="{name}">{said}</span> {spans.size:,}' for name, said, spans in shown if len(spans)
    ]
    overlay = channels.overlay
    if overlay.bep is not None:
        signs.append(f'<span class="bep">{BEST}</span> best entry point {overlay.bep:,}')
    if overlay.entry is not None:
        signs.append(f'<span class="entry">{ENTRY}</span> where the run begins {overlay.entry:,}')
    return " · ".join(signs)


def overlaid_text(document: Document, channels: Channels, start: int, end: int) -> str:
    """Return the characters ``[start, end)`` of an article as paragraphs."""
    first, last = document.blocks.at(start), document.blocks.at(max(end - 1, start))
    blocks = document.blocks[first : last + 1]
    return "\n".join(filter(None, (_paragraph(document, channels, one, start, end) for one in blocks)))


def _paragraph(document: Document, channels: Channels, block: Block, start: int, end: int) -> str:
    low, high = max(block.start, start), min(block.end, end)
    words = "".join(_pieces(document, channels, low, high)).strip()
    if not words:
        return ""
    tag = "h3" if block.kind in HEADINGS else "p"
    marker = f"{escape(block.marker)} " if block.marker else ""
    return f"<{tag}>{marker}{words}</{tag}>"


def _pieces(document: Document, channels: Channels, start: int, end: int) -> Iterator[str]:
    """Yield the text, cut where a sign begins or ends."""
    overlay = channels.overlay
    points = dict.fromkeys((overlay.bep, overlay.entry), "")
    points[overlay.entry] += f'<span class="entry">{ENTRY}</span>'
    points[overlay.bep] += f'<span class="bep">{BEST}</span>'
    sets: list[tuple[str, Spans]] = [(name, getattr(channels, name).clip(start, end)) for name, _ in SIGNS]
    edges = {start, end, *(at for at in points if at is not None and start <= at < end)}
    for _, spans in sets:
        edges.update(np.concatenate((spans.starts, spans.ends)).tolist())
    cuts = sorted(edges)
    for low, high in pairwise(cuts):
        yield points.get(low, "")
        text = escape(document.text[low:high])
        name = next((name for name, spans in sets if low in spans), "")
        yield f'<span class="{name}">{text}</span>' if name else text
