"""What cost runs most, as tables to read or as lines of values."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from inexview.cli.common import visible
from inexview.cli.table_output import Table
from inexview.core.evaluation.dearest import ALONE, DEAR_HEAD, Dearest, dear_lines
from inexview.core.evaluation.score_lines import HEAD, write_lines

_SEPARATED = {"csv": ",", "tsv": "\t"}


def costs_said(every: Sequence[Dearest], format: str) -> str:
    """Return what cost runs most: one table of all values for a program, else one of each kind."""
    if not every:
        return ""
    if format in _SEPARATED:
        out = io.StringIO()
        lines = (line for found in every for line in dear_lines(found))
        write_lines(out, DEAR_HEAD, lines, _SEPARATED[format])
        return out.getvalue()
    return "".join(f"{part}\n" for found in every for part in _tables(found, format))


def _tables(found: Dearest, format: str) -> Iterator[str]:
    scores = found.scores
    said = scores.parameters.said_for(scores.task)
    yield visible(f"{scores.id}, {scores.task}, {said}: {found.measure} = {found.value:.4f}")
    yield ALONE
    for kind, parts in found.parts.items():
        yield f"\n{kind.value}s, gain of {found.measure} {kind.change}"
        lines = [line[len(HEAD) + 2 :] for line in dear_lines(found, [kind])]
        rows = [
            (topic, document, fault, f"{start}:{size}" if start != "" else "", gain)
            for topic, document, fault, start, size, gain in lines
        ]
        table = Table(("topic", "document", "fault", "offset:length", "gain"), rows)
        yield table.rendered(format).rstrip("\n") if parts else "none"
