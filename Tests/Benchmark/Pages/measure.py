"""Measures the same page of several frameworks: time from click to paint, bytes on the wire, the server's memory."""

import argparse
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from playwright.sync_api import Error, sync_playwright  # noqa: E402

import machine  # noqa: E402
from comparison import tables  # noqa: E402
from contestants import CONTESTANTS, ROOT, Meter, running, versions  # noqa: E402
from documents import ARTICLE, PAGES, write  # noqa: E402
from operations import CREATE, ROUND  # noqa: E402
from servers import BenchmarkError  # noqa: E402


def note(text):
    print(text, file=sys.stderr, flush=True)


def open_page(browser, server, port=None):
    """Opens a page with a new session, and waits until it is ready for clicks."""
    page = browser.new_context(bypass_csp=True).new_page()
    page.add_init_script(path=HERE / "clicks.js")
    page.goto(f"http://127.0.0.1:{port or server.port}/")
    page.wait_for_function(server.is_ready)
    page.wait_for_timeout(300)
    return page


def carry_out(page, operation, pause):
    """Returns the milliseconds from a click to the frame that shows its result."""
    page.evaluate("(holds) => expectAfterClick(holds)", operation.holds)
    page.click(operation.selector)
    took = page.evaluate("seen")
    page.wait_for_timeout(pause)
    return took


def measure_times(browser, servers, rounds):
    """Returns the milliseconds of each round, by operation and contestant. Two rounds before only warm up."""
    pages = [open_page(browser, server) for server in servers]
    times = {}
    for turn in range(-2, rounds):
        for which, page in enumerate(pages):
            for operation in ROUND:
                took = carry_out(page, operation, pause=100)
                if turn >= 0 and operation.title:
                    times.setdefault(operation.title, [[] for _ in servers])[which].append(took)
        note(f"round {turn + 1} of {rounds}")
    for page in pages:
        page.context.close()
    return times


def measure_bytes(browser, servers):
    """Returns the bytes in both directions, by operation and contestant."""
    wire = {}
    for server in servers:
        meter = Meter(server.port)
        page = open_page(browser, server, meter.port)
        # The first round also loads the page itself.
        for operation in ROUND * 2:
            before = meter.bytes
            carry_out(page, operation, pause=300)
            if operation.title:
                wire.setdefault(operation.title, {})[server.port] = meter.bytes - before
        page.context.close()
    return {title: list(sizes.values()) for title, sizes in wire.items()}


def measure_memory(browser, server, sessions):
    """Returns the server's KB for a session whose page shows 1,000 rows; a session before only warms up."""
    pages, kilobytes = [], []
    for count in range(sessions + 1):
        pages.append(open_page(browser, server))
        carry_out(pages[-1], CREATE, pause=100)
        if count in (0, sessions):
            pages[-1].wait_for_timeout(1000)
            kilobytes.append(server.kilobytes())
    for page in pages:
        page.context.close()
    return (kilobytes[1] - kilobytes[0]) / sessions


def measure_all(browser, given):
    before = machine.busy_cores(1)
    note(f"Others use {before:.2f} cores now.")
    with running(CONTESTANTS) as servers:
        times = measure_times(browser, servers, given.rounds)
        wire = measure_bytes(browser, servers)
    memory = []
    for contestant in CONTESTANTS:
        note(f"memory of {contestant.name}")
        with running([contestant]) as [server]:
            memory.append(measure_memory(browser, server, given.sessions))
    head = f"{machine.described(ROOT, 'the browser')} Chromium {browser.version}, {versions()}. Medians of {given.rounds} rounds"
    head += f" in turn, after two to warm up. {'**Not quiet:** others' if before > 0.1 else 'Others'} used {before:.2f} cores before."
    return f"{head}\n\n{tables([contestant.name for contestant in CONTESTANTS], times, wire, memory)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often each is measured (%(default)s)")
    parser.add_argument("--sessions", type=int, default=20, help="how many sessions' memory (%(default)s)")
    parser.add_argument("--write", action="store_true", help="put the table into the article on performance")
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM_SHELL"], args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        try:
            text = measure_all(browser, given)
        except (BenchmarkError, Error) as error:
            sys.exit(f"bench-pages: {error}")
    print(text)
    if given.write:
        write(ARTICLE, text, PAGES)


if __name__ == "__main__":
    main()
