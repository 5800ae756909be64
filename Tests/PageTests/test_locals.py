"""data-local, the state of one page: what a user opens, picks and searches for, other users do not see."""

import pytest
from playwright.sync_api import Page, expect

from live import button, shown_session
from written_page import show

TABS = """<section data-local="tab: 'all', isOpen: false" {keep}>
    <button data-set="tab: 'all'">All</button><button data-set="tab: 'none', isOpen: not isOpen">None</button>
    <p>Tab {{tab}}</p><p data-show="isOpen" hidden>Open</p></section>"""


@pytest.mark.core("data-local", "data-set")
def test_a_local_member_is_read_and_set_on_the_page_alone(make_context, page: Page):
    session = show(page, "todos", TABS.format(keep=""))
    other = make_context().new_page()
    show(other, "todos", TABS.format(keep=""), f"?session={session.id}")
    button(page, "None").click()
    expect(page.get_by_text("Tab none")).to_be_visible()
    expect(page.get_by_text("Open", exact=True)).to_be_visible()
    session.send({"add": {"title": "milk"}})
    expect(other.get_by_text("Tab all")).to_be_visible()
    button(page, "None").click()
    expect(page.get_by_text("Open", exact=True)).to_be_hidden()
    page.reload()
    expect(page.get_by_text("Tab all")).to_be_visible()


@pytest.mark.core("data-keep")
def test_a_local_member_survives_a_reload_with_data_keep(page: Page):
    show(page, "todos", TABS.format(keep="data-keep"))
    button(page, "None").click()
    expect(page.get_by_text("Tab none")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Tab none")).to_be_visible()


def test_each_row_has_its_own_local_members_and_keeps_them_while_the_list_changes(page: Page):
    session = show(page, "todos", """<template data-each="todos"><div data-local="isEditing: false, was: .title">
      <button data-set="isEditing: not isEditing">Edit {.title}</button><em data-show="isEditing" hidden>editing {was}</em>
      </div></template>""")
    session.send(*[{"add": {"title": title}} for title in ["one", "two"]])
    button(page, "Edit two").click()
    expect(page.locator("em:visible")).to_have_text(["editing two"])
    session.send({"delete": {"id": session.state["todos"][0]["id"]}}, {"add": {"title": "three"}})
    expect(page.locator("em:visible")).to_have_text(["editing two"])
    button(page, "Edit two").click()
    expect(page.locator("em:visible")).to_have_count(0)


@pytest.mark.core("data-open")
def test_a_dialog_opens_and_closes_for_one_user(page: Page):
    session = show(page, "todos", """<div data-local="isOpen: false"><button data-set="isOpen: true">New</button>
      <dialog data-open="isOpen"><form data-input="add(title: $title)" data-set="isOpen: false">
        <input name="title" aria-label="title"></form></dialog></div>""")
    for title in "ab":
        button(page, "New").click()
        page.keyboard.type("not this")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        button(page, "New").click()
        page.get_by_label("title").fill(title)
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_hidden()
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["a", "b"])


@pytest.mark.core("data-sort", "data-where")
def test_a_list_is_searched_filtered_and_sorted_without_a_script(page: Page):
    session = show(page, "todos", """<div data-local="query: '', order: '', least: 0">
      <input aria-label="Find" data-value="query"><input type="number" aria-label="Least" data-value="least">
      <button data-set="order: 'title'">Up</button><button data-set="order: '-title', query: ''">Down</button>
      <ul><template data-each="todos" data-where=".title has query and .title.count >= least" data-sort="order">
        <li>{$index} {.title}</li></template></ul></div>""")
    session.send(*[{"add": {"title": title}} for title in ["item 10", "item 9", "Zebra", "ant"]])
    rows = page.get_by_role("listitem")
    expect(rows).to_have_text(["0 item 10", "1 item 9", "2 Zebra", "3 ant"])
    button(page, "Up").click()
    expect(rows).to_have_text(["0 ant", "1 item 9", "2 item 10", "3 Zebra"])
    page.get_by_label("Find").press_sequentially("ITEM")
    expect(rows).to_have_text(["0 item 9", "1 item 10"])
    session.send({"add": {"title": "item 1"}})
    expect(rows).to_have_text(["0 item 1", "1 item 9", "2 item 10"])
    page.get_by_label("Least").fill("7")
    expect(rows).to_have_text(["0 item 10"])
    button(page, "Down").click()
    expect(page.get_by_label("Find")).to_have_value("")
    expect(rows).to_have_text(["0 item 10"])
    assert session.snapshot["version"] == 6


@pytest.mark.core("data-ignore")
def test_elements_with_data_ignore_are_left_alone(page: Page):
    show(page, "counter-sync", """<p>{value}</p><div data-ignore><p id="other">{value}</p></div>""")
    expect(page.locator("p").first).to_have_text("0")
    assert page.locator("#other").inner_text() == "{value}"
    assert shown_session(page).state["value"] == 0
