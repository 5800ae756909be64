"""A browser's translation, and scripts, put other nodes in place of texts: these stay bound."""

import pytest
from playwright.sync_api import Page, expect

from written_page import show

# What Chrome's translation does to each text of the page, and to those that change later.
REPLACED = """() => {
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) if (texts.currentNode.data.trim()) found.push(texts.currentNode);
  for (const text of found) {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    outer.append(inner);
    inner.textContent = `«${text.data}»`;
    text.replaceWith(outer);
  }
}"""
MOVED = """() => {
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) if (texts.currentNode.data.trim()) found.push(texts.currentNode);
  for (const text of found) {
    const font = document.createElement('font');
    text.replaceWith(font);
    font.append(text);
  }
}"""
REWRITTEN = "() => { for (const leaf of document.querySelectorAll('main :not(:has(*))')) leaf.textContent = `«${leaf.textContent}»`; }"
JOINED = "() => document.querySelector('main').normalize()"


@pytest.mark.parametrize("translate", [REPLACED, MOVED, REWRITTEN, JOINED], ids=["replaced", "moved", "rewritten", "joined"])
def test_texts_follow_state_after_a_translation(page: Page, translate: str):
    session = show(page, "todos", """<p>{todos.count} in all</p><p>First <b>{todos.0.title}</b> of {todos.count} today</p>
      <ul><template data-each="todos"><li>{.title} is here</li></template></ul><output data-text="todos.count"></output>""")
    expect(page.locator("p").first).to_have_text("0 in all")
    for title in "milk", "bread", "salt":
        page.evaluate(translate)
        session.send({"add": {"title": title}})
        count = len(session.state["todos"])
        expect(page.locator("output")).to_have_text(str(count))
        expect(page.locator("p").first).to_have_text(f"{count} in all")
        expect(page.locator("p b")).to_contain_text("milk")
        expect(page.locator("p").nth(1)).to_contain_text(f"of {count} today")
        expect(page.locator("li")).to_have_count(count)
    page.evaluate(translate)
    session.send({"rename": {"id": session.state["todos"][1]["id"], "title": "butter"}})
    expect(page.locator("li").nth(1)).to_have_text("butter is here")


@pytest.mark.parametrize("translate", [REPLACED, MOVED], ids=["replaced", "moved"])
def test_rows_that_begin_and_end_with_a_text_go_with_it(page: Page, translate: str):
    session = show(page, "todos", """<p><template data-each="todos">{.title}, </template></p><p><template data-each="todos">a <b>{.title}</b> z</template></p>""")
    session.send(*[{"add": {"title": title}} for title in ("milk", "bread", "salt")])
    expect(page.locator("p").first).to_have_text("milk, bread, salt,")
    page.evaluate(translate)
    ids = [todo["id"] for todo in session.state["todos"]]
    session.send({"delete": {"id": ids[1]}})
    expect(page.locator("p b")).to_have_count(2)
    expect(page.locator("p").first).not_to_contain_text("bread")
    session.send({"rename": {"id": ids[2], "title": "pepper"}})
    expect(page.locator("p").first).to_contain_text("pepper, ")
    session.send({"delete": {"id": ids[0]}})
    session.send({"delete": {"id": ids[2]}})
    expect(page.locator("main p")).to_have_text(["", ""])
