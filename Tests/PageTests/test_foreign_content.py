"""SVG and MathML in a page: lists, visibility, attributes."""

import pytest
from playwright.sync_api import Page, expect

from live import button
from written_page import show


def test_a_list_in_svg_has_a_row_for_each_element(page: Page):
    session = show(page, "todos", """<svg viewBox="0 0 90 30" width="90" height="30"><g>
        <template data-each="todos" data-key="id"><circle r="4" cy="9" data-attr-cx="$index" data-attr-class=".title"></circle>
          <template data-each="todos"><title>{..title} {.title}</title></template></template><rect></rect></g></svg>""")
    session.send(*[{"add": {"title": title}} for title in ("a", "b")])
    circles = page.locator("svg circle")
    expect(circles).to_have_count(2)
    expect(circles.nth(1)).to_have_attribute("cx", "1")
    expect(page.locator("svg g > title")).to_have_text(["a a", "a b", "b a", "b b"])
    assert circles.first.evaluate("(circle) => circle.getBoundingClientRect().width") > 0
    session.send({"delete": {"id": session.state["todos"][0]["id"]}})
    expect(circles).to_have_count(1)
    expect(circles).to_have_attribute("class", "b")


def test_a_list_in_mathml_has_a_row_for_each_element(page: Page):
    session = show(page, "todos", """<math><mrow><template data-each="todos"><mfrac><mn>{.title}</mn><mn>2</mn></mfrac></template></mrow></math>""")
    session.send(*[{"add": {"title": title}} for title in ("3", "5")])
    expect(page.locator("mrow > mfrac")).to_have_text(["32", "52"])
    assert page.locator("mfrac").first.evaluate("(element) => element.namespaceURI").endswith("MathML")


@pytest.mark.parametrize("element", ["<svg width=9 height=9><rect width=9 height=9 data-show='todos'></rect></svg>",
                                     "<svg width=9 height=9 data-show='todos'></svg>", "<math><mfrac data-show='todos'><mn>1</mn><mn>2</mn></mfrac></math>",
                                     "<svg width=9 height=9><foreignObject width=9 height=9><p data-show='todos'>x</p></foreignObject></svg>"])
def test_an_element_is_shown_or_hidden(page: Page, element: str):
    session = show(page, "todos", element)
    shown = page.locator("[data-show]")
    expect(shown).to_have_css("display", "none")
    session.send({"add": {"title": "milk"}})
    expect(shown).not_to_have_css("display", "none")
    session.send({"delete": {"id": session.state["todos"][0]["id"]}})
    expect(shown).to_have_css("display", "none")


def test_attributes_have_the_names_that_svg_and_mathml_give_them(page: Page):
    session = show(page, "todos", """<svg data-attr-viewBox="0 0 {todos.count} 9" data-attr-preserveAspectRatio="'none'">
        <defs><path id="line" d="M0 0h9" data-attr-pathLength="todos.count"></path>
          <linearGradient data-attr-gradientUnits="'userSpaceOnUse'" data-attr-gradientTransform="'rotate(3)'"></linearGradient></defs>
        <use data-attr-xlink:href="'#line'"></use><text data-attr-xml:lang="'de'" data-attr-text-anchor="'end'" data-attr-TEXTLENGTH="9">x</text></svg>
      <math data-attr-definitionURL="'x'"></math><p id="html" data-attr-viewBox="1" data-attr-lang="'fr'">x</p>""")
    svg = page.locator("svg")
    expect(svg).to_have_attribute("viewBox", "0 0 0 9")
    assert svg.evaluate("(svg) => svg.viewBox.baseVal.height") == 9
    assert page.locator("use").evaluate("(use) => use.href.baseVal") == "#line"
    assert set(page.evaluate("""[...document.querySelectorAll('svg, svg *, math, #html')].flatMap(({ attributes }) =>
      [...attributes].map(({ name }) => name)).filter((name) => !/^(data-|id$|d$)/.test(name))""")) == {
        "viewBox", "preserveAspectRatio", "pathLength", "gradientUnits", "gradientTransform", "xlink:href",
        "xml:lang", "text-anchor", "textLength", "definitionURL", "viewbox", "lang"}
    session.send({"add": {"title": "milk"}})
    expect(svg).to_have_attribute("viewBox", "0 0 1 9")


def test_a_control_in_svg_sends_and_has_a_name(page: Page):
    session = show(page, "counter-sync", """<svg width="30" height="30"><a href="#" data-input="increase" data-keys="x" data-confirm="More?">
      <circle r="9" cx="9" cy="9"></circle><text>Add</text></a></svg>""")
    page.locator("circle").click()
    button(page.get_by_role("dialog"), "Add").click()
    session.reaches(lambda state: state["value"] == 1)


@pytest.mark.expects_errors("no code is run")
@pytest.mark.parametrize("attribute", [
    "data-prop-inner-h-t-m-l", "data-prop-outer-h-t-m-l", "data-prop-inner-HTML", "data-prop-srcdoc", "data-prop-onclick",
    "data-attr-onload", "data-attr-srcdoc", "data-prop-__proto__"])
def test_no_property_parses_html_or_runs_code(page: Page, attribute: str):
    session = show(page, "todos", f"""<template data-each="todos"><div {attribute}=".title">as it was</div></template>""")
    session.send({"add": {"title": "<b id=made>taken</b>"}})
    expect(page.locator("div")).to_have_text("as it was")
    expect(page.locator("#made")).to_have_count(0)


def test_no_address_runs_code_in_svg(page: Page):
    session = show(page, "todos", """<svg><template data-each="todos"><a data-attr-xlink:href=".title" data-attr-href=".title"><text>x</text>
      <set attributeName="href" data-attr-to=".title"></set><animate attributeName="href" data-attr-values=".title"></animate></a></template></svg>""")
    session.send({"add": {"title": "#a;\tjava\nscript:document.title='taken'"}})
    session.send({"add": {"title": "JavaScript:document.title='taken'"}})
    expect(page.locator("svg a")).to_have_count(2)
    assert page.evaluate("""[...document.querySelectorAll('svg a, svg a *')].flatMap(({ attributes }) => [...attributes])
      .filter(({ name, value }) => !name.startsWith('data-') && /script/i.test(value)).map(({ name }) => name)""") == []
