"""`inexview compare QRELS RUN RUN…`: differences between runs, and their significance."""

from __future__ import annotations

import math
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from inexview.cli.common import FINE, PROBLEMS, add_overwrite_argument, check_outputs, complain
from inexview.cli.eval import heading
from inexview.cli.scoring import (
    Judged,
    add_groups_argument,
    add_parameters_argument,
    add_scoring_arguments,
    add_variations_argument,
    joined_judgements,
    positive,
    read_all_judged,
    read_judgements,
    scored_runs,
    settings_of,
    whole,
)
from inexview.cli.tables import (
    FORMATS,
    Table,
    TableCell,
    chart_file,
    draw_chart,
    json_fields,
    json_value,
    print_json,
)
from inexview.core.errors import InexviewError
from inexview.core.evaluation.agreement import (
    JUDGED_BY,
    JUDGED_HEAD,
    Likeness,
    Stability,
    judged_by,
    judged_lines,
    likeness,
    means_by_judgements,
    orders_alike,
    orders_table,
    stability_of,
)
from inexview.core.evaluation.chunkers import (
    MEASURES,
    Budget,
    Chunkers,
    Reading,
    at_budgets,
    budget_table,
    reading_table,
    takes_reading,
)
from inexview.core.evaluation.comparison import (
    PAIR_HEAD,
    Comparison,
    about,
    compare,
    matrix_table,
    outcome_said,
    pair_lines,
    pairs_table,
    topics_table,
)
from inexview.core.evaluation.scores import RunScores, ScoringSettings, distinguished
from inexview.core.evaluation.significance import RANDOMISATIONS, RESAMPLES, SEED, Correction
from inexview.core.evaluation.testing import MOST_DRAWS, IntervalKind, PairTest, Testing
from inexview.core.formats.format import CHUNK_RUN, FileKind
from inexview.core.formats.readers import format_to_read
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Task
from inexview.core.measures.measure import PRESETS
from inexview.core.report import CSV_SAFE, SEPARATED, ValueTable, html_page, separated
from inexview.core.text.spans import Floats
from inexview.core.wording import some_named, visible

# The output of `inexview compare`: tables, LaTeX, CSV, TSV or JSON.


def write(
    compared: Sequence[Compared],
    scored: Sequence[RunScores],
    arguments: Namespace,
    chunkers: BothWays | None = None,
) -> None:
    if arguments.format == "json":
        read = {} if chunkers is None else {"chunkers": _chunkers_json(chunkers)}
        print_json({**_as_json(compared, scored, arguments), **read})
    elif arguments.format in SEPARATED:
        rows = [line for one in compared for line in pair_lines(one.scores, one.comparison)]
        form = arguments.format
        print(separated(PAIR_HEAD, rows, SEPARATED[form], safe=form == CSV_SAFE), end="")
    elif arguments.format == "html":
        tables = [table for one in compared for table in _tables(one, arguments)]
        tables += [] if chunkers is None else chunkers.tables
        print(html_page("Comparison of runs", tables), end="")
    else:
        print("".join(_sections(compared, arguments)), end="")
        if chunkers is not None:
            print("\n\n".join(_read_both_ways(chunkers, arguments.format)))


def _read_both_ways(chunkers: BothWays, format: str) -> Iterator[str]:
    """Yield the comparison of chunkers at the same k and at the same characters, with the amounts read."""
    said = list(chunkers.said)
    if format == "latex":
        yield from (f"% {one}" for one in said)
        yield from (table.latex for table in chunkers.tables)
        return
    if said:
        yield "\n".join(said)
    for table in chunkers.tables:
        yield "\n".join((table.said, visible(table.text).rstrip("\n"), *table.notes))


