"""Parts of a page with data-scope: they read a child's State, and send Inputs to the child."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from live import button
from waiting import eventually
from written_page import POLICY, show

TIMER = """<p data-text="ticks"></p><button data-input="start" data-enabled="not isRunning">Start {.key}</button>
  <button data-input="stop" data-enabled="isRunning">Stop {.key}</button>"""


class Composed:
    """Makes a view model look as if it had children: translates the page's Inputs for children into its own."""

    def __init__(self, page: Page, view_model: str, words, inputs: list = []):
        self.sent: list = []
        self.words = words
        self.warnings: list[str] = []
        page.on("console", lambda message: message.type == "warning" and self.warnings.append(message.text))
        page.route("**/inputs", self.translate)
        page.route(f"**/view-models/{view_model}", lambda route: route.fulfill(json={"inputs": inputs}))

    def translate(self, route: Route):
        body = route.request.post_data_json
        inputs = body if isinstance(body, list) else [body]
        self.sent += inputs
        inputs = [self.words(input) for input in inputs]
        route.continue_(post_data=json.dumps(inputs if isinstance(body, list) else inputs[0]))


def described(name: str, members: dict, definitions: dict) -> dict:
    """Returns the service's description of an Input with members."""
    full = {"type": "object", "properties": {name: {"type": "object", "properties": members, "required": [*members]}}}
    return {"name": name, "schema": {"anyOf": [full], "$defs": definitions}}


def choice(*cases, **members) -> dict:
    """Returns the schema of an enum of a child: cases without members, and cases with members."""
    forms = [{"type": "object", "properties": {name: {"type": "object", "properties": values, "required": [*values]}}}
             for name, values in members.items()]
    return {"anyOf": [*({"const": case} for case in cases), *forms]}


def test_a_part_shows_a_child_and_sends_to_it(page: Page):
    composed = Composed(page, "fan-out", lambda input: input["frame"])
    show(page, "fan-out", """<section data-scope="frame"><p>{width} × {height}, {@fan-out.count}</p>
      <button data-input="buttonTap">Tap</button></section>""")
    expect(page.locator("main p")).to_have_text("180 × 50, 0")
    button(page, "Tap").click()
    expect(page.locator("main p")).to_have_text("200 × 80, 1")
    assert composed.sent == [{"frame": "buttonTap"}]


@pytest.mark.core("data-scope")
def test_rows_may_be_children_with_their_own_ids(page: Page):
    composed = Composed(page, "multi-timer", lambda input: {input["timers"]["input"]: input["timers"]["id"]})
    session = show(page, "multi-timer", f"""<template data-each="timers"><section data-scope=".value">{TIMER}</section></template>""")
    button(page, "Start B").click()
    session.reaches(lambda state: state["timers"]["B"]["ticks"] > 0)
    expect(button(page, "Start A")).to_be_enabled()
    button(page, "Stop B").click()
    session.reaches(lambda state: not state["timers"]["B"]["isRunning"])
    assert composed.sent == [{"timers": {"id": "B", "input": name}} for name in ["start", "stop"]]


@pytest.mark.core
def test_one_file_serves_a_child_in_any_place(page: Page):
    page.route("**/timer-part.html", lambda route: route.fulfill(
        content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": POLICY},
        body="<p>{ticks}</p><button data-input=start>Start</button>"))
    composed = Composed(page, "multi-timer", lambda input: {"start": input["timers"].get("id", "D")})
    show(page, "multi-timer", """<div id="alone" data-scope="timers"><div data-scope="D" data-include="timer-part.html"></div></div>
      <template data-each="timers"><div data-attr-id=".key"><div data-scope=".value" data-include="timer-part.html"></div></div></template>""")
    expect(button(page, "Start")).to_have_count(5)  # until then the buttons may move
    button(page.locator("#alone"), "Start").click()
    button(page.locator("#C"), "Start").click()
    for place in "#alone p", "#C p":
        expect(page.locator(place)).not_to_have_text("0")
    assert composed.sent == [{"timers": {"D": "start"}}, {"timers": {"id": "C", "input": "start"}}]


def test_children_of_a_child_are_reached_through_it(page: Page):
    def words(input):
        row = input["cart"]
        return {"setQuantity": {"productID": row["id"], "quantity": row["input"]["product"]["set"]}}

    composed = Composed(page, "shop", words)
    session = show(page, "shop", """<template data-each="cart" data-key="product.id"><form data-scope=".">
      <b data-scope="product">{name} of {.quantity}</b>
      <span data-scope="product"><input type="number" name="amount" aria-label="Amount" data-value=".quantity" data-input="set($value)"></span>
      </form></template>""")
    session.send({"add": {"productID": "tea"}}, {"add": {"productID": "milk"}})
    expect(page.locator("b")).to_have_text(["Tea of 1", "Milk of 1"])
    page.get_by_label("Amount").last.fill("5")
    page.keyboard.press("Tab")
    expect(page.locator("b").last).to_have_text("Milk of 5")
    assert composed.sent == [{"cart": {"id": "milk", "input": {"product": {"set": 5}}}}]


