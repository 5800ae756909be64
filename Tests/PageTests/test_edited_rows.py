"""Whoever types in a row types into that row, whatever others do to the list meanwhile."""

from playwright.sync_api import Page, expect

from http_session import HTTPSession
from live import open_live, root
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


def shown(session: HTTPSession, page: Page) -> None:
    """Waits until the page has the session's State."""
    version = session.snapshot["version"]
    page.wait_for_function("""async ([viewModel, version]) => {
      const { session } = await import('/uifusion.js');
      const its = session(viewModel);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return its.version >= version;
    }""", arg=[root(page).get_attribute("data-view-model"), version])


def test_a_row_that_is_deleted_elsewhere_stays_while_somebody_types_in_it(page: Page):
    session, ids = begin(page)
    rename(page, "two")
    page.keyboard.type("buy")
    session.send({"delete": {"id": ids["two"]}})
    shown(session, page)
    page.keyboard.type(" bread")
    assert page.evaluate(FOCUSED) == {"localName": "input", "type": "text", "value": "buy bread", "name": "title"}
    expect(page.get_by_text("This was deleted elsewhere.", exact=False)).to_be_visible()
    page.keyboard.press("Enter")
    assert [(todo["title"], todo["isDone"]) for todo in session.state["todos"]] == [("one", False), ("three", False)]
    page.keyboard.press("Escape")
    expect(page.get_by_role("checkbox")).to_have_count(2)


def test_a_row_that_comes_back_while_somebody_types_in_it_is_sent_as_before(make_service, service, page: Page):
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


def test_a_row_that_a_filter_hides_stays_while_somebody_types_in_it(page: Page):
    session, ids = begin(page)
    page.get_by_role("radio", name="Active").check()
    rename(page, "two")
    page.keyboard.type("buy")
    session.send({"toggle": {"id": ids["two"]}})
    shown(session, page)
    page.keyboard.type(" bread")
    page.keyboard.press("Enter")
    titles = session.reaches(lambda state: any(todo["title"] == "buy bread" for todo in state["todos"]))["todos"]
    assert {todo["title"]: todo["isDone"] for todo in titles} == {"one": False, "buy bread": True, "three": False}
    page.keyboard.press("Escape")
    expect(page.get_by_role("checkbox")).to_have_count(2)


def test_rows_without_a_key_are_known_by_their_id(page: Page):
    session = show(page, "todos", """<template data-each="todos"><p>
      <input aria-label="title" data-value=".title" data-input="rename(id: .id, title: $value)"></p></template>""")
    session.send(*[{"add": {"title": title}} for title in ["one", "two", "three"]])
    field = page.get_by_label("title").nth(1)
    expect(field).to_have_value("two")
    field.focus()
    page.keyboard.press("End")
    session.send({"delete": {"id": session.state["todos"][0]["id"]}})
    shown(session, page)
    page.keyboard.type("!")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["two!", "three"])


def test_a_dialog_that_closes_under_typing_does_not_let_a_key_press_its_opener(page: Page):
    session = show(page, "shop", """<button data-input="add(productID: 'tea')">Add</button>
      <dialog data-open="not cart"><input aria-label="note"></dialog>""")
    page.keyboard.press("Escape")
    page.get_by_role("button").click()
    session.reaches(lambda state: state["cart"])
    shown(session, page)
    page.get_by_role("button").focus()
    session.send({"setQuantity": {"productID": "tea", "quantity": 0}})
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_label("note").press_sequentially("buy")
    session.send({"add": {"productID": "bread"}})
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.type(" bread")
    shown(session, page)
    assert [item["product"]["id"] for item in session.state["cart"]] == ["bread"]


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
