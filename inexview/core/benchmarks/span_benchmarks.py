"""Benchmarks whose answers are passages: LegalBench-RAG, Chroma, ContractNLI, SQuAD and CUAD, and others.

Each is read as published.  If evidence is given by numbers of sentences, the document is these sentences
joined, so that each has its place; if it is only quoted, it is found by its words (:mod:`.bundle`).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from inexview.core.benchmarks.bundle import UNPLACED, Bundle, Judged, Marked, Question, QuotedPassage
from inexview.core.errors import DataError
from inexview.core.text.json_values import csv_rows, objects_of, rewritten, text_of_file
from inexview.core.wording import counted

Names = frozenset[str]


MOST_OFFSET = 1 << 40
"""No document is as long as this."""


def is_offset(value: Any) -> bool:
    """Return whether a value is a whole number that may be an offset in a document."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_OFFSET


class Fields:
    """The fields of one object of a file, each checked on access.

    An invalid one raises DataError with file, line and the field's name.
    """

    def __init__(self, values: Any, path: Path, line: int, where: str = "") -> None:
        self.path, self.line, self.where = path, line, where
        if not isinstance(values, dict):
            raise self.wrong("is not an object {…}", value=values)
        self.values: dict[str, Any] = values

    def wrong(self, problem: str, name: str = "", value: Any = None) -> DataError:
        """Return the error of a field, or of the object itself."""
        field = f"{self.where}.{name}" if self.where and name else name or self.where or None
        shown = None if field is None or value is None else _shown(value)
        return DataError(problem, path=self.path, line=self.line or None, field=field, value=shown)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; an id may be written as a number."""
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self.wrong("is missing" if value is None else "is not a text", name, value)
        return str(value)

    def offset(self, name: str) -> int:
        """Return an offset; UNPLACED if it is missing or negative."""
        value = self.values.get(name)
        if value is None:
            return UNPLACED
        if isinstance(value, float) and value.is_integer():  # pandas writes a column with missing values so
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value > MOST_OFFSET:
            raise self.wrong("is not an offset", name, value)
        return max(value, UNPLACED)

    def span(self, name: str, value: Any) -> tuple[int, int]:
        """Return two offsets in a list, which is the field with this name or in it."""
        if not isinstance(value, list) or len(value) != 2 or not all(map(is_offset, value)):
            raise self.wrong("is not a span [start, end]", name, value)
        return value[0], value[1]

    def listed(self, name: str) -> list[Any]:
        """Return a list, empty if it is missing."""
        value = self.values.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong("is not a list […]", name, value)
        return value

    def members(self, name: str) -> Iterator[Fields]:
        """Yield the objects of a list."""
        for at, member in enumerate(self.listed(name)):
            where = f"{self.where}.{name}" if self.where else name
            yield Fields(member, self.path, self.line, f"{where}[{at}]")

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        listed = self.listed(name)
        for text in listed:
            if not isinstance(text, str):
                raise self.wrong("is not a text", name, text)
        return listed

    def within(self, name: str) -> Fields:
        """Return an object in a field."""
        return Fields(
            self.values.get(name), self.path, self.line, f"{self.where}.{name}" if self.where else name
        )


def _shown(value: Any) -> str:
    with suppress(ValueError, RecursionError):
        return json.dumps(value, ensure_ascii=False)[:60]
    return type(value).__name__


def _all(path: Path) -> Iterator[Fields]:
    return (Fields(values, path, line) for values, line in objects_of(path))


# -- LegalBench-RAG and Chroma: texts in a folder next to the questions -----------------------------------


def read_legalbench_rag(paths: Iterable[Path], corpus: Path | None) -> Bundle:
    """Read the files of ``benchmarks/``; questions are numbered by file and place: ``contractnli-0``."""
    questions, passages = [], []
    paths = list(paths)
    for path in paths:
        stem = _stem(path)
        tests = (test for file in _all(path) for test in file.members("tests"))
        for number, test in enumerate(tests):
            topic = f"{stem}-{number}"
            questions.append(Question(topic, test.text("query")))
            for snippet in test.members("snippets"):
                span = snippet.span("span", snippet.values.get("span"))
                document, quote = snippet.text("file_path"), snippet.values.get("answer")
                quote = quote if isinstance(quote, str) else None
                passages.append(QuotedPassage(topic, document, span[0], span[1], quote, line=snippet.line))
    return Bundle("LegalBench-RAG", paths[0].parent, tuple(questions), tuple(passages), corpus=corpus)


def chroma_topic(corpus: str, number: int) -> str:
    """Return the id of a question: the name of its text, and its place in the file."""
    name = corpus.rsplit("/", 1)[-1]
    return f"{name.removesuffix('.md').removesuffix('.txt')}-{number}"


def read_chroma(path: Path, corpus: Path | None) -> Bundle:
    """Read ``questions_df.csv``; a question's id is its text's name and its place in the file, from 0."""
    questions, passages = [], []
    for number, (row, line) in enumerate(csv_rows(path)):
        fields = Fields(row, path, line)
        document = fields.text("corpus_id")
        topic = chroma_topic(document, number)
        questions.append(Question(topic, fields.text("question")))
        try:
            references = json.loads(row["references"])
        except (ValueError, RecursionError, KeyError) as error:
            raise fields.wrong("is not valid JSON", "references", row.get("references")) from error
        for one in Fields({"references": references}, path, line).members("references"):
            start, end = one.offset("start_index"), one.offset("end_index")
            passages.append(QuotedPassage(topic, document, start, end, one.text("content"), line=line))
    return Bundle("Chroma's chunking evaluation", path, tuple(questions), tuple(passages), corpus=corpus)


# Texts in the file itself.


def read_contract_nli(paths: Iterable[Path]) -> Bundle:
    """Read ContractNLI; topics are the hypotheses, and "NotMentioned" means judged without relevant text."""
    texts: dict[str, str] = {}
    titles: dict[str, str] = {}
    questions: dict[str, Question] = {}
    passages, judged = [], []
    paths = list(paths)
    for path in paths:
        for file in _all(path):
            for key in file.within("labels").values:
                label = Fields(file.values["labels"][key], path, file.line, f"labels.{key}")
                questions[key] = Question(key, label.text("hypothesis"))
            for contract in file.members("documents"):
                document = contract.text("id")
                texts[document] = contract.text("text")
                titles[document] = contract.text("file_name", document)
                places = contract.listed("spans")
                for annotated in contract.members("annotation_sets"):
                    for key, values in annotated.within("annotations").values.items():
                        held = Fields(values, path, file.line, f"{annotated.where}.annotations.{key}")
                        judged.append((key, document))
                        for at in held.listed("spans"):
                            if not is_offset(at) or at >= len(places):
                                raise held.wrong("names no span of the contract", "spans", at)
                            start, end = contract.span("spans", places[at])
                            choice = held.text("choice")
                            passages.append(
                                QuotedPassage(key, document, start, end, label=choice, line=file.line)
                            )
    return Bundle(
        "ContractNLI",
        paths[0],
        tuple(questions.values()),
        tuple(passages),
        tuple(dict.fromkeys(judged)),
        texts,
        titles,
    )


def read_squad(path: Path) -> Bundle:
    """Read SQuAD, CUAD and similar files, nested as published or one question a line as in Hugging Face.

    A document is a paragraph: its id is the article's title and the paragraph's number.  Several answers to a
    question may be from several annotators or several passages; the file does not distinguish them.
    """
    bundle = _Squad(path)
    for fields in _all(path):
        if "data" in fields.values:
            for article in fields.members("data"):
                bundle.article(article)
        elif "paragraphs" in fields.values:
            bundle.article(fields)
        else:
            bundle.row(fields)
    return bundle.made()


class _Squad:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.texts: dict[str, str] = {}
        self.titles: dict[str, str] = {}
        self.questions: dict[str, Question] = {}
        self.passages: list[QuotedPassage] = []
        self.judged: list[tuple[str, str]] = []
        self._ids: dict[tuple[str, str], str] = {}
        self._numbers: dict[str, int] = {}

    def article(self, article: Fields) -> None:
        title = article.text("title", "")
        for paragraph in article.members("paragraphs"):
            document = self.document(title, paragraph.text("context"))
            for asked in paragraph.members("qas"):
                self._question(asked, document)
                for answer in asked.members("answers"):
                    self._passage(
                        asked.text("id"), document, answer.text("text"), answer.offset("answer_start")
                    )

    def row(self, row: Fields) -> None:
        document = self.document(row.text("title", ""), row.text("context"))
        self._question(row, document)
        answers = row.within("answers") if row.values.get("answers") is not None else None
        if answers is not None:
            starts = answers.listed("answer_start")
            for at, text in enumerate(answers.texts("text")):
                start = starts[at] if at < len(starts) and is_offset(starts[at]) else UNPLACED
                self._passage(row.text("id"), document, text, start)

    def document(self, title: str, context: str) -> str:
        """Return the id of a paragraph, which may be in many rows."""
        id = self._ids.get((title, context))
        if id is None:
            number = self._numbers[title] = self._numbers.get(title, -1) + 1
            id = self._ids[title, context] = f"{title}-{number}" if title else str(number)
            self.texts[id], self.titles[id] = context, title or id
        return id

    def _question(self, asked: Fields, document: str) -> None:
        topic = asked.text("id")
        self.questions[topic] = Question(topic, asked.text("question"))
        self.judged.append((topic, document))

    def _passage(self, topic: str, document: str, text: str, start: int) -> None:
        end = UNPLACED if start < 0 else start + len(text)
        self.passages.append(QuotedPassage(topic, document, start, end, text))

    def made(self) -> Bundle:
        several = len(self.passages) > len({passage.topic for passage in self.passages})
        said = (
            f"{self.path}: some questions have several answers (of several annotators, or several passages); "
            "each counts as relevant"
        )
        return Bundle(
            "SQuAD or CUAD",
            self.path,
            tuple(self.questions.values()),
            tuple(self.passages),
            tuple(self.judged),
            self.texts,
            self.titles,
            warnings=(said,) if several else (),
        )


FLOAT = "FLOAT SELECTED"


def read_qasper(path: Path) -> Bundle:
    """Read Qasper; a paper's text is its abstract and its sections, and evidence is found by its words.

    Figures and tables given as evidence have no text and are left out.
    """
    texts: dict[str, str] = {}
    titles: dict[str, str] = {}
    questions, passages, judged = [], [], []
    for file in _all(path):
        for paper, values in file.values.items():
            held = Fields(values, path, file.line, paper)
            parts = [held.text("abstract", "")]
            for section in held.members("full_text"):
                parts += [section.text("section_name", "") if section.values.get("section_name") else ""]
                parts += section.texts("paragraphs")
            texts[paper] = "\n\n".join(part for part in parts if part.strip())
            titles[paper] = held.text("title", paper)
            for asked in held.members("qas"):
                topic = asked.text("question_id")
                questions.append(Question(topic, asked.text("question")))
                judged.append((topic, paper))
                for number, answered in enumerate(asked.members("answers")):
                    answer = answered.within("answer")
                    annotator = answered.text("worker_id", str(number))
                    passages += [
                        QuotedPassage(topic, paper, UNPLACED, UNPLACED, text, annotator=annotator)
                        for text in answer.texts("evidence")
                        if not text.startswith(FLOAT)
                    ]
    return Bundle("Qasper", path, tuple(questions), tuple(passages), tuple(judged), texts, titles)


# Evidence by the numbers of sentences.


def joined(sentences: Iterable[str], between: str) -> tuple[str, list[tuple[int, int]]]:
    """Join sentences to a text, and return the place of each, ``[start, end)``."""
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    for sentence in sentences:
        if parts:
            at += len(between)
        places.append((at, at + len(sentence)))
        parts.append(sentence)
        at += len(sentence)
    return between.join(parts), places


def scifact_texts(corpus: Path) -> tuple[dict[str, str], dict[str, str], dict[str, list[tuple[int, int]]]]:
    """Return the abstracts of a corpus, their titles, and the places of their sentences."""
    texts, titles, places = {}, {}, {}
    for entry in _all(corpus):
        id = entry.text("doc_id")
        texts[id], places[id] = joined(entry.texts("abstract"), " ")
        titles[id] = entry.text("title", id)
    return texts, titles, places


def read_scifact(path: Path, corpus: Path) -> Bundle:
    """Read claims with the abstracts of ``corpus.jsonl``; those cited without evidence are judged too."""
    texts, titles, places = scifact_texts(corpus)
    questions, passages, judged = [], [], []
    for claim in _all(path):
        topic = claim.text("id")
        questions.append(Question(topic, claim.text("claim")))
        evidence = claim.values.get("evidence") or {}
        cited = [str(one) for one in claim.listed("cited_doc_ids")]
        for document, sets in Fields(evidence, path, claim.line, "evidence").values.items():
            cited.append(document)
            for one in Fields({document: sets}, path, claim.line, "evidence").members(document):
                for number in one.listed("sentences"):
                    known = places.get(document, [])
                    if not is_offset(number) or number >= len(known):
                        raise one.wrong("names no sentence of the abstract", "sentences", number)
                    start, end = known[number]
                    quote = texts[document][start:end]
                    label = one.text("label", "")
                    passages.append(QuotedPassage(topic, document, start, end, quote, label, line=claim.line))
        judged += [(topic, document) for document in dict.fromkeys(cited)]
    return Bundle("SciFact", path, tuple(questions), tuple(passages), tuple(judged), texts, titles)


def read_hotpot_qa(path: Path) -> Bundle:
    """Read HotpotQA; a paragraph's id is its title, with the question's id if the title is not unique."""
    texts: dict[str, str] = {}
    titles: dict[str, str] = {}
    questions, passages, judged, beyond = [], [], [], 0
    for asked in _all(path):
        topic = asked.text("_id" if "_id" in asked.values else "id")
        questions.append(Question(topic, asked.text("question")))
        own: dict[str, tuple[str, list[tuple[int, int]]]] = {}
        for title, sentences in _titled(asked, "context", "sentences"):
            if not isinstance(sentences, list) or not all(isinstance(one, str) for one in sentences):
                raise asked.wrong("is not a list of sentences", "context", sentences)
            text, places = joined(sentences, "")
            document = title if texts.setdefault(title, text) == text else f"{title} ({topic})"
            texts[document], titles[document] = text, title
            own[title] = document, places
            judged.append((topic, document))
        for title, number in _titled(asked, "supporting_facts", "sent_id"):
            document, places = own.get(title, ("", []))
            if not is_offset(number) or number >= len(places):
                beyond += 1
                continue
            start, end = places[number]
            passages.append(QuotedPassage(topic, document, start, end, texts[document][start:end]))
    said = f"{path}: {counted(beyond, 'supporting fact')} about sentences that are not there: left out"
    warnings = (said,) if beyond else ()
    return Bundle(
        "HotpotQA", path, tuple(questions), tuple(passages), tuple(judged), texts, titles, warnings=warnings
    )


def _titled(asked: Fields, name: str, values: str) -> Iterator[tuple[str, Any]]:
    """Yield (title, value) of a list of pairs, or of two parallel lists as in Hugging Face."""
    held = asked.values.get(name)
    if isinstance(held, dict):
        fields = asked.within(name)
        yield from zip(fields.texts("title"), fields.listed(values), strict=False)
        return
    for pair in asked.listed(name):
        if not isinstance(pair, list) or len(pair) < 2 or not isinstance(pair[0], str):
            raise asked.wrong("is not [title, …]", name, pair)
        yield pair[0], pair[1]


def fever_sentences(lines: str) -> list[str]:
    """Return the sentences of a page of FEVER, by their numbers: ``0\\tSentence\\tlink…``."""
    sentences: list[str] = []
    for line in lines.split("\n"):
        number, _, rest = line.partition("\t")
        if number.isdecimal() and len(number) < 10 and int(number) <= len(sentences) + 1000:
            while len(sentences) <= int(number):
                sentences.append("")
            sentences[int(number)] = rest.split("\t", 1)[0]
    return sentences


def read_fever(path: Path, pages: Path | None) -> Bundle:
    """Read claims of FEVER; evidence is a sentence of a page, found in the pages if they are available.

    Without them the pages are judged relevant, without passages.
    """
    wanted: dict[tuple[str, str, int], str] = {}
    questions, judged = [], []
    for claim in _all(path):
        topic = claim.text("id")
        questions.append(Question(topic, claim.text("claim")))
        label = claim.text("label", "")
        for alternative in claim.listed("evidence"):
            for one in alternative if isinstance(alternative, list) else ():
                if not isinstance(one, list) or len(one) < 4:
                    raise claim.wrong("is not [annotation, evidence, page, sentence]", "evidence", one)
                page, number = one[2], one[3]
                if isinstance(page, str) and is_offset(number):
                    wanted[topic, page, number] = label
                    judged.append((topic, page))
    texts: dict[str, str] = {}
    sentences: dict[str, list[str]] = {}
    named = {page for _, page, _ in wanted}
    for file in [] if pages is None else sorted(pages.glob("*.jsonl*")) if pages.is_dir() else [pages]:
        for page in _all(file):
            id = page.text("id")
            if id in named:
                texts[id] = page.text("text")
                sentences[id] = fever_sentences(page.text("lines", ""))
    passages = []
    for (topic, page, number), label in wanted.items():
        known = sentences.get(page, [])
        quote = known[number] if number < len(known) else None
        passages.append(QuotedPassage(topic, page, UNPLACED, UNPLACED, quote, label))
    return Bundle("FEVER", path, tuple(questions), tuple(passages), tuple(dict.fromkeys(judged)), texts)


# Offsets in bytes, and in sections.


def read_natural_questions(path: Path, extract: Callable[[str], tuple[str, Callable[[int], int]]]) -> Bundle:
    """Read Natural Questions; offsets are bytes of the HTML, and ``extract`` makes the text.

    ``extract`` returns the text of a page and a function from a byte of its UTF-8 to a code point of the
    text.
    """
    texts: dict[str, str] = {}
    titles: dict[str, str] = {}
    questions, passages, judged = [], [], []
    for asked in _all(path):
        topic = asked.text("example_id")
        document = asked.text("document_url", asked.text("document_title", topic))
        questions.append(Question(topic, asked.text("question_text")))
        text, place = extract(asked.text("document_html"))
        texts[document], titles[document] = text, asked.text("document_title", document)
        judged.append((topic, document))
        for annotation in asked.members("annotations"):
            annotator = annotation.text("annotation_id", "")
            answers = [("long", annotation.within("long_answer"))]
            answers += [("short", one) for one in annotation.members("short_answers")]
            for label, answer in answers:
                start, end = answer.offset("start_byte"), answer.offset("end_byte")
                if start >= 0:
                    span = place(start), place(end)
                    passages.append(
                        QuotedPassage(topic, document, span[0], span[1], None, label, annotator, asked.line)
                    )
    return Bundle("Natural Questions", path, tuple(questions), tuple(passages), tuple(judged), texts, titles)


def read_bio_asq(path: Path) -> Bundle:
    """Read BioASQ; a snippet's offsets count in its section, of which only the abstract is text here.

    Some years include the last character, others do not: the snippet's own length decides.
    """
    questions, passages, judged, titled = [], [], [], 0
    for file in _all(path):
        for asked in file.members("questions"):
            topic = asked.text("id")
            questions.append(Question(topic, asked.text("body")))
            judged += [(topic, _pubmed(one)) for one in asked.texts("documents")]
            for snippet in asked.members("snippets"):
                document, quote = _pubmed(snippet.text("document")), snippet.text("text")
                judged.append((topic, document))
                if snippet.text("beginSection", "abstract") == "title":
                    titled += 1
                    continue
                start, end = snippet.offset("offsetInBeginSection"), snippet.offset("offsetInEndSection")
                if end - start == len(quote) - 1:
                    end += 1
                passages.append(QuotedPassage(topic, document, start, end, quote, line=snippet.line))
    said = f"{path}: {counted(titled, 'snippet')} of titles left out: a title is not a text of its document"
    return Bundle(
        "BioASQ",
        path,
        tuple(questions),
        tuple(passages),
        tuple(dict.fromkeys(judged)),
        warnings=(said,) if titled else (),
    )


def _pubmed(document: str) -> str:
    """Return the number of an article that is named by its address."""
    return document.rstrip("/").rsplit("/", 1)[-1]


# BEIR and MTEB: whole documents.


SPLITS = ("test", "dev", "train")
"""The judgements of BEIR, of which the first available ones are used."""


def beir_file(folder: Path, name: str) -> Path | None:
    """Return the file with this name in a folder of BEIR, possibly with a prefix."""
    return next(iter(sorted(folder.glob(f"*{name}.jsonl*"))), None)


def read_beir(folder: Path) -> Bundle:
    """Read a folder of BEIR or MTEB: its questions, and the judged documents in ``qrels``.

    Questions without judgements belong to another split, and are left out, as BEIR's own reader does.
    """
    corpus, queries = beir_file(folder, "corpus"), beir_file(folder, "queries")
    if corpus is None or queries is None:
        raise DataError("holds no corpus.jsonl with queries.jsonl, as BEIR has them", path=folder)
    questions = tuple(Question(one.text("_id"), one.text("text")) for one in _all(queries))
    splits = {path.stem: path for path in sorted(folder.glob("*qrels/*.tsv"))}
    qrels = next((splits[name] for name in (*SPLITS, *splits) if name in splits), None)
    if qrels is None:
        return Bundle("BEIR", folder, questions, corpus=corpus)
    rows = (line.split("\t") for line in text_of_file(qrels).splitlines())
    graded = (row for row in rows if len(row) > 2 and row[2].strip().lstrip("-").isdecimal())  # no header
    judged = tuple(dict.fromkeys((row[0], row[1]) for row in graded))
    asked = {topic for topic, _ in judged}
    others = sorted(splits.keys() - {qrels.stem})
    said = f"{qrels}: these judgements are taken; there are also those of {', '.join(others)}"
    return Bundle(
        "BEIR",
        folder,
        tuple(question for question in questions if question.id in asked),
        judged=judged,
        corpus=corpus,
        qrels=qrels,
        warnings=(said,) if others else (),
    )


def _stem(path: Path) -> str:
    return path.name.split(".", 1)[0]


# Writing: other passages where the format stores them, everything else unchanged.


def write_legalbench_rag(judged: Judged, path: Path) -> str:
    """Return a file of ``benchmarks/`` with other snippets."""
    numbers = count()

    def fill(file: dict[str, Any]) -> None:
        for test in file.get("tests") or ():
            topic = f"{_stem(path)}-{next(numbers)}"
            marked = {document: held for (own, document), held in judged.items() if own == topic}
            snippets = test.get("snippets") or []
            old = {(str(one["file_path"]), *one["span"]): one for one in snippets}
            files = {name: None for name, *_ in old}
            written = []
            for document, held in marked.items():
                name = next((one for one in files if one == document or _same_file(one, document)), document)
                for start, end, _ in held.passages:
                    new = {"file_path": name, "span": [start, end], "answer": held.text[start:end]}
                    written.append(old.get((name, start, end), new))
            if marked:
                test["snippets"] = written

    return rewritten(path, fill)


def _same_file(name: str, document: str) -> bool:
    return name.rpartition(".")[0] == document


def write_chroma(judged: Judged, path: Path) -> str:
    """Return ``questions_df.csv`` with other references; a question keeps its row."""
    out = io.StringIO()
    rows = [row for row, _ in csv_rows(path)]
    ends = "\r\n" if "\r\n" in text_of_file(path) else "\n"
    writer = csv.DictWriter(out, list(rows[0]) if rows else [], lineterminator=ends)
    writer.writeheader()
    for number, row in enumerate(rows):
        topic = chroma_topic(row["corpus_id"], number)
        marked = next((held for (own, _), held in judged.items() if own == topic), None)
        if marked is not None:
            references = json.loads(row["references"]) or []
            old = {(one.get("start_index"), one.get("end_index")): one for one in references}
            row["references"] = json.dumps(
                [
                    old.get((start, end))
                    or {"content": marked.text[start:end], "start_index": start, "end_index": end}
                    for start, end, _ in marked.passages
                ]
            )
        writer.writerow(row)
    return out.getvalue()


def write_squad(judged: Judged, path: Path) -> str:
    """Return SQuAD or CUAD with other answers, nested or in rows."""
    names = _Squad(path)

    def fill(file: dict[str, Any]) -> None:
        if "data" not in file and "paragraphs" not in file:
            document = names.document(str(file.get("title", "")), file["context"])
            if (marked := judged.get((str(file["id"]), document))) is not None:
                spans = marked.passages
                texts = [marked.text[start:end] for start, end, _ in spans]
                starts = [start for start, _, _ in spans]
                file["answers"] = {**(file.get("answers") or {}), "text": texts, "answer_start": starts}
            return
        for article in file.get("data") or [file]:
            for paragraph in article.get("paragraphs") or ():
                document = names.document(str(article.get("title", "")), paragraph["context"])
                for asked in paragraph.get("qas") or ():
                    if (marked := judged.get((str(asked["id"]), document))) is not None:
                        _answer(asked, marked)

    return rewritten(path, fill)


def _answer(asked: dict[str, Any], marked: Marked) -> None:
    """Give a question of SQuAD other answers."""
    old = {(one.get("answer_start"), one["text"]): one for one in asked.get("answers") or ()}
    asked["answers"] = [
        old.get((start, marked.text[start:end]), {"text": marked.text[start:end], "answer_start": start})
        for start, end, _ in marked.passages
    ]
    if "is_impossible" in asked:
        asked["is_impossible"] = not asked["answers"]


def write_contract_nli(judged: Judged, path: Path) -> str:
    """Return ContractNLI with other evidence; a passage that is no candidate yet becomes one."""

    def fill(file: dict[str, Any]) -> None:
        for contract in file.get("documents") or ():
            places = contract["spans"] = contract.get("spans") or []
            for annotated in (contract.get("annotation_sets") or [])[:1]:
                for key, held in annotated["annotations"].items():
                    marked = judged.get((key, str(contract["id"])))
                    if marked is not None:
                        _choose(held, marked, places)

    return rewritten(path, fill)


def _choose(held: dict[str, Any], marked: Marked, places: list[Any]) -> None:
    """Give a hypothesis of ContractNLI other evidence among the places of the contract."""
    spans = []
    for start, end, label in marked.passages:
        if [start, end] not in places:
            places.append([start, end])
        spans.append(places.index([start, end]))
        if label in CHOICES:
            held["choice"] = label
    held["spans"] = spans
    if not spans:
        held["choice"] = NOT_MENTIONED
    elif held.get("choice") not in CHOICES:
        held["choice"] = CHOICES[0]


NOT_MENTIONED = "NotMentioned"
CHOICES = ("Entailment", "Contradiction")
