"""The one place where tests wait; `test_sources.py` holds that nothing else blocks a test.

Playwright delivers events, and calls the handlers of routes, only while one of its own functions runs. A test that
answers requests of the page and blocks elsewhere would wait for itself.
"""

import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any

from playwright.sync_api import Browser, Page

_threads = ThreadPoolExecutor(thread_name_prefix="beside the browser")
# A blank page of each worker's browser: a wait on it lets Playwright work for all pages.
_blank: Page | None = None
_main = threading.get_ident()


@contextmanager
def letting_work(browser: Browser) -> Iterator[None]:
    """Lets this browser's pages and their routes work while tests wait."""
    global _blank, _main
    _blank, _main = browser.new_page(), threading.get_ident()
    yield
    _blank.context.close()
    _blank = None


def pause(seconds: float) -> None:
    if _blank and _main == threading.get_ident():
        _blank.wait_for_timeout(seconds * 1000)
    else:
        sleep(seconds)


def eventually(condition: Callable[[], Any], what: str = "", seconds: float = 30) -> Any:
    """Waits until a condition returns a true value, and returns it."""
    end = monotonic() + seconds
    while not (answer := condition()):
        assert monotonic() < end, f"not within {seconds} s: {what}"
        pause(0.02)
    return answer


def awaited(work: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Calls a function that blocks, on another thread, and waits for its result."""
    if _main != threading.get_ident():
        return work(*arguments, **options)
    future = _threads.submit(work, *arguments, **options)
    wait([future], 0.01)  # most are quicker
    while not future.done():
        pause(0.005)
    return future.result()


def run(*command: Any, **options: Any) -> subprocess.CompletedProcess:
    """Runs a command that has to succeed."""
    return awaited(subprocess.run, command, **{"check": True, "capture_output": True, "timeout": 60} | options)


def in_background(work: Callable[[], None]) -> None:
    threading.Thread(target=work, daemon=True).start()


@contextmanager
def repeatedly(work: Callable[[], None], seconds: float) -> Iterator[None]:
    """Calls a function again and again, beside the test."""
    is_over = threading.Event()

    def repeat() -> None:
        while not is_over.wait(seconds):
            work()

    repeating = _threads.submit(repeat)
    try:
        yield
    finally:
        is_over.set()
        awaited(repeating.result)
