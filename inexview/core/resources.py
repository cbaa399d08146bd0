"""Where the files lie that come with the program: sample, fonts, icons, the guide.

In a checkout (and an editable install) they are in ``resources/`` beside the package; a wheel carries
them inside it, as ``inexview/_data``.  This is the only module that knows.
"""

from __future__ import annotations

from pathlib import Path

from inexview.core.errors import InexviewError

PACKAGE = Path(__file__).resolve().parent.parent


def resource(name: str, *, package: Path = PACKAGE) -> Path:
    """Return the file or folder ``name``, a path with forward slashes such as ``"fonts/README.md"``.

    ``package`` is the folder of the installed package.  Raises InexviewError where the installation
    lacks the file.
    """
    folders = (package / "_data", package.parent / "resources")
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    raise InexviewError(
        f"This installation of inexview is incomplete: {name} is neither in {folders[0]} nor in "
        f"{folders[1]}. Please install inexview again."
    )


def version() -> str:
    from importlib import metadata  # 30 ms, which no other command should wait for

    return metadata.version("inexview")
