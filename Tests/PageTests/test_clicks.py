"""Clicks do not depend on the network: the same clicks send the same Inputs, whatever the delay."""

import json

import pytest
from playwright.sync_api import Page, expect

from live import expect_nothing_waits, open_live
from proxy import Proxy
from written_page import show

CLICKS = """(button) => new Promise((done) => {
  const click = (count) => count ? (button.click(), setTimeout(click, 70, count - 1)) : done();
  click(5);
})"""


def sent(proxy: Proxy) -> list:
    """Returns every Input that was sent, in order."""
    bodies = [json.loads(request.body) for request in proxy.matching("POST", "/inputs")]
    return [input for body in bodies for input in (body if isinstance(body, list) else [body])]


@pytest.mark.parametrize("delay", [pytest.param(0, marks=pytest.mark.core("data-busy")), 0.3, 2])
def test_a_control_with_data_busy_sends_once_while_its_input_is_on_its_way(proxy: Proxy, page: Page, delay: float):
    show(page, "counter", """<button data-input="increase" data-busy="loadingState is increasing">More</button>""")
    proxy.latency = delay
    # All while the first one's effect runs.
    page.get_by_role("button").evaluate("""(button) => new Promise((done) => {
      const end = performance.now() + 400;
      const click = () => performance.now() < end ? (button.click(), setTimeout(click, 70)) : done();
      click();
    })""")
    expect_nothing_waits(page)
    assert sent(proxy) == ["increase"]


@pytest.mark.parametrize("delay", [pytest.param(0, marks=pytest.mark.core("data-repeat")), 0.3, 2])
def test_a_control_with_data_repeat_sends_each_click(proxy: Proxy, page: Page, delay: float):
    show(page, "counter", """<button data-input="increase" data-busy="loadingState is increasing" data-repeat>More</button>""")
    proxy.latency = delay
    page.get_by_role("button").evaluate(CLICKS)
    expect_nothing_waits(page)
    assert sent(proxy) == ["increase"] * 5


@pytest.mark.parametrize("delay", [0, 0.3, 2])
def test_a_form_is_sent_once_while_it_is_on_its_way(proxy: Proxy, page: Page, delay: float):
    show(page, "todos", """<form data-input="add(title: $title)">
      <input name="title" data-keep value="milk" aria-label="title"><button>Add</button></form>""")
    proxy.latency = max(delay, 0.01)
    # Within one frame, or a little apart, as a double click may be.
    page.get_by_role("button").evaluate("""(button) => new Promise((done) => {
      const end = performance.now() + 450;
      button.click();
      button.click();
      setTimeout(() => done(performance.now() < end && button.click()), 120);
    })""")
    expect_nothing_waits(page)
    assert sent(proxy) == [{"add": {"title": "milk"}}]
    page.get_by_label("title").fill("tea")  # a new text can be sent at once
    page.get_by_role("button").click()
    expect_nothing_waits(page)
    assert len(sent(proxy)) == 2


@pytest.mark.parametrize("delay", [0, 2])
def test_a_double_click_orders_once(proxy: Proxy, page: Page, delay: float):
    session = open_live(page, "/shop.html")
    session.send({"add": {"productID": "cheese"}})
    expect(page.get_by_role("spinbutton", name="Quantity")).to_have_value("1")
    proxy.latency = delay
    page.get_by_role("button", name="Check out").dblclick()
    expect_nothing_waits(page)
    assert sent(proxy)[1:] == ["checkOut"]


@pytest.mark.parametrize("delay", [0, 2])
def test_a_double_click_logs_in_once(proxy: Proxy, page: Page, delay: float):
    session = open_live(page, "/login.html")
    page.get_by_role("textbox", name="Email").fill("ada@example.com")
    page.get_by_label("Password", exact=True).fill("password")
    session.reaches(lambda state: state["isFormValid"])
    expect_nothing_waits(page)
    typed = len(sent(proxy))
    proxy.latency = delay
    page.get_by_role("button", name="Log in", exact=True).dblclick()
    session.reaches(lambda state: state["step"] == "done")
    expect_nothing_waits(page)
    assert len(sent(proxy)) == typed + 1


def test_todos_are_added_as_fast_as_they_are_typed(proxy: Proxy, page: Page):
    session = open_live(page, "/todos.html")
    proxy.latency = 0.5
    page.get_by_role("textbox", name="New todo").focus()
    for title in "abc":
        page.keyboard.type(title)
        page.keyboard.press("Enter")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["a", "b", "c"])


def test_a_new_text_in_a_field_outside_of_its_form_can_be_sent_at_once(proxy: Proxy, page: Page):
    session = show(page, "todos", """<form id="new" data-input="add(title: $title)"></form>
      <input name="title" form="new" aria-label="title">""")
    title = page.get_by_label("title")
    proxy.latency = 0.5
    title.focus()
    for text in "abc":
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["a", "b", "c"])


def test_a_form_without_fields_can_be_sent_again_after_the_response(page: Page):
    session = show(page, "counter-sync", """<form data-input="increase"><button>More</button></form>
      <output aria-label="Value" data-text="value"></output>""")
    page.get_by_role("button").evaluate("""(button) => new Promise((done) => {
      const { form } = button;
      new MutationObserver((_, observer) => {
        if ('pending' in form.dataset) return;
        observer.disconnect();
        done(button.click());
      }).observe(form, { attributes: true });
      button.click();
    })""")
    session.reaches(lambda state: state["value"] == 2)
