"""One file to another, for scripts: what `inexview convert` does, with what is lost as an error."""

from __future__ import annotations

from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.convert.conversion import Conversion, Converted, convert, read_content
from inexview.core.formats.convert.targets import check_free, is_folder, target_for, write_whole
from inexview.core.formats.format import FileKind, Options
from inexview.core.formats.format_registry import format_named
from inexview.core.formats.recognition import format_of
from inexview.core.judgements.submissions import ResultType


def convert_file(
    path: str | Path,
    out: str | Path,
    *,
    source: str | None = None,
    target: str | None = None,
    collection: str | Path | Collection | None = None,
    lossy: bool = False,
    overwrite: bool = False,
    result_type: str | None = None,
    fol_end: bool = False,
) -> Converted:
    """Write a file, or a folder of files, in another format, and return its content and what was lost.

    ``source`` and ``target`` name formats; without them the one is recognised from the content, and the
    other told by the suffix of ``out``.  Raises DataError for what cannot be read or carried, also where
    something would be lost and ``lossy`` is not set, and where ``out`` is there and not to be replaced.
    """
    path, written = Path(path), str(out)
    out = Path(out)
    check_free(out, [path], overwrite=overwrite)
    found = format_of(path) if source is None else format_named(source)
    type = None if result_type is None else ResultType(result_type)
    kind = FileKind.SUBMISSION if found.kind is FileKind.RUN and type is not None else found.kind
    articles = Collection.open(collection) if isinstance(collection, str | Path) else collection
    conversion = Conversion(
        found,
        target_for(kind, out) if target is None else format_named(target),
        Options(articles, fol_end),
        type,
    )
    try:
        converted = convert(read_content(path, conversion), conversion)
        if converted.lost and not lossy:
            losses = ", ".join(converted.lost)
            raise DataError(f"{conversion.target.name} cannot carry {losses}; lossy=True goes on", path=path)
        folder = is_folder(out, written)
        write_whole(converted.content, conversion.target, out, conversion.options, folder=folder)
    finally:
        if articles is not None and articles is not collection:
            articles.close()
    return converted
