"""The Swift, HTML and script that a page shows are excerpts of the sources."""

import html
import re

import pytest

from service import PAGES, PUBLIC, ROOT

pytestmark = pytest.mark.core

SOURCES = {path.name: path for path in (ROOT / "Sources/Examples").rglob("*.swift")}
EXCERPT = re.compile(r'class="kicker"[^>]*>([\w-]+\.\w+)</\w+>\s*<pre class="code"[^>]*>(.*?)</pre>', re.S)


def excerpts(page: str) -> list[tuple[str, str]]:
    return [(name, html.unescape(re.sub(r"</?span[^>]*>", "", text))) for name, text in EXCERPT.findall((PUBLIC / page).read_text())]


def plain(source: str) -> str:
    """Returns a source as pages quote it: without `package`, classes and indentation."""
    source = re.sub(r'\bpackage | class="[^"]*"', "", source)
    return "\n".join(line.strip() for line in source.splitlines())


@pytest.mark.parametrize("page", PAGES)
def test_an_excerpt_is_part_of_its_source(page: str):
    found = excerpts(page)
    # The front page has another page's whole HTML, which its own test opens.
    assert ({"swift"} if page == "index.html" else {"swift", "html"}) <= {name.split(".")[1] for name, _ in found}
    for name, text in found:
        rest = plain((SOURCES.get(name) or (PUBLIC / page).parent / name).read_text())
        for part in plain(text).split("\n…\n"):
            assert part in rest, f"{name} has not, or not in this order:\n{part}"
            rest = rest.split(part, 1)[1]


@pytest.mark.parametrize("page", PAGES)
def test_an_excerpt_is_coloured(page: str):
    """By `.ci/colours`."""
    assert all('<span class="' in text for _, text in EXCERPT.findall((PUBLIC / page).read_text()))


@pytest.mark.parametrize("page", PAGES)
def test_an_excerpt_is_short(page: str):
    assert all(text.count("\n") < 18 for _, text in excerpts(page))
