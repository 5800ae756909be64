"""Custom elements, multiple selects and groups of checkboxes as fields; keys, properties and events."""

import pytest
from playwright.sync_api import Page, expect

from live import expect_nothing_waits
from written_page import show

RATING = """
  customElements.define('star-rating', class extends HTMLElement {
    #value = '';
    get value() { return this.#value; }
    set value(value) { this.#value = value; this.textContent = `rated ${value}`; }
    connectedCallback() {
      this.onclick = () => { this.value = 'five'; this.dispatchEvent(new Event('change')); };
      this.ondblclick = () => this.dispatchEvent(new CustomEvent('pick', { detail: { title: 'picked' } }));
    }
  });"""


@pytest.mark.core("data-prop-", "data-value")
def test_a_custom_element_is_a_field(page: Page):
    page.add_init_script(RATING)
    session = show(page, "todos", """<template data-each="todos"><div>
      <star-rating data-value=".title" data-input="rename(id: .id, title: $value)"></star-rating></div></template>
      <star-rating id="picker" data-on="pick" data-input="add(title: $event.detail.title)">pick</star-rating>
      <b data-prop-some-text="todos.count" data-input="clearCompleted" data-on="keydown"></b>""")
    page.locator("#picker").dblclick()
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["picked"])
    rating = page.locator("div star-rating")
    expect(rating).to_have_text("rated picked")
    rating.click()
    session.reaches(lambda state: state["todos"][0]["title"] == "five")
    expect(page.locator("b")).to_have_js_property("someText", 1)


def test_a_key_is_an_argument_and_may_be_combined_with_modifiers(page: Page):
    session = show(page, "todos", """<div tabindex="0" aria-label="pad" data-on="keydown" data-input="add(title: $event.key)">pad</div>
      <button data-keys="Control+k" data-input="clearCompleted">Clear</button><input aria-label="field">""")
    page.get_by_label("pad").press("q")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["q"])
    session.send({"toggle": {"id": session.state["todos"][0]["id"]}})
    page.get_by_label("field").press("k")
    page.get_by_label("field").press("Control+k")
    session.reaches(lambda state: not state["todos"])


def test_a_multiple_select_and_a_group_of_checkboxes_hold_an_array(page: Page):
    show(page, "todos", """<div data-local="days: 'x', picked: 'x'">
      <select multiple aria-label="days" data-value="days"><option>Mo</option><option>Tu</option><option>We</option></select>
      <form data-set="picked: $day"><input type="checkbox" name="day" value="Sa" aria-label="Sa" checked>
        <input type="checkbox" name="day" value="Su" aria-label="Su"><button>Set</button></form>
      <p>{days | list} and {picked | list}</p>
      <input type="checkbox" value="Sa" aria-label="is Sa" data-value="picked"></div>""")
    page.get_by_label("days").select_option(["Mo", "We"])
    page.get_by_label("Su", exact=True).check()
    page.get_by_role("button", name="Set").click()
    expect(page.locator("p").first).to_have_text("Mo and We and Sa and Su")
    expect(page.get_by_label("is Sa")).to_be_checked()


def test_a_custom_element_that_is_defined_after_the_client_is_a_field(page: Page):
    page.route("**/rating.js", lambda route: route.fulfill(content_type="text/javascript", body=RATING))
    session = show(page, "search", """<star-rating data-value="query" data-input="queryChanged($value)">?</star-rating>
      <div data-local="mine: 'one'"><star-rating data-value="mine">?</star-rating><b>{mine}</b></div>""")
    expect(page.locator("b")).to_have_text("one")
    page.add_script_tag(type="module", url="/rating.js")
    expect(page.locator("star-rating")).to_have_text(["?", "rated one"])
    session.send({"queryChanged": "two"})
    expect(page.locator("star-rating").first).to_have_text("rated two")
    page.locator("star-rating").first.click()
    session.reaches(lambda state: state["query"] == "five")
    page.locator("star-rating").last.click()
    expect(page.locator("b")).to_have_text("five")


@pytest.mark.core("Limits")
def test_a_secret_that_was_sent_stays_in_its_field(page: Page):
    session = show(page, "login", """<b>{email}</b><input type="password" aria-label="Password"
      data-value="password" data-input="passwordChanged($value)">""")
    page.get_by_label("Password").fill("hunter2")
    session.reaches(lambda state: state["password"] == "••••")
    session.send({"emailChanged": "ada"})
    expect(page.locator("b")).to_have_text("ada")
    expect(page.get_by_label("Password")).to_have_value("hunter2")


def test_a_key_that_is_held_down_clicks_once(page: Page):
    session = show(page, "counter-sync", """<button data-keys="x y" data-input="increase">More</button>""")
    for _ in range(3):
        page.keyboard.down("x")
    page.keyboard.up("x")
    page.keyboard.press("y")
    assert session.reaches(lambda state: state["value"] >= 2)["value"] == 2


