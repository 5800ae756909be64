"""Gestures of the mouse, a finger and the keyboard send Inputs, and so do elements that come into sight."""

import re

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from live import button, open_live, status
from waiting import eventually

IMAGE = "the server responded with a status of 404"


@pytest.fixture
def phone(make_context) -> Page:
    return make_context(has_touch=True, viewport={"width": 390, "height": 844}).new_page()


def middle(element: Locator) -> tuple[float, float]:
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, element: Locator, right: float, down: float) -> None:
    x, y = middle(element)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=4)
    page.mouse.up()


class Finger:
    def __init__(self, page: Page):
        self.session: CDPSession = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        self.session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def drag(self, element: Locator, right: float, down: float) -> None:
        element.click(trial=True)  # waits until the page has stopped scrolling
        x, y = middle(element)
        self.touch("Start", (x, y))
        for step in range(1, 5):
            self.touch("Move", (x + right * step / 4, y + down * step / 4))
        self.touch("End")


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Shopping").get_by_role("listitem")


def titles(session) -> list[str]:
    return [row["title"] for row in session.state["rows"]]


def move(page: Page, place: int) -> Locator:
    return rows(page).nth(place).get_by_role("button", name="Move", exact=True)


@pytest.mark.core("gallery.html", "For UIKit developers")
def test_a_row_is_swiped_away_with_the_mouse(page: Page):
    session = open_live(page, "/gallery.html")
    drag(page, rows(page).nth(1).get_by_text("Milk"), -20, 0)
    drag(page, rows(page).nth(1).get_by_text("Milk"), 90, 0)
    drag(page, rows(page).nth(0).get_by_text("Bread"), -90, 0)
    expect(rows(page)).to_have_count(2)
    assert titles(session) == ["Milk", "Tea"]


def test_a_row_is_swiped_away_with_a_finger_and_the_page_scrolls_in_the_other_direction(phone: Page):
    session = open_live(phone, "/gallery.html")
    expect(rows(phone).first).to_have_css("touch-action", "pan-y")
    before = phone.evaluate("scrollY")
    Finger(phone).drag(rows(phone).nth(1).get_by_text("Milk"), 5, -120)
    phone.wait_for_function("before => scrollY > before", arg=before)
    Finger(phone).drag(rows(phone).nth(2).get_by_text("Tea"), -120, 5)
    expect(rows(phone)).to_have_count(2)
    assert titles(session) == ["Bread", "Milk"]


def test_a_row_is_swiped_away_with_a_key(page: Page):
    session = open_live(page, "/gallery.html")
    rows(page).nth(1).focus()
    expect(rows(page).nth(1)).to_have_attribute("aria-keyshortcuts", "ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(rows(page)).to_have_count(2)
    assert titles(session) == ["Bread", "Tea"]
    expect(rows(page).nth(1)).to_be_focused()


def test_a_click_on_a_button_in_a_row_is_no_swipe_and_a_swipe_over_it_no_click(page: Page):
    session = open_live(page, "/gallery.html")
    drag(page, button(rows(page).nth(0), "Remove"), -90, 0)
    expect(rows(page)).to_have_count(2)
    button(rows(page).nth(0), "Remove").click()
    expect(rows(page)).to_have_count(1)
    assert titles(session) == ["Tea"]


def test_a_row_is_moved_with_the_mouse(page: Page):
    session = open_live(page, "/gallery.html")
    height = rows(page).first.bounding_box()["height"]
    drag(page, move(page, 0), 0, height * 0.4)
    drag(page, move(page, 0), 0, height * 2)
    expect(rows(page)).to_contain_text(["Milk", "Tea", "Bread"])
    assert titles(session) == ["Milk", "Tea", "Bread"]
    x, y = middle(move(page, 2))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 2 * height, steps=4)
    expect(rows(page).nth(2)).to_have_attribute("data-dragging", "")
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator("[data-dragging]")).to_have_count(0)
    assert titles(session) == ["Milk", "Tea", "Bread"]


def test_a_row_is_moved_with_a_finger(phone: Page):
    session = open_live(phone, "/gallery.html")
    expect(move(phone, 2)).to_have_css("touch-action", "none")
    Finger(phone).drag(move(phone, 2), 0, -rows(phone).first.bounding_box()["height"])
    expect(rows(phone)).to_contain_text(["Bread", "Tea", "Milk"])
    assert titles(session) == ["Bread", "Tea", "Milk"]


