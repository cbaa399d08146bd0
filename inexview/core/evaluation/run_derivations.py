"""Derivations of figures of runs: means, points of curves, differences, tests, and orders of runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from inexview.core.evaluation.agreement import Stability, centred_ranks, kendall_tau, spearman_rho
from inexview.core.evaluation.comparison import Comparison, Pair, RunDifference
from inexview.core.evaluation.derivations import (
    RANK,
    Derivation,
    DerivationRow,
    Derivations,
    Fraction,
    document_rows,
    filled_lines,
    precision_at_rank,
    result_rows,
    rows_by,
    said_by,
    shown,
    summed,
)
from inexview.core.evaluation.evaluate import PreparedRun
from inexview.core.evaluation.scores import (
    CurveKind,
    RunScores,
    TopicScores,
    curve_points,
    logarithms,
    mean_points,
    means_without,
)
from inexview.core.evaluation.significance import (
    INTERVAL_RESAMPLES,
    LEANING,
    LEVEL,
    TAIL,
    Correction,
    accelerated_level,
    is_exact,
)
from inexview.core.evaluation.testing import IntervalKind, PairTest, Testing
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import new_characters, one_topic
from inexview.core.measures.measure import Level, MeasureError, find
from inexview.core.measures.ranked import RankedDocuments, not_relevant, roc_points
from inexview.core.report import difference_text
from inexview.core.text.spans import Floats
from inexview.core.wording import PERCENT, counted, percent


def derive_means(scores: TopicScores) -> dict[str, Derivation]:
    """Derive the means of a run over its topics, by their names."""
    geometric = [mean in scores.geometric for mean in scores.mean_names]
    without, means = means_without(scores.values, np.flatnonzero(geometric)).tolist(), scores.mean
    columns = zip(scores.values, scores.names, scores.mean_names, without, geometric, strict=True)
    return {
        mean: derive_mean(scores.topics, own, name, mean, means[mean], rest, geometric=by_logarithms)
        for own, name, mean, rest, by_logarithms in columns
    }


def derive_mean(
    topics: Sequence[str],
    own: Floats,
    name: str,
    mean_name: str,
    value: float,
    without: Sequence[float],
    *,
    geometric: bool,
) -> Derivation:
    """Derive one mean, ``value``, of ``own`` values, shape (T,), of a measure ``name`` of each topic."""
    values, count = own.tolist(), len(topics)
    adds = logarithms(own).tolist() if geometric else values
    rows = tuple(
        DerivationRow(place, topic, (one, added) if geometric else (), added)
        for place, (topic, one, added) in enumerate(zip(topics, values, adds, strict=True), 1)
    )
    parts = summed((), rows, count, f"Σ {name}", "topics")
    if geometric:
        lines = (f"= e^(Σ ln {name} / topics)", f"= e^({sum(adds):.4f} / {count}) = {value:.4f}")
        parts = said_by((name, "ln"), rows, lines if count else (f"= {value:.4f}",))
    formula = f"e^(Σ ln {name} / topics)" if geometric else f"Σ {name} / topics"
    return replace(
        parts,
        measure=mean_name,
        title=f"{name} averaged over topics",
        formula=f"{mean_name} = {formula}",
        value=value,
        without=tuple(without),
    )


# Points of curves: of one topic by its results, over all topics by the topics.

_MEASURES = {
    CurveKind.PRECISION: ("gP", "P"),
    CurveKind.SAW_TOOTH: ("gP", "P"),
    CurveKind.RECALL: ("gR", "R"),
    CurveKind.INTERPOLATED: ("iP", "iprec"),
}
ROC = "Manning, Raghavan, Schütze: Introduction to Information Retrieval, 8.4"
TPR = "true-positive rate"


def measure_of_point(scores: RunScores, kind: CurveKind, at: int, x: float) -> str:
    """Return the measure that a topic's point ``at`` of a curve is, "" if it is none.

    The point at rank 3 is gP[3] or P[3], that at 0.1 of an interpolated curve iP[0.10].
    """
    family = scores.preset.tasks[scores.task].families[0]
    for name in _MEASURES.get(kind, ()):
        try:
            record = find(name, (family,))
        except MeasureError:
            continue
        if isinstance(record.at, Level) is (kind is CurveKind.INTERPOLATED) and record.at is not None:
            return record.label(x if kind is CurveKind.INTERPOLATED else at + 1)
    return ""


def name_of_point(scores: RunScores, kind: CurveKind, at: int, x: float) -> str:
    if kind is CurveKind.EFFORT:
        return f"characters read until {percent(x)}" if x else "characters read until the first"
    if kind is CurveKind.ROC:
        return TPR
    across, up = kind.axes
    return measure_of_point(scores, kind, at, x) or f"{up} at {across} {x:g}"


def derive_mean_point(scores: RunScores, at: int) -> Derivation:
    """Derive a point of the curve over all topics: of the interpolated one, or of another kind."""
    kind = scores.kind
    if kind is CurveKind.INTERPOLATED:
        assert scores.curve is not None
        assert scores.levels is not None
        topics, own, x = scores.topics, scores.curve[:, at], float(scores.levels[at])
    else:
        topics = tuple(scores.points)
        own = np.array([_kept(y, at) for _, y in scores.points.values()])
        x = float(scores.mean_points[0][at])
    name = name_of_point(scores, kind, at, x)
    if kind is not CurveKind.EFFORT:
        value = float(own.mean()) if len(own) else 0.0
        without = means_without(own[None, :], geometric=False)[0].tolist()
        return derive_mean(topics, own, name, name, value, without, geometric=False)
    points = {topic: (np.zeros(1), own[at : at + 1]) for at, topic in enumerate(topics)}
    value = float(mean_points(points, kind)[1][0]) if topics else 0.0
    return Derivation(
        measure=name,
        title=f"{name} of the relevant text, over topics",
        formula="the lower median of the topics; an unreached share counts as ∞",
        value=value,
        rows=rows_by(own, topics, (), own),
        said=(f"= number {(len(topics) + 1) // 2} of {len(topics)} = {shown(value)}",),
    )


def _kept(y: Floats, at: int) -> float:
    """Return the value at an index; past the end the last one, or 0 without any."""
    return float(y[min(at, len(y) - 1)]) if len(y) else 0.0


def derive_point(prepared: PreparedRun, topic: str, kind: CurveKind, at: int) -> Derivation | None:
    """Derive a topic's point of a ROC curve, effort, or interpolated gP.

    None for a point that is a measure, or past the end of the curve.  Raises InexviewError for an unscored
    topic.
    """
    joined = one_topic(prepared.joined, topic)
    if kind is CurveKind.ROC:
        return _roc(RankedDocuments(joined, prepared.parameters), topic, at)
    if kind is CurveKind.EFFORT:
        return _effort(prepared, topic, at)
    if kind is CurveKind.INTERPOLATED and issubclass(prepared.view, DocumentRanks):
        return _interpolated(prepared.view(joined, prepared.parameters), topic, at / 10)
    return None


def _roc(ranked: RankedDocuments, topic: str, at: int) -> Derivation | None:
    """Derive the point after ``at`` documents; the last one is after all judged documents."""
    across, up = roc_points(ranked, 0)
    if at >= len(across):
        return None
    x, y = float(across[at]), float(up[at])
    retrieved = len(ranked.rank)
    relevant = ranked.relevant.astype(np.int64)
    first = np.arange(retrieved) < at
    rows = document_rows(ranked.joined, ranked.joined.firsts, (relevant,), np.where(first, relevant, 0))
    nrel, others = int(ranked.nrel[0]), int(not_relevant(ranked)[0])
    hits = round(y * max(nrel, 1))
    where = (
        f"after {counted(at, 'document')}"
        if at <= retrieved
        else "after all documents, those not retrieved last"
    )
    lines = (
        where,
        f"false-positive rate = {round(x * max(others, 1)):,} / {others:,} = {x:.4f}",
        f"{TPR} = {hits:,} / {nrel:,} = {y:.4f}",
    )
    formula = f"{TPR} = relevant documents so far / Nrel, over the same of those not relevant"
    return _point(said_by(("relevant",), rows, lines), topic, TPR, formula, y, citation=ROC)


def _point(
    parts: Derivation, topic: str, name: str, formula: str, value: float, citation: str = ""
) -> Derivation:
    return replace(
        parts, topic=topic, measure=name, title=name, formula=formula, value=value, citation=citation
    )


def _effort(prepared: PreparedRun, topic: str, at: int) -> Derivation:
    """Derive the characters read until a share of the relevant text is found."""
    joined = one_topic(prepared.joined, topic)
    shares, characters = curve_points(joined, prepared.parameters, CurveKind.EFFORT, prepared.view)[topic]
    share, value = float(shares[at]), float(characters[at])
    _, new = new_characters(joined)
    before = np.cumsum(joined.size) - joined.size
    read = np.clip((joined.size.sum() if math.isinf(value) else value) - before, 0, joined.size)
    rows = result_rows(joined, (joined.size, new), read)
    total = int(joined.trel[0])
    needed = max(math.ceil(share * total - 1e-9), 1)
    name = "characters read until the first" if not share else f"characters read until {percent(share)}"
    terms = [row.adds for row in rows if row.adds]
    aim = f"{needed:,} of {total:,} relevant characters are to be found"
    never = f"= ∞: the run finds {int(new.sum()):,} of them in {counted(int(sum(terms)), 'character')}"
    lines = (aim, never if math.isinf(value) else f"Σ characters read of each result = {shown(value)}")
    formula = "text read, result by result, until this much of the relevant text is found"
    return _point(said_by(("size", "new relevant"), rows, lines), topic, name, formula, value)


def _interpolated(view: DocumentRanks, topic: str, level: float) -> Derivation:
    """Derive the highest gP[r] of the ranks at which gR has reached a level."""
    name = f"precision at recall {level:g}"
    formula = "the highest gP[r] of all ranks r with gR[r] ≥ the level of recall"
    reached = np.flatnonzero(np.floor(10 * view.recall) >= round(10 * level))
    if not len(reached):
        lines: tuple[str, ...] = (f"= 0, as gR never reaches {level:g}",)
        parts, value = replace(precision_at_rank(view, 0), fraction=None), 0.0
    else:
        rank = int(reached[view.precision[reached].argmax()]) + 1
        parts, value = precision_at_rank(view, rank), float(view.precision[rank - 1])
        terms = [row.adds for row in parts.rows if row.adds]
        lines = (f"= gP[{rank}]", *filled_lines(parts.fraction, terms, value))
    return _point(replace(parts, said=lines), topic, name, formula, value)


# Differences of two runs, or of a run and a changed copy of it, row by row.


def derive_differences(
    first: Derivations | None, second: Derivations | None, names: tuple[str, str], measures: Iterable[str]
) -> dict[str, Derivation] | None:
    """Derive the differences in measures that both runs have; None if one of them has no figures."""
    if first is None or second is None:
        return None
    return {name: derive_difference(first[name], second[name], names) for name in measures}


def derive_difference(first: Derivation, second: Derivation, names: tuple[str, str]) -> Derivation:
    """Derive the first value less the second, of the same measure of two runs named ``names``.

    A row adds its part of the numerator; if the denominators differ, it is divided by its own, so that the
    parts still add up to the difference.
    """
    one, other, value = first.fraction, second.fraction, first.value - second.value
    alike = (
        one is not None
        and other is not None
        and (one.denominator, one.factor) == (other.denominator, other.factor)
    )
    listed = []
    for left, right in _paired(first.rows, second.rows):
        own = _part(left, one, divided=not alike), _part(right, other, divided=not alike)
        change = 0.0 if left is None else first.change(left)
        change -= 0.0 if right is None else second.change(right)
        either = left or right
        assert either is not None, "a pair has a row"
        adds = own[0] - own[1] if one is not None and other is not None else 0.0
        listed.append((replace(either, figures=own, adds=adds), value + change))
    listed.sort(key=lambda row: -abs(row[0].adds))
    rows = tuple(replace(row, rank=place) for place, (row, _) in enumerate(listed, 1))
    joined, gained = None, sum(row.adds for row in rows)
    if one is not None and other is not None:
        joined = Fraction(gained, 1.0, "Σ differences", "1")
        if alike:
            joined = replace(one, numerator=gained, above="Σ differences")
    return Derivation(
        topic=first.topic,
        measure=f"Δ {first.measure}",
        title=f"{first.measure}: {names[0]} less {names[1]}",
        formula=f"Δ {first.measure} = {first.measure} of {names[0]} − {first.measure} of {names[1]}",
        citation=first.citation,
        note=first.note,
        value=value,
        columns=names,
        rows=rows,
        fraction=joined,
        said=_filled(first, second, joined if alike else None, rows),
        without=tuple(rest for _, rest in listed),
    )


def _paired(
    first: Sequence[DerivationRow], second: Sequence[DerivationRow]
) -> Iterator[tuple[DerivationRow | None, DerivationRow | None]]:
    """Yield the rows of the same topic, document or passage in pairs."""

    def key(row: DerivationRow) -> tuple[object, ...]:
        return row.document, row.start, row.end, row.element

    there: dict[tuple[object, ...], list[DerivationRow]] = {}
    for row in second:
        there.setdefault(key(row), []).append(row)
    for row in first:
        alike = there.get(key(row))
        yield row, alike.pop(0) if alike else None
    yield from ((None, row) for rows in there.values() for row in rows)


def _part(row: DerivationRow | None, fraction: Fraction | None, *, divided: bool) -> float:
    if row is None:
        return 0.0
    if not divided or fraction is None:
        return row.adds
    return row.adds / fraction.denominator * fraction.factor if fraction.denominator else 0.0


def _filled(
    first: Derivation, second: Derivation, joined: Fraction | None, rows: Sequence[DerivationRow]
) -> tuple[str, ...]:
    """Write the difference; as one sum if both values are ``joined`` over one denominator."""
    value = first.value - second.value
    lines = [f"= {first.value:.4f} − {second.value:.4f} = {value:+.4f}"]
    terms = [row.adds for row in rows if row.adds]
    if terms and joined is not None and joined.denominator:
        lines += filled_lines(joined, terms, value)
    elif terms:
        lines.append(f"= Σ differences = {shown(sum(terms))}")
    if second.value:
        lines.append(f"= {100 * value / second.value:+.1f}{PERCENT} of {second.value:.4f}")
    return tuple(line.replace("+ -", "− ").replace("-", "−") for line in lines)


# Pairs of runs: the number of topics on which one is better, p, p after Holm, the interval; ranks.

RANDOMISATION = "Smucker, Allan, Carterette: A Comparison of Statistical Significance Tests, CIKM 2007"
BCA = "Efron, Tibshirani: An Introduction to the Bootstrap, ch. 14"
CITED = {
    PairTest.RANDOMISATION: RANDOMISATION,
    PairTest.T_TEST: "Wade, Allan: Passage Retrieval and Evaluation, CIIR IR-396, 2005",
    PairTest.WILCOXON: "Hollander, Wolfe: Nonparametric Statistical Methods, ch. 3",
    PairTest.SIGN: "Hollander, Wolfe: Nonparametric Statistical Methods, ch. 3",
    PairTest.BOOTSTRAP: "Kamps, Lalmas, Pehcevski: Evaluating Relevant in Context, SIGIR 2007",
}
FORMULAS = {
    PairTest.RANDOMISATION: "p = share of the choices of signs with |Σ ±Δ| ≥ |Σ Δ|",
    PairTest.T_TEST: "p = P(|T| ≥ |t|), t = mean Δ / (deviation / √topics)",
    PairTest.WILCOXON: "p = share of the choices of signs with as small a sum of the ranks of one sign",
    PairTest.SIGN: "p = share of the choices of signs with as few of one sign",
    PairTest.BOOTSTRAP: "p = share of the resamples of Δ − mean Δ whose t is at least that of Δ",
}
CORRECTED = {
    Correction.HOLM: (
        "p (Holm) = p · (pairs − pairs with a smaller p)",
        "Holm: A Simple Sequentially Rejective Multiple Test Procedure, Scand. J. Statistics 6, 1979",
    ),
    Correction.BH: (
        "p (BH) = p · pairs / (pairs with no larger p)",
        "Benjamini, Hochberg: Controlling the False Discovery Rate, J. Royal Statist. Soc. B 57, 1995",
    ),
    Correction.HSD: (
        "p (HSD) = share of the deals of the scores in which any pair of the family is as far apart",
        "Carterette: Multiple Testing in Statistical Analysis of Systems-Based IR Experiments, TOIS 30, 2012",
    ),
}
BETTER, P, P_CORRECTED, FROM, TO = "better", "p", "p (corrected)", "95 % from", "95 % to"
TOPICS = "topics"


def derive_compared_mean(runs: RunDifference, name: str) -> Derivation:
    """Derive the mean of the first run over the topics that both have."""
    measure, geometric = runs.comparison.measure, runs.comparison.geometric
    own, without = runs.scores[0], means_without(runs.scores[:1], geometric=geometric)[0].tolist()
    return derive_mean(runs.topics, own, name, measure, runs.means[0], without, geometric=geometric)


def derive_pair(runs: RunDifference) -> dict[str, Derivation]:
    """Derive the figures of a pair of runs; those of tests only if it was tested."""
    pair, testing = runs.pair, runs.comparison.testing
    derived = {BETTER: _better(runs)}
    if math.isnan(pair.p):
        return derived
    derived[P] = _p(runs)
    if testing.correction is not Correction.NONE:
        derived[P_CORRECTED] = _corrected(runs.comparison, pair)
    turned = -1 if runs.turned else 1
    low, high = runs.interval
    for name, value, tail in ((FROM, low, TAIL), (TO, high, 1 - TAIL)):
        if not math.isnan(value):
            bca = testing.interval is IntervalKind.BCA
            bias, acceleration = turned * pair.bias, turned * pair.acceleration
            lines = _moved(runs, tail, bias, acceleration) if bca else _inverted(runs)
            derived[name] = _end(runs, name, value, lines)
    return derived


def _moved(runs: RunDifference, tail: float, bias: float, acceleration: float) -> tuple[str, ...]:
    """Return lines on the quantile at an end, and on its corrections to the plain one."""
    level = accelerated_level(tail, bias, acceleration)
    z = NormalDist().inv_cdf(tail)
    return (
        f"{INTERVAL_RESAMPLES:,} resamples of the topics, seed {runs.comparison.testing.seed}",
        f"bias z₀ = {_signed(bias)}, acceleration a = {_signed(acceleration)}, z = {_signed(z)}",
        f"quantile Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z))) = {level:.4f}, plain {tail:g}",
    )


def _inverted(runs: RunDifference) -> tuple[str, ...]:
    """Return lines on the ends of the test's interval."""
    testing = runs.comparison.testing
    lines = [f"the differences δ for which p of Δ − δ is {LEVEL:g} or more"]
    if math.isinf(runs.pair.low) and math.isinf(runs.pair.high):
        lines.append("all δ: on so few topics no p is smaller")
    if testing.test in (PairTest.WILCOXON, PairTest.SIGN):
        lines.append(f"{testing.test.estimate} = {_signed(runs.estimate)}")
    if runs.comparison.geometric:
        lines.append("of logarithms; as a ratio of the geometric means, times the worse of them")
    return tuple(lines)


