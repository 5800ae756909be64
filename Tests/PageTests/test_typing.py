"""The user's text wins, on the page and in State, however slow the network is."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from http_session import times_begun
from live import expect_nothing_waits, open_live, shown_session
from proxy import Proxy

TEXT = "hello world swift"


def type_elsewhere(page: Page, text: str) -> None:
    """Starts to type into the focused field, and does not wait until all is typed."""
    page.evaluate("""(text) => {
      const type = (place) => {
        if (place === text.length) return;
        document.execCommand('insertText', false, text[place]);
        setTimeout(type, 60, place + 1);
      };
      type(0);
    }""", text)


def type_timed(page: Page, text: str) -> int:
    """Types into the focused field, one key in 60 ms; returns the number of pauses because of a busy machine.

    During such a pause the service may start a search."""
    page.evaluate("""() => {
      let last;
      window.pauses = 0;
      document.activeElement.addEventListener('input', ({ timeStamp }) => {
        if (timeStamp - last > 150) window.pauses += 1;
        last = timeStamp;
      });
    }""")
    page.keyboard.type(text, delay=60)
    return page.evaluate("pauses")


@pytest.mark.parametrize("milliseconds", [0, 100, 200, 500])
def test_a_search_ends_with_what_was_typed_and_starts_few_searches(
    proxy: Proxy, context: BrowserContext, milliseconds: int
):
    search, todos = context.new_page(), context.new_page()
    session, other = open_live(search, "/search.html"), open_live(todos, "/todos.html")
    proxy.latency = milliseconds / 1000
    box = search.get_by_role("searchbox", name="Search", exact=True)
    new = todos.get_by_role("textbox", name="New todo")
    box.focus()
    new.focus()
    with session.recorded() as events:
        type_elsewhere(todos, "another text")
        pauses = type_timed(search, TEXT)
        session.reaches(lambda state: state["query"] == TEXT and state["results"] and not state["isSearching"])
        expect(box).to_have_value(TEXT)
        expect(search.get_by_role("list", name="Results").get_by_role("listitem").first).to_contain_text(TEXT)
        assert times_begun(events, "isSearching") <= 3 + pauses
    expect(new).to_have_value("another text")
    new.press("Enter")
    other.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["another text"])
    expect(box).to_have_value(TEXT)


@pytest.mark.parametrize("milliseconds", [0, 100, 200, 500])
def test_two_tabs_type_into_two_fields_of_one_session(proxy: Proxy, context: BrowserContext, milliseconds: int):
    one, two = context.new_page(), context.new_page()
    session = open_live(one, "/shop.html")
    open_live(two, "/shop.html")
    session.send({"add": {"productID": "cheese"}})
    query = one.get_by_role("searchbox", name="Search products")
    quantity = two.get_by_role("list", name="Cart").get_by_role("spinbutton", name="Quantity")
    expect(quantity).to_be_visible()
    proxy.latency = milliseconds / 1000
    query.focus()
    quantity.focus()
    quantity.select_text()
    with session.recorded() as events:
        type_elsewhere(two, "47")
        pauses = type_timed(one, TEXT)
        expect(quantity).to_have_value("47")
        two.keyboard.press("Tab")
        session.reaches(lambda state: state["query"] == TEXT and not state["isLoading"] and not state["products"])
        assert times_begun(events, "isLoading") <= 3 + pauses
    session.reaches(lambda state: state["cart"][0]["quantity"] == 47)
    for page in one, two:
        expect(page.get_by_role("searchbox", name="Search products")).to_have_value(TEXT)
        expect(page.get_by_role("spinbutton", name="Quantity")).to_have_value("47")


def test_a_change_by_another_client_is_shown_in_a_field_in_which_the_user_does_not_type(page: Page):
    session = open_live(page, "/search.html")
    box = page.get_by_role("searchbox", name="Search", exact=True)
    box.press_sequentially("mine")
    session.reaches(lambda state: state["query"] == "mine")
    session.send({"queryChanged": "theirs"})
    expect(box).to_have_value("theirs")


def test_a_cancelled_input_method_sends_nothing(page: Page):
    session = open_live(page, "/search.html")
    box = page.get_by_role("searchbox", name="Search", exact=True)
    box.press_sequentially("mine")
    session.reaches(lambda state: state["query"] == "mine")
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "ㅎ", "selectionStart": 1, "selectionEnd": 1})
    expect(box).to_have_value("mineㅎ")
    session.send({"queryChanged": "theirs"})
    keyboard.send("Input.imeSetComposition", {"text": "", "selectionStart": 0, "selectionEnd": 0})
    expect(box).to_have_value("theirs")
    page.keyboard.press("Tab")
    expect_nothing_waits(page)
    assert session.state["query"] == "theirs"


def test_the_caret_stays_where_the_user_has_put_it(proxy: Proxy, page: Page):
    session = open_live(page, "/search.html")
    proxy.latency = 0.1
    box = page.get_by_role("searchbox", name="Search", exact=True)
    box.press_sequentially("held", delay=60)
    session.reaches(lambda state: state["query"] == "held")
    box.press("Home")
    box.press("ArrowRight")
    box.press_sequentially("ELLO WO", delay=60)
    session.reaches(lambda state: state["query"] == "hELLO WOeld")
    expect(box).to_have_value("hELLO WOeld")
    assert box.evaluate("(field) => field.selectionStart") == 8


def test_typed_text_is_sent_before_the_input_that_needs_it(proxy: Proxy, page: Page):
    """A click right after typing sends the typed text first."""
    session = open_live(page, "/login.html")
    proxy.latency = 0.2
    page.get_by_role("textbox", name="Email").fill("ada@example.com")
    page.get_by_label("Password", exact=True).fill("password")
    session.reaches(lambda state: state["isFormValid"])
    page.get_by_role("textbox", name="Email").fill("2fa@example.com")
    page.get_by_role("button", name="Log in", exact=True).click()
    session.reaches(lambda state: state["step"] == "twoFactor")


def test_a_number_field_sends_nothing_while_it_has_no_number(page: Page):
    session = open_live(page, "/countdown.html")
    seconds = page.get_by_role("spinbutton", name="Seconds")
    seconds.fill("")
    seconds.press("Tab")
    seconds.fill("7")
    seconds.press("Tab")
    session.reaches(lambda state: state["remaining"] == 7)


@pytest.mark.core("A field keeps the user's text", "data-waiting")
@pytest.mark.expects_errors(r"net::ERR_")
def test_text_typed_during_an_outage_wins_over_states(context: BrowserContext, page: Page):
    session = open_live(page, "/search.html")
    box = page.get_by_role("searchbox", name="Search", exact=True)
    context.set_offline(True)
    box.press_sequentially(TEXT, delay=20)
    expect(page.locator("[data-waiting]")).to_have_count(1)
    expect(box).to_have_value(TEXT)
    context.set_offline(False)
    session.reaches(lambda state: state["query"] == TEXT)
    expect(box).to_have_value(TEXT)


@pytest.mark.core
def test_text_typed_before_the_client_has_loaded_is_sent(proxy: Proxy, page: Page):
    proxy.held.add("/uifusion.js")
    page.goto("/search.html", wait_until="commit")
    box = page.get_by_role("searchbox", name="Search", exact=True)
    expect(box).to_be_focused()
    page.keyboard.type("early")
    page.keyboard.press("Enter")
    proxy.held.clear()
    shown_session(page).reaches(lambda state: state["query"] == "early")
    expect(box).to_have_value("early")


def test_a_form_submitted_before_the_client_has_loaded_puts_no_password_into_the_address(proxy: Proxy, page: Page):
    proxy.held.add("/uifusion.js")
    page.goto("/login.html", wait_until="commit")
    page.get_by_label("Email").fill("ada@example.com")
    page.get_by_label("Password").fill("hunter2")
    page.keyboard.press("Enter")
    proxy.held.clear()
    shown_session(page).reaches(lambda state: state["email"] == "ada@example.com")
    assert "hunter2" not in page.url
    assert not [request for request in proxy.requests if "hunter2" in request.path]
