"""The client consists of two modules of the same build; nothing waits for the second one for ever."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect

from conftest import OUTAGE
from live import button, expect_nothing_waits, in_client, notices, status
from proxy import Proxy
from written_page import show

REST = "**/uifusion-more.js*"
MORE = """<button data-input="increase">More</button> <output aria-label="Value" data-text="value"></output>"""
ASKED = """<button data-input="increase" data-confirm="Sure?" data-enabled="value is 0">More</button>
  <output aria-label="Value" data-text="value"></output>"""


@pytest.mark.parametrize("client", ["/uifusion.js?v=2", "/./uifusion.js#2"])
def test_the_client_runs_once_whichever_address_the_page_uses(proxy: Proxy, page: Page, client: str):
    with page.expect_response(REST):
        session = show(page, "counter-sync", MORE + """<dialog data-open="showAlert">Alert</dialog>""", client=client)
    page.wait_for_function("() => document.querySelector('[data-notices]')")  # the second module has loaded
    button(page, "More").click()
    expect(status(page, "Value")).to_have_text("1")
    button(page, "More").click()
    expect(status(page, "Value")).to_have_text("2")
    expect_nothing_waits(page)
    assert session.state["value"] == 2 and len(proxy.matching("POST", "/inputs")) == 2
    assert len(page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => /uifusion\\.js/.test(name))")) == 1


def test_a_page_has_one_client_however_many_addresses_it_uses(proxy: Proxy, page: Page):
    show(page, "counter-sync", MORE, client="/uifusion.js?v=2")
    assert page.evaluate("""async () => {
      const [one, other] = [await import('/uifusion.js?v=2'), await import('/uifusion.js')];
      return one !== other && Object.keys(one).every((name) => one[name] === other[name]);
    }""")
    button(page, "More").click()
    expect(status(page, "Value")).to_have_text("1")
    expect_nothing_waits(page)
    assert len(proxy.matching("POST", "/inputs")) == len(proxy.matching("POST", "/sessions?")) == 1


@pytest.mark.expects_errors("of another build")
@pytest.mark.parametrize("other", ["export const build = 'another'; export function install() {}",
                                   "import { nothing } from './uifusion.js';"])
def test_a_page_works_without_a_second_module_of_another_build_and_reloads_once(page: Page, other: str):
    asked: list[str] = []

    def answer(route) -> None:
        asked.append(route.request.url)
        route.fulfill(content_type="text/javascript", body=other)

    page.route(REST, answer)
    page.on("dialog", lambda dialog: dialog.accept())
    with suppress(Error):  # the page reloads meanwhile
        show(page, "counter-sync", ASKED, whole=False)
    page.wait_for_function("() => performance.getEntriesByType('navigation')[0].type === 'reload'")
    expect(status(page, "Value")).to_have_text("0")
    button(page, "More").click()
    expect(status(page, "Value")).to_have_text("1")
    assert in_client(page, "counter-sync", "(session) => session.settled({ timeout: 1 })") is False
    assert len(asked) == 2 and all("?v=" in url for url in asked)


@pytest.mark.expects_errors("does not come")
def test_a_page_works_if_the_second_module_never_comes(page: Page):
    page.route(REST, lambda route: None)
    show(page, "counter-sync", ASKED + """<dialog data-open="showAlert">Alert</dialog>""", whole=False)
    expect(status(page, "Value")).to_have_text("0")


def test_the_second_module_is_loaded_if_the_client_is_imported_after_the_page_has_loaded(page: Page):
    page.goto("/favicon.svg")
    with page.expect_response(REST):
        page.evaluate("import('/uifusion.js').then(() => {})")


def test_the_second_module_is_loaded_on_a_page_that_never_finishes_loading(page: Page):
    page.route("**/never.svg", lambda route: None)
    with page.expect_response(REST):
        show(page, "counter-sync", MORE + """<img src="/never.svg" alt="">""", until="commit")


@pytest.mark.expects_errors(*OUTAGE)
def test_a_notice_is_shown_before_the_page_has_loaded(proxy: Proxy, page: Page):
    page.route("**/never.svg", lambda route: None)
    show(page, "counter-sync", MORE + """<img src="/never.svg" alt="">""", until="commit")
    in_client(page, "counter-sync", "(session) => { session.notice = 'Know this.'; session.dispatchEvent(new Event('queue')); }")
    expect(notices(page)).to_contain_text("Know this.")


def test_a_question_is_asked_once_and_its_answer_counts_if_the_input_may_still_be_sent(page: Page):
    session = show(page, "counter-sync", ASKED)
    more = button(page, "More").first
    more.evaluate("(button) => { button.click(); button.click(); }")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_have_count(1)
    session.send("increase")
    expect(status(page, "Value")).to_have_text("1")
    dialog.get_by_role("button", name="More").click()
    expect(dialog).to_have_count(0)
    expect_nothing_waits(page)
    assert session.state["value"] == 1


def test_a_question_is_asked_as_soon_as_the_control_is_enabled(page: Page):
    held: list = []
    page.route(REST, lambda route: held.append(route))
    page.route("**/asked.html", lambda route: route.fulfill(content_type="text/html", body=f"""<!doctype html>
      <script type="module" src="/uifusion.js"></script><main data-view-model="counter-sync">{ASKED}</main>"""))
    with page.expect_request(REST):
        page.goto("/asked.html", wait_until="commit")
    expect(button(page, "More")).to_be_visible()
    button(page, "More").evaluate("(button) => { button.click(); button.click(); }")  # the control is not enabled yet
    held[0].continue_()
    expect(status(page, "Value")).to_have_text("0")
    expect(page.get_by_role("dialog")).to_have_count(0)
    button(page, "More").click()
    expect(page.get_by_role("dialog")).to_have_count(1)
