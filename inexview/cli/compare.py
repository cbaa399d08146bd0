"""`inexview compare QRELS RUN RUN…`: which run is better, by how much, and whether that means anything."""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from inexview.cli.chart_drawing import chart_file, draw_chart
from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.cli.judgements import read_judgements
from inexview.cli.outputs import add_overwrite_argument, check_outputs
from inexview.cli.scoring import Judged, joined_judgements, read_all_judged, scored_runs, settings_of
from inexview.cli.scoring_arguments import add_groups_argument, add_scoring_arguments, whole
from inexview.cli.table_output import FORMATS
from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparisons.assessor_variation import JUDGED_BY, judged_by
from inexview.core.evaluation.comparisons.comparison import Comparison, compare
from inexview.core.evaluation.comparisons.corrections import Correction
from inexview.core.evaluation.comparisons.significance import RANDOMISATIONS, RESAMPLES, SEED
from inexview.core.evaluation.comparisons.stability import Stability, stability_of
from inexview.core.evaluation.comparisons.testing import MOST_DRAWS, IntervalKind, PairTest, Testing
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.score_lines import distinguished
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Task
from inexview.core.measures.presets import PRESETS
from inexview.core.wording import some_named


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison by one measure, the scores it was made of, and how stable it is where that is asked."""

    comparison: Comparison
    scores: RunScores
    stability: Stability | None


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "compare",
        description="Compare runs pair by pair, each pair on the topics that both have: the difference of "
        "the means with the 95 % interval of the test, wins, ties and losses, the effect size (Cohen's d_z), "
        "and p, corrected for the number of pairs. With several measures, also how alike they order the runs "
        "(Kendall's τ and τ-b, τ_AP, Spearman's ρ); a measure of another task is written documents:MAP.",
        epilog="exit status: 0 fine, 1 a run could not be scored (it is named on stderr, the others are "
        "compared) or no run has a judged document, 2 bad input (which is named on stderr)",
    )
    add_scoring_arguments(parser)
    add_groups_argument(parser)
    add = parser.add_argument
    _add_test_arguments(parser)
    _add_other_questions(parser)
    add_overwrite_argument(parser, "FILE")
    add("--format", choices=(*FORMATS, "html"), default="table", help="how to print (default: table)")
    parser.set_defaults(run=run)


def _add_test_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--baseline",
        metavar="RUN",
        help="compare every other run with this one alone (its id or file), and correct p for these "
        "comparisons instead of all pairs",
    )
    add(
        "--test",
        choices=[test.value for test in PairTest],
        default=PairTest.RANDOMISATION,
        help="randomisation (two-sided, exact up to 20 topics; default), the two-tailed t-test, Wilcoxon's "
        "signed ranks, the sign test, or the one-tailed bootstrap of Kamps et al. 2007",
    )
    add(
        "--correction",
        choices=[correction.value for correction in Correction],
        default=Correction.HOLM,
        help="of p for the number of pairs: Holm (default), Tukey's HSD by randomisation, "
        "Benjamini–Hochberg, or none",
    )
    add(
        "--interval",
        choices=[kind.value for kind in IntervalKind],
        default=IntervalKind.TEST,
        help="that of the test (default), or BCa bootstrap, which may disagree with p",
    )
    add(
        "--draws",
        type=whole(1, MOST_DRAWS),
        help=f"of the test (default: {RANDOMISATIONS:,} randomisations or {RESAMPLES:,} resamples, and more "
        "in the tail, as many as the number of pairs needs)",
    )
    add("--seed", type=whole(0, 2**32), default=SEED, help=f"of what is drawn (default: {SEED})")
    add(
        "--better",
        choices=("first", "second"),
        default="first",
        help="what the one-tailed bootstrap tests: that of two runs the one given first (default) or second "
        "is better",
    )
    add(
        "--tie",
        type=_difference,
        default=0.0,
        metavar="D",
        help="differences of topics below D are ties (default: equal scores)",
    )


def _difference(text: str) -> float:
    """Read a difference of two scores."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise ArgumentTypeError(f"{text!r} is no difference from 0 to 1")
    return value


