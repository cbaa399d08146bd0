"""What a run says of how it was made, so that it can be made again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from inexview.core.durable import write_complete
from inexview.core.retrieval.models import model_of, unit_of
from inexview.core.retrieval.retrieval_settings import RetrievalSettings
from inexview.core.retrieval.svm_training import TrainingSet
from inexview.core.word_index.word_index import VERSION, WordIndex


def run_description(
    settings: RetrievalSettings,
    collection: Path,
    index: WordIndex | None,
    training: TrainingSet | None = None,
) -> dict[str, Any]:
    """Return model, parameters, unit, collection, index (None on a cluster), and what it learned from."""
    model, parameters = model_of(settings), asdict(settings.parameters)
    described: dict[str, Any] = {
        "model": model.name,
        "parameters": {name: parameters[name] for name in model.tunable},
        "unit": "stretches" if model.own_units else str(unit_of(settings)),
        "depth": settings.depth,
        "task": "" if settings.task is None else settings.task.value,
        "fields": list(settings.fields),
        "structure": settings.structure,
        "stop words": settings.forms.stop_list,
        "stemmer": settings.forms.stemmer,
        "collection": str(collection),
    }
    if model.trained and training is not None:
        described["learned from"] = {
            "judgements": str(training.qrels.path or ""),
            "topics": [topic.id for topic in training.topics if topic.id in training.qrels.topics],
        }
    if index is not None:
        described["index"] = {
            "version": VERSION,
            "documents": index.documents,
            "words": index.words,
        }
    return described


def in_words(described: dict[str, Any]) -> str:
    """Return a description in one line, for a submission."""
    return json.dumps(described, ensure_ascii=False)


def usual_id(settings: RetrievalSettings) -> str:
    """Return what a run is called that is given no name: "MM-passage-100-50"."""
    model = model_of(settings)
    unit = "" if model.own_units else f"-{unit_of(settings)}"
    task = "" if settings.task is None else f"-{settings.task}"
    return (model.name + unit + task).replace(":", "-").replace("/", "-").replace(",", "-")


def description_path(run: Path) -> Path:
    """Return where it is said how a run's file was made: RUN.json."""
    return run.with_name(f"{run.name}.json")


def write_description(described: Mapping[str, Any], run: Path) -> None:
    """Write beside a run, as RUN.json, how it was made; raises OSError where that fails."""
    said = json.dumps(described, ensure_ascii=False, indent=1) + "\n"
    write_complete(description_path(run), lambda part: part.write_text(said, encoding="utf-8"))
