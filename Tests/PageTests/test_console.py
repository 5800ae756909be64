"""The console of a view model, which is made from its types."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from conftest import OUTAGE
from http_session import HTTPSession, call
from live import button, expect_nothing_waits, expect_shown, open_live, shown_session
from service import PROGRAM
from test_scenes import expect_accessible
from waiting import eventually, run

PHONE = {"width": 390, "height": 844}


def console(page: Page, name: str) -> HTTPSession:
    return open_live(page, f"/view-models/{name}")


def form(page: Page, name: str):
    return page.get_by_role("form", name=name, exact=True)


def state(page: Page, member: str):
    """The element of a member in the tree."""
    return page.locator(f"#tree li:has(> .name:text-is('{member}'))").first


def copied(page: Page, name: str) -> str:
    """Clicks a button, and returns the text that it copies."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('')")
    button(page, name).first.click()
    return eventually(lambda: page.evaluate("navigator.clipboard.readText()"), "it is copied")


def other_ways(page: Page) -> None:
    """Opens the part of the session's section that makes and opens sessions."""
    if page.locator("#ways").get_attribute("open") is None:
        page.locator("#ways > summary").click()


def with_spec(page: Page, view_model: str, **members) -> None:
    """Replaces members of the spec in the console's page."""

    def answer(route) -> None:
        if not route.request.is_navigation_request():
            return route.fallback()
        response = route.fetch()
        spec = lambda match: match[1] + json.dumps(json.loads(match[2]) | members) + match[3]
        body = re.sub(r'(id="view-model">)(.*?)(</script>)', spec, response.text(), flags=re.S)
        route.fulfill(response=response, body=body)

    page.route(f"**/view-models/{view_model}", answer)


