"""A row stays for as long as the user types in it, whatever others do to the list meanwhile."""

import pytest
from playwright.sync_api import Page, expect

from http_session import HTTPSession
from live import expect_nothing_waits, expect_settled, expect_shown, open_live
from proxy import Proxy
from written_page import show

FOCUSED = "() => { const { localName, type, value, name } = document.activeElement; return { localName, type, value, name }; }"


def begin(page: Page) -> tuple[HTTPSession, dict[str, str]]:
    session = open_live(page, "/todos.html")
    session.send(*[{"add": {"title": title}} for title in ["one", "two", "three"]])
    expect(page.get_by_role("checkbox")).to_have_count(3)
    return session, {todo["title"]: todo["id"] for todo in session.state["todos"]}


def rename(page: Page, title: str) -> None:
    row = page.get_by_role("listitem").filter(has=page.get_by_role("checkbox", name=title, exact=True))
    row.get_by_role("button", name="Rename").click()
    page.keyboard.press("Control+A")


@pytest.mark.core("A field keeps the user's text")
def test_a_row_that_is_deleted_elsewhere_stays_while_the_user_types_in_it(page: Page):
    session, ids = begin(page)
    rename(page, "two")
    page.keyboard.type("buy")
    session.send({"delete": {"id": ids["two"]}})
    expect_shown(page, session)
    page.keyboard.type(" bread")
    assert page.evaluate(FOCUSED) == {"localName": "input", "type": "text", "value": "buy bread", "name": "title"}
    expect(page.get_by_text("This was deleted elsewhere.", exact=False)).to_be_visible()
    page.keyboard.press("Enter")
    assert [(todo["title"], todo["isDone"]) for todo in session.state["todos"]] == [("one", False), ("three", False)]
    page.keyboard.press("Escape")
    expect(page.get_by_role("checkbox")).to_have_count(2)


def test_a_row_that_comes_back_while_the_user_types_in_it_works_as_before(make_service, service, page: Page):
    id = "edited-todos-01234567A"
    todos = [{"id": number, "title": number, "isDone": False} for number in "123"]
    service.take_in(id, "todos", {"todos": todos, "filter": "all", "remaining": 3})
    page.goto(f"/todos.html?session={id}")
    expect(page.get_by_role("checkbox")).to_have_count(3)
    rename(page, "2")
    page.keyboard.type("buy")
    listed = """(ids) => import('/uifusion.js').then(({ session }) => {
      const its = session('todos');
      window.all ??= its.state.todos;
      its.state = { ...its.state, todos: all.filter(({ id }) => ids.includes(id)) };
      its.dispatchEvent(new Event('state'));
    })"""
    page.evaluate(listed, ["1", "3"])
    page.keyboard.type(" br")
    page.evaluate(listed, ["1", "2", "3"])
    page.keyboard.type("ead")
    expect(page.get_by_text("This was deleted elsewhere.", exact=False)).to_be_hidden()
    page.keyboard.press("Enter")
    HTTPSession(service.url, id).reaches(lambda state: state["todos"][1]["title"] == "buy bread")


def test_a_row_that_a_filter_hides_stays_while_the_user_types_in_it(page: Page):
    session, ids = begin(page)
    page.get_by_role("radio", name="Active").check()
    rename(page, "two")
    page.keyboard.type("buy")
    session.send({"toggle": {"id": ids["two"]}})
    expect_shown(page, session)
    page.keyboard.type(" bread")
    page.keyboard.press("Enter")
    titles = session.reaches(lambda state: any(todo["title"] == "buy bread" for todo in state["todos"]))["todos"]
    assert {todo["title"]: todo["isDone"] for todo in titles} == {"one": False, "buy bread": True, "three": False}
    page.keyboard.press("Escape")
    expect(page.get_by_role("checkbox")).to_have_count(2)


