"""The formats of benchmarks and annotation tools: a record each, to recognise, read and write it.

A file is recognised by the keys of its first object or its header, a folder by the files in it; suffixes are
ignored.  :func:`find` examines only the beginning of a path, and :func:`open_bundle` reads it.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

from inexview.core.benchmarks import annotation_tools as tools
from inexview.core.benchmarks import span_benchmarks as benchmarks
from inexview.core.benchmarks.bundle import CODE_POINTS, Bundle, Judged
from inexview.core.errors import DataError
from inexview.core.files import read_beginning
from inexview.core.text.counting import Convention
from inexview.core.text.json_values import BEGINNING, JSON, first_value

MOST_FILES = 2_000  # files of a folder that are examined
MOST_FOLDERS = 20  # folders in a folder that are searched for annotations


def names_in(folder: Path) -> list[str]:
    """Return the first names in a folder that the system lists; empty if it cannot."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, MOST_FILES)]
    except OSError:
        return []


@dataclass(frozen=True)
class Clue:
    """The clues to a path's format: the first object or the header, or the names in a folder."""

    path: Path

    @cached_property
    def folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def first(self) -> dict[str, Any]:
        """The first JSON object of a file, as far as it is in its first bytes; empty without one."""
        if self.folder or not JSON.match(self._data):
            return {}
        value = first_value(self._data)
        first = value[0] if isinstance(value, list) and value else value
        return first if isinstance(first, dict) else {}

    @cached_property
    def header(self) -> frozenset[str]:
        """The columns of a CSV file's first line."""
        line = b"" if self.folder or JSON.match(self._data) else self._data.split(b"\n", 1)[0]
        text = line.decode("utf-8-sig", "replace")
        return frozenset(name.strip(' "\r') for name in text.split(","))

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the first files and folders in a folder that the system lists."""
        return frozenset(names_in(self.path)) if self.folder else frozenset()

    def has(self, *keys: str) -> bool:
        """Return whether the first object has all of these keys."""
        return self.first.keys() >= set(keys)

    def files(
        self, pattern: str, has: Callable[[Clue], bool] = lambda _clue: True, within: str = ""
    ) -> list[Path]:
        """Return the files of a folder (or of the one ``within``) that match a pattern and fit, by name."""
        folder = self.path / within if within else self.path
        named = self.names if not within else names_in(folder)
        chosen = sorted(fnmatch.filter(named, pattern))
        return [folder / name for name in chosen if (folder / name).is_file() and has(Clue(folder / name))]

    @cached_property
    def _data(self) -> bytes:
        return read_beginning(self.path, BEGINNING) if self.path.is_file() else b""


@dataclass(frozen=True, eq=False)
class BundleForm:
    """One format: its names, and how to recognise, read and write it."""

    name: str
    """Its name on the command line."""
    title: str
    fits: Callable[[Clue], bool]
    read: Callable[[Path], Bundle]
    write: Callable[[Judged, Path, Convention], str] | None = None
    """Returns the file at a path with other passages; None if the format is only read."""
    new: Callable[[Judged], str] | None = None
    """Returns a new file; None if the format needs an existing file."""
    suffix: str = ".json"
    files: Callable[[Path], list[Path]] = lambda path: [path] if path.is_file() else []
    """Returns the files at a path that are filled in."""
    labels: bool = False
    """Whether a passage keeps its grade, or label."""
    texts: bool = True
    """Whether the texts are in the file itself."""
    empty: bool = True
    """Whether a judged document without passages can be stored."""
    corpus: Callable[[Path], Path | None] = lambda _path: None
    """Returns the place of the texts outside the file, without reading it."""
    ways: bool = False
    """Whether its offsets may count other units than code points, and are written as they were read."""


# LegalBench-RAG and Chroma name texts in a folder next to their questions.

LEGALBENCH_TEXTS, CHROMA_TEXTS = ("corpus",), ("corpora", "corpus")


def _corpus(path: Path, *names: str) -> Path | None:
    """Return the folder of texts next to a file, or next to the folder it is in."""
    beside = (folder / name for folder in (path, path.parent, path.parent.parent) for name in names)
    return next((folder for folder in beside if folder.is_dir()), None)


def _is_legalbench(clue: Clue) -> bool:
    tests = clue.first.get("tests")
    first = tests[0] if isinstance(tests, list) and tests else {"query": "", "snippets": []}
    return isinstance(tests, list) and isinstance(first, dict) and {"query", "snippets"} <= first.keys()


def _legalbench_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    clue = Clue(path)
    return clue.files("*.json", _is_legalbench, "benchmarks") or clue.files("*.json", _is_legalbench)


def _read_legalbench(path: Path) -> Bundle:
    return replace(
        benchmarks.read_legalbench_rag(_legalbench_files(path), _corpus(path, *LEGALBENCH_TEXTS)), path=path
    )


def _is_chroma(clue: Clue) -> bool:
    return clue.header >= {"question", "references", "corpus_id"}


def _chroma_file(path: Path) -> Path | None:
    return path if path.is_file() else next(iter(Clue(path).files("*.csv", _is_chroma)), None)


def _read_chroma(path: Path) -> Bundle:
    file = _chroma_file(path)
    assert file is not None  # what is read was recognised
    return replace(benchmarks.read_chroma(file, _corpus(path, *CHROMA_TEXTS)), path=path)


def _in_files(fits: Callable[[Clue], bool], pattern: str = "*.json*") -> Callable[[Clue], bool]:
    """Recognise a file, or a folder in which all files of a pattern fit."""

    def test(clue: Clue) -> bool:
        if not clue.folder:
            return fits(clue)
        files = clue.files(pattern)
        return bool(files) and all(fits(Clue(file)) for file in files)

    return test


def _files(path: Path, pattern: str = "*.json*") -> list[Path]:
    return [path] if path.is_file() else Clue(path).files(pattern)


def _is_contract_nli(clue: Clue) -> bool:
    held = clue.first.get("documents")
    first = held[0] if isinstance(held, list) and held and isinstance(held[0], dict) else {}
    return "file_name" in first or (isinstance(held, list) and clue.has("labels"))


def _is_squad(clue: Clue) -> bool:
    data = clue.first.get("data")
    article = data[0] if isinstance(data, list) and data and isinstance(data[0], dict) else {}
    return (
        "paragraphs" in article
        or clue.has("paragraphs")
        or (isinstance(data, list) and clue.has("version"))
        or clue.has("context", "question", "answers")
    )


def _is_qasper(clue: Clue) -> bool:
    paper = next(iter(clue.first.values()), None)
    return isinstance(paper, dict) and "abstract" in paper and bool({"full_text", "qas"} & paper.keys())


def _is_claims(clue: Clue) -> bool:
    return clue.has("id", "claim") and ("evidence" in clue.first or "cited_doc_ids" in clue.first)


def _is_scifact(clue: Clue) -> bool:
    return _is_claims(clue) and not isinstance(clue.first.get("evidence"), list)


def _claims_and_corpus(path: Path) -> tuple[Path, Path] | None:
    """Return the claims and the abstracts of SciFact, given the folder or one of its files of claims."""
    if path.is_file():
        claims: list[Path] = [path]
    else:
        claims = Clue(path).files("claims*.json*", _is_scifact) or Clue(path).files("*.jsonl*", _is_scifact)
        labelled = [file for file in claims if "test" not in file.name]
        claims = labelled or claims
    folder = path.parent if path.is_file() else path
    corpus = Clue(folder).files("corpus.jsonl*", lambda clue: clue.has("doc_id", "abstract"))
    return (claims[-1], corpus[0]) if claims and corpus else None


def _read_scifact(path: Path) -> Bundle:
    found = _claims_and_corpus(path)
    if found is None:
        raise DataError("has no corpus.jsonl with the abstracts in its folder", path=path)
    return replace(benchmarks.read_scifact(*found), path=path)


def _is_fever(clue: Clue) -> bool:
    return _is_claims(clue) and isinstance(clue.first.get("evidence"), list)


def _read_fever(path: Path) -> Bundle:
    files = _files(path, "*.jsonl*")
    claims = next(file for file in files if _is_fever(Clue(file)))
    pages = _corpus(path, "wiki-pages", "wiki_pages", "pages")
    return replace(benchmarks.read_fever(claims, pages), path=path)


def _is_natural_questions(clue: Clue) -> bool:
    return clue.has("document_html", "example_id")


def _read_natural_questions(path: Path) -> Bundle:
    from inexview.core.article.plain_documents import text_of_page  # imports lxml to read pages

    return benchmarks.read_natural_questions(path, partial(text_of_page, name=str(path)))


def _is_bio_asq(clue: Clue) -> bool:
    asked = clue.first.get("questions")
    return isinstance(asked, list) and bool(asked) and isinstance(asked[0], dict) and "body" in asked[0]


def _is_beir(clue: Clue) -> bool:
    return (
        any(name.split("-")[-1].startswith("corpus.jsonl") for name in clue.names)
        and any(name.split("-")[-1].startswith("queries.jsonl") for name in clue.names)
        and not clue.files("corpus.jsonl*", lambda file: file.has("doc_id", "abstract"))
    )


# Annotation tools.


def _is_label_studio(clue: Clue) -> bool:
    if clue.has("data") and {"annotations", "completions", "predictions"} & clue.first.keys():
        return True
    least = clue.has("text", "annotator") and isinstance(clue.first.get("label"), list)  # JSON_MIN
    return least or {"text", "label", "annotator"} <= clue.header


def _is_doccano(clue: Clue) -> bool:
    lists = [clue.first.get(name) for name in ("label", "labels", "entities")]
    return isinstance(clue.first.get("text"), str) and any(isinstance(held, list) for held in lists)


def _is_prodigy(clue: Clue) -> bool:
    spans = isinstance(clue.first.get("spans"), list) or clue.has("answer", "_task_hash")
    return isinstance(clue.first.get("text"), str) and spans


def _is_brat(clue: Clue) -> bool:
    if not clue.folder:
        return clue.path.suffix == ".ann" and clue.path.with_suffix(".txt").is_file()
    folders = ["", *(name for name in sorted(clue.names) if (clue.path / name).is_dir())][:MOST_FOLDERS]
    return any(clue.files("*.ann", _is_brat, within=name) for name in folders)


def _is_web_annotation(clue: Clue) -> bool:
    held = next((clue.first[key] for key in ("items", "rows", "annotations") if key in clue.first), None)
    first = held[0] if isinstance(held, list) and held else clue.first
    if not isinstance(first, dict):
        return False
    about = {"body", "uri", "@context", "motivation", "type"} & first.keys()
    return "target" in first and bool(about)


def _write_by_file(write: Callable[[Judged, Path], str]) -> Callable[[Judged, Path, Convention], str]:
    return lambda judged, path, _way: write(judged, path)


LABEL_STUDIO = BundleForm(
    "label-studio",
    "Label Studio",
    _is_label_studio,
    tools.read_label_studio,
    tools.write_label_studio,
    lambda judged: tools.write_label_studio(judged, None, CODE_POINTS),
    labels=True,
    ways=True,
)
PRODIGY = BundleForm(
    "prodigy",
    "Prodigy",
    _is_prodigy,
    tools.read_prodigy,
    tools.write_prodigy,
    lambda judged: tools.write_prodigy(judged, None, CODE_POINTS),
    suffix=".jsonl",
    labels=True,
    ways=True,
)
DOCCANO = BundleForm(
    "doccano",
    "doccano, or entities of spaCy",
    _is_doccano,
    tools.read_doccano,
    tools.write_doccano,
    lambda judged: tools.write_doccano(judged, None, CODE_POINTS),
    suffix=".jsonl",
    labels=True,
    ways=True,
)
CAS = BundleForm(
    "cas",
    "INCEpTION (UIMA CAS JSON)",
    lambda clue: any(key.startswith("%") for key in clue.first),
    tools.read_cas,
    tools.write_cas,
    labels=True,
)
WEB_ANNOTATIONS = BundleForm(
    "web-annotations",
    "web annotations (W3C)",
    _is_web_annotation,
    tools.read_web_annotations,
    tools.write_web_annotations,
    lambda judged: tools.write_web_annotations(judged, None, CODE_POINTS),
    labels=True,
    texts=False,
    empty=False,
)
BRAT = BundleForm("brat", "brat", _is_brat, tools.read_brat, suffix="", labels=True)
FORMS: tuple[BundleForm, ...] = (
    BundleForm(
        "legalbench-rag",
        "LegalBench-RAG",
        lambda clue: bool(_legalbench_files(clue.path)) if clue.folder else _is_legalbench(clue),
        _read_legalbench,
        _write_by_file(benchmarks.write_legalbench_rag),
        files=_legalbench_files,
        texts=False,
        corpus=lambda path: _corpus(path, *LEGALBENCH_TEXTS),
    ),
    BundleForm(
        "chroma",
        "Chroma's chunking evaluation",
        lambda clue: _chroma_file(clue.path) is not None if clue.folder else _is_chroma(clue),
        _read_chroma,
        _write_by_file(benchmarks.write_chroma),
        files=lambda path: [file for file in [_chroma_file(path)] if file is not None],
        suffix=".csv",
        texts=False,
        corpus=lambda path: _corpus(path, *CHROMA_TEXTS),
    ),
    BundleForm(
        "contract-nli",
        "ContractNLI",
        _in_files(_is_contract_nli),
        lambda path: replace(benchmarks.read_contract_nli(_files(path)), path=path),
        _write_by_file(benchmarks.write_contract_nli),
        files=_files,
        labels=True,
    ),
    BundleForm(
        "squad", "SQuAD or CUAD", _is_squad, benchmarks.read_squad, _write_by_file(benchmarks.write_squad)
    ),
    BundleForm("qasper", "Qasper", _is_qasper, benchmarks.read_qasper),
    BundleForm(
        "scifact",
        "SciFact",
        lambda clue: _claims_and_corpus(clue.path) is not None if clue.folder else _is_scifact(clue),
        _read_scifact,
        labels=True,
    ),
    BundleForm("fever", "FEVER", _in_files(_is_fever, "*.jsonl*"), _read_fever, labels=True),
    BundleForm(
        "hotpot-qa",
        "HotpotQA",
        lambda clue: clue.has("supporting_facts", "context"),
        benchmarks.read_hotpot_qa,
    ),
    BundleForm(
        "natural-questions", "Natural Questions", _is_natural_questions, _read_natural_questions, labels=True
    ),
    BundleForm("bio-asq", "BioASQ", _is_bio_asq, benchmarks.read_bio_asq, texts=False),
    BundleForm(
        "beir",
        "BEIR or MTEB",
        _is_beir,
        benchmarks.read_beir,
        texts=False,
        corpus=lambda path: benchmarks.beir_file(path, "corpus"),
    ),
    BRAT,
    LABEL_STUDIO,
    PRODIGY,
    DOCCANO,
    CAS,
    WEB_ANNOTATIONS,
)
"""All formats; the first that fits is used, so special formats come before similar ones."""


NEW_FORMS = frozenset(form.name for form in FORMS if form.new is not None or form is BRAT)
"""Formats in which new files can be written."""


def find(path: str | Path) -> BundleForm | None:
    """Return the format of a file or a folder, None if it is not a bundle; raises DataError."""
    clue = Clue(Path(path))
    return next((form for form in FORMS if form.fits(clue)), None)


def form_named(name: str) -> BundleForm | None:
    return next((form for form in FORMS if form.name == name), None)


def open_bundle(path: str | Path) -> Bundle | None:
    """Read a file or a folder with texts, questions or passages; None for anything else.

    Raises DataError, naming file, line and field.
    """
    form = find(path)
    return None if form is None else form.read(Path(path))


def names(forms: Sequence[BundleForm] = FORMS) -> list[str]:
    return [form.name for form in forms]
