"""A PostgreSQL primary, and a standby that has every acknowledged commit, and may take the primary's place."""

import signal

from server import Server
from waiting import holds_within


class Database:
    def __init__(self, network):
        self.primary, self.standby = Server(network.add("one")), Server(network.add("two"))
        self.servers = [self.primary, self.standby]
        hosts = ",".join(server.host for server in self.servers)
        self.url = f"postgresql://uifusion@/postgres?host={hosts}&target_session_attrs=read-write"

    def start(self):
        self.primary.create()
        self.standby.follow(self.primary)
        self._wait_until_synchronous()

    def restart(self):
        """Restarts the primary as an operator does: connections are cut, commits stay."""
        self._again(signal.SIGINT)

    def crash(self, is_alone=False):
        """Kills and restarts the primary. Alone, it shows commits that its standby has not received."""
        self._again(signal.SIGKILL, is_alone)

    def fail_over(self):
        """Kills the primary; its standby takes its place."""
        self.primary.end(signal.SIGKILL)
        self.promote()
        self.take_back()

    def promote(self):
        """Makes the standby the primary, whether the primary has died or not."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def take_back(self):
        """Makes the former primary the standby."""
        self.standby.follow(self.primary)
        self._wait_until_synchronous()

    def remove(self, keep=False):
        """Removes the servers; `keep` leaves their logs."""
        for server in self.servers:
            server.remove(keep)

    def _again(self, kind, is_alone=False):
        self.primary.end(kind)
        self.primary.start()
        if not is_alone:
            self._wait_until_synchronous()

    def _wait_until_synchronous(self):
        query = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        if not holds_within(60, lambda: self.primary.ask(query) == "sync"):
            raise SystemExit(f"no standby follows: see {self.primary.folder}/log")
