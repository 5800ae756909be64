"""Inputs that were sent during an outage are applied after it, once and in order."""

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from conftest import OUTAGE
from http_session import HTTPSession
from live import (
    DISMISS, button, expect_connection, expect_nothing_waits, in_client, notices, open_live, status, waiting,
)
from proxy import Proxy

pytestmark = pytest.mark.expects_errors(*OUTAGE)


@pytest.mark.slow(18)
def test_three_clicks_offline_count_as_three_however_long_the_outage(context: BrowserContext, page: Page):
    session = open_live(page, "/counter-sync.html")
    context.set_offline(True)
    expect_connection(page, "offline")
    for _ in range(3):
        button(page, "Increase").click()
    waiting(page, 3)
    page.wait_for_timeout(17_500)
    waiting(page, 3)
    expect(notices(page)).to_contain_text("3")
    context.set_offline(False)
    expect(status(page, "Value")).to_have_text("3")
    expect_nothing_waits(page)
    expect(notices(page)).to_have_text("")
    assert session.state["value"] == 3


@pytest.mark.slow(10)
def test_a_check_out_does_not_overtake_the_removal_of_an_item(context: BrowserContext, page: Page):
    session = open_live(page, "/shop.html")
    session.send({"add": {"productID": "bread"}}, {"add": {"productID": "cheese"}})
    cart = page.get_by_role("list", name="Cart").get_by_role("listitem")
    expect(cart).to_have_count(2)
    with session.recorded() as events:
        context.set_offline(True)
        cart.filter(has_text="Cheese").get_by_role("button", name=re.compile("^Remove")).click()
        button(page, "Check out").click()
        waiting(page, 2)
        page.wait_for_timeout(9_000)
        context.set_offline(False)
        session.reaches(lambda state: state["ordered"]["value"] == 1)
        carts = [event["state"]["cart"] for event in events if event["state"]["checkOut"] == "running"]
    assert [item["product"]["id"] for item in carts[0]] == ["bread"]


@pytest.mark.slow(60)
def test_a_minute_offline_with_clicks_and_typing_is_applied_in_order(context: BrowserContext, page: Page):
    session = open_live(page, "/todos.html")
    counter = context.new_page()
    counted = open_live(counter, "/counter-sync.html")
    session.send(*[{"add": {"title": f"old {number}"}} for number in range(3)])
    todos = page.get_by_role("list", name="Todos")
    expect(todos.get_by_role("checkbox")).to_have_count(3)
    before = session.snapshot["version"]

    context.set_offline(True)
    new = page.get_by_role("textbox", name="New todo")
    for number in range(6):
        new.press_sequentially(f"new {number}", delay=50)
        new.press("Enter")
        button(counter, "Increase").click()
        page.wait_for_timeout(8_700)
    row = todos.get_by_role("listitem").filter(has=page.get_by_role("checkbox", name="old 1"))
    row.get_by_role("button", name=re.compile("^Delete")).click()
    todos.get_by_role("checkbox", name="old 0").click()
    waiting(page, 8)
    waiting(counter, 6)
    page.wait_for_timeout(5_000)

    context.set_offline(False)
    titles = ["old 2", *[f"new {number}" for number in range(6)], "old 0"]
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == titles)
    assert [todo["title"] for todo in session.state["todos"] if todo["isDone"]] == ["old 0"]
    # Eight Inputs, each once, and the sinking of the completed todo.
    assert session.snapshot["version"] == before + 9
    expect(todos.get_by_role("checkbox", name=re.compile("old|new"))).to_have_count(8)
    counted.reaches(lambda state: state["value"] == 6)
    expect(status(counter, "Value")).to_have_text("6")