def _add_other_questions(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--stability", action="store_true", help="how often two random halves of the topics swap two runs")
    add(
        "--scatter",
        type=chart_file,
        metavar="FILE",
        help="draw the runs at their means of two measures: .svg, .png, .pdf, .html, .csv or .tex",
    )
    add(
        "--stability-chart",
        type=chart_file,
        metavar="FILE",
        help="draw how often two halves of the topics swap two runs, by the size of the halves",
    )
    add(
        "--second",
        type=Path,
        metavar="QRELS",
        help="instead, what order of the runs follows from whose judgements: those given first (A), a second "
        "assessor's (B), what either marked (union), what both marked (intersection); with Kendall's τ",
    )


def run(arguments: Namespace) -> int:
    if len(arguments.runs) < 2:
        raise InexviewError("one run cannot be compared: give two or more")
    testing = Testing(
        PairTest(arguments.test),
        arguments.draws,
        arguments.seed,
        first_is_better=arguments.better == "first",
        tie=arguments.tie,
        correction=Correction(arguments.correction),
        interval=IntervalKind(arguments.interval),
    )
    drawn = [arguments.scatter, arguments.stability_chart]
    sources = [arguments.qrels, *arguments.runs, arguments.collection]
    check_outputs(drawn, sources, overwrite=arguments.overwrite)
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
        scored.append((task, settings, _of_one_task(found.runs)))
    scored = _scored_by_all(scored, refused=refused)
    stable = arguments.stability or arguments.stability_chart is not None
    compared = [
        one
        for task, settings, runs in scored
        for one in _compared(runs, settings, testing, task, arguments.baseline, stable=stable)
    ]
    _warn(compared)
    _draw(compared, arguments)
    from inexview.cli import compare_output  # only once there is something to print

    compare_output.write(compared, scored[-1][2], arguments)
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
        raise InexviewError("all runs are of one group: there is nothing to compare")
    return kept


def _by_second(qrels: Judged, by_task: Mapping[str, list[str]], arguments: Namespace) -> int:
    """Score the runs by each of two assessors and by both together, and print what orders follow."""
    if {*by_task} != {""}:
        raise InexviewError("--second compares by measures of the runs' own task")
    if arguments.stability or arguments.scatter or arguments.stability_chart:
        raise InexviewError("--second prints another comparison: no stability, no chart")
    second = joined_judgements(
        read_judgements(arguments.second, arguments.collection, arguments.qrels_format), arguments
    )
    if not isinstance(qrels, Qrels) or not isinstance(second, Qrels):
        raise InexviewError("--second needs passages of one assessor each")
    settings, warned = settings_of(arguments), set[str]()
    found = [scored_runs(own, settings, arguments, warned) for own in judged_by(qrels, second).values()]
    scored = _scored_by_all(
        [(by, settings, one.runs) for by, one in zip(JUDGED_BY, found, strict=True)],
        refused=any(one.refused for one in found),
    )
    runs = [own for _, _, own in scored]
    from inexview.cli import compare_output

    compare_output.write_by_judgements(runs, _measures(runs[0][0], asked=bool(settings.measures)), arguments)
    return PROBLEMS if any(one.refused for one in found) else FINE


def _of_task(settings: ScoringSettings, task: Task) -> ScoringSettings:
    """Return the settings for another task, by its usual preset where the one asked for does not have it."""
    preset = PRESETS.get(settings.preset or "")
    known = preset is None or task in preset.tasks
    return replace(settings, task=task, preset=settings.preset if known else None)


def _draw(compared: Sequence[Compared], arguments: Namespace) -> None:
    first = compared[0]
    preset = " and ".join(dict.fromkeys(one.scores.preset.name for one in compared))
    if arguments.scatter is not None:
        if len(compared) != 2:
            raise InexviewError("--scatter draws two measures: give -m twice")
        write_scatter(first.comparison, compared[1].comparison, preset, arguments.scatter)
    if arguments.stability_chart is not None:
        stable = [one.stability for one in compared if one.stability is not None]
        if not stable:
            raise InexviewError("stability needs two topics at least that all runs have")
        write_stability(stable, first.comparison, preset, arguments.stability_chart)


def _measures_by_task(written: Sequence[str]) -> dict[str, list[str]]:
    """Return the measures asked for by the task that is before each, "" for the runs' own."""
    by_task: dict[str, list[str]] = {}
    for text in written:
        task, colon, measure = text.rpartition(":")
        by_task.setdefault(task if colon else "", []).append(measure)
    return by_task or {"": []}


def _of_one_task(scored: list[RunScores]) -> list[RunScores]:
    tasks = {scores.task for scores in scored}
    if len(tasks) > 1:
        raise InexviewError(f"runs of different tasks cannot be compared: {', '.join(sorted(tasks))}")
    return scored


def _compared(
    scored: Sequence[RunScores],
    settings: ScoringSettings,
    testing: Testing,
    task: str,
    baseline: str | None,
    *,
    stable: bool,
) -> list[Compared]:
    """Compare the runs by each measure; one of a task of its own is named with it."""
    found = []
    against = None if baseline is None else _place_of(baseline, scored)
    for name in _measures(scored[0], asked=bool(settings.measures)):
        comparison = compare(scored, name, testing, baseline=against)
        if task:
            comparison = replace(comparison, measure=f"{task}:{name}")
        enough = stable and len(comparison.shared) > 1
        swaps = stability_of(comparison) if enough else None
        found.append(Compared(comparison, scored[0], swaps))
    return found


def _place_of(run: str, scored: Sequence[RunScores]) -> int:
    """Return the place of a run that is named by its id or its file."""
    named = [at for at, scores in enumerate(scored) if run in (scores.id, str(scores.path))]
    named = named or [at for at, scores in enumerate(scored) if scores.path and scores.path.name == run]
    if len(named) != 1:
        known = some_named([scores.id for scores in scored])
        problem = "is no run that could be scored" if not named else "names several runs: give the file"
        raise InexviewError(f"--baseline {run!r} {problem}; there are {known}")
    return named[0]


def _measures(scores: RunScores, *, asked: bool) -> Sequence[str]:
    """Return what to compare by, under the means' names: those asked for, or the main one."""
    return scores.mean_names if asked else [scores.mean_names[scores.names.index(scores.main)]]


def _warn(compared: Sequence[Compared]) -> None:
    for warning in dict.fromkeys(warning for one in compared for warning in one.comparison.warnings):
        complain(f"warning: {warning}")


def write_scatter(across: Comparison, up: Comparison, preset: str, path: Path) -> None:
    """Draw the runs at their means of two measures.  Raises InexviewError where that cannot be."""
    from inexview.gui.charts.chart import two_orderings

    runs = [(name, style) for style, name in enumerate(across.runs)]
    about = f"{across.topics_said} · {preset}"
    chart = two_orderings(
        runs, (across.measure, across.means), (up.measure, up.means), lambda what: f"{what} · {about}"
    )
    draw_chart(chart, path)


def write_stability(found: Sequence[Stability], compared: Comparison, preset: str, path: Path) -> None:
    """Draw how often halves of the topics swap runs.  Raises InexviewError where that cannot be."""
    from inexview.gui.charts.chart import stability_by_halves

    draw_chart(stability_by_halves(found, len(compared.runs), len(compared.shared), preset), path)