def inputs_of(schemas: dict) -> list:
    """Returns Inputs for a spec, from the schemas of their values."""
    node = {"type": "object", "required": ["title"], "properties": {
        "title": {"type": "string"}, "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}}}
    return [
        {"name": name, "examples": [], "schema": {"anyOf": [{"properties": {name: schema}}], "$defs": {"Node": node}}}
        for name, schema in schemas.items()
    ]


def test_the_state_of_every_example_has_a_schema(url: str):
    names = [model["name"] for model in call(f"{url}/view-models")[1]["viewModels"]]
    assert len(names) > 20
    assert [name for name in names if not call(f"{url}/view-models/{name}")[1]["state"]["schema"]] == []


@pytest.mark.expects_errors(r"403 .*/trace")  # an auction's maximums are secret
def test_every_view_model_has_a_console(page: Page, url: str):
    for model in call(f"{url}/view-models")[1]["viewModels"]:
        name = model["name"]
        spec = call(f"{url}/view-models/{name}")[1]
        session = console(page, name)
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        # Only the service sends presence Inputs.
        offered = [one for one in spec["inputs"] if one["name"] != "presence"]
        expect(page.locator("#forms > form")).to_have_count(len(offered))
        expect(page.locator("#tree > li")).to_have_count(len(session.state))
        situations = sum(len(one.get("situations", [])) for one in spec["inputs"])
        expect(page.get_by_role("row")).to_have_count(situations and 1 + situations)


def test_the_examples_link_to_the_console_and_it_links_back(page: Page):
    page.goto("/")
    page.get_by_role("link", name="todos: console").click()
    expect(page).to_have_url(re.compile("/view-models/todos"))
    page.get_by_role("link", name="Its page").click()
    expect(page).to_have_url(re.compile("/todos.html"))
    page.goto("/view-models/todos")
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_role("heading", name=re.compile("^One Swift file"))).to_be_visible()


def test_an_input_and_its_effects_are_shown(page: Page):
    console(page, "counter")
    button(page, "increase").click()
    expect(state(page, "value")).to_have_text("value 1")
    log = page.get_by_role("list", name="What happens").locator("> li")
    expect(log).to_contain_text(["Settled", "State, version 3", "Input"])  # and version 2, if the page was quick enough
    expect(log.and_(page.locator(".state")).first).to_contain_text("value: 0 → 1")
    expect(log.and_(page.locator(".input"))).to_contain_text('"increase" version 2')
    button(page, "show").click()
    expect(page.get_by_role("row").filter(has_text="show 버튼 선택")).to_contain_text("✓ seen")
    run("bash", "-c", copied(page, 'Copy: send "increase"'))
    expect(state(page, "value")).to_have_text("value 2")


def test_the_console_is_one_screen_whatever_happens(page: Page):
    session = console(page, "todos")
    session.send(*[{"add": {"title": "milk"}}] * 60)
    expect(page.locator("#version")).to_have_text("version 61")
    assert page.evaluate("document.documentElement.scrollHeight") <= page.viewport_size["height"]
    for region in "Inputs", "What happens", "State version 61", "Planning document (기획서)":
        box = page.get_by_role("region", name=region, exact=True).first.bounding_box()
        assert box["height"] > 100 and box["y"] + box["height"] <= page.viewport_size["height"], region
    expect(page.locator("#log > li").first).to_be_in_viewport()


def test_a_cause_stands_before_what_it_has_led_to(page: Page):
    console(page, "counter-sync")
    expect(page.locator("#work")).not_to_contain_text("not here yet")
    for version in range(2, 12):
        button(page, "increase").click()
        expect(page.locator("#version")).to_have_text(f"version {version}")
    expect(page.locator("#log > .action")).to_have_count(10)
    kinds = page.locator("#log > :is(.action, .state)").evaluate_all("list => list.map((one) => one.className)")
    assert kinds[::-1] == ["action", "state"] * 10
    assert re.search(r"\d\.\d{3}", page.locator("#log time").first.inner_text())


def test_an_entry_leads_to_its_state_and_a_member_to_its_history(page: Page):
    console(page, "counter-sync")
    for version, input in enumerate(["increase", "increase", "reset"], 2):
        button(page, input).click()
        expect(page.locator("#version")).to_have_text(f"version {version}")
    button(page.locator("#log"), "State, version 3").click()
    expect(page.locator("#version")).to_have_text("version 3 of 4")
    expect(state(page, "value")).to_have_text("value 2")
    button(page, "Now").click()
    expect(state(page, "value")).to_have_text("value 0")
    button(page.locator("#tree"), "isReset").click()
    expect(page.get_by_label("Search in what happens")).to_have_value("isReset")
    expect(page.locator("#log > li:visible")).to_contain_text(["isReset: false → true"])
    expect(page.locator("#log > li:visible")).to_have_count(1)


def test_differences_of_lists_name_elements_by_their_ids(page: Page):
    session = console(page, "todos")
    session.send({"add": {"title": "milk"}}, {"add": {"title": "bread"}})
    expect_shown(page, session)
    first, second = [todo["id"] for todo in session.state["todos"]]
    session.send({"delete": {"id": first}})
    entry = page.locator("#log > .state").first
    expect(entry).to_contain_text(f'todos[id "{first}"]: {{')
    expect(entry).not_to_contain_text(second)


def test_the_log_is_there_after_a_reload(page: Page):
    console(page, "counter-sync")
    button(page, "increase").click()
    expect(state(page, "value")).to_have_text("value 1")
    page.reload()
    expect(page.locator("#log > .input")).to_contain_text('"increase"')
    expect(page.locator("#log > .action")).to_contain_text('"increaseValue"')


def test_text_of_twice_the_size_fits_a_small_phone(make_context):
    page = make_context(viewport=PHONE | {"width": 320}).new_page()
    console(page, "shop")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    end = page.locator("#forms").bounding_box()["x"] + page.locator("#forms").bounding_box()["width"]
    for control in page.locator("#forms").locator("button, input, textarea").locator("visible=true").all():
        box = control.bounding_box()
        assert box["x"] + box["width"] <= end + 1


def test_a_large_branch_of_state_starts_closed_and_shows_that_it_changed(page: Page):
    session = console(page, "guis-cells")
    expect(page.locator("#tree details")).not_to_have_count(0)
    assert page.locator("#tree").bounding_box()["height"] < 1000
    session.send({"write": {"column": "A", "row": 0, "entry": "2"}})
    expect(page.locator("#tree summary").filter(has_text=re.compile("^rows "))).to_have_css("outline-style", "solid")


def test_a_branch_that_grows_large_closes_once_unless_the_user_has_toggled_it(page: Page):
    session = console(page, "todos")
    todos = page.locator("#tree details").filter(has=page.locator("summary").get_by_text("todos"))
    add = lambda count: session.send(*[{"add": {"title": "milk"}}] * count)
    add(25)
    expect(todos).to_contain_text("25 elements")
    expect(todos).to_have_attribute("open", "")
    add(1)
    expect(todos).not_to_have_attribute("open", "")
    todos.locator("summary").first.click()
    add(1)
    expect(todos).to_contain_text("27 elements")
    expect(todos).to_have_attribute("open", "")


def test_changes_flash_unless_the_user_prefers_reduced_motion(page: Page):
    console(page, "counter-sync")
    for motion, name in ("no-preference", "flash"), ("reduce", "none"):
        page.emulate_media(reduced_motion=motion)
        button(page, "increase").click()
        changed = page.locator("#tree .changed")
        expect(changed).to_have_count(1)
        expect(changed).to_have_css("animation-name", name)
    expect(state(page, "value").locator("code")).to_have_class("changed")


@pytest.mark.expects_errors("status of 422")
def test_forms_have_a_field_for_each_kind_of_value(page: Page):
    integer = {"type": "integer"}
    with_spec(page, "counter-sync", inputs=inputs_of({
        "plain": {"type": "object", "properties": {"count": integer, "ratio": {"type": "number"}, "isOn": {"type": "boolean"},
                  "kind": {"enum": ["one", "two"]}, "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
                  "required": ["count", "ratio", "isOn", "kind"]},
        "lone": {"type": "object", "properties": {"_0": {"type": "array", "items": {"type": "string"}}}, "required": ["_0"]},
        "node": {"type": "object", "properties": {"node": {"$ref": "#/$defs/Node"}}, "required": ["node"]},
        "shape": {"type": "object", "properties": {"_0": {"anyOf": [
            {"const": "point"}, {"properties": {"circle": {"type": "object", "properties": {"radius": integer}}}}]}}},
        "other": {"type": "object", "additionalProperties": integer},
    }))
    console(page, "counter-sync")

    def sends(name: str):
        with page.expect_request("**/inputs") as sent:
            button(form(page, name), name).click()
        expect(form(page, name).get_by_text("there is no case")).to_be_visible()
        for dismiss in page.get_by_role("button", name="Dismiss").all():
            dismiss.click()
        return sent.value.post_data_json

    plain = form(page, "plain")
    plain.get_by_label("count").fill("3")
    plain.get_by_label("ratio").fill("0.5")
    plain.get_by_label("isOn").check()
    plain.get_by_label("kind").select_option("two")
    assert sends("plain") == {"plain": {"count": 3, "ratio": 0.5, "isOn": True, "kind": "two"}}
    plain.get_by_label("with note").check()
    plain.get_by_label("note", exact=True).fill("안녕")
    assert sends("plain")["plain"]["note"] == "안녕"

    lone = form(page, "lone")
    for text in "a", "b":
        button(lone, "Add to value").click()
        lone.get_by_role("textbox").last.fill(text)
    lone.get_by_role("button", name="Remove from value").first.click()
    assert sends("lone") == {"lone": {"_0": ["b"]}}

    node = form(page, "node")
    node.get_by_label("title").fill("first")
    node.get_by_label("with next").check()
    node.get_by_label("title").last.fill("second")
    assert sends("node") == {"node": {"node": {"title": "first", "next": {"title": "second"}}}}

    shape = form(page, "shape")
    shape.get_by_label("value").select_option("circle")
    shape.get_by_label("radius").fill("7")
    assert sends("shape") == {"shape": {"_0": {"circle": {"radius": 7}}}}

    other = form(page, "other")
    other.get_by_role("textbox").fill("{")
    button(other, "other").click()
    expect(other.get_by_text("is not JSON")).to_be_visible()
    other.get_by_role("textbox").fill('{"a":1}')
    assert sends("other") == {"other": {"a": 1}}


def test_any_input_can_be_sent_as_json(page: Page):
    session = console(page, "todos")
    page.get_by_text("Any Input, as JSON").click()
    page.get_by_label("Input, as JSON").fill('{"add":{"title":"milk"}}')
    button(page, "Send").click()
    expect(state(page, "title")).to_have_text('title "milk"')
    assert session.state["remaining"] == 1


@pytest.mark.expects_errors("422")
def test_a_refused_input_is_not_in_the_scenario(page: Page):
    console(page, "counter-sync")
    page.get_by_text("Any Input, as JSON").click()
    page.get_by_label("Input, as JSON").fill('"jump"')
    button(page, "Send").click()
    expect(page.get_by_role("list", name="What happens").locator(".input")).to_contain_text("jump")
    expect_nothing_waits(page)  # what waits behind a refused Input is given up with it
    button(page, "increase").click()
    expect(state(page, "value")).to_have_text("value 1")
    scenario = copied(page, "Copy as scenario")
    assert "increase" in scenario and "jump" not in scenario


def test_a_secret_is_shown_as_dots_everywhere(page: Page):
    console(page, "login")
    field = form(page, "passwordChanged").get_by_label("value")
    field.fill("hunter22")
    button(page, "passwordChanged").click()
    expect(state(page, "password")).to_have_text('password "••••"')
    page.get_by_text("Any Input, as JSON").click()
    page.get_by_label("Input, as JSON").fill('{"passwordChanged":{"_0":"hunter22"}}')
    button(page, "Send").click()
    expect(page.get_by_role("list", name="What happens").locator(".input")).to_have_count(2)
    assert "hunter22" not in page.locator("body").inner_text()
    assert "••••" in copied(page, "Copy as scenario") and "hunter22" not in copied(page, "Copy as scenario")
    assert "hunter22" not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")


def test_known_sessions_can_be_opened(page: Page):
    first = console(page, "counter-sync")
    button(page, "increase").click()
    expect(state(page, "value")).to_have_text("value 1")
    other_ways(page)
    button(page, "New session").click()
    expect(state(page, "value")).to_have_text("value 0")
    second = shown_session(page)
    assert second.id != first.id and page.url.endswith(f"#session={second.id}")
    page.reload()
    assert shown_session(page).id == second.id
    sessions = page.locator("#sessions a")
    expect(sessions).to_have_count(2)
    expect(sessions.first).to_have_attribute("aria-current", "page")
    sessions.last.click()
    expect(state(page, "value")).to_have_text("value 1")
    assert shown_session(page).id == first.id


@pytest.mark.expects_errors(*OUTAGE)
def test_a_session_that_is_gone_is_removed_from_the_list(page: Page):
    gone = console(page, "counter-sync")
    other_ways(page)
    button(page, "New session").click()
    expect(page.locator("#sessions a")).to_have_count(2)
    gone.delete()
    page.goto(f"/view-models/counter-sync#session={gone.id}")
    expect(page.get_by_text("The session of this link is gone")).to_be_visible()
    expect(page.locator(f"#sessions a[title='{shown_session(page).id}']")).to_be_visible()
    expect(page).to_have_url(re.compile(f"#session={re.escape(shown_session(page).id)}$"))
    assert page.locator(f"#sessions a[title='{gone.id}']").count() == 0


def test_a_new_session_can_have_parameters(page: Page):
    console(page, "countdown")
    other_ways(page)
    parameters = form(page, "New session")
    parameters.get_by_label("with seconds").check()
    parameters.get_by_label("seconds", exact=True).fill("77")
    button(page, "New session").click()
    expect(page.locator("#tree")).to_contain_text("77")
    expect(page.locator("#commands")).to_contain_text('"parameters":{"seconds":77}')


def test_required_parameters_are_asked_for(page: Page):
    with_spec(page, "countdown", parameters={
        "type": "object", "properties": {"seconds": {"type": "integer"}}, "required": ["seconds"]})
    page.goto("/view-models/countdown")
    expect(page.get_by_text("needs parameters")).to_be_visible()
    page.get_by_label("seconds").fill("55")
    button(page, "New session").click()
    assert shown_session(page).state["remaining"] == 55


def test_a_view_model_without_schemas_takes_json(page: Page):
    with_spec(page, "counter-sync", inputs=[], parameters={})
    console(page, "counter-sync")
    page.get_by_label("Input, as JSON").fill('"increase"')
    button(page, "Send").click()
    expect(state(page, "value")).to_have_text("value 1")
    expect(page.get_by_text("This view model has no plan")).to_be_visible()


@pytest.mark.expects_errors(*OUTAGE)
def test_an_ended_session_can_be_followed_by_a_new_one(page: Page):
    session = console(page, "counter-sync")
    session.send("increase")
    expect(state(page, "value")).to_have_text("value 1")
    session.delete()
    button(page, "Start a new session").click()
    expect(state(page, "value")).to_have_text("value 0")
    expect(page).to_have_url(re.compile(f"#session={re.escape(shown_session(page).id)}$"))
    assert session.id not in page.url


def test_the_console_works_by_keyboard(page: Page):
    console(page, "counter-sync")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "increase":
            break
    page.keyboard.press("Enter")
    expect(state(page, "value")).to_have_text("value 1")
    page.get_by_role("region", name="Planning document").last.focus()
    expect(page.locator("#planning")).to_be_focused()


@pytest.mark.parametrize("name, inputs", [
    ("chat", [{"connect": {"name": "مرحبا بالعالم"}}, {"send": "긴낱말" * 60}, {"send": "שלום" * 60}]),
    ("login", [{"emailChanged": "2fa@example.com"}, {"passwordChanged": "password"}, "submit"]),
])
def test_on_a_phone_axe_finds_nothing(make_context, name: str, inputs: list):
    page = make_context(viewport=PHONE, reduced_motion="reduce").new_page()
    session = console(page, name)
    for input in inputs:
        session.send(input)
        session.reaches(lambda state: state.get("isConnected", True))
    page.get_by_text("Any Input, as JSON").click()
    button(page, "dismissAlert" if name == "chat" else "dismiss").click()
    expect(page.get_by_role("list", name="What happens")).to_contain_text("Settled")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect_accessible(page)


def test_a_copied_scenario_can_be_replayed(page: Page, tmp_path):
    console(page, "counter")
    button(page, "increase").click()
    expect(state(page, "value")).to_have_text("value 1")
    expect(state(page, "loadingState")).to_have_text('loadingState "none"')
    button(page, "show").click()
    expect(page.locator("#log")).to_contain_text("activeAlert: null")
    file = tmp_path / "scenario"
    file.write_text(copied(page, "Copy as scenario"))

    def play():
        return run(PROGRAM, "replay", "--input", file, text=True, check=False)

    played = play()
    count = len(file.read_text().splitlines())  # a line for each State that the page has seen
    assert (played.stdout, played.returncode) == (f"{count} States came as in the scenario\n", 0), played
    lines = file.read_text().splitlines()
    assert json.loads(lines[0])["viewModel"] == "counter" and json.loads(lines[1])["trace"] == [{"input": "increase"}]
    file.write_text(file.read_text().replace('"value":1', '"value":2'))
    played = play()
    assert played.returncode == 1 and "  value: 2 → 1" in played.stdout
