"""The stored versions of a session in its console, if the service has the inspector."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from live import button, expect_shown, open_live, shown_session
from logins import KEY, cookie, log_in
from test_scenes import expect_accessible
from test_console import PHONE, copied, state
from waiting import run


def past(page: Page):
    return page.get_by_role("region", name=re.compile("^State"))


def open_past(page: Page, *inputs) -> None:
    """Opens a console anew, so that it has seen only the last version."""
    session = open_live(page, "/view-models/counter-sync")
    session.send(*inputs)
    expect(page.locator("#version")).to_have_text(f"version {len(inputs) + 1}")
    page.reload()
    expect(past(page).get_by_role("slider")).to_be_visible()


def test_a_slider_shows_each_version_with_who_sent_what(make_service, page: Page, tmp_path):
    keys = tmp_path / "keys"
    keys.write_text(KEY)
    service = make_service("--auth-cookies", str(keys))
    log_in(page.context, service.url, cookie("kim"))
    open_live(page, f"{service.url}/view-models/counter-sync")
    for version, input in enumerate(["increase", "increase", "reset"], 2):
        button(page, input).click()
        expect(page.locator("#version")).to_have_text(f"version {version}")
    page.reload()
    place, slider = past(page), past(page).get_by_role("slider", name="Version")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^version 4, "))
    expect(button(place, "Now")).to_be_hidden()
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#version")).to_have_text("version 3 of 4")
    expect(place).to_contain_text('Input "increase" of kim')
    expect(place).to_contain_text('Action "increaseValue"')
    expect(place).to_contain_text("value: 1 → 2")
    expect(state(page, "value")).to_have_text("value 2")
    page.keyboard.press("Home")
    expect(place.get_by_role("status")).to_contain_text("version 1, ")
    expect(state(page, "value")).to_have_text("value 0")
    # The session itself has not changed.
    button(place, "Now").click()
    expect(page.locator("#version")).to_have_text("version 4")
    expect(state(page, "isReset")).to_have_text("isReset true")


def test_a_version_that_is_looked_at_stays_while_others_come(page: Page):
    open_past(page, "increase")
    past(page).get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(page.locator("#version")).to_have_text("version 1 of 2")
    shown_session(page).send("increase")
    expect(page.locator("#version")).to_have_text("version 1 of 3")
    expect(state(page, "value")).to_have_text("value 0")
    button(page, "Now").click()
    expect(state(page, "value")).to_have_text("value 2")


@pytest.mark.expects_errors("status of 503")
def test_a_version_that_cannot_be_loaded_is_said_and_not_shown(page: Page):
    open_past(page, "increase", "increase")
    page.route("**/versions/2", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"detail":"The store is away."}'))
    slider = past(page).get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(past(page).get_by_role("alert")).to_have_text("The store is away.")
    expect(slider).to_have_value("2")
    shown_session(page).send("increase")
    expect(page.locator("#version")).to_have_text("version 4")
    expect(state(page, "value")).to_have_text("value 3")


def test_the_log_has_what_was_stored_before_and_its_search_leads_to_a_version(page: Page):
    open_past(page, "increase", "reset", "increase", "increase")
    log = page.locator("#log > li:visible")
    page.get_by_label("Search in what happens").fill("RESET")
    expect(log).to_have_text([re.compile('^Action .*"resetValue"'), re.compile('^Input .*"reset"')])
    button(log.last, "Input").click()
    expect(past(page).get_by_role("status")).to_contain_text("version 3, ")
    expect(state(page, "isReset")).to_have_text("isReset true")


def test_the_log_leads_to_a_version_whose_state_never_came(page: Page):
    session = open_live(page, "/view-models/counter-sync")
    expect(page.locator("#work")).not_to_contain_text("not here yet")
    session.send(*["increase"] * 40)
    expect(page.locator("#version")).to_have_text("version 41")
    button(page.locator("#log > .action").nth(20), "Action").click()
    shown = re.compile("version [0-9]+ of 41")
    expect(page.locator("#version")).to_have_text(shown)
    version = int(page.locator("#version").inner_text().split()[1])
    expect(state(page, "value")).to_have_text(f"value {version - 1}")


def test_a_new_session_can_go_on_from_a_version(page: Page):
    open_past(page, "increase", "increase")
    first = shown_session(page)
    past(page).get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(past(page).get_by_role("status")).to_contain_text("version 2, ")
    command = copied(page, "Copy: go on from here in a new session")
    made = json.loads(run("bash", "-c", command).stdout)
    assert made["id"] != first.id and made["version"] == 2
    button(page, "Go on from here in a new session").click()
    expect(page.locator("#version")).to_have_text("version 2")
    expect(state(page, "value")).to_have_text("value 1")
    assert shown_session(page).id != first.id and first.state["value"] == 2


def test_pages_of_versions_are_joined(page: Page):
    open_past(page, *["increase"] * 120)
    slider = past(page).get_by_role("slider")
    expect(slider).to_have_attribute("max", "49")
    slider.focus()
    page.keyboard.press("Home")
    expect(past(page).get_by_role("status")).to_contain_text("version 72, ")
    button(page, "Earlier versions").click()
    expect(slider).to_have_attribute("max", "120")
    expect(page.locator("#version")).to_have_text("version 72 of 121")
    expect(button(page, "Earlier versions")).to_be_hidden()


def test_the_console_says_which_versions_are_not_kept(make_service, page: Page):
    service = make_service("--history-days", "0")
    session = open_live(page, f"{service.url}/view-models/counter-sync")
    session.send(*["increase"] * 150)
    expect(page.locator("#version")).to_have_text("version 151")
    page.reload()
    button(page, "Earlier versions").click()
    expect(past(page)).to_contain_text("Versions before 2 are not kept. Start with --history-days to keep more.")


def test_the_console_says_that_a_store_in_memory_has_no_versions(make_service, page: Page):
    service = make_service("--data", "memory")
    page.goto(f"{service.url}/view-models/counter-sync")
    expect(state(page, "value")).to_have_text("value 0")
    expect(past(page)).to_contain_text("No versions are stored of sessions in memory.")


def test_on_a_phone_axe_finds_nothing(make_context):
    page = make_context(viewport=PHONE, reduced_motion="reduce").new_page()
    open_past(page, "increase", "reset")
    past(page).get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(button(page, "Go on from here in a new session")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect_accessible(page)


def test_without_the_inspector_the_slider_has_only_what_the_page_has_seen(make_service, page: Page):
    service = make_service("--inspect", "off")
    session = open_live(page, f"{service.url}/view-models/counter-sync")
    expect(past(page).get_by_role("slider")).to_be_hidden()
    expect_shown(page, session)
    session.send("increase")
    expect(state(page, "value")).to_have_text("value 1")
    past(page).get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(state(page, "value")).to_have_text("value 0")
    expect(button(page, "Go on from here in a new session")).to_have_count(0)
    expect(button(page, "Earlier versions")).to_be_hidden()
