"""The wheel: what is in it, and that what it installs works away from the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import inexview

SEEN = ("fonts/Inter-Regular.otf", "fonts/NotoSerif-Regular.ttf", "icons/inexview.svg", "sample", "guide")


def build(target: str, source: Path, folder: Path) -> Path:
    """Build with hatchling as it is installed here: pip would fetch it from the network."""
    code = f"import hatchling.build as h, sys; print(h.build_{target}(sys.argv[1]))"
    done = run([sys.executable, "-c", code, str(folder)], cwd=source)
    return folder / done.split()[-1]


def run(command: list[str], cwd: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    return build("wheel", checkout, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """Return the ``bin`` folder of a new environment with the wheel, its dependencies borrowed from here."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False)
    scripts = Path(sysconfig.get_path("scripts", "venv", {"base": str(home), "platbase": str(home)}))
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)}))
    # Only the folder itself: an editable inexview hangs on a .pth file in it, which is not supported.
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    python = scripts / ("python.exe" if sys.platform == "win32" else "python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    run([*pip, "install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel)], cwd=home)
    return scripts


@pytest.fixture(scope="module")
def version(checkout: Path) -> str:
    return str(tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def outside(tmp_path: Path) -> dict[str, str]:
    """Return an environment that leads nothing back to the checkout."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"HOME": str(tmp_path)}


def test_the_wheel_starts_away_from_the_checkout(installed: Path, version: str, tmp_path: Path) -> None:
    told = run([str(installed / "inexview"), "--version"], cwd=tmp_path, environment=outside(tmp_path))
    assert told.split() == ["inexview", version]


def test_the_wheel_finds_its_resources_inside_itself(installed: Path, tmp_path: Path) -> None:
    code = "from inexview.core.files import resource; import sys; [print(resource(n)) for n in sys.argv[1:]]"
    python = str(installed / "python")
    found = run([python, "-c", code, *SEEN], cwd=tmp_path, environment=outside(tmp_path)).split("\n")[:-1]
    assert len(found) == len(SEEN)
    for path, name in zip(found, SEEN, strict=True):
        assert path.startswith(str(installed.parent))
        assert path.replace(os.sep, "/").endswith(f"/inexview/_data/{name}")


def test_the_wheel_carries_a_reference_of_all_public_names(wheel: Path) -> None:
    for needed in ("pdoc", "ir_measures", "furo", "myst_parser"):
        pytest.importorskip(needed)
    with zipfile.ZipFile(wheel) as archive:
        page = archive.read("inexview/_data/site/inexview.html").decode()
        measures = archive.read("inexview/_data/site/inexview/ir_measures.html").decode()
    assert [name for name in inexview.__all__ if f'id="{name}"' not in page] == []
    assert "<script" not in page
    assert "Score runs against qrels" in page
    assert ":class:" not in page + measures


def test_the_wheel_carries_the_guide_as_a_site(wheel: Path, checkout: Path) -> None:
    for needed in ("furo", "myst_parser"):
        pytest.importorskip(needed)
    with zipfile.ZipFile(wheel) as archive:
        pages = {
            path.stem: archive.read(f"inexview/_data/site/{path.stem}.html").decode()
            for path in (checkout / "resources" / "guide").glob("*.md")
        }
        keys = archive.read("inexview/_data/site/keys.html").decode()
        assert "inexview/_data/site/searchindex.js" in archive.namelist()
    listed = re.findall(r'toctree-l1"><a class="reference internal" href="([^"]+)"', pages["index"])
    assert set(listed) == {f"{name}.html" for name in [*pages, "keys"] if name != "index"}
    assert listed[0] == "first-project.html"
    assert "Finish" in keys
    assert [
        name for name, page in pages.items() if re.search(r'(src|<link[^>]*href)="(https?:)?//', page)
    ] == []


OPEN_SAMPLE = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from inexview.gui.shell.app import run

def look():
    print(*(type(window).__name__ for window in application.topLevelWidgets() if window.isVisible()))
    application.quit()

application = QApplication(sys.argv[:1])
QTimer.singleShot(0, look)
sys.exit(run(sample=True))
"""


def test_the_wheel_opens_its_sample_in_a_window(installed: Path, tmp_path: Path) -> None:
    shown = run([str(installed / "python"), "-c", OPEN_SAMPLE], cwd=tmp_path, environment=outside(tmp_path))
    assert shown.split() == ["MainWindow"]


def test_the_wheel_holds_every_module_and_every_resource_and_nothing_else(
    wheel: Path, checkout: Path
) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    modules = {path.relative_to(checkout).as_posix() for path in checkout.glob("inexview/**/*.py")}
    resources = {
        "inexview/_data/" + path.relative_to(checkout / "resources").as_posix()
        for path in (checkout / "resources").rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    }
    site = {name for name in names if name.startswith("inexview/_data/site/")}
    assert names - site == modules | resources | {"inexview/py.typed"}


def test_the_description_of_the_package_names_nothing_that_only_a_checkout_has(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        heads, _, description = archive.read(name).decode().partition("\n\n")
    assert description.startswith("# inexview\n")
    assert [to for to in re.findall(r"\]\(([^)]*)\)", description) if not to.startswith("https://")] == []
    assert "Project-URL: Homepage, https://" in heads


def test_the_licences_of_the_fonts_travel_with_the_wheel(wheel: Path) -> None:
    licences = {Path(name).name for name in zipfile.ZipFile(wheel).namelist() if "/licenses/" in name}
    assert licences == {"LICENSE", "Inter-OFL.txt", "NotoSerif-OFL.txt"}


def test_the_source_archive_makes_the_same_wheel(wheel: Path, checkout: Path, tmp_path: Path) -> None:
    archive = build("sdist", checkout, tmp_path)
    run(
        [sys.executable, "-m", "tarfile", "--extract", str(archive), str(tmp_path / "unpacked")], cwd=tmp_path
    )
    (source,) = (tmp_path / "unpacked").iterdir()
    again = build("wheel", source, tmp_path)
    assert set(zipfile.ZipFile(again).namelist()) == set(zipfile.ZipFile(wheel).namelist())


def test_the_checkout_starts_too(checkout: Path, version: str, tmp_path: Path) -> None:
    told = run([sys.executable, "-m", "inexview", "--version"], cwd=checkout, environment=outside(tmp_path))
    assert told.split() == ["inexview", version]
