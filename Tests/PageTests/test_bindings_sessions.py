"""Several sessions on a page: one for each row, and expressions that read another session."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from live import in_client
from proxy import Proxy
from waiting import eventually
from written_page import show

ROWS = """<ul><template data-each="todos" data-key="id"><li>
  <div data-view-model="countdown" data-name="{.title}" data-parameters="seconds: .title.count">
    <output data-text="remaining"></output></div></li></template></ul>"""


@pytest.mark.core("data-name", "data-parameters", "data-session")
def test_each_row_has_a_session_of_its_own(proxy: Proxy, page: Page):
    session = show(page, "todos", ROWS)
    session.send({"add": {"title": "seven.."}}, {"add": {"title": "four"}})
    values = page.locator("output")
    expect(values).to_have_text(["7", "4"])
    expect(page.locator("li > div[data-connection=live]")).to_have_count(2)
    ids = [row.get_attribute("data-session") for row in page.locator("li > div").all()]
    page.reload()
    expect(page.locator("li > div[data-connection=live]")).to_have_count(2)
    assert [row.get_attribute("data-session") for row in page.locator("li > div").all()] == ids
    # The stream leaves out the session of a removed row, and follows it again with the row.
    session.send({"delete": {"id": session.state["todos"][0]["id"]}})
    expect(values).to_have_text(["4"])
    eventually(lambda: [ids[0] in stream.path for stream in proxy.open_streams] == [False], "a stream without it")
    session.send({"add": {"title": "seven.."}})
    expect(page.locator("li > div[data-connection=live]")).to_have_count(2)
    assert page.locator("li > div").last.get_attribute("data-session") == ids[0]


def test_an_expression_reads_another_session_of_the_page(page: Page):
    show(page, "counter-sync", """
      <p id="early">{@counter-reducer/left.count} {@counter-reducer/left.$connection}</p>
      <div data-view-model="counter-reducer" data-name="left">
        <button data-input="increment">Increase</button>
        <p id="back" data-text="@counter-sync.value"></p></div>""")
    early = page.locator("#early")
    expect(early).to_have_text("0 live")
    page.get_by_role("button").click()
    expect(early).to_have_text("1 live")
    expect(page.locator("#back")).to_have_text("0")
    in_client(page, "counter-sync", "(session) => session.send('increase')")
    expect(page.locator("#back")).to_have_text("1")


def test_a_list_follows_another_session(page: Page):
    session = show(page, "todos", """<div data-view-model="counter-sync"></div>
      <ul><template data-each="todos"><li>{.title} {@counter-sync.value}</li></template></ul>""")
    session.send({"add": {"title": "milk"}})
    expect(page.locator("li")).to_have_text("milk 0")
    in_client(page, "counter-sync", "(session) => session.send('increase')")
    expect(page.locator("li")).to_have_text("milk 1")


@pytest.mark.core
def test_a_misspelt_attribute_warns(page: Page):
    warnings: list[str] = []
    page.on("console", lambda message: message.type == "warning" and warnings.append(message.text))
    show(page, "counter-sync", """<p data-texxt="value" data-valeu="value" data-atr-title="value" data-inptu="increase"
      data-test="mine" data-state="open" data-id="7" data-keyboard="yes" data-title="x">
      <b data-text="value" data-attr-title="value" data-class-big="value" data-focus="value"></b></p>""")

    def corrections() -> set[tuple[str, str]]:  # the browser may warn of other things
        return {found.groups() for text in warnings if (found := re.search(r"(data-\S+): .*(data-\S+)\?", text))}

    eventually(lambda: len(corrections()) >= 4, "the warnings")
    assert corrections() == {("data-valeu", "data-value"), ("data-atr-title", "data-attr-title"), ("data-inptu", "data-input"),
                             ("data-texxt", "data-text")}


@pytest.mark.expects_errors("status of 403")
def test_a_session_that_a_rule_denies_says_why_and_the_others_go_on(page: Page):
    show(page, "counter-sync", """<output data-text="value"></output>
      <div id="house" data-view-model="counter-reducer"><p data-text="count"></p></div>""")
    house = page.locator("#house")
    expect(house).to_have_attribute("data-connection", "live")
    id = house.get_attribute("data-session")

    def deny(route: Route):
        if id not in route.request.url:
            return route.continue_()
        problem = {"type": "/problems/not-permitted", "title": "No", "detail": "Only members read this.", "session": id}
        route.fulfill(status=403, content_type="application/problem+json", body=json.dumps(problem))

    page.context.route(re.compile("/(events|sessions)"), deny)
    page.reload()
    expect(house).to_have_attribute("data-connection", "ended")
    expect(page.get_by_text("Only members read this.")).to_be_visible()
    in_client(page, "counter-sync", "(session) => session.send('increase')")
    expect(page.locator("output")).to_have_text("1")


def test_what_the_rule_denies_to_the_user_is_not_shown(page: Page):
    def describe(route: Route):
        answer = route.fetch()
        denied = {"end": "Only a host.", "inputs": {"reset": "Only a host."}}
        route.fulfill(response=answer, json={**answer.json(), "denied": denied})

    page.route("**/view-models/counter-sync", describe)
    show(page, "counter-sync", """<button data-show="$.allowed.increase" data-input="increase" hidden>More</button>
      <button data-show="$.allowed.reset" data-input="reset" hidden>Reset</button>
      <p data-show="not $.allowed.end">Only a host closes this.</p>""")
    expect(page.get_by_role("button", name="More")).to_be_visible()
    expect(page.get_by_text("Only a host closes this.")).to_be_visible()
    expect(page.get_by_role("button", name="Reset")).to_be_hidden()
