"""One process of the service, which may be killed, stopped, and made to stand still."""

import http.client
import os
import signal
import socket
import subprocess
import time


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Node:
    def __init__(self, program, database, log):
        self.program, self.database, self.log = program, database, log
        self.port, self.peers = free_port(), free_port()
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", str(self.port), "--data", self.database.url,
             "--node-address", f"127.0.0.1:{self.peers}"],
            stdout=subprocess.DEVNULL, stderr=self.log)

    def is_ready(self):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def wait_until_ready(self, seconds=30):
        deadline = time.monotonic() + seconds
        while not self.is_ready():
            if time.monotonic() > deadline:
                raise SystemExit(f"the node at port {self.port} does not become ready")
            time.sleep(0.05)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)

    def pause(self):
        os.kill(self.process.pid, signal.SIGSTOP)

    def resume(self):
        os.kill(self.process.pid, signal.SIGCONT)
