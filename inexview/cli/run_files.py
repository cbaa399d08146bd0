"""Reading several runs, of which each is kept, and writing one that was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from inexview.cli.common import complain
from inexview.cli.progress_line import RunCounter
from inexview.cli.scoring import locator, read_run_file
from inexview.cli.warnings import condensed
from inexview.core.errors import DataError
from inexview.core.formats.convert.conversion import Conversion, convert
from inexview.core.formats.convert.targets import check_free, target_for, write_whole
from inexview.core.formats.format import Feature, FileKind, Format, Options
from inexview.core.formats.format_registry import format_named
from inexview.core.formats.run_options import AS_SEEN, RunOptions
from inexview.core.formats.tables.text_formats import FOL_RUN
from inexview.core.judgements.runs import ResultType, Run, Submission, Task


def read_runs(
    paths: Sequence[Path],
    collection: Path | None,
    options: RunOptions = AS_SEEN,
    refused: list[str] | None = None,
) -> tuple[list[Run], list[str]]:
    """Return runs of any format and what looks wrong about them; ``collection`` holds what XML and HARD name.

    What is wrong with a run that cannot be read is added to ``refused``; without that it raises DataError.
    """
    runs: list[Run] = []
    progress = RunCounter(len(paths))
    with locator(collection, None, progress) as locate, progress:
        for path in paths:
            try:
                runs.append(read_run_file(path, options, collection, locate, progress))
            except DataError as error:
                if refused is None:
                    raise
                refused.append(str(error))
            progress.step()
    return runs, list(condensed([(run.path or Path(run.id), run.warnings) for run in runs]))


def format_to_write(out: Path, sources: Sequence[Path | None], to: str | None, *, overwrite: bool) -> Format:
    """Return the format of a run that is to be made: as it is named, or as its file's name tells.

    Raises DataError where that does not tell it, or where the file is there and not to be replaced.
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
    """Write a run in a format; says what that cannot carry.

    Its results are named by ``result_type`` in a submission, which holds the ``description``.  The task,
    which few formats carry, is left out of the others without a word; whole documents stay such where the
    format has no others.
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
        complain(f"{target.name} cannot carry {', '.join(converted.lost)}")
