"""The states of every page, and how a page gets into each."""

from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Page, expect

from http_session import HTTPSession
from live import expect_connection, shown_session
from service import PAGES


@dataclass
class Scene:
    """Inputs to send, and what the user does then; `is_brief` if the page leaves the state by itself."""

    inputs: list = field(default_factory=list)
    acts: Callable[[Page], None] = lambda page: None
    is_brief: bool = False

    def play(self, page: Page, session: HTTPSession) -> None:
        for input in self.inputs:
            session.send(input)
            if not self.is_brief:
                session.reaches(lambda state: session.snapshot["settled"] or state.get("isRunning") or state.get("isConnected"))
        self.acts(page)


def sent(*inputs) -> Scene:
    return Scene(list(inputs))


def brief(*inputs) -> Scene:
    return Scene(list(inputs), is_brief=True)


def press(name: str, role: str = "button") -> Callable[[Page], None]:
    return lambda page: page.get_by_role(role, name=name).first.click()


def edit(page: Page) -> None:
    page.get_by_text("Milk", exact=True).dblclick()
    expect(page.get_by_role("textbox", name="Title").locator("visible=true")).to_be_focused()


def tick(page: Page) -> None:
    press("Milk", "checkbox")(page)
    # A completed todo sinks to the end a second later.
    expect(page.get_by_role("list", name="Todos").get_by_role("listitem").last).to_contain_text("Milk")


def write(page: Page) -> None:
    page.locator("tbody td").first.dblclick()
    page.get_by_role("textbox", name="Formula of A0").fill("=6*7")


ADD = [{"add": {"title": title}} for title in ["Milk", "Read the whole contract, from its first line to its last", "Bread", "우유와 빵을 사고, 약국에 들르기"]]
CART = [{"add": {"productID": id}} for id in ["cheese", "cheese", "tea"]]
LOGIN = [{"emailChanged": "2fa@example.com"}, {"passwordChanged": "password"}]
BIDS = [{"bid": {"amount": amount, "name": name}} for amount, name in [(5, "Ada"), (12, "다혜"), (13, ""), (40, "Ada")]]
JOINED = [{"connect": {"name": "Ada"}}, "dismissAlert"]
TALK = [{"send": text} for text in ["hi", "Is anybody there?", "It is quiet here. " * 6, "안녕하세요, 오늘 회의는 세 시에 시작합니다."]]
DRAWN = [{"press": {"x": x, "y": y}} for x, y in [(60, 60), (200, 90), (150, 220)]]
SHEET = [{"write": {"column": column, "row": row, "entry": entry}} for column, row, entry in
         [("A", 0, "2"), ("A", 1, "=A0*21"), ("B", 0, "=1/0"), ("B", 1, "=1+"), ("C", 0, "a text that is longer than its cell is wide")]]

CARDS = [{"add": {"text": text, "to": column}} for text, column in
         [("Milk", "Done"), ("Read the whole contract, from its first line to its last", "To do"), ("우유와 빵을 사기", "Doing")]]


def sit_down(page: Page) -> None:
    """Leaves only the newest cards on the board, which all pages share."""
    remove_cards(shown_session(page), but=len(CARDS))
    expect(page.locator(".board li")).to_have_count(len(CARDS))


def remove_cards(board: HTTPSession, but: int = 0) -> None:
    """Removes the cards of a board, but for the newest."""
    cards = sorted(card["id"] for column in board.state["columns"] for card in column["cards"])
    if old := cards[:len(cards) - but]:
        board.send(*[{"remove": {"card": card}} for card in old])