def _tables(one: Compared, arguments: Namespace) -> list[ValueTable]:
    """Return every pair row by column, the list of the pairs, and the topics if requested."""
    said = f"{heading(one.scores)}. {about(one.comparison)}"
    tables = [matrix_table(one.comparison, said), pairs_table(one.comparison, said)]
    return [*tables, topics_table(one.comparison)] if arguments.by_topic else tables


def _sections(compared: Sequence[Compared], arguments: Namespace) -> Iterator[str]:
    comment = "% " if arguments.format == "latex" else ""
    before = ""
    for one in compared:
        comparison = one.comparison
        if arguments.format == "latex":
            yield "\n".join(table.latex for table in _tables(one, arguments))
            yield f"% {outcome_said(comparison)}\n\n"
        else:
            if (settings := heading(one.scores)) != before:
                yield f"{settings}\n"
            before = settings
            yield from _read(comparison)
            if arguments.by_topic:
                topics = topics_table(comparison)
                yield f"{topics.said}\n{visible(topics.text)}\n"
        if one.stability is not None:
            yield from _stable(one.stability, comment, arguments.format)
    both_ways = arguments.same_k is not None or arguments.same_characters is not None
    if len({one.base if both_ways else one.comparison.measure for one in compared}) > 1:
        orders = orders_table([(one.comparison.measure, one.comparison.means) for one in compared])
        latex = arguments.format == "latex"
        yield orders.latex if latex else f"{orders.said}\n{visible(orders.text)}\n"


def _read(comparison: Comparison) -> Iterator[str]:
    """Yield a comparison as text for people."""
    yield f"{about(comparison)}\n"
    for table in (matrix_table(comparison), pairs_table(comparison)):
        yield visible(table.text)
        if table.names == 1:
            yield "".join(f"{note}\n" for note in table.notes)
            yield f"{outcome_said(comparison)}\n\n"
        else:
            yield f"{table.notes[0]}\n\n"


# -- by different judgements ----------------------------------------------------------------------------


def write_by_judgements(
    scored: Sequence[Sequence[RunScores]], measures: Sequence[str], arguments: Namespace
) -> None:
    """Print the runs' means by each of JUDGED_BY, from their scores by these in turn, and τ to the first."""
    first, means = scored[0], {measure: means_by_judgements(scored, measure) for measure in measures}
    if arguments.format == "json":
        print_json(_judged_json(first, means))
    elif arguments.format in SEPARATED:
        lines = [tuple(line) for name, own in means.items() for line in judged_lines(first, own, name)]
        print(Table(JUDGED_HEAD, lines).rendered(arguments.format), end="")
    else:
        comment = "% " if arguments.format == "latex" else ""
        print(f"{comment}{heading(first[0])}")
        for name, own in means.items():
            print(f"{comment}{name} by whose judgements, on the topics that both judged")
            print(_judged_table(first, own).rendered(arguments.format), end="")


def _judged_table(runs: Sequence[RunScores], means: Floats) -> Table:
    """Return the means, the best run by A first, and the similarity of the orders."""
    rows: list[tuple[TableCell, ...]] = [
        (runs[at].id, *means[at].tolist()) for at in np.argsort(-means[:, 0], kind="stable").tolist()
    ]
    return Table(("run", *JUDGED_BY), [*rows, ("τ with A", None, *orders_alike(means).values())])


def _judged_json(runs: Sequence[RunScores], means: Mapping[str, Floats]) -> dict[str, Any]:
    return {
        name: {
            "runs": [
                {"id": run.id, "file": str(run.path), **dict(zip(JUDGED_BY, values, strict=True))}
                for run, values in zip(runs, own.tolist(), strict=True)
            ],
            "tau": {by: json_value(tau) for by, tau in orders_alike(own).items()},
        }
        for name, own in means.items()
    }


# -- orderings and stability ---------------------------------------------------------------------------


def _likenesses(compared: Sequence[Compared]) -> Iterator[tuple[str, str, Likeness]]:
    for x, y in combinations([one.comparison for one in compared], 2):
        yield x.measure, y.measure, likeness(x.means, y.means)


