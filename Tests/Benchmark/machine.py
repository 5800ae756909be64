"""The machine: its description, and whether other processes load it."""

import datetime
import os
import platform
import subprocess
import time


def described(root, beside="the load generator"):
    """Returns the head of the table: processor, kernel, date, and the measured program."""
    with open("/proc/cpuinfo") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0))
    commit = output(["git", "-C", str(root), "describe", "--always", "--dirty"]) or "no commit"
    library = output(["pkg-config", "--modversion", "libmicrohttpd"]) or "unknown"
    return (
        f"{cores} cores of {models[0] if models else platform.machine()}, shared with {beside},"
        f" Linux {platform.release().split('-')[0]}, libmicrohttpd {library};"
        f" {datetime.date.today().isoformat()}, {commit}."
    )


def output(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def busy_cores(seconds):
    """Returns how many cores are busy now, including the time that the hypervisor takes."""
    before, start = busy_ticks(), time.monotonic()
    time.sleep(seconds)
    elapsed = time.monotonic() - start
    return (busy_ticks() - before) / os.sysconf("SC_CLK_TCK") / elapsed


def busy_ticks():
    """Sums up proc_stat(5): all but idle and iowait, and without guests, which are counted as user."""
    with open("/proc/stat") as file:
        fields = [int(field) for field in file.readline().split()[1:9]]
    return sum(fields) - fields[3] - fields[4]
