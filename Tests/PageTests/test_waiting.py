"""Inputs on their way are shown in plain words, and can be withdrawn until they are sent."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from conftest import OUTAGE
from live import button, expect_connection, expect_nothing_waits, in_client, notices, open_live, status, waiting
from proxy import Proxy
from waiting import eventually
from written_page import show

pytestmark = pytest.mark.expects_errors(*OUTAGE)


@pytest.mark.core("data-pending")
def test_a_form_and_a_row_look_pending(proxy: Proxy, page: Page):
    session = open_live(page, "/todos.html")
    session.send({"add": {"title": "milk"}})
    row = page.get_by_role("listitem").filter(has=page.get_by_role("checkbox"))
    expect(row).to_have_count(1)
    proxy.held.add(f"/sessions/{session.id}/inputs")
    row.get_by_role("checkbox").check()
    expect(row).to_have_css("opacity", "0.65")
    page.get_by_role("textbox", name="New todo").fill("bread")
    page.keyboard.press("Enter")
    form = page.locator("form[data-pending]")
    expect(form).to_have_css("opacity", "0.65")
    proxy.held.clear()
    expect(page.locator("[data-pending]")).to_have_count(0)
    expect(row.first).to_have_css("opacity", "1")


def test_an_input_counts_as_waiting_until_state_includes_it(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-sync.html")
    proxy.unanswered.add(proxy.open_streams[0].path)
    held = []
    page.route(f"**/sessions/{session.id}", lambda route: held.append(route))  # the client asks for State when the stream is late
    button(page, "Increase").click()
    answered = "async (session) => { while (session.waiting.length) await new Promise(requestAnimationFrame); return session.unshown; }"
    assert in_client(page, "counter-sync", answered) == 1
    waiting(page, 1)
    expect(status(page, "Value")).to_have_text("0")
    page.unroute_all()
    for route in held:
        route.continue_()
    proxy.unanswered.clear()
    expect_nothing_waits(page)
    expect(status(page, "Value")).to_have_text("1")


@pytest.mark.core("data-notices")
def test_waiting_inputs_are_listed_in_plain_words_and_can_be_withdrawn(context: BrowserContext, page: Page):
    session = open_live(page, "/todos.html")
    session.send({"add": {"title": "milk"}})
    box = page.get_by_role("checkbox", name="milk")
    expect(box).to_be_visible()
    context.set_offline(True)
    expect_connection(page, "offline")
    box.check()
    for title in "tea", "bread":
        page.get_by_role("textbox", name="New todo").fill(title)
        page.keyboard.press("Enter")
    expect(notices(page)).to_contain_text("3 changes will be sent.")
    page.get_by_text("What waits").click()
    expect(notices(page).get_by_role("listitem")).to_have_text(["milk: on Withdraw", "New todo: tea Withdraw", "New todo: bread Withdraw"])
    withdraw = notices(page).get_by_role("button", name="Withdraw")
    withdraw.nth(1).click()
    withdraw.nth(0).click()
    expect(box).not_to_be_checked()
    expect(notices(page)).to_contain_text("1 change will be sent.")
    expect(withdraw).to_be_focused()
    context.set_offline(False)
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["milk", "bread"])
    assert not session.state["todos"][0]["isDone"]
    expect(notices(page)).to_have_text("")


def test_inputs_are_listed_by_the_accessible_names_of_their_controls(context: BrowserContext, page: Page):
    show(page, "todos", """<b id="label">By label</b><button aria-labelledby="label" aria-label="no" data-input="clearCompleted">no</button>
      <button data-input="clearCompleted"><i aria-label="By part"></i></button>
      <button data-input="clearCompleted"><svg width="9" height="9"><title>By title</title></svg></button>
      <label><input type="radio" name="filter" value="active" data-input="setFilter($filter)"> Active</label>""")
    expect(notices(page)).to_have_count(1)  # the second module has loaded
    context.set_offline(True)
    expect_connection(page, "offline")
    for name in "By label", "By part", "By title":
        page.get_by_role("button", name=name).click()
    page.get_by_role("radio").check()
    page.get_by_text("What waits").click()
    names = ["By label", "By part", "By title", "Active"]
    expect(notices(page).get_by_role("listitem")).to_have_text([f"{name} Withdraw" for name in names])


def test_inputs_sent_before_the_second_module_came_are_listed_without_secrets(context: BrowserContext, page: Page):
    held = []
    page.route("**/uifusion-more.js*", lambda route: held.append((route, route.fetch())))
    show(page, "login", """<input aria-label="Email" data-input="emailChanged($value)">
      <form data-input="submit"><input type="password" aria-label="Password" data-input="passwordChanged($value)"><button>Go</button></form>""", whole=False)
    eventually(lambda: held)
    context.set_offline(True)
    expect_connection(page, "offline")
    page.get_by_label("Email").fill("ada")
    page.get_by_label("Password").fill("hunter2")
    page.get_by_role("button", name="Go").click()
    [(route, response)] = held
    route.fulfill(response=response)
    page.get_by_text("What waits").click()
    names = ["email changed: ada", "password changed", "submit"]
    expect(notices(page).get_by_role("listitem")).to_have_text([f"{name} Withdraw" for name in names])
    assert "hunter2" not in page.content()


def test_a_form_with_a_password_is_not_stored(context: BrowserContext, page: Page):
    show(page, "login", """<form data-input="passwordChanged($password)">
      <input type="password" name="password" aria-label="Password"><button>Go</button></form>""")
    expect(notices(page)).to_have_count(1)  # the second module has loaded
    context.set_offline(True)
    expect_connection(page, "offline")
    page.get_by_label("Password").fill("hunter2")
    page.get_by_role("button", name="Go").click()
    expect(notices(page)).to_contain_text("1 change will be sent.")
    assert "hunter2" not in page.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])")
    assert "hunter2" not in page.content()


def test_leaving_the_page_asks_while_inputs_wait(context: BrowserContext, page: Page):
    open_live(page, "/counter-sync.html")
    context.set_offline(True)
    expect_connection(page, "offline")
    page.get_by_role("button", name="Increase").click()
    expect(notices(page)).to_contain_text("1 change will be sent.")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    with page.expect_event("dialog"):
        page.close(run_before_unload=True)
    context.set_offline(False)
    expect_nothing_waits(page)
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    assert asked == ["beforeunload"]