@pytest.mark.core("Inputs are sent in order, and applied once")
def test_inputs_that_wait_survive_a_reload(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-sync.html")
    proxy.held.add("/sessions/")
    for _ in range(3):
        button(page, "Increase").click()
    waiting(page, 3)
    page.reload()
    waiting(page, 3)
    button(page, "Increase").click()
    proxy.held.clear()
    proxy.sever()
    expect(status(page, "Value")).to_have_text("4")
    assert session.state["value"] == 4


@pytest.mark.core("Inputs are sent in order, and applied once")
def test_inputs_whose_response_was_lost_are_applied_once(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-sync.html")
    proxy.unanswered.add(f"/sessions/{session.id}/inputs")
    for _ in range(3):
        button(page, "Increase").click()
    direct = HTTPSession(f"http://127.0.0.1:{proxy.service_port}", session.id)
    direct.reaches(lambda state: state["value"] > 0)
    page.reload()
    proxy.unanswered.clear()
    proxy.sever()
    expect(status(page, "Value")).to_have_text("3")
    expect_nothing_waits(page)
    assert session.state["value"] == 3


def test_inputs_that_wait_leave_as_one_batch(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-sync.html")
    proxy.cut()
    for _ in range(20):
        button(page, "Increase").click()
    waiting(page, 20)
    proxy.mend()
    session.reaches(lambda state: state["value"] == 20)
    # The first Input may have been sent by itself, before the outage was noticed.
    bodies = [json.loads(request.body) for request in proxy.matching("POST", "/inputs")]
    assert len(bodies) <= 2 and isinstance(bodies[-1], list), bodies


def test_of_inputs_that_replace_one_another_only_the_newest_is_sent(context: BrowserContext, page: Page):
    session = open_live(page, "/search.html")
    with session.recorded() as events:
        context.set_offline(True)
        in_client(page, "search", """(search) => {
          for (const queryChanged of ['a', 'ab', 'abc']) void search.send({ queryChanged }, { replaces: 'query' });
        }""")
        context.set_offline(False)
        session.reaches(lambda state: state["query"] == "abc")
        queries = {event["state"]["query"] for event in events}
    # One of them may have been on its way already.
    assert queries <= {"", "a", "abc"}


def test_the_number_of_waiting_inputs_has_a_limit_that_is_shown(context: BrowserContext, page: Page):
    session = open_live(page, "/counter-sync.html")
    context.set_offline(True)
    refused = in_client(page, "counter-sync", """async (counter) => {
      const refusals = [];
      for (let sent = 0; sent < counter.limit + 3; sent++) {
        counter.send('increase').catch((refusal) => refusals.push(refusal.message));
      }
      await new Promise((resolve) => setTimeout(resolve));
      return { limit: counter.limit, refusals };
    }""")
    assert len(refused["refusals"]) == 3
    waiting(page, refused["limit"])
    expect(notices(page)).to_contain_text(str(refused["limit"]))
    context.set_offline(False)
    session.reaches(lambda state: state["value"] == refused["limit"])
    # The notice of the given-up Input stays.
    expect(notices(page).get_by_role("button", name=DISMISS)).to_be_visible()


@pytest.mark.core("data-notices")
@pytest.mark.expects_errors("status of 422", *OUTAGE)
def test_a_refused_input_takes_those_behind_it_along_and_is_shown_until_dismissed(
    context: BrowserContext, page: Page
):
    session = open_live(page, "/counter-sync.html")
    context.set_offline(True)
    in_client(page, "counter-sync", """(counter) => {
      for (const input of ['increase', 'explode', 'increase', 'increase']) counter.send(input).catch(() => {});
    }""")
    waiting(page, 4)
    context.set_offline(False)
    dismiss = notices(page).get_by_role("button", name=DISMISS)
    expect(dismiss).to_be_visible()
    expect_nothing_waits(page)
    assert session.state["value"] == 1

    button(page, "Increase").click()
    expect(status(page, "Value")).to_have_text("2")
    expect(notices(page)).to_contain_text(re.compile("explode.*increase.*increase"))
    page.reload()
    expect_connection(page, "live")
    dismiss.click()
    expect(dismiss).to_be_hidden()
    expect(notices(page)).to_have_text("")


@pytest.mark.core("With a script")
def test_send_resolves_once_state_contains_the_input(page: Page):
    open_live(page, "/counter-sync.html")
    seen = in_client(page, "counter-sync", """async (counter) => {
      const version = await counter.send('increase');
      return { value: counter.state.value, isThere: counter.version >= version };
    }""")
    assert seen == {"value": 1, "isThere": True}


def test_the_response_to_an_input_contains_no_state(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-sync.html")
    button(page, "Increase").click()
    session.reaches(lambda state: state["value"] == 1)
    expect_nothing_waits(page)
    answered = proxy.matching("POST", "/inputs")[0]
    assert "prefer: return=minimal" in answered.head.lower()
