"""A load balancer: forwards connections to the nodes whose /readyz says that they are ready."""

import asyncio
import random
import threading


class Balancer(threading.Thread):
    def __init__(self, nodes):
        super().__init__(daemon=True)
        self.nodes, self.ready, self.address = nodes, [], None
        self.loop, self.is_open = asyncio.new_event_loop(), threading.Event()

    def open(self):
        self.start()
        if not self.is_open.wait(60):
            raise SystemExit("the load balancer does not listen")

    def run(self):
        self.loop.run_until_complete(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.address = server.sockets[0].getsockname()
        while True:
            answers = await asyncio.gather(*(asyncio.to_thread(node.is_ready) for node in self.nodes))
            self.ready = [node for node, is_ready in zip(self.nodes, answers) if is_ready]
            self.is_open.set()
            await asyncio.sleep(0.25)

    async def accept(self, reader, writer):
        try:
            node = random.choice(self.ready)
            there, back = await asyncio.open_connection(*node.address)
        except (IndexError, OSError):
            return writer.close()
        ways = [asyncio.create_task(pass_on(reader, back)), asyncio.create_task(pass_on(there, writer))]
        # When either end closes, both are closed, after forwarding what was sent before.
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, back):
            end.close()


async def pass_on(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
