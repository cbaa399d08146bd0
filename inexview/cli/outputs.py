"""Files that a command writes: how they are named, and that nothing is replaced unasked."""

from __future__ import annotations

import os
from argparse import ArgumentParser, _ActionsContainer
from collections.abc import Iterable, Sequence
from pathlib import Path

from inexview.core.errors import DataError


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
    wanted = [path for path in outputs if path is not None]
    if wanted:
        from inexview.core.formats.convert.targets import check_free  # which no one else has to wait for
    for at, path in enumerate(wanted):
        if os.path.realpath(path) in map(os.path.realpath, wanted[:at]):
            raise DataError("is named for two files; name another for one of them", path=path)
        check_free(path, sources, overwrite=overwrite, folder=folder)
