"""The core of the pages in every browser: State, Inputs, lists, fields, dialogs, dragging, reloads, kills and outages."""

import pytest

from drivers import Driver
from page import Page
from service import PAGES, Service


def value(page: Page):
    return page.at("[role=status][aria-label=Value], output[aria-label=Value]")


def titles(page: Page) -> str:
    return "[...document.querySelectorAll('.title')].filter((title) => title.checkVisibility()).map((title) => title.innerText).join()"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_loaded_and_live(driver: Driver, shared_service: Service, name: str):
    page = Page(driver, shared_service.url)
    page.open(f"/{name}")
    page.at("h1").expect("checkVisibility()", True)
    page.expect("document.readyState", "complete")


def test_state_is_shown_and_inputs_are_sent(page: Page):
    session = page.open("/counter-sync.html")
    value(page).expect_text("0")
    page.at("button", "Increase").click()
    page.at("button", "Increase").click()
    value(page).expect_text("2")
    session.reaches(lambda state: state["value"] == 2)
    session.send("increase")
    value(page).expect_text("3")


def test_two_windows_show_one_session(page: Page):
    session = page.open("/counter-sync.html")
    other = page.new_window()
    assert other.open("/counter-sync.html").id == session.id
    other.at("button", "Increase").click()
    for window in page, other:
        value(window).expect_text("1")


def test_a_list_follows_state_and_keeps_the_text_that_is_typed(page: Page):
    session = page.open("/todos.html")
    page.at("[name=title]").click()
    for title in "milk", "bread":
        page.type(title)
        page.press("Enter")
        page.at("[name=title]").expect("value", "")
    page.expect(titles(page), "milk,bread")
    page.type("te")
    session.send({"add": {"title": "salt"}})
    page.expect(titles(page), "milk,bread,salt")
    page.type("a")
    page.press("Enter")
    page.expect(titles(page), "milk,bread,salt,tea")
    page.at("[type=checkbox]", "bread").click()
    session.reaches(lambda state: state["remaining"] == 3)
    page.at("button", "Clear completed").click()
    page.expect(titles(page), "milk,salt,tea")
    page.at("label", "Completed").click()
    page.expect(titles(page), "")
    page.expect("location.search", "?filter=completed")


def test_a_popover_renames_a_row(page: Page):
    session = page.open("/todos.html")
    session.send({"add": {"title": "milk"}})
    page.at("button", "Rename").click()
    page.expect("document.activeElement.value", "milk")
    page.press("Control+a")
    page.type("oat milk")
    page.press("Enter")
    page.expect(titles(page), "oat milk")
    session.reaches(lambda state: state["todos"][0]["title"] == "oat milk")


def test_a_text_field_sends_what_is_typed(page: Page):
    session = page.open("/7guis/temperature.html")
    celsius, fahrenheit = page.at("input", "Celsius"), page.at("input", "Fahrenheit")
    celsius.fill("100")
    fahrenheit.expect("value", "212")
    fahrenheit.fill("32")
    celsius.expect("value", "0")
    session.reaches(lambda state: state == {"celsius": "0", "fahrenheit": "32"})


def test_a_field_shows_its_error(page: Page):
    page.open("/gallery.html")
    field = page.at("[type=email]")
    field.fill("ada")
    page.press("Tab")
    field.expect("getAttribute('aria-invalid')", "true")
    field.fill("ada@example.com")
    page.press("Tab")
    field.expect("getAttribute('aria-invalid')", None, "false")


def test_a_select_sends_and_a_form_is_sent_by_its_button(page: Page):
    session = page.open("/7guis/flight.html")
    page.at("select").focus()
    page.press("ArrowDown")
    session.reaches(lambda state: state["kind"] == "roundTrip")
    session = page.open("/chat.html")
    page.at("[name=name]").click()
    page.type("Ada")
    page.at("button", "Connect").click()
    session.reaches(lambda state: state["isConnected"])


def test_a_dialog_opens_takes_the_focus_and_is_closed_by_escape(page: Page):
    session = page.open("/counter.html")
    for _ in range(2):
        page.at("button", "Show").click()
        page.expect("document.querySelector('dialog[open]')?.matches(':modal')", True)
        page.expect("document.querySelector('dialog[open]').contains(document.activeElement)", True)
        page.press("Escape")
        page.expect("document.querySelectorAll('dialog[open]').length", 0)
        session.reaches(lambda state: state["activeAlert"] is None)
    page.expect("document.activeElement.innerText", "Show")


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_an_element_is_dragged_to_a_place(page: Page, by: str):
    session = page.open("/gallery.html")
    page.expect("!!document.querySelector('[data-drag][draggable=true]')", True)
    coin, right = page.at("[data-drag]", "Coin"), page.at("section", "Right")
    if by == "mouse":
        coin.drag_to(right)
    else:
        coin.focus()
        page.press("Enter")
        right.focus()
        page.press("Enter")
    session.reaches(lambda state: state["place"] == "right")
    page.expect("document.querySelector('[aria-label=Right]').innerText.trim()", "Coin")


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_row_is_moved_by_its_handle(page: Page, by: str):
    session = page.open("/gallery.html")
    handle = page.at("button", "Move")
    if by == "mouse":
        handle.drag_to(page.at(".handle[aria-description=Tea]"))
    else:
        handle.focus()
        page.press("ArrowDown")
        page.expect("document.activeElement.closest('li')?.previousElementSibling?.innerText.includes('Milk')", True)
        page.press("ArrowDown")
    session.reaches(lambda state: [row["title"] for row in state["rows"]] == ["Milk", "Tea", "Bread"])


def test_a_page_finds_its_session_after_a_reload(page: Page):
    session = page.open("/counter-sync.html")
    page.at("button", "Increase").click()
    value(page).expect_text("1")
    page.reload()
    assert page.session().id == session.id
    value(page).expect_text("1")


def test_inputs_during_a_kill_are_applied_once(page: Page, service: Service):
    session = page.open("/counter-sync.html")
    page.at("button", "Increase").click()
    value(page).expect_text("1")
    service.kill()
    page.expect_connection("stale")
    for _ in range(3):
        page.at("button", "Increase").click()
    page.expect("document.querySelector('[data-view-model]').dataset.waiting", "3")
    service.start()
    value(page).expect_text("4")
    page.expect_connection("live")
    assert session.state["value"] == 4


def test_a_page_that_was_loaded_once_loads_without_the_service(page: Page, service: Service):
    session = page.open("/counter-sync.html")
    session.send("increase")
    page.expect("navigator.serviceWorker.ready.then((worker) => worker.active?.state)", "activated")
    page.expect("caches.match('/counter-sync.html').then((page) => !!page)", True)
    service.kill()
    page.reload()
    page.at("h1").expect("checkVisibility()", True)
    page.expect_connection("connecting")
    service.start()
    assert page.session().id == session.id
    value(page).expect_text("1")


def test_inputs_wait_over_a_reload_without_the_service(page: Page, service: Service):
    session = page.open("/counter-sync.html")
    page.expect("navigator.serviceWorker.ready.then((worker) => worker.active?.state)", "activated")
    page.expect("caches.match('/counter-sync.html').then((page) => !!page)", True)
    service.kill()
    page.expect_connection("stale")
    page.at("button", "Increase").click()
    page.expect("document.querySelector('[data-view-model]').dataset.waiting", "1")
    page.reload()
    page.expect("document.querySelector('[data-view-model]').dataset.waiting", "1")
    service.start()
    value(page).expect_text("1")
    assert page.session().id == session.id and session.state["value"] == 1
