"""How runs are to be read where somebody says so; in a module of its own, which needs no reader."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.core.judgements.id_spelling import NO_JOIN, IdJoin

TREC, GENOMICS = "trec", "genomics2007"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How runs are to be read, as far as somebody says it: by a format's name, or as the preset has them."""

    format: str | None = None
    preset: str | None = None
    fol_end: bool = False
    """Whether a text run's last field is where a passage ends."""
    join: IdJoin = NO_JOIN
    """How ids are read, of judgements and topics too, that the two sides spell differently."""

    @property
    def tells(self) -> bool:
        """Whether the format is told, and not seen."""
        return self.format is not None or self.preset in (TREC, GENOMICS)


AS_SEEN = RunOptions()