def test_a_row_is_moved_with_arrow_keys_is_announced_and_keeps_the_focus(page: Page):
    session = open_live(page, "/gallery.html")
    move(page, 0).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    expect(rows(page)).to_contain_text(["Milk", "Bread", "Tea"])
    expect(page.get_by_role("status").filter(has_text="Move Bread: 2 / 3")).to_be_attached()
    expect(move(page, 1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(rows(page)).to_contain_text(["Milk", "Tea", "Bread"])
    assert titles(session) == ["Milk", "Tea", "Bread"]


def test_a_row_goes_on_with_keys_that_come_before_an_answer(page: Page):
    session = open_live(page, "/gallery.html")
    held, released = [], []
    page.route("**/inputs", lambda route: route.continue_() if released else held.append(route))
    move(page, 0).focus()
    for key in "ArrowDown", "ArrowDown", "ArrowDown":
        page.keyboard.press(key)
    expect(page.get_by_role("status").filter(has_text="Move Bread: 3 / 3")).to_be_attached()
    eventually(lambda: held, "the first Input")
    released += held
    for route in held:
        route.continue_()
    expect(rows(page)).to_contain_text(["Milk", "Tea", "Bread"])
    expect(move(page, 2)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(rows(page)).to_contain_text(["Milk", "Bread", "Tea"])
    assert titles(session) == ["Milk", "Bread", "Tea"]


def click_quickly(button: Locator) -> None:
    """Presses and releases a button in one task: a slow machine could make a long press of a click."""
    button.evaluate("""(button) => {
      for (const type of ['pointerdown', 'pointerup']) {
        button.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0 }));
      }
      button.click();
    }""")


@pytest.fixture
def pin(page: Page) -> Locator:
    open_live(page, "/gallery.html")
    return button(page, "Hold to pin")


def test_a_button_is_held_with_the_mouse_and_a_click_does_nothing(page: Page, pin: Locator):
    click_quickly(pin)
    pin.hover()
    page.mouse.down()
    expect(pin).to_have_attribute("aria-pressed", "true")
    page.mouse.up()
    expect(pin).to_have_attribute("aria-pressed", "true")
    pin.click(button="right")
    expect(pin).to_have_attribute("aria-pressed", "false")


def test_a_button_is_held_with_a_finger(phone: Page):
    open_live(phone, "/gallery.html")
    pin = button(phone, "Hold to pin")
    click_quickly(pin)
    finger = Finger(phone)
    finger.touch("Start", middle(pin))
    expect(pin).to_have_attribute("aria-pressed", "true")
    finger.touch("End")
    expect(pin).to_have_attribute("aria-pressed", "true")


def test_a_button_is_held_with_keys(page: Page, pin: Locator):
    pin.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Enter")
    expect(pin).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Shift+F10")
    expect(pin).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("key", ["mouse", "Enter"])
def test_a_coin_is_dragged(page: Page, key: str):
    session = open_live(page, "/gallery.html")
    coin = page.get_by_role("button", name="Coin")
    if key == "mouse":
        coin.drag_to(page.get_by_label("Right", exact=True))
    else:
        coin.press(key)
        page.get_by_label("Right", exact=True).press(key)
    session.reaches(lambda state: state["place"] == "right")
    expect(page.get_by_label("Right", exact=True).get_by_role("button", name="Coin")).to_be_visible()


def test_an_element_sends_when_it_comes_into_sight_and_when_it_leaves(page: Page):
    session = open_live(page, "/gallery.html")
    region = page.get_by_role("region", name="Scroll me")
    region.scroll_into_view_if_needed()
    assert session.state["appearances"] == 0
    region.focus()
    page.keyboard.press("End")
    session.reaches(lambda state: state["isInSight"])
    expect(status(page, "Appearances")).to_have_text("1")
    page.keyboard.press("Home")
    session.reaches(lambda state: not state["isInSight"])
    page.get_by_text("Here I am.", exact=True).scroll_into_view_if_needed()
    session.reaches(lambda state: state["isInSight"] and state["appearances"] == 2)


def test_a_download_shows_its_progress_and_its_button_is_disabled_meanwhile(page: Page):
    open_live(page, "/gallery.html")
    page.evaluate("""() => {
      window.seen = [];
      const bar = document.querySelector('progress[aria-label=Download]');
      const isBusy = () => document.querySelector('[data-input=download]').ariaBusy === 'true';
      new MutationObserver(() => seen.push([bar.value, isBusy()])).observe(bar, { attributes: true });
    }""")
    button(page, "Download").click()
    expect(status(page, "Downloads")).to_have_text("1")
    expect(button(page, "Download")).not_to_have_attribute("aria-busy", "true")
    # A busy machine may show fewer steps.
    steps = [is_busy for value, is_busy in page.evaluate("seen") if value]
    assert steps and all(steps)


@pytest.mark.core("gallery.html")
def test_a_field_shows_its_error(page: Page):
    open_live(page, "/gallery.html")
    email = page.get_by_role("textbox", name="Email")
    email.fill("ada")
    expect(email).to_have_accessible_error_message("An address has an @.")
    email.fill("ada@example.com")
    expect(email).not_to_have_attribute("aria-invalid", "true")
    email.fill("@")
    page.keyboard.press("Tab")
    assert email.evaluate("(field) => field.matches(':user-invalid')")


def test_a_segment_is_chosen_with_the_mouse_and_with_keys(page: Page):
    session = open_live(page, "/gallery.html")
    page.get_by_role("radio", name="Small").check()
    session.reaches(lambda state: state["size"] == "small")
    page.keyboard.press("ArrowLeft")
    session.reaches(lambda state: state["size"] == "large")
    expect(status(page, "Chosen size")).to_have_text("Large")


@pytest.mark.expects_errors(IMAGE)
def test_an_image_sends_whether_it_has_loaded(page: Page):
    open_live(page, "/gallery.html")
    expect(status(page, "Image")).to_have_text("Loaded.", use_inner_text=True)
    button(page, "Fail").click()
    expect(status(page, "Image")).to_have_text("It could not be loaded.", use_inner_text=True)
    button(page, "Load").click()
    expect(status(page, "Image")).to_have_text("Loaded.", use_inner_text=True)


def test_an_alert_follows_state_and_a_sheet_the_page_alone(page: Page):
    session = open_live(page, "/gallery.html")
    button(page, "Alert").click()
    alert = page.get_by_role("alertdialog", name="Alert")
    expect(alert).to_be_visible()
    page.reload()
    expect(alert).to_be_visible()
    page.keyboard.press("Enter")
    expect(alert).to_be_hidden()
    session.reaches(lambda state: state["alert"] is None)
    for close in lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(5, 5), lambda: page.keyboard.press("Enter"):
        button(page, "Sheet").click()
        expect(page.get_by_role("dialog", name="Sheet")).to_be_visible()
        close()
        expect(page.get_by_role("dialog", name="Sheet")).to_be_hidden()
    expect(button(page, "Sheet")).to_be_focused()


def test_a_change_is_animated(page: Page):
    open_live(page, "/gallery.html")
    button(page, "High").click()
    expect(page.get_by_text("That is more than half.", exact=True)).to_be_visible()
    expect(page.get_by_role("meter", name="Level")).to_have_attribute("aria-valuenow", "90")
    bar = page.get_by_role("meter", name="Level").locator("div")
    expect(bar).to_have_attribute("style", re.compile("90%"))
    button(page, "Low").click()
    expect(page.get_by_text("That is more than half.", exact=True)).to_be_hidden()


def test_the_gestures_module_is_loaded_only_by_pages_that_name_it(page: Page):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_live(page, "/todos.html")
    assert not [url for url in asked if "uifusion-gestures" in url]
    open_live(page, "/gallery.html")
    assert len([url for url in asked if "uifusion-gestures.js?v=" in url]) == 1


def test_names_may_have_a_prefix_and_a_disabled_element_ignores_gestures(page: Page):
    page.route("**/prefixed.html", lambda route: route.fulfill(content_type="text/html", body="""<!doctype html>
      <html lang="en" data-prefix="uf"><meta charset="utf-8"><title>Test</title><link rel="icon" href="/favicon.svg">
      <script type="module" src="/uifusion.js"></script><script type="module" src="/uifusion-gestures.js"></script>
      <main data-uf-view-model="counter-sync">
      <button data-uf-on="swiperight longpress" data-uf-input="increase" data-uf-enabled="value < 2">More</button>
      <output aria-label="Value" data-uf-text="value"></output></main>"""))
    page.goto("/prefixed.html")
    expect(page.locator("main")).to_have_attribute("data-uf-connection", "live")
    more = button(page, "More")
    drag(page, more, 90, 0)
    expect(status(page, "Value")).to_have_text("1")
    more.press("ArrowRight")
    expect(status(page, "Value")).to_have_text("2")
    expect(more).to_have_attribute("aria-disabled", "true")
    drag(page, more, 90, 0)
    more.press("Shift+Enter")
    expect(status(page, "Value")).to_have_text("2")
