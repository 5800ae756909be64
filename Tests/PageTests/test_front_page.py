"""The front page: a live counter beside its code, commands that send to it, and links to every example."""

import os
import re
import signal
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from conftest import OUTAGE
from http_session import call
from live import button, notices, open_live, shown_session, status
from service import PROGRAM, PUBLIC, ROOT
from waiting import awaited, eventually, run


def test_the_front_page_links_to_each_example(page: Page, url: str):
    page.goto("/")
    names = [model["name"] for model in call(f"{url}/view-models")[1]["viewModels"]]
    for name in names:
        link = page.get_by_role("link", name=f"{name}: console", exact=True)
        expect(link).to_have_attribute("href", f"view-models/{name}")
    for name in "auction-desk", "board-seat":  # shown on the pages of the auction and the board
        names.remove(name)
    names.remove("tally")  # shown on this page
    listed = page.locator("#examples li a:first-child").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
    assert sorted(listed) == sorted(f"{name.replace('guis-', '7guis/')}.html" for name in [*names, "counter-two-ways"])
    page.get_by_role("link", name="Counter, at once", exact=True).click()
    expect(page).to_have_url(re.compile("/counter-sync.html$"))
    expect(page.locator("[data-connection=live]")).to_be_visible()


def test_the_examples_link_to_one_another_in_the_order_of_the_list(page: Page):
    page.goto("/")
    links = page.locator("#examples li a:first-child").evaluate_all("(links) => links.map(({ href, textContent }) => [href, textContent])")
    ways = page.get_by_role("navigation")
    page.goto(links[0][0])
    for (before, _), (after, title) in pairwise(links):
        expect(ways.locator("[rel=next]")).to_have_js_property("href", after)
        page.goto(after)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(ways.locator("[rel=prev]")).to_have_js_property("href", before)
    expect(ways.locator("[rel=next]")).to_have_count(0)
    page.get_by_role("link", name="Examples").click()
    expect(page.get_by_role("heading", name="Examples")).to_be_in_viewport()


@pytest.mark.core("index.html")
def test_the_commands_of_the_page_change_its_counter(context: BrowserContext, page: Page):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_live(page, "/")
    button(page, "Increase").click()
    expect(status(page, "Value")).to_have_text("1")
    for words, value in ("Press Increase from here", "2"), ("Send several steps at once", "1"):
        row = page.get_by_role("listitem").filter(has_text=words).last
        command = row.locator("code").inner_text()
        row.get_by_role("button", name="Copy").click()
        expect(button(row, "Copied")).to_be_visible()
        eventually(lambda: page.evaluate("navigator.clipboard.readText()") == command, "it is copied")
        run("bash", "-c", command)
        expect(status(page, "Value")).to_have_text(value)
    expect(page.get_by_text('"value": 1')).to_be_visible()


@pytest.mark.parametrize("name", ["search", "7guis/crud"])
def test_an_example_has_a_button_to_copy_each_of_its_commands(context: BrowserContext, page: Page, name: str):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    session = open_live(page, f"/{name}.html")
    page.get_by_text("Terminal", exact=True).click()
    commands = page.locator(".commands code")
    copies = page.get_by_role("button", name=re.compile("^Copy: "))
    expect(copies).to_have_count(commands.count())
    button(page, "Copy: Follow its State").click()
    expect(button(page, "Copied")).to_be_visible()
    eventually(lambda: page.evaluate("navigator.clipboard.readText()") == f"curl -N {context.pages[0].evaluate('origin')}/sessions/{session.id}/events", "it is copied")


def test_each_page_with_commands_has_the_script_that_copies_them():
    pages = [path for path in PUBLIC.glob("**/*.html") if 'class="commands"' in path.read_text() and "docs" not in path.parts]
    assert len(pages) > 20 and all('copy.js"></script>' in path.read_text() for path in pages)