def _signed(number: float) -> str:
    return f"{number:.4f}".replace("-", "−")


def _rows(runs: RunDifference, gained: Floats, adds: Floats) -> tuple[DerivationRow, ...]:
    return rows_by(-np.abs(gained), runs.topics, (gained,), adds)


def _better(runs: RunDifference) -> Derivation:
    testing, gained, names = runs.comparison.testing, runs.differences, runs.names
    ties = testing.ties(gained)
    wins = (gained > 0) & ~ties
    won, tied = int(wins.sum()), int(ties.sum())
    rows = _rows(runs, gained, wins.astype(np.float64))
    within = f" below {testing.tie:g}" if testing.tie else ""
    lost = len(gained) - won - tied
    line = (f"= {won} better, {tied} tied{within}, {lost} worse of {len(gained)} topics",)
    return Derivation(
        measure=BETTER,
        title=f"topics on which {names[0]} is better than {names[1]}",
        formula="better = topics with Δ > 0",
        value=won,
        columns=("Δ",),
        rows=rows,
        fraction=Fraction(float(won), 1.0, "topics", "1"),
        said=line,
    )


def _p(runs: RunDifference) -> Derivation:
    gained, testing, pair, names = runs.tested_differences, runs.comparison.testing, runs.pair, runs.names
    return Derivation(
        measure=P,
        title=f"{testing.described(len(gained))}: {names[0]} and {names[1]} are equal",
        formula=FORMULAS[testing.test],
        citation=CITED[testing.test],
        value=pair.p,
        columns=("Δ",),
        rows=_rows(runs, gained, gained),
        said=_lines_of_p(testing, pair, gained),
    )


