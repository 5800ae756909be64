"""Separate machines for nodes and databases: network namespaces around a router, where the clients are.

Packets between any two machines can be dropped, in one direction or in both. That needs root; without root, all
processes share one machine, and no connection is cut.
"""

import os
import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager

ENTERED = "UIFUSION_CLUSTER_NETWORK"
OWN = ["unshare", "--net", "--mount"]
# The names of namespaces are in /run/netns: a private one, so that they disappear with the last process.
ROUTER = """mkdir -p /run/netns && mount -t tmpfs none /run/netns &&
  ip link set lo up && echo 1 > /proc/sys/net/ipv4/ip_forward"""


def open_network():
    """Runs the program anew in a network of its own, if that is allowed."""
    if ENTERED in os.environ:
        return Network()
    if not all(map(shutil.which, ["ip", "unshare"])):
        return Loopback("iproute2 is not installed")
    trial = ROUTER + " && ip netns add trial"
    if subprocess.run([*OWN, "sh", "-c", trial], capture_output=True, check=False).returncode:
        return Loopback("network namespaces need root, and a container --privileged")
    os.environ[ENTERED] = "1"
    sys.stdout.flush()
    os.execvp(OWN[0], [*OWN, "sh", "-c", ROUTER + ' && exec "$0" "$@"', sys.executable, "-B", *sys.argv])


class Machine:
    def __init__(self, name, address, entering):
        self.name, self.address, self.entering = name, address, entering

    @property
    def is_apart(self):
        return bool(self.entering)

    def port(self, usual):
        """Returns the usual port on a separate machine, else a free one."""
        if self.is_apart:
            return usual
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            return taken.getsockname()[1]


class Loopback:
    can_cut = False

    def __init__(self, reason):
        self.reason = reason

    def add(self, name):
        return Machine(name, "127.0.0.1", [])


class Network:
    can_cut = True

    def __init__(self):
        self.machines = []

    def add(self, name):
        subnet = f"10.77.{len(self.machines) + 1}"
        _ip(f"netns add {name}")
        _ip(f"link add to-{name} type veth peer name uplink netns {name}")
        _ip(f"address add {subnet}.1/24 dev to-{name}")
        _ip(f"link set to-{name} up")
        _ip(f"-n {name} address add {subnet}.2/24 dev uplink")
        _ip(f"-n {name} link set uplink up")
        _ip(f"-n {name} link set lo up")
        _ip(f"-n {name} route add default via {subnet}.1")
        self.machines.append(Machine(name, f"{subnet}.2", ["ip", "netns", "exec", name]))
        return self.machines[-1]

    @contextmanager
    def without(self, ways):
        """Drops all packets from each source to its target, but not those in the other direction."""
        # Two callers that cut the same way each restore only their own rule.
        for source, target in ways:
            _ip(f"rule add {_way(source, target)}")
        yield
        for source, target in ways:
            _ip(f"rule delete {_way(source, target)}")


def _way(source, target):
    return f"from {source.address} to {target.address} blackhole"


def _ip(arguments):
    subprocess.run(["ip", *arguments.split()], check=True)
