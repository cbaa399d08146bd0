"""What the linter, the formatter and the type checker say of the whole checkout."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

TYPE_CHECKER = importlib.util.find_spec("mypy")


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=["linter", "formatter"])
def test_ruff_finds_nothing(checkout: Path, command: list[str]) -> None:
    complaints = _complaints(checkout, "ruff", *command, "--no-cache", "--quiet")
    assert not complaints, complaints


@pytest.mark.skipif(TYPE_CHECKER is None, reason="mypy comes with the [dev] extras only")
def test_mypy_finds_nothing(checkout: Path) -> None:
    complaints = _complaints(checkout, "mypy", "--no-error-summary")
    assert not complaints, complaints


def _complaints(checkout: Path, *command: str) -> str:
    """Return what a tool prints where it is not content, and nothing where it is."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=checkout, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr if done.returncode else ""
