"""Takes screenshots of every page, in each of its states and with the settings that users may have.

    python screenshots.py http://127.0.0.1:8080 /tmp/screenshots [page …]

The screenshots are named page-state-way.png; sheet-page-N.png has those of a page side by side. Messages in the page's
console are printed, and so are elements that overflow the window.
"""

import base64
import os
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from live import shown_session
from scenes import COMMON, OTHERS, SCENES, Scene

PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 900}
PLAIN = {"color_scheme": "light", "forced_colors": "none"}
# The size of the window, the user's media settings, and a change of the root element.
WAYS: dict[str, tuple[dict, dict, str]] = {
    "phone": (PHONE, PLAIN, ""),
    "phone-dark": (PHONE, PLAIN | {"color_scheme": "dark"}, ""),
    "phone-large": (PHONE, PLAIN, "style.fontSize = '200%'"),
    "phone-forced": (PHONE, PLAIN | {"forced_colors": "active"}, ""),
    "phone-rtl": (PHONE, PLAIN, "dir = 'rtl'"),
    "phone-korean": (PHONE, PLAIN, "lang = 'ko'"),
    "wide": (WIDE, PLAIN, ""),
    "wide-dark": (WIDE, PLAIN | {"color_scheme": "dark"}, ""),
}
BEYOND = """() => [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (right > innerWidth + 1 || left < -1) && !element.closest('svg, .scrolls *, .scroll *');
  }).map((element) => element.outerHTML.slice(0, 80))"""


class Stage:
    """One page in its own browser context."""

    def __init__(self, browser: Browser, base: str, name: str, script: bool = True):
        self.name = name
        context = browser.new_context(base_url=base, locale="en-GB", java_script_enabled=script, service_workers="block")
        context.set_default_timeout(10_000)
        self.page = context.new_page()
        self.page.on("console", lambda message: "ERR_" in message.text or "Service Worker" in message.text or self.say(message.text))
        self.page.on("pageerror", lambda error: self.say(str(error)))
        suffix = ".html" if name in SCENES else ""
        self.page.goto(f"/{'' if name == 'index' else name + suffix}")

    def say(self, text: str) -> None:
        print(f"{self.name}: {text}", flush=True)

    def look(self, way: str) -> None:
        size, media, change = WAYS[way]
        self.page.set_viewport_size(size)
        self.page.emulate_media(**media)
        reset = "Object.assign(document.documentElement, { dir: '', lang: 'en' }); document.documentElement.style.fontSize = ''"
        self.page.evaluate(f"{reset}; {f'document.documentElement.{change}' if change else ''}")

    def shoot(self, state: str, way: str, folder: Path) -> Path:
        self.page.wait_for_timeout(150)
        path = folder / f"{self.name.replace('/', '_')}-{state}-{way}.png"
        self.page.screenshot(path=path, full_page=True, timeout=30_000)
        if beyond := self.page.evaluate(BEYOND):
            self.say(f"{state}, {way}: beyond the edge: {beyond[:3]}")
        return path


def take(browser: Browser, base: str, folder: Path, name: str) -> list[Path]:
    scenes = {"empty": Scene(), **SCENES[name], **COMMON} if name in SCENES else {"as it is": Scene()}
    paths: list[Path] = []

    def staged(state: str, scene: Scene, ways: list[str]) -> None:
        stage = Stage(browser, base, name)
        try:
            if name in SCENES:
                stage.look(ways[0])
                scene.play(stage.page, shown_session(stage.page))
            paths.extend(stage.shoot(state, way, folder) for way in ways if stage.look(way) is None)
        except Exception as problem:
            stage.say(f"{state}: {problem}")
        finally:
            stage.page.context.close()

    for state, scene in scenes.items():
        for ways in [[way] for way in WAYS] if scene.is_brief else [list(WAYS)]:
            staged(state, scene, ways)
    stage = Stage(browser, base, name, script=False)
    stage.page.set_viewport_size(PHONE)
    stage.page.wait_for_timeout(1000)
    path = folder / f"{name.replace('/', '_')}-no script-phone.png"
    stage.page.screenshot(path=path, full_page=True)
    stage.page.context.close()
    return [*paths, path]


def show_sheets(browser: Browser, folder: Path, name: str, paths: list[Path]) -> None:
    """Puts screenshots side by side: twelve of phones on a sheet, four of wide windows."""
    page = browser.new_page(viewport={"width": 1560, "height": 1400})
    for kind, count, width in ("phone", 12, 254), ("wide", 4, 770):
        of_kind = [path for path in paths if f"-{kind}" in path.name]
        for place in range(0, len(of_kind), count):
            shown = "".join(
                f"""<figure><figcaption>{path.stem}</figcaption>
                <div><img width={width} src="data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"></div></figure>"""
                for path in of_kind[place:place + count])
            page.set_content(f"""<style>body {{ display: flex; flex-wrap: wrap; gap: 4px; margin: 0; font: 11px sans-serif; background: #8af }}
              figure {{ margin: 0 }} div {{ height: 670px; overflow: hidden }}</style>{shown}""")
            page.screenshot(path=folder / f"sheet-{name.replace('/', '_')}-{kind}-{place // count}.png", full_page=True)
    page.close()


def main(base: str, folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM_SHELL", "/usr/bin/chromium"), args=["--no-sandbox", "--disable-dev-shm-usage"])
        for name in names:
            show_sheets(browser, folder, name, take(browser, base, folder, name))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), Path(sys.argv[2]), sys.argv[3:] or [*SCENES, *OTHERS])
