"""A PostgreSQL server, and a standby that has all that was acknowledged, and may take its place."""

import signal
import time

from server import Server


class Database:
    def __init__(self, network):
        self.network = network
        self.primary, self.standby = Server(network.add("one")), Server(network.add("two"))
        self.servers = [self.primary, self.standby]
        hosts = ",".join(server.host for server in self.servers)
        self.url = f"postgresql://uifusion@/postgres?host={hosts}&target_session_attrs=read-write"

    def start(self):
        self.primary.create()
        self.standby.follow(self.primary)
        self._wait_until_synchronous()

    def restart(self):
        """As an operator does: connections are cut, what was committed stands."""
        self._again(signal.SIGINT)

    def crash(self):
        self._again(signal.SIGKILL)

    def fail_over(self):
        """The primary dies."""
        self.primary.end(signal.SIGKILL)
        self._promote()
        self._take_back()

    def split(self, seconds):
        """The primary lives on where nobody reaches it, and is ended before it is reached again, as it has to be."""
        others = [machine for machine in self.network.machines if machine is not self.primary.machine]
        lonely = self.primary.machine
        for machine in others:
            self.network.cut(lonely, machine)
            self.network.cut(machine, lonely)
        self._promote()
        time.sleep(seconds)
        self.standby.end(signal.SIGKILL)
        for machine in others:
            self.network.heal(lonely, machine)
            self.network.heal(machine, lonely)
        self._take_back()

    def remove(self, keep=False):
        """Its logs may be kept."""
        for server in self.servers:
            server.remove(keep)

    def _again(self, kind):
        self.primary.end(kind)
        self.primary.start()
        self._wait_until_synchronous()

    def _promote(self):
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def _take_back(self):
        self.standby.follow(self.primary)
        self._wait_until_synchronous()

    def _wait_until_synchronous(self):
        deadline = time.monotonic() + 60
        while self.primary.ask("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'") != "sync":
            if time.monotonic() > deadline:
                raise SystemExit(f"no standby follows: see {self.primary.folder}/log")
            time.sleep(0.1)
