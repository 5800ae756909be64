"""A browser that refuses its storage, locks, channels, caches or workers, at any call: the page works, and an Input is applied once."""

import json

import pytest
from playwright.sync_api import Page, expect

from http_session import HTTPSession
from live import button, shown_session
from written_page import show

# Counts the calls, and lets one fail, or each from one on: `failing` is its number. Faults come thrown, or as a rejected promise.
FAULTS = """(([failing, isOnce]) => {
  if (!window.LockManager) return; // not the page yet
  window.calls = 0;
  const refuse = () => { throw new DOMException('refused', 'SecurityError'); };
  const isDue = () => (++calls, isOnce ? calls === failing : calls >= failing);
  const wrap = (object, name, mayReject = true) => {
    const { value } = Object.getOwnPropertyDescriptor(object, name);
    object[name] = function (...values) {
      if (!isDue()) return value.apply(this, values);
      return mayReject && calls % 2 ? new Promise(refuse) : refuse();
    };
  };
  const wrapGetter = (object, name) => {
    const { get } = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { get() { return isDue() ? refuse() : get.call(this); }, configurable: true });
  };
  for (const name of ['getItem', 'setItem', 'removeItem']) wrap(Storage.prototype, name, false);
  for (const name of ['request', 'query']) wrap(LockManager.prototype, name);
  for (const name of ['postMessage', 'close']) wrap(BroadcastChannel.prototype, name, false);
  for (const name of ['open', 'delete']) wrap(CacheStorage.prototype, name);
  for (const name of ['add', 'put', 'keys']) wrap(Cache.prototype, name);
  for (const name of ['register', 'getRegistration']) wrap(ServiceWorkerContainer.prototype, name);
  for (const name of ['localStorage', 'sessionStorage', 'caches']) wrapGetter(window, name);
  for (const name of ['locks', 'serviceWorker']) wrapGetter(Navigator.prototype, name);
  window.BroadcastChannel = class extends BroadcastChannel { constructor(name) { if (isDue()) refuse(); super(name); } };
})(FAILING)"""


def use(page: Page) -> int:
    """Opens a page, sends an Input before and after a reload, and returns how many calls could have failed."""
    first = show(page, "counter-sync", "<output data-text='value'></output><button data-input='increase'>Increase</button>")
    button(page, "Increase").click()
    expect(page.locator("output")).to_have_text("1")
    page.reload()
    second = shown_session(page)
    before = page.locator("output").text_content()
    button(page, "Increase").click()
    expect(page.locator("output")).to_have_text(str(int(before) + 1))
    assert sum(HTTPSession(page.evaluate("location.origin"), id).state["value"] for id in {first.id, second.id}) == 2
    return page.evaluate("calls")


def open_refusing(make_context, failing: int, is_once: bool) -> Page:
    context = make_context()
    context.add_init_script(FAULTS.replace("FAILING", json.dumps([failing, is_once])))
    return context.new_page()


@pytest.mark.core("A browser may refuse its storage, locks, caches or workers")
def test_a_page_works_in_a_browser_that_refuses_everything(make_context):
    use(open_refusing(make_context, failing=1, is_once=False))


@pytest.mark.slow(15)
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("is_once", [True, False], ids=["once", "from then on"])
def test_a_page_works_and_an_input_is_applied_once_whichever_call_fails(make_context, is_once: bool, part: int):
    for failing in range(part + 1, 400, 4):
        page = open_refusing(make_context, failing, is_once)
        calls = use(page)
        page.context.close()
        if calls < failing:
            break
    assert 20 < failing < 390
