"""A faulty server gets no figures: the load generator ends, and says why."""

import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from servers import compile_c


class CountingServer(http.server.BaseHTTPRequestHandler):
    """A correct server of sessions that count Inputs; each test breaks one thing in it."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # A response is sent as a whole.

    def setup(self):
        super().setup()
        self.connection.setsockopt(6, 1, 1)  # TCP_NODELAY

    def log_message(self, *_):
        pass

    def body(self):
        return self.rfile.read(int(self.headers["Content-Length"]))

    def answer(self, status, value):
        text = json.dumps(value, separators=(",", ":")).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        self.wfile.flush()

    def do_POST(self):
        body = self.body()
        if self.path == "/sessions":
            name = f"{len(self.server.versions):08d}"
            self.server.versions[name] = 1
            self.answer(201, {"id": name, "version": 1})
        else:
            self.take_input(self.path.split("/")[2], body)

    def take_input(self, name, body):
        with self.server.changes:
            self.server.versions[name] += 1
            version = self.server.versions[name]
            self.server.changes.notify_all()
        self.answer(200, {"version": version})

    def do_GET(self):
        name = self.path.split("/")[2]
        if self.path.endswith("/events"):
            self.follow(name)
        else:
            self.answer(200, {"version": self.server.versions[name]})

    def event(self, version, name="state"):
        text = f"id: {version}\nevent: {name}\ndata: {{}}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
        self.wfile.flush()

    def begin_stream(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def follow(self, name):
        """Streams the newest version whenever there is one."""
        self.begin_stream()
        shown = 0
        while not self.server.is_over:
            with self.server.changes:
                self.server.changes.wait_for(
                    lambda: self.server.is_over or self.server.versions[name] != shown
                )
                shown = self.server.versions[name]
            self.event(shown)


class Load(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = pathlib.Path(cls.folder.name) / "load"
        compile_c("Load", cls.program)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_load(self, handler, *words):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.handle_error = lambda *_: None  # The load generator closes connections without notice.
        server.versions, server.changes, server.is_over = {}, threading.Condition(), False
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        try:
            command = [self.program, *words, "--warm", "0.02", "--seconds", "0.1"]
            command += ["--port", str(server.server_port), "--process", str(os.getpid())]
            return subprocess.run(command, capture_output=True, text=True, timeout=60)
        finally:
            with server.changes:
                server.is_over = True
                server.changes.notify_all()
            server.shutdown()
            thread.join()
            server.server_close()

    def expect_fault(self, text, handler, *words):
        result = self.run_load(handler, *words)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn(text, result.stderr)

    def expect_report(self, *words):
        result = self.run_load(CountingServer, *words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        report = json.loads(result.stdout)
        self.assertGreater(report["rate"], 0)
        return report


INPUTS = ("inputs", "--connections", "2", "--sessions", "4")
SHARED = ("inputs", "--connections", "4", "--sessions", "1")
EVENTS = ("events", "--sessions", "2", "--rate", "100")
FAN_OUT = ("fan-out", "--streams", "3")


class ACorrectServer(Load):
    def test_gets_its_figures(self):
        for words in [INPUTS, EVENTS, FAN_OUT, ("idle", "--sessions", "3")]:
            self.expect_report(*words)


class AFaultyServer(Load):
    def test_that_responds_with_another_status_is_noticed(self):
        class Refusing(CountingServer):
            def take_input(self, name, body):
                self.answer(429, {"version": 2})

        for words in [INPUTS, EVENTS, FAN_OUT]:
            self.expect_fault("was answered 429", Refusing, *words)

    def test_that_reports_a_version_without_counting_is_noticed(self):
        class Still(CountingServer):
            def take_input(self, name, body):
                self.answer(200, {"version": 1})

        for words in [INPUTS, EVENTS, FAN_OUT]:
            self.expect_fault("from version 1 to 1", Still, *words)

    def test_that_loses_inputs_of_a_shared_session_is_noticed(self):
        class Losing(CountingServer):
            def take_input(self, name, body):
                self.answer(200, {"version": 2})

        self.expect_fault("a session should have version", Losing, *SHARED)

    def test_that_closes_a_connection_is_noticed(self):
        class Closing(CountingServer):
            def take_input(self, name, body):
                self.close_connection = True

        self.expect_fault("closed a connection", Closing, *INPUTS)

    def test_that_streams_a_version_of_no_input_is_noticed(self):
        class Inventing(CountingServer):
            def event(self, version, name="state"):
                super().event(version if version == 1 else 7, name)

        self.expect_fault("version 7, which nobody asked for", Inventing, *EVENTS)
        self.expect_fault("version 7, not 2", Inventing, *FAN_OUT)

    def test_that_streams_a_version_twice_is_noticed(self):
        class Stuttering(CountingServer):
            def event(self, version, name="state"):
                super().event(version, name)
                super().event(version, name)

        self.expect_fault("a stream shows version", Stuttering, *EVENTS)

    def test_that_ends_a_stream_is_noticed(self):
        class Ending(CountingServer):
            def event(self, version, name="state"):
                super().event(version, "state" if version == 1 else "end")

        self.expect_fault("no State", Ending, *EVENTS)

    def test_that_begins_a_stream_with_another_version_is_noticed(self):
        class Late(CountingServer):
            def event(self, version, name="state"):
                super().event(version + 1, name)

        self.expect_fault("begins with version 2, not 1", Late, *FAN_OUT)


if __name__ == "__main__":
    unittest.main()
