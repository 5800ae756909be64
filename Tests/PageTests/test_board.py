"""The board: cards by mouse, keys and finger, one person's undo, and what everybody sees."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from http_session import HTTPSession
from live import button, open_live
from scenes import remove_cards


def cards(page: Page, column: str) -> Locator:
    return page.get_by_role("list", name=column).get_by_role("listitem")


def card(page: Page, text: str) -> Locator:
    """A card, but not its picture that leaves the place where the card was."""
    return page.get_by_role("listitem", name=text).and_(page.locator(":not([inert])"))


def texts(column: int, *texts: str) -> Callable[[dict], bool]:
    return lambda state: [card["text"] for card in state["columns"][column]["cards"]] == list(texts)


@pytest.fixture
def board(page: Page) -> HTTPSession:
    board = open_live(page, "/board.html")
    remove_cards(board)
    for column in "To do", "Doing", "Done":
        expect(page.get_by_role("region", name=column)).to_be_visible()
        expect(cards(page, column)).to_have_count(0)
    return board


@pytest.mark.core("board.html")
def test_cards_are_added_dragged_and_put_back_step_by_step(page: Page, board: HTTPSession):
    for text in "Milk", "Tea":
        page.get_by_label("New card: To do").fill(text)
        page.keyboard.press("Enter")
        expect(cards(page, "To do").filter(has_text=text)).to_be_visible()
    expect(page.get_by_label("New card: To do")).to_be_focused()
    milk, tea = [card(page, text) for text in ["Milk", "Tea"]]
    milk.drag_to(page.get_by_role("region", name="Done"))
    board.reaches(texts(2, "Milk"))
    expect(cards(page, "Done")).to_have_count(1)
    tea.drag_to(milk)
    board.reaches(texts(2, "Tea", "Milk"))
    expect(cards(page, "Done")).to_have_text([re.compile("Tea"), re.compile("Milk")])
    tea.get_by_role("button", name="Remove").click()
    board.reaches(texts(2, "Milk"))
    undo = button(page, "Undo")
    expect(undo).to_have_accessible_description("5 steps")
    for step in [texts(2, "Tea", "Milk"), texts(0, "Tea"), texts(0, "Milk", "Tea"), texts(0, "Milk"), texts(0)]:
        expect(undo).to_be_enabled()
        undo.click()
        board.reaches(step)
    expect(undo).to_be_disabled()


def test_the_first_visitor_sees_a_board_with_cards_and_one_heading_board(page: Page, make_service):
    open_live(page, "/board.html")
    expect(page.get_by_role("heading", name="Street party")).to_be_visible()
    expect(page.get_by_role("heading", name="Board")).to_have_count(1)
    expect(cards(page, "To do")).to_have_count(2)
    expect(page.get_by_text("Here now:")).to_be_visible()
    # The seat may have been created before its board.
    expect(page.get_by_text("The board is gone.")).to_be_hidden()


def test_cards_are_moved_with_keys_and_a_finger(make_context):
    page = make_context(has_touch=True).new_page()
    board = open_live(page, "/board.html")
    remove_cards(board)
    board.send({"add": {"text": "Milk", "to": "To do"}}, {"add": {"text": "Tea", "to": "Done"}})
    milk, tea = [card(page, text) for text in ["Milk", "Tea"]]
    milk.tap()
    page.get_by_role("heading", name="Doing").tap()
    board.reaches(texts(1, "Milk"))
    expect(cards(page, "Doing")).to_have_count(1)
    milk.focus()
    page.keyboard.press("Enter")
    tea.focus()
    page.keyboard.press("Enter")
    board.reaches(texts(2, "Milk", "Tea"))
    expect(cards(page, "Done")).to_have_count(2)
    # On itself, it stays where it is.
    milk.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("[data-dragging]")).to_have_count(0)
    assert texts(2, "Milk", "Tea")(board.state)


def test_a_card_that_is_dropped_on_itself_stays_in_its_place(page: Page, board: HTTPSession):
    board.send({"add": {"text": "Milk", "to": "To do"}}, {"add": {"text": "Tea", "to": "To do"}})
    milk = card(page, "Milk")
    milk.drag_to(milk, target_position={"x": 5, "y": 5})
    page.get_by_label("New card: Done").fill("Bread")
    page.keyboard.press("Enter")
    board.reaches(texts(2, "Bread"))
    assert texts(0, "Milk", "Tea")(board.state)


def test_what_is_searched_and_undone_is_one_persons_and_the_board_everybodys(page: Page, board: HTTPSession):
    with page.context.browser.new_context(base_url=page.url) as others:
        other = others.new_page()
        open_live(other, "/board.html")
        page.get_by_label("New card: To do").fill("Milk")
        page.keyboard.press("Enter")
        expect(cards(other, "To do")).to_have_text([re.compile("Milk")])
        expect(button(page, "Undo")).to_be_enabled()
        expect(button(other, "Undo")).to_be_disabled()
        page.get_by_role("searchbox").fill("tea")
        expect(cards(page, "To do")).to_have_count(0)
        expect(cards(other, "To do")).to_have_count(1)
        other.get_by_role("textbox", name="Your name").fill("Ada")
        expect(page.get_by_text("Here now:")).to_contain_text("Ada")
        page.get_by_role("textbox", name="Name of the board").fill("Ours")
        expect(other.get_by_role("heading", name="Ours")).to_be_visible()
    # After the grace period.
    expect(page.get_by_text("Here now:")).not_to_contain_text("Ada")
