"""Tests of the pages in a real browser.

All tests:                    Tests/PageTests/run
The tests of one topic:       Tests/PageTests/run Tests/PageTests/test_queue.py
All tests, on a slow network: LATENCY=0.25 Tests/PageTests/run
One test, in a window:        HEADFUL=1 WORKERS=0 Tests/PageTests/run Tests/PageTests/test_pages.py -k chat

Each worker has one browser and one service; each test has its own browser context, and so its own sessions. A test
that stops the service, or needs flags, starts its own (`make_service`); a test of the network goes through a proxy
(`proxy`). An error in the console, an exception, or a violation of the Content-Security-Policy fails the test,
unless it is marked with `expects_errors`.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from proxy import Proxy
from service import Service
from waiting import letting_work

expect.set_options(timeout=20_000)

REPORT_VIOLATIONS = """document.addEventListener('securitypolicyviolation', (event) =>
  console.error(`blocked by the policy: ${event.violatedDirective} ${event.blockedURI}`));"""

# The browser itself logs network errors and these statuses; no page can prevent that.
OUTAGE = (r"net::ERR_", r"status of (404|410|503)")


# With windows, or without: the shell is the same browser, but takes half the time.
HEADFUL = "HEADFUL" in os.environ
BROWSER = os.environ["CHROMIUM" if HEADFUL else "CHROMIUM_SHELL"]
# Seconds that each round trip takes; then all requests go through a proxy.
LATENCY = float(os.environ.get("LATENCY", 0))


def launch(playwright: Playwright, path: str, **options) -> Browser:
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(
        executable_path=path,
        args=[*arguments, "--disable-dev-shm-usage"],
        headless=not HEADFUL,
        **options,
    )


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launch(playwright, BROWSER)
    with letting_work(browser):
        yield browser
    browser.close()


@pytest.fixture(scope="session")
def shared_service(tmp_path_factory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"))
    yield service
    service.kill()


@pytest.fixture
def make_service(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    made: list[Service] = []

    def make(*flags: str) -> Service:
        folder = tmp_path / f"service-{len(made)}"
        folder.mkdir()
        made.append(Service(folder, *flags))
        return made[-1]

    yield make
    for service in made:
        service.kill()


@pytest.fixture
def service(request: pytest.FixtureRequest) -> Iterator[Service]:
    """The worker's service, which no test may end, or a new one if the test uses `make_service`."""
    if "make_service" in request.fixturenames:
        yield request.getfixturevalue("make_service")()
        return
    service = request.getfixturevalue("shared_service")
    yield service
    assert service.process.poll() is None, "the test has ended the service of other tests: let it use make_service"


@pytest.fixture
def proxy(service: Service) -> Iterator[Proxy]:
    proxy = Proxy(service.port)
    proxy.latency = LATENCY
    yield proxy
    proxy.close()


@pytest.fixture
def url(request: pytest.FixtureRequest) -> str:
    """The address of the pages: that of the proxy, if there is one."""
    return request.getfixturevalue("proxy" if "proxy" in request.fixturenames or LATENCY else "service").url


@pytest.fixture
def complaints(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """The errors of the pages; at the end there must be none that is unexpected."""
    complaints: list[str] = []
    yield complaints
    marker = request.node.get_closest_marker("expects_errors")
    expected = marker.args if marker else ()
    unexpected = [text for text in complaints if not any(re.search(pattern, text) for pattern in expected)]
    assert not unexpected, "the console has: " + "\n".join(unexpected)


@pytest.fixture
def make_context(browser: Browser, url: str, complaints: list[str]) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts, each with its own storage."""
    made: list[BrowserContext] = []

    def make(in_browser: Browser = browser, **options) -> BrowserContext:
        context = in_browser.new_context(**{"base_url": url, "locale": "en-US", "service_workers": "block"} | options)
        made.append(context)
        watch(context, complaints)
        return context

    yield make
    for context in made:
        context.close()


def watch(context: BrowserContext, complaints: list[str]) -> None:
    context.set_default_timeout(20_000)
    context.add_init_script(REPORT_VIOLATIONS)
    context.on("weberror", lambda error: complaints.append(f"thrown: {error.error}"))

    def note(message) -> None:
        if message.type == "error":
            complaints.append(f"{message.text} ({message.location['url']})")

    context.on("console", note)


@pytest.fixture
def context(make_context: Callable[..., BrowserContext]) -> BrowserContext:
    return make_context()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--random-order-seed", type=int, metavar="SEED", help="shuffle the tests; the same seed gives the same order")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Puts the slowest tests first, one on each worker; idle workers take tests from the others."""
    if seed := config.getoption("random_order_seed"):
        return Random(seed).shuffle(items)

    def seconds(item: pytest.Item) -> float:
        marker = item.get_closest_marker("slow")
        return marker.args[0] if marker else 0

    slow = sorted(filter(seconds, items), key=seconds, reverse=True)
    quick = [item for item in items if not seconds(item)]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    # Each worker gets an equal share of the list, in order.
    shares = [slow[worker::workers] + quick[worker::workers] for worker in range(workers)]
    items[:] = [item for share in shares for item in share]
