"""Named character entities of articles that come without a usable DTD.

The IEEE articles say ``&mdash;`` and ``&agr;`` and name a DTD that nobody has any more.  HTML's table
(``html.entities``) holds the ISO 8879 sets but for the Greek letters of ISOgrk1, ISOgrk2 and ISOgrk4, which
are spelt out here.
"""

from __future__ import annotations

from functools import cache
from html.entities import html5

# ISO 8879 ISOgrk1: the letters, "agr" … "ohgr"; capitals have the same names with a capital first.
_GREEK = {
    "agr": "α", "bgr": "β", "ggr": "γ", "dgr": "δ", "egr": "ε", "zgr": "ζ", "eegr": "η", "thgr": "θ",
    "igr": "ι", "kgr": "κ", "lgr": "λ", "mgr": "μ", "ngr": "ν", "xgr": "ξ", "ogr": "ο", "pgr": "π",
    "rgr": "ρ", "sgr": "σ", "tgr": "τ", "ugr": "υ", "phgr": "φ", "khgr": "χ", "psgr": "ψ", "ohgr": "ω",
}  # fmt: skip

# ISO 8879 ISOgrk2: accented letters; those of one character that have capitals, then those that have none.
_ACCENTED_GREEK = {
    "aacgr": "ά", "eacgr": "έ", "eeacgr": "ή", "iacgr": "ί", "oacgr": "ό", "uacgr": "ύ", "ohacgr": "ώ",
    "idigr": "ϊ", "udigr": "ϋ",
}  # fmt: skip
_LOWER_ONLY_GREEK = {"sfgr": "ς", "idiagr": "ΐ", "udiagr": "ΰ"}

# ISO 8879 ISOgrk4: bold mathematical Greek, "b.alpha"; U+1D6C2 is bold small alpha, final sigma included.
_BOLD_GREEK = (
    "alpha", "beta", "gamma", "delta", "epsi", "zeta", "eta", "thetas", "iota", "kappa", "lambda", "mu", "nu",
    "xi", "omicron", "pi", "rho", "sigmav", "sigma", "tau", "upsi", "phis", "chi", "psi", "omega",
)  # fmt: skip


@cache
def _table() -> dict[str, str]:
    table = {name[:-1]: characters for name, characters in html5.items() if name.endswith(";")}
    for letters in (_GREEK, _ACCENTED_GREEK):
        table |= letters
        table |= {name[0].upper() + name[1:]: letter.upper() for name, letter in letters.items()}
    table |= _LOWER_ONLY_GREEK
    table |= {f"b.{name}": chr(0x1D6C2 + at) for at, name in enumerate(_BOLD_GREEK)}
    return table


def entity_text(name: str) -> str | None:
    """Return what a named entity stands for (``"mdash"`` → "—"), or None for a name nobody knows."""
    return _table().get(name)
