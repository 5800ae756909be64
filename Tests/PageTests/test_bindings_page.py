"""Fragments, behaviors of the page's script, animated rows, and a prefix of the attributes."""

import pytest
from playwright.sync_api import Page, expect

from conftest import OUTAGE
from waiting import eventually
from written_page import show


def serve(page: Page, name: str, body: str, type: str = "text/html") -> None:
    page.route(f"**/{name}", lambda route: route.fulfill(content_type=f"{type}; charset=utf-8", body=body))


@pytest.mark.core("data-include")
def test_a_fragment_is_bound_to_the_scope_around_it(page: Page):
    serve(page, "row.html", "<b>{.title} {name} {todos.count}</b><script>document.title = 'taken'</script>")
    serve(page, "foot.html", "<p id=foot>{todos.count}</p><nav data-include='way.html'></nav>")
    serve(page, "way.html", "<button data-input=\"add(title: name)\">Add</button>")
    session = show(page, "todos", """<div data-local="name: 'mine'"><ul><template data-each="todos">
      <li data-include="row.html"></li></template></ul><footer data-include="foot.html"></footer></div>""")
    session.send({"add": {"title": "milk"}})
    expect(page.locator("li")).to_have_text("milk mine 1")
    expect(page.locator("#foot")).to_have_text("1")
    page.get_by_role("button", name="Add").click()
    expect(page.locator("li")).to_have_text(["milk mine 2", "mine mine 2"])
    expect(page).to_have_title("Test")


def test_a_fragment_outside_of_a_session_may_have_one(page: Page):
    serve(page, "head.html", "<p>Head</p><div data-view-model=counter-sync><output data-text=value></output></div>")
    show(page, "counter-sync", "</main><header data-include='head.html'></header><main>")
    expect(page.locator("header")).to_contain_text("Head")
    expect(page.locator("header output")).to_have_text("0")


@pytest.mark.expects_errors(*OUTAGE)
def test_a_fragment_is_requested_until_it_comes(page: Page):
    failures = [lambda route: route.abort(), lambda route: route.fulfill(status=503)]
    page.route("**/late.html", lambda route: failures.pop()(route) if failures else route.fulfill(content_type="text/html", body="{value} more"))
    show(page, "counter-sync", "<div data-include='late.html'></div>")
    expect(page.get_by_text("0 more")).to_be_visible()


@pytest.mark.expects_errors("data-include: ", *OUTAGE)
def test_a_fragment_that_cannot_be_included_is_reported_to_the_author(page: Page):
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    serve(page, "self.html", "<div data-include='self.html'></div>")
    show(page, "counter-sync", """<p data-include="nowhere.html"></p><p data-include="https://example.org/x.html"></p>
      <p data-include="self.html"></p>""")
    for words in "nowhere.html: it is not there (404)", "example.org/x.html: it is on another origin", "self.html: it includes itself":
        eventually(lambda: [text for text in told if words in text], words)


@pytest.mark.core("data-behavior-")
@pytest.mark.parametrize("when", ["before the page is bound", "later"])
def test_a_behavior_is_called_when_an_element_is_added_changed_and_removed(page: Page, when: str):
    add = """window.calls = [];
      const add = () => behavior('note', (element, value, before) => {
        calls.push([element.isConnected, value, before ?? null]);
        return () => calls.push(['gone', element.id]);
      });"""
    serve(page, "mine.js", f"import {{ behavior }} from '/uifusion.js'; {add} "
          + ("window.add = add;" if when == "later" else "add();"), "text/javascript")
    session = show(page, "todos", """<script type="module" src="/mine.js"></script><div data-behavior-note="todos.count"></div>
      <ul><template data-each="todos"><li><i data-attr-id=".title" data-behavior-note=".isDone | json"></i></li></template></ul>""")
    session.send({"add": {"title": "milk"}})
    expect(page.locator("#milk")).to_be_attached()
    if when == "later":
        page.evaluate("add()")
    calls = lambda: page.evaluate("calls")
    eventually(lambda: [True, "false", None] in calls() and [True, 1, 0] in calls(), "the element has come")
    [todo] = session.state["todos"]
    session.send({"toggle": {"id": todo["id"]}})
    eventually(lambda: [True, "true", "false"] in calls(), "the value has changed")
    session.send({"delete": {"id": todo["id"]}})
    eventually(lambda: ["gone", "milk"] in calls(), "the element has gone")
    eventually(lambda: [True, 0, 1] in calls(), "what is still there is called")
    assert len(calls()) == 6, calls()


