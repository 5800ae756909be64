"""A login ends while a page is open: the user signs in again and no letter is lost, or another user signs in."""

import json
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect

from http_session import call
from live import button, expect_nothing_waits, in_client, root, shown_session
from logins import KEY, NAME, cookie, log_in
from service import ROOT, Service
from waiting import eventually

pytestmark = pytest.mark.expects_errors(r"status of (401|404|412)", r"net::ERR_")

SIGNED_OUT = "You are signed out. Sign in to go on."
SOMEBODY_ELSE = re.compile("Somebody else is signed in now.")
FIELDS = """
  <input aria-label="Email" data-value="email" data-input="emailChanged($value)">
  <form data-input="submit"><textarea aria-label="Note" name="note"></textarea></form>
  <div style="height: 3000px"></div>"""
UNTOUCHED = """
  <input type="checkbox"><input type="checkbox" checked><input type="radio" name="r"><input type="color"><input type="range">
  <select></select><select size="2"><option>a</option></select><select><option>a</option></select>"""


@pytest.fixture
def service(make_service, tmp_path: Path) -> Service:
    keys = tmp_path / "keys"
    keys.write_text(KEY)
    return make_service("--auth-cookies", str(keys))


def settle(page: Page) -> None:
    """Waits until the page has asked who is signed in; it learns of a later user only by a request."""
    page.wait_for_function("""() => {
      const all = performance.getEntriesByType('resource');
      const login = all.find(({ name }) => name.includes('/uifusion-login.js'));
      return all.some(({ name, startTime }) => startTime > login?.startTime && /sessions[/][^/]+$/.test(name));
    }""")


def show(page: Page, html: str, query: str = "", more: str = "") -> None:
    page.context.route("**/typing.html*", lambda route: route.fulfill(
        content_type="text/html; charset=utf-8",
        body=f"""<!doctype html><html lang="en" {html}><head><meta charset="utf-8"><title>Typing</title>
          <link rel="icon" href="/favicon.svg"><script type="module" src="/uifusion.js"></script></head>
          <body><main data-view-model="login">{FIELDS}{more}</main></body></html>""",
    ))
    page.goto(f"/typing.html{query}")


def let_sign_in(context: BrowserContext, id: str) -> None:
    """Serves a login page with the script of the guide's article."""
    html = """<!doctype html><html lang="en"><title>Sign in</title><link rel="icon" href="/favicon.svg">
      <form><label>Name <input name="name"></label><button>Log in</button></form><script src="/sign-in.js"></script>"""
    article = (ROOT / "Sources/Kit/UIFusionKit/UIFusionKit.docc/Identity.md").read_text()
    script = re.search(r"```js\n(.*?)```", article, re.S)[1]

    def answer(route) -> None:
        assert json.loads(route.request.post_data) == {"name": id}
        log_in(context, route.request.url, cookie(id))
        route.fulfill(status=204)

    context.route("**/sign-in?return=*", lambda route: route.fulfill(content_type="text/html", body=html))
    context.route("**/sign-in.js", lambda route: route.fulfill(content_type="text/javascript", body=script))
    context.route(re.compile("//[^/]+/login$"), answer)


def sign_in(page: Page, id: str) -> None:
    page.get_by_label("Name").fill(id)
    button(page, "Log in").click()


def end_login(page: Page) -> None:
    log_in(page.context, page.url, cookie("ada", -1))


def type_until_signed_out(page: Page) -> str:
    """Types while the login ends, and a little longer than until the page says so; returns the typed text."""
    field = page.get_by_label("Email")
    field.focus()
    typed = "first"
    page.keyboard.type(typed, delay=20)
    end_login(page)

    def is_told() -> bool:
        nonlocal typed
        page.keyboard.type("ab", delay=20)
        typed += "ab"
        return page.get_by_text(SIGNED_OUT).is_visible()

    eventually(is_told)
    page.keyboard.type("xyz", delay=20)
    return typed + "xyz"


def expect_all(page: Page, typed: str) -> None:
    expect(page.get_by_text(SIGNED_OUT)).to_have_count(0)
    expect_nothing_waits(page)
    expect(page.get_by_label("Email")).to_have_value(typed)
    eventually(lambda: in_client(page, "login", "({ state }) => state?.email") == typed, "State has all letters")


def lose_login(service: Service, page: Page, html: str) -> tuple[str, str]:
    """Shows a page until its login ends while the user types; returns the session and the typed text."""
    log_in(page.context, service.url, cookie("ada"))
    let_sign_in(page.context, "ada")
    show(page, html)
    session = shown_session(page).id
    page.get_by_label("Note").fill("half a note")
    return session, type_until_signed_out(page)


def expect_the_same(page: Page, session: str, typed: str) -> None:
    expect_all(page, typed)
    expect(page.get_by_label("Note")).to_have_value("half a note")
    assert root(page).get_attribute("data-session") == session


