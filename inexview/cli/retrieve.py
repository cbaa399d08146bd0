"""`inexview retrieve`: make a run of a collection and topics."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from inexview.cli.common import FINE, PROBLEMS
from inexview.cli.judgements import warn
from inexview.cli.outputs import add_output_argument, add_overwrite_argument, check_outputs
from inexview.cli.progress_line import Watch
from inexview.cli.run_files import format_to_write, write_made_run
from inexview.cli.scoring_arguments import positive
from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.experiments.parameter_search import COORDINATE, SEARCHES, Tuning, tuned
from inexview.core.formats.format import RUNS, Options
from inexview.core.formats.format_registry import names_of
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.runs import ResultType, Run, Task
from inexview.core.judgements.topics import Topics
from inexview.core.measures.measure import parse
from inexview.core.retrieval.engines import LocalEngine, ShardEngine, process_engine
from inexview.core.retrieval.models import MODELS, NEEDS_TRAINING, model_of, unit_of
from inexview.core.retrieval.retrieval_settings import (
    ARRANGED_TASKS,
    DEPTH,
    FIELDS,
    TASKS_TOLD,
    ModelParameters,
    RetrievalSettings,
)
from inexview.core.retrieval.retrieve import (
    description_path,
    in_words,
    retrieval_task,
    retrieve,
    run_description,
    run_of,
    usual_id,
    write_description,
)
from inexview.core.retrieval.svm_training import TrainingSet
from inexview.core.retrieval.units import STEMMERS, STOP_LISTS, UnitKind, WordForms
from inexview.core.word_index.word_index import WordIndex, word_index
from inexview.core.wording import counted

PROCESSES, DASK, OPENSEARCH = "processes", "dask", "opensearch"
FOLDS, TEXT_FIELD = 5, "text"


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "retrieve",
        description="Make a run: search a collection for topics. The words of the collection are indexed "
        "the first time (see inexview index --words).",
        epilog=_models(),
        formatter_class=RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("collection", type=Path, metavar="COLLECTION", help="a folder, .zip or .tar(.gz, .bz2, .xz)")
    add("topics", type=Path, metavar="TOPICS", help="a topic file, or a folder")
    add_output_argument(parser, "RUN", "the run; RUN.json says how it was made", required=True)
    add_retrieval_arguments(parser)
    add(
        "--engine",
        default="local",
        metavar="ENGINE",
        help="local (default), processes (one for each processor; dask alone is the same), dask:ADDRESS "
        "(of a scheduler that you trust), opensearch",
    )
    add("--url", metavar="URL", help="with opensearch: the server and its index, http://localhost:9200/INDEX")
    add(
        "--text-field",
        metavar="FIELD",
        help=f"with opensearch: where it has the text (default: {TEXT_FIELD})",
    )
    add(
        "--shards",
        type=positive,
        metavar="N",
        help="with processes and dask: parts of the collection (default: 4 for each worker)",
    )
    add("--tune", metavar="MEASURE", help="choose parameters that do best by it on the judged topics")
    add("--qrels", type=Path, metavar="FILE", help="what --tune scores with, and SVM learns from")
    add("--train", metavar="TOPIC,TOPIC", help="the topics for that (default: all that are judged)")
    add("--folds", type=positive, help=f"of the cross-validation of --tune (default: {FOLDS})")
    add(
        "--search",
        choices=SEARCHES,
        help="of --tune: one parameter after the other (coordinate, default), or all combinations (grid)",
    )
    add("--vary", metavar="NAME,NAME", help="the parameters that --tune chooses (default: all)")
    add("--run-id", metavar="NAME", help="what the run is called (default: model and unit)")
    add("--to", choices=names_of(*RUNS), metavar="FORMAT", help="one of " + ", ".join(names_of(*RUNS)))
    add_overwrite_argument(parser, "RUN")
    parser.set_defaults(run=run)


def add_retrieval_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--model", default="MM", metavar="MODEL", help="see below (default: MM)")
    add(
        "--unit",
        default="passage:100/50",
        metavar="UNIT",
        help="passage:SIZE/STEP in words, element:TAG,TAG… or article (default: passage:100/50)",
    )
    add("--depth", type=positive, default=DEPTH, metavar="N", help=f"results per topic (default: {DEPTH})")
    add(
        "--task",
        choices=[task.value for task in ARRANGED_TASKS],
        help=f"{TASKS_TOLD} (default: as they are ranked)",
    )
    add("--fields", default="title", metavar="F,F", help="of the topics: " + ", ".join(FIELDS))
    add("--structure", action="store_true", help="only what lies in the elements that the CAS title asks for")
    add(
        "--stop-words",
        default="snowball",
        metavar="LIST",
        help=f"{', '.join(STOP_LISTS)} or a file of words (default: snowball)",
    )
    add("--stemmer", choices=STEMMERS, default="none", help="how words are stemmed (default: none)")
    add(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the model; see below",
    )


def _models() -> str:
    defaults = asdict(ModelParameters())
    lines = ["models, and the defaults of their parameters:"]
    for model in MODELS.values():
        lines.append(f"  {model.name:<13} {model.title}")
        named = " ".join(f"{name}={defaults[name]:g}" for name in model.tunable)
        lines += [f"  {'':<13} {named}"] if named else []
    return "\n".join([*lines, "", "exit status: 0 written, 1 written with warnings, 2 not written"])


def retrieval_settings(arguments: Namespace) -> RetrievalSettings:
    """Return what the arguments say; raises InexviewError for what cannot be."""
    given = dict(map(_parameter, arguments.parameter))
    settings = RetrievalSettings(
        model=arguments.model,
        unit=UnitKind.parse(arguments.unit),
        depth=arguments.depth,
        fields=tuple(arguments.fields.split(",")),
        structure=arguments.structure,
        forms=WordForms.named(arguments.stop_words, arguments.stemmer),
        parameters=ModelParameters().changed(given),
        task=None if arguments.task is None else Task(arguments.task),
    )
    model = model_of(settings)
    for name in given:
        if name not in model.tunable:
            has = ", ".join(model.tunable) or "none"
            raise InexviewError(f"parameter = {name!r}: {model.name} has not that; its parameters: {has}")
    return settings


def _parameter(said: str) -> tuple[str, float]:
    name, _, value = said.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise InexviewError(f"parameter = {said!r}: write it as NAME=NUMBER") from None


def run(arguments: Namespace) -> int:
    out, sources = arguments.out, [arguments.topics, arguments.collection, arguments.qrels]
    target = format_to_write(out, sources, arguments.to, overwrite=arguments.overwrite)
    check_outputs([description_path(out)], sources, overwrite=arguments.overwrite)
    _check_engine(arguments)
    settings = retrieval_settings(arguments)
    _check_used(arguments, settings)
    topics = read_topics(arguments.topics)
    with Watch() as watch, closing(Collection.open(arguments.collection)) as collection:
        if arguments.engine == OPENSEARCH:
            made, described = _from_server(topics, settings, arguments, watch)
        else:
            training = _training(topics, settings, arguments)
            with _engine(collection, arguments, watch) as (engine, index):
                if arguments.tune is not None:
                    settings = _tuned(training, engine, settings, arguments, watch)
                retrieved = retrieve(topics, engine, settings, watch, training=training)
            made = run_of(retrieved, settings, arguments.run_id or usual_id(settings))
            described = run_description(settings, arguments.collection, index, training)
        watch.hide()
        if not len(made):
            warn((*topics.warnings, *made.warnings))
            raise InexviewError(f"no topic has results; {out} is not written")
        elements = not unit_of(settings).size and not model_of(settings).own_units
        named = ResultType.ELEMENT if elements else None
        write_made_run(made, out, target, Options(collection, progress=watch), named, in_words(described))
        write_description(described, out)
    warnings = (*topics.warnings, *made.warnings)
    warn(warnings)
    print(f"{arguments.out}: {counted(len(made), 'result')} for {len(made.topics)} of {len(topics)} topics")
    return PROBLEMS if warnings else FINE


def _training(topics: Topics, settings: RetrievalSettings, arguments: Namespace) -> TrainingSet | None:
    """Return the judged topics to choose on and to learn from; None where none are needed."""
    if arguments.qrels is None:
        if model_of(settings).trained:
            raise InexviewError(NEEDS_TRAINING)
        return None
    train = None if arguments.train is None else set(arguments.train.split(","))
    training = [topic for topic in topics if train is None or topic.id in train]
    return TrainingSet(training, read_qrels(arguments.qrels))


def _tuned(
    training: TrainingSet | None,
    engine: ShardEngine,
    settings: RetrievalSettings,
    arguments: Namespace,
    watch: Watch,
) -> RetrievalSettings:
    """Choose the parameters on training topics, and say how well they do there and on topics not seen."""
    if training is None:
        raise InexviewError("--tune needs --qrels: it scores runs with them")
    scoring = ScoringSettings(task=retrieval_task(settings), measures=(parse(arguments.tune),))
    vary = [name for name in (arguments.vary or "").split(",") if name]
    tuning = Tuning(scoring, arguments.folds or FOLDS, arguments.search or COORDINATE, vary)
    found = tuned(training, engine, settings, tuning, watch)
    watch.hide()
    chosen = asdict(found.parameters)
    named = " ".join(f"-p {name}={chosen[name]:g}" for name in model_of(settings).tunable)
    print(
        f"{arguments.tune} {found.trained:.4f} on training topics, {found.validated:.4f} on topics not seen "
        f"({found.tried} settings tried): {named}"
    )
    return replace(settings, parameters=found.parameters)


def _check_engine(arguments: Namespace) -> None:
    name: str = arguments.engine
    if name not in ("local", PROCESSES, DASK, OPENSEARCH) and not name.startswith(f"{DASK}:"):
        raise InexviewError(f"engine = {name!r}: it must be local, processes, dask:ADDRESS or opensearch")
    if name == OPENSEARCH and (arguments.url is None or arguments.tune is not None):
        raise InexviewError("the engine opensearch needs --url, and the server has nothing to --tune")


def _check_used(arguments: Namespace, settings: RetrievalSettings) -> None:
    """Refuse what would be given in vain: a run made otherwise than one thinks is found out late."""
    tunes, learns = arguments.tune is not None, model_of(settings).trained
    remote, shared = arguments.engine == OPENSEARCH, arguments.engine.startswith((PROCESSES, DASK))
    for names, used, where in (
        (("folds", "search", "vary"), tunes, "--tune"),
        (("qrels", "train"), tunes or learns, "--tune, or a model that learns"),
        (("url", "text_field"), remote, f"--engine {OPENSEARCH}"),
        (("shards",), shared, f"--engine {PROCESSES} or {DASK}:ADDRESS"),
    ):
        for name in names:
            if getattr(arguments, name) is not None and not used:
                raise InexviewError(f"--{name.replace('_', '-')} goes with {where}")


def _from_server(
    topics: Topics, settings: RetrievalSettings, arguments: Namespace, watch: Watch
) -> tuple[Run, dict[str, Any]]:
    """Make the run from an index on a server, and say how that ranks."""
    from inexview.core.retrieval.search_server import SearchedIndex, retrieve_from_server

    index = SearchedIndex(arguments.url, arguments.text_field or TEXT_FIELD)
    name = arguments.run_id or "opensearch"
    made, similarity = retrieve_from_server(topics, index, settings, name, watch)
    described = {
        "engine": OPENSEARCH,
        "url": arguments.url,
        "similarity": similarity,
        "depth": settings.depth,
        "task": "" if settings.task is None else settings.task.value,
        "fields": list(settings.fields),
    }
    return made, described


@contextmanager
def _engine(
    collection: Collection, arguments: Namespace, watch: Watch
) -> Iterator[tuple[ShardEngine, WordIndex | None]]:
    """Have the engine at hand, and the index that it searches where that is one of this machine."""
    name: str = arguments.engine
    if name == "local":
        index = word_index(collection, watch, tell=watch.say)
        yield LocalEngine(index), index
        return
    address = name.partition(":")[2]
    if not address:
        with process_engine(collection, arguments.shards) as processes:
            yield processes, None
        return
    from inexview.core.retrieval.dask_engine import dask_engine

    with dask_engine(collection, address, arguments.shards) as engine:
        yield engine, None
