"""All formats: by name, by kind, and recognised from what a file holds, whatever it is called."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import Beginning, beginning_of, files_in
from inexview.core.formats.format import FileKind, Format
from inexview.core.formats.tables.text_formats import TEXT_FORMATS
from inexview.core.formats.xml_formats import XML_FORMATS
from inexview.core.wording import counted

_FORMATS = (*TEXT_FORMATS, *XML_FORMATS)
_LOOKED_AT = 20  # files of a folder


def formats(*kinds: FileKind) -> tuple[Format, ...]:
    """Return all formats, or those of these kinds."""
    return tuple(format for format in _FORMATS if not kinds or format.kind in kinds)


def names_of(*kinds: FileKind) -> list[str]:
    """Return the names of all formats, or of those of these kinds."""
    return [format.name for format in formats(*kinds)]


def format_named(name: str) -> Format:
    """Return the format of this name; raises DataError, which lists all, where there is none."""
    found = next((format for format in _FORMATS if format.name == name), None)
    if found is None:
        raise DataError(f"is no format; there are {_listed(_FORMATS)}", field="format", value=name)
    return found


def format_of(path: str | Path, *kinds: FileKind) -> Format:
    """Recognise the format of a file, or a folder of files, from its content; among these kinds, if any.

    Raises DataError where it cannot be read, or where no format fits.
    """
    path = Path(path)
    if path.is_dir():
        return _format_of_folder(path, *kinds)
    beginning = beginning_of(path)
    found = recognised(beginning, *kinds)
    if found is None:
        raise unknown(beginning, path, *kinds)
    return found


def holds_articles(folder: Path) -> bool:
    """Tell whether a folder looks like a collection: most of its first files are articles, or it has none.

    Raises DataError where it cannot be read.
    """
    return _looked_into(folder).articles


def _format_of_folder(folder: Path, *kinds: FileKind) -> Format:
    """Return the format of a folder that is read as one: all its files are of one kind."""
    inside = _looked_into(folder)
    wanted = {format: files for format, files in inside.formats.items() if not kinds or format.kind in kinds}
    asked = _listed(formats(*kinds))
    if inside.articles:
        problem = f"is a folder of articles, a collection; what is wanted here is one of {asked}"
    elif len({format.kind for format in wanted}) == 1:
        found = max(wanted, key=lambda format: len(wanted[format]))
        if found.folder:
            return found
        name = wanted[found][0].name
        problem = f"is a folder, and of {found.name} one file is read at a time: name one, such as {name}"
    elif not wanted and len({format.kind for format in inside.formats}) == 1:
        found, files = next(iter(inside.formats.items()))
        problem = f"holds {found.title} ({files[0].name}), and what is wanted here is one of {asked}"
    elif inside.formats:
        named = "; ".join(f"{files[0].name}: {format.title}" for format, files in inside.formats.items())
        problem = f"holds files that are not read as one ({named}); name a file, or the format"
    else:
        problem = f"holds no file in a format that is known; name the format, one of {asked}"
    raise DataError(problem, path=folder)


@dataclass(frozen=True, slots=True)
class _Inside:
    """What a folder's first files are."""

    articles: bool
    formats: dict[Format, list[Path]]


def _looked_into(folder: Path) -> _Inside:
    files = files_in(folder, _LOOKED_AT)
    if not files and not any(one.is_dir() for one in folder.iterdir()):
        raise DataError("cannot be read: the folder holds no file", path=folder)
    articles = 0
    found: dict[Format, list[Path]] = {}
    for file in files:
        try:
            beginning = beginning_of(file)
        except DataError:  # a picture, an archive: nothing that is read here
            continue
        articles += beginning.root == "article"
        format = recognised(beginning)
        if format is not None:
            found.setdefault(format, []).append(file)
    return _Inside(2 * articles > len(files) or not files, found)


def recognised(beginning: Beginning, *kinds: FileKind) -> Format | None:
    """Return the format that fits best, of several the first in the list; None where none fits."""
    xml = XML_FORMATS if beginning.xml else TEXT_FORMATS
    fits = {format: format.recognise(beginning) for format in xml if not kinds or format.kind in kinds}
    best = max(fits, key=lambda format: fits[format], default=None)
    return best if best is not None and fits[best] else None


def unknown(beginning: Beginning, path: Path, *kinds: FileKind) -> DataError:
    """Return the error that a file is in no known format (of these kinds), or what else it may be."""
    asked = _listed(formats(*kinds))
    other = recognised(beginning) if kinds else None
    if other is not None:
        problem = f"looks like {other.title}, and what is wanted here is one of {asked}"
    elif beginning.tags and beginning.tags[0].name == "article":
        problem = f"is an article of a collection; what is wanted here is one of {asked}"
    else:
        problem = f"is in no format that is known by its {_seen(beginning)}; name it, one of {asked}"
    return DataError(problem, path=path)


def _seen(beginning: Beginning) -> str:
    """Say what a file begins with."""
    if beginning.tags:
        return f"root <{beginning.tags[0].name}>"
    if beginning.lines:
        fields = beginning.lines[0].split()
        count = counted(len(fields), "field")
        shown = b" ".join(fields).decode("utf-8", "replace")
        shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
        return f"first line, of {count} ({shown})"
    return "first tags, which cannot be read" if beginning.xml else "content: there is nothing to read"


def _listed(listed: tuple[Format, ...]) -> str:
    return ", ".join(format.name for format in listed)