def test_the_page_goes_on_by_itself_after_a_login_in_another_window(service: Service, context: BrowserContext, page: Page):
    session, typed = lose_login(service, page, 'data-login-window="/sign-in?return="')
    with context.expect_page() as opened:
        button(page, "Sign in").click()
    sign_in(opened.value, "ada")
    expect_the_same(page, session, typed)
    eventually(lambda: opened.value.is_closed(), "the window is closed")


@pytest.mark.core
def test_the_page_is_as_before_after_a_login_in_the_same_window(service: Service, page: Page):
    session, typed = lose_login(service, page, 'data-login="/sign-in?return="')
    page.evaluate("scrollTo(0, 700)")
    page.get_by_role("button", name="Sign in").evaluate("(button) => button.click()")
    sign_in(page, "ada")
    expect_the_same(page, session, typed)
    assert page.evaluate("scrollY") == 700


def test_without_a_login_address_the_page_offers_to_try_again(service: Service, context: BrowserContext, page: Page):
    log_in(context, service.url, cookie("ada"))
    show(page, "")
    typed = type_until_signed_out(page)
    page.reload()
    expect(page.get_by_text(SIGNED_OUT)).to_be_visible()
    log_in(context, service.url, cookie("ada"))
    with suppress(Error):  # the page may try again by itself at this moment
        button(page, "Try again").click(timeout=2_000)
    expect_all(page, typed)


def fill_in(service: Service, page: Page) -> str:
    """Shows a page on which Ada has entered her address, which State contains; returns the session."""
    log_in(page.context, service.url, cookie("ada"))
    show(page, "")
    session = shown_session(page).id
    page.get_by_label("Email").fill("ada@example.com")
    eventually(lambda: in_client(page, "login", "({ state }) => state.email") == "ada@example.com")
    # State may come before the response; until then the Input waits, and the page would ask before a reload.
    expect_nothing_waits(page)
    return session


def test_waiting_inputs_are_not_sent_by_another_user(service: Service, context: BrowserContext, page: Page):
    session = fill_in(service, page)
    settle(page)
    log_in(context, service.url, cookie("bob"))
    page.get_by_label("Email").fill("not bob's")
    expect(page.get_by_text(SOMEBODY_ELSE)).to_be_visible()
    expect(page.get_by_label("Email")).not_to_be_visible()
    button(page, "Discard and start anew").click()
    eventually(lambda: root(page).get_attribute("data-session") not in (None, session), "Bob has a session of his own")
    expect(page.get_by_label("Email")).to_have_value("")
    expect(page.get_by_text(SOMEBODY_ELSE)).to_have_count(0)
    assert "not bob's" not in page.content()
    status, its = call(f"{service.url}/sessions/{session}", Cookie=f"{NAME}={cookie('ada')}")
    assert status == 200 and its["state"]["email"] == "ada@example.com"


def test_the_next_user_finds_nothing_of_the_former_and_can_type_at_once(service: Service, context: BrowserContext, page: Page):
    session = fill_in(service, page)
    page.evaluate("sessionStorage.setItem('uifusion.left.', '{}')")
    log_in(context, service.url, cookie("bob"))
    with suppress(Error):  # the page may reload by itself at this moment
        page.reload()
    eventually(lambda: root(page).get_attribute("data-session") not in (None, session), "Bob has a session of his own")
    page.get_by_label("Email").fill("bob@example.com")
    eventually(lambda: in_client(page, "login", "({ state }) => state.email") == "bob@example.com")
    expect(page.get_by_text(SOMEBODY_ELSE)).to_have_count(0)
    kept = page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    assert session not in kept and "uifusion.left" not in kept


@pytest.mark.parametrize("is_told", [False, True], ids=["at once", "after the login's end"])
def test_an_untouched_page_shows_nothing_to_the_next_user(service: Service, context: BrowserContext, page: Page, is_told: bool):
    log_in(context, service.url, cookie("ada", 20 if is_told else 3600))
    show(page, "", more=UNTOUCHED)
    session = shown_session(page).id
    page.get_by_label("Email").fill("ada@example.com")
    eventually(lambda: in_client(page, "login", "({ state }) => state.email") == "ada@example.com")
    expect_nothing_waits(page)
    if is_told:
        expect(page.get_by_text(SIGNED_OUT)).to_be_visible(timeout=60_000)
    log_in(context, service.url, cookie("bob"))
    other = context.new_page()  # the tab in which Bob signs in
    other.goto("/counter-sync.html")
    shown_session(other)
    eventually(lambda: root(page).get_attribute("data-session") not in (None, session), "Bob has a session of his own")
    expect(page.get_by_label("Email")).to_have_value("")
    expect(page.get_by_text(SOMEBODY_ELSE)).to_have_count(0)


