"""The page is live with the client's first part alone; what a user does before the second part comes is not lost.

The second part is held until the test lets it go, which is later than any delay, or never comes.
"""

import pytest
from playwright.sync_api import Page, expect

from conftest import OUTAGE
from live import button, expect_connection, expect_nothing_waits, notices, status
from proxy import Proxy
from waiting import eventually
from written_page import show

REST = "**/uifusion-more.js*"
COUNTER = """<button data-input="increase">More</button> <output aria-label="Value" data-text="value"></output>"""
TODOS = """<form data-input="add(title: $title)"><input name="title" aria-label="Title"><button>Add</button></form>
  <ul><template data-each="todos"><li><span data-text=".title"></span>
    <button data-input="delete(id: .id)">Delete</button></li></template></ul>
"""

pytestmark = pytest.mark.expects_errors(*OUTAGE, "uifusion-more.js does not come", "status of 422")


class Held:
    """A page's requests for the second part, whose answers wait until `let_go`."""

    def __init__(self, page: Page):
        self.routes: list = []
        self.is_held = True
        page.route(REST, self.answer)

    def answer(self, route) -> None:
        if self.is_held:
            self.routes.append((route, route.fetch()))
        else:
            route.continue_()

    def let_go(self) -> None:
        self.is_held = False
        eventually(lambda: self.routes)
        for route, response in self.routes:
            route.fulfill(response=response)


def refuse(page: Page) -> None:
    page.route(REST, lambda route: route.abort())


def titles(page: Page):
    return page.get_by_role("listitem").locator("span")


def add(page: Page, title: str) -> None:
    page.get_by_label("Title").fill(title)
    button(page, "Add").click()


def inputs(proxy: Proxy) -> int:
    return len(proxy.matching("POST", "/inputs"))


@pytest.mark.core("It loads in two steps")
@pytest.mark.parametrize("is_refused", [False, True], ids=["delayed", "refused"])
def test_buttons_work_without_the_second_part_and_nothing_is_sent_again_when_it_comes(proxy: Proxy, page: Page, is_refused: bool):
    held = None if is_refused else Held(page)
    if is_refused:
        refuse(page)
    session = show(page, "counter-sync", COUNTER, whole=False)
    for value in "123":
        button(page, "More").click()
        expect(status(page, "Value")).to_have_text(value)
    session.send("increase")  # somebody else
    expect(status(page, "Value")).to_have_text("4")
    sent = inputs(proxy)
    if held:
        held.let_go()
        page.wait_for_function("() => document.querySelector('[data-notices]')")
    button(page, "More").click()
    expect(status(page, "Value")).to_have_text("5")
    expect_nothing_waits(page)
    assert session.state["value"] == 5 and inputs(proxy) == sent + 1


@pytest.mark.parametrize("is_refused", [False, True], ids=["delayed", "refused"])
def test_forms_and_lists_work_without_the_second_part(page: Page, is_refused: bool):
    held = None if is_refused else Held(page)
    if is_refused:
        refuse(page)
    session = show(page, "todos", TODOS, whole=False)
    before = len(session.state["todos"])
    for title in "milk", "bread", "cheese":
        add(page, title)
    expect(titles(page)).to_have_count(before + 3)
    expect(titles(page).last).to_have_text("cheese")
    page.get_by_role("listitem").filter(has_text="bread").get_by_role("button").click()
    expect(titles(page).filter(has_text="bread")).to_have_count(0)
    row = page.get_by_role("listitem").filter(has_text="cheese").element_handle()
    if held:
        held.let_go()
        page.wait_for_function("() => document.querySelector('[data-notices]')")
    add(page, "salt")
    expect(titles(page).last).to_have_text("salt")
    assert page.evaluate("(row) => row.isConnected", row)  # the same elements
    assert [todo["title"] for todo in session.state["todos"]][before:] == ["milk", "cheese", "salt"]