def _stable(own: Stability, comment: str, format: str) -> Iterator[str]:
    yield f"{comment}{own.measure}: pairs of runs that two sets of topics swap, {own.splits:,} draws\n"
    yield Table(
        ("topics in each set", "share swapped"),
        list(zip(own.sizes.tolist(), own.rates.tolist(), strict=True)),
    ).rendered(format)
    rows = [
        (f"from {begin:g}", compared, swapped, swapped / compared if compared else None)
        for begin, compared, swapped in zip(
            own.bins.tolist(), own.compared.tolist(), own.swapped.tolist(), strict=True
        )
    ]
    yield f"\n{comment}by the difference in one half of the topics\n"
    yield Table(("difference", "pairs", "swapped pairs", "share"), rows).rendered(format) + "\n"


def _chunkers_json(chunkers: BothWays) -> dict[str, Any]:
    reading = chunkers.reading
    return {
        **json_fields(reading),
        "said": list(chunkers.said),
        "runs": [
            {"id": run, "characters": read, "twice": twice}
            for run, read, twice in zip(
                chunkers.found[0].at_k.runs,
                chunkers.found[0].read.tolist(),
                chunkers.found[0].twice.tolist(),
                strict=True,
            )
        ],
        "budgets": [
            {**json_fields(one), "means": list(map(json_value, one.means))} for one in chunkers.budgets
        ],
    }


# -- JSON ----------------------------------------------------------------------------------------------


def _as_json(
    compared: Sequence[Compared], scored: Sequence[RunScores], arguments: Namespace
) -> dict[str, Any]:
    first = compared[0].scores
    return {
        "preset": first.preset.name,
        "parameters": {
            **first.parameters.by_name,
            "complete": arguments.complete,
            "overlap": first.overlap,
            **_testing_json(compared[0].comparison),
        },
        "task": first.task.value,
        "runs": [
            {"id": scores.id, "file": str(scores.path), "topics": len(scores.topics)} for scores in scored
        ],
        "topics": compared[0].comparison.topics,
        "measures": {one.comparison.measure: _comparison_json(one) for one in compared},
        "orderings": [{"measures": [x, y], **json_fields(own)} for x, y, own in _likenesses(compared)],
    }


def _testing_json(comparison: Comparison) -> dict[str, Any]:
    testing = comparison.testing
    return {
        "test": testing.test.value,
        "draws": testing.drawn if testing.test.draws else None,
        "seed": testing.seed,
        "tie": testing.tie,
        "correction": testing.correction.value,
        "family": comparison.family,
        "interval": testing.interval_named,
    }


