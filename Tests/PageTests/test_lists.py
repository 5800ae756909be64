"""Lists keep the focus, the caret and the scroll position, and a change of a long one costs only what changes."""

import json
from itertools import count

import pytest
from playwright.sync_api import Browser, Page, expect

from http_session import HTTPSession
from live import open_live
from proxy import Proxy
from service import Service
from waiting import eventually, repeatedly
from written_page import show

ROWS = 1000
TEXT = "typed beside a long list"


def many_todos(service: Service, count: int) -> str:
    """Returns the address of a page with so many todos."""
    id = "many-todos-0123456789A"
    todos = [{"id": str(number), "title": f"todo {number}", "isDone": False} for number in range(count)]
    service.take_in(id, "todos", {"todos": todos, "filter": "all", "remaining": count})
    return f"/todos.html?session={id}"


def row(page: Page, title: str):
    checkbox = page.get_by_role("checkbox", name=title, exact=True)
    return page.get_by_role("list", name="Todos").get_by_role("listitem").filter(has=checkbox)


@pytest.mark.core("A field keeps the user's text")
def test_focus_and_caret_stay_in_the_row_that_is_edited(page: Page):
    session = open_live(page, "/todos.html")
    session.send(*[{"add": {"title": title}} for title in "abcd"])
    row(page, "c").get_by_role("button", name="Rename").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("long title")
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    ids = {todo["title"]: todo["id"] for todo in session.state["todos"]}
    titles = page.get_by_role("list", name="Todos").get_by_role("checkbox")

    def expect_place(count: int) -> None:
        expect(titles).to_have_count(count)
        edited = page.evaluate(
            "() => { const { value, selectionStart, selectionEnd } = document.activeElement;"
            " return { value, selectionStart, selectionEnd }; }"
        )
        assert edited == {"value": "long title", "selectionStart": 4, "selectionEnd": 4}

    expect(page.get_by_role("list", name="Todos").get_by_role("listitem")).to_have_count(4)
    rows = titles.count()  # the edited row may or may not have a checkbox
    session.send({"add": {"title": "e"}})
    expect_place(rows + 1)
    session.send({"delete": {"id": ids["a"]}})
    expect_place(rows)
    session.send({"toggle": {"id": ids["b"]}})
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["c", "d", "e", "b"])
    expect(page.get_by_role("list", name="Todos").get_by_role("listitem").last).to_contain_text("b")
    expect_place(rows)
    page.keyboard.type("er")
    page.keyboard.press("Enter")
    session.reaches(lambda state: state["todos"][0]["title"] == "longer title")


@pytest.mark.core("data-key")
def test_a_button_keeps_its_focus_while_its_row_moves(page: Page):
    session = open_live(page, "/todos.html")
    session.send(*[{"add": {"title": title}} for title in "abc"])
    row(page, "a").get_by_role("button", name="Rename").focus()
    ids = {todo["title"]: todo["id"] for todo in session.state["todos"]}
    session.send({"toggle": {"id": ids["a"]}})
    expect(page.get_by_role("list", name="Todos").get_by_role("listitem").last).to_contain_text("a")
    expect(row(page, "a").get_by_role("button", name="Rename")).to_be_focused()


def test_a_list_that_is_scrolled_stays_where_it_is(make_service, service: Service, page: Page):
    session = open_live(page, many_todos(service, 200))
    seen = row(page, "todo 100")
    seen.scroll_into_view_if_needed()
    before = seen.bounding_box()["y"]
    session.send({"add": {"title": "todo 200"}})
    session.send({"delete": {"id": session.state["todos"][0]["id"]}})
    expect(row(page, "todo 200")).to_have_count(1)
    expect(row(page, "todo 0")).to_have_count(0)
    assert abs(seen.bounding_box()["y"] - before) < 60


def test_renaming_one_of_many_rows_touches_only_that_row(make_service, service: Service, proxy: Proxy, page: Page):
    session = open_live(page, many_todos(service, 500))
    # Its first State may come compressed, and later than the head of the stream; not through the proxy, which counts Inputs.
    HTTPSession(service.url, session.id).send({"rename": {"id": session.state["todos"][4]["id"], "title": "salt"}})
    expect(row(page, "salt")).to_be_visible()
    [stream] = proxy.open_streams
    before = stream.bytes
    row(page, "todo 3").get_by_role("button", name="Rename").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("milk")
    page.keyboard.press("Enter")
    expect(row(page, "milk")).to_be_visible()
    [answer] = proxy.matching("POST", "/inputs")
    assert stream.bytes - before < 1000 and answer.bytes < 1000


