"""How the comparisons of ``inexview compare`` are written: tables, LaTeX, CSV, TSV or JSON."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from inexview.cli.common import visible
from inexview.cli.eval_output import heading
from inexview.cli.table_output import Table, TableCell, json_fields, json_value, print_json
from inexview.core.evaluation.comparisons.assessor_variation import (
    JUDGED_BY,
    JUDGED_HEAD,
    judged_lines,
    means_by_judgements,
    orders_alike,
)
from inexview.core.evaluation.comparisons.comparison import Comparison
from inexview.core.evaluation.comparisons.comparison_tables import (
    PAIR_HEAD,
    about,
    matrix_table,
    outcome_said,
    pair_lines,
    pairs_table,
)
from inexview.core.evaluation.comparisons.orderings import Likeness, likeness
from inexview.core.evaluation.comparisons.significance import written_p
from inexview.core.evaluation.comparisons.stability import Stability
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.report import CSV_SAFE, SEPARATED, ValueTable, html_page, separated
from inexview.core.text.spans import Floats

if TYPE_CHECKING:
    from inexview.cli.compare import Compared


def write(compared: Sequence[Compared], scored: Sequence[RunScores], arguments: Namespace) -> None:
    if arguments.format == "json":
        print_json(_as_json(compared, scored, arguments))
    elif arguments.format in SEPARATED:
        rows = [line for one in compared for line in pair_lines(one.scores, one.comparison)]
        form = arguments.format
        print(separated(PAIR_HEAD, rows, SEPARATED[form], safe=form == CSV_SAFE), end="")
    elif arguments.format == "html":
        tables = [table for one in compared for table in _tables(one)]
        print(html_page("Comparison of runs", tables), end="")
    else:
        print("".join(_sections(compared, arguments)), end="")


def _tables(one: Compared) -> tuple[ValueTable, ValueTable]:
    """Return every pair row by column, and the list of the pairs."""
    said = f"{heading(one.scores)}. {about(one.comparison)}"
    return matrix_table(one.comparison, said), pairs_table(one.comparison, said)


def _sections(compared: Sequence[Compared], arguments: Namespace) -> Iterator[str]:
    comment = "% " if arguments.format == "latex" else ""
    before = ""
    for one in compared:
        comparison = one.comparison
        if arguments.format == "latex":
            yield "\n".join(table.latex for table in _tables(one))
            yield f"% {outcome_said(comparison)}\n\n"
        else:
            if (settings := heading(one.scores)) != before:
                yield f"{settings}\n"
            before = settings
            yield from _read(comparison)
        if one.stability is not None:
            yield from _stable(one.stability, comment, arguments.format)
    if len(compared) > 1:
        yield f"{comment}how alike two measures order the runs (τ_AP weighs the top of the first)\n"
        yield _correlations(compared).rendered(arguments.format)


def _read(comparison: Comparison) -> Iterator[str]:
    """Yield a comparison as people read it."""
    yield f"{about(comparison)}\n"
    for table in (matrix_table(comparison), pairs_table(comparison)):
        yield visible(table.text)
        if table.names == 1:
            yield "".join(f"{note}\n" for note in table.notes)
            yield f"{outcome_said(comparison)}\n\n"
        else:
            yield f"{table.notes[0]}\n\n"


# -- whose judgements ----------------------------------------------------------------------------------


def write_by_judgements(
    scored: Sequence[Sequence[RunScores]], measures: Sequence[str], arguments: Namespace
) -> None:
    """Print the runs' means by each of JUDGED_BY, of their scores by these in turn, and τ to the first."""
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
    """Return the means, the best run by A first, and how alike the orders are."""
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


def _correlations(compared: Sequence[Compared]) -> Table:
    rows = [
        (
            first,
            second,
            own.tau,
            own.tau_b,
            written_p(own.tau_p),
            own.tau_ap,
            written_p(own.tau_ap_p),
            own.rho,
            written_p(own.rho_p),
        )
        for first, second, own in _likenesses(compared)
    ]
    return Table(("measure", "measure", "τ", "τ-b", "p", "τ_AP", "p", "ρ", "p"), rows)


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
