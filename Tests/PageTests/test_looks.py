"""Every page with the settings of users: large text, right to left, forced colours, and without scripts."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from live import button, expect_connection, open_live, status
from scenes import CARDS, sit_down
from service import PAGES
from waiting import eventually

# By page: Inputs, and a text that is shown after them.
FILLED = {
    "todos.html": ([{"add": {"title": "Read the whole contract, from its first line to its last"}}], "contract"),
    "shop.html": ([{"add": {"productID": "chocolate"}}, {"setQuantity": {"productID": "chocolate", "quantity": 12}}], "32.40"),
    "chat.html": ([{"connect": {"name": "Ada"}}, {"send": "A" * 200}, "dismissAlert"], "AAAA"),
    "login.html": ([{"emailChanged": "ada@lovelace.example"}, {"passwordChanged": "password"}, "submit"], "You are in"),
    "fan-out.html": (["buttonTap"], "tapped 1"),
    "multi-timer.html": (["startAll"], "Timer D"),
    "7guis/flight.html": ([{"setDeparture": "tomorrow"}], "Write a day"),
    "7guis/circles.html": ([{"press": {"x": 60, "y": 60}}], "Draw there"),
    "7guis/cells.html": ([{"write": {"column": "A", "row": 0, "entry": "a text that is longer than its cell is wide"}}], "a text"),
}
PHONE = {"width": 390, "height": 844}
IS_CUT = "(code) => code.scrollWidth > code.clientWidth"
CUT_PLACEHOLDERS = """() => [...document.querySelectorAll('[placeholder]')].filter((field) => {
    const style = getComputedStyle(field);
    const pen = Object.assign(document.createElement('canvas').getContext('2d'), { font: style.font });
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return field.checkVisibility() && pen.measureText(field.placeholder).width > room;
  }).map(({ placeholder }) => placeholder)"""


@pytest.mark.parametrize("name, acts", [*((name, None) for name in PAGES), ("board.html", sit_down)])
def test_text_at_twice_the_size_fits_a_phone(make_context, name: str, acts):
    page = make_context(viewport=PHONE).new_page()
    session = open_live(page, f"/{name}")
    inputs, words = FILLED.get(name, ([], ""))
    for input in inputs:
        session.send(input)
        session.reaches(lambda state: state.get("isConnected", True))
    expect(page.locator("main").get_by_text(words).locator("visible=true").first).to_be_visible()
    if acts:
        session.send(*CARDS)
        acts(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert not page.evaluate(CUT_PLACEHOLDERS)
    for tab in [None, *page.locator("details:not([open]) > summary").all()]:
        page.set_viewport_size(PHONE)
        if tab:
            tab.click()
        cut = page.evaluate("""[...document.querySelectorAll('body *')].filter((element) => {
            const { left, right, width } = element.getBoundingClientRect();
            const around = element.parentElement.closest('.sheet, .tiles > *') ?? document.body;
            const [box, { paddingLeft, paddingRight }] = [around.getBoundingClientRect(), getComputedStyle(around)];
            return width > 0 && !element.closest('svg, dialog, .scrolls *, .code *')
              && (right > box.right - parseFloat(paddingRight) + 1 || left < box.left + parseFloat(paddingLeft) - 1);
          }).map((element) => element.outerHTML.slice(0, 80))""")
        assert not cut
        for width in PHONE["width"], 320:
            page.set_viewport_size(PHONE | {"width": width})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_words_are_not_broken_in_rows_of_large_text(make_context):
    page = make_context(viewport=PHONE).new_page()
    open_live(page, "/shop.html")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for name in page.get_by_role("list", name="Products").locator("li > :first-child").all():
        lines = name.evaluate("(element) => element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight)")
        assert round(lines) == 1, name.inner_text()


def test_the_time_of_the_timer_fits_a_small_phone(make_context):
    page = make_context(viewport={"width": 320, "height": 568}).new_page()
    open_live(page, "/7guis/timer.html")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    left, right = page.get_by_role("timer").evaluate("""(timer) => {
      timer.textContent = '30.0 s'; // its longest
      const { left, right } = timer.getBoundingClientRect();
      return [left, innerWidth - right];
    }""")
    assert right >= left > 0


def test_buttons_that_do_not_fit_beside_a_text_stand_at_the_end_below_it(make_context):
    page = make_context(viewport=PHONE | {"width": 320}).new_page()
    session = open_live(page, "/todos.html")
    session.send({"add": {"title": "Milk"}})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    row = page.get_by_role("listitem").filter(has_text="Milk")
    end = row.bounding_box()["x"] + row.bounding_box()["width"]
    for name in "Rename", "Delete":
        box = button(row, name).bounding_box()
        assert abs(box["x"] + box["width"] - end) < 2


@pytest.mark.expects_errors("net::ERR_INTERNET_DISCONNECTED")
@pytest.mark.parametrize("name", ["index.html", "todos.html", "7guis/crud.html"])
def test_the_header_keeps_its_height_when_the_page_becomes_live(make_context, name: str):
    page = make_context(viewport=PHONE).new_page()
    waiting = []
    page.route("**/uifusion.js*", lambda route: waiting.append(route))
    page.goto(f"/{name}", wait_until="commit")
    expect(page.locator(".bar")).to_have_css("display", "flex")  # the style sheet has loaded
    before = page.locator(".bar").bounding_box()["height"]
    eventually(lambda: waiting, "the client is asked for")
    waiting[0].continue_()
    expect_connection(page, "live")
    assert page.locator(".bar").bounding_box()["height"] == before
    page.context.set_offline(True)
    expect_connection(page, "offline")
    assert page.locator(".bar").bounding_box()["height"] == before
    page.locator(".connection").evaluate("(it) => { it.textContent = 'Reconnecting …'; it.closest('[data-connection]').dataset.connection = 'stale'; }")
    assert page.locator(".bar").bounding_box()["height"] == before


def test_a_checkbox_in_a_list_is_a_large_target(make_context):
    page = make_context(viewport=PHONE).new_page()
    session = open_live(page, "/todos.html")
    session.send({"add": {"title": "Milk"}})
    box = page.get_by_role("checkbox", name="Milk")
    place = box.bounding_box()
    page.mouse.click(place["x"] + 30, place["y"] - 8)
    expect(box).to_be_checked()


def test_a_long_word_in_the_chat_wraps(page: Page):
    session = open_live(page, "/chat.html")
    session.send({"connect": {"name": "Ada"}})
    session.reaches(lambda state: state["isConnected"])
    session.send({"send": "long" * 200})
    log = page.get_by_role("log", name="Messages")
    word = log.get_by_text("longlong")
    expect(word).to_be_attached()
    assert word.bounding_box()["width"] < log.bounding_box()["width"]


def reads_from_left_to_right(element: Locator, *parts: str) -> bool:
    places = element.evaluate("""(element, parts) => parts.map((part) => {
      const range = new Range(), text = element.firstChild, start = text.data.indexOf(part);
      range.setStart(text, start);
      range.setEnd(text, start + part.length);
      return range.getBoundingClientRect().left;
    })""", parts)
    return places == sorted(places)


def test_a_size_reads_from_left_to_right_on_a_right_to_left_page(page: Page):
    open_live(page, "/fan-out.html")
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert reads_from_left_to_right(page.get_by_text("180 × 50", exact=True), "180", "50")


def test_texts_of_users_have_their_own_direction(page: Page):
    session = open_live(page, "/todos.html")
    page.evaluate("document.documentElement.dir = 'rtl'")
    session.send({"add": {"title": "Who is there?"}})
    title = page.get_by_text("Who is there?", exact=True)
    assert reads_from_left_to_right(title, "Who", "?")
    gap = "(title) => { const range = new Range(); range.selectNodeContents(title); return title.getBoundingClientRect().right - range.getBoundingClientRect().right; }"
    assert title.evaluate(gap) < 2  # beside its checkbox
    page.goto("/problems/not-found")
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert reads_from_left_to_right(page.get_by_text("404 /problems", exact=False), "404", "/problems")


def test_columns_of_cells_run_from_left_to_right_on_a_right_to_left_page(make_context):
    page = make_context(viewport=PHONE).new_page()
    open_live(page, "/7guis/cells.html")
    page.evaluate("document.documentElement.dir = 'rtl'")
    corner, first, second = [cell.bounding_box()["x"] for cell in page.locator("thead").locator("td, th").all()[:3]]
    assert corner < first < second
    assert page.locator("tbody td").first.bounding_box()["x"] == first


@pytest.mark.parametrize("text", ["100%", "200%"])
def test_the_menu_of_a_circle_is_in_sight(make_context, text: str):
    page = make_context(viewport=PHONE).new_page()
    session = open_live(page, "/7guis/circles.html")
    page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", text)
    session.send({"press": {"x": 250, "y": 90}}, {"openMenu": {"id": 1}})
    menu = page.get_by_role("dialog", name="Circle")
    expect(menu).to_be_visible()
    box = menu.bounding_box()
    assert box["x"] >= 4 and box["x"] + box["width"] <= PHONE["width"] - 4
    assert box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"]


def test_fan_out_shows_its_colour_despite_forced_colours(make_context):
    page = make_context(forced_colors="active").new_page()
    session = open_live(page, "/fan-out.html")
    colour = session.state["color"]
    red, green, blue = (int(colour[place:place + 2], 16) for place in (1, 3, 5))
    expect(page.get_by_role("button")).to_have_css("background-color", f"rgb({red}, {green}, {blue})")


def test_busy_and_disabled_controls_look_so_with_forced_colours(make_context):
    page = make_context(forced_colors="active").new_page()
    open_live(page, "/gallery.html")
    expect(button(page, "Load")).to_be_disabled()
    expect(button(page, "Load")).to_have_css("opacity", "1")  # only grey, not transparent
    for name in "Download", "Load":
        line = button(page, name).evaluate("""(button) => {
          button.ariaBusy = 'true';
          return getComputedStyle(button, '::after').backgroundImage;
        }""")
        assert "gradient" in line
        expect(button(page, name)).to_have_css("opacity", "1")


def test_greys_are_ink_for_those_who_want_more_contrast(page: Page):
    open_live(page, "/todos.html")
    for scheme in "light", "dark":
        page.emulate_media(color_scheme=scheme, contrast="more")
        lead = page.locator(".lead").evaluate("(lead) => [getComputedStyle(lead).color, getComputedStyle(document.body).color]")
        assert lead[0] == lead[1]


@pytest.mark.parametrize("name", PAGES)
def test_no_code_is_cut(page: Page, name: str):
    """In a wide window, the lines of the tabs are not wrapped either."""
    open_live(page, f"/{name}")
    for code in page.locator(".sheet pre.code").all():
        page.set_viewport_size(PHONE)
        assert not code.evaluate(IS_CUT)
    for tab in page.locator(".tabs details").all():
        tab.evaluate("(tab) => { tab.open = true; }")
        for code in tab.locator("pre.code").all():
            page.set_viewport_size(PHONE)
            assert not code.evaluate(IS_CUT)
            page.set_viewport_size({"width": 1280, "height": 900})
            lines = code.evaluate("(code) => code.clientHeight / parseFloat(getComputedStyle(code).lineHeight)")
            assert lines < code.inner_text().count("\n") + 3  # with the space around


def test_a_printed_page_has_whole_lines_of_code_and_no_links_elsewhere(page: Page):
    open_live(page, "/reminders.html")
    page.emulate_media(media="print")
    assert not page.locator("pre.code").first.evaluate(IS_CUT)
    for place in ".bar", ".between":
        expect(page.locator(place)).to_be_hidden()


def test_screen_readers_do_not_announce_ticks(page: Page):
    open_live(page, "/multi-timer.html")
    for name in "ABCD":
        output = page.get_by_role("group", name=f"Timer {name}").get_by_role("status")
        expect(output).to_have_attribute("aria-live", "off")


def is_said_not_to_be_live(page: Page) -> None:
    expect(page.locator(".connection")).to_be_visible()
    words = page.locator("body :not(:has(*), pre, pre *, code, svg *)").locator("visible=true").all_inner_texts()
    assert not [text for text in words if re.search("[{}]|Connecting", text)]
    for control in page.locator("main").locator("button, input, select").all():
        if control.is_visible():
            expect(control).not_to_have_css("opacity", "1")
            expect(control).to_have_css("cursor", "default")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_without_scripts_says_so_and_looks_disabled(make_context, name: str):
    page = make_context(java_script_enabled=False).new_page()
    page.goto(f"/{name}")
    is_said_not_to_be_live(page)


@pytest.mark.expects_errors("net::ERR_FAILED")
@pytest.mark.parametrize("name", ["index.html", "todos.html"])
def test_a_page_that_cannot_load_the_client_says_so_and_looks_disabled(page: Page, name: str):
    page.route("**/uifusion.js*", lambda route: route.abort())
    page.goto(f"/{name}")
    is_said_not_to_be_live(page)


@pytest.mark.parametrize("name, inputs, korean, english", [
    ("counter", ["increase"] * 11, "값이 허용 범위를 벗어났습니다", "The value would leave its range"),
    ("counter-sync", ["show"], "현재 값", "The value is 0."),
    ("calculator", [{"digit": 5}, {"operation": "divide"}, {"digit": 0}, "equals"], "0으로 나눌 수 없습니다", "There is no division by 0."),
    ("calculator", [*[{"digit": 9}] * 10, *[{"operation": "multiply"}, "equals"] * 6], "결과가 너무 큽니다", "The result is too large."),
    ("chat", [{"send": "hi"}], "웹소켓에 연결되어 있지 않습니다", "You are not connected."),
])
def test_a_korean_alert_has_english_beside_it(page: Page, name: str, inputs: list, korean: str, english: str):
    session = open_live(page, f"/{name}.html")
    session.send(*inputs)
    alert = page.get_by_role("dialog")
    expect(alert.get_by_text(korean)).to_be_visible()
    expect(alert.get_by_text(english)).to_be_visible()
    assert language(alert.get_by_text(korean)) == "ko" and language(alert.get_by_text(english)) == "en"


def test_the_chat_says_without_a_dialog_and_in_english_too_that_it_is_connected(page: Page):
    session = open_live(page, "/chat.html")
    session.send({"connect": {"name": "Ada"}})
    for korean, english in ("연결됨", "(connected)"), ("서버에 연결되었습니다", "(You are connected.)"):
        for text, spoken in (korean, "ko"), (english, "en"):
            words = page.locator("main").get_by_text(text, exact=True).filter(visible=True)
            expect(words).to_be_visible()
            assert language(words) == spoken
    expect(page.get_by_role("dialog")).to_be_hidden()
    session.send("disconnect")
    expect(page.get_by_text("(disconnected)")).to_be_visible()
    expect(page.get_by_text("You are connected.")).to_be_hidden()


def language(element: Locator) -> str:
    return element.evaluate("(element) => element.closest('[lang]').lang")


def test_the_calculator_says_which_inputs_are_on_their_way(page: Page, proxy):
    open_live(page, "/calculator.html")
    proxy.held.add("/sessions")
    button(page, "5").click()
    button(page, "÷").click()
    expect(page.get_by_text("2 keys on the way")).to_be_visible()
    proxy.held.clear()
    expect(page.get_by_text("on the way")).to_be_hidden()
    expect(status(page, "Display")).to_have_text("5")
