"""The service behind nginx, haproxy and Apache, as the guide configures them.

All tests:                  Tests/ProxyTests/run
The tests of one topic:     Tests/ProxyTests/run Tests/ProxyTests/test_doctor.py
The tests of one proxy:     Tests/ProxyTests/run -k nginx

Each test has its own service and proxy. The text that a test replaces in a configuration must be in the guide's.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from certificates import Certificate, make_certificate
from guide import Places
from proxies import Change, Proxy, free_port
from service import Service
from waiting import letting_work

expect.set_options(timeout=20_000)

# The service's flags in the guide; the heartbeat is shorter, so that tests do not wait for long.
FLAGS = ("--base-path", "/app", "--trusted-proxy", "127.0.0.1", "--allow-host", "localhost", "--heartbeat", "2")


@dataclass
class Deployment:
    service: Service
    proxy: Proxy

    @property
    def url(self) -> str:
        return self.proxy.url


@pytest.fixture(scope="session")
def certificate(tmp_path_factory) -> Certificate:
    certificate = make_certificate(tmp_path_factory.mktemp("certificate"))
    # For Python's HTTP client (OpenSSL) and for curl.
    os.environ["SSL_CERT_FILE"] = str(certificate.authority)
    return certificate


@pytest.fixture
def deploy(tmp_path: Path, certificate: Certificate) -> Iterator[Callable[..., Deployment]]:
    """Starts a service and a proxy in front of it, with changes of the guide's configuration."""
    made: list[Deployment] = []

    def deploy(kind: type[Proxy], *changes: Change, flags: tuple[str, ...] = FLAGS) -> Deployment:
        folder = tmp_path / "service"
        folder.mkdir()
        # Workers of another user need to pass this folder.
        os.chmod(tmp_path, 0o755)
        service = Service(folder, *flags)
        places = Places(free_port(), service.port, certificate.chain, certificate.key, certificate.both)
        try:
            proxy = kind(tmp_path, places, *changes)
        except BaseException:
            service.kill()
            raise
        made.append(Deployment(service, proxy))
        return made[-1]

    yield deploy
    for deployment in made:
        deployment.proxy.stop()
        deployment.service.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        # Playwright's own option for certificates does not cover shared workers.
        browser = playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM_SHELL"],
            args=[*arguments, "--disable-dev-shm-usage", "--ignore-certificate-errors"],
        )
        with letting_work(browser):
            yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="en-US")
    context.set_default_timeout(20_000)
    yield context
    context.close()
