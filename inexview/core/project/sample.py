"""The sample project: articles of our own, judged topics, and one topic left to the user."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path

from inexview.core.errors import ProjectError
from inexview.core.files import put_in_place, resource
from inexview.core.formats.answer_files import read_answers
from inexview.core.formats.jsonl import read_jsonl
from inexview.core.project.access import ProjectInUseError
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.journal import remove_file
from inexview.core.project.model_labels import add_labels, looked_in, read_labels
from inexview.core.project.project import Project
from inexview.core.project.reviews import add_answers

_BESIDE = ("articles", "runs", "layers")
GRADES = ("marginal", "fair", "high")
"""After Sormunen, SIGIR 2002: marginally, fairly and highly relevant."""


def create_sample_project(path: Path) -> Path:
    """Create the sample project at ``path``, and return its path.

    Articles, runs and a second assessor's layer are copied next to it, into ``NAME-articles`` and so on, so
    that the project does not depend on the installation. It contains answers and a model's labels. Raises
    ProjectError if the project exists or the folder cannot be written to.
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
    # its path until everything is judged, so that a killed program starts again
    part = path.with_name(f".{path.name}")
    try:
        remove_file(part)
        with Project.create(
            part,
            collection=beside["articles"],
            topics=sample / "topics.xml",
            pool=sample / "pool.xml",
            grades=GRADES,
        ) as project:
            import_judgements(project, read_jsonl(sample / "judgements.jsonl"))
            add_answers(project, read_answers(sample / "answers.jsonl").answers)
            topics = {topic.id: topic.title for topic in project.topics}
            labels = sample / "model-labels.jsonl"
            add_labels(project, read_labels(labels, topics, looked_in(project), project.collection))
        put_in_place(part, path)
    finally:
        remove_file(part)
    return path


def sample_runs(path: Path) -> list[Path]:
    """Return the runs next to the sample project at ``path``, by name."""
    return sorted(path.with_name(f"{path.stem}-runs").glob("*.txt"))


def sample_layers(path: Path) -> list[Path]:
    """Return the judgements of other assessors next to the sample project at ``path``, by name."""
    return sorted(path.with_name(f"{path.stem}-layers").glob("*.txt"))


def aside(path: Path) -> Path:
    """Return a free name for the sample project at ``path``, in its folder."""
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(1))
    return next(name for name in names if not name.exists())


def set_aside(path: Path, name: Path) -> None:
    """Rename the sample project at ``path``; its articles stay.

    Raises ProjectInUseError if it is open elsewhere, and OSError.
    """
    try:
        Project.open(path).close()
    except ProjectInUseError:
        raise
    except ProjectError:
        pass  # a damaged one is kept, too
    path.rename(name)
