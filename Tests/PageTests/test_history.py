"""Back and forward: a page comes back live and as it was left, and its address opens the same view."""

import json
import os
import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Playwright, expect

from conftest import launch
from live import button, expect_nothing_waits, open_live, status
from proxy import Proxy
from waiting import eventually
from written_page import show


@pytest.fixture
def keeping_page(playwright: Playwright, make_context):
    """A page of a browser with a back/forward cache, which Playwright disables and the headless shell lacks."""
    browser = launch(playwright, os.environ["CHROMIUM"], ignore_default_args=["--disable-back-forward-cache"])
    yield make_context(browser).new_page()
    browser.close()


class DevTools:
    """Uses the DevTools protocol, as Playwright does not notice a page that comes back from the cache."""

    def __init__(self, page: Page):
        self.session = page.context.new_cdp_session(page)

    def seen(self, expression: str):
        """Returns the value of an expression; nothing while the browser navigates."""
        with suppress(Error):
            return self.session.send("Runtime.evaluate", {"expression": expression})["result"].get("value")

    def go_back(self) -> None:
        history = self.session.send("Page.getNavigationHistory")
        entry = history["entries"][history["currentIndex"] - 1]
        self.session.send("Page.navigateToHistoryEntry", {"entryId": entry["id"]})


def test_a_page_from_the_back_forward_cache_is_live(keeping_page: Page):
    page = keeping_page
    session = open_live(page, "/counter-sync.html")
    devtools = DevTools(page)
    seen = devtools.seen
    button(page, "Increase").click()
    expect(status(page, "Value")).to_have_text("1")
    seen("addEventListener('pageshow', (event) => { window.wasKept = event.persisted; })")
    page.goto("/search.html")
    session.send("increase", "increase")
    devtools.go_back()
    eventually(lambda: seen("window.wasKept"), "the page comes from the cache; else: " + str(
        seen("JSON.stringify(performance.getEntriesByType('navigation')[0].notRestoredReasons)")))
    connection = "document.querySelector('[data-view-model]').dataset.connection"
    eventually(lambda: seen(connection) == "live", "live again")
    eventually(lambda: "3" in (seen("document.querySelector('[data-view-model]').innerText") or ""), "the newest State")
    session.send("increase")
    eventually(lambda: "4" in (seen("document.querySelector('[data-view-model]').innerText") or ""), "what comes after")


def test_inputs_that_wait_when_a_page_is_left_are_applied_once_by_the_next_one(proxy: Proxy, keeping_page: Page):
    page = keeping_page
    session = open_live(page, "/counter.html")
    devtools = DevTools(page)
    proxy.held.add(f"/sessions/{session.id}/inputs")
    for _ in range(3):
        button(page, "Increase").click()
    page.goto("/counter-two-ways.html")
    proxy.held.clear()
    session.reaches(lambda state: state["value"] == 3)
    devtools.go_back()
    root = "document.querySelector('[data-view-model]')"
    eventually(lambda: devtools.seen("location.pathname") == "/counter.html", "the page is back")
    eventually(lambda: devtools.seen(f"{root}.dataset.connection") == "live", "live again")
    eventually(lambda: not devtools.seen(f"{root}.dataset.waiting"), "nothing waits")
    devtools.seen("[...document.querySelectorAll('button')].find((b) => b.innerText.includes('Increase')).click()")
    session.reaches(lambda state: state["value"] == 4)
    sent = {re.search("(?i)idempotency-key: (.*)", post.head)[1]: json.loads(post.body)
            for post in proxy.matching("POST", "/inputs")}
    assert sum(len(inputs) if isinstance(inputs, list) else 1 for inputs in sent.values()) == 4, "a key for each click"


def test_a_search_is_in_the_address_and_a_link_opens_it(page: Page, make_context):
    open_live(page, "/search.html")
    page.get_by_role("searchbox", name="Search", exact=True).press_sequentially("abc", delay=20)
    expect(page).to_have_url(re.compile(r"[?&]\w+=abc\b"))
    elsewhere = make_context().new_page()
    elsewhere.goto(page.url)
    expect(elsewhere.get_by_role("searchbox", name="Search", exact=True)).to_have_value("abc")
    expect(elsewhere.get_by_role("list", name="Results").get_by_role("listitem")).to_have_count(5)


def test_a_text_that_is_too_long_for_an_address_is_not_in_it(page: Page):
    show(page, "search", """<input aria-label="Search" data-value="query"
      data-input="queryChanged($value)" data-address="at">""")
    page.get_by_label("Search").fill("short")
    expect(page).to_have_url(re.compile("at=short"))
    page.get_by_label("Search").fill("long" * 1_000)
    expect(page).not_to_have_url(re.compile("at="))


