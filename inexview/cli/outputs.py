"""Files that a command writes: how they are named, and that nothing is replaced unasked."""

from __future__ import annotations

from argparse import ArgumentParser, _ActionsContainer
from collections.abc import Iterable, Sequence
from pathlib import Path


def add_output_argument(parser: _ActionsContainer, file: str, help: str, *, required: bool = False) -> None:
    names = ("-o", "--out", "--output")
    parser.add_argument(*names, type=Path, required=required, metavar=file, help=help)


def add_overwrite_argument(parser: ArgumentParser, file: str) -> None:
    parser.add_argument("--overwrite", action="store_true", help=f"replace {file} where it is there already")


def check_outputs(
    outputs: Iterable[Path | None], sources: Sequence[Path | None], *, overwrite: bool, folder: bool = False
) -> None:
    """Refuse, before any work, to write over what is read, another output, or unasked over any file.

    Raises DataError.
    """
    wanted, taken = [path for path in outputs if path is not None], [*sources]
    if wanted:
        from inexview.core.formats.convert.targets import check_free  # which no one else has to wait for
    for path in wanted:
        check_free(path, taken, overwrite=overwrite, folder=folder)
        taken.append(path)
