"""One process of the service, which can be killed, stopped, and paused."""

import os
import signal
import subprocess
import threading

from caller import ask
from waiting import holds_within

# The status of a node that cannot start, for example while the database is down.
GAVE_UP = 1


class Node:
    def __init__(self, program, machine, database, secret, log):
        self.program, self.machine, self.database = program, machine, database
        self.secret, self.log = secret, open(log, "ab")
        self.address = (machine.address, machine.port(8080))
        self.peers = machine.port(7946)
        self.process, self.is_wanted = None, False
        self.lock = threading.RLock()

    def start(self):
        with self.lock:
            self.is_wanted = True
            self.process = subprocess.Popen(
                [*self.machine.entering, self.program, "serve",
                 "--host", self.machine.address, "--port", str(self.address[1]), "--data", self.database.url,
                 "--node-address", f"{self.machine.address}:{self.peers}", "--node-secret-file", self.secret,
                 "--drain-delay", "1", "--session-ttl", "86400", "--max-sessions-per-client", "100000"],
                stdout=subprocess.DEVNULL, stderr=self.log)

    def is_ready(self):
        return ask(self.address, "GET", "/readyz").status == 200

    def wait_until_ready(self, seconds=60):
        if not holds_within(seconds, self.is_ready):
            raise SystemExit(f"{self.machine.name} does not become ready")

    def kill(self):
        self.end(signal.SIGKILL)

    def stop(self):
        self.end(signal.SIGTERM)

    def end(self, kind):
        with self.lock:
            self.is_wanted = False
        self.process.send_signal(kind)
        self.process.wait(timeout=30)

    def mend(self):
        """Restarts a node that could not start; returns complaints if it has ended by itself in any other way."""
        with self.lock:
            code = self.process.poll() if self.is_wanted else None
            if code is None:
                return []
            self.start()
            return [] if code == GAVE_UP else [f"{self.machine.name} has ended with {code}"]

    def pause(self):
        os.kill(self.process.pid, signal.SIGSTOP)

    def resume(self):
        os.kill(self.process.pid, signal.SIGCONT)