def _comparison_json(one: Compared) -> dict[str, Any]:
    comparison = one.comparison
    said: dict[str, Any] = {
        "means": list(map(json_value, comparison.means.tolist())),
        "order": comparison.order.tolist(),
        "pairs": list(map(json_fields, comparison.pairs)),
        "intervals_at_once": None
        if comparison.at_once is None
        else [list(map(json_value, ends)) for ends in comparison.at_once.tolist()],
        "significant": comparison.significant,
        "significant_uncorrected": comparison.uncorrected,
        "warnings": comparison.warnings,
    }
    if one.stability is not None:
        own = one.stability
        said["stability"] = {
            "splits": own.splits,
            "topics": own.sizes.tolist(),
            "swapped": own.rates.tolist(),
            "bins": own.bins.tolist(),
            "pairs_in_bin": own.compared.tolist(),
            "swapped_in_bin": own.swapped.tolist(),
        }
    return said


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison by one measure, the scores in it, and its stability if requested."""

    comparison: Comparison
    scores: RunScores
    stability: Stability | None

    @property
    def base(self) -> str:
        """The measure without its cut-off."""
        return re.split(r"[@(\[]", self.comparison.measure)[0]


@dataclass(frozen=True, eq=False)
class BothWays:
    """Chunkers compared at the same k and at the same characters: by each measure, and at other budgets."""

    reading: Reading
    found: Sequence[Chunkers]
    budgets: Sequence[Budget]
    tables: Sequence[ValueTable]

    @property
    def said(self) -> Iterator[str]:
        for one in self.found:
            name = f"{one.at_characters.measure.partition('(')[0]}: " if len(self.found) > 1 else ""
            yield from (f"{name}{said}" for said in one.to_be_said())


def compare_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "compare",
        description="Compare runs pair by pair, each pair on its common topics: the difference of the means "
        "with the 95 % interval of the test, wins, ties and losses, the effect size (Cohen's d_z), and p, "
        "corrected for the number of pairs. With several measures, also compare how they order the runs "
        "(Kendall's τ and τ-b, τ_AP, Spearman's ρ). Write a measure of another task as documents:MAP.",
        epilog="exit status: 0 success, 1 a run could not be scored (listed on stderr; the others are "
        "compared) or no run has a judged document, 2 bad input (listed on stderr)",
    )
    add_scoring_arguments(parser)
    add_variations_argument(parser)
    add_parameters_argument(parser)
    add_groups_argument(parser)
    add = parser.add_argument
    _add_ways_to_compare(parser)
    add_test_arguments(parser)
    _add_other_questions(parser)
    add_overwrite_argument(parser, "FILE")
    add("--format", choices=(*FORMATS, "html"), default="table", help="the output format (default: table)")
    parser.set_defaults(run=_run_compare)


def _add_ways_to_compare(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--baseline",
        metavar="RUN",
        help="compare all other runs only with this one (its id or file), and correct p for these "
        "comparisons instead of all pairs",
    )
    add(
        "--same-k",
        type=positive,
        metavar="K",
        help="compare runs of chunks at their first K chunks (default: 5); the output warns if a difference "
        "appears only at the same K or only at the same number of characters",
    )
    add(
        "--same-characters",
        type=positive,
        metavar="N",
        help="compare runs of chunks at their first N characters (default: 2000), and cut the last chunk",
    )


def add_test_arguments(parser: ArgumentParser) -> None:
    """Add the arguments for tests of differences; ``testing_of`` reads them."""
    add = parser.add_argument
    add(
        "--test",
        choices=[test.value for test in PairTest],
        default=PairTest.RANDOMISATION,
        help="the test: randomisation (two-sided, exact up to 20 topics; default), the two-tailed t-test, "
        "Wilcoxon's signed-rank test, the sign test, or the one-tailed bootstrap of Kamps et al. 2007",
    )
    add(
        "--correction",
        choices=[correction.value for correction in Correction],
        default=Correction.HOLM,
        help="the correction of p for the number of pairs: Holm (default), Tukey's HSD by randomisation, "
        "Benjamini–Hochberg, or none",
    )
    add(
        "--interval",
        choices=[kind.value for kind in IntervalKind],
        default=IntervalKind.TEST,
        help="the interval of the test (default), or of the BCa bootstrap, which may disagree with p",
    )
    add(
        "--draws",
        type=whole(1, MOST_DRAWS),
        help=f"the number of draws (default: {RANDOMISATIONS:,} randomisations or {RESAMPLES:,} resamples; "
        "more if a small p and the number of pairs require them)",
    )
    add("--seed", type=whole(0, 2**32), default=SEED, help=f"the random seed (default: {SEED})")
    add(
        "--better",
        choices=("first", "second"),
        default="first",
        help="the alternative of the one-tailed bootstrap: the first run of a pair is better (default), or "
        "the second",
    )
    add(
        "--tie",
        type=_difference,
        default=0.0,
        metavar="D",
        help="count topic differences below D as ties (default: only equal scores)",
    )


def testing_of(arguments: Namespace) -> Testing:
    """Return how to test differences."""
    return Testing(
        PairTest(arguments.test),
        arguments.draws,
        arguments.seed,
        first_is_better=arguments.better == "first",
        tie=arguments.tie,
        correction=Correction(arguments.correction),
        interval=IntervalKind(arguments.interval),
    )


def _difference(text: str) -> float:
    """Read a difference of two scores."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return value


