"""Judgement groups × runs → scores: each measure is the mean over the judges of a topic, as in trec_eval."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.curves import CurveKind
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.judgements.runs import Run
from inexview.core.judgements.subsets import JudgementGroups
from inexview.core.wording import counted


def score_by_groups(judged: JudgementGroups, run: Run, settings: ScoringSettings) -> RunScores:
    """Score a run by each judge, and average topic by topic over those who judged the topic.

    A document that one judge did not judge counts for that judge as unjudged.  What is counted of the run is
    counted by all judgements together.  Raises what ``score_run`` does, and InexviewError for what has no
    mean over judges.
    """
    if settings.bounds or settings.curve is not CurveKind.INTERPOLATED:
        raise InexviewError("bounds and curves by rank are of one judge: give the lines of one")
    whole = score_run(judged.together, run, settings)
    place = {topic: at for at, topic in enumerate(whole.topics)}
    values, judges = np.zeros_like(whole.values), np.zeros(len(place))
    curve = None if whole.curve is None else np.zeros_like(whole.curve)
    for group in judged.groups.values():
        own = score_run(group, run, settings)
        topics = [place[topic] for topic in own.topics]
        values[:, topics] += own.values
        judges[topics] += 1
        if curve is not None and own.curve is not None:
            curve[topics] += own.curve
    return replace(
        whole,
        values=values / judges,
        curve=None if curve is None else curve / judges[:, None],
        notes=(
            *whole.notes,
            f"each measure is the mean over {counted(len(judged.groups), 'judgement group')}",
        ),
    )