@pytest.mark.parametrize("is_refused", [False, True], ids=["delayed", "refused"])
def test_what_is_typed_before_the_second_part_comes_is_sent(page: Page, is_refused: bool):
    held = None if is_refused else Held(page)
    if is_refused:
        refuse(page)
    session = show(page, "login", """<input aria-label="Email" data-value="email" data-input="emailChanged($value)">
      <output aria-label="Shown" data-text="email"></output>""", whole=False)
    page.get_by_label("Email").press_sequentially("ada@")
    expect(status(page, "Shown")).to_have_text("ada@")
    page.get_by_label("Email").press_sequentially("example")
    if held:
        held.let_go()
        page.wait_for_function("() => document.querySelector('[data-notices]')")
    page.get_by_label("Email").press_sequentially(".org")
    expect(status(page, "Shown")).to_have_text("ada@example.org")
    expect(page.get_by_label("Email")).to_have_value("ada@example.org")
    expect(page.get_by_label("Email")).to_be_focused()
    eventually(lambda: session.state["email"] == "ada@example.org")


@pytest.mark.parametrize("comes_first", ["the second part", "the network"])
def test_what_is_done_in_an_outage_before_the_second_part_comes_is_applied_once_and_in_order(proxy: Proxy, page: Page, comes_first: str):
    held = Held(page)
    session = show(page, "todos", TODOS, whole=False)
    before = len(session.state["todos"])
    proxy.held.add("/sessions")
    for title in "milk", "bread":
        add(page, title)
    eventually(lambda: inputs(proxy))
    proxy.cut()
    add(page, "cheese")
    if comes_first == "the network":
        proxy.held.clear()
        proxy.mend()
        expect(titles(page)).to_have_count(before + 3)
        held.let_go()
    else:
        held.let_go()
        expect(notices(page)).to_contain_text("3 changes will be sent.")
        proxy.held.clear()
        proxy.mend()
        expect(titles(page)).to_have_count(before + 3)
    expect_nothing_waits(page)
    assert [todo["title"] for todo in session.state["todos"]][before:] == ["milk", "bread", "cheese"]


def test_what_waits_survives_a_reload_though_the_second_part_never_came(proxy: Proxy, page: Page):
    held = Held(page)
    session = show(page, "todos", TODOS, whole=False)
    before = len(session.state["todos"])
    proxy.held.add("/sessions")
    for title in "milk", "bread":
        add(page, title)
    eventually(lambda: inputs(proxy))
    stored = page.evaluate("JSON.stringify({ ...sessionStorage })")
    assert "milk" in stored and "bread" in stored
    page.reload()
    proxy.sever()
    proxy.held.clear()
    expect_connection(page, "live")
    add(page, "cheese")
    held.let_go()
    expect(titles(page)).to_have_count(before + 3)
    assert [todo["title"] for todo in session.state["todos"]][before:] == ["milk", "bread", "cheese"]


def test_a_refused_input_is_shown_once_the_second_part_comes_and_those_behind_it_are_not_sent(page: Page):
    held = Held(page)
    session = show(page, "counter-sync", COUNTER + """<button data-input="nonsense">Wrong</button>""", whole=False)
    button(page, "Wrong").click()
    button(page, "More").click()
    held.let_go()
    expect(notices(page)).to_contain_text("could not be saved")
    assert session.state["value"] == 0
    button(page, "More").click()
    expect(status(page, "Value")).to_have_text("1")


def test_every_tab_is_live_without_the_second_part(page: Page, context):
    session = show(page, "counter-sync", COUNTER, whole=False)
    other = context.new_page()
    refuse(other)
    show(other, "counter-sync", COUNTER, whole=False)
    button(page, "More").click()
    for tab in page, other:
        expect(status(tab, "Value")).to_have_text("1")
    button(other, "More").click()
    for tab in page, other:
        expect(status(tab, "Value")).to_have_text("2")
    assert session.state["value"] == 2
