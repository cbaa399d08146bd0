"""`inexview compare QRELS RUN RUN…`: which run is better, by how much, and whether that means anything."""

from __future__ import annotations

import json
import math
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from inexview.cli.common import BAD_INPUT, FINE, complain
from inexview.cli.eval_output import heading
from inexview.cli.judgements import read_judgements
from inexview.cli.scoring import add_scoring_arguments, scored_runs, settings_of
from inexview.cli.table_output import FORMATS, Cell, Table
from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparison import Comparison, Pair, compare
from inexview.core.evaluation.evaluate import RunScores
from inexview.core.evaluation.significance import LEVEL, RESAMPLES, SEED, kendall_tau, spearman_rho
from inexview.core.wording import counted

_MOST_RESAMPLES = 100_000  # which, of 100 topics, take 80 MB


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    """Describe the command."""
    parser = subparsers.add_parser(
        "compare",
        description="Compare runs pair by pair, on the topics that all of them have: the difference of the "
        "means, the improvement in percent, a one-tailed paired bootstrap and a paired two-tailed t-test, "
        "each also with Holm's correction for the number of pairs. With several measures, also how alike "
        "they order the runs (Kendall's τ-b, Spearman's ρ).",
        epilog="exit status: 0 fine, 2 bad input (which is named on stderr)",
    )
    add_scoring_arguments(parser)
    add = parser.add_argument
    add(
        "--resamples",
        type=_whole(1, _MOST_RESAMPLES),
        default=RESAMPLES,
        help=f"of the bootstrap (default: {RESAMPLES})",
    )
    add("--seed", type=_whole(0, 2**32), default=SEED, help=f"of the bootstrap (default: {SEED})")
    add("--format", choices=FORMATS, default="table", help="how to print (default: table)")
    parser.set_defaults(run=run)


