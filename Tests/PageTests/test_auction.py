"""The auction: its chart, and bids while nobody looks."""

import pytest
from playwright.sync_api import Locator, Page, expect

from http_session import HTTPSession
from live import button, expect_connection, open_live
from service import Service


def offer(page: Page, lot: str) -> HTTPSession:
    """Offers a lot; returns when the desk has seen it."""
    auction = open_live(page, "/auction.html")
    page.get_by_label("Next lot").fill(lot)
    button(page, "Offer it for a minute").click()
    expect(page.get_by_role("heading", name=lot)).to_be_visible()
    expect(button(page, "Bid 1 more")).to_be_enabled()
    return auction


def bids(page: Page) -> Locator:
    return page.get_by_role("list", name="Highest bids").get_by_role("listitem")


def highest(state: dict) -> int:
    return state["sale"]["amount"]


@pytest.mark.core("auction.html")
def test_everybody_bids_for_one_lot_and_sees_the_chart(page: Page, make_service):
    offer(page, "Lamp")
    line = page.locator(".chart polyline")
    expect(button(page, "Offer it for a minute")).to_be_hidden()
    expect(page.get_by_role("timer")).to_contain_text("s left")
    page.get_by_label("Your name").fill("Ada")
    button(page, "Bid 10 more").click()
    expect(bids(page)).to_have_text(["Ada 10"])
    expect(page.get_by_text("Your bid is the highest.")).to_be_visible()
    expect(button(page, "Bid 1 more")).to_be_disabled()
    expect(line).to_have_attribute("points", "0,2 100,2")
    with page.context.browser.new_context(base_url=page.url) as others:
        other = others.new_page()
        open_live(other, "/auction.html")
        expect(button(other, "Bid 10 more")).to_be_enabled()
        button(other, "Bid 10 more").click()
        expect(bids(page)).to_have_text(["Guest 20", "Ada 10"])
    expect(page.get_by_text("Somebody has bid more.")).to_be_visible()
    expect(line).to_have_attribute("points", "0,20 50,20 50,2 100,2")


def test_the_auction_bids_up_to_a_maximum_without_the_page_and_after_a_crash(page: Page, service: Service, make_service):
    auction = offer(page, "Lamp")
    page.get_by_label("Bid for me up to").fill("20")
    page.keyboard.press("Enter")
    expect(bids(page)).to_have_text(["Guest 1"])
    page.goto("about:blank")
    auction.send({"bid": {"amount": 7, "name": "curl"}})
    auction.reaches(lambda state: highest(state) == 8)
    service.restart()
    auction.send({"bid": {"amount": 15, "name": "curl"}})
    auction.reaches(lambda state: highest(state) == 16)
    page.goto("/auction.html")
    expect(bids(page).first).to_have_text("Guest 16")
    expect(page.get_by_text("Your bid is the highest.")).to_be_visible()
    expect(page.get_by_label("Bid for me up to")).to_have_value("20")


@pytest.mark.expects_errors(r"net::ERR_")
def test_a_bid_made_offline_is_for_no_more_than_was_seen(page: Page, make_service):
    auction = offer(page, "Lamp")
    auction.send({"bid": {"amount": 5, "name": "curl"}})
    expect(bids(page)).to_have_count(1)
    page.context.set_offline(True)
    expect_connection(page, "offline")
    button(page, "Bid 1 more").click()
    button(page, "Bid 10 more").click()
    auction.send({"bid": {"amount": 500, "name": "curl"}})
    page.context.set_offline(False)
    expect(page.get_by_text("Bid 501 to 1000.")).to_be_visible()
    assert [bid["amount"] for bid in auction.state["sale"]["bids"]] == [5, 500]
