"""The front page: what is hosted, a counter that lives, and commands that drive it."""

import re
import subprocess

from playwright.sync_api import BrowserContext, Page, expect

from http_session import call, eventually
from live import button, open_live, status


def test_it_lists_what_is_hosted_and_leads_to_each_page(page: Page, url: str):
    page.goto("/")
    names = [model["name"] for model in call(f"{url}/view-models")[1]["viewModels"]]
    for name in names:
        link = page.get_by_role("main").get_by_role("link", name=name, exact=True)
        expect(link).to_have_attribute("href", f"{name}.html")
    page.get_by_role("link", name="counter-sync", exact=True).click()
    expect(page).to_have_url(re.compile("/counter-sync.html$"))
    expect(page.locator("[data-connection=live]")).to_be_visible()


def test_its_commands_change_it_as_they_run(context: BrowserContext, page: Page):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_live(page, "/")
    button(page, "Increase").click()
    expect(status(page, "Value")).to_have_text("1")
    commands = page.get_by_role("listitem").filter(has_text="curl")
    for place, value in enumerate(["2", "−2"]):
        commands.nth(place).get_by_role("button").click()
        command = commands.nth(place).locator("code").inner_text()
        eventually(lambda: page.evaluate("navigator.clipboard.readText()") == command, "it is copied")
        subprocess.run(["bash", "-c", command], check=True, stdout=subprocess.DEVNULL, timeout=20)
        expect(status(page, "Value")).to_have_text(value)


def test_a_counter_stands_under_two_kinds_of_view(page: Page):
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
