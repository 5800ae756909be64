"""`data-connection` is true at all times, and the user is told why a session has ended."""


import pytest
from playwright.sync_api import BrowserContext, Page, expect

from conftest import OUTAGE
from http_session import HTTPSession, call, fetched
from live import DISMISS, NEW_SESSION, button, expect_connection, notices, open_live, root, status, waiting
from proxy import Proxy
from service import Service
from waiting import eventually

pytestmark = pytest.mark.expects_errors(*OUTAGE)


@pytest.fixture
def page_of(make_context):
    """Makes a page behind a proxy for a service that the test has made."""
    proxies = []

    def make(service: Service) -> tuple[Proxy, Page]:
        proxies.append(Proxy(service.port))
        return proxies[-1], make_context(base_url=proxies[-1].url).new_page()

    yield make
    for proxy in proxies:
        proxy.close()


def metrics(service: Service) -> str:
    return fetched(f"{service.url}/metrics").decode()


@pytest.mark.core("data-connection", "It shows the connection")
def test_a_page_is_connecting_until_the_first_response_and_then_live(proxy: Proxy, page: Page):
    proxy.held.update({"/sessions", "/events"})
    page.goto("/counter-sync.html")
    expect_connection(page, "connecting")
    proxy.held.clear()
    expect_connection(page, "live")


@pytest.mark.core("It shows the connection", "It finds its session again")
def test_a_page_is_stale_while_the_service_is_down_and_catches_up_after_its_restart(make_service, service: Service, page: Page):
    session = open_live(page, "/counter-sync.html")
    service.kill()
    expect_connection(page, "stale")
    button(page, "Increase").click()
    waiting(page, 1)
    service.start()
    session.send(*["increase"] * 4)
    expect(status(page, "Value")).to_have_text("5")
    expect_connection(page, "live")


@pytest.mark.core("It shows the connection")
def test_a_page_is_offline_without_a_network_and_catches_up(context: BrowserContext, page: Page):
    session = open_live(page, "/counter-sync.html")
    context.set_offline(True)
    expect_connection(page, "offline")
    session.send("increase")
    context.set_offline(False)
    expect_connection(page, "live")
    expect(status(page, "Value")).to_have_text("1")


def test_a_notice_says_that_the_user_is_offline_and_what_will_be_sent(context: BrowserContext, page: Page):
    open_live(page, "/counter-sync.html")
    expect(notices(page)).to_be_attached()  # the second module has loaded
    context.set_offline(True)
    expect_connection(page, "offline")
    button(page, "Increase").click()
    expect(notices(page)).to_contain_text("You are offline. 1 change will be sent.")
    expect(notices(page)).not_to_contain_text("Not connected")
    context.set_offline(False)
    expect(status(page, "Value")).to_have_text("1")
    expect(notices(page)).not_to_contain_text("offline")


@pytest.mark.slow(30)
def test_a_page_is_stale_if_the_network_drops_everything(proxy: Proxy, page: Page):
    open_live(page, "/counter-sync.html")
    proxy.held.add("")
    proxy.unanswered.add("")
    expect(root(page)).to_have_attribute("data-connection", "stale", timeout=45_000)
    proxy.held.clear()
    proxy.unanswered.clear()
    expect_connection(page, "live")


