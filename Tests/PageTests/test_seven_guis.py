"""The seven tasks of 7GUIs: each page does what the task's text asks for, as the user sees it."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from conftest import OUTAGE
from http_session import HTTPSession
from proxy import Proxy
from live import button, open_live, status
from test_gestures import Finger
from waiting import eventually

GRAY = "rgba(128, 128, 128, 0.6)"


def field(page: Page, name: str) -> Locator:
    return page.get_by_role("textbox", name=name, exact=True)


def test_the_list_links_to_all_seven_pages(page: Page):
    page.goto("/7guis/")
    links = page.get_by_role("main").get_by_role("list").get_by_role("link")
    expect(links).to_have_text(["Counter", "Temperature Converter", "Flight Booker", "Timer", "CRUD", "Circle Drawer", "Cells"])
    for link in links.evaluate_all("(links) => links.map((link) => link.href)"):
        open_live(page, link)


@pytest.mark.expects_errors(*OUTAGE)
def test_a_page_in_a_folder_loads_without_a_network(make_service, service, make_context):
    page = make_context(service_workers="allow").new_page()
    open_live(page, "/7guis/counter.html")
    page.evaluate("""async () => {
      await navigator.serviceWorker.ready;
      const wanted = ['/7guis/counter.html', '/7guis/guis.css', '/uifusion.js', '/uifusion-more.js'];
      const kept = async () => (await (await caches.open('uifusion')).keys()).map(({ url }) => new URL(url).pathname);
      for (let names = []; !wanted.every((name) => names.includes(name)); names = await kept())
        await new Promise((done) => setTimeout(done, 50));
    }""")
    service.kill()
    page.reload()
    expect(page.get_by_role("heading", name="Counter")).to_be_visible()
    expect(page.locator("main")).to_have_css("display", "grid")


@pytest.mark.core("7guis/counter.html")
def test_the_counter_counts(page: Page):
    open_live(page, "/7guis/counter.html")
    expect(status(page, "Count")).to_have_text("0")
    for count in "123":
        button(page, "Count").click()
        expect(status(page, "Count")).to_have_text(count)


@pytest.mark.core("7guis/temperature.html")
def test_the_temperature_converter_converts_in_both_directions(page: Page):
    open_live(page, "/7guis/temperature.html")
    celsius, fahrenheit = field(page, "Celsius"), field(page, "Fahrenheit")
    for empty in celsius, fahrenheit:
        expect(empty).to_have_value("")
    celsius.press_sequentially("100")
    expect(fahrenheit).to_have_value("212")
    fahrenheit.fill("32")
    expect(celsius).to_have_value("0")
    celsius.fill("0x")
    session = open_live(page, "/7guis/temperature.html")
    session.reaches(lambda state: state == {"celsius": "0x", "fahrenheit": "32"})
    expect(fahrenheit).to_have_value("32")


@pytest.mark.core("7guis/flight.html")
def test_the_flight_booker_checks_the_dates(page: Page):
    open_live(page, "/7guis/flight.html")
    kind = page.get_by_role("combobox", name="Flight")
    there, back, book = field(page, "Departure"), field(page, "Return"), button(page, "Book")
    expect(kind.locator("option:checked")).to_have_text("one-way flight")
    expect(back).to_have_attribute("aria-disabled", "true")
    expect(back).not_to_be_editable()
    assert there.input_value() == back.input_value()

    there.fill("04.04.2014")
    book.click()
    expect(status(page, "Booking")).to_have_text("You have booked a one-way flight on 04.04.2014.")

    there.fill("4 April")
    expect(there).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Write a day like")).to_be_visible()
    accent = page.evaluate("getComputedStyle(document.querySelector('.error')).color")
    expect(there).to_have_css("border-color", accent)
    expect(book).to_have_attribute("aria-disabled", "true")

    there.fill("05.04.2014")
    kind.select_option("return flight")
    expect(back).to_be_editable()
    expect(there).not_to_have_attribute("aria-invalid", "true")
    back.fill("04.04.2014")
    expect(book).to_have_attribute("aria-disabled", "true")
    back.fill("05.04.2014")
    expect(book).not_to_have_attribute("aria-disabled", "true")
    book.click()
    expect(status(page, "Booking")).to_have_text("You have booked a return flight from 05.04.2014 to 05.04.2014.")


@pytest.mark.core("7guis/timer.html")
def test_the_timer_runs_to_its_duration(page: Page):
    session = open_live(page, "/7guis/timer.html")
    gauge, slider = page.get_by_role("progressbar", name="Elapsed"), page.get_by_role("slider", name=re.compile("Duration"))
    elapsed = page.get_by_role("timer", name="Elapsed time")
    slider.focus()
    page.keyboard.press("Home")
    session.reaches(lambda state: state["duration"] == 0)
    stood = session.state["elapsed"]
    for _ in range(5):  # reads State several times: the timer would tick meanwhile
        assert session.state["elapsed"] == stood
    slider.fill(str(stood + 3))
    session.reaches(lambda state: state["elapsed"] == stood + 3)
    expect(elapsed).to_have_text(f"{(stood + 3) / 10:.1f} s")
    assert gauge.evaluate("(gauge) => gauge.position") == 1
    slider.press("End")
    session.reaches(lambda state: state["duration"] == 300 and state["elapsed"] > stood + 3)
    eventually(lambda: gauge.evaluate("(gauge) => gauge.position") < 1, "the gauge has room")
    slider.press("Home")
    session.reaches(lambda state: state["duration"] == 0)
    button(page, "Reset").click()  # nothing ticks, so no State hides this one
    session.reaches(lambda state: state["elapsed"] == 0)


def test_the_slider_takes_effect_while_it_is_dragged(page: Page):
    session = open_live(page, "/7guis/timer.html")
    box = page.get_by_role("slider").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in 0.8, 0.9:
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
        before = session.state["duration"]
        session.reaches(lambda state: state["duration"] >= before and state["duration"] > 300 * share - 20)
    page.mouse.up()


@pytest.mark.core("7guis/crud.html")
def test_crud_creates_updates_deletes_and_filters_names(page: Page):
    session = open_live(page, "/7guis/crud.html")
    names, prefix = page.get_by_role("listbox", name="Names"), page.get_by_role("searchbox", name="Filter prefix")
    update, delete = button(page, "Update"), button(page, "Delete")
    expect(names.locator("option")).to_have_text(["Lovelace, Ada", "Liskov, Barbara", "Hopper, Grace"])
    for off in update, delete:
        expect(off).to_have_attribute("aria-disabled", "true")
    prefix.press_sequentially("l")
    expect(names.locator("option")).to_have_text(["Lovelace, Ada", "Liskov, Barbara"])
    prefix.fill("x")
    expect(names.locator("option")).to_have_count(0)
    expect(page.get_by_text("No surname begins with “x”", exact=True)).to_be_visible()
    prefix.fill("")
    expect(page.get_by_text("No surname begins", exact=False)).to_be_hidden()

    field(page, "Name").fill("Alan")
    field(page, "Surname").fill("Turing")
    button(page, "Create").click()
    expect(names.locator("option").last).to_have_text("Turing, Alan")

    names.select_option("Hopper, Grace")
    for on in update, delete:
        expect(on).not_to_have_attribute("aria-disabled", "true")
    field(page, "Name").fill("Grace Brewster")
    field(page, "Surname").fill("Hopper")
    update.click()
    expect(names.locator("option").nth(2)).to_have_text("Hopper, Grace Brewster")
    expect(names.locator("option:checked")).to_have_text("Hopper, Grace Brewster")
    delete.click()
    expect(names.locator("option")).to_have_text(["Lovelace, Ada", "Liskov, Barbara", "Turing, Alan"])
    session.reaches(lambda state: state["selectedID"] is None)
    for id in [person["id"] for person in session.state["people"]]:
        session.send({"select": {"id": id}}, "delete")
    expect(page.get_by_text("No names yet", exact=True)).to_be_visible()
    expect(delete).to_have_attribute("aria-disabled", "true")


def canvas(page: Page) -> Locator:
    return page.locator(".ground")


def circles(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Circle"))


def draw(page: Page, *places: tuple[int, int]) -> None:
    for count, (x, y) in enumerate(places, 1):
        canvas(page).click(position={"x": x, "y": y})
        expect(circles(page)).to_have_count(count)


def test_circles_are_drawn_and_the_nearest_is_gray(page: Page):
    open_live(page, "/7guis/circles.html")
    draw(page, (100, 100), (130, 100))
    centre = canvas(page).bounding_box()["x"] + 100
    box = circles(page).first.bounding_box()
    assert abs(box["x"] + box["width"] / 2 - centre) < 2 and round(box["width"]) == 40
    for x, gray in (112, 0), (118, 1), (97, 0):
        canvas(page).hover(position={"x": x, "y": 100})
        expect(circles(page).nth(gray)).to_have_css("background-color", GRAY)
        expect(circles(page).nth(1 - gray)).not_to_have_css("background-color", GRAY)
    canvas(page).hover(position={"x": 20, "y": 200})
    expect(page.locator(".circle.selected")).to_have_count(0)
    canvas(page).click(position={"x": 100, "y": 100})  # not on empty ground
    expect(page.locator(".circle.selected")).to_have_count(1)
    expect(circles(page)).to_have_count(2)


@pytest.mark.core("7guis/circles.html")
def test_adjusting_a_circle_by_its_menu_is_one_undo_step(page: Page):
    session = open_live(page, "/7guis/circles.html")
    draw(page, (100, 100))
    undo, redo = button(page, "Undo"), button(page, "Redo")
    expect(redo).to_have_attribute("aria-disabled", "true")
    own = canvas(page).evaluate("(canvas) => canvas.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))")
    assert not own, "the browser's own menu would come, too"
    expect(button(page, "Adjust diameter…")).to_be_visible()
    page.keyboard.press("Escape")
    session.reaches(lambda state: state["dialog"] == "none")
    canvas(page).click(position={"x": 105, "y": 100}, button="right")
    button(page.get_by_role("dialog", name="Circle", exact=True), "Adjust diameter…").click()
    dialog = page.get_by_role("dialog", name="Diameter of the circle at 100, 100")
    slider = dialog.get_by_role("slider")
    expect(slider).to_have_value("40")
    for diameter in "80", "120":
        slider.fill(diameter)
        expect(circles(page)).to_have_css("width", f"{diameter}px")
    assert len(session.state["past"]) == 1
    button(dialog, "Close").click()
    expect(dialog).to_be_hidden()
    session.reaches(lambda state: len(state["past"]) == 2)
    undo.click()
    expect(circles(page)).to_have_css("width", "40px")
    redo.click()
    expect(circles(page)).to_have_css("width", "120px")
    undo.click()
    undo.click()
    expect(circles(page)).to_have_count(0)
    expect(undo).to_have_attribute("aria-disabled", "true")
    redo.click()
    canvas(page).click(position={"x": 300, "y": 200})
    expect(circles(page)).to_have_count(2)
    expect(redo).to_have_attribute("aria-disabled", "true")


def test_circles_can_be_drawn_by_keyboard(page: Page):
    session = open_live(page, "/7guis/circles.html")
    page.get_by_role("spinbutton", name="x").focus()
    page.keyboard.press("Enter")
    expect(circles(page)).to_have_count(1)
    circles(page).focus()
    page.keyboard.press("Enter")
    expect(button(page, "Adjust diameter…")).to_be_focused()
    page.keyboard.press("Escape")
    session.reaches(lambda state: state["dialog"] == "none")
    circles(page).focus()
    page.keyboard.press("Enter")
    expect(button(page, "Adjust diameter…")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("slider")).to_be_focused()
    page.keyboard.press("ArrowRight")
    session.reaches(lambda state: state["circles"][0]["diameter"] == 41)
    page.keyboard.press("Escape")
    session.reaches(lambda state: state["dialog"] == "none" and len(state["past"]) == 2)
    page.keyboard.press("Control+z")
    session.reaches(lambda state: state["circles"][0]["diameter"] == 40)


def test_the_keys_for_a_menu_open_that_of_the_circle_in_focus(page: Page):
    session = open_live(page, "/7guis/circles.html")
    draw(page, (60, 60), (200, 60))
    canvas(page).hover(position={"x": 200, "y": 60})
    session.reaches(lambda state: state["selectedID"] == 2)
    for key in "Shift+F10", "ContextMenu", "Shift+Enter":
        circles(page).first.focus()
        page.keyboard.press(key)
        expect(button(page, "Adjust diameter…")).to_be_focused()
        assert session.state["selectedID"] == 1
        page.keyboard.press("Escape")
        session.reaches(lambda state: state["dialog"] == "none")


@pytest.mark.parametrize("has_menu_event", [True, False], ids=["Android", "iOS"])
def test_a_finger_draws_circles_and_a_long_press_opens_the_menu_of_the_one_below_it(make_context, has_menu_event: bool):
    page = make_context(has_touch=True, viewport={"width": 390, "height": 844}).new_page()
    if not has_menu_event:
        page.add_init_script("addEventListener('contextmenu', (event) => event.stopImmediatePropagation(), true)")
    session = open_live(page, "/7guis/circles.html")
    for x in 60, 200:
        canvas(page).tap(position={"x": x, "y": 60})
        session.reaches(lambda state: state["selectedID"] == len(state["circles"]) == len(state["past"]))
    finger = Finger(page)
    box = canvas(page).bounding_box()
    finger.touch("Start", (box["x"] + 62, box["y"] + 60))
    menu = button(page, "Adjust diameter…")
    expect(menu).to_be_visible()
    finger.touch("End")
    assert session.state["selectedID"] == 1
    menu.tap()
    expect(page.get_by_role("slider")).to_be_visible()


def test_the_menu_stays_when_the_mouse_button_goes_up(page: Page):
    session = open_live(page, "/7guis/circles.html")
    draw(page, (60, 60))
    canvas(page).hover(position={"x": 60, "y": 60})
    page.mouse.down(button="right")
    menu = page.get_by_role("dialog", name="Circle", exact=True)
    expect(menu).to_be_visible()
    page.mouse.up(button="right")
    assert menu.is_visible()
    page.mouse.click(5, 5)
    expect(menu).to_be_hidden()
    session.reaches(lambda state: state["dialog"] == "none")


def cell(page: Page, name: str) -> Locator:
    row, column = int(name[1:]), ord(name[0]) - ord("A")
    return page.locator("tbody tr").nth(row).locator("td").nth(column)


def formula(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile("^Formula of"))


def write(page: Page, name: str, text: str) -> None:
    cell(page, name).dblclick()
    expect(page.get_by_text(f"Formula of {name}", exact=True)).to_be_visible()
    expect(formula(page)).to_be_focused()
    formula(page).fill(text)
    formula(page).press("Enter")


def test_cells_evaluate_formulas(page: Page):
    open_live(page, "/7guis/cells.html")
    expect(page.get_by_role("columnheader")).to_have_text([chr(ord("A") + place) for place in range(26)])
    expect(page.get_by_role("rowheader")).to_have_text([str(row) for row in range(100)])
    write(page, "A0", "2")
    write(page, "A1", "3")
    write(page, "C4", "=SUM(A0:A1)*2")
    expect(cell(page, "C4")).to_have_text("10")
    write(page, "D4", "=C4+1")
    expect(cell(page, "D4")).to_have_text("11")
    write(page, "A0", "7")
    expect(cell(page, "C4")).to_have_text("20")
    expect(cell(page, "D4")).to_have_text("21")
    cell(page, "C4").click()
    expect(formula(page)).to_have_value("=SUM(A0:A1)*2")
    write(page, "Z99", "the last one")
    expect(cell(page, "Z99")).to_have_text("the last one")


def test_cells_show_errors_and_cycles(page: Page):
    open_live(page, "/7guis/cells.html")
    place = cell(page, "A0").bounding_box()
    write(page, "A0", "=1+")
    expect(cell(page, "A0")).to_have_text("#ERROR")
    expect(page.get_by_text("#ERROR: a value is missing at the end")).to_be_visible()
    assert cell(page, "A0").bounding_box() == place  # nothing moves under the finger
    write(page, "A0", "=B0")
    write(page, "B0", "=A0")
    for name in "A0", "B0":
        expect(cell(page, name)).to_have_text("#CYCLE")
    write(page, "A0", "5")
    expect(cell(page, "B0")).to_have_text("5")


def test_an_entry_is_written_when_the_cell_is_left_but_not_after_escape(page: Page):
    session: HTTPSession = open_live(page, "/7guis/cells.html")
    cell(page, "B1").dblclick()
    expect(formula(page)).to_be_focused()
    formula(page).fill("1")
    cell(page, "C1").click()
    expect(cell(page, "B1")).to_have_text("1")
    cell(page, "B1").dblclick()
    expect(formula(page)).to_have_value("1")
    formula(page).fill("2")
    formula(page).press("Escape")
    expect(formula(page)).to_have_value("1")
    cell(page, "A0").click()
    session.reaches(lambda state: state["column"] == "A")
    assert session.state["sheet"]["formulas"] == {"B1": "1"}


@pytest.mark.parametrize("is_state_late", [False, True], ids=["slow network", "State after the answer"])
def test_an_entry_is_written_to_the_cell_that_was_chosen_however_long_that_takes(proxy: Proxy, page: Page, is_state_late: bool):
    session: HTTPSession = open_live(page, "/7guis/cells.html")
    proxy.latency = 0.5
    if is_state_late:
        proxy.unanswered.add(proxy.open_streams[0].path)
    cell(page, "B1").dblclick()
    expect(formula(page)).to_be_focused()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    cell(page, "C1").click()
    session.reaches(lambda state: state["sheet"]["formulas"] == {"B1": "1"} and state["column"] == "C")


def test_arrow_keys_and_enter_edit_the_cell_that_was_reached(proxy: Proxy, page: Page):
    session: HTTPSession = open_live(page, "/7guis/cells.html")
    proxy.latency = 0.5
    for key in "ArrowRight", "ArrowDown", "Enter":
        page.keyboard.press(key)
    expect(formula(page)).to_be_focused()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    session.reaches(lambda state: state["sheet"]["formulas"] == {"B1": "1"})


def test_a_click_elsewhere_cancels_an_edit_that_has_not_begun(proxy: Proxy, page: Page):
    session: HTTPSession = open_live(page, "/7guis/cells.html")
    proxy.latency = 0.5
    cell(page, "B1").dblclick()
    cell(page, "C1").click()
    session.reaches(lambda state: state["column"] == "C")
    expect(cell(page, "C1")).to_have_class("selected")
    expect(formula(page)).not_to_be_focused()


@pytest.mark.core("7guis/cells.html")
@pytest.mark.slow(15)
def test_cells_can_be_edited_by_keyboard(page: Page):
    open_live(page, "/7guis/cells.html")
    for key in ["ArrowDown"] * 14 + ["ArrowRight"] * 8:
        page.keyboard.press(key)
    expect(page.get_by_text("Formula of I14", exact=True)).to_be_visible()
    expect(cell(page, "I14")).to_be_focused()
    expect(cell(page, "I14")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(formula(page)).to_be_focused()
    page.keyboard.type("=6*7")
    page.keyboard.press("Enter")
    expect(cell(page, "I14")).to_have_text("42")
