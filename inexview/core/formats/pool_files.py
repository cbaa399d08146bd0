"""Pool files: pool XML, a folder of them, or a plain list of `topic document` lines.

Pool XML is `<pool topic="N"><file file="12345"><path path="…"/><passage start="…" end="…"/></file>…</pool>`;
inexview adds `<found run="…" rank="…"/>`, which run returned the document at which rank;
files of several topics wrap their pools in any root element.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from lxml import etree

from inexview.core.errors import DataError
from inexview.core.formats.beginnings import files_in, looks_like_xml
from inexview.core.formats.format import FileKind
from inexview.core.formats.problems import LONGEST_NAME
from inexview.core.formats.text_files import check_names, text_of_list
from inexview.core.formats.xml_files import attributes, document_name, read_tree, unused_in, write_xml
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.xml.parser import read_bytes

_TOLD = 20  # documents that are pooled twice, one by one
_LONGEST_RANK = 12  # digits

_TAGS = {
    "pool": frozenset({"topic"}),
    "file": frozenset({"file", "name", "id"}),
    "path": frozenset({"path"}),
    "passage": frozenset({"start", "end"}),
    "found": frozenset({"run", "rank"}),
}

_Pooled = tuple[str, PooledDocument | None]
"""A topic and a document of its pool; no document if the pool is empty."""


def read_pool(path: str | Path) -> Pool:
    """Read a pool file, or all files of a folder in the order of their names.

    A document named twice for a topic is kept at its first place, with a warning; a wrong or missing
    declaration of the encoding has one too.  Raises DataError with file and line if a line or an element
    cannot be read, or if nothing is pooled.
    """
    path = Path(path)
    files = files_in(path, every=True) if path.is_dir() else [path]
    topics: dict[str, dict[str, PooledDocument]] = {}
    warnings: list[str] = []
    doubles = 0
    for file in files:
        data = read_bytes(file)
        read = _from_xml(file, warnings) if looks_like_xml(data) else _from_list(data, file, warnings)
        for (topic, pooled), line in read:
            documents = topics.setdefault(topic, {})
            if pooled is None:
                continue
            if pooled.document in documents:
                doubles += 1
                if doubles <= _TOLD:
                    warnings.append(
                        f"{file}:{line}: document {pooled.document} is pooled twice for topic {topic}"
                    )
            documents.setdefault(pooled.document, pooled)
    if doubles > _TOLD:
        warnings.append(f"{path}: {doubles - _TOLD:,} more documents are pooled twice for a topic")
    if not any(topics.values()):
        raise DataError("no document is pooled here: expected pool XML or lines 'topic document'", path=path)
    return Pool({topic: tuple(documents.values()) for topic, documents in topics.items()}, tuple(warnings))


def write_pool_list(pool: Pool, path: str | Path) -> None:
    """Write a plain list, one `topic document` a line, without paths and passages."""
    path = Path(path)
    check_names("topic", pool.topics, path)
    for topic in pool.topics:
        if topic.startswith(("#", "<")):
            raise DataError(
                "cannot begin a line of a plain list; choose pool XML", path=path, field="topic", value=topic
            )
        check_names("document", pool.documents(topic), path)
    lines = (
        f"{topic} {document_name(document)}\n" for topic in pool.topics for document in pool.documents(topic)
    )
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def write_pool_xml(pool: Pool, path: str | Path) -> None:
    """Write pool XML: a `<pool>` for a single topic, `<pools>` around several."""
    pools = [part for topic, documents in pool.topics.items() for part in _pool_parts(topic, documents)]
    write_xml(pools if len(pool.topics) == 1 else ["<pools>\n", *pools, "</pools>\n"], Path(path))


def _from_list(data: bytes, file: Path, warnings: list[str]) -> Iterator[tuple[_Pooled, int]]:
    for number, line in enumerate(BytesIO(text_of_list(data, file, warnings)), 1):
        fields = line.decode().split()
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) != 2:
            raise _no_pool(file, number, len(fields))
        too_long = next((field for field in fields if len(field.encode()) > LONGEST_NAME), None)
        if too_long is not None:
            problem = f"is longer than {LONGEST_NAME} bytes"
            raise DataError(problem, path=file, line=number, field="name", value=too_long)
        yield (fields[0], PooledDocument(fields[1].removesuffix(".xml"))), number


def _no_pool(file: Path, line: int, fields: int) -> DataError:
    """Return the error of a list without two columns, with the file's format if it is known."""
    from inexview.core.formats.readers import format_of  # which knows the readers, this one too

    try:
        format = format_of(file)
    except DataError:
        format = None
    if format is None or format.kind is FileKind.POOL:
        return DataError(
            f"expected two columns, topic and document, and found {fields}", path=file, line=line
        )
    advice = "" if format.kind is FileKind.TOPICS else ": `inexview convert IN OUT --to pool-list` makes one"
    return DataError(f"looks like {format.title}, and not like a pool{advice}", path=file)


def _from_xml(file: Path, warnings: list[str]) -> Iterator[tuple[_Pooled, int]]:
    root, lines = read_tree(file, warnings)
    warnings.extend(unused_in(root, lines, file, _TAGS))
    for pool in root.iter("pool"):
        line = lines.of(pool)
        topic = _required(pool, ("topic",), file, line)
        yield (topic, None), line
        for element in pool.iterchildren("file"):
            line = lines.of(element)
            pooled = PooledDocument(
                _required(element, ("file", "name", "id"), file, line).removesuffix(".xml"),
                tuple(_required(path, ("path",), file, line) for path in element.iterchildren("path")),
                tuple(
                    (_required(passage, ("start",), file, line), _required(passage, ("end",), file, line))
                    for passage in element.iterchildren("passage")
                ),
                tuple(_found(found, file, line) for found in element.iterchildren("found")),
            )
            yield (topic, pooled), line


def _found(element: etree._Element, file: Path, line: int) -> tuple[str, int]:
    rank = _required(element, ("rank",), file, line)
    if not (rank.isascii() and rank.isdigit() and len(rank) < _LONGEST_RANK):
        raise DataError("is no rank: expected a whole number", path=file, line=line, field="rank", value=rank)
    return _required(element, ("run",), file, line), int(rank)


def _required(element: etree._Element, names: tuple[str, ...], file: Path, line: int) -> str:
    """Return the first of these attributes that the element has; raises DataError if it has none."""
    for name in names:
        value = element.get(name, "").strip()
        if value:
            return value
    raise DataError(f"<{element.tag!s}> needs the attribute '{names[0]}'", path=file, line=line)


def _pool_parts(topic: str, documents: tuple[PooledDocument, ...]) -> Iterator[str]:
    yield f"<pool{attributes([('topic', topic)])}>\n"
    for pooled in documents:
        file = f"  <file{attributes([('file', document_name(pooled.document))])}"
        if not pooled.paths and not pooled.passages and not pooled.found_by:
            yield f"{file}/>\n"
            continue
        yield f"{file}>\n"
        for path in pooled.paths:
            yield f"    <path{attributes([('path', path)])}/>\n"
        for start, end in pooled.passages:
            yield f"    <passage{attributes([('start', start), ('end', end)])}/>\n"
        for run, rank in pooled.found_by:
            yield f"    <found{attributes([('run', run), ('rank', str(rank))])}/>\n"
        yield "  </file>\n"
    yield "</pool>\n"