def test_shift_counts_only_with_keys_that_are_not_characters(page: Page):
    session = show(page, "todos", """<button data-keys="Shift+ArrowUp ?" data-input="add(title: 'shifted')">More</button>
      <button data-keys="ArrowUp" data-input="add(title: 'plain')">One</button><input aria-label="field">""")
    page.get_by_label("field").press("Shift+ArrowUp")  # only selects text
    page.evaluate("document.activeElement.blur()")
    for key in "Shift+ArrowUp", "ArrowUp", "?":
        page.keyboard.press(key)
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["shifted", "plain", "shifted"])


def test_keys_in_a_modal_dialog_click_only_its_controls(page: Page):
    session = show(page, "todos", """<button data-keys="x" data-input="add(title: 'behind')">Behind</button>
      <dialog data-open="not todos"><button data-keys="x" data-input="add(title: 'in it')">In it</button></dialog>""")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("x")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("x")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["in it", "behind"])


@pytest.mark.core("data-keys-within")
def test_keys_may_be_limited_to_one_part_of_the_page(page: Page):
    session = show(page, "todos", """<section data-keys-within>
      <button data-keys="x" data-input="add(title: 'within')">One</button></section><button>Other</button>""")
    for name in "Other", "One", "Other", "One":
        page.get_by_role("button", name=name).focus()
        page.keyboard.press("x")
    session.reaches(lambda state: len(state["todos"]) == 2)
    expect_nothing_waits(page)
    assert len(session.state["todos"]) == 2


def test_upper_and_lower_follow_the_page_s_language(page: Page):
    page.add_init_script("new MutationObserver(() => { document.documentElement.lang = 'tr'; }).observe(document, { childList: true })")
    show(page, "todos", """<b>{'title' | upper} {'TI' | lower} {'idle' | capital}</b>""")
    expect(page.locator("b")).to_have_text("TİTLE tı İdle")


@pytest.mark.expects_errors("status of 4")  # a title is not an array
def test_a_multiple_select_sends_an_array(page: Page):
    show(page, "todos", """<select multiple aria-label="days" data-input="add(title: $value)">
      <option>Mo</option><option>Tu</option><option>We</option></select>""")
    with page.expect_request("**/inputs") as request:
        page.get_by_label("days").select_option(["Mo", "We"])
    assert request.value.post_data_json in ({"add": {"title": ["Mo", "We"]}}, [{"add": {"title": ["Mo", "We"]}}])


PRESS = "(how) => document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...how }))"


def test_keys_are_found_with_caps_lock_and_on_other_layouts(page: Page):
    names = ["x", "X", "7", "Control+k", "ö", "?"]
    session = show(page, "todos", "".join(f"""<button data-keys="{key}" data-input="add(title: '{key}')">{key}</button>""" for key in names))
    caps = {"modifierCapsLock": True}
    for how in (
        {"key": "X", "code": "KeyX"} | caps,
        {"key": "x", "code": "KeyX", "shiftKey": True} | caps, {"key": "X", "code": "KeyX", "shiftKey": True} | caps,
        {"key": "ч", "code": "KeyX"}, {"key": "Ч", "code": "KeyX", "shiftKey": True}, {"key": "Ч", "code": "KeyX"} | caps,
        {"key": "χ", "code": "KeyX"}, {"key": "أ", "code": "Digit7"},
        {"key": "л", "code": "KeyK", "ctrlKey": True}, {"key": "K", "code": "KeyK", "ctrlKey": True} | caps,
        {"key": "ö", "code": "Semicolon"}, {"key": "?", "code": "Slash", "shiftKey": True} | caps,
        {"key": "q", "code": "KeyX"}, {"key": "ж", "code": "Semicolon"},  # on a Latin layout, the place of a key says nothing
    ):
        page.evaluate(PRESS, how)
    sent = ["x", "X", "X", "x", "X", "x", "x", "7", "Control+k", "Control+k", "ö", "?"]
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == sent)
    expect_nothing_waits(page)


@pytest.mark.parametrize("control, back", [("Cancel", "Back"), ("CANCEL", "Back"), ("Cancel the order", "Back"), ("Delete", "Cancel")])
def test_the_two_answers_to_a_question_have_different_names(page: Page, control: str, back: str):
    session = show(page, "counter-sync", f"""<button data-input="increase" data-confirm="Sure?">{control}</button>""")
    page.get_by_role("button", name=control, exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("button")).to_have_text([back, control])
    page.get_by_role("dialog").get_by_role("button", name=back).click()
    page.get_by_role("button", name=control, exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=control, exact=True).click()
    assert session.reaches(lambda state: state["value"] > 0)["value"] == 1
