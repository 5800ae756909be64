"""One PostgreSQL server: on its own machine, in its own folder, as an ordinary user."""

import glob
import os
import shutil
import signal
import subprocess
import tempfile

from waiting import holds_within

OPTIONS = {
    "max_connections": "100",
    # No commit is acknowledged that only one server has, not even after a fail-over. A standby connects under this
    # name; with * the tool that copies the primary would count as a standby.
    "cluster_name": "standby",
    "synchronous_standby_names": "standby",
    # For the log.
    "log_lock_waits": "on",
    "log_min_duration_statement": "2s",
    "wal_sender_timeout": "5s",
    "wal_receiver_timeout": "5s",
    "wal_retrieve_retry_interval": "500ms",
}


class Server:
    def __init__(self, machine):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if not found:
            raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
        self.tools, self.machine, self.process = os.path.dirname(found[-1]), machine, None
        self.folder = tempfile.mkdtemp(prefix="uifusion-cluster-", dir="/tmp")
        self.data, self.port = self.folder + "/data", 5432
        self.user = []
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
            self.user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        os.chmod(self.folder, 0o755)
        self.log = open(self.folder + "/log", "ab")

    @property
    def host(self):
        """The host in a connection string: an address, or the folder of the socket."""
        return self.machine.address if self.machine.is_apart else self.folder

    def create(self):
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", "uifusion")
        if self.machine.is_apart:
            with open(self.data + "/pg_hba.conf", "a", encoding="ascii") as access:
                access.write("host all,replication all all trust\n")
        self.start()

    def follow(self, primary):
        """Becomes the standby of a primary, from a fresh copy."""
        shutil.rmtree(self.data, ignore_errors=True)
        self._run("pg_basebackup", "-D", self.data, "-R", "--checkpoint=fast", "--no-sync", "-U", "uifusion",
                  "-h", primary.host)
        self.start()

    def start(self):
        address = self.machine.address if self.machine.is_apart else ""
        options = {**OPTIONS, "unix_socket_directories": self.folder, "listen_addresses": address}
        command = self._command("postgres", "-D", self.data,
                                *(part for option in options.items() for part in ("-c", "=".join(option))))
        self.process = None

        def is_started():
            # The remains of a killed server may keep the next one from starting for a moment.
            if self.process is None or self.process.poll() is not None:
                self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd="/")
            return self.is_ready()

        if not holds_within(60, is_started):
            raise SystemExit(f"PostgreSQL does not start: see {self.folder}/log")

    def is_ready(self):
        return self.process is not None and self.process.poll() is None and self.ask("SELECT 1") == "1"

    def end(self, kind):
        """Ends the server: SIGINT cuts connections and writes a checkpoint, SIGKILL does neither."""
        self.process.send_signal(kind)
        self.process.wait(timeout=120)

    def promote(self):
        self._run("pg_ctl", "-D", self.data, "-w", "promote")

    def ask(self, query):
        asked = subprocess.run(self._command("psql", "-XAtc", query, "-h", self.folder, "-U", "uifusion", "postgres"),
                               capture_output=True, text=True, check=False, cwd="/")
        return asked.stdout.strip()

    def remove(self, keep):
        if self.process and self.process.poll() is None:
            self.end(signal.SIGQUIT)
        self.log.close()
        if keep:
            print(f"logs are in {self.folder}")
        shutil.rmtree(self.data if keep else self.folder, ignore_errors=True)

    def _command(self, tool, *arguments):
        return [*self.machine.entering, *self.user, f"{self.tools}/{tool}", *arguments]

    def _run(self, tool, *arguments):
        subprocess.run(self._command(tool, *arguments), stdout=self.log, stderr=self.log, check=True, cwd="/")
