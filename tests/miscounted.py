"""A small collection, and qrels and runs over it whose offsets are counted in any convention."""

from __future__ import annotations

import random
import re
from pathlib import Path

from inexview.core.article.document import Document
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Result, Run
from inexview.core.text.counting import CODE_POINTS, Convention
from inexview.core.text.spans import Spans
from tests.scales import from_code_points, length_of

WORDS = "olive oil naïve café Łódź 漢字 😀 press lamps burn – x 𝒜𝒷 stone mill harvest\u00a0time"


def articles(folder: Path, count: int = 12, *, seed: int = 1, plain: int = 0) -> dict[str, str]:
    """Write articles 1 … count, and return the text of each; the first ``plain`` are ASCII, blanks single."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    texts = {}
    for number in range(1, count + 1):
        body = _plain(chance) if number <= plain else _odd(chance)
        path = folder / f"{number}.xml"
        path.write_text(f"<article>{body}</article>", encoding="utf-8", newline="\n")
        texts[path.stem] = Document.from_file(path).text
    return texts


def _odd(chance: random.Random) -> str:
    paragraphs = []
    for _ in range(chance.randint(3, 6)):
        words = [chance.choice(WORDS.split(" ")) for _ in range(chance.randint(8, 25))]
        spaced = "".join(word + chance.choice((" ", " ", "  ", "\n", " \n ")) for word in words)
        paragraphs.append(f"<p>{spaced.strip()}</p>")
    return "\n<bdy>\n" + "\n\n".join(paragraphs) + "\n</bdy>\n" + "\n" * chance.randint(0, 3)


def _plain(chance: random.Random) -> str:
    return "<p>" + " ".join(chance.choice(("olive", "oil", "lamp")) for _ in range(30)) + "</p>"


def judgements(texts: dict[str, str], *, seed: int = 2, topic: str = "2009001") -> list[Judgement]:
    """Judge each article: one to three passages of whole words, apart from one another, in code points."""
    chance = random.Random(seed)
    judged = []
    for document, text in texts.items():
        words = list(re.finditer(r"[^ \t\r\n]+", text))
        edges = sorted(chance.sample(range(len(words)), 2 * chance.randint(1, 3)))
        pairs = zip(edges[::2], edges[1::2], strict=True)
        passages = Spans((words[first].start(), words[last].end()) for first, last in pairs)
        entry = int(passages.starts[0])
        judged.append(Judgement(topic, document, passages.size, len(text), entry, passages))
    return judged


def counted_in(convention: Convention, judged: list[Judgement], texts: dict[str, str]) -> Qrels:
    """Return the judgements as a tool would write them that counts in this way."""
    return Qrels.from_judgements(_counted(one, texts[one.document], convention) for one in judged)


def _counted(one: Judgement, text: str, convention: Convention) -> Judgement:
    starts = from_code_points(text, one.passages.starts, convention)
    ends = from_code_points(text, one.passages.ends, convention)
    passages = Spans.from_arrays(starts, ends)
    bep = None if one.bep is None else int(from_code_points(text, one.bep, convention))
    return Judgement(one.topic, one.document, passages.size, length_of(text, convention), bep, passages)


def run_in(convention: Convention, judged: list[Judgement], texts: dict[str, str]) -> Run:
    """Return a run that retrieves exactly the judged passages, counted in this way."""
    results = []
    for one in counted_in(convention, judged, texts):
        for start, end in one.passages:
            results.append(Result(one.topic, one.document, len(results) + 1, None, start, end))
    return Run.from_results(results, id="r")


def in_code_points(judged: list[Judgement], texts: dict[str, str]) -> Qrels:
    """Return the judgements as they are."""
    return counted_in(CODE_POINTS, judged, texts)
