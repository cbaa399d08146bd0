"""Named character entities of articles that come without a usable DTD.

The IEEE articles say ``&mdash;`` and ``&agr;`` and name a DTD that nobody has any more.  HTML's table
(``html.entities``) holds the ISO 8879 sets but for the Greek letters of ISOgrk1, ISOgrk2 and ISOgrk4, which
are spelt out here.
"""

from __future__ import annotations

from functools import cache
from html.entities import html5

# ISO 8879 ISOgrk1, each letter by what stands before "gr"; capitals have capital names ("Agr", "THgr").
_GREEK = {
    "a": "α", "b": "β", "g": "γ", "d": "δ", "e": "ε", "z": "ζ", "ee": "η", "th": "θ", "i": "ι", "k": "κ",
    "l": "λ", "m": "μ", "n": "ν", "x": "ξ", "o": "ο", "p": "π", "r": "ρ", "s": "σ", "t": "τ", "u": "υ",
    "ph": "φ", "kh": "χ", "ps": "ψ", "oh": "ω",
}  # fmt: skip

# ISO 8879 ISOgrk2: before "acgr" and "digr"; and those that have no capital.
_GREEK_WITH_ACCENT = {"a": "ά", "e": "έ", "ee": "ή", "i": "ί", "o": "ό", "u": "ύ", "oh": "ώ"}
_GREEK_WITH_DIAERESIS = {"i": "ϊ", "u": "ϋ"}
_LOWER_ONLY_GREEK = {"sfgr": "ς", "idiagr": "ΐ", "udiagr": "ΰ"}

# ISO 8879 ISOgrk4: bold mathematical Greek, "b.alpha"; U+1D6C2 is bold small alpha, final sigma included.
_BOLD_GREEK = (
    "alpha", "beta", "gamma", "delta", "epsi", "zeta", "eta", "thetas", "iota", "kappa", "lambda", "mu", "nu",
    "xi", "omicron", "pi", "rho", "sigmav", "sigma", "tau", "upsi", "phis", "chi", "psi", "omega",
)  # fmt: skip


@cache
def _table() -> dict[str, str]:
    table = {name[:-1]: characters for name, characters in html5.items() if name.endswith(";")}
    for ending, letters in (("gr", _GREEK), ("acgr", _GREEK_WITH_ACCENT), ("digr", _GREEK_WITH_DIAERESIS)):
        table |= {name + ending: letter for name, letter in letters.items()}
        table |= {name.upper() + ending: letter.upper() for name, letter in letters.items()}
    table |= _LOWER_ONLY_GREEK
    table |= {f"b.{name}": chr(0x1D6C2 + at) for at, name in enumerate(_BOLD_GREEK)}
    return table


def entity_text(name: str) -> str | None:
    """Return what a named entity stands for (``"mdash"`` → "—"), or None for a name nobody knows."""
    return _table().get(name)
