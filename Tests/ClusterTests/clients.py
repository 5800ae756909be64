"""Clients that send requests to any node, and retry with the same key those without response."""

import random
import threading
import time

from caller import Caller
from history import Answer


class Client(threading.Thread):
    """Adds one to sessions again and again, each time once, whatever happens to the nodes. `reads` is the part of its
    requests that only read; after `timeout` seconds it retries at another node."""

    def __init__(self, name, reads, timeout, addresses, sessions, history, over):
        super().__init__(daemon=True)
        self.name, self.addresses, self.sessions = name, addresses, sessions
        self.history, self.over = history, over
        self.random, self.caller = random.Random(name), Caller(timeout)
        self.reads, self.count = reads, 0

    def run(self):
        while not self.over.is_set():
            session = self.random.choice(self.sessions)
            if self.random.random() < self.reads:
                self.look(session)
            else:
                self.add(session)
            time.sleep(self.random.uniform(0, 0.05))
        self.caller.close()

    def look(self, session):
        self.repeat("GET", f"/sessions/{session}", session)

    def add(self, session):
        self.count += 1
        self.repeat("POST", f"/sessions/{session}/inputs", session, '"increase"', f"{self.name}-{self.count}")

    def repeat(self, method, path, session, body=None, key=""):
        """Retries until there is a response. Its duration counts from the first attempt, its staleness from the last."""
        first = time.monotonic()
        while True:
            asked = time.monotonic()
            reply = self.caller.ask(self.random.choice(self.addresses), method, path, body,
                                    {"Idempotency-Key": key} if key else None)
            if reply.status == 200:
                is_repeated = reply.headers.get("Idempotency-Replayed") == "true"
                return self.history.add(Answer(session, reply.body["version"], reply.body["state"]["value"],
                                               first, asked, time.monotonic(), key, is_repeated))
            if not reply.asks_to_repeat:
                return self.history.complain(f"{method} {session} is answered {reply.status} {reply.body}")
            self.history.repeat()
            time.sleep(0.1)
