"""The commands that make runs and pools: `inexview retrieve`, `pool`, `fuse` and `experiment`."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from inexview.cli.common import (
    FINE,
    PROBLEMS,
    Watch,
    add_collection_argument,
    add_output_argument,
    add_overwrite_argument,
    check_outputs,
    complain,
)
from inexview.cli.scoring import (
    add_run_format_arguments,
    positive,
    read_judgements,
    read_runs,
    run_options,
    warn,
)
from inexview.cli.tables import save_report
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.files import PROJECT_SUFFIX, write_complete
from inexview.core.formats.conversion import Conversion, check_free, convert, target_for, write_whole
from inexview.core.formats.format import (
    FOL_RUN,
    RUNS,
    Feature,
    FileKind,
    Format,
    Options,
    format_named,
    named_in_words,
    names_of,
)
from inexview.core.formats.passage_lines import write_fol_run
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.qrels import Pool, Qrels
from inexview.core.judgements.runs import ResultType, Run, Submission, Task
from inexview.core.judgements.topics import Topics
from inexview.core.measures.measure import parse
from inexview.core.retrieval.engines import LocalEngine, ShardEngine, process_engine
from inexview.core.retrieval.experiments import (
    COORDINATE,
    SEARCHES,
    Tuning,
    conduct,
    experiment_report,
    latex_report,
    read_experiment,
    tuned,
)
from inexview.core.retrieval.models import (
    ARRANGED_TASKS,
    DEPTH,
    FIELDS,
    MODELS,
    NEEDS_TRAINING,
    TASKS_TOLD,
    ModelParameters,
    RetrievalSettings,
    model_of,
    unit_of,
)
from inexview.core.retrieval.retrieve import (
    FUSIONS,
    METHODS,
    TrainingSet,
    description_path,
    fused_run,
    in_words,
    pool_runs,
    retrieval_task,
    retrieve,
    run_description,
    run_of,
    usual_id,
    write_description,
)
from inexview.core.retrieval.shards import STEMMERS, STOP_LISTS, UnitKind, WordForms
from inexview.core.word_index.word_index import WordIndex, word_index
from inexview.core.wording import condensed, counted, some_named, today


def format_to_write(out: Path, sources: Sequence[Path | None], to: str | None, *, overwrite: bool) -> Format:
    """Return the format of a run to be made: by its name, or by the name of the file.

    Raises DataError if neither gives a format, or if the file exists and may not be replaced.
    """
    check_free(out, sources, overwrite=overwrite)
    return target_for(FileKind.RUN, out) if to is None else format_named(to)


def write_made_run(
    made: Run,
    out: Path,
    target: Format,
    options: Options,
    result_type: ResultType | None = None,
    description: str = "",
) -> None:
    """Write a run in a format, and print what the format cannot store.

    In a submission its results are named by ``result_type``, and ``description`` is stored.  The task is
    silently left out if a format cannot store it.
    """
    whole = made.task is Task.DOCUMENTS and Feature.WHOLE in target.carries
    carried = made if whole or Feature.TASK in target.carries else replace(made, task=None)
    converted = convert(carried, Conversion(FOL_RUN, target, options, result_type))
    content = converted.content
    if isinstance(content, Submission):
        content = replace(content, description=description)
    write_whole(content, target, out, options, folder=False)
    for warning in converted.warnings[len(carried.warnings) :]:
        complain(f"warning: {warning}")
    if converted.lost:
        complain(f"{target.name} cannot store {', '.join(converted.lost)}")


# `inexview retrieve`: make a run of a collection and topics.

PROCESSES, DASK, OPENSEARCH = "processes", "dask", "opensearch"
FOLDS, TEXT_FIELD = 5, "text"


def retrieve_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "retrieve",
        description="Search a collection with topics and write a run. The first search indexes the words of "
        "the collection (see inexview index --words).",
        epilog=_models(),
        formatter_class=RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("collection", type=Path, metavar="COLLECTION", help="a folder, .zip or .tar(.gz, .bz2, .xz)")
    add("topics", type=Path, metavar="TOPICS", help="a topic file, or a folder")
    add_output_argument(parser, "RUN", "the run to write; RUN.json records how it was made", required=True)
    add_retrieval_arguments(parser)
    add(
        "--engine",
        default="local",
        metavar="ENGINE",
        help="where to search: local (default), processes (one per processor; dask without an address is the "
        "same), dask:ADDRESS (a scheduler that you trust), opensearch",
    )
    add("--url", metavar="URL", help="for opensearch: the server and its index, http://localhost:9200/INDEX")
    add(
        "--text-field",
        metavar="FIELD",
        help=f"for opensearch: the field that holds the text (default: {TEXT_FIELD})",
    )
    add(
        "--shards",
        type=positive,
        metavar="N",
        help="for processes and dask: the number of parts of the collection (default: 4 per worker)",
    )
    add("--tune", metavar="MEASURE", help="choose the parameters with the best MEASURE on the judged topics")
    add("--qrels", type=Path, metavar="FILE", help="the qrels for --tune, and for training SVM")
    add("--train", metavar="TOPIC,TOPIC", help="the training topics (default: all judged topics)")
    add("--folds", type=positive, help=f"the number of cross-validation folds for --tune (default: {FOLDS})")
    add(
        "--search",
        choices=SEARCHES,
        help="how --tune searches: one parameter at a time (coordinate, default) or all combinations (grid)",
    )
    add("--vary", metavar="NAME,NAME", help="the parameters that --tune chooses (default: all)")
    add("--run-id", metavar="NAME", help="the id of the run (default: model and unit)")
    add("--to", choices=names_of(*RUNS), metavar="FORMAT", help="one of " + named_in_words(*RUNS))
    add_overwrite_argument(parser, "RUN")
    parser.set_defaults(run=_run_retrieve)


def add_retrieval_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--model", default="MM", metavar="MODEL", help="see below (default: MM)")
    add(
        "--unit",
        default="passage:100/50",
        metavar="UNIT",
        help="passage:SIZE/STEP in words, element:TAG,TAG… or article (default: passage:100/50)",
    )
    add(
        "--depth",
        type=positive,
        default=DEPTH,
        metavar="N",
        help=f"the number of results per topic (default: {DEPTH})",
    )
    add(
        "--task",
        choices=[task.value for task in ARRANGED_TASKS],
        help=f"{TASKS_TOLD} (default: the plain ranking)",
    )
    add(
        "--fields",
        default="title",
        metavar="F,F",
        help="the topic fields to search with: " + ", ".join(FIELDS),
    )
    add(
        "--structure", action="store_true", help="retrieve only from the elements that the CAS title asks for"
    )
    add(
        "--stop-words",
        default="snowball",
        metavar="LIST",
        help=f"the stop words: {', '.join(STOP_LISTS)} or a file of words (default: snowball)",
    )
    add("--stemmer", choices=STEMMERS, default="none", help="the stemmer (default: none)")
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
    lines += ["", "exit status: 0 written (warnings name topics without results), 1 written, but the topics"]
    return "\n".join([*lines, "have problems (listed on stderr), 2 not written"])


def retrieval_settings(arguments: Namespace) -> RetrievalSettings:
    """Return the settings in the arguments; raises InexviewError for invalid ones."""
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
            raise InexviewError(
                f"parameter = {name!r}: {model.name} has no such parameter; its parameters: {has}"
            )
    return settings


def _parameter(said: str) -> tuple[str, float]:
    name, _, value = said.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise InexviewError(f"parameter = {said!r}: write it as NAME=NUMBER") from None


def _run_retrieve(arguments: Namespace) -> int:
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
    return PROBLEMS if topics.warnings else FINE


def _training(topics: Topics, settings: RetrievalSettings, arguments: Namespace) -> TrainingSet | None:
    """Return the judged topics for tuning and training; None if none are needed."""
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
    """Choose the parameters on training topics, and print the scores there and on unseen topics."""
    if training is None:
        raise InexviewError("--tune needs --qrels to score runs")
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
        raise InexviewError("the engine opensearch needs --url, and does not support --tune")


def _check_used(arguments: Namespace, settings: RetrievalSettings) -> None:
    """Refuse arguments without effect, because a run made in another way than intended is noticed late."""
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
    """Make the run from an index on a server; also return how the server ranks."""
    from inexview.core.retrieval.retrieve import SearchedIndex, retrieve_from_server

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
    """Yield the engine, and the index that it searches if it is on this machine."""
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
    from inexview.core.retrieval.engines import dask_engine

    with dask_engine(collection, address, arguments.shards) as engine:
        yield engine, None


# `inexview pool`: choose the documents to judge from runs.


def pool_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "pool",
        description="Pool runs: for each topic, take the first N documents of each run. Pool XML and "
        "projects record which runs retrieved each document, and at which rank.",
        epilog="orders: rank takes documents from the runs in turn; combmnz and rrf add scores or reciprocal "
        "ranks; overlap starts with the passages that most runs share; move-to-front follows the run that is "
        "best by --qrels. exit status: 0 written, 1 written with warnings, 2 not written",
    )
    add = parser.add_argument
    add("runs", type=Path, nargs="+", metavar="RUN", help="FOL or TREC text, or submission XML")
    where = parser.add_mutually_exclusive_group(required=True)
    add_output_argument(
        where,
        "OUT",
        "pool XML (.xml), a list (.txt), or a new project (.inexview, with --collection and --topics)",
    )
    where.add_argument(
        "--into",
        type=Path,
        metavar="PROJECT.inexview",
        help="add the documents to this project's pool; close it in the window first",
    )
    add("--depth", type=positive, required=True, metavar="N", help="documents of each run")
    add("--per-topic", type=positive, metavar="N", help="the maximum number of documents per topic")
    add("--method", choices=list(METHODS), default="rank", help="the order of the documents (default: rank)")
    add("--qrels", type=Path, metavar="FILE", help="the judgements made so far, for move-to-front")
    add_collection_argument(parser, "the articles")
    add("--topics", type=Path, metavar="FILE", help="the topics of the new project")
    add_run_format_arguments(parser)
    add_overwrite_argument(parser, "OUT")
    parser.set_defaults(run=_run_pool)


def _run_pool(arguments: Namespace) -> int:
    out: Path = arguments.into or arguments.out
    whole = arguments.into is None and out.suffix == PROJECT_SUFFIX
    if whole and (arguments.collection is None or arguments.topics is None):
        raise InexviewError(f"{out}: a project needs --collection and --topics")
    if not whole and arguments.into is None:
        sources = [*arguments.runs, arguments.qrels, arguments.collection, arguments.topics]
        check_free(out, sources, overwrite=arguments.overwrite)
    qrels = None if arguments.qrels is None else read_judgements(arguments.qrels, arguments.collection)
    if qrels is not None and not isinstance(qrels, Qrels):
        raise InexviewError(f"{arguments.qrels}: this file judges elements; give --collection for their text")
    if qrels is None and arguments.method == "move-to-front":
        raise InexviewError("move-to-front needs --qrels")
    runs, warnings = read_runs(arguments.runs, arguments.collection, run_options(arguments))
    pool = pool_runs(
        runs, arguments.depth, method=arguments.method, per_topic=arguments.per_topic, qrels=qrels
    )
    pooled = sum(map(len, pool.topics.values()))
    said = f"{counted(pooled, 'document')} for {counted(len(pool.topics), 'topic')}"
    if arguments.into is not None:
        said = _add_to_project(out, pool, warnings)
    elif whole:
        warnings += _make_project(out, pool, arguments)
    else:
        target = target_for(FileKind.POOL, out) if out.suffix else format_named("pool")
        write_whole(pool, target, out, Options(), folder=False)
    warn(tuple(warnings))
    print(f"{out}: {said}")
    return PROBLEMS if warnings else FINE


def _add_to_project(path: Path, pool: Pool, warnings: list[str]) -> str:
    """Add to the pool of an existing project, and return a report."""
    from inexview.cli.record import note_pooled_texts
    from inexview.core.project.project import Project, add_pool

    with Project.open(path) as project:
        if project.newer_copy is not None:
            warnings.append(f"{path}: {project.newer_copy}; perhaps an older file was put back")
        added = add_pool(project, pool)
        note_pooled_texts(project)
    if added.unknown_topics:
        listed = some_named(added.unknown_topics)
        number = counted(len(added.unknown_topics), "topic")
        warnings.append(f"{path}: the project does not have {number} of the runs: {listed}")
    return f"{counted(added.documents, 'document')} added to the pool, {added.pooled_before:,} in it already"


def _make_project(out: Path, pool: Pool, arguments: Namespace) -> Sequence[str]:
    from inexview.cli.record import note_pooled_texts
    from inexview.core.project.project import Project

    with Project.create(out, collection=arguments.collection, topics=arguments.topics, pool=pool) as project:
        note_pooled_texts(project)
        return tuple(project.documents.warnings())


# `inexview fuse`: combine several runs into one.


def fuse_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "fuse",
        description="Fuse runs into one. Where passages of several runs overlap, the text that they share "
        "becomes a result of its own; no character is retrieved twice.",
        epilog="exit status: 0 written, 1 written with warnings, 2 not written",
    )
    add = parser.add_argument
    add("runs", type=Path, nargs="+", metavar="RUN", help="FOL or TREC text, or submission XML")
    add_output_argument(parser, "OUT", "the run to write", required=True)
    add("--method", choices=list(FUSIONS), default="rrf", help="how scores are combined (default: rrf)")
    add(
        "--task",
        choices=[task.value for task in ARRANGED_TASKS],
        help=f"{TASKS_TOLD} (default: the task of the runs, else the plain ranking)",
    )
    add(
        "--depth",
        type=positive,
        default=DEPTH,
        metavar="N",
        help=f"the number of results per topic (default: {DEPTH})",
    )
    add("--run-id", metavar="NAME", help="the id of the run (default: the method)")
    add("--to", choices=names_of(*RUNS), metavar="FORMAT", help="one of " + named_in_words(*RUNS))
    add_collection_argument(parser, "the articles; required for runs in XML")
    add_run_format_arguments(parser)
    add_overwrite_argument(parser, "OUT")
    parser.set_defaults(run=_run_fuse)


def _run_fuse(arguments: Namespace) -> int:
    out: Path = arguments.out
    sources = [*arguments.runs, arguments.collection]
    target = format_to_write(out, sources, arguments.to, overwrite=arguments.overwrite)
    runs, warnings = read_runs(arguments.runs, arguments.collection, run_options(arguments))
    task = None if arguments.task is None else Task(arguments.task)
    fused = fused_run(runs, arguments.method, arguments.depth, arguments.run_id or arguments.method, task)
    write_made_run(fused, out, target, Options())
    warn(tuple(warnings))
    print(f"{out}: {counted(len(fused), 'result')} for {counted(len(fused.topics), 'topic')}")
    return PROBLEMS if warnings else FINE


# `inexview experiment`: retrieve, evaluate, compare and report, as described in a file.


def experiment_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "experiment",
        description="Run the experiment that a TOML file describes: make a run with each model, evaluate and "
        "compare the runs, and write a report. The runs are FOL text.",
        epilog="exit status: 0 done (possibly with warnings), 2 not done",
    )
    add = parser.add_argument
    add("file", type=Path, metavar="FILE.toml", help="collection, topics, qrels, models and measures")
    add_output_argument(
        parser,
        "FOLDER",
        "the folder for runs, report.html and report.tex (default: FILE-results, in the folder of FILE.toml)",
    )
    add("--overwrite", action="store_true", help="write into a folder that is not empty")
    parser.set_defaults(run=_run_experiment)


def _run_experiment(arguments: Namespace) -> int:
    plan = read_experiment(arguments.file)
    out: Path = arguments.out or arguments.file.with_name(f"{arguments.file.stem}-results")
    if out.is_dir() and any(out.iterdir()) and not arguments.overwrite:
        raise DataError("is a folder that is not empty; --overwrite writes into it", path=out)
    try:
        with Watch() as watch:
            results = conduct(plan, _keeping(out / "runs"), watch, watch.say)
    except BaseException:
        for empty in (out / "runs", out):
            with suppress(OSError):
                empty.rmdir()
        raise
    command = shlex.join(["inexview", "experiment", str(arguments.file)])
    save_report(experiment_report(results, command, today()), out / "report.html")
    write_complete(out / "report.tex", partial(Path.write_text, data=latex_report(results), encoding="utf-8"))
    of_runs = [(one.path, one.warnings) for one in results.scores if one.path is not None]
    own = {warning for _, warnings in of_runs for warning in warnings}
    warn((*(warning for warning in results.warnings if warning not in own), *condensed(of_runs)))
    print(f"{out / 'report.html'}: {counted(len(results.scores), 'run')}")
    return FINE


def _keeping(folder: Path) -> Callable[[Run, Mapping[str, Any]], Path]:
    def keep(run: Run, described: Mapping[str, Any]) -> Path:
        path = folder / f"{run.id}.txt"
        if path.parent != folder:
            raise DataError("cannot be used as a file name", path=folder, field="id", value=run.id)
        folder.mkdir(parents=True, exist_ok=True)
        write_complete(path, partial(write_fol_run, run))
        write_description(described, path)
        return path

    return keep
