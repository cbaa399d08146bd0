"""LaTeX: text as it is printed, and tables for a paper with the rules of the package booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

BOOKTABS = r"% needs \usepackage{booktabs}"

_SPECIAL = str.maketrans(
    {one: f"\\{one}" for one in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": "$<$", ">": "$>$", "−": "$-$", "–": "--", "’": "'", "·": r"$\cdot$", "×": r"$\times$"}
    | {"∩": r"$\cap$", "∪": r"$\cup$", "∞": r"$\infty$", "†": r"$\dagger$", "‡": r"$\ddagger$"}
    | {"Δ": r"$\Delta$", "κ": r"$\kappa$", "ρ": r"$\rho$", "τ": r"$\tau$"}
    | {"α": r"$\alpha$", "β": r"$\beta$"}
    | {"…": r"\dots{}", "≥": r"$\geq$"}
)


def escaped(text: str) -> str:
    """Return text so that LaTeX prints it as it is."""
    return text.translate(_SPECIAL)


def latex_row(cells: Iterable[str]) -> str:
    """Return a row of a table; its first cell is kept from the line above, which takes [ and * as its own."""
    line = " & ".join(cells)
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def latex_table(
    caption: str, columns: str, head: Sequence[str], lines: Iterable[Sequence[str]], *, long: bool = False
) -> str:
    """Return a table; its cells are LaTeX, caption and head are text, ``columns`` as tabular takes them.

    A ``long`` one runs over several pages, with its head on each.
    """
    above = latex_row(map(escaped, head))
    body = list(map(latex_row, lines))
    if long:
        return "\n".join(
            [
                "% needs \\usepackage{booktabs,longtable}",
                rf"\begin{{longtable}}{{{columns}}}",
                rf"\caption{{{escaped(caption)}}}\\",
                *(r"\toprule", above, r"\midrule", r"\endhead", r"\bottomrule", r"\endlastfoot"),
                *body,
                r"\end{longtable}",
                "",
            ]
        )
    return "\n".join(
        [
            BOOKTABS,
            r"\begin{table}",
            rf"\caption{{{escaped(caption)}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            *(r"\toprule", above, r"\midrule", *body, r"\bottomrule"),
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )
