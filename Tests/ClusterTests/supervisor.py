"""Restarts nodes that could not start, like a service manager."""

import threading
import time


class Supervisor(threading.Thread):
    def __init__(self, nodes):
        super().__init__(daemon=True)
        self.nodes, self.complaints = nodes, []

    def run(self):
        while True:
            for node in self.nodes:
                self.complaints += node.mend()
            time.sleep(0.2)
