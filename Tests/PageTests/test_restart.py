"""The service is killed while Inputs are on their way, and restarts: every Input is applied once."""

import shutil

import pytest
from playwright.sync_api import Page, expect

from conftest import OUTAGE
from live import button, expect_connection, expect_nothing_waits, notices, open_live, root, status
from service import Service

pytestmark = pytest.mark.expects_errors(*OUTAGE)


def test_clicks_during_two_kills_are_all_counted_once(make_service, service: Service, page: Page):
    session = open_live(page, "/counter-sync.html")
    for click in range(60):
        button(page, "Increase").click()
        if click in (19, 39):
            service.restart()
    expect(status(page, "Value")).to_have_text("60")
    expect_nothing_waits(page)
    assert session.state["value"] == 60


def test_todos_keep_their_order_when_the_service_is_killed(make_service, service: Service, page: Page):
    session = open_live(page, "/todos.html")
    new = page.get_by_role("textbox", name="New todo")
    titles = [f"todo {number}" for number in range(12)]
    for number, title in enumerate(titles):
        new.fill(title)
        new.press("Enter")
        if number == 3:
            service.kill()
        if number == 7:
            service.start()
    session.reaches(lambda state: [todo["title"] for todo in state["todos"]] == titles)
    boxes = page.get_by_role("list", name="Todos").get_by_role("listitem")
    expect(boxes).to_contain_text(titles)
    expect_connection(page, "live")


def test_a_page_shows_an_older_state_after_the_service_has_lost_a_newer_one(make_service, service: Service, page: Page):
    session = open_live(page, "/counter-sync.html")
    increase, value = button(page, "Increase"), status(page, "Value")
    for count in range(1, 3):
        increase.click()
        expect(value).to_have_text(str(count))
    service.kill()
    shutil.copytree(service.data, service.folder / "older")
    service.start()
    for count in range(3, 9):
        increase.click()
        expect(value).to_have_text(str(count))
    # As if the machine had lost its last writes, or after restoring a backup.
    service.kill()
    shutil.rmtree(service.data)
    (service.folder / "older").rename(service.data)
    service.start()
    expect(value).to_have_text("2")
    for count in range(3, 11):
        increase.click()
        expect(value).to_have_text(str(count))
    assert session.state["value"] == 10


def test_an_input_on_its_way_gets_its_response_after_a_graceful_restart(make_service, service: Service, page: Page):
    session = open_live(page, "/shop.html")
    session.send({"add": {"productID": "tea"}})
    button(page, "Check out").click()
    session.reaches(lambda state: state["checkOut"] == "running")
    service.stop()
    service.start()
    expect(page.get_by_text("Payment was interrupted", exact=True)).to_be_visible()
    button(page, "Retry").click()
    session.reaches(lambda state: state["ordered"]["value"] == 1)
    expect(status(page, "Order")).to_contain_text("1")


@pytest.mark.parametrize("query", ["", "?session=wrong-deploy-01234567A"])
def test_a_session_that_a_faulty_deploy_cannot_read_comes_back_by_itself(make_service, service: Service, page: Page, query: str):
    def deploy(state: dict) -> None:
        service.kill()
        shutil.rmtree(service.data)
        service.take_in("wrong-deploy-01234567A", "counter-sync", state)

    deploy({"value": 5})
    if not query:
        page.goto("/counter-sync.html?session=wrong-deploy-01234567A")
        page.evaluate("localStorage.setItem('uifusion.session.counter-sync.', 'wrong-deploy-01234567A')")
    page.goto("about:blank")
    deploy({"renamed": 5})
    page.goto(f"/counter-sync.html{query}")
    expect(notices(page)).to_contain_text("Your work is still there")
    expect(notices(page)).not_to_contain_text("POST")
    deploy({"value": 5})
    expect(status(page, "Value")).to_have_text("5")
    expect_connection(page, "live")
    expect(notices(page)).to_have_text("")
    assert root(page).get_attribute("data-session") == "wrong-deploy-01234567A"
