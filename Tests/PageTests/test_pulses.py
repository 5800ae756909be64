"""Each assignment of a Pulse is noticed once, even over reloads and reconnects."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from conftest import OUTAGE
from http_session import HTTPSession
from live import button, in_client, live_tabs, open_live, shown_session, status
from proxy import Proxy

pytestmark = pytest.mark.expects_errors(*OUTAGE)


def note_pulses(page: Page) -> None:
    in_client(page, "counter-reactor", """(counter) => {
      counter.pulse('message', (value) => {
        const seen = JSON.parse(sessionStorage.seen ?? '[]');
        sessionStorage.seen = JSON.stringify([...seen, value]);
      });
    }""")


def expect_seen(page: Page, session: HTTPSession, count: int, messages: list[str]) -> None:
    """Expects so many noticed Pulses once the page shows a certain count."""
    expect(status(page, "Count")).to_have_text(str(count))
    seen = page.evaluate("JSON.parse(sessionStorage.seen ?? '[]')")
    assert seen == messages


def test_each_assignment_is_noticed_once_over_reconnects_and_reloads(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-reactor.html")
    direct = HTTPSession(f"http://127.0.0.1:{proxy.service_port}", session.id)
    note_pulses(page)
    text = "카운트가 {}로 업데이트되었습니다".format
    session.send("increment")
    session.send("increment")
    expect_seen(page, session, 2, [text(1), text(2)])

    proxy.sever()
    session.send("increment")
    expect_seen(page, session, 3, [text(1), text(2), text(3)])

    proxy.cut()
    direct.send("increment")
    proxy.mend()
    expect_seen(page, session, 4, [text(value) for value in range(1, 5)])

    page.reload()
    note_pulses(page)
    session.send("increment")
    expect_seen(page, session, 5, [text(value) for value in range(1, 6)])


def test_an_alert_that_was_closed_does_not_come_back(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-sync.html")
    alert = page.get_by_role("dialog", name="알림")
    button(page, "Show").click()
    button(alert, "닫기").click()
    proxy.sever()
    session.send("increase")
    expect(status(page, "Value")).to_have_text("1")
    expect(alert).to_be_hidden()
    page.reload()
    expect(status(page, "Value")).to_have_text("1")
    expect(alert).to_be_hidden()
    button(page, "Show").click()
    expect(alert).to_be_visible()


def test_each_tab_notices_a_pulse(context: BrowserContext):
    tabs = live_tabs(context, "/counter-sync.html", 3)
    shown_session(tabs[0]).send("show")
    for tab in tabs:
        expect(tab.get_by_role("dialog", name="알림")).to_be_visible()


def test_an_order_is_announced_once(proxy: Proxy, page: Page):
    session = open_live(page, "/shop.html")
    session.send({"add": {"productID": "tea"}}, "checkOut")
    order = status(page, "Order")
    expect(order).to_contain_text("1")
    page.reload()
    shown_session(page)
    expect(page.get_by_role("list", name="Products").get_by_role("listitem")).to_have_count(8)
    assert order.count() == 0 or "1" not in order.inner_text()
