"""Sessions that a page opens by their names, without a script: the user's own in all their browsers, and shared ones."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from http_session import HTTPSession, call
from live import button
from logins import KEY, NAME, cookie, log_in
from service import Service
from written_page import show

BODY = """
  <section aria-label="Desk" data-view-model="counter-sync" data-name="desk">
    <output data-text="value"></output><button data-input="increase">Desk</button></section>
  <section aria-label="House" data-view-model="counter-sync" data-shared="house">
    <output data-text="value"></output><button data-input="increase">House</button></section>
  <p>{@counter-sync/desk.value} of {@counter-sync/house.value}</p>"""


@pytest.fixture
def service(make_service, tmp_path: Path) -> Service:
    keys = tmp_path / "keys"
    keys.write_text(KEY)
    return make_service("--auth-cookies", str(keys), "--anonymous", "on")


def opened(browser: Browser, service: Service, user: str | None) -> Page:
    """Opens the page in a new browser profile of a user; None for nobody."""
    context: BrowserContext = browser.new_context(base_url=service.url, service_workers="block")
    if user:
        log_in(context, service.url, cookie(user))
    page = context.new_page()
    show(page, "countdown", BODY)
    expect(page.locator("section[data-connection=live]")).to_have_count(2)
    return page


def house(service: Service) -> HTTPSession:
    """The shared session, found or created over HTTP."""
    status, found = call(f"{service.url}/sessions", "POST", {"viewModel": "counter-sync", "name": "house", "scope": "shared"})
    assert status in (200, 201), found
    return HTTPSession(service.url, found["id"])


@pytest.mark.core("data-shared")
def test_a_person_has_one_desk_in_all_browsers_and_everybody_one_house(service: Service, browser: Browser):
    first, second = opened(browser, service, "ada"), opened(browser, service, "ada")
    other, nobody, nobody_else = (opened(browser, service, user) for user in ("bob", None, None))
    for page in (first, other, nobody):
        button(page, "Desk").click()
    button(first, "House").click()
    button(nobody, "House").click()
    # Ada's desk, in both of her browsers; without a login a desk is the browser's.
    for page, desk in ((first, "1"), (second, "1"), (other, "1"), (nobody, "1"), (nobody_else, "0")):
        expect(page.get_by_label("Desk").locator("output")).to_have_text(desk)
        expect(page.get_by_label("House").locator("output")).to_have_text("2")
        expect(page.locator("main > p").first).to_have_text(f"{desk} of 2")
        page.reload()
        expect(page.get_by_label("Desk").locator("output")).to_have_text(desk)
        page.context.close()


def test_a_desk_of_nobody_is_not_that_of_who_signs_in(service: Service, browser: Browser):
    page = opened(browser, service, None)
    desk = page.get_by_label("Desk").locator("output")
    button(page, "Desk").click()
    expect(desk).to_have_text("1")
    nobodys = page.get_by_label("Desk").get_attribute("data-session")
    page.reload()
    expect(page.get_by_label("Desk")).to_have_attribute("data-session", nobodys)
    other = opened(browser, service, "ada")
    button(other, "Desk").click(click_count=2)
    expect(other.get_by_label("Desk").locator("output")).to_have_text("2")
    # Ada signs in where nobody was: the page has her own desk, and the next user's page theirs.
    for user, value in (("ada", "2"), ("bob", "0")):
        log_in(page.context, service.url, cookie(user))
        page.goto("about:blank")
        show(page, "countdown", BODY)
        expect(desk).to_have_text(value)
        assert page.get_by_label("Desk").get_attribute("data-session") != nobodys
    for its in (page, other):
        its.context.close()


def test_a_session_that_an_earlier_client_stored_is_shown_until_it_ends(service: Service, browser: Browser):
    page = opened(browser, service, None)
    made = HTTPSession.make(service.url, "counter-sync")
    made.send("increase", "increase")
    page.evaluate("""(id) => {
      localStorage.removeItem('uifusion.named.counter-sync.desk');
      localStorage.setItem('uifusion.session.counter-sync.desk', id);
    }""", made.id)
    page.reload()
    expect(page.get_by_label("Desk")).to_have_attribute("data-session", made.id)
    expect(page.get_by_label("Desk").locator("output")).to_have_text("2")
    page.context.close()


def test_curl_and_a_page_open_the_same_session_by_its_name(service: Service, browser: Browser):
    house(service).send("increase")
    page = opened(browser, service, "ada")
    expect(page.get_by_label("House").locator("output")).to_have_text("1")
    page.context.close()


@pytest.mark.expects_errors("status of (404|410)")
def test_a_name_is_found_again_after_its_session_has_ended(service: Service, browser: Browser):
    page = opened(browser, service, "ada")
    button(page, "House").click()
    expect(page.get_by_label("House").locator("output")).to_have_text("1")
    id = page.get_by_label("House").get_attribute("data-session")
    page.goto("about:blank")
    assert call(f"{service.url}/sessions/{id}", "DELETE", Cookie=f"{NAME}={cookie('ada')}")[0] == 204
    next = house(service)
    show(page, "countdown", BODY)
    shown = page.get_by_label("House")
    expect(shown).to_have_attribute("data-session", next.id)
    expect(shown.locator("output")).to_have_text("0")
    page.context.close()
