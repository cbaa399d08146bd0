"""Going back and forward over places."""

from inexview.gui.commands.reading import MOST, VisitedPlace, VisitedPlaces

A, B, C = (VisitedPlace("7", name) for name in "abc")


def visited(*places):
    made = VisitedPlaces()
    for place in places:
        made.visit(place)
    return made


def test_back_and_forward_stop_at_the_ends():
    places = visited(A, B, C)
    assert [places.go(step) for step in (-1, -1, -1, 1, 1, 1)] == [B, A, None, B, C, None]


def test_going_to_a_new_place_clears_the_forward_history():
    places = visited(A, B)
    places.go(-1)
    places.visit(C)
    assert places.go(1) is None
    assert places.go(-1) == A


def test_a_document_that_is_opened_again_in_its_place_is_no_other_place():
    places = visited(A, A)
    assert places.go(-1) is None


def test_a_jump_within_a_document_can_be_taken_back():
    places = visited(A)
    places.mark(100)
    places.visit(VisitedPlace("7", "a", 900))
    assert places.go(-1) == VisitedPlace("7", "a", 100)
    assert places.go(1) == VisitedPlace("7", "a", 900)


def test_only_so_many_are_remembered():
    places = visited(*(VisitedPlace("7", str(number)) for number in range(MOST + 50)))
    assert places.here == VisitedPlace("7", str(MOST + 49))
    assert sum(1 for _ in iter(lambda: places.go(-1), None)) == MOST - 1


def test_an_empty_history_goes_nowhere():
    assert VisitedPlaces().go(-1) is None
    assert VisitedPlaces().here is None
