"""On a page a value is what it is in Swift, and a form sends what the browser's own form would."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from test_names import CLICK, fields
from test_typed_fields import DATE, with_title
from live import expect_nothing_waits
from waiting import eventually
from written_page import show

BERLIN, LOS_ANGELES, KIRITIMATI = "Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati"
INTEGER, BOOLEAN, DECIMAL = {"type": "integer"}, {"type": "boolean"}, {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}
DAY = {"type": "string", "format": "date"}


def optional(schema: dict) -> dict:
    return {"anyOf": [schema, {"type": "null"}]}


@pytest.fixture
def sent(page: Page):
    """The titles that a page sends, whatever they are; the service is not asked."""
    titles = []

    def take(route) -> None:
        body = route.request.post_data_json
        titles.extend(input["add"]["title"] for input in (body if isinstance(body, list) else [body]))
        route.fulfill(status=204, headers={"ETag": '"1"'})

    page.route("**/inputs", take)
    return titles


def holds(titles: list, expected: list) -> bool:
    return json.dumps(titles) == json.dumps(expected)


@pytest.mark.parametrize("zone, moment, text", [
    (BERLIN, "2026-10-25T00:30:00.000Z", "2026-10-25T02:30"),
    (BERLIN, "2026-10-25T01:30:00.000Z", "2026-10-25T02:30"),
    (BERLIN, "2026-03-29T01:00:30.250Z", "2026-03-29T03:00:30.25"),
    (LOS_ANGELES, "2026-11-01T09:59:59.000Z", "2026-11-01T01:59:59"),
    ("Australia/Lord_Howe", "2026-04-04T15:15:00.000Z", "2026-04-05T01:45"),
    ("Africa/Casablanca", "2026-02-15T02:30:00.000Z", "2026-02-15T02:30"),
])
def test_a_moment_stays_the_same_between_state_and_its_field(make_context, url: str, zone: str, moment: str, text: str):
    page = make_context(timezone_id=zone).new_page()
    with_title(page, url, DATE)
    session = show(page, "todos", """<template data-each="todos"><form data-input="rename(id: .id, title: $due)">
        <input type="datetime-local" name="due" aria-label="due" data-value=".title"><button>Save</button></form></template>""")
    session.send({"add": {"title": moment}})
    field = page.get_by_label("due")
    expect(field).to_have_value(text)
    assert field.evaluate("field => field.checkValidity()")
    minute = (int(text[14:16]) + 1) % 60
    edited = f"{text[:14]}{minute:02}{text[16:]}"
    with page.expect_request("**/inputs") as request:
        page.get_by_role("button", name="Save").click()
    assert moment in request.value.post_data
    expect_nothing_waits(page)
    field.fill(edited)
    page.get_by_role("button", name="Save").click()
    expected = f"{moment[:14]}{(int(moment[14:16]) + 1) % 60:02}{moment[16:]}"
    session.reaches(lambda state: state["todos"][0]["title"] == expected)
    expect(field).to_have_value(edited)


@pytest.mark.parametrize("zone", [LOS_ANGELES, BERLIN, KIRITIMATI])
def test_a_day_is_the_same_day_in_field_and_format(make_context, zone: str):
    page = make_context(timezone_id=zone).new_page()
    show(page, "todos", """<div data-local="due: '2026-03-01T00:00:00.000Z', day: '2026-03-01', at: '1970-01-01T10:30:00.000Z', now: '2026-03-01T23:30:00.000Z'">
        <input type="date" aria-label="due" data-value="due"><input type="date" aria-label="day" data-value="day">
        <input type="time" aria-label="at" data-value="at"><input type="date" aria-label="now" data-value="now">
        <p>{due | date}; {day | date}; {day | datetime}; {at | time}</p><b>{now | date}</b><i>{now | datetime Europe/Berlin}</i></div>""")
    expect(page.locator("main p").first).to_have_text("Mar 1, 2026; Mar 1, 2026; Mar 1, 2026; 10:30 AM")
    for name, text in [("due", "2026-03-01"), ("day", "2026-03-01"), ("at", "10:30")]:
        expect(page.get_by_label(name)).to_have_value(text)
    day = "1" if zone == LOS_ANGELES else "2"
    expect(page.get_by_label("now")).to_have_value(f"2026-03-0{day}")
    expect(page.locator("b")).to_have_text(f"Mar {day}, 2026")
    expect(page.locator("i")).to_have_text("Mar 2, 2026, 12:30 AM")


@pytest.mark.core("data-zone")
def test_a_page_may_have_the_zone_of_the_business(make_context, url: str):
    page = make_context(timezone_id=LOS_ANGELES).new_page()
    page.add_init_script("new MutationObserver(() => { document.documentElement.dataset.zone = 'Europe/Berlin'; }).observe(document, { childList: true })")
    with_title(page, url, DATE)
    session = show(page, "todos", """<form data-input="add(title: $due)"><input type="date" name="due" aria-label="due"><button>Add</button></form>
      <template data-each="todos"><p>{.title | date}</p></template>""")
    page.get_by_label("due").fill("2026-07-01")
    page.get_by_role("button", name="Add").click()
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["2026-06-30T22:00:00.000Z"])
    expect(page.locator("main p").first).to_have_text("Jul 1, 2026")


@pytest.mark.parametrize("schema, values", [
    (INTEGER, [("3", 3), ("-4", -4)]), (BOOLEAN, [("false", False), ("true", True)]), (DECIMAL, [("2.5", "2.5")]),
    ({"enum": [1, 2]}, [("2", 2)]), ({"enum": ["red", "blue"]}, [("blue", "blue")]), (DAY, [("2026-03-01", "2026-03-01")]),
    ({"type": "array", "items": INTEGER}, [("3", [3])]),
])
def test_choices_send_the_type_of_the_member(page: Page, url: str, sent: list, schema: dict, values: list):
    with_title(page, url, optional(schema))
    options = "".join(f"<option>{text}</option>" for text, _ in values)
    radios = "".join(f'<input type="radio" name="radio" aria-label="radio {text}" value="{text}">' for text, _ in values)
    show(page, "todos", f"""<form data-input="add(title: $select)"><select name="select" aria-label="select"><option value="">none</option>{options}</select>
        <button>Add select</button></form><form data-input="add(title: $radio)">{radios}<button>Add radio</button></form>""", known="add")
    nothing = [] if schema.get("type") == "array" else None
    for name in "select", "radio":
        page.get_by_role("button", name=f"Add {name}").click()
        expect_nothing_waits(page)
    assert holds(sent, [nothing, nothing])
    for text, value in values:
        sent.clear()
        page.get_by_label("select", exact=True).select_option(text)
        page.get_by_label(f"radio {text}", exact=True).check()
        for name in "select", "radio":
            page.get_by_role("button", name=f"Add {name}").click()
            expect_nothing_waits(page)
        assert holds(sent, [value, value])


def test_a_checkbox_or_a_list_of_them_sends_what_the_schema_says(page: Page, url: str, sent: list):
    with_title(page, url, {"type": "array", "items": INTEGER})
    show(page, "todos", """<form data-input="add(title: $one)"><input type="checkbox" name="one" value="7" aria-label="one"><button>One</button></form>
      <select multiple aria-label="many" data-input="add(title: $value)"><option>1</option><option>20</option><option disabled selected>3</option></select>
      <form data-input="add(title: $box)"><input type="checkbox" name="box" value="7" checked><input type="checkbox" name="box" value="8">
        <input type="checkbox" name="box" value="9" checked><input type="checkbox" name="box" value="10" checked disabled><button>Box</button></form>""", known="add")
    page.get_by_role("button", name="One").click()
    expect_nothing_waits(page)
    page.get_by_label("one").check()
    page.get_by_role("button", name="One").click()
    expect_nothing_waits(page)
    page.get_by_label("many").select_option(["1", "20"])
    expect_nothing_waits(page)
    page.get_by_role("button", name="Box").click()
    expect_nothing_waits(page)
    assert holds(sent, [[], [7], [1, 20], [7, 9]])


def test_choices_show_values_of_any_type(page: Page):
    show(page, "todos", """<div data-local="count: 3, isOn: false, price: '2.5', none: null">
      <select aria-label="count" data-value="count"><option>1</option><option>3.0</option></select>
      <select aria-label="isOn" data-value="isOn"><option value="">?</option><option>true</option><option>false</option></select>
      <select aria-label="price" data-value="price"><option>2.00</option><option>2.50</option></select>
      <select aria-label="none" data-value="none"><option>true</option><option value="">?</option></select>
      <input type="radio" name="on" value="false" aria-label="off" data-value="isOn"><input type="radio" name="on" value="" aria-label="unknown" data-value="isOn">
      <input type="checkbox" value="3" aria-label="is 3" data-value="count"><input type="checkbox" value="4" aria-label="is 4" data-value="count"></div>""")
    for name, value in [("count", "3.0"), ("isOn", "false"), ("price", "2.50"), ("none", "")]:
        expect(page.get_by_label(name, exact=True)).to_have_value(value)
    for name, is_checked in [("off", True), ("unknown", False), ("is 3", True), ("is 4", False)]:
        expect(page.get_by_label(name, exact=True)).to_be_checked(checked=is_checked)


def test_the_button_that_submits_counts(page: Page, url: str, sent: list):
    with_title(page, url, optional(INTEGER))
    show(page, "todos", """<form data-input="add(title: $step)"><input aria-label="field"><button name="step" value="1">First</button>
      <button name="step" value="2" type="submit">Second</button><button>Neither</button></form>""", known="add")
    for name in "Second", "First", "Neither":
        page.get_by_label("field").press_sequentially("x")  # so that it is no double click
        page.get_by_role("button", name=name).click()
        expect_nothing_waits(page)
    page.get_by_label("field").fill("x")
    page.get_by_label("field").press("Enter")
    expect_nothing_waits(page)
    assert holds(sent, [2, 1, None, 1])


def test_what_is_no_number_is_seen(page: Page, url: str, sent: list):
    with_title(page, url, optional(INTEGER))
    show(page, "todos", """<form data-input="add(title: $whole)" novalidate><input type="number" name="whole" aria-label="whole"><button>Whole</button></form>
      <input aria-label="text" data-on="change" data-input="add(title: $value)"><input aria-label="typed" data-input="add(title: $value)">
      <form data-input="add(title: $part)"><input name="part" inputmode="decimal" aria-label="part"><button>Part</button></form>""", known="add")
    page.get_by_label("whole").press_sequentially("1e")  # in English Chromium takes no comma
    page.get_by_role("button", name="Whole").click()
    expect(page.get_by_label("whole")).to_be_focused()
    for name in "text", "typed", "part":
        field = page.get_by_label(name)
        field.fill("1,5")
        if name == "part":
            page.get_by_role("button", name="Part").click()
        else:
            field.press("Enter")
        expect(field).to_have_js_property("validationMessage", "Enter a number, such as 1.5.")
        expect(field).to_have_value("1,5")
        field.fill("15")
        expect(field).to_have_js_property("validationMessage", "")
        page.get_by_role("button", name="Part").click() if name == "part" else field.press("Enter")
        expect_nothing_waits(page)
    assert holds(sent, [15, 15, 15])


def test_text_and_caret_stay_whatever_line_ends_state_has(page: Page):
    session = show(page, "search", """<textarea aria-label="query" data-value="query" data-input="queryChanged($value)"></textarea>
      <input aria-label="line" data-value="query"><b>{query.count}</b>""")
    session.send({"queryChanged": "one\r\ntwo\rthree"})
    expect(page.locator("b")).to_have_text("13")
    area = page.get_by_label("query")
    expect(area).to_have_value("one\ntwo\nthree")
    expect(page.get_by_label("line")).to_have_value("onetwothree")
    area.focus()
    area.evaluate("area => area.setSelectionRange(5, 5)")
    session.send({"queryChanged": "one\r\ntwo\r\nthree!"})
    expect(area).to_have_value("one\ntwo\nthree!")
    page.keyboard.type("W")
    session.reaches(lambda state: state["query"] == "one\ntWwo\nthree!")
    session.send({"queryChanged": "one\r\ntWwo\r\nthree!"})
    expect(page.locator("b")).to_have_text("15")
    assert area.evaluate("area => area.selectionStart") == 6


def test_a_field_in_a_row_is_ready_once_the_schemas_are_known(page: Page, url: str):
    with_title(page, url, DATE)
    session = show(page, "todos", """<template data-each="todos"><input type="date" aria-label="due" data-value=".title"
        data-input="rename(id: .id, title: $value)"></template>""")
    session.send({"add": {"title": "2026-01-02T00:00:00.000Z"}})
    page.reload()
    field = page.get_by_label("due")
    expect(field).to_have_value("2026-01-02")
    expect(field).not_to_have_attribute("aria-disabled", re.compile("."))
    field.fill("2026-01-03")
    session.reaches(lambda state: state["todos"][0]["title"] == "2026-01-03T00:00:00.000Z")


@pytest.mark.expects_errors("status of 422")
def test_a_form_that_is_refused_gets_its_choices_back(page: Page):
    show(page, "todos", """<form data-input="add(titel: $name)"><input name="name" aria-label="name"><select name="size" aria-label="size"><option>1</option>
        <option>2</option></select><input type="checkbox" name="big" aria-label="big"><input type="radio" name="kind" aria-label="kind"><button>Add</button></form>""")
    page.get_by_label("name").fill("milk")
    page.get_by_label("size").select_option("2")
    page.get_by_label("big").check()
    page.get_by_label("kind").check()
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_label("name")).to_have_value("milk")
    expect(page.get_by_label("size")).to_have_value("2")
    expect(page.get_by_label("big")).to_be_checked()
    expect(page.get_by_label("kind")).to_be_checked()


def test_values_have_their_types_whatever_the_fields_of_a_form_are_called(page: Page, url: str, sent: list):
    names = fields(page)
    with_title(page, url, optional(INTEGER))
    show(page, "todos", f"""<form data-input="add(title: $count)"><select name="count"><option>3</option><option selected>30</option></select>
        <button>Chosen</button>{names}</form>
      <form data-input="add(title: $value)"><button>Its own</button>{names}</form>
      <form name="note">{names}</form><button data-input="add(title: $note)">A form's</button>""")
    for count, name in enumerate(["Chosen", "Its own", "A form's"], 1):
        page.evaluate(CLICK, name)
        eventually(lambda: len(sent) == count, f"sent: {sent}")
    assert holds(sent, [30, None, None])
