"""Judgement groups: several judges of the same topics, whose documents each may grade otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.subsets import Subset


@dataclass(frozen=True, eq=False)
class JudgementGroups:
    """What each judge said: ``groups`` by the judges' names, each with the topics that this judge judged."""

    groups: Mapping[str, Qrels]
    together: Qrels
    """Each document that somebody judged, with the highest grade that it was given."""

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.together.warnings

    def part(self, subset: Subset) -> JudgementGroups:
        """Return the judgements that count.  Raises InexviewError where none does."""
        together = subset.of_qrels(self.together)
        left = set(together.topics)
        groups = {
            name: subset.of_qrels(group) for name, group in self.groups.items() if left & set(group.topics)
        }
        return JudgementGroups(groups, together)
