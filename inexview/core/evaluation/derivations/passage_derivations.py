"""Derive P(d), R(d), F(d), s(x,b) [M07 eq. 4-9] and T2I of one document, its characters and its rank."""

from __future__ import annotations

from collections.abc import Sequence

from inexview.core.evaluation.derivations.derivation import (
    SHOWN,
    Derivation,
    DerivationRow,
    Fraction,
    fraction_of,
    shown,
)
from inexview.core.evaluation.derivations.pair_derivations import RANK
from inexview.core.evaluation.explain import Cost, closeness, f_ratio
from inexview.core.measures.in_context import ARVOLA, reading_effort, score_document
from inexview.core.measures.measure import M07, Parameters
from inexview.core.text.spans import Spans

SIZE, HITS, MISSES, FALSE_ALARMS = "size", "hits", "misses", "false alarms"
CHARACTERS = (SIZE, HITS, MISSES, FALSE_ALARMS)
LENGTH = "characters"


def derive_document(
    document: str,
    judged: Spans,
    retrieved: Spans,
    *,
    length: int,
    bep: int | None = None,
    entry: int | None = None,
    rsize: int | None = None,
    nowhere: int = 0,
    parameters: Parameters,
) -> list[Derivation]:
    """Derive the figures of a document of ``length`` characters, passage by passage.

    ``rsize`` is the qrels' own count of relevant characters (None: count ``judged``); ``nowhere`` counts the
    characters of results that the document does not hold.
    """
    scores = score_document(judged, rsize, retrieved, length, bep, entry, parameters, nowhere=nowhere)
    hits = judged & retrieved
    sizes = ("size", "hit")
    found, relevant = (_passages(document, spans, hits) for spans in (retrieved, judged))
    weight = parameters.beta**2
    weighed = tuple(
        DerivationRow(place, document, (end - start,), (1 + weight) * (end - start), start, end)
        for place, (start, end) in enumerate(hits, 1)
    )
    f_words = "(1 + β²)·hits", "β²·relevant + retrieved"
    f = f_ratio(hits.size, scores.retrieved, scores.relevant, parameters.beta)
    return [
        _told("P(d)", "hits / retrieved", "eq. 4", scores.precision, sizes, found,
              fraction_of(found, scores.retrieved, "Σ hit", "Σ size of what was retrieved")),
        _told("R(d)", "hits / relevant", "eq. 5", scores.recall, sizes, relevant,
              fraction_of(relevant, scores.relevant, "Σ hit", "Σ size of what is relevant")),
        _told("F(d)", f"{f_words[0]} / ({f_words[1]})", "eq. 6", scores.f, ("hit",), weighed,
              fraction_of(weighed, f.denominator if judged else 0, *f_words)),
        _closeness(document, length, bep, entry, parameters, scores.s),
        _reading(document, judged, retrieved, length, parameters, nowhere),
    ]  # fmt: skip


def derive_characters(
    document: str, judged: Spans | None, retrieved: Spans, *, length: int
) -> list[Derivation]:
    """Derive how many characters a run retrieved and, where the document is judged, what they are."""
    told = [_counted(document, SIZE, "characters retrieved, each counted once", retrieved)]
    if judged is not None:
        told += [
            _counted(document, HITS, "relevant characters retrieved (rsize)", judged & retrieved),
            _counted(document, MISSES, "relevant characters not retrieved", judged - retrieved),
            _counted(document, FALSE_ALARMS, "characters retrieved, not relevant", retrieved - judged),
        ]
    return [*told, _counted(document, LENGTH, "code points of the article's text", Spans([(0, length)]))]


def _counted(document: str, name: str, what: str, spans: Spans) -> Derivation:
    sizes = (spans.ends - spans.starts).tolist()
    rows = tuple(
        DerivationRow(place, document, (), size, start, end)
        for place, ((start, end), size) in enumerate(zip(spans, sizes, strict=True), 1)
    )
    more = f" + … {len(sizes) - SHOWN:,} more" if len(sizes) > SHOWN else ""
    terms = f"= {' + '.join(map(shown, sizes[:SHOWN]))}{more}" if len(sizes) > 1 else ""
    said = tuple(line for line in (terms, f"= {spans.size:,}") if line)
    return Derivation(
        measure=name, title=what, formula=f"{name} = {what}", value=spans.size, rows=rows, said=said
    )