def test_a_stream_that_breaks_off_repeatedly_loses_nothing(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-sync.html")
    for value in range(1, 6):
        proxy.sever()
        session.send("increase")
        expect(status(page, "Value")).to_have_text(str(value))
    expect_connection(page, "live")


@pytest.mark.core("It shows the connection")
def test_a_deleted_session_has_ended_and_a_button_makes_a_new_one(page: Page):
    session = open_live(page, "/counter-sync.html")
    session.send("increase")
    expect(status(page, "Value")).to_have_text("1")
    session.delete()
    expect_connection(page, "ended")
    page.get_by_role("button", name=NEW_SESSION).click()
    expect_connection(page, "live")
    expect(status(page, "Value")).to_have_text("0")
    assert root(page).get_attribute("data-session") != session.id
    button(page, "Increase").click()
    expect(status(page, "Value")).to_have_text("1")
    page.reload()
    expect(status(page, "Value")).to_have_text("1")


def test_a_session_that_expired_during_an_outage_has_ended(make_service, page_of):
    service = make_service("--session-ttl", "1")
    proxy, page = page_of(service)
    session = open_live(page, "/counter-sync.html")
    proxy.cut()
    expect_connection(page, "stale")
    expired = 'uifusion_sessions_ended_total{reason="expired"} 1'
    eventually(lambda: expired in metrics(service), "the session expires")
    proxy.mend()
    expect_connection(page, "ended")
    expect(page.get_by_role("button", name=NEW_SESSION)).to_be_visible()
    page.get_by_role("button", name=NEW_SESSION).click()
    expect_connection(page, "live")
    assert root(page).get_attribute("data-session") != session.id


def test_a_page_whose_session_is_gone_opens_a_new_one(page: Page):
    session = open_live(page, "/counter-sync.html")
    page.goto("about:blank")
    session.delete()
    assert open_live(page, "/counter-sync.html").id != session.id


@pytest.mark.core("data-pending", "How to style it")
def test_a_control_shows_that_its_input_is_on_its_way(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-sync.html")
    proxy.held.add(f"/sessions/{session.id}/inputs")
    increase = button(page, "Increase")
    expect(increase).not_to_have_attribute("data-pending", "")
    increase.click()
    expect(page.locator("[data-pending]")).to_have_text(["Increase"])
    proxy.held.clear()
    expect(page.locator("[data-pending]")).to_have_count(0)
    expect(status(page, "Value")).to_have_text("1")


def test_closing_ends_the_session_at_the_service(page: Page):
    open_live(page, "/counter-sync.html")
    made = page.evaluate("""async () => {
      const { session } = await import('/uifusion.js');
      const other = session('countdown', { name: 'other', parameters: { seconds: 42 } });
      await other.send('pause');
      const { id, state } = other;
      await other.close();
      return { id, remaining: state.remaining, origin: location.origin };
    }""")
    assert made["remaining"] == 42
    assert call(f"{made['origin']}/sessions/{made['id']}")[0] == 410


def test_a_page_works_where_the_browser_may_store_nothing(page: Page):
    page.add_init_script("""
      const refuse = () => { throw new DOMException('Denied', 'SecurityError'); };
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse });
      LockManager.prototype.request = LockManager.prototype.query = async () => refuse();
    """)
    open_live(page, "/counter-sync.html")
    button(page, "Increase").click()
    expect(status(page, "Value")).to_have_text("1")


def test_a_page_says_why_it_does_not_connect(make_service, make_context):
    service = make_service("--max-sessions", "1")
    HTTPSession.make(service.url, "counter")
    page = make_context(base_url=service.url).new_page()
    page.goto("/counter-sync.html")
    expect(notices(page)).to_contain_text("The service is busy.")
    button(page, "Increase").click()
    expect(notices(page)).to_contain_text("1 change will be sent.")


@pytest.mark.expects_errors("status of 502")
def test_the_user_is_told_of_inputs_without_response_while_the_stream_is_live(proxy: Proxy, page: Page):
    open_live(page, "/counter-sync.html")
    page.route("**/inputs", lambda route: route.fulfill(status=502, body="Bad gateway"))
    button(page, "Increase").click()
    expect(notices(page)).to_contain_text("The service does not answer. 1 change will be sent.")
    expect_connection(page, "live")
    page.unroute("**/inputs")
    expect(status(page, "Value")).to_have_text("1")
    expect(notices(page)).not_to_contain_text("wait")


def test_inputs_that_were_given_up_with_their_session_survive_a_reload_until_dismissed(page: Page):
    session = open_live(page, "/counter-sync.html")
    page.context.set_offline(True)
    button(page, "Increase").click()
    waiting(page, 1)
    session.delete()
    page.context.set_offline(False)
    expect(notices(page)).to_contain_text("Increase")
    page.reload()
    expect_connection(page, "live")
    expect(notices(page)).to_contain_text("Increase")
    notices(page).get_by_role("button", name=DISMISS).first.click()
    notices(page).get_by_role("button", name=DISMISS).first.click()
    page.reload()
    expect_connection(page, "live")
    expect(notices(page)).not_to_contain_text("Increase")


def test_a_malformed_response_does_not_keep_a_tab_from_connecting(page: Page):
    open_live(page, "/counter-sync.html")
    other = page.context.new_page()
    other.route("**/sessions/*", lambda route: route.fulfill(json={}))
    other.goto("/counter-sync.html")
    eventually(lambda: root(other).get_attribute("data-session"), "the tab knows its session")
    other.unroute("**/sessions/*")
    expect_connection(other, "live")
