"""The sample project: three topics over articles of our own, two judged, one left to the user."""

from __future__ import annotations

import shutil
from pathlib import Path

from inexview.core import durable
from inexview.core.errors import ProjectError
from inexview.core.formats.tables.fol_qrels import read_fol_qrels
from inexview.core.project.exchange.takeover import import_judgements
from inexview.core.project.journal.journal_file import remove_file
from inexview.core.project.project import Project
from inexview.core.resources import resource

_BESIDE = ("articles", "runs")


def create_sample_project(path: Path) -> Path:
    """Make the sample project at ``path`` and return where it is.

    Articles and runs are copied beside it, into ``NAME-articles`` and ``NAME-runs``: the project then
    outlives the installation that it came from.  Raises ProjectError where the project exists already or
    the folder cannot be written to.
    """
    path = Path(path)
    sample = resource("sample")
    beside = {name: path.with_name(f"{path.stem}-{name}") for name in _BESIDE}
    if path.exists():
        raise ProjectError(f"{path} exists already; choose another name for the sample project")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for name, copy in beside.items():
            shutil.copytree(sample / name, copy, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise ProjectError(f"{path.parent}: the sample cannot be copied here: {why}") from error
    part = path.with_name(f".{path.name}")  # where it is until all is judged: who is killed begins again
    try:
        remove_file(part)
        with Project.create(
            part,
            collection=beside["articles"],
            topics=sample / "topics.xml",
            pool=sample / "pool.xml",
        ) as project:
            import_judgements(project, read_fol_qrels(sample / "judgements.txt"))
        durable.put_in_place(part, path)
    finally:
        remove_file(part)
    return path


def sample_runs(path: Path) -> list[Path]:
    """Return the runs that lie beside the sample project at ``path``, by name."""
    return sorted(path.with_name(f"{path.stem}-runs").glob("*.txt"))
