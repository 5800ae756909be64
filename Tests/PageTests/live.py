"""Functions for the tests of live pages: a page's session, connection, notices and controls."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, Locator, Page, expect

from http_session import HTTPSession
from proxy import is_stream
from waiting import eventually

NEW_SESSION = re.compile("new session|start (again|over|anew)", re.I)
DISMISS = re.compile("dismiss", re.I)
# By the address in the page, so that no request is needed, and the page's own sessions are found.
CLIENT = """const { session } = await import(document.querySelector('script[src*="uifusion.js"]')?.src ?? '/uifusion.js');"""


def root(page: Page, view_model: str = "") -> Locator:
    """The element that is bound to the page's session."""
    return page.locator(f"[data-view-model='{view_model}']" if view_model else "[data-view-model]").first


def open_live(page: Page, address: str) -> HTTPSession:
    """Opens a page, waits until it is live, and returns its session for HTTP."""
    page.goto(address)
    return shown_session(page)


def shown_session(page: Page, view_model: str = "") -> HTTPSession:
    expect_connection(page, "live", view_model)
    id = root(page, view_model).get_attribute("data-session")
    url = page.evaluate("location.origin")
    return HTTPSession(url, id)


def expect_connection(page: Page, connection: str, view_model: str = "") -> None:
    expect(root(page, view_model)).to_have_attribute("data-connection", connection)


def expect_shown(page: Page, session: HTTPSession) -> None:
    """Waits until the page shows the session's State. Of States that follow one another closely it shows the last one."""
    page.wait_for_function(f"""async ([id, version]) => {{
      {CLIENT}
      const its = [...document.querySelectorAll('[data-view-model]')].find((root) => root.dataset.session === id)?.dataset;
      if (!its || session(its.viewModel, {{ name: its.name, shared: its.shared }}).version < version) return false;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return true;
    }}""", arg=[session.id, session.snapshot["version"]])


def expect_settled(page: Page, session: HTTPSession) -> None:
    """Waits until the session's work has ended, such as the loading at its start, and until the page shows what it has led to."""
    session.reaches(lambda state: session.snapshot["settled"])
    expect_shown(page, session)


def expect_nothing_waits(page: Page) -> None:
    expect(root(page)).not_to_have_attribute("data-waiting", re.compile("."))


def waiting(page: Page, count: int) -> None:
    expect(root(page)).to_have_attribute("data-waiting", str(count))


def status(page: Page | Locator, name: str) -> Locator:
    """The element with the role `status` of that name."""
    return page.get_by_role("status", name=name, exact=True)


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def notices(page: Page) -> Locator:
    return page.locator("[data-notices]")


def live_tabs(context: BrowserContext, address: str, count: int) -> list[Page]:
    """Opens tabs of one browser on an address, and waits until they are live."""
    tabs = [context.new_page() for _ in range(count)]
    for tab in tabs:
        tab.goto(address)
    for tab in tabs:
        expect_connection(tab, "live")
    return tabs


@contextmanager
def clicking_once_enabled(page: Page, input: str) -> Iterator[None]:
    """Has the page itself click a control as soon as it can be used, however short that is; waits for that at the end."""
    page.locator(f"[data-input={input}]").evaluate("""(control) => new MutationObserver((_, observer) => {
      if (control.hidden || control.ariaDisabled === 'true') return;
      observer.disconnect();
      control.click();
      window.hasClicked = true;
    }).observe(control, { attributes: true })""")
    yield
    page.wait_for_function("() => window.hasClicked")
    expect_nothing_waits(page)


def in_client(page: Page, view_model: str, work: str, argument=None):
    """Calls a JavaScript function with the page's session, as a script of the page could."""
    return page.evaluate(
        f"""async (argument) => {{
          {CLIENT}
          return await ({work})(session('{view_model}'), argument);
        }}""",
        argument,
    )


class Leading:
    """Tells which tab has the stream: the last one that requested it. Create it before the tabs."""

    def __init__(self, context: BrowserContext):
        self._asked: list[Page] = []
        context.on("request", self._note)

    def _note(self, request) -> None:
        if is_stream(request.url):
            self._asked.append(request.frame.page)

    def tab(self) -> Page:
        return self._asked[-1]

    def tab_but(self, page: Page) -> Page:
        """Waits until a tab other than `page` leads, and returns it."""

        def successor() -> Page | None:
            return self.tab() if self.tab() is not page else None

        return eventually(successor, "another tab leads")
