"""The live trace of a session in its console, if the service has the inspector."""

import re

from playwright.sync_api import Page, expect

from live import button, expect_shown, open_live, shown_session
from test_scenes import expect_accessible
from test_console import PHONE, other_ways, state


def open_traced(page: Page, path: str):
    """Opens a console, and waits for its trace: what happens before that is not in it."""
    session = open_live(page, path)
    expect(page.locator("#work")).not_to_contain_text("not here yet")
    return session


def log(page: Page, kind: str = "*"):
    return page.locator(f"#log > {kind}")


def listed(page: Page, name: str):
    return page.get_by_role("list", name=name, exact=True)


def test_the_log_shows_actions_and_effects_with_their_causes(page: Page):
    session = open_traced(page, "/view-models/search")
    expect(listed(page, "At work")).to_have_text("nothing")
    session.send({"queryChanged": "swift"})
    expect(log(page, ".input")).to_contain_text('{"queryChanged":"swift"} not sent here')
    expect(log(page, ".action").last).to_contain_text('{"changeQuery":"swift"} by Input queryChanged')
    expect(log(page, ".effect").last).to_contain_text("Effect started")
    expect(log(page, ".effect").last).to_contain_text("search pause by Input queryChanged")
    expect(log(page, ".effect").first).to_contain_text("Effect ended")
    expect(log(page, ".action").first).to_contain_text(re.compile("Action sent.* by effect search"))
    expect(listed(page, "At work")).to_have_text("nothing")


def test_an_input_of_the_console_is_logged_once(page: Page):
    open_traced(page, "/view-models/counter-sync")
    button(page, "increase").click()
    expect(log(page, ".action")).to_contain_text('"increaseValue" by Input increase')
    expect(log(page, ".input")).to_have_count(1)


def test_running_effects_and_set_alarms_are_listed(page: Page):
    session = open_traced(page, "/view-models/multi-timer")
    session.send("startAll")
    work = listed(page, "At work")
    expect(work.get_by_role("listitem")).to_have_count(4)
    expect(work.get_by_role("listitem").first).to_have_text(re.compile(r"^timers\[A\]/ticking timer, since .*:"))
    page.reload()
    expect(listed(page, "At work").get_by_role("listitem")).to_have_count(4)
    session.send("stopAll")
    expect(listed(page, "At work")).to_have_text("nothing")
    expect(log(page, ".effect").first).to_contain_text("Effect cancelled")
    session = open_traced(page, "/view-models/reminders")
    session.send({"tomorrow": {"text": "milk"}})
    expect(listed(page, "Alarms")).to_contain_text("ring")
    expect(log(page, ".alarm")).to_contain_text("Alarm set")


def test_messages_name_their_receiver(page: Page):
    session = open_traced(page, "/view-models/reminders")
    session.send({"soon": {"text": "milk"}}, {"pass": {"id": 1, "to": "nobody"}})
    expect(log(page, ".alarm").filter(has_text="Message to")).to_contain_text("by Input pass")
    expect(log(page, ".alarm").filter(has_text="Refused by")).to_be_visible()


def test_a_reply_is_told_from_other_messages_though_the_stream_ends_again_and_again(page: Page):
    event = 'event: message\ndata: {"step":"sent","session":"desk","isReply":true}\n\n'
    page.route("**/trace*", lambda route: route.fulfill(content_type="text/event-stream", body=event))
    open_live(page, "/view-models/reminders")
    expect(log(page, ".alarm").first).to_contain_text(re.compile("Reply to.*desk"))


def test_entries_can_be_filtered_by_kind_and_text(page: Page):
    session = open_traced(page, "/view-models/counter-sync")
    session.send("increase", "reset")
    expect(log(page, ".action")).to_have_count(2)
    page.locator("#filter select").select_option("Actions")
    expect(log(page, "li:visible")).to_have_count(2)
    page.get_by_label("Search in what happens").fill("RESET")
    expect(log(page, "li:visible")).to_have_count(1)
    session.send("increase", "reset")
    expect(log(page, "li:visible")).to_have_count(2)


def test_another_session_can_be_opened_by_its_id(page: Page, make_context):
    first = open_traced(page, "/view-models/counter-sync")
    first.send("increase")
    page = make_context().new_page()
    open_traced(page, "/view-models/counter-sync")
    other_ways(page)
    page.get_by_label("Id of another session").fill(first.id)
    button(page, "Open").click()
    expect(state(page, "value")).to_have_text("value 1")
    assert shown_session(page).id == first.id


def test_secrets_are_shown_as_dots(page: Page):
    session = open_traced(page, "/view-models/login")
    session.send({"passwordChanged": "hunter22"})
    expect(log(page, ".action")).to_contain_text("••••")
    assert "hunter22" not in page.locator("body").inner_text()


def test_on_a_phone_axe_finds_nothing(make_context):
    page = make_context(viewport=PHONE, reduced_motion="reduce").new_page()
    session = open_traced(page, "/view-models/multi-timer")
    session.send("startAll")
    expect(log(page, ".effect").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    session.send("stopAll")
    expect_accessible(page)


def test_without_the_inspector_the_console_has_no_trace(make_service, page: Page):
    service = make_service("--inspect", "off")
    session = open_live(page, f"{service.url}/view-models/counter-sync")
    expect_shown(page, session)
    session.send("increase")
    expect(log(page, ".state")).to_have_count(1)
    expect(page.locator("#work")).to_have_count(0)
    assert page.request.get(f"{service.url}/sessions/{session.id}/trace").status == 404
