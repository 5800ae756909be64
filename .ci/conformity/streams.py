"""Reads streams of a running service. With httpx-sse, which asks for gzip: a State arrives byte for byte, whole,
in patches, and together with another session's. With curl, which parses nothing: the exact bytes of a stream,
plain and compressed.

usage: streams.py URL    (a running service)
"""
import json, subprocess, sys, threading
import httpx
from httpx_sse import connect_sse

url = sys.argv[1]
TEXTS = ["\r", "\n", "\r\n", "\0", "\u2028\u2029", "\n\ndata: x\n\nevent: end\n\n", "\N{GRINNING FACE}", "\ufeff", "id: 1\0", " leading", ":comment", "a plain note, which makes the State long enough for patches"]

def create(client):
    return client.post("/sessions", json={"viewModel": "todos"}).raise_for_status().json()["id"]

def add(client, id, text):
    client.post(f"/sessions/{id}/inputs", json={"add": {"title": text}}).raise_for_status()

def titles(state):
    return [todo["title"] for todo in state["todos"]]

def apply(state, patch):
    """Applies a patch (RFC 6902), as far as this State needs."""
    for op in patch:
        *path, last = [p.replace("~1", "/").replace("~0", "~") for p in op["path"].split("/")[1:]]
        target = state
        for step in path:
            target = target[int(step) if isinstance(target, list) else step]
        last = int(last) if isinstance(target, list) else last
        if op["op"] == "add" and isinstance(target, list):
            target.insert(last, op["value"])
        elif op["op"] == "remove":
            del target[last]
        else:
            target[last] = op["value"]
    return state

def follow(path, sessions, until, write=lambda: None):
    """Follows until every session has its version; returns their States, their events and the last id."""
    states, versions, names, last = {}, {}, set(), ""
    writer = threading.Thread(target=write)
    with httpx.Client(base_url=url, timeout=10) as client, connect_sse(client, "GET", path) as source:
        assert source.response.headers["content-encoding"] == "gzip", source.response.headers
        for event in source.iter_sse():
            if not event.data:  # httpx-sse yields a block that has only "retry"
                continue
            data = json.loads(event.data)
            id = data.get("session", sessions[0])
            names.add(event.event)
            if event.event == "patch":
                assert data["from"] == versions[id], data
                states[id] = apply(states[id], data["patch"])
            else:
                states[id] = data["state"]
            versions[id], last = data["version"], event.id
            if len(versions) == len(sessions) and not writer.ident:
                writer.start()
            if len(versions) == len(sessions) and all(v >= until for v in versions.values()):
                writer.join()
                return states, names, last

def expect_bytes(client, id, *flags):
    """Expects curl to get a whole stream: the first event, one with a newer State, and the end."""
    def event():
        shown = client.get(f"/sessions/{id}").content
        version = json.loads(shown)["version"]
        state = shown[shown.index(b'"state":') :].rpartition(b',"settled":')[0]
        # JSON escapes these; otherwise they would break the lines of the stream.
        assert b"\n" not in state and b"\r" not in state and b"\0" not in state
        return b'id: %d\nevent: state\ndata: {"version":%d,%s}\n\n' % (version, version, state)

    curl = subprocess.Popen(["curl", "-sSN", *flags, f"{url}/sessions/{id}/events"], stdout=subprocess.PIPE)
    expected = b"retry: 1000\n" + event()
    got = curl.stdout.read(len(expected))
    add(client, id, "once more")
    expected += event()
    got += curl.stdout.read(len(expected) - len(got))
    client.delete(f"/sessions/{id}").raise_for_status()
    expected += b'event: end\ndata: {"reason":"deleted"}\n\n'
    got += curl.stdout.read()
    assert got == expected, (got, expected)
    assert curl.wait() == 0

with httpx.Client(base_url=url) as client:
    a, b = create(client), create(client)

    def write():
        for text in reversed(TEXTS):
            for id in (a, b):
                add(client, id, text)

    for path, sessions in [(f"/sessions/{a}/events?format=patch", [a]), (f"/events?session={a}&session={b}&format=patch", [a, b])]:
        before = client.get(f"/sessions/{a}").json()["version"]
        states, names, last = follow(path, sessions, before + len(TEXTS), write)
        for id in sessions:
            assert titles(states[id])[-len(TEXTS):] == TEXTS[::-1], states[id]
        assert names == {"state", "patch"}, names
        print(path[:8], "…", sorted(names), "last id", last)
    states, _, _ = follow(f"/sessions/{a}/events", [a], 0)
    assert states[a] == client.get(f"/sessions/{a}").json()["state"]
    expect_bytes(client, a)
    expect_bytes(client, b, "--compressed")
print("httpx-sse and curl agree")