def test_rows_without_data_key_are_identified_by_their_id(page: Page):
    session = show(page, "todos", """<template data-each="todos"><p>
      <input aria-label="title" data-value=".title" data-input="rename(id: .id, title: $value)"></p></template>""")
    session.send(*[{"add": {"title": title}} for title in ["one", "two", "three"]])
    field = page.get_by_label("title").nth(1)
    expect(field).to_have_value("two")
    field.focus()
    page.keyboard.press("End")
    session.send({"delete": {"id": session.state["todos"][0]["id"]}})
    expect_shown(page, session)
    page.keyboard.type("!")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["two!", "three"])


def test_a_dialog_that_closes_while_the_user_types_lets_no_key_press_its_opener(page: Page):
    session = show(page, "shop", """<button data-input="add(productID: 'tea')">Add</button>
      <dialog data-open="not cart"><input aria-label="note"></dialog>""")
    page.keyboard.press("Escape")
    page.get_by_role("button").click()
    session.reaches(lambda state: state["cart"])
    expect_shown(page, session)
    page.get_by_role("button").focus()
    session.send({"setQuantity": {"productID": "tea", "quantity": 0}})
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_label("note").press_sequentially("buy")
    session.send({"add": {"productID": "bread"}})
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.type(" bread")
    expect_shown(page, session)
    assert [item["product"]["id"] for item in session.state["cart"]] == ["bread"]


# As a slow browser does: the close event comes after others.
CLOSE_EVENT_IS_LATE = """addEventListener('close', (event) => {
  if (!event.isTrusted) return;
  event.stopImmediatePropagation();
  window.comeLate = () => { window.comeLate = null; event.target.dispatchEvent(new Event('close')); };
}, true);"""


def test_a_dialog_that_the_user_closes_stays_closed_though_state_arrives_before_its_close_event(page: Page):
    page.add_init_script(CLOSE_EVENT_IS_LATE)
    session = show(page, "counter", """<output data-text="value" aria-label="Value"></output>
      <dialog data-open="activeAlert" data-input="dismissAlert">Alert</dialog>""")
    for value in 1, 2:
        session.send("show")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        page.wait_for_function("() => window.comeLate")
        session.send("increase")
        expect(page.get_by_label("Value")).to_have_text(str(value))
        expect(page.get_by_role("dialog")).to_be_hidden()
        page.evaluate("comeLate()")
        session.reaches(lambda state: state["activeAlert"] is None)
        expect_shown(page, session)


@pytest.mark.parametrize("view_model, opens, number, sent", [
    ("counter-sync", "value", "value", "increase"),
    ("counter-reactor", "message", "count", "increment"),  # a Pulse
])
def test_a_dialog_opens_for_the_next_value_before_the_close_event_for_the_last(page: Page, view_model: str, opens: str, number: str, sent: str):
    page.add_init_script(CLOSE_EVENT_IS_LATE)
    session = show(page, view_model, f"""<output data-text="{number}" aria-label="Number"></output>
      <dialog data-open="{opens}">Shown</dialog>""")
    for _ in range(2):
        session.send(sent)
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        page.wait_for_function("() => window.comeLate")
        session.send(sent)
        expect_shown(page, session)
        expect(page.get_by_role("dialog")).to_be_visible()
        page.evaluate("comeLate()")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        page.wait_for_function("() => window.comeLate")
        page.evaluate("comeLate()")
        expect(page.get_by_role("dialog")).to_be_hidden()


def test_limits_hold_for_a_number_field_that_shows_no_state(page: Page):
    session = open_live(page, "/countdown.html")
    seconds = page.get_by_role("spinbutton", name="Seconds")
    for wrong in "99999999", "-5", "1.5":
        seconds.fill(wrong)
        page.evaluate("document.activeElement.blur()")
    seconds.fill("7")
    page.keyboard.press("Tab")
    session.reaches(lambda state: state["remaining"] == 7)
    assert session.snapshot["version"] == 2


def test_limits_hold_for_a_number_field_that_a_button_reads(page: Page):
    session = show(page, "countdown", """<section><input type="number" name="seconds" aria-label="Seconds" max="60">
      <button data-input="setDuration($seconds)">Set</button></section>""")
    page.get_by_label("Seconds").fill("99")
    page.get_by_role("button", name="Set").click()
    page.get_by_label("Seconds").fill("33")
    page.get_by_role("button", name="Set").click()
    session.reaches(lambda state: state["remaining"] == 33)
    assert session.snapshot["version"] == 2


