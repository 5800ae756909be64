"""Many tabs of one browser are all live with one stream, whatever happens to the leading tab."""

from time import monotonic

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect

from conftest import OUTAGE
from http_session import HTTPSession
from live import Leading, button, expect_connection, live_tabs, notices, open_live, root, shown_session, status
from proxy import Proxy
from waiting import eventually

pytestmark = pytest.mark.expects_errors(*OUTAGE)


def expect_all(tabs: list[Page], session: HTTPSession) -> float:
    """Expects an Input from elsewhere to reach all tabs; returns how long that took, in seconds."""
    session.send("increase")
    value = session.state["value"]
    began = monotonic()
    for tab in tabs:
        expect(status(tab, "Value")).to_have_text(str(value))
    return monotonic() - began


def test_twelve_tabs_are_live_with_one_stream_and_the_leader_may_close(proxy: Proxy, context: BrowserContext):
    leading = Leading(context)
    tabs = live_tabs(context, "/counter-sync.html", 12)
    session = shown_session(tabs[0])
    expect_all(tabs, session)
    eventually(lambda: len(proxy.open_streams) == 1, "one stream")
    for tab in tabs[::4]:
        button(tab, "Increase").click()
    session.reaches(lambda state: state["value"] == 4)

    leader = leading.tab()
    leader.close()
    tabs.remove(leader)
    print("after the leader was closed:", expect_all(tabs, session), "s")
    for tab in tabs:
        expect_connection(tab, "live")
    eventually(lambda: len(proxy.open_streams) == 1, "one stream")


def test_tabs_that_are_opened_at_once_share_one_session(make_context):
    for _ in range(5):  # a fault would show only now and then
        tabs = [context.new_page() for context in [make_context()] for _ in range(4)]
        for tab in tabs:
            tab.goto("/counter-sync.html", wait_until="commit")
        assert len({shown_session(tab).id for tab in tabs}) == 1


def test_tabs_of_different_view_models_share_the_stream_too(proxy: Proxy, context: BrowserContext):
    names = ["counter", "counter-sync", "todos", "search", "countdown", "multi-timer", "login", "shop"]
    tabs = {name: context.new_page() for name in names}
    sessions = {name: open_live(tab, f"/{name}.html") for name, tab in tabs.items()}
    for tab in tabs.values():
        expect_connection(tab, "live")
    eventually(lambda: len(proxy.open_streams) == 1, "one stream")
    sessions["counter-sync"].send("increase")
    expect(status(tabs["counter-sync"], "Value")).to_have_text("1")
    sessions["search"].send({"queryChanged": "abc"})
    expect(tabs["search"].get_by_role("list", name="Results").get_by_role("listitem")).to_have_count(5)


@pytest.mark.core("All tabs of a browser share one stream")
def test_another_tab_leads_after_the_leader_has_crashed(proxy: Proxy, context: BrowserContext):
    leading = Leading(context)
    tabs = live_tabs(context, "/counter-sync.html", 4)
    session = shown_session(tabs[0])
    leader = leading.tab()
    tabs.remove(leader)
    with leader.expect_event("crash"), pytest.raises(Error):
        leader.goto("chrome://crash")
    print("after the leader crashed:", expect_all(tabs, session), "s")
    leader.close()


@pytest.mark.parametrize("how", ["frozen", "busy"])
def test_another_tab_leads_while_the_leader_hangs(proxy: Proxy, context: BrowserContext, how: str):
    leading = Leading(context)
    tabs = live_tabs(context, "/counter-sync.html", 3)
    session = shown_session(tabs[0])
    leader = leading.tab()
    tabs.remove(leader)
    devtools = context.new_cdp_session(leader)
    if how == "frozen":  # a debugger stands in for freezing, as a visible page is never frozen
        devtools.send("Debugger.enable")
        devtools.send("Debugger.pause")
    else:
        leader.evaluate("() => void setTimeout(() => { for (const end = Date.now() + 8000; Date.now() < end;); })")
    print(f"after the leader was {how}:", expect_all(tabs, session), "s")
    for tab in tabs:
        expect_connection(tab, "live")
    if how == "frozen":
        devtools.send("Debugger.disable")
    # The former leader comes back as a follower, and catches up.
    expect_connection(leader, "live")
    expect_all([leader, *tabs], session)
    eventually(lambda: len(proxy.open_streams) == 1, "one stream")


def test_two_tabs_and_a_script_drive_one_session(context: BrowserContext):
    one, two = live_tabs(context, "/counter-sync.html", 2)
    session = shown_session(one)
    assert shown_session(two).id == session.id
    button(one, "Increase").click()
    button(two, "Increase").click()
    session.send("increase", "increase")
    for tab in one, two:
        expect(status(tab, "Value")).to_have_text("4")
    button(two, "Reset").click()
    session.reaches(lambda state: state["value"] == 0)
    expect(status(one, "Value")).to_have_text("0")


def test_a_page_may_show_two_sessions_of_one_view_model(page: Page):
    open_live(page, "/counter-sync.html")
    values = page.evaluate("""async () => {
      const { session } = await import('/uifusion.js');
      const [left, right] = ['left', 'right'].map((name) => session('counter-sync', { name }));
      await left.send('increase');
      await right.send('decrease');
      return { left: left.state.value, right: right.state.value, ids: [left.id, right.id],
        same: left === session('counter-sync', { name: 'left' }) };
    }""")
    assert (values["left"], values["right"], values["same"]) == (1, -1, True)
    assert len({*values["ids"], root(page).get_attribute("data-session")}) == 3


def test_a_link_names_the_session(make_context, page: Page):
    session = open_live(page, "/counter-sync.html")
    session.send("increase")
    for address in f"/counter-sync.html?session={session.id}", f"/counter-sync.html#session={session.id}":
        elsewhere = make_context().new_page()
        assert open_live(elsewhere, address).id == session.id
        expect(status(elsewhere, "Value")).to_have_text("1")
        # The session of a link does not replace the browser's own session.
        assert open_live(elsewhere, "/counter-sync.html").id != session.id


def test_a_link_to_a_deleted_session_is_reported_even_if_the_browsers_own_session_is_gone(make_context, page: Page):
    linked = open_live(make_context().new_page(), "/counter-sync.html")
    own = open_live(page, "/counter-sync.html")
    page.goto("about:blank")
    for session in linked, own:
        session.delete()
    assert open_live(page, f"/counter-sync.html?session={linked.id}").id not in (linked.id, own.id)
    expect(notices(page)).to_contain_text("The session of this link is gone")


def test_a_duplicated_tab_sends_nothing_twice(proxy: Proxy, page: Page):
    session = open_live(page, "/counter-sync.html")
    proxy.held.add(f"/sessions/{session.id}/inputs")
    button(page, "Increase").click()
    expect(root(page)).to_have_attribute("data-waiting", "1")
    with page.expect_popup() as opened:  # a popup starts with a copy of its opener's sessionStorage
        page.evaluate("() => { const copy = window.open(location.href, '_blank'); }")
    copy = opened.value
    expect_connection(copy, "live")
    proxy.held.clear()
    proxy.sever()
    for tab in page, copy:
        expect(status(tab, "Value")).to_have_text("1")
    button(copy, "Increase").click()
    for tab in page, copy:
        expect(status(tab, "Value")).to_have_text("2")
    session.reaches(lambda state: state["value"] == 2)
