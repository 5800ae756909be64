"""The guide as pages: links, search and looks."""

import re
from posixpath import dirname, join, normpath

import pytest
from playwright.sync_api import Page, expect

from http_session import fetched
from service import PUBLIC
from test_scenes import expect_accessible

DOCS = sorted(str(path.relative_to(PUBLIC)) for path in PUBLIC.glob("docs/**/*.html"))


def test_each_link_leads_somewhere(url: str):
    assert len(DOCS) > 50
    ids = {name: set(re.findall(r' id="([^"]+)"', (PUBLIC / name).read_text())) for name in DOCS}
    asked = set()
    for name in DOCS:
        for link in re.findall(r'<a href="([^"]+)"', (PUBLIC / name).read_text()):
            if link.startswith("http"):
                continue
            path, _, id = link.partition("#")
            place = normpath(join(dirname(name), path)) if path else name
            place = f"{place}/index.html" if path.endswith("docs/") else place
            if place in ids:
                assert not id or id in ids[place], f"{name}: {link}"
            else:
                asked.add("" if place == "." else place)
    for place in asked:
        fetched(f"{url}/{place}")


def test_every_article_is_a_page_and_each_page_shows_its_source():
    for article in (PUBLIC.parent / "Sources").glob("*/*/*.docc/*.md"):
        assert any(name in DOCS for name in [f"docs/{article.stem}.html", f"docs/{article.stem}-{article.parent.stem}.html"])
    source = (PUBLIC / "docs/source/board.html").read_text()
    assert "BoardSeatViewModel.swift" in source and "board.html" in source


def test_articles_stand_in_the_order_of_the_guides_topics(page: Page):
    page.goto("/docs/Effects.html")
    articles = page.get_by_role("navigation", name="Articles").get_by_role("link")
    expect(articles).to_contain_text(["UIFusionKit", "pattern", "Effects", "Testing", "Hosting", "Shared sessions", "symbols", "HTTP"])
    expect(articles.and_(page.locator("[aria-current]"))).to_have_text("Effects")


def test_the_list_says_what_each_article_is_about(page: Page):
    page.goto("/docs/")
    summaries = page.locator("article dd").all_inner_texts()
    assert len(summaries) > 30
    assert [text for text in summaries if not re.match(r"[A-Z/]", text) or text[-1] not in ".:" or len(text) > 300] == []


def test_the_docs_are_searched_by_words(page: Page):
    page.goto("/docs/")
    page.keyboard.press("/")
    page.keyboard.type("reply ifrefused")
    found = page.get_by_role("region", name="Found")
    expect(found.get_by_role("link").first).to_be_visible()
    expect(found.locator("mark").first).to_have_text(re.compile("^(reply|ifRefused)$", re.I))
    found.get_by_role("link", name="Shared sessions · The house").click()
    expect(page).to_have_url(re.compile("/docs/SharedSessions.html#the-house$"))
    expect(page.get_by_role("heading", name="The house")).to_be_in_viewport()
    page.get_by_role("searchbox").fill("xyzzy")
    expect(page.get_by_text("Nothing has “xyzzy”.")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    expect(page.get_by_role("heading", name="The house")).to_be_visible()


def test_a_symbol_leads_to_its_signature(page: Page):
    page.goto("/docs/SharedSessions.html")
    page.get_by_role("link", name="InputSender").first.click()
    expect(page.locator(":target")).to_contain_text("InputSender")


@pytest.mark.parametrize("name", ["docs/", "docs/Bindings.html", "docs/source/board.html"])
def test_a_page_of_the_docs_is_accessible(page: Page, name: str):
    page.goto(f"/{name}")
    expect_accessible(page)
    for width in 1280, 390:
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
