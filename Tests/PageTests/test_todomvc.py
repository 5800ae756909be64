"""The todos fulfil TodoMVC's application specification, case by case.

The service stores them, in place of the browser, and the route is `?filter=active`. Completed todos sink to the end, which
is particular to this example: hence rows are found by their titles.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from http_session import HTTPSession
from live import button, open_live, status

ONE, TWO, THREE = "feed the fish", "post the letter", "call the plumber"


@pytest.fixture
def session(page: Page) -> HTTPSession:
    return open_live(page, "/todos.html")


@pytest.fixture
def three(page: Page, session: HTTPSession) -> HTTPSession:
    """Types three todos, and returns the session."""
    for title in ONE, TWO, THREE:
        enter(page, title)
    expect_titles(page, ONE, TWO, THREE)
    return session


def new(page: Page) -> Locator:
    return page.get_by_role("textbox", name="New todo")


def enter(page: Page, title: str) -> None:
    new(page).fill(title)
    new(page).press("Enter")


def row(page: Page, title: str) -> Locator:
    return page.get_by_role("list", name="Todos").locator("li:not([hidden])").filter(has=page.locator(f".title:text-is('{title}')"))


def tick(page: Page, title: str) -> Locator:
    return page.get_by_role("list", name="Todos").get_by_role("checkbox", name=title, exact=True)


def all_done(page: Page) -> Locator:
    return page.get_by_role("switch", name="Mark all as complete")


def editor(page: Page) -> Locator:
    return page.locator("li.editing").get_by_role("textbox")


def edit(page: Page, title: str) -> Locator:
    """Starts to edit a todo by a double click."""
    row(page, title).locator(".title").dblclick()
    expect(editor(page)).to_be_focused()
    expect(editor(page)).to_have_value(title)
    return editor(page)


def expect_titles(page: Page, *titles: str) -> None:
    expect(page.get_by_role("list", name="Todos").locator("li:not([hidden]) .title")).to_have_text(list(titles))


def titles(state: dict) -> list[str]:
    return [todo["title"] for todo in state["todos"]]


def test_without_todos_there_is_neither_list_nor_counter(page: Page, session: HTTPSession):
    expect(page.get_by_text("No todos yet")).to_be_visible()
    for hidden in page.locator(".main"), page.locator(".footer"):
        expect(hidden).to_be_hidden()
    expect(new(page)).to_be_focused()
    enter(page, ONE)
    for shown in page.locator(".main"), page.locator(".footer"):
        expect(shown).to_be_visible()


def test_new_todos_are_appended_and_the_field_is_cleared(page: Page, session: HTTPSession):
    enter(page, ONE)
    expect(new(page)).to_have_value("")
    enter(page, TWO)
    expect_titles(page, ONE, TWO)


def test_a_new_todo_is_trimmed_and_a_blank_one_is_not_added(page: Page, session: HTTPSession):
    enter(page, "   ")
    enter(page, f"   {ONE}  ")
    session.reaches(lambda state: titles(state) == [ONE])


def test_all_are_marked_as_complete_and_back(page: Page, three: HTTPSession):
    all_done(page).check()
    for title in ONE, TWO, THREE:
        expect(row(page, title)).to_have_class(re.compile(r"\bcompleted\b"))
    all_done(page).uncheck()
    for title in ONE, TWO, THREE:
        expect(row(page, title)).not_to_have_class(re.compile(r"\bcompleted\b"))


def test_the_checkbox_for_all_follows_the_todos(page: Page, three: HTTPSession):
    all_done(page).check()
    expect(tick(page, ONE)).to_be_checked()
    tick(page, ONE).uncheck()
    expect(all_done(page)).not_to_be_checked()
    tick(page, ONE).check()
    expect(all_done(page)).to_be_checked()
    button(page, "Clear completed").click()
    enter(page, ONE)
    expect(all_done(page)).not_to_be_checked()


def test_an_item_can_be_completed_and_reopened(page: Page, three: HTTPSession):
    tick(page, ONE).check()
    expect(row(page, ONE)).to_have_class(re.compile(r"\bcompleted\b"))
    expect(row(page, TWO)).not_to_have_class(re.compile(r"\bcompleted\b"))
    tick(page, ONE).uncheck()
    expect(row(page, ONE)).not_to_have_class(re.compile(r"\bcompleted\b"))


def test_editing_hides_the_other_controls(page: Page, three: HTTPSession):
    edit(page, TWO)
    expect(tick(page, TWO)).to_be_hidden()
    editing = page.locator("li.editing")
    expect(editing.get_by_role("button")).to_have_count(0)
    expect(editing.locator(".title")).to_be_hidden()


def test_an_edit_is_saved_on_enter_and_trimmed(page: Page, three: HTTPSession):
    field = edit(page, TWO)
    field.fill("   post the parcel  ")
    field.press("Enter")
    expect_titles(page, ONE, "post the parcel", THREE)
    expect(editor(page)).to_be_hidden()
    three.reaches(lambda state: titles(state) == [ONE, "post the parcel", THREE])


def test_an_edit_is_saved_when_the_field_is_left(page: Page, three: HTTPSession):
    edit(page, TWO).fill("post the parcel")
    new(page).click()
    expect_titles(page, ONE, "post the parcel", THREE)
    expect(editor(page)).to_be_hidden()
    expect(new(page)).to_be_focused()


def test_an_edit_to_an_empty_title_deletes_the_todo(page: Page, three: HTTPSession):
    field = edit(page, TWO)
    field.fill("")
    field.press("Enter")
    expect_titles(page, ONE, THREE)


def test_an_edit_is_cancelled_on_escape(page: Page, three: HTTPSession):
    field = edit(page, TWO)
    field.fill("something else")
    field.press("Escape")
    expect(editor(page)).to_be_hidden()
    expect_titles(page, ONE, TWO, THREE)
    edit(page, TWO).press("Escape")
    enter(page, "a later one")
    assert titles(three.reaches(lambda state: len(state["todos"]) == 4))[:3] == [ONE, TWO, THREE]


def test_an_edit_does_not_survive_a_reload(page: Page, three: HTTPSession):
    edit(page, TWO)
    page.reload()
    expect_titles(page, ONE, TWO, THREE)
    expect(editor(page)).to_be_hidden()


def test_the_counter_has_a_number_and_the_right_plural(page: Page, session: HTTPSession):
    for title, words in (ONE, "1 item left"), (TWO, "2 items left"):
        enter(page, title)
        expect(status(page, "Remaining")).to_have_text(words)
    expect(status(page, "Remaining").locator("strong")).to_have_text("2")
    all_done(page).check()
    expect(status(page, "Remaining")).to_have_text("0 items left")


def test_completed_todos_are_cleared_by_a_button_that_is_shown_only_for_them(page: Page, three: HTTPSession):
    clear = button(page, "Clear completed")
    expect(clear).to_be_hidden()
    tick(page, TWO).check()
    clear.click()
    expect_titles(page, ONE, THREE)
    expect(clear).to_be_hidden()


def test_todos_and_route_survive_a_reload(page: Page, session: HTTPSession):
    enter(page, ONE)
    enter(page, TWO)
    tick(page, ONE).check()
    page.get_by_role("radio", name="Completed").check()
    expect(page).to_have_url(re.compile("filter=completed"))
    page.reload()
    expect_titles(page, ONE)
    expect(tick(page, ONE)).to_be_checked()
    expect(page.get_by_role("radio", name="Completed")).to_be_checked()
    page.get_by_role("radio", name="All").check()
    expect(tick(page, TWO)).not_to_be_checked()


def test_the_route_selects_what_is_shown(page: Page, three: HTTPSession):
    tick(page, TWO).check()
    for name, shown in ("Active", {ONE, THREE}), ("Completed", {TWO}), ("All", {ONE, TWO, THREE}):
        page.get_by_role("radio", name=name).check()
        expect(page.locator("label.selected")).to_have_text(name)
        expect(page).to_have_url(re.compile(f"filter={name.lower()}"))
        expect(page.locator("li:not([hidden]) .title")).to_have_count(len(shown))
        assert set(page.locator("li:not([hidden]) .title").all_inner_texts()) == shown


def test_an_item_leaves_a_route_that_it_does_not_match_any_more(page: Page, three: HTTPSession):
    page.get_by_role("radio", name="Active").check()
    tick(page, TWO).check()
    expect_titles(page, ONE, THREE)


def test_the_back_button_goes_through_the_routes(page: Page, three: HTTPSession):
    tick(page, TWO).check()
    for name, count in ("All", 3), ("Active", 2), ("Completed", 1):
        page.get_by_role("radio", name=name).check()
        expect(page.locator("li:not([hidden]) .title")).to_have_count(count)
        expect(page).to_have_url(re.compile(f"filter={name.lower()}"))  # also after the response
    for count in 2, 3:
        page.go_back()
        expect(page.locator("li:not([hidden]) .title")).to_have_count(count)


def test_an_address_with_a_route_opens_it(page: Page, three: HTTPSession):
    tick(page, TWO).check()
    three.reaches(lambda state: state["remaining"] == 2)
    page.goto(f"/todos.html?session={three.id}&filter=completed")
    expect_titles(page, TWO)
