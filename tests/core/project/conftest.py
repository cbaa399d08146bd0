"""What the tests of projects share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inexview.core.project.project import Project
from tests.projects import make_project


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make_project(tmp_path / "study")


@pytest.fixture
def project(path: Path) -> Iterator[Project]:
    with Project.open(path) as project:
        yield project
