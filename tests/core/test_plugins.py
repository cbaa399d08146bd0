"""Packages that add something by entry points: theirs is used, and a broken one is warned of."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path


def package(folder: Path, module: str, points: str) -> None:
    """Write a package as pip would install it, in a folder that is on the path."""
    (folder / "harbour.py").write_text(textwrap.dedent(module), encoding="utf-8")
    info = folder / "harbour-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: harbour\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(textwrap.dedent(points), encoding="utf-8")


def ran(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{textwrap.dedent(code)}"],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_package_adds_a_kind_of_collection(tmp_path):
    package(
        tmp_path,
        """
        from inexview.core.benchmarks.bundle import Bundle
        from inexview.core.collection.kinds import CollectionKind
        from inexview.core.collection.records import TextSource

        def fits(path):
            return path.suffix == ".harbour"

        def open_source(path):
            return TextSource(path, lambda: Bundle("harbour", path, texts={"kai": path.read_text()}))

        KIND = CollectionKind("a harbour", fits, open_source)
        """,
        """
        [inexview.collections]
        harbour = harbour:KIND
        """,
    )
    (tmp_path / "x.harbour").write_text("Der Kai", encoding="utf-8")
    done = ran(
        tmp_path,
        f"""
        from inexview.core.collection.collection import Collection
        print(Collection.open({str(tmp_path / "x.harbour")!r}).load("kai").text)
        """,
    )
    assert done.stdout.strip() == "Der Kai", done.stderr


def test_a_broken_package_is_warned_of_by_its_name(tmp_path):
    package(
        tmp_path,
        "raise RuntimeError('no quay')",
        """
        [inexview.collections]
        harbour = harbour:KIND
        """,
    )
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("A", encoding="utf-8")
    done = ran(
        tmp_path,
        f"""
        from inexview.core.collection.collection import Collection
        print(list(Collection.open({str(tmp_path / "texts")!r}).ids()))
        """,
    )
    assert done.stdout.strip() == "['a']"
    assert "harbour" in done.stderr
    assert "no quay" in done.stderr
    assert "Traceback" not in done.stderr