def test_the_page_shows_its_whole_view_model(page: Page):
    page.goto("/")
    source = (ROOT / "Sources/Examples/uifusion/Tally.swift").read_text()
    shown = page.get_by_role("region", name="Tally.swift").locator("pre").inner_text()
    assert source.endswith(f"{shown}\n") and shown.startswith("struct Tally") and len(shown.splitlines()) < 18


def test_the_shown_page_works(make_service, make_context):
    service = make_service()
    page = make_context(base_url=service.url).new_page()
    page.goto("/")
    text = page.get_by_role("region", name="Its whole page").locator("pre").inner_text()
    page.route("**/shown.html", lambda route: route.fulfill(content_type="text/html", body=text))
    page.goto("/shown.html")
    button(page, "Increase").click()
    expect(page.locator("output")).to_have_text("1")


@pytest.mark.expects_errors(*OUTAGE)
def test_steps_wait_beside_the_number(page: Page):
    open_live(page, "/")
    expect(notices(page)).to_be_attached()  # the second module has loaded
    page.context.set_offline(True)
    for count in "1 step", "2 steps":
        button(page, "Increase").click()
        expect(status(page, "To send")).to_have_text(f"{count} to send")
    page.context.set_offline(False)
    expect(status(page, "Value")).to_have_text("2")
    expect(page.get_by_text("to send", exact=False)).to_be_hidden()


@pytest.mark.expects_errors(*OUTAGE, "status of 403")
def test_a_visitor_kills_the_service_only_where_that_is_asked_for(make_service, make_context, monkeypatch):
    service = make_service()
    page = make_context(base_url=service.url).new_page()
    open_live(page, "/")
    expect(page.locator("#crash")).to_be_hidden()
    assert call(f"{service.url}/crash", "POST")[0] == 403
    monkeypatch.setenv("EXAMPLES_CRASH", "on")
    service.restart()
    open_live(page, "/")
    button(page, "Crash the server amid 30 steps").click()
    eventually(lambda: service.process.poll() == -signal.SIGKILL, "the service is killed")
    service.restart()
    expect(status(page, "What came of it")).to_contain_text("30 steps were sent, 30 arrived.")
    expect(status(page, "Value")).to_have_text("30")


def test_a_killed_service_is_started_again_until_it_is_stopped(tmp_path):
    """As `make run` does."""
    flags = ["--port", "0", "--public", PUBLIC, "--data", tmp_path / "data"]
    process = subprocess.Popen([ROOT / ".ci/again", PROGRAM, "serve", *flags],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    child = lambda: int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
    for _ in range(2):
        assert awaited(process.stdout.readline).startswith("listening on ")
        killed = child()
        os.kill(killed, signal.SIGKILL)
    assert awaited(process.stdout.readline).startswith("listening on ")
    last = child()
    assert last != killed
    process.terminate()
    assert awaited(process.wait) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(last, 0)
    process.stdout.close()


def test_the_buttons_have_different_names(page: Page):
    open_live(page, "/")
    names = page.get_by_role("button").evaluate_all("(buttons) => buttons.map((button) => button.ariaLabel ?? button.textContent)")
    assert len(names) > 4 and len(set(names)) == len(names)


def test_a_click_opens_the_session_in_a_second_window(page: Page):
    session = open_live(page, "/")
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Open it in a second window").click()
    assert shown_session(popup.value).id == session.id
    button(popup.value, "Increase").click()
    expect(status(page, "Value")).to_have_text("1")


@pytest.mark.core("counter-two-ways.html")
def test_a_counter_is_shown_by_two_kinds_of_view(page: Page):
    session = open_live(page, "/counter-two-ways.html")
    halves = [page.get_by_role("group", name=name) for name in ("Declarative", "Imperative")]
    for value, half in enumerate(halves, 1):
        button(half, "Increase").click()
        for other in halves:
            expect(status(other, "Value")).to_have_text(str(value))
    button(halves[1], "Reset").click()
    session.reaches(lambda state: state["value"] == 0)
    for half in halves:
        expect(status(half, "Value")).to_have_text("0")
