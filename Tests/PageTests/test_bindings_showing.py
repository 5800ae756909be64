"""The attributes of Bindings.md that show State, each on a small page."""

import re

import pytest
from playwright.sync_api import Page, expect

from live import expect_nothing_waits
from written_page import show

EXPRESSIONS = [
    ("query", "chocolate"),
    ("cart.count", "2"),
    ("query.count", "9"),
    ("cart.1.product.name", "Tea"),
    ("cart.0.quantity | number 2", "3.00"),
    ("total | number", "2,610"),
    ("checkOut is idle", "true"),
    ("checkOut is not idle | json", "false"),
    ("checkOut.failed | or –", "–"),
    ("not isLoading", "true"),
    ("cart.count is 2", "true"),
    ("'words'", "words"),
    ("3", "3"),
    ("0.125 | percent", "13%"),
    ("2 | currency EUR", "€2.00"),
    ("1 | plural item items", "item"),
    ("2 | plural item items", "items"),
    ("0 | signed", "0"),
    ("query | upper", "CHOCOLATE"),
    ("query | capital", "Chocolate"),
    ("nothing.at.all | or none", "none"),
    ("$connection", "live"),
    ("'2026-11-22T18:00:00.000Z' | date", re.compile("2026")),
    ("'2026-11-22T18:00:00.000Z' | time", re.compile(r"\d:00")),
]


@pytest.mark.core("data-text", "data-each", "data-view-model")
def test_expressions_and_formats_are_shown(page: Page):
    outputs = (f'<output data-text="{expression}"></output>' for expression, _ in EXPRESSIONS)
    session = show(page, "shop", "".join(outputs))
    session.send({"search": "chocolate"}, *[{"add": {"productID": "cheese"}}] * 3, {"add": {"productID": "tea"}})
    for place, (_, shown) in enumerate(EXPRESSIONS):
        expect(page.locator("output").nth(place)).to_have_text(shown)


@pytest.mark.core("data-verbatim")
def test_braces_in_text_and_attributes_hold_expressions_and_two_stand_for_one(page: Page):
    session = show(page, "counter-sync", """
      <p>{value} of {{value}</p> <a data-attr-href="?at={value}">there</a> <pre>{value}</pre>
      <div data-verbatim>{value}</div>""")
    session.send("increase")
    expect(page.locator("main p")).to_have_text(re.compile(r"^1 of \{value\}+$"))
    expect(page.get_by_role("link")).to_have_attribute("href", "?at=1")
    expect(page.locator("pre")).to_have_text("{value}")
    expect(page.locator("[data-verbatim]")).to_have_text("{value}")


@pytest.mark.core("data-attr-", "data-class-", "data-style-", "data-show")
def test_attributes_classes_styles_and_visibility_follow_state(page: Page):
    session = show(page, "fan-out", """
      <button data-input="buttonTap">Tap</button>
      <p id="shown" data-show="count">shown</p>
      <p id="styled" data-class-odd="count is 1" data-style-width="frame.width | px" data-style---count="count"
        data-attr-title="labelText" data-attr-aria-pressed="count is 1 | json" data-attr-inert="count is 1">styled</p>""")
    styled = page.locator("#styled")
    expect(page.locator("#shown")).to_be_hidden()
    expect(styled).not_to_have_class("odd")
    session.send("buttonTap")
    expect(page.locator("#shown")).to_be_visible()
    expect(styled).to_have_class("odd")
    expect(styled).to_have_css("width", "200px")
    expect(styled).to_have_css("--count", "1")
    expect(styled).to_have_attribute("title", "Button tapped 1")
    expect(styled).to_have_attribute("aria-pressed", "true")
    expect(styled).to_have_attribute("inert", "")


@pytest.mark.core("data-enabled")
def test_a_disabled_control_sends_nothing_and_keeps_the_focus(page: Page):
    session = show(page, "counter-sync", """
      <button data-input="increase" data-enabled="not isReset">One more</button>""")
    control = page.get_by_role("button")
    control.focus()
    session.send("reset")
    expect(control).to_have_attribute("aria-disabled", "true")
    expect(control).to_be_focused()
    page.keyboard.press("Enter")
    session.send("increase")
    expect(control).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    session.reaches(lambda state: state["value"] == 2)
    expect_nothing_waits(page)
    assert session.state["value"] == 2


