"""The one place where the test waits for a condition; the threads of clients and faults only pause."""

import time


def holds_within(seconds, condition):
    """Waits until a condition returns a true value; returns whether it did so in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
