"""Project files that are damaged anywhere: a sentence that names the file, and the file as it was."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from inexview.core.errors import InexviewError
from inexview.core.project.judgement_export import judgements_of
from inexview.core.project.project import Project
from tests.projects import make_project


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("project") / "study")


def read(path: Path, *, read_only: bool) -> str | None:
    """Read a project, and return what is said instead."""
    try:
        with contextlib.closing(Project.open(path, read_only=read_only)) as project:
            for topic in project.topics:
                list(project.contents.pooled(topic.id))
            list(judgements_of(project))
    except InexviewError as error:
        return str(error)
    return None


def damaged(data: bytes, seed: int) -> bytes:
    chance = random.Random(seed)
    place = chance.randrange(100, len(data))
    changed = bytearray(data)
    if seed % 3 == 0:
        return data[:place]
    if seed % 3 == 1:
        changed[place : place + 4096] = chance.randbytes(len(changed[place : place + 4096]))
        return bytes(changed)
    for _ in range(200):
        changed[chance.randrange(16, len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_a_damaged_project_is_a_sentence_with_its_name(
    sound: Path, tmp_path: Path, seed: int, read_only: bool
) -> None:
    path = tmp_path / "damaged.inexview"
    path.write_bytes(damaged(sound.read_bytes(), seed))
    said = read(path, read_only=read_only)
    assert said is None or str(path) in said
