"""What is pointed at, in the text or beside it: run, rank, score, place, and what it does to the measure."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint

from inexview.core.article.document import Document
from inexview.core.evaluation.derivations import RANK
from inexview.core.evaluation.explain import CHARACTERS, LENGTH, Cost
from inexview.core.evaluation.variants import Fault, RankingFault
from inexview.core.judgements.runs import Result, Run
from inexview.core.report import difference_text
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import quoted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.element_strip import crumbs
from inexview.gui.article.margin_signs import Pointed
from inexview.gui.article.overlays import HEAT
from inexview.gui.inspect.document.run_on_article import RunOnArticle
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.figures.figures import change_text, count
from inexview.gui.inspect.scoring.document_lanes import RunResults
from inexview.gui.inspect.scoring.ranked_rows import RankingCosts
from inexview.gui.inspect.scoring.ranking_costs import CostsOfRanking
from inexview.gui.inspect.scoring.run_keys import key_of
from inexview.gui.services.session import Session

WORDS = 70  # code points of a passage that are quoted
GAP = "  ·  "


class Readout(QObject):
    """Writes under the text what is pointed at, while one inspects."""

    def __init__(
        self, session: Session, article: ArticleView, shown: RunOnArticle, costs: CostsOfRanking
    ) -> None:
        super().__init__(article)
        self.active = False
        self.scratched = False
        """Whether a scratch copy is shown in place of the run in the foreground, of which nothing is told."""
        self._session = session
        self._article = article
        self._on_article = shown
        self._lanes = shown.lanes
        self._costs = costs
        self._shown: tuple[RunResults, Result] | None = None
        self._missed: Cost | None = None
        shown.costs.known.connect(self._learn_gains)
        for others in (session.document_opened, session.document_failed, session.run_selected):
            others.connect(lambda _shown: self._point(None))  # what was pointed at is of what is gone
        article.gutter.pointed.connect(self._point)
        article.outlines.hovered.connect(lambda offset: self._point(Pointed(offset, offset + 1)))

    def set_active(self, active: bool) -> None:
        """Tell of runs while one inspects; while one judges nothing of them stays."""
        self.active = active
        self._point(None)

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let what is said of the document and of the passage pointed at be asked for."""
        ground, gutter = self._article.under_title.ground, self._article.gutter
        clicks.watch(ground, self._figure_at, clicked_at=self._clicked_at, menu=False)
        clicks.watch(gutter, lambda _at: self._figure(), clicked_at=lambda _at: None, menu=False)
        clicks.watch(self._article.strip.readout, lambda _at: self._figure())

    def _clicked_at(self, at: QPoint) -> FigureAsked | None:
        """Return the figure under the title that is clicked; a pen in the hand draws there."""
        line = self._article.under_title
        return None if self._article.hand.live else self._of_part(line.part_at(at))

    def _figure_at(self, at: QPoint) -> FigureAsked | None:
        return self._of_part(self._article.under_title.part_at(at)) or self._figure()

    def _of_part(self, part: str) -> FigureAsked | None:
        """Return the figure that a part of the line under the title tells."""
        if not self.active or not part:
            return None
        of = FigureOf.SCRATCH if self.scratched else FigureOf.RUN
        named = next((name for name in (RANK, *CHARACTERS) if part.startswith(f"{name} ")), "")
        if part.endswith(f" {LENGTH}"):
            named = LENGTH
        elif part.startswith("T2I[") or " relevant of " in part:
            named = self._article.subtitle.partition(" ")[0]
        return FigureAsked(FigureLevel.DOCUMENT, named, of=of) if named else None

    def _figure(self) -> FigureAsked | None:
        """Return what the passage that is pointed at does to the topic."""
        document, shown, missed = self._session.document_id, self._shown, self._missed
        if not self.active or document is None:
            return None
        if shown is not None:
            one, result = shown
            return FigureAsked(FigureLevel.TOPIC, "", document, run=key_of(one.run), start=result.start)
        if missed is not None and not self.scratched:
            place = RankingFault(document, missed.fault, missed.start, missed.end)
            return FigureAsked(FigureLevel.TOPIC, "", document, FigureOf.MENDED, mending=place)
        return None

    def _point(self, pointed: Pointed | None) -> None:
        """Say what there is; where there is nothing the strip names the element again."""
        document, said = self._session.document, ""
        self._shown = self._missed = None
        if self.active and pointed is not None and document is not None:
            said = self._agreeing(pointed) if pointed.lane == HEAT else self._of_run(pointed, document)
        self._article.strip.show_readout(said)

    def _agreeing(self, pointed: Pointed) -> str:
        every = self._lanes.all()
        there = [one.lane.name for one in every if one.at(pointed.start, pointed.end) is not None]
        return GAP.join(filter(None, (f"{len(there)} of {len(every)} runs retrieved this", ", ".join(there))))

    def _of_run(self, pointed: Pointed, document: Document) -> str:
        current = self._session.run
        if pointed.lane is None:
            one = next((one for one in self._lanes.all() if one.run is current), None)
        else:
            one = self._lanes.shown()[pointed.lane]
        if self.scratched and one is not None and one.run is current:
            return ""
        result = None if one is None else one.at(pointed.start, pointed.end)
        if one is not None and result is None and pointed.lane is None:
            return self._of_missed(pointed, document)
        if one is None or result is None:
            return "" if pointed.lane is None or one is None else f"{one.lane.name}{GAP}nothing here"
        self._shown = one, result
        self._costs.want(one.run, result.topic, self._learn)
        costs = self._costs.known_of(one.run, result.topic)
        return describe(one.lane.name, result, document, self._session.state.marks, costs)

    def _of_missed(self, pointed: Pointed, document: Document) -> str:
        """Say of relevant text that the run did not retrieve what that costs, and who did retrieve it."""
        costs = () if pointed.start not in self._session.state.marks else self._on_article.every_cost()
        self._missed = next((one for one in costs if is_missed(one, pointed.start)), None)
        if self._missed is None:
            return ""
        every = [one for one in self._lanes.all() if one.run is not self._session.run]
        found = sum(one.at(self._missed.start, self._missed.end) is not None for one in every)
        by_others = f"retrieved by {found} of {len(every)} others" if every else ""
        known = self._on_article.costs
        return describe_missed(
            self._missed, document, by_others, known.measure, known.gains.get(self._missed)
        )

    def _learn_gains(self) -> None:
        document, missed = self._session.document, self._missed
        if missed is not None and document is not None:
            self._article.strip.show_readout(self._of_missed(Pointed(missed.start, missed.end), document))

    def _learn(self, run: Run, costs: RankingCosts) -> None:
        """Complete what is shown once it is known what it costs."""
        document, shown = self._session.document, self._shown
        if shown is not None and shown[0].run is run and document is not None:
            name, marks = shown[0].lane.name, self._session.state.marks
            said = describe(name, shown[1], document, marks, costs)
            self._article.strip.show_readout(said)


