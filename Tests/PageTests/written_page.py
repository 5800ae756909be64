"""A page that a test writes itself, for what no page of the service contains."""

from playwright.sync_api import Page

from http_session import HTTPSession
from live import shown_session

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"


def show(page: Page, view_model: str, body: str, query: str = "", client: str = "/uifusion.js",
         until: str = "load") -> HTTPSession:
    """Opens a page with the service's policy, waits until it is live, and returns its session."""
    page.route("**/written-here.html*", lambda route: route.fulfill(
        content_type="text/html; charset=utf-8",
        headers={"Content-Security-Policy": POLICY},
        body=f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Test</title>
          <link rel="icon" href="/favicon.svg">
          <script type="module" src="{client}"></script></head>
          <body><main data-view-model="{view_model}">{body}</main></body></html>""",
    ))
    page.goto(f"/written-here.html{query}", wait_until=until)
    return shown_session(page)
