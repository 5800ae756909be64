"""axe finds nothing on any page, in light and in dark, empty and with what makes it differ."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from conftest import OUTAGE
from live import button, expect_connection, open_live, waiting
from service import PAGES


def expect_accessible(page: Page) -> None:
    # What fades in would be judged by the colours that it happens to have.
    page.evaluate("""Promise.all(document.getAnimations()
      .filter((animation) => animation.effect.getComputedTiming().endTime < 10_000)
      .map((animation) => animation.finished.catch(() => {}))).then(() => {})""")
    for scheme in "light", "dark":
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page)
        assert results.violations_count == 0, f"{scheme}: {results.generate_report()}"


@pytest.fixture
def page(make_context) -> Page:
    return make_context(reduced_motion="reduce").new_page()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_as_it_opens(page: Page, name: str):
    page.goto(f"/{name}")
    expect_connection(page, "live")
    expect_accessible(page)


@pytest.mark.parametrize("name, inputs", [
    ("todos", [{"add": {"title": "milk"}}, {"add": {"title": "bread"}}]),
    ("shop", [{"add": {"productID": "tea"}}, {"add": {"productID": "milk"}}]),
    ("search", [{"queryChanged": "abc"}]),
    ("counter", ["show"]),
    ("calculator", [{"digit": 8}, {"operation": "divide"}, {"digit": 0}, "equals"]),
    ("auto-refresh", ["start"]),
    ("multi-timer", ["startAll"]),
    ("login", [{"emailChanged": "2fa@example.com"}, {"passwordChanged": "password"}, "submit"]),
    ("chat", [{"connect": {"name": "Ada"}}]),
    ("7guis/flight", [{"setKind": "roundTrip"}, {"setDeparture": "soon"}]),
    ("7guis/crud", [{"select": {"id": "2"}}]),
    ("7guis/circles", [{"press": {"x": 60, "y": 60}}, {"press": {"x": 200, "y": 90}}, {"openMenu": {"id": 1}}, "adjust"]),
    ("7guis/cells", [{"write": {"column": "A", "row": 0, "entry": "=1/0"}}, {"write": {"column": "B", "row": 1, "entry": "=1+"}}]),
])
def test_a_page_with_something_in_it(page: Page, name: str, inputs: list):
    session = open_live(page, f"/{name}.html")
    before = session.snapshot["version"]
    session.send(*inputs)
    session.reaches(lambda state: session.snapshot["settled"] or session.snapshot["version"] > before + 2)
    expect_accessible(page)


def test_the_list_of_the_seven_tasks(page: Page):
    page.goto("/7guis/")
    expect_accessible(page)


def test_the_alert_of_a_pulse(page: Page):
    open_live(page, "/counter-sync.html")
    button(page, "Show").click()
    expect(page.get_by_role("dialog", name="알림")).to_be_visible()
    expect_accessible(page)


@pytest.mark.expects_errors(*OUTAGE)
def test_inputs_that_wait_and_a_session_that_ended(page: Page):
    session = open_live(page, "/counter-sync.html")
    page.context.set_offline(True)
    button(page, "Increase").click()
    waiting(page, 1)
    expect_accessible(page)
    page.context.set_offline(False)
    session.reaches(lambda state: state["value"] == 1)
    session.delete()
    expect_connection(page, "ended")
    expect_accessible(page)
