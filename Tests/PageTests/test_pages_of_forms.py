"""The main cases of the pages with forms and lists: todos, login, chat, shop and reminders."""

import re

import pytest
from playwright.sync_api import Page, expect

from live import button, clicking_once_enabled, open_live, status


@pytest.mark.core("todos.html")
def test_todos_are_added_done_renamed_filtered_and_deleted(page: Page):
    session = open_live(page, "/todos.html")
    todos = page.get_by_role("list", name="Todos")
    new = page.get_by_role("textbox", name="New todo")
    for title in ["milk", "bread", "tea"]:
        new.fill(title)
        new.press("Enter")
        expect(todos.get_by_role("checkbox", name=title, exact=True)).to_be_visible()
        expect(new).to_have_value("")
    expect(status(page, "Remaining")).to_contain_text("3")

    todos.get_by_role("checkbox", name="bread").check()
    expect(status(page, "Remaining")).to_contain_text("2")
    row = todos.get_by_role("listitem").filter(has=page.get_by_role("checkbox", name="milk"))
    row.get_by_role("button", name=re.compile("^Rename")).click()
    page.keyboard.press("Control+A")
    page.keyboard.type("oat milk")
    page.keyboard.press("Enter")
    expect(todos.get_by_role("checkbox", name="oat milk", exact=True)).to_be_visible()

    page.get_by_role("radio", name="Active").check()
    expect(todos.get_by_role("checkbox", name="bread")).to_have_count(0)
    page.get_by_role("radio", name="Completed").check()
    expect(todos.get_by_role("checkbox")).to_have_count(1)
    page.get_by_role("radio", name="All").check()
    expect(todos.get_by_role("checkbox")).to_have_count(3)

    button(page, "Clear completed").click()
    expect(todos.get_by_role("checkbox")).to_have_count(2)
    row = todos.get_by_role("listitem").filter(has=page.get_by_role("checkbox", name="tea"))
    row.get_by_role("button", name=re.compile("^Delete")).click()
    confirm_if_asked(page)
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == ["oat milk"])
    expect(todos.get_by_role("checkbox")).to_have_count(1)


def confirm_if_asked(page: Page) -> None:
    """Confirms in the page's own dialog; Playwright would dismiss one of the browser."""
    dialog = page.get_by_role("dialog")
    if dialog.count() and dialog.first.is_visible():
        dialog.get_by_role("button", name=re.compile("delete|ok|yes", re.I)).click()


@pytest.mark.core("login.html")
def test_a_login_asks_for_the_second_factor(page: Page):
    session = open_live(page, "/login.html")
    page.get_by_role("textbox", name="Email").press_sequentially("2fa@example.com")
    page.get_by_label("Password", exact=True).press_sequentially("password")
    session.reaches(lambda state: state["isFormValid"])
    button(page, "Log in").click()
    code = page.get_by_role("textbox", name="Code")
    expect(code).to_be_visible()
    code.press_sequentially("1234")
    button(page, "Verify").click()
    session.reaches(lambda state: state["step"] == "done")


def test_a_wrong_login_says_so_each_time(page: Page):
    session = open_live(page, "/login.html")
    page.get_by_role("textbox", name="Email").fill("ada@example.com")
    page.get_by_label("Password", exact=True).fill("wrong")
    for _ in range(2):
        session.reaches(lambda state: state["isFormValid"] and not state["isRequestInFlight"])
        button(page, "Log in").click()
        expect(page.get_by_text("Unknown user or invalid password.").locator("visible=true").first).to_be_visible()
        page.keyboard.press("Escape")


def test_an_error_of_a_login_goes_when_it_is_over(page: Page):
    open_live(page, "/login.html")
    password, error = page.get_by_label("Password", exact=True), page.locator(".error").locator("visible=true")
    page.get_by_role("textbox", name="Email").fill("2fa@example.com")
    password.fill("wrong")
    button(page, "Log in").click()
    expect(error).to_have_text("Unknown user or invalid password.")
    password.fill("password")
    button(page, "Log in").click()
    code = page.get_by_role("textbox", name="Code")
    expect(code).to_be_visible()
    expect(error).to_have_count(0)
    code.fill("9")
    button(page, "Verify").click()
    expect(error).to_have_text("Invalid code.")
    button(page, "Cancel").click()
    expect(password).to_be_visible()
    expect(error).to_have_count(0)


