"""The attributes of Bindings.md that send Inputs, each on a small page."""

import pytest
from playwright.sync_api import Page, expect

from conftest import OUTAGE
from live import button, expect_connection, expect_nothing_waits
from proxy import Proxy
from waiting import eventually
from written_page import show


@pytest.mark.core("data-input", "data-key")
def test_an_input_takes_arguments_from_row_form_and_control(page: Page):
    session = show(page, "todos", """
      <form data-input="add(title: $title)"><input name="title" aria-label="title"></form>
      <template data-each="todos" data-key="id"><div>
        <input aria-label="to" name="to" value="renamed">
        <button data-input="rename(id: .id, title: $to)">Rename</button></div></template>
      <select aria-label="filter" data-value="filter" data-input="setFilter($value)">
        <option value="all">all</option><option value="active">active</option></select>""")
    page.get_by_label("title").fill("milk")
    page.get_by_label("title").press("Enter")
    page.get_by_role("button", name="Rename").click()
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["renamed"])
    expect(page.get_by_label("title")).to_have_value("")
    page.get_by_label("filter").select_option("active")
    session.reaches(lambda state: state["filter"] == "active")


@pytest.mark.core("data-type")
def test_unlabelled_and_typed_arguments_are_sent_as_swift_decodes_them(page: Page):
    session = show(page, "countdown", """
      <button data-input="setDuration(25)">25</button>
      <input aria-label="text" data-type="number" data-input="setDuration($value)" data-on="change">""")
    page.get_by_role("button").click()
    session.reaches(lambda state: state["remaining"] == 25)
    page.get_by_label("text").fill("40")
    page.get_by_label("text").press("Tab")
    session.reaches(lambda state: state["remaining"] == 40)


@pytest.mark.core("data-on", "data-keys")
def test_a_control_may_send_at_another_event_and_be_clicked_by_keys_from_anywhere(page: Page):
    session = show(page, "counter-sync", """
      <button data-input="increase" data-on="dblclick" data-keys="+ ArrowUp">More</button><input aria-label="text">""")
    page.keyboard.press("Escape")
    page.get_by_role("button").dblclick()
    session.reaches(lambda state: state["value"] == 1)
    page.get_by_label("text").focus()
    page.keyboard.press("ArrowUp")
    page.get_by_role("button").dblclick()
    assert session.reaches(lambda state: state["value"] >= 2)["value"] == 2


@pytest.mark.core("data-input-dblclick")
def test_an_element_sends_other_inputs_at_other_events(page: Page):
    session = show(page, "counter-sync", """
      <button data-input="increase" data-input-contextmenu="decrease" data-input-dblclick="reset">More</button>""", known="increase")
    more = page.get_by_role("button")
    more.click()
    session.reaches(lambda state: state["value"] == 1)
    for _ in range(3):
        more.click(button="right")
    session.reaches(lambda state: state["value"] == -2)
    more.dblclick()
    session.reaches(lambda state: state["isReset"])
    # Its other Inputs are no Inputs of a text field, which sends while the user types.
    session = show(page, "todos", """<input aria-label="query" name="title" data-input-keyup="add(title: $event.key)">""", known="add")
    page.get_by_label("query").press("a")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["a"])


@pytest.mark.core("data-confirm")
def test_an_input_with_a_question_is_sent_only_after_confirmation(page: Page):
    session = show(page, "todos", """<template data-each="todos" data-key="id">
      <button data-input="delete(id: .id)" data-confirm="Delete {.title}?">Delete</button></template>""")
    session.send({"add": {"title": "milk"}})
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept() if len(asked) > 1 else dialog.dismiss()))
    for time in range(2):
        page.get_by_role("button", name="Delete", exact=True).first.click()
        question = page.get_by_role("dialog").or_(page.get_by_role("alertdialog"))
        if not asked:
            expect(question).to_contain_text("Delete milk?")
            answer = question.get_by_role("button")
            (answer.last if time else answer.first).click()
    session.reaches(lambda state: not state["todos"])


@pytest.mark.expects_errors("status of 422")
def test_a_refusal_that_names_a_member_is_shown_at_its_field(page: Page):
    session = show(page, "todos", """<form data-input="add(title: $title)">
      <input name="title" data-type="number" aria-label="title"></form>""")
    page.get_by_label("title").fill("42")
    page.get_by_label("title").press("Enter")
    expect(page.get_by_label("title")).to_have_attribute("aria-invalid", "true")
    described = page.get_by_label("title").get_attribute("aria-errormessage")
    expect(page.locator(f"#{described}")).not_to_be_empty()
    assert not session.state["todos"]
    page.get_by_label("title").press("1")
    expect(page.get_by_label("title")).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.expects_errors("status of 422")