def _add_other_questions(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--stability",
        action="store_true",
        help="print how often two random halves of the topics swap two runs",
    )
    add(
        "--by-topic",
        action="store_true",
        help="also list the topics by the range of the best runs, the largest first, with each run's value",
    )
    add(
        "--scatter",
        type=chart_file,
        metavar="FILE",
        help="plot the runs by their means of two measures: .svg, .png, .pdf, .html, .csv or .tex",
    )
    add(
        "--stability-chart",
        type=chart_file,
        metavar="FILE",
        help="plot how often two halves of the topics swap two runs, by the size of the halves",
    )
    add(
        "--second",
        type=Path,
        metavar="QRELS",
        help="instead, order the runs by different judgements and compare the orders with Kendall's τ: the "
        "first QRELS (A), a second assessor's (B), their union, and their intersection",
    )


def _run_compare(arguments: Namespace) -> int:
    if len(arguments.runs) < 2:
        raise InexviewError("a comparison needs two or more runs")
    testing = testing_of(arguments)
    drawn = [arguments.scatter, arguments.stability_chart]
    sources = [arguments.qrels, *arguments.runs, arguments.collection, arguments.parameters]
    check_outputs(drawn, sources, overwrite=arguments.overwrite)
    reading = _reading_of(arguments)
    plain = arguments.measure or [MEASURES[0]]
    if reading is not None:
        arguments.measure = reading.asked(plain)
    by_task = _measures_by_task(arguments.measure)
    qrels = read_all_judged(arguments)
    if arguments.second is not None:
        return _by_second(qrels, by_task, arguments)
    scored: list[tuple[str, ScoringSettings, list[RunScores]]] = []
    said: set[str] = set()
    refused = False
    for task, measures in by_task.items():
        arguments.measure = measures
        settings = settings_of(arguments)
        if task:
            settings = _of_task(settings, Task.named(task))
        found = scored_runs(qrels, settings, arguments, said)
        refused |= found.refused
        scored.append((task, settings, of_one_task(found.runs)))
    scored = _scored_by_all(scored, refused=refused)
    stable = arguments.stability or arguments.stability_chart is not None
    shown = None if reading is None else _shown(reading, plain, arguments)
    compared = []
    for task, settings, runs in scored:
        names = shown or measures_compared(runs[0], asked=bool(settings.measures))
        compared += _compared(runs, names, testing, task, arguments.baseline, stable=stable)
    _warn(compared)
    _draw(compared, arguments)
    chunkers = None if reading is None else _both_ways(scored[0][2], reading, plain, testing, arguments)

    write(compared, scored[-1][2], arguments, chunkers)
    judged = any(scores.of_judged for scores in scored[-1][2])
    return PROBLEMS if refused or not judged else FINE


def _scored_by_all(
    scored: Sequence[tuple[str, ScoringSettings, list[RunScores]]], *, refused: bool
) -> list[tuple[str, ScoringSettings, list[RunScores]]]:
    """Return the runs that could be scored for every task.  Raises InexviewError if these are too few."""
    paths = set.intersection(*({run.path for run in runs} for _, _, runs in scored))
    kept = [
        (task, settings, distinguished([run for run in runs if run.path in paths]))
        for task, settings, runs in scored
    ]
    fewest = min(len(runs) for _, _, runs in kept)
    if fewest < 2 and refused:
        left = "no run" if not fewest else "only one run"
        raise InexviewError(f"{left} could be scored: there is nothing to compare")
    if fewest < 2:
        raise InexviewError("all runs belong to one group, so there is nothing to compare")
    return kept