def test_a_second_factor_can_be_cancelled(page: Page):
    session = open_live(page, "/login.html")
    page.get_by_role("textbox", name="Email").fill("2fa@example.com")
    page.get_by_label("Password", exact=True).fill("password")
    button(page, "Log in").click()
    expect(page.get_by_role("textbox", name="Code")).to_be_visible()
    button(page, "Cancel").click()
    session.reaches(lambda state: state["step"] == "credentials")
    expect(page.get_by_role("textbox", name="Email")).to_be_visible()


@pytest.mark.core("chat.html")
def test_two_windows_chat(make_context):
    ada, bob = (make_context().new_page() for _ in range(2))
    for page, name in (ada, "Ada"), (bob, "Bob"):
        open_live(page, "/chat.html")
        page.get_by_role("textbox", name="Name").fill(name)
        button(page, "Connect").click()
        expect(status(page, "Connection")).to_contain_text("연결됨")
        dismiss_message(page)
    say(ada, "hi Bob")
    say(bob, "hi Ada")
    for page in ada, bob:
        log = page.get_by_role("log", name="Messages")
        expect(log).to_contain_text(re.compile("Ada.*hi Bob.*Bob.*hi Ada", re.S))
    button(ada, "Disconnect").click()
    expect(status(ada, "Connection")).not_to_contain_text("연결됨")


def test_the_chat_shows_who_is_there_and_who_types(make_context):
    ada, bob = (make_context().new_page() for _ in range(2))
    for page, name in (ada, "Ada"), (bob, "Bob"):
        open_live(page, "/chat.html")
        expect(page.get_by_role("list", name="People")).to_be_hidden()
        page.get_by_role("textbox", name="Name").fill(name)
        button(page, "Connect").click()
        dismiss_message(page)
    people = ada.get_by_role("list", name="People").get_by_role("listitem")
    expect(people).to_have_text([re.compile("Ada"), re.compile("Bob")])
    expect(people.get_by_text("is typing").filter(visible=True)).to_have_count(0)
    bob.get_by_role("textbox", name="Message").press_sequentially("hel")
    expect(people.filter(has_text="Bob").get_by_text("is typing")).to_be_visible()
    expect(people.filter(has_text="Ada").get_by_text("is typing")).to_be_hidden()
    bob.get_by_role("textbox", name="Message").press("Enter")
    expect(ada.get_by_role("log", name="Messages")).to_contain_text("hel")
    expect(people.filter(has_text="Bob").get_by_text("is typing")).to_be_hidden()
    # A user who closes the page is removed after a grace period.
    bob.context.close()
    expect(people).to_have_count(1, timeout=60_000)


def dismiss_message(page: Page) -> None:
    """Dismisses what the page says about success, which is no dialog."""
    message = page.get_by_text("You are connected.")
    expect(message).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()
    button(page, "Dismiss").click()
    expect(message).to_be_hidden()


def say(page: Page, text: str) -> None:
    message = page.get_by_role("textbox", name="Message")
    message.fill(text)
    message.press("Enter")
    expect(message).to_have_value("")


