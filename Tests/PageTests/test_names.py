"""Names of fields that a form, or the client, has as well."""

import pytest
from playwright.sync_api import Page, expect

from live import button
from waiting import eventually
from written_page import show

# A page cannot name a field as the browser's own property without hiding it: `form.elements` is then the field.
ALL_NAMES = """(() => {
  const names = new Set(['__proto__']);
  for (let type = HTMLFormElement.prototype; type; type = Object.getPrototypeOf(type)) {
    for (const name of Object.getOwnPropertyNames(type)) names.add(name);
  }
  names.delete('shadowRoot'); // with it, Playwright's locators find nothing on the page
  names.delete('title'); // the name of a field that is shown
  return [...names];
})()"""

# Playwright's own actions fail in such forms.
CLICK = """(name) => {
  const find = () => [...document.querySelectorAll('button')].findLast((button) => button.textContent === name && button.ariaDisabled !== 'true');
  return new Promise((done) => {
    const look = () => (find() ? done(find().click()) : setTimeout(look, 20));
    look();
  });
}"""
FILL = """([label, text]) => {
  const field = document.querySelector(`[aria-label="${label}"]`);
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}"""


def fields(page: Page) -> str:
    page.goto("/healthz")
    names = page.evaluate(ALL_NAMES)
    assert len(names) > 300 and {"elements", "attributes", "localName", "constructor", "toString"} < set(names)
    return "".join(f'<input type="hidden" name="{name}"><input type="hidden" id="{name}">' for name in names)


def test_a_form_works_whatever_its_fields_are_called(page: Page):
    names = fields(page)
    page.route("**/hint.html", lambda route: route.fulfill(content_type="text/html", body=f"<i>{{todos.count}}</i>{names}"))
    session = show(page, "todos", f"""<h1>{{todos.count}}</h1><div id="rows"><template data-each="todos" data-transition data-sort="'-title'">
        <form data-input="rename(id: .id, title: $title)" data-show=".title" data-class-done=".isDone" data-include="hint.html"
          data-attr-title=".title" data-style-width="90 | px" data-prop-lang="'de'" data-local="isNew: true" data-drag=".id" data-drop="delete(id: $dragged)">
          <b>{{.title}}</b><input name="title" aria-label="new title"><button>Rename</button>{names}</form></template></div>
      <form data-input="add(title: $title)" data-enabled="not todos" data-confirm="Sure?" data-busy="false" data-keys-within>
        <input name="title" aria-label="title"><button>Add</button>{names}</form>
      <form data-local="isOpen: true" data-set="isOpen: false" data-show="isOpen" id="last"><button>Close</button>{names}</form>""")

    def reaches(script: str, value) -> None:
        eventually(lambda: page.evaluate(script) == value, f"{script} is {page.evaluate(script)}, not {value}")

    rows = "[...document.querySelectorAll('#rows b')].map(({ textContent }) => textContent)"
    looks = "document.querySelectorAll('#rows form[title=%s][lang=de][style=\\'width: 90px;\\']%s:not([hidden])').length"
    page.evaluate(FILL, ["title", "milk"])
    for name in "Add", "Add":
        page.evaluate(CLICK, name)
    reaches(rows, ["milk"])
    reaches("document.querySelector('[aria-label=title]').value", "")
    reaches("document.querySelectorAll('form:not([id]) > [aria-disabled=true]').length", 1)
    reaches(looks % ("milk", ""), 1)
    reaches("document.querySelector('#rows i').textContent", "1")
    page.evaluate(FILL, ["new title", "bread"])
    page.evaluate(CLICK, "Rename")
    session.reaches(lambda state: state["todos"][0]["title"] == "bread")
    session.send({"add": {"title": "salt"}})
    reaches(rows, ["salt", "bread"])
    page.evaluate(CLICK, "Close")
    reaches("document.querySelectorAll('#last[hidden]').length", 1)
    page.evaluate("document.activeElement.blur()")
    session.send({"toggle": {"id": session.state["todos"][0]["id"]}}, {"delete": {"id": session.state["todos"][1]["id"]}})
    reaches(rows, ["bread"])
    reaches(looks % ("bread", ".done"), 1)
    reaches("document.querySelectorAll('[data-pending]').length", 0)


def test_in_a_form_the_name_of_a_field_comes_before_what_is_built_in(page: Page):
    names = ["id", "version", "connection", "waiting", "origin", "index", "value", "event", "moment", "snapshot", "dragged"]
    session = show(page, "todos", "".join(f"""<form data-input="add(title: ${name})" aria-label="{name}">
        <input name="{name}" value="field {name}"><button>Send</button></form>""" for name in names))
    for name in names:
        button(page.get_by_role("form", name=name), "Send").click()
    session.reaches(lambda state: len(state["todos"]) == len(names))
    assert [todo["title"] for todo in session.state["todos"]] == [f"field {name}" for name in names]


def test_what_is_built_in_has_a_name_that_no_field_can_take(page: Page):
    session = show(page, "todos", """<form data-input="add(title: $.id)"><input name="id" value="field"><button>Send</button></form>
      <button data-input="add(title: $id)">Built in</button><button value="its own" data-input="add(title: $.value)">Own</button>
      <button data-on="pick" data-input="add(title: $.event.detail.title)">Pick</button>
      <ul><template data-each="todos"><li>{$index} {$.index} {$.connection} {$.version}</li></template></ul>""")
    for name in "Send", "Built in", "Own":
        button(page, name).click()
    button(page, "Pick").evaluate("(button) => button.dispatchEvent(new CustomEvent('pick', { detail: { title: 'picked' } }))")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == [session.id, session.id, "its own", "picked"])
    expect(page.locator("li").nth(1)).to_have_text(f"1 1 live {session.snapshot['version']}")


@pytest.mark.expects_errors("is not built in")
def test_a_misspelt_name_of_what_is_built_in_is_reported(page: Page):
    with page.expect_console_message(lambda message: "“$.conection” is not built in" in message.text):
        show(page, "todos", "<p>{$.conection}</p>")


def test_a_member_behind_is_that_is_taken_for_a_case_is_reported(page: Page):
    with page.expect_console_message(lambda message: "write (query) for the member" in message.text):
        session = show(page, "search", '<p data-show="query is query">bare</p><p data-show="query is (query)">equal</p>')
        session.send({"queryChanged": "abc"})
    expect(page.get_by_text("equal")).to_be_visible()
    expect(page.get_by_text("bare")).to_be_hidden()


def test_beside_a_row_s_field_the_session_s_secret_id_is_not_sent(page: Page):
    session = show(page, "todos", """<template data-each="todos"><div><input name="id" data-value=".title">
      <button data-input="add(title: $id)">Copy</button></div></template>""")
    session.send({"add": {"title": "milk"}})
    button(page, "Copy").click()
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["milk", "milk"])


@pytest.mark.expects_errors("there is no format “constructor”")
def test_a_member_may_have_any_name(page: Page):
    show(page, "todos", """<div data-local="constructor: 1, __proto__: 2, toString: 3, hasOwnProperty: 4, valueOf: 5">
      <b>{constructor} {__proto__} {toString} {hasOwnProperty} {valueOf}</b>
      <button data-set="__proto__: 6, constructor: null">Set</button></div>
      <i>{isPrototypeOf | or none} {todos.toString | or none} {filter.__proto__ | or none} {todos.count | constructor}</i>""")
    expect(page.locator("b")).to_have_text("1 2 3 4 5")
    expect(page.locator("i")).to_have_text("none none none 0")
    button(page, "Set").click()
    expect(page.locator("b")).to_have_text("6 3 4 5")
