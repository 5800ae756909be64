"""A page that was loaded once can be opened without a network, unless it opts out."""

import pytest
from playwright.sync_api import Error, expect

from conftest import OUTAGE
from live import expect_connection, open_live, status
from service import Service

pytestmark = pytest.mark.expects_errors(*OUTAGE)

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  for (let turn = 0; turn < 300; turn++) {
    const cache = await caches.open('uifusion');
    const names = (await cache.keys()).map(({ url }) => new URL(url).pathname);
    if (['/counter-sync.html', '/style.css', '/uifusion.js', '/uifusion-more.js'].every((name) => names.includes(name))) return names;
    await new Promise((done) => setTimeout(done, 50));
  }
}"""


@pytest.mark.core
def test_a_page_loads_without_a_network_and_goes_live_with_it(make_service, service: Service, make_context):
    page = make_context(service_workers="allow").new_page()
    session = open_live(page, "/counter-sync.html")
    session.send("increase")
    names = page.evaluate(KEPT)
    assert names and not [name for name in names if "session" in name]
    service.kill()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("body")).not_to_have_css("font-family", '"Times New Roman"')
    expect_connection(page, "connecting")
    service.start()
    expect_connection(page, "live")
    expect(status(page, "Value")).to_have_text("1")


def test_a_page_that_contains_a_session_is_not_cached(make_service, service: Service, make_context):
    page = make_context(service_workers="allow").new_page()
    session = open_live(page, "/counter-sync.html")
    assert page.evaluate(KEPT)
    page.goto(f"/counter-sync.html?session={session.id}")
    expect_connection(page, "live")
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    kept = page.evaluate("caches.match('/counter-sync.html').then((page) => page.text())")
    assert "<h1" in kept and session.id not in kept


@pytest.mark.core("data-offline")
def test_a_page_that_opts_out_has_no_worker(make_service, service: Service, make_context):
    page = make_context(service_workers="allow").new_page()
    open_live(page, "/counter-sync.html")
    assert page.evaluate(KEPT)
    page.add_init_script("document.addEventListener('readystatechange', () => { document.documentElement.dataset.offline = 'off'; }, { once: true });")
    page.reload()
    gone = """async () => {
      while (await navigator.serviceWorker.getRegistration()) await new Promise((done) => setTimeout(done, 50));
    }"""
    page.evaluate(gone)
    page.goto("about:blank")
    service.kill()
    with pytest.raises(Error):
        page.goto("/counter-sync.html")


LOADS = """(address) => new Promise((loads) => {
  const image = new Image();
  image.onload = () => loads(true);
  image.onerror = () => loads(false);
  image.src = address;
})"""


def test_versions_of_a_file_are_told_apart(make_service, url: str, service: Service, make_context):
    page = make_context(service_workers="allow").new_page()
    open_live(page, "/counter-sync.html")
    assert page.evaluate(KEPT)
    page.reload()  # from now on the worker handles the page's requests
    assert page.evaluate(LOADS, "/favicon.svg?v=1") and page.evaluate(LOADS, "/favicon.svg?v=2")
    names = page.evaluate("caches.open('uifusion').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => url))")
    assert [name for name in names if "favicon.svg" in name] == [f"{url}/favicon.svg?v=2"]
    fragment = "fetch('/login.html').then((response) => response.ok, () => false)"  # like data-include
    assert page.evaluate(fragment)
    service.kill()
    assert page.evaluate(fragment)
    assert page.evaluate(LOADS, "/favicon.svg?v=2")
    assert not page.evaluate(LOADS, "/favicon.svg?v=3")


def test_on_a_full_disk_a_page_loads_with_the_network_and_keeps_its_copy(make_service, service: Service, make_context):
    context = make_context(service_workers="allow")
    page = context.new_page()
    open_live(page, "/counter-sync.html")
    assert page.evaluate(KEPT)
    context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", {"origin": service.url, "quotaSize": 1})
    for _ in range(2):
        page.reload()  # handled by the worker
        expect_connection(page, "live")
    service.kill()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("body")).not_to_have_css("font-family", '"Times New Roman"')
