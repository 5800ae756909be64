"""Clients and followers of some sessions, until every request has its response and every stream its last version."""

import threading
import time

from clients import Client
from followers import Follower
from waiting import holds_within


class Workload:
    def __init__(self, name, addresses, sessions, history, within):
        self.history, self.within = history, within
        self.is_enough, self.is_over = threading.Event(), threading.Event()
        # Clients that only read go on while the others wait for a commit.
        kinds = [*[(0.3, 12)] * 6, *[(0.3, 2)] * 6, *[(1, 1)] * 4]
        self.clients = [Client(f"{name}-{number}", *kind, addresses, sessions, history, self.is_enough)
                        for number, kind in enumerate(kinds)]
        self.followers = [Follower(number, addresses, session, history, self.is_over)
                          for number, session in enumerate(sessions)]

    def start(self):
        for thread in [*self.followers, *self.clients]:
            thread.start()

    def finish(self):
        self.is_enough.set()
        for client in self.clients:
            client.join(60)
            if client.is_alive():
                self.history.complain(f"client {client.name} is not answered")
        newest = {}
        for answer in self.history.answers:
            newest[answer.session] = max(answer.version, newest.get(answer.session, 0))
        holds_within(self.within + 1, lambda: all(
            follower.version >= newest.get(follower.session, 0) for follower in self.followers))
        self.history.ended = time.monotonic()
        self.is_over.set()
