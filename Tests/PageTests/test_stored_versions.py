"""The stored versions of a session in its console, if the service has the inspector."""

import json
import re

from playwright.sync_api import Page, expect

from live import button, open_live, shown_session
from logins import KEY, cookie, log_in
from test_scenes import expect_accessible
from test_console import PHONE, copied, state
from waiting import run


def versions(page: Page):
    return page.get_by_role("region", name="Stored versions")


def open_versions(page: Page, *inputs) -> None:
    session = open_live(page, "/view-models/counter-sync")
    session.send(*inputs)
    show_versions(page, len(inputs) + 1)


def show_versions(page: Page, newest: int) -> None:
    expect(page.locator("#version")).to_have_text(f"version {newest}")
    button(page, "Newest versions").click()
    expect(versions(page).get_by_role("slider")).to_be_visible()


def test_a_slider_shows_each_version_with_who_sent_what(make_service, page: Page, tmp_path):
    keys = tmp_path / "keys"
    keys.write_text(KEY)
    service = make_service("--auth-cookies", str(keys))
    log_in(page.context, service.url, cookie("kim"))
    open_live(page, f"{service.url}/view-models/counter-sync")
    for version, input in enumerate(["increase", "increase", "reset"], 2):
        button(page, input).click()
        expect(page.locator("#version")).to_have_text(f"version {version}")
    show_versions(page, 4)
    place, slider = versions(page), versions(page).get_by_role("slider", name="Version")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^version 4, "))
    expect(place).to_contain_text('Input "reset" of kim')
    expect(place).to_contain_text("value: 2 → 0")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(place).to_contain_text('Action "increaseValue"')
    expect(place).to_contain_text("value: 1 → 2")
    expect(place.locator(".tree > li").first).to_have_text("value 2")
    page.keyboard.press("Home")
    expect(place.get_by_role("status")).to_contain_text("version 1, ")
    expect(place.locator(".tree > li").first).to_have_text("value 0")
    # The session itself has not changed.
    expect(state(page, "isReset")).to_have_text("isReset true")


def test_a_search_finds_versions_by_their_inputs(page: Page):
    open_versions(page, "increase", "reset", "increase", "increase")
    place = versions(page)
    place.get_by_role("searchbox").fill("RESET")
    expect(place.get_by_role("button", name=re.compile("^version"))).to_have_count(1)
    button(place, "version 3").click()
    expect(place.get_by_role("status")).to_contain_text("version 3, ")


def test_a_new_session_can_go_on_from_a_version(page: Page):
    open_versions(page, "increase", "increase")
    first = shown_session(page)
    versions(page).get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(versions(page).get_by_role("status")).to_contain_text("version 2, ")
    command = copied(page, "Copy: go on from here in a new session")
    made = json.loads(run("bash", "-c", command).stdout)
    assert made["id"] != first.id and made["version"] == 2
    button(page, "Go on from here in a new session").click()
    expect(page.locator("#version")).to_have_text("version 2")
    expect(state(page, "value")).to_have_text("value 1")
    assert shown_session(page).id != first.id and first.state["value"] == 2


def test_pages_of_versions_are_joined(page: Page):
    open_versions(page, *["increase"] * 250)
    slider = versions(page).get_by_role("slider")
    expect(slider).to_have_attribute("max", "199")
    slider.focus()
    page.keyboard.press("Home")
    expect(versions(page).get_by_role("status")).to_contain_text("version 52, ")
    button(page, "Earlier versions").click()
    expect(slider).to_have_attribute("max", "250")
    expect(versions(page).get_by_role("status")).to_contain_text("version 52, ")
    expect(button(page, "Earlier versions")).to_be_hidden()


def test_the_console_says_which_versions_are_not_kept(make_service, page: Page):
    service = make_service("--history-days", "0")
    session = open_live(page, f"{service.url}/view-models/counter-sync")
    session.send(*["increase"] * 150)
    expect(page.locator("#version")).to_have_text("version 151")
    button(page, "Newest versions").click()
    expect(versions(page)).to_contain_text("Versions before 2 are not kept. Start with --history-days to keep more.")


def test_the_console_says_that_a_store_in_memory_has_no_versions(make_service, page: Page):
    service = make_service("--data", "memory")
    page.goto(f"{service.url}/view-models/counter-sync")
    expect(state(page, "value")).to_have_text("value 0")
    expect(versions(page)).to_contain_text("No versions are stored of sessions in memory.")


def test_on_a_phone_axe_finds_nothing(make_context):
    page = make_context(viewport=PHONE, reduced_motion="reduce").new_page()
    open_versions(page, "increase", "reset")
    versions(page).get_by_role("searchbox").fill("increase")
    expect(button(page, "version 2")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect_accessible(page)


def test_without_the_inspector_the_console_has_no_slider(make_service, page: Page):
    service = make_service("--inspect", "off")
    page.goto(f"{service.url}/view-models/counter-sync")
    expect(state(page, "value")).to_have_text("value 0")
    expect(versions(page)).to_have_count(0)
