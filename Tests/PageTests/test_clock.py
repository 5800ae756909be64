"""A computer's clock may be set back while a page is open."""

from playwright.sync_api import Page, expect

from live import button, expect_nothing_waits
from written_page import show

# `pass(ms)` lets time go by, `setClock(ms)` sets the clock by so much.
CLOCK = """(() => {
  let [passed, shift] = [0, 0];
  const [wall, steady] = [Date.now, performance.now];
  Date.now = () => wall() + shift + passed;
  performance.now = () => steady.call(performance) + passed;
  window.pass = (milliseconds) => { passed += milliseconds; };
  window.setClock = (milliseconds) => { shift += milliseconds; };
})()"""


def test_a_clock_that_is_set_back_stops_neither_forms_nor_dialogs_nor_fields(page: Page):
    page.add_init_script(CLOCK)
    session = show(page, "todos", """<form data-input="add(title: $title)"><input name="title" value="milk" data-keep><button>Add</button></form>
      <input aria-label="note"><dialog data-open="todos.count > 1"><button data-input="clearCompleted">x</button></dialog>""")
    button(page, "Add").click()
    session.reaches(lambda state: len(state["todos"]) == 1)
    expect_nothing_waits(page)
    page.get_by_label("note").press_sequentially("a")
    page.evaluate("setClock(-3600_000); pass(2000)")
    button(page, "Add").click()
    session.reaches(lambda state: len(state["todos"]) == 2)
    expect(page.get_by_role("dialog")).to_be_visible()


def test_the_first_form_may_be_sent_at_once(page: Page):
    session = show(page, "todos", """<form data-input="add(title: $title)"><input name="title" value="milk"><button>Add</button></form>""")
    page.add_init_script("performance.now = () => 1;")
    page.reload()
    expect(page.locator("main")).to_have_attribute("data-connection", "live")
    button(page, "Add").click()
    session.reaches(lambda state: len(state["todos"]) == 1)
