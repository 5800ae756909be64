"""A page that a test writes itself, for what no page of the service contains."""

from playwright.sync_api import Page, expect

from http_session import HTTPSession
from live import notices, shown_session

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"


def show(page: Page, view_model: str, body: str, query: str = "", client: str = "/uifusion.js",
         until: str = "load", known: str = "", whole: bool = True) -> HTTPSession:
    """Opens a page with the service's policy, waits until it is live, and returns its session.

    The whole page has the client's second module, and knows the schema of the Input `known`; both come after the page is live.
    """
    mark = f'<p data-show="$.allowed.{known}" hidden>types are known</p>' if known else ""
    page.route("**/written-here.html*", lambda route: route.fulfill(
        content_type="text/html; charset=utf-8",
        headers={"Content-Security-Policy": POLICY},
        body=f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Test</title>
          <link rel="icon" href="/favicon.svg">
          <script type="module" src="{client}"></script></head>
          <body><main data-view-model="{view_model}">{body}{mark}</main></body></html>""",
    ))
    page.goto(f"/written-here.html{query}", wait_until=until)
    session = shown_session(page)
    if whole:
        expect(notices(page).first).to_be_attached()
    if known:
        expect(page.get_by_text("types are known")).to_be_visible()
    return session