def _lines_of_p(testing: Testing, pair: Pair, gained: Floats) -> tuple[str, ...]:
    topics = len(gained)
    if testing.test is PairTest.T_TEST:
        return (f"t = {_signed(pair.t)}, {topics - 1:,} degrees of freedom", f"= {shown(pair.p)}")
    if testing.test is not PairTest.RANDOMISATION:
        return (f"= {shown(pair.p)}",)
    total = float(np.abs(gained.sum()))
    if is_exact(topics):
        choices = 2 ** (topics - 1)
        far = round(pair.p * choices)
        return (
            f"|Σ Δ| = {total:.4f}; of {choices:,} choices of signs {far:,} reach it",
            f"= {far:,} / {choices:,} = {pair.p:.4f}",
        )
    far, drawn = round(pair.p * (testing.drawn + 1)) - 1, testing.drawn
    if testing.draws is None and not math.isclose((far + 1) / (drawn + 1), pair.p, rel_tol=1e-12):
        return (
            f"|Σ Δ| = {total:.4f}; few of {drawn:,} drawn choices of signs reach it",
            f"weighted mean of {LEANING:,} draws from signs that lean towards it",
            f"= {shown(pair.p)}",
        )
    return (
        f"|Σ Δ| = {total:.4f}; of {drawn:,} drawn choices of signs {far:,} reach it",
        f"= ({far:,} + 1) / ({drawn:,} + 1) = {pair.p:.4f}",
    )


