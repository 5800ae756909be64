"""A session as seen by a plain HTTP client, the other client of these tests."""

import json
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from waiting import awaited, eventually, in_background


def call(url: str, method: str = "GET", body: Any = None, **headers: str) -> tuple[int, Any]:
    """Sends a request; returns the status and the decoded JSON of the response."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json", **headers}, method=method)
    status, text = awaited(answer_to, request)
    return status, json.loads(text) if text else None


def answer_to(request: Request) -> tuple[int, bytes]:
    try:
        with urlopen(request, timeout=30) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        return error.code, error.read()


def fetched(url: str) -> bytes:
    """Returns the content of an address, which has to be there."""
    status, content = awaited(answer_to, Request(url))
    assert status == 200, content
    return content


class HTTPSession:
    def __init__(self, url: str, id: str):
        self.url = f"{url}/sessions/{id}"
        self.id = id

    @classmethod
    def make(cls, url: str, view_model: str) -> "HTTPSession":
        status, session = call(f"{url}/sessions", "POST", {"viewModel": view_model})
        assert status == 201, session
        return cls(url, session["id"])

    @property
    def snapshot(self) -> dict:
        status, snapshot = call(self.url)
        assert status == 200, snapshot
        return snapshot

    @property
    def state(self) -> Any:
        return self.snapshot["state"]

    def send(self, *inputs: Any) -> None:
        """Sends one Input, or several as a batch."""
        status, answer = call(f"{self.url}/inputs", "POST", list(inputs) if len(inputs) != 1 else inputs[0])
        assert status == 200, answer

    def delete(self) -> None:
        call(self.url, "DELETE")

    def reaches(self, condition: Callable[[Any], Any], seconds: float = 30) -> Any:
        """Waits until State fulfils a condition, and returns it."""
        states: list[Any] = []

        def holds() -> Any:
            states[:] = [self.state]
            return condition(states[0])

        try:
            eventually(holds, seconds=seconds)
        except AssertionError:
            raise AssertionError(f"not within {seconds} s; State is {str(states[0])[:2000]}") from None
        return states[0]

    @contextmanager
    def recorded(self, form: str = ""):
        """Records every event of the session's stream from now on, in a list that grows."""
        events: list[dict] = []
        request = Request(f"{self.url}/events{form}", headers={"Accept": "application/x-ndjson"})
        stream = awaited(urlopen, request, timeout=120)

        def read() -> None:
            try:
                for line in stream:
                    if line.strip():
                        events.append(json.loads(line) | {"bytes": len(line)})
            except (OSError, ValueError, AttributeError):
                pass  # one of the two sides has closed the stream

        in_background(read)
        eventually(lambda: events, "the first event of a stream")
        try:
            yield events
        finally:
            stream.fp and stream.fp.raw._sock.shutdown(2)


def times_begun(events: list[dict], member: str) -> int:
    """Returns how many times a Boolean of State became true in a recorded stream."""
    values = [event["state"][member] for event in events]
    return sum(1 for before, after in zip(values, values[1:]) if after and not before)