def test_text_typed_after_submitting_stays_if_the_form_is_refused(page: Page):
    held = []
    page.route("**/inputs", lambda route: held.append(route))
    show(page, "todos", """<form data-input="add(title: $title)">
      <input name="title" data-type="number" aria-label="title"></form>""")
    field = page.get_by_label("title")
    field.fill("42")
    field.press("Enter")
    expect(field).to_have_value("")
    field.fill("43")
    eventually(lambda: held)
    held[0].continue_()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("43")


def test_a_confirmed_input_is_not_sent_if_the_control_was_disabled_meanwhile(page: Page):
    session = show(page, "counter-sync", """<button data-input="increase" data-enabled="not value"
      data-confirm="Sure?">More</button>""")
    more = page.get_by_role("button", name="More").first
    more.click()
    session.send("increase")
    expect(more).to_have_attribute("aria-disabled", "true")
    page.get_by_role("dialog").get_by_role("button").last.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect_nothing_waits(page)
    session.send("increase")
    assert session.state["value"] == 2


@pytest.mark.parametrize("key", ["Control", "Shift"])
def test_a_link_that_is_opened_elsewhere_sends_nothing(page: Page, key: str):
    session = show(page, "counter-sync", """<a href="/counter-sync.html" data-input="increase">More</a>""")
    with page.context.expect_page() as other:
        page.get_by_role("link").click(modifiers=[key])
    other.value.close()
    page.get_by_role("link").click()
    assert session.reaches(lambda state: state["value"])["value"] == 1


@pytest.mark.core("data-error")
def test_the_error_of_a_field_comes_from_state(page: Page):
    session = show(page, "shop", """<input aria-label="Search" data-value="query" data-input="search($value)"
      data-error="checkOut.failed">""")
    field = page.get_by_label("Search")
    for _ in range(3):
        session.send({"add": {"productID": "tea"}}, "checkOut")
        session.reaches(lambda state: state["checkOut"] != "running")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Payment was declined")).to_be_visible()
    session.send("dismiss")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Payment was declined")).to_be_hidden()


def test_the_button_of_a_confirmation_has_the_name_of_the_control(page: Page):
    show(page, "counter-sync", """<button data-input="reset" data-confirm="Sure?" aria-label="Reset all">×</button>
      <button data-input="increase" data-confirm="Sure?">Undo <span>add</span> <b>Bread</b></button>
      <button data-input="decrease" data-confirm="Sure?"><svg viewBox="0 0 1 1"></svg><img alt="Take one" src="/favicon.svg"></button>""")
    for place, name in enumerate(["Reset all", "Undo add Bread", "Take one"]):
        page.locator("button").nth(place).click()
        expect(page.get_by_role("dialog").get_by_role("button")).to_have_text(["Cancel", name])
        page.keyboard.press("Escape")


def test_a_file_is_not_sent_as_a_path(page: Page):
    session = show(page, "todos", """<form data-input="add(title: $picture)"><input type="file" name="picture" aria-label="Picture">
      <button>Add</button></form>""")
    page.get_by_label("Picture").set_input_files({"name": "x.png", "mimeType": "image/png", "buffer": b"x"})
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("A file cannot be sent here yet.")).to_be_visible()
    assert not session.state["todos"]


@pytest.mark.core("data-debounce")
def test_a_field_sends_after_its_own_pause_or_when_it_is_left(proxy: Proxy, page: Page):
    session = show(page, "search", """<input aria-label="Slow" data-input="queryChanged($value)" data-debounce="60000" data-value="query">
      <button>Elsewhere</button>""")
    page.get_by_label("Slow").press_sequentially("swift", delay=60)
    assert not proxy.matching("POST", "/inputs")
    page.keyboard.press("Tab")
    session.reaches(lambda state: state["query"] == "swift")
    assert len(proxy.matching("POST", "/inputs")) == 1


@pytest.mark.core("data-replaces")
@pytest.mark.expects_errors(*OUTAGE)
def test_of_waiting_inputs_with_one_name_only_the_newest_is_sent(proxy: Proxy, page: Page):
    session = show(page, "countdown", """<button data-input="setDuration(10)" data-replaces="set">Ten</button>
      <button data-input="setDuration(20)" data-replaces="set">Twenty</button><button data-input="setDuration(30)" data-replaces="set">Thirty</button>""")
    proxy.cut()
    expect_connection(page, "stale")
    for name in "Ten", "Twenty", "Thirty":
        button(page, name).click()
    proxy.mend()
    session.reaches(lambda state: state["remaining"] == 30)
    # The first was on its way when the network broke.
    assert not [request for request in proxy.matching("POST", "/inputs") if b"20" in request.body]
