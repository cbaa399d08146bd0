"""A run laid over qrels once scores by any parameters as whole evaluations do, to the last digit."""

import random
from dataclasses import replace

import numpy as np
import pytest

from inexview.core.evaluation.evaluate import ParameterSteps, score_run
from inexview.core.evaluation.scores import ScoringSettings
from tests.core.scored_cases import MEASURES, measures_of, random_judgements, random_ranking
from tests.core.strategies import TOPICS, qrels_of, run_of

CHANGES = (
    {"beta": 0.25},
    {"beta": 3.0, "a": 0.9},
    {"n": 7},
    {"score": "T2I", "tolerance": 4},
    {"relevant_from": 3, "persistence": 0.3},
)


@pytest.mark.parametrize("task", MEASURES)
def test_each_step_equals_an_evaluation_of_its_own(task):
    for _ in range(10):
        qrels = qrels_of({topic: random_judgements() for topic in TOPICS})
        run = run_of({topic: random_ranking(task) for topic in TOPICS})
        settings = ScoringSettings(task=task, overlap="allow", measures=measures_of(task))
        steps = ParameterSteps(qrels, run, settings, score_run(qrels, run, settings))
        for changes in random.sample(CHANGES, len(CHANGES)):
            whole = score_run(qrels, run, replace(settings, changes=changes))
            stepped = steps.scored(whole.parameters)
            assert np.array_equal(stepped.values, whole.values)
            assert stepped.mean == whole.mean
            assert (stepped.curve is None) is (whole.curve is None)
            assert whole.curve is None or np.array_equal(stepped.curve, whole.curve)
            for name in ("parameters", "topics", "names", "counts", "warnings", "preset", "overlap"):
                assert getattr(stepped, name) == getattr(whole, name)
