"""Articles made up for benchmarks and tests: as long as asked, in any of the three markups.

Their mix is that of the real ones: about one link every 90 characters, emphasis, sections three deep,
lists, tables, captions, and characters outside ASCII and outside the basic plane here and there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Literal

Markup = Literal["2006", "2009", "ieee"]

_SYLLABLES = "ka lo mi ter an ve sul ro den qui as bo ne fra tho li un em or da pe gru hal ci".split()  # noqa: SIM905
_RARE = ("naïve", "Ångström", "Łódź", "東京", "αβγ", "𝒳", "🜚", "e\u0301tude", "Dr. Vell", "cf. Ren")
_STYLES: dict[Markup, tuple[str, ...]] = {
    "2006": ("emph2", "emph3"),
    "2009": ("it", "b"),
    "ieee": ("it", "b", "scp"),
}
_LINKS: dict[Markup, str] = {
    "2006": '<collectionlink xlink:href="{0}.xml">{1}</collectionlink>',
    "2009": '<link xlink:type="simple" xlink:href="../{0}.xml">{1}</link>',
    "ieee": '<ref type="bib" rid="bib{0}">[{0}]</ref>',
}
_HEADS: dict[Markup, str] = {
    "2006": '<name id="{0}">{1}</name>\n<conversionwarning>0</conversionwarning>\n<body>\n',
    "2009": (
        "<header>\n<title>{1}</title>\n<id>{0}</id>\n<revision>\n<id>243</id>\n</revision>\n"
        "<categories>\n<category>{1}</category>\n</categories>\n</header>\n<bdy>\n"
    ),
    "ieee": (
        "<fno>X{0}</fno>\n<fm>\n<tig>\n<atl>{1}</atl>\n<pn>pp. 1-9</pn>\n</tig>\n"
        "<au><fnm>A.</fnm> <snm>No one</snm></au>\n</fm>\n<bdy>\n"
    ),
}
_FEET: dict[Markup, str] = {
    "2006": "</body>\n</article>\n",
    "2009": "</bdy>\n</article>\n",
    "ieee": (
        "</bdy>\n<bm>\n<bib><bibl><h>References</h>\n<bb>1. A. No one, <ti>On nothing</ti>.</bb>\n"
        "</bibl></bib>\n</bm>\n</article>\n"
    ),
}
_HEAD_CHARACTERS = 60
_HEADING = {"2006": "title", "2009": "st", "ieee": "st"}


def article(characters: int, markup: Markup = "2009", seed: int = 0) -> bytes:
    """Return an article whose text has about this many characters (within a few paragraphs)."""
    maker = _Maker(markup, random.Random(f"{markup}{seed}"))
    body: list[str] = []
    while maker.written < characters - _HEAD_CHARACTERS:
        body.append(maker.section(1, characters - _HEAD_CHARACTERS))
    head = _HEADS[markup].format(1000 + seed, "Annals of " + maker.words(2).title())
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<article xmlns:xlink="http://www.w3.org/1999/xlink">\n'
        f"{head}{''.join(body)}{_FEET[markup]}"
    )
    return text.encode()


class _Maker:
    def __init__(self, markup: Markup, chance: random.Random) -> None:
        self.markup = markup
        self.chance = chance
        self.written = 0
        self.vocabulary = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(900)]

    def section(self, depth: int, limit: int) -> str:
        tag = "section" if self.markup == "2006" else "sec" if depth == 1 else f"ss{depth - 1}"
        heading = _HEADING[self.markup]
        pieces = [f"<{tag}>\n<{heading}>{self.words(self.chance.randint(1, 5)).capitalize()}</{heading}>\n"]
        for _ in range(self.chance.randint(2, 6)):
            pieces += [self.block()] if self.written < limit else []
        while depth < 3 and self.written < limit and self.chance.random() < 0.45:
            pieces.append(self.section(depth + 1, limit))
        pieces.append(f"</{tag}>\n")
        return "".join(pieces)

    def block(self) -> str:
        kind = self.chance.random()
        if kind < 0.86:
            return f"<p>{self.sentences(self.chance.randint(2, 9))}</p>\n"
        if kind < 0.94:
            return self.list()
        return self.table() if kind < 0.97 else self.figure()

    def list(self) -> str:
        names = {"2006": ("normallist", "item"), "2009": ("list", "entry"), "ieee": ("l1", "li")}
        outer, inner = names[self.markup]
        items = (f"<{inner}>{self.sentences(1)}</{inner}>\n" for _ in range(self.chance.randint(3, 8)))
        return f"<{outer}>\n{''.join(items)}</{outer}>\n"

    def table(self) -> str:
        names = {"2006": ("tr", "td"), "2009": ("row", "col"), "ieee": ("row", "entry")}
        row, cell = names[self.markup]
        rows = (
            f"<{row}>{''.join(f'<{cell}>{self.words(2)}</{cell}>' for _ in range(4))}</{row}>\n"
            for _ in range(self.chance.randint(3, 9))
        )
        return f"<table>\n<caption>{self.words(4)}</caption>\n{''.join(rows)}</table>\n"

    def figure(self) -> str:
        caption = self.sentences(1)
        if self.markup == "ieee":
            return f'<fig><art file="x.gif"/><fgc>{caption}</fgc></fig>\n'
        if self.markup == "2009":
            return f'<image width="150px" src="x.jpg"><caption>{caption}</caption></image>\n'
        return f'<figure><image src="x.jpg"/><caption>{caption}</caption></figure>\n'

    def sentences(self, count: int) -> str:
        return " ".join(self.sentence() for _ in range(count))

    def sentence(self) -> str:
        words = list(self._styled(self.chance.randint(5, 26)))
        words[0] = words[0] if words[0].startswith("<") else words[0].capitalize()
        return " ".join(words) + self.chance.choice((".", ".", ".", ".", "?", "!", ".[27]"))

    def _styled(self, count: int) -> Iterator[str]:
        for _ in range(count):
            dice = self.chance.random()
            if dice < 0.06:
                target = self.words(self.chance.randint(1, 3))
                yield _LINKS[self.markup].format(self.chance.randint(1, 999), target)
            elif dice < 0.08:
                tag = self.chance.choice(_STYLES[self.markup])
                yield f"<{tag}>{self.words(1)}</{tag}>"
            elif dice < 0.09:
                yield self._count(self.chance.choice(_RARE))
            else:
                yield self.words(1) + ("," if dice > 0.94 else "")

    def words(self, count: int) -> str:
        return self._count(" ".join(self.chance.choices(self.vocabulary, k=count)))

    def _count(self, text: str) -> str:
        self.written += len(text) + 1
        return text
