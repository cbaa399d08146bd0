"""Named character entities of articles that come without a usable DTD.

The IEEE articles say ``&mdash;`` and ``&agr;`` and name a DTD that no one has any more.  HTML's table
(``html.entities``) holds the ISO 8879 and ISO 9573-13 sets but for the Greek letters of ISOgrk1, ISOgrk2 and
ISOgrk4 and a few names that later editions changed; those are spelt out here, with the characters that the
W3C's tables of the ISO sets give them.
"""

from __future__ import annotations

from functools import cache
from html.entities import html5

# ISO 8879 ISOgrk1, each letter by what is before "gr"; capitals have capital names ("Agr", "THgr").
_GREEK = {
    "a": "α", "b": "β", "g": "γ", "d": "δ", "e": "ε", "z": "ζ", "ee": "η", "th": "θ", "i": "ι", "k": "κ",
    "l": "λ", "m": "μ", "n": "ν", "x": "ξ", "o": "ο", "p": "π", "r": "ρ", "s": "σ", "t": "τ", "u": "υ",
    "ph": "φ", "kh": "χ", "ps": "ψ", "oh": "ω",
}  # fmt: skip

# ISO 8879 ISOgrk2: before "acgr" and "digr"; and those that have no capital.
_GREEK_WITH_ACCENT = {"a": "ά", "e": "έ", "ee": "ή", "i": "ί", "o": "ό", "u": "ύ", "oh": "ώ"}
_GREEK_WITH_DIAERESIS = {"i": "ϊ", "u": "ϋ"}
_LOWER_ONLY_GREEK = {"sfgr": "ς", "idiagr": "ΐ", "udiagr": "ΰ"}

# ISO 8879 and ISO 9573-13 ISOgrk4: bold mathematical Greek, "b.alpha"; U+1D6C2 is bold small alpha, final
# sigma included, U+1D6A8 bold capital alpha.
_BOLD_SMALL = (
    "alpha", "beta", "gamma", "delta", "epsi", "zeta", "eta", "thetas", "iota", "kappa", "lambda", "mu", "nu",
    "xi", "omicron", "pi", "rho", "sigmav", "sigma", "tau", "upsi", "phis", "chi", "psi", "omega",
)  # fmt: skip
_BOLD_CAPITAL = {
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsi": "Υ",
    "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_BOLD_OTHERS = {
    "epsis": "\U0001d6dc", "epsiv": "\U0001d6dc", "thetav": "\U0001d6dd", "kappav": "\U0001d6de",
    "phi": "\U0001d6d7", "phiv": "\U0001d6df", "rhov": "\U0001d6e0", "piv": "\U0001d6e1", "Gammad": "Ϝ",
    "gammad": "ϝ",
}  # fmt: skip

# Names of ISO 8879 that ISO 9573-13, and HTML with it, changed or left out.
_FORMER = {
    "ang90": "∟", "cupre": "≼", "darr2": "⇊", "dlarr": "↙", "drarr": "↘", "epsis": "ϵ", "gsdot": "⋗",
    "jnodot": "ȷ", "larr2": "⇇", "ldot": "⋖", "lpargt": "⦠", "lrarr2": "⇆", "lrhar2": "⇋", "phis": "φ",
    "rarr2": "⇉", "rlarr2": "⇄", "rlhar2": "⇌", "samalg": "∐", "sbsol": "﹨", "thetas": "θ", "uarr2": "⇈",
    "vprime": "′",
}  # fmt: skip


@cache
def _table() -> dict[str, str]:
    table = {name[:-1]: characters for name, characters in html5.items() if name.endswith(";")}
    for ending, letters in (("gr", _GREEK), ("acgr", _GREEK_WITH_ACCENT), ("digr", _GREEK_WITH_DIAERESIS)):
        table |= {name + ending: letter for name, letter in letters.items()}
        table |= {name.upper() + ending: letter.upper() for name, letter in letters.items()}
    table |= _LOWER_ONLY_GREEK | _FORMER
    table |= {f"b.{name}": chr(0x1D6C2 + at) for at, name in enumerate(_BOLD_SMALL)}
    table |= {f"b.{name}": chr(0x1D6A8 + ord(letter) - ord("Α")) for name, letter in _BOLD_CAPITAL.items()}
    table |= {f"b.{name}": character for name, character in _BOLD_OTHERS.items()}
    return table


def entity_text(name: str) -> str | None:
    """Return what a named entity stands for (``"mdash"`` → "—"), or None for a name no one knows."""
    return _table().get(name)
