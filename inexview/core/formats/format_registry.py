"""All formats, by name and by kind."""

from __future__ import annotations

from inexview.core.errors import DataError
from inexview.core.formats.format import FileKind, Format
from inexview.core.formats.tables.text_formats import TEXT_FORMATS
from inexview.core.formats.xml_formats import XML_FORMATS

_FORMATS = (*TEXT_FORMATS, *XML_FORMATS)


def formats(*kinds: FileKind) -> tuple[Format, ...]:
    return tuple(format for format in _FORMATS if not kinds or format.kind in kinds)


def names_of(*kinds: FileKind) -> list[str]:
    return [format.name for format in formats(*kinds)]


def format_named(name: str) -> Format:
    """Return the format of this name; raises DataError, which lists all, where there is none."""
    found = next((format for format in _FORMATS if format.name == name), None)
    if found is None:
        raise DataError(f"is no format; there are {listed(_FORMATS)}", field="format", value=name)
    return found


def listed(listed: tuple[Format, ...]) -> str:
    """Return the names of formats for a message."""
    return ", ".join(format.name for format in listed)