def is_missed(cost: Cost, at: int) -> bool:
    """Tell whether a cost is that of missed text which has a character."""
    return cost.fault is Fault.MISSED and cost.start <= at < cost.end


def describe_missed(cost: Cost, document: Document, others: str, measure: str, gain: float | None) -> str:
    """Say in a line what missed text costs the document, and the topic as far as that is known."""
    size = cost.end - cost.start
    of_topic = "" if gain is None else f"{difference_text(-gain, 4)} {measure}"
    told = (
        "missed",
        f"{cost.start}:{size}",
        f"{difference_text(-cost.loss, 4)} {cost.measure}",
        of_topic,
        others,
        quoted(document.text, cost.start, cost.end, WORDS),
        crumbs(document.elements[document.elements.around(cost.start, cost.end)].path),
    )
    return GAP.join(part for part in told if part)


def describe(run: str, result: Result, document: Document, marks: Spans, costs: RankingCosts | None) -> str:
    """Say everything of one result in a line, what decides first."""
    size = result.end - result.start
    relevant = (marks & Spans([(result.start, result.end)])).size if size else 0
    score = "" if result.score is None else f"score {result.score:g}"
    change = None if costs is None else costs.results.get(result.rank)
    effect = ""
    if costs is not None and change is not None:
        effect = f"{costs.measure} {change_text(change)} without it"
    element = document.elements[document.elements.around(result.start, max(result.end, result.start + 1))]
    told = (
        run,
        f"rank {result.rank}",
        score,
        f"{result.start}:{size}" if size else f"enters at {result.start}",
        f"size {count(size)}" if size else "",
        f"rsize {count(relevant)}" if size else "",
        effect,
        quoted(document.text, result.start, result.end, WORDS),
        crumbs(element.path),
    )
    return GAP.join(part for part in told if part)
