"""Back and forward: the page comes back as it was left, live, and an address leads to the same view."""

import os
import re

import pytest
from playwright.sync_api import Page, Playwright, expect

from conftest import launch
from http_session import eventually
from live import button, open_live, status


@pytest.fixture
def keeping_page(playwright: Playwright, make_context):
    """A page of a browser with a back/forward cache: Playwright turns it off, and the headless shell has none."""
    browser = launch(playwright, os.environ["CHROMIUM"], ignore_default_args=["--disable-back-forward-cache"])
    yield make_context(browser).new_page()
    browser.close()


def test_a_page_from_the_back_forward_cache_is_live(keeping_page: Page):
    page = keeping_page
    session = open_live(page, "/counter-sync.html")
    devtools = page.context.new_cdp_session(page)

    def seen(expression: str):
        return devtools.send("Runtime.evaluate", {"expression": expression})["result"].get("value")

    button(page, "Increase").click()
    expect(status(page, "Value")).to_have_text("1")
    seen("addEventListener('pageshow', (event) => { window.wasKept = event.persisted; })")
    page.goto("/search.html")
    session.send("increase", "increase")
    # Playwright takes no notice of a page that comes back: what follows goes through DevTools.
    history = devtools.send("Page.getNavigationHistory")
    devtools.send("Page.navigateToHistoryEntry", {"entryId": history["entries"][history["currentIndex"] - 1]["id"]})
    eventually(lambda: seen("window.wasKept"), "the page comes from the cache; else: " + str(
        seen("JSON.stringify(performance.getEntriesByType('navigation')[0].notRestoredReasons)")))
    connection = "document.querySelector('[data-view-model]').dataset.connection"
    eventually(lambda: seen(connection) == "live", "live again")
    eventually(lambda: "3" in seen("document.querySelector('[data-view-model]').innerText"), "the newest State")
    session.send("increase")
    eventually(lambda: "4" in seen("document.querySelector('[data-view-model]').innerText"), "what comes after")


def test_a_search_is_in_the_address_and_a_link_opens_it(page: Page, make_context):
    open_live(page, "/search.html")
    page.get_by_role("searchbox", name="Search", exact=True).press_sequentially("abc", delay=20)
    expect(page).to_have_url(re.compile(r"[?&]\w+=abc\b"))
    elsewhere = make_context().new_page()
    elsewhere.goto(page.url)
    expect(elsewhere.get_by_role("searchbox", name="Search", exact=True)).to_have_value("abc")
    expect(elsewhere.get_by_role("list", name="Results").get_by_role("listitem")).to_have_count(5)


def test_a_filter_is_in_the_address_and_back_and_forward_are_inputs(page: Page):
    session = open_live(page, "/todos.html")
    page.get_by_role("radio", name="Active").check()
    session.reaches(lambda state: state["filter"] == "active")
    expect(page).to_have_url(re.compile("=active"))
    page.get_by_role("radio", name="Completed").check()
    session.reaches(lambda state: state["filter"] == "completed")
    page.go_back()
    session.reaches(lambda state: state["filter"] == "active")
    expect(page.get_by_role("radio", name="Active")).to_be_checked()
    page.go_forward()
    session.reaches(lambda state: state["filter"] == "completed")
    expect(page.get_by_role("radio", name="Completed")).to_be_checked()


def test_a_page_that_is_left_and_opened_again_shows_the_same_session(page: Page):
    session = open_live(page, "/counter-sync.html")
    button(page, "Increase").click()
    page.goto("/search.html")
    assert open_live(page, "/counter-sync.html").id == session.id
    expect(status(page, "Value")).to_have_text("1")
