"""Runs `uifusion doctor` on a deployment, and reads its report."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from service import PROGRAM
from waiting import run


@dataclass(repr=False)
class Report:
    status: int
    findings: list[dict]

    def at(self, level: str) -> list[dict]:
        return [finding for finding in self.findings if finding["level"] == level]

    def __repr__(self) -> str:
        return "\n" + "\n".join(f"{f['level']} {f['check']}: {f['text']} {f['advice']}" for f in self.findings)


def examine(url: str, authority: Path | None, *flags: str) -> Report:
    environment = dict(os.environ)
    if authority:
        environment["CURL_CA_BUNDLE"] = str(authority)
    result = run(
        PROGRAM, "doctor", url, "--json", *flags,
        env=environment, text=True, timeout=120, check=False,
    )
    assert result.stdout, result.stderr
    return Report(result.returncode, json.loads(result.stdout)["findings"])
