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


def _not_of_the_line_above(line: str) -> str:
    """Keep the end of the line above from taking [ or * for its own argument."""
    return f"{{}}{line}" if line.startswith(("[", "*")) else line


def latex_table(
    caption: str, columns: str, head: Sequence[str], lines: Iterable[Sequence[str]], *, long: bool = False
) -> str:
    """Return a table; its cells are LaTeX, caption and head are text, ``columns`` as tabular takes them.

    A ``long`` one runs over several pages, with its head on each.
    """
    above = " & ".join(map(escaped, head)) + r" \\"
    body = [_not_of_the_line_above(" & ".join(line)) + r" \\" for line in lines]
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
