"""Fields that are no text: custom elements, selects of several, groups of boxes; properties and events."""

from playwright.sync_api import Page, expect

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


def test_a_key_is_an_argument_and_keys_may_be_held_together(page: Page):
    session = show(page, "todos", """<div tabindex="0" aria-label="pad" data-on="keydown" data-input="add(title: $event.key)">pad</div>
      <button data-keys="Control+k" data-input="clearCompleted">Clear</button><input aria-label="field">""")
    page.get_by_label("pad").press("q")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["q"])
    session.send({"toggle": {"id": session.state["todos"][0]["id"]}})
    page.get_by_label("field").press("k")
    page.get_by_label("field").press("Control+k")
    session.reaches(lambda state: not state["todos"])


def test_several_options_and_a_group_of_boxes_are_an_array(page: Page):
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