def _by_second(qrels: Judged, by_task: Mapping[str, list[str]], arguments: Namespace) -> int:
    """Score the runs by each of two assessors and by both together, and print the resulting orders."""
    if {*by_task} != {""}:
        raise InexviewError("--second accepts only measures of the runs' own task")
    if arguments.stability or arguments.scatter or arguments.stability_chart:
        raise InexviewError("--second cannot be combined with stability or charts")
    second = joined_judgements(
        read_judgements(arguments.second, arguments.collection, arguments.qrels_format), arguments
    )
    if not isinstance(qrels, Qrels) or not isinstance(second, Qrels):
        raise InexviewError("--second needs the passages of one assessor in each file")
    settings, warned = settings_of(arguments), set[str]()
    found = [scored_runs(own, settings, arguments, warned) for own in judged_by(qrels, second).values()]
    scored = _scored_by_all(
        [(by, settings, one.runs) for by, one in zip(JUDGED_BY, found, strict=True)],
        refused=any(one.refused for one in found),
    )
    runs = [own for _, _, own in scored]

    write_by_judgements(runs, measures_compared(runs[0][0], asked=bool(settings.measures)), arguments)
    return PROBLEMS if any(one.refused for one in found) else FINE


def _of_task(settings: ScoringSettings, task: Task) -> ScoringSettings:
    """Return the settings for another task, with its usual preset if the given one does not support it."""
    preset = PRESETS.get(settings.preset or "")
    known = preset is None or task in preset.tasks
    return replace(settings, task=task, preset=settings.preset if known else None)


def _draw(compared: Sequence[Compared], arguments: Namespace) -> None:
    first = compared[0]
    preset = " and ".join(dict.fromkeys(one.scores.preset.name for one in compared))
    if arguments.scatter is not None:
        if len(compared) != 2:
            raise InexviewError("--scatter draws two measures: give -m twice")
        safe = arguments.format == "csv-safe"
        write_scatter(first.comparison, compared[1].comparison, preset, arguments.scatter, safe=safe)
    if arguments.stability_chart is not None:
        stable = [one.stability for one in compared if one.stability is not None]
        if not stable:
            raise InexviewError("stability needs at least two topics that all runs share")
        write_stability(stable, first.comparison, preset, arguments.stability_chart)


def _measures_by_task(written: Sequence[str]) -> dict[str, list[str]]:
    """Return the requested measures by the task that precedes each, "" for the runs' own."""
    by_task: dict[str, list[str]] = {}
    for text in written:
        task, colon, measure = text.rpartition(":")
        by_task.setdefault(task if colon else "", []).append(measure)
    return by_task or {"": []}


def of_one_task(scored: list[RunScores]) -> list[RunScores]:
    """Return the scores.  Raises InexviewError if they are of several tasks."""
    tasks = {scores.task for scores in scored}
    if len(tasks) > 1:
        raise InexviewError(f"runs of different tasks cannot be compared: {', '.join(sorted(tasks))}")
    return scored


def _reading_of(arguments: Namespace) -> Reading | None:
    """Return how many chunks are read in a comparison of chunkers: if requested, or without measures."""
    given = {"k": arguments.same_k, "characters": arguments.same_characters}
    given = {name: value for name, value in given.items() if value is not None}
    own = [measure for measure in arguments.measure if given and not takes_reading(measure)]
    if own:
        problem = f"{own[0]} takes neither k nor a budget, or sets its own depth"
        raise InexviewError(f"--same-k and --same-characters: {problem}")
    if given or (not arguments.measure and _are_chunks(arguments)):
        return Reading(**given)
    return None


def _are_chunks(arguments: Namespace) -> bool:
    """Return whether the first run is one of chunks, by the arguments and its format."""
    if Task.CHUNKS.value in (arguments.task, arguments.preset):
        return True
    if arguments.task or arguments.preset or arguments.second is not None:
        return False
    return format_to_read(arguments.runs[0], FileKind.RUN, arguments.run_format, None) is CHUNK_RUN


