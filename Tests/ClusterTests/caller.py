"""Sends requests to nodes, over connections that are kept alive like those of browsers and load balancers."""

import http.client
import json
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reply:
    """A response; without a status if the connection broke, or nothing came in time."""

    status: int = 0
    body: object = None
    headers: dict = field(default_factory=dict)

    @property
    def asks_to_repeat(self):
        return self.status in (0, 429, 503)


class Caller:
    def __init__(self, timeout):
        self.timeout, self.connections = timeout, {}

    def ask(self, address, method, path, body=None, headers=None):
        connection = self.connections.pop(address, None)
        connection = connection or http.client.HTTPConnection(*address, timeout=self.timeout)
        content = {"Content-Type": "application/json"} if body is not None else {}
        try:
            connection.request(method, path, body, {**content, **(headers or {})})
            response = connection.getresponse()
            text = response.read()
            is_json = "json" in response.headers.get("Content-Type", "")
            reply = Reply(response.status, json.loads(text) if is_json and text else None, response.headers)
        except (OSError, http.client.HTTPException, ValueError):
            connection.close()
            return Reply()
        if connection.sock:
            self.connections[address] = connection
        return reply

    def close(self):
        for connection in self.connections.values():
            connection.close()
        self.connections.clear()


def ask(address, method, path, body=None):
    caller = Caller(timeout=2)
    reply = caller.ask(address, method, path, body)
    caller.close()
    return reply
