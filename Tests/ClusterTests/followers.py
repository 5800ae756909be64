"""Clients that follow a session's stream on any node, and reconnect when it ends."""

import http.client
import json
import random
import threading
import time

from history import Event


class Follower(threading.Thread):
    def __init__(self, number, addresses, session, history, over):
        super().__init__(daemon=True)
        self.number, self.addresses, self.session = number, addresses, session
        self.history, self.over = history, over
        self.random = random.Random(number)
        self.version = 0

    def run(self):
        while not self.over.is_set():
            try:
                self.follow(self.random.choice(self.addresses))
            except (OSError, http.client.HTTPException, ValueError):
                pass
            time.sleep(0.1)

    def follow(self, address):
        connection = http.client.HTTPConnection(*address, timeout=1)
        try:
            connection.request("GET", f"/sessions/{self.session}/events", headers={
                "Accept": "application/x-ndjson", "Last-Event-ID": str(self.version)})
            # A paused node may take long to respond, or send nothing for a while.
            connection.sock.settimeout(20)
            response = connection.getresponse()
            if response.status == 200:
                self.read(response)
            elif response.status not in (429, 503):
                self.history.complain(f"the stream of {self.session} is answered {response.status}")
        finally:
            connection.close()

    def read(self, response):
        while not self.over.is_set():
            line = response.readline()
            if not line:
                return
            if line.strip():
                self.take(json.loads(line))

    def take(self, event):
        if event["event"] != "state":
            return self.history.complain(f"the stream of {self.session} says {event}")
        self.version = event["version"]
        self.history.add(Event(self.number, self.session, self.version, event["state"]["value"], time.monotonic()))
