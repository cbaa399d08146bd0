"""The file of an experiment: which collection, topics and judgements, which models, which measures.

TOML.  Paths are relative to the file.  What is under ``[defaults]`` holds for every ``[[run]]`` that does
not say otherwise.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.judgements.runs import Task
from inexview.core.judgements.subsets import Subset, share_of_text
from inexview.core.measures.measure import MeasureError, parse
from inexview.core.retrieval.models import model_of
from inexview.core.retrieval.retrieval_settings import (
    ARRANGED_TASKS,
    DEPTH,
    ModelParameters,
    RetrievalSettings,
)
from inexview.core.retrieval.retrieve import usual_id
from inexview.core.retrieval.units import UnitKind, WordForms
from inexview.core.small_files import read_small_text

_FILE = {
    "title", "collection", "topics", "qrels", "task", "preset", "measures", "compare", "defaults", "run",
    "only-topics", "share",
}  # fmt: skip
_RUN = {
    "id", "model", "unit", "depth", "fields", "structure", "stop-words", "stemmer", "parameters",
    "task",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """What an experiment does."""

    title: str
    collection: Path
    topics: Path
    qrels: Path
    scoring: ScoringSettings
    compared: str
    """The measure by which the runs are compared; "" takes the first."""
    runs: dict[str, RetrievalSettings]
    part: Subset
    """Which judgements count."""


def read_experiment(path: Path) -> ExperimentPlan:
    """Read an experiment; raises DataError, which names the field, where it cannot be done."""
    try:
        said = tomllib.loads(read_small_text(path, "an experiment, a text file in TOML"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise DataError(f"cannot be read as TOML ({error})", path=path) from error
    _known(said, _FILE, path)
    folder = path.parent
    task = said.get("task")
    defaults = ({"task": task} if task in ARRANGED_TASKS else {}) | _table(said, "defaults", path)
    runs: dict[str, RetrievalSettings] = {}
    listed = said.get("run")
    if not isinstance(listed, list) or not listed:
        raise DataError("name at least one model under [[run]]", path=path)
    for one in listed:
        own = defaults | (one if isinstance(one, dict) else {})
        _known(own, _RUN, path)
        settings = _settings(own, path)
        name = _text(own, "id", path, usual_id(settings))
        if name in runs:
            raise DataError("is the id of two runs", path=path, field="id", value=name)
        runs[name] = settings
    return ExperimentPlan(
        _text(said, "title", path, path.stem),
        folder / _text(said, "collection", path),
        folder / _text(said, "topics", path),
        folder / _text(said, "qrels", path),
        _scoring(said, path),
        _text(said, "compare", path, ""),
        runs,
        _part(said, path),
    )


def _part(said: Mapping[str, Any], path: Path) -> Subset:
    topics = frozenset(_texts(said, "only-topics", path, []))
    written = _text(said, "share", path, "0-100")
    try:
        low, high = share_of_text(written)
        return Subset(topics, low=low, high=high)
    except (ValueError, InexviewError) as error:
        raise DataError(str(error), path=path, field="share", value=written) from None


def _settings(said: Mapping[str, Any], path: Path) -> RetrievalSettings:
    try:
        settings = RetrievalSettings(
            model=_text(said, "model", path, "MM"),
            unit=UnitKind.parse(_text(said, "unit", path, "passage:100/50")),
            depth=_whole(said, "depth", path, DEPTH),
            fields=tuple(_texts(said, "fields", path, ["title"])),
            structure=said.get("structure") is True,
            forms=WordForms.named(
                _text(said, "stop-words", path, "snowball"), _text(said, "stemmer", path, "none")
            ),
            parameters=ModelParameters().changed(_table(said, "parameters", path)),
            task=Task.named(task) if (task := _text(said, "task", path, "")) else None,
        )
        model_of(settings)
    except DataError:
        raise
    except InexviewError as error:
        raise DataError(str(error), path=path) from error
    return settings


def _scoring(said: Mapping[str, Any], path: Path) -> ScoringSettings:
    task, preset = _text(said, "task", path, ""), _text(said, "preset", path, "")
    if task and task not in {known.value for known in Task}:
        listed = ", ".join(known.value for known in Task)
        raise DataError(f"must be one of {listed}", path=path, field="task", value=task)
    try:
        measures = tuple(map(parse, _texts(said, "measures", path, [])))
    except MeasureError as error:
        raise DataError(str(error), path=path) from error
    return ScoringSettings(preset=preset or None, task=Task(task) if task else None, measures=measures)


def _known(said: Mapping[str, Any], names: set[str], path: Path) -> None:
    for name in said:
        if name not in names:
            raise DataError(f"is not known here; there are {', '.join(sorted(names))}", path=path, field=name)


def _table(said: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    value = said.get(name, {})
    if not isinstance(value, dict):
        raise DataError("must be a table", path=path, field=name, value=str(value))
    return value


def _text(said: Mapping[str, Any], name: str, path: Path, usual: str | None = None) -> str:
    value = said.get(name, usual)
    if not isinstance(value, str):
        raise DataError("must be a text in quotes", path=path, field=name, value=str(value))
    return value


def _texts(said: Mapping[str, Any], name: str, path: Path, usual: list[str]) -> list[str]:
    value = said.get(name, usual)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise DataError("must be a list of texts in quotes", path=path, field=name, value=str(value))
    return value


def _whole(said: Mapping[str, Any], name: str, path: Path, usual: int) -> int:
    value = said.get(name, usual)
    if not isinstance(value, int) or isinstance(value, bool):
        raise DataError("must be a whole number", path=path, field=name, value=str(value))
    return value