STYLE = """.arriving { animation: come 400ms } .leaving { animation: go 400ms }
  @keyframes come { from { opacity: 0 } } @keyframes go { to { opacity: 0 } }"""
SEEN = """() => {
  window.seen = [];
  const gliding = () => document.querySelector('li').getAnimations().length;
  new MutationObserver((records) => {
    for (const { target, attributeName, removedNodes } of records) {
      if (attributeName === 'class' && target.className) seen.push([target.className, target.textContent]);
      for (const { className, textContent } of removedNodes) if (textContent.trim()) seen.push([`removed ${className}`.trim(), textContent, gliding()]);
    }
  }).observe(document.querySelector('ul'), { subtree: true, childList: true, attributes: true });
}"""


@pytest.mark.core("data-transition")
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_added_and_removed_rows_are_animated(page: Page, motion: str):
    page.emulate_media(reduced_motion=motion)
    serve(page, "motion.css", STYLE, "text/css")
    session = show(page, "todos", """<link rel="stylesheet" href="/motion.css">
      <ul><template data-each="todos" data-transition><li>{.title}</li></template></ul>""")
    page.evaluate(SEEN)
    session.send({"add": {"title": "milk"}}, {"add": {"title": "bread"}})
    rows = page.locator("li:not(.leaving)")
    expect(rows).to_have_text(["milk", "bread"])
    expect(page.locator(".arriving")).to_have_count(0)
    session.send({"delete": {"id": session.state["todos"][0]["id"]}})
    expect(rows).to_have_text(["bread"])
    expect(page.locator("li")).to_have_text(["bread"])
    names = [name for name, text, *_ in page.evaluate("seen") if text == "milk"]
    assert names == (["arriving", "leaving", "removed"] if motion == "no-preference" else ["removed"])
    [gliding] = [count for count, in (rest for _, text, *rest in page.evaluate("seen") if text == "milk" and rest)]
    assert gliding == (1 if motion == "no-preference" else 0)  # the other row moves up
    session.send({"add": {"title": "jam"}})
    expect(rows).to_have_text(["bread", "jam"])


@pytest.mark.core("data-prefix", "data-uf-value")
def test_with_a_prefix_the_plain_names_are_left_to_another_library(page: Page):
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    serve(page, "prefixed.html", """<!doctype html><html lang="en" data-prefix="uf"><meta charset="utf-8"><title>Test</title>
      <link rel="icon" href="/favicon.svg"><script type="module" src="/uifusion.js"></script>
      <main data-uf-view-model="todos" data-uf-local="query: ''" data-show="false">
        <form method="dialog" data-uf-input="add(title: $title)" data-input="none of ours"><input name="title"></form>
        <ul><template data-uf-each="todos" data-uf-key="id" data-each="theirs">
          <li data-uf-attr-title="{.title}!" data-text="theirs" data-uf-valeu="x">
            <input type="checkbox" data-uf-value=".isDone" data-value="theirs" data-uf-input="toggle(id: .id)"></li></template></ul>
        <div data-uf-notices></div></main></html>""")
    page.goto("/prefixed.html")
    expect(page.locator("main")).to_have_attribute("data-uf-connection", "live")
    page.get_by_role("textbox").fill("milk")
    page.keyboard.press("Enter")
    row = page.locator("li")
    expect(row).to_have_attribute("title", "milk!")
    page.get_by_role("checkbox").check()
    expect(page.locator("[data-uf-pending]")).to_have_count(0)
    expect(page.get_by_role("checkbox")).to_be_checked()
    expect(page.locator("main")).to_be_visible()
    expect(page.locator("[data-uf-notices] > p")).to_have_count(1)
    assert [text for text in said if "data-uf-valeu: this does nothing; is it data-uf-value?" in text], said
    assert not page.locator("main").get_attribute("data-connection")
