"""The three browsers, each driven by its own implementation of W3C's protocols: WebDriver for Chromium and WebKitGTK,
WebDriver BiDi for Firefox. The two have the same actions of mouse and keyboard.

A mouse that drags is not judged by those actions: in Firefox they begin a drag, but its drop never comes, and in
WebKitGTK it does not begin. Hence both have a screen of their own (Xvfb), and drag with its mouse (xdotool), as a user's
hand does; there both work.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

from waiting import awaited, eventually, run


class Driver(Protocol):
    """One window of a browser."""

    def open(self, url: str) -> None: ...

    def evaluate(self, expression: str) -> Any:
        """Returns the value of a JavaScript expression as JSON, a promise's if it is one."""

    def perform(self, *sources: dict) -> None:
        """Performs actions of the mouse and the keyboard, as a user would."""

    def drag(self, places: list[list[int]]) -> None:
        """Presses the mouse's button at the first place in the window, moves over the others, and releases it at the last one."""

    def new_window(self) -> "Driver": ...

    def close(self) -> None: ...

    def quit(self) -> None: ...


class Program:
    """A program that prints where it listens."""

    def __init__(self, log: Path, listening: str, *command: str, **environment: str):
        self.log = log
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, start_new_session=True, env=os.environ | environment)
        self.found = eventually(lambda: self._is_running() and re.search(listening, log.read_text()), f"{command[0]} listens; see {log}")[1]

    def _is_running(self) -> bool:
        assert self.process.poll() is None, f"{self.log} ends with: {self.log.read_text()[-2000:]}"
        return True

    def end(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        awaited(self.process.wait)


class Screen:
    """A display without a window manager, and its mouse."""

    def __init__(self, folder: Path):
        self.server = Program(
            folder / "xvfb.log", r"(?m)^(\d+)$", program("Xvfb", package="xvfb"), "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
        self.xdotool = program("xdotool", package="xdotool")
        self.environment = {"DISPLAY": f":{self.server.found}", "GDK_BACKEND": "x11"}

    def mouse(self, *actions: Any) -> None:
        run(self.xdotool, *map(str, actions), env=os.environ | self.environment)

    def drag(self, driver: Driver, places: list[list[int]]) -> None:
        driver.evaluate(f"void ({NOTE_MOUSE})()")
        self.mouse("mousemove", 500, 400)
        x, y, left, top = eventually(lambda: self.seen(driver), "the page sees the mouse")
        for number, (x, y) in enumerate(places):
            self.mouse("mousemove", left + x, top + y)
            eventually(lambda: self.is_near(driver, x, y), "the page sees the mouse move")
            if number == 0:
                self.mouse("mousedown", 1)
        self.mouse("mouseup", 1)

    def is_near(self, driver: Driver, x: int, y: int) -> bool:
        seen = self.seen(driver)
        return seen is not None and abs(seen[0] - x) + abs(seen[1] - y) < 5

    def seen(self, driver: Driver) -> list[int] | None:
        """Returns where the page has seen the mouse, after a tremble, and where the page is on the screen."""
        self.mouse("mousemove_relative", 1, 1, "mousemove_relative", "--", -1, -1)
        return driver.evaluate("window.mouseSeen")


NOTE_MOUSE = """() => {
  const note = ({ clientX, clientY, screenX, screenY }) => { window.mouseSeen = [clientX, clientY, screenX - clientX, screenY - clientY]; };
  for (const kind of ['pointermove', 'dragover']) addEventListener(kind, note, true);
}"""


def program(*names: str, package: str) -> str:
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, f"no {names[0]}: make browsers installs it (apt-get install {package})"
    return found


class Classic:
    """WebDriver (https://www.w3.org/TR/webdriver2): a request for each command."""

    def __init__(self, program: Program, address: str, session: str, window: str, screen: Screen | None):
        self.program, self.address, self.session, self.window, self.screen = program, address, session, window, screen

    @classmethod
    def start(cls, program: Program, port: str, capabilities: dict, screen: Screen | None = None) -> "Classic":
        address = f"http://127.0.0.1:{port}"
        session = ask(f"{address}/session", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]
        return cls(program, address, session, ask(f"{address}/session/{session}/window"), screen)

    def do(self, command: str, body: dict | None = None, method: str = "") -> Any:
        ask(f"{self.address}/session/{self.session}/window", {"handle": self.window})
        return ask(f"{self.address}/session/{self.session}/{command}", body, method)

    def open(self, url: str) -> None:
        self.do("url", {"url": url})

    def evaluate(self, expression: str) -> Any:
        script = f"""const [done] = arguments;
          (async () => JSON.stringify(await ({expression})) ?? 'null')().then(done, (error) => done(`"failed: ${{error}}"`));"""
        return json.loads(self.do("execute/async", {"script": script, "args": []}))

    def perform(self, *sources: dict) -> None:
        self.do("actions", {"actions": list(sources)})

    def drag(self, places: list[list[int]]) -> None:
        if self.screen:
            return self.screen.drag(self, places)
        start, *others = [{"type": "pointerMove", "x": x, "y": y, "duration": 50} for x, y in places]
        self.perform({"type": "pointer", "id": "mouse", "actions": [
            start, {"type": "pointerDown", "button": 0}, *others, {"type": "pointerUp", "button": 0}]})

    def new_window(self) -> Driver:
        return Classic(self.program, self.address, self.session, self.do("window/new", {"type": "window"})["handle"], self.screen)

    def close(self) -> None:
        self.do("window", method="DELETE")

    def quit(self) -> None:
        self.program.end()
        if self.screen:
            self.screen.server.end()


def ask(url: str, body: dict | None = None, method: str = "") -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json"}, method=method or None)
    return json.loads(awaited(content, request))["value"]


def content(request: Request) -> bytes:
    opened = urlopen(request, timeout=180)
    with opened:
        return opened.read()


class BiDi:
    """WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi): messages on a socket that the browser itself opens."""

    def __init__(self, program: Program, screen: Screen, connection: ClientConnection, window: str = ""):
        self.program, self.screen, self.connection, self.window = program, screen, connection, window

    @classmethod
    def start(cls, program: Program, screen: Screen) -> "BiDi":
        driver = cls(program, screen, ExitStack().enter_context(connect(f"{program.found}/session", max_size=None, proxy=None)))
        driver.do("session.new", capabilities={})
        driver.window = driver.do("browsingContext.getTree")["contexts"][0]["context"]
        return driver

    def do(self, method: str, **parameters: Any) -> Any:
        self.connection.send(json.dumps({"id": 1, "method": method, "params": parameters}))
        answer = json.loads(awaited(self.connection.recv, 180))
        assert answer["type"] == "success", f"{method}: {answer}"
        return answer["result"]

    def open(self, url: str) -> None:
        self.do("browsingContext.navigate", context=self.window, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        result = self.do(
            "script.evaluate", expression=f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
            target={"context": self.window}, awaitPromise=True)
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def perform(self, *sources: dict) -> None:
        self.do("input.performActions", context=self.window, actions=list(sources))

    def drag(self, places: list[list[int]]) -> None:
        self.screen.drag(self, places)

    def new_window(self) -> Driver:
        return BiDi(self.program, self.screen, self.connection, self.do("browsingContext.create", type="window")["context"])

    def close(self) -> None:
        self.do("browsingContext.close", context=self.window)

    def quit(self) -> None:
        self.connection.close()
        self.program.end()
        self.screen.server.end()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def chromium(folder: Path) -> Driver:
    driver = Program(folder / "chromedriver.log", r"successfully on port (\d+)", program("chromedriver", package="chromium-driver"), "--port=0")
    arguments = ["--headless=new", f"--user-data-dir={folder}/profile", "--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    return Classic.start(driver, driver.found, {"goog:chromeOptions": {"binary": os.environ["CHROMIUM"], "args": arguments}})


def firefox(folder: Path) -> Driver:
    profile, screen = folder / "profile", Screen(folder)
    profile.mkdir()
    return BiDi.start(Program(
        folder / "firefox.log", r"WebDriver BiDi listening on (ws://\S+)", program("firefox-esr", "firefox", package="firefox-esr"),
        "--no-remote", "--profile", str(profile), "--remote-debugging-port=0", HOME=str(folder), **screen.environment), screen)


def webkit(folder: Path) -> Driver:
    port, screen = free_port(), Screen(folder)
    driver = Program(
        folder / "webkit.log", "()", program("WebKitWebDriver", package="webkit2gtk-driver"), f"--port={port}",
        HOME=str(folder), **screen.environment)
    eventually(lambda: is_open(port), "WebKitWebDriver listens")
    [*_, browser] = sorted(Path("/usr/lib").glob("*/webkit2gtk-*/MiniBrowser"))
    return Classic.start(driver, str(port), {"webkitgtk:browserOptions": {"binary": str(browser), "args": ["--automation"]}}, screen)


BROWSERS = {"chromium": chromium, "firefox": firefox, "webkit": webkit}
