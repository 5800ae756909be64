"""A proxy between the browser and the service: the network can be slow, cut off or silent, and the proxy records
the requests.

`latency` is added to each round trip, in seconds. Requests whose path begins with a prefix in `held` do not reach
the service; with a prefix in `unanswered`, the service gets the request, but its response does not reach the
browser. Both wait, and continue when the prefix is removed.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import monotonic

from waiting import awaited

loop = asyncio.new_event_loop()
threading.Thread(target=loop.run_forever, daemon=True).start()


@dataclass(eq=False)
class Passed:
    """A request that went through the proxy, and the size of its response."""

    method: str = ""
    path: str = ""
    head: str = ""
    body: bytes = b""
    began: float = field(default_factory=monotonic)
    answered: float | None = None
    """When the last part of the response went to the browser."""
    bytes: int = 0
    is_open: bool = True
    """Whether the connection is open and no other request has followed on it."""
    length: int = 0


class Proxy:
    def __init__(self, port: int):
        self.service_port = port
        self.latency = 0.0
        self.held: set[str] = set()
        self.unanswered: set[str] = set()
        self.requests: list[Passed] = []
        self._writers: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._server = self._do(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def matching(self, method: str, part: str) -> list[Passed]:
        return [request for request in list(self.requests) if request.method == method and part in request.path]

    @property
    def open_streams(self) -> list[Passed]:
        return [request for request in self.requests.copy() if is_stream(request.path) and request.is_open]

    def cut(self) -> None:
        """Breaks all connections, and each new one at once.

        The proxy goes on listening: if it stopped, asyncio would keep a socket that arrives meanwhile, and never read it.
        """
        self._is_cut = True
        self.sever()

    def mend(self) -> None:
        self._is_cut = False

    def sever(self) -> None:
        """Breaks all connections, but accepts new ones."""
        self._do(self._break())

    def close(self) -> None:
        self.held.clear()
        self.unanswered.clear()
        self.cut()
        loop.call_soon_threadsafe(self._server.close)

    def _do(self, work: Awaitable):
        return awaited(asyncio.run_coroutine_threadsafe(work, loop).result, 10)

    async def _break(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            return writer.transport.abort()
        self._writers.add(writer)
        service = None
        connection = Connection(self)
        try:
            from_service, service = await asyncio.open_connection("127.0.0.1", self.service_port)
            self._writers.add(service)
            await first_to_end(
                self._pass(reader, service, connection.sent, "held"),
                self._pass(from_service, writer, connection.received, "unanswered"),
            )
        except OSError:
            pass  # the service is down, or one of the two hung up
        finally:
            if connection.request:
                connection.request.is_open = False
            for end in filter(None, (writer, service)):
                self._writers.discard(end)
                end.transport.abort() if service is None else end.close()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
        note: Callable[[bytes], Passed], stops: str,
    ) -> None:
        """Forwards each piece of data after half of the latency."""
        pieces: asyncio.Queue[tuple[float, bytes, Passed] | None] = asyncio.Queue()

        async def read() -> None:
            try:
                while data := await reader.read(65536):
                    pieces.put_nowait((loop.time() + self.latency / 2, data, note(data)))
            finally:
                pieces.put_nowait(None)

        async def write() -> None:
            while piece := await pieces.get():
                due, data, request = piece
                await asyncio.sleep(due - loop.time())
                while any(request.path.startswith(prefix) for prefix in tuple(getattr(self, stops))):
                    await asyncio.sleep(0.005)
                writer.write(data)
                await writer.drain()
                if stops == "unanswered":
                    request.answered = monotonic()

        # If one side hangs up, the data that it sent before still arrives.
        reading = asyncio.create_task(read())
        try:
            await write()
        finally:
            reading.cancel()


def is_stream(address: str) -> bool:
    """Whether an address opens a stream: of existing sessions, or of one that the same request creates."""
    return "/events?" in address or "/sessions?" in address


class Connection:
    """Tells the requests of one connection apart: browsers send the next one after the last response."""

    def __init__(self, proxy: Proxy):
        self.requests = proxy.requests
        self.request: Passed | None = None
        self._buffer = b""

    def sent(self, data: bytes) -> Passed:
        request = self.request
        if request and request.length > len(request.body):
            request.body += data
            return request
        self._buffer += data
        if b"\r\n\r\n" not in self._buffer:
            return request or Passed()
        head, _, body = self._buffer.partition(b"\r\n\r\n")
        self._buffer = b""
        if request:
            request.is_open = False
        line, _, fields = head.decode("latin-1").partition("\r\n")
        method, path, _ = line.split(" ")
        lengths = [int(f.split(":")[1]) for f in fields.split("\r\n") if f.lower().startswith("content-length:")]
        self.request = Passed(method, path, fields, body, length=(lengths or [0])[0])
        self.requests.append(self.request)
        return self.request

    def received(self, data: bytes) -> Passed:
        request = self.request or Passed()
        request.bytes += len(data)
        return request


async def first_to_end(*works: Awaitable) -> None:
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