def _shown(reading: Reading, measures: Sequence[str], arguments: Namespace) -> tuple[str, ...]:
    """Return the measures of the requested comparisons, by default of both."""
    both = arguments.same_k is None and arguments.same_characters is None
    ways = [reading.at_k] * (both or arguments.same_k is not None)
    ways += [reading.at_characters] * (both or arguments.same_characters is not None)
    return tuple(way(measure) for measure in measures for way in ways)


def _both_ways(
    runs: Sequence[RunScores],
    reading: Reading,
    measures: Sequence[str],
    testing: Testing,
    arguments: Namespace,
) -> BothWays:
    against = None if arguments.baseline is None else place_of(arguments.baseline, runs)
    found = [
        Chunkers.of(
            runs,
            reading,
            compare(runs, reading.at_k(measure), testing, baseline=against),
            compare(runs, reading.at_characters(measure), testing, baseline=against),
        )
        for measure in measures
    ]
    budgets = at_budgets(runs, measures[0], reading, testing)
    tables = reading_table(runs, found[0]), budget_table(found[0].at_k.runs, measures[0], budgets)
    return BothWays(reading, found, budgets, tables)


def _compared(
    scored: Sequence[RunScores],
    measures: Sequence[str],
    testing: Testing,
    task: str,
    baseline: str | None,
    *,
    stable: bool,
) -> list[Compared]:
    """Compare the runs by each measure; measures of another task are named with the task."""
    found = []
    against = None if baseline is None else place_of(baseline, scored)
    for name in measures:
        comparison = compare(scored, name, testing, baseline=against)
        if task:
            comparison = replace(comparison, measure=f"{task}:{name}")
        enough = stable and len(comparison.shared) > 1
        swaps = stability_of(comparison) if enough else None
        found.append(Compared(comparison, scored[0], swaps))
    return found


def place_of(run: str, scored: Sequence[RunScores]) -> int:
    """Return the index of a run that ``--baseline`` names by its id or its file; raises InexviewError."""
    named = [at for at, scores in enumerate(scored) if run in (scores.id, str(scores.path))]
    named = named or [at for at, scores in enumerate(scored) if scores.path and scores.path.name == run]
    if len(named) != 1:
        known = some_named([scores.id for scores in scored])
        problem = "is not one of the scored runs" if not named else "names several runs: give the file"
        raise InexviewError(f"--baseline {run!r} {problem}; there are {known}")
    return named[0]


def measures_compared(scores: RunScores, *, asked: bool) -> Sequence[str]:
    """Return the measures to compare by, named as means: the requested ones, or the main one."""
    return scores.mean_names if asked else [scores.mean_names[scores.names.index(scores.main)]]


def _warn(compared: Sequence[Compared]) -> None:
    for warning in dict.fromkeys(warning for one in compared for warning in one.comparison.warnings):
        complain(f"warning: {warning}")


def write_scatter(across: Comparison, up: Comparison, preset: str, path: Path, *, safe: bool) -> None:
    """Plot the runs at their means of two measures.  Raises InexviewError if that is impossible."""
    from inexview.core.evaluation.charts import two_orderings

    runs = [(name, style) for style, name in enumerate(across.runs)]
    about = f"{across.topics_said} · {preset}"
    chart = two_orderings(
        runs, (across.measure, across.means), (up.measure, up.means), lambda what: f"{what} · {about}"
    )
    draw_chart(chart, path, safe=safe)


def write_stability(found: Sequence[Stability], compared: Comparison, preset: str, path: Path) -> None:
    """Plot how often halves of the topics swap runs.  Raises InexviewError if that is impossible."""
    from inexview.core.evaluation.charts import stability_by_halves

    draw_chart(stability_by_halves(found, len(compared.runs), len(compared.shared), preset), path)
