"""`inexview agree QRELS --model FILE…`: whether a model may judge in the person's place."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from inexview.cli.common import FINE, PROBLEMS, Watch
from inexview.cli.scoring import read_runs, warn
from inexview.cli.tables import Table, TableCell, json_value, print_json
from inexview.core.answers.judges import Found, ModelLabel, ModelLabels, QuoteFinder, quoted_text
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.judges import Bias, JudgeAgreement, Verdict, judge_agreement
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.formats.judge_files import located, read_model_labels
from inexview.core.formats.trec import ranked_documents
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.measures.measure import parse
from inexview.core.report import difference_text
from inexview.core.wording import counted

MEASURE = "nDCG@20"
LISTED = 20  # documents on which they differ, as people read it


def add_model_arguments(parser: ArgumentParser) -> None:
    """Add what asks whether a model may judge."""
    add = parser.add_argument
    add(
        "--model",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="instead, whether a model may judge: what it judged, as UMBRELA, OpenSearch, Quepid, TruLens, "
        "Ragas and others write it, beside one person's QRELS",
    )
    add("--runs", type=Path, nargs="+", default=[], metavar="RUN", help="runs, for their order by each judge")
    add(
        "--questions", type=Path, metavar="TOPICS", help="topics, where the model's file has their texts only"
    )
    add("-m", "--measure", default=MEASURE, help=f"by which runs are ordered (default: {MEASURE})")


def run_models(person: Qrels, arguments: Namespace) -> int:
    """Compare each model with the person, and print; the exit status is 1 unless all of them may judge."""
    runs = _runs(arguments)
    biases = {
        "shortest to longest documents": _lengths(person),
        "best to worst rank in a run": _best_ranks(runs),
    }
    agreements: dict[str, JudgeAgreement] = {}
    said: list[str] = []
    as_json: dict[str, Any] = {}
    for path in arguments.model:
        for name, labels, quotes in _labels(path, person, arguments):
            order = _means(runs, person, labels, arguments.measure)
            own = judge_agreement(person, labels, runs=[(first, second) for _, first, second in order])
            agreements[name] = own
            biased = {what: own.bias(keys) for what, keys in biases.items() if keys}
            as_json[name] = _as_json(name, own, order, quotes, biased)
            said.append("\n\n".join(_read(name, own, order, quotes, biased)))
    if arguments.format == "json":
        print_json(as_json)
    elif arguments.format == "table":
        print("\n\n".join(said))
    else:
        print(_figures(agreements).rendered(arguments.format), end="")
    return FINE if all(own.verdict is Verdict.YES for own in agreements.values()) else PROBLEMS


Key = Mapping[tuple[str, str], float]
Quotes = Counter[Found]
"""How the quotes of a model read in the texts."""
Biased = Mapping[str, Sequence[Bias]]


def _labels(path: Path, person: Qrels, arguments: Namespace) -> Iterator[tuple[str, ModelLabels, Quotes]]:
    """Yield each model of a file with its labels, located, and how its quotes read in the texts."""
    labels = read_model_labels(path)
    questions: dict[str, str] = {}
    if arguments.questions is not None:
        from inexview.core.formats.topic_files import read_topics  # lxml, which most do not need

        questions = {topic.id: topic.title for topic in read_topics(arguments.questions)}
    quotes: dict[str, Counter[Found]] = {}
    if arguments.collection is None:
        labels = located(labels, person, questions, None)
    else:
        with closing(Collection.open(arguments.collection)) as collection, Watch() as watch:
            labels = located(labels, person, questions, collection, watch)
            quotes = read_as_quoted(labels, collection)
    warn(labels.warnings)
    for model in labels.models:
        yield model, labels.of_model(model), quotes.get(model, Counter())


def read_as_quoted(labels: ModelLabels, collection: Collection) -> dict[str, Counter[Found]]:
    """Return how the quotes of each model read in the texts, each of which is gone through once."""
    quoting: dict[str, list[ModelLabel]] = {}
    for label in labels.labels:
        if label.quotes and label.document:
            quoting.setdefault(label.document, []).append(label)
    quotes: dict[str, Counter[Found]] = {}
    for document, own in quoting.items():
        try:
            finder = QuoteFinder(collection.text(document))
        except DataError:
            continue
        for label in own:
            counts = quotes.setdefault(label.model, Counter())
            counts.update(one.how for one in quoted_text(label, finder)[1])
    return quotes


def _runs(arguments: Namespace) -> list[Run]:
    if not arguments.runs:
        return []
    runs, warnings = read_runs(arguments.runs, arguments.collection)
    warn(tuple(warnings))
    return runs


def _lengths(person: Qrels) -> Key:
    return {(one.topic, one.document): float(one.length) for one in person if one.length}


def _best_ranks(runs: Sequence[Run]) -> Key:
    """Return the best rank of each document that a run retrieves."""
    best: dict[tuple[str, str], float] = {}
    for run in runs:
        for topic, document, rank, _ in ranked_documents(run):
            best[topic, document] = min(rank, best.get((topic, document), rank))
    return best


def _means(
    runs: Sequence[Run], person: Qrels, labels: ModelLabels, measure: str
) -> list[tuple[str, float, float]]:
    """Return the mean of each run under the person and under the model, by the documents that both judged."""
    model = labels.as_qrels()
    both = {(one.topic, one.document) for one in person} & {*labels.by_document}
    if not both or not runs:
        return []
    sides = [
        replace(
            Qrels.from_judgements(one for one in side if (one.topic, one.document) in both),
            graded=side.graded,
        )
        for side in (person, model)
    ]
    settings = ScoringSettings(task=Task.DOCUMENTS, measures=(parse(measure),))
    found = []
    for run in runs:
        scores = [score_run(side, run, settings) for side in sides]
        if all(own.topics for own in scores):
            first, second = (own.mean_of(own.mean_names[0]) for own in scores)
            found.append((run.id, first, second))
    return found


# -- printed -------------------------------------------------------------------------------------------


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


def _read(
    name: str, own: JudgeAgreement, order: Sequence[tuple[str, float, float]], quotes: Quotes, biased: Biased
) -> Iterator[str]:
    """Yield what is said of a model as people read it."""
    yield f"{name}: {own.said()}"
    if not own.pairs:
        return
    yield own.relied_on()
    grades = tuple(map(str, own.grades))
    rows: list[tuple[TableCell, ...]] = [
        (f"person {grade}", *row, sum(row)) for grade, row in zip(grades, own.matrix.tolist(), strict=True)
    ]
    columns = own.matrix.sum(axis=0).tolist()
    rows += [("all", *columns, sum(columns)), ("precision", *own.precision.values(), None)]
    yield Table(("grades", *(f"model {grade}" for grade in grades), "all"), rows).rendered("table").rstrip()
    yield _figures({name: own}).rendered("table").rstrip()
    if order:
        ranked = sorted(order, key=lambda one: -one[1])
        yield Table(("run", "by the person", "by the model"), ranked).rendered("table").rstrip()
    for what, thirds in biased.items():
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


def _as_json(
    name: str, own: JudgeAgreement, order: Sequence[tuple[str, float, float]], quotes: Quotes, biased: Biased
) -> Any:
    (row,) = _figures({name: own}).rows
    head = _figures({}).headings
    return {
        **{key: json_value(value) for key, value in zip(head, row, strict=True)},
        "said": own.said(),
        "grades": list(own.grades),
        "matrix": own.matrix.tolist(),
        "precision": {str(grade): json_value(value) for grade, value in own.precision.items()},
        "order": [{"run": run, "person": first, "model": second} for run, first, second in order],
        "bias": {
            what: [{**third._asdict(), "mean": json_value(third.mean)} for third in thirds]
            for what, thirds in biased.items()
        },
        "quotes": {how.value: quotes[how] for how in Found} if quotes else {},
        "documents": [pair._asdict() for pair in own.pairs],
    }
