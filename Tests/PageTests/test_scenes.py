"""Every page in each of its states: axe finds nothing, in light and in dark, and the keyboard reaches each control, whose
focus is visible."""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from conftest import OUTAGE
from live import expect_connection, open_live
from scenes import COMMON, OTHERS, SCENES, Scene

# By day one state of each page, and the common states of one page; by night all states, and the common ones of six.
IS_NIGHT = bool(os.environ.get("ALL_SCENES"))
STATES = [(name, state) for name, scenes in SCENES.items() for state in (["empty", *scenes] if IS_NIGHT else [*scenes][:1])]
SHARING = ["index", "counter", "todos", "shop", "chat", "7guis/cells"] if IS_NIGHT else ["todos"]

# The elements that Tab stops at; a group of radio buttons counts once.
STOPS = """() => {
  const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
  const found = [...(modal ?? document).querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }) && !element.disabled);
  const groups = new Set();
  return found.filter(({ type, name }) => type !== 'radio' || !groups.has(name) && groups.add(name)).length;
}"""
FOCUSED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  globalThis.numbers ??= new Map();
  const key = element.type === 'radio' ? `radio ${element.name}` : element;
  if (!numbers.has(key)) numbers.set(key, numbers.size);
  const shown = element.closest('label.choice, .choice label') ?? element;
  const { left, top, right, bottom, width } = shown.getClientRects()[0];
  const { outlineStyle, outlineWidth, pointerEvents } = getComputedStyle(shown);
  const [x, y] = [Math.max(0, left) + Math.min(width, 40) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2];
  const there = document.elementFromPoint(x, y);
  const faults = [];
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) faults.push('has no outline');
  if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) faults.push('is out of sight');
  else if (pointerEvents !== 'none' && !(shown.contains(there) || there.contains(shown))) faults.push(`is under ${there?.outerHTML.slice(0, 60)}`);
  return [numbers.get(key), faults.map((fault) => `${element.outerHTML.slice(0, 90)} ${fault}`)];
}"""


def expect_accessible(page: Page) -> None:
    # Waits for animations: axe would judge the colours in between.
    page.evaluate("""Promise.all(document.getAnimations()
      .filter((animation) => animation.effect.getComputedTiming().endTime < 10_000)
      .map((animation) => animation.finished.catch(() => {}))).then(() => {})""")
    for scheme in "light", "dark":
        page.emulate_media(color_scheme=scheme)
        results = Axe().run(page)
        assert results.violations_count == 0, f"{scheme}: {results.generate_report()}"


def expect_reached_by_keyboard(page: Page, is_brief: bool = False) -> None:
    # Starts at the top, or in an open popover, which closes when the focus leaves it.
    page.evaluate("delete globalThis.numbers; document.activeElement.closest('[popover]') ?? document.activeElement.blur()")
    count = page.evaluate(STOPS)
    reached, faults = set(), []
    parts = 7 * page.locator("[type=datetime-local]").count()  # a stop for each of its parts
    for turn in range(count + parts + 4):
        if turn:
            page.keyboard.press("Tab")
        if focused := page.evaluate(FOCUSED):
            reached.add(focused[0])
            faults += focused[1]
    assert not faults, "\n".join(dict.fromkeys(faults))
    assert len(reached) == count or is_brief  # in a brief state, controls may come or go


@pytest.fixture
def page(make_context) -> Page:
    return make_context(reduced_motion="reduce", viewport={"width": 390, "height": 844}).new_page()


@pytest.mark.parametrize("name, state", STATES)
def test_a_page_is_accessible_in_each_of_its_states(page: Page, name: str, state: str):
    session = open_live(page, "/" if name == "index" else f"/{name}.html")
    scene = SCENES[name].get(state, Scene())
    scene.play(page, session)
    expect_accessible(page)
    expect_reached_by_keyboard(page, scene.is_brief)


@pytest.mark.expects_errors(*OUTAGE)
@pytest.mark.parametrize("name", SHARING)
@pytest.mark.parametrize("state", COMMON)
def test_a_page_is_accessible_in_the_common_states(page: Page, name: str, state: str):
    session = open_live(page, "/" if name == "index" else f"/{name}.html")
    COMMON[state].play(page, session)
    expect_accessible(page)
    expect_reached_by_keyboard(page)


@pytest.mark.expects_errors(*OUTAGE, "status of 405")
@pytest.mark.parametrize("name", OTHERS)
def test_a_page_without_a_session_is_accessible(page: Page, name: str):
    page.goto(f"/{name}")
    if name.startswith("view-models/"):
        expect_connection(page, "live")
    expect_accessible(page)
    expect_reached_by_keyboard(page)
