"""The program under other locales: letters, digits and writing directions of the system change nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from inexview.core.project.project import Project
from inexview.core.project.reviews import note_opened
from tests.projects import TOPIC, make_project

LOCALES = ("tr_TR", "az_AZ", "de_DE", "ar_EG")


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of locales, or skip where they cannot be made."""
    folder = tmp_path_factory.mktemp("locales")
    for name in LOCALES:
        command = ["localedef", "-i", name, "-f", "UTF-8", str(folder / f"{name}.UTF-8")]
        try:
            made = subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            made = False
        if not made:
            pytest.skip("no localedef, or no sources of locales (Debian: locales)")
    return folder


@pytest.mark.parametrize(
    "variables",
    [*({"LC_ALL": f"{name}.UTF-8"} for name in LOCALES), {"LC_ALL": "C"}, {"LC_CTYPE": "tr_TR.UTF-8"}],
    ids=lambda variables: "=".join(*variables.items()),
)
def test_a_sentence_is_marked_in_every_locale(
    variables: dict[str, str], locales: Path, tmp_path: Path, checkout: Path
) -> None:
    path = make_project(tmp_path)
    with Project.open(path) as project:
        note_opened(project, TOPIC, "d1")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    command = [sys.executable, "-m", "tests.gui.killed_window", str(path), "d1"]
    with subprocess.Popen(
        command,
        cwd=checkout,
        env={**kept, "LOCPATH": str(locales), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as window:
        assert window.stdout is not None
        assert window.stderr is not None
        said = window.stdout.readline()
        window.kill()
        assert said, window.stderr.read().decode()
    with Project.open(path) as project:
        assert [list(mark) for mark in project.state(TOPIC, "d1").marks] == json.loads(said) != []
