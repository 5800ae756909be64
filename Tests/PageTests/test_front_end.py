"""The examples of the article FrontEnd.md, as a reader would copy them."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from service import ROOT
from written_page import POLICY

ARTICLE = (ROOT / "Sources/Service/UIFusionServer/UIFusionServer.docc/FrontEnd.md").read_text()


def example(language: str) -> str:
    return re.search(rf"```{language}\n(.*?)```", ARTICLE, re.S)[1]


class Votes:
    """Stands in for the README's view model, which the service of these tests does not have."""

    def __init__(self, page: Page, url: str):
        self.votes: dict[str, int] = {}
        self.version = 1
        self.waiting: list[Route] = []
        page.route(f"{url}/", lambda route: route.fulfill(
            content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": POLICY}, body=example("html")))
        page.route("**/view-models/votes", lambda route: route.fulfill(json={"inputs": []}))
        page.route("**/sessions/*", lambda route: None)
        page.route("**/sessions?*", self.show)
        page.route("**/events?*", self.follow)
        page.route("**/inputs", self.take)

    def follow(self, route: Route) -> None:
        """Answers once there is more than the page has seen. Several requests may wait: a page gives up one for another."""
        [seen] = parse_qs(urlsplit(route.request.url).query).get("after", ["0"])
        self.waiting.append(route) if seen == str(self.version) else self.show(route)

    def show(self, route: Route) -> None:
        event = {"session": "a" * 22, "event": "state", "id": str(self.version), "version": self.version, "state": {"votes": self.votes}}
        route.fulfill(content_type="application/x-ndjson", body=f"{json.dumps(event)}\n")

    def take(self, route: Route) -> None:
        body = route.request.post_data_json
        for input in body if isinstance(body, list) else [body]:
            self.votes = {} if input == "clear" else self.votes | {input["vote"]: self.votes.get(input["vote"], 0) + 1}
            self.version += 1
        route.fulfill(status=204, headers={"ETag": f'"{self.version}"'})
        for waiting in self.waiting:
            self.show(waiting)
        self.waiting.clear()


@pytest.mark.core("The first page", "How to test it")
def test_the_first_page_passes_its_test(page: Page, url: str):
    Votes(page, url)
    names = {"expect": expect, "url": url}
    exec(example("python"), names)
    names["test_a_vote_is_counted"](page)
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("dialog").get_by_role("button", name="Clear").click()
    expect(page.get_by_role("definition")).to_have_count(0)
    expect(page.get_by_text("Nobody has voted yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Clear")).to_have_attribute("aria-disabled", "true")


@pytest.mark.core("With a script")
def test_a_page_with_a_script_shows_and_sends(page: Page, url: str):
    html = '<!doctype html><html lang="en"><title>Count</title><link rel="icon" href="/favicon.svg"><output>–</output><button>Increase</button><script type="module" src="mine.js"></script>'
    page.route(f"{url}/mine.html", lambda route: route.fulfill(content_type="text/html", body=html))
    page.route(f"{url}/mine.js", lambda route: route.fulfill(content_type="text/javascript", body=example("js")))
    page.goto("/mine.html")
    expect(page.locator("output")).to_have_text("0")
    page.get_by_role("button", name="Increase").click()
    expect(page.locator("output")).to_have_text("1")
