"""The plain configuration of each proxy, as in the guide."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from certificates import Certificate
from conftest import FLAGS
from doctor import examine
from http_session import HTTPSession, fetched
from live import button, expect_connection, root, status
from proxies import Apache, Haproxy, Nginx
from waiting import eventually, run

PROXIES = [Nginx, Haproxy, Apache]

# The change by which each proxy strips the prefix, as in the guide.
STRIPPED = {
    Nginx: ("proxy_pass http://uifusion;", "proxy_pass http://uifusion/;"),
    Haproxy: ("backend uifusion\n", "backend uifusion\n  http-request replace-path /app(/.*) \\1\n"),
    Apache: ('"http://127.0.0.1:8080/app/"', '"http://127.0.0.1:8080/"'),
}

FORMS = ["handed through", "stripped"]


def in_form(kind, form: str) -> list:
    return [STRIPPED[kind]] if form == "stripped" else []


every_proxy = pytest.mark.parametrize("kind", PROXIES)


@every_proxy
@pytest.mark.parametrize("form", FORMS)
def test_the_doctor_finds_nothing(deploy, certificate: Certificate, kind, form: str):
    deployment = deploy(kind, *in_form(kind, form))
    report = examine(deployment.url, certificate.authority)
    assert report.status == 0, report
    assert report.at("failure") + report.at("warning") == [], report
    # No check is skipped: the route is known, and the heartbeat came.
    assert report.at("skipped") == [], report


@every_proxy
def test_the_counter_stays_live_in_two_tabs_over_a_restart(deploy, context: BrowserContext, kind):
    deployment = deploy(kind)
    one, two = context.new_page(), context.new_page()
    for tab in one, two:
        tab.goto(f"{deployment.url}/counter-sync.html")
        expect_connection(tab, "live")
    button(one, "Increase").click()
    for tab in one, two:
        expect(status(tab, "Value")).to_have_text("1")
    deployment.service.kill()
    button(two, "Increase").click()
    deployment.service.start()
    for tab in one, two:
        expect(status(tab, "Value")).to_have_text("2")
        expect_connection(tab, "live")
    session = HTTPSession(deployment.url, root(one).get_attribute("data-session"))
    assert session.state["value"] == 2
    session.send("increase")
    for tab in one, two:
        expect(status(tab, "Value")).to_have_text("3")


@every_proxy
@pytest.mark.parametrize("form", FORMS)
def test_the_prefix_without_a_slash_leads_to_the_front_page(deploy, context: BrowserContext, kind, form: str):
    deployment = deploy(kind, *in_form(kind, form))
    page = context.new_page()
    page.goto(deployment.url)
    expect(page).to_have_url(f"{deployment.url}/")
    expect_connection(page, "live")


@every_proxy
def test_the_front_page_and_its_links_load(deploy, context: BrowserContext, kind):
    deployment = deploy(kind)
    page = context.new_page()
    failed: list[str] = []
    page.on("response", lambda answer: answer.status >= 400 and failed.append(f"{answer.status} {answer.url}"))
    page.goto(f"{deployment.url}/")
    expect_connection(page, "live")
    link = page.locator("a[href*='todos']").first
    link.click()
    expect(page).to_have_url(re.compile(re.escape(f"{deployment.url}/") + ".*todos"))
    assert failed == []


@every_proxy
def test_a_session_can_be_used_with_curl(deploy, certificate: Certificate, kind):
    deployment = deploy(kind)
    origin = deployment.url.removesuffix("/app")

    def curl(*arguments: str) -> str:
        return run("curl", "-sS", "--fail", "--cacert", certificate.authority, *arguments, text=True).stdout

    form = ["-H", "Content-Type: application/json"]
    made = curl("-i", f"{deployment.url}/sessions", *form, "-H", f"Origin: {origin}", "-d", '{"viewModel":"counter-sync"}')
    location = next(line for line in made.splitlines() if line.lower().startswith("location: ")).split(": ")[1]
    assert location.startswith("/app/sessions/")
    session = origin + location
    follower = HTTPSession(deployment.url, location.rsplit("/", 1)[1])
    with follower.recorded() as events:
        curl(f"{session}/inputs", *form, "-d", '"increase"')
        eventually(lambda: events[-1]["state"]["value"] == 1, "the event of an Input", seconds=5)
    assert json.loads(curl(session))["state"]["value"] == 1


@every_proxy
def test_forwarding_headers_of_a_client_are_not_trusted(deploy, certificate: Certificate, kind):
    deployment = deploy(kind)
    said = {
        "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "X-Forwarded-For": "192.0.2.1",
        "X-Forwarded-Port": "99",
        "Forwarded": "for=192.0.2.1;host=evil.example;proto=http",
    }
    headers = [word for name, value in said.items() for word in ("-H", f"{name}: {value}")]
    status, route = asked(certificate, "127.0.0.2", f"{deployment.url}/connection", *headers)
    assert status == 200
    assert (route["scheme"], route["host"]) == ("https", f"localhost:{deployment.proxy.places.port}")
    assert (route["forwarded"], route["client"]) == ("believed", "127.0.0.2")


@every_proxy
def test_each_client_has_its_own_limits(deploy, certificate: Certificate, kind):
    deployment = deploy(kind, flags=(*FLAGS, "--max-sessions-per-client", "1"))

    def made(client: str) -> int:
        form = ["-H", "Content-Type: application/json", "-d", '{"viewModel":"counter"}']
        return asked(certificate, client, f"{deployment.url}/sessions", *form)[0]

    assert [made(client) for client in ("127.0.0.2", "127.0.0.2", "127.0.0.3")] == [201, 429, 201]


@every_proxy
def test_an_unknown_host_is_refused(deploy, certificate: Certificate, kind):
    deployment = deploy(kind)
    status, problem = asked(certificate, "127.0.0.2", f"{deployment.url}/connection", "-H", "Host: evil.example")
    assert (status, problem["type"].rsplit("/", 1)[1]) == (421, "misdirected-request")


@every_proxy
@pytest.mark.parametrize("form", FORMS)
def test_metrics_are_served_only_without_the_proxy(deploy, certificate: Certificate, kind, form: str):
    deployment = deploy(kind, *in_form(kind, form))
    for path in [
        "/metrics", "/metrics?", "/metrics/", "/%6detrics", "//metrics", "/x/../metrics", "/app/metrics",
        "/%61pp/metrics", "/app/%6Detrics",
    ]:
        status, text = asked(certificate, "127.0.0.2", deployment.url + path, "--path-as-is", "-L")
        assert status == 404 and "uifusion_" not in str(text), path
    assert b"uifusion_sessions" in fetched(f"{deployment.service.url}/metrics")


def asked(certificate: Certificate, client: str, url: str, *arguments: str) -> tuple[int, Any]:
    """Sends a request from a client's address; returns the status, and the text or the decoded JSON."""
    output = run(
        "curl", "-sS", "--cacert", certificate.authority, "--interface", client,
        "-w", "\n%{http_code} %{content_type}", url, *arguments, text=True,
    ).stdout
    text, _, end = output.rpartition("\n")
    status, _, kind = end.partition(" ")
    return int(status), json.loads(text) if "json" in kind else text