def test_the_page_goes_on_when_its_user_is_back(service: Service, context: BrowserContext, page: Page):
    log_in(context, service.url, cookie("ada"))
    show(page, "", more='<input aria-label="Last" data-value="email" data-input="emailChanged($value)">')
    shown_session(page)
    page.get_by_label("Note").fill("unsent")
    page.get_by_label("Last").focus()
    place = page.evaluate("scrollY")
    assert place > 0
    settle(page)
    log_in(context, service.url, cookie("bob"))
    page.get_by_label("Last").fill("still ada's")
    expect(page.get_by_text(SOMEBODY_ELSE)).to_be_visible()
    other = context.new_page()
    other.goto("/counter-sync.html")
    shown_session(other)
    log_in(context, service.url, cookie("ada"))
    expect(page.get_by_text(SOMEBODY_ELSE)).to_have_count(0)
    expect(page.get_by_label("Last")).to_be_focused()
    eventually(lambda: page.evaluate("scrollY") == place, "the page stands where it stood")
    eventually(lambda: in_client(page, "login", "({ state }) => state.email") == "still ada's")


def test_the_alert_can_be_clicked_while_a_dialog_is_open(service: Service, context: BrowserContext, page: Page):
    log_in(context, service.url, cookie("ada"))
    show(page, "", more="<dialog><p>A question</p></dialog>")
    session = shown_session(page).id
    page.get_by_label("Note").fill("unsent")
    page.evaluate("document.querySelector('dialog').showModal()")
    log_in(context, service.url, cookie("bob"))
    in_client(page, "login", "(session) => { session.send({ emailChanged: 'a' }).catch(() => {}); }")
    expect(page.get_by_text(SOMEBODY_ELSE)).to_be_visible()
    expect(page.get_by_text("A question")).not_to_be_visible()
    button(page, "Discard and start anew").click(trial=True)
    assert page.evaluate("document.activeElement.localName") == "dialog", "a key that was meant for a field presses no button"
    for _ in range(3):
        page.keyboard.press("Escape")
    button(page, "Discard and start anew").click()
    eventually(lambda: root(page).get_attribute("data-session") not in (None, session), "Bob has a session of his own")


def test_a_dialog_that_state_opens_does_not_cover_the_alert(service: Service, context: BrowserContext, page: Page):
    log_in(context, service.url, cookie("ada"))
    show(page, "", more="<dialog data-open=\"email is 'asked'\"><button>Answer</button></dialog>")
    session = eventually(lambda: root(page).get_attribute("data-session"))
    page.get_by_label("Note").fill("unsent")
    log_in(context, service.url, cookie("bob"))
    in_client(page, "login", "(session) => { session.send({ emailChanged: 'a' }).catch(() => {}); }")
    expect(page.get_by_text(SOMEBODY_ELSE)).to_be_visible()
    call(f"{service.url}/sessions/{session}/inputs", "POST", {"emailChanged": "asked"}, Cookie=f"{NAME}={cookie('ada')}")
    expect(page.locator("dialog[data-open]")).to_have_attribute("open", "")
    button(page, "Discard and start anew").click(trial=True)


def test_a_logout_clears_the_browsers_storage(service: Service, context: BrowserContext, page: Page):
    log_in(context, service.url, cookie("ada"))
    show(page, "")
    shown_session(page)
    log_in(context, service.url, "out")
    with suppress(Error):  # the page may notice the logout before
        page.get_by_label("Email").fill("secret of ada's", timeout=2_000)
    expect(page.get_by_text(SIGNED_OUT)).to_be_visible()
    expect(page.get_by_label("Email")).to_have_value("")
    kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
    eventually(lambda: not re.search("ada|uifusion.(session|queue|sender)", page.evaluate(kept)), "nothing is kept")


def test_the_login_module_is_requested_again_if_it_did_not_come(service: Service, context: BrowserContext, page: Page):
    asked = []

    def answer(route) -> None:
        asked.append(route.request.url)
        route.abort() if len(asked) < 3 else route.continue_()

    context.route("**/uifusion-login.js*", answer)
    log_in(context, service.url, cookie("ada"))
    show(page, "")
    typed = type_until_signed_out(page)
    assert len(set(asked)) == len(asked) >= 3, "a browser may remember an address that has failed"
    log_in(context, service.url, cookie("ada"))
    expect_all(page, typed)


@pytest.mark.parametrize("back", [
    "https://example.com/", "//example.com", "/\\example.com", "javascript:alert(1)", "data:text/html,x", "http://", "",
])
def test_the_guides_login_does_not_redirect_to_another_origin(url: str, context: BrowserContext, page: Page, back: str):
    let_sign_in(context, "ada")
    page.goto(f"/sign-in?return={quote(back, safe='')}")
    sign_in(page, "ada")
    page.wait_for_url(f"{url}/")


def test_the_guides_login_redirects_back_to_the_page(url: str, context: BrowserContext, page: Page):
    let_sign_in(context, "ada")
    page.goto(f"/sign-in?return={quote('/counter-sync.html?x=1#y', safe='')}")
    sign_in(page, "ada")
    page.wait_for_url(f"{url}/counter-sync.html?x=1#y")
