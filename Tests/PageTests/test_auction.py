"""The auction: its chart, and bids while nobody looks."""

import pytest
from playwright.sync_api import Page, expect

from http_session import HTTPSession
from live import button, expect_connection, open_live
from service import Service


def offer(page: Page, lot: str) -> HTTPSession:
    auction = open_live(page, "/auction.html")
    page.get_by_label("Next lot").fill(lot)
    button(page, "Offer it for a minute").click()
    expect(page.get_by_role("heading", name=lot)).to_be_visible()
    return auction


def bids(page: Page):
    return page.get_by_role("list", name="Bids").get_by_role("listitem")


@pytest.mark.core("auction.html")
def test_everybody_bids_for_one_lot_and_sees_the_chart(page: Page, make_service):
    auction = offer(page, "Lamp")
    line = page.locator(".chart polyline")
    expect(button(page, "Offer it for a minute")).to_be_hidden()
    page.get_by_label("Your name").fill("Ada")
    button(page, "Bid 10 more").click()
    expect(bids(page)).to_have_text(["Ada 10"])
    expect(page.get_by_text("Your bid is the highest.")).to_be_visible()
    expect(button(page, "Bid 1 more")).to_be_disabled()
    expect(line).to_have_attribute("points", "0,2 100,2")
    with page.context.browser.new_context(base_url=page.url) as others:
        other = others.new_page()
        open_live(other, "/auction.html")
        button(other, "Bid 10 more").click()
        expect(bids(page)).to_have_text(["Guest 20", "Ada 10"])
    expect(line).to_have_attribute("points", "0,20 50,20 50,2 100,2")
    button(page, "Bid 1 more").click()
    auction.reaches(lambda state: state["bids"][-1]["amount"] == 21)


def test_the_auction_bids_up_to_a_limit_without_the_page_and_after_a_crash(page: Page, service: Service, make_service):
    auction = offer(page, "Lamp")
    page.get_by_label("Bid for me up to").fill("20")
    page.keyboard.press("Enter")
    expect(bids(page)).to_have_text(["Guest 1"])
    page.goto("about:blank")
    auction.send({"bid": {"amount": 7, "name": "curl"}})
    auction.reaches(lambda state: state["bids"][-1]["amount"] == 8)
    service.restart()
    auction.send({"bid": {"amount": 15, "name": "curl"}})
    auction.reaches(lambda state: state["bids"][-1]["amount"] == 16)
    auction.send({"bid": {"amount": 21, "name": "curl"}})
    page.goto("/auction.html")
    expect(bids(page).first).to_have_text("curl 21")
    expect(page.get_by_label("Bid for me up to")).to_have_value("20")


@pytest.mark.expects_errors(r"net::ERR_")
def test_of_bids_made_offline_only_the_last_is_sent(page: Page, make_service):
    auction = offer(page, "Lamp")
    button(page, "Bid 1 more").click()
    expect(bids(page)).to_have_count(1)
    auction.send({"bid": {"amount": 5, "name": "curl"}})
    expect(bids(page)).to_have_count(2)
    page.context.set_offline(True)
    expect_connection(page, "offline")
    button(page, "Bid 1 more").click()
    button(page, "Bid 10 more").click()
    page.context.set_offline(False)
    auction.reaches(lambda state: [bid["amount"] for bid in state["bids"]] == [1, 5, 15])