def _corrected(comparison: Comparison, pair: Pair) -> Derivation:
    """Derive the corrected p; its rows are the pairs of the family, the smallest p first."""
    correction = comparison.testing.correction
    pairs = sorted((one for one in comparison.pairs if not math.isnan(one.p)), key=lambda one: one.p)
    tested = len(pairs)
    times = {
        Correction.HOLM: [float(tested - place) for place in range(tested)],
        Correction.BH: [tested / (place + 1) for place in range(tested)],
    }.get(correction)
    rows = tuple(
        DerivationRow(
            place,
            f"{comparison.runs[one.better]} − {comparison.runs[one.worse]}",
            (one.p, *([] if times is None else [times[place - 1]])),
            one.p_corrected,
        )
        for place, one in enumerate(pairs, 1)
    )
    lines = [f"= {shown(pair.p_corrected)}"]
    if times is not None:
        factor = times[pairs.index(pair)]
        moved = "" if math.isclose(pair.p * factor, pair.p_corrected) else ", kept in order, at most 1"
        lines = [f"= {shown(pair.p)} · {factor:g}{moved} = {shown(pair.p_corrected)}"]
    formula, citation = CORRECTED[correction]
    return Derivation(
        measure=P_CORRECTED,
        title=f"{correction.named} for {comparison.family}",
        formula=formula,
        citation=citation,
        value=pair.p_corrected,
        columns=("p", "times") if times else ("p",),
        rows=rows,
        said=tuple(lines),
    )