# The states by page, without COMMON; every page also has the state "empty".
SCENES: dict[str, dict[str, Scene]] = {
    "index": {"filled": sent("increase", "increase")},
    "counter": {"filled": sent("decrease", "decrease"), "busy": brief("increase"), "alert": brief("show"),
                "error": sent(*["increase"] * 11)},
    "counter-two-ways": {"filled": sent("decrease"), "busy": brief("increase")},
    "counter-sync": {"filled": sent("increase", "reset"), "alert": brief("show")},
    "counter-reducer": {"filled": sent("increment", "increment"), "busy": brief("fetch")},
    "counter-reactor": {"filled": brief("increment"), "busy": brief("incrementSlowly")},
    "fan-out": {"filled": sent("buttonTap")},
    "calculator": {"filled": sent({"digit": 8}, {"operation": "divide"}, {"digit": 3}, "equals"),
                   "error": sent({"digit": 8}, {"operation": "divide"}, {"digit": 0}, "equals")},
    "search": {"filled": sent({"queryChanged": "swift"}), "korean": sent({"queryChanged": "한글 검색"}), "busy": brief({"queryChanged": "swift on"})},
    "countdown": {"running": sent({"setDuration": 90}, "start"), "over": sent({"setDuration": 0})},
    "auto-refresh": {"filled": sent("refresh"), "busy": brief("refresh"), "running": sent("start")},
    "multi-timer": {"running": brief("startAll", {"stop": "A"})},
    "gallery": {"filled": sent({"setEmail": "ada@example.com"}, {"setSize": "large"}, {"setLevel": 90}, "press", {"put": {"in": "right"}}),
                "busy": brief("download"), "error": sent({"setEmail": "ada"}, {"remove": {"id": 1}}, {"remove": {"id": 2}}, {"remove": {"id": 3}}),
                "alert": brief("ask"), "sheet": Scene(acts=press("Sheet"))},
    "todos": {"filled": Scene(ADD, tick), "renaming": Scene(ADD, press("Rename")), "editing": Scene(ADD, edit),
              "completed": sent(*ADD, {"setFilter": "completed"})},
    "login": {"filled": sent(*LOGIN), "busy": brief(*LOGIN, "submit"), "second": sent(*LOGIN, "submit"),
              "error": sent(*LOGIN[:1], {"passwordChanged": "wrong"}, "submit"),
              "done": sent({"emailChanged": "ada@example.com"}, {"passwordChanged": "password"}, "submit")},
    "chat": {"connected": brief({"connect": {"name": "Ada"}}), "filled": sent(*JOINED, *TALK), "error": brief({"send": "hi"})},
    "shop": {"filled": sent(*CART), "busy": brief(*CART, "checkOut"), "error": sent(*[*CART, "checkOut"] * 3),
             "ordered": sent(*CART, "checkOut"), "nothing": sent({"search": "xyz"})},
    "reminders": {"filled": sent({"tomorrow": {"text": "Water the plants that stand on the balcony"}}, {"tomorrow": {"text": "어머니께 전화 드리기"}}, {"soon": {"text": "Tea"}})},
    "board": {"filled": Scene(CARDS, sit_down)},
    "auction": {"filled": sent({"offer": {"lot": "A lamp that once stood in a lighthouse", "seconds": 3600}}, *BIDS)},
    "7guis/counter": {"filled": sent("click")},
    "7guis/temperature": {"filled": sent({"celsius": "100"}), "error": sent({"celsius": "warm"})},
    "7guis/flight": {"return": sent({"setKind": "roundTrip"}), "error": sent({"setKind": "roundTrip"}, {"setDeparture": "soon"}, {"setReturning": "later"}),
                     "booked": sent("book")},
    "7guis/timer": {"longer": sent({"setDuration": 300})},
    "7guis/crud": {"selected": sent({"select": {"id": "2"}}), "nothing": sent({"setPrefix": "xyz"})},
    "7guis/circles": {"filled": sent(*DRAWN), "menu": sent(*DRAWN, {"openMenu": {"id": 2}}), "adjusting": sent(*DRAWN, {"openMenu": {"id": 2}}, "adjust")},
    "7guis/cells": {"filled": sent(*SHEET), "error": sent(*SHEET, {"select": {"column": "B", "row": 1}}), "editing": Scene(SHEET, write)},
}
assert {f"{name}.html" for name in SCENES} == set(PAGES)

def use(page: Page) -> None:
    """Presses the first button, or else writes into the first field."""
    button = page.locator("main button[data-input]:visible:not([aria-disabled=true])")
    if button.count():
        return button.first.press("Space")
    field = page.locator("main input:visible").first
    field.fill("12")
    field.press("Enter")


def offline(page: Page) -> None:
    expect(page.locator("[data-notices]")).to_be_attached()  # the second module has loaded
    page.context.set_offline(True)
    expect_connection(page, "offline")
    for _ in range(2):
        use(page)
    page.get_by_text("What waits").click()


def pending(page: Page) -> None:
    page.route("**/inputs*", lambda route: None)
    use(page)
    page.wait_for_timeout(500)


def ended(page: Page) -> None:
    shown_session(page).delete()
    expect_connection(page, "ended")


def tab(place: int) -> Callable[[Page], None]:
    return lambda page: page.locator(".tabs summary").nth(place).click() if page.locator(".tabs summary").count() > place else None


# States that every page with a session can reach.
COMMON = {
    "html": Scene(acts=tab(1)), "terminal": Scene(acts=tab(2)), "pending": Scene(acts=pending), "offline": Scene(acts=offline),
    "ended": Scene(acts=ended),
}

# Pages without a session of their own.
OTHERS = ["7guis/", "view-models/todos", "view-models/counter", "view-models/shop", "problems", "problems/not-found", "nowhere", "sessions"]