@pytest.mark.expects_errors("net::ERR_")
def test_text_typed_into_two_children_is_replaced_for_each_child_alone(page: Page):
    composed = Composed(page, "search", lambda input: {"queryChanged": [*input][0] + input[[*input][0]]["look"]})
    part = '<div data-scope="{0}"><input aria-label="{0}" data-input="look($value)" data-debounce="60000"></div>'
    show(page, "search", part.format("query") + part.format("results"))
    page.context.set_offline(True)
    for name in ["query", "results", "query"]:
        page.get_by_label(name).press_sequentially("a")
    page.get_by_label("results").blur()
    page.get_by_label("query").blur()
    page.context.set_offline(False)
    eventually(lambda: {"results": {"look": "a"}} in composed.sent and {"query": {"look": "aa"}} in composed.sent,
               "both texts")


def test_a_part_is_hidden_while_there_is_no_child(page: Page):
    composed = Composed(page, "counter", lambda input: "dismissAlert" if isinstance(input, dict) else input)
    session = show(page, "counter", """<section data-scope="activeAlert"><p>{kind}: {message}</p>
      <button data-input="dismiss">Close</button></section>""")
    part = page.locator("main section")
    expect(part).to_be_hidden()
    session.send("show")
    expect(part).to_be_visible()
    expect(part.locator("p")).to_contain_text("info: ")
    button(page, "Close").click()
    expect(part).to_be_hidden()
    expect(part.locator("p")).to_have_text(":")
    assert composed.sent == [{"activeAlert": "dismiss"}]


def test_a_pulse_of_a_child_is_shown(page: Page):
    def answer(route: Route, count: int):
        state = {"session": "a" * 22, "event": "state", "version": count, "state": {"alarm": {"rings": {"value": None, "pulse": count}}}}
        route.fulfill(content_type="application/x-ndjson", body=f"{json.dumps(state)}\n")

    page.route("**/sessions?*", lambda route: answer(route, 1))
    page.route("**/events?*", lambda route: answer(route, 2))
    page.route("**/sessions/*", lambda route: None)
    page.route("**/written-here.html", lambda route: route.fulfill(content_type="text/html", body="""
      <script type="module" src="/uifusion.js"></script>
      <main data-view-model="counter-sync"><section data-scope="alarm"><p data-pulse="rings" hidden>It rings</p></section></main>"""))
    page.goto("/written-here.html")
    expect(page.get_by_text("It rings")).to_be_visible()


def test_names_that_the_child_does_not_have_warn(page: Page):
    timer = choice("start", "stop", rename={"title": {"type": "string"}})
    rows = described("timers", {"id": {"type": "integer"}, "input": {"$ref": "#/$defs/Timer"}}, {"Timer": timer})
    composed = Composed(page, "multi-timer", lambda input: "startAll", [rows, described("startAll", {}, {})])
    session = show(page, "multi-timer", """<template data-each="timers"><div data-scope=".value">
      {tickz}<button data-input="strat">a</button><button data-input="rename(name: 'b')">b</button><button data-input="stop">c</button></div></template>
      <div data-scope="timers"><div data-scope="A">{isRuning}</div></div>
      <div data-scope="timer"><button data-input="start">d</button></div>""")
    session.send("startAll")  # rows are checked when they change
    wanted = ["State has no such member; it has ticks, isRunning", "there is no Input “strat”; there are start, stop, rename",
              "“rename” has title, not “name”", "State has no such member; it has timers", "there is no Input “timer”; there are timers, startAll"]
    eventually(lambda: all(any(words in text for text in composed.warnings) for words in wanted), f"the warnings of {composed.warnings}")
    warned = lambda: len({text for text in composed.warnings if "Input" in text or "has" in text})
    eventually(lambda: warned() >= 7, "the last warning")
    assert warned() == 7


def test_the_id_of_a_child_is_sent_with_the_type_of_its_schema(page: Page):
    rows = described("timers", {"id": {"type": "string", "pattern": "^[0-9]+$"}, "input": {"enum": ["start"]}}, {})
    composed = Composed(page, "multi-timer", lambda input: {"start": "A"}, [rows])
    show(page, "multi-timer", """<template data-each="timers" data-where=".key is 'A'" data-key="value.ticks"><div data-scope=".value">
      <button data-input="start">Start</button></div></template>""", known="timers")
    button(page, "Start").click()
    eventually(lambda: composed.sent == [{"timers": {"id": "0", "input": "start"}}], "the Input")


@pytest.mark.expects_errors("name a child")
@pytest.mark.parametrize("name", ["1 is 2", "'cart'", "$id"])
def test_a_scope_that_names_no_child_is_reported(page: Page, name: str):
    with page.expect_console_message(lambda message: "data-scope: name a child" in message.text):
        show(page, "counter-sync", f'<div data-scope="{name}"><p>{{value}}</p></div>')
    expect(page.locator("main p")).to_have_text("0")
