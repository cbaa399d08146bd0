"""`inexview convert`: write judgements, runs, topics and pools in another format."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Sequence
from pathlib import Path

from inexview.cli.common import BAD_INPUT, FINE, PROBLEMS, add_collection_argument, complain
from inexview.cli.judgements import warn
from inexview.cli.outputs import add_overwrite_argument
from inexview.cli.progress_line import Watch
from inexview.cli.scoring_arguments import positive
from inexview.core.errors import DataError
from inexview.core.formats.convert.conversion import (
    Conversion,
    Converted,
    conversion_of,
    convert,
    read_content,
)
from inexview.core.formats.convert.targets import check_free, is_folder, target_for, write_whole
from inexview.core.formats.format import RUNS, FileKind, Format, Options
from inexview.core.formats.format_registry import format_named, formats, names_of
from inexview.core.formats.recognition import format_of
from inexview.core.judgements.qrels import Pool
from inexview.core.judgements.runs import ResultType, Run, Submission
from inexview.core.progress import Progress
from inexview.core.retrieval.run_fusion import PoolRanking, pool_rankings

_DESCRIPTION = """\
Write judgements, a run, topics or a pool in another format. The format of IN is recognised from
its content; that of OUT is told by its suffix, or named. What OUT cannot carry is said first, and
then nothing is written without --lossy. IN may be a folder of assessments, topics or pools; OUT/,
with a slash, is a folder of assessments or topics, with a file for each topic."""


def add_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "convert",
        usage="inexview convert IN OUT [--from FORMAT] [--to FORMAT] [--collection C] [--lossy] …\n"
        "       inexview convert RUN… OUT --to pool --depth N",
        description=_DESCRIPTION,
        epilog=_listed()
        + "\n\nexit status: 0 everything is written, 1 written with losses or warnings, 2 not written",
        formatter_class=RawDescriptionHelpFormatter,
    )
    names = names_of()
    add = parser.add_argument
    add("files", type=Path, nargs="+", metavar="IN", help="what to convert (several runs with --depth)")
    add("out", type=str, metavar="OUT", help="the file to write, or the folder")
    add("--from", dest="source", choices=names, metavar="FORMAT", help="what IN is, where that is not seen")
    add("--to", dest="target", choices=names, metavar="FORMAT", help="what OUT shall be")
    add_collection_argument(parser, "the articles, where points, elements or bytes need them")
    add("--lossy", action="store_true", help="write although something is lost")
    add_overwrite_argument(parser, "OUT")
    add(
        "--result-type",
        choices=[kind.value for kind in ResultType],
        metavar="TYPE",
        help="how a submission names results: " + ", ".join(ResultType),
    )
    add_white_space_argument(parser)
    add("--binary", action="store_true", help="write 1 for relevant in TREC qrels, else rsize is written")
    add("--depth", type=positive, metavar="N", help="pool the first N documents of each run, in turn")
    add("--fol-end", action="store_true", help="a text run's last field is where a passage ends")
    parser.set_defaults(run=run)


def _listed() -> str:
    lines = (f"  {format.name:<17} {format.title}" for format in formats())
    return "formats:\n" + "\n".join(lines)


def add_white_space_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--whitespace",
        choices=("keep", "strip"),
        default="keep",
        help="whether points that are written count text nodes of nothing but white space (default: keep)",
    )


def run(arguments: Namespace) -> int:
    files, out = arguments.files, Path(arguments.out)
    sources = [*files, arguments.collection]
    check_free(out, sources, overwrite=arguments.overwrite, folder=is_folder(out, arguments.out))
    with Watch() as watch:
        options = _options(arguments, watch)
        try:
            if arguments.depth is None:
                target, converted = _converted(files, out, arguments, options)
            else:
                target, converted = _pooled(files, out, arguments, options)
            watch.hide()
            warn(converted.warnings)
            if not agreed(converted.lost, target, lossy=arguments.lossy):
                return BAD_INPUT
            write_whole(converted.content, target, out, options, folder=is_folder(out, arguments.out))
        finally:
            if options.collection is not None:
                options.collection.close()
    print(f"{out}: {target.title}")
    return PROBLEMS if converted.lost or converted.warnings else FINE


def _options(arguments: Namespace, progress: Progress) -> Options:
    collection = None
    if arguments.collection is not None:
        from inexview.core.collection.collection import (
            Collection,  # and articles, which most conversions do without
        )

        collection = Collection.open(arguments.collection)
    return Options(
        collection,
        fol_end=arguments.fol_end,
        strip=arguments.whitespace == "strip",
        graded=not arguments.binary,
        progress=progress,
    )


def _converted(
    files: list[Path], out: Path, arguments: Namespace, options: Options
) -> tuple[Format, Converted]:
    if len(files) > 1:
        raise DataError("one file at a time (several runs make a pool with --depth)", path=files[1])
    named = None if arguments.result_type is None else ResultType(arguments.result_type)
    conversion = conversion_of(files[0], out, arguments.source, arguments.target, options, named)
    try:
        return conversion.target, convert(read_content(files[0], conversion), conversion)
    except DataError as error:
        if error.path is None:
            raise DataError(str(error), path=files[0]) from error
        raise


def _pooled(files: list[Path], out: Path, arguments: Namespace, options: Options) -> tuple[Format, Converted]:
    """Pool runs: of each topic the documents that any run has at its first ranks."""
    target = target_for(FileKind.POOL, out) if arguments.target is None else format_named(arguments.target)
    if target.kind is not FileKind.POOL:
        raise DataError("--depth makes a pool; write it --to pool or --to pool-list", path=out)
    pool_of = format_named("pool")
    rankings: dict[str, list[PoolRanking]] = {}
    warnings: list[str] = []
    for file in files:
        source = format_of(file) if arguments.source is None else format_named(arguments.source)
        if source.kind not in RUNS:
            raise DataError(f"holds {source.kind}: only runs have a depth", path=file)
        conversion = Conversion(source, pool_of, options)
        content = read_content(file, conversion)
        assert isinstance(content, Run | Submission), "it is one of RUNS"
        name = content.name if isinstance(content, Submission) else content.id
        converted = convert(content, conversion)
        assert isinstance(converted.content, Pool)
        for topic in converted.content.topics:
            documents = converted.content.documents(topic)[: arguments.depth]
            rankings.setdefault(topic, []).append(PoolRanking(name, documents, {}, {}))
        warnings.extend(converted.warnings)
    return target, Converted(pool_rankings(rankings), (), tuple(warnings))


def agreed(lost: Sequence[str], target: Format, *, lossy: bool) -> bool:
    """Say what is lost, and whether to write all the same."""
    if not lost:
        return True
    if lossy:
        complain(f"lost in {target.name}: {', '.join(lost)}")
        return True
    complain(f"{target.name} cannot carry {', '.join(lost)}: not written; --lossy writes the rest")
    return False