def test_one_of_a_thousand_rows_changes_thirty_times_a_second(
    make_service, service: Service, proxy: Proxy, browser: Browser, page: Page
):
    session = open_live(page, many_todos(service, ROWS))
    rows = page.get_by_role("list", name="Todos").get_by_role("listitem")
    expect(rows).to_have_count(ROWS)
    field = page.get_by_role("textbox", name="New todo")
    field.focus()
    # A search by role looks at every element in one long task, and so must not be in the trace.
    new = field.element_handle()
    count_changes(page)
    changed = session.state["todos"][ROWS // 2]["id"]
    [stream] = proxy.open_streams
    received = stream.bytes

    number = count()

    def rename() -> None:
        session.send({"rename": {"id": changed, "title": f"changed {next(number)}"}})

    with session.recorded("?format=patch") as events:
        browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
        with repeatedly(rename, 1 / 30):
            for _ in range(2):
                page.keyboard.type(TEXT, delay=60)
                new.fill("")
            page.keyboard.type(TEXT, delay=60)
        trace = json.loads(browser.stop_tracing())
        last = session.state["todos"][ROWS // 2]["title"]
        expect(row(page, last)).to_have_count(1)
        session.reaches(lambda state: events[-1]["version"] == session.snapshot["version"])
        patches = [event for event in events if event["event"] == "patch"]

    expect(field).to_have_value(TEXT)
    longest, frame = longest_task(trace), page.evaluate("framesSeen.longest")
    dirty = most_laid_out(trace)
    size = sum(event["bytes"] for event in patches)  # in the session's own stream, as lines of JSON
    print(f"{len(patches)} changes, {stream.bytes - received} bytes on the stream, {size} in patches;",
          f"at most {dirty} boxes laid out, longest task {longest:.0f} ms of processor time, longest frame {frame:.0f} ms of the clock's")
    assert patches
    assert page.evaluate("changed.rows") <= 1, "rows that did not change were touched"
    # Times depend on the load of the machine; the number of laid-out boxes does not.
    assert dirty < ROWS / 10
    assert stream.bytes - received <= 2 * size


def count_changes(page: Page) -> None:
    """Records which rows change, and the wall-clock time of the longest frame."""
    page.evaluate("""() => {
      const rows = new Set();
      window.changed = { get rows() { return rows.size; } };
      const list = document.querySelector('[aria-label=Todos], [role=list]')
        ?? [...document.querySelectorAll('ul, ol')].find((list) => list.children.length > 100);
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target.nodeType === 1 ? target : target.parentElement;
          rows.add(element.closest('li'));
        }
      }).observe(list, { subtree: true, childList: true, characterData: true, attributes: true });
      window.framesSeen = { longest: 0 };
      new PerformanceObserver((entries) => {
        for (const { duration } of entries.getEntries()) framesSeen.longest = Math.max(framesSeen.longest, duration);
      }).observe({ type: 'long-animation-frame' });
    }""")


def most_laid_out(trace: dict) -> int:
    """Returns the most boxes that the browser laid out anew after one change."""
    layouts = [e["args"]["beginData"] for e in trace["traceEvents"]
               if e["name"] == "Layout" and "beginData" in e.get("args", {})]
    assert layouts, "the trace has no layouts"
    return max(layout["dirtyObjects"] for layout in layouts)


def longest_task(trace: dict) -> float:
    """Returns the longest task of the page's main thread, in ms of processor time, as others share the machine."""
    events = trace["traceEvents"]
    main = {(e["pid"], e["tid"]) for e in events if e.get("args", {}).get("name") == "CrRendererMain"}
    tasks = [e["tdur"] for e in events if "tdur" in e and (e["pid"], e["tid"]) in main and "RunTask" in e["name"]]
    assert tasks, "the trace has no tasks"
    return max(tasks) / 1000


LONG = 2000
LONG_LIST = """<div data-local="order: 'title'"><button data-set="order: 'title'">Up</button><button data-set="order: '-title'">Down</button>
  <ul><template data-each="todos" data-key="id" data-sort="order"><li><input><span data-text=".title"></span></li></template></ul></div>"""
# The number of rows that were added or moved by the end of each task.
RECORD = """window.slices = [];
new MutationObserver((changes) => {
  const rows = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(({ localName }) => localName === 'li');
  if (rows.length) slices.push(new Set(rows).size);
}).observe(document, { childList: true, subtree: true });"""
TITLES = "[...document.querySelectorAll('li')].map(({ textContent }) => textContent)"
UP = [f"todo {number}" for number in range(LONG)]


def open_long_list(service: Service, page: Page) -> HTTPSession:
    page.add_init_script(RECORD)
    session = show(page, "todos", LONG_LIST, many_todos(service, LONG).removeprefix("/todos.html"))
    eventually(lambda: page.evaluate(TITLES) == UP)
    return session


def test_a_long_list_is_built_in_slices_so_that_the_page_stays_responsive(make_service, service: Service, page: Page):
    session = open_long_list(service, page)
    slices = page.evaluate("slices")
    assert max(slices) <= 200 and sum(slices) == LONG
    page.evaluate("slices.length = 0")
    page.get_by_role("button", name="Down").click()
    eventually(lambda: page.evaluate(TITLES) == UP[::-1])
    slices = page.evaluate("slices")
    assert max(slices) <= 200 and sum(slices) < LONG
    session.send("clearCompleted", {"delete": {"id": "7"}})
    eventually(lambda: page.evaluate(TITLES) == [title for title in UP[::-1] if title != "todo 7"])


def test_the_focus_and_the_typed_text_stay_when_a_long_list_is_reversed(make_service, service: Service, page: Page):
    open_long_list(service, page)
    field = page.get_by_role("listitem").filter(has_text="todo 1234").get_by_role("textbox")
    field.press_sequentially("typed")
    page.evaluate("[...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Down').click()")
    eventually(lambda: page.evaluate(TITLES) == UP[::-1])
    expect(field).to_be_focused()
    expect(field).to_have_value("typed")


def test_a_long_list_that_changes_while_it_is_built_is_correct_in_the_end(make_service, service: Service, page: Page):
    session = open_long_list(service, page)
    page.evaluate("""async () => {
      const [up, down] = document.querySelectorAll('button');
      for (const frames of [1, 3, 0, 2, 5, 1]) {
        down.click();
        for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
        up.click();
        await new Promise(requestAnimationFrame);
      }
      down.click();
    }""")
    session.send({"delete": {"id": "1999"}}, {"delete": {"id": "0"}}, {"add": {"title": "todo 0000"}})
    eventually(lambda: page.evaluate(TITLES) == [*UP[-2:0:-1], "todo 0000"])