def _end(runs: RunDifference, name: str, value: float, lines: tuple[str, ...]) -> Derivation:
    comparison, names = runs.comparison, runs.names
    testing = comparison.testing
    bca = testing.interval is IntervalKind.BCA
    formula = (
        "quantile of the resampled mean Δ, moved by bias z₀ and acceleration a (BCa)"
        if bca
        else f"95 % interval {testing.interval_named}"
    )
    return Derivation(
        measure=name,
        title=f"95 % interval of {comparison.measure} of {names[0]} less that of {names[1]}",
        formula=formula,
        citation=BCA if bca else CITED[testing.test],
        value=value,
        columns=("Δ",),
        rows=_rows(runs, runs.differences, np.zeros(len(runs.topics))),
        said=(*lines, f"= {difference_text(value, 4)}"),
    )


def derive_rank(names: Sequence[str], means: Sequence[float], at: int, measure: str) -> Derivation:
    """Derive the rank of a run: 1 + the number of runs with a higher mean."""
    own = np.array(means, dtype=np.float64)
    above = own > means[at]
    rank = 1 + int(above.sum())
    return Derivation(
        measure=RANK,
        title=f"rank of {names[at]} by {measure}",
        formula=f"rank = 1 + runs with a higher {measure}",
        value=rank,
        columns=(measure,),
        rows=rows_by(-own, names, (own,), above.astype(np.float64)),
        said=(f"= 1 + {rank - 1} = {rank}",),
    )


