"""Dragging without a script: with the mouse, the keyboard, and a finger."""

import pytest
from playwright.sync_api import Page, expect

from live import notices
from written_page import show

# Dropping a todo renames it to the name of the place.
BOARD = """<ul><template data-each="todos"><li data-drag=".id" data-attr-aria-label="Card {.title}">{.title}</li></template></ul>
  <section data-drop="rename(id: $dragged, title: 'here')" aria-label="Here"><p>Here</p></section>
  <section data-drop="rename(id: $dragged, title: 'there')" aria-label="There"><p>There</p></section>"""


def board(page: Page):
    session = show(page, "todos", BOARD)
    session.send(*[{"add": {"title": title}} for title in ["one", "two"]])
    expect(page.get_by_role("listitem")).to_have_text(["one", "two"])
    return session


def titles(session) -> list[str]:
    return [todo["title"] for todo in session.state["todos"]]


@pytest.mark.core("data-drag", "data-drop")
def test_a_todo_is_dragged_with_the_mouse(page: Page):
    session = board(page)
    page.get_by_label("Card two").drag_to(page.get_by_label("There", exact=True))
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["one", "there"])
    page.get_by_label("Card one").drag_to(page.get_by_label("Here", exact=True))
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["here", "there"])


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_todo_is_dragged_with_the_keyboard(page: Page, key: str):
    session = board(page)
    page.get_by_label("Card one").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Card two")).to_be_focused()
    page.keyboard.press(key)
    expect(notices(page)).to_contain_text("Card two is picked up. Choose a place, or press Escape.")
    page.keyboard.press("Escape")
    expect(notices(page)).to_have_text("")
    page.keyboard.press(key)
    for place in "Here", "There":
        page.keyboard.press("Tab")
        expect(page.get_by_label(place, exact=True)).to_be_focused()
    page.keyboard.press(key)
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["one", "there"])
    expect(page.get_by_label("Card there")).to_be_focused()
    assert page.get_by_label("There", exact=True).get_attribute("tabindex") is None


@pytest.mark.core("data-dragging")
def test_a_todo_is_dragged_with_a_finger(make_context):
    page = make_context(has_touch=True).new_page()
    session = board(page)
    page.get_by_label("Card two").tap()
    expect(page.locator("[data-dragging]")).to_have_text("two")
    page.get_by_label("Here", exact=True).tap()
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["one", "here"])
    expect(page.locator("[data-dragging]")).to_have_count(0)
    page.get_by_label("There", exact=True).tap()
    assert titles(session) == ["one", "here"]


def test_an_element_may_accept_any_drop(page: Page):
    session = show(page, "todos", """<p draggable="true">drag</p><section data-on="drop" data-input="add(title: 'dropped')">here</section>""")
    page.get_by_text("drag").drag_to(page.get_by_text("here"))
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["dropped"])


def test_a_misspelt_input_of_a_drop_place_warns(page: Page):
    with page.expect_console_message(lambda message: "<section> data-drop: there is no Input “renam”" in message.text):
        show(page, "todos", """<section data-drop="renam(id: $dragged)">here</section>""")
