"""A process of the service: started on a free port, killed, and started again on the same one."""

import json
import os
import re
import signal
import subprocess
from datetime import datetime, timezone
from pathlib import Path

from waiting import awaited, run

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = ROOT / "Public"
# The pages that show a session.
PAGES = sorted(str(path.relative_to(PUBLIC)) for path in PUBLIC.rglob("*.html") if re.search(r"<\w+[^>]* data-view-model=", path.read_text()))
PROGRAM = ROOT / os.environ.get("UIFUSION", ".build/debug/uifusion")


class Service:
    def __init__(self, folder: Path, *flags: str):
        self.folder = folder
        self.data = folder / "data"
        self.flags = flags
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        log = (self.folder / "service.log").open("ab")
        public = ROOT / os.environ.get("UIFUSION_PUBLIC", "Public")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", str(self.port), "--public", public, "--data", self.data, *self.flags],
            stdout=subprocess.PIPE, stderr=log, text=True,
        )
        line = awaited(self.process.stdout.readline)
        match = re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)\n", line)
        assert match, f"The service does not start: {(self.folder / 'service.log').read_text()[-2000:]}"
        self.port = int(match[1])

    def kill(self) -> None:
        """Sends SIGKILL: the service closes no stream and writes nothing."""
        self.end(signal.SIGKILL)

    def stop(self) -> None:
        """Sends SIGTERM, as for a deploy."""
        self.end(signal.SIGTERM)

    def end(self, kind: signal.Signals) -> None:
        self.process.send_signal(kind)
        awaited(self.process.wait)
        self.process.stdout.close()

    def restart(self) -> None:
        self.kill()
        self.start()

    def take_in(self, id: str, view_model: str, state: dict) -> None:
        """Restarts with an imported session: quicker than the Inputs that would lead to a large State."""
        document = {
            "uifusionSession": 2, "id": id, "viewModel": view_model, "parameters": None,
            "created": "2026-11-22T12:00:00.000Z", "used": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "head": {"sequence": 0, "version": 1, "format": 1, "running": [], "state": state}, "entries": [], "keys": [],
        }
        file = self.folder / "session.json"
        file.write_text(json.dumps(document))
        self.kill()
        run(PROGRAM, "sessions", "import", "--data", self.data, "--input", file)
        self.start()
