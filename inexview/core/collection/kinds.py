"""The kinds of collections: a record for each, with how to recognise and open it.

Other packages add a kind by an entry point of the group ``inexview.collections`` that names a
:class:`CollectionKind`; theirs are tried first.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from inexview.core.article.plain_documents import kind_of
from inexview.core.benchmarks.forms import Clue, find, names_in
from inexview.core.collection.archives import TarSource, ZipSource
from inexview.core.collection.listing import (
    PLACEHOLDERS,
    ArticleSource,
    FolderSource,
    PlaceholderSource,
    explained,
)
from inexview.core.collection.record_keys import RecordKeys
from inexview.core.collection.records import (
    IDS,
    JSON_RECORDS,
    ROWS,
    SGML,
    SHARD,
    TEXTS,
    RecordSource,
    TextSource,
    json_form,
    shards_in,
    table_form,
)
from inexview.core.errors import DataError
from inexview.core.files import TARS, folder_is_there, is_there, read_beginning
from inexview.core.plugins import added
from inexview.core.text.json_values import BEGINNING, JSON


@dataclass(frozen=True, eq=False)
class CollectionKind:
    """One kind of collection."""

    name: str
    """The name shown to users, such as "a folder of articles or texts"."""
    fits: Callable[[Path], bool]
    """Returns whether an existing path is such a collection, by its beginning or the names in it."""
    open: Callable[[Path], ArticleSource]


def _open_folder(path: Path) -> ArticleSource:
    whole = path.absolute()
    if whole.parent == whole:
        raise DataError("this is a whole disk; name the folder that holds the articles", path=path)
    return FolderSource(path)


def _is_zip(path: Path) -> bool:
    with explained(path, "the archive"):
        return path.is_file() and zipfile.is_zipfile(path)


def _has_texts(path: Path) -> bool:
    form = find(path)
    return form is not None and form.texts


def _open_texts(path: Path) -> ArticleSource:
    form = find(path)
    assert form is not None  # it fits
    return TextSource(path, lambda: form.read(path))


def _corpus_beside(path: Path) -> Path | None:
    """Return the corpus next to the questions of a benchmark, given its folder or a file in it."""
    form = find(path)
    if form is None or form.texts:
        return None
    corpus = form.corpus(path)
    return corpus if corpus is not None and corpus != path else None


def _open_corpus(path: Path) -> ArticleSource:
    corpus = _corpus_beside(path)
    assert corpus is not None  # it fits
    return open_source(corpus)


def is_record(clue: Clue) -> bool:
    """Return whether a file's first object is a record with an id and a text."""
    first = clue.first
    return any(name in first for name in IDS) and any(
        isinstance(first.get(name), str | list) for name in TEXTS
    )


def _are_records(path: Path) -> bool:
    return path.is_file() and is_record(Clue(path))


_ABOUT = re.compile(r"(?:readme|licen[cs]e|notice)\b.*", re.IGNORECASE)


def _are_shards(path: Path) -> bool:
    """Return whether a folder contains files of records and no documents, apart from notes about them."""
    if not folder_is_there(path):
        return False
    names = names_in(path)
    if not any(map(SHARD.fullmatch, names)):
        return False
    if any(kind_of(name) and not _ABOUT.fullmatch(name) for name in names):
        return False
    shards = shards_in(path)
    return bool(shards) and _are_records(Path(shards[0].path))


_ROW = re.compile(rb"[^\t\n]{1,200}\t[^\n]*\S[^\n]*")
_SGML = re.compile(rb"\s*<DOC>", re.IGNORECASE)


def _are_rows(path: Path) -> bool:
    """Return whether most lines of a table are an id and a text."""
    if not path.is_file():
        return False
    lines = read_beginning(path, 1 << 16).split(b"\n")[:100]
    lines = [line for line in lines[:-1] or lines if line.strip()]
    texts = [line for line in lines if _ROW.fullmatch(line) and b" " in line.rsplit(b"\t", 1)[-1].strip()]
    return bool(lines) and 10 * len(texts) >= 9 * len(lines)


def _is_sgml(path: Path) -> bool:
    return path.is_file() and _SGML.match(read_beginning(path, 4096)) is not None


KINDS = (
    CollectionKind("placeholders", lambda path: path.name.endswith(PLACEHOLDERS), PlaceholderSource),
    CollectionKind("a tar", lambda path: path.is_file() and path.name.lower().endswith(TARS), TarSource),
    CollectionKind("a zip", _is_zip, ZipSource),
    CollectionKind("a benchmark's texts", _has_texts, _open_texts),
    CollectionKind("a benchmark's corpus", lambda path: _corpus_beside(path) is not None, _open_corpus),
    CollectionKind("a folder of records in JSON", _are_shards, lambda path: RecordSource(path, JSON_RECORDS)),
    CollectionKind("a folder of articles or texts", folder_is_there, _open_folder),
    CollectionKind("records in JSON", _are_records, lambda path: RecordSource(path, JSON_RECORDS)),
    CollectionKind("documents of TREC", _is_sgml, lambda path: RecordSource(path, SGML)),
    CollectionKind("a table of ids and texts", _are_rows, lambda path: RecordSource(path, ROWS)),
)
"""All kinds; the first that fits is used."""


@cache
def kinds() -> tuple[CollectionKind, ...]:
    """Return all kinds, those of other packages first."""
    return (*added("inexview.collections", CollectionKind), *KINDS)


def holds_texts(path: Path) -> bool:
    """Return whether an existing path is a collection of any kind; raises DataError."""
    return (path.is_file() or folder_is_there(path)) and any(kind.fits(path) for kind in kinds())


def open_named(path: Path, keys: RecordKeys) -> ArticleSource:
    """Open a file of records, or a folder of such files, with the given field names.

    Raises DataError for anything else, InexviewError for a missing column.
    """
    if folder_is_there(path):
        if not shards_in(path):
            raise DataError("holds no JSON file with fields", path=path)
        return RecordSource(path, json_form(keys), keys)
    if not path.is_file():
        raise DataError("there is no such file of records", path=path)
    beginning = read_beginning(path, BEGINNING)
    if JSON.match(beginning):
        return RecordSource(path, json_form(keys), keys)
    first = beginning.split(b"\n", 1)[0]
    if b"\t" not in first:
        raise DataError("is neither JSON nor a table with tabs, so --keys cannot be used", path=path)
    return RecordSource(path, table_form(keys, first), keys)


def open_source(path: Path) -> ArticleSource:
    """Open a collection of any kind without listing it; raises DataError if it is not a collection."""
    if not is_there(path):
        raise DataError("there is no such folder or archive; choose the collection's new place", path=path)
    if not (path.is_file() or folder_is_there(path)):
        raise DataError("this is a pipe or a device; a collection is a folder or a file", path=path)
    for kind in kinds():
        if kind.fits(path):
            return kind.open(path)
    raise DataError(
        "a collection is a folder, a .zip or a .tar(.gz, .bz2, .xz) of files in XML, text, Markdown or HTML; "
        "or a file of records (JSON lines, TSV, TREC SGML): choose one of these",
        path=path,
    )
