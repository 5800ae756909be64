"""The load generator and the two servers that it measures, as child processes."""

import contextlib
import json
import os
import pathlib
import select
import shutil
import sqlite3
import subprocess
import tempfile
import time
from dataclasses import replace

HERE = pathlib.Path(__file__).resolve().parent
# Seconds; longer than any server takes to print its address.
START_LIMIT = 20


class BenchmarkError(Exception):
    """The reason why the benchmark has ended, for the user."""


def compile_c(folder, target, *libraries, flags=()):
    """Builds one of the two programs in C."""
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise BenchmarkError("there is no C compiler: apt-get install gcc")
    sources = sorted((HERE / folder).glob("*.c"))
    command = [compiler, "-O2", "-Wall", *flags, "-o", target, *sources]
    command += [f"-l{library}" for library in libraries]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise BenchmarkError(f"{folder} does not compile:\n{result.stderr}")


class Bench:
    """Builds into a folder, and runs one contestant at a time."""

    def __init__(self, folder, service, seconds):
        self.folder = pathlib.Path(folder)
        self.service = service
        self.seconds = seconds
        compile_c("Load", self.folder / "load")
        compile_c("Ceiling", self.folder / "ceiling", "microhttpd", "sqlite3", "pthread")

    def measure(self, contestant):
        """Starts a fresh server, measures it once, and stops it; returns the load generator's report."""
        with tempfile.TemporaryDirectory(dir=self.folder) as data:
            if contestant.alarms:
                self.set_alarms(contestant, data)
            with self.running(contestant, data) as (process, port):
                report = self.load(contestant.load, process, port)
                report["peak_mb"] = peak(process) / 1000
            if contestant.server == "service" and contestant.is_durable:
                report["alarms_left"] = database(data, "SELECT count(*) FROM alarm")
            return report

    def load(self, load, process, port):
        """Runs the load generator; options of the load override those of the bench."""
        command = [self.folder / "load", load[0], "--port", str(port), "--process", str(process.pid)]
        command += ["--seconds", str(self.seconds), "--warm", str(self.seconds / 4), *load[1:]]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise BenchmarkError(f"{pathlib.Path(process.args[0]).name}: {result.stderr.strip()}")
        return json.loads(result.stdout)

    def set_alarms(self, contestant, data):
        """Makes sleeping sessions with alarms that are due at random times of the measurement, which begins now."""
        made = self.folder / f"alarms-{contestant.alarms}"
        if not made.exists():
            maker = replace(contestant, alarms=0, flags=("--durability", "relaxed"))
            setup = ("--view-model", "reminders", "--setup", '{"tomorrow":{"text":"later"}}')
            with self.running(maker, made) as (process, port):
                self.load(("idle", "--streams", "0", "--sessions", str(contestant.alarms), *setup), process, port)
        shutil.copytree(made, data, dirs_exist_ok=True)
        seconds = float(contestant.load[contestant.load.index("--seconds") + 1])
        database(data, f"UPDATE alarm SET time = {time.time() * 1000:.0f} + abs(random() % {seconds * 1000:.0f})")

    def program(self, contestant):
        """Returns the service of the examples, or one of many children that is built beside it."""
        return self.service if contestant.server == "service" else self.service.with_name(contestant.server)

    def command(self, contestant, data):
        if contestant.server == "ceiling":
            database = [f"{data}/database"] if contestant.is_durable else []
            return [self.folder / "ceiling", *database]
        # Limits above every load: their checks cost time, but none is reached.
        return [
            *(self.program(contestant), "serve", "--port", "0", "--log-level", "error"),
            *("--data", data if contestant.is_durable else "memory", "--public", self.folder),
            *("--max-sessions", "200000", *contestant.flags),
        ]

    @contextlib.contextmanager
    def running(self, contestant, data):
        """Starts a server in a process session of its own: Ctrl-C reaches only the benchmark, which ends the server."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("UIFUSION_")}
        process = subprocess.Popen(
            self.command(contestant, data),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            yield process, port_of(process)
        finally:
            stop(process)


def database(data, statement):
    """Runs a statement in the service's database; returns its result."""
    with contextlib.closing(sqlite3.connect(f"{data}/sessions.sqlite")) as connection, connection:
        row = connection.execute(statement).fetchone()
        return row and row[0]


def peak(process):
    """Returns the peak memory of a process, in KB."""
    lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def port_of(process):
    """Reads the port: both servers print `listening on http://127.0.0.1:PORT`."""
    ready, _, _ = select.select([process.stdout], [], [], START_LIMIT)
    line = process.stdout.readline().decode() if ready else ""
    if not line.startswith("listening on "):
        raise BenchmarkError(f"{pathlib.Path(process.args[0]).name} does not start")
    return int(line.rsplit(":", 1)[1])


def stop(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    finally:
        process.stdout.close()
