"""What the readers of text runs share: the columns that a block of lines gives, put together to a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from inexview.core.formats.problems import LIMIT, Problems, read_names
from inexview.core.formats.tables.byte_blocks import LineBlock, read_blocks
from inexview.core.formats.tables.columns import Column, LineFields
from inexview.core.formats.tables.walk import NotPlainError, Walk
from inexview.core.judgements.runs import Run, Task
from inexview.core.progress import Progress, unwatched
from inexview.core.text.id_columns import Names, coded
from inexview.core.text.spans import Floats, Ints
from inexview.core.wording import counted

_LONG = 16  # megabytes: less is read in a tenth of a second


@dataclass(frozen=True, slots=True)
class Stretches:
    """A column of names that seldom change: each ``name`` in ``length`` rows, from ``line`` on."""

    name: Names
    length: Ints
    line: Ints

    @classmethod
    def of(cls, names: Names, line: Ints) -> Stretches:
        """Take the names of n rows, and their lines."""
        first = np.flatnonzero(~names.same_as_previous())
        return cls(names.take(first), np.diff(np.append(first, len(names))), line[first])

    @classmethod
    def walked(cls, walk: Walk, line: Ints) -> Stretches:
        """Read the next field of n lines, and their numbers."""
        names, first = walk.same(np.arange(len(line)))
        return cls(names, np.diff(np.append(first, len(line))), line[first])

    @classmethod
    def joined(cls, parts: list[Stretches]) -> Stretches:
        """Put columns below one another."""
        return cls(
            Names.joined([part.name for part in parts]),
            np.concatenate([part.length for part in parts]),
            np.concatenate([part.line for part in parts]),
        )


@dataclass(frozen=True, slots=True)
class RunBlock:
    """The columns of a run that one block of its file gives; of shape (n,) but for the stretches."""

    topic: Stretches
    run: Stretches
    document: Names
    score: Floats
    start: Ints
    size: Ints
    line: Ints


def read_run_blocks(
    path: str | Path,
    read_block: Callable[[LineFields, Problems], RunBlock],
    walk_block: Callable[[Walk, Ints], RunBlock] | None = None,
    *,
    task: Task | None = None,
    progress: Progress = unwatched,
) -> Run:
    """Read a run block by block.  Raises DataErrors, naming file, line and field, for what cannot be read.

    Of a long file it is told how much has been read.  ``walk_block`` reads blocks of plain lines; from the
    first block that is not plain, all is left to ``read_block``.
    """
    problems = Problems(path)
    blocks = []
    read, size = 0, _megabytes(path)
    for lines in read_blocks(problems):
        if size >= _LONG:
            progress("MB read", read >> 20, size)
        read += len(lines.data)
        block = walk_block and _walked(lines, walk_block)
        if block is None:
            walk_block = None  # what is not plain once seldom is: do not try in vain for block after block
        if block is None and len(fields := lines.fields()):
            block = read_block(fields, problems)
        if block is not None:
            blocks.append(block)
        if problems.full:
            break
    problems.check_holds(blocks, "result")
    return _assembled(blocks, Path(path), problems, task)


def _megabytes(path: str | Path) -> int:
    """Return how large a file is; 0 where no one knows, which reading it will say."""
    try:
        return Path(path).stat().st_size >> 20
    except OSError:
        return 0


def _walked(lines: LineBlock, walk_block: Callable[[Walk, Ints], RunBlock]) -> RunBlock | None:
    """Read a block of plain lines; None where they are not plain."""
    walk = lines.walk()
    if walk is None:
        return None
    try:
        return walk_block(walk, lines.numbers)
    except NotPlainError:
        return None


def lines_of(
    wanted: int, what: str, fields: LineFields, problems: Problems, *, more: bool = False
) -> Ints | slice:
    """Return the lines that have as many fields as they should; note the others as errors.

    Where there may be ``more``, what follows is passed over with a warning.
    """
    good = fields.counts == wanted
    if more and not good.all():
        longer = fields.counts > wanted
        problems.warn(f"what follows the field {wanted} is passed over", fields.number[longer])
        good |= longer
    if good.all():
        return slice(None)
    for at in np.flatnonzero(~good)[: LIMIT + 1].tolist():
        count = int(fields.counts[at])
        problems.error(
            f"has {counted(count, 'field')} where {what} has {wanted}", line=int(fields.number[at])
        )
    return np.flatnonzero(good)


def read_columns(
    fields: LineFields,
    rows: Ints | slice,
    start: Ints,
    size: Ints,
    problems: Problems,
    *,
    score: str = "rsv",
) -> RunBlock:
    """Read the columns that all formats of runs have, ``topic Q0 document rank score run-id``, of n rows.

    ``start`` and ``size`` (n,) were read from what follows them; ``score`` is what the format calls it.
    """
    line = fields.number[rows]
    return RunBlock(
        topic=Stretches.of(read_names("topic", fields.column(0, rows), line, problems), line),
        run=Stretches.of(read_names("run-id", fields.column(5, rows), line, problems), line),
        document=read_names("document", fields.column(2, rows), line, problems),
        score=read_scores(score, fields.column(4, rows), line, problems),
        start=start,
        size=size,
        line=line,
    )


def read_scores(field: str, column: Column, line: Ints, problems: Problems) -> Floats:
    """Read a column of scores, which must be finite."""
    scores, good = column.floats()
    problems.fields("is not a number", field, ~good, column, line)
    problems.fields("is not a finite number", field, good & ~np.isfinite(scores), column, line)
    return scores


def _assembled(blocks: list[RunBlock], path: Path, problems: Problems, task: Task | None) -> Run:
    """Put the blocks together, each topic's results side by side and in the order of the file."""
    stretches = Stretches.joined([block.topic for block in blocks])
    topics, code = coded(stretches.name)
    rows = np.zeros(len(topics), dtype=np.int64)
    np.add.at(rows, code, stretches.length)
    run = Run(
        id=blocks[0].run.name[0],
        topics=topics,
        ptr=np.append(0, np.cumsum(rows)),
        document=Names.joined([block.document for block in blocks]),
        start=np.concatenate([block.start for block in blocks]),
        size=np.concatenate([block.size for block in blocks]),
        score=np.concatenate([block.score for block in blocks]),
        line=np.concatenate([block.line for block in blocks]),
        task=task,
        path=path,
    )
    _warn_of_run_ids(Stretches.joined([block.run for block in blocks]), run.id, problems)
    back = code[1:] < code[:-1]
    problems.warn("a topic goes on here after others; the file's order is kept", stretches.line[1:][back])
    if back.any():
        run = run.take(np.argsort(np.repeat(code, stretches.length), kind="stable"))
    return replace(run, warnings=problems.warnings)


def _warn_of_run_ids(runs: Stretches, run_id: str, problems: Problems) -> None:
    others = np.flatnonzero(~runs.name.are(run_id))
    problems.warn(f"the run is not called {run_id} here, as on the first line", runs.line[others])
