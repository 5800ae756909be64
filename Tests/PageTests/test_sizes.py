"""The front end is small: the bytes of the client, and the scripts of the pages."""

import gzip
import re
import shutil

import pytest

from http_session import fetched
from service import PAGES, ROOT, Service
from waiting import run

EXAMPLES = [
    "auction", "auto-refresh", "board", "calculator", "chat", "countdown", "counter", "counter-reactor", "counter-reducer",
    "counter-sync", "fan-out", "gallery", "login", "multi-timer", "reminders", "search", "shop", "todos",
]


def lines_of_script(page: str) -> int:
    """Returns the lines of a page's own script, inline and in files other than the client."""
    html = (ROOT / f"Public/{page}.html").read_text()
    scripts = re.findall(r"<script(?![^>]*json)([^>]*)>(.*?)</script>", html, re.S)
    sources = [re.search(r'src="/?([^"]+)"', attributes) for attributes, _ in scripts]
    texts = [text for _, text in scripts]
    texts += [(ROOT / "Public" / source[1]).read_text() for source in sources if source and not re.search(r"(uifusion(-gestures)?|copy)\.js$", source[1])]
    return sum(1 for text in texts for line in text.splitlines() if line.strip())


@pytest.mark.core("Overview")
def test_every_example_has_a_page():
    assert {f"{name}.html" for name in EXAMPLES} <= set(PAGES)


@pytest.mark.parametrize("page", [*EXAMPLES, *(page[:-5] for page in PAGES if page.startswith("7guis/"))])
def test_pages_have_no_script_of_their_own_but_for_a_short_one(page: str):
    # One of the counter's two pages uses a script, to show how; the auction has a chart. Each copies its commands.
    assert lines_of_script(page) <= {"auction": 25}.get(page, 0)


@pytest.mark.core("It loads in two steps")
def test_the_client_is_small(service: Service):
    names = ("uifusion", "uifusion-more", "uifusion-gestures", "uifusion-login")
    sizes = [len(gzip.compress(fetched(f"{service.url}/{name}.js"), 9)) for name in names]
    assert sizes[0] <= 20_050 and sizes[1] <= 16_200 and sizes[2] <= 2_670 and sizes[3] <= 2_980


@pytest.mark.skipif(not shutil.which("terser"), reason="esbuild and terser make the client, and are not installed")
def test_the_core_of_the_client_is_smaller_still():
    core = run("make", "-s", "bundle", "FILE=core", "ENTRY=Session/session.js", cwd=ROOT).stdout
    size = len(gzip.compress(core, 9))
    assert size <= 7_900
