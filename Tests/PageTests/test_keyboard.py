"""Every page can be used with the keyboard alone, and shows the focus."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from live import button, open_live, status
from written_page import show


def tab_to(page: Page, control: Locator) -> None:
    """Presses Tab until the control has the focus, which must be visible."""
    expect(control).to_be_visible()
    for _ in range(80):
        if control.evaluate("(element) => element === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(control).to_be_focused()
    assert control.evaluate(
        "(element) => { const { outlineStyle, boxShadow } = getComputedStyle(element);"
        " return outlineStyle !== 'none' || boxShadow !== 'none' || element.matches('input'); }"
    ), "the focus is not to be seen"


def press(page: Page, name: str, key: str = "Enter") -> None:
    tab_to(page, button(page, name))
    expect(button(page, name)).to_be_enabled()
    page.keyboard.press(key)


@pytest.mark.parametrize("name, steps, shows", [
    ("counter", ["Increase"], ("Value", "1")),
    ("counter-sync", ["Increase", "Increase", "Decrease"], ("Value", "1")),
    ("counter-reducer", ["Increment"], ("Count", "1")),
    ("counter-reactor", ["Increment", "Increment slowly"], ("Count", "2")),
    ("calculator", ["4", "×", "2", "="], ("Display", "8")),
    ("auto-refresh", ["Refresh"], None),
    ("multi-timer", ["Start all", "Stop all"], None),
])
def test_buttons_are_pressed_with_enter_and_space(page: Page, name: str, steps: list[str], shows):
    open_live(page, f"/{name}.html")
    for place, step in enumerate(steps):
        press(page, step, ["Enter", "Space"][place % 2])
    if shows:
        expect(status(page, shows[0])).to_have_text(shows[1])


def test_the_calculator_takes_the_keys_of_the_keyboard(page: Page):
    open_live(page, "/calculator.html")
    page.keyboard.type("12+30=")
    expect(status(page, "Display")).to_have_text("42")
    page.keyboard.type("c")
    expect(status(page, "Display")).to_have_text("0")
    page.keyboard.type("9*2/3-1")
    page.keyboard.press("Enter")
    expect(status(page, "Display")).to_have_text("5")


@pytest.mark.core("data-keys-switch")
def test_single_character_keys_can_be_turned_off_permanently(page: Page):
    open_live(page, "/calculator.html")
    page.get_by_role("checkbox", name=re.compile("^Keys")).uncheck()
    page.get_by_role("heading", name="Calculator").click()
    page.keyboard.type("12")
    open_live(page, "/calculator.html")
    expect(page.get_by_role("checkbox", name=re.compile("^Keys"))).not_to_be_checked()
    page.keyboard.type("3")
    button(page, "4").click()
    expect(status(page, "Display")).to_have_text("4")
    page.keyboard.press("Escape")  # not a character
    expect(status(page, "Display")).to_have_text("0")
    page.get_by_role("checkbox", name=re.compile("^Keys")).check()
    page.get_by_role("heading", name="Calculator").click()
    page.keyboard.type("5")
    expect(status(page, "Display")).to_have_text("5")


def test_an_alert_takes_the_focus_and_gives_it_back(page: Page):
    open_live(page, "/counter.html")
    press(page, "Show")
    alert = page.get_by_role("dialog", name="알림")
    expect(button(alert, "닫기")).to_be_focused()
    page.keyboard.press("Enter")
    expect(alert).to_be_hidden()
    expect(button(page, "Show")).to_be_focused()


def test_fan_out_is_tapped(page: Page):
    open_live(page, "/fan-out.html")
    tab_to(page, page.get_by_role("button"))
    page.keyboard.press("Enter")
    expect(button(page, "Button Tapped: 1")).to_be_focused()


def test_a_search_is_typed_and_cleared(page: Page):
    open_live(page, "/search.html")
    box = page.get_by_role("searchbox", name="Search", exact=True)
    tab_to(page, box)
    page.keyboard.type("abc")
    expect(page.get_by_role("list", name="Results").get_by_role("listitem")).to_have_count(5)
    press(page, "Clear")
    expect(box).to_have_value("")


def test_the_countdown_is_set_and_started(page: Page):
    session = open_live(page, "/countdown.html")
    tab_to(page, page.get_by_role("spinbutton", name="Seconds"))
    page.keyboard.press("Control+A")
    page.keyboard.type("60")
    press(page, "Start")
    session.reaches(lambda state: state["isRunning"] and 50 < state["remaining"] <= 60)
    press(page, "Pause")
    session.reaches(lambda state: not state["isRunning"])


def test_a_todo_is_added_done_renamed_and_deleted(page: Page):
    session = open_live(page, "/todos.html")
    tab_to(page, page.get_by_role("textbox", name="New todo"))
    page.keyboard.type("milk")
    page.keyboard.press("Enter")
    todos = page.get_by_role("list", name="Todos")
    tab_to(page, todos.get_by_role("checkbox", name="milk"))
    page.keyboard.press("Space")
    session.reaches(lambda state: state["todos"][0]["isDone"])
    tab_to(page, todos.get_by_role("button", name=re.compile("^Rename")))
    page.keyboard.press("Enter")
    page.keyboard.press("Control+A")
    page.keyboard.type("tea")
    page.keyboard.press("Enter")
    session.reaches(lambda state: state["todos"][0]["title"] == "tea")
    tab_to(page, todos.get_by_role("button", name=re.compile("^Delete")))
    page.keyboard.press("Enter")
    if page.get_by_role("dialog").count():
        page.keyboard.press("Enter")
    session.reaches(lambda state: not state["todos"])


def test_a_user_logs_in(page: Page):
    session = open_live(page, "/login.html")
    tab_to(page, page.get_by_role("textbox", name="Email"))
    page.keyboard.type("ada@example.com")
    page.keyboard.press("Tab")
    page.keyboard.type("password")
    page.keyboard.press("Enter")
    session.reaches(lambda state: state["step"] == "done")


def test_a_user_chats(page: Page):
    session = open_live(page, "/chat.html")
    tab_to(page, page.get_by_role("textbox", name="Name"))
    page.keyboard.type("Ada")
    press(page, "Connect")
    session.reaches(lambda state: state["isConnected"])
    press(page, "Dismiss")
    tab_to(page, page.get_by_role("textbox", name="Message"))
    page.keyboard.type("by keyboard")
    press(page, "Send")
    expect(page.get_by_role("log", name="Messages")).to_contain_text("by keyboard")


def test_a_product_is_bought(page: Page):
    session = open_live(page, "/shop.html")
    tea = page.get_by_role("list", name="Products").get_by_role("listitem").filter(has_text="Tea")
    tab_to(page, tea.get_by_role("button", name=re.compile("^Add")))
    page.keyboard.press("Enter")
    session.reaches(lambda state: state["cart"])
    quantity = page.get_by_role("list", name="Cart").get_by_role("spinbutton", name="Quantity")
    tab_to(page, quantity)
    page.keyboard.press("ArrowUp")
    session.reaches(lambda state: state["cart"][0]["quantity"] == 2)
    press(page, "Check out")
    session.reaches(lambda state: state["ordered"]["value"] == 1)


@pytest.mark.parametrize("shown, opens", [("isOpen", 'data-set="isOpen: true"'), ("value is 1", 'data-input="increase"')])
def test_a_dialog_that_a_key_opens_does_not_wait_for_a_pause_in_typing(page: Page, shown: str, opens: str):
    page.add_init_script("""const after = setTimeout;
      window.setTimeout = (act, time, ...values) => (time <= 500 || time > 1000) && after(act, time, ...values);""")
    show(page, "counter-sync", f"""<div data-local="isOpen: false"><input aria-label="Text">
      <button data-keys="Control+k" {opens}>Open</button>
      <dialog data-open="{shown}"><input aria-label="Search"></dialog></div>""")
    page.get_by_label("Text").focus()
    page.keyboard.type("abc")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.type("xyz")
    expect(page.get_by_label("Search")).to_have_value("xyz")
