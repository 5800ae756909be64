"""Takes a picture of every page, in each of its states and in each way that people look at it, to be looked at.

    python screenshots.py http://127.0.0.1:8080 /tmp/screenshots [page …]

The pictures are named page-state-way.png. Whatever a page says on its console is printed.
"""

import os
import sys
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page, sync_playwright

PHONE = {"viewport": {"width": 390, "height": 844}}
WAYS: dict[str, dict] = {
    "wide": {"viewport": {"width": 1440, "height": 900}},
    "wide-dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "phone": PHONE,
    "phone-dark": PHONE | {"color_scheme": "dark"},
    "phone-large": PHONE,
    "phone-forced": PHONE | {"forced_colors": "active"},
    "phone-rtl": PHONE,
}
# What a way sets on the page.
CHANGES = {"phone-large": "style.fontSize = '200%'", "phone-rtl": "dir = 'rtl'"}


@dataclass
class Scene:
    """A state of a page: Inputs that are sent first, and then, while it is looked at, one more."""

    inputs: list = field(default_factory=list)
    at_last: list = field(default_factory=list)
    keys: list = field(default_factory=list)
    opens: str = ""


def filled(*inputs) -> Scene:
    return Scene(list(inputs))


def busy(*inputs, first=()) -> Scene:
    return Scene(list(first), list(inputs))


ADD = [{"add": {"title": title}} for title in ["Milk", "Read the whole contract, from its first line to its last", "Bread"]]
CART = [{"add": {"productID": id}} for id in ["cheese", "cheese", "tea"]]
LOGIN = [{"emailChanged": "2fa@example.com"}, {"passwordChanged": "password"}]
ALERT = busy("show")

PAGES: dict[str, dict[str, Scene]] = {
    "": {"filled": filled("increase", "increase")},
    "counter": {"filled": filled("decrease", "decrease"), "busy": busy("increase"), "error": ALERT},
    "counter-two-ways": {"filled": filled("decrease"), "busy": busy("increase")},
    "counter-sync": {"filled": filled("increase", "reset"), "error": ALERT},
    "counter-reducer": {"filled": filled("increment", "increment"), "busy": busy("fetch")},
    "counter-reactor": {"filled": busy("increment"), "busy": busy("incrementSlowly")},
    "fan-out": {"filled": filled("buttonTap")},
    "calculator": {
        "filled": filled({"digit": 8}, {"operation": "divide"}, {"digit": 3}, "equals"),
        "error": busy({"digit": 8}, {"operation": "divide"}, {"digit": 0}, "equals"),
    },
    "search": {"filled": filled({"queryChanged": "swift"}), "busy": busy({"queryChanged": "swift on"}, first=[{"queryChanged": "swift"}])},
    "countdown": {"filled": filled({"setDuration": 90}, "start"), "over": filled({"setDuration": 0})},
    "auto-refresh": {"filled": filled("refresh"), "busy": busy("refresh"), "busy-again": busy("start", first=["refresh"])},
    "multi-timer": {"filled": filled("startAll", {"stop": "A"})},
    "todos": {
        "filled": filled(*ADD),
        "renaming": Scene(ADD, opens="Rename"),
        "completed": filled(*ADD, {"setFilter": "completed"}),
    },
    "login": {
        "filled": filled(*LOGIN),
        "busy": busy("submit", first=LOGIN),
        "second": filled(*LOGIN, "submit"),
        "error": filled(*LOGIN[:1], {"passwordChanged": "wrong"}, "submit"),
        "done": filled({"emailChanged": "ada@example.com"}, {"passwordChanged": "password"}, "submit"),
    },
    "chat": {
        "connected": busy({"connect": {"name": "Ada"}}),
        "filled": busy(*[{"send": text} for text in ["hi", "Is anybody there?", "It is quiet here. " * 6]],
                       first=[{"connect": {"name": "Ada"}}, "dismissAlert"]),
        "error": busy({"send": "hi"}),
    },
    "shop": {
        "filled": filled(*CART),
        "busy": busy("checkOut", first=CART),
        "error": filled(*[*CART, "checkOut"] * 3),
        "ordered": filled(*CART, "checkOut"),
        "nothing": filled({"search": "xyz"}),
    },
}


class Stage:
    """One page in a browser of its own."""

    def __init__(self, browser: Browser, base: str, name: str, way: str):
        self.base, self.name, self.way = base, name, way
        self.context = browser.new_context(**WAYS[way], locale="en-GB")
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda message: "ERR_INTERNET_DISCONNECTED" in message.text or self.say(message.text))
        self.page.on("pageerror", lambda error: self.say(str(error)))
        self.page.goto(f"{base}/{name}.html" if name else f"{base}/")
        self.root = self.page.locator("[data-view-model]").first
        self.becomes("live")
        if way in CHANGES:
            self.page.evaluate(f"document.documentElement.{CHANGES[way]}")

    def say(self, text: str) -> None:
        print(f"{self.name or 'index'}: {text}")

    def becomes(self, connection: str) -> None:
        self.page.locator(f"[data-view-model][data-connection={connection}]").first.wait_for(timeout=20_000)

    @property
    def session(self) -> str:
        return f"{self.base}/sessions/{self.root.get_attribute('data-session')}"

    def send(self, input, wait: int) -> None:
        import json

        self.context.request.post(f"{self.session}/inputs", data=json.dumps(input),
                                  headers={"Content-Type": "application/json", "Prefer": f"wait={wait}"})

    def play(self, scene: Scene) -> None:
        for input in scene.inputs:
            self.send(input, 3)
        for input in scene.at_last:
            self.send(input, 0)
        if scene.opens:
            self.page.get_by_role("button", name=scene.opens).first.click()

    def shoot(self, state: str, folder: str) -> None:
        self.page.wait_for_timeout(350)
        self.page.screenshot(path=f"{folder}/{self.name or 'index'}-{state}-{self.way}.png", full_page=True)
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        if wide > self.page.viewport_size["width"]:
            self.say(f"{state} is {wide} wide, {self.way}")

    def close(self) -> None:
        self.context.close()


def take(browser: Browser, base: str, folder: str, name: str, way: str) -> None:
    for state, scene in {"empty": Scene(), **PAGES[name]}.items():
        stage = Stage(browser, base, name, way)
        stage.play(scene)
        stage.shoot(state, folder)
        if state == "filled":
            take_without_service(stage, folder)
        stage.close()


def take_without_service(stage: Stage, folder: str) -> None:
    """Offline with an Input that waits, the curl lines, and at last the end of the session."""
    stage.page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    stage.shoot("terminal", folder)
    stage.page.evaluate("for (const details of document.querySelectorAll('details')) details.open = false")
    stage.context.set_offline(True)
    stage.becomes("offline")
    stage.page.locator("main [data-input]:is(button, input):visible:not([aria-disabled=true])").first.press("Space")
    stage.shoot("offline", folder)
    stage.context.set_offline(False)
    stage.becomes("live")
    stage.context.request.delete(stage.session)
    stage.becomes("ended")
    stage.shoot("ended", folder)


def main(base: str, folder: str, names: list[str]) -> None:
    os.makedirs(folder, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox", "--disable-dev-shm-usage"])
        for name in names:
            for way in WAYS:
                try:
                    take(browser, base, folder, name, way)
                except Exception as problem:
                    print(f"{name or 'index'} {way}: {problem}")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3:] or list(PAGES))
