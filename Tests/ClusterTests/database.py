"""A PostgreSQL server of its own: in a folder of its own, on a Unix socket, as an ordinary user."""

import glob
import os
import shutil
import subprocess
import tempfile


class Database:
    def __init__(self):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if not found:
            raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
        self.tools = os.path.dirname(found[-1])
        self.folder = tempfile.mkdtemp(prefix="uifusion-cluster-", dir="/tmp")
        self.user = []
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
            self.user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        os.chmod(self.folder, 0o755)
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", "uifusion")
        self.start()

    @property
    def data(self):
        return self.folder + "/data"

    @property
    def url(self):
        return f"postgresql://uifusion@/postgres?host={self.folder}"

    def start(self):
        options = f"-k {self.folder} -c listen_addresses= -c max_connections=100"
        self._run("pg_ctl", "-D", self.data, "-w", "-l", self.folder + "/log", "-o", options, "start")

    def restart(self):
        """As an operator does: connections are cut, what was committed stands."""
        self._run("pg_ctl", "-D", self.data, "-m", "fast", "stop")
        self.start()

    def crash(self):
        """As the machine does: without a checkpoint."""
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        self.start()

    def remove(self):
        subprocess.run(
            [*self.user, f"{self.tools}/pg_ctl", "-D", self.data, "-m", "immediate", "stop"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, cwd="/")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, tool, *arguments):
        subprocess.run([*self.user, f"{self.tools}/{tool}", *arguments],
                       stdout=subprocess.DEVNULL, check=True, cwd="/")
