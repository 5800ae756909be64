"""The core of the page tests, written once for Chromium, Firefox and WebKitGTK.

All tests:                   Tests/BrowserTests/run
Those of one browser:        BROWSERS=firefox Tests/BrowserTests/run

Each browser runs once, and each test has its own service, and so its own storage in the browser. A browser that is
not there fails its tests.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers import BROWSERS, Driver
from page import Page
from service import Service


@pytest.fixture(scope="session", params=os.environ.get("BROWSERS", " ".join(BROWSERS)).split())
def driver(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[Driver]:
    driver = BROWSERS[request.param](tmp_path_factory.mktemp(request.param))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def shared_service(tmp_path_factory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("service"))
    yield service
    service.kill()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path)
    yield service
    service.kill()


@pytest.fixture
def page(driver: Driver, service: Service) -> Iterator[Page]:
    page = Page(driver, service.url)
    yield page
    page.close()
