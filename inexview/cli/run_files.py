"""Reading several runs, of which each is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inexview.cli.judgements import articles_for
from inexview.cli.progress_line import StepCounter
from inexview.cli.scoring import locator
from inexview.cli.warnings import condensed
from inexview.core.formats.format import RUNS
from inexview.core.formats.readers import read_run
from inexview.core.formats.recognition import format_of
from inexview.core.judgements.runs import Run


def read_runs(paths: Sequence[Path], collection: Path | None) -> tuple[list[Run], list[str]]:
    """Return runs of any format and what looks wrong about them; ``collection`` holds what XML and HARD name.

    Raises DataError for one that cannot be read.
    """
    runs: list[Run] = []
    progress = StepCounter("runs", len(paths))
    with locator(collection, None, progress) as locate, progress:
        for path in paths:
            found = format_of(path, *RUNS)
            with articles_for(found, collection) as articles:
                run = read_run(path, locate=locate, collection=articles, format=found, progress=progress)
            runs.append(run)
            progress.step()
    odd = [(path, run.warnings) for path, run in zip(paths, runs, strict=True)]
    return runs, list(condensed(odd))