TEXT_BOX = """customElements.define('text-box', class extends HTMLElement {
  #field = document.createElement('input');
  get value() { return this.#field.value; }
  set value(value) { this.#field.value = value; }
  connectedCallback() {
    if (!this.shadowRoot) this.attachShadow({ mode: 'open', delegatesFocus: true }).append(this.#field);
    this.#field.onchange = () => this.dispatchEvent(new Event('change'));
  }
});"""


@pytest.mark.parametrize("field, keys", [
    ("<text-box data-value='.title' data-input='rename(id: .id, title: $value)'></text-box>", " bread"),
    ("<select data-value='.title' data-input='rename(id: .id, title: $value)'><option>one<option>two<option>three</select>", "one"),
])
def test_a_deleted_row_stays_also_under_a_custom_element_or_a_select(page: Page, field: str, keys: str):
    page.add_init_script(TEXT_BOX)
    session = show(page, "todos", f"""<template data-each="todos"><p>{field}</p></template>""")
    session.send(*[{"add": {"title": title}} for title in ["one", "two", "three"]])
    expect(page.locator("main > p")).to_have_count(3)
    page.locator("main > p > *").nth(1).focus()
    session.send({"delete": {"id": session.state["todos"][1]["id"]}})
    expect_shown(page, session)
    page.keyboard.type(keys)
    expect(page.locator("main > p")).to_have_count(3)
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("main > p")).to_have_count(2)
    expect_nothing_waits(page)
    assert [todo["title"] for todo in session.state["todos"]] == ["one", "three"]


def test_a_late_response_does_not_remove_the_notice_that_the_row_was_deleted(proxy: Proxy, service, page: Page):
    session = show(page, "todos", """<template data-each="todos"><p>
      <input aria-label="title" data-value=".title" data-input="rename(id: .id, title: $value)"></p></template>""")
    session.send({"add": {"title": "one"}})
    page.get_by_label("title").focus()
    proxy.unanswered.add(f"/sessions/{session.id}/inputs")
    page.keyboard.type("x")
    direct = HTTPSession(service.url, session.id)
    direct.reaches(lambda state: "x" in state["todos"][0]["title"])
    direct.send({"delete": {"id": direct.state["todos"][0]["id"]}})
    deleted = page.get_by_text("This was deleted elsewhere.", exact=False)
    expect(deleted).to_be_visible()
    proxy.unanswered.clear()
    expect_nothing_waits(page)
    expect_shown(page, direct)
    expect(deleted).to_be_visible()


def test_a_deleted_row_stays_while_its_text_is_unsent_and_its_button_has_the_focus(page: Page):
    session = show(page, "todos", """<template data-each="todos"><p><input name="title" aria-label="title">
      <button data-input="rename(id: .id, title: $title)">Save</button></p></template>""")
    session.send({"add": {"title": "one"}})
    page.get_by_label("title").fill("a long text")
    page.keyboard.press("Tab")
    session.send({"delete": {"id": session.state["todos"][0]["id"]}})
    expect_shown(page, session)
    expect(page.get_by_label("title")).to_have_value("a long text")
    expect(page.get_by_text("This was deleted elsewhere.", exact=False)).to_be_visible()
    page.get_by_role("button").evaluate("(button) => button.blur()")
    expect(page.get_by_label("title")).to_have_count(0)


