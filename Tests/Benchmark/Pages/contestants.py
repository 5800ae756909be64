"""The servers of the pages, as child processes, and a meter of the bytes on the wire."""

import asyncio
import contextlib
import ctypes
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import dataclass
from importlib.metadata import version

from servers import START_LIMIT, BenchmarkError, stop

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
PLACE = ROOT / ".build/bench-pages"


HTMX, DATASTAR = PLACE / "htmx-2.min.js", PLACE / "datastar.js"


@dataclass(frozen=True)
class Contestant:
    """A framework's page; `is_ready` is code that tells whether the page would react to a click."""

    name: str
    command: tuple
    is_ready: str = "document.readyState === 'complete'"


def peer(name, file, *arguments, **how):
    return Contestant(name, (sys.executable, "-B", HERE / f"peers/{file}.py", "{port}", *arguments), **how)


CONTESTANTS = (
    Contestant(
        "UIFusion",
        (ROOT / ".build/release/rows", *"serve --data memory --log-level error --port {port} --public".split(), HERE / "public"),
        is_ready="document.body.dataset.connection === 'live'",
    ),
    peer("NiceGUI", "nicegui_page", is_ready="window.socket?.connected && window.did_handshake"),
    peer("FastHTML", "fasthtml_page", HTMX),
    peer("Datastar", "datastar_page", DATASTAR),
)


def versions():
    """Returns the versions of the measured frameworks."""
    htmx = re.search(r'version:"([\d.]+)"', HTMX.read_text())[1]
    datastar = re.search(r"v([\d.]+)", DATASTAR.read_text())[1]
    kits = {name: version(package) for name, package in
            {"NiceGUI": "nicegui", "FastHTML": "python-fasthtml", "datastar-py": "datastar-py", "Starlette": "starlette"}.items()}
    return ", ".join(f"{name} {number}" for name, number in {**kits, "htmx": htmx, "Datastar": datastar}.items())


def end_with_parent():
    """Has the server killed however the benchmark ends: prctl(2), PR_SET_PDEATHSIG."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Server:
    def __init__(self, contestant):
        self.is_ready = contestant.is_ready
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = listener.getsockname()[1]
        command = [str(part).format(port=self.port) for part in contestant.command]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("UIFUSION_")}
        self.process = subprocess.Popen(
            command, env=environment, cwd=PLACE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True,
            preexec_fn=end_with_parent,
        )

    def wait(self):
        end = time.monotonic() + START_LIMIT
        while time.monotonic() < end and self.process.poll() is None:
            with contextlib.suppress(OSError):
                return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5).close()
            time.sleep(0.1)
        raise BenchmarkError(f"{' '.join(map(str, self.process.args))} does not start")

    def kilobytes(self):
        """Returns a process's private memory (proc_pid_smaps(5)), without what it shares with other programs."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private_"))


@contextlib.contextmanager
def running(contestants):
    servers = []
    try:
        for contestant in contestants:
            servers.append(Server(contestant))
        for server in servers:
            server.wait()
        yield servers
    finally:
        for server in servers:
            stop(server.process)


class Meter:
    """A proxy that counts the bytes in both directions."""

    def __init__(self, port):
        self.bytes = 0
        self._server_port = port
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        listening = asyncio.start_server(self._serve, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.port = server.sockets[0].getsockname()[1]

    async def _serve(self, reader, writer):
        with contextlib.suppress(OSError):
            from_server, server = await asyncio.open_connection("127.0.0.1", self._server_port)
            await asyncio.gather(self._pass(reader, server), self._pass(from_server, writer))

    async def _pass(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                self.bytes += len(data)
                writer.write(data)
                await writer.drain()
        writer.close()