@pytest.mark.core("data-address")
def test_a_filter_is_in_the_address_and_back_and_forward_send_inputs(page: Page):
    session = open_live(page, "/todos.html")
    page.get_by_role("radio", name="Active").check()
    session.reaches(lambda state: state["filter"] == "active")
    expect(page).to_have_url(re.compile("=active"))
    page.get_by_role("radio", name="Completed").check()
    session.reaches(lambda state: state["filter"] == "completed")
    expect(page).to_have_url(re.compile("=completed"))
    page.go_back()
    session.reaches(lambda state: state["filter"] == "active")
    expect(page.get_by_role("radio", name="Active")).to_be_checked()
    page.go_forward()
    session.reaches(lambda state: state["filter"] == "completed")
    expect(page.get_by_role("radio", name="Completed")).to_be_checked()


@pytest.mark.core("data-address")
def test_a_choice_before_the_types_are_known_is_in_the_address_like_any_other(page: Page):
    held = []
    page.route("**/view-models/todos", lambda route: held.append(route))
    open_live(page, "/todos.html")
    eventually(lambda: held, "the page asks for the schemas")
    page.get_by_role("radio", name="Active").check()
    held.pop().continue_()
    for name in "Active", "Completed":
        page.get_by_role("radio", name=name).check()
        expect(page).to_have_url(re.compile(f"={name.lower()}$"))


def test_each_change_of_a_hidden_field_is_a_step_of_the_history(page: Page):
    session = show(page, "search", """
      <input type="hidden" data-value="query" data-input="queryChanged($value)" data-address="at">
      <button data-input="queryChanged('a')">A</button><button data-input="queryChanged('a/b')">B</button>""")
    for name, address in [("A", "at=a$"), ("B", "at=a%2Fb$")]:
        button(page, name).click()
        expect(page).to_have_url(re.compile(address))
    page.go_back()
    session.reaches(lambda state: state["query"] == "a")
    page.go_back()
    session.reaches(lambda state: state["query"] == "")
    page.go_forward()
    session.reaches(lambda state: state["query"] == "a")
    page.go_forward()
    session.reaches(lambda state: state["query"] == "a/b")
    expect(page).to_have_url(re.compile("at=a%2Fb$"))


def test_quick_steps_back_and_forward_end_with_the_state_of_the_last_address(proxy: Proxy, page: Page):
    session = show(page, "search", """
      <input type="hidden" data-value="query" data-input="queryChanged($value)" data-address="at">
      <button data-input="queryChanged('a')">A</button><button data-input="queryChanged('b')">B</button>""")
    for name, address in [("A", "at=a$"), ("B", "at=b$")]:
        button(page, name).click()
        expect(page).to_have_url(re.compile(address))
    proxy.latency = 0.3
    page.evaluate("history.back()")
    expect(page).to_have_url(re.compile("at=a$"))
    page.evaluate("history.forward()")
    expect(page).to_have_url(re.compile("at=b$"))
    expect_nothing_waits(page)
    session.reaches(lambda state: state["query"] == "b" and state["results"])
    page.evaluate("history.back()")
    session.reaches(lambda state: state["query"] == "a")
    expect(page).to_have_url(re.compile("at=a$"))


def test_a_step_forward_counts_while_the_step_back_is_on_its_way(proxy: Proxy, page: Page):
    """Of radio buttons, the one that the address names sends, whichever of them waits."""
    session = open_live(page, "/todos.html")
    for name in ("Active", "Completed"):
        page.get_by_role("radio", name=name).check()
        expect(page).to_have_url(re.compile(f"={name.lower()}$"))
    proxy.latency = 0.5
    page.evaluate("history.back()")
    expect(page).to_have_url(re.compile("=active$"))
    page.evaluate("history.forward()")
    expect_nothing_waits(page)
    session.reaches(lambda state: state["filter"] == "completed")
    expect(page).to_have_url(re.compile("=completed$"))


@pytest.mark.core("It finds its session again")
def test_a_page_that_is_left_and_opened_again_shows_the_same_session(page: Page):
    session = open_live(page, "/counter-sync.html")
    button(page, "Increase").click()
    page.goto("/search.html")
    assert open_live(page, "/counter-sync.html").id == session.id
    expect(status(page, "Value")).to_have_text("1")


def test_an_address_with_an_unknown_choice_is_corrected(page: Page):
    open_live(page, "/todos.html?filter=bogus")
    expect(page.get_by_role("radio", name="All")).to_be_checked()
    expect(page).to_have_url(re.compile("filter=all$"))