@pytest.mark.core("data-where")
def test_a_row_that_stops_matching_data_where_can_be_edited_until_it_is_left(page: Page):
    session = show(page, "todos", """<template data-each="todos" data-where=".title has 'tea'"><p>
      <input aria-label="title" data-value=".title" data-input="rename(id: .id, title: $value)"><b>{.title}</b></p></template>""")
    session.send(*[{"add": {"title": title}} for title in ["tea", "teapot"]])
    field = page.get_by_label("title").first
    expect(field).to_have_value("tea")
    field.focus()
    page.keyboard.press("End")
    for key, title in ("Backspace", "te"), ("x", "tex"):
        page.keyboard.press(key)
        session.reaches(lambda state: state["todos"][0]["title"] == title)
        expect_shown(page, session)
        expect(field).to_be_focused()
        expect(page.locator("b").first).to_have_text(title)
    expect(page.get_by_text("This was deleted elsewhere.", exact=False)).to_have_count(0)
    session.send({"delete": {"id": session.state["todos"][0]["id"]}})
    expect(page.get_by_text("This was deleted elsewhere.", exact=False)).to_be_visible()
    field.blur()
    expect(page.locator("b")).to_have_text(["teapot"])


def test_a_field_that_hides_gives_the_focus_to_no_control_that_a_blank_presses(page: Page):
    session = show(page, "shop", """<div data-show="not cart"><input aria-label="note"></div>
      <div><input type="checkbox" aria-label="box"></div>""")
    page.get_by_label("note").focus()
    session.send({"add": {"productID": "tea"}})
    expect_shown(page, session)
    page.keyboard.press("Space")
    expect(page.get_by_label("box")).not_to_be_checked()


def test_data_focus_on_a_button_does_not_take_the_focus_while_the_user_types(page: Page):
    session = show(page, "shop", """<input aria-label="note"><button data-focus="cart" data-input="checkOut">Pay</button>
      <input aria-label="name" data-focus="cart.1">""")
    note = page.get_by_label("note")
    note.press_sequentially("buy")
    session.send({"add": {"productID": "tea"}})
    expect_shown(page, session)
    page.keyboard.type(" bread")
    expect(note).to_have_value("buy bread")
    session.send({"add": {"productID": "bread"}})
    expect(page.get_by_label("name")).to_be_focused()


@pytest.mark.core("data-focus")
@pytest.mark.parametrize("element", ["""<input aria-label="name" data-focus="cart.1">""",
                                     """<button aria-label="name" data-focus="cart.1">Pay</button>"""])
def test_data_focus_waits_until_the_user_pauses_typing(page: Page, element: str):
    session = show(page, "shop", f"""<input aria-label="note" data-value="query" data-input="search($value)">{element}""")
    expect_settled(page, session)
    page.route("**/inputs", lambda route: None)  # its answer would bring back the service's State
    # In one task, so that no pause is in between.
    has_kept = page.get_by_label("note").evaluate("""async (field) => {
      const { session } = await import('/uifusion.js');
      const its = session('shop');
      field.focus();
      document.execCommand('insertText', false, 'buy');
      its.state = { ...its.state, query: 'buy', cart: [{}, { quantity: 1 }] };
      its.dispatchEvent(new Event('state'));
      return field === document.activeElement;
    }""")
    assert has_kept
    expect(page.get_by_label("name")).to_be_focused()


def test_a_dialog_opens_once_the_user_pauses_typing(page: Page):
    session = open_live(page, "/chat.html")
    expect_settled(page, session)
    message = page.get_by_role("textbox", name="Message")
    # In one task, so that no pause is in between.
    is_open = message.evaluate("""async (field) => {
      const { session } = await import('/uifusion.js');
      const its = session('chat');
      field.focus();
      document.execCommand('insertText', false, 'buy');
      its.state = { ...its.state, activeAlert: { kind: 'error', message: 'from another client' } };
      its.dispatchEvent(new Event('state'));
      return document.querySelector('dialog').open;
    }""")
    assert not is_open
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(message).to_have_value("buy")
    assert session.state["activeAlert"] is None


def test_a_required_number_is_asked_for(page: Page):
    session = show(page, "countdown", """<section><input type="number" name="seconds" aria-label="Seconds" required>
      <button data-input="setDuration($seconds)">Set</button></section>""")
    page.get_by_role("button", name="Set").click()
    expect(page.get_by_label("Seconds")).to_be_focused()
    page.get_by_label("Seconds").fill("33")
    page.get_by_role("button", name="Set").click()
    session.reaches(lambda state: state["remaining"] == 33)
    assert session.snapshot["version"] == 2