def derive_coverage(judged: Sequence[str], scored: Sequence[str]) -> Derivation:
    """Derive the share of judged topics that a run has."""
    there = set(scored)
    rows = tuple(
        DerivationRow(place, topic, (), float(topic in there)) for place, topic in enumerate(judged, 1)
    )
    return Derivation(
        measure=TOPICS,
        title="judged topics that the run has",
        formula="topics = judged topics that the run has results for",
        value=len(scored),
        rows=rows,
        said=(f"= {len(scored):,} of {len(judged):,}",),
    )


# Orders of runs: the similarity of the orders by two measures, and swaps between two halves of the topics.

TAU, RHO = "τ", "ρ"
KENDALL = "Kendall: Rank Correlation Methods, 1970 (τ-b)"


def derive_orderings(
    runs: Sequence[str], across: tuple[str, Floats], up: tuple[str, Floats], label: str = ""
) -> dict[str, Derivation]:
    """Derive τ and ρ between two named scorings (R,) of R runs; empty if one scoring ties all runs.

    ``label`` follows the names of both.
    """
    (x_name, x), (y_name, y) = across, up
    if math.isnan(kendall_tau(x, y)):
        return {}
    derived = _tau(runs, x, y, (x_name, y_name), label), _rho(runs, x, y, (x_name, y_name), label)
    return {one.measure: one for one in derived}


