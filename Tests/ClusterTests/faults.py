"""The injected faults: one after the other at the nodes, and at the same time one after the other at the database."""

import random
import signal
import threading
import time
from collections import Counter
from contextlib import contextmanager

from history import Disturbance


class Faults(threading.Thread):
    """Injects all kinds of faults in a random order, and again in another order, until the end."""

    def __init__(self, seed, bag, calm, history, end):
        super().__init__(daemon=True)
        self.random, self.bag, self.calm = random.Random(seed), bag, calm
        self.history, self.end = history, end
        self.counts, self.failure = Counter(), None

    def run(self):
        try:
            kinds = []
            while time.monotonic() < self.end:
                kinds = kinds or self.random.sample(self.bag, len(self.bag))
                kinds.pop()()
                time.sleep(self.random.uniform(*self.calm))
        except BaseException as failure:  # pylint: disable=broad-except
            self.failure = failure

    def finish(self):
        self.join(max(self.end - time.monotonic(), 0) + 300)  # a fail-over takes minutes at most
        if self.is_alive():
            raise SystemExit("a fault does not end")
        if self.failure:
            raise self.failure

    @contextmanager
    def disturbance(self, kind, subject, count=1):
        self.counts[kind] += count
        start = time.monotonic()
        yield
        self.history.add(Disturbance(start, time.monotonic(), f"{kind}: {subject}"))

    def some(self, least, most):
        time.sleep(self.random.uniform(least, most))


def names(owners):
    return ", ".join(owner.machine.name for owner in owners)


def reverse(ways):
    return [(target, source) for source, target in ways]


class NodeFaults(Faults):
    def __init__(self, seed, nodes, database, network, history, end):
        self.nodes, self.network, self.database = nodes, network, database
        cuts = [self.cut_from_database, self.cut_from_node] if network.can_cut else []
        bag = [*[self.kill] * 12, self.kill_two, self.stop, *[self.pause] * 3, *cuts * 2]
        super().__init__(f"nodes {seed}", bag, (0.5, 7), history, end)

    def kill(self, count=1):
        killed = self.random.sample(self.nodes, count)
        with self.disturbance("kills", names(killed), count):
            for node in killed:
                node.kill()
        self.some(0, 2)
        for node in killed:
            node.start()

    def kill_two(self):
        self.kill(2)

    def stop(self):
        node = self.random.choice(self.nodes)
        with self.disturbance("stops", names([node])):
            node.stop()
        node.start()

    def pause(self):
        node = self.random.choice(self.nodes)
        with self.disturbance("pauses", names([node])):
            node.pause()
            self.some(0.5, 8)
            node.resume()

    def cut_from_database(self):
        node = self.random.choice(self.nodes)
        self.cut([(node.machine, server.machine) for server in self.database.servers])

    def cut_from_node(self):
        one, other = self.random.sample(self.nodes, 2)
        self.cut([(one.machine, other.machine)])

    def cut(self, pairs):
        back = reverse(pairs)
        kind, ways = self.random.choice([
            ("cuts", pairs + back), ("one-way cuts", pairs), ("one-way cuts", back)])
        subject = ", ".join(f"{source.name} to {target.name}" for source, target in ways)
        with self.disturbance(kind, subject), self.network.without(ways):
            self.some(0.5, 8)


class DatabaseFaults(Faults):
    def __init__(self, seed, nodes, database, network, history, end):
        self.nodes, self.database, self.network = nodes, database, network
        splits = [self.split, self.cut_from_standby] if network.can_cut else []
        super().__init__(f"database {seed}", [self.restart, self.crash, self.fail_over, *splits], (9, 18), history, end)

    def run(self):
        self.some(*self.calm)
        super().run()

    def restart(self):
        with self.disturbance("database restarts", self.database.primary.machine.name):
            self.database.restart()

    def crash(self):
        with self.disturbance("database kills", self.database.primary.machine.name):
            self.database.crash()

    def fail_over(self):
        with self.disturbance("fail-overs", self.database.primary.machine.name):
            self.database.fail_over()

    def split(self):
        """Cuts the primary off from its standby, which takes its place while some nodes still reach both."""
        old, new = self.database.primary, self.database.standby
        away = [node for node in self.nodes if self.random.random() < 0.5]
        standby, others = ([(old.machine, one.machine) for one in ones] for ones in ([new], away))
        with self.disturbance("fail-overs", f"{old.machine.name} goes on without {names([new, *away])}"):
            with self.network.without(standby + reverse(standby)):
                if self.random.random() < 0.5:
                    self.database.crash(is_alone=True)
                self.some(0, 4)
                with self.network.without(others + reverse(others)):
                    self.database.promote()
                    self.some(0, 8)
                    # The old primary has to end before the other nodes reach it again.
                    old.end(signal.SIGKILL)
            self.database.take_back()

    def cut_from_standby(self):
        ends = self.database.primary.machine, self.database.standby.machine
        with self.disturbance("cuts", "primary to standby"), self.network.without([ends]):
            self.some(0.5, 8)
