"""Clients that ask any node, repeat with their key what was not answered, and remember what they were told."""

import http.client
import json
import random
import threading
import time


class Ledger:
    """What clients were told: which Inputs were applied, and which version showed which State."""

    def __init__(self):
        self.lock = threading.Lock()
        self.applied = {}
        self.states = {}
        self.seen = {}
        self.faults = []
        self.slowest = 0.0

    def floor(self, session):
        with self.lock:
            return self.seen.get(session, 0)

    def see(self, session, version, state, floor):
        text = json.dumps(state, sort_keys=True)
        with self.lock:
            known = self.states.setdefault((session, version), text)
            if known != text:
                self.faults.append(f"{session}: version {version} is {known} and {text}")
            if version < floor:
                self.faults.append(f"{session}: version {version} after {floor} was seen")
            self.seen[session] = max(self.seen.get(session, 0), version)

    def acknowledge(self, session, seconds):
        with self.lock:
            self.applied[session] = self.applied.get(session, 0) + 1
            self.slowest = max(self.slowest, seconds)

    def complain(self, text):
        with self.lock:
            self.faults.append(text)


def ask(node, method, path, body=None, key=None):
    """The answer's status and body; None where the connection breaks."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if key:
        headers["Idempotency-Key"] = key
    try:
        connection = http.client.HTTPConnection("127.0.0.1", node.port, timeout=12)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, json.loads(content) if content else None
    except (OSError, http.client.HTTPException, ValueError):
        return None, None


class Client(threading.Thread):
    """Adds one to its session, again and again, each time once: whatever happens to the nodes."""

    def __init__(self, number, nodes, sessions, ledger, over):
        super().__init__(daemon=True)
        self.number, self.nodes, self.sessions = number, nodes, sessions
        self.ledger, self.over = ledger, over
        self.random = random.Random(number)
        self.count = 0

    def run(self):
        while not self.over.is_set():
            session = self.random.choice(self.sessions)
            if self.random.random() < 0.3:
                self.look(session)
            else:
                self.add(session)

    def look(self, session):
        floor = self.ledger.floor(session)
        status, body = ask(self.random.choice(self.nodes), "GET", f"/sessions/{session}")
        if status == 200:
            self.ledger.see(session, body["version"], body["state"], floor)
        elif status not in (None, 503):
            self.ledger.complain(f"GET {session} is answered {status} {body}")

    def add(self, session):
        self.count += 1
        key, start = f"{self.number}-{self.count}", time.monotonic()
        while True:
            floor = self.ledger.floor(session)
            status, body = ask(self.random.choice(self.nodes), "POST",
                               f"/sessions/{session}/inputs", '"increase"', key)
            if status == 200:
                self.ledger.acknowledge(session, time.monotonic() - start)
                return self.ledger.see(session, body["version"], body["state"], floor)
            if status not in (None, 429, 503):
                return self.ledger.complain(f"POST {session} is answered {status} {body}")
            time.sleep(0.1)
