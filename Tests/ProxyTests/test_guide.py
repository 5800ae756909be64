"""The ordinary configuration of each proxy, as the guide has it."""

import json
import re
import subprocess

import pytest
from playwright.sync_api import BrowserContext, expect

from certificates import Certificate
from doctor import examine
from http_session import HTTPSession, call, eventually
from live import button, expect_connection, root, status
from proxies import Apache, Haproxy, Nginx

PROXIES = [Nginx, Haproxy, Apache]

# How the guide has each strip the prefix.
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
    # Nothing is left out: the route is known, and the heartbeat was waited for.
    assert report.at("skipped") == [], report


@every_proxy
def test_the_counter_lives_in_two_tabs_over_a_restart(deploy, context: BrowserContext, kind):
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
def test_the_prefix_alone_leads_to_the_front_page(deploy, context: BrowserContext, kind, form: str):
    deployment = deploy(kind, *in_form(kind, form))
    page = context.new_page()
    page.goto(deployment.url)
    expect(page).to_have_url(f"{deployment.url}/")
    expect_connection(page, "live")


@every_proxy
def test_the_front_page_and_what_it_leads_to_load(deploy, context: BrowserContext, kind):
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
def test_a_session_is_driven_by_curl(deploy, certificate: Certificate, kind):
    deployment = deploy(kind)
    origin = deployment.url.removesuffix("/app")

    def curl(*arguments: str) -> str:
        return subprocess.run(
            ["curl", "-sS", "--fail", "--cacert", certificate.authority, *arguments],
            check=True, capture_output=True, text=True, timeout=30,
        ).stdout

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
def test_what_a_client_says_was_forwarded_is_not_believed(deploy, certificate: Certificate, kind):
    deployment = deploy(kind)
    status, route = call(
        f"{deployment.url}/connection",
        **{
            "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "X-Forwarded-For": "192.0.2.1",
            "X-Forwarded-Port": "99",
            "Forwarded": "for=192.0.2.1;host=evil.example;proto=http",
        },
    )
    assert status == 200
    assert (route["scheme"], route["host"]) == ("https", f"localhost:{deployment.proxy.places.port}")
    assert (route["forwarded"], route["client"]) == ("believed", "127.0.0.1")
