"""What tests do with a page, in the words of users: find an element by what it says, click, type, drag."""

import json
from contextlib import suppress
from typing import Any
from urllib.error import HTTPError

from drivers import Driver
from http_session import HTTPSession
from waiting import eventually

# The visible element of a selector with a name: its label, its description, or else its text.
FIND = """(selector, name) => [...document.querySelectorAll(selector)].find((element) => element.checkVisibility()
  && (!name || [element.ariaLabel, element.labels?.[0]?.innerText, element.getAttribute('aria-description'), element.innerText]
    .some((text) => text?.trim() === name)))"""
# The middle of an element, if it is in sight and nothing covers it; else it will be.
MIDDLE = """(element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  const hit = document.elementFromPoint(x, y);
  if ([element, ...element.labels ?? []].some((part) => hit && part.contains(hit))) return [x, y];
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  return null;
}"""
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Space": " ", "Control": "\ue009", "Shift": "\ue008", "Backspace": "\ue003",
        "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Delete": "\ue017"}


class Page:
    def __init__(self, driver: Driver, url: str):
        self.driver, self.url = driver, url
        self.opened: list[Page] = []

    def open(self, path: str) -> HTTPSession:
        """Opens a page, waits until it is live, and returns its session."""
        self.driver.open(self.url + path)
        return self.session()

    def session(self) -> HTTPSession:
        self.expect_connection("live")
        return HTTPSession(self.url, self.at("[data-session]").evaluate("(element) => element.dataset.session"))

    def expect_connection(self, *connections: str) -> None:
        self.expect("document.querySelector('[data-view-model]')?.dataset.connection", *connections)

    def expect(self, expression: str, *values: Any) -> None:
        """Waits until an expression has one of some values."""
        seen: list[Any] = [None]

        def holds() -> bool:
            seen[0] = self.driver.evaluate(expression)
            return seen[0] in values

        try:
            eventually(holds)
        except AssertionError:
            raise AssertionError(f"{expression} is {seen[0]!r}, not {' or '.join(map(repr, values))}") from None

    def at(self, selector: str, name: str = "") -> "Element":
        return Element(self, f"({FIND})({json.dumps(selector)}, {json.dumps(name)})")

    def reload(self) -> None:
        self.driver.evaluate("void setTimeout(() => location.reload())")

        def is_reloaded() -> bool:
            with suppress(HTTPError, AssertionError):  # a script that runs while the document goes fails
                return self.driver.evaluate("performance.getEntriesByType('navigation')[0]?.type") == "reload"
            return False

        eventually(is_reloaded, "the page is loaded again")

    def new_window(self) -> "Page":
        self.opened.append(Page(self.driver.new_window(), self.url))
        return self.opened[-1]

    def close(self) -> None:
        """Closes the windows that the test has opened, and leaves the page."""
        for page in self.opened:
            page.driver.close()
        self.driver.open("about:blank")

    def type(self, text: str) -> None:
        self.driver.perform(keys([part for letter in text for part in (("keyDown", letter), ("keyUp", letter))]))

    def press(self, *names: str) -> None:
        """Presses keys one after the other; "Control+a" holds the first while it presses the second."""
        for name in names:
            held = [KEYS.get(key, key) for key in (name.split("+") if len(name) > 1 else [name])]
            self.driver.perform(keys([*(("keyDown", key) for key in held), *(("keyUp", key) for key in reversed(held))]))


class Element:
    def __init__(self, page: Page, expression: str):
        self.page, self.expression = page, expression

    def evaluate(self, function: str) -> Any:
        """Waits until the element is there, and returns what a function returns for it."""
        eventually(lambda: self.page.driver.evaluate(f"!!{self.expression}"), f"{self.expression} is there")
        return self.page.driver.evaluate(f"({function})({self.expression})")

    def expect(self, property: str, *values: Any) -> None:
        self.page.expect(f"{self.expression}?.{property}", *values)

    def expect_text(self, *texts: str) -> None:
        self.expect("innerText.trim()", *texts)

    def middle(self) -> list[int]:
        return eventually(lambda: self.evaluate(MIDDLE), f"{self.expression} is in sight")

    def click(self) -> None:
        self.page.driver.perform(mouse(move(self.middle()), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}))

    def focus(self) -> None:
        self.evaluate("(element) => element.focus()")

    def fill(self, text: str) -> None:
        """Replaces a field's text, as a user does."""
        self.click()
        self.page.press("Control+a")
        self.page.type(text)

    def drag_to(self, other: "Element") -> None:
        """Drags the element with the mouse, in steps, as browsers take the first ones for a shaky click. Both have to fit in the window."""
        other.middle()
        start, end = self.middle(), other.middle()
        self.page.driver.drag([*([round(a + (b - a) * step / 5) for a, b in zip(start, end)] for step in range(6)), end])


def mouse(*actions: dict) -> dict:
    return {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(actions)}


def move(place: list[int]) -> dict:
    return {"type": "pointerMove", "x": place[0], "y": place[1]}


def keys(actions: list[tuple[str, str]]) -> dict:
    return {"type": "key", "id": "keyboard", "actions": [{"type": kind, "value": key} for kind, key in actions]}
