"""The catalogue: titles and lengths, read in the background, and never forgotten."""

import threading

import pytest

from inexview.core.collection.collection import Collection
from inexview.core.project.document_list import CatalogueEntry
from inexview.gui.services.opening import Catalogue
from inexview.gui.services.tasks import Tasks
from tests.opened import opened


@pytest.fixture
def collection(tmp_path):
    for name, title in (("1", "Lens"), ("2", "Lamp")):
        xml = f"<article><name>{title}</name><body><p>Some text.</p></body></article>"
        (tmp_path / f"{name}.xml").write_text(xml, encoding="utf-8")
    return opened(tmp_path)


@pytest.fixture
def catalogue(collection, qapp):
    tasks = Tasks(lambda error: pytest.fail(str(error)))
    made = Catalogue(collection, tasks, tasks)
    yield made
    made.close()
    tasks.close()


def test_titles_come_and_lengths_of_those_that_are_measured(catalogue, qtbot):
    catalogue.want(["1", "2", "404"], measured=["2"])
    qtbot.waitUntil(lambda: catalogue.about("404").missing)
    assert catalogue.about("1") == CatalogueEntry("Lens")
    assert catalogue.about("2") == CatalogueEntry("Lamp", len("LampSome text."))


def test_a_title_that_is_read_late_does_not_take_a_known_length_away(catalogue, collection, qtbot):
    catalogue.want(["1", "2"])
    catalogue.note(collection.load("1"))  # opened while the titles are still being read
    qtbot.waitUntil(lambda: catalogue.about("2").title == "Lamp")
    assert catalogue.about("1") == CatalogueEntry("Lens", len("LensSome text."))


def test_titles_of_a_slow_archive_come_a_few_at_a_time(collection, qapp, qtbot, monkeypatch):
    read = Collection.title

    def slow(collection, id):
        threading.Event().wait(0.1)
        return read(collection, id)

    monkeypatch.setattr(Collection, "title", slow)
    tasks = Tasks(lambda error: pytest.fail(str(error)))
    catalogue, learned = Catalogue(collection, tasks, tasks), []
    catalogue.learned.connect(lambda about: learned.append(sorted(about)))
    catalogue.want(["1", "2", "404", "1"])
    qtbot.waitUntil(lambda: catalogue.about("404").missing)
    assert len(learned) > 1
    assert [name for some in learned for name in some] == ["1", "2", "404"]
    catalogue.close()
    tasks.close()


def test_known_facts_are_not_signalled_again(catalogue, collection):
    learned = []
    catalogue.learned.connect(learned.extend)
    catalogue.note(collection.load("1"))
    catalogue.note(collection.load("1"))
    assert learned == ["1"]


def test_the_open_document_is_read_before_waiting_ones(catalogue, qtbot):
    learned = []
    catalogue.learned.connect(learned.extend)
    catalogue.hold(True)
    catalogue.want(["404", "405"])
    catalogue.want_first(["2", "1"], measured=["1"])
    assert learned == []
    catalogue.hold(False)
    qtbot.waitUntil(lambda: len(learned) == 4)
    assert learned == ["2", "1", "404", "405"]
    assert catalogue.about("1").length == len("LensSome text.")


def test_a_defect_at_one_title_is_logged_and_keeps_no_other_from_being_read(
    catalogue, qtbot, monkeypatch, caplog
):
    read = Collection.title
    monkeypatch.setattr(Collection, "title", lambda self, id: 1 / 0 if id == "1" else read(self, id))
    catalogue.want(["1"])
    qtbot.waitUntil(lambda: "ZeroDivisionError" in caplog.text)
    catalogue.want_first(["2"])
    qtbot.waitUntil(lambda: catalogue.about("2").title == "Lamp")