def derive_place(document: str, ranking: Sequence[str]) -> Derivation | None:
    """Derive the rank of a document in a ranking of documents, best first; None where it is not in it."""
    if document not in ranking:
        return None
    rank = ranking.index(document) + 1
    rows = tuple(
        DerivationRow(place, one, (), float(place < rank)) for place, one in enumerate(ranking[:rank], 1)
    )
    return Derivation(
        measure=RANK,
        title="rank of the document",
        formula="rank = 1 + documents with a result above its first",
        value=rank,
        rows=rows,
        said=(f"= 1 + {rank - 1:,} = {rank:,}",),
    )


def derive_cost(document: str, cost: Cost) -> Derivation:
    """Derive what a fault costs its document: the figure with it mended, less the figure as it is."""
    before, after = cost.before, cost.after
    name, gain = cost.measure, after.value - before.value
    row = DerivationRow(1, document, (before.value, after.value), gain, cost.start, cost.end)
    return Derivation(
        measure=f"Δ {name}",
        title=f"{name} with this {cost.fault.value} mended, less {name}",
        formula=f"Δ {name} = {name} with it mended − {name}",
        citation=M07,
        value=gain,
        columns=("before", "mended"),
        rows=(row,),
        said=tuple(
            f"{when} = {shown(ratio.numerator)} / {shown(ratio.denominator)} = {ratio.value:.4f}"
            for when, ratio in ((name, before), ("mended", after))
        ),
    )


def _passages(document: str, spans: Spans, hits: Spans) -> tuple[DerivationRow, ...]:
    own = hits.overlap(spans.starts, spans.ends).tolist()
    return tuple(
        DerivationRow(place, document, (end - start, hit), hit, start, end)
        for place, ((start, end), hit) in enumerate(zip(spans, own, strict=True), 1)
    )


def _closeness(
    document: str, length: int, bep: int | None, entry: int | None, parameters: Parameters, value: float
) -> Derivation:
    """Derive s(x,b); its rows are the entry point x and the best one b."""
    points = [(name, at) for name, at in (("x", entry), ("b", bep)) if at is not None]
    rows = tuple(
        DerivationRow(place, document, (at,), 0.0, at, at) for place, (_, at) in enumerate(points, 1)
    )
    if parameters.n is None:
        formula, equation = "A·L / (A·L + |x − b|)", "eq. 8"
    else:
        formula, equation = "(n − |x − b|) / n, at least 0", "eq. 9"
    said: tuple[str, ...]
    if entry is None or bep is None:
        said = ("= 0, as there is no best entry point" if bep is None else "= 0, not entered",)
    else:
        ratio = closeness(abs(entry - bep), length, parameters)
        said = (
            f"|x − b| = |{entry:,} − {bep:,}| = {abs(entry - bep):,}",
            f"= {shown(ratio.numerator)} / {shown(ratio.denominator)} = {value:.4f}",
        )
    return _told("s(x,b)", formula, equation, value, ("offset",), rows, None, said)


def _reading(
    document: str, judged: Spans, retrieved: Spans, length: int, parameters: Parameters, nowhere: int
) -> Derivation:
    """Derive T2I; its rows are the pieces of text that are read."""
    effort = reading_effort(judged, retrieved, length=length, tolerance=parameters.tolerance, already=nowhere)
    rows = _passages(document, effort.read, judged & effort.read)
    until = f"the {parameters.tolerance:,}th irrelevant character"
    return Derivation(
        measure=f"T2I[{parameters.tolerance}]",
        title="tolerance to irrelevance of one document",
        formula=f"T2I = relevant / read, retrieved passages first, then the rest, until {until}",
        citation=ARVOLA,
        value=effort.score,
        columns=("size", "relevant"),
        rows=rows,
        fraction=fraction_of(
            rows, effort.relevant + effort.irrelevant if effort.relevant else 0, "Σ relevant", "Σ size read"
        ),
    )


def _told(
    name: str,
    formula: str,
    equation: str,
    value: float,
    columns: tuple[str, ...],
    rows: tuple[DerivationRow, ...],
    fraction: Fraction | None,
    said: tuple[str, ...] = (),
) -> Derivation:
    return Derivation(
        measure=name,
        title=f"{name} of one document",
        formula=f"{name} = {formula}",
        citation=f"{M07}, {equation}",
        value=value,
        columns=columns,
        rows=rows,
        fraction=fraction,
        said=said,
    )