def _tau(runs: Sequence[str], x: Floats, y: Floats, names: tuple[str, str], label: str) -> Derivation:
    """Derive τ-b; a run adds half of what its pairs add."""
    one, other = (np.sign(own[:, None] - own[None, :]) for own in (x, y))
    signs = one * other
    rows = rows_by(-x, runs, (x, y), signs.sum(axis=1) / 2)
    alike, unlike = int((signs > 0).sum()) // 2, int((signs < 0).sum()) // 2
    untied = [int(np.count_nonzero(own)) // 2 for own in (one, other)]
    below = math.sqrt(untied[0] * untied[1])
    value = kendall_tau(x, y)
    lines = (
        f"{alike:,} pairs of runs in the same order, {unlike:,} in the other, "
        f"{untied[0]:,} and {untied[1]:,} not tied",
        f"= ({alike:,} − {unlike:,}) / √({untied[0]:,} · {untied[1]:,}) = {value:.4f}".replace(" -", " −"),
    )
    return Derivation(
        measure=f"{TAU}{label}",
        title=f"Kendall's τ between {names[0]} and {names[1]}",
        formula="τ = (pairs in the same order − pairs in the other) / √(untied by one · untied by the other)",
        citation=KENDALL,
        value=value,
        columns=names,
        rows=rows,
        fraction=Fraction(sum(row.adds for row in rows), below, "same − other", "√(not tied · not tied)"),
        said=lines,
    )


def _rho(runs: Sequence[str], x: Floats, y: Floats, names: tuple[str, str], label: str) -> Derivation:
    """Derive ρ, the correlation of the ranks."""
    one, other = centred_ranks(x), centred_ranks(y)
    middle = (len(x) + 1) / 2
    rows = rows_by(-x, runs, (middle - one, middle - other), one * other)
    squares = [float((own * own).sum()) for own in (one, other)]
    value = spearman_rho(x, y)
    line = (
        f"= {shown(float((one * other).sum()))} / √({shown(squares[0])} · {shown(squares[1])}) = {value:.4f}"
    ).replace("-", "−")
    below = math.sqrt(squares[0] * squares[1])
    return Derivation(
        measure=f"{RHO}{label}",
        title=f"Spearman's ρ between {names[0]} and {names[1]}",
        formula="ρ = Σ (rank − mean rank) · (other rank − mean rank) / √(Σ squares · Σ squares)",
        note="Runs that tie share their mean rank.",
        value=value,
        columns=tuple(f"rank by {name}" for name in names),
        rows=rows,
        fraction=Fraction(sum(row.adds for row in rows), below, "Σ products", "√(Σ squares · Σ squares)"),
        said=(line,),
    )


def swapped_by(measure: str, size: int) -> str:
    """Return the name of the share of swapped pairs at a size."""
    return f"{measure} swapped by {counted(size, 'topic')}"


def derive_swaps(stability: Stability, at: int, runs: int) -> Derivation:
    """Derive the share of the pairs of runs that two sets of topics of a size order differently."""
    size, rate = int(stability.sizes[at]), float(stability.rates[at])
    pairs = runs * (runs - 1) // 2
    swapped = round(rate * pairs * stability.splits)
    return Derivation(
        measure=swapped_by(stability.measure, size),
        title=f"pairs of runs that two sets of {size} topics order differently by {stability.measure}",
        formula="share = pairs of runs swapped / (pairs of runs · draws of two sets of topics)",
        citation="Voorhees, Buckley: The Effect of Topic Set Size on Retrieval Experiment Error, SIGIR 2002",
        value=rate,
        said=(f"= {swapped:,} / ({pairs:,} · {stability.splits:,}) = {rate:.4f}",),
    )