def test_a_message_without_connection_stays_in_its_field_which_is_focused_once_connected(page: Page):
    session = open_live(page, "/chat.html")
    message = page.get_by_role("textbox", name="Message")
    message.fill("hello")
    message.press("Enter")
    expect(page.get_by_text("Connect first.")).to_be_visible()
    page.get_by_role("textbox", name="Name").fill("Ada")
    button(page, "Connect").click()
    expect(message).to_be_focused()
    assert session.state["messages"] == []
    expect(message).to_have_value("hello")
    expect(message).not_to_have_accessible_description(re.compile("Connect"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("log", name="Messages")).to_contain_text("hello")


@pytest.mark.core("shop.html")
def test_the_shop_finds_sells_and_takes_payment(page: Page):
    session = open_live(page, "/shop.html")
    products = page.get_by_role("list", name="Products").get_by_role("listitem")
    expect(products).to_have_count(8)
    page.get_by_role("searchbox", name="Search products").press_sequentially("ch", delay=30)
    found = session.reaches(lambda state: state["products"] and all("ch" in one["name"].lower() for one in state["products"]))["products"]
    expect(products).to_have_count(len(found))
    for row, product in zip(products.all(), found):
        expect(row).to_contain_text(product["name"])

    add(page, found[0]["name"])
    cart = page.get_by_role("list", name="Cart")
    expect(cart.get_by_role("spinbutton", name="Quantity")).to_have_value("1")
    cart.get_by_role("spinbutton", name="Quantity").fill("3")
    page.keyboard.press("Tab")
    total = session.reaches(lambda state: state["cart"][0]["quantity"] == 3)["total"]
    expect(status(page, "Total")).to_contain_text(re.compile(rf"{total // 100}\D{total % 100:02}"))

    button(page, "Check out").click()
    expect(status(page, "Order")).to_contain_text("1")
    expect(cart.get_by_role("listitem")).to_have_count(0)


def add(page: Page, name: str) -> None:
    row = page.get_by_role("list", name="Products").get_by_role("listitem").filter(has_text=name)
    row.get_by_role("button", name=re.compile("^Add")).click()


def test_a_check_out_can_be_cancelled_and_an_item_removed(page: Page):
    session = open_live(page, "/shop.html")
    add(page, "Cheese")
    session.reaches(lambda state: state["cart"])
    with clicking_once_enabled(page, "cancelCheckOut"):
        button(page, "Check out").click()
    assert session.state["checkOut"] == "idle"
    assert session.state["ordered"]["value"] is None
    page.get_by_role("list", name="Cart").get_by_role("button", name=re.compile("^Remove")).click()
    session.reaches(lambda state: not state["cart"])


def test_a_declined_payment_can_be_tried_again(page: Page):
    session = open_live(page, "/shop.html")
    for order in 1, 2:
        session.send({"add": {"productID": "cheese"}}, "checkOut")
        session.reaches(lambda state: state["ordered"]["value"] == order)
    add(page, "Cheese")
    session.reaches(lambda state: state["cart"])
    button(page, "Check out").click()
    expect(page.get_by_role("alert")).to_contain_text("Payment was declined")
    button(page, "Retry").click()
    expect(page.get_by_text("Payment was declined", exact=True)).to_be_hidden()
    expect(status(page, "Order")).to_contain_text("3")


@pytest.mark.core("reminders.html")
def test_reminders_come_and_go(page: Page):
    session = open_live(page, "/reminders.html")
    page.get_by_role("textbox", name="Remind me of").fill("Milk")
    page.keyboard.press("Enter")
    rows = page.get_by_role("list", name="Reminders").get_by_role("listitem")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Milk")
    button(page, "Tea, in ten seconds").click()
    expect(rows).to_have_count(2)
    session.reaches(lambda state: len(state["reminders"]) == 2)
    expect(rows.nth(1).get_by_role("status").get_by_text("now", exact=True)).to_be_visible(timeout=60_000)
    rows.nth(0).get_by_role("button", name="Dismiss").click()
    expect(rows).to_have_count(1)


def test_a_reminder_is_set_for_what_the_clock_of_the_browser_shows(make_context):
    page = make_context(timezone_id="Asia/Seoul").new_page()
    session = open_live(page, "/reminders.html")
    page.get_by_label("Remind me of").fill("Water the plants")
    page.get_by_label("When").fill("2090-12-24T18:30")
    button(page, "Set").click()
    session.reaches(lambda state: [reminder["due"] for reminder in state["reminders"]] == ["2090-12-24T09:30:00.000Z"])
    row = page.get_by_role("list", name="Reminders").get_by_role("listitem")
    expect(row).to_contain_text(re.compile(r"in [\d,]+ days, Dec 24, 2090, 6:30\sPM"))
    expect(page.get_by_label("When")).to_have_value("")
    page.get_by_label("Remind me of").fill("Milk")
    page.keyboard.press("Enter")
    expect(row.filter(has_text="Milk")).to_contain_text("in 23 hours")


@pytest.mark.expects_errors("415")
def test_a_plain_form_is_sent_by_a_page_of_the_service(page: Page):
    page.goto("/")
    with page.expect_response("**/sessions") as answer:
        page.evaluate("""() => {
          const form = Object.assign(document.createElement('form'), { method: 'post', action: '/sessions' });
          document.body.append(form);
          form.submit();
        }""")
    assert answer.value.status == 415, "only JSON makes a session, but the page is not a foreign one"
