"""The first State is shown with the HTML and the client, after two round trips, however long the session takes."""

import pytest
from playwright.sync_api import Page, expect

from conftest import OUTAGE
from http_session import HTTPSession
from live import expect_connection, open_live, shown_session, status
from proxy import Proxy
from waiting import eventually


# The files of the page below: its styles, the client, and the script of its commands.
FILES = {"/style.css", "/examples.css", "/uifusion.js", "/uifusion-more.js", "/copy.js"}


def open_in_two_round_trips(proxy: Proxy, page: Page, address: str) -> None:
    """Opens a page; all of its files are requested before any of them is answered, and nothing else is before the session."""
    proxy.unanswered.update(FILES)
    page.goto(address, wait_until="commit")
    eventually(lambda: len(files(proxy)) > len(FILES), "all files are requested at once")
    proxy.unanswered.clear()


def files(proxy: Proxy) -> list[str]:
    # Inputs are described once the page is live; a browser asks for the icon when it likes.
    others = ("/sessions", "/events", "/view-models/", "/favicon")
    return [request.path.split("?")[0] for request in proxy.requests if not request.path.startswith(others)]


@pytest.mark.parametrize("known", ["a link to a session", "a new visitor"])
def test_state_is_shown_before_any_response_about_the_session(proxy: Proxy, page: Page, known: str):
    address, value = "/counter-sync.html", "0"
    if known == "a link to a session":
        session = HTTPSession.make(proxy.url, "counter-sync")
        session.send("increase", "increase")
        address, value = f"{address}?session={session.id}", "2"
    proxy.requests.clear()
    proxy.held.update({"/sessions", "/events"})
    open_in_two_round_trips(proxy, page, address)
    expect(status(page, "Value")).to_have_text(value)
    assert sorted(files(proxy)) == sorted({"/counter-sync.html"} | FILES)
    shown_by = [request for request in proxy.requests if request.answered]
    assert all(not request.path.startswith(("/sessions", "/events")) for request in shown_by)
    proxy.held.clear()
    expect_connection(page, "live")
    expect(status(page, "Value")).to_have_text(value)


@pytest.mark.core("The first State comes with the page")
@pytest.mark.expects_errors(*OUTAGE)
def test_a_new_session_is_created_and_followed_in_one_request(proxy: Proxy, page: Page):
    open_in_two_round_trips(proxy, page, "/counter-sync.html")
    session = shown_session(page)
    assert sorted(files(proxy)) == sorted({"/counter-sync.html"} | FILES)
    [stream] = proxy.open_streams
    assert stream.method == "POST" and not proxy.matching("GET", "/events")
    session.send("increase")
    expect(status(page, "Value")).to_have_text("1")
    proxy.sever()
    session.send("increase")
    expect(status(page, "Value")).to_have_text("2")
    [stream] = proxy.open_streams
    assert stream.method == "GET" and session.id in stream.path
    assert len(proxy.matching("POST", "/sessions?")) == 1


def test_an_input_that_is_sent_right_after_the_first_paint_is_not_lost(proxy: Proxy, page: Page):
    proxy.held.update({"/sessions", "/events"})
    page.goto("/counter-sync.html", wait_until="commit")
    expect(status(page, "Value")).to_have_text("0")
    page.get_by_role("button", name="Increase", exact=True).click()
    proxy.held.clear()
    expect(status(page, "Value")).to_have_text("1")


@pytest.mark.parametrize("page_name, scripts", [
    ("counter-sync", ["/uifusion.js", "/uifusion-more.js"]),  # has dialogs
    ("multi-timer", ["/uifusion.js"]),
])
def test_the_modules_that_a_page_needs_at_once_are_preloaded(proxy: Proxy, page: Page, page_name: str, scripts: list[str]):
    open_live(page, f"/{page_name}.html")
    preloaded = page.locator("link[rel=modulepreload]")
    hrefs = [link.get_attribute("href") for link in preloaded.all()]
    assert [f"/{href.split('?')[0]}" for href in hrefs] == scripts
    # The second module is loaded in the end, when nothing waits for it.
    eventually(lambda: proxy.matching("GET", "/uifusion-more.js"))
    asked = [request.path for request in proxy.requests if ".js" in request.path]
    assert sorted(path.split("?")[0] for path in asked) == ["/copy.js", "/uifusion-more.js", "/uifusion.js"]
    assert {f"/{href}" for href in hrefs} <= set(asked)


@pytest.mark.parametrize("page_name", ["counter-sync", "multi-timer", "7guis/cells"])
def test_a_second_visit_requests_only_the_page_and_its_session(proxy: Proxy, page: Page, page_name: str):
    open_live(page, f"/{page_name}.html")
    page.wait_for_function("() => document.querySelector('[data-notices]')")  # the second module has loaded
    proxy.requests.clear()
    page.goto("about:blank")
    open_live(page, f"/{page_name}.html")
    page.wait_for_function("() => document.querySelector('[data-notices]')")
    asked = [request.path for request in proxy.requests if not request.path.startswith(("/sessions", "/events", "/view-models"))]
    assert asked == [f"/{page_name}.html"]


def test_a_page_that_does_not_need_the_second_module_is_shown_without_it(proxy: Proxy, page: Page):
    proxy.held.add("/uifusion-more.js")
    open_live(page, "/multi-timer.html")


@pytest.mark.expects_errors(*OUTAGE)
def test_a_page_that_needs_the_second_module_is_shown_once_it_comes(proxy: Proxy, page: Page):
    proxy.held.add("/uifusion-more.js")
    page.goto("/counter-sync.html", wait_until="commit")
    eventually(lambda: proxy.matching("GET", "/uifusion-more.js"))
    # Waits for the first module, whose connection could break as well.
    page.wait_for_function("() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/uifusion.js'))")
    proxy.sever()
    proxy.held.clear()
    expect_connection(page, "live")


@pytest.mark.core("Content-Security-Policy")
def test_the_state_in_the_page_cannot_inject_html(page: Page, url: str):
    """Text of State that looks like HTML stays text, also in the page's source."""
    session = HTTPSession.make(url, "todos")
    hostile = "</script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>"
    session.send({"add": {"title": hostile}})
    open_live(page, f"/todos.html?session={session.id}")
    expect(page.get_by_role("checkbox", name=hostile, exact=True)).to_be_visible()
    assert page.title() != "taken"


@pytest.mark.parametrize("address", ["/shop.html", "/view-models/shop"])
@pytest.mark.parametrize("is_known", [False, True], ids=["a new session", "a session in the address"])
def test_nothing_jumps_while_a_page_loads_on_a_phone(make_context, service, address: str, is_known: bool):
    page = make_context(viewport={"width": 390, "height": 844}).new_page()
    page.add_init_script("""window.shifted = 0;
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shifted += value; })
        .observe({ type: 'layout-shift', buffered: true });""")
    session = open_live(page, address + (f"?session={HTTPSession.make(service.url, 'shop').id}" if is_known else ""))
    session.reaches(lambda state: state["products"])
    expect(page.get_by_text("Coffee").first).to_be_attached()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("shifted") < 0.1