def _whole(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers in a range."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not low <= int(text) <= high:
            raise ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


def run(arguments: Namespace) -> int:
    """Score the runs, compare them and print."""
    if len(arguments.runs) < 2:
        raise InexviewError("one run cannot be compared: give two or more")
    settings = settings_of(arguments)
    qrels = read_judgements(arguments.qrels, arguments.collection, arguments.qrels_format)
    scored = scored_runs(qrels, settings, arguments)
    if scored is None:
        return BAD_INPUT
    tasks = {scores.task for scores in scored}
    if len(tasks) > 1:
        raise InexviewError(f"runs of different tasks cannot be compared: {', '.join(sorted(tasks))}")
    scored = _distinguished(scored)
    comparisons = [
        compare(scored, name, resamples=arguments.resamples, seed=arguments.seed)
        for name in _measures(scored[0], asked=bool(settings.measures))
    ]
    _say_what_is_left_out(scored, comparisons[0])
    _print(comparisons, scored, arguments)
    return FINE


def _distinguished(scored: Sequence[RunScores]) -> list[RunScores]:
    """Return the runs with their files for ids where two share an id."""
    ids = [scores.id for scores in scored]
    return [replace(s, id=str(s.path)) if ids.count(s.id) > 1 else s for s in scored]


def _measures(scores: RunScores, *, asked: bool) -> Sequence[str]:
    """Return what to compare by, under the means' names: what was asked for, else the last of the preset."""
    if asked:
        return scores.mean_names
    main = scores.preset.tasks[scores.task].table[-1]
    return [scores.mean_names[scores.names.index(main)]]


def _say_what_is_left_out(scored: Sequence[RunScores], comparison: Comparison) -> None:
    left_out = {topic for scores in scored for topic in scores.topics} - set(comparison.topics)
    if left_out:
        complain(
            f"warning: {counted(len(left_out), 'topic')} left out, which not all runs have "
            "(--complete counts a missing one as 0)"
        )


# -- what is printed ----------------------------------------------------------------------------------


def _print(comparisons: Sequence[Comparison], scored: Sequence[RunScores], arguments: Namespace) -> None:
    if arguments.format == "json":
        print(json.dumps(_as_json(comparisons, scored, arguments), ensure_ascii=False, indent=1))
    elif arguments.format in ("csv", "tsv"):
        first = scored[0]
        how = (first.task.value, first.preset.name, str(first.parameters))
        rows = [(*how, *row) for comparison in comparisons for row in _pair_rows(comparison, named=True)]
        headings = ("task", "preset", "parameters", "measure", *_PAIR)
        print(Table(headings, rows).rendered(arguments.format), end="")
    else:
        print("".join(_sections(comparisons, scored[0], arguments)), end="")


def _sections(comparisons: Sequence[Comparison], first: RunScores, arguments: Namespace) -> Iterator[str]:
    comment = "% " if arguments.format == "latex" else ""
    yield f"{comment}{heading(first)}\n"
    for comparison in comparisons:
        yield (
            f"{comment}{comparison.measure} on {counted(len(comparison.topics), 'topic')}; bootstrap of "
            f"{arguments.resamples} resamples, seed {arguments.seed}\n"
        )
        yield _matrix(comparison).rendered(arguments.format)
        yield f"{comment}row less column; * p < {LEVEL} by the one-tailed bootstrap, ** also after Holm\n\n"
        yield Table(_PAIR, list(_pair_rows(comparison, named=False))).rendered(arguments.format) + "\n"
    if len(comparisons) > 1:
        yield f"{comment}how alike two measures order the runs\n"
        yield _correlations(comparisons).rendered(arguments.format)


def _matrix(comparison: Comparison) -> Table:
    """Return the differences of the means, row less column, with stars where they are significant."""
    between = {(pair.better, pair.worse): pair for pair in comparison.pairs}
    rows = []
    for i, (run_id, mean) in enumerate(zip(comparison.runs, comparison.means.tolist(), strict=True)):
        differences: list[Cell] = []
        for j in range(len(comparison.runs)):
            pair = between.get((i, j)) or between.get((j, i))
            differences.append("" if pair is None else _starred(pair, positive=pair.better == i))
        rows.append((run_id, mean, *differences))
    return Table(("run", comparison.measure, *comparison.runs), rows)


def _starred(pair: Pair, *, positive: bool) -> str:
    stars = "**" if pair.bootstrap_holm < LEVEL else "*" if pair.bootstrap < LEVEL else ""
    return f"{pair.difference if positive else -pair.difference:+.4f}{stars}"


_PAIR = (
    "better", "worse", "difference", "%", "bootstrap p", "bootstrap p (Holm)", "t", "df", "t-test p",
    "t-test p (Holm)",
)  # fmt: skip


def _pair_rows(comparison: Comparison, *, named: bool) -> Iterator[tuple[Cell, ...]]:
    for pair in comparison.pairs:
        row = (
            comparison.runs[pair.better],
            comparison.runs[pair.worse],
            pair.difference,
            pair.improvement,
            pair.bootstrap,
            pair.bootstrap_holm,
            pair.t_test.t,
            pair.t_test.df,
            pair.t_test.p,
            pair.t_test_holm,
        )
        yield (comparison.measure, *row) if named else row


def _correlations(comparisons: Sequence[Comparison]) -> Table:
    rows = [
        (x.measure, y.measure, kendall_tau(x.means, y.means), spearman_rho(x.means, y.means))
        for x, y in combinations(comparisons, 2)
    ]
    return Table(("measure", "measure", "Kendall's τ-b", "Spearman's ρ"), rows)


def _as_json(
    comparisons: Sequence[Comparison], scored: Sequence[RunScores], arguments: Namespace
) -> dict[str, Any]:
    parameters = scored[0].parameters
    return {
        "preset": scored[0].preset.name,
        "parameters": {
            "beta": parameters.beta,
            "A": parameters.a,
            "n": parameters.n,
            "alpha": parameters.alpha,
            "quantisation": parameters.quantisation,
            "complete": arguments.complete,
            "overlap": scored[0].overlap,
            "resamples": arguments.resamples,
            "seed": arguments.seed,
        },
        "task": scored[0].task.value,
        "runs": [{"id": scores.id, "file": str(scores.path)} for scores in scored],
        "topics": comparisons[0].topics,
        "measures": {comparison.measure: _comparison_json(comparison) for comparison in comparisons},
        "orderings": [
            {"measures": [x, y], "kendall_tau_b": _number(tau), "spearman_rho": _number(rho)}
            for x, y, tau, rho in _correlations(comparisons).rows
        ],
    }


def _comparison_json(comparison: Comparison) -> dict[str, Any]:
    names = (
        "difference",
        "percent",
        "bootstrap_p",
        "bootstrap_p_holm",
        "t",
        "df",
        "t_test_p",
        "t_test_p_holm",
    )
    return {
        "means": comparison.means.tolist(),
        "pairs": [
            {
                "better": pair.better,
                "worse": pair.worse,
                **dict(zip(names, map(_number, row[2:]), strict=True)),
            }
            for pair, row in zip(comparison.pairs, _pair_rows(comparison, named=False), strict=True)
        ],
    }


def _number(value: Cell) -> Cell:
    """Return None for NaN and infinities, which JSON does not have."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