def test_a_list_may_show_the_members_of_an_object(page: Page):
    show(page, "multi-timer", """<ol><template data-each="timers">
      <li>{$index}: {.key} {.value.ticks}</li></template></ol>""")
    expect(page.get_by_role("listitem")).to_have_text(["0: A 0", "1: B 0", "2: C 0", "3: D 0"])


@pytest.mark.core
def test_text_of_state_is_never_html(page: Page):
    session = show(page, "todos", """<template data-each="todos" data-key="id">
      <p data-text=".title" data-attr-title=".title"></p><p>{.title}</p></template>""")
    hostile = "<img src=x onerror=alert(1)>"
    session.send({"add": {"title": hostile}})
    expect(page.locator("main p")).to_have_text([hostile, hostile])
    expect(page.locator("img")).to_have_count(0)


@pytest.mark.core("Content-Security-Policy")
@pytest.mark.expects_errors("Content Security Policy", "blocked by the policy", "navigate top frame to data")
@pytest.mark.parametrize("address", ["javascript:document.title='taken'", "data:text/html,taken"])
def test_a_link_from_state_runs_no_script(page: Page, address: str):
    session = show(page, "todos", """<template data-each="todos" data-key="id">
      <a data-attr-href=".title">there</a></template>""")
    session.send({"add": {"title": address}})
    expect(page.get_by_text("there")).to_be_visible()
    page.get_by_text("there").click()
    expect(page).to_have_url(re.compile("written-here"))
    expect(page).to_have_title("Test")


def test_two_names_are_two_sessions_and_parameters_set_the_first_state(page: Page):
    page.set_viewport_size({"width": 800, "height": 600})
    show(page, "counter-sync", """
      <div data-view-model="countdown" data-name="tea" data-parameters='{"seconds":240}'>
        <output data-text="remaining"></output><button data-input="start">Tea</button></div>
      <div data-view-model="countdown" data-name="egg" data-parameters='{"seconds":300}'>
        <output data-text="remaining"></output></div>""")
    expect(page.locator("[data-name=tea] output")).to_have_text("240")
    expect(page.locator("[data-name=egg] output")).to_have_text("300")
    page.get_by_role("button").click()
    expect(page.locator("[data-name=tea] output")).to_have_text(re.compile(r"23\d"))
    expect(page.locator("[data-name=egg] output")).to_have_text("300")
    assert len({element.get_attribute("data-session") for element in page.locator("[data-session]").all()}) == 3
    page.reload()
    expect(page.locator("[data-name=tea] output")).to_have_text(re.compile(r"2[0-3]\d"))


@pytest.mark.core("data-pulse", "data-seconds")
def test_a_toast_hides_itself_and_is_shown_again(page: Page):
    session = show(page, "counter-reactor", """<p data-pulse="message" data-seconds="3" data-text="message"></p>""")
    toast = page.locator("main p")
    expect(toast).to_be_hidden()
    for value in 1, 2:
        session.send("increment")
        expect(toast).to_be_visible()
        expect(toast).to_contain_text(f"{value}로")
        expect(toast).to_be_hidden()


def test_state_puts_no_code_into_addresses(page: Page):
    session = show(page, "todos", '<template data-each="todos"><a data-attr-href=".title" data-text=".title"></a></template>')
    session.send({"add": {"title": " java\tscript:alert(1)"}}, {"add": {"title": "/shop.html"}})
    links = page.locator("main a")
    expect(links).to_have_count(2)
    assert [link.get_attribute("href") for link in links.all()] == [None, "/shop.html"]


def test_formats_use_the_pages_language(make_context):
    page = make_context(locale="en-US").new_page()
    page.add_init_script("document.addEventListener('readystatechange', () => { document.documentElement.lang = 'de'; }, { once: true });")
    show(page, "counter-sync", "<p>{1234.5 | number 2}</p>")
    expect(page.locator("p").first).to_have_text("1.234,50")
