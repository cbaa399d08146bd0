"""All formats: by name, by kind, and recognised from what a file holds, whatever it is called."""

from __future__ import annotations

from pathlib import Path

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import Beginning, beginning_of
from inexview.core.formats.format import Format, Kind
from inexview.core.formats.text_formats import TEXT_FORMATS
from inexview.core.formats.xml_formats import XML_FORMATS

_FORMATS = (*TEXT_FORMATS, *XML_FORMATS)


def formats(*kinds: Kind) -> tuple[Format, ...]:
    """Return all formats, or those of these kinds."""
    return tuple(format for format in _FORMATS if not kinds or format.kind in kinds)


def names_of(*kinds: Kind) -> list[str]:
    """Return the names of all formats, or of those of these kinds."""
    return [format.name for format in formats(*kinds)]


def format_named(name: str) -> Format:
    """Return the format of this name; raises DataError, which lists all, where there is none."""
    found = next((format for format in _FORMATS if format.name == name), None)
    if found is None:
        raise DataError(f"is no format; there are {_listed(_FORMATS)}", field="format", value=name)
    return found


def format_of(path: str | Path, *kinds: Kind) -> Format:
    """Recognise the format of a file, or a folder of files, from its content; among these kinds, if any.

    Raises DataError where the file cannot be read, or where no format fits.
    """
    beginning = beginning_of(path)
    found = recognised(beginning, *kinds)
    if found is None:
        raise unknown(beginning, Path(path), *kinds)
    return found


def recognised(beginning: Beginning, *kinds: Kind) -> Format | None:
    """Return the format that fits best, of several the first in the list; None where none fits."""
    xml = XML_FORMATS if beginning.xml else TEXT_FORMATS
    fits = {format: format.recognise(beginning) for format in xml if not kinds or format.kind in kinds}
    best = max(fits, key=lambda format: fits[format], default=None)
    return best if best is not None and fits[best] else None


def unknown(beginning: Beginning, path: Path, *kinds: Kind) -> DataError:
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
        count = len(beginning.lines[0].split())
        return f"first line, of {count} field{'' if count == 1 else 's'}"
    return "content: there is nothing to read"


def _listed(listed: tuple[Format, ...]) -> str:
    return ", ".join(format.name for format in listed)
