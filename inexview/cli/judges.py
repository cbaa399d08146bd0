"""`inexview agree QRELS --model FILE…`: whether a model may judge in the person's place."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from inexview.cli.common import FINE, PROBLEMS, Watch
from inexview.cli.scoring import read_runs, warn
from inexview.cli.tables import Table, TableCell, json_value, print_json
from inexview.core.answers.judges import ORDERED_BY, Found, ModelLabels
from inexview.core.collection.collection import Collection
from inexview.core.evaluation.judges import Bias, JudgeAgreement, Verdict
from inexview.core.formats.judge_files import located, read_model_labels
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.open_runs.judges import (
    ModelStanding,
    best_ranks,
    lengths_of,
    quotes_by_model,
    standing,
)
from inexview.core.report import difference_text
from inexview.core.wording import counted

LISTED = 20  # documents that are listed where they differ


def add_model_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the question whether a model may judge."""
    add = parser.add_argument
    add(
        "--model",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="instead, compare a model's judgements with one person's QRELS; FILE is output of UMBRELA, "
        "OpenSearch, Quepid, TruLens, Ragas and others",
    )
    add("--runs", type=Path, nargs="+", default=[], metavar="RUN", help="runs to order by each judge")
    add(
        "--questions",
        type=Path,
        metavar="TOPICS",
        help="topics, required if the model's file has only their texts",
    )
    add(
        "-m",
        "--measure",
        default=ORDERED_BY,
        help=f"the measure that orders the runs (default: {ORDERED_BY})",
    )


def run_models(person: Qrels, arguments: Namespace) -> int:
    """Compare each model with the person, and print; the exit status is 1 unless all of them may judge."""
    runs = _runs(arguments)
    ranks, lengths = best_ranks(runs), lengths_of(person)
    agreements: dict[str, JudgeAgreement] = {}
    said: list[str] = []
    as_json: dict[str, Any] = {}
    for path in arguments.model:
        for name, labels, quotes in _labels(path, person, arguments):
            own = standing(name, person, labels, runs, ranks, lengths, measure=arguments.measure)
            warn(own.order.left_out)
            agreements[name] = own.agreement
            as_json[name] = _as_json(own, quotes)
            said.append("\n\n".join(_read(own, quotes)))
    if arguments.format == "json":
        print_json(as_json)
    elif arguments.format == "table":
        print("\n\n".join(said))
    else:
        print(_figures(agreements).rendered(arguments.format), end="")
    return FINE if all(own.verdict is Verdict.YES for own in agreements.values()) else PROBLEMS


Quotes = Counter[Found]
"""How the quotes of a model match the texts."""


def _labels(path: Path, person: Qrels, arguments: Namespace) -> Iterator[tuple[str, ModelLabels, Quotes]]:
    """Yield each model of a file with its labels, located, and the matches of its quotes in the texts."""
    labels = read_model_labels(path)
    questions: dict[str, str] = {}
    if arguments.questions is not None:
        from inexview.core.formats.topic_files import read_topics  # imports lxml, rarely needed

        questions = {topic.id: topic.title for topic in read_topics(arguments.questions)}
    judged: dict[str, list[str]] = {}
    for judgement in person:
        judged.setdefault(judgement.topic, []).append(judgement.document)
    quotes: dict[str, Counter[Found]] = {}
    if arguments.collection is None:
        labels = located(labels, judged, questions, None)
    else:
        with closing(Collection.open(arguments.collection)) as collection, Watch() as watch:
            labels = located(labels, judged, questions, collection, watch)
            quotes = quotes_by_model(labels, collection)
    warn(labels.warnings)
    for model in labels.models:
        yield model, labels.of_model(model), quotes.get(model, Counter())


def _runs(arguments: Namespace) -> list[Run]:
    if not arguments.runs:
        return []
    runs, warnings = read_runs(arguments.runs, arguments.collection)
    warn(tuple(warnings))
    return runs


# -- output --------------------------------------------------------------------------------------------


def _figures(agreements: Mapping[str, JudgeAgreement]) -> Table:
    head = (
        "model", "verdict", "documents", "weighted κ", "low", "high", "κ", "α", "same", "higher", "lower",
        "τ", "runs", "without grade",
    )  # fmt: skip
    rows = [
        (
            name, own.verdict.value, len(own.pairs), own.weighted_kappa, *own.interval, own.kappa, own.alpha,
            own.same, own.higher, own.lower, own.tau, own.runs, own.without_grade,
        )
        for name, own in agreements.items()
    ]  # fmt: skip
    return Table(head, rows)


def _read(standing: ModelStanding, quotes: Quotes) -> Iterator[str]:
    """Yield the results for a model as text for people."""
    own, name = standing.agreement, standing.model
    yield f"{name}: {own.said()}"
    if not own.pairs:
        return
    yield own.relied_on()
    yield from filter(None, [standing.order.said()])
    grades = tuple(map(str, own.grades))
    rows: list[tuple[TableCell, ...]] = [
        (f"person {grade}", *row, sum(row)) for grade, row in zip(grades, own.matrix.tolist(), strict=True)
    ]
    columns = own.matrix.sum(axis=0).tolist()
    rows += [("all", *columns, sum(columns)), ("precision", *own.precision.values(), None)]
    yield Table(("grades", *(f"model {grade}" for grade in grades), "all"), rows).rendered("table").rstrip()
    yield _figures({name: own}).rendered("table").rstrip()
    if standing.order.runs:
        ranked = [(run.run, run.person, run.model) for run in standing.order.runs]
        yield Table(("run", "by the person", "by the model"), ranked).rendered("table").rstrip()
    for what, thirds in standing.biases.items():
        yield _bias(what, thirds)
    if quotes:
        yield "quotes: " + ", ".join(f"{quotes[how]:,} {how}" for how in Found if quotes[how])
    apart = own.differing()
    if apart:
        listed = [(one.topic, one.document, one.person, one.model, one.apart) for one in apart[:LISTED]]
        said = f"two grades apart or more: {counted(len(apart), 'document')}"
        yield (
            f"{said}\n"
            + Table(("topic", "document", "person", "model", "apart"), listed).rendered("table").rstrip()
        )


def _bias(what: str, thirds: Sequence[Bias]) -> str:
    parts = (f"{one.third} third {difference_text(one.mean, 2)} ({one.documents})" for one in thirds)
    return f"model minus person, {what}: {', '.join(parts)}"


def _as_json(standing: ModelStanding, quotes: Quotes) -> Any:
    own = standing.agreement
    (row,) = _figures({standing.model: own}).rows
    head = _figures({}).headings
    return {
        **{key: json_value(value) for key, value in zip(head, row, strict=True)},
        "said": own.said(),
        "grades": list(own.grades),
        "matrix": own.matrix.tolist(),
        "precision": {str(grade): json_value(value) for grade, value in own.precision.items()},
        "order": [{"run": run.run, "person": run.person, "model": run.model} for run in standing.order.runs],
        "bias": {
            what: [{**third._asdict(), "mean": json_value(third.mean)} for third in thirds]
            for what, thirds in standing.biases.items()
        },
        "quotes": {how.value: quotes[how] for how in Found} if quotes else {},
        "documents": [pair._asdict() for pair in own.pairs],
    }
