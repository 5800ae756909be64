"""Random typing, in one tab or two, against random changes of State: no letter and no focus is lost.

    INTERLEAVINGS=100000 Tests/PageTests/run Tests/PageTests/test_random_typing.py
    FIRST=4711 INTERLEAVINGS=1 …    only this seed
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

FIRST = int(os.environ.get("FIRST", "1"))
INTERLEAVINGS = int(os.environ.get("INTERLEAVINGS", "250"))
SHARE = max(1, min(250, INTERLEAVINGS))
# A page gets slower with many sessions: after so many interleavings comes a new page.
ON_A_PAGE = 50
# Out of the window, so that nothing is painted.
HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Typing</title>
  <link rel="icon" href="/favicon.svg"><script type="module" src="/uifusion.js"></script>
  <style>body { position: absolute; left: -9999px }</style></head><body></body></html>"""


@pytest.mark.slow(40)
@pytest.mark.expects_errors("uifusion-more.js does not come")  # the page's time passes faster than the module can load
@pytest.mark.parametrize("first", range(FIRST, FIRST + INTERLEAVINGS, SHARE))
def test_no_letter_and_no_focus_is_lost(context: BrowserContext, first: int):
    context.add_init_script(path=Path(__file__).with_name("random_typing.js"))
    context.route("**/written-here.html", lambda route: route.fulfill(content_type="text/html; charset=utf-8", body=HTML))
    page = context.new_page()
    for seed in range(first, first + SHARE, ON_A_PAGE):
        page.goto("/written-here.html")
        wrong = page.evaluate(f"interleave({seed}, {min(ON_A_PAGE, SHARE)}, 40)")
        assert wrong is None, wrong
