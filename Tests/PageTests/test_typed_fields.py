"""Typed fields fit Swift's types, a misspelt Input warns, and users see no sentences for developers."""

import pytest
from playwright.sync_api import Page, expect

from http_session import call
from live import notices
from waiting import eventually
from written_page import show

DATE = {"type": "string", "format": "date-time"}
FIELDS = [
    ("date", "2026-11-24", "2026-11-24T00:00:00.000Z"),
    ("month", "2026-11", "2026-11-01T00:00:00.000Z"),
    ("time", "10:30", "1970-01-01T10:30:00.000Z"),
    ("datetime-local", "2026-11-24T10:30", "2026-11-24T10:30:00.000Z"),
]


def with_title(page: Page, url: str, schema: dict) -> None:
    """Gives the title of a todo another schema, whose JSON is also a text."""
    _, spec = call(f"{url}/view-models/todos")
    for input in spec["inputs"]:
        for form in input["schema"]["anyOf"]:
            members = form.get("properties", {}).get(input["name"], {}).get("properties", {})
            if "title" in members:
                members["title"] = schema
    page.route("**/view-models/todos", lambda route: route.fulfill(json=spec))


@pytest.mark.parametrize("type, text, value", FIELDS)
def test_a_field_sends_and_shows_a_date(make_context, url: str, type: str, text: str, value: str):
    page = make_context(timezone_id="UTC").new_page()
    with_title(page, url, DATE)
    session = show(page, "todos", f"""<form data-input="add(title: $due)">
        <input type="{type}" name="due" aria-label="due" required><button>Add</button></form>
      <template data-each="todos"><input type="{type}" aria-label="shown" data-value=".title"
        data-input="rename(id: .id, title: $value)"></template>""")
    page.get_by_label("due").fill(text)
    page.get_by_role("button", name="Add").click()
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == [value])
    expect(page.get_by_label("shown")).to_have_value(text)


def test_an_empty_date_is_nil_if_optional_and_else_not_sent(page: Page, url: str):
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.post_data_json))
    for schema, expected in [({"anyOf": [DATE, {"type": "null"}]}, {"add": {"title": None}}), (DATE, {"add": {"title": "2026-01-02T00:00:00.000Z"}})]:
        with_title(page, url, schema)
        show(page, "todos", """<form data-input="add(title: $due)"><input type="date" name="due" aria-label="due">
          <button>Add</button></form>""", known="add")
        page.route("**/inputs", lambda route: route.fulfill(status=204, headers={"ETag": '"1"'}))
        sent.clear()
        with page.expect_request("**/inputs"):
            page.get_by_role("button", name="Add").click()
            page.get_by_label("due").fill("2026-01-02")
            page.get_by_role("button", name="Add").click()
        assert sent[0] == expected


def test_a_misspelt_input_or_member_warns_when_the_page_is_loaded(page: Page):
    warnings = []
    page.on("console", lambda message: message.type == "warning" and warnings.append(message.text))
    show(page, "todos", """<button data-input="ad">1</button><form data-input="add(titel: $title)"><input name="title"></form>
      <button data-input="clearCompleted">2</button>""")
    for text in ["there is no Input “ad”; there are add, ", "“add” has title, not “titel”", "“add” has title: “title” is missing"]:
        eventually(lambda: any(text in warning for warning in warnings), f"“{text}” in {warnings}")
    assert not [warning for warning in warnings if "“clearCompleted”" in warning]


@pytest.mark.expects_errors("status of 422")
def test_a_user_sees_no_sentence_for_developers(page: Page):
    warnings = []
    page.on("console", lambda message: message.type == "warning" and warnings.append(message.text))
    show(page, "todos", """<button data-input="explode">Explode</button>""")
    page.get_by_role("button", name="Explode").click()
    expect(notices(page)).to_contain_text("This could not be saved.")
    assert "known Inputs" not in notices(page).inner_text()
    assert [warning for warning in warnings if "Send one of the known Inputs" in warning]


def test_what_is_sent_before_the_types_are_known_waits_for_them(page: Page, url: str):
    held = []
    page.route("**/view-models/todos", lambda route: held.append(route))
    session = show(page, "todos", """<form data-input="add(title: $title)" data-repeat><input name="title" aria-label="title">
        <select aria-label="kind" name="kind" data-keep><option>one</option></select><button>Add</button></form>
      <form data-input="add(title: $choice)"><select name="choice" aria-label="choice"><option>tea</option><option>milk</option></select>
        <button>Choose</button></form>
      <select aria-label="alone" data-input="add(title: $value)"><option>bread</option><option>salt</option></select>""")
    eventually(lambda: held, "the page asks for the schemas")
    page.get_by_label("choice").select_option("milk")
    page.get_by_label("choice").press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.get_by_label("alone").select_option("salt")
    expect(page.get_by_label("alone")).to_have_attribute("data-pending", "")
    # A text is a text before its type is known.
    page.get_by_label("title").fill("eggs")
    page.get_by_label("title").press("Enter")
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["eggs"])
    held.pop().continue_()
    session.reaches(lambda state: sorted(todo["title"] for todo in state["todos"]) == ["eggs", "milk", "salt"])
    expect(page.get_by_label("alone")).to_have_value("salt")
    expect(page.get_by_label("choice")).to_have_value("tea")


@pytest.mark.expects_errors("status of 503")
def test_schemas_that_a_busy_service_refuses_are_asked_for_again_but_not_at_once(page: Page, url: str):
    asked, is_busy = [], True

    def answer(route) -> None:
        asked.append(route)
        if is_busy:
            route.fulfill(status=503, json={"type": "about:blank", "title": "busy", "status": 503})
        else:
            route.continue_()

    page.route("**/view-models/todos", answer)
    session = show(page, "todos", """<form data-input="add(title: $choice)">
      <select name="choice" aria-label="choice"><option>tea</option></select><button>Choose</button></form>""")
    page.get_by_role("button", name="Choose").click()
    eventually(lambda: asked, "the page asks for the schemas")
    # A page that asked again at once would do so once in each of these round trips.
    page.evaluate("async () => { for (let trip = 0; trip < 100; trip++) await (await fetch('/view-models/counter')).text(); }")
    assert len(asked) < 20
    is_busy = False
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["tea"])
